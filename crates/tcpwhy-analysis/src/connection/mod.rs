//! One TCP connection: handshake, both directions, end.

mod backoff;
mod clock;
mod conclude;
mod end;
mod last_message;
mod outline;
mod packed;
mod reset;
mod rest;
#[cfg(test)]
mod testing;
mod tracked;

use std::num::NonZeroU16;

use tcpwhy_model::{Ecn, Record, Segment, SeqNum, TcpFlags, Undelivered, Unwrapper, WindowScale};

use crate::conversation::{Conversation, Spoken};
use crate::exchanges::{MOST_KEPT, MOST_TRACED, Ways};
use crate::facts::gap_fact::GapFact;
use crate::facts::half::{AckSegment, Counts, DataSegment, Half, HandshakeTimes, SynMss, TraceState};
use crate::infer::followed::Followed;
use crate::outcome::Side;
use crate::seen::{EcnOffer, HopLimits, Unaccepted, UndeliveredCounts};
use crate::thresholds::{
    ACCEPTED_IN_VAIN, ACCEPTED_REPEATS, BLACKOUT_LEAST, BLACKOUT_TIME, FIRST_FLIGHT_MOST, FORGETTING_REST_RESET,
    LONG_REST, SMALL_EVERYWHERE, SYN_ACK_INTERVAL,
};
use clock::ClockCheck;
use end::{End, Syn};
use last_message::LastMessage;
pub(crate) use outline::Outline;
use outline::Passed;
use reset::Reset;
use rest::Rests;
pub(crate) use tracked::{Following, Tracked};

const MILLISECOND: i64 = 1_000_000;

/// A connection that is evaluated packet by packet.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct ConnectionState {
    /// The first field, as in all other representations of a connection in an analyzer.
    outline: Outline,
    initiator: Option<Side>,
    handshake_times: HandshakeTimes,
    ends: [End; 2],
    /// Scales of the windows that each end advertises, as far as its SYNs show them.
    window_scales: [WindowScale; 2],
    reset: Option<Reset>,
    /// The last messages of both ends.
    last_message: LastMessage,
    /// Requests and answers, from the first data on.
    conversation: Option<Box<Conversation>>,
    /// Number of exchanges that are kept individually: the slowest ones.
    exchanges_kept: usize,
    /// Long pauses, if there were any.
    rests: Option<Box<Rests>>,
    clock: ClockCheck,
    /// Both ends have sent FIN, and some data may not be acknowledged yet.
    is_ending: bool,
    /// Both ends have sent FIN, and everything is acknowledged.
    is_at_rest: bool,
    /// A trace reads the directions until the end, so they are not summarized before.
    is_traced: bool,
}

/// Counts of one end's packets by kind, for a trace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) copies: u64,
    pub(crate) retransmissions: u64,
    pub(crate) reordered: u64,
    pub(crate) probes: u64,
}

impl ConnectionState {
    const CONGESTION: TcpFlags = TcpFlags::ECE.union(TcpFlags::CWR);
    const ACK_OF_RESET: TcpFlags = TcpFlags::ACK.union(TcpFlags::RST);
    const ENDING: TcpFlags = TcpFlags::FIN.union(TcpFlags::RST);

    /// Creates a connection with the first packet `segment`, which is not observed yet.
    pub(crate) fn new(id: u64, segment: &Segment) -> Self {
        Self::of(Outline::new(id, segment))
    }

    /// Creates a connection without an observed packet.
    fn of(outline: Outline) -> Self {
        Self {
            outline,
            initiator: None,
            handshake_times: HandshakeTimes::default(),
            ends: [End::default(), End::default()],
            window_scales: [WindowScale::Unknown; 2],
            reset: None,
            last_message: LastMessage::default(),
            conversation: None,
            exchanges_kept: MOST_KEPT,
            rests: None,
            clock: ClockCheck::default(),
            is_ending: false,
            is_at_rest: false,
            is_traced: false,
        }
    }

    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Whether both ends are done and nothing is in flight: only retransmissions may still follow.
    fn is_settled(&self) -> bool {
        self.is_at_rest || self.reset.is_some_and(|r| r.unacknowledged() == 0)
    }

