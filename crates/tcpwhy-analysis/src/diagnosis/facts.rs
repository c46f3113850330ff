//! Facts that rules, verdicts and predictions use.

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

/// One direction with data, and the facts about its connection that matter to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfFacts<'a> {
    pub(crate) half: &'a Summary,
    pub(crate) verdict: &'a Verdict,
    /// Role of the sender in the connection.
    pub(crate) role: Role,
    /// Role of the sender in the exchanges: the end that starts them is the client.
    pub(crate) exchange_role: Role,
    /// SYNs of the sender and of the receiver of this data, if captured.
    pub(crate) sender_syn: Option<SynFacts>,
    pub(crate) receiver_syn: Option<SynFacts>,
    /// Number of retransmissions of the SYN or SYN-ACK.
    pub(crate) syn_repeats: u32,
    /// SYNs that arrived at the server but that its kernel did not answer; it answered only the last.
    pub(crate) ignored_syns: u32,
    pub(crate) ending: Ending,
    /// Unique bytes that the peer sent.
    pub(crate) peer_bytes: u64,
    /// Keep-alives and window probes of the sender.
    pub(crate) probes: u64,
    /// Longest stretch of the sender's packets without an answer.
    pub(crate) blackout: Option<Blackout>,
    /// Retransmissions of the sender's last data until the end without an answer. The peer's packets were
    /// captured before, and it had not closed.
    pub(crate) silence: Option<Silence>,
    /// Whether the connection was unknown to the other end, or to a device on the path, after a long silence.
    pub(crate) is_forgotten: bool,
    /// Whether the connection was reset after a zero window, without more data.
    pub(crate) has_died_in_closed_window: bool,
    /// Data that never arrived.
    pub(crate) hole: Option<HoleLeftOpen>,
    /// Whether SYNs with wrong checksums remained unanswered.
    pub(crate) has_wrong_checksums: bool,
    /// Signs that only few directions have.
    pub(crate) signs: Option<&'a Signs>,
    /// Hop limits of the sender and of the receiver of this data.
    pub(crate) hop_limits: [HopLimits; 2],
    /// ICMP errors about the sender's packets.
    pub(crate) undelivered: UndeliveredCounts,
    /// Whether the connection has exchanges, which show whose time its requests took.
    pub(crate) has_exchanges: bool,
    /// Whether the sender's messages allow the peer to send more, so that the peer's data sets their pace.
    pub(crate) grants: bool,
    /// TCP ports of the two ends.
    pub(crate) ports: [u16; 2],
    /// Whether both ends are on the capturing host, without a network path between them.
    pub(crate) is_within_host: bool,
}

