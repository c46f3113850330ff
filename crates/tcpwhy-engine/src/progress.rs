//! How far a run got.

/// How far a run got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Bytes of the input that are read.
    pub read: u64,
    /// Of how many; `None` for a stream.
    pub total: Option<u64>,
    /// Connections seen so far.
    pub connections: u64,
}
