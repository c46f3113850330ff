//! The contract with the page's TypeScript, whose types are made of these (`viewer/build`, through
//! `viewer/contract.json`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use tcpwhy_model::Reason;
use tcpwhy_report::dto::Tool;
use tcpwhy_report::palette::Pattern;

use super::by_language::ByLanguage;
use super::column::Column;
use super::headline::Headline;
use crate::chart::{LineKind, MarkKind};
use crate::proof::ProofChart;

/// Name and version of the contract.
pub(crate) const FORMAT: &str = "tcpwhy-view/1";

/// What the page embeds as `<script type="application/json" id="tcpwhy-data">`; the same shapes come from
/// `tcpwhy serve` over HTTP. Fields may be added, never renamed; an unknown field is ignored.
///
/// Units: times are seconds from the first packet of the connection (`start_ns` of the connection is that
/// instant), unless a name says otherwise; sequence positions are bytes from the start of the stream (the
/// first payload byte of a connection whose SYN was seen is 0; else the lowest offset seen is 0); windows are
/// bytes after scaling. Unknown is null, NaN or the largest value of an unsigned column, never 0.
///
/// The viewer's own words (`viewer-*`) are in `locales/{en,zh-CN}/viewer.ftl` of crate `tcpwhy-report`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ViewData<'a> {
    #[cfg_attr(test, schemars(extend("const" = FORMAT)))]
    pub(crate) format: &'static str,
    pub(crate) tool: Tool,
    /// Language to start in; the reader may switch.
    #[cfg_attr(test, schemars(with = "described::Language"))]
    pub(crate) language: &'static str,
    /// Words by language and id: all ids `viewer-*` of the catalogue, `limit-*` (hyphens: `limit-send-buffer`),
    /// `detail-*`, `alternative-*`, `decider-*`, for `reasons` `why-*` and for their measures `evidence-*`,
    /// `fact-vantage-*`, `basis-*`, `severity-*`, `unit-*`, `unknown`, `yes`, `no`; `kernel-*` where a kernel tells of a connection. `{name}` in a text is a
    /// place to put a value into.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<BTreeMap<String, String>>"))]
    pub(crate) messages: ByLanguage<BTreeMap<String, String>>,
    /// The limits in the order of the schema, the application as what it did, with their looks. Index =
    /// `limit` in `Cause`.
    pub(crate) limits: Vec<LimitLook>,
    /// Index = value in cause columns.
    pub(crate) causes: Vec<Cause>,
    /// What decided intervals: those that the charts refer to (all, where a server sends more charts). Key = value in
    /// `Timeline.reason`.
    pub(crate) reasons: BTreeMap<usize, ReasonLook>,
    /// What would tell two limits apart. Index = value in `Timeline.decider`.
    pub(crate) deciders: Vec<&'static str>,
    /// Index = value in `Marks.kind`.
    pub(crate) mark_kinds: Vec<MarkKind>,
    /// Names by address (`192.0.2.1`), where they were asked for and there are any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) names: BTreeMap<String, String>,
    /// By the connection's number: what its client called the server, and which end that is; where they were
    /// asked for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) server_names: BTreeMap<u64, EndName>,
    /// All connections (or those that matter most; see `omitted`).
    pub(crate) overview: Overview,
    /// The terminal's first lines about all connections, by language.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<Headline>"))]
    pub(crate) headlines: ByLanguage<Headline>,
    /// Servers, those that problems concern first, then those with most connections. Index =
    /// `Overview.service`.
    pub(crate) services: Vec<ServiceLine>,
    /// Servers that are not among them.
    pub(crate) services_omitted: u64,
    /// How the histograms of `services` and `Overview.bins` are made.
    pub(crate) bins: Bins,
    /// Seconds of each limit that occurs, of the principal directions of connections that did not mostly
    /// wait.
    pub(crate) spent: Vec<Spent>,
    /// Connections that mostly waited for somebody to ask or to answer, and how long those lasted.
    pub(crate) waiting: Waiting,
    /// Connections with data whose clock is wrong: their times are in no sum of the page.
    pub(crate) wrong_clock: u64,
    /// Names of languages and servers by the ids that `line_programs` of fixes have.
    pub(crate) programs: BTreeMap<&'static str, &'static str>,
    /// Ids of the ways to fail. Index = `Overview.failure`.
    pub(crate) failures: Vec<&'static str>,
    /// Diagnosis with all sentences, by language: documents of schema `tcpwhy/1` (`tcpwhy schema`) that hold
    /// the captures and the connections that matter most, without timelines. The languages differ in words
    /// only.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<tcpwhy_report::dto::Document>"))]
    pub(crate) documents: ByLanguage<Value>,
    /// What is compared, where the page is of `tcpwhy compare`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) comparison: Option<&'a Compared>,
    /// Charts, for connections as the budget allowed, those that lost most first. Look up by `connection`.
    pub(crate) charts: &'a [ConnectionChart],
    /// Where more detail can be asked for; null in a file.
    pub(crate) server: Option<Server>,
}

