//! Bounds on calls to the server.

/// Calls that run at a time: each one uses all processors.
pub(super) const CALLS_AT_ONCE: usize = 1;
/// Calls that wait for their turn; more are refused.
pub(super) const MOST_WAITING: usize = 256;
