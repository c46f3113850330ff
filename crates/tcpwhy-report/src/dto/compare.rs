use std::num::NonZeroU16;

use serde::{Serialize, Serializer};
use tcpwhy_analysis::{Crossing, SeenHandshake, SynSeen};

use crate::clock::rfc3339;
use crate::compare::{Changes, ComparedPair, Comparison, Totals};
use crate::dto::{Answer, Connection, Id, Presentation, Problem, SCHEMA, Service, Tool};
use crate::text::{change_text, compare_sentence};

/// The document that `tcpwhy compare --json` writes.
// Generic, because memory may not have room for all pairs in this form: `ComparedPairs` makes them one by
// one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct CompareDocument<P = Vec<PairDocument>> {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub(crate) schema: String,
    /// Program that wrote the document.
    pub(crate) tool: Tool,
    /// `captures`, `connections` or `ends` (the same connections, captured at two places).
    pub(crate) mode: String,
    /// Names of the captures.
    pub(crate) captures: [String; 2],
    /// Which one is faster, by how much, and what limited each, in the language asked for; absent without
    /// words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) sentence: Option<String>,
    /// Connections with data that have no counterpart, by capture.
    pub(crate) only: [u64; 2],
    /// The answer about each capture. Absent if connections were chosen, and in the mode `ends`, in which
    /// each connection of `pairs` has its own answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) answers: Option<[Answer; 2]>,
    /// Problems of either capture, new and worse ones first. Absent if there are none, if connections were
    /// chosen, and in the mode `ends`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) problems: Vec<ProblemChange>,
    /// Servers of both captures; absent without one, if connections were chosen, and in the mode `ends`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) services: Vec<ServicePair>,
    /// Connections that failed to get through, by server and failure: one capture lacks their data or all of
    /// their packets. Absent without any, and except in the mode `ends`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(crate) attempts: Vec<AttemptGroup>,
    /// Corresponding connections, most bytes first.
    pub(crate) pairs: P,
}

/// Connections to one server that failed in the same way.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct AttemptGroup {
    /// `syn_lost`, `syn_ack_lost`, `ack_lost`, `data_lost`, `unanswered`, `refused` or `unacknowledged`.
    /// `unanswered`: SYNs passed both captures, and neither has an answer. `unacknowledged`: SYN-ACKs passed
    /// both, and the client did not acknowledge them.
    pub(crate) fate: Id,
    /// Capture (0 or 1) that has the packets which the other lacks; null if both have the same.
    pub(crate) seen_at: Option<usize>,
    /// Number of connections.
    pub(crate) connections: u64,
    /// Client and server of the first of them.
    pub(crate) endpoints: [String; 2],
    /// Its handshake in each capture; null in one that has no packet of it.
    pub(crate) handshakes: [Option<Handshake>; 2],
    /// Data that only one capture has, by sender: client, server.
    pub(crate) unseen: [Option<Unseen>; 2],
}

/// A handshake as one capture shows it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Handshake {
    /// The client's SYN; null if it is missing.
    pub(crate) syn: Option<Syn>,
    /// The server's SYN-ACK; null if it is missing.
    pub(crate) syn_ack: Option<Syn>,
    /// Whether the client acknowledged the SYN-ACK.
    pub(crate) is_acknowledged: bool,
}

/// A SYN or SYN-ACK as it passed a capture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Syn {
    /// Number of them that passed; the other values are from the first.
    pub(crate) count: u32,
    /// Maximum segment size; null without the option.
    pub(crate) mss: Option<u16>,
    /// Shift of the window scale; null without the option.
    pub(crate) window_scale: Option<u8>,
    /// Whether SACK is permitted.
    pub(crate) sack: bool,
    /// Whether it has timestamps.
    pub(crate) timestamps: bool,
    /// Hop limit (TTL); null if unknown.
    pub(crate) hop_limit: Option<u8>,
}

/// Data of one end that only one capture has, regardless of how often it was sent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Unseen {
    /// Capture (0 or 1) that has the data.
    pub(crate) seen_at: usize,
    /// Payload, each byte counted once.
    pub(crate) bytes: u64,
    /// Segments, retransmissions included.
    pub(crate) segments: u64,
    /// Payload of the smallest of them.
    pub(crate) smallest_bytes: u64,
    /// Payload of the largest segment that both captures have; 0 without one.
    pub(crate) largest_passed_bytes: u64,
    /// Time at which the first of them passed, as RFC 3339 in UTC.
    pub(crate) since: String,
    /// Whether the other capture has later packets, so that it had not ended.
    pub(crate) is_covered: bool,
    /// Whether size decides: every segment that passed is smaller.
    pub(crate) is_by_size: bool,
}

