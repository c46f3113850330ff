//! One connection packet by packet, for charts.
//!
//! A trace compares the state of the analysis before and after each packet. So the analysis itself stores
//! nothing for it and is not slower. Programs that need charts read the capture a second time.

use tcpwhy_model::{Segment, TcpFlags, Timestamp};

use crate::connection::ConnectionState;
use crate::facts::gap_fact::GapFact;
use crate::facts::half::range_set::RangeSet;
use crate::outcome::{Connection, Side};

/// SACK blocks that fit a TCP header.
const MAX_BLOCKS: usize = 4;

/// Kind of a packet, given all packets before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PacketKind {
    /// New data, or an acknowledgment.
    Ordinary,
    /// Retransmission in fast recovery.
    FastRetransmission,
    /// Retransmission after a timeout.
    TimeoutRetransmission,
    /// Retransmission as a tail loss probe.
    LossProbe,
    /// Retransmission for a reason that the packets do not show.
    OtherRetransmission,
    /// Filled a hole soon enough to have been overtaken on the path.
    OutOfOrder,
    /// The capture contains the frame twice.
    DuplicateFrame,
    /// Probes a receiver that advertised a zero window.
    WindowProbe,
    /// Repeats acknowledged data while the window is open, to get an ACK.
    KeepAlive,
    /// Carries SYN.
    Syn,
    /// Carries FIN.
    Fin,
    /// Carries RST.
    Reset,
}

/// State of one direction after a packet. Positions are those of the stream, with the SYN at 0 if it was
/// captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DirectionState {
    /// Position below which everything is acknowledged, in the order of the capture.
    pub una: Option<u64>,
    /// Bytes that the receiver is known to have: all below `una`, and those that SACK reports beyond.
    pub delivered: u64,
    /// Highest byte sent, plus one.
    pub nxt: u64,
    /// Right edge that was advertised last.
    pub edge: Option<u64>,
    /// Window that was advertised last, bytes.
    pub window: Option<u64>,
    /// Bytes in flight, as known to the sender.
    pub flight: u64,
    /// Bytes believed to be on the path (RFC 6675 §2, `pipe`): those in flight, less those that SACK reports
    /// as received or lost, plus retransmitted ones.
    pub pipe: u64,
    /// Lower bound of the congestion window, bytes: the largest flight since the last loss or idle period.
    pub cwnd_floor: u64,
}

/// One packet and its effect.
#[derive(Clone, Copy, Debug)]
pub struct PacketTrace {
    /// Number in its capture file.
    pub number: u64,
    /// Time, without steps back of the capture's clock.
    pub time: Timestamp,
    /// Sender of the packet.
    pub from: Side,
    /// Kind of the packet.
    pub kind: PacketKind,
    /// Position of its first payload byte in the sender's stream.
    pub seq: Option<u64>,
    /// Payload bytes.
    pub len: u32,
    /// Position acknowledged in the peer's stream.
    pub ack: Option<u64>,
    /// Window that it advertises, bytes.
    pub window: Option<u64>,
    /// Whether it advertises a zero window, and is neither SYN nor RST.
    pub is_zero_window: bool,
    /// SACK blocks that had not been reported before, `[left, right)` in the peer's stream.
    pub sack: [Option<(u64, u64)>; MAX_BLOCKS],
    /// Data that it reports as received twice (RFC 2883).
    pub duplicate: Option<(u64, u64)>,
    /// Round trips that were timed with it, by the direction of the data, nanoseconds.
    pub round_trips: [Option<i64>; 2],
    /// Time since the packet before at which all ACKs in flight had reached the sender of a direction, and
    /// its bytes in flight then.
    pub settled: [Option<(Timestamp, u64)>; 2],
    /// Both directions after it, by sender of the data; `None` before the direction's first payload.
    pub directions: [Option<DirectionState>; 2],
}

/// Last values that the other end reported about one direction.
#[derive(Clone, Debug, Default)]
struct PeerState {
    edge: Option<u64>,
    window: Option<u64>,
    /// Blocks of the last ACK.
    blocks: [Option<(u64, u64)>; MAX_BLOCKS],
    /// Retransmitted and not acknowledged ranges.
    resent: RangeSet,
}

