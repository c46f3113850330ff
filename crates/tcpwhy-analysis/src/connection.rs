//! One TCP connection: handshake, both directions, ending.

use tcpwhy_model::{Basis, Endpoint, Rate, Segment, SeqNum, Span, TcpFlags, Timestamp, Unwrapper, WindowScale};

use crate::diagnosis::facts::{Blackout, ConnectionFacts, HalfFacts, SynFacts};
use crate::diagnosis::{self, verdict};
use crate::half::summary::Summary;
use crate::half::{AckSegment, Counts, DataSegment, Glimpse, Half, Opening};
use crate::outcome::{Connection, Ending, HalfConnection, Side, Vantage, VantageEstimate};

const MILLISECOND: i64 = 1_000_000;
/// More than anybody sends before the first acknowledgment.
const INITIAL_WINDOW: u64 = 1 << 20;

/// What one end's SYN said.
#[derive(Clone, Copy, Debug)]
struct Syn {
    isn: SeqNum,
    mss: Option<u16>,
    window_scale: Option<u8>,
    has_timestamps: bool,
    has_sack: bool,
    count: u32,
    last: i64,
}

/// Timestamps beyond this (the year 2043 and as far before 1970) are no times; sums of a few still fit.
const MAX_TIME: i64 = 1 << 61;
/// Time that goes back by more than this was set back.
const CLOCK_STEP: i64 = 1_000_000_000;

impl End {
    /// The same ACK twice within a millisecond: the capture saw it at two places. (Copies of data are told by the half.)
    fn is_copy(&mut self, segment: &Segment, time: i64) -> bool {
        let Some(id) = segment.ip.identification.filter(|&id| id != 0 && segment.payload_len == 0) else {
            return false;
        };
        let is_copy = self.last_ack.is_some_and(|(last_id, last_ack, last_time)| {
            last_id == id && last_ack == segment.ack && time - last_time <= 1_000_000
        });
        self.last_ack = Some((id, segment.ack, time));
        if is_copy {
            self.rare_mut().copies += 1;
        }
        is_copy
    }
}

impl Syn {
    fn facts(self) -> SynFacts {
        SynFacts {
            mss: self.mss,
            window_scale: self.window_scale,
            has_timestamps: self.has_timestamps,
            has_sack: self.has_sack,
        }
    }
}

/// What few ends have: apart, so that a million SYNs take little memory.
#[derive(Clone, Debug, Default)]
struct Rare {
    /// Since when the window for its data was closed before any of it, and until when.
    closed: Option<(i64, Option<i64>)>,
    /// ACKs that the capture holds twice.
    copies: u64,
    /// The longest stretch of packets that found no answer.
    blackout: Option<Blackout>,
}

/// One end of the connection.
#[derive(Clone, Debug, Default)]
struct End {
    syn: Option<Syn>,
    unwrapper: Unwrapper,
    packets: u64,
    fin: Option<i64>,
    /// Last acknowledgment of this end's data and the window offered for it.
    offered: Option<(u64, Option<u64>)>,
    /// IP identification, number and time of its last ACK without payload.
    last_ack: Option<(u16, SeqNum, i64)>,
    half: Option<Box<Half>>,
    /// What its data came to, once nothing more belongs to it; there is no `half` any more then.
    summary: Option<Box<Summary>>,
    /// Packets since the other end was heard last, and since when.
    unanswered: u32,
    unanswered_since: i64,
    rare: Option<Box<Rare>>,
    /// Keep-alives and window probes without payload (Linux), beside those with one byte that the half counts.
    probes: u64,
}

impl End {
    /// Whether a segment at `seq` asks again for what is acknowledged already: a keep-alive or window probe
    /// (RFC 9293 §3.8.4, `tcp_xmit_probe_skb` in Linux).
    fn is_probe(&self, seq: SeqNum) -> bool {
        let una = self.half.as_ref().map(|h| h.una()).or(self.offered.map(|o| o.0));
        let mut unwrapper = self.unwrapper;
        una.is_some_and(|una| unwrapper.is_anchored() && unwrapper.unwrap(seq).as_u64() + 1 == una)
    }

