/**
 * The contract between tcpwhy (Rust, crate `tcpwhy-view`) and the viewer: schema `tcpwhy-view/1`.
 *
 * The page embeds one `<script type="application/json" id="tcpwhy-data">` that holds a {@link ViewData}. The same shapes come
 * from `tcpwhy serve` over HTTP. Fields may be added, never renamed; an unknown field is ignored.
 *
 * The page: `<div id="tcpwhy-root">` holds the diagnosis as plain text and tables; the viewer replaces its content when it starts.
 * The viewer's own words (`viewer-*`) are in `crates/tcpwhy-report/locales/{en,zh-CN}/viewer.ftl`, written with the viewer: every
 * `viewer-*` id found there is exported. `chart-*`, `series-*`, `mark-*` (`mark-zero-window`) and `line-*` are in `charts.ftl`.
 *
 * Units: times are seconds from the first packet of the connection (`start_ns` of the connection is that instant), unless a
 * name says otherwise; sequence positions are bytes from the start of the stream (the first payload byte of a connection whose
 * SYN was seen is 0; else the lowest offset seen is 0); windows are bytes after scaling. Unknown is null, NaN or the largest
 * value of an unsigned column, never 0.
 */

/**
 * One column of a table: `"TYPE:BASE64"`, little-endian, as many values as the table has `rows`.
 * `u8` `u16` `u32`: unsigned, the largest value means unknown. `f32` `f64`: NaN means unknown.
 * The writer takes the smallest type that is exact; the reader must take any type for any column.
 */
export type Column = `${'u8' | 'u16' | 'u32' | 'f32' | 'f64'}:${string}`;

/** A value that is exact for a row, or the range it covered in a bin: without `hi` both are equal. */
export interface Range {
    lo: Column;
    hi?: Column;
}

export type Language = 'en' | 'zh-CN';

export interface ViewData {
    format: 'tcpwhy-view/1';
    tool: { name: string; version: string };
    /** Language to start in; the reader may switch. */
    language: Language;
    /**
     * Words by language and id: all ids `viewer-*` of the catalogue, `limit-*` (hyphens: `limit-send-buffer`), `detail-*`,
     * `alternative-*`, `decider-*`, for `reasons` `why-*` and for their measures `evidence-*`, `chart-*`, `series-*`, `mark-*`, `line-*`, `heading-*`, `fact-*`, `column-*`, `basis-*`, `severity-*`, `place-*`, `unit-*`, `unknown`, `yes`, `no`. `{name}` in a text is a place to put a value into.
     */
    messages: Record<Language, Record<string, string>>;
    /** The limits in the order of the schema, with their looks. Index = `limit` in {@link Cause}. */
    limits: LimitLook[];
    /** Index = value in cause columns. */
    causes: Cause[];
    /** What decided intervals: those that the charts refer to (all, where a server sends more charts). Key = value in {@link Timeline.reason}. */
    reasons: Record<number, Reason>;
    /** What would tell two limits apart. Index = value in {@link Timeline.decider}. */
    deciders: string[];
    /** Index = value in {@link Marks.kind}. */
    mark_kinds: MarkKind[];
    /** Names by address (`192.0.2.1`), where they were asked for and there are any. */
    names?: Record<string, string>;
    /** By the connection's number: what its client called the server, and which end that is; where they were asked for. */
    server_names?: Record<string, { end: string; name: string }>;
    /** All connections (or those that matter most; see `omitted`). */
    overview: Overview;
    /**
     * Diagnosis with all sentences, by language: documents of schema `tcpwhy/1` (`tcpwhy schema`) that hold the captures and the
     * connections that matter most, without timelines. The languages differ in words only.
     */
    documents: Record<Language, Document>;
    /** Charts, for connections as the budget allowed, those that lost most first. Look up by `connection`. */
    charts: ConnectionChart[];
    /** Where more detail can be asked for; null in a file. */
    server: Server | null;
}

/**
 * `GET {chart}?connection=ID[&from=S][&to=S]` answers a {@link ChartAnswer} for that connection and window (whole without), in as
 * much detail as the answer's bound allows; 404 for no such connection.
 */
