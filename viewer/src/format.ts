// Made by viewer/build from contract.json, that is from crates/tcpwhy-view/src/data/contract.rs: change that.

/**
 * One column of a table: `TYPE:BASE64`, little-endian, as many values as the table has `rows`. `u8`, `u16`, `u32`: unsigned, the largest value means unknown. `f32`, `f64`: NaN means unknown. The writer takes the smallest type that is exact; the reader must take any type for any column.
 */
export type Column = `${'u8' | 'u16' | 'u32' | 'f32' | 'f64'}:${string}`;
/**
 * What a horizontal line in the window chart stands for.
 */
export type LineKind = 'plateau' | 'bdp' | 'window_max';
/**
 * An exceptional event.
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
 * How an area is filled besides its colour.
 */
export type Pattern = 'solid' | 'dots' | 'diagonal' | 'back_diagonal' | 'cross' | 'horizontal' | 'vertical' | 'grid';
/**
 * The chart that comes first.
 */
export type ProofChart = ('window' | 'sequence' | 'rtt' | 'throughput') | 'lanes';

/**
 * What the page embeds as `<script type="application/json" id="tcpwhy-data">`; the same shapes come from
 * `tcpwhy serve` over HTTP. Fields may be added, never renamed; an unknown field is ignored.
 *
 * Units: times are seconds from the first packet of the connection (`start_ns` of the connection is that
 * instant), unless a name says otherwise; sequence positions are bytes from the start of the stream (the
 * first payload byte of a connection whose SYN was seen is 0; else the lowest offset seen is 0); windows are
 * bytes after scaling. Unknown is null, NaN or the largest value of an unsigned column, never 0.
 *
 * The viewer's own words (`viewer-*`) are in `locales/{en,zh-CN}/viewer.ftl` of crate `tcpwhy-report`.
 */
export interface ViewData {
    /**
     * How the histograms of `services` and `Overview.bins` are made.
     */
    bins: Bins;
    /**
     * Index = value in cause columns.
     */
    causes: Cause[];
    /**
     * Charts, for connections as the budget allowed, those that lost most first. Look up by `connection`.
     */
    charts: ConnectionChart[];
    /**
     * What is compared, where the page is of `tcpwhy compare`.
     */
    comparison?: Compared;
    /**
     * What would tell two limits apart. Index = value in `Timeline.decider`.
     */
    deciders: string[];
    /**
     * Diagnosis with all sentences, by language: documents of schema `tcpwhy/1` (`tcpwhy schema`) that hold
     * the captures and the connections that matter most, without timelines. The languages differ in words
     * only.
     */
    documents: {
        en: Document;
        'zh-CN': Document;
    };
    /**
     * Ids of the ways to fail. Index = `Overview.failure`.
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
     * Language to start in; the reader may switch.
     */
    language: Language;
    /**
     * The limits in the order of the schema, the application as what it did, with their looks. Index =
     * `limit` in `Cause`.
     */
    limits: LimitLook[];
    /**
     * Index = value in `Marks.kind`.
     */
    mark_kinds: MarkKind[];
    /**
     * Words by language and id: all ids `viewer-*` of the catalogue, `limit-*` (hyphens: `limit-send-buffer`),
     * `detail-*`, `alternative-*`, `decider-*`, for `reasons` `why-*` and for their measures `evidence-*`,
     * `fact-vantage-*`, `basis-*`, `severity-*`, `unit-*`, `unknown`, `yes`, `no`; `kernel-*` where a kernel tells of a connection. `{name}` in a text is a
     * place to put a value into.
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
     * Names by address (`192.0.2.1`), where they were asked for and there are any.
     */
    names?: {
        [k: string]: string;
    };
    /**
     * All connections (or those that matter most; see `omitted`).
     */
    overview: Overview;
    /**
     * Names of languages and servers by the ids that `line_programs` of fixes have.
     */
    programs: {
        [k: string]: string;
    };
    /**
     * What decided intervals: those that the charts refer to (all, where a server sends more charts). Key = value in
     * `Timeline.reason`.
     */
    reasons: {
        [k: string]: Reason;
    };
    /**
     * Where more detail can be asked for; null in a file.
     */
    server: Server | null;
    /**
     * By the connection's number: what its client called the server, and which end that is; where they were
     * asked for.
     */
    server_names?: {
        [k: string]: EndName;
    };
    /**
     * Servers, those that problems concern first, then those with most connections. Index =
     * `Overview.service`.
     */
    services: ServiceLine[];
    /**
     * Servers that are not among them.
     */
    services_omitted: number;
    /**
     * Seconds of each limit that occurs, of the principal directions of connections that did not mostly
     * wait.
     */
    spent: Spent[];
    tool: Tool;
    /**
     * Connections that mostly waited for somebody to ask or to answer, and how long those lasted.
     */
    waiting: Waiting;
    /**
     * Connections with data whose clock is wrong: their times are in no sum of the page.
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
 * Everything to draw for one connection.
 */
export interface ConnectionChart {
    connection: number;
    duration_s: number;
    endpoints: [string, string];
    /**
     * Requests and their answers, for lanes; null where there are none, and in the answer for a window.
     */
    exchanges: ExchangeColumns | null;
    /**
     * What of time this answers: `[0, duration_s]` in a page; the window asked for in a `ChartAnswer`.
     */
    from_s: number;
    /**
     * Directions that carried payload.
     */
    halves: HalfChart[];
    /**
     * Packets in `[from_s, to_s]`.
     */
    packet_count: number;
    /**
     * Every packet of the connection in `[from_s, to_s]`, or null where that would be too many.
     */
    packets: Packets | null;
    /**
     * First packet, ns since the epoch (may exceed 2^53: a string of digits).
     */
    start_ns: string;
    to_s: number;
}
/**
 * Requests with their answers as they passed the capture point, in the order of time.
 */
export interface ExchangeColumns {
    answer_bytes: Column;
    answer_s: Column;
    /**
     * Index of the end that asks.
     */
    client: number;
    /**
     * How many there were; `rows` are the slowest of them.
     */
    count: number;
    /**
     * Packet numbers of the first data of the request and the last of the answer.
     */
    first_packet: Column;
    gap_s: Column;
    last_packet: Column;
    /**
     * The server's pauses within the answer, part of it.
     */
    pauses_s: Column;
    request_bytes: Column;
    /**
     * To its last data, from there to the first data of the answer, and from there to its last.
     */
    request_s: Column;
    rows: number;
    /**
     * The server's response time, part of the gap; the rest is the path's.
     */
    server_s: Column;
    /**
     * First data of the request.
     */
    t: Column;
}
/**
 * One direction: `sender`'s data, and what the other end said of it.
 */
export interface HalfChart {
    /**
     * Width of the bins of `segments` and `states` in seconds; 0: exact, a row an event. A row of a bin
     * covers `bin_s` from t on, bins in which nothing happened have no row.
     */
    bin_s: number;
    /**
     * All of the direction's numbers, for scales: the highest sequence offset, right edge, window, flight.
     */
    extent: Extent;
    /**
     * Horizontal lines of the window chart.
     */
    lines: Line[];
    marks: Marks;
    mss: number | null;
    /**
     * What shows at a glance what limited it.
     */
    proof: Proof;
    rtt: RoundTrips;
    /**
     * Smallest round trip of the whole direction (s), for queueing delay = rtt - `rtt_min`; null if none.
     */
    rtt_min_s: number | null;
    /**
     * New data (`bin_s` of its own, 0 if exact): drawn as a vertical bar [lo, hi) at t. Exceptional segments are in
     * `marks`.
     */
    segments: Segments;
    sender: 0 | 1;
    /**
     * The sending socket as its kernel saw it; left out where no kernel did.
     */
    socket?: Socket;
    /**
     * Where the limits account for time: seconds.
     */
    span: Stretch;
    states: States;
    throughput: Throughput;
    timeline: Timeline;
    /**
     * Flight, RTT come from the order at the sender: "exact" seen there, "inferred" put back from elsewhere.
     */
    vantage: 'sender' | 'receiver' | 'middle' | 'unknown';
}
export interface Line {
    bytes: number;
    /**
     * Where it holds; the whole span if null.
     */
    from_s: number | null;
    kind: LineKind;
    to_s: number | null;
}
/**
 * Every exceptional event, exactly; where there were too many of a kind, neighbours are merged: `count`
 * tells how many, `[t, t_end]` and [lo, hi) cover them. Always draw at least a pixel.
 */
export interface Marks {
    /**
     * Absent: all 1.
     */
    count?: Column;
    hi: Column;
    /**
     * Index into `ViewData.mark_kinds`.
     */
    kind: Column;
    lo: Column;
    /**
     * Packet number (of the first).
     */
    packet: Column;
    rows: number;
    t: Column;
    /**
     * Absent: all exact, equal to t.
     */
    t_end?: Column;
}
export interface RoundTrips {
    bin_s: number;
    rows: number;
    /**
     * Seconds.
     */
    rtt: Bounds;
    t: Column;
}
/**
 * Samples of a socket, or the extremes of neighbouring samples. All in bytes.
 */
export interface Socket {
    /**
     * The send buffer, `sk_sndbuf`.
     */
    buffer: Bounds;
    /**
     * The congestion window.
     */
    cwnd: Bounds;
    flight: Bounds;
    /**
     * 1 where a program that writes waits for room, else 0.
     */
    full: Column;
    /**
     * Memory of what waits to be sent or acknowledged, `sk_wmem_queued`.
     */
    queued: Bounds;
    rows: number;
    t: Column;
    unsent: Bounds;
    window: Bounds;
}
/**
 * A value that is exact for a row, or the range it covered in a bin: without `hi` both are equal.
 */
export interface Bounds {
    hi?: Column;
    lo: Column;
}
/**
 * Values after each event (step functions: hold until the next row); ranges over a bin when binned.
 */
export interface States {
    bin_s: number;
    /**
     * The congestion window is at least this: the largest flight since the last loss or idle period.
     */
    cwnd_floor: Bounds;
    /**
     * Right edge that the receiver offers.
     */
    edge: Bounds;
    /**
     * Sent and not acknowledged, as the sender saw it.
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
     * Everything below is acknowledged, as captured: the ACK line.
     */
    una: Bounds;
    /**
     * Offered window.
     */
    window: Bounds;
}
/**
 * Bins of `bin_s`, those with nothing left out.
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
     * Payload bytes sent in it, with repeats.
     */
    sent: Column;
    /**
     * Start of the bin.
     */
    t: Column;
}
/**
 * The partition of time: row i holds from t[i] to t[i+1] (the last to `span.to_s`).
 */
