// Made by viewer/build from contract.json, that is from crates/tcpwhy-view/src/data/contract.rs: change that.

/**
 * One column of a table: `TYPE:BASE64`, little-endian, as many values as the table has `rows`. `u8`, `u16`, `u32`: unsigned, the largest value means unknown. `f32`, `f64`: NaN means unknown. The writer takes the smallest type that is exact; the reader must take any type for any column.
 */
export type Column = `${'u8' | 'u16' | 'u32' | 'f32' | 'f64'}:${string}`;
/**
 * The meaning of a horizontal line in the window chart.
 */
export type LineKind = 'plateau' | 'bdp' | 'window_max';
/**
 * An event that a chart marks.
 */
export type MarkKind =
    | 'retransmission_fast'
    | 'retransmission_rto'
    | 'retransmission_tlp'
    | 'retransmission_other'
    | 'out_of_order'
    | 'duplicate_frame'
    | 'zero_window'
    | 'probe'
    | 'keep_alive'
    | 'sack'
    | 'dsack'
    | 'syn'
    | 'fin'
    | 'rst';
/**
 * A number, a flag or an identifier.
 */
export type EvidenceValue = number | boolean | string | null;
export type Language = 'en' | 'zh-CN';
/**
 * The pattern of an area, in addition to its colour.
 */
export type Pattern = 'solid' | 'dots' | 'diagonal' | 'back_diagonal' | 'cross' | 'horizontal' | 'vertical' | 'grid';
/**
 * The chart that comes first.
 */
export type ProofChart = ('window' | 'sequence' | 'rtt' | 'throughput') | 'lanes';

/**
 * Data that the page embeds as `<script type="application/json" id="tcpwhy-data">`. `tcpwhy serve` sends the
 * same types over HTTP. Fields may be added, never renamed; readers ignore unknown fields.
 *
 * Times are seconds from the first packet of the connection, whose time is its `start_ns`, unless a name
 * states otherwise. Sequence positions are bytes from the start of the stream. Position 0 is the first
 * payload byte if the SYN was captured, otherwise the lowest captured offset. Windows are bytes after
 * scaling. Unknown values are null, NaN or the largest value of an unsigned column, never 0.
 *
 * The viewer's own words (`viewer-*`) are in `locales/{en,zh-CN}/viewer.ftl` of crate `tcpwhy-report`.
 */
export interface ViewData {
    /**
     * Scale of the histograms in `services` and `Overview.bins`.
     */
    bins: Bins;
    /**
     * Causes. Index = value in cause columns.
     */
    causes: Cause[];
    /**
     * Charts of as many connections as the size limit allows, those that lost the most first. Look up by
     * `connection`.
     */
    charts: ConnectionChart[];
    /**
     * The comparison, on the page of `tcpwhy compare`.
     */
    comparison?: Compared;
    /**
     * Observations that would decide between two limits. Index = value in `Timeline.decider`.
     */
    deciders: string[];
    /**
     * Diagnosis with all sentences, by language: documents of schema `tcpwhy/1` (`tcpwhy schema`). They
     * contain the captures and the most important connections, without timelines. The languages differ only
     * in words.
     */
    documents: {
        en: Document;
        'zh-CN': Document;
    };
    /**
     * Ids of failures. Index = `Overview.failure`.
     */
    failures: string[];
    format: 'tcpwhy-view/1';
    /**
     * The terminal's first lines about all connections, by language.
     */
    headlines: {
        en: Headline;
        'zh-CN': Headline;
    };
    /**
     * Initial language; the reader may switch.
     */
    language: Language;
    /**
     * The limits in the order of the schema, with their colours and patterns; the application is divided by
     * its activity. Index = `limit` in `Cause`.
     */
    limits: LimitLook[];
    /**
     * Kinds of marks. Index = value in `Marks.kind`.
     */
    mark_kinds: MarkKind[];
    /**
     * Words by language and id. Always: all `viewer-*`, `limit-*` (with hyphens: `limit-send-buffer`),
     * `detail-*`, `fact-vantage-*`, `basis-*`, `severity-*`, `unit-*`, `unknown`, `yes` and `no`. If needed:
     * `alternative-*`, `decider-*`, `why-*` of `reasons`, `evidence-*` of their measures, and `kernel-*` if
     * a kernel's data is shown. `{name}` in a text is replaced by a value.
     */
    messages: {
        en: {
            [k: string]: string;
        };
        'zh-CN': {
            [k: string]: string;
        };
    };
    /**
     * Names by address (`192.0.2.1`), if they were asked for and there are any.
     */
    names?: {
        [k: string]: string;
    };
    /**
     * All connections, or the most important ones (see `omitted`).
     */
    overview: Overview;
    /**
     * Names of languages and servers, by the ids in `line_programs` of fixes.
     */
    programs: {
        [k: string]: string;
    };
    /**
     * Reasons of intervals that the charts refer to; all reasons if a server sends more charts. Key = value
     * in `Timeline.reason`.
     */
    reasons: {
        [k: string]: Reason;
    };
    /**
     * Server that can be asked for more detail; null in a file.
     */
    server: Server | null;
    /**
     * Names that clients used for their servers, and the servers' ends, by the connection's number; only if
     * they were asked for.
     */
    server_names?: {
        [k: string]: EndName;
    };
    /**
     * Servers: first those with problems, then those with the most connections. Index = `Overview.service`.
     */
    services: ServiceLine[];
    /**
     * Number of servers that are not listed.
     */
    services_omitted: number;
    /**
     * Seconds of each limit that occurs, in the principal directions of connections that did not mostly
     * wait.
     */
    spent: Spent[];
    tool: Tool;
    /**
     * Connections that mostly waited for requests or answers, and their duration.
     */
    waiting: Waiting;
    /**
     * Number of connections with data whose clock is wrong: their times are in no sum of the page.
     */
    wrong_clock: number;
}
export interface Cause {
    /**
     * Detail id (`slow_reader`) or null.
     */
    detail: string | null;
    /**
     * Index into `ViewData.limits`.
     */
    limit: number;
}
/**
 * The data for the charts of one connection.
 */
export interface ConnectionChart {
    connection: number;
    duration_s: number;
    endpoints: [string, string];
    /**
     * Requests and their answers, for lanes; null if there are none, and in the answer for a window.
     */
    exchanges: ExchangeColumns | null;
    /**
     * Time that this covers: `[0, duration_s]` in a page; the requested window in a `ChartAnswer`.
     */
    from_s: number;
    /**
     * Directions that carried payload.
     */
    halves: HalfChart[];
    /**
     * Number of packets in `[from_s, to_s]`.
     */
    packet_count: number;
    /**
     * Every packet of the connection in `[from_s, to_s]`, or null if there are too many.
     */
    packets: Packets | null;
    /**
     * First packet, nanoseconds since the epoch, as a string of digits because it may exceed 2^53.
     */
    start_ns: string;
    to_s: number;
}
/**
 * Requests with their answers at the capture point, in the order of time.
 */
export interface ExchangeColumns {
    answer_bytes: Column;
    answer_s: Column;
    /**
     * Index of the end that sends requests.
     */
    client: number;
    /**
     * Number of exchanges; `rows` has the slowest of them.
     */
    count: number;
    /**
     * Packet numbers of the first data of the request and of the last data of the answer.
     */
    first_packet: Column;
    gap_s: Column;
    last_packet: Column;
    /**
     * Pauses of the server within the answer, a part of it.
     */
    pauses_s: Column;
    request_bytes: Column;
    /**
     * Seconds from the first to the last data of the request, then to the first data of the answer, then to
     * its last.
     */
    request_s: Column;
    rows: number;
    /**
     * Response time of the server, a part of the gap; the remaining part is the path's.
     */
    server_s: Column;
    /**
     * Time of the request's first data.
     */
    t: Column;
}
/**
 * One direction: the data of `sender`, and the ACKs and windows of the other end.
 */