/// Two captures, or the two ends of connections, beside each other.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Compared {
    /// `captures`, `connections` or `ends` (the same connections, captured at two places).
    pub(crate) mode: &'static str,
    /// How the captures are called.
    pub(crate) captures: [String; 2],
    pub(crate) pairs: Vec<ComparedPair>,
    /// Servers of both captures, the worst change first.
    pub(crate) services: Vec<ComparedService>,
    /// Servers that are not listed, because they changed less.
    pub(crate) services_omitted: u64,
    /// Those that belong together in all, and how many of them are alike and are not shown.
    pub(crate) count: u64,
    pub(crate) alike: u64,
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<CompareWords>"))]
    pub(crate) words: ByLanguage<CompareWords>,
}

/// Two connections that belong together.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ComparedPair {
    /// Their numbers.
    pub(crate) connections: [u64; 2],
    /// Whose data is compared: indices of ends.
    pub(crate) senders: [usize; 2],
    /// How much later the second begins on the axis of the first, seconds: of one connection at two places,
    /// by the clock of the first capture.
    pub(crate) shift_s: f64,
}

/// A server in both captures. Lists of two are: before, after.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ComparedService {
    /// Address and port; they differ where the captures are of different hosts.
    pub(crate) servers: [String; 2],
    pub(crate) connections: [u64; 2],
    /// Connections that failed.
    pub(crate) failed: [u64; 2],
    /// Requests with an answer.
    pub(crate) requests: [u64; 2],
    /// Median and 95 % of the requests, seconds; null without requests.
    pub(crate) time_s: [Option<[f64; 2]>; 2],
}

/// What a comparison says in sentences.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CompareWords {
    /// The sentence that compares: the heading of the page.
    pub(crate) sentence: String,
    /// By pair: the sentence that compares its connections.
    pub(crate) pairs: Vec<String>,
    /// What the captures are to each other, and how many connections only one of them has.
    pub(crate) heads: Vec<String>,
    /// What changed, new and worse problems first.
    pub(crate) changes: Vec<String>,
    /// By pair: what both captures say together.
    pub(crate) together: Vec<Vec<String>>,
}

/// What a client called its server.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndName {
    /// The server: `192.0.2.80:443`.
    pub(crate) end: String,
    /// Its name there: of TLS (SNI), or of HTTP (`Host`).
    pub(crate) name: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ChartAnswer {
    #[cfg_attr(test, schemars(extend("const" = FORMAT)))]
    pub(crate) format: &'static str,
    /// As in `ViewData.documents`, for a connection that is not among those of the page.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<tcpwhy_report::dto::Document>"))]
    pub(crate) documents: ByLanguage<Value>,
    pub(crate) chart: ConnectionChart,
}