    /// Whether `segment` opens a new incarnation of the same four-tuple.
    pub(crate) fn is_reopened_by(&self, segment: &Segment) -> bool {
        let flags = segment.flags;
        if !flags.contains(TcpFlags::SYN) || flags.contains(TcpFlags::ACK) {
            return false;
        }
        match self.outline.isn(self.outline.side_of(segment)) {
            Some(isn) => isn != segment.seq,
            None => self.outline.is_closed() || self.ends.iter().any(|e| e.followed.is_some()),
        }
    }

    /// Whether `segment` belongs to another connection because it comes after a long silence. A segment that
    /// continues the sequence numbers belongs to this one: RFC 9293 §3.8.4 does not limit silence.
    pub(crate) fn is_over_before(&self, segment: &Segment) -> bool {
        self.outline.is_over(segment.timestamp.as_nanos())
            && (self.outline.is_closed() || !self.ends[self.side_of(segment).index()].continues_at(segment.seq))
    }

    pub(crate) fn side_of(&self, segment: &Segment) -> Side {
        self.outline.side_of(segment)
    }

    pub(crate) fn observe(&mut self, segment: &Segment) {
        self.observe_from(self.outline.side_of(segment), segment);
    }

    /// Records the next packet, which `side` sent.
    pub(crate) fn observe_from(&mut self, side: Side, segment: &Segment) {
        let Passed { time, is_copy, is_of_old_connection, silence } = self.outline.pass(segment, side);
        let (me, peer) = (side.index(), side.peer().index());
        self.ends[me].packets += 1;
        if is_copy {
            self.ends[me].rare_mut().copies += 1;
            return;
        }
        if silence >= FORGETTING_REST_RESET.get() || self.rests.is_some() {
            self.follow_rests(segment, side, time, silence);
            self.clock.note_silence(silence);
        }
        self.clock.follow(segment, side, time);
        let in_vain = self.ends[peer].unanswered;
        self.follow_silence(segment, me, peer, time);
        let flags = segment.flags;
        if segment.ip.hop_limit != self.ends[me].hop_limits.usual {
            self.ends[me].note_hop_limit(segment.ip.hop_limit, flags);
        }
        if flags.contains(TcpFlags::SYN) {
            self.on_syn(segment, side, time, in_vain);
        } else if self.handshake_times.established.is_none()
            && self.handshake_times.syn_ack.is_some()
            && flags.contains(TcpFlags::ACK)
            && Some(side) == self.initiator
        {
            self.handshake_times.established = Some(time);
            self.on_established(side);
        }
        let una_before = self.reset.and(self.ends[peer].half()).map_or(0, Half::una);
        if flags.0 & Self::ACK_OF_RESET.0 == TcpFlags::ACK.0 && !is_of_old_connection {
            self.on_ack(segment, me, peer, time);
        }
        if self.reset.is_some_and(|reset| reset.side == side) {
            let has_acknowledged = self.ends[peer].half().is_some_and(|half| half.una() > una_before);
            self.outlive_reset(segment, time, has_acknowledged);
        }
        if segment.payload_len > 0 && !flags.contains(TcpFlags::RST) {
            if flags.contains(TcpFlags::CWR) && !flags.contains(TcpFlags::SYN) {
                self.on_reduction(me, time);
            }
            self.on_payload(segment, side, time, silence);
            if self.ends[peer].fin.is_some() {
                self.follow_cut_off(segment, peer);
            }
        } else if flags == TcpFlags::ACK && self.ends[me].is_probe(segment.seq) {
            self.ends[me].probes += 1;
            self.ends[me].note_probe(time, silence);
            if let Some(half) = self.ends[me].half_mut() {
                half.on_probe(time);
            }
        }
        if flags.0 & Self::CONGESTION.0 != 0 || segment.ip.ecn() == Ecn::CongestionExperienced {
            self.on_congestion_sign(segment, me, peer);
        }
        if flags.0 & Self::ENDING.0 != 0 {
            self.on_end(segment, side, time, is_of_old_connection);
        }
        if self.is_ending {
            self.rest();
        }
    }