export interface HalfChart {
    /**
     * Width of the bins of `segments` and `states` in seconds; 0: each row is one event. The row of a bin
     * covers `bin_s` from t on; bins without events have no row.
     */
    bin_s: number;
    /**
     * Largest values of the direction, for scales: sequence offset, right edge, window, bytes in flight.
     */
    extent: Extent;
    /**
     * Horizontal lines of the window chart.
     */
    lines: Line[];
    marks: Marks;
    mss: number | null;
    /**
     * The chart that best shows the limit, with a sentence.
     */
    proof: Proof;
    rtt: RoundTrips;
    /**
     * Smallest round-trip time of the whole direction in seconds, for queueing delay = rtt - `rtt_min`; null
     * without one.
     */
    rtt_min_s: number | null;
    /**
     * New data (with its own `bin_s`, 0 if exact), drawn as a vertical bar [lo, hi) at t. Marked segments
     * are in `marks`.
     */
    segments: Segments;
    sender: 0 | 1;
    /**
     * State of the sending socket according to its kernel; absent without the kernel's data.
     */
    socket?: Socket;
    /**
     * Time that the limits divide, seconds.
     */
    span: Stretch;
    states: States;
    throughput: Throughput;
    timeline: Timeline;
    /**
     * Capture point. Bytes in flight and RTT are exact at the sender; from elsewhere, the order of packets
     * at the sender is inferred.
     */
    vantage: 'sender' | 'receiver' | 'middle' | 'unknown';
}
export interface Line {
    bytes: number;
    /**
     * Time in which the line is valid; null for the whole span.
     */
    from_s: number | null;
    kind: LineKind;
    to_s: number | null;
}
/**
 * Every marked event, exactly. If there are too many of a kind, neighbours are merged: `count` is their
 * number, and `[t, t_end]` and [lo, hi) cover them. Draw at least a pixel for each.
 */
export interface Marks {
    /**
     * Absent if all are 1.
     */
    count?: Column;
    hi: Column;
    /**
     * Index into `ViewData.mark_kinds`.
     */
    kind: Column;
    lo: Column;
    /**
     * Packet number (of the first event).
     */
    packet: Column;
    rows: number;
    t: Column;
    /**
     * Absent if all are exact; then equal to t.
     */
    t_end?: Column;
}
export interface RoundTrips {
    bin_s: number;
    rows: number;
    /**
     * Round-trip times, seconds.
     */
    rtt: Bounds;
    t: Column;
}
/**
 * Samples of a socket, or the extremes of neighbouring samples. All values are in bytes.
 */
export interface Socket {
    /**
     * Size of the send buffer, `sk_sndbuf`.
     */
    buffer: Bounds;
    /**
     * The congestion window.
     */
    cwnd: Bounds;
    flight: Bounds;
    /**
     * 1 while a writing program waits for room, otherwise 0.
     */
    full: Column;
    /**
     * Memory of data that waits to be sent or acknowledged, `sk_wmem_queued`.
     */
    queued: Bounds;
    rows: number;
    t: Column;
    unsent: Bounds;
    window: Bounds;
}
/**
 * A value that is exact for a row, or its range in a bin; without `hi` both ends are equal.
 */
export interface Bounds {
    hi?: Column;
    lo: Column;
}
/**
 * Values after each event (step functions: valid until the next row); ranges over a bin if binned.
 */
export interface States {
    bin_s: number;
    /**
     * Lower bound of the congestion window: most bytes in flight since the last loss or idle period.
     */
    cwnd_floor: Bounds;
    /**
     * Right edge of the window that the receiver offers.
     */
    edge: Bounds;
    /**
     * Bytes sent and not acknowledged from the sender's view.
     */
    flight: Bounds;
    /**
     * Bytes in flight less what SACK reports as received or lost, plus what was retransmitted (RFC 6675
     * `pipe`).
     */
    pipe: Bounds;
    rows: number;
    t: Column;
    /**
     * Position up to which everything is acknowledged, as captured: the ACK line.
     */
    una: Bounds;
    /**
     * Offered window.
     */
    window: Bounds;
}
/**
 * Bins of `bin_s`; empty bins are absent.
 */
export interface Throughput {
    /**
     * New bytes acknowledged in it: goodput.
     */
    acked: Column;
    bin_s: number;
    /**
     * Payload bytes retransmitted in it.
     */
    resent: Column;
    rows: number;
    /**
     * Payload bytes sent in it, with retransmissions.
     */
    sent: Column;
    /**
     * Start of the bin.
     */
    t: Column;
}
/**
 * The partition of time: row i covers t[i] to t[i+1] (the last row up to `span.to_s`).
 */
export interface Timeline {
    /**
     * Index into `ViewData.causes`.
     */
    cause: Column;
    /**
     * Confidence from 0 to 100, percent.
     */
    confidence: Column;
    /**
     * Index into `ViewData.deciders`: the observation that would decide between the two.
     */
    decider?: Column;
    /**
     * Whether neighbours absorbed many short intervals (totals in the document stay exact).
     */
    is_coarsened: boolean;
    /**
     * Index into `ViewData.limits`: another limit that the packets also allow.
     */
    other?: Column;
    /**
     * Key into `ViewData.reasons`: the reason for all or most of the interval.
     */
    reason: Column;
    rows: number;
    t: Column;
    /**
     * Values of the reason's measures: column i has those of measure i. Means over the interval.
     */
    values: Column[];
}
export interface Packets {
    /**
     * Offset in the peer's stream; unknown without the ACK flag.
     */
    ack: Column;
    /**
     * TCP flags: FIN 1 SYN 2 RST 4 PSH 8 ACK 16 URG 32 ECE 64 CWR 128 AE 256.
     */
    flags: Column;
    /**
     * Index of the sending endpoint.
     */
    from: Column;
    /**
     * Kind of packet: 0 ordinary, otherwise 1 + index into `ViewData.mark_kinds`.
     */
    kind: Column;
    len: Column;
    /**
     * Packet number from 1, as in Wireshark.
     */
    number: Column;
    /**
     * Sum of its options: MSS 1, window scale 2, SACK permitted 4, SACK 8, timestamps 16, MPTCP 32, fast
     * open 64, accurate ECN 128.
     */
    options: Column;
    rows: number;
    /**
     * Offset in the sender's stream (relative sequence number less 1 if the SYN was captured); unknown if it
     * has no place there.
     */
    seq: Column;
    t: Column;
    tsecr: Column;
    tsval: Column;
    /**
     * Window in bytes, scaled; unknown if the scale is unknown.
     */
    window: Column;
}
/**
 * Two captures, or the two ends of connections, in comparison.
 */
export interface Compared {
    alike: number;
    /**
     * Names of the captures.
     */
    captures: [string, string];
    /**
     * Number of corresponding pairs, and how many of them are alike and therefore not shown.
     */
    count: number;
    /**
     * `captures`, `connections` or `ends` (the same connections, captured at two places).
     */
    mode: string;
    pairs: ComparedPair[];
    /**
     * Servers of both captures, worst change first.
     */
    services: ComparedService[];
    /**
     * Number of servers that are not listed, because they changed less.
     */
    services_omitted: number;
    words: {
        en: CompareWords;
        'zh-CN': CompareWords;
    };
}
/**
 * Two corresponding connections.
 */
export interface ComparedPair {
    /**
     * Numbers of the connections.
     */
    connections: [number, number];
    /**
     * Senders of the compared data: indexes of ends.
     */
    senders: [number, number];
    /**
     * Start of the second connection on the time axis of the first, seconds. For one connection at two
     * places, by the clock of the first capture.
     */
    shift_s: number;
}
/**
 * A server in both captures. Lists have two entries: before and after.
 */
export interface ComparedService {
    connections: [number, number];
    /**
     * Number of connections that failed.
     */
    failed: [number, number];
    /**
     * Number of requests with an answer.
     */
    requests: [number, number];
    /**
     * Address and port; they differ if the captures are from different hosts.
     */
    servers: [string, string];
    /**
     * Median and 95th percentile of the requests' times, seconds; null without requests.
     */
    time_s: [[number, number] | null, [number, number] | null];
}
/**
 * A comparison in sentences.
 */
