//! The hash by which messages are found. `build.rs` includes this file too.

/// Buckets of hashes, by their upper bits: more buckets than messages.
const BUCKET_BITS: u32 = 12;

/// A hash of `id`, eight bytes at a time, with the algorithm of the Rust compiler (`rustc-hash` 1). Two ids
/// may have the same hash, so ids are compared too.
pub(crate) fn hash(id: &str) -> u32 {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let add = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = id.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(0, |hash, word| add(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(rest.len() as u64, |last, &byte| last << 8 | u64::from(byte));
    (add(hash, last) >> 32) as u32
}

/// The bucket of a hash.
pub(crate) const fn bucket(hash: u32) -> u32 {
    hash >> (u32::BITS - BUCKET_BITS)
}
