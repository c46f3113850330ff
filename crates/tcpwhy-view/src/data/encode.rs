//! Recordings as the page reads them.

use tcpwhy_analysis::{Connection, Exchange, HalfConnection, Vantage};
use tcpwhy_model::live::{ByteRange, SocketMeasure, SocketPoint};
use tcpwhy_model::{Cause, Decider, Detail, Limit, Reason, Timestamp, Why};
use tcpwhy_report::palette::Swatch;
use tcpwhy_report::{Catalogue, Language, Wording};

use super::column::Column;
use super::contract::{
    ConnectionChart, Exchanges, Extent, HalfChart, Line, Marks, Packets, Proof, Range, RoundTrips, Segments, Socket,
    States, Stretch, Throughput, Timeline,
};
use crate::Recorded;
use crate::chart::{self, HalfRecording, MarkRow, PacketRow, Recording, StateRow, Table, UNKNOWN};
use crate::proof::proof;

/// All causes: the limits without a detail, then all details. The page refers to them by index.
pub(crate) fn causes() -> impl Iterator<Item = Cause> {
    Limit::ALL.into_iter().map(Cause::plain).chain(Detail::ALL.into_iter().map(Cause::from))
}

/// Index of `cause` in [`causes`].
pub(crate) fn cause_index(cause: Cause) -> u64 {
    causes().position(|c| c == cause).map_or(UNKNOWN, |i| i as u64)
}

/// Index of `reason` in [`Reason::ALL`], which the page uses to refer to it.
pub(crate) fn reason_index(reason: Reason) -> u64 {
    Reason::ALL.iter().position(|&r| r == reason).map_or(UNKNOWN, |i| i as u64)
}

/// Index of `limit` among the limits of the page, regardless of its detail.
fn limit_index(limit: Limit) -> u64 {
    Swatch::of_limit(limit) as u64
}

/// Index of `decider` in [`Decider::ALL`], which the page uses to refer to it.
fn decider_index(decider: Decider) -> u64 {
    Decider::ALL.iter().position(|&d| d == decider).map_or(UNKNOWN, |i| i as u64)
}

impl ConnectionChart {
    /// The charts of `connection` from its recording.
    pub fn new(connection: &Connection, recording: &Recording) -> Self {
        Self::with(connection, recording, None)
    }

    fn with(connection: &Connection, recording: &Recording, exchanges: Option<Exchanges>) -> Self {
        let duration = connection.span.nanos();
        let bases = [recording.halves[0].base, recording.halves[1].base];
        Self {
            connection: connection.id,
            start_ns: connection.span.start().as_nanos().to_string(),
            duration_s: seconds(duration),
            from_s: seconds(recording.from.max(0)),
            to_s: seconds(recording.to.min(duration)),
            endpoints: connection.endpoints.map(|e| e.to_string()),
            halves: connection
                .halves
                .iter()
                .map(|half| {
                    let recording = &recording.halves[half.sender.index()];
                    HalfChart::new(connection, half, recording, exchanges.is_some())
                })
                .collect(),
            exchanges,
            packets: recording.packets.as_deref().map(|rows| Packets::new(rows, bases)),
            packet_count: recording.packet_count,
        }
    }

    /// The charts with the exchanges, if the whole connection was recorded.
    pub fn of(connection: &Connection, recorded: &Recorded) -> Self {
        let exchanges = recorded.connection.exchanges.as_deref().filter(|_| recorded.is_whole);
        let exchanges = exchanges.and_then(|exchanges| Exchanges::new(exchanges, connection.span.start()));
        Self::with(connection, &recorded.recording, exchanges)
    }

    /// The reasons of its intervals.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = Reason> {
        self.halves.iter().flat_map(|half| half.timeline.reasons.iter().copied())
    }

    /// Whether the packets of any interval also allow another limit.
    pub(crate) fn has_alternatives(&self) -> bool {
        self.halves.iter().any(|half| half.timeline.other.is_some())
    }
}

