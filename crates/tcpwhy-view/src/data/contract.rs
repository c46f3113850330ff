//! The contract with the page's TypeScript. `viewer/build` generates the types of the page from these,
//! through `viewer/contract.json`.

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

/// Data that the page embeds as `<script type="application/json" id="tcpwhy-data">`. `tcpwhy serve` sends the
/// same types over HTTP. Fields may be added, never renamed; readers ignore unknown fields.
///
/// Times are seconds from the first packet of the connection, whose time is its `start_ns`, unless a name
/// states otherwise. Sequence positions are bytes from the start of the stream. Position 0 is the first
/// payload byte if the SYN was captured, otherwise the lowest captured offset. Windows are bytes after
/// scaling. Unknown values are null, NaN or the largest value of an unsigned column, never 0.
///
/// The viewer's own words (`viewer-*`) are in `locales/{en,zh-CN}/viewer.ftl` of crate `tcpwhy-report`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ViewData<'a> {
    #[cfg_attr(test, schemars(extend("const" = FORMAT)))]
    pub(crate) format: &'static str,
    pub(crate) tool: Tool,
    /// Initial language; the reader may switch.
    #[cfg_attr(test, schemars(with = "described::Language"))]
    pub(crate) language: &'static str,
    /// Words by language and id. Always: all `viewer-*`, `limit-*` (with hyphens: `limit-send-buffer`),
    /// `detail-*`, `fact-vantage-*`, `basis-*`, `severity-*`, `unit-*`, `unknown`, `yes` and `no`. If needed:
    /// `alternative-*`, `decider-*`, `why-*` of `reasons`, `evidence-*` of their measures, and `kernel-*` if
    /// a kernel's data is shown. `{name}` in a text is replaced by a value.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<BTreeMap<String, String>>"))]
    pub(crate) messages: ByLanguage<BTreeMap<String, String>>,
    /// The limits in the order of the schema, with their colours and patterns; the application is divided by
    /// its activity. Index = `limit` in `Cause`.
    pub(crate) limits: Vec<LimitLook>,
    /// Causes. Index = value in cause columns.
    pub(crate) causes: Vec<Cause>,
    /// Reasons of intervals that the charts refer to; all reasons if a server sends more charts. Key = value
    /// in `Timeline.reason`.
    pub(crate) reasons: BTreeMap<usize, ReasonLook>,
    /// Observations that would decide between two limits. Index = value in `Timeline.decider`.
    pub(crate) deciders: Vec<&'static str>,
    /// Kinds of marks. Index = value in `Marks.kind`.
    pub(crate) mark_kinds: Vec<MarkKind>,
    /// Names by address (`192.0.2.1`), if they were asked for and there are any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) names: BTreeMap<String, String>,
    /// Names that clients used for their servers, and the servers' ends, by the connection's number; only if
    /// they were asked for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) server_names: BTreeMap<u64, EndName>,
    /// All connections, or the most important ones (see `omitted`).
    pub(crate) overview: Overview,
    /// The terminal's first lines about all connections, by language.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<Headline>"))]
    pub(crate) headlines: ByLanguage<Headline>,
    /// Servers: first those with problems, then those with the most connections. Index = `Overview.service`.
    pub(crate) services: Vec<ServiceLine>,
    /// Number of servers that are not listed.
    pub(crate) services_omitted: u64,
    /// Scale of the histograms in `services` and `Overview.bins`.
    pub(crate) bins: Bins,
    /// Seconds of each limit that occurs, in the principal directions of connections that did not mostly
    /// wait.
    pub(crate) spent: Vec<Spent>,
    /// Connections that mostly waited for requests or answers, and their duration.
    pub(crate) waiting: Waiting,
    /// Number of connections with data whose clock is wrong: their times are in no sum of the page.
    pub(crate) wrong_clock: u64,
    /// Names of languages and servers, by the ids in `line_programs` of fixes.
    pub(crate) programs: BTreeMap<&'static str, &'static str>,
    /// Ids of failures. Index = `Overview.failure`.
    pub(crate) failures: Vec<&'static str>,
    /// Diagnosis with all sentences, by language: documents of schema `tcpwhy/1` (`tcpwhy schema`). They
    /// contain the captures and the most important connections, without timelines. The languages differ only
    /// in words.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<tcpwhy_report::dto::Document>"))]
    pub(crate) documents: ByLanguage<Value>,
    /// The comparison, on the page of `tcpwhy compare`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) comparison: Option<&'a Compared>,
    /// Charts of as many connections as the size limit allows, those that lost the most first. Look up by
    /// `connection`.
    pub(crate) charts: &'a [ConnectionChart],
    /// Server that can be asked for more detail; null in a file.
    pub(crate) server: Option<Server>,
}

