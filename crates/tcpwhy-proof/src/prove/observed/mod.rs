//! The properties of one direction in a capture, for any verdict. They are the observables that rebuilt
//! transfers must reproduce, and the facts for building them.

mod bursts;
mod losses;
mod octaves;

use std::path::Path;

use tcpwhy_analysis::{Connection, HalfConnection, PacketKind, PacketTrace, Side, Sketch, Tracer, Vantage};
use tcpwhy_capture::CaptureReader;
use tcpwhy_model::{Limit, Segment, TcpFlags};

use self::bursts::Bursts;
use self::losses::LossLog;
use crate::ProofError;
pub(super) use octaves::Octaves;

/// Delays below this are the host's own, nanoseconds: an ACK that releases data does so within it.
const AT_ONCE: u64 = 300_000;
/// Round trips and rests that differ by less than the emulated link errs (LAB: 45 to 85 µs one way) are
/// alike, nanoseconds.
const LEAST_TIME: u64 = 500_000;
/// Acknowledged bytes are counted over some round trips, and over more than a tick of a timer, nanoseconds.
const LEAST_PERIOD: i64 = 50_000_000;
const PERIOD_ROUND_TRIPS: i64 = 4;
/// Less in flight than a segment counts as one.
const LEAST_BYTES: u64 = 1448;

/// One direction as the packets show it.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    /// Seconds that the direction is accounted for.
    pub(super) seconds: f64,
    pub(super) bytes: u64,
    /// Share of time under each limit, in the order of [`Limit::ALL`].
    pub(super) limits: [f64; Limit::ALL.len()],
    /// Bytes in flight, weighted by time.
    pub(super) flight: Octaves,
    /// Offered window, weighted by time.
    pub(super) window: Octaves,
    /// Share of time in which less than a segment of the window was left.
    pub(super) full: f64,
    /// Share of time, of that since the window was largest, in which less than half of it was offered.
    pub(super) shrunk: f64,
    /// Round trips, each once.
    pub(super) rtt: Octaves,
    /// Time between two sends of new data, weighted by that time.
    pub(super) rests: Octaves,
    /// Time from the peer's last packet to new data, weighted by bytes.
    pub(super) after_peer: Octaves,
    /// Share of the sender's rests that ended right behind an ACK, and share of all time right behind one.
    /// `None` away from the sender: the capture does not show when it had its ACKs.
    released: Option<(f64, f64)>,
    /// Share of the bytes that followed a message of the peer rather than an ACK.
    pub(super) on_messages: f64,
    /// Share of retransmitted segments; copies that the network or the capture made are none.
    pub(super) retransmitted: f64,
    pub(super) facts: Facts,
}

/// What a rebuilt transfer is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Window scale in the SYNs of the data's sender and of its receiver.
    pub(super) scales: [Option<u8>; 2],
    /// The SYN of the receiver was seen, so that a missing scale is known to be missing.
    pub(super) has_receiver_syn: bool,
    /// A SYN was seen without selective acknowledgment, and one without timestamps.
    pub(super) lacks_sack: bool,
    pub(super) lacks_timestamps: bool,
    /// SYNs of the data's sender and of its receiver.
    pub(super) syns: [u32; 2],
    /// Largest window that was offered, bytes.
    pub(super) largest_window: u64,
    /// Bytes per second by which the right edge moved while the window was full.
    pub(super) edge_rate: Option<f64>,
    /// How often the window closed, and for how many seconds in all.
    pub(super) closed: (u32, f64),
    /// Bytes before the first acknowledgment of data.
    pub(super) first_flight: u64,
    pub(super) bursts: Bursts,
    /// Messages of the peer while data flowed, and their bytes.
    pub(super) peer_messages: (u64, u64),
    /// Bytes per second that were acknowledged, weighted by time: the median.
    pub(super) delivered: Option<u64>,
    /// Share of a message's bytes that left before its first rest, of messages with a rest.
    pub(super) first_part: Option<f64>,
    /// Data frames that were lost, counted from 1 as the lab counts them.
    pub(super) lost_frames: Vec<u64>,
    /// Frames that the network or the capture had twice.
    pub(super) copies: u64,
    /// Largest payload of one captured packet.
    pub(super) largest_packet: u64,
}

