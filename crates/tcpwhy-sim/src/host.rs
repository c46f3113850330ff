//! The host at one end: its interface, its processor, and the program of the socket.

use std::collections::VecDeque;

use tcpwhy_scenario::splitmix;

use crate::frame::Carried;
use crate::program::Program;
use crate::segment::Segment;
use crate::socket::{Burst, Socket};
use crate::time::{MICROSECOND, MILLISECOND, Time};

/// Times of a host's work. The numbers come from the machine of the lab measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostProfile {
    /// Rate of its interface, bit/s; 0 means no limit.
    pub nic: u64,
    /// Delay from the interface to the path after an idle period, one way.
    pub latency: Time,
    /// Delay from an event to the program that waits for it.
    pub wake: Time,
    /// Nanoseconds to copy 100 bytes between program and kernel.
    pub copy_of_100: u64,
    /// One system call.
    pub call: Time,
    /// Time to pass a packet to the interface, charged to the program whose `send()` releases it. With
    /// segmentation offload, a burst is one packet.
    pub transmit: Time,
    /// Delay of the end of a sleep (`timer_slack_ns`).
    pub slack: Time,
    /// Whether frames that arrive together are merged.
    pub merges: bool,
    /// Whether all hosts run on one processor, whose timers fire together: a sleep ends with the next event
    /// within its slack.
    pub shares_timers: bool,
}

impl HostProfile {
    /// The host of the lab.
    pub const LAB: Self = Self {
        nic: 2_500_000_000,
        latency: 45 * MICROSECOND,
        wake: 20 * MICROSECOND,
        copy_of_100: 45,
        call: 1_500,
        transmit: 5 * MICROSECOND,
        slack: 60 * MICROSECOND,
        merges: true,
        shares_timers: false,
    };

    /// A host whose work takes no time.
    pub const IDEAL: Self = Self {
        nic: 0,
        latency: 0,
        wake: 0,
        copy_of_100: 0,
        call: 0,
        transmit: 0,
        slack: 0,
        merges: true,
        shares_timers: false,
    };

    /// Variant `n` of the lab's host; the same for equal `n`. Such machines need 40 to 140 µs to the path and
    /// 5 to 60 µs to wake a program. They copy a byte in 0.2 to 1.2 ns, and pass on a packet in 2 to 20 µs.
    #[must_use]
    pub fn drawn(self, n: u64) -> Self {
        // An ideal host has no variants.
        if self.latency == 0 {
            return self;
        }
        let draw = |what: u64, least: u64, most: u64| least + splitmix::mix(n.wrapping_mul(4) + what) % (most - least);
        Self {
            latency: draw(0, 40, 140) * MICROSECOND,
            wake: draw(1, 5, 60) * MICROSECOND,
            copy_of_100: draw(2, 20, 120),
            transmit: draw(3, 2, 20) * MICROSECOND,
            ..self
        }
    }

    pub(crate) const fn copy(&self, bytes: u64) -> Time {
        bytes * self.copy_of_100 / 100
    }
}

/// A host that has sent within this time is awake.
const AWAKE: Time = MILLISECOND;
/// Divisor of the latency of an awake host.
const AWAKE_SHARE: Time = 4;

/// State of one end.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) profile: HostProfile,
    pub(crate) socket: Socket,
    pub(crate) program: Program,
    queue: VecDeque<Burst>,
    free_at: Time,
    last_sent: Option<Time>,
    /// Frames between interface and path, in order.
    pub(crate) leaving: VecDeque<(Time, Carried)>,
    /// Whether a system call owns the socket, so that arriving segments wait.
    pub(crate) is_locked: bool,
    pub(crate) backlog: Vec<Segment>,
    pub(crate) timer_at: Option<Time>,
    /// Whether its interface cuts bursts into frames.
    pub(crate) cuts_bursts: bool,
    /// Time that its first packet waits for the address of the next hop.
    pub(crate) first_waits: Time,
}

impl Host {
    pub(crate) fn new(profile: HostProfile, socket: Socket, program: Program) -> Self {
        Self {
            profile,
            socket,
            program,
            queue: VecDeque::new(),
            free_at: 0,
            last_sent: None,
            leaving: VecDeque::new(),
            is_locked: false,
            backlog: Vec::new(),
            timer_at: None,
            cuts_bursts: true,
            first_waits: 0,
        }
    }

    /// Queues a burst for the interface. Returns the time when the interface is free, if the queue was empty.
    pub(crate) fn enqueue(&mut self, now: Time, burst: Burst) -> Option<Time> {
        self.queue.push_back(burst);
        (self.queue.len() == 1).then(|| self.free_at.max(now))
    }

    /// Time to pass `burst` to the interface.
    pub(crate) const fn handing_over(&self, burst: &Burst) -> Time {
        let packets = if self.profile.merges { 1 } else { burst.segment.frames };
        packets * self.profile.transmit
    }

    /// Memory of the socket's bursts that are still queued on this host.
    #[cfg(test)]
    pub(crate) fn memory_in_queue(&self) -> u64 {
        self.queue.iter().map(|burst| burst.memory).sum()
    }

    /// The next burst of the interface.
    pub(crate) fn next_burst(&self) -> Option<Segment> {
        self.queue.front().map(|burst| burst.segment)
    }

    /// Sends a burst, frame by frame. Returns its memory, and the time of the next burst.
    pub(crate) fn send(&mut self, now: Time, mss: u64) -> Option<(u64, Option<Time>)> {
        let Burst { segment, memory } = self.queue.pop_front()?;
        let frames = segment.len.div_ceil(mss).max(1);
        let bits = (segment.len + frames * segment.headers()) * 8;
        let takes = (bits * 1_000_000_000).checked_div(self.profile.nic).unwrap_or(0);
        self.free_at = now + takes;
        let is_awake = self.last_sent.is_some_and(|at| now - at <= AWAKE);
        let latency = if is_awake { self.profile.latency / AWAKE_SHARE } else { self.profile.latency };
        self.last_sent = Some(now);
        let at = now + latency + std::mem::take(&mut self.first_waits);
        let at = at.max(self.leaving.back().map_or(0, |(at, _)| *at));
        let next = (!self.queue.is_empty()).then_some(self.free_at);
        if self.cuts_bursts {
            self.leaving.extend(Carried::cut(segment, mss).map(|frame| (at, frame)));
        } else {
            self.leaving.push_back((at, Carried::whole(segment)));
        }
        Some((memory, next))
    }
}
