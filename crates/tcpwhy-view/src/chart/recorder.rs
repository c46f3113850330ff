use tcpwhy_analysis::{DirectionState, PacketTrace, Side};
use tcpwhy_model::{Segment, TcpOptions, Timestamp};

use super::binned::Binned;
use super::rows::{Extent, MarkRow, PacketRow, RoundTripRow, SegmentRow, StateRow, ThroughputRow, UNKNOWN};
use super::{HalfRecording, Largest, MarkKind, Recording, Table};

/// The size limits of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Most packets that are listed one by one; if there are more, none is listed.
    pub packets: usize,
    /// Most rows of each table of a direction.
    pub rows: usize,
    /// Most marks of a direction.
    pub marks: usize,
}

impl Budget {
    /// Share of one large connection in a report: about 7 MB.
    pub const LARGE: Self = Self { packets: 60_000, rows: 32_768, marks: 60_000 };
    /// Size of a server's response: about 2 MB.
    pub const ANSWER: Self = Self { packets: 20_000, rows: 8192, marks: 20_000 };
    /// For a picture as wide as a page.
    pub const PICTURE: Self = Self { packets: 0, rows: 8192, marks: 40_000 };
    /// Most rows of the throughput table.
    const THROUGHPUT: usize = 4096;

    /// Up to this many packets, no rows are merged.
    fn exact_rows(self) -> usize {
        self.rows.max(self.packets)
    }
}

/// Smallest width of a throughput bin, nanoseconds.
const NARROWEST: i64 = 250_000;

/// State of a recorder before the packets that another one continues with.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    halves: [HalfSeed; 2],
    last: i64,
}

#[derive(Clone, Copy, Debug)]
struct HalfSeed {
    state: Option<StateRow>,
    una: Option<u64>,
    delivered: Option<u64>,
    lowest: u64,
    has_syn: bool,
    extent: Largest,
}

/// Receives the packets of a connection one by one and keeps the data that charts need.
#[derive(Clone, Debug)]
pub struct Recorder {
    budget: Budget,
    start: Timestamp,
    from: i64,
    to: i64,
    packets: Option<Vec<PacketRow>>,
    packet_count: u64,
    halves: [HalfRecorder; 2],
    last: i64,
}

#[derive(Clone, Debug)]
struct HalfRecorder {
    segments: Binned<SegmentRow>,
    states: Binned<StateRow>,
    /// Latest state, recorded or not.
    state: Option<StateRow>,
    round_trips: Binned<RoundTripRow>,
    throughput: Binned<ThroughputRow>,
    /// Throughput also outside of the recorded stretch.
    rates: Binned<ThroughputRow>,
    marks: [Binned<MarkRow>; MarkKind::ALL.len()],
    una: Option<u64>,
    delivered: Option<u64>,
    lowest: u64,
    has_syn: bool,
    extent: Largest,
}

impl HalfRecorder {
    fn new(budget: Budget) -> Self {
        let rows = budget.exact_rows();
        Self {
            segments: Binned::new(rows),
            states: Binned::new(rows),
            state: None,
            round_trips: Binned::new(rows),
            throughput: Binned::with_width(Budget::THROUGHPUT, NARROWEST),
            rates: Binned::with_width(Budget::THROUGHPUT, NARROWEST),
            marks: std::array::from_fn(|_| Binned::new(budget.marks)),
            una: None,
            delivered: None,
            lowest: UNKNOWN,
            has_syn: false,
            extent: Largest::default(),
        }
    }

    fn mark(&mut self, kind: MarkKind, row: MarkRow, most: usize) {
        self.marks[kind as usize].push(row);
        if self.marks.iter().map(Binned::len).sum::<usize>() > most
            && let Some(largest) = self.marks.iter_mut().max_by_key(|m| m.len())
        {
            // Rare kinds of events stay exact.
            largest.coarsen();
        }
    }

    fn finish(self) -> HalfRecording {
        let table = |(rows, bin)| Table { rows, bin };
        let (segments, states) = (self.segments.finish(), self.states.finish());
        let round_trips = self.round_trips.finish();
        let (rows, bin) = self.throughput.finish();
        let rates = self.rates.finish();
        let marks = MarkKind::ALL.into_iter().zip(self.marks);
        HalfRecording {
            segments: Table { rows: segments.0, bin: segments.1 },
            states: Table { rows: states.0, bin: states.1 },
            round_trips: Table { rows: round_trips.0, bin: round_trips.1 },
            throughput: Table { rows, bin },
            rates: Table { rows: rates.0, bin: rates.1 },
            marks: marks.map(|(kind, rows)| (kind, table(rows.finish()))).collect(),
            // After a SYN, the first byte has position 1.
            base: if self.has_syn {
                1
            } else if self.lowest == UNKNOWN {
                0
            } else {
                self.lowest
            },
            extent: self.extent,
            socket: Vec::new(),
        }
    }
}