/// Two captures, or the two ends of connections, in comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Compared {
    /// `captures`, `connections` or `ends` (the same connections, captured at two places).
    pub(crate) mode: &'static str,
    /// Names of the captures.
    pub(crate) captures: [String; 2],
    pub(crate) pairs: Vec<ComparedPair>,
    /// Servers of both captures, worst change first.
    pub(crate) services: Vec<ComparedService>,
    /// Number of servers that are not listed, because they changed less.
    pub(crate) services_omitted: u64,
    /// Number of corresponding pairs, and how many of them are alike and therefore not shown.
    pub(crate) count: u64,
    pub(crate) alike: u64,
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<CompareWords>"))]
    pub(crate) words: ByLanguage<CompareWords>,
}

/// Two corresponding connections.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ComparedPair {
    /// Numbers of the connections.
    pub(crate) connections: [u64; 2],
    /// Senders of the compared data: indexes of ends.
    pub(crate) senders: [usize; 2],
    /// Start of the second connection on the time axis of the first, seconds. For one connection at two
    /// places, by the clock of the first capture.
    pub(crate) shift_s: f64,
}

/// A server in both captures. Lists have two entries: before and after.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ComparedService {
    /// Address and port; they differ if the captures are from different hosts.
    pub(crate) servers: [String; 2],
    pub(crate) connections: [u64; 2],
    /// Number of connections that failed.
    pub(crate) failed: [u64; 2],
    /// Number of requests with an answer.
    pub(crate) requests: [u64; 2],
    /// Median and 95th percentile of the requests' times, seconds; null without requests.
    pub(crate) time_s: [Option<[f64; 2]>; 2],
}

/// A comparison in sentences.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CompareWords {
    /// The sentence that compares: the heading of the page.
    pub(crate) sentence: String,
    /// The sentence that compares the connections of each pair.
    pub(crate) pairs: Vec<String>,
    /// How the captures are related, and how many connections only one of them has.
    pub(crate) heads: Vec<String>,
    /// Changes, new and worse problems first.
    pub(crate) changes: Vec<String>,
    /// What both captures of each pair show together.
    pub(crate) together: Vec<Vec<String>>,
}

/// The name that a client used for its server.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndName {
    /// The server: `192.0.2.80:443`.
    pub(crate) end: String,
    /// The name from TLS (SNI) or HTTP (`Host`).
    pub(crate) name: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ChartAnswer {
    #[cfg_attr(test, schemars(extend("const" = FORMAT)))]
    pub(crate) format: &'static str,
    /// As in `ViewData.documents`, for a connection that the page does not have.
    #[cfg_attr(test, schemars(schema_with = "described::by_language::<tcpwhy_report::dto::Document>"))]
    pub(crate) documents: ByLanguage<Value>,
    pub(crate) chart: ConnectionChart,
}