/// Follows one incarnation of a four-tuple through the segments of that four-tuple.
#[derive(Clone, Debug)]
pub struct Tracer {
    first_packet: u64,
    start: Timestamp,
    state: Option<Box<ConnectionState>>,
    is_over: bool,
    peers: [PeerState; 2],
    /// Time of the last packet.
    last: i64,
}

impl Tracer {
    /// Creates a tracer for the connection whose first packet has this number and time.
    pub fn new(first_packet: u64, start: Timestamp) -> Self {
        Self { first_packet, start, state: None, is_over: false, peers: Default::default(), last: i64::MIN }
    }

    /// Takes the next segment of the four-tuple; `None` if it belongs to another connection.
    pub fn observe(&mut self, segment: &Segment) -> Option<PacketTrace> {
        if self.is_over {
            return None;
        }
        if let Some(error) = segment.undelivered() {
            if let Some(state) = &mut self.state {
                state.note_undelivered(state.side_of(segment), error);
            }
            return None;
        }
        if let Some(state) = &self.state {
            self.is_over = state.is_reopened_by(segment) || state.is_over_before(segment);
            if self.is_over {
                return None;
            }
        } else if segment.number == self.first_packet && segment.timestamp == self.start {
            self.state = Some(Box::new(ConnectionState::new(0, segment).traced()));
        }
        let state = self.state.as_mut()?;
        let from = state.side_of(segment);
        let before = state.tally(from);
        let settling = [Side::A, Side::B].map(|side| state.settling(side));
        state.observe(segment);
        let after = state.tally(from);
        let is_copy = after.copies > before.copies;
        let time = state.time_of(segment);
        let mut packet = PacketTrace {
            number: segment.number,
            time: Timestamp::from_nanos(time),
            from,
            kind: PacketKind::Ordinary,
            seq: None,
            len: segment.payload_len,
            ack: None,
            window: None,
            is_zero_window: false,
            sack: [None; MAX_BLOCKS],
            duplicate: None,
            round_trips: [None; 2],
            settled: settling.map(|at| {
                let (at, flight) = at.filter(|&(at, _)| self.last < at && at < time)?;
                Some((Timestamp::from_nanos(at), flight))
            }),
            directions: [None; 2],
        };
        self.last = self.last.max(time);
        let states = [Side::A, Side::B].map(|side| state.trace_state(side, time));
        let is_syn = segment.flags.contains(TcpFlags::SYN);
        let seq = if is_syn { segment.seq.plus(1) } else { segment.seq };
        packet.seq = state.offset(from, seq);
        if segment.flags.contains(TcpFlags::ACK) {
            packet.ack = state.offset(from.peer(), segment.ack);
        }
        let scale = match (state.window_scale(from), states[from.peer().index()]) {
            (tcpwhy_model::WindowScale::Unknown, Some(seen)) => seen.window_scale,
            (scale, _) => scale,
        };
        let window = if is_syn { Some(u64::from(segment.window.0)) } else { scale.apply(segment.window).map(|w| w.0) };
        packet.window = window;
        packet.is_zero_window = segment.window.0 == 0 && !is_syn && !segment.flags.contains(TcpFlags::RST);
        packet.kind = if is_copy {
            PacketKind::DuplicateFrame
        } else if after.retransmissions > before.retransmissions {
            retransmission(states[from.index()].and_then(|g| g.recovery))
        } else if after.reordered > before.reordered {
            PacketKind::OutOfOrder
        } else if after.probes > before.probes {
            let is_closed = self.peers[from.index()].window == Some(0);
            if is_closed { PacketKind::WindowProbe } else { PacketKind::KeepAlive }
        } else if segment.flags.contains(TcpFlags::RST) {
            PacketKind::Reset
        } else if is_syn {
            PacketKind::Syn
        } else if segment.flags.contains(TcpFlags::FIN) {
            PacketKind::Fin
        } else {
            PacketKind::Ordinary
        };
        if !is_copy {
            self.listen(segment, &mut packet);
        }
        for (side, seen) in [Side::A, Side::B].into_iter().zip(states) {
            let Some(seen) = seen else { continue };
            let peer_state = &mut self.peers[side.index()];
            peer_state.resent.drop_below(seen.una);
            if let (
                PacketKind::FastRetransmission | PacketKind::TimeoutRetransmission | PacketKind::LossProbe,
                Some(seq),
            ) = (packet.kind, packet.seq)
                && side == from
            {
                peer_state.resent.insert(seq.max(seen.una), seq + u64::from(packet.len));
            }
            // Data that SACK skipped is lost once three segments passed it (RFC 6675 §2, DupThresh), until it
            // is retransmitted.
            let skipped = seen.sacked_up_to.map_or(0, |up_to| up_to.saturating_sub(seen.una));
            let is_lost = seen.sacked_captured > 2 * seen.mss;
            let lost = if is_lost { skipped.saturating_sub(seen.sacked_captured) } else { 0 };
            let lost = lost.saturating_sub(peer_state.resent.total());
            packet.round_trips[side.index()] = seen.rtt;
            packet.directions[side.index()] = Some(DirectionState {
                una: Some(seen.una),
                delivered: seen.una + seen.sacked_captured,
                nxt: seen.nxt,
                edge: peer_state.edge,
                window: peer_state.window,
                flight: seen.flight,
                pipe: seen.flight.saturating_sub(seen.sacked).saturating_sub(lost),
                cwnd_floor: seen.cwnd_floor,
            });
        }
        Some(packet)
    }