export interface Server {
    /** Relative URL, `api/chart`. */
    chart: string;
}

export interface ChartAnswer {
    format: 'tcpwhy-view/1';
    /** As in {@link ViewData.documents}, for a connection that is not among those of the page. */
    documents: Record<Language, Document>;
    chart: ConnectionChart;
}

export interface LimitLook {
    /** `send_buffer` … */
    id: string;
    /** One letter, the same as in the terminal. */
    letter: string;
    /** `#rrggbb`, for either ground. Text on it: `ink`. */
    light: string;
    dark: string;
    ink_light: string;
    ink_dark: string;
    /** So that colour is never the only mark. */
    pattern: 'solid' | 'dots' | 'diagonal' | 'back_diagonal' | 'cross' | 'horizontal' | 'vertical' | 'grid';
}

export interface Cause {
    /** Index into {@link ViewData.limits}. */
    limit: number;
    /** Detail id (`slow_reader`) or null. */
    detail: string | null;
}

export interface Reason {
    /** `room_left_unused`: its sentence is the message `why-room-left-unused`; `{length}` in it is the length of the interval. */
    id: string;
    /** Names of the numbers in {@link Timeline.values}, their units at the end: `flight_bytes`, `rtt_us`, `room_unused_share`, `rate_bits_per_s`. */
    measures: string[];
}

export type MarkKind =
    | 'retransmission_fast' // retransmitted in fast recovery, on duplicate ACKs or SACK
    | 'retransmission_rto' // retransmitted after a timeout
    | 'retransmission_tlp' // tail loss probe
    | 'retransmission_other' // retransmitted, reason not told
    | 'out_of_order' // filled a hole soon enough to have been overtaken on the way
    | 'duplicate_frame' // the capture holds the frame twice
    | 'zero_window' // the receiver closed its window: t at which it said so, lo = hi = the right edge
    | 'probe' // asks a closed window
    | 'keep_alive' // asks for what is acknowledged already, window open
    | 'sack' // block that was not reported before: [lo, hi)
    | 'dsack' // block reported as received twice (RFC 2883)
    | 'syn'
    | 'fin'
    | 'rst';

/** Columns over connections, those that lost most first. `ids[i]` is the number that `--connection` and `#c3` take. */
export interface Overview {
    /** Connections in all captures (after --host etc.). */
    connections: number;
    /** Of these, how many are not in the rows for want of room; and what they carried. */
    omitted: { connections: number; bytes: number; lost_s: number };
    rows: number;
    id: Column;
    /** `10.0.0.1:3306` of the end that sent more (row's direction: from → to). */
    from: string[];
    to: string[];
    /** Start of the connection, seconds from the first packet of all captures. */
    start_s: Column;
    duration_s: Column;
    /** Unique payload bytes of the main direction, and of the other. */
    bytes: Column;
    bytes_back: Column;
    goodput_bits_per_s: Column;
    retransmitted_bytes: Column;
    /** Index into causes of the verdict; unknown (255) if nothing is worth acting on. */
    verdict: Column;
    /** Seconds under the verdict's limit. */
    verdict_s: Column;
    /** Seconds that a change could win back. */
    lost_s: Column;
    /** 0 none, 1 info, 2 warning, 3 critical: gravest finding. */
    severity: Column;
    /** 1 where `charts` has it, 2 where only `documents` has it, 0 neither (a server can be asked). */
    detail: Column;
}

/** Everything to draw for one connection. */
export interface ConnectionChart {
    connection: number;
    /** First packet, ns since the epoch (may exceed 2^53: a string of digits). */
    start_ns: string;
    duration_s: number;
    /** What of time this answers: [0, duration_s] in a page; the window asked for in a {@link ChartAnswer}. */
    from_s: number;
    to_s: number;
    endpoints: [string, string];
    /** Directions that carried payload. */
    halves: HalfChart[];
    /** Every packet of the connection in [from_s, to_s], or null where that would be too many. */
    packets: Packets | null;
    /** Packets in [from_s, to_s]. */
    packet_count: number;
}