/// `GET {chart}?connection=ID[&from=S][&to=S]` returns a `ChartAnswer` for that connection and window.
/// Without a window, it covers the whole connection. The size limit of an answer bounds the detail. The
/// status is 404 if the connection does not exist.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Server {
    /// Relative URL, `api/chart`.
    pub(crate) chart: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LimitLook {
    /// `send_buffer` …; for an activity of the application `idle`, `think`, `paced_writes`, `peer_turn` or
    /// `peer_window`.
    pub(crate) id: &'static str,
    /// The limit, also for an activity: `application`.
    pub(crate) limit: &'static str,
    /// One letter, the same as in the terminal.
    pub(crate) letter: char,
    /// Colour as `#rrggbb`, on a light or a dark background. `ink` is the colour of text on it.
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
    pub(crate) ink_light: &'static str,
    pub(crate) ink_dark: &'static str,
    /// Pattern, so that colour is never the only sign.
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
    /// Id such as `room_left_unused`. Its sentence is the message `why-room-left-unused`, in which `{length}`
    /// is the length of the interval.
    pub(crate) id: &'static str,
    /// Names of the numbers in `Timeline.values`, which end in their units: `flight_bytes`, `rtt_us`,
    /// `room_unused_share`, `rate_bits_per_s`.
    pub(crate) measures: Vec<&'static str>,
}

/// Columns over connections, those that lost the most first. `id[i]` is the number for `--connection` and
/// `#c3`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Overview {
    /// Number of connections in all captures, after filters such as --host.
    pub(crate) connections: u64,
    /// Connections that are not in the rows for lack of room, and the sum of their data.
    pub(crate) omitted: Omitted,
    pub(crate) rows: usize,
    pub(crate) id: Column,
    /// Ends such as `10.0.0.1:3306`; `from` is the end that sent more.
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
    /// Start of the connection, seconds from the first packet of all captures.
    pub(crate) start_s: Column,
    /// Seconds from the first to the last packet.
    pub(crate) duration_s: Column,
    /// Seconds of the main direction from its first data to the last ACK of its data; unknown without data.
    pub(crate) transfer_s: Column,
    /// Unique payload bytes of the main direction, and of the other one.
    pub(crate) bytes: Column,
    pub(crate) bytes_back: Column,
    pub(crate) goodput_bits_per_s: Column,
    pub(crate) retransmitted_bytes: Column,
    /// Index into causes of the verdict; unknown (255) if no limit is worth a change.
    pub(crate) verdict: Column,
    /// Seconds under the verdict's limit.
    pub(crate) verdict_s: Column,
    /// Seconds that a change would save: predicted, or an upper bound.
    pub(crate) lost_s: Column,
    /// 1 if `lost_s` is predicted; 0 if it is an upper bound.
    pub(crate) is_saving_predicted: Column,
    /// Most severe finding: 0 none, 1 info, 2 warning, 3 critical.
    pub(crate) severity: Column,
    /// Index into `ViewData.services`; unknown for a server that is not listed.
    pub(crate) service: Column,
    /// Index into `ViewData.failures`; unknown if it did not fail.
    pub(crate) failure: Column,
    /// Index into `problems` of the documents, if it failed as others did; unknown without one.
    pub(crate) failed_problem: Column,
    /// Index into `problems` of the documents, if it was slow for the same reason as others; unknown without
    /// one.
    pub(crate) slow_problem: Column,
    /// Number of exchanges, which are requests with an answer.
    pub(crate) exchanges: Column,
    /// A bit for each bin of `ViewData.bins` that counts it: exact, because there are fewer than 53 bins.
    pub(crate) bins: Column,
    /// 1 if a person types.
    pub(crate) interactive: Column,
    /// 1 if a connection without data only checked whether the server answers: a health check, or part of a
    /// scan.
    pub(crate) probe: Column,
    /// Index into `captures` of the documents; unknown if captures were merged.
    pub(crate) capture: Column,
    /// 1 if `charts` has it, 2 if only `documents` has it, 0 if neither does (ask the server if there is
    /// one).
    pub(crate) detail: Column,
}

