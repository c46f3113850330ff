use tcpwhy_analysis::{Connection, HalfConnection, Vantage};
use tcpwhy_model::{Distribution, Rate, Severity};
use tcpwhy_report::Wording;
use tcpwhy_report::dto::{HalfFacts, HalfTerms, HalfTraffic, rounded};

use super::{detail, integer, limit, micros, side};
use crate::kind::{Integer, Maybe, Moment, Real, Text, Tiny};
use crate::published::Published;
use crate::table::table;

table! {
    /// One direction of a connection that carried payload.
    HalfRow => Halves {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// The end that sent this data: 0 or 1.
        sender: Tiny,
        /// Role of that end: `client` or `server`; null if the handshake was not captured.
        role: Maybe<Text>,
        /// As in JSON.
        traffic: Published<HalfTraffic>,
        /// Start of the time that `limits` covers: the first SYN or segment of the connection.
        start: Moment,
        /// The same, in nanoseconds since the epoch.
        start_ns: Integer,
        /// Seconds from there to the last ACK of this data.
        duration_s: Real,
        /// As in JSON.
        terms: Published<HalfTerms>,
        /// Place of the capture: `sender`, `receiver`, `middle` or `unknown`.
        vantage: Text,
        /// Smallest round trip.
        rtt_min_us: Maybe<Real>,
        /// Median of the round trips.
        rtt_median_us: Maybe<Real>,
        /// 95th percentile of the round trips.
        rtt_p95_us: Maybe<Real>,
        /// Largest round trip.
        rtt_max_us: Maybe<Real>,
        /// Basis of the round trips: `kernel_reported`, `wire_exact`, `wire_inferred` or `assumed`.
        rtt_basis: Maybe<Text>,
        /// Median of the bytes in flight, weighted by time.
        flight_median_bytes: Maybe<Integer>,
        /// 95th percentile of the bytes in flight, weighted by time.
        flight_p95_bytes: Maybe<Integer>,
        /// Maximum bytes in flight.
        flight_max_bytes: Maybe<Integer>,
        /// Smallest window that the receiver advertised; null if its scale is unknown.
        window_min_bytes: Maybe<Integer>,
        /// Median of the window, weighted by time.
        window_median_bytes: Maybe<Integer>,
        /// Largest window.
        window_max_bytes: Maybe<Integer>,
        /// Payload rate of the path, if packet trains or a policer show it.
        path_rate_bits_per_s: Maybe<Real>,
        /// The limit to change first; `none` if no change is worth it.
        limit: Text,
        /// Detail of the limit.
        detail: Maybe<Text>,
        /// Confidence, from 0 to 1.
        confidence: Real,
        /// Seconds under that limit with that detail.
        limit_s: Real,
        /// `none`, `info`, `warning` or `critical`.
        severity: Text,
        /// Another limit that the packets also allow.
        alternative: Maybe<Text>,
        /// Reason for choosing this limit although another has more time: stable kebab-case id.
        reason: Maybe<Text>,
        /// The verdict in words; null without words.
        sentence: Maybe<Text>,
        /// As in JSON.
        facts: Published<HalfFacts>,
    }
}

impl Halves {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection, wording: Option<Wording<'_>>) {
        for half in &connection.halves {
            self.add_half(capture, connection, half, wording);
        }
    }

    fn add_half(
        &mut self,
        capture: &str,
        connection: &Connection,
        half: &HalfConnection,
        wording: Option<Wording<'_>>,
    ) {
        let rtt = |of: fn(&Distribution) -> u64| half.rtt.as_ref().map(|(rtt, _)| micros(of(rtt)));
        let flight = |of: fn(&Distribution) -> u64| half.flight.as_ref().map(|flight| integer(of(flight)));
        let window = |of: fn(&Distribution) -> u64| half.receive_window.as_ref().map(|window| integer(of(window)));
        let verdict = &half.verdict;
        self.push(HalfRow {
            capture: capture.into(),
            first_packet: integer(connection.first_packet),
            sender: side(half.sender),
            role: half.role.id().map(Into::into),
            traffic: half,
            start: half.span.start(),
            start_ns: half.span.start().as_nanos(),
            duration_s: half.span.seconds(),
            terms: half,
            vantage: vantage(half.vantage).into(),
            rtt_min_us: rtt(|rtt| rtt.min),
            rtt_median_us: rtt(|rtt| rtt.median),
            rtt_p95_us: rtt(|rtt| rtt.p95),
            rtt_max_us: rtt(|rtt| rtt.max),
            rtt_basis: half.rtt.map(|(_, basis)| basis.id().into()),
            flight_median_bytes: flight(|flight| flight.median),
            flight_p95_bytes: flight(|flight| flight.p95),
            flight_max_bytes: flight(|flight| flight.max),
            window_min_bytes: window(|window| window.min),
            window_median_bytes: window(|window| window.median),
            window_max_bytes: window(|window| window.max),
            path_rate_bits_per_s: half.path_rate.map(Rate::bits_per_sec),
            limit: limit(verdict.cause).into(),
            detail: detail(verdict.cause),
            confidence: rounded(verdict.confidence),
            limit_s: verdict.seconds,
            severity: verdict.severity.map_or("none", Severity::id).into(),
            alternative: verdict.alternative.map(|(other, _)| other.id().into()),
            reason: verdict.reason.map(|reason| reason.id().into()),
            sentence: wording.map(|wording| wording.verdict(half).into()),
            facts: half,
        });
    }
}

const fn vantage(vantage: Vantage) -> &'static str {
    match vantage {
        Vantage::Sender => "sender",
        Vantage::Receiver => "receiver",
        Vantage::Middle => "middle",
        Vantage::Unknown => "unknown",
    }
}
