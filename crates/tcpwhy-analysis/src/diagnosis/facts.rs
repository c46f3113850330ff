//! What rules, verdict and prediction may look at.

use tcpwhy_model::{
    Basis, Cause, Detail, Evidence, EvidenceKey, Finding, Limit, Severity, Span, TcpFlags, Undelivered, Value,
};

use super::verdict::meanwhile;
use super::{Rule, severity};
use crate::connection::ClockTrips;
use crate::facts::half::signs::Signs;
use crate::infer::summary::Summary;
use crate::outcome::{Ending, Role, Side, Vantage, Verdict};
use crate::thresholds::{VANISHED_SMALLER, part};

/// What one end's SYN offered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SynFacts {
    pub(crate) mss: Option<u16>,
    pub(crate) window_scale: Option<u8>,
    /// The window that it offered, bytes: that of a SYN is never scaled (RFC 7323 §2.2).
    pub(crate) window: u16,
    pub(crate) has_timestamps: bool,
    pub(crate) has_sack: bool,
    pub(crate) ecn: EcnOffer,
}

/// What a SYN or SYN-ACK says of ECN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EcnOffer {
    /// Nothing, or nothing that means anything.
    #[default]
    None,
    /// As RFC 3168 §6.1.1 has it.
    Classic,
    /// Accurate ECN (RFC 9768 §3.1): the flags count marks after the handshake.
    Accurate,
}

impl EcnOffer {
    /// By the flags of a segment with SYN.
    pub(crate) fn of(flags: TcpFlags) -> Self {
        let [ae, cwr, ece] = [TcpFlags::AE, TcpFlags::CWR, TcpFlags::ECE].map(|flag| flags.contains(flag));
        match (flags.contains(TcpFlags::ACK), ae, cwr, ece) {
            (false, false, true, true) | (true, false, false, true) => Self::Classic,
            (false, true, true, true) | (true, false, true, _) | (true, true, _, false) => Self::Accurate,
            _ => Self::None,
        }
    }

    /// What a SYN and its answer agree on.
    pub(crate) fn agreed(syn: Self, answer: Self) -> Self {
        match (syn, answer) {
            (Self::Accurate, Self::Accurate) => Self::Accurate,
            (Self::Accurate | Self::Classic, Self::Classic) => Self::Classic,
            _ => Self::None,
        }
    }
}

/// TTL or hop limit of the packets of one end, as captured; 0 where none was seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HopLimits {
    /// Of its SYN.
    pub(crate) syn: u8,
    /// Of what it sent after that, first.
    pub(crate) usual: u8,
    /// What it sent after that had different ones.
    pub(crate) is_mixed: bool,
}

impl HopLimits {
    /// A packet came with a hop limit that is not the usual one.
    pub(crate) fn note(&mut self, hop_limit: u8, is_syn: bool) {
        match (is_syn, self.usual) {
            (true, _) if self.syn == 0 => self.syn = hop_limit,
            (true, _) => {}
            (false, 0) => self.usual = hop_limit,
            (false, _) => self.is_mixed = true,
        }
    }

    /// Whether routers lie between this end (`true`: none) and where its packets were captured; `None` where
    /// that is not clear. Hosts start at one of a few values, and each router takes one away (RFC 9293
    /// §3.9.2, RFC 8200 §3).
    pub(crate) fn is_unrouted(self) -> Option<bool> {
        // Linux, the BSDs and macOS; Windows; Solaris and network devices.
        const FIRST: [u8; 3] = [64, 128, 255];
        let is_first = FIRST.contains(&self.usual);
        (self.usual > 0 && !(is_first && self.is_mixed)).then_some(is_first)
    }

    /// As [`Self::is_unrouted`], of SYNs alone.
    pub(crate) fn is_syn_unrouted(self) -> Option<bool> {
        Self { usual: self.syn, is_mixed: false, ..self }.is_unrouted()
    }

