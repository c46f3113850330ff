//! How the delivered stream grows, and how deep a bucket is.

/// A point of the delivered stream: when, and how much had arrived by then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) time: i64,
    pub(crate) delivered: u64,
}

/// A growth of what the receiver holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The growth before it.
    pub(crate) before: Point,
    pub(crate) now: Point,
    /// Everything sent had arrived, and nothing was sent for a while: the application rested.
    pub(crate) is_after_rest: bool,
    /// End of what had arrived, whatever is missing before it.
    pub(crate) highest: u64,
    /// It told of a hole that was not known.
    pub(crate) reveals_loss: bool,
    /// It did so while round trips took longer than the path needs.
    pub(crate) is_queued: bool,
    /// The most that was in flight in this round trip and the one before, bytes.
    pub(crate) flight: u64,
}

impl Arrival {
    /// After a longer silence nobody knows when within it a packet was lost.
    pub(super) fn is_dated(&self, horizon: i64) -> bool {
        self.now.time - self.before.time <= horizon
    }
}

/// The depth of the bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Burst {
    pub(crate) bytes: f64,
    /// Chunks of the application's data that show a burst, and those that show this one.
    pub(crate) chunks: u32,
    pub(crate) agreeing: u32,
}