export interface Timeline {
    /**
     * Index into `ViewData.causes`.
     */
    cause: Column;
    /**
     * 0 to 100, percent.
     */
    confidence: Column;
    /**
     * Index into `ViewData.deciders`: what would tell the two apart.
     */
    decider?: Column;
    /**
     * Whether many short intervals were absorbed by neighbours (totals in the document stay exact).
     */
    is_coarsened: boolean;
    /**
     * Index into `ViewData.limits`: another limit that the packets would allow as well.
     */
    other?: Column;
    /**
     * Key into `ViewData.reasons`: what decided the interval, or most of it.
     */
    reason: Column;
    rows: number;
    t: Column;
    /**
     * The numbers of the reason's measures: column i holds those of measure i. Means over the interval.
     */
    values: Column[];
}
export interface Packets {
    /**
     * Offset in the peer's stream; unknown without ACK flag.
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
     * What it was: index into `packet_kinds`: 0 ordinary, else 1 + index into `ViewData.mark_kinds`.
     */
    kind: Column;
    len: Column;
    /**
     * As Wireshark counts, from 1.
     */
    number: Column;
    /**
     * Options present: MSS 1, window scale 2, SACK permitted 4, SACK 8, timestamps 16, MPTCP 32, fast open
     * 64, accurate ECN 128.
     */
    options: Column;
    rows: number;
    /**
     * Offset in the sender's stream (relative sequence number less 1 when the SYN was seen); unknown if it
     * has no place there.
     */
    seq: Column;
    t: Column;
    tsecr: Column;
    tsval: Column;
    /**
     * Bytes, scaled; unknown while the scale is.
     */
    window: Column;
}
/**
 * Two captures, or the two ends of connections, beside each other.
 */
export interface Compared {
    alike: number;
    /**
     * How the captures are called.
     */
    captures: [string, string];
    /**
     * Those that belong together in all, and how many of them are alike and are not shown.
     */
    count: number;
    /**
     * `captures`, `connections` or `ends` (the same connections, captured at two places).
     */
    mode: string;
    pairs: ComparedPair[];
    /**
     * Servers of both captures, the worst change first.
     */
    services: ComparedService[];
    /**
     * Servers that are not listed, because they changed less.
     */
    services_omitted: number;
    words: {
        en: CompareWords;
        'zh-CN': CompareWords;
    };
}
/**
 * Two connections that belong together.
 */
export interface ComparedPair {
    /**
     * Their numbers.
     */
    connections: [number, number];
    /**
     * Whose data is compared: indices of ends.
     */
    senders: [number, number];
    /**
     * How much later the second begins on the axis of the first, seconds: of one connection at two places,
     * by the clock of the first capture.
     */
    shift_s: number;
}
/**
 * A server in both captures. Lists of two are: before, after.
 */