/// `GET {chart}?connection=ID[&from=S][&to=S]` answers a `ChartAnswer` for that connection and window (whole
/// without), in as much detail as the answer's bound allows; 404 for no such connection.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Server {
    /// Relative URL, `api/chart`.
    pub(crate) chart: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LimitLook {
    /// `send_buffer` …; of what the application did `idle`, `think`, `paced_writes`, `peer_turn`, `peer_window`.
    pub(crate) id: &'static str,
    /// The limit that it is, or is a form of: `application`.
    pub(crate) limit: &'static str,
    /// One letter, the same as in the terminal.
    pub(crate) letter: char,
    /// `#rrggbb`, for either ground. Text on it: `ink`.
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
    pub(crate) ink_light: &'static str,
    pub(crate) ink_dark: &'static str,
    /// So that colour is never the only mark.
    pub(crate) pattern: Pattern,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Cause {
    /// Index into `ViewData.limits`.
    pub(crate) limit: usize,
    /// Detail id (`slow_reader`) or null.
    pub(crate) detail: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Reason"))]
pub(crate) struct ReasonLook {
    /// `room_left_unused`: its sentence is the message `why-room-left-unused`; `{length}` in it is the length of the
    /// interval.
    pub(crate) id: &'static str,
    /// Names of the numbers in `Timeline.values`, their units at the end: `flight_bytes`, `rtt_us`,
    /// `room_unused_share`, `rate_bits_per_s`.
    pub(crate) measures: Vec<&'static str>,
}

/// Columns over connections, those that lost most first. `ids[i]` is the number that `--connection` and `#c3`
/// take.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Overview {
    /// Connections in all captures (after --host etc.).
    pub(crate) connections: u64,
    /// Of these, how many are not in the rows for want of room; and what they carried.
    pub(crate) omitted: Omitted,
    pub(crate) rows: usize,
    pub(crate) id: Column,
    /// `10.0.0.1:3306` of the end that sent more (row's direction: from → to).
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
    /// Start of the connection, seconds from the first packet of all captures.
    pub(crate) start_s: Column,
    /// First to last packet.
    pub(crate) duration_s: Column,
    /// Time of the main direction from its first to its last data acknowledged; unknown without data.
    pub(crate) transfer_s: Column,
    /// Unique payload bytes of the main direction, and of the other.
    pub(crate) bytes: Column,
    pub(crate) bytes_back: Column,
    pub(crate) goodput_bits_per_s: Column,
    pub(crate) retransmitted_bytes: Column,
    /// Index into causes of the verdict; unknown (255) if nothing is worth acting on.
    pub(crate) verdict: Column,
    /// Seconds under the verdict's limit.
    pub(crate) verdict_s: Column,
    /// Seconds that a change would save: as predicted, or at most.
    pub(crate) lost_s: Column,
    /// 1 where `lost_s` is predicted; 0 where it is an upper bound.
    pub(crate) is_saving_predicted: Column,
    /// 0 none, 1 info, 2 warning, 3 critical: gravest finding.
    pub(crate) severity: Column,
    /// Index into `ViewData.services`; unknown for a server that is not there.
    pub(crate) service: Column,
    /// Index into `ViewData.failures`; unknown where it did not fail.
    pub(crate) failure: Column,
    /// Index into `problems` of the documents: that it failed as others did. Unknown for none.
    pub(crate) failed_problem: Column,
    /// The same: that it was slow for the same reason as others.
    pub(crate) slow_problem: Column,
    /// Exchanges, requests with an answer.
    pub(crate) exchanges: Column,
    /// A bit for each bin of `ViewData.bins` that counts it: exact, as there are fewer than 53.
    pub(crate) bins: Column,
    /// 1 where a person types.
    pub(crate) interactive: Column,
    /// 1 where a connection without data only checked whether somebody answers: a health check, or part of a
    /// scan.
    pub(crate) probe: Column,
    /// Index into `captures` of the documents; unknown where captures were merged.
    pub(crate) capture: Column,
    /// 1 where `charts` has it, 2 where only `documents` has it, 0 neither (a server can be asked).
    pub(crate) detail: Column,
}

/// A server's address and port with what it answered.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ServiceLine {
    /// `10.0.0.1:3306`
    pub(crate) server: String,
    /// Connections, failed and empty ones too.
    pub(crate) connections: u64,
    /// Connections that failed, by kind; those that did not happen are left out.
    pub(crate) failures: Vec<FailureCount>,
    /// Connections at which a person types.
    pub(crate) interactive: u64,
    /// Payload of both directions.
    pub(crate) bytes: u64,
    /// Requests with an answer.
    pub(crate) exchanges: u64,
    /// Median, 95 % and longest of the exchanges, or of the connections where there are no exchanges; null
    /// without either.
    pub(crate) time_s: Option<[f64; 3]>,
    /// Time of the exchanges that server, network and client took; null without exchanges.
    pub(crate) parts_s: Option<[f64; 3]>,
    /// Index into `ViewData.limits` of what most of the time went to; null without data.
    pub(crate) limit: Option<usize>,
    /// How long the exchanges took, or the connections where there are none, and how long those lasted that
    /// failed.
    pub(crate) histogram: Histogram,
}