export interface CompareWords {
    /**
     * Changes, new and worse problems first.
     */
    changes: string[];
    /**
     * How the captures are related, and how many connections only one of them has.
     */
    heads: string[];
    /**
     * The sentence that compares the connections of each pair.
     */
    pairs: string[];
    /**
     * The sentence that compares: the heading of the page.
     */
    sentence: string;
    /**
     * What both captures of each pair show together.
     */
    together: string[][];
}
/**
 * The document that `tcpwhy explain --json` writes.
 */
export interface Document {
    /**
     * Findings that only several connections of one client to one server show together; absent if there are
     * none.
     */
    across_connections?: Finding[];
    /**
     * One entry per capture.
     */
    captures: Capture[];
    /**
     * Connections in the order of their first packets, file by file.
     */
    connections: Connection[];
    /**
     * Connections that a proxy, tunnel or forwarder passes on as other connections; absent without any.
     */
    legs?: Relay[];
    /**
     * Problems, most severe first; absent if there are none.
     */
    problems?: Problem[];
    /**
     * Always `tcpwhy/1`.
     */
    schema: 'tcpwhy/1';
    /**
     * The servers, those with the most connections first; absent without a connection.
     */
    services?: Service[];
    /**
     * Program that wrote the document.
     */
    tool: Tool;
}
/**
 * A diagnosis: a rule that applied, with its evidence and what to change.
 */
export interface Finding {
    /**
     * Confidence, from 0 to 1.
     */
    confidence: number;
    /**
     * Numbers that it is based on.
     */
    evidence: Evidence[];
    /**
     * Fixes, best first.
     */
    fixes: Fix[];
    /**
     * Expected gain of the change; null if unknown.
     */
    prediction: Prediction | null;
    /**
     * Stable kebab-case id; `tcpwhy rules ID` explains it.
     */
    rule: string;
    /**
     * Time that it cost; null if it has no cost in time of its own.
     */
    seconds: number | null;
    /**
     * Description in the language asked for; absent without words.
     */
    sentence: string;
    /**
     * `info`, `warning` or `critical`.
     */
    severity: string;
    title: string;
}
/**
 * One number that a finding is based on.
 */
export interface Evidence {
    /**
     * `kernel_reported`, `wire_exact`, `wire_inferred` or `assumed`.
     */
    basis: string;
    label: string;
    /**
     * `snake_case` name with its unit at the end.
     */
    name: string;
    /**
     * Value with its unit.
     */
    text: string;
    /**
     * Value, in the unit that the name ends with.
     */
    value: EvidenceValue;
}
/**
 * Something to change.
 */
export interface Fix {
    /**
     * Stable kebab-case id.
     */
    id: string;
    /**
     * For each of `lines` the languages and servers that it is for, as options of `--code` (`java`,
     * `nginx`). Empty for a command for every host. Absent if all lines are such commands.
     */
    line_programs?: string[][];
    /**
     * Exact lines of code or configuration; absent without words.
     */
    lines: string[];
    /**
     * Words in capitals in `lines` that the reader replaces; absent if there are none.
     */
    missing?: string[];
    /**
     * `ready`: its lines can be pasted. `placeholders`: values are missing. `conditional`: it depends on
     * something that packets do not show. `measure`: it changes nothing, but a measurement shows what to do.
     */
    readiness: string;
    /**
     * `true` if it removes another cause than the fix before it, and the packets do not show which cause is
     * the right one. One of the two fixes is enough. Absent otherwise.
     */
    rival?: boolean;
    /**
     * Language or server whose lines are shown first, as named in `line_programs`; null if no line is for
     * one.
     */
    suggested: string;
    /**
     * Description in the language asked for; absent without words.
     */
    text: string;
    /**
     * `sending-application`, `receiving-application`, `sending-host`, `receiving-host`, `network` or
     * `capture`.
     */
    where: string;
    where_text: string;
}
/**
 * Expected gain of a fix.
 */
export interface Prediction {
    /**
     * Basis of the prediction.
     */
    basis: string;
    /**
     * Reason why the rate does not rise further: stable kebab-case id.
     */
    ceiling: string;
    /**
     * Description in the language asked for; absent without words.
     */
    ceiling_text?: string;
    /**
     * `range`: the duration is in its range. `at_best`: it is at least `low`, because the limit that applies
     * then is not known well. `at_best_untried`: likewise, because nothing shows the rate of the path.
     */
    claim: string;
    /**
     * Quality of the match between the rebuilt transfer and the real one; absent unless it was simulated.
     */
    fit?: Fit;
    /**
     * `simulated`: the transfer was rebuilt and simulated with the change. `formula`: the gain was computed.
     */
    method: string;
    /**
     * Id of the limit that applies afterwards.
     */
    next_limit: string;
    /**
     * Durations for some rates of the path, if nothing shows its rate; empty otherwise.
     */
    paths: PathTime[];
    /**
     * Duration afterwards, of the half-connection's span or of the requests.
     */
    seconds: SecondsRange;
    /**
     * Upper bound of how many times faster the half-connection, or the requests, become.
     */
    times_at_most: number;
}
/**
 * Quality of the match between a rebuilt transfer and the real one.
 */
export interface Fit {
    /**
     * Duration of the rebuilt transfer without any change, in seconds.
     */
    as_it_was_s: number;
    /**
     * Match of their durations: 1 is exact, 0.9 is 10 % off.
     */
    closeness: number;
    /**
     * Number of simulated transfers that match.
     */
    worlds: number;
}
/**
 * A duration for one rate of the path.
 */
export interface PathTime {
    /**
     * Rate of the path, in bits per second.
     */
    rate_bits_per_s: number;
    /**
     * Duration, in seconds.
     */
    seconds: number;
}
/**
 * One capture that was read.
 */
export interface Capture {
    /**
     * Ways in which the input was damaged or unusual.
     */
    anomalies: Anomaly[];
    /**
     * Bytes of packets in the file.
     */
    captured_bytes: number;
    /**
     * Seconds from the first to the last packet; null without packets.
     */
    duration_s: number | null;
    /**
     * Why it failed; null otherwise.
     */
    error: CaptureFailure | null;
    /**
     * `pcap` or `pcapng`; `unknown` if reading failed.
     */
    format: string;
    /**
     * Link types of its interfaces, as pcap numbers.
     */
    link_types: number[];
    /**
     * Bytes of packets on the wire.
     */
    original_bytes: number;
    /**
     * Packets of any kind.
     */
    packets: number;
    /**
     * Name as given on the command line; `-` is standard input.
     */
    path: string;
    /**
     * TCP segments.
     */
    segments: number;
    /**
     * Packets that are not TCP or could not be read as such.
     */
    skipped: number;
    /**
     * The same time as RFC 3339, in UTC.
     */
    start: string | null;
    /**
     * Time of the first packet, nanoseconds since the epoch; null without packets.
     */
    start_ns: number | null;
    /**
     * `ok`; `damaged` if a part could not be read; `failed` if no packet could be read.
     */
    status: string;
}
/**
 * All occurrences of one kind of damage or oddity.
 */
export interface Anomaly {
    /**
     * Number of occurrences.
     */
    count: number;
    /**
     * Number of the first packet concerned, from 1; null if it happened before any packet.
     */
    first_packet: number | null;
    /**
     * Stable kebab-case id.
     */
    kind: string;
    /**
     * Description in the language asked for; absent without words.
     */
    text: string;
}
/**
 * Why nothing of a capture could be read.
 */
export interface CaptureFailure {
    /**
     * Stable kebab-case id.
     */
    kind: string;
    /**
     * Description in the language asked for; absent without words.
     */
    text?: string;
}
/**
 * One TCP connection: one incarnation of its four-tuple.
 */