export interface ComparedService {
    connections: [number, number];
    /**
     * Connections that failed.
     */
    failed: [number, number];
    /**
     * Requests with an answer.
     */
    requests: [number, number];
    /**
     * Address and port; they differ where the captures are of different hosts.
     */
    servers: [string, string];
    /**
     * Median and 95 % of the requests, seconds; null without requests.
     */
    time_s: [[number, number] | null, [number, number] | null];
}
/**
 * What a comparison says in sentences.
 */
export interface CompareWords {
    /**
     * What changed, new and worse problems first.
     */
    changes: string[];
    /**
     * What the captures are to each other, and how many connections only one of them has.
     */
    heads: string[];
    /**
     * By pair: the sentence that compares its connections.
     */
    pairs: string[];
    /**
     * The sentence that compares: the heading of the page.
     */
    sentence: string;
    /**
     * By pair: what both captures say together.
     */
    together: string[][];
}
/**
 * What `tcpwhy explain --json` writes.
 */
export interface Document {
    /**
     * What no single connection shows, but those of one client to one server do; absent where there is
     * nothing.
     */
    across_connections?: Finding[];
    /**
     * One entry for each capture read.
     */
    captures: Capture[];
    /**
     * Connections in the order of their first packets, file by file.
     */
    connections: Connection[];
    /**
     * Connections that a proxy, tunnel or forwarder passes on as others; absent without any.
     */
    legs?: Relay[];
    /**
     * What is wrong, gravest first; absent where nothing is.
     */
    problems?: Problem[];
    /**
     * Always `tcpwhy/1`.
     */
    schema: 'tcpwhy/1';
    /**
     * The servers, those with most connections first; absent without a connection.
     */
    services?: Service[];
    /**
     * Who wrote it.
     */
    tool: Tool;
}
/**
 * A diagnosis: a rule that held, with what it rests on and what to change.
 */
export interface Finding {
    /**
     * Between 0 and 1.
     */
    confidence: number;
    /**
     * The numbers it rests on.
     */
    evidence: Evidence[];
    /**
     * What to change, best first.
     */
    fixes: Fix[];
    /**
     * What the change would bring; null when that cannot be said.
     */
    prediction: Prediction | null;
    /**
     * Stable kebab-case id; `tcpwhy rules ID` explains it.
     */
    rule: string;
    /**
     * What it cost; null when it has no cost in time of its own.
     */
    seconds: number | null;
    /**
     * In words, in the language asked for; left out without words.
     */
    sentence: string;
    /**
     * `info`, `warning` or `critical`.
     */
    severity: string;
    title: string;
}
/**
 * One number that a finding rests on.
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
     * The value with its unit.
     */
    text: string;
    /**
     * The value, in the unit that the name says.
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
     * For each of `lines` the languages and servers that it is for, as `--code` takes them (`java`,
     * `nginx`); none for a command that every host takes. Left out where all lines are such commands.
     */
    line_programs?: string[][];
    /**
     * Exact lines of code or configuration; left out without words.
     */
    lines: string[];
    /**
     * Words in capitals in `lines` that the reader replaces; left out where there are none.
     */
    missing?: string[];
    /**
     * `ready`: its lines can be pasted. `placeholders`: values are missing. `conditional`: it depends on
     * something that packets do not show. `measure`: it changes nothing, but shows what to do.
     */
    readiness: string;
    /**
     * `true` where it removes another cause than the fix before it, and the packets do not show which of the
     * two it is. One of them is enough. Left out otherwise.
     */
    rival?: boolean;
    /**
     * Language or server whose lines come first, as `line_programs` names them; null where no line is for
     * one.
     */
    suggested: string;
    /**
     * In words, in the language asked for; left out without words.
     */
    text: string;
    /**
     * `sending-application`, `receiving-application`, `sending-host`, `receiving-host`, `network` or `capture`.
     */
    where: string;
    where_text: string;
}
/**
 * What a fix would bring.
 */
export interface Prediction {
    /**
     * Where the prediction comes from.
     */
    basis: string;
    /**
     * Why the rate stops there: stable kebab-case id.
     */
    ceiling: string;
    /**
     * The same in words, in the language asked for; left out without words.
     */
    ceiling_text?: string;
    /**
     * `range`: the duration lies in its range. `at_best`: it is `low` at least, as what limits then is not
     * known well. `at_best_untried`: likewise, as nothing shows how fast the path is.
     */
    claim: string;
    /**
     * How well the rebuilt transfer behaves as the real one did; left out unless it was simulated.
     */
    fit?: Fit;
    /**
     * `simulated`: the transfer was rebuilt and simulated with the change. `formula`: it was computed.
     */
    method: string;
    /**
     * Id of what limits next.
     */
    next_limit: string;
    /**
     * Durations over paths of some rates, where nothing shows how fast the path is; empty otherwise.
     */
    paths: PathTime[];
    /**
     * Duration afterwards: of the half-connection's span, or of the time of the requests.
     */
    seconds: SecondsRange;
    /**
     * How many times faster the half-connection, or the requests, become at most.
     */
    times_at_most: number;
}
/**
 * How well a rebuilt transfer behaves as the real one did.
 */
export interface Fit {
    /**
     * Its duration without any change, in seconds.
     */
    as_it_was_s: number;
    /**
     * How near its duration comes: 1 is exact, 0.9 is a tenth off.
     */
    closeness: number;
    /**
     * Simulated transfers that behave so.
     */
    worlds: number;
}
/**
 * A duration over a path of some rate.
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
     * First to last packet; null without packets.
     */
    duration_s: number | null;
    /**
     * Why it failed; null otherwise.
     */
    error: CaptureFailure | null;
    /**
     * `pcap` or `pcapng`; `unknown` if it failed.
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
     * As it was named on the command line; `-` is standard input.
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
     * The same as RFC 3339, in UTC.
     */
    start: string | null;
    /**
     * First packet, nanoseconds since the epoch; null without packets.
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
     * How often.
     */
    count: number;
    /**
     * Number of the first packet concerned, from 1; null when it struck before any packet.
     */
    first_packet: number | null;
    /**
     * Stable kebab-case id.
     */
    kind: string;
    /**
     * In words, in the language asked for; left out without words.
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
     * In words, in the language asked for; left out without words.
     */
    text?: string;
}
/**
 * One TCP connection: one incarnation of its four-tuple.
 */
