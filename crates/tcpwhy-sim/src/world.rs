//! Two hosts, the path between them, and simulated time.

#[cfg(test)]
mod conservation;
pub(crate) mod held;
mod programs;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use tcpwhy_model::{Cause, Explained, Message};
use tcpwhy_path::link::LinkCounts;
use tcpwhy_scenario::End;

use crate::frame::Merging;
use crate::host::{Host, HostProfile};
use crate::packet::{Opening, Packet};
use crate::path::{Direction, Path};
use crate::program::{Program, Step, Waits};
use crate::rules::{HostRules, Rules, SocketOptions};
use crate::segment::{Kind, Segment};
use crate::socket::{Socket, SocketCounts};
use crate::time::{SECOND, Time};
use held::Held;

/// One end of a transfer.
#[derive(Clone, Debug)]
pub struct EndPlan {
    /// Its kernel and settings.
    pub host: HostRules,
    /// Socket options of its program.
    pub options: SocketOptions,
    /// Times of its host.
    pub profile: HostProfile,
    /// Steps of its program.
    pub steps: Vec<Step>,
}

/// A transfer.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Sender and receiver.
    pub ends: [EndPlan; 2],
    /// The end that opens the connection.
    pub opener: End,
    /// The path between them.
    pub path: Path,
    /// Condition for the end of the transfer.
    pub until: Until,
    /// Maximum IP packet and other properties of the link.
    pub link: tcpwhy_kernel::Link,
    /// Seed of all random decisions.
    pub seed: u64,
    /// Time at which the world ends at the latest.
    pub deadline: Time,
}

/// Condition for the end of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// The receiver's program has ended.
    #[default]
    ReceiverEnds,
    /// Both programs have ended.
    BothEnd,
}

impl Plan {
    /// Repetition `n` of the transfer: other frames are lost, and the hosts have other times. Repetition 0 is
    /// the plan itself.
    #[must_use]
    pub fn again(&self, n: u64) -> Self {
        let mut again = self.clone();
        if n > 0 {
            again.seed = self.seed.wrapping_add(n);
            for (end, plan) in again.ends.iter_mut().enumerate() {
                plan.profile = plan.profile.drawn(2 * n + end as u64);
            }
        }
        again
    }
}

/// Result of a transfer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Time from the first step of the opener to the end of the transfer.
    pub duration: Time,
    /// Counters of both sockets.
    pub sockets: [SocketCounts; 2],
    /// Counters of both directions, the sender's first.
    pub links: [LinkCounts; 2],
    /// Times of the sender's limits. An idle socket has none.
    pub held: Held,
    /// Bytes that the receiver's program read.
    pub received: u64,
    /// Number of events.
    pub events: u64,
}

/// Reason why a transfer did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stalled {
    /// No event is left.
    Nothing,
    /// The deadline has passed.
    Deadline,
    /// A kernel has given up, because no answer came.
    GaveUp,
    /// There were more events than plausible for that time.
    Busy,
}

impl fmt::Display for Stalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "both programs wait for each other",
            Self::Deadline => "the transfer has not ended by its deadline",
            Self::GaveUp => "ACKs stopped, and a kernel gave up the connection (tcp_retries2)",
            Self::Busy => "the simulation ran more events than the transfer's time allows",
        })
    }
}

impl std::error::Error for Stalled {}

impl Explained for Stalled {
    fn message(&self) -> Message {
        Message::new(match self {
            Self::Nothing => "sim-both-wait",
            Self::Deadline => "sim-deadline",
            Self::GaveUp => "sim-gave-up",
            Self::Busy => "sim-busy",
        })
    }
}

/// Maximum number of events per second: 100 Gbit/s of full frames, several events each.
const EVENTS_A_SECOND: u64 = 50_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Open,
    /// A direction delivers a frame.
    Arrive(usize),
    /// A host's frames enter the path.
    Enter(usize),
    /// A host's interface is free.
    Interface(usize),
    Program(usize),
    /// A sleep must end.
    Wake(usize),
    Timer(usize),
}

/// Order of events at equal times: programs run after the network (softirqs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Network,
    Program,
}

impl Event {
    const fn turn(self) -> Turn {
        match self {
            Self::Program(_) | Self::Wake(_) => Turn::Program,
            _ => Turn::Network,
        }
    }
}

/// A running simulation.
#[derive(Debug)]
pub struct World {
    now: Time,
    events: BinaryHeap<Reverse<(Time, Turn, u64, Event)>>,
    count: u64,
    hosts: [Host; 2],
    links: [Direction; 2],
    arrivals: [Option<Time>; 2],
    opener: usize,
    deadline: Time,
    until: Until,
    /// Maximum number of events, independent of time.
    most_events: u64,
    held: Held,
    /// The current limit of the sender, and its start.
    holding: (Option<Cause>, Time),
    /// Latest end of sleeps that may end together with other events.
    asleep: [Option<Time>; 2],
    /// Passed packets that were not fetched yet; `None` if they are not wanted.
    passed: Option<Vec<Packet>>,
}

