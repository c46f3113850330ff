//! What is known of a connection packet by packet, however it is followed.

use std::num::NonZeroU16;

use tcpwhy_model::{Endpoint, Segment, SeqNum, TcpFlags};

use crate::outcome::Side;
use crate::thresholds::{CLOCK_STEP, CLOSED_LINGER, IDLE_LIMIT, STAMPED_BACK, STEP_OF_SPAN};

/// Nanoseconds.
const MILLISECOND: i64 = 1_000_000;

/// Timestamps after this (the year 2225) are no times. Every time of a pcap is earlier (the year 2106), and
/// what is counted from a time still fits.
const LATEST: i64 = i64::MAX - (1 << 60);
/// Timestamps before this (the year 1951) are no times: all differences of times fit.
const EARLIEST: i64 = -(1 << 59);
/// No connection lasts two years: clocks are set. Many times as long still fits a number of nanoseconds.
const MAX_SPAN: i64 = 1 << 56;

/// A time that a clock may show, for `time`.
fn possible(time: i64) -> i64 {
    time.clamp(EARLIEST, LATEST)
}

/// Whose packets they are, since when and until when, and whether both ends are done.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    pub(super) id: u64,
    pub(super) endpoints: [Endpoint; 2],
    pub(super) first_packet: u64,
    pub(super) first: i64,
    pub(super) last: i64,
    /// What was added to the capture's time to undo its steps back.
    clock_offset: i64,
    /// Packets that were stamped long before one that came earlier.
    pub(super) stamped_back: u32,
    /// A packet has a time that no clock shows.
    pub(super) is_beyond: bool,
    /// IP identification, number and time of each end's last ACK without payload.
    last_acks: [Option<(NonZeroU16, SeqNum, i64)>; 2],
    /// Initial sequence numbers, of the ends whose SYN was seen.
    isns: [Option<SeqNum>; 2],
    has_fin: [bool; 2],
    is_reset: bool,
    /// Just one end's SYN was seen: until the other's, packets of a connection before this are told apart.
    is_half_open: bool,
    /// Which ends sent anything but SYNs and resets.
    has_spoken: [bool; 2],
    /// What a SYN was answered with by an end that still knew another connection.
    old_ack: Option<SeqNum>,
}

/// A packet of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// With steps back of the capture's clock taken out.
    pub(super) time: i64,
    /// The capture holds the same ACK twice.
    pub(super) is_copy: bool,
    /// It belongs to an earlier connection of the same addresses and ports, which one end still knew.
    pub(super) is_of_old_connection: bool,
    /// Since the connection's packet before it, nanoseconds.
    pub(super) silence: i64,
}

impl Outline {
    const TURNS: TcpFlags = TcpFlags::SYN.union(TcpFlags::FIN).union(TcpFlags::RST);

    /// Of a connection whose first packet `segment` is; it has not passed yet.
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

    /// How long nothing has passed at `now`, a time of the capture, nanoseconds. What it counts with are
    /// possible times.
    pub(crate) fn silence(&self, now: i64) -> i64 {
        possible(now).saturating_sub(self.last)
    }

    /// Whether it has been silent for so long at `now` that what comes next is another connection.
    pub(crate) fn is_over(&self, now: i64) -> bool {
        self.ends_after(self.silence(now))
    }

    /// Whether it ends after it was `silent` for so many nanoseconds.
    pub(crate) fn ends_after(&self, silent: i64) -> bool {
        silent > CLOSED_LINGER && (self.is_closed() || silent > IDLE_LIMIT)
    }

    /// Whether nothing more belongs to this incarnation.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_reset || self.has_fin == [true, true]
    }

    /// Whether one end sent SYNs, and nothing but SYNs and resets passed.
    pub(super) fn has_only_syns(&self) -> bool {
        self.isns[0].is_some() != self.isns[1].is_some() && self.has_spoken == [false, false]
    }

    pub(super) fn isn(&self, side: Side) -> Option<SeqNum> {
        self.isns[side.index()]
    }

    /// Who sent the segment, if it passed between the same two ends.
    #[inline]
    pub(crate) fn sender_of(&self, segment: &Segment) -> Option<Side> {
        let [a, b] = &self.endpoints;
        if segment.source == *a && segment.destination == *b {
            Some(Side::A)
        } else {
            (segment.source == *b && segment.destination == *a).then_some(Side::B)
        }
    }

    /// Both ends are the host that captured: packets between such addresses never leave it (RFC 1122
    /// §3.2.1.3, RFC 4291 §2.5.3).
    pub(super) fn is_within_host(&self) -> bool {
        let [a, b] = self.endpoints.map(|end| end.address.to_canonical());
        a == b || a.is_loopback() && b.is_loopback()
    }

    pub(super) fn side_of(&self, segment: &Segment) -> Side {
        if segment.source == self.endpoints[0] { Side::A } else { Side::B }
    }

    /// Takes the next packet, which `side` sent.
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

    /// A SYN met a connection of the same addresses and ports that the other end still knew. That end
    /// acknowledges what it knows (RFC 9293 §3.10.7.4, RFC 5961 §4.2), and is told by a reset with just that
    /// number that there is no such connection (RFC 9293 §3.10.7.3). Neither says anything of the new
    /// connection.
    #[cold]
    fn is_of_old_connection(&mut self, segment: &Segment, side: Side) -> bool {
        let flags = segment.flags;
        self.has_spoken[side.index()] |= !flags.contains(TcpFlags::SYN) && !flags.contains(TcpFlags::RST);
        match (self.isn(side), self.isn(side.peer())) {
            _ if flags.contains(TcpFlags::SYN) => false,
            (Some(_), None) => flags.contains(TcpFlags::RST) && self.old_ack == Some(segment.seq),
            // Once the other end has gone on from its SYN, the answer to that was merely not captured.
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

    /// A SYN was answered with the number of a connection that the other end still knew.
    pub(super) fn has_met_old_connection(&self) -> bool {
        self.old_ack.is_some()
    }

    /// Notes what few packets say: that an end begins or ends.
    fn turn(&mut self, segment: &Segment, side: Side) {
        let flags = segment.flags;
        if flags.contains(TcpFlags::SYN) {
            self.isns[side.index()].get_or_insert(segment.seq);
            self.is_half_open = self.isns.iter().flatten().count() == 1;
        }
        self.has_fin[side.index()] |= flags.contains(TcpFlags::FIN);
        self.is_reset |= flags.contains(TcpFlags::RST);
    }

    /// The same ACK twice within a millisecond: the capture saw it at two places. (Copies of data are told by
    /// the half.)
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

    /// The capture's time with steps back taken out: durations stay right, and no later packet lies before an
    /// earlier one by more than reordering in the capture explains.
    #[inline]
    fn steady(&mut self, time: i64) -> i64 {
        // Most clocks run on, and from one year to the next.
        if self.clock_offset == 0 && time >= self.last && time <= LATEST.min(self.first + MAX_SPAN) {
            return time;
        }
        self.make_steady(time)
    }

    /// Whether the capture's clock stepped back by about as much as the connection lasted: then the duration
    /// is that step, which came forth again, and nothing else. A clock that was set once is corrected.
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

    /// When `segment`, the last that passed, was captured, steps of the clock taken out; nanoseconds since
    /// the epoch.
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
