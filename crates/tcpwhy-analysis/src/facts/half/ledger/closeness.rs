//! How close in time things must lie to belong together: worked out when a round trip is measured, used for every packet.

use super::MILLISECOND;

#[derive(Clone, Copy, Debug)]
pub(super) struct Closeness {
    /// ACK times are inferred, not captured at the sender.
    ack_times_inferred: bool,
    /// How long after the first ACK that released them sends follow, smoothed: what the host itself takes.
    reaction: Option<i64>,
    /// Flights and windows are weighed as often: a small part of a round trip is fine enough.
    pub(super) fine: i64,
    // Seconds at most: every connection has two of these.
    slot: u32,
    burst: u32,
    release: u32,
}

impl Default for Closeness {
    /// Before any round trip was measured.
    fn default() -> Self {
        let mut closeness = Self {
            ack_times_inferred: false,
            reaction: None,
            slot: (50 * MILLISECOND) as u32,
            burst: MILLISECOND as u32,
            release: 0,
            fine: 0,
        };
        closeness.set_release(None);
        closeness
    }
}

impl Closeness {
    pub(super) fn ack_times_inferred(&self) -> bool {
        self.ack_times_inferred
    }

    /// A slot lasts at least that long, about a round trip.
    pub(super) fn slot(&self) -> i64 {
        self.slot.into()
    }

    /// Sends closer than this are one burst.
    pub(super) fn burst(&self) -> i64 {
        self.burst.into()
    }

    /// A send this soon after an ACK was released by it.
    pub(super) fn release(&self) -> i64 {
        self.release.into()
    }

    /// `rtt_min` is the least round trip so far, here and below.
    pub(super) fn set_ack_times_inferred(&mut self, ack_times_inferred: bool, rtt_min: Option<i64>) {
        self.ack_times_inferred = ack_times_inferred;
        self.set_release(rtt_min);
    }

    /// The round trip of late.
    pub(super) fn set_recent(&mut self, rtt: i64) {
        self.slot = rtt.clamp(2 * MILLISECOND, 1000 * MILLISECOND) as u32;
    }

    /// The least round trip so far.
    pub(super) fn set_least(&mut self, rtt: i64) {
        self.fine = rtt / 16;
        self.burst = (rtt / 16).clamp(MILLISECOND / 20, 2 * MILLISECOND) as u32;
        self.set_release(Some(rtt));
    }

    /// A send followed the first ACK that made room by `lag`.
    pub(super) fn on_reaction(&mut self, lag: i64, rtt_min: Option<i64>) {
        let reaction = self.reaction.get_or_insert(lag);
        // Times out of order make it negative, and from then on ever more so.
        *reaction += (lag.min(reaction.saturating_mul(4).saturating_add(1000)).saturating_sub(*reaction)) / 16;
        self.set_release(rtt_min);
    }

    /// At the sender, how fast this host reacts was seen when its windows opened; elsewhere the order of ACKs is known to a
    /// millisecond at best.
    fn set_release(&mut self, rtt_min: Option<i64>) {
        let base = rtt_min.map_or(MILLISECOND, |r| r / 20).clamp(MILLISECOND / 5, 2 * MILLISECOND);
        let release = match self.reaction {
            _ if self.ack_times_inferred => base.max(MILLISECOND),
            Some(reaction) => base.min(reaction.saturating_mul(8).max(MILLISECOND / 4)),
            None => base,
        };
        self.release = release as u32;
    }
}