/// Connections that failed in one way.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "FailuresOfService"))]
pub(crate) struct FailureCount {
    /// Index by its id in `ViewData.failures`: `refused`.
    pub(crate) kind: &'static str,
    pub(crate) connections: u64,
}

/// Counts in bins from `first` on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Histogram {
    pub(crate) first: usize,
    pub(crate) done: Vec<u32>,
    pub(crate) failed: Vec<u32>,
}

/// A logarithmic scale: bin 0 has all below `least_s`, bin `i` begins at `least_s * 10^((i - 1) /
/// per_decade)`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Bins {
    pub(crate) count: usize,
    pub(crate) per_decade: u32,
    pub(crate) least_s: f64,
}

/// Time under one limit.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Spent {
    /// Index into `ViewData.limits`.
    pub(crate) limit: usize,
    pub(crate) seconds: f64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Waiting {
    pub(crate) connections: u64,
    pub(crate) seconds: f64,
    /// The seconds of the interactive connections among them, at which a person types.
    pub(crate) person_s: f64,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Omitted {
    pub(crate) connections: u64,
    pub(crate) bytes: u64,
    pub(crate) lost_s: f64,
}

/// Everything to draw for one connection.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConnectionChart {
    pub(crate) connection: u64,
    /// First packet, ns since the epoch (may exceed 2^53: a string of digits).
    pub(crate) start_ns: String,
    pub(crate) duration_s: f64,
    /// What of time this answers: `[0, duration_s]` in a page; the window asked for in a `ChartAnswer`.
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
    pub(crate) endpoints: [String; 2],
    /// Directions that carried payload.
    pub(crate) halves: Vec<HalfChart>,
    /// Requests and their answers, for lanes; null where there are none, and in the answer for a window.
    pub(crate) exchanges: Option<Exchanges>,
    /// Every packet of the connection in `[from_s, to_s]`, or null where that would be too many.
    pub(crate) packets: Option<Packets>,
    /// Packets in `[from_s, to_s]`.
    pub(crate) packet_count: u64,
}

/// Requests with their answers as they passed the capture point, in the order of time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "ExchangeColumns"))]
pub(crate) struct Exchanges {
    /// Index of the end that asks.
    pub(crate) client: usize,
    /// How many there were; `rows` are the slowest of them.
    pub(crate) count: u64,
    pub(crate) rows: usize,
    /// First data of the request.
    pub(crate) t: Column,
    /// To its last data, from there to the first data of the answer, and from there to its last.
    pub(crate) request_s: Column,
    pub(crate) gap_s: Column,
    pub(crate) answer_s: Column,
    /// The server's response time, part of the gap; the rest is the path's.
    pub(crate) server_s: Column,
    /// The server's pauses within the answer, part of it.
    pub(crate) pauses_s: Column,
    pub(crate) request_bytes: Column,
    pub(crate) answer_bytes: Column,
    /// Packet numbers of the first data of the request and the last of the answer.
    pub(crate) first_packet: Column,
    pub(crate) last_packet: Column,
}