impl Observed {
    /// The direction `half` of `connection` in the capture at `path`.
    pub(super) fn read(path: &Path, connection: &Connection, half: &HalfConnection) -> Result<Self, ProofError> {
        let mut reader = CaptureReader::open(path)?;
        let observed = Self::of(reader.by_ref(), connection, half);
        reader.into_error().map_or(Ok(observed), |error| Err(error.into()))
    }

    /// The same from the segments of a capture.
    pub(super) fn of(segments: impl Iterator<Item = Segment>, connection: &Connection, half: &HalfConnection) -> Self {
        let mut watch = Watch::new(half, connection.rtt_min);
        let mut tracer = Tracer::new(connection.first_packet, connection.span.start());
        for segment in segments {
            if [segment.source, segment.destination].iter().all(|end| connection.endpoints.contains(end))
                && let Some(packet) = tracer.observe(&segment)
            {
                watch.on_syn(&segment, connection);
                watch.on_packet(&packet);
            }
        }
        watch.finish(half)
    }

    /// Share of time under `limit`.
    pub(super) fn share(&self, limit: Limit) -> f64 {
        Limit::ALL.iter().position(|&other| other == limit).map_or(0.0, |index| self.limits[index])
    }

    /// Whether ACKs ended nearly all of the sender's pauses, far more than by chance. A program with a clock
    /// of its own has no reason to write then.
    pub(super) fn is_released_by_acks(&self) -> bool {
        /// Nearly all rests.
        const RELEASED: f64 = 0.9;
        /// Where ACKs are so dense, chance alone puts half of all sends behind one.
        const DENSE: f64 = 0.5;
        self.released.is_some_and(|(released, chance)| released >= RELEASED && chance <= DENSE)
    }

    /// What was in flight most of the time when it was much: nine tenths of the time had less.
    pub(super) fn usual_flight(&self) -> f64 {
        self.flight.quantile(0.9).unwrap_or_default()
    }
}

/// Follows the packets.
struct Watch {
    side: Side,
    mss: u64,
    observed: Observed,
    losses: LossLog,
    last_time: Option<i64>,
    last_data: Option<i64>,
    last_peer: Option<(i64, bool)>,
    /// Highest position sent, once data was seen.
    sent_to: Option<u64>,
    first_position: u64,
    has_ack: bool,
    /// Flight, window and right edge after the packet before.
    state: (u64, Option<u64>, Option<u64>),
    /// Seconds with a window known, full, and since it was largest, in all and shrunk.
    known: f64,
    full: f64,
    since_largest: f64,
    shrunk: f64,
    edge_moved: f64,
    is_closed: bool,
    /// Nanoseconds of rests, of those that ended right behind an ACK, and of time right behind an ACK.
    rested: i64,
    rested_until_ack: i64,
    behind_acks: i64,
    /// Bursts, bytes of the first and of all, since the peer's last message; the two sums over messages with
    /// a rest.
    message: (u32, u64, u64),
    /// Nanoseconds over which acknowledged bytes are counted, since when, and how many were acknowledged by
    /// then.
    period: i64,
    period_start: Option<(i64, u64)>,
    delivered: Sketch,
    first_parts: (u64, u64),
    on_messages: u64,
    segments: u64,
    retransmissions: u64,
}