    /// The hop limits of the SYN and of all that followed, where all of that came from elsewhere.
    pub(crate) fn answered_for(self) -> Option<(u8, u8)> {
        let is_other = self.syn > 0 && self.usual > 0 && self.syn != self.usual && !self.is_mixed;
        is_other.then_some((self.syn, self.usual))
    }
}

/// Packets of one end that found no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blackout {
    pub(crate) packets: u32,
    /// From the first of them to the other end's next word, or to the end.
    pub(crate) nanos: i64,
    /// The other end's last word before had been a closed window.
    pub(crate) is_window_closed: bool,
}

impl Blackout {
    /// Fewer packets, or less time, are no blackout.
    pub(crate) const LEAST: u32 = 3;
    pub(crate) const LEAST_NANOS: i64 = 1_000_000_000;
}

/// Data that was repeated at doubling intervals until the end, while nothing of the peer was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Silence {
    pub(crate) repeats: u32,
    /// From the data's first transmission to its last.
    pub(crate) nanos: i64,
    /// Between the last two.
    pub(crate) interval: i64,
}

impl Silence {
    /// RFC 9293 §3.8.3 has a host count repeats of a segment, and doubt the path from three on (R1).
    pub(crate) const LEAST_REPEATS: u32 = 3;
    /// As many where the capture has nothing of the peer. The sender heard nothing either: an ACK would have
    /// stopped its timer. Two more than [`Self::LEAST_REPEATS`], as fewer may come from a capture that lost
    /// packets.
    pub(crate) const LEAST_REPEATS_UNHEARD: u32 = 5;
}

/// A rest after which nobody knew the connection any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forgotten {
    /// Its length, and that of the longest before it that did no harm, nanoseconds.
    pub(crate) rest: i64,
    pub(crate) survived: i64,
    /// What was sent in vain after it, and for how long.
    pub(crate) packets: u32,
    pub(crate) nanos: i64,
    /// A reset answered; else nothing did.
    pub(crate) is_reset: bool,
    /// Keep-alives found it out rather than data.
    pub(crate) is_probe: bool,
}

/// Probes of an idle connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeepAlives {
    pub(crate) count: u32,
    pub(crate) last: i64,
    /// The shortest time between two, nanoseconds.
    pub(crate) period: Option<i64>,
}

impl KeepAlives {
    /// Sooner after another packet nobody asks whether the peer is there: intervals are whole seconds
    /// (`TCP_KEEPINTVL`).
    pub(crate) const LEAST_REST: i64 = 1_000_000_000;
}

/// SYN-ACKs that were repeated although they had been acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unaccepted {
    pub(crate) repeats: u32,
    /// Packets of the client that should have opened the connection.
    pub(crate) in_vain: u32,
    /// From the first of them to the last repeat.
    pub(crate) nanos: i64,
}

impl Unaccepted {
    /// SYN-ACKs are repeated after a second (`TCP_TIMEOUT_INIT`, RFC 6298 §2.1); timers are set shorter now
    /// and then.
    pub(crate) const LEAST_INTERVAL: i64 = 500_000_000;
}

/// The reset that ended a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResetFacts {
    pub(crate) side: Side,
    /// Since the connection's first packet, nanoseconds.
    pub(crate) after: i64,
    /// Bytes of both directions that were acknowledged before, and that were not.
    pub(crate) delivered: u64,
    pub(crate) unacknowledged: u64,
    /// Nothing but a goodbye was under way: of its sender, or of the peer to an end that had closed.
    pub(crate) is_goodbye: bool,
    /// Its sender had closed before, and the peer sent on.
    pub(crate) had_closed: bool,
    /// Packets that its sender's address sent after it, and for how many nanoseconds.
    pub(crate) outlived: Option<(u32, i64)>,
    /// It passed so many routers more or fewer than the other packets of its address.
    pub(crate) hops_apart: Option<u8>,
}