export interface Connection {
    answer: AnswerWords;
    /**
     * For how long its writers waited for room in the send buffer, all of them together; null where nobody
     * counts that.
     */
    blocked_s?: number;
    /**
     * Index into `captures`; null when several captures were merged.
     */
    capture: number | null;
    /**
     * Community ID, version 1 with seed 0: the name of this flow in the logs of Zeek and Suricata.
     */
    community_id: string;
    /**
     * The kernel's cookie of the socket.
     */
    cookie?: number;
    /**
     * First to last packet.
     */
    duration_s: number;
    /**
     * `closed`, `half_closed`, `reset_by_0`, `reset_by_1`, `open`, `unanswered`,
     * `refused` or `handshake_incomplete`.
     */
    ending: string;
    /**
     * The two ends; the first sent the first packet seen.
     */
    endpoints: [Endpoint, Endpoint];
    /**
     * Requests and their answers; left out where there are none.
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
     * Whether the socket is gone.
     */
    has_ended?: boolean;
    /**
     * `true` where its times mean nothing, as the capture's clock is wrong: leave it out of sums of times.
     * Left out otherwise.
     */
    has_wrong_clock?: boolean;
    /**
     * In order of first packet, from 0; numbered on from file to file.
     */
    id: number;
    /**
     * Index into `endpoints` of the end that sent the SYN; null if the SYN was not seen.
     */
    initiator: number | null;
    /**
     * What a change could have saved of the time that it was watched; null where packets say it.
     */
    lost_s?: number;
    /**
     * Inode of its network namespace.
     */
    network_namespace?: number;
    /**
     * How it failed or is failing; null where nothing shows that, and where packets say it.
     */
    outcome?: LiveOutcome;
    /**
     * Segments in each direction, by index of the sending endpoint, empty ones included.
     */
    packets: [number, number];
    /**
     * Who has it open; null when nobody does or that could not be seen.
     */
    process?: LiveProcess;
    /**
     * How it was looked at.
     */
    sampling?: Sampling;
    /**
     * `kernel`: its own state told of it; `both`: packets, and its own state beside them.
     */
    source?: string;
    /**
     * The same as RFC 3339, in UTC.
     */
    start: string;
    /**
     * First packet, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * How long both sides took to answer each other; null where nobody counts that: it needs `bpf`.
     */
    turn_times?: LiveTurns;
    /**
     * Where it was captured.
     */
    vantage: Vantage;
}
/**
 * The published answer, with what the page needs to lay out its lines.
 */
export interface AnswerWords {
    /**
     * The numbers behind it, and what it was not.
     */
    below: string[];
    /**
     * How it ended besides, or that the clock is wrong, as after `BUT` in the terminal; left out
     * without that.
     */
    but?: string;
    /**
     * What it is, by kind. `limit`: the limit, or the rule of a finding about a connection as a whole.
     * `party`: `server`, `client` or `round_trips`. `failure`: how it failed, as in `failures` of services.
     * A problem has its `cause` here. Null where nothing is wrong, and for a wrong clock.
     */
    cause: string | null;
    /**
     * How often such an answer is right, from 0 to 1; null where that was not measured.
     */
    confidence: number | null;
    /**
     * Number of the connection that shows it; null in the answer of a connection, and where none
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
     * What to change, as after `FIX` in the terminal; left out without words, and where the clock is
     * wrong.
     */
    fix?: string;
    /**
     * Id of that fix, as in the finding.
     */
    fix_id: string | null;
    /**
     * What decided, part by part.
     */
    grounds: string[];
    /**
     * The fix says what it would bring.
     */
    has_gain: boolean;
    /**
     * The fix is a change, and not a reason why there is none.
     */
    is_change: boolean;
    /**
     * A limit of the sender explains it, and not who took the time of requests or how it failed.
     */
    is_limit: boolean;
    /**
     * `fix` says what to change, or that there is nothing: it is no command that shows more.
     */
    is_shown: boolean;
    /**
     * `limit` (held data back), `party` (took the time of requests), `failure`, `probe`, `clock` (the
     * capture's clock is wrong), `nothing` (is wrong) or `cannot_tell`.
     */
    kind: string;
    /**
     * All of that, in seconds.
     */
    of_seconds: number | null;
    /**
     * `complete`, `failed` or `open` (when the capture ended); null for several connections.
     */
    outcome: string | null;
    /**
     * How ready the change is, as in the finding; null where there is nothing to do.
     */
    readiness: string | null;
    /**
     * Causes that the packets do not exclude, longest first.
     */
    rivals: Rival[];
    /**
     * Rule of the finding whose fix it proposes; null where it proposes none.
     */
    rule: string | null;
    /**
     * What it cost, in seconds; null where no time is known.
     */
    seconds: number | null;
    /**
     * Index into `endpoints` of the end whose data it is about; null where it is about no direction.
     */
    sender: number | null;
    /**
     * Who sent how much, as the first line of the terminal; left out without words, and for a problem.
     */
    sentence?: string;
    /**
     * `info`, `warning` or `critical`; null where nothing is wrong.
     */
    severity: string | null;
    /**
     * What the fix would bring; null where that is not known.
     */
    then: Then | null;
    /**
     * What these are a part of: `transfer` (the span of a direction or connection), `requests` (the
     * time of a connection's requests) or `connections` (the time of all connections, added up).
     */
    whole: string | null;
    /**
     * Why, as after `WHY` in the terminal; left out without words.
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
     * Time that may be its, in seconds.
     */
    seconds: number;
    /**
     * Stable kebab-case id of the observation that would decide.
     */
    would_decide_id: string;
}
/**
 * What a fix would bring.
 */
export interface Then {
    /**
     * `range`: the duration lies between `low_s` and `high_s`; `at_best` or `at_best_untried`: it is
     * `low_s` at least.
     */
    claim: string;
    /**
     * The longest; null unless a range is claimed.
     */
    high_s: number | null;
    /**
     * The shortest duration afterwards.
     */
    low_s: number;
    /**
     * The limit that comes next.
     */
    next_limit: string;
    /**
     * The duration now.
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
     * Name of the address, where it was asked for and there is one (`--names`, `--names=dns`).
     */
    name?: string;
    /**
     * TCP port.
     */
    port: number;
    /**
     * What the client called this end, its server, in its first bytes: the server name of TLS, the host of
     * HTTP. Where it was asked for (`--names`, `--names=sni`) and was captured.
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
     * Index into `endpoints` of the end that asks.
     */
    client: number;
    /**
     * How often who asks and these times were right where the same shows who asks.
     */
    confidence?: number;
    /**
     * How many there were.
     */
    count: number;
    /**
     * From the handshake to the server's first words, where the server spoke first.
     */
    greeting_s?: number;
    /**
     * The evidence of that. `habit`: answers come at once or after a steady time. `header`: a TLS handshake
     * or a status line. `port`: the other end's is known for a service. `opener`: this end opened the
     * connection, or its port is of those who do. `first`: it spoke first.
     */
    known_by: string;
    /**
     * Time of the transfers by what limited them, longest first.
     */
    limits?: TransferLimit[];
    /**
     * Where the time went.
     */
    parts?: Parts;
    /**
     * `request_response`, or `overlapping`: several requests at a time. Then one exchange is a burst of
     * them, and the server's time is at most what is given. Others have no times: `interactive` (a person
     * types), `long_poll` (the server keeps a request until it has news), `unasked` (a stream, notifications).
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
     * The slowest, longest first; at most five.
     */
    slowest?: Exchange[];
    /**
     * First byte of the request leaves the client to last byte of the answer reaches it.
     */
    time_s?: Percentiles;
    /**
     * How long that handshake took.
     */
    tls_s: number;
    /**
     * Turns of a TLS handshake before the first request.
     */
    tls_turns: number;
}
/**
 * Time of transfers under one limit.
 */