export interface Connection {
    answer: AnswerWords;
    /**
     * Total time that its writers waited for room in the send buffer; null if that is not measured.
     */
    blocked_s?: number;
    /**
     * Index into `captures`; null if several captures were merged.
     */
    capture: number | null;
    /**
     * Community ID, version 1 with seed 0: the id of this flow in the logs of Zeek and Suricata.
     */
    community_id: string;
    /**
     * The kernel's cookie of the socket.
     */
    cookie?: number;
    /**
     * Seconds from the first to the last packet.
     */
    duration_s: number;
    /**
     * `closed`, `half_closed`, `reset_by_0`, `reset_by_1`, `open`, `unanswered`,
     * `refused` or `handshake_incomplete`.
     */
    ending: string;
    /**
     * The two ends; the first one sent the first captured packet.
     */
    endpoints: [Endpoint, Endpoint];
    /**
     * Requests and their answers; absent if there are none.
     */
    exchanges?: Exchanges;
    /**
     * Findings about the connection as a whole; those of a direction are in its half.
     */
    findings: Finding[];
    /**
     * Packet number of the first packet in its capture.
     */
    first_packet: number;
    /**
     * The directions that carried payload: 0, 1 or 2.
     */
    halves: Half[];
    /**
     * Whether the socket is closed.
     */
    has_ended?: boolean;
    /**
     * `true` if the capture's clock is wrong, so that times are meaningless: exclude the connection from
     * sums of times. Absent otherwise.
     */
    has_wrong_clock?: boolean;
    /**
     * Number in the order of first packets, from 0; numbering continues from file to file.
     */
    id: number;
    /**
     * Index into `endpoints` of the end that sent the SYN; null if the SYN was not seen.
     */
    initiator: number | null;
    /**
     * Part of the observed time that a change could have saved; null if the packets show it.
     */
    lost_s?: number;
    /**
     * Inode of its network namespace.
     */
    network_namespace?: number;
    /**
     * Failure, also one in progress; null if nothing shows one, and if the packets show it.
     */
    outcome?: LiveOutcome;
    /**
     * Segments in each direction, by index of the sending endpoint, empty ones included.
     */
    packets: [number, number];
    /**
     * Process that has it open; null if there is none or it could not be read.
     */
    process?: LiveProcess;
    /**
     * Sampling of the connection.
     */
    sampling?: Sampling;
    /**
     * `kernel`: only the kernel's state was observed; `both`: the packets and the kernel's state.
     */
    source?: string;
    /**
     * The same time as RFC 3339, in UTC.
     */
    start: string;
    /**
     * Time of the first packet, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * Response times of both sides; null without `bpf`, which they need.
     */
    turn_times?: LiveTurns;
    /**
     * Place of the capture.
     */
    vantage: Vantage;
}
/**
 * The published answer, with the data that the page needs to lay out its lines.
 */
export interface AnswerWords {
    /**
     * Numbers behind the answer, and excluded limits.
     */
    below: string[];
    /**
     * Further problem, the connection's end or a wrong clock, as after `BUT` in the terminal; absent
     * otherwise.
     */
    but?: string;
    /**
     * The cause, by kind. `limit`: the limit, or the rule of a finding about the connection as a whole.
     * `party`: `server`, `client` or `round_trips`. `failure`: the failure, as in `failures` of services.
     * For a problem, the same as its `cause`. Null if nothing is wrong, and for a wrong clock.
     */
    cause: string | null;
    /**
     * Share of such answers that are right, from 0 to 1; null if that was not measured.
     */
    confidence: number | null;
    /**
     * Number of the connection that shows it; null in the answer about one connection, and if no connection
     * carried data.
     */
    connection: number | null;
    /**
     * The form of the limit.
     */
    detail: string | null;
    /**
     * Limits that are excluded: `receive_window`, `loss_recovery`, `path`.
     */
    excluded: string[];
    /**
     * Fix, as after `FIX` in the terminal; absent without words, and if the clock is wrong.
     */
    fix?: string;
    /**
     * Id of that fix, as in the finding.
     */
    fix_id: string | null;
    /**
     * Ids of the facts that decided.
     */
    grounds: string[];
    /**
     * Whether the fix has an expected gain.
     */
    has_gain: boolean;
    /**
     * Whether the fix is a change, not a reason why there is none.
     */
    is_change: boolean;
    /**
     * Whether a limit of the sender explains it, not a party of the requests or a failure.
     */
    is_limit: boolean;
    /**
     * Whether `fix` is a change, or that none is needed. Otherwise it is a command that shows more.
     */
    is_shown: boolean;
    /**
     * `limit`, `party`, `failure`, `probe`, `clock`, `nothing` or `cannot_tell`. `limit`: it limited the
     * data. `party`: it took most of the requests' time. `clock`: the capture's clock is wrong. `nothing`:
     * nothing is wrong.
     */
    kind: string;
    /**
     * Length of that total, in seconds.
     */
    of_seconds: number | null;
    /**
     * `complete`, `failed` or `open` (still open at the end of the capture); null for several connections.
     */
    outcome: string | null;
    /**
     * Readiness of the change, as in the finding; null if nothing needs to be done.
     */
    readiness: string | null;
    /**
     * Causes that the packets do not exclude, longest first.
     */
    rivals: Rival[];
    /**
     * Rule of the finding whose fix it proposes; null if it proposes none.
     */
    rule: string | null;
    /**
     * Time that it cost, in seconds; null if no time is known.
     */
    seconds: number | null;
    /**
     * Index into `endpoints` of the sender of the direction concerned; null if it concerns no direction.
     */
    sender: number | null;
    /**
     * Ends, bytes and rate, as the first line of the terminal; absent without words, and for a problem.
     */
    sentence?: string;
    /**
     * `info`, `warning` or `critical`; null if nothing is wrong.
     */
    severity: string | null;
    /**
     * Expected gain of the fix; null if unknown.
     */
    then: Then | null;
    /**
     * The total that `seconds` is a part of. `transfer`: the span of a direction or connection. `requests`:
     * the time of a connection's requests. `connections`: the sum of the time of all connections.
     */
    whole: string | null;
    /**
     * Reason, as after `WHY` in the terminal; absent without words.
     */
    why: string;
}
/**
 * A cause that the packets do not exclude.
 */
export interface Rival {
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Time that it may account for, in seconds.
     */
    seconds: number;
    /**
     * Stable kebab-case id of the observation that would decide.
     */
    would_decide_id: string;
}
/**
 * Expected gain of a fix.
 */
export interface Then {
    /**
     * `range`: the duration is between `low_s` and `high_s`. `at_best` or `at_best_untried`: the duration is
     * at least `low_s`.
     */
    claim: string;
    /**
     * Longest duration afterwards; null unless a range is claimed.
     */
    high_s: number | null;
    /**
     * Shortest duration afterwards.
     */
    low_s: number;
    /**
     * Limit that applies afterwards.
     */
    next_limit: string;
    /**
     * Duration without the fix.
     */
    now_s: number;
}
/**
 * One end of a connection.
 */
export interface Endpoint {
    /**
     * IP address.
     */
    address: string;
    /**
     * Name of the address, if names were asked for and it has one (`--names`, `--names=dns`).
     */
    name?: string;
    /**
     * TCP port.
     */
    port: number;
    /**
     * Name by which the client addressed this end, its server, in its first bytes: the server name of TLS or
     * the host of HTTP. Only if it was asked for (`--names`, `--names=sni`) and captured.
     */
    server_name?: string;
}
/**
 * Requests and answers of a connection.
 */
export interface Exchanges {
    /**
     * Payload of all answers.
     */
    answer_bytes: number;
    /**
     * Index into `endpoints` of the end that sends requests.
     */
    client: number;
    /**
     * Share of cases with the same `known_by` in which client and times are right, from 0 to 1.
     */
    confidence?: number;
    /**
     * Number of exchanges.
     */
    count: number;
    /**
     * Seconds from the handshake to the server's first data, if the server sent first.
     */
    greeting_s?: number;
    /**
     * Evidence for which end is the client. `habit`: responses follow at once or after a steady time.
     * `header`: a TLS handshake or a status line. `port`: the other end has the port of a known service.
     * `opener`: this end opened the connection, or its port is ephemeral. `first`: this end sent first.
     */
    known_by: string;
    /**
     * Time of the transfers by limit, longest first.
     */
    limits?: TransferLimit[];
    /**
     * Where the time went.
     */
    parts?: Parts;
    /**
     * `request_response`, or `overlapping`: several requests at a time. An exchange is then a burst of
     * requests, and the given time of the server is an upper bound. The others have no times: `interactive`
     * (a person types), `long_poll` (the server holds a request until it has news), `unasked` (a stream,
     * notifications).
     */
    pattern: string;
    /**
     * Payload of all requests.
     */
    request_bytes: number;
    /**
     * The server's response times.
     */
    response_s?: Percentiles;
    /**
     * The slowest exchanges, slowest first; at most five.
     */
    slowest?: Exchange[];
    /**
     * Seconds from the first byte of the request at the client to the last byte of the answer there.
     */
    time_s?: Percentiles;
    /**
     * Seconds that the TLS handshake took.
     */
    tls_s: number;
    /**
     * Round trips of a TLS handshake before the first request.
     */
    tls_turns: number;
}
/**
 * Time of transfers under one limit.
 */