impl HalfFacts<'_> {
    /// Length of the span in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.half.limits.span().seconds()
    }

    /// Whether the missing data may consist of full-size segments. The hole is larger than any segment that
    /// arrived, and those are well below the MSS of the SYNs.
    pub(crate) fn is_large_missing(&self) -> bool {
        let is_small = |size: u64| part(size, self.half.mss) < VANISHED_SMALLER;
        self.has_room_for_two(self.half.mss)
            && self.hole.is_some_and(|hole| is_small(hole.largest) && hole.bytes > hole.largest)
    }

    /// Whether the largest window took two segments of `size`, or no window was captured. In a smaller
    /// window, senders limit the segment size. Linux uses half of the largest window
    /// (`tcp_bound_to_half_wnd`), others send what the window allows at once (RFC 9293 §3.8.6.2.1). Their
    /// segments then do not show the MTU of the path.
    pub(crate) fn has_room_for_two(&self, size: u64) -> bool {
        let window = self.half.window_max();
        window == 0 || window >= 2 * size
    }

    /// The largest segment, if it is half of the largest window because that has no room for two segments of
    /// full size.
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

    /// Durations of the stretches under one detail, nanoseconds, shortest first.
    pub(crate) fn stretches(&self, detail: Detail) -> Vec<i64> {
        let cause = Cause::from(detail);
        let mut all: Vec<i64> =
            self.half.limits.intervals().iter().filter(|i| i.cause == cause).map(|i| i.span.nanos()).collect();
        all.sort_unstable();
        all
    }

    /// Typical round trip, nanoseconds: the median, otherwise the minimum.
    pub(crate) fn rtt_typical(&self) -> Option<u64> {
        self.half.rtt.map(|r| r.median).or(self.half.rtt_min.map(|r| r.max(0) as u64))
    }

    /// Evidence for the typical round trip.
    pub(crate) fn typical_rtt_evidence(&self) -> Option<Evidence> {
        Some(self.rtt_us(self.rtt_typical()?))
    }

    /// Evidence for the round trip that verdicts print for `limit`, otherwise for the typical one.
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

    /// Bytes in flight that verdicts print for `limit`, otherwise the median.
    pub(crate) fn flight(&self, limit: Limit) -> Option<u64> {
        meanwhile(self.half, limit).flight.or(self.half.flight.map(|f| f.median))
    }

    /// Largest window that verdicts print for `limit`, otherwise the median.
    pub(crate) fn window(&self, limit: Limit) -> Option<u64> {
        meanwhile(self.half, limit).window.or(self.half.window.map(|w| w.median))
    }

    /// Evidence for the round trip under `limit`. The smallest round trip is added if it is shorter, because
    /// numbers computed from it are printed beside the other.
    pub(crate) fn rtt_evidence_with_base(&self, limit: Limit) -> impl Iterator<Item = Evidence> {
        self.with_base(meanwhile(self.half, limit).rtt.or(self.rtt_typical()))
    }

    /// Evidence for the typical round trip, and for the smallest one likewise.
    pub(crate) fn typical_rtt_evidence_with_base(&self) -> impl Iterator<Item = Evidence> {
        self.with_base(self.rtt_typical())
    }

    fn with_base(&self, rtt: Option<u64>) -> impl Iterator<Item = Evidence> {
        /// The smallest round trip is printed if the typical one exceeds it by more than 1/20. Below that,
        /// both would give nearly the same rate.
        const ALIKE: u64 = 20;
        let base = self.half.rtt_min.and_then(|base| u64::try_from(base).ok()).unwrap_or(0);
        let is_less = rtt.is_some_and(|rtt| rtt.saturating_sub(base) > base / ALIKE);
        rtt.map(|rtt| self.rtt_us(rtt)).into_iter().chain(self.rtt_min_evidence().filter(|_| is_less))
    }

    /// Evidence for the smallest round trip.
    pub(crate) fn rtt_min_evidence(&self) -> Option<Evidence> {
        Some(inferred(EvidenceKey::RttMinUs, self.half.rtt_min? / 1000))
    }

    /// ECN capability that both SYNs agree on; `None` if one was not captured.
    pub(crate) fn ecn(&self) -> Option<EcnOffer> {
        let (sender, receiver) = self.sender_syn.zip(self.receiver_syn)?;
        let is_client = self.role == Role::Client;
        let (syn, answer) = if is_client { (sender, receiver) } else { (receiver, sender) };
        Some(EcnOffer::agreed(syn.ecn, answer.ecn))
    }

    /// Bytes per second under `limit`.
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

    /// Retransmitted bytes as a percentage of all payload bytes on the wire.
    pub(crate) fn retransmitted_percent(&self) -> f64 {
        let again = self.half.counts.retransmitted_bytes as f64;
        let all = again + self.half.counts.bytes as f64;
        if all > 0.0 { again * 100.0 / all } else { 0.0 }
    }

    /// Window that would not be a limit, bytes: twice the bandwidth-delay product, if known, and at least
    /// four times the present window `held`.
    pub(crate) fn wanted_window(&self, held: u64) -> u64 {
        let bdp = self.train_rate().zip(self.rtt_seconds()).map_or(0.0, |(rate, rtt)| rate * rtt);
        (held.saturating_mul(4)).max((bdp * 2.0) as u64)
    }

    /// Rate at which trains of segments arrived, bytes per second.
    pub(crate) fn train_rate(&self) -> Option<f64> {
        self.half.trains.map(|trains| trains.rate)
    }

    /// Smallest round trip in seconds.
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
    /// Number of SYNs.
    pub(crate) syns: u32,
    /// Number of SYN-ACKs.
    pub(crate) syn_acks: u32,
    pub(crate) syn_facts: [Option<SynFacts>; 2],
    /// Hop limits (TTL) of the initiator's packets.
    pub(crate) hop_limits: HopLimits,
    /// Seconds from the first SYN to the last.
    pub(crate) syn_seconds: f64,
    /// Seconds from the first SYN to the last SYN-ACK, otherwise to the last SYN.
    pub(crate) syn_ack_seconds: f64,
    /// Time from the last SYN to the ACK of its SYN-ACK.
    pub(crate) handshake: Option<Span>,
    /// Whether the answer to the SYN acknowledged a number of an older connection that the other end still
    /// knew.
    pub(crate) has_met_old_connection: bool,
    /// Unique payload bytes in each direction.
    pub(crate) bytes: [u64; 2],
    /// The RST that ended the connection.
    pub(crate) reset: Option<ResetFacts>,
    /// The last request, if it was acknowledged but never answered.
    pub(crate) unanswered: Option<UnansweredRequest>,
    /// A transfer of which nothing more arrived.
    pub(crate) stopped: Option<Stopped>,
    /// SYNs with wrong checksums that remained unanswered.
    pub(crate) checksums: Option<SynChecksums>,
    /// Keep-alives and window probes in each direction.
    pub(crate) probes: [u64; 2],
    /// Keep-alives that each end sent.
    pub(crate) keep_alives: [Option<KeepAlives>; 2],
    /// A long silence after which the connection was unknown.
    pub(crate) forgotten: Option<Forgotten>,
    /// SYN-ACKs that the server retransmitted although the client had acknowledged them.
    pub(crate) unaccepted: Option<Unaccepted>,
    /// Requests and answers of the connection.
    pub(crate) exchanges: Option<&'a Exchanges>,
    /// Smallest round trip, nanoseconds.
    pub(crate) rtt_min: Option<i64>,
    /// Round trips by the capture's clock and by the clocks of the ends.
    pub(crate) clock: ClockTrips,
    /// ICMP errors about packets of either end.
    pub(crate) unreachable: u32,
    pub(crate) halves: &'a [crate::outcome::HalfConnection],
    /// The end that sends requests.
    pub(crate) asker: Option<Side>,
    /// Bytes of each turn of an end, if the packets do not show whether the other end's messages requested or
    /// allowed them.
    pub(crate) asked_or_allowed: [Option<u64>; 2],
}

impl ConnectionFacts<'_> {
    /// Hop limits with which the SYNs arrived at the capture point: that of the first, and that of the last
    /// if it differs.
    pub(crate) fn syn_hop_limits(&self) -> impl Iterator<Item = Evidence> {
        let HopLimits { syn, last_syn, .. } = self.hop_limits;
        let first = (syn > 0).then(|| exact(EvidenceKey::SynHopLimit, u64::from(syn)));
        let last = (last_syn != syn).then(|| exact(EvidenceKey::HopLimit, u64::from(last_syn)));
        first.into_iter().chain(last)
    }

    /// Role of an end in the connection, as evidence names it.
    pub(crate) fn party(&self, side: Side) -> &'static str {
        match self.asker {
            Some(asker) if asker == side => "client",
            Some(_) => "server",
            None => "unknown",
        }
    }
}