export interface TransferLimit {
    /**
     * Detail id; null when the limit has no forms.
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
     * Time of both transfers by what limited them, longest first.
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
     * First data of the request, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * First byte of the request leaves the client to last byte of the answer reaches it.
     */
    time_s: number;
}
/**
 * One direction of a connection that carried payload.
 */
export interface Half {
    /**
     * Time that could belong to either of two limits, longest first: where what was said is right less than nine times in ten.
     */
    ambiguous: Ambiguity[];
    answer: AnswerWords;
    /**
     * Unique payload bytes.
     */
    bytes: number;
    /**
     * Diagnoses, gravest first.
     */
    findings: Finding[];
    /**
     * Bytes in flight over time; null when no ACK was seen.
     */
    flight_bytes: Range | null;
    /**
     * Unique bytes over the time that `limits` divides; null when it is empty.
     */
    goodput_bits_per_s: number | null;
    /**
     * What the kernel said of it beside what packets say; only where a recording has both.
     */
    kernel?: KernelHalf;
    /**
     * Index into `findings` of the one that the answer's fix belongs to; null without one.
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
     * Offered window over time; null while its scale is unknown.
     */
    receive_window_bytes: Range | null;
    /**
     * Payload bytes retransmitted.
     */
    retransmitted_bytes: number;
    /**
     * Segments that repeated data.
     */
    retransmitted_segments: number;
    /**
     * What that end is to the connection: `client`, `server`; null when the handshake was not captured.
     */
    role: string | null;
    /**
     * Round-trip time; null when nothing could be timed.
     */
    rtt_us: RoundTripTime | null;
    /**
     * `sender` or `receiver`: which end's kernel told of it; only of live connections.
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
     * What `limits` accounts for: first SYN or segment of the connection to the last ACK of this data.
     */
    span: Span;
    /**
     * Every instant of the span with `--timeline`; with `--why` the interval of that moment alone, or none if it lies outside.
     */
    timeline?: Interval[];
    /**
     * Whether short intervals were absorbed by their neighbours in `timeline` (`limits` stays exact); with `timeline` only.
     */
    timeline_is_coarsened?: boolean;
    /**
     * What the fixes of all findings bring together, where several were simulated; null otherwise.
     */
    together: Prediction | null;
    /**
     * The limit to act on first.
     */
    verdict: Verdict;
    /**
     * How soon sends follow ACKs that make room: the median, to a power of two. Null where they follow
     * none, or too few were captured.
     */
    wake_up_us: number | null;
    /**
     * `negotiated`, `not_negotiated` or `unknown`.
     */
    window_scaling: string;
    /**
     * Shift of the windows that the receiver of this data offers; 0 without window scaling; null when
     * unknown.
     */
    window_shift: number | null;
}
/**
 * Time that the packets allow to be either of two limits.
 */
export interface Ambiguity {
    /**
     * The limit that `limits` counts it under, and the other.
     */
    between: [string, string];
    /**
     * Time.
     */
    seconds: number;
    /**
     * The observation that would tell them apart, in the language asked for; left out without words.
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
     * Largest.
     */
    max: number;
    /**
     * Half of the time it was at or under it.
     */
    median: number;
    /**
     * Smallest.
     */
    min: number;
    /**
     * 95 % of the time it was at or under it.
     */
    p95: number;
}
/**
 * What the kernel said of a direction beside what packets say, in the time that both tell of.
 */
export interface KernelHalf {
    /**
     * The kernel's own clocks of the sender's socket; null before Linux 4.10.
     */
    clocks: KernelClocks | null;
    /**
     * Where they differ most; null where they agree.
     */
    difference: KernelDifference | null;
    /**
     * The share of that time that they give to different groups of limits: what the path does, the send
     * buffer, the receive window, the application. What either does not see does not count.
     */
    disagreement: number;
    /**
     * Whether that is more than a tenth, and more than samples so few may be wrong by chance.
     */
    disagrees: boolean;
    /**
     * Time by limit and detail as the kernel's samples say, longest first.
     */
    limits: LimitShare[];
    /**
     * The same as packets say.
     */
    packets: LimitShare[];
    /**
     * How often the sender's socket was looked at.
     */
    samples: number;
    /**
     * How long that is.
     */
    seconds: number;
    /**
     * Time of the direction of which the kernel shows the cause.
     */
    watched_s: number;
    /**
     * What the kernel's word is to the verdict. `agrees`: as far as so few samples show, and the time is the
     * packets'. `decides`: they differ, and `limits`, `verdict` and findings of the direction are those of
     * kernel and packets together. `watched_too_little`: they differ, and the kernel watched half of the
     * time or less, so the packets decide.
     */
    word: string;
}
/**
 * The clocks of `tcp_info` while a socket was watched.
 */
export interface KernelClocks {
    /**
     * With data to send or in flight (`busy_time`).
     */
    busy_s: number;
    /**
     * Whether `rwnd_limited` is far from the time that the samples give to the peer's window, under
     * congestion control that paces.
     */
    rwnd_limited_is_wrong: boolean;
    /**
     * Of that, held by the peer's window (`rwnd_limited`).
     */
    rwnd_limited_s: number;
    /**
     * Whether `sndbuf_limited` has less than half of the time that the samples give to the send buffer.
     */
    sndbuf_limited_misses: boolean;
    /**
     * Of that, held by the send buffer as far as the kernel notices (`sndbuf_limited`).
     */
    sndbuf_limited_s: number;
    /**
     * How long it was watched.
     */
    watched_s: number;
}
/**
 * Where the kernel's shares differ most from those of the packets.
 */
