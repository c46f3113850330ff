//! Facts about a connection from single packets, needed for connections in any state.

use std::num::NonZeroU16;

use tcpwhy_model::{Endpoint, Segment, SeqNum, TcpFlags};

use crate::outcome::Side;
use crate::thresholds::{CLOCK_STEP, CLOSED_LINGER, IDLE_LIMIT, STAMPED_BACK, STEP_OF_SPAN};

/// Nanoseconds.
const MILLISECOND: i64 = 1_000_000;

/// Latest plausible timestamp (the year 2225), nanoseconds. Every time of a pcap file is earlier (2106), and
/// sums with durations still fit.
const LATEST: i64 = i64::MAX - (1 << 60);
/// Earliest plausible timestamp (the year 1951), nanoseconds: all differences of times fit.
const EARLIEST: i64 = -(1 << 59);
/// Longest plausible duration, about two years, nanoseconds: longer ones come from clocks that are set. Many
/// times as much still fits.
const MAX_SPAN: i64 = 1 << 56;

/// Limits `time` to plausible timestamps.
fn possible(time: i64) -> i64 {
    time.clamp(EARLIEST, LATEST)
}

/// The ends, the first and the last time, and whether both ends are done.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    pub(super) id: u64,
    pub(super) endpoints: [Endpoint; 2],
    pub(super) first_packet: u64,
    pub(super) first: i64,
    pub(super) last: i64,
    /// Nanoseconds added to the capture's time to compensate its backward steps.
    clock_offset: i64,
    /// Packets with a timestamp long before that of an earlier packet.
    pub(super) stamped_back: u32,
    /// A packet has an implausible timestamp.
    pub(super) is_beyond: bool,
    /// IP identification, acknowledgment number and time of each end's last ACK without payload.
    last_acks: [Option<(NonZeroU16, SeqNum, i64)>; 2],
    /// Initial sequence numbers of the ends whose SYN was captured.
    isns: [Option<SeqNum>; 2],
    has_fin: [bool; 2],
    is_reset: bool,
    /// Only one end's SYN was captured. Until the other's is, packets of an earlier connection are detected.
    is_half_open: bool,
    /// Whether each end sent anything except SYNs and resets.
    has_spoken: [bool; 2],
    /// Acknowledgment number with which an end answered a SYN because it still knew another connection.
    old_ack: Option<SeqNum>,
}

/// A packet of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// Capture time, without backward steps of the clock.
    pub(super) time: i64,
    /// The same ACK was captured twice.
    pub(super) is_copy: bool,
    /// It belongs to an earlier connection with the same addresses and ports, which one end still knew.
    pub(super) is_of_old_connection: bool,
    /// Time since the connection's previous packet, nanoseconds.
    pub(super) silence: i64,
}

impl Outline {
    const TURNS: TcpFlags = TcpFlags::SYN.union(TcpFlags::FIN).union(TcpFlags::RST);

    /// Creates the outline of a connection with the first packet `segment`, which is not processed yet.
    pub(super) fn new(id: u64, segment: &Segment) -> Self {
        let time = possible(segment.timestamp.as_nanos());
        Self {
            id,
            endpoints: [segment.source, segment.destination],
            first_packet: segment.number,
            first: time,
            last: time,
            clock_offset: 0,
            stamped_back: 0,
            is_beyond: time != segment.timestamp.as_nanos(),
            last_acks: [None; 2],
            isns: [None; 2],
            has_fin: [false; 2],
            is_reset: false,
            is_half_open: false,
            has_spoken: [false; 2],
            old_ack: None,
        }
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn last(&self) -> i64 {
        self.last
    }

    /// Time without a packet at `now`, a time of the capture, nanoseconds.
    pub(crate) fn silence(&self, now: i64) -> i64 {
        possible(now).saturating_sub(self.last)
    }

    /// Whether the silence at `now` is so long that the next packet belongs to another connection.
    pub(crate) fn is_over(&self, now: i64) -> bool {
        self.ends_after(self.silence(now))
    }

    /// Whether a silence of `silent` nanoseconds ends the connection.
    pub(crate) fn ends_after(&self, silent: i64) -> bool {
        silent > CLOSED_LINGER && (self.is_closed() || silent > IDLE_LIMIT)
    }

    /// Whether no more packets belong to this incarnation.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_reset || self.has_fin == [true, true]
    }

    /// Whether one end sent SYNs, and nothing except SYNs and resets passed.
    pub(super) fn has_only_syns(&self) -> bool {
        self.isns[0].is_some() != self.isns[1].is_some() && self.has_spoken == [false, false]
    }

    pub(super) fn isn(&self, side: Side) -> Option<SeqNum> {
        self.isns[side.index()]
    }

    /// The sender of the segment, if it passed between the same two ends.
    #[inline]
    pub(crate) fn sender_of(&self, segment: &Segment) -> Option<Side> {
        let [a, b] = &self.endpoints;
        if segment.source == *a && segment.destination == *b {
            Some(Side::A)
        } else {
            (segment.source == *b && segment.destination == *a).then_some(Side::B)
        }
    }

    /// Whether both ends are the capturing host: packets between such addresses never leave it (RFC 1122
    /// §3.2.1.3, RFC 4291 §2.5.3).
    pub(super) fn is_within_host(&self) -> bool {
        let [a, b] = self.endpoints.map(|end| end.address.to_canonical());
        a == b || a.is_loopback() && b.is_loopback()
    }

