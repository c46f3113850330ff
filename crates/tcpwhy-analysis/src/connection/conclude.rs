//! The final result of a connection.

use tcpwhy_model::{Basis, Rate, Span, Timestamp};

use super::end::{End, Syn};
use super::{ConnectionState, MILLISECOND};
use crate::conversation::{Closing, Conversation, Presumed};
use crate::diagnosis::facts::{ConnectionFacts, HalfFacts};
use crate::diagnosis::{self, verdict};
use crate::exchanges::{Exchanges, IsAt, Pattern, Transfers, Ways};
use crate::facts::gap_fact::GapFact;
use crate::facts::half::{After, Half, OpenHole, Wait};
use crate::infer::summary::Summary;
use crate::outcome::{
    Close, Connection, Ending, HalfConnection, OpenWait, Role, Side, Vantage, VantageEstimate, Verdict,
};
use crate::seen::{Awaited, ClockTrips, HoleLeftOpen, Stopped, SynChecksums, UnansweredEnd, UnansweredRequest};
use crate::serving::{is_of_service, serving_by_ports};
use crate::thresholds::{BEAT_OF_SERVER, HOLE_LEFT_OPEN, LONG_REST, SILENT_REPEATS_UNHEARD, UNCOMPLETED_REPEATS};

/// Roles of both ends in their exchanges, as far as each direction needs them.
#[derive(Clone, Copy, Debug)]
struct Speech {
    asker: Side,
    has_exchanges: bool,
    /// The server's messages were not requested.
    is_unasked: bool,
}

impl Speech {
    fn of(exchanges: &Exchanges) -> Self {
        let is_unasked = exchanges.pattern == Pattern::Unasked;
        Self { asker: exchanges.client, has_exchanges: exchanges.count > 0, is_unasked }
    }
}

impl ConnectionState {
    /// Concludes both directions once everything is acknowledged.
    pub(super) fn rest(&mut self) {
        let mut halves = self.ends.iter().filter_map(End::half);
        self.is_at_rest = halves.all(|h| h.unacknowledged() == 0);
        if self.is_at_rest {
            self.is_ending = false;
            self.conclude_halves();
        }
    }

    pub(super) fn conclude_halves(&mut self) {
        let unanswered = self.unanswered();
        if let Some(conversation) = &mut self.conversation
            && self.ends.iter().any(|end| end.followed.is_some())
        {
            let client = conversation.asker();
            conversation.locate(super::ways(&self.handshake_times, &self.ends, client), client);
        }
        for side in [Side::A, Side::B] {
            if let Some(mut followed) = self.ends[side.index()].followed.take() {
                followed.settle_early(&mut self.ends[side.index()].unwrapper);
                let after = After {
                    waited: self.waited(&followed.half, side, unanswered),
                    held_open: self.held_open(&followed.half, side),
                    opened: self.initiator.map(|initiator| initiator == side),
                };
                followed.half.has_contradicted_clock = self.clock_trips().are_contradicted();
                let hole = self.hole_left_open(&followed.half, side);
                let summary = followed.conclude(self.outline.last, self.ended(side), after);
                let end = &mut self.ends[side.index()];
                end.signs = followed.half.ledger.take_signs();
                end.summary = Some(Box::new(summary));
                if hole.is_some() {
                    end.rare_mut().hole = hole;
                }
            }
        }
    }