export interface KernelDifference {
    /**
     * The kind to which it gives less.
     */
    less: KindShares;
    /**
     * The kind to which the kernel gives more.
     */
    more: KindShares;
    /**
     * The time whose cause both show, without repairs of losses: the whole of all shares.
     */
    seconds: number;
    /**
     * Both shares, which of them decides, and why, in a sentence; left out without words.
     */
    sentence?: string;
}
/**
 * Time under one limit in one form.
 */
export interface LimitShare {
    /**
     * Between 0 and 1.
     */
    confidence: number;
    /**
     * Detail id; null when the limit has no form to tell.
     */
    detail: string | null;
    /**
     * High end of that range.
     */
    high_share?: number;
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Low end of the range in which the share lies with 95 %; only where it was sampled.
     */
    low_share?: number;
    /**
     * Time.
     */
    seconds: number;
    /**
     * Of the span, between 0 and 1.
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
     * Largest.
     */
    max: number;
    /**
     * Half lie at or under it.
     */
    median: number;
    /**
     * Smallest.
     */
    min: number;
    /**
     * 95 % lie at or under it.
     */
    p95: number;
}
/**
 * A stretch of time under one limit.
 */
export interface Interval {
    /**
     * Another limit that the packets would also allow; null when there is none.
     */
    alternative: string | null;
    /**
     * Between 0 and 1.
     */
    confidence: number;
    /**
     * Detail id.
     */
    detail: string | null;
    /**
     * Since the start of the half's span.
     */
    end_s: number;
    /**
     * What decided it, or most of it; null when that was not kept.
     */
    evidence: IntervalEvidence | null;
    /**
     * Limit id.
     */
    limit: string;
    /**
     * Since the start of the half's span.
     */
    start_s: number;
    /**
     * Stable kebab-case id of the observation that would tell the two apart.
     */
    would_decide_id: string | null;
}
/**
 * What decided a stretch of time.
 */
export interface IntervalEvidence {
    /**
     * Stable `snake_case` name of what held.
     */
    reason: string;
    /**
     * In words, in the language asked for; left out without words.
     */
    sentence?: string;
    /**
     * The numbers that speak for it, most telling first: means over the interval, weighted by time. Only what was measured.
     */
    values: Evidence[];
}
/**
 * How a connection failed or is failing.
 */
export interface LiveOutcome {
    /**
     * Connections that nobody has accepted, in the queue that this one waits in; null where that was not
     * seen.
     */
    accept_queue: number | null;
    /**
     * How many that queue takes.
     */
    accept_queue_most: number | null;
    /**
     * How long after it began or was seen first; of one that goes on, how long it lasts.
     */
    after_s: number;
    /**
     * Bytes of the peer.
     */
    bytes_received: number;
    /**
     * Bytes of this side that were acknowledged.
     */
    bytes_sent: number;
    /**
     * Bytes that nobody acknowledged; with `closed_under_way` those that the peer did not answer.
     */
    bytes_under_way: number;
    /**
     * `refused`, `reset_by_peer` or `reset_by_this_end`. `unanswered`: no SYN was answered.
     * `never_accepted`: no program took it from the queue of its listener. `timed_out`: the kernel gave up.
     * `black_hole`: nothing comes back, and the kernel goes on trying. `closed_under_way`: the peer closed
     * it and had not answered.
     */
    kind: string;
    /**
     * What to do next, likewise.
     */
    next: string | null;
    /**
     * `critical` or `warning`.
     */
    severity: string;
    /**
     * In words, in the language asked for; null where words are not asked for.
     */
    text: string | null;
    /**
     * Retransmission timers that ran out since something was acknowledged.
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
 * How long the sides of a connection took to answer each other. Their turns alternate: `client_time` and
 * `response_time` together are no longer than the time that the connection was watched.
 */
export interface LiveTurns {
    /**
     * At a client: from the last byte of an answer to the next request. Null at a server, where round trips
     * are part of it.
     */
    client_time: TurnTimes | null;
    /**
     * At a client: from a request to the first byte of its answer, the round trip included. Null at a
     * server.
     */
    response_time: TurnTimes | null;
    /**
     * At a server: from the last byte of a request to the first `send` of its answer. Null at a client,
     * where it is part of
     * `response_time`.
     */
    server_time: TurnTimes | null;
}
/**
 * Times of turns.
 */
export interface TurnTimes {
    /**
     * How many.
     */
    count: number;
    /**
     * The median is at most so long; null when it is longer than two seconds. Bounds are powers of two.
     */
    median_at_most_s: number | null;
    /**
     * The same of the 95th percentile.
     */
    p95_at_most_s: number | null;
    /**
     * All of them together.
     */
    total_s: number;
}
/**
 * Connections to a proxy, tunnel or forwarder that go on to one server.
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
     * In words, in the language asked for; left out without words.
     */
    sentence?: string;
    /**
     * `outer` or `inner`: the leg that held the other one back in most pairs; null where neither or both
     * did.
     */
    slower: string | null;
}
/**
 * What one action can fix: connections to one server that failed or were slow alike.
 */
export interface Problem {
    /**
     * The server's IP address; the client's for the targets `client` and `peers`.
     */
    address: string;
    answer: AnswerWords;
    /**
     * The least and the most that one of them carried.
     */
    bytes: [number, number];
    /**
     * How they failed, as in `failures` of services, or what took their time: `server_response`,
     * `round_trips`, `handshake`, `loss`, `receive_window`, `ack_delay`, `application`, `close_wait`,
     * `path`, `send_buffer`, `slow_start` or `congestion_window`.
     */
    cause: string;
    /**
     * The only client's IP address; null where there may be several.
     */
    client: string | null;
    /**
     * How many connections.
     */
    connections: number;
    /**
     * When the last of them ended.
     */
    end_ns: number;
    /**
     * The numbers of the example that it rests on, in words; left out without words.
     */
    evidence?: string;
    /**
     * Number of the connection that shows it best.
     */
    example: number;
    /**
     * Exchanges of these connections.
     */
    exchanges: number;
    /**
     * `failed`, `scanned` (one client tried many ports), `probed` (nobody waited for these connections) or
     * `slow`.
     */
    kind: string;
    /**
     * How long the shortest and the longest of them lasted.
     */
    lasted_s: [number, number];
    /**
     * Time lost, all together: waits for what never came, or what a change could save.
     */
    lost_s: number;
    /**
     * Connections of that server; null for a scan.
     */
    of_connections: number | null;
    /**
     * Its TCP port; null where several are concerned.
     */
    port: number | null;
    /**
     * `client` or `server`: whose data was slow; null for other kinds.
     */
    sender: string | null;
    /**
     * In words, in the language asked for; left out without words.
     */
    sentence?: string;
    /**
     * `info`, `warning` or `critical`.
     */
    severity: string;
    /**
     * When the first of them began, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * What it concerns: a `service`, or a `client` that several addresses did not answer. Attempts that
     * nobody waited for are a `scan` of ports, a `trace` of the path, a `flood` of SYNs, `strays` (single
     * SYNs from outside) or `peers` that did not answer.
     */
    target: string;
}
/**
 * A server's address and port with what it answered.
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
     * How long connections with data lasted; null without any.
     */
    connection_s: Percentiles | null;
    /**
     * Connections, failed and empty ones too.
     */
    connections: number;
    /**
     * How long each took; null without any.
     */
    exchange_s: Percentiles | null;
    /**
     * Requests with an answer.
     */
    exchanges: number;
    /**
     * Connections that failed, by kind, without probes that nobody waited for; kinds that did not happen are
     * left out.
     */
    failures: FailureCount[];
    /**
     * Connections at which a person types.
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
     * When the first byte of the slowest exchange's answer came, nanoseconds since the epoch; null where
     * no request was answered.
     */
    slowest_answer_ns: number | null;
    /**
     * Connections with data whose clock is wrong: their times are left out of all seconds above.
     */
    wrong_clock: number;
}
/**
 * How durations are spread.
 */