export interface TransferLimit {
    /**
     * Detail id; null if the limit has no details.
     */
    detail: string | null;
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Time.
     */
    seconds: number;
}
/**
 * One request and its answer.
 */
export interface Exchange {
    /**
     * Payload of the answer.
     */
    answer_bytes: number;
    /**
     * Packet with the first data of the answer.
     */
    answer_packet: number;
    /**
     * Transfer of the answer.
     */
    answer_s: number;
    /**
     * Packet with the last data of the answer.
     */
    last_packet: number;
    /**
     * Time of both transfers by limit, longest first.
     */
    limits: TransferLimit[];
    /**
     * Payload of the request.
     */
    request_bytes: number;
    /**
     * Packet with the first data of the request.
     */
    request_packet: number;
    /**
     * Transfer of the request.
     */
    request_s: number;
    /**
     * One round trip.
     */
    round_trip_s: number;
    /**
     * The server's response time.
     */
    server_s: number;
    /**
     * Time of the request's first data, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * Seconds from the first byte of the request at the client to the last byte of the answer there.
     */
    time_s: number;
}
/**
 * One direction of a connection that carried payload.
 */
export interface Half {
    /**
     * Time that could belong to either of two limits, longest first, if the chosen limit is right in less
     * than 90 % of cases.
     */
    ambiguous: Ambiguity[];
    answer: AnswerWords;
    /**
     * Unique payload bytes.
     */
    bytes: number;
    /**
     * Diagnoses, most severe first.
     */
    findings: Finding[];
    /**
     * Bytes in flight over time; null without an ACK.
     */
    flight_bytes: Range | null;
    /**
     * Unique bytes over the time that `limits` divides; null if that time is empty.
     */
    goodput_bits_per_s: number | null;
    /**
     * The kernel's data about the direction in comparison with the packets; only if a recording has both.
     */
    kernel?: KernelHalf;
    /**
     * Index into `findings` of the finding with the answer's fix; null without one.
     */
    leading: number;
    /**
     * Time by limit and detail, longest first; the seconds add up to `span.duration_s`.
     */
    limits: LimitShare[];
    /**
     * Largest payload of a segment on the wire.
     */
    mss_bytes: number | null;
    /**
     * Offered window over time; null if its scale is unknown.
     */
    receive_window_bytes: Range | null;
    /**
     * Retransmitted payload bytes.
     */
    retransmitted_bytes: number;
    /**
     * Retransmitted segments.
     */
    retransmitted_segments: number;
    /**
     * Role of that end: `client` or `server`; null if the handshake was not captured.
     */
    role: string | null;
    /**
     * Round-trip time; null if nothing could be timed.
     */
    rtt_us: RoundTripTime | null;
    /**
     * `sender` or `receiver`: the end whose kernel was observed; only for live connections.
     */
    seen_from?: string;
    /**
     * Captured segments with payload; an offload super-packet counts once.
     */
    segments: number;
    /**
     * Index into `endpoints` of the end that sent this data.
     */
    sender: number;
    /**
     * Time that `limits` divides: first SYN or segment of the connection to the last ACK of this data.
     */
    span: Span;
    /**
     * All intervals of the span with `--timeline`; with `--why` only the interval of that moment, or none if
     * it is outside.
     */
    timeline?: Interval[];
    /**
     * Whether neighbours in `timeline` absorbed short intervals (`limits` stays exact); only with
     * `timeline`.
     */
    timeline_is_coarsened?: boolean;
    /**
     * Expected gain of the fixes of all findings together, if several were simulated; null otherwise.
     */
    together: Prediction | null;
    /**
     * The limit to act on first.
     */
    verdict: Verdict;
    /**
     * Median time from an ACK that makes room to the next send, to a power of two. Null if sends do not
     * follow ACKs, or too few were captured.
     */
    wake_up_us: number | null;
    /**
     * `negotiated`, `not_negotiated` or `unknown`.
     */
    window_scaling: string;
    /**
     * Shift of the windows that the receiver of this data offers; 0 without window scaling; null if
     * unknown.
     */
    window_shift: number | null;
}
/**
 * Time that the packets allow to be either of two limits.
 */
export interface Ambiguity {
    /**
     * Limit under which `limits` counts the time, and the other limit.
     */
    between: [string, string];
    /**
     * Time.
     */
    seconds: number;
    /**
     * Observation that would decide, in the language asked for; absent without words.
     */
    would_decide: string;
    /**
     * Its stable kebab-case id.
     */
    would_decide_id: string;
}
/**
 * A distribution of bytes, weighted by time.
 */
export interface Range {
    /**
     * Maximum.
     */
    max: number;
    /**
     * Median.
     */
    median: number;
    /**
     * Minimum.
     */
    min: number;
    /**
     * 95th percentile.
     */
    p95: number;
}
/**
 * The kernel's data about a direction in comparison with the packets, for the time that both cover.
 */
export interface KernelHalf {
    /**
     * The kernel's own chronometers of the sender's socket; null before Linux 4.10.
     */
    clocks: KernelClocks | null;
    /**
     * Largest difference; null if they agree.
     */
    difference: KernelDifference | null;
    /**
     * Share of that time for which kernel and packets show different groups of limits: path, send buffer,
     * receive window, application. Time that either cannot classify does not count.
     */
    disagreement: number;
    /**
     * Whether that is more than 10 %, and more than the chance error of so few samples.
     */
    disagrees: boolean;
    /**
     * Time by limit and detail according to the kernel's samples, longest first.
     */
    limits: LimitShare[];
    /**
     * Time by limit and detail according to the packets.
     */
    packets: LimitShare[];
    /**
     * Number of samples of the sender's socket.
     */
    samples: number;
    /**
     * Length of that time.
     */
    seconds: number;
    /**
     * Time of the direction for which the kernel shows the cause.
     */
    watched_s: number;
    /**
     * Effect of the kernel's data on the verdict. `agrees`: no difference beyond the error of so few
     * samples; the times are from packets. `decides`: they differ, and `limits`, `verdict` and findings of
     * the direction combine kernel and packets. `watched_too_little`: they differ, and the kernel watched at
     * most half of the time, so the packets decide.
     */
    word: string;
}
/**
 * The chronometers of `tcp_info` while a socket was watched.
 */
export interface KernelClocks {
    /**
     * Time with data to send or in flight (`busy_time`).
     */
    busy_s: number;
    /**
     * Whether `rwnd_limited` differs a lot from the time that the samples give to the peer's window, under a
     * congestion control that paces.
     */
    rwnd_limited_is_wrong: boolean;
    /**
     * Part of the busy time limited by the peer's window (`rwnd_limited`).
     */
    rwnd_limited_s: number;
    /**
     * Whether `sndbuf_limited` is less than half of the time that the samples give to the send buffer.
     */
    sndbuf_limited_misses: boolean;
    /**
     * Part of the busy time limited by the send buffer, as far as the kernel notices (`sndbuf_limited`).
     */
    sndbuf_limited_s: number;
    /**
     * Time during which it was watched.
     */
    watched_s: number;
}
/**
 * The largest difference between the kernel's shares and those of the packets.
 */
export interface KernelDifference {
    /**
     * Kind to which the kernel gives a smaller share.
     */
    less: KindShares;
    /**
     * Kind to which the kernel gives a larger share.
     */
    more: KindShares;
    /**
     * Time whose cause both show, without recovery from losses: 100 % of all shares.
     */
    seconds: number;
    /**
     * Both shares, which of them decides, and why; absent without words.
     */
    sentence?: string;
}
/**
 * Time under one limit with one detail.
 */