/// One direction: `sender`'s data, and what the other end said of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct HalfChart {
    #[cfg_attr(test, schemars(extend("enum" = [0, 1])))]
    pub(crate) sender: usize,
    /// Width of the bins of `segments` and `states` in seconds; 0: exact, a row an event. A row of a bin
    /// covers `bin_s` from t on, bins in which nothing happened have no row.
    pub(crate) bin_s: f64,
    /// Where the limits account for time: seconds.
    pub(crate) span: Stretch,
    pub(crate) timeline: Timeline,
    /// New data (`bin_s` of its own, 0 if exact): drawn as a vertical bar [lo, hi) at t. Exceptional segments are in
    /// `marks`.
    pub(crate) segments: Segments,
    pub(crate) states: States,
    pub(crate) rtt: RoundTrips,
    pub(crate) throughput: Throughput,
    pub(crate) marks: Marks,
    /// The sending socket as its kernel saw it; left out where no kernel did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) socket: Option<Socket>,
    /// Horizontal lines of the window chart.
    pub(crate) lines: Vec<Line>,
    /// What shows at a glance what limited it.
    pub(crate) proof: Proof,
    /// Smallest round trip of the whole direction (s), for queueing delay = rtt - `rtt_min`; null if none.
    pub(crate) rtt_min_s: Option<f64>,
    /// Flight, RTT come from the order at the sender: "exact" seen there, "inferred" put back from elsewhere.
    #[cfg_attr(test, schemars(extend("enum" = ["sender", "receiver", "middle", "unknown"])))]
    pub(crate) vantage: &'static str,
    pub(crate) mss: Option<u64>,
    /// All of the direction's numbers, for scales: the highest sequence offset, right edge, window, flight.
    pub(crate) extent: Extent,
}

/// The chart that comes first, and the sentence that is written on it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Proof {
    pub(crate) chart: ProofChart,
    /// By language; empty where nothing is worth one.
    pub(crate) sentences: ByLanguage<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Stretch {
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
}

/// The partition of time: row i holds from t[i] to t[i+1] (the last to `span.to_s`).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Timeline {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    /// Index into `ViewData.causes`.
    pub(crate) cause: Column,
    /// 0 to 100, percent.
    pub(crate) confidence: Column,
    /// Key into `ViewData.reasons`: what decided the interval, or most of it.
    pub(crate) reason: Column,
    /// The numbers of the reason's measures: column i holds those of measure i. Means over the interval.
    pub(crate) values: Vec<Column>,
    /// Index into `ViewData.limits`: another limit that the packets would allow as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) other: Option<Column>,
    /// Index into `ViewData.deciders`: what would tell the two apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decider: Option<Column>,
    /// Those that occur in it.
    #[serde(skip)]
    pub(crate) reasons: BTreeSet<Reason>,
    /// Whether many short intervals were absorbed by neighbours (totals in the document stay exact).
    pub(crate) is_coarsened: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Segments {
    pub(crate) rows: usize,
    /// Width of its bins; 0: exact. Each table has its own.
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    /// First and one past the last byte.
    pub(crate) lo: Column,
    pub(crate) hi: Column,
    /// Packet number in the capture file (of the first of a bin).
    pub(crate) packet: Column,
    /// Only when binned: segments in the bin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Column>,
}

/// A value that is exact for a row, or the range it covered in a bin: without `hi` both are equal.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Bounds"))]
pub(crate) struct Range {
    pub(crate) lo: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hi: Option<Column>,
}

/// Values after each event (step functions: hold until the next row); ranges over a bin when binned.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct States {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    /// Everything below is acknowledged, as captured: the ACK line.
    pub(crate) una: Range,
    /// Right edge that the receiver offers.
    pub(crate) edge: Range,
    /// Offered window.
    pub(crate) window: Range,
    /// Sent and not acknowledged, as the sender saw it.
    pub(crate) flight: Range,
    /// Bytes in flight less what SACK reports as received or lost, plus what was retransmitted (RFC 6675
    /// `pipe`).
    pub(crate) pipe: Range,
    /// The congestion window is at least this: the largest flight since the last loss or idle period.
    pub(crate) cwnd_floor: Range,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RoundTrips {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    /// Seconds.
    pub(crate) rtt: Range,
}

