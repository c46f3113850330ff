//! How close in time things must lie to belong together: worked out when a round trip is measured, used for every packet.

use crate::thresholds::{
    BURST_ASSUMED, BURST_LEAST, BURST_MOST, BURST_PART, REACTION_ROOM, REACTION_SMOOTHING, REACTION_TIMES,
    RELEASE_ASSUMED, RELEASE_INFERRED_LEAST, RELEASE_LEAST, RELEASE_MOST, RELEASE_PART, RELEASE_REACTION_LEAST,
    RELEASE_REACTIONS, SLOT_ASSUMED, SLOT_LEAST, SLOT_MOST, WEIGHED_PART,
};

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
            slot: SLOT_ASSUMED.get() as u32,
            burst: BURST_ASSUMED.get() as u32,
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
        self.slot = rtt.clamp(SLOT_LEAST.get(), SLOT_MOST.get()) as u32;
    }

    /// The least round trip so far.
    pub(super) fn set_least(&mut self, rtt: i64) {
        self.fine = WEIGHED_PART.of(rtt);
        self.burst = BURST_PART.of(rtt).clamp(BURST_LEAST.get(), BURST_MOST.get()) as u32;
        self.set_release(Some(rtt));
    }

    /// A send followed the first ACK that made room by `lag`.
    pub(super) fn on_reaction(&mut self, lag: i64, rtt_min: Option<i64>) {
        let reaction = self.reaction.get_or_insert(lag);
        // Times out of order make it negative, and from then on ever more so.
        let most = reaction.saturating_mul(REACTION_TIMES.get()).saturating_add(REACTION_ROOM.get());
        *reaction += lag.min(most).saturating_sub(*reaction) / REACTION_SMOOTHING.get();
        self.set_release(rtt_min);
    }

    /// At the sender, how fast this host reacts was seen when its windows opened; elsewhere the order of ACKs is known to a
    /// millisecond at best.
    fn set_release(&mut self, rtt_min: Option<i64>) {
        let base = rtt_min.map_or(RELEASE_ASSUMED.get(), |rtt| RELEASE_PART.of(rtt));
        let base = base.clamp(RELEASE_LEAST.get(), RELEASE_MOST.get());
        let release = match self.reaction {
            _ if self.ack_times_inferred => base.max(RELEASE_INFERRED_LEAST.get()),
            Some(reaction) => {
                base.min(reaction.saturating_mul(RELEASE_REACTIONS.get()).max(RELEASE_REACTION_LEAST.get()))
            }
            None => base,
        };
        self.release = release as u32;
    }
}