/// A problem of either capture, or of both.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct ProblemChange {
    /// `new`, `worse`, `gone`, `better` or `same`; `only_before` or `only_after` if the other capture has no
    /// connection to that server. Failures are compared by their share of the server's connections, slowness
    /// by the time lost per connection or request. A change of less than 10 % is `same`.
    pub(crate) change: Id,
    /// The problem in the first capture; null if it has none.
    pub(crate) before: Option<Problem>,
    /// The problem in the second capture; null if it has none.
    pub(crate) after: Option<Problem>,
    /// Connections to that server in each capture; 0 if the capture has none, and for a scan.
    pub(crate) of_connections: [u64; 2],
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
}

/// A server of both captures: the same address and port or, in captures of different hosts, the only server
/// at its port.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct ServicePair {
    /// In the first capture.
    pub(crate) before: Service,
    /// In the second capture.
    pub(crate) after: Service,
}

/// The pairs of a comparison. Each is made only when it is written.
#[derive(Clone, Copy)]
pub struct ComparedPairs<'a> {
    pairs: &'a [ComparedPair],
    presentation: Presentation<'a>,
}

impl Serialize for ComparedPairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.pairs.iter().map(|pair| PairDocument {
            connections: [0, 1].map(|i| Connection::new(&pair.connections[i], Some(i), self.presentation)),
            between: pair.crossing.as_ref().map(Between::new),
            handshakes: pair.opening.map(|(_, openings)| openings.0.map(Handshake::new)),
            unseen: pair.unseen.map(|unseen| unseen.map(Unseen::new)),
        }))
    }
}

/// Two corresponding connections.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct PairDocument {
    /// The connection in the first capture, and in the second.
    pub(crate) connections: [Connection; 2],
    /// Comparison of both captures; null unless they show one connection at two places.
    pub(crate) between: Option<Between>,
    /// Its handshake in each capture; absent unless both have its SYN.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) handshakes: Option<[Handshake; 2]>,
    /// Data that only one capture has, by sender as an index into `endpoints` of the first connection; absent
    /// without any.
    #[serde(skip_serializing_if = "is_nothing", default)]
    pub(crate) unseen: [Option<Unseen>; 2],
}

fn is_nothing(unseen: &[Option<Unseen>; 2]) -> bool {
    unseen.iter().all(Option::is_none)
}

/// Findings from two captures of one connection together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Between {
    /// Index into `endpoints` of the first connection: the end that is nearer to the first capture.
    pub(crate) first_near: usize,
    /// Shortest round-trip time between the capture points.
    pub(crate) round_trip_s: f64,
    /// Seconds that the second capture's clock is ahead, if the shortest delays of both ways are equal.
    pub(crate) clock_offset_s: f64,
    /// Traffic by sender, as an index into `endpoints` of the first connection.
    pub(crate) ways: [WayBetween; 2],
}

/// Traffic in one direction between two capture points.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct WayBetween {
    /// Payload that passed the capture point nearer to the sender, retransmissions included, of data that
    /// both captures have.
    pub(crate) sent_bytes: u64,
    /// Payload that passed the other capture point, counted in the same way.
    pub(crate) arrived_bytes: u64,
    /// The difference; null if more arrived than was sent, because a capture lacks packets.
    pub(crate) lost_bytes: Option<u64>,
    /// One-way delay above its minimum; null if no packet was found in both captures.
    pub(crate) delay: Option<DelayAbove>,
}

/// One-way delays above their minimum.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct DelayAbove {
    /// Number of packets that it was measured from.
    pub(crate) samples: u64,
    /// Median.
    pub(crate) median_us: f64,
    /// 95th percentile.
    pub p95_us: f64,
    /// Maximum.
    pub(crate) max_us: f64,
    /// Time of the maximum, by the clock of the first capture, as RFC 3339 in UTC.
    pub(crate) max_at: String,
}

