//! How messages are found by their ids: `build.rs` reads this file as well.

/// FNV-1a of an id, 32 bits (draft-eastlake-fnv): equal hashes of two ids cost a second look, nothing else.
pub(crate) fn hash(id: &str) -> u32 {
    const BASIS: u32 = 0x811c_9dc5;
    const PRIME: u32 = 0x0100_0193;
    id.bytes().fold(BASIS, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
}
