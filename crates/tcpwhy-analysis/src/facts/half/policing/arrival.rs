//! Growth of the delivered stream, and the depth of a bucket.

/// A point of the delivered stream: the time, and the bytes that had arrived by then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) time: i64,
    pub(crate) delivered: u64,
}

/// An increase of the data that the receiver has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The previous increase.
    pub(crate) before: Point,
    pub(crate) now: Point,
    /// All sent data had arrived, and nothing was sent for a while: the application paused.
    pub(crate) is_after_rest: bool,
    /// End of the arrived data, even if earlier data is missing.
    pub(crate) highest: u64,
    /// It reported a new hole.
    pub(crate) reveals_loss: bool,
    /// It did so while round trips were longer than the path needs.
    pub(crate) is_queued: bool,
    /// Largest number of bytes in flight in this round trip and the one before.
    pub(crate) flight: u64,
}

impl Arrival {
    /// Whether the time of a loss is known. After a longer silence it is not.
    pub(super) fn is_dated(&self, horizon: i64) -> bool {
        self.now.time - self.before.time <= horizon
    }
}

/// The depth of the bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Burst {
    pub(crate) bytes: f64,
    /// Number of chunks of the application's data that show a burst, and of those that show this one.
    pub(crate) chunks: u32,
    pub(crate) agreeing: u32,
}
