//! Progress of a run.

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Number of bytes of the input that have been read.
    pub read: u64,
    /// Size of the input in bytes; `None` for a stream.
    pub total: Option<u64>,
    /// Number of connections seen so far.
    pub connections: u64,
}