impl Exchanges {
    /// The exchanges, if they can be timed one by one.
    fn new(exchanges: &tcpwhy_analysis::Exchanges, start: Timestamp) -> Option<Self> {
        if !exchanges.has_times() {
            return None;
        }
        let mut rows: Vec<_> = exchanges.slowest.iter().collect();
        rows.sort_by_key(|exchange| (exchange.request.start(), exchange.request_packet));
        let nanos = |of: fn(&Exchange) -> i64| Column::seconds(rows.iter().map(move |row| of(row)));
        let count = |of: fn(&Exchange) -> u64| Column::integers(rows.iter().map(move |row| of(row)));
        Some(Self {
            client: exchanges.client.index(),
            count: exchanges.count,
            rows: rows.len(),
            t: Column::seconds(rows.iter().map(|row| row.request.start().since(start))),
            request_s: nanos(|row| row.request.nanos()),
            gap_s: nanos(|row| row.answer.start().since(row.request.end())),
            answer_s: nanos(|row| row.answer.nanos()),
            server_s: nanos(|row| row.response),
            pauses_s: nanos(|row| {
                let pauses = row.limits.iter().filter(|(cause, _)| cause.limit == Limit::Application);
                pauses.map(|(_, nanos)| nanos).sum::<i64>().min(row.answer.nanos())
            }),
            request_bytes: count(|row| row.request_bytes),
            answer_bytes: count(|row| row.answer_bytes),
            first_packet: count(|row| row.request_packet),
            last_packet: count(|row| row.last_packet),
        })
    }
}

impl HalfChart {
    /// Makes the charts of a direction. `has_lanes`: requests and answers have a chart.
    fn new(connection: &Connection, half: &HalfConnection, recording: &HalfRecording, has_lanes: bool) -> Self {
        let base = recording.base;
        let since = |t: tcpwhy_model::Timestamp| t.since(connection.span.start());
        let extent = recording.extent;
        Self {
            sender: half.sender.index(),
            bin_s: seconds(recording.segments.bin.max(recording.states.bin)),
            span: Stretch { from_s: seconds(since(half.span.start())), to_s: seconds(since(half.span.end())) },
            timeline: Timeline::new(connection, half),
            segments: Segments::new(recording),
            states: States::new(&recording.states, base),
            rtt: RoundTrips::new(recording),
            throughput: Throughput::new(recording),
            marks: Marks::new(recording),
            socket: Socket::new(&recording.socket, connection.span.start()),
            lines: chart::lines(half, recording)
                .into_iter()
                .map(|l| Line { kind: l.kind, bytes: l.bytes, from_s: None, to_s: None })
                .collect(),
            proof: Proof::new(connection, half, recording, has_lanes),
            rtt_min_s: half.rtt.map(|(d, _)| d.min as f64 / 1e9),
            vantage: match half.vantage {
                Vantage::Sender => "sender",
                Vantage::Receiver => "receiver",
                Vantage::Middle => "middle",
                Vantage::Unknown => "unknown",
            },
            mss: half.mss,
            extent: Extent {
                seq: extent.nxt.saturating_sub(base),
                edge: extent.edge.map(|e| e.saturating_sub(base)),
                window: extent.window,
                flight: extent.flight,
            },
        }
    }
}

impl Proof {
    fn new(connection: &Connection, half: &HalfConnection, recording: &HalfRecording, has_lanes: bool) -> Self {
        let proof = |language| {
            let catalogue = Catalogue::new(language);
            proof(connection, half, recording, has_lanes, Wording::new(&catalogue))
        };
        let said = Language::ALL.into_iter().filter_map(|one| Some((one.tag(), proof(one).sentence?)));
        Self { chart: proof(Language::default()).chart, sentences: said.collect() }
    }
}