export interface LimitShare {
    /**
     * Confidence, from 0 to 1.
     */
    confidence: number;
    /**
     * Detail id; null if the limit has no details.
     */
    detail: string | null;
    /**
     * High end of that interval.
     */
    high_share?: number;
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Low end of the share's 95 % confidence interval; only if it was sampled.
     */
    low_share?: number;
    /**
     * Time.
     */
    seconds: number;
    /**
     * Share of the span, from 0 to 1.
     */
    share: number;
}
/**
 * Round-trip times in microseconds.
 */
export interface RoundTripTime {
    /**
     * `kernel_reported`, `wire_exact`, `wire_inferred` or `assumed`.
     */
    basis: string;
    /**
     * Maximum.
     */
    max: number;
    /**
     * Median.
     */
    median: number;
    /**
     * Minimum.
     */
    min: number;
    /**
     * 95th percentile.
     */
    p95: number;
}
/**
 * A stretch of time under one limit.
 */
export interface Interval {
    /**
     * Another limit that the packets also allow; null if there is none.
     */
    alternative: string | null;
    /**
     * Confidence, from 0 to 1.
     */
    confidence: number;
    /**
     * Detail id.
     */
    detail: string | null;
    /**
     * End, seconds after the start of the half's span.
     */
    end_s: number;
    /**
     * Reason for all or most of it; null if that was not kept.
     */
    evidence: IntervalEvidence | null;
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Start, seconds after the start of the half's span.
     */
    start_s: number;
    /**
     * Stable kebab-case id of the observation that would decide between the two.
     */
    would_decide_id: string | null;
}
/**
 * The reason for the limit of a stretch of time.
 */
export interface IntervalEvidence {
    /**
     * Stable `snake_case` name of the reason.
     */
    reason: string;
    /**
     * Description in the language asked for; absent without words.
     */
    sentence?: string;
    /**
     * Numbers that support it, strongest first: means over the interval, weighted by time. Only measured
     * values.
     */
    values: Evidence[];
}
/**
 * The failure of a connection, also one in progress.
 */
export interface LiveOutcome {
    /**
     * Connections in the accept queue in which this one waits; null if that was not seen.
     */
    accept_queue: number | null;
    /**
     * Capacity of that queue.
     */
    accept_queue_most: number | null;
    /**
     * Time of the failure after the connection began or was first seen; if it persists, its duration so far.
     */
    after_s: number;
    /**
     * Bytes that the peer sent.
     */
    bytes_received: number;
    /**
     * Bytes that this side sent and the peer acknowledged.
     */
    bytes_sent: number;
    /**
     * Bytes that were not acknowledged; with `closed_under_way` those that the peer did not answer.
     */
    bytes_under_way: number;
    /**
     * `refused`, `reset_by_peer` or `reset_by_this_end`. `unanswered`: no SYN was answered.
     * `never_accepted`: no program accepted it from its listener's queue. `timed_out`: the kernel gave up.
     * `black_hole`: nothing comes back, and the kernel keeps trying. `closed_under_way`: the peer closed it
     * before it had answered.
     */
    kind: string;
    /**
     * Next step; null without words.
     */
    next: string | null;
    /**
     * `critical` or `warning`.
     */
    severity: string;
    /**
     * Description in the language asked for; null without words.
     */
    text: string | null;
    /**
     * Retransmission timeouts since the last acknowledgement.
     */
    timeouts: number;
}
/**
 * A process that has a socket open.
 */
export interface LiveProcess {
    /**
     * Control group (version 2); null when it could not be read.
     */
    cgroup: string | null;
    /**
     * The first 15 bytes of its name.
     */
    name: string;
    /**
     * Process id.
     */
    pid: number;
}
/**
 * Response times of both sides of a connection. Their turns alternate: `client_time` and `response_time`
 * together are at most the time that the connection was watched.
 */
export interface LiveTurns {
    /**
     * At a client: from the last byte of an answer to the next request. Null at a server, where round trips
     * would be included.
     */
    client_time: TurnTimes | null;
    /**
     * At a client: from a request to the first byte of its answer, the round trip included. Null at a
     * server.
     */
    response_time: TurnTimes | null;
    /**
     * At a server: from the last byte of a request to the first `send` of its answer. Null at a client,
     * where it is part of `response_time`.
     */
    server_time: TurnTimes | null;
}
/**
 * Durations of one side's turns.
 */
export interface TurnTimes {
    /**
     * Number of turns.
     */
    count: number;
    /**
     * Upper bound of the median, a power of two; null if it is longer than two seconds.
     */
    median_at_most_s: number | null;
    /**
     * Upper bound of the 95th percentile, likewise.
     */
    p95_at_most_s: number | null;
    /**
     * Sum of their durations.
     */
    total_s: number;
}
/**
 * Connections to a proxy, tunnel or forwarder that it passes on to one server.
 */
export interface Relay {
    /**
     * Detail id of that limit; null without one.
     */
    detail: string | null;
    /**
     * From the relay to the server.
     */
    inner: Leg;
    /**
     * Limit id of the slower leg; null without one.
     */
    limit: string | null;
    /**
     * From the clients to the relay.
     */
    outer: Leg;
    /**
     * Pairs of an outer and an inner connection.
     */
    pairs: number;
    /**
     * Description in the language asked for; absent without words.
     */
    sentence?: string;
    /**
     * `outer` or `inner`: the leg that slowed the other one in most pairs; null if neither or both did.
     */
    slower: string | null;
}
/**
 * Connections to one server that failed or were slow in the same way, so that one change can fix them.
 */
export interface Problem {
    /**
     * IP address of the server; of the client for the targets `client` and `peers`.
     */
    address: string;
    answer: AnswerWords;
    /**
     * Least and most bytes that one of them carried.
     */
    bytes: [number, number];
    /**
     * Failure, as in `failures` of services, or cause of the slowness. Causes: `server_response`,
     * `round_trips`, `handshake`, `loss`, `receive_window`, `ack_delay`, `application`, `close_wait`,
     * `path`, `send_buffer`, `slow_start` or `congestion_window`.
     */
    cause: string;
    /**
     * IP address of the only client; null if there may be several.
     */
    client: string | null;
    /**
     * Number of connections concerned.
     */
    connections: number;
    /**
     * Time at which the last of them ended.
     */
    end_ns: number;
    /**
     * Numbers of the example that it is based on, in words; absent without words.
     */
    evidence?: string;
    /**
     * Number of the connection that shows it best.
     */
    example: number;
    /**
     * Number of exchanges in these connections.
     */
    exchanges: number;
    /**
     * `failed`, `scanned` (one client tried many ports), `probed` (nobody waited for these connections) or
     * `slow`.
     */
    kind: string;
    /**
     * Shortest and longest duration of one of them.
     */
    lasted_s: [number, number];
    /**
     * Total time lost: waits for something that never came, or time that a change could save.
     */
    lost_s: number;
    /**
     * Number of connections to that server; null for a scan.
     */
    of_connections: number | null;
    /**
     * TCP port of the server; null if several are concerned.
     */
    port: number | null;
    /**
     * `client` or `server`: the sender of the slow data; null for other kinds.
     */
    sender: string | null;
    /**
     * Description in the language asked for; absent without words.
     */
    sentence?: string;
    /**
     * `info`, `warning` or `critical`.
     */
    severity: string;
    /**
     * Time at which the first of them began, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * Subject of the problem: a `service`, or a `client` that several addresses did not answer. Attempts
     * that nobody waited for are a `scan` of ports, a `trace` of the path, a `flood` of SYNs, `strays` or
     * `peers`. `strays` are single SYNs from outside, `peers` did not answer.
     */
    target: string;
}
/**
 * Address and port of a server, with its traffic and response times.
 */