    /// Handles the end of the handshake, for which data of the SYN (RFC 7413) had waited.
    #[cold]
    fn on_established(&mut self, initiator: Side) {
        self.ends[initiator.peer().index()].has_answered_syn();
        if let Some(conversation) = &mut self.conversation {
            conversation.establish(self.handshake_times.established, self.handshake_times.round_trip());
        }
        let end = &mut self.ends[initiator.index()];
        // If a SYN was retransmitted after the SYN-ACK, no SYN shows a round trip.
        let tells_round_trip = end.syn.is_some_and(|syn| Some(syn.last) == self.handshake_times.last_syn);
        let Some((half, at)) = end.half_mut().zip(self.handshake_times.established) else { return };
        if tells_round_trip {
            half.open(&self.handshake_times, true);
        } else {
            half.ledger.account(at, GapFact::HandshakeUnderWay);
        }
    }

    /// Handles a FIN or a RST of one end.
    #[inline(never)]
    fn on_end(&mut self, segment: &Segment, side: Side, time: i64, is_of_old_connection: bool) {
        let (flags, me) = (segment.flags, side.index());
        if flags.contains(TcpFlags::FIN) {
            if self.ends[me].fin.is_none() {
                self.ends[me].fin = Some(time);
                let under_way = self.ends[side.peer().index()].half().map_or(0, Half::unacknowledged);
                if under_way > 0 {
                    self.ends[me].rare_mut().cut_off = under_way;
                }
            }
            self.is_ending = !self.is_at_rest && !self.is_traced && self.ends.iter().all(|e| e.fin.is_some());
        }
        if flags.contains(TcpFlags::RST) && !is_of_old_connection {
            self.on_reset(segment, side, time);
        }
    }

    /// Counts data of `me` that passed after the FIN of `peer`, unless it acknowledges this FIN.
    #[cold]
    fn follow_cut_off(&mut self, segment: &Segment, peer: usize) {
        let end = &mut self.ends[peer];
        if !end.is_fin_acknowledged(segment.ack) {
            let cut_off = &mut end.rare_mut().cut_off;
            *cut_off = cut_off.saturating_add(u64::from(segment.payload_len));
        }
    }

    /// Counts packets of one end while the other sends no answer.
    fn follow_silence(&mut self, segment: &Segment, me: usize, peer: usize, time: i64) {
        let end = &mut self.ends[peer];
        if end.unanswered >= BLACKOUT_LEAST.get() && time.saturating_sub(end.unanswered_since) >= BLACKOUT_TIME.get() {
            end.note_blackout(time);
        }
        let silence = if end.unanswered > 0 { time.saturating_sub(end.unanswered_since) } else { 0 };
        let in_vain = std::mem::take(&mut end.unanswered);
        if in_vain >= ACCEPTED_IN_VAIN.get() {
            self.on_late_acceptance(segment, me, peer, time, in_vain);
        }
        let end = &mut self.ends[me];
        // Above everything acknowledged: the data in between was sent, and lost before the capture.
        let had_sent = silence > 0 && end.is_beyond(segment.seq);
        if had_sent && segment.payload_len == 0 {
            end.note_had_sent(segment.seq);
        }
        if let Some(half) = end.half_mut() {
            half.on_answer(time, silence, had_sent);
        }
        if end.unanswered == 0 {
            end.unanswered_since = time;
        }
        end.unanswered = end.unanswered.saturating_add(1);
    }

    /// Handles a packet with an ECN mark, or with flags that report one. In SYNs the flags only negotiate
    /// (RFC 3168 §6.1.1).
    #[cold]
    fn on_congestion_sign(&mut self, segment: &Segment, me: usize, peer: usize) {
        if segment.flags.contains(TcpFlags::SYN) {
            return;
        }
        if segment.payload_len > 0
            && let Some(half) = self.ends[me].half_mut()
        {
            half.on_congestion_sign(segment);
        }
        if segment.flags.contains(TcpFlags::ECE)
            && let Some(half) = self.ends[peer].half_mut()
        {
            half.on_congestion_echo();
        }
    }

    /// Handles data that reports a reduced congestion window (RFC 3168 §6.1.2). With accurate ECN, the flag
    /// is part of a counter.
    #[cold]
    fn on_reduction(&mut self, me: usize, time: i64) {
        let is_agreed = self.initiator.and_then(|side| {
            let (syn, answer) = self.ends[side.index()].syn.zip(self.ends[side.peer().index()].syn)?;
            Some(EcnOffer::agreed(syn.ecn, answer.ecn) == EcnOffer::Classic)
        });
        if let Some(half) = self.ends[me].half_mut() {
            half.on_reduction(time, is_agreed);
        }
    }

