//! The data that the receiver reports above the cumulative acknowledgment (SACK, RFC 2018).

use tcpwhy_model::Unwrapper;

use super::Half;
use super::policing::{Arrival, Point, Policing};
use super::segment::AckSegment;
use crate::thresholds::{QUEUED_AT_LOSS, QUEUED_AT_LOSS_LEAST};

/// News in SACK blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    /// They report bytes that no SACK block had reported before.
    pub(super) more: bool,
    /// These bytes are above all reported before, with a hole in between.
    pub(super) beyond_a_hole: bool,
}

impl Half {
    /// Records SACK blocks in the scoreboard.
    pub(super) fn read_sack(&mut self, s: &AckSegment<'_>, ack: u64, unwrapper: &mut Unwrapper) -> Told {
        let mut told = Told::default();
        for (i, &(left, right)) in s.sack().iter().enumerate() {
            let left = unwrapper.unwrap(left).as_u64();
            let right = unwrapper.unwrap(right).as_u64();
            if right <= left || right > self.max_end.max(ack) {
                continue;
            }
            if i == 0 && (right <= ack || self.sacked.contains(left, right)) {
                // RFC 2883: the first block reports data received twice.
                if right <= ack {
                    self.counts.dsacks += 1;
                    self.ledger.on_duplicate_report(left);
                }
                continue;
            }
            if left >= ack {
                told.beyond_a_hole |= left > self.sacked.highest().unwrap_or(ack).max(ack);
                told.more |= self.sacked.insert(left, right) > 0;
            }
        }
        told
    }

    /// Estimates the bytes that the receiver has. Without SACK, each duplicate ACK of a fresh loss means one
    /// segment.
    pub(super) fn follow_delivery(&mut self, time: i64, has_duplicate: bool, reveals_loss: bool) {
        let mut delivered = self.una + self.sacked.total();
        if has_duplicate {
            let held = u64::from(self.duplicate_acks) * self.mss;
            delivered += held.min(self.max_end.saturating_sub(self.una + self.mss));
        }
        if delivered > self.delivery.last.delivered || reveals_loss {
            self.grow_delivery(Point { time, delivered }, reveals_loss);
        }
    }

    fn grow_delivery(&mut self, now: Point, reveals_loss: bool) {
        let Some(rtt) = self.ledger.rtt_min() else { return };
        let before = self.delivery.last;
        let now = Point { delivered: now.delivered.max(before.delivered), ..now };
        let growth = self.delivery.grow(now, self.una >= self.max_end, rtt, self.mss);
        if self.policing.is_none() {
            if !reveals_loss {
                return;
            }
            // The ledger has each ACK at the time when the sender had processed it.
            let (slots, shift) = (&self.ledger.slots, self.clock.shift());
            let so_far: u64 = slots.done.iter().chain([&slots.current]).map(|s| s.acked.get()).sum();
            let mut delivered = self.ledger.una().saturating_sub(so_far);
            let curve = slots.done.iter().chain([&slots.current]).map(|slot| {
                // The time of the slot's first ACK within the slot is not known.
                let point = Point { time: i64::midpoint(slot.start, slot.end) - shift, delivered };
                delivered += slot.acked.get();
                point
            });
            self.policing = Some(Box::new(Policing::new(curve, self.delivery.stretches())));
        }
        let is_queue = |recent: i64| recent > rtt + QUEUED_AT_LOSS.of(rtt).max(QUEUED_AT_LOSS_LEAST.get());
        let is_queued = reveals_loss && self.ledger.rtt_recent().is_some_and(is_queue);
        if let Some(policing) = &mut self.policing {
            let is_after_rest = growth.is_after_rest;
            let highest = self.sacked.highest().unwrap_or(0).max(self.una);
            let slots = &self.ledger.slots;
            let of_last = slots.done.last().map_or(0, |slot| slot.peak_flight.get());
            let flight = slots.current.peak_flight.get().max(of_last);
            let arrival = Arrival { before, now, is_after_rest, highest, reveals_loss, is_queued, flight };
            policing.follow(&arrival, rtt, self.mss);
        }
    }
}