    /// The packets since the other end's last word stayed without answer until `time`.
    fn note_blackout(&mut self, time: i64) {
        let is_window_closed = self.half.as_ref().is_some_and(|h| h.ledger.is_window_closed());
        if let Some(blackout) = self.blackout_until(time, is_window_closed) {
            self.rare_mut().blackout = Some(blackout);
        }
    }

    fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// The longest blackout, counting the one in progress at `time`.
    fn blackout_until(&self, time: i64, is_window_closed: bool) -> Option<Blackout> {
        let nanos = time.saturating_sub(self.unanswered_since);
        let is_one = self.unanswered >= Blackout::LEAST && nanos >= Blackout::LEAST_NANOS;
        let now = is_one.then_some(Blackout { packets: self.unanswered, nanos, is_window_closed });
        match (self.rare.as_ref().and_then(|r| r.blackout), now) {
            (Some(a), Some(b)) if b.nanos > a.nanos => Some(b),
            (a, b) => a.or(b),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ConnectionState {
    id: u64,
    endpoints: [Endpoint; 2],
    first_packet: u64,
    first: i64,
    last: i64,
    initiator: Option<Side>,
    opening: Opening,
    ends: [End; 2],
    reset: Option<Reset>,
    /// Both ends have said that no more will come, and everything is acknowledged.
    is_at_rest: bool,
    /// A trace looks at its directions until the end: they are not summed up before.
    is_traced: bool,
    /// What was added to the capture's time to undo its steps back.
    clock_offset: i64,
}

/// Packets of one end by what they were, for a trace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) copies: u64,
    pub(crate) retransmissions: u64,
    pub(crate) reordered: u64,
    pub(crate) probes: u64,
}

/// The first reset.
#[derive(Clone, Copy, Debug)]
struct Reset {
    side: Side,
    /// Bytes of both directions that were not acknowledged then.
    unacknowledged: u64,
    /// Who sent it had been held by a closed window, and sent no data since.
    is_in_closed_window: bool,
}

impl ConnectionState {
    pub(crate) fn new(id: u64, segment: &Segment) -> Self {
        let time = segment.timestamp.as_nanos().clamp(-MAX_TIME, MAX_TIME);
        Self {
            id,
            endpoints: [segment.source, segment.destination],
            first_packet: segment.number,
            first: time,
            last: time,
            initiator: None,
            opening: Opening::default(),
            ends: [End::default(), End::default()],
            reset: None,
            is_at_rest: false,
            is_traced: false,
            clock_offset: 0,
        }
    }

    pub(crate) fn last(&self) -> i64 {
        self.last
    }

    /// Whether nothing more belongs to this incarnation.
    pub(crate) fn is_closed(&self) -> bool {
        self.reset.is_some() || self.ends.iter().all(|e| e.fin.is_some())
    }

    /// Whether `segment` opens a new incarnation of the same four-tuple.
    pub(crate) fn is_reopened_by(&self, segment: &Segment) -> bool {
        let flags = segment.flags;
        if !flags.contains(TcpFlags::SYN) || flags.contains(TcpFlags::ACK) {
            return false;
        }
        let side = self.side_of(segment);
        match self.ends[side.index()].syn {
            Some(syn) => syn.isn != segment.seq,
            None => self.is_closed() || self.ends.iter().any(|e| e.half.is_some()),
        }
    }

    /// Whether the segment passed between the same two ends.
    pub(crate) fn has_ends_of(&self, segment: &Segment) -> bool {
        let [a, b] = &self.endpoints;
        segment.source == *a && segment.destination == *b || segment.source == *b && segment.destination == *a
    }

    pub(crate) fn side_of(&self, segment: &Segment) -> Side {
        if segment.source == self.endpoints[0] { Side::A } else { Side::B }
    }

    pub(crate) fn observe(&mut self, segment: &Segment) {
        let side = self.side_of(segment);
        let (me, peer) = (side.index(), side.peer().index());
        let time = self.steady(segment.timestamp.as_nanos());
        self.last = self.last.max(time);
        self.ends[me].packets += 1;
        if self.ends[me].is_copy(segment, time) {
            return;
        }
        self.follow_silence(me, peer, time);
        let flags = segment.flags;
        if flags.contains(TcpFlags::SYN) {
            self.on_syn(segment, side, time);
        } else if self.opening.established.is_none()
            && flags.contains(TcpFlags::ACK)
            && self.opening.syn_ack.is_some()
            && Some(side) == self.initiator
        {
            self.opening.established = Some(time);
        }
        if flags.contains(TcpFlags::ACK) && !flags.contains(TcpFlags::RST) {
            self.on_ack(segment, me, peer, time);
        }
        if segment.payload_len > 0 && !flags.contains(TcpFlags::RST) {
            self.on_payload(segment, side, time);
        } else if flags == TcpFlags::ACK && self.ends[me].is_probe(segment.seq) {
            self.ends[me].probes += 1;
        }
        if flags.contains(TcpFlags::FIN) {
            self.ends[me].fin.get_or_insert(time);
        }
        if flags.contains(TcpFlags::RST) && self.reset.is_none() {
            let unacknowledged = self.ends.iter().filter_map(|e| e.half.as_ref()).map(|h| h.unacknowledged()).sum();
            let half = self.ends[me].half.as_ref();
            let is_in_closed_window = half.is_some_and(|h| h.is_stuck_in_closed_window());
            self.reset = Some(Reset { side, unacknowledged, is_in_closed_window });
        }
        if !self.is_at_rest && !self.is_traced && self.ends.iter().all(|e| e.fin.is_some()) {
            self.rest();
        }
    }

    /// Sums both directions up once nothing is on its way any more.
    fn rest(&mut self) {
        let mut halves = self.ends.iter().filter_map(|e| e.half.as_ref());
        self.is_at_rest = halves.all(|h| h.unacknowledged() == 0);
        if self.is_at_rest {
            self.conclude_halves();
        }
    }

    fn conclude_halves(&mut self) {
        for side in [Side::A, Side::B] {
            if let Some(mut half) = self.ends[side.index()].half.take() {
                let held_open = self.held_open(&half, side);
                self.ends[side.index()].summary = Some(Box::new(half.conclude(self.last, held_open)));
            }
        }
    }

    /// The capture's time with steps back taken out: durations stay right, and no later packet lies before an earlier one
    /// by more than reordering in the capture explains.
    fn steady(&mut self, time: i64) -> i64 {
        let steady = time.clamp(-MAX_TIME, MAX_TIME).saturating_add(self.clock_offset);
        let back = self.last.saturating_sub(steady);
        if back <= CLOCK_STEP {
            return steady;
        }
        self.clock_offset = self.clock_offset.saturating_add(back);
        self.last
    }

    /// Counts packets of one end that the other leaves without any answer.
    fn follow_silence(&mut self, me: usize, peer: usize, time: i64) {
        let end = &mut self.ends[peer];
        if end.unanswered >= Blackout::LEAST && time.saturating_sub(end.unanswered_since) >= Blackout::LEAST_NANOS {
            end.note_blackout(time);
        }
        end.unanswered = 0;
        let end = &mut self.ends[me];
        if end.unanswered == 0 {
            end.unanswered_since = time;
        }
        end.unanswered = end.unanswered.saturating_add(1);
    }

    fn on_syn(&mut self, segment: &Segment, side: Side, time: i64) {
        let is_syn_ack = segment.flags.contains(TcpFlags::ACK);
        let end = &mut self.ends[side.index()];
        if end.syn.is_none() {
            end.unwrapper = Unwrapper::from_isn(segment.seq);
            end.syn = Some(Syn {
                isn: segment.seq,
                mss: segment.options.mss,
                window_scale: segment.options.window_scale,
                has_timestamps: segment.options.timestamps.is_some(),
                has_sack: segment.options.sack_permitted,
                count: 0,
                last: i64::MIN,
            });
        }
        if let Some(syn) = &mut end.syn {
            // Sooner, it is the same frame captured twice.
            syn.count += u32::from(time.saturating_sub(syn.last) > MILLISECOND);
            syn.last = time;
        }
        if is_syn_ack {
            self.initiator.get_or_insert(side.peer());
            self.opening.syn_ack.get_or_insert(time);
        } else {
            self.initiator.get_or_insert(side);
            self.opening.first_syn.get_or_insert(time);
            if self.opening.syn_ack.is_none() {
                self.opening.last_syn = Some(time);
            }
        }
    }

    /// Scale of the windows that `end` advertises.
    fn scale_of(&self, end: usize) -> WindowScale {
        match (self.ends[end].syn, self.ends[1 - end].syn) {
            (Some(mine), Some(theirs)) => match (mine.window_scale, theirs.window_scale) {
                (Some(shift), Some(_)) => WindowScale::Shift(shift.min(14)),
                _ => WindowScale::NotNegotiated,
            },
            (Some(mine), None) if mine.window_scale.is_none() => WindowScale::NotNegotiated,
            _ => WindowScale::Unknown,
        }
    }

    /// Largest payload of a segment that `sender` may send: the peer's MSS option less the timestamps option.
    fn mss_of(&self, sender: usize) -> Option<u16> {
        let offers = [self.ends[sender].syn, self.ends[1 - sender].syn];
        let smallest = offers.iter().flatten().filter_map(|s| s.mss).filter(|&m| m > 0).min()?;
        let has_timestamps = offers.iter().flatten().all(|s| s.has_timestamps);
        Some(if has_timestamps { smallest.saturating_sub(12).max(1) } else { smallest })
    }

    fn on_ack(&mut self, segment: &Segment, me: usize, peer: usize, time: i64) {
        let scale = self.scale_of(me);
        let is_syn = segment.flags.contains(TcpFlags::SYN);
        let data_end = &mut self.ends[peer];
        let ack = AckSegment {
            time,
            ack: segment.ack,
            window: segment.window.0,
            scale,
            sack: segment.options.sack.as_slice(),
            payload: segment.payload_len,
            is_syn,
            tsval: segment.options.timestamps.map(|t| t.value),
        };
        if let Some(half) = &mut data_end.half {
            half.on_ack(&ack, &mut data_end.unwrapper);
            if segment.payload_len > 0 {
                half.on_peer_payload(time);
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

    fn on_payload(&mut self, segment: &Segment, side: Side, time: i64) {
        let me = side.index();
        let len = segment.payload_len;
        // The handshake matters to the first payload only.
        let mss = if self.ends[me].half.is_none() { self.mss_of(me) } else { None };
        let opening = &self.opening;
        let (first, is_initiator) = (self.first, self.initiator == Some(side));
        let [a, b] = &mut self.ends;
        let (end, other) = if me == 0 { (a, b) } else { (b, a) };
        if len == 1 && end.half.is_none() && end.is_probe(segment.seq) {
            end.probes += 1;
            return;
        }
        if let Some(summary) = &mut end.summary {
            summary.count_late(len);
            return;
        }
        let seq = if segment.flags.contains(TcpFlags::SYN) { segment.seq.plus(1) } else { segment.seq };
        let half = end.half.get_or_insert_with(|| {
            let offset = end.unwrapper.unwrap(seq).as_u64();
            // After a SYN the stream begins at 1: what an initial window may hold before the first payload seen is missing.
            let offset = if end.syn.is_some() && offset <= INITIAL_WINDOW { offset.min(1) } else { offset };
            let mut half = Box::new(Half::new(first, offset, opening, is_initiator, mss, time));
            if let Some((ack, window)) = end.offered {
                half.offer(ack, window);
            }
            if let Some((since, until)) = end.rare.as_mut().and_then(|r| r.closed.take()) {
                half.was_closed(since, until.unwrap_or(time));
            }
            if let Some(peer) = &other.half {
                half.on_peer_payload(peer.last_data);
            }
            half
        });
        let timestamps = segment.options.timestamps;
        let data = DataSegment {
            time,
            seq,
            len,
            tsval: timestamps.map(|t| t.value),
            tsecr: timestamps.map(|t| t.echo_reply),
            ip_id: segment.ip.identification,
        };
        let is_repeat = half.on_data(&data, &mut end.unwrapper);
        if is_repeat && let Some(other) = &mut self.ends[1 - me].half {
            other.on_peer_retransmission();
        }
    }

    /// The same for a trace, which looks at the directions until the end.
    pub(crate) fn traced(mut self) -> Self {
        self.is_traced = true;
        self
    }

    /// How often what a trace tells apart was counted for the packets of `side`.
    pub(crate) fn tally(&self, side: Side) -> Tally {
        let end = &self.ends[side.index()];
        let counts = end.half.as_ref().map(|h| &h.counts);
        let count = |of: fn(&Counts) -> u64| counts.map_or(0, of);
        Tally {
            copies: end.rare.as_ref().map_or(0, |r| r.copies) + count(|c| c.duplicated_frames),
            retransmissions: count(|c| c.retransmitted_segments),
            reordered: count(|c| c.reordered_segments),
            probes: end.probes + count(|c| c.probes),
        }
    }

    /// What a trace shows of the data of `side`; `None` before its first payload.
    pub(crate) fn glimpse(&mut self, side: Side, time: i64) -> Option<Glimpse> {
        self.ends[side.index()].half.as_mut().map(|h| h.glimpse(time))
    }

    /// Where `seq` stands in the stream of `side`, if anything anchors it.
    pub(crate) fn offset(&self, side: Side, seq: SeqNum) -> Option<u64> {
        let mut unwrapper = self.ends[side.index()].unwrapper;
        unwrapper.is_anchored().then(|| unwrapper.unwrap(seq).as_u64())
    }

    /// Scale of the windows that `side` offers.
    pub(crate) fn window_scale(&self, side: Side) -> WindowScale {
        self.scale_of(side.index())
    }

    /// Whether the SYN of `side` was seen.
    pub(crate) fn has_syn(&self, side: Side) -> bool {
        self.ends[side.index()].syn.is_some()
    }

    /// When `segment`, the last observed, was captured, steps of the clock taken out; nanoseconds since the epoch.
    pub(crate) fn time_of(&self, segment: &Segment) -> i64 {
        segment.timestamp.as_nanos().clamp(-MAX_TIME, MAX_TIME).saturating_add(self.clock_offset)
    }

    /// Sums the connection up.
    pub(crate) fn finish(mut self) -> Connection {
        self.conclude_halves();
        let bytes = [0, 1].map(|end: usize| self.ends[end].summary.as_ref().map_or(0, |s| s.counts.bytes));
        let ending = self.ending(bytes == [0, 0]);
        let mut halves = Vec::new();
        let mut near = None;
        let mut is_middle = false;
        let mut probes = [self.ends[0].probes, self.ends[1].probes];
        for side in [Side::A, Side::B] {
            if let Some(summary) = self.ends[side.index()].summary.take() {
                probes[side.index()] += summary.counts.probes;
                match summary.vantage {
                    Vantage::Sender => near = near.or(Some(side)),
                    Vantage::Receiver => near = near.or(Some(side.peer())),
                    Vantage::Middle => is_middle = true,
                    Vantage::Unknown => {}
                }
                if summary.counts.bytes > 0 {
                    halves.push(self.conclude(*summary, side, ending, bytes[side.peer().index()]));
                }
            }
        }
        let vantage = VantageEstimate { near, is_middle: is_middle && near.is_none(), basis: Basis::WireInferred };
        let mut connection = Connection {
            id: self.id,
            endpoints: self.endpoints,
            initiator: self.initiator,
            span: Span::new(Timestamp::from_nanos(self.first), Timestamp::from_nanos(self.last)),
            first_packet: self.first_packet,
            packets: [self.ends[0].packets, self.ends[1].packets],
            vantage,
            ending,
            halves,
            findings: Vec::new(),
        };
        connection.findings = diagnosis::diagnose_connection(&self.facts(&connection, probes));
        connection
    }

    fn facts<'a>(&self, connection: &'a Connection, probes: [u64; 2]) -> ConnectionFacts<'a> {
        let count = |end: usize| self.ends[end].syn.map_or(0, |s| s.count);
        let initiator = self.initiator.unwrap_or(Side::A);
        let bytes = |side: Side| connection.halves.iter().find(|h| h.sender == side).map_or(0, |h| h.bytes);
        let syn_nanos = match (self.opening.first_syn, self.opening.last_syn) {
            (Some(first), Some(last)) => last - first,
            _ => 0,
        };
        ConnectionFacts {
            initiator: self.initiator,
            ending: connection.ending,
            packets: connection.packets,
            syns: count(initiator.index()),
            syn_facts: [0, 1].map(|end| self.ends[end].syn.map(Syn::facts)),
            syn_seconds: syn_nanos as f64 / 1e9,
            bytes: [bytes(Side::A), bytes(Side::B)],
            unacknowledged: self.reset.map_or(0, |r| r.unacknowledged),
            probes,
            halves: &connection.halves,
        }
    }

    fn conclude(&self, half: Summary, sender: Side, ending: Ending, peer_bytes: u64) -> HalfConnection {
        let verdict = verdict::judge(&half.limits, &half.moved, half.policer_rate.is_some());
        let syn_repeats: u32 = self.ends.iter().filter_map(|e| e.syn).map(|s| s.count.saturating_sub(1)).sum();
        let end = &self.ends[sender.index()];
        let facts = HalfFacts {
            half: &half,
            verdict: &verdict,
            sender_syn: end.syn.map(Syn::facts),
            receiver_syn: self.ends[sender.peer().index()].syn.map(Syn::facts),
            syn_repeats,
            ending,
            peer_bytes,
            probes: half.counts.probes + end.probes,
            blackout: end.blackout_until(self.last, half.is_window_closed),
            has_died_in_closed_window: self.reset.is_some_and(|r| r.side == sender && r.is_in_closed_window),
        };
        let findings = diagnosis::diagnose_half(&facts);
        let path_rate = diagnosis::prediction::path_rate(&facts).map(Rate::from_bytes_per_sec);
        let rtt_basis = if half.vantage == Vantage::Sender { Basis::WireExact } else { Basis::WireInferred };
        let span = half.limits.span();
        HalfConnection {
            sender,
            bytes: half.counts.bytes,
            retransmitted_bytes: half.counts.retransmitted_bytes,
            segments: half.counts.segments,
            retransmitted_segments: half.counts.retransmitted_segments,
            span,
            goodput: Rate::over(half.counts.bytes, span.nanos()),
            mss: Some(half.mss),
            window_scale: half.window_scale,
            vantage: half.vantage,
            rtt: half.rtt.map(|d| (d, rtt_basis)),
            flight: half.flight,
            receive_window: half.window,
            path_rate,
            limits: half.limits,
            verdict,
            findings,
        }
    }

    /// Since when and until when `side` kept the connection open for nothing: its peer had closed and had everything, and
    /// nothing but this side's own end followed (CLOSE-WAIT, RFC 9293 §3.3.2).
    fn held_open(&self, half: &Half, side: Side) -> Option<(i64, i64)> {
        let peer_closed = self.ends[side.peer().index()].fin?;
        let last_ack = half.last_ack.filter(|_| half.unacknowledged() == 0)?;
        let until = self.ends[side.index()].fin.unwrap_or(self.last);
        let since = peer_closed.max(last_ack);
        // A connection that had rested before was kept for later use by both: that it lay idle is no part of the transfer.
        let is_direct = since - last_ack <= until - since;
        (is_direct && until - since >= MILLISECOND.max(half.ledger.rtt_min().unwrap_or(0))).then_some((since, until))
    }

    /// Nothing but SYNs, and those of one end: had there been an answer, its acknowledgment would have followed.
    fn is_only_asked(&self) -> bool {
        self.ends.iter().any(|e| e.packets == 0)
            && self.ends.iter().all(|e| e.offered.is_none() && e.half.is_none() && e.summary.is_none())
    }

    fn ending(&self, is_empty: bool) -> Ending {
        match (self.reset, self.ends[0].fin, self.ends[1].fin) {
            (Some(_), _, _) if is_empty && self.opening.first_syn.is_some() && self.opening.syn_ack.is_none() => {
                Ending::Refused
            }
            (Some(reset), _, _) => Ending::Reset(reset.side),
            (None, Some(_), Some(_)) => Ending::Closed,
            (None, None, None) if self.opening.first_syn.is_some() && self.is_only_asked() => Ending::Unanswered,
            (None, None, None) => Ending::Open,
            _ => Ending::HalfClosed,
        }
    }
}