    /// Concludes the connection.
    pub(crate) fn finish(mut self) -> Connection {
        self.forget_data_of_syns();
        self.conclude_halves();
        let asked = self.asked();
        let bytes = [0, 1].map(|end: usize| self.ends[end].summary.as_ref().map_or(0, |s| s.counts.bytes));
        let ending = self.ending(bytes == [0, 0]);
        // A vector that grows by itself would start with room for four.
        let mut halves = Vec::with_capacity(self.ends.iter().filter(|e| e.summary.is_some()).count());
        let mut near = None;
        let mut is_middle = false;
        let mut probes = [self.ends[0].probes, self.ends[1].probes];
        let mut rtt_min: Option<i64> = None;
        let mut stopped = None;
        let conversation = self.conversation.take();
        let mut exchanges = conversation.and_then(|conversation| self.exchanges(*conversation));
        let speech = exchanges.as_ref().map(|(exchanges, _)| Speech::of(exchanges));
        let granted = [0, 1].map(|end: usize| self.ends[end].summary.as_ref().is_some_and(|s| s.is_granted()));
        let asked_or_allowed = self.ends.each_ref().map(|end| end.summary.as_ref().and_then(|s| s.asked_or_allowed()));
        for side in [Side::A, Side::B] {
            if let Some(summary) = self.ends[side.index()].summary.take() {
                stopped = stopped.or_else(|| self.stopped(side, &summary));
                probes[side.index()] += summary.counts.probes;
                rtt_min = [rtt_min, summary.rtt_min].into_iter().flatten().min();
                match summary.vantage {
                    Vantage::Sender => near = near.or(Some(side)),
                    Vantage::Receiver => near = near.or(Some(side.peer())),
                    Vantage::Middle => is_middle = true,
                    Vantage::Unknown => {}
                }
                if summary.counts.bytes > 0 {
                    let peer = side.peer().index();
                    halves.push(self.conclude(*summary, side, ending, (bytes[peer], granted[peer]), speech));
                }
            }
        }
        if let Some((exchanges, ways)) = &mut exchanges {
            let half = |side: Side| halves.iter().find(|half: &&HalfConnection| half.sender == side);
            let transfers = Transfers { requests: half(exchanges.client), answers: half(exchanges.client.peer()) };
            transfers.split(exchanges, *ways);
        }
        let vantage = VantageEstimate { near, is_middle: is_middle && near.is_none(), basis: Basis::WireInferred };
        let mut connection = Connection {
            id: self.outline.id,
            endpoints: self.outline.endpoints,
            initiator: self.initiator,
            span: Span::new(Timestamp::from_nanos(self.outline.first), Timestamp::from_nanos(self.outline.last)),
            first_packet: self.outline.first_packet,
            packets: [self.ends[0].packets, self.ends[1].packets],
            vantage,
            ending,
            close: self.close(),
            halves,
            exchanges: exchanges.map(|(exchanges, _)| exchanges),
            findings: Vec::new(),
            rtt_min: rtt_min.and_then(|rtt| u64::try_from(rtt).ok()),
            kernel: None,
            server_name: None,
            served_by: None,
            has_wrong_clock: self.clock_trips().are_contradicted() || self.outline.has_stepped_as_long(),
            awaited: None,
        };
        let unanswered = asked.filter(UnansweredRequest::is_overdue);
        let overdue = stopped.filter(Stopped::is_overdue);
        let facts = ConnectionFacts {
            unanswered,
            stopped: overdue,
            rtt_min,
            asked_or_allowed,
            ..self.facts(&connection, probes)
        };
        let findings = diagnosis::diagnose_connection(&facts);
        // A long pause, or a full accept queue, has its own rule.
        let has_own_rule = facts.forgotten.is_some() || facts.unaccepted.is_some();
        let answer = asked.filter(|request| request.end == UnansweredEnd::Open).map(Awaited::Answer);
        let rest = stopped.filter(|stopped| !stopped.is_given_up).map(Awaited::Rest);
        connection.awaited = answer.or(rest).filter(|_| !has_own_rule).map(|awaited| Box::new(OpenWait(awaited)));
        connection.findings = findings;
        diagnosis::take_over(&mut connection);
        connection
    }

    /// Drops the data of a SYN that was never answered. It is not a stream: no connection was established,
    /// and no data was lost if it was retransmitted (RFC 9293 §3.4, RFC 7413 §4.2).
    fn forget_data_of_syns(&mut self) {
        let is_asked = self.handshake_times.first_syn.is_some() && self.handshake_times.syn_ack.is_none();
        if is_asked && self.outline.has_only_syns() {
            self.ends.iter_mut().for_each(|end| end.followed = None);
            self.conversation = None;
        }
    }