impl World {
    /// A world before its first event.
    pub fn new(plan: &Plan) -> Self {
        let [mut sender, mut receiver] = plan
            .ends
            .each_ref()
            .map(|end| Rules { seed: plan.seed, ..Rules::new(&end.host, &end.options, &plan.link) });
        Rules::agree([&mut sender, &mut receiver], plan.opener, &plan.path);
        let host = |end: End, rules: Rules| {
            let EndPlan { profile, steps, .. } = &plan.ends[end.index()];
            let mut host = Host::new(*profile, Socket::new(rules), Program::new(steps.clone()));
            host.cuts_bursts = plan.path.cuts_bursts();
            host
        };
        let mut world = Self {
            now: 0,
            events: BinaryHeap::new(),
            count: 0,
            hosts: [host(End::Sender, sender), host(End::Receiver, receiver)],
            links: plan.path.directions(plan.seed),
            arrivals: [None; 2],
            opener: plan.opener.index(),
            deadline: plan.deadline,
            until: plan.until,
            most_events: u64::MAX,
            held: Held::default(),
            holding: (Some(held::OPENING), 0),
            asleep: [None; 2],
            passed: None,
        };
        world.at(0, Event::Open);
        world
    }

    /// Runs until the transfer has ended.
    ///
    /// # Errors
    /// The reason why it did not end.
    pub fn run(mut self) -> Result<Outcome, Stalled> {
        self.go(&mut |_| {})
    }

    /// Like [`Self::run`], with a maximum number of events ([`Stalled::Busy`]). Also returns the number of
    /// events.
    pub fn run_at_most(mut self, events: u64) -> (Result<Outcome, Stalled>, u64) {
        self.most_events = events;
        let result = self.go(&mut |_| {});
        (result, self.count)
    }

    /// Like [`Self::run`]; `see` gets each packet that leaves or reaches an end, in order of time.
    ///
    /// # Errors
    /// The reason why it did not end; `see` got all packets until then.
    pub fn run_watched(mut self, see: &mut dyn FnMut(&Packet)) -> Result<Outcome, Stalled> {
        self.passed = Some(Vec::new());
        self.go(see)
    }

    fn go(&mut self, see: &mut dyn FnMut(&Packet)) -> Result<Outcome, Stalled> {
        while self.step()? {
            if let Some(passed) = &mut self.passed {
                passed.drain(..).for_each(|packet| see(&packet));
            }
            if self.is_over() {
                return Ok(self.outcome());
            }
        }
        let has_given_up = self.hosts.iter().any(|host| host.socket.has_given_up());
        Err(if has_given_up { Stalled::GaveUp } else { Stalled::Nothing })
    }

    fn is_over(&self) -> bool {
        let has_ended = |host: &Host| host.program.waits == Waits::Ended;
        match self.until {
            Until::ReceiverEnds => has_ended(&self.hosts[End::Receiver.index()]),
            Until::BothEnd => self.hosts.iter().all(has_ended),
        }
    }

    /// Processes the next event. Returns false if there is none.
    fn step(&mut self) -> Result<bool, Stalled> {
        let Some(Reverse((time, .., event))) = self.events.pop() else { return Ok(false) };
        self.now = time;
        if time > self.deadline {
            return Err(Stalled::Deadline);
        }
        if self.count > self.most_events.min((time / SECOND + 2) * EVENTS_A_SECOND) {
            return Err(Stalled::Busy);
        }
        match event {
            Event::Open => {
                self.hosts[self.opener].socket.open(time);
                for link in &mut self.links {
                    link.begin(time);
                }
                self.hosts[self.opener].first_waits = self.links[self.opener].first_waits();
                self.settle(self.opener);
            }
            Event::Arrive(direction) => self.arrive(direction),
            Event::Enter(direction) => self.enter(direction),
            Event::Interface(end) => self.send(end),
            Event::Program(end) => self.run_program(end),
            Event::Wake(_) => {}
            Event::Timer(end) => self.on_timer(end),
        }
        for end in 0..self.asleep.len() {
            if self.asleep[end].is_some_and(|until| until <= time) {
                self.asleep[end] = None;
                self.run_program(end);
            }
        }
        self.note_limit();
        Ok(true)
    }

    fn outcome(&self) -> Outcome {
        let mut held = self.held;
        if let (Some(cause), since) = self.holding {
            held.add(cause, self.now - since);
        }
        Outcome {
            held,
            duration: self.now,
            sockets: [0, 1].map(|end| self.hosts[end].socket.counts()),
            links: [0, 1].map(|direction| *self.links[direction].counts()),
            received: self.hosts[End::Receiver.index()].program.read,
            events: self.count,
        }
    }

    /// Records that `segment`, sent by the end `from`, passes the end `place`.
    fn pass(&mut self, place: usize, from: usize, segment: &Segment) {
        let Some(passed) = &mut self.passed else { return };
        let rules = &self.hosts[from].socket.rules;
        let opening = matches!(segment.kind, Kind::Syn | Kind::SynAck).then_some(Opening {
            mss: rules.announced_mss,
            window_scale: rules.window_scale,
            permits_sack: rules.has_sack,
        });
        let [place, from] = [place, from].map(|end| End::BOTH[end]);
        let (time, window_scale) = (self.now, rules.window_scale.unwrap_or(0));
        passed.push(Packet { time, place, from, segment: *segment, opening, window_scale });
    }