export interface Service {
    /**
     * The server's IP address.
     */
    address: string;
    /**
     * Payload of both directions.
     */
    bytes: number;
    /**
     * Durations of connections with data; null without any.
     */
    connection_s: Percentiles | null;
    /**
     * Connections, failed and empty ones too.
     */
    connections: number;
    /**
     * Durations of the exchanges; null without any.
     */
    exchange_s: Percentiles | null;
    /**
     * Requests with an answer.
     */
    exchanges: number;
    /**
     * Connections that failed, by kind, without probes that nobody waited for; kinds that did not occur are
     * absent.
     */
    failures: FailureCount[];
    /**
     * Connections on which a person types.
     */
    interactive: number;
    /**
     * Time of the connections by limit, longest first.
     */
    limits: ServiceLimit[];
    /**
     * Where the time of the exchanges went.
     */
    parts: Parts;
    /**
     * Its TCP port.
     */
    port: number;
    /**
     * Connections that the client reset, whether or not anything was lost.
     */
    resets_by_client: number;
    /**
     * Connections that the server reset, whether or not anything was lost.
     */
    resets_by_server: number;
    /**
     * The server's response times; null without any.
     */
    response_s: Percentiles | null;
    /**
     * The slowest exchanges, longest first; at most three.
     */
    slowest: SlowExchange[];
    /**
     * Time at which the answer of the slowest exchange began, nanoseconds since the epoch; null if no
     * request was answered.
     */
    slowest_answer_ns: number | null;
    /**
     * Connections with data whose clock is wrong: all seconds above exclude their times.
     */
    wrong_clock: number;
}
/**
 * Distribution of durations.
 */
export interface Percentiles {
    /**
     * Maximum.
     */
    max: number;
    /**
     * Median.
     */
    median: number;
    /**
     * 95th percentile.
     */
    p95: number;
}
/**
 * Connections that failed in one way.
 */
export interface FailureCount {
    /**
     * Number of connections.
     */
    connections: number;
    /**
     * `unanswered`, `refused`, `reset_by_client`, `reset_by_server`, `reset_between`, `timed_out`,
     * `unfinished`, `request_unanswered`, `idle_close`, `handshake_incomplete` or `large_vanished`.
     */
    kind: string;
}
/**
 * Time under one limit.
 */
export interface ServiceLimit {
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Time.
     */
    seconds: number;
}
/**
 * An exchange of a service.
 */
export interface SlowExchange {
    /**
     * Payload of the answer.
     */
    answer_bytes: number;
    /**
     * Packet with the first data of the answer.
     */
    answer_packet: number;
    /**
     * Transfer of the answer.
     */
    answer_s: number;
    /**
     * Number of its connection.
     */
    connection: number;
    /**
     * Packet with the last data of the answer.
     */
    last_packet: number;
    /**
     * Time of both transfers by limit, longest first.
     */
    limits: TransferLimit[];
    /**
     * Payload of the request.
     */
    request_bytes: number;
    /**
     * Packet with the first data of the request.
     */
    request_packet: number;
    /**
     * Transfer of the request.
     */
    request_s: number;
    /**
     * One round trip.
     */
    round_trip_s: number;
    /**
     * The server's response time.
     */
    server_s: number;
    /**
     * Time of the request's first data, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * Seconds from the first byte of the request at the client to the last byte of the answer there.
     */
    time_s: number;
}
/**
 * The first lines about all connections.
 */
export interface Headline {
    answer: AnswerWords;
    /**
     * Index into `problems` of the problem that the answer is about; null if it is about none.
     */
    problem: number | null;
    /**
     * Number of problems that `problems` does not have.
     */
    problems_omitted: number;
}
export interface LimitLook {
    dark: string;
    /**
     * `send_buffer` …; for an activity of the application `idle`, `think`, `paced_writes`, `peer_turn` or
     * `peer_window`.
     */
    id: string;
    ink_dark: string;
    ink_light: string;
    /**
     * One letter, the same as in the terminal.
     */
    letter: string;
    /**
     * Colour as `#rrggbb`, on a light or a dark background. `ink` is the colour of text on it.
     */
    light: string;
    /**
     * The limit, also for an activity: `application`.
     */
    limit: string;
    /**
     * Pattern, so that colour is never the only sign.
     */
    pattern: Pattern;
}
export interface Reason {
    /**
     * Id such as `room_left_unused`. Its sentence is the message `why-room-left-unused`, in which `{length}`
     * is the length of the interval.
     */
    id: string;
    /**
     * Names of the numbers in `Timeline.values`, which end in their units: `flight_bytes`, `rtt_us`,
     * `room_unused_share`, `rate_bits_per_s`.
     */
    measures: string[];
}
/**
 * `GET {chart}?connection=ID[&from=S][&to=S]` returns a `ChartAnswer` for that connection and window.
 * Without a window, it covers the whole connection. The size limit of an answer bounds the detail. The
 * status is 404 if the connection does not exist.
 */
export interface Server {
    /**
     * Relative URL, `api/chart`.
     */
    chart: string;
}
/**
 * The name that a client used for its server.
 *
 */
export interface EndName {
    /**
     * The server: `192.0.2.80:443`.
     */
    end: string;
    /**
     * The name from TLS (SNI) or HTTP (`Host`).
     */
    name: string;
}
/**
 * Address and port of a server, with its traffic and response times.
 */
export interface ServiceLine {
    /**
     * Payload of both directions.
     */
    bytes: number;
    /**
     * Number of connections, including failed and empty ones.
     */
    connections: number;
    /**
     * Requests with an answer.
     */
    exchanges: number;
    /**
     * Connections that failed, by kind; kinds that did not occur are absent.
     */
    failures: FailuresOfService[];
    /**
     * Durations of the exchanges (of the connections, if there are no exchanges), and of failed connections.
     */
    histogram: Histogram;
    /**
     * Number of connections on which a person types.
     */
    interactive: number;
    /**
     * Index into `ViewData.limits` of the limit with the most time; null without data.
     */
    limit: number | null;
    /**
     * Seconds of the exchanges that server, network and client took; null without exchanges.
     */
    parts_s: [number, number, number] | null;
    /**
     * Address and port: `10.0.0.1:3306`.
     */
    server: string;
    /**
     * Median, 95th percentile and maximum of the exchanges' times, or of the connections' without exchanges;
     * null without either. Unit: seconds.
     */
    time_s: [number, number, number] | null;
}
/**
 * Connections that failed in one way.
 */
export interface FailuresOfService {
    connections: number;
    /**
     * Id of the failure, as in `ViewData.failures`: `refused`.
     */
    kind: string;
}
/**
 * Time under one limit.
 */
export interface Spent {
    /**
     * Index into `ViewData.limits`.
     */
    limit: number;
    seconds: number;
}
/**
 * The program that wrote a document.
 */
export interface Tool {
    /**
     * `tcpwhy`.
     */
    name: string;
    /**
     * Semantic version.
     */
    version: string;
}
/**
 * A logarithmic scale: bin 0 has all durations below `least_s`, bin `i` begins at `least_s * 10^((i - 1) /
 * per_decade)`.
 */
export interface Bins {
    count: number;
    least_s: number;
    per_decade: number;
}
export interface ChartAnswer {
    chart: ConnectionChart;
    /**
     * As in `ViewData.documents`, for a connection that the page does not have.
     */
    documents: {
        en: Document;
        'zh-CN': Document;
    };
    format: 'tcpwhy-view/1';
}
export interface Extent {
    edge: number | null;
    flight: number;
    seq: number;
    window: number | null;
}
/**
 * A threshold that decides a verdict.
 */
export interface Flip {
    /**
     * Detail id of that limit.
     */
    detail: string | null;
    /**
     * Limit id of the resulting verdict, or `none`.
     */
    limit: string;
    /**
     * Direction of the change: `lower` or `higher`.
     */
    moved: string;
    /**
     * Its name in the source.
     */
    threshold: string;
    /**
     * Its unit.
     */
    unit: string;
    /**
     * Its value, as the source has it.
     */
    value: string;
}
/**
 * Counts in bins from `first` on.
 */
export interface Histogram {
    done: number[];
    failed: number[];
    first: number;
}
/**
 * The share of a kind of cause according to kernel and packets.
 */
export interface KindShares {
    /**
     * Share according to the kernel, from 0 to 1.
     */
    kernel: number;
    /**
     * `network`, `send_buffer`, `receive_window`, `application`, `small_write` (Nagle, `TCP_CORK`) or
     * `pacing` (`SO_MAX_PACING_RATE`).
     */
    kind: string;
    /**
     * Share according to the packets alone, from 0 to 1.
     */
    packets: number;
}
/**
 * One side of a relay.
 */