    /// The exchanges of both ends, and the delays from the capture point to either end.
    fn exchanges(&self, mut conversation: Conversation) -> Option<(Box<Exchanges>, Ways)> {
        conversation.close();
        let client = conversation.asker();
        let vantage = |side: Side| self.ends[side.index()].summary.as_ref().map(|summary| summary.vantage);
        let near = match (vantage(client), vantage(client.peer())) {
            (Some(Vantage::Sender), _) | (_, Some(Vantage::Receiver)) => Some(IsAt::Client),
            (Some(Vantage::Receiver), _) | (_, Some(Vantage::Sender)) => Some(IsAt::Server),
            _ => None,
        };
        // The handshake shows the position of the capture better.
        let near = near.filter(|_| self.handshake_times.syn_ack.is_none());
        let ways = conversation.ways().seen_at(near);
        let answers = self.ends[client.peer().index()].summary.as_deref();
        let is_echoed = answers.is_some_and(|summary| summary.is_echo);
        let is_polled = answers.is_some_and(|summary| summary.is_unasked && !summary.is_echo);
        let server = client.peer();
        let reset = self.reset.filter(|reset| reset.side == server).map(|reset| reset.time);
        let closed = self.ends[server.index()].fin.or(reset);
        let is_granted = self.ends.iter().filter_map(|end| end.summary.as_ref()).any(|half| half.is_granted());
        let closing = Closing { closed, is_echoed, is_polled, is_granted };
        Some((Box::new(conversation.finish(ways, closing)?), ways))
    }

    /// Evidence against the capture's clock.
    fn clock_trips(&self) -> ClockTrips {
        let packets = self.ends.iter().map(|end| end.packets).sum();
        let (stamped_back, is_beyond) = (self.outline.stamped_back, self.outline.is_beyond);
        ClockTrips { stamped_back, packets, is_beyond, ..self.clock.trips() }
    }