impl Recorder {
    /// A recorder for a connection that starts at `start`. It keeps the packets in `[from, to]`, nanoseconds
    /// from there.
    pub fn new(start: Timestamp, from: i64, to: i64, budget: Budget) -> Self {
        Self {
            budget,
            start,
            from,
            to,
            packets: (budget.packets > 0).then(Vec::new),
            packet_count: 0,
            halves: [HalfRecorder::new(budget), HalfRecorder::new(budget)],
            last: 0,
        }
    }

    /// A recorder for a whole connection.
    pub fn whole(start: Timestamp, budget: Budget) -> Self {
        Self::new(start, i64::MIN, i64::MAX, budget)
    }

    /// The state that another recorder needs to continue.
    pub(crate) fn seed(&self) -> Seed {
        let seed = |h: &HalfRecorder| HalfSeed {
            state: h.state,
            una: h.una,
            delivered: h.delivered,
            lowest: h.lowest,
            has_syn: h.has_syn,
            extent: h.extent,
        };
        Seed { halves: [seed(&self.halves[0]), seed(&self.halves[1])], last: self.last }
    }

    /// Continues with the state of another recorder.
    pub(crate) fn resume_from(&mut self, seed: &Seed) {
        for (half, seed) in self.halves.iter_mut().zip(&seed.halves) {
            (half.state, half.una, half.delivered) = (seed.state, seed.una, seed.delivered);
            (half.lowest, half.has_syn, half.extent) = (seed.lowest, seed.has_syn, seed.extent);
        }
        self.last = seed.last;
    }

    /// Adds the next packet.
    pub fn push(&mut self, packet: &PacketTrace, segment: &Segment) {
        let time = packet.time.since(self.start);
        self.last = self.last.max(time);
        let is_within = (self.from..=self.to).contains(&time);
        self.note_positions(packet, segment);
        for side in [Side::A, Side::B] {
            if let Some((at, flight)) = packet.settled[side.index()] {
                self.note_settled(side, at.since(self.start), flight);
            }
            if let Some(state) = packet.directions[side.index()] {
                self.note_state(side, time, &state, is_within);
            }
        }
        if !is_within {
            return;
        }
        self.packet_count += 1;
        self.note_data(packet, time);
        self.note_marks(packet, time);
        for (half, nanos) in self.halves.iter_mut().zip(packet.round_trips) {
            if let Some(nanos) = nanos {
                half.round_trips.push(RoundTripRow { time, nanos: Extent::of(Some(nanos.max(0).cast_unsigned())) });
            }
        }
        if let Some(packets) = &mut self.packets {
            if packets.len() < self.budget.packets {
                packets.push(packet_row(packet, segment, time));
            } else {
                self.packets = None;
                self.give_up_exactness();
            }
        }
    }

    /// The recording.
    pub fn finish(self) -> Recording {
        Recording {
            halves: self.halves.map(HalfRecorder::finish),
            packets: self.packets,
            packet_count: self.packet_count,
            from: self.from.max(0),
            to: self.to.min(self.last),
        }
    }

    /// Reduces the tables to binned size, because there are too many packets.
    fn give_up_exactness(&mut self) {
        for half in &mut self.halves {
            half.segments.limit(self.budget.rows);
            half.states.limit(self.budget.rows);
            half.round_trips.limit(self.budget.rows);
        }
    }

    fn note_positions(&mut self, packet: &PacketTrace, segment: &Segment) {
        let (me, peer) = (packet.from.index(), packet.from.peer().index());
        self.halves[me].has_syn |= segment.flags.contains(tcpwhy_model::TcpFlags::SYN);
        for (half, position) in [(me, packet.seq), (peer, packet.ack)] {
            self.halves[half].lowest = self.halves[half].lowest.min(position.unwrap_or(UNKNOWN));
        }
    }

    /// During a silence, no packet shows that the last ACKs have reached the sender.
    fn note_settled(&mut self, side: Side, time: i64, flight: u64) {
        let is_within = (self.from..=self.to).contains(&time);
        let half = &mut self.halves[side.index()];
        let Some(before) = half.state else { return };
        let lower = |extent: Extent| if extent.hi > flight { Extent::of(Some(flight)) } else { extent };
        let row = StateRow { time, flight: lower(before.flight), pipe: lower(before.pipe), ..before };
        if !row.is_same(&before) {
            half.state = Some(row);
            if is_within {
                half.states.push(row);
            }
        }
    }