impl Watch {
    fn new(half: &HalfConnection, rtt: Option<u64>) -> Self {
        let mut limits = [0.0; Limit::ALL.len()];
        let span = half.limits.span().nanos().max(1) as f64;
        for (share, limit) in limits.iter_mut().zip(Limit::ALL) {
            *share = half.limits.nanos_of(limit) as f64 / span;
        }
        let rtt = half.rtt.map(|(rtt, _)| rtt.min).or(rtt).unwrap_or_default();
        let facts = Facts { bursts: Bursts::new(i64::try_from(rtt).unwrap_or(i64::MAX)), ..Facts::default() };
        let observed = Observed {
            seconds: half.span.seconds(),
            bytes: half.bytes,
            limits,
            flight: Octaves::above(LEAST_BYTES),
            window: Octaves::above(LEAST_BYTES),
            full: 0.0,
            shrunk: 0.0,
            rtt: Octaves::above(LEAST_TIME),
            rests: Octaves::above(LEAST_TIME),
            after_peer: Octaves::above(AT_ONCE),
            released: None,
            on_messages: 0.0,
            retransmitted: 0.0,
            facts,
        };
        Self {
            side: half.sender,
            mss: half.mss.unwrap_or(LEAST_BYTES).max(1),
            observed,
            losses: LossLog::default(),
            last_time: None,
            last_data: None,
            last_peer: None,
            sent_to: None,
            first_position: 0,
            has_ack: false,
            state: (0, None, None),
            known: 0.0,
            full: 0.0,
            since_largest: 0.0,
            shrunk: 0.0,
            edge_moved: 0.0,
            is_closed: false,
            rested: 0,
            rested_until_ack: 0,
            behind_acks: 0,
            message: (0, 0, 0),
            period: LEAST_PERIOD.max(i64::try_from(rtt).unwrap_or_default() * PERIOD_ROUND_TRIPS),
            period_start: None,
            delivered: Sketch::default(),
            first_parts: (0, 0),
            on_messages: 0,
            segments: 0,
            retransmissions: 0,
        }
    }

    fn on_syn(&mut self, segment: &Segment, connection: &Connection) {
        if segment.flags.contains(TcpFlags::SYN) {
            let is_sender = connection.endpoints[self.side.index()] == segment.source;
            let facts = &mut self.observed.facts;
            facts.scales[usize::from(!is_sender)] = segment.options.window_scale;
            facts.syns[usize::from(!is_sender)] += 1;
            facts.lacks_sack |= !segment.options.sack_permitted;
            facts.lacks_timestamps |= segment.options.timestamps.is_none();
            facts.has_receiver_syn |= !is_sender;
        }
    }

    fn on_packet(&mut self, packet: &PacketTrace) {
        let time = packet.time.as_nanos();
        self.weigh(time);
        if packet.kind == PacketKind::DuplicateFrame {
            if packet.from == self.side && packet.len > 0 {
                self.observed.facts.copies += 1;
            }
            return;
        }
        if let Some(round_trip) = packet.round_trips[self.side.index()] {
            self.observed.rtt.add(u64::try_from(round_trip).unwrap_or_default(), 1.0);
        }
        if packet.from == self.side {
            self.on_sent(packet, time);
        } else {
            self.on_heard(packet, time);
        }
        if let Some(state) = packet.directions[self.side.index()] {
            let edge_before = self.state.2;
            if self.is_full()
                && let (Some(before), Some(edge)) = (edge_before, state.edge)
            {
                self.edge_moved += edge.saturating_sub(before) as f64;
            }
            self.state = (state.flight, state.window, state.edge);
            self.on_delivered(time, state.una.unwrap_or_default());
            self.has_ack |= state.una.is_some_and(|una| una > self.first_position.max(1));
        }
    }

    /// `una` bytes are acknowledged.
    fn on_delivered(&mut self, time: i64, una: u64) {
        let (since, from) = *self.period_start.get_or_insert((time, una));
        let passed = time - since;
        if passed >= self.period {
            let rate = una.saturating_sub(from) as f64 * 1e9 / passed as f64;
            self.delivered.add(rate as u64, passed as f64 / 1e9);
            self.period_start = Some((time, una));
        }
    }

    /// Weighs the state since the packet before.
    fn weigh(&mut self, time: i64) {
        let passed = self.last_time.map_or(0, |last| (time - last).max(0));
        self.last_time = Some(time);
        // Before the first data and after its last acknowledgment nothing is weighed.
        let (flight, Some(window)) = (self.state.0, self.state.1) else { return };
        let seconds = passed as f64 / 1e9;
        if flight > 0 {
            self.observed.flight.add(flight, seconds);
        }
        self.observed.window.add(window, seconds);
        self.known += seconds;
        if self.is_full() {
            self.full += seconds;
        }
        let largest = &mut self.observed.facts.largest_window;
        if window > *largest {
            *largest = window;
            (self.since_largest, self.shrunk) = (0.0, 0.0);
        }
        self.since_largest += seconds;
        if window * 2 < *largest {
            self.shrunk += seconds;
        }
        if window == 0 {
            if !self.is_closed {
                self.observed.facts.closed.0 += 1;
            }
            self.observed.facts.closed.1 += seconds;
        }
        self.is_closed = window == 0;
    }