/// Samples of a socket, or the extremes of neighbouring samples. All in bytes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Socket {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    /// The send buffer, `sk_sndbuf`.
    pub(crate) buffer: Range,
    /// Memory of what waits to be sent or acknowledged, `sk_wmem_queued`.
    pub(crate) queued: Range,
    pub(crate) unsent: Range,
    pub(crate) flight: Range,
    /// The congestion window.
    pub(crate) cwnd: Range,
    pub(crate) window: Range,
    /// 1 where a program that writes waits for room, else 0.
    pub(crate) full: Column,
}

/// Bins of `bin_s`, those with nothing left out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Throughput {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    /// Start of the bin.
    pub(crate) t: Column,
    /// New bytes acknowledged in it: goodput.
    pub(crate) acked: Column,
    /// Payload bytes sent in it, with repeats.
    pub(crate) sent: Column,
    /// Payload bytes retransmitted in it.
    pub(crate) resent: Column,
}

/// Every exceptional event, exactly; where there were too many of a kind, neighbours are merged: `count`
/// tells how many, `[t, t_end]` and [lo, hi) cover them. Always draw at least a pixel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Marks {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    /// Absent: all exact, equal to t.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) t_end: Option<Column>,
    /// Index into `ViewData.mark_kinds`.
    pub(crate) kind: Column,
    pub(crate) lo: Column,
    pub(crate) hi: Column,
    /// Packet number (of the first).
    pub(crate) packet: Column,
    /// Absent: all 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Column>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Line {
    pub(crate) kind: LineKind,
    pub(crate) bytes: u64,
    /// Where it holds; the whole span if null.
    pub(crate) from_s: Option<f64>,
    pub(crate) to_s: Option<f64>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Extent {
    pub(crate) seq: u64,
    pub(crate) edge: Option<u64>,
    pub(crate) window: Option<u64>,
    pub(crate) flight: u64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Packets {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    /// As Wireshark counts, from 1.
    pub(crate) number: Column,
    /// Index of the sending endpoint.
    pub(crate) from: Column,
    /// Offset in the sender's stream (relative sequence number less 1 when the SYN was seen); unknown if it
    /// has no place there.
    pub(crate) seq: Column,
    pub(crate) len: Column,
    /// Offset in the peer's stream; unknown without ACK flag.
    pub(crate) ack: Column,
    /// Bytes, scaled; unknown while the scale is.
    pub(crate) window: Column,
    /// TCP flags: FIN 1 SYN 2 RST 4 PSH 8 ACK 16 URG 32 ECE 64 CWR 128 AE 256.
    pub(crate) flags: Column,
    /// What it was: index into `packet_kinds`: 0 ordinary, else 1 + index into `ViewData.mark_kinds`.
    pub(crate) kind: Column,
    /// Options present: MSS 1, window scale 2, SACK permitted 4, SACK 8, timestamps 16, MPTCP 32, fast open
    /// 64, accurate ECN 128.
    pub(crate) options: Column,
    pub(crate) tsval: Column,
    pub(crate) tsecr: Column,
}

/// Schemas that do not follow from a type.
#[cfg(test)]
mod described {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    /// All of them are there, and no other.
    pub(super) fn by_language<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
        let of_one = generator.subschema_for::<T>();
        let tags = tcpwhy_report::Language::ALL.map(tcpwhy_report::Language::tag);
        let properties: BTreeMap<_, _> = tags.iter().map(|&tag| (tag, of_one.clone())).collect();
        json_schema!({ "type": "object", "properties": properties, "required": tags })
    }

    /// Stands for the tag of a language.
    pub(super) enum Language {}

    impl JsonSchema for Language {
        fn schema_name() -> Cow<'static, str> {
            "Language".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "enum": tcpwhy_report::Language::ALL.map(tcpwhy_report::Language::tag) })
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;
    use schemars::generate::SchemaSettings;

    use super::super::documents::{ConnectionWords, EvidenceWords, FindingWords, FixWords, HalfWords, ProblemWords};
    use super::*;

    /// The schema of everything that the page is given.
    fn contract() -> Value {
        let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        generator.subschema_for::<ChartAnswer>();
        let words = [
            ("Connection", generator.root_schema_for::<ConnectionWords>()),
            ("Half", generator.root_schema_for::<HalfWords>()),
            ("Problem", generator.root_schema_for::<ProblemWords>()),
            ("Finding", generator.root_schema_for::<FindingWords>()),
            ("Evidence", generator.root_schema_for::<EvidenceWords>()),
            ("Fix", generator.root_schema_for::<FixWords>()),
        ];
        let mut schema = generator.into_root_schema_for::<ViewData<'_>>().to_value();
        for (name, added) in words {
            // In documents of the page, and there alone, these are among the others.
            let object = &mut schema["$defs"][name];
            for (key, value) in added.as_value()["properties"].as_object().unwrap() {
                object["properties"][key] = value.clone();
                require(object, key);
            }
        }
        // The page has it as `headlines`.
        remove(&mut schema["$defs"]["Document"], "answer");
        schema["$defs"].as_object_mut().unwrap().remove("Answer");
        for (name, key) in WORDS {
            require(&mut schema["$defs"][name], key);
        }
        for object in schema["$defs"].as_object_mut().unwrap().values_mut() {
            leave_out_null(object);
        }
        leave_out_null(&mut schema);
        schema
    }

    /// What `tcpwhy/1` leaves out without words: the page's documents have all of them.
    const WORDS: [(&str, &str); 7] = [
        ("Ambiguity", "would_decide"),
        ("Anomaly", "text"),
        ("AnswerWords", "why"),
        ("Finding", "sentence"),
        ("Fix", "lines"),
        ("Fix", "text"),
        ("Verdict", "sentence"),
    ];

    fn require(object: &mut Value, key: &str) {
        assert!(object["properties"][key].is_object(), "there is no {key}");
        let required = object["required"].as_array_mut().unwrap();
        if !required.contains(&key.into()) {
            required.push(key.into());
        }
        without_null(&mut object["properties"][key]);
    }

    fn remove(object: &mut Value, key: &str) {
        let removed = object["properties"].as_object_mut().unwrap().remove(key);
        assert!(removed.is_some(), "there is no {key}");
        object["required"].as_array_mut().unwrap().retain(|one| one != key);
    }

    /// A field that may be left out is so where it would be null.
    fn leave_out_null(object: &mut Value) {
        let required = object.get("required").cloned().unwrap_or_default();
        let is_required = |key: &String| required.as_array().is_some_and(|all| all.contains(&key.as_str().into()));
        let Some(Value::Object(properties)) = object.get_mut("properties") else { return };
        for (_, value) in properties.iter_mut().filter(|(key, _)| !is_required(key)) {
            without_null(value);
        }
    }

    fn without_null(value: &mut Value) {
        if let Some(Value::Array(types)) = value.get_mut("type") {
            types.retain(|t| t != "null");
        }
        if let Some(Value::Array(types)) = value.get_mut("anyOf") {
            types.retain(|t| t["type"] != "null");
        }
    }

    #[test]
    fn a_kind_of_mark_has_one_id() {
        for kind in MarkKind::ALL {
            assert_eq!(serde_json::json!(kind), kind.id());
        }
    }

    /// The page's types are made of `viewer/contract.json` by `viewer/build`, so they cannot differ from
    /// these.
    #[test]
    fn the_page_is_built_against_these_types() {
        let schema = contract();
        let doubled: Vec<_> = schema["$defs"].as_object().unwrap().keys().filter(|k| k.ends_with('2')).collect();
        assert!(doubled.is_empty(), "two types have one name: {doubled:?}");
        // After a change: UPDATE_EXPECT=1 cargo test -p tcpwhy-view --lib, then viewer/build.
        expect_file!["../../../../viewer/contract.json"].assert_eq(&format!("{schema:#}\n"));
    }
}
