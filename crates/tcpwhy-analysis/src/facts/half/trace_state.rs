//! The current state of a half-connection, for a trace.

use tcpwhy_model::WindowScale;

use super::Half;
use crate::facts::gap_fact::GapFact;

/// The current state of a direction, for a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TraceState {
    /// Ends of the acknowledged and of the sent data, in the order of the capture.
    pub(crate) una: u64,
    pub(crate) nxt: u64,
    /// Bytes in flight, and those of them that SACK reported, on the sender's clock.
    pub(crate) flight: u64,
    pub(crate) sacked: u64,
    /// The scoreboard, in the order of the capture.
    pub(crate) sacked_up_to: Option<u64>,
    pub(crate) sacked_captured: u64,
    pub(crate) cwnd_floor: u64,
    pub(crate) recovery: Option<GapFact>,
    /// Round trip that was measured since the previous packet, nanoseconds.
    pub(crate) rtt: Option<i64>,
    pub(crate) mss: u64,
    pub(crate) window_scale: WindowScale,
}

impl Half {
    /// Time at which all ACKs on their way will have reached the sender, and the bytes in flight then; `None`
    /// without such ACKs.
    pub(crate) fn settling(&self) -> Option<(i64, u64)> {
        let (time, ack) = self.clock.last_due()?;
        Some((time, self.ledger.flight().saturating_sub(ack.saturating_sub(self.ledger.una()))))
    }

    /// The state of the direction at `time`.
    pub(crate) fn trace_state(&mut self, time: i64) -> TraceState {
        // During a silence, no data echoes the ACKs that have arrived.
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
