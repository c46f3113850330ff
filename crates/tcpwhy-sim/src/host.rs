//! The machine at one end: its interface, its processor, and the program that owns the socket.

use std::collections::VecDeque;

use tcpwhy_scenario::splitmix;

use crate::frame::Carried;
use crate::program::Program;
use crate::segment::Segment;
use crate::socket::{Burst, Socket};
use crate::time::{MICROSECOND, MILLISECOND, Time};

/// What a host's work takes. The numbers are those of the machine that the lab was measured on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HostProfile {
    /// Rate of its interface, bit/s; 0: no limit.
    pub nic: u64,
    /// From the interface to the path after a rest, one way.
    pub latency: Time,
    /// From an event to the program that waits for it.
    pub wake: Time,
    /// Nanoseconds to copy 100 bytes between program and kernel.
    pub copy_of_100: u64,
    /// One system call.
    pub call: Time,
    /// To hand a packet to the interface, for the program whose `send()` lets it leave. A burst is one packet
    /// with segmentation offload.
    pub transmit: Time,
    /// A sleep ends so much late (`timer_slack_ns`).
    pub slack: Time,
    /// Frames that come together are merged.
    pub merges: bool,
    /// All of the world runs on one processor, whose timers fire together: a sleep ends with the next event
    /// within its slack.
    pub shares_timers: bool,
}

impl HostProfile {
    /// The lab's.
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

    /// One that takes no time.
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

    /// Another host of the kind that the lab was measured on: its `n`-th, each time the same. Such machines
    /// take 40 to 140 µs to the path and 5 to 60 µs to wake a program. They copy a byte in 0.2 to 1.2 ns, and
    /// hand over a packet in 2 to 20 µs.
    #[must_use]
    pub fn drawn(self, n: u64) -> Self {
        // One that takes no time has nothing to draw.
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

/// A host that has sent within this time needs no waking.
const AWAKE: Time = MILLISECOND;
/// What an awake one takes of its latency.
const AWAKE_SHARE: Time = 4;

/// One end.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) profile: HostProfile,
    pub(crate) socket: Socket,
    pub(crate) program: Program,
    queue: VecDeque<Burst>,
    free_at: Time,
    last_sent: Option<Time>,
    /// Frames on the way to the path, in order.
    pub(crate) leaving: VecDeque<(Time, Carried)>,
    /// A system call owns the socket: segments that come wait.
    pub(crate) is_locked: bool,
    pub(crate) backlog: Vec<Segment>,
    pub(crate) timer_at: Option<Time>,
    /// Its interface cuts bursts into frames.
    pub(crate) cuts_bursts: bool,
    /// How long its first packet waits for the address of the next hop.
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

    /// A burst waits for the interface. Returns when that is free, if it was idle.
    pub(crate) fn enqueue(&mut self, now: Time, burst: Burst) -> Option<Time> {
        self.queue.push_back(burst);
        (self.queue.len() == 1).then(|| self.free_at.max(now))
    }

    /// What it takes to hand `burst` to the interface.
    pub(crate) const fn handing_over(&self, burst: &Burst) -> Time {
        let packets = if self.profile.merges { 1 } else { burst.segment.frames };
        packets * self.profile.transmit
    }

    /// Memory of the socket's account that has not left this host.
    #[cfg(test)]
    pub(crate) fn memory_in_queue(&self) -> u64 {
        self.queue.iter().map(|burst| burst.memory).sum()
    }

    /// What the interface sends next.
    pub(crate) fn next_burst(&self) -> Option<Segment> {
        self.queue.front().map(|burst| burst.segment)
    }

    /// The interface sends a burst, frame by frame; returns its memory, and when the next one goes.
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
