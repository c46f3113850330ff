//! A half-connection as it stands, for a trace.

use tcpwhy_model::WindowScale;

use super::Half;
use crate::facts::gap_fact::GapFact;

/// A direction as it stands, for a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TraceState {
    /// Acknowledged and sent up to here, in the order of the capture.
    pub(crate) una: u64,
    pub(crate) nxt: u64,
    /// In flight, and of it reported as received, on the sender's clock.
    pub(crate) flight: u64,
    pub(crate) sacked: u64,
    /// The scoreboard in the order of the capture.
    pub(crate) sacked_up_to: Option<u64>,
    pub(crate) sacked_captured: u64,
    pub(crate) cwnd_floor: u64,
    pub(crate) recovery: Option<GapFact>,
    /// Timed since the packet before.
    pub(crate) rtt: Option<i64>,
    pub(crate) mss: u64,
    pub(crate) window_scale: WindowScale,
}

impl Half {
    /// When the ACKs under way have all reached the sender, and how much is in flight then; `None` where none
    /// is.
    pub(crate) fn settling(&self) -> Option<(i64, u64)> {
        let (time, ack) = self.clock.last_due()?;
        Some((time, self.ledger.flight().saturating_sub(ack.saturating_sub(self.ledger.una()))))
    }

    /// What a trace shows of the direction as it stands.
    pub(crate) fn trace_state(&mut self, time: i64) -> TraceState {
        // In a silence no data echoes what has arrived.
        let reached = self.clock.reached(time).saturating_sub(self.ledger.una());
        TraceState {
            una: self.una,
            nxt: self.max_end,
            flight: self.ledger.flight().saturating_sub(reached),
            sacked: self.ledger.sacked(),
            sacked_up_to: self.sacked.highest(),
            sacked_captured: self.sacked.total(),
            cwnd_floor: self.ledger.cwnd_floor(),
            recovery: self.ledger.recovery(),
            rtt: self.last_rtt.take(),
            mss: self.mss,
            window_scale: self.window_scale,
        }
    }
}