export interface Leg {
    /**
     * IP address of the server.
     */
    address: string;
    /**
     * IP address of the client; null for several.
     */
    client: string | null;
    /**
     * Number of this leg's connection in the largest pair.
     */
    example: number;
    /**
     * TCP port of the server.
     */
    port: number;
}
export interface Omitted {
    bytes: number;
    connections: number;
    lost_s: number;
}
/**
 * Columns over connections, those that lost the most first. `id[i]` is the number for `--connection` and
 * `#c3`.
 */
export interface Overview {
    /**
     * A bit for each bin of `ViewData.bins` that counts it: exact, because there are fewer than 53 bins.
     */
    bins: Column;
    /**
     * Unique payload bytes of the main direction, and of the other one.
     */
    bytes: Column;
    bytes_back: Column;
    /**
     * Index into `captures` of the documents; unknown if captures were merged.
     */
    capture: Column;
    /**
     * Number of connections in all captures, after filters such as --host.
     */
    connections: number;
    /**
     * 1 if `charts` has it, 2 if only `documents` has it, 0 if neither does (ask the server if there is
     * one).
     */
    detail: Column;
    /**
     * Seconds from the first to the last packet.
     */
    duration_s: Column;
    /**
     * Number of exchanges, which are requests with an answer.
     */
    exchanges: Column;
    /**
     * Index into `problems` of the documents, if it failed as others did; unknown without one.
     */
    failed_problem: Column;
    /**
     * Index into `ViewData.failures`; unknown if it did not fail.
     */
    failure: Column;
    /**
     * Ends such as `10.0.0.1:3306`; `from` is the end that sent more.
     */
    from: string[];
    goodput_bits_per_s: Column;
    id: Column;
    /**
     * 1 if a person types.
     */
    interactive: Column;
    /**
     * 1 if `lost_s` is predicted; 0 if it is an upper bound.
     */
    is_saving_predicted: Column;
    /**
     * Seconds that a change would save: predicted, or an upper bound.
     */
    lost_s: Column;
    /**
     * Connections that are not in the rows for lack of room, and the sum of their data.
     */
    omitted: Omitted;
    /**
     * 1 if a connection without data only checked whether the server answers: a health check, or part of a
     * scan.
     */
    probe: Column;
    retransmitted_bytes: Column;
    rows: number;
    /**
     * Index into `ViewData.services`; unknown for a server that is not listed.
     */
    service: Column;
    /**
     * Most severe finding: 0 none, 1 info, 2 warning, 3 critical.
     */
    severity: Column;
    /**
     * Index into `problems` of the documents, if it was slow for the same reason as others; unknown without
     * one.
     */
    slow_problem: Column;
    /**
     * Start of the connection, seconds from the first packet of all captures.
     */
    start_s: Column;
    to: string[];
    /**
     * Seconds of the main direction from its first data to the last ACK of its data; unknown without data.
     */
    transfer_s: Column;
    /**
     * Index into causes of the verdict; unknown (255) if no limit is worth a change.
     */
    verdict: Column;
    /**
     * Seconds under the verdict's limit.
     */
    verdict_s: Column;
}
/**
 * Seconds of all exchanges by the party that took them.
 */
export interface Parts {
    /**
     * Transfer of the answers, without the server's pauses.
     */
    answers_s: number;
    /**
     * Lower bound of that time, because round-trip times varied.
     */
    client_least_s: number;
    /**
     * Time of the client, between an answer and its next request.
     */
    client_s: number;
    /**
     * Transfer of the requests.
     */
    requests_s: number;
    /**
     * Recovery from losses, included in the transfers.
     */
    retransmission_s: number;
    /**
     * Round trips of the path, one for each exchange.
     */
    round_trips_s: number;
    /**
     * Lower bound of that time, because round-trip times varied.
     */
    server_least_s: number;
    /**
     * Pauses of the server within its answers.
     */
    server_pauses_s: number;
    /**
     * Time of the server, from the last byte of a request to the first byte of its answer.
     */
    server_s: number;
}
/**
 * The chart that comes first, and the sentence written on it.
 */
export interface Proof {
    chart: ProofChart;
    /**
     * Sentence by language; empty if none is worthwhile.
     */
    sentences: {
        [k: string]: string;
    };
}
/**
 * Time under another limit that the verdict's change affects too.
 */
export interface RelatedTime {
    /**
     * Detail id.
     */
    detail: string | null;
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Time, as in `limits`.
     */
    seconds: number;
}
/**
 * The sampling of a connection.
 */
export interface Sampling {
    /**
     * Always 0: lost events are counted for the whole host.
     */
    lost_events: number;
    /**
     * `bpf`: all time is known, and ranges of shares are null; or `samples`.
     */
    mode: string;
    /**
     * Samples per second.
     */
    rate_hz: number;
    /**
     * Number of samples.
     */
    samples: number;
}
/**
 * A duration with its range.
 */
export interface SecondsRange {
    /**
     * Upper end of the likely range; absent unless the claim is `range`.
     */
    high?: number;
    /**
     * Lower end of the likely range.
     */
    low: number;
    /**
     * Best single value; absent unless the claim is `range`.
     */
    value?: number;
}
export interface Segments {
    /**
     * Width of its bins in seconds; 0: exact. Each table has its own.
     */
    bin_s: number;
    /**
     * Number of segments in the bin; absent unless binned.
     */
    count?: Column;
    hi: Column;
    /**
     * First byte, and one past the last byte.
     */
    lo: Column;
    /**
     * Packet number in the capture file; for a bin, of its first packet.
     */
    packet: Column;
    rows: number;
    t: Column;
}
/**
 * A stretch of time.
 */
export interface Span {
    /**
     * Its length.
     */
    duration_s: number;
    /**
     * The same time as RFC 3339, in UTC.
     */
    start: string;
    /**
     * Start, nanoseconds since the epoch.
     */
    start_ns: number;
}
export interface Stretch {
    from_s: number;
    to_s: number;
}
/**
 * Place of a capture.
 */
export interface Vantage {
    /**
     * Basis of the estimate.
     */
    basis: string;
    /**
     * Index into `endpoints` of the end at which it was taken; null for the middle and if unknown.
     */
    endpoint: number | null;
    /**
     * `sender-side of endpoint 0`: near that endpoint, which sends most of the data; `receiver-side of …`:
     * near the receiver; `middle`; `unknown`.
     */
    position: string;
}
/**
 * The limit to act on first.
 */
export interface Verdict {
    /**
     * Another limit that the packets also allow; null if there is none.
     */
    alternative: string | null;
    /**
     * Confidence, from 0 to 1.
     */
    confidence: number;
    /**
     * Detail id.
     */
    detail: string | null;
    /**
     * Bytes in flight under that limit: the time-weighted mean of the maximum per round trip; for a send
     * buffer the median. Null if unknown.
     */
    flight_bytes: number | null;
    /**
     * Thresholds for which a change by a third leads to another limit; only with `--why`, if that was tried.
     */
    flips?: Flip[];
    /**
     * Limit id, or `none` if no limit is worth a change.
     */
    limit: string;
    /**
     * Why this limit is chosen although another one has more time: stable kebab-case id.
     */
    reason: string | null;
    /**
     * Time under other limits and details that the same change affects, longest first.
     */
    related: RelatedTime[];
    /**
     * Round-trip time under that limit: the mean, weighted by time.
     */
    rtt_us: number | null;
    /**
     * Time under that limit with that detail, as in `limits`.
     */
    seconds: number;
    /**
     * Description in the language asked for; absent without words.
     */
    sentence: string;
    /**
     * `none` if nothing limited the direction (it was healthy, or had nothing to send); otherwise `info`,
     * `warning` or `critical`.
     */
    severity: string;
    /**
     * Largest window offered under that limit.
     */
    window_bytes: number | null;
}
export interface Waiting {
    connections: number;
    /**
     * Seconds of the interactive connections among them, on which a person types.
     */
    person_s: number;
    seconds: number;
}
