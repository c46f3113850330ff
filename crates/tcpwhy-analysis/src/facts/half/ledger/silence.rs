//! Silence that no limit of the sender explains.
//!
//! The acknowledgment of data takes one round trip, plus at most 0.5 s for which the receiver may delay it
//! (RFC 9293 §3.8.6.3). Without an acknowledgment, a sender retransmits after about 1 s (RFC 6298 §2). So
//! slow start, a congestion window or the final round trip cannot explain a longer silence while data is in
//! flight.

use super::Ledger;
use crate::facts::gap_fact::GapFact;
use crate::facts::half::event::AckEvent;
use crate::facts::slot::GapKind;
use crate::thresholds::{LONG_SILENCE, SILENCE_ROUND_TRIPS};

impl Ledger {
    /// Whether `nanos` is too long for a round trip.
    pub(super) fn is_too_long(&self, nanos: i64) -> bool {
        nanos > LONG_SILENCE && self.rtt_before.nanos().is_some_and(|before| nanos > before * SILENCE_ROUND_TRIPS.get())
    }

    /// Handles an ACK of new data after more than [`LONG_SILENCE`].
    #[cold]
    pub(super) fn on_late_ack(&mut self, ack: &AckEvent) {
        let is_explained = self.flight() == 0
            || self.is_joining
            || self.recovery.is_some()
            || self.hole_since.is_some()
            || self.gap.blocked.is_some()
            || ack.has_payload && ack.ack >= self.nxt;
        if !is_explained && self.is_too_long(ack.passed - self.last_event) {
            // Nothing was retransmitted: the cause was not captured, or no packet shows it.
            self.emit(self.last_event, GapKind::AckClocked);
            self.account(ack.passed, GapFact::SilentBeyondTimers);
        }
    }

    /// Records the time up to `time` if the sender continued although a hole was open for longer than
    /// reordering explains. Returns whether it did.
    pub(super) fn emit_open_hole(&mut self, time: i64, before: GapKind) -> bool {
        let Some(hole) = self.hole_since.filter(|hole| self.is_too_long(time - hole)) else { return false };
        self.emit(hole, before);
        self.emit(time, GapKind::Fact(GapFact::HoleLeftOpen));
        true
    }

    /// Records the time until `end`, in which nothing more was sent.
    pub(super) fn emit_last_flight(&mut self, end: i64) {
        let sent = self.gap.start;
        if self.recovery.is_some() {
            self.emit_open(end, GapKind::Tail);
        } else if let Some((answered, true)) = self.gap.emptied
            && self.is_too_long(answered - sent)
        {
            // The peer's answer acknowledged the data, so this time includes the peer's. Away from the sender
            // both are inferred, and no interval may end after the capture.
            self.emit((sent + self.rtt_min.unwrap_or(0)).min(end), GapKind::Tail);
            self.emit(answered.min(end), GapKind::Fact(GapFact::PeerDataAwaited));
        } else if !self.emit_open_hole(end, GapKind::Tail) {
            self.emit(end, GapKind::Tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::MILLISECOND;
    use super::*;
    use crate::facts::half::event::{DataEvent, DataKind};

    /// Clocks that are set make delays of years, and ACKs long after the capture's end.
    #[test]
    fn a_silence_is_as_long_as_the_capture_shows() {
        for (passed, accounted) in [(5_000, 5_000), (2, 0)] {
            let mut ledger = Ledger::new(0, 0, 1000);
            ledger.on_rtt(20 * MILLISECOND);
            let (time, kind) = (0, DataKind::New);
            ledger.on_data(&DataEvent {
                time,
                start: 0,
                end: 1000,
                kind,
                is_partial: false,
                tsval: None,
                lag_ticks: None,
            });
            ledger.on_ack(&AckEvent {
                time: 5_000 * MILLISECOND,
                passed: passed * MILLISECOND,
                ack: 1000,
                window: None,
                is_zero_window: false,
                sacked: 0,
                reveals_hole: false,
                has_payload: false,
                tsval: None,
            });
            assert_eq!(ledger.slots.cursor(), accounted * MILLISECOND);
        }
    }

    /// `LONG_SILENCE` and `SILENCE_ROUND_TRIPS`: more than 1 s, and more than eight round trips.
    #[test]
    fn a_silence_of_more_than_a_second_and_eight_round_trips_is_too_long() {
        let is_too_long = |rtt: i64, nanos: i64| {
            let mut ledger = Ledger::new(0, 0, 1000);
            (0..2).for_each(|_| ledger.on_rtt(rtt * MILLISECOND));
            ledger.is_too_long(nanos)
        };
        assert!(!is_too_long(20, 1_000 * MILLISECOND) && is_too_long(20, 1_000 * MILLISECOND + 1));
        // Round trips are stored in units of about 1 µs.
        assert!(!is_too_long(256, 2_048 * MILLISECOND) && is_too_long(256, 2_048 * MILLISECOND + 1));
        assert!(!Ledger::new(0, 0, 1000).is_too_long(1_000 * MILLISECOND));
    }
}