export interface Percentiles {
    /**
     * The longest.
     */
    max: number;
    /**
     * Half are at or under it.
     */
    median: number;
    /**
     * 95 % are at or under it.
     */
    p95: number;
}
/**
 * Connections that failed in one way.
 */
export interface FailureCount {
    /**
     * How many.
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
     * Time of both transfers by what limited them, longest first.
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
     * First data of the request, nanoseconds since the epoch.
     */
    start_ns: number;
    /**
     * First byte of the request leaves the client to last byte of the answer reaches it.
     */
    time_s: number;
}
/**
 * The first lines about all connections.
 */
export interface Headline {
    answer: AnswerWords;
    /**
     * Index into `problems` of the one that the answer speaks of; null where it speaks of none.
     */
    problem: number | null;
    /**
     * Problems that are not among `problems`.
     */
    problems_omitted: number;
}
export interface LimitLook {
    dark: string;
    /**
     * `send_buffer` …; of what the application did `idle`, `think`, `paced_writes`, `peer_turn`, `peer_window`.
     */
    id: string;
    ink_dark: string;
    ink_light: string;
    /**
     * One letter, the same as in the terminal.
     */
    letter: string;
    /**
     * `#rrggbb`, for either ground. Text on it: `ink`.
     */
    light: string;
    /**
     * The limit that it is, or is a form of: `application`.
     */
    limit: string;
    /**
     * So that colour is never the only mark.
     */
    pattern: Pattern;
}
export interface Reason {
    /**
     * `room_left_unused`: its sentence is the message `why-room-left-unused`; `{length}` in it is the length of the
     * interval.
     */
    id: string;
    /**
     * Names of the numbers in `Timeline.values`, their units at the end: `flight_bytes`, `rtt_us`,
     * `room_unused_share`, `rate_bits_per_s`.
     */
    measures: string[];
}
/**
 * `GET {chart}?connection=ID[&from=S][&to=S]` answers a `ChartAnswer` for that connection and window (whole
 * without), in as much detail as the answer's bound allows; 404 for no such connection.
 */
export interface Server {
    /**
     * Relative URL, `api/chart`.
     */
    chart: string;
}
/**
 * What a client called its server.
 *
 */
export interface EndName {
    /**
     * The server: `192.0.2.80:443`.
     */
    end: string;
    /**
     * Its name there: of TLS (SNI), or of HTTP (`Host`).
     */
    name: string;
}
/**
 * A server's address and port with what it answered.
 */
export interface ServiceLine {
    /**
     * Payload of both directions.
     */
    bytes: number;
    /**
     * Connections, failed and empty ones too.
     */
    connections: number;
    /**
     * Requests with an answer.
     */
    exchanges: number;
    /**
     * Connections that failed, by kind; those that did not happen are left out.
     */
    failures: FailuresOfService[];
    /**
     * How long the exchanges took, or the connections where there are none, and how long those lasted that
     * failed.
     */
    histogram: Histogram;
    /**
     * Connections at which a person types.
     */
    interactive: number;
    /**
     * Index into `ViewData.limits` of what most of the time went to; null without data.
     */
    limit: number | null;
    /**
     * Time of the exchanges that server, network and client took; null without exchanges.
     */
    parts_s: [number, number, number] | null;
    /**
     * `10.0.0.1:3306`
     */
    server: string;
    /**
     * Median, 95 % and longest of the exchanges, or of the connections where there are no exchanges; null
     * without either.
     */
    time_s: [number, number, number] | null;
}
/**
 * Connections that failed in one way.
 */