    /// Records an ICMP error that quotes a segment of `side`.
    pub(crate) fn note_undelivered(&mut self, side: Side, error: Undelivered) {
        self.ends[side.index()].rare_mut().undelivered.note(error);
    }

    /// Sets the counts of ICMP errors about each end's packets up to now.
    fn set_undelivered(&mut self, counts: [UndeliveredCounts; 2]) {
        for (end, counts) in self.ends.iter_mut().zip(counts) {
            end.rare_mut().undelivered = counts;
        }
    }

    /// Handles a SYN or SYN-ACK. `in_vain` is the number of the other end's packets since this end was last
    /// heard.
    fn on_syn(&mut self, segment: &Segment, side: Side, time: i64, in_vain: u32) {
        let is_syn_ack = segment.flags.contains(TcpFlags::ACK);
        if is_syn_ack && in_vain > 0 {
            self.on_late_syn_ack(segment, side, time, in_vain);
        }
        let end = &mut self.ends[side.index()];
        if end.syn.is_none() {
            end.unwrapper = Unwrapper::from_isn(segment.seq);
            end.syn = Some(Syn {
                mss: segment.options.mss.map(NonZeroU16::get),
                window_scale: segment.options.window_scale,
                window: segment.window.0,
                has_timestamps: segment.options.timestamps.is_some(),
                has_sack: segment.options.sack_permitted,
                is_cut: segment.ip.has_cut_options(),
                ecn: EcnOffer::of(segment.flags),
                count: 0,
                last: i64::MIN,
            });
        }
        if let Some(syn) = &mut end.syn {
            // A copy within 1 ms is the same frame captured twice.
            let is_another = time.saturating_sub(syn.last) > MILLISECOND;
            syn.count += u32::from(is_another);
            syn.last = time;
            if is_another {
                end.note_checksum(segment.ip.has_wrong_checksum());
            }
        }
        self.window_scales = [self.negotiated_scale(0), self.negotiated_scale(1)];
        if is_syn_ack {
            self.ends[side.peer().index()].has_answered_syn();
            self.initiator.get_or_insert(side.peer());
            self.handshake_times.syn_ack.get_or_insert(time);
            if self.handshake_times.established.is_none() {
                self.handshake_times.last_syn_ack = Some(time);
            }
        } else {
            self.initiator.get_or_insert(side);
            self.handshake_times.first_syn.get_or_insert(time);
            if self.handshake_times.syn_ack.is_none() {
                self.handshake_times.last_syn = Some(time);
            }
        }
    }

    /// Handles a SYN-ACK that is retransmitted although its acknowledgment, and perhaps data, has passed.
    #[cold]
    fn on_late_syn_ack(&mut self, segment: &Segment, side: Side, time: i64, in_vain: u32) {
        let [end, client] = [side, side.peer()].map(|s| &self.ends[s.index()]);
        let is_same = self.outline.isn(side) == Some(segment.seq);
        // After a shorter time, no timer has run out.
        let is_repeat = end.syn.is_some_and(|s| time - s.last >= SYN_ACK_INTERVAL.get());
        let is_taken = end.followed.is_some() || client.half().is_some_and(|h| h.una() > 1);
        let Some(since) = self.handshake_times.established else { return };
        // It may be an answer to another SYN, as when a capture is replayed. A client that was answered sends
        // none.
        let is_asked = client.syn.is_some_and(|syn| syn.last > since);
        if is_same && is_repeat && !is_taken && !is_asked && self.initiator == Some(side.peer()) && self.reset.is_none()
        {
            let none = Unaccepted { repeats: 0, in_vain: 0, nanos: 0 };
            let all = self.ends[side.index()].rare_mut().unaccepted.get_or_insert(none);
            all.repeats += 1;
            all.in_vain = all.in_vain.saturating_add(in_vain);
            all.nanos = time - since;
        }
    }