    /// Whether no whole segment fits the window.
    fn is_full(&self) -> bool {
        let (flight, window, _) = self.state;
        window.is_some_and(|window| flight + self.mss > window && flight + window > 0)
    }

    fn on_sent(&mut self, packet: &PacketTrace, time: i64) {
        if packet.len == 0 || packet.kind == PacketKind::Syn {
            return;
        }
        let len = u64::from(packet.len);
        self.segments += 1;
        let is_repeat = matches!(
            packet.kind,
            PacketKind::FastRetransmission
                | PacketKind::TimeoutRetransmission
                | PacketKind::LossProbe
                | PacketKind::OtherRetransmission
        );
        let Some(seq) = packet.seq else { return };
        let sent_to = *self.sent_to.get_or_insert_with(|| {
            self.first_position = seq;
            seq
        });
        let frames = len.div_ceil(self.mss);
        if is_repeat {
            self.retransmissions += 1;
            self.losses.repeated(seq, len, self.mss, frames);
        }
        let end = seq + len;
        if is_repeat || end <= sent_to {
            return;
        }
        self.sent_to = Some(end);
        self.losses.sent(end);
        let facts = &mut self.observed.facts;
        facts.largest_packet = facts.largest_packet.max(len);
        if !self.has_ack {
            facts.first_flight = end - self.first_position;
        }
        let begins = facts.bursts.add(time, len);
        let (bursts, first, all) = &mut self.message;
        *bursts += u32::from(begins || *bursts == 0);
        *first += if *bursts == 1 { len } else { 0 };
        *all += len;
        let behind_ack =
            self.last_peer.is_some_and(|(heard, is_message)| !is_message && time - heard <= AT_ONCE as i64);
        if let Some(last) = self.last_data.filter(|_| begins) {
            self.rested += time - last;
            self.rested_until_ack += if behind_ack { time - last } else { 0 };
        }
        if let Some(last) = self.last_data {
            let rest = u64::try_from(time - last).unwrap_or_default();
            self.observed.rests.add(rest, rest as f64 / 1e9);
        }
        self.last_data = Some(time);
        if let Some((heard, is_message)) = self.last_peer {
            self.observed.after_peer.add(u64::try_from(time - heard).unwrap_or_default(), len as f64);
            self.on_messages += if is_message { len } else { 0 };
        }
    }

    fn on_heard(&mut self, packet: &PacketTrace, time: i64) {
        let is_message = packet.len > 1;
        if let Some((heard, _)) = self.last_peer {
            self.behind_acks += (time - heard).min(AT_ONCE as i64);
        }
        self.last_peer = Some((time, is_message));
        if is_message && self.sent_to.is_some() {
            let (bursts, first, all) = std::mem::take(&mut self.message);
            if bursts > 1 {
                self.first_parts.0 += first;
                self.first_parts.1 += all;
            }
            let (count, bytes) = &mut self.observed.facts.peer_messages;
            *count += 1;
            *bytes += u64::from(packet.len);
        }
    }

    fn finish(self, half: &HalfConnection) -> Observed {
        let Self { mut observed, known, full, since_largest, shrunk, edge_moved, .. } = self;
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        observed.full = share(full, known);
        observed.shrunk = share(shrunk, since_largest);
        observed.facts.edge_rate = (full > 0.0 && edge_moved > 0.0).then(|| edge_moved / full);
        observed.facts.delivered = self.delivered.quantile(0.5);
        let (first, all) = self.first_parts;
        observed.facts.first_part = (all > 0).then(|| first as f64 / all as f64);
        let chance = share(self.behind_acks as f64 / 1e9, observed.seconds);
        let released = share(self.rested_until_ack as f64, self.rested as f64);
        observed.released = (half.vantage == Vantage::Sender).then_some((released, chance));
        observed.on_messages = share(self.on_messages as f64, half.bytes as f64);
        observed.retransmitted = share(self.retransmissions as f64, self.segments as f64);
        observed.facts.lost_frames = self.losses.frames(self.first_position, self.mss);
        observed
    }
}