/// A request that was acknowledged and never answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnansweredRequest {
    pub(crate) asker: Side,
    /// When its last data passed, and until when it stayed without an answer.
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) bytes: u64,
    /// Earlier requests that were answered, and the longest that one took.
    pub(crate) answered: u32,
    pub(crate) longest: i64,
    pub(crate) end: UnansweredEnd,
    /// A reset answered the asker's own end: the peer did not know the connection any more.
    pub(crate) met_reset: bool,
}

/// What ended the wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnansweredEnd {
    /// The asker closed or reset the connection.
    GivenUp,
    /// The peer closed it.
    Closed,
    /// The peer reset it.
    Reset,
    /// Nobody did: the capture ends.
    Open,
}

/// Data that never arrived although later data did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HoleLeftOpen {
    pub(crate) bytes: u64,
    pub(crate) since: i64,
    pub(crate) until: i64,
    /// Largest payload of a segment that arrived, bytes.
    pub(crate) largest: u64,
    /// The receiver closed or reset the connection then; else the capture ends.
    pub(crate) is_given_up: bool,
}

/// TCP checksums of the SYNs of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SynChecksums {
    /// SYNs whose checksum is wrong.
    pub(crate) wrong: u32,
    pub(crate) is_last_wrong: bool,
    /// The other end answered one of them, and one whose checksum is right.
    pub(crate) is_wrong_answered: bool,
    pub(crate) is_right_answered: bool,
    /// Routers had passed them on before they were captured.
    pub(crate) is_routed: bool,
}

/// ICMP errors about packets of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UndeliveredCounts {
    /// Fragmentation needed, packet too big.
    pub(crate) too_big: u32,
    /// The least MTU that any of them named, bytes; 0 if none did.
    pub(crate) mtu: u16,
    pub(crate) unreachable: u32,
}

impl UndeliveredCounts {
    /// One more.
    pub(crate) fn note(&mut self, error: Undelivered) {
        match error {
            Undelivered::TooBig { mtu } => {
                self.too_big = self.too_big.saturating_add(1);
                let is_less = mtu > 0 && (self.mtu == 0 || mtu < self.mtu);
                self.mtu = if is_less { mtu } else { self.mtu };
            }
            Undelivered::Unreachable => self.unreachable = self.unreachable.saturating_add(1),
        }
    }
}

/// One direction with data, and what of the connection matters to it.
#[derive(Debug)]
pub(crate) struct HalfFacts<'a> {
    pub(crate) half: &'a Summary,
    pub(crate) verdict: &'a Verdict,
    /// What the sender is to the connection.
    pub(crate) role: Role,
    /// Who of them starts the exchanges: it is the client of those.
    pub(crate) exchange_role: Role,
    /// The SYN of the sender and of the receiver of this data, as far as seen.
    pub(crate) sender_syn: Option<SynFacts>,
    pub(crate) receiver_syn: Option<SynFacts>,
    /// How often the SYN or SYN-ACK was repeated.
    pub(crate) syn_repeats: u32,
    /// SYNs that arrived at the server, whose kernel answered none but the last.
    pub(crate) ignored_syns: u32,
    pub(crate) ending: Ending,
    /// Unique bytes that the peer sent.
    pub(crate) peer_bytes: u64,
    /// Keep-alives and window probes of the sender.
    pub(crate) probes: u64,
    /// The longest stretch of the sender's packets that found no answer.
    pub(crate) blackout: Option<Blackout>,
    /// The sender's last data was repeated until the end, and the peer, captured before and not closed, said
    /// nothing.
    pub(crate) silence: Option<Silence>,
    /// A rest made the connection unknown.
    pub(crate) is_forgotten: bool,
    /// The connection was reset after a closed window, without any more data.
    pub(crate) has_died_in_closed_window: bool,
    /// Data that never arrived.
    pub(crate) hole: Option<HoleLeftOpen>,
    /// SYNs with wrong checksums were not answered.
    pub(crate) has_wrong_checksums: bool,
    /// What few directions show.
    pub(crate) signs: Option<&'a Signs>,
    /// Of the sender and of the receiver of this data.
    pub(crate) hop_limits: [HopLimits; 2],
    /// ICMP errors about the sender's packets.
    pub(crate) undelivered: UndeliveredCounts,
    /// TCP ports of the two ends.
    pub(crate) ports: [u16; 2],
}

