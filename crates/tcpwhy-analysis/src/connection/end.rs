//! One end of a connection: its SYN, its offered window, and its data.

use tcpwhy_model::{SeqNum, TcpFlags, Unwrapper};

use super::backoff::Backoff;
use crate::facts::half::Half;
use crate::facts::half::signs::Signs;
use crate::infer::followed::Followed;
use crate::infer::summary::Summary;
use crate::seen::{
    Blackout, EcnOffer, HoleLeftOpen, HopLimits, KeepAlives, Silence, SynChecksums, SynFacts, Unaccepted,
    UndeliveredCounts,
};
use crate::thresholds::{BLACKOUT_LEAST, BLACKOUT_TIME, KEEP_ALIVE_REST};

/// Options and flags of one end's SYN.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syn {
    pub(super) mss: Option<u16>,
    pub(super) window_scale: Option<u8>,
    pub(super) window: u16,
    pub(super) has_timestamps: bool,
    pub(super) has_sack: bool,
    /// The snap length cut its options: an option that is missing here may have been sent.
    pub(super) is_cut: bool,
    pub(super) ecn: EcnOffer,
    pub(super) count: u32,
    pub(super) last: i64,
}

impl Syn {
    /// Facts of the SYN for rules; `None` if the capture lacks some of its options.
    pub(super) fn facts(self) -> Option<SynFacts> {
        (!self.is_cut).then_some(SynFacts {
            mss: self.mss,
            window_scale: self.window_scale,
            window: self.window,
            has_timestamps: self.has_timestamps,
            has_sack: self.has_sack,
            ecn: self.ecn,
        })
    }

    /// Whether it certainly offered no window scale.
    pub(super) const fn lacks_window_scale(&self) -> bool {
        self.window_scale.is_none() && !self.is_cut
    }
}

/// State that few ends have. It is kept apart, so that a million SYNs take little memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Rare {
    /// Start and end of a zero window for this end's data, before any data.
    pub(super) closed: Option<(i64, Option<i64>)>,
    /// ACKs that were captured twice.
    pub(super) copies: u64,
    /// The longest series of packets without an answer.
    pub(super) blackout: Option<Blackout>,
    /// Retransmissions of this end that got no answer.
    pub(super) backoff: Backoff,
    pub(super) keep_alives: Option<KeepAlives>,
    /// It retransmitted its SYN-ACK although that had been acknowledged.
    pub(super) unaccepted: Option<Unaccepted>,
    /// Counts of ICMP errors about its packets.
    pub(super) undelivered: UndeliveredCounts,
    /// Checksums of its SYNs, if one was wrong.
    pub(super) checksums: Option<SynChecksums>,
    /// Data of this end that never arrived.
    pub(super) hole: Option<HoleLeftOpen>,
    /// Bytes of the other end that were in flight when this one closed.
    pub(super) cut_off: u64,
    /// Largest offset of a segment without data: the end had sent more than was captured.
    pub(super) had_sent: u64,
}

/// One end of the connection.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    pub(super) syn: Option<Syn>,
    pub(super) unwrapper: Unwrapper,
    pub(super) packets: u64,
    pub(super) fin: Option<i64>,
    /// Last acknowledgment of this end's data, and the window offered for it.
    pub(super) offered: Option<(u64, Option<u64>)>,
    /// Its data, from the first payload on.
    pub(super) followed: Option<Box<Followed>>,
    /// Summary of its data, once no more of it can follow; then `followed` is `None`.
    pub(super) summary: Option<Box<Summary>>,
    /// Number of packets since the other end was last heard, and the time of the first of them.
    pub(super) unanswered: u32,
    pub(super) unanswered_since: i64,
    pub(super) rare: Option<Box<Rare>>,
    /// Rare signs of its data, once there is a summary.
    pub(super) signs: Option<Box<Signs>>,
    pub(super) hop_limits: HopLimits,
    /// Keep-alives and window probes without payload (Linux), in addition to those with one byte that the
    /// half counts.
    pub(super) probes: u64,
}

impl End {
    /// State of its data, before the summary.
    #[inline]
    pub(super) fn half(&self) -> Option<&Half> {
        self.followed.as_ref().map(|f| &f.half)
    }

    /// State of its data, mutable.
    #[inline]
    pub(super) fn half_mut(&mut self) -> Option<&mut Half> {
        self.followed.as_mut().map(|f| &mut f.half)
    }

    /// Records a packet whose hop limit differs from the usual one, or the first packet.
    #[cold]
    pub(super) fn note_hop_limit(&mut self, hop_limit: u8, flags: TcpFlags) {
        // Many hosts send resets with a different hop limit.
        if hop_limit > 0 && !flags.contains(TcpFlags::RST) {
            self.hop_limits.note(hop_limit, flags.contains(TcpFlags::SYN));
        }
    }

    /// Records that its SYN passed, with a wrong checksum or a right one.
    pub(super) fn note_checksum(&mut self, is_wrong: bool) {
        if is_wrong {
            self.rare_mut().checksums.get_or_insert_default().wrong += 1;
        }
        if let Some(checksums) = self.rare.as_mut().and_then(|rare| rare.checksums.as_mut()) {
            checksums.is_last_wrong = is_wrong;
        }
    }

    /// Records that the other end answered its last SYN.
    pub(super) fn has_answered_syn(&mut self) {
        if let Some(checksums) = self.rare.as_mut().and_then(|rare| rare.checksums.as_mut()) {
            checksums.is_wrong_answered |= checksums.is_last_wrong;
            checksums.is_right_answered |= !checksums.is_last_wrong;
        }
    }