    fn at(&mut self, time: Time, event: Event) {
        self.count += 1;
        self.events.push(Reverse((time.max(self.now), event.turn(), self.count, event)));
    }

    /// Handles the outputs of a socket: passes bursts to the interface, wakes waiters, sets the timer.
    ///
    /// Returns the time that passing the bursts costs the caller.
    fn settle(&mut self, end: usize) -> Time {
        let now = self.now;
        let mut handed_over = 0;
        while let Some(burst) = self.hosts[end].socket.poll_transmit() {
            handed_over += self.hosts[end].handing_over(&burst);
            if let Some(at) = self.hosts[end].enqueue(now, burst) {
                self.at(at, Event::Interface(end));
            }
        }
        let wake = self.hosts[end].socket.take_wake();
        let host = &mut self.hosts[end];
        let is_woken = match host.program.waits {
            Waits::Connection => wake.writer || wake.reader,
            Waits::Room => wake.writer,
            Waits::Data => wake.reader,
            Waits::Clock | Waits::Ended => false,
        };
        if is_woken {
            host.program.waits = Waits::Clock;
            let at = now + host.profile.wake;
            self.at(at, Event::Program(end));
        }
        let host = &mut self.hosts[end];
        let due = host.socket.next_timer();
        // If a call owns the socket, due timers are handled when it is released.
        if let Some(at) = due
            && !host.is_locked
            && host.timer_at.is_none_or(|armed| at < armed || armed < now)
        {
            host.timer_at = Some(at);
            self.at(at, Event::Timer(end));
        }
        handed_over
    }

    fn on_timer(&mut self, end: usize) {
        let now = self.now;
        let host = &mut self.hosts[end];
        if host.timer_at == Some(now) {
            host.timer_at = None;
        }
        // If a call owns the socket, this happens when it is released.
        if host.is_locked {
            return;
        }
        host.socket.on_timer(now);
        self.settle(end);
    }

    fn send(&mut self, end: usize) {
        let now = self.now;
        let host = &mut self.hosts[end];
        let mss = host.socket.segment_size();
        let burst = host.next_burst();
        let Some((memory, next)) = host.send(now, mss) else { return };
        if let Some(segment) = burst {
            self.pass(end, end, &segment);
        }
        let host = &mut self.hosts[end];
        let entering = host.leaving.back().map_or(now, |(at, _)| *at);
        let may_send = !host.is_locked;
        host.socket.on_left_host(now, memory, may_send);
        self.at(entering, Event::Enter(end));
        if let Some(at) = next {
            self.at(at, Event::Interface(end));
        }
        self.settle(end);
    }

    fn enter(&mut self, direction: usize) {
        let now = self.now;
        let leaving = &mut self.hosts[direction].leaving;
        while leaving.front().is_some_and(|(at, _)| *at <= now) {
            if let Some((_, frame)) = leaving.pop_front() {
                self.links[direction].accept(now, frame);
            }
        }
        self.await_arrival(direction);
    }

    fn await_arrival(&mut self, direction: usize) {
        let Some(at) = self.links[direction].next_delivery() else { return };
        let at = at.max(self.now);
        if self.arrivals[direction].is_none_or(|armed| at < armed || armed <= self.now) {
            self.arrivals[direction] = Some(at);
            self.at(at, Event::Arrive(direction));
        }
    }

    fn arrive(&mut self, direction: usize) {
        let now = self.now;
        let end = 1 - direction;
        if self.arrivals[direction] == Some(now) {
            self.arrivals[direction] = None;
        }
        let merges = self.hosts[end].profile.merges;
        let size = self.hosts[end].socket.segment_size();
        let mut merging = Merging::default();
        while let Some(arrival) = self.links[direction].deliver(now) {
            let done = if merges { merging.add(arrival, size) } else { merging.begin(arrival) };
            if let Some(done) = done {
                self.receive(end, done);
            }
        }
        if let Some(done) = merging.end() {
            self.receive(end, done);
        }
        self.await_arrival(direction);
    }

    fn receive(&mut self, end: usize, segment: Segment) {
        let now = self.now;
        self.pass(end, 1 - end, &segment);
        let host = &mut self.hosts[end];
        if host.is_locked {
            host.backlog.push(segment);
            return;
        }
        host.socket.on_segment(now, &segment);
        self.settle(end);
    }

    /// Releases the socket after a system call, and processes its backlog (`release_sock`).
    fn unlock(&mut self, end: usize) {
        let now = self.now;
        let host = &mut self.hosts[end];
        if !std::mem::take(&mut host.is_locked) {
            return;
        }
        for segment in std::mem::take(&mut host.backlog) {
            host.socket.on_segment(now, &segment);
        }
        host.socket.on_timer(now);
        host.socket.on_left_host(now, 0, true);
        self.settle(end);
    }
}