/// Address and port of a server, with its traffic and response times.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ServiceLine {
    /// Address and port: `10.0.0.1:3306`.
    pub(crate) server: String,
    /// Number of connections, including failed and empty ones.
    pub(crate) connections: u64,
    /// Connections that failed, by kind; kinds that did not occur are absent.
    pub(crate) failures: Vec<FailureCount>,
    /// Number of connections on which a person types.
    pub(crate) interactive: u64,
    /// Payload of both directions.
    pub(crate) bytes: u64,
    /// Requests with an answer.
    pub(crate) exchanges: u64,
    /// Median, 95th percentile and maximum of the exchanges' times, or of the connections' without exchanges;
    /// null without either. Unit: seconds.
    pub(crate) time_s: Option<[f64; 3]>,
    /// Seconds of the exchanges that server, network and client took; null without exchanges.
    pub(crate) parts_s: Option<[f64; 3]>,
    /// Index into `ViewData.limits` of the limit with the most time; null without data.
    pub(crate) limit: Option<usize>,
    /// Durations of the exchanges (of the connections, if there are no exchanges), and of failed connections.
    pub(crate) histogram: Histogram,
}

/// Connections that failed in one way.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "FailuresOfService"))]
pub(crate) struct FailureCount {
    /// Id of the failure, as in `ViewData.failures`: `refused`.
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

/// A logarithmic scale: bin 0 has all durations below `least_s`, bin `i` begins at `least_s * 10^((i - 1) /
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
    /// Seconds of the interactive connections among them, on which a person types.
    pub(crate) person_s: f64,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Omitted {
    pub(crate) connections: u64,
    pub(crate) bytes: u64,
    pub(crate) lost_s: f64,
}

/// The data for the charts of one connection.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConnectionChart {
    pub(crate) connection: u64,
    /// First packet, nanoseconds since the epoch, as a string of digits because it may exceed 2^53.
    pub(crate) start_ns: String,
    pub(crate) duration_s: f64,
    /// Time that this covers: `[0, duration_s]` in a page; the requested window in a `ChartAnswer`.
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
    pub(crate) endpoints: [String; 2],
    /// Directions that carried payload.
    pub(crate) halves: Vec<HalfChart>,
    /// Requests and their answers, for lanes; null if there are none, and in the answer for a window.
    pub(crate) exchanges: Option<Exchanges>,
    /// Every packet of the connection in `[from_s, to_s]`, or null if there are too many.
    pub(crate) packets: Option<Packets>,
    /// Number of packets in `[from_s, to_s]`.
    pub(crate) packet_count: u64,
}

/// Requests with their answers at the capture point, in the order of time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "ExchangeColumns"))]
pub(crate) struct Exchanges {
    /// Index of the end that sends requests.
    pub(crate) client: usize,
    /// Number of exchanges; `rows` has the slowest of them.
    pub(crate) count: u64,
    pub(crate) rows: usize,
    /// Time of the request's first data.
    pub(crate) t: Column,
    /// Seconds from the first to the last data of the request, then to the first data of the answer, then to
    /// its last.
    pub(crate) request_s: Column,
    pub(crate) gap_s: Column,
    pub(crate) answer_s: Column,
    /// Response time of the server, a part of the gap; the remaining part is the path's.
    pub(crate) server_s: Column,
    /// Pauses of the server within the answer, a part of it.
    pub(crate) pauses_s: Column,
    pub(crate) request_bytes: Column,
    pub(crate) answer_bytes: Column,
    /// Packet numbers of the first data of the request and of the last data of the answer.
    pub(crate) first_packet: Column,
    pub(crate) last_packet: Column,
}

