//! Counters of a connection that were reported already.

use tcpwhy_model::live::Turns;
use tcpwhy_model::{ByteCount, OutcomeKind};

use super::baseline::Baseline;

/// Counters of a connection up to its last report.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reported {
    pub(super) nanos: i64,
    pub(super) sent: ByteCount,
    pub(super) received: ByteCount,
    pub(super) retransmitted: ByteCount,
    pub(super) blocked: i64,
    pub(super) turns: [Turns; 2],
    /// How it failed first.
    pub(super) failed: Option<OutcomeKind>,
    pub(super) is_known: bool,
}

impl Reported {
    /// For a new connection. Its SYN counts as a byte (`tcp_snd_una_update`).
    pub(super) fn of_new(first: &Baseline) -> Self {
        Self { sent: first.acked.min(1), ..Self::default() }
    }

    /// For a connection that was there before the watching: its bytes until then do not count.
    pub(super) fn of(first: &Baseline) -> Self {
        Self {
            sent: first.acked,
            received: first.received,
            retransmitted: first.retransmitted_bytes,
            ..Self::default()
        }
    }
}
