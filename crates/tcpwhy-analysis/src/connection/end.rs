//! One end of a connection: what it said in its SYN, what it offered, what it sent.

use tcpwhy_model::{SeqNum, TcpFlags, Unwrapper};

use crate::diagnosis::facts::{Blackout, EcnOffer, HopLimits, SynFacts, UndeliveredCounts};
use crate::half::Half;
use crate::half::signs::Signs;
use crate::half::summary::Summary;

/// What one end's SYN said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syn {
    pub(super) mss: Option<u16>,
    pub(super) window_scale: Option<u8>,
    pub(super) has_timestamps: bool,
    pub(super) has_sack: bool,
    pub(super) ecn: EcnOffer,
    pub(super) count: u32,
    pub(super) last: i64,
}

impl Syn {
    pub(super) fn facts(self) -> SynFacts {
        SynFacts {
            mss: self.mss,
            window_scale: self.window_scale,
            has_timestamps: self.has_timestamps,
            has_sack: self.has_sack,
            ecn: self.ecn,
        }
    }
}

/// What few ends have: apart, so that a million SYNs take little memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Rare {
    /// Since when the window for its data was closed before any of it, and until when.
    pub(super) closed: Option<(i64, Option<i64>)>,
    /// ACKs that the capture holds twice.
    pub(super) copies: u64,
    /// The longest stretch of packets that found no answer.
    pub(super) blackout: Option<Blackout>,
    /// What ICMP errors say of its packets.
    pub(super) undelivered: UndeliveredCounts,
}

/// One end of the connection.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    pub(super) syn: Option<Syn>,
    pub(super) unwrapper: Unwrapper,
    pub(super) packets: u64,
    pub(super) fin: Option<i64>,
    /// Last acknowledgment of this end's data and the window offered for it.
    pub(super) offered: Option<(u64, Option<u64>)>,
    pub(super) half: Option<Box<Half>>,
    /// What its data came to, once nothing more belongs to it; there is no `half` any more then.
    pub(super) summary: Option<Box<Summary>>,
    /// Packets since the other end was heard last, and since when.
    pub(super) unanswered: u32,
    pub(super) unanswered_since: i64,
    pub(super) rare: Option<Box<Rare>>,
    /// What few directions show, once there is a summary.
    pub(super) signs: Option<Box<Signs>>,
    pub(super) hop_limits: HopLimits,
    /// Keep-alives and window probes without payload (Linux), beside those with one byte that the half counts.
    pub(super) probes: u64,
}

impl End {
    /// A packet came with another hop limit than the one before it, or is the first.
    #[cold]
    pub(super) fn note_hop_limit(&mut self, hop_limit: u8, flags: TcpFlags) {
        // Many send resets with a hop limit of their own.
        if hop_limit > 0 && !flags.contains(TcpFlags::RST) {
            self.hop_limits.note(hop_limit, flags.contains(TcpFlags::SYN));
        }
    }

    /// Whether a segment at `seq` asks again for what is acknowledged already: a keep-alive or window probe
    /// (RFC 9293 §3.8.4, `tcp_xmit_probe_skb` in Linux).
    pub(super) fn is_probe(&self, seq: SeqNum) -> bool {
        let una = self.half.as_ref().map(|h| h.una()).or(self.offered.map(|o| o.0));
        let mut unwrapper = self.unwrapper;
        una.is_some_and(|una| unwrapper.is_anchored() && unwrapper.unwrap(seq).as_u64() + 1 == una)
    }

    /// The packets since the other end's last word stayed without answer until `time`.
    pub(super) fn note_blackout(&mut self, time: i64) {
        let is_window_closed = self.half.as_ref().is_some_and(|h| h.ledger.is_window_closed());
        if let Some(blackout) = self.blackout_until(time, is_window_closed) {
            self.rare_mut().blackout = Some(blackout);
        }
    }

    /// What ICMP errors say of its packets.
    pub(super) fn undelivered(&self) -> UndeliveredCounts {
        self.rare.as_ref().map(|r| r.undelivered).unwrap_or_default()
    }

    pub(super) fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Bytes of memory beyond its own size.
    pub(super) fn heap(&self) -> usize {
        let half = self.half.as_ref().map_or(0, |h| size_of::<Half>() + h.heap());
        let summary = self.summary.as_ref().map_or(0, |s| size_of::<Summary>() + s.limits.heap());
        let signs = self.signs.as_ref().map_or(0, |_| size_of::<Signs>());
        half + summary + signs + self.rare.as_ref().map_or(0, |_| size_of::<Rare>())
    }

    /// The longest blackout, counting the one in progress at `time`.
    pub(super) fn blackout_until(&self, time: i64, is_window_closed: bool) -> Option<Blackout> {
        let nanos = time.saturating_sub(self.unanswered_since);
        let is_one = self.unanswered >= Blackout::LEAST && nanos >= Blackout::LEAST_NANOS;
        let now = is_one.then_some(Blackout { packets: self.unanswered, nanos, is_window_closed });
        match (self.rare.as_ref().and_then(|r| r.blackout), now) {
            (Some(a), Some(b)) if b.nanos > a.nanos => Some(b),
            (a, b) => a.or(b),
        }
    }
}