impl<'a> CompareDocument<ComparedPairs<'a>> {
    /// The comparison as it is in JSON.
    pub fn new(comparison: &'a Comparison, presentation: Presentation<'a>) -> Self {
        Self {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            mode: comparison.mode.id().into(),
            captures: comparison.names.clone(),
            sentence: presentation.say(|wording| compare_sentence(wording, comparison).unwrap_or_default()),
            only: comparison.only,
            answers: comparison
                .changes
                .as_ref()
                .map(|changes| changes.totals.each_ref().map(|totals| Answer::of_totals(totals, presentation))),
            problems: comparison.changes.iter().flat_map(|changes| problems(changes, presentation)).collect(),
            services: comparison.changes.iter().flat_map(services).collect(),
            attempts: comparison.attempts.failed().iter().map(AttemptGroup::new).collect(),
            pairs: ComparedPairs { pairs: &comparison.pairs, presentation },
        }
    }
}

fn problems(changes: &Changes, presentation: Presentation<'_>) -> Vec<ProblemChange> {
    let problem = |change: &crate::compare::ProblemChange| {
        let side = |side: usize| {
            let Totals { leads, services, .. } = &changes.totals[side];
            let new = |problem| Problem::new(problem, leads.totals(), services, presentation);
            change.problems[side].as_ref().map(new)
        };
        ProblemChange {
            change: change.change.id().into(),
            before: side(0),
            after: side(1),
            of_connections: change.of_connections,
            sentence: presentation.say(|wording| change_text(wording, change)),
        }
    };
    changes.problems.iter().map(problem).collect()
}

fn services(changes: &Changes) -> Vec<ServicePair> {
    let pair = |pair: &crate::compare::ServicePair| {
        let [before, after] = pair.services.each_ref().map(Service::new);
        ServicePair { before, after }
    };
    changes.services.iter().map(pair).collect()
}

impl AttemptGroup {
    fn new(group: &tcpwhy_analysis::AttemptGroup) -> Self {
        let example = &group.example;
        Self {
            fate: group.fate.id().into(),
            seen_at: group.fate.seen_at(),
            connections: group.count,
            endpoints: example.ends.map(|end| end.to_string()),
            handshakes: example.openings.map(|opening| opening.map(Handshake::new)),
            unseen: example.unseen.map(|unseen| unseen.map(Unseen::new)),
        }
    }
}

impl Handshake {
    fn new(opening: SeenHandshake) -> Self {
        let [syn, syn_ack] = opening.syns.map(|seen| seen.map(Syn::new));
        Self { syn, syn_ack, is_acknowledged: opening.is_acknowledged }
    }
}

impl Syn {
    fn new(seen: SynSeen) -> Self {
        let options = seen.options;
        Self {
            count: seen.count,
            mss: options.mss.map(NonZeroU16::get),
            window_scale: options.window_scale,
            sack: options.has_sack,
            timestamps: options.has_timestamps,
            hop_limit: (seen.hop_limit > 0).then_some(seen.hop_limit),
        }
    }
}

impl Unseen {
    fn new(unseen: tcpwhy_analysis::Unseen) -> Self {
        Self {
            seen_at: unseen.seen_at,
            bytes: unseen.bytes,
            segments: unseen.segments,
            smallest_bytes: unseen.smallest,
            largest_passed_bytes: unseen.largest_passed,
            since: rfc3339(unseen.since),
            is_covered: unseen.is_covered,
            is_by_size: unseen.is_by_size(),
        }
    }
}

impl Between {
    fn new(crossing: &Crossing) -> Self {
        let micros = |nanos: i64| nanos as f64 / 1e3;
        Self {
            first_near: crossing.first_near,
            round_trip_s: crossing.round_trip as f64 / 1e9,
            clock_offset_s: crossing.clock_offset as f64 / 1e9,
            ways: crossing.ways.map(|way| WayBetween {
                sent_bytes: way.sent,
                arrived_bytes: way.arrived,
                lost_bytes: way.sent.checked_sub(way.arrived),
                delay: way.delay.map(|delay| DelayAbove {
                    samples: delay.samples,
                    median_us: micros(delay.median),
                    p95_us: micros(delay.p95),
                    max_us: micros(delay.max),
                    max_at: rfc3339(delay.max_at),
                }),
            }),
        }
    }
}