    pub(super) fn side_of(&self, segment: &Segment) -> Side {
        if segment.source == self.endpoints[0] { Side::A } else { Side::B }
    }

    /// Records the next packet, which `side` sent.
    #[expect(
        clippy::inline_always,
        reason = "the call alone takes as long as a third of what it does, for every packet"
    )]
    #[inline(always)]
    pub(super) fn pass(&mut self, segment: &Segment, side: Side) -> Passed {
        let time = self.steady(segment.timestamp.as_nanos());
        let silence = time - self.last;
        self.last = self.last.max(time);
        let is_copy = self.is_copy(segment, side, time);
        let is_of_old_connection = self.is_half_open && self.is_of_old_connection(segment, side);
        if segment.flags.0 & Self::TURNS.0 != 0 && !is_copy && !is_of_old_connection {
            self.turn(segment, side);
        }
        Passed { time, is_copy, is_of_old_connection, silence }
    }

    /// Whether the packet belongs to an earlier connection with the same addresses and ports, which one end
    /// still knew when a SYN arrived. That end acknowledges the old numbers (RFC 9293 §3.10.7.4, RFC 5961
    /// §4.2). The other end answers with a reset of exactly that number (RFC 9293 §3.10.7.3). Neither packet
    /// concerns the new connection.
    #[cold]
    fn is_of_old_connection(&mut self, segment: &Segment, side: Side) -> bool {
        let flags = segment.flags;
        self.has_spoken[side.index()] |= !flags.contains(TcpFlags::SYN) && !flags.contains(TcpFlags::RST);
        match (self.isn(side), self.isn(side.peer())) {
            _ if flags.contains(TcpFlags::SYN) => false,
            (Some(_), None) => flags.contains(TcpFlags::RST) && self.old_ack == Some(segment.seq),
            // If the other end has sent more than its SYN, the answer to the SYN was only not captured.
            (None, Some(isn))
                if flags == TcpFlags::ACK && segment.payload_len == 0 && !self.has_spoken[side.peer().index()] =>
            {
                let is_old = segment.ack != isn.plus(1);
                if is_old {
                    self.old_ack = Some(segment.ack);
                }
                is_old
            }
            _ => false,
        }
    }

    /// Whether a SYN was answered with the number of a connection that the other end still knew.
    pub(super) fn has_met_old_connection(&self) -> bool {
        self.old_ack.is_some()
    }

    /// Records that an end begins or ends.
    fn turn(&mut self, segment: &Segment, side: Side) {
        let flags = segment.flags;
        if flags.contains(TcpFlags::SYN) {
            self.isns[side.index()].get_or_insert(segment.seq);
            self.is_half_open = self.isns.iter().flatten().count() == 1;
        }
        self.has_fin[side.index()] |= flags.contains(TcpFlags::FIN);
        self.is_reset |= flags.contains(TcpFlags::RST);
    }

    /// Whether the same ACK came twice within 1 ms: the capture saw it at two places. The half detects copies
    /// of data.
    #[inline]
    fn is_copy(&mut self, segment: &Segment, side: Side, time: i64) -> bool {
        if segment.payload_len > 0 {
            return false;
        }
        let Some(id) = segment.ip.identification else { return false };
        let last = self.last_acks[side.index()].replace((id, segment.ack, time));
        last.is_some_and(|(last_id, last_ack, last_time)| {
            last_id == id && last_ack == segment.ack && time - last_time <= MILLISECOND
        })
    }

    /// Capture time without backward steps: durations stay right, and no later packet precedes an earlier one
    /// by more than reordering in the capture explains.
    #[inline]
    fn steady(&mut self, time: i64) -> i64 {
        // Fast path: most clocks never step back.
        if self.clock_offset == 0 && time >= self.last && time <= LATEST.min(self.first + MAX_SPAN) {
            return time;
        }
        self.make_steady(time)
    }

    /// Whether the capture's clock stepped back by about the duration of the connection. Then the duration is
    /// only the clock's step back and forth. A clock that was set once is corrected.
    pub(super) fn has_stepped_as_long(&self) -> bool {
        let (span, stepped) = (self.last.saturating_sub(self.first), self.clock_offset);
        let is_alike = stepped >= span / STEP_OF_SPAN.get() && span >= stepped / STEP_OF_SPAN.get();
        span >= MAX_SPAN || stepped > 0 && is_alike
    }

    #[inline(never)]
    fn make_steady(&mut self, time: i64) -> i64 {
        self.is_beyond |= possible(time) != time;
        let steady = self.in_span(possible(time).saturating_add(self.clock_offset));
        let back = self.last.saturating_sub(steady);
        self.stamped_back = self.stamped_back.saturating_add(u32::from(back > STAMPED_BACK));
        if back <= CLOCK_STEP {
            return steady;
        }
        self.clock_offset = self.clock_offset.saturating_add(back);
        self.last
    }

    /// Capture time of `segment`, the last packet, without steps of the clock; nanoseconds since the epoch.
    pub(super) fn time_of(&self, segment: &Segment) -> i64 {
        self.in_span(possible(segment.timestamp.as_nanos()).saturating_add(self.clock_offset))
    }

    #[inline]
    fn in_span(&self, time: i64) -> i64 {
        time.clamp(self.first - MAX_SPAN, self.first + MAX_SPAN)
    }
}

#[cfg(test)]
mod terms;