    /// Handles a server's first packet after its SYN-ACK, when `in_vain` packets of the client had no answer.
    /// These are the acknowledgment of the SYN-ACK, and one small segment repeatedly. A full accept queue
    /// drops all of them (`tcp_v4_syn_recv_sock`), and accepts the first packet that comes when there is
    /// room.
    #[cold]
    fn on_late_acceptance(&mut self, segment: &Segment, me: usize, peer: usize, time: i64, in_vain: u32) {
        let (server, client) = (&self.ends[me], &self.ends[peer]);
        let (Some(since), Some(half)) = (self.handshake_times.established, client.half()) else { return };
        let is_first = server.syn.is_some_and(|syn| syn.last <= since) && server.followed.is_none() && half.una() <= 1;
        // Small segments pass every path; a larger one may be too large for this path.
        let is_small = half.unacknowledged() <= SMALL_EVERYWHERE.get();
        let is_repeated = half.counts.retransmitted_segments >= ACCEPTED_REPEATS.get();
        let is_of_client = self.initiator.is_some_and(|side| side.index() == peer);
        let is_ending = [TcpFlags::SYN, TcpFlags::RST].into_iter().any(|flag| segment.flags.contains(flag));
        if is_first && is_small && is_repeated && is_of_client && !is_ending && self.reset.is_none() {
            let late = Unaccepted { repeats: 0, in_vain, nanos: time - since };
            self.ends[me].rare_mut().unaccepted.get_or_insert(late);
        }
    }

    /// The scale of the windows that `end` advertises, by the SYNs up to now.
    fn negotiated_scale(&self, end: usize) -> WindowScale {
        match (&self.ends[end].syn, &self.ends[1 - end].syn) {
            (Some(mine), Some(theirs)) => match (mine.window_scale, theirs.window_scale) {
                (Some(shift), Some(_)) => WindowScale::Shift(shift.min(WindowScale::LARGEST)),
                _ if mine.lacks_window_scale() || theirs.lacks_window_scale() => WindowScale::NotNegotiated,
                // The option may be in a part of a SYN that was not captured.
                _ => WindowScale::Unknown,
            },
            (Some(mine), None) if mine.lacks_window_scale() => WindowScale::NotNegotiated,
            _ => WindowScale::Unknown,
        }
    }

    /// Largest payload of segments of `sender`: the MSS options minus the timestamps option.
    fn mss_of(&self, sender: usize) -> Option<SynMss> {
        let offers = [self.ends[sender].syn, self.ends[1 - sender].syn];
        let has_timestamps = offers.iter().flatten().all(|s| s.has_timestamps);
        let payload = |mss: u16| if has_timestamps { mss.saturating_sub(12).max(1) } else { mss };
        let [own, receivers] = offers.map(|syn| syn.and_then(|s| s.mss).filter(|&m| m > 0).map(payload));
        let of_both = [own, receivers].into_iter().flatten().min()?;
        Some(SynMss { of_both, of_receiver: receivers.unwrap_or(0) })
    }

    fn on_ack(&mut self, segment: &Segment, me: usize, peer: usize, time: i64) {
        let scale = self.window_scales[me];
        // A keep-alive shows that its sender had no data to send.
        let is_keep_alive = segment.payload_len == 1 && self.ends[me].is_probe(segment.seq);
        let is_syn = segment.flags.contains(TcpFlags::SYN);
        let data_end = &mut self.ends[peer];
        if let Some(followed) = &mut data_end.followed {
            let round_trip = followed.on_ack(&AckSegment { time, scale, segment }, &mut data_end.unwrapper);
            if segment.payload_len > 0 && !is_keep_alive {
                followed.half.on_peer_payload(time, u64::from(segment.payload_len));
            }
            if let Some(round_trip) = round_trip
                && let Some(own) = self.ends[me].half_mut()
            {
                own.on_sender_answered(round_trip, time);
            }
        } else if data_end.summary.is_none() && (data_end.unwrapper.is_anchored() || !is_syn) {
            let offset = data_end.unwrapper.unwrap(segment.ack).as_u64();
            let window =
                if is_syn { Some(u64::from(segment.window.0)) } else { scale.apply(segment.window).map(|w| w.0) };
            data_end.offered = Some((offset, window));
            let was_closed = data_end.rare.as_ref().is_some_and(|r| r.closed.is_some());
            if segment.window.0 == 0 && !was_closed {
                data_end.rare_mut().closed = Some((time, None));
            } else if segment.window.0 > 0
                && let Some(closed) = data_end.rare.as_mut().and_then(|r| r.closed.as_mut())
            {
                closed.1.get_or_insert(time);
            }
        }
    }