/// One direction: the data of `sender`, and the ACKs and windows of the other end.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct HalfChart {
    #[cfg_attr(test, schemars(extend("enum" = [0, 1])))]
    pub(crate) sender: usize,
    /// Width of the bins of `segments` and `states` in seconds; 0: each row is one event. The row of a bin
    /// covers `bin_s` from t on; bins without events have no row.
    pub(crate) bin_s: f64,
    /// Time that the limits divide, seconds.
    pub(crate) span: Stretch,
    pub(crate) timeline: Timeline,
    /// New data (with its own `bin_s`, 0 if exact), drawn as a vertical bar [lo, hi) at t. Marked segments
    /// are in `marks`.
    pub(crate) segments: Segments,
    pub(crate) states: States,
    pub(crate) rtt: RoundTrips,
    pub(crate) throughput: Throughput,
    pub(crate) marks: Marks,
    /// State of the sending socket according to its kernel; absent without the kernel's data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) socket: Option<Socket>,
    /// Horizontal lines of the window chart.
    pub(crate) lines: Vec<Line>,
    /// The chart that best shows the limit, with a sentence.
    pub(crate) proof: Proof,
    /// Smallest round-trip time of the whole direction in seconds, for queueing delay = rtt - `rtt_min`; null
    /// without one.
    pub(crate) rtt_min_s: Option<f64>,
    /// Capture point. Bytes in flight and RTT are exact at the sender; from elsewhere, the order of packets
    /// at the sender is inferred.
    #[cfg_attr(test, schemars(extend("enum" = ["sender", "receiver", "middle", "unknown"])))]
    pub(crate) vantage: &'static str,
    pub(crate) mss: Option<u64>,
    /// Largest values of the direction, for scales: sequence offset, right edge, window, bytes in flight.
    pub(crate) extent: Extent,
}

/// The chart that comes first, and the sentence written on it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Proof {
    pub(crate) chart: ProofChart,
    /// Sentence by language; empty if none is worthwhile.
    pub(crate) sentences: ByLanguage<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Stretch {
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
}

/// The partition of time: row i covers t[i] to t[i+1] (the last row up to `span.to_s`).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Timeline {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    /// Index into `ViewData.causes`.
    pub(crate) cause: Column,
    /// Confidence from 0 to 100, percent.
    pub(crate) confidence: Column,
    /// Key into `ViewData.reasons`: the reason for all or most of the interval.
    pub(crate) reason: Column,
    /// Values of the reason's measures: column i has those of measure i. Means over the interval.
    pub(crate) values: Vec<Column>,
    /// Index into `ViewData.limits`: another limit that the packets also allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) other: Option<Column>,
    /// Index into `ViewData.deciders`: the observation that would decide between the two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decider: Option<Column>,
    /// Reasons that occur in the timeline.
    #[serde(skip)]
    pub(crate) reasons: BTreeSet<Reason>,
    /// Whether neighbours absorbed many short intervals (totals in the document stay exact).
    pub(crate) is_coarsened: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Segments {
    pub(crate) rows: usize,
    /// Width of its bins in seconds; 0: exact. Each table has its own.
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    /// First byte, and one past the last byte.
    pub(crate) lo: Column,
    pub(crate) hi: Column,
    /// Packet number in the capture file; for a bin, of its first packet.
    pub(crate) packet: Column,
    /// Number of segments in the bin; absent unless binned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Column>,
}

/// A value that is exact for a row, or its range in a bin; without `hi` both ends are equal.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Bounds"))]
pub(crate) struct Range {
    pub(crate) lo: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hi: Option<Column>,
}

/// Values after each event (step functions: valid until the next row); ranges over a bin if binned.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct States {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    /// Position up to which everything is acknowledged, as captured: the ACK line.
    pub(crate) una: Range,
    /// Right edge of the window that the receiver offers.
    pub(crate) edge: Range,
    /// Offered window.
    pub(crate) window: Range,
    /// Bytes sent and not acknowledged from the sender's view.
    pub(crate) flight: Range,
    /// Bytes in flight less what SACK reports as received or lost, plus what was retransmitted (RFC 6675
    /// `pipe`).
    pub(crate) pipe: Range,
    /// Lower bound of the congestion window: most bytes in flight since the last loss or idle period.
    pub(crate) cwnd_floor: Range,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RoundTrips {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    pub(crate) t: Column,
    /// Round-trip times, seconds.
    pub(crate) rtt: Range,
}

