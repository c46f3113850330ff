//! State at the last send of a segment.

/// State at the last send of a segment, stored with it (`struct tcp_skb_cb`, `tx`). Times are microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Departure {
    /// `delivered`.
    pub(super) delivered: u64,
    /// `delivered_mstamp`.
    pub(super) delivered_at: u64,
    /// `first_tx_mstamp`.
    pub(super) first_sent: u64,
    pub(super) is_app_limited: bool,
}
