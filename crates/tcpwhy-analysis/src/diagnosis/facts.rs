//! What rules, verdict and prediction may look at.

use tcpwhy_model::{Basis, Cause, Detail, Evidence, EvidenceKey, Limit, Span, Value};

use super::evidence::{exact, inferred};
use super::verdict::meanwhile;
use crate::exchanges::Exchanges;
use crate::facts::half::signs::Signs;
use crate::infer::summary::Summary;
use crate::outcome::{Ending, Role, Side, Vantage, Verdict};
use crate::seen::{
    Blackout, ClockTrips, EcnOffer, Forgotten, HoleLeftOpen, HopLimits, KeepAlives, ResetFacts, Silence, Stopped,
    SynChecksums, SynFacts, Unaccepted, UnansweredRequest, UndeliveredCounts,
};
use crate::thresholds::{VANISHED_SMALLER, part};

/// One direction with data, and what of the connection matters to it.
#[derive(Clone, Copy, Debug)]
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
    /// The connection has exchanges: they say who took the time of its requests.
    pub(crate) has_exchanges: bool,
    /// Its words allow the peer to send more: the peer's data sets their pace.
    pub(crate) grants: bool,
    /// TCP ports of the two ends.
    pub(crate) ports: [u16; 2],
    /// Both ends are on the host that captured: no path lies between them.
    pub(crate) is_within_host: bool,
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
        self.has_room_for_two(self.half.mss)
            && self.hole.is_some_and(|hole| is_small(hole.largest) && hole.bytes > hole.largest)
    }

    /// Whether the largest window took two segments of `size`, as far as windows were captured. Else senders
    /// send less at a time: Linux half of the largest window (`tcp_bound_to_half_wnd`), others as soon as
    /// that may leave (RFC 9293 §3.8.6.2.1). Their segments do not show what the path carries.
    pub(crate) fn has_room_for_two(&self, size: u64) -> bool {
        let window = self.half.window_max();
        window == 0 || window >= 2 * size
    }

    /// The largest segment, where it is half of the largest window because that takes no two of full size.
    pub(crate) fn half_window_evidence(&self) -> Option<Evidence> {
        let (window, largest) = (self.half.window_max(), self.half.counts.largest_payload);
        let is_half = largest > 0 && largest == window / 2 && !self.has_room_for_two(self.half.mss);
        is_half.then(|| inferred(EvidenceKey::HalfWindowBytes, largest))
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
    /// How often it was answered.
    pub(crate) syn_acks: u32,
    pub(crate) syn_facts: [Option<SynFacts>; 2],
    /// TTL of the initiator's packets.
    pub(crate) hop_limits: HopLimits,
    /// Seconds from the first SYN to the last.
    pub(crate) syn_seconds: f64,
    /// Seconds from the first SYN to the last answer, or the last SYN.
    pub(crate) syn_ack_seconds: f64,
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
    /// A transfer of which nothing more arrived.
    pub(crate) stopped: Option<Stopped>,
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
    /// Its requests and answers.
    pub(crate) exchanges: Option<&'a Exchanges>,
    /// Smallest round trip, nanoseconds.
    pub(crate) rtt_min: Option<i64>,
    /// Round trips by the capture's clock and by those of the ends.
    pub(crate) clock: ClockTrips,
    /// ICMP errors that packets of either end met with.
    pub(crate) unreachable: u32,
    pub(crate) halves: &'a [crate::outcome::HalfConnection],
    /// Who asks on the connection.
    pub(crate) asker: Option<Side>,
    /// Bytes of each turn of an end, where the packets do not show whether the other end's words asked for
    /// them or allowed them.
    pub(crate) asked_or_allowed: [Option<u64>; 2],
}

impl ConnectionFacts<'_> {
    /// How far the SYNs had come: the hop limit of the first, and that of the last where it is another one.
    pub(crate) fn syn_hop_limits(&self) -> impl Iterator<Item = Evidence> {
        let HopLimits { syn, last_syn, .. } = self.hop_limits;
        let first = (syn > 0).then(|| exact(EvidenceKey::SynHopLimit, u64::from(syn)));
        let last = (last_syn != syn).then(|| exact(EvidenceKey::HopLimit, u64::from(last_syn)));
        first.into_iter().chain(last)
    }

    /// What an end is to the connection, as evidence names it.
    pub(crate) fn party(&self, side: Side) -> &'static str {
        match self.asker {
            Some(asker) if asker == side => "client",
            Some(_) => "server",
            None => "unknown",
        }
    }
}