impl Timeline {
    fn new(connection: &Connection, half: &HalfConnection) -> Self {
        let intervals = half.limits.intervals();
        let reason = |why: Option<Why>| why.map_or(UNKNOWN, |why| reason_index(why.reason));
        let value = |i: usize| intervals.iter().map(move |at| at.why.and_then(|why| why.slot(i)).unwrap_or(f32::NAN));
        let filled = (0..Why::VALUES).rev().find(|&i| value(i).any(|v| !v.is_nan())).map_or(0, |last| last + 1);
        let has_other = intervals.iter().any(|i| i.alternative.is_some());
        let other = || intervals.iter().map(|i| i.alternative.map_or(UNKNOWN, |(limit, _)| limit_index(limit)));
        let decider = || intervals.iter().map(|i| i.alternative.map_or(UNKNOWN, |(_, decider)| decider_index(decider)));
        Self {
            rows: intervals.len(),
            t: Column::seconds(intervals.iter().map(|i| i.span.start().since(connection.span.start()))),
            cause: Column::integers(intervals.iter().map(|i| cause_index(i.cause))),
            confidence: Column::integers(
                intervals.iter().map(|i| (i.confidence.clamp(0.0, 1.0) * 100.0).round() as u64),
            ),
            reason: Column::integers(intervals.iter().map(|i| reason(i.why))),
            values: (0..filled).map(|i| Column::measures(value(i))).collect(),
            other: has_other.then(|| Column::integers(other())),
            decider: has_other.then(|| Column::integers(decider())),
            reasons: intervals.iter().filter_map(|i| i.why).map(|why| why.reason).collect(),
            is_coarsened: half.limits.is_coarsened(),
        }
    }
}

impl Segments {
    fn new(recording: &HalfRecording) -> Self {
        let Table { rows, bin } = &recording.segments;
        let base = recording.base;
        Self {
            rows: rows.len(),
            bin_s: seconds(*bin),
            t: Column::seconds(rows.iter().map(|r| bin_start(r.time, *bin))),
            lo: positions(rows.iter().map(|r| r.lo), base),
            hi: positions(rows.iter().map(|r| r.hi), base),
            packet: Column::integers(rows.iter().map(|r| r.packet)),
            count: (*bin > 0).then(|| Column::integers(rows.iter().map(|r| r.count))),
        }
    }
}

impl States {
    fn new(table: &Table<StateRow>, base: u64) -> Self {
        let Table { rows, bin } = table;
        let position = |of: fn(&StateRow) -> chart::Extent| Range {
            lo: positions(rows.iter().map(move |r| of(r).lo), base),
            hi: (*bin > 0).then(|| positions(rows.iter().map(move |r| of(r).hi), base)),
        };
        let amount = |of: fn(&StateRow) -> chart::Extent| Range {
            lo: Column::integers(rows.iter().map(move |r| of(r).lo)),
            hi: (*bin > 0).then(|| Column::integers(rows.iter().map(move |r| of(r).hi))),
        };
        Self {
            rows: rows.len(),
            bin_s: seconds(*bin),
            t: Column::seconds(rows.iter().map(|r| bin_start(r.time, *bin))),
            una: position(|r| r.una),
            edge: position(|r| r.edge),
            window: amount(|r| r.window),
            flight: amount(|r| r.flight),
            pipe: amount(|r| r.pipe),
            cwnd_floor: amount(|r| r.cwnd_floor),
        }
    }
}

impl Socket {
    /// The points of a socket on the time axis that begins at `start`; `None` without points.
    fn new(points: &[SocketPoint], start: Timestamp) -> Option<Self> {
        let is_merged = |range: &ByteRange| range.least != range.most;
        let has_ranges = points.iter().flat_map(|point| point.bytes.iter().flatten()).any(is_merged);
        let amount = |measure: SocketMeasure| {
            let side = |of: fn(ByteRange) -> u64| {
                Column::integers(points.iter().map(move |point| point.get(measure).map_or(UNKNOWN, of)))
            };
            Range { lo: side(|range| range.least), hi: has_ranges.then(|| side(|range| range.most)) }
        };
        (!points.is_empty()).then(|| Self {
            rows: points.len(),
            t: Column::seconds(points.iter().map(|point| point.time.since(start))),
            buffer: amount(SocketMeasure::Buffer),
            queued: amount(SocketMeasure::Queued),
            unsent: amount(SocketMeasure::Unsent),
            flight: amount(SocketMeasure::Flight),
            cwnd: amount(SocketMeasure::CongestionWindow),
            window: amount(SocketMeasure::Window),
            full: Column::integers(
                SocketPoint::full(points).into_iter().map(u64::from).collect::<Vec<_>>().into_iter(),
            ),
        })
    }
}