    /// Whether no later segment can belong to the connection.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether the SYN of this side was captured, so that its stream begins at 1.
    pub fn has_syn(&self, side: Side) -> bool {
        self.state.as_ref().is_some_and(|s| s.has_syn(side))
    }

    /// Returns the analysis of the connection; `None` if it had no packet.
    pub fn finish(self) -> Option<Connection> {
        self.state.map(|s| s.finish())
    }

    /// Records the packet's acknowledgment, window and SACK blocks about the peer's data.
    fn listen(&mut self, segment: &Segment, packet: &mut PacketTrace) {
        let (Some(ack), Some(state)) = (packet.ack, &self.state) else { return };
        if segment.flags.contains(TcpFlags::RST) {
            return;
        }
        let peer = packet.from.peer();
        let peer_state = &mut self.peers[peer.index()];
        if let Some(window) = packet.window {
            peer_state.window = Some(window);
            peer_state.edge = Some(ack + window);
        }
        let mut blocks = [None; MAX_BLOCKS];
        for (block, &(left, right)) in blocks.iter_mut().zip(segment.options.sack.as_slice()) {
            let (Some(left), Some(right)) = (state.offset(peer, left), state.offset(peer, right)) else { continue };
            *block = (left < right).then_some((left, right));
        }
        if let [Some((left, right)), second, ..] = blocks
            && (right <= ack || second.is_some_and(|(l, r)| l <= left && right <= r))
        {
            packet.duplicate = Some((left, right));
            blocks[0] = None;
        }
        for (new, block) in packet.sack.iter_mut().zip(blocks) {
            *new = block.and_then(|block| unreported(block, &peer_state.blocks));
        }
        peer_state.blocks = blocks;
    }
}

const fn retransmission(recovery: Option<GapFact>) -> PacketKind {
    match recovery {
        Some(GapFact::RepeatedFast) => PacketKind::FastRetransmission,
        Some(GapFact::RepeatedByTimer | GapFact::RepeatedUnacknowledged) => PacketKind::TimeoutRetransmission,
        Some(GapFact::RepeatedByProbe) => PacketKind::LossProbe,
        _ => PacketKind::OtherRetransmission,
    }
}

/// Returns the part of a block that the last ACK had not reported: a new edge, or all of it.
fn unreported(block: (u64, u64), last: &[Option<(u64, u64)>]) -> Option<(u64, u64)> {
    let (mut left, mut right) = block;
    for &(l, r) in last.iter().flatten() {
        if l <= left && left < r {
            left = r;
        }
        if l < right && right <= r {
            right = l;
        }
    }
    (left < right).then_some((left, right))
}