export interface FailuresOfService {
    connections: number;
    /**
     * Index by its id in `ViewData.failures`: `refused`.
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
 * A logarithmic scale: bin 0 has all below `least_s`, bin `i` begins at `least_s * 10^((i - 1) /
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
     * As in `ViewData.documents`, for a connection that is not among those of the page.
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
 * A chosen number that decides a verdict.
 */
export interface Flip {
    /**
     * Its detail id.
     */
    detail: string | null;
    /**
     * Limit id of the verdict then, or `none`.
     */
    limit: string;
    /**
     * Which way it was moved: `lower` or `higher`.
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
 * The share of a kind of cause by kernel and by packets.
 */
export interface KindShares {
    /**
     * By the kernel, from 0 to 1.
     */
    kernel: number;
    /**
     * `network`, `send_buffer`, `receive_window`, `application`, `small_write` (Nagle, `TCP_CORK`) or
     * `pacing` (`SO_MAX_PACING_RATE`).
     */
    kind: string;
    /**
     * By the packets alone, from 0 to 1.
     */
    packets: number;
}
/**
 * One side of a relay.
 */
export interface Leg {
    /**
     * IP address that accepts.
     */
    address: string;
    /**
     * IP address that connects; null for several.
     */
    client: string | null;
    /**
     * Number of the connection of the largest pair.
     */
    example: number;
    /**
     * Its TCP port.
     */
    port: number;
}
export interface Omitted {
    bytes: number;
    connections: number;
    lost_s: number;
}
/**
 * Columns over connections, those that lost most first. `ids[i]` is the number that `--connection` and `#c3`
 * take.
 */
export interface Overview {
    /**
     * A bit for each bin of `ViewData.bins` that counts it: exact, as there are fewer than 53.
     */
    bins: Column;
    /**
     * Unique payload bytes of the main direction, and of the other.
     */
    bytes: Column;
    bytes_back: Column;
    /**
     * Index into `captures` of the documents; unknown where captures were merged.
     */
    capture: Column;
    /**
     * Connections in all captures (after --host etc.).
     */
    connections: number;
    /**
     * 1 where `charts` has it, 2 where only `documents` has it, 0 neither (a server can be asked).
     */
    detail: Column;
    /**
     * First to last packet.
     */
    duration_s: Column;
    /**
     * Exchanges, requests with an answer.
     */
    exchanges: Column;
    /**
     * Index into `problems` of the documents: that it failed as others did. Unknown for none.
     */
    failed_problem: Column;
    /**
     * Index into `ViewData.failures`; unknown where it did not fail.
     */
    failure: Column;
    /**
     * `10.0.0.1:3306` of the end that sent more (row's direction: from → to).
     */
    from: string[];
    goodput_bits_per_s: Column;
    id: Column;
    /**
     * 1 where a person types.
     */
    interactive: Column;
    /**
     * 1 where `lost_s` is predicted; 0 where it is an upper bound.
     */
    is_saving_predicted: Column;
    /**
     * Seconds that a change would save: as predicted, or at most.
     */
    lost_s: Column;
    /**
     * Of these, how many are not in the rows for want of room; and what they carried.
     */
    omitted: Omitted;
    /**
     * 1 where a connection without data only checked whether somebody answers: a health check, or part of a
     * scan.
     */
    probe: Column;
    retransmitted_bytes: Column;
    rows: number;
    /**
     * Index into `ViewData.services`; unknown for a server that is not there.
     */
    service: Column;
    /**
     * 0 none, 1 info, 2 warning, 3 critical: gravest finding.
     */
    severity: Column;
    /**
     * The same: that it was slow for the same reason as others.
     */
    slow_problem: Column;
    /**
     * Start of the connection, seconds from the first packet of all captures.
     */
    start_s: Column;
    to: string[];
    /**
     * Time of the main direction from its first to its last data acknowledged; unknown without data.
     */
    transfer_s: Column;
    /**
     * Index into causes of the verdict; unknown (255) if nothing is worth acting on.
     */
    verdict: Column;
    /**
     * Seconds under the verdict's limit.
     */
    verdict_s: Column;
}
/**
 * Seconds of all exchanges by who took them.
 */
export interface Parts {
    /**
     * Transfer of the answers, without the server's pauses.
     */
    answers_s: number;
    /**
     * At least so much of that, as round trips varied.
     */
    client_least_s: number;
    /**
     * The client, between an answer and its next request.
     */
    client_s: number;
    /**
     * Transfer of the requests.
     */
    requests_s: number;
    /**
     * Repairs of losses, part of the transfers.
     */
    retransmission_s: number;
    /**
     * Round trips of the path, one for each exchange.
     */
    round_trips_s: number;
    /**
     * At least so much of that, as round trips varied.
     */
    server_least_s: number;
    /**
     * The server, within its answers.
     */
    server_pauses_s: number;
    /**
     * The server, from the last byte of a request to the first of its answer.
     */
    server_s: number;
}
/**
 * The chart that comes first, and the sentence that is written on it.
 */
export interface Proof {
    chart: ProofChart;
    /**
     * By language; empty where nothing is worth one.
     */
    sentences: {
        [k: string]: string;
    };
}
/**
 * Time under a limit that the verdict's change concerns as well.
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
 * How a connection was looked at.
 */
export interface Sampling {
    /**
     * Always 0: what was lost is counted for the whole host.
     */
    lost_events: number;
    /**
     * `bpf`: all time is known, and ranges of shares are null; or `samples`.
     */
    mode: string;
    /**
     * The same for each second.
     */
    rate_hz: number;
    /**
     * How often it was looked at.
     */
    samples: number;
}
/**
 * A duration with the range it lies in.
 */
export interface SecondsRange {
    /**
     * Upper end of the likely range; left out unless the claim is `range`.
     */
    high?: number;
    /**
     * Lower end of the likely range.
     */
    low: number;
    /**
     * Best single value; left out unless the claim is `range`.
     */
    value?: number;
}
export interface Segments {
    /**
     * Width of its bins; 0: exact. Each table has its own.
     */
    bin_s: number;
    /**
     * Only when binned: segments in the bin.
     */
    count?: Column;
    hi: Column;
    /**
     * First and one past the last byte.
     */
    lo: Column;
    /**
     * Packet number in the capture file (of the first of a bin).
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
     * The same as RFC 3339, in UTC.
     */
    start: string;
    /**
     * Nanoseconds since the epoch.
     */
    start_ns: number;
}
export interface Stretch {
    from_s: number;
    to_s: number;
}
/**
 * Where a capture was taken.
 */
export interface Vantage {
    /**
     * Where the estimate comes from.
     */
    basis: string;
    /**
     * Index into `endpoints` of the end it was taken at; null for the middle and when unknown.
     */
    endpoint: number | null;
    /**
     * `sender-side of endpoint 0`: near that endpoint, which sends most of the data; `receiver-side of …`: near the one that
     * receives it; `middle`; `unknown`.
     */
    position: string;
}
/**
 * The limit to act on first.
 */
export interface Verdict {
    /**
     * Another limit that the packets would also allow; null when there is none.
     */
    alternative: string | null;
    /**
     * Between 0 and 1.
     */
    confidence: number;
    /**
     * Detail id.
     */
    detail: string | null;
    /**
     * Bytes in flight while that limit held: of the most in each round trip the mean, weighted by time, for a send buffer the median; null when nothing told.
     */
    flight_bytes: number | null;
    /**
     * Chosen numbers that name another limit when moved by a third; only with `--why`, where that was tried.
     */
    flips?: Flip[];
    /**
     * Limit id, or `none` when nothing is worth acting on.
     */
    limit: string;
    /**
     * Why this limit although another has more time: stable kebab-case id.
     */
    reason: string | null;
    /**
     * Time under other limits and forms that the same change concerns, longest first.
     */
    related: RelatedTime[];
    /**
     * Round trip while that limit held: the mean, weighted by time.
     */
    rtt_us: number | null;
    /**
     * Time under that limit in that form, as in `limits`.
     */
    seconds: number;
    /**
     * In words, in the language asked for; left out without words.
     */
    sentence: string;
    /**
     * `none` when nothing held the direction back (it was healthy, or had nothing to send), else `info`, `warning` or `critical`.
     */
    severity: string;
    /**
     * Largest window offered while that limit held.
     */
    window_bytes: number | null;
}
export interface Waiting {
    connections: number;
    /**
     * The seconds of the interactive connections among them, at which a person types.
     */
    person_s: number;
    seconds: number;
}