    fn on_payload(&mut self, segment: &Segment, side: Side, time: i64, silence: i64) {
        let me = side.index();
        let len = segment.payload_len;
        // The handshake matters only to the first payload.
        let mss = if self.ends[me].followed.is_none() { self.mss_of(me) } else { None };
        let handshake_times = &self.handshake_times;
        let (outline, is_initiator) = (&self.outline, self.initiator == Some(side));
        let [a, b] = &mut self.ends;
        let (end, other) = if me == 0 { (a, b) } else { (b, a) };
        if len == 1 && end.is_probe(segment.seq) {
            end.note_probe(time, silence);
            if end.followed.is_none() {
                end.probes += 1;
                return;
            }
        }
        if let Some(summary) = &mut end.summary {
            summary.count_late(len);
            return;
        }
        let seq = if segment.flags.contains(TcpFlags::SYN) { segment.seq.plus(1) } else { segment.seq };
        let followed = end.followed.get_or_insert_with(|| {
            let offset = end.unwrapper.unwrap(seq).as_u64();
            // After a SYN the stream begins at offset 1. If the first captured payload is within an initial
            // window, the data before it is missing.
            let offset = if end.syn.is_some() && offset <= FIRST_FLIGHT_MOST { offset.min(1) } else { offset };
            let mut half = Half::new(outline.first, offset, handshake_times, is_initiator, mss, time);
            if outline.is_within_host() {
                half.stand_at_sender();
            }
            if let Some((ack, window)) = end.offered {
                half.offer(ack, window);
            }
            if let Some((since, until)) = end.rare.as_mut().and_then(|r| r.closed.take()) {
                half.was_closed(since, until.unwrap_or(time));
            }
            if let Some(peer) = other.half() {
                half.on_peer_payload(peer.last_data, peer.counts.bytes);
            }
            Box::new(Followed::new(half))
        });
        let half = &mut followed.half;
        let timestamps = segment.options.timestamps;
        let data = DataSegment {
            time,
            seq,
            len,
            is_pushed: segment.flags.contains(TcpFlags::PSH),
            tsval: timestamps.map(|t| t.value),
            tsecr: timestamps.map(|t| t.echo_reply),
            ip_id: segment.ip.identification,
        };
        if half.is_unlocated()
            && end.hop_limits.usual != other.hop_limits.usual
            && let [Some(at_sender), Some(at_receiver)] = [end.hop_limits, other.hop_limits].map(HopLimits::is_unrouted)
            && at_sender != at_receiver
        {
            if let Some(other) = other.half() {
                half.follow_answers(other);
            }
            half.stand_by_hops(at_sender);
        }
        let previous = half.last_data;
        let bytes_before = half.counts.bytes;
        let had_nothing_out = half.unacknowledged() == 0;
        let was_shut = time - previous >= LONG_REST.get() && half.is_stuck_in_closed_window();
        let is_repeat = followed.on_data(&data, &mut end.unwrapper);
        let bytes = followed.half.counts.bytes - bytes_before;
        if bytes > 0 {
            self.last_message.spoke(side, bytes, time);
        }
        self.converse(&Spoken {
            side,
            bytes,
            time,
            packet: segment.number,
            is_after_all: true,
            had_nothing_out,
            was_shut,
            record: if segment.flags.contains(TcpFlags::SYN) { Record::Other } else { segment.ip.record() },
        });
        let [a, b] = &mut self.ends;
        let (end, other) = if me == 0 { (a, b) } else { (b, a) };
        if is_repeat && end.unanswered > 1 {
            end.note_unanswered_repeat(time, previous);
        }
        if is_repeat && let Some(other) = other.half_mut() {
            other.on_peer_retransmission();
        }
    }