    /// Whether a segment at `seq` repeats acknowledged data: a keep-alive or window probe (RFC 9293 §3.8.4,
    /// `tcp_xmit_probe_skb` in Linux).
    pub(super) fn is_probe(&self, seq: SeqNum) -> bool {
        self.standing(seq).is_some_and(|(at, una)| at + 1 == una)
    }

    /// Whether `seq` is the number that its peer expects next.
    pub(super) fn is_next(&self, seq: SeqNum) -> bool {
        self.standing(seq).is_some_and(|(at, una)| at == una)
    }

    /// Whether `seq` is above the number that its peer expects next.
    pub(super) fn is_beyond(&self, seq: SeqNum) -> bool {
        self.standing(seq).is_some_and(|(at, una)| at > una)
    }

    /// Whether `ack` covers more than its data: its FIN. True if the end of its data is unknown.
    pub(super) fn is_fin_acknowledged(&self, ack: SeqNum) -> bool {
        let data_end = self.half().map(Half::max_end).or(self.syn.map(|_| 1));
        self.standing(ack).zip(data_end).is_none_or(|((at, _), end)| at > end)
    }

    /// Records the sequence number of a segment without data: the end may have sent more than was captured.
    #[cold]
    pub(super) fn note_had_sent(&mut self, seq: SeqNum) {
        let captured = self.half().map_or(u64::MAX, Half::max_end);
        if let Some((at, _)) = self.standing(seq).filter(|&(at, _)| at > captured) {
            let had_sent = &mut self.rare_mut().had_sent;
            *had_sent = at.max(*had_sent);
        }
    }

    /// Whether `seq` continues the stream: it is within the unacknowledged data, or a probe of it.
    pub(super) fn continues_at(&self, seq: SeqNum) -> bool {
        let sent = self.half().map_or(0, Half::unacknowledged);
        self.standing(seq).is_some_and(|(at, una)| at + 1 >= una && at <= una.saturating_add(sent))
    }

    /// Whether everything that it sent is acknowledged.
    pub(super) fn is_acknowledged(&self) -> bool {
        self.half().is_none_or(|h| h.unacknowledged() == 0)
    }

    /// Offset of `seq` in its stream, and offset of the acknowledged data, if both are known.
    fn standing(&self, seq: SeqNum) -> Option<(u64, u64)> {
        let una = self.half().map(Half::una).or(self.offered.map(|o| o.0))?;
        let mut unwrapper = self.unwrapper;
        unwrapper.is_anchored().then(|| (unwrapper.unwrap(seq).as_u64(), una))
    }

    /// Whether its peer last advertised a zero window.
    pub(super) fn is_window_closed(&self) -> bool {
        match self.half() {
            Some(half) => half.is_stuck_in_closed_window(),
            None => self.rare.as_ref().and_then(|r| r.closed).is_some_and(|c| c.1.is_none()),
        }
    }

    /// Records a probe, `silence` nanoseconds after the previous packet: it is a keep-alive, unless the
    /// window is zero.
    #[cold]
    pub(super) fn note_probe(&mut self, time: i64, silence: i64) {
        if self.is_window_closed() || silence < KEEP_ALIVE_REST.get() {
            return;
        }
        let probes = self.rare_mut().keep_alives.get_or_insert(KeepAlives { count: 0, last: time, period: None });
        if probes.count > 0 {
            let since = time - probes.last;
            probes.period = Some(probes.period.map_or(since, |p| p.min(since)));
        }
        probes.count += 1;
        probes.last = time;
    }

    /// Records a retransmission at `time` while the peer sent nothing; `previous` is the time of the previous
    /// data.
    #[cold]
    pub(super) fn note_unanswered_repeat(&mut self, time: i64, previous: i64) {
        let since = self.unanswered_since;
        self.rare_mut().backoff.repeated(since, time, previous);
    }

    /// Retransmissions at doubling intervals that the peer never answered.
    pub(super) fn silence(&self) -> Option<Silence> {
        let backoff = &self.rare.as_ref()?.backoff;
        if self.unanswered == 0 { None } else { backoff.silence(self.unanswered_since) }
    }

    /// Records that the packets since the other end was last heard got no answer until `time`.
    pub(super) fn note_blackout(&mut self, time: i64) {
        let is_window_closed = self.half().is_some_and(|h| h.ledger.is_window_closed());
        if let Some(blackout) = self.blackout_until(time, is_window_closed) {
            self.rare_mut().blackout = Some(blackout);
        }
    }

    /// Counts of ICMP errors about its packets.
    pub(super) fn undelivered(&self) -> UndeliveredCounts {
        self.rare.as_ref().map(|r| r.undelivered).unwrap_or_default()
    }

    pub(super) fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Heap memory, bytes.
    pub(super) fn heap(&self) -> usize {
        let followed = self.followed.as_ref().map_or(0, |f| size_of::<Followed>() + f.heap());
        let summary = self.summary.as_ref().map_or(0, |s| size_of::<Summary>() + s.heap());
        let signs = self.signs.as_ref().map_or(0, |_| size_of::<Signs>());
        followed + summary + signs + self.rare.as_ref().map_or(0, |_| size_of::<Rare>())
    }

    /// The longest blackout, including the one in progress at `time`.
    pub(super) fn blackout_until(&self, time: i64, is_window_closed: bool) -> Option<Blackout> {
        let nanos = time.saturating_sub(self.unanswered_since);
        let is_one = self.unanswered >= BLACKOUT_LEAST.get() && nanos >= BLACKOUT_TIME.get();
        let now = is_one.then_some(Blackout { packets: self.unanswered, nanos, is_window_closed });
        match (self.rare.as_ref().and_then(|r| r.blackout), now) {
            (Some(a), Some(b)) if b.nanos > a.nanos => Some(b),
            (a, b) => a.or(b),
        }
    }
}

#[cfg(test)]
mod terms;