    fn facts<'a>(&self, connection: &'a Connection, probes: [u64; 2]) -> ConnectionFacts<'a> {
        let count = |end: usize| self.ends[end].syn.map_or(0, |s| s.count);
        let initiator = self.initiator.unwrap_or(Side::A);
        let bytes = |side: Side| connection.halves.iter().find(|h| h.sender == side).map_or(0, |h| h.bytes);
        let syn_nanos = match (self.handshake_times.first_syn, self.handshake_times.last_syn) {
            (Some(first), Some(last)) => last - first,
            _ => 0,
        };
        let handshake = self.handshake_times.last_syn.zip(self.handshake_times.established);
        ConnectionFacts {
            initiator: self.initiator,
            ending: connection.ending,
            packets: connection.packets,
            syns: count(initiator.index()),
            syn_acks: count(initiator.peer().index()),
            syn_facts: [0, 1].map(|end| self.ends[end].syn.and_then(Syn::facts)),
            hop_limits: self.ends[initiator.index()].hop_limits,
            syn_seconds: syn_nanos as f64 / 1e9,
            syn_ack_seconds: connection.span.seconds(),
            handshake: handshake
                .map(|(syn, ack)| Span::new(Timestamp::from_nanos(syn), Timestamp::from_nanos(ack.max(syn)))),
            has_met_old_connection: self.outline.has_met_old_connection(),
            bytes: [bytes(Side::A), bytes(Side::B)],
            reset: self.reset_facts(),
            unanswered: None,
            stopped: None,
            checksums: self.checksums(),
            probes,
            keep_alives: [0, 1].map(|end: usize| self.ends[end].rare.as_ref().and_then(|r| r.keep_alives)),
            forgotten: self.forgotten(),
            unaccepted: self.ends[initiator.peer().index()].rare.as_ref().and_then(|r| r.unaccepted),
            exchanges: connection.exchanges.as_deref(),
            rtt_min: None,
            clock: self.clock_trips(),
            unreachable: self.ends.iter().map(|e| e.undelivered().unreachable).sum(),
            halves: &connection.halves,
            asker: self.asker(),
            asked_or_allowed: [None; 2],
        }
    }

    fn conclude(
        &self,
        half: Summary,
        sender: Side,
        ending: Ending,
        (peer_bytes, grants): (u64, bool),
        speech: Option<Speech>,
    ) -> HalfConnection {
        let role = Role::of(sender, self.initiator);
        let exchange_role = self.exchange_role(sender, &half, speech);
        let verdict = verdict::judge(&half, exchange_role);
        let syn_repeats: u32 = self.ends.iter().filter_map(|e| e.syn).map(|s| s.count.saturating_sub(1)).sum();
        let end = &self.ends[sender.index()];
        let facts = HalfFacts {
            half: &half,
            verdict: &verdict,
            role,
            exchange_role,
            sender_syn: end.syn.and_then(Syn::facts),
            receiver_syn: self.ends[sender.peer().index()].syn.and_then(Syn::facts),
            syn_repeats,
            ignored_syns: self.ignored_syns(role, half.vantage),
            ending,
            peer_bytes,
            probes: half.counts.probes + end.probes,
            signs: end.signs.as_deref(),
            undelivered: end.undelivered(),
            hop_limits: [end.hop_limits, self.ends[sender.peer().index()].hop_limits],
            blackout: end.blackout_until(self.outline.last, half.is_window_closed),
            silence: end.silence().filter(|silence| {
                let is_heard = self.ends[sender.peer().index()].packets > 0;
                if is_heard { self.is_missed(sender.peer()) } else { silence.repeats >= SILENT_REPEATS_UNHEARD.get() }
            }),
            is_forgotten: self.forgotten().is_some(),
            has_died_in_closed_window: self.reset.is_some_and(|r| r.is_in_closed_window[sender.index()]),
            hole: end.rare.as_ref().and_then(|rare| rare.hole),
            has_wrong_checksums: self.checksums().is_some(),
            has_exchanges: speech.is_some_and(|speech| speech.has_exchanges),
            grants,
            ports: self.outline.endpoints.map(|end| end.port),
            is_within_host: self.outline.is_within_host(),
        };
        let findings = diagnosis::diagnose_half(&facts);
        let severity = diagnosis::severity_of(&verdict, &findings);
        let path_rate = diagnosis::prediction::path_rate(&facts).map(Rate::from_bytes_per_sec);
        let rtt_basis = if half.vantage == Vantage::Sender { Basis::WireExact } else { Basis::WireInferred };
        let span = half.limits.span();
        HalfConnection {
            sender,
            role,
            exchange_role,
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
            loss_line: half.loss_line,
            progress: half.progress,
            transfer: half.transfer,
            limits: half.limits,
            verdict: Verdict { severity, ..verdict },
            findings,
            together: None,
        }
    }

    /// SYNs that arrived but that the server's kernel did not answer; for an answered SYN it retransmits its
    /// answer. `role` is the role of the data's sender, `vantage` is where its data was captured.
    fn ignored_syns(&self, role: Role, vantage: Vantage) -> u32 {
        let is_at_server =
            matches!((role, vantage), (Role::Client, Vantage::Receiver) | (Role::Server, Vantage::Sender));
        let Some(client) = self.initiator.filter(|_| is_at_server) else { return 0 };
        let count = |side: Side| self.ends[side.index()].syn.map_or(0, |syn| syn.count);
        if count(client.peer()) == 1 { count(client).saturating_sub(1) } else { 0 }
    }

    /// Role of `sender` in the exchanges on the connection. No client waits for messages that nobody
    /// requested. An end that sends heartbeats is a client, even if it answered the SYN. An end that is
    /// polled, or echoes a person's keystrokes, also counts as a client, because nobody waits for it. If no
    /// SYN was captured, the end with an ephemeral port is the client.
    fn exchange_role(&self, sender: Side, half: &Summary, speech: Option<Speech>) -> Role {
        let asks_against_presumption = |speech: &Speech| self.asker().is_some_and(|asker| asker != speech.asker);
        match Role::of(sender, self.initiator) {
            _ if half.is_unasked || speech.is_some_and(|speech| speech.is_unasked) => Role::Client,
            _ if let Some(speech) = speech.filter(asks_against_presumption) => Role::of(sender, Some(speech.asker)),
            Role::Server if half.heartbeat.is_some_and(|period| period.get() >= BEAT_OF_SERVER) => Role::Client,
            Role::Unknown if half.heartbeat.is_some() || self.asker() == Some(sender) => Role::Client,
            role => role,
        }
    }

    /// The end that sends requests: the one that opened the connection, or the peer of the end with a
    /// service's port.
    pub(super) fn asker(&self) -> Option<Side> {
        let ports = self.outline.endpoints.map(|end| end.port);
        self.initiator.or_else(|| serving_by_ports(ports).map(Side::peer))
    }

    /// The presumed client if `first` sends first.
    pub(super) fn presumed(&self, first: Side) -> Presumed {
        let Some(asker) = self.asker() else { return Presumed::First(first) };
        let port = self.outline.endpoints[asker.peer().index()].port;
        if is_of_service(port) { Presumed::Served(asker) } else { Presumed::Opened(asker) }
    }

    /// The last request, if the wait was too long for an answer.
    fn unanswered(&self) -> Option<UnansweredRequest> {
        self.asked().filter(UnansweredRequest::is_overdue)
    }

    /// The last request, if the other end acknowledged it and never answered.
    fn asked(&self) -> Option<UnansweredRequest> {
        let request = self.last_message.unanswered(self.asker()?)?;
        let [asker, peer] = [request.asker, request.asker.peer()];
        if !self.is_taken(asker) {
            return None;
        }
        let reset = |side: Side| self.reset.filter(|reset| reset.side == side).map(|reset| reset.time);
        let fin = |side: Side| self.ends[side.index()].fin;
        // An end that closes together with its last data waits only for the peer's close.
        let given_up = [fin(asker), reset(asker)].into_iter().flatten().min();
        let ends = [
            given_up.map(|at| (at, UnansweredEnd::GivenUp)),
            fin(peer).map(|at| (at, UnansweredEnd::Closed)),
            reset(peer).map(|at| (at, UnansweredEnd::Reset)),
        ];
        let (until, end) = ends
            .into_iter()
            .flatten()
            .filter(|&(at, _)| at >= request.since)
            .min_by_key(|end| end.0)
            .unwrap_or((self.outline.last, UnansweredEnd::Open));
        // Away from the asker, the rest of its request may be missing: then the peer may have waited for it.
        let is_whole = end != UnansweredEnd::Closed || self.is_captured_at(asker);
        let is_late = given_up.is_some_and(|at| at < request.since);
        let met_reset = end == UnansweredEnd::GivenUp && reset(peer).is_some_and(|at| at > until);
        (!is_late && is_whole).then_some(UnansweredRequest {
            asker,
            since: request.since,
            until,
            bytes: request.bytes,
            answered: request.answered,
            longest: request.longest,
            end,
            met_reset,
        })
    }

    /// The transfer of `sender` (`half`), if it stopped although more data was expected. Its last segment
    /// shows that, or a possible part of a request that its receiver never answered. Only away from the
    /// sender: a capture at the sender shows that it sent no more.
    fn stopped(&self, sender: Side, half: &Summary) -> Option<Stopped> {
        let last = self.last_message.left_off(sender, self.asker())?;
        let (end, receiver) = (&self.ends[sender.index()], sender.peer());
        let is_closed_by_sender = self.ended(sender).is_some();
        let is_away = matches!(half.vantage, Vantage::Receiver | Vantage::Middle);
        // An end with data to send sends no keep-alives (`tcp_keepalive_timer` of Linux).
        let is_known = end.rare.as_ref().is_some_and(|rare| rare.keep_alives.is_some() || rare.hole.is_some());
        let given_up = self.ended(receiver);
        if is_closed_by_sender || !is_away || !half.is_taken || is_known || given_up.is_some_and(|at| at < last.since) {
            return None;
        }
        // If nobody closed, or the peer reset the connection, this is a request without an answer.
        let is_request_of_its_own = last.is_request && self.ends[receiver.index()].fin.is_none();
        (half.is_cut_short || last.may_go_on && !is_request_of_its_own).then_some(Stopped {
            sender,
            since: last.since,
            until: given_up.unwrap_or(self.outline.last),
            bytes: last.bytes,
            is_cut_short: half.is_cut_short,
            is_given_up: given_up.is_some(),
            longest: last.longest,
        })
    }

    /// Whether the capture was taken where `side` sent its data.
    fn is_captured_at(&self, side: Side) -> bool {
        let end = &self.ends[side.index()];
        let vantage = end.half().map(|half| half.vantage).or(end.summary.as_ref().map(|summary| summary.vantage));
        vantage == Some(Vantage::Sender)
    }

    /// Whether all data of `side` was acknowledged and it did not wait for window room.
    fn is_taken(&self, side: Side) -> bool {
        let end = &self.ends[side.index()];
        match end.half() {
            Some(half) => half.is_taken(),
            None => end.summary.as_ref().is_some_and(|summary| summary.is_taken),
        }
    }

    /// The wait after the last data of `side` (`half`) for something that never came.
    fn waited(&self, half: &Half, side: Side, unanswered: Option<UnansweredRequest>) -> Option<Wait> {
        if let Some(hole) = self.hole_left_open(half, side) {
            return Some(Wait { since: hole.since, until: hole.until, fact: GapFact::HoleNeverFilled });
        }
        let request = unanswered.filter(|request| request.until - request.since >= LONG_REST)?;
        // After the last data, both directions wait for the same answer: the asker's for its peer's data, the
        // other one for its own.
        let fact = if side == request.asker { GapFact::PeerDataAwaited } else { GapFact::AnswerAwaited };
        Some(Wait { since: request.since, until: request.until, fact })
    }

    /// Data of `side` that never arrived although later data did, until its receiver ended the connection or
    /// the capture ended.
    fn hole_left_open(&self, half: &Half, side: Side) -> Option<HoleLeftOpen> {
        let hole = half.open_hole().or_else(|| self.hole_at_end(half, side))?;
        let ended = self.ended(side.peer());
        let until = ended.unwrap_or(self.outline.last);
        (until - hole.since >= HOLE_LEFT_OPEN).then_some(HoleLeftOpen {
            bytes: hole.bytes,
            since: hole.since,
            until,
            largest: hole.largest,
            is_given_up: ended.is_some(),
        })
    }

    /// Data of `side` above all captured data, as its later segments without data show. It never arrived at
    /// the capture point and was never acknowledged.
    fn hole_at_end(&self, half: &Half, side: Side) -> Option<OpenHole> {
        let [end, peer] = [side, side.peer()].map(|side| &self.ends[side.index()]);
        let is_away = matches!(half.vantage, Vantage::Receiver | Vantage::Middle);
        // One byte above the data may be the FIN.
        let bytes = end.rare.as_ref()?.had_sent.saturating_sub(half.max_end() + 1);
        // It was sent after the last data of both ends; the exact time is unknown.
        let since = peer.half().map_or(half.last_data, |peer| peer.last_data.max(half.last_data));
        (is_away && bytes > 0).then_some(OpenHole { bytes, since, largest: half.counts.largest_payload })
    }

    /// SYNs with wrong checksums that were not answered. If one is answered, its sender only left the
    /// checksum to the network interface.
    fn checksums(&self) -> Option<SynChecksums> {
        let of = |end: &End| {
            let checksums = end.rare.as_ref()?.checksums?;
            let is_routed = match end.hop_limits.usual {
                0 => end.hop_limits.is_syn_unrouted().map(|is_unrouted| !is_unrouted),
                _ => end.hop_limits.is_unrouted().map(|is_unrouted| !is_unrouted),
            };
            let is_routed = is_routed == Some(true);
            (!checksums.is_wrong_answered).then_some(SynChecksums { is_routed, ..checksums })
        };
        // A SYN-ACK alone does not show whether its answer was captured.
        let is_heard = |side: Side| self.initiator == Some(side) || self.ends[side.peer().index()].packets > 0;
        [Side::A, Side::B].into_iter().filter(|&side| is_heard(side)).find_map(|side| of(&self.ends[side.index()]))
    }

    /// Time at which `side` closed or reset the connection.
    fn ended(&self, side: Side) -> Option<i64> {
        let reset = self.reset.filter(|reset| reset.side == side).map(|reset| reset.time);
        [self.ends[side.index()].fin, reset].into_iter().flatten().min()
    }

    /// Times at which the ends closed the connection, and the unacknowledged bytes at a reset.
    fn close(&self) -> Close {
        let is_before_reset = |&at: &i64| self.reset.is_none_or(|reset| at <= reset.time);
        let fin = |end: &End| end.fin.filter(is_before_reset).map(Timestamp::from_nanos);
        let [a, b] = &self.ends;
        Close { fins: [fin(a), fin(b)], unacknowledged: self.reset.map_or(0, |reset| reset.unacknowledged()) }
    }

    /// Whether more packets were expected from `side`: it was captured, and has neither closed nor reset the
    /// connection.
    fn is_missed(&self, side: Side) -> bool {
        let end = &self.ends[side.index()];
        end.packets > 0 && end.fin.is_none() && self.reset.is_none_or(|r| r.side != side)
    }

    /// Time in which `side` only kept the connection open: its peer had closed and had everything. Only this
    /// side's own close followed (CLOSE-WAIT, RFC 9293 §3.3.2).
    fn held_open(&self, half: &Half, side: Side) -> Option<(i64, i64)> {
        let peer_closed = self.ends[side.peer().index()].fin?;
        let last_ack = half.last_ack.filter(|_| half.unacknowledged() == 0)?;
        let until = self.ends[side.index()].fin.unwrap_or(self.outline.last);
        let since = peer_closed.max(last_ack);
        // A connection that was idle for longer before its close had been kept open by both ends for later
        // use. Then this time does not belong to the transfer.
        let is_direct = since - last_ack <= until - since;
        (is_direct && until - since >= MILLISECOND.max(half.ledger.rtt_min().unwrap_or(0))).then_some((since, until))
    }

    /// Whether only SYNs of one end passed. If there had been an answer, its acknowledgment would have
    /// followed.
    fn is_only_asked(&self) -> bool {
        self.ends.iter().any(|e| e.packets == 0)
            && self.ends.iter().all(|e| e.offered.is_none() && e.followed.is_none() && e.summary.is_none())
    }

    /// Whether the server's timer retransmitted its SYN-ACK and the client never acknowledged it.
    fn is_never_completed(&self) -> bool {
        let times = &self.handshake_times;
        let is_waiting = times.first_syn.is_some() && times.established.is_none();
        let answers = |client: Side| self.ends[client.peer().index()].syn.map_or(0, |syn| syn.count);
        is_waiting && self.initiator.is_some_and(|client| answers(client) > UNCOMPLETED_REPEATS.get())
    }

    fn ending(&self, is_empty: bool) -> Ending {
        match (self.reset, self.ends[0].fin, self.ends[1].fin) {
            (Some(_), _, _)
                if is_empty && self.handshake_times.first_syn.is_some() && self.handshake_times.syn_ack.is_none() =>
            {
                Ending::Refused
            }
            // Some servers give up with a reset.
            (Some(reset), None, None) if Some(reset.side) != self.initiator && self.is_never_completed() => {
                Ending::Incomplete
            }
            (Some(reset), _, _) => Ending::Reset(reset.side),
            (None, Some(_), Some(_)) => Ending::Closed,
            (None, None, None) if self.handshake_times.first_syn.is_some() && self.is_only_asked() => {
                Ending::Unanswered
            }
            (None, None, None) if is_empty && self.is_never_completed() => Ending::Incomplete,
            (None, None, None) => Ending::Open,
            _ => Ending::HalfClosed,
        }
    }
}

#[cfg(test)]
mod terms;