impl HalfFacts<'_> {
    /// Length of the span in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.half.limits.span().seconds()
    }

    /// What is missing at the receiver may be segments of full size: a larger hole than any segment that
    /// arrived, and those are well below what the SYNs allow.
    pub(crate) fn is_large_missing(&self) -> bool {
        let is_small = |size: u64| part(size, self.half.mss) < VANISHED_SMALLER;
        self.hole.is_some_and(|hole| is_small(hole.largest) && hole.bytes > hole.largest)
    }

    /// Seconds under a limit, all details.
    pub(crate) fn seconds_of(&self, limit: Limit) -> f64 {
        self.half.limits.nanos_of(limit) as f64 / 1e9
    }

    /// Seconds under one detail.
    pub(crate) fn seconds_of_detail(&self, detail: Detail) -> f64 {
        self.half.limits.nanos_of_cause(Cause::from(detail)) as f64 / 1e9
    }

    /// Share of the span.
    pub(crate) fn share(&self, seconds: f64) -> f64 {
        let all = self.seconds();
        if all > 0.0 { seconds / all } else { 0.0 }
    }

    /// The start of a finding of `rule` about the time under the causes that `is_mine` picks; `None` unless
    /// the verdict names one of them or they took `least` of the span.
    pub(crate) fn explain(&self, rule: &Rule, least: f64, is_mine: impl Fn(Cause) -> bool) -> Option<Finding> {
        let (nanos, confidence) = self.half.limits.sum(&is_mine);
        let seconds = nanos as f64 / 1e9;
        let is_verdict = self.verdict.cause.is_some_and(&is_mine);
        let share = self.share(seconds);
        if !is_verdict && (share < least || nanos <= 0) {
            return None;
        }
        let main = is_verdict.then(|| self.seconds_to_act_on());
        let severity = severity::of_time(self.half, seconds, main).min(rule.severity);
        let all = self.half.limits.totals();
        let cause = self.verdict.cause.into_iter().chain(all.iter().map(|t| t.cause)).find(|&c| is_mine(c));
        let nature = cause.and_then(|c| severity::most_for(self.half, self.exchange_role, c));
        Some(Finding {
            rule: rule.id,
            severity: nature.map_or(severity, |most| severity.min(most)),
            // What explains the verdict is as sure as the verdict.
            confidence: if is_verdict || nanos <= 0 { self.verdict.confidence } else { confidence },
            seconds: Some(seconds),
            evidence: Vec::new(),
            fixes: Vec::new(),
            prediction: None,
        })
    }

    /// Seconds of all that the verdict's change concerns.
    fn seconds_to_act_on(&self) -> f64 {
        let family = self.verdict.cause.and_then(Cause::family);
        self.half.limits.sum(|c| family.is_some() && c.family() == family).0 as f64 / 1e9
    }

    /// Lengths of the stretches under one detail, nanoseconds, shortest first.
    pub(crate) fn stretches(&self, detail: Detail) -> Vec<i64> {
        let cause = Cause::from(detail);
        let mut all: Vec<i64> =
            self.half.limits.intervals().iter().filter(|i| i.cause == cause).map(|i| i.span.nanos()).collect();
        all.sort_unstable();
        all
    }

    /// Typical round trip, nanoseconds: the median, else the least known.
    pub(crate) fn rtt_typical(&self) -> Option<u64> {
        self.half.rtt.map(|r| r.median).or(self.half.rtt_min.map(|r| r.max(0) as u64))
    }

    /// The usual evidence: the typical round trip.
    pub(crate) fn typical_rtt_evidence(&self) -> Option<Evidence> {
        Some(self.rtt_us(self.rtt_typical()?))
    }

    /// The round trip while `limit` held, as verdicts say it, else the typical one.
    pub(crate) fn rtt_evidence(&self, limit: Limit) -> Option<Evidence> {
        match meanwhile(self.half, limit).rtt {
            Some(rtt) => Some(self.rtt_us(rtt)),
            None => self.typical_rtt_evidence(),
        }
    }

    fn rtt_us(&self, nanos: u64) -> Evidence {
        let basis = if self.half.vantage == Vantage::Sender { Basis::WireExact } else { Basis::WireInferred };
        Evidence { key: EvidenceKey::RttUs, value: Value::from(nanos / 1000), basis }
    }

    /// Bytes in flight while `limit` held, as verdicts say it, else half of the time.
    pub(crate) fn flight(&self, limit: Limit) -> Option<u64> {
        meanwhile(self.half, limit).flight.or(self.half.flight.map(|f| f.median))
    }

    /// The largest window offered while `limit` held, as verdicts say it, else that of half of the time.
    pub(crate) fn window(&self, limit: Limit) -> Option<u64> {
        meanwhile(self.half, limit).window.or(self.half.window.map(|w| w.median))
    }

    /// The round trip while `limit` held, and the smallest one where that is less: what is worked out from it
    /// stands beside it.
    pub(crate) fn rtt_evidence_with_base(&self, limit: Limit) -> impl Iterator<Item = Evidence> {
        self.with_base(meanwhile(self.half, limit).rtt.or(self.rtt_typical()))
    }

    /// The same with the typical round trip.
    pub(crate) fn typical_rtt_evidence_with_base(&self) -> impl Iterator<Item = Evidence> {
        self.with_base(self.rtt_typical())
    }

    fn with_base(&self, rtt: Option<u64>) -> impl Iterator<Item = Evidence> {
        /// A twentieth of it more, and both would give nearly the same rate.
        const ALIKE: u64 = 20;
        let base = self.half.rtt_min.and_then(|base| u64::try_from(base).ok()).unwrap_or(0);
        let is_less = rtt.is_some_and(|rtt| rtt.saturating_sub(base) > base / ALIKE);
        rtt.map(|rtt| self.rtt_us(rtt)).into_iter().chain(self.rtt_min_evidence().filter(|_| is_less))
    }

    /// The smallest round trip.
    pub(crate) fn rtt_min_evidence(&self) -> Option<Evidence> {
        Some(inferred(EvidenceKey::RttMinUs, self.half.rtt_min? / 1000))
    }

    /// What both SYNs agree on of ECN; `None` where one was not captured.
    pub(crate) fn ecn(&self) -> Option<EcnOffer> {
        let (sender, receiver) = self.sender_syn.zip(self.receiver_syn)?;
        let is_client = self.role == Role::Client;
        let (syn, answer) = if is_client { (sender, receiver) } else { (receiver, sender) };
        Some(EcnOffer::agreed(syn.ecn, answer.ecn))
    }

    /// How severe a note is that costs `seconds` at most: by their share, and a warning at most.
    pub(crate) fn severity_of_note(&self, seconds: f64) -> Severity {
        severity::of_time(self.half, seconds, None).min(Severity::Warning)
    }

    /// Bytes per second while `limit` bound.
    pub(crate) fn rate_under(&self, limit: Limit) -> Option<f64> {
        let seconds = self.seconds_of(limit);
        let bytes = self.half.moved.bytes_under(limit);
        (seconds > 0.0 && bytes > 0.0).then(|| bytes / seconds)
    }

    /// Unique bytes per second over the whole span.
    pub(crate) fn goodput(&self) -> f64 {
        let seconds = self.seconds();
        if seconds > 0.0 { self.half.counts.bytes as f64 / seconds } else { 0.0 }
    }

    /// Share of all payload bytes on the wire that were sent again, in percent.
    pub(crate) fn retransmitted_percent(&self) -> f64 {
        let again = self.half.counts.retransmitted_bytes as f64;
        let all = again + self.half.counts.bytes as f64;
        if all > 0.0 { again * 100.0 / all } else { 0.0 }
    }

    /// What a window should hold so as not to limit: twice what the path holds, as far as that was seen, and
    /// at least four times what it held.
    pub(crate) fn wanted_window(&self, held: u64) -> u64 {
        let bdp = self.train_rate().zip(self.rtt_seconds()).map_or(0.0, |(rate, rtt)| rate * rtt);
        (held.saturating_mul(4)).max((bdp * 2.0) as u64)
    }

    /// Rate at which trains of segments came through, bytes/s.
    pub(crate) fn train_rate(&self) -> Option<f64> {
        self.half.trains.map(|trains| trains.rate)
    }

    /// Base round trip in seconds.
    pub(crate) fn rtt_seconds(&self) -> Option<f64> {
        self.half.rtt_min.filter(|&r| r > 0).map(|r| r as f64 / 1e9)
    }
}