/// Samples of a socket, or the extremes of neighbouring samples. All values are in bytes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Socket {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    /// Size of the send buffer, `sk_sndbuf`.
    pub(crate) buffer: Range,
    /// Memory of data that waits to be sent or acknowledged, `sk_wmem_queued`.
    pub(crate) queued: Range,
    pub(crate) unsent: Range,
    pub(crate) flight: Range,
    /// The congestion window.
    pub(crate) cwnd: Range,
    pub(crate) window: Range,
    /// 1 while a writing program waits for room, otherwise 0.
    pub(crate) full: Column,
}

/// Bins of `bin_s`; empty bins are absent.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Throughput {
    pub(crate) rows: usize,
    pub(crate) bin_s: f64,
    /// Start of the bin.
    pub(crate) t: Column,
    /// New bytes acknowledged in it: goodput.
    pub(crate) acked: Column,
    /// Payload bytes sent in it, with retransmissions.
    pub(crate) sent: Column,
    /// Payload bytes retransmitted in it.
    pub(crate) resent: Column,
}

/// Every marked event, exactly. If there are too many of a kind, neighbours are merged: `count` is their
/// number, and `[t, t_end]` and [lo, hi) cover them. Draw at least a pixel for each.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Marks {
    pub(crate) rows: usize,
    pub(crate) t: Column,
    /// Absent if all are exact; then equal to t.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) t_end: Option<Column>,
    /// Index into `ViewData.mark_kinds`.
    pub(crate) kind: Column,
    pub(crate) lo: Column,
    pub(crate) hi: Column,
    /// Packet number (of the first event).
    pub(crate) packet: Column,
    /// Absent if all are 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) count: Option<Column>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Line {
    pub(crate) kind: LineKind,
    pub(crate) bytes: u64,
    /// Time in which the line is valid; null for the whole span.
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
    /// Packet number from 1, as in Wireshark.
    pub(crate) number: Column,
    /// Index of the sending endpoint.
    pub(crate) from: Column,
    /// Offset in the sender's stream (relative sequence number less 1 if the SYN was captured); unknown if it
    /// has no place there.
    pub(crate) seq: Column,
    pub(crate) len: Column,
    /// Offset in the peer's stream; unknown without the ACK flag.
    pub(crate) ack: Column,
    /// Window in bytes, scaled; unknown if the scale is unknown.
    pub(crate) window: Column,
    /// TCP flags: FIN 1 SYN 2 RST 4 PSH 8 ACK 16 URG 32 ECE 64 CWR 128 AE 256.
    pub(crate) flags: Column,
    /// Kind of packet: 0 ordinary, otherwise 1 + index into `ViewData.mark_kinds`.
    pub(crate) kind: Column,
    /// Sum of its options: MSS 1, window scale 2, SACK permitted 4, SACK 8, timestamps 16, MPTCP 32, fast
    /// open 64, accurate ECN 128.
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

    /// An object that must have all languages and no other key.
    pub(super) fn by_language<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
        let of_one = generator.subschema_for::<T>();
        let tags = tcpwhy_report::Language::ALL.map(tcpwhy_report::Language::tag);
        let properties: BTreeMap<_, _> = tags.iter().map(|&tag| (tag, of_one.clone())).collect();
        json_schema!({ "type": "object", "properties": properties, "required": tags })
    }

    /// Represents the tag of a language.
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

    /// The schema of all data that the page gets.
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
            // Only documents of the page have these fields, next to those of the schema.
            let object = &mut schema["$defs"][name];
            for (key, value) in added.as_value()["properties"].as_object().unwrap() {
                object["properties"][key] = value.clone();
                require(object, key);
            }
        }
        // The page has the answer in `headlines`.
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

    /// Fields that `tcpwhy/1` leaves out without words; the page's documents have all of them.
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

    /// A field that may be absent is absent, not null, without a value.
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

    /// `viewer/build` generates the page's types from `viewer/contract.json`, so they cannot differ from
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