impl RoundTrips {
    fn new(recording: &HalfRecording) -> Self {
        let Table { rows, bin } = &recording.round_trips;
        Self {
            rows: rows.len(),
            bin_s: seconds(*bin),
            t: Column::seconds(rows.iter().map(|r| bin_start(r.time, *bin))),
            rtt: Range {
                lo: Column::durations(rows.iter().map(|r| r.nanos.lo)),
                hi: (*bin > 0).then(|| Column::durations(rows.iter().map(|r| r.nanos.hi))),
            },
        }
    }
}

impl Throughput {
    fn new(recording: &HalfRecording) -> Self {
        let Table { rows, bin } = &recording.throughput;
        Self {
            rows: rows.len(),
            bin_s: seconds(*bin),
            t: Column::seconds(rows.iter().map(|r| bin_start(r.time, *bin))),
            acked: Column::integers(rows.iter().map(|r| r.acked)),
            sent: Column::integers(rows.iter().map(|r| r.sent)),
            resent: Column::integers(rows.iter().map(|r| r.resent)),
        }
    }
}

impl Marks {
    fn new(recording: &HalfRecording) -> Self {
        let mut rows: Vec<(usize, &MarkRow)> = recording
            .marks
            .iter()
            .flat_map(|(kind, table)| table.rows.iter().map(move |row| (*kind as usize, row)))
            .collect();
        rows.sort_by_key(|(kind, row)| (row.time, *kind));
        let base = recording.base;
        let has_merged = rows.iter().any(|(_, r)| r.count > 1);
        Self {
            rows: rows.len(),
            t: Column::seconds(rows.iter().map(|(_, r)| r.time)),
            t_end: has_merged.then(|| Column::seconds(rows.iter().map(|(_, r)| r.end))),
            kind: Column::integers(rows.iter().map(|(kind, _)| *kind as u64)),
            lo: positions(rows.iter().map(|(_, r)| r.lo), base),
            hi: positions(rows.iter().map(|(_, r)| r.hi), base),
            packet: Column::integers(rows.iter().map(|(_, r)| r.packet)),
            count: has_merged.then(|| Column::integers(rows.iter().map(|(_, r)| r.count))),
        }
    }
}

impl Packets {
    fn new(rows: &[PacketRow], bases: [u64; 2]) -> Self {
        let relative = |position: u64, side: u8| match position {
            UNKNOWN => UNKNOWN,
            position => position.saturating_sub(bases[usize::from(side & 1)]),
        };
        Self {
            rows: rows.len(),
            t: Column::seconds(rows.iter().map(|r| r.time)),
            number: Column::integers(rows.iter().map(|r| r.number)),
            from: Column::integers(rows.iter().map(|r| u64::from(r.from))),
            seq: Column::integers(rows.iter().map(|r| relative(r.seq, r.from))),
            len: Column::integers(rows.iter().map(|r| u64::from(r.len))),
            ack: Column::integers(rows.iter().map(|r| relative(r.ack, 1 - r.from.min(1)))),
            window: Column::integers(rows.iter().map(|r| r.window)),
            flags: Column::integers(rows.iter().map(|r| u64::from(r.flags.0))),
            kind: Column::integers(rows.iter().map(|r| u64::from(r.kind))),
            options: Column::integers(rows.iter().map(|r| u64::from(r.options))),
            tsval: Column::integers(rows.iter().map(|r| r.tsval)),
            tsecr: Column::integers(rows.iter().map(|r| r.tsecr)),
        }
    }
}

fn positions(values: impl Iterator<Item = u64> + Clone, base: u64) -> Column {
    Column::integers(values.map(move |v| if v == UNKNOWN { v } else { v.saturating_sub(base) }))
}

const fn bin_start(time: i64, bin: i64) -> i64 {
    if bin > 0 { time.div_euclid(bin) * bin } else { time }
}

fn seconds(nanos: i64) -> f64 {
    nanos as f64 / 1e9
}