/** One direction: `sender`'s data, and what the other end said of it. */
export interface HalfChart {
    sender: 0 | 1;
    /**
     * Width of the bins of `segments` and `states` in seconds; 0: exact, a row an event. A row of a bin covers [t, t + bin_s), bins
     * in which nothing happened have no row.
     */
    bin_s: number;
    /** Where the limits account for time: seconds. */
    span: { from_s: number; to_s: number };
    timeline: Timeline;
    /** New data (`bin_s` of its own, 0 if exact): drawn as a vertical bar [lo, hi) at t. Exceptional segments are in `marks`. */
    segments: Segments;
    states: States;
    rtt: RoundTrips;
    throughput: Throughput;
    marks: Marks;
    /** Horizontal lines of the window chart. */
    lines: Line[];
    /** Smallest round trip of the whole direction (s), for queueing delay = rtt - rtt_min; null if none. */
    rtt_min_s: number | null;
    /** Flight, RTT come from the order at the sender: "exact" seen there, "inferred" put back from elsewhere. */
    vantage: 'sender' | 'receiver' | 'middle' | 'unknown';
    mss: number | null;
    /** All of the direction's numbers, for scales: the highest sequence offset, right edge, window, flight. */
    extent: { seq: number; edge: number | null; window: number | null; flight: number };
}

/** The partition of time: row i holds from t[i] to t[i+1] (the last to span.to_s). */
export interface Timeline {
    rows: number;
    t: Column;
    /** Index into {@link ViewData.causes}. */
    cause: Column;
    /** 0 to 100, percent. */
    confidence: Column;
    /** Key into {@link ViewData.reasons}: what decided the interval, or most of it. */
    reason?: Column;
    /** The numbers of the reason's measures: column i holds those of measure i. Means over the interval. */
    values?: Column[];
    /** Index into {@link ViewData.limits}: another limit that the packets would allow as well. */
    other?: Column;
    /** Index into {@link ViewData.deciders}: what would tell the two apart. */
    decider?: Column;
    /** Whether many short intervals were absorbed by neighbours (totals in the document stay exact). */
    is_coarsened: boolean;
}

export interface Segments {
    rows: number;
    /** Width of its bins; 0: exact. Each table has its own. */
    bin_s?: number;
    t: Column;
    /** First and one past the last byte. */
    lo: Column;
    hi: Column;
    /** Packet number in the capture file (of the first of a bin). */
    packet: Column;
    /** Only when binned: segments in the bin. */
    count?: Column;
}

/** Values after each event (step functions: hold until the next row); ranges over a bin when binned. */
export interface States {
    rows: number;
    bin_s?: number;
    t: Column;
    /** Everything below is acknowledged, as captured: the ACK line. */
    una: Range;
    /** Right edge that the receiver offers. */
    edge: Range;
    /** Offered window. */
    window: Range;
    /** Sent and not acknowledged, as the sender saw it. */
    flight: Range;
    /** Bytes in flight less what SACK reports as received or lost, plus what was retransmitted (RFC 6675 `pipe`). */
    pipe: Range;
    /** The congestion window is at least this: the largest flight since the last loss or idle period. */
    cwnd_floor: Range;
}

export interface RoundTrips {
    rows: number;
    bin_s?: number;
    t: Column;
    /** Seconds. */
    rtt: Range;
}

/** Bins of `bin_s`, those with nothing left out. */
export interface Throughput {
    rows: number;
    bin_s: number;
    /** Start of the bin. */
    t: Column;
    /** New bytes acknowledged in it: goodput. */
    acked: Column;
    /** Payload bytes sent in it, with repeats. */
    sent: Column;
    /** Payload bytes retransmitted in it. */
    resent: Column;
}

/**
 * Every exceptional event, exactly; where there were too many of a kind, neighbours are merged: `count` tells how many, [t, t_end]
 * and [lo, hi) cover them. Always draw at least a pixel.
 */
export interface Marks {
    rows: number;
    t: Column;
    /** Absent: all exact, equal to t. */
    t_end?: Column;
    /** Index into {@link ViewData.mark_kinds}. */
    kind: Column;
    lo: Column;
    hi: Column;
    /** Packet number (of the first). */
    packet: Column;
    /** Absent: all 1. */
    count?: Column;
}