    fn note_state(&mut self, side: Side, time: i64, state: &DirectionState, is_within: bool) {
        let half = &mut self.halves[side.index()];
        let extent = &mut half.extent;
        extent.nxt = extent.nxt.max(state.nxt);
        extent.edge = extent.edge.max(state.edge);
        extent.window = extent.window.max(state.window);
        extent.flight = extent.flight.max(state.flight);
        let row = StateRow {
            time,
            una: Extent::of(state.una),
            edge: Extent::of(state.edge),
            window: Extent::of(state.window),
            flight: Extent::of(Some(state.flight)),
            pipe: Extent::of(Some(state.pipe)),
            cwnd_floor: Extent::of(Some(state.cwnd_floor)),
        };
        let before = half.state.replace(row);
        let acked = state.una.unwrap_or(0).saturating_sub(half.una.or(state.una).unwrap_or(0));
        half.una = half.una.max(state.una);
        let passed = ThroughputRow { time, acked, sent: 0, resent: 0 };
        // An ACK that closes a gap does not show a rate, so data that SACK reported earlier counts at that
        // time.
        let arrived = state.delivered.saturating_sub(half.delivered.unwrap_or(state.delivered));
        half.delivered = half.delivered.max(Some(state.delivered));
        if arrived > 0 {
            half.rates.push(ThroughputRow { acked: arrived, ..passed });
        }
        if !is_within {
            return;
        }
        if let Some(before) = before
            && half.states.len() == 0
            && before.time < self.from
        {
            // The state at the start of the stretch.
            half.states.push(StateRow { time: self.from, ..before });
        }
        if half.states.last().is_none() || before.is_none_or(|b| !b.is_same(&row)) {
            half.states.push(row);
        }
        if acked > 0 {
            half.throughput.push(passed);
        }
    }

    fn note_data(&mut self, packet: &PacketTrace, time: i64) {
        let mark = MarkKind::of(packet.kind);
        let half = &mut self.halves[packet.from.index()];
        let is_data = packet.len > 0
            && !matches!(mark, Some(MarkKind::DuplicateFrame | MarkKind::Probe | MarkKind::KeepAlive | MarkKind::Rst));
        if !is_data {
            return;
        }
        let len = u64::from(packet.len);
        let is_resent = mark.is_some_and(MarkKind::is_retransmission);
        half.throughput.push(ThroughputRow { time, acked: 0, sent: len, resent: if is_resent { len } else { 0 } });
        if let Some(lo) = packet.seq
            && !is_resent
            && mark != Some(MarkKind::OutOfOrder)
        {
            half.segments.push(SegmentRow { time, lo, hi: lo + len, packet: packet.number, count: 1 });
        }
    }

    fn note_marks(&mut self, packet: &PacketTrace, time: i64) {
        let most = self.budget.marks;
        let (me, peer) = (packet.from.index(), packet.from.peer().index());
        let row = |lo: u64, hi: u64| MarkRow { time, end: time, lo, hi, packet: packet.number, count: 1 };
        if let Some(kind) = MarkKind::of(packet.kind) {
            let lo = packet.seq.unwrap_or(UNKNOWN);
            let hi = packet.seq.map_or(UNKNOWN, |seq| seq + u64::from(packet.len));
            self.halves[me].mark(kind, row(lo, hi), most);
        }
        let half = &mut self.halves[peer];
        if packet.is_zero_window {
            let edge = packet.ack.unwrap_or(UNKNOWN);
            half.mark(MarkKind::ZeroWindow, row(edge, edge), most);
        }
        for &(left, right) in packet.sack.iter().flatten() {
            half.mark(MarkKind::Sack, row(left, right), most);
        }
        if let Some((left, right)) = packet.duplicate {
            half.mark(MarkKind::Dsack, row(left, right), most);
        }
    }
}

fn packet_row(packet: &PacketTrace, segment: &Segment, time: i64) -> PacketRow {
    let timestamps = segment.options.timestamps;
    PacketRow {
        time,
        number: packet.number,
        from: packet.from.index() as u8,
        kind: MarkKind::of(packet.kind).map_or(0, |kind| kind as u8 + 1),
        options: option_bits(&segment.options),
        flags: segment.flags,
        len: packet.len,
        seq: packet.seq.unwrap_or(UNKNOWN),
        ack: packet.ack.unwrap_or(UNKNOWN),
        window: packet.window.unwrap_or(UNKNOWN),
        tsval: timestamps.map_or(UNKNOWN, |t| u64::from(t.value)),
        tsecr: timestamps.map_or(UNKNOWN, |t| u64::from(t.echo_reply)),
    }
}

/// The options of the packet as bits, as the contract defines them.
fn option_bits(options: &TcpOptions) -> u8 {
    [
        options.mss.is_some(),
        options.window_scale.is_some(),
        options.sack_permitted,
        !options.sack.is_empty(),
        options.timestamps.is_some(),
        options.has_mptcp,
        options.has_fast_open,
        options.has_accurate_ecn,
    ]
    .into_iter()
    .enumerate()
    .fold(0, |bits, (i, is_set)| bits | (u8::from(is_set) << i))
}