    /// Adds data to the exchange of requests and answers.
    #[inline]
    fn converse(&mut self, spoken: &Spoken) {
        let is_after_all = self.ends[spoken.side.peer().index()].is_acknowledged();
        if self.conversation.is_none() {
            self.begin_conversation(spoken.side);
        }
        if let Some(conversation) = &mut self.conversation {
            conversation.follow(&Spoken { is_after_all, ..*spoken });
        }
    }

    /// Starts the record of exchanges; `first` sends first.
    #[inline(never)]
    fn begin_conversation(&mut self, first: Side) {
        let mut conversation = Conversation::new(self.presumed(first), self.exchanges_kept);
        conversation.establish(self.handshake_times.established, self.handshake_times.round_trip());
        self.conversation = Some(Box::new(conversation));
    }

    /// Keeps every exchange from now on, not only the slowest.
    pub(crate) fn keep_exchanges(&mut self) {
        self.exchanges_kept = usize::MAX;
    }

    /// Prepares the connection for a trace, which reads the directions until the end, and each of many
    /// exchanges.
    pub(crate) fn traced(mut self) -> Self {
        self.is_traced = true;
        self.exchanges_kept = MOST_TRACED;
        self
    }

    /// Counts of the packets of `side` that a trace distinguishes.
    pub(crate) fn tally(&self, side: Side) -> Tally {
        let end = &self.ends[side.index()];
        let counts = end.half().map(|h| &h.counts);
        let count = |of: fn(&Counts) -> u64| counts.map_or(0, of);
        Tally {
            copies: end.rare.as_ref().map_or(0, |r| r.copies) + count(|c| c.duplicated_frames),
            retransmissions: count(|c| c.retransmitted_segments),
            reordered: count(|c| c.reordered_segments),
            probes: end.probes + count(|c| c.probes),
        }
    }

    /// Time at which the ACKs on their way to `side` will have arrived, and its bytes in flight then.
    pub(crate) fn settling(&self, side: Side) -> Option<(i64, u64)> {
        self.ends[side.index()].half().and_then(Half::settling)
    }

    /// State of the data of `side` for a trace; `None` before its first payload.
    pub(crate) fn trace_state(&mut self, side: Side, time: i64) -> Option<TraceState> {
        self.ends[side.index()].half_mut().map(|h| h.trace_state(time))
    }

    /// Offset of `seq` in the stream of `side`, if its start is known.
    pub(crate) fn offset(&self, side: Side, seq: SeqNum) -> Option<u64> {
        let mut unwrapper = self.ends[side.index()].unwrapper;
        unwrapper.is_anchored().then(|| unwrapper.unwrap(seq).as_u64())
    }

    /// Scale of the windows that `side` advertises.
    pub(crate) fn window_scale(&self, side: Side) -> WindowScale {
        self.window_scales[side.index()]
    }

    /// Whether the SYN of `side` was captured.
    pub(crate) fn has_syn(&self, side: Side) -> bool {
        self.ends[side.index()].syn.is_some()
    }

    /// Capture time of `segment`, the last observed packet, without steps of the clock; nanoseconds since the
    /// epoch.
    pub(crate) fn time_of(&self, segment: &Segment) -> i64 {
        self.outline.time_of(segment)
    }

    /// Heap memory, bytes.
    fn heap(&self) -> usize {
        let conversation = self.conversation.as_ref().map_or(0, |conversation| conversation.heap());
        let rests = self.rests.as_ref().map_or(0, |_| size_of::<Rests>());
        self.ends.iter().map(End::heap).sum::<usize>() + rests + conversation
    }
}

/// Smallest delays from the capture point to each end and back.
fn ways(times: &HandshakeTimes, ends: &[End; 2], client: Side) -> Ways {
    let way = |to: Side, handshake: Option<(i64, i64)>| {
        let handshake = handshake.map(|(from, until)| until - from).filter(|&nanos| nanos >= 0);
        // Data of an end's peer is acknowledged after the delay to this end and back.
        let end = &ends[to.peer().index()];
        let data = end.half().and_then(Half::least_to_receiver);
        [handshake, data].into_iter().flatten().min()
    };
    Ways {
        to_server: way(client.peer(), times.last_syn.zip(times.syn_ack)),
        to_client: way(client, times.last_syn_ack.zip(times.established)),
    }
}