export interface Line {
    kind: 'plateau' | 'bdp' | 'window_max' | 'initial_window';
    bytes: number;
    /** Where it holds; the whole span if null. */
    from_s: number | null;
    to_s: number | null;
}

export interface Packets {
    rows: number;
    t: Column;
    /** As Wireshark counts, from 1. */
    number: Column;
    /** Index of the sending endpoint. */
    from: Column;
    /** Offset in the sender's stream (relative sequence number less 1 when the SYN was seen); unknown if it has no place there. */
    seq: Column;
    len: Column;
    /** Offset in the peer's stream; unknown without ACK flag. */
    ack: Column;
    /** Bytes, scaled; unknown while the scale is. */
    window: Column;
    /** TCP flags: FIN 1 SYN 2 RST 4 PSH 8 ACK 16 URG 32 ECE 64 CWR 128 AE 256. */
    flags: Column;
    /** What it was: index into `packet_kinds`: 0 ordinary, else 1 + index into {@link ViewData.mark_kinds}. */
    kind: Column;
    /** Options present: MSS 1, window scale 2, SACK permitted 4, SACK 8, timestamps 16, MPTCP 32, fast open 64, accurate ECN 128. */
    options: Column;
    tsval: Column;
    tsecr: Column;
}

/* ---- Documents of schema tcpwhy/1, as far as the viewer reads them. `tcpwhy schema` is the authority. ---- */

export interface Document {
    schema: 'tcpwhy/1';
    tool: { name: string; version: string };
    captures: Capture[];
    /** What no single connection shows; absent where there is nothing. */
    across_connections?: Finding[];
    connections: Connection[];
}

export interface Capture {
    path: string;
    format: string;
    packets: number;
    segments: number;
    skipped: number;
    captured_bytes: number;
    original_bytes: number;
    start_ns: number | null;
    duration_s: number | null;
    anomalies: { kind: string; count: number; first_packet: number | null; text: string }[];
}

export interface Connection {
    id: number;
    capture: number | null;
    endpoints: [Endpoint, Endpoint];
    initiator: number | null;
    start_ns: number;
    duration_s: number;
    first_packet: number;
    packets: [number, number];
    vantage: { position: string; endpoint: number | null; basis: string };
    ending: string;
    halves: Half[];
    findings: Finding[];
}

export interface Endpoint {
    address: string;
    port: number;
}

export interface Half {
    sender: 0 | 1;
    bytes: number;
    retransmitted_bytes: number;
    segments: number;
    retransmitted_segments: number;
    span: { start_ns: number; duration_s: number };
    goodput_bits_per_s: number | null;
    mss_bytes: number | null;
    window_shift: number | null;
    window_scaling: string;
    rtt_us: { min: number; median: number; p95: number; max: number; basis: string } | null;
    flight_bytes: Distribution | null;
    receive_window_bytes: Distribution | null;
    limits: { limit: string; detail: string | null; seconds: number; share: number; confidence: number }[];
    ambiguous: { between: [string, string]; seconds: number; would_decide: string; would_decide_id: string }[];
    verdict: {
        limit: string;
        detail: string | null;
        confidence: number;
        seconds: number;
        severity: 'none' | 'info' | 'warning' | 'critical';
        related: { limit: string; detail: string | null; seconds: number }[];
        sentence: string;
        alternative: string | null;
        reason: string | null;
    };
    findings: Finding[];
}

export interface Distribution {
    min: number;
    median: number;
    p95: number;
    max: number;
}

export interface Finding {
    rule: string;
    severity: 'info' | 'warning' | 'critical';
    confidence: number;
    seconds: number | null;
    evidence: { name: string; value: unknown; basis: string; label?: string; text?: string }[];
    title?: string;
    sentence: string;
    fixes: { where: string; where_text?: string; text: string; lines: string[] }[];
    prediction: { seconds: { low: number; value: number; high: number }; next_limit: string; basis: string } | null;
}