/// A connection as a whole.
#[derive(Debug)]
pub(crate) struct ConnectionFacts<'a> {
    pub(crate) initiator: Option<Side>,
    pub(crate) ending: Ending,
    pub(crate) packets: [u64; 2],
    /// How often the SYN was sent.
    pub(crate) syns: u32,
    pub(crate) syn_facts: [Option<SynFacts>; 2],
    /// Seconds from the first SYN to the last.
    pub(crate) syn_seconds: f64,
    /// From the last SYN to the ACK of its answer.
    pub(crate) handshake: Option<Span>,
    /// The SYN was answered with the number of a connection that the other end still knew.
    pub(crate) has_met_old_connection: bool,
    /// Unique payload bytes in each direction.
    pub(crate) bytes: [u64; 2],
    /// The reset that ended it.
    pub(crate) reset: Option<ResetFacts>,
    /// The last request, which was acknowledged and never answered.
    pub(crate) unanswered: Option<UnansweredRequest>,
    /// SYNs with wrong checksums that were not answered.
    pub(crate) checksums: Option<SynChecksums>,
    /// Keep-alives and window probes in each direction.
    pub(crate) probes: [u64; 2],
    /// Keep-alives that each end sent.
    pub(crate) keep_alives: [Option<KeepAlives>; 2],
    /// A rest after which nobody knew the connection.
    pub(crate) forgotten: Option<Forgotten>,
    /// The server repeated its SYN-ACK in spite of what the client sent.
    pub(crate) unaccepted: Option<Unaccepted>,
    /// How often each end spoke after the other had.
    pub(crate) turns: [u32; 2],
    /// Smallest round trip, nanoseconds.
    pub(crate) rtt_min: Option<i64>,
    /// Round trips by the capture's clock and by those of the ends.
    pub(crate) clock: ClockTrips,
    /// ICMP errors that packets of either end met with.
    pub(crate) unreachable: u32,
    pub(crate) halves: &'a [crate::outcome::HalfConnection],
    /// Who asks on the connection.
    pub(crate) asker: Option<Side>,
}

impl ConnectionFacts<'_> {
    /// What an end is to the connection, as evidence names it.
    pub(crate) fn party(&self, side: Side) -> &'static str {
        match self.asker {
            Some(asker) if asker == side => "client",
            Some(_) => "server",
            None => "unknown",
        }
    }
}

/// The start of a finding besides the limits: no time of its own.
pub(crate) fn note(rule: &Rule, confidence: f64) -> Finding {
    Finding {
        rule: rule.id,
        severity: rule.severity,
        confidence,
        seconds: None,
        evidence: Vec::new(),
        fixes: Vec::new(),
        prediction: None,
    }
}

/// Evidence read straight off the packets.
pub(crate) fn exact(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::WireExact }
}

/// Evidence that follows from the packets by reasoning.
pub(crate) fn inferred(key: EvidenceKey, value: impl Into<Value>) -> Evidence {
    Evidence { key, value: value.into(), basis: Basis::WireInferred }
}
