//! One direction of the emulated path, without clock or sockets: time is an argument.
//!
//! In order: loss, MTU, duplication, policer, queue with its marks, propagation, jitter, reordering ([`DirectionSpec`]). It
//! knows frames as they would be on a wire; a super-packet of segmentation offload is as many frames as it has segments.

mod flight;
mod loss;
mod queue;
mod random;
#[cfg(test)]
mod tests;
mod wire;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

pub use loss::Drops;
pub use wire::{FrameKind, Wire};

use flight::{Flight, Order};
use loss::{Bucket, Loss};
use queue::Queue;
use random::{Dice, Effect};
use tcpwhy_scenario::{DirectionSpec, Flow, LinkSpec, Nanos};
use wire::ETHERNET_HEADER;

/// Frames that one direction may hold at most, in their own bytes.
const MEMORY: u64 = 512 << 20;
/// Frames that are looked at to find a good time to wake up.
const LOOK_AHEAD: usize = 64;

/// A frame that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival<T> {
    /// When it was due, nanoseconds.
    pub due: u64,
    /// Bytes that it took on the wire.
    pub bytes: u32,
    /// How long after the frame before it it left the queue, if that was right before it.
    pub gap: Option<u64>,
    /// It was in the queue for so long that it has to be marked (CE).
    pub is_marked: bool,
    /// What was given to [`Link::accept`].
    pub item: T,
}

/// What a link did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LinkCounts {
    /// Frames that came.
    pub frames: u64,
    /// Their bytes on the wire.
    pub bytes: u64,
    /// Frames that were delivered, copies counted.
    pub delivered: u64,
    /// Their bytes on the wire.
    pub delivered_bytes: u64,
    /// Frames that did not pass.
    pub drops: Drops,
    /// Frames that were marked (CE).
    pub marked: u64,
    /// Frames that were doubled.
    pub duplicated: u64,
    /// Frames that were held back so that others overtook them.
    pub held_back: u64,
    /// Longest time between coming to the queue and leaving it, nanoseconds.
    pub queue_delay_max: u64,
}

/// One direction.
#[derive(Debug)]
pub struct Link<T> {
    spec: DirectionSpec,
    changes: VecDeque<(Nanos, DirectionSpec)>,
    begun: Option<u64>,
    dice: Dice,
    loss: Loss,
    bucket: Bucket,
    queue: Queue<Passing<T>>,
    flight: Flight<Arrival<T>>,
    held: u64,
    counts: LinkCounts,
}

#[derive(Debug)]
struct Passing<T> {
    number: u64,
    is_copy: bool,
    is_ecn_capable: bool,
    item: T,
}

impl<T: Clone> Link<T> {
    /// One direction of a path; `flow` is not `Both`.
    pub fn new(path: &LinkSpec, flow: Flow, seed: u64) -> Self {
        let spec = path.direction(flow);
        let changes = path.changes.iter().filter(|change| change.flow == flow || change.flow == Flow::Both);
        Self {
            changes: changes.map(|change| (change.at, change.to.clone())).collect(),
            begun: None,
            dice: Dice::new(seed, u64::from(flow == Flow::Back)),
            loss: Loss::new(&spec),
            bucket: Bucket::default(),
            queue: Queue::new(spec.rate),
            flight: Flight::new(),
            held: 0,
            counts: LinkCounts::default(),
            spec,
        }
    }

    /// Changes count from here on. Only the first call does something.
    pub fn begin(&mut self, now: u64) {
        self.begun.get_or_insert(now);
    }

    /// A frame comes. Times never go back.
    pub fn accept(&mut self, now: u64, wire: Wire, item: T) {
        self.advance(now);
        let number = self.counts.frames;
        let bytes = wire.on_wire();
        self.counts.frames += 1;
        self.counts.bytes += u64::from(bytes);
        if self.loss.takes(&self.spec, self.dice, (number, now), wire, &mut self.counts.drops) {
            return;
        }
        if self.spec.mtu.is_some_and(|mtu| wire.bytes > mtu + ETHERNET_HEADER) {
            self.counts.drops.too_big += 1;
            return;
        }
        let is_ecn_capable = wire.is_ecn_capable;
        if self.spec.duplicate.is_some_and(|chance| self.dice.hits(Effect::Duplicate, number, chance)) {
            self.counts.duplicated += 1;
            self.enqueue(now, bytes, Passing { number, is_copy: false, is_ecn_capable, item: item.clone() });
            self.enqueue(now, bytes, Passing { number, is_copy: true, is_ecn_capable, item });
        } else {
            self.enqueue(now, bytes, Passing { number, is_copy: false, is_ecn_capable, item });
        }
    }

    fn enqueue(&mut self, now: u64, bytes: u32, passing: Passing<T>) {
        let drops = &mut self.counts.drops;
        if self.held + u64::from(bytes) > MEMORY {
            drops.memory += 1;
        } else if !self.bucket.admits(self.spec.policer, now, bytes) {
            drops.policer += 1;
        } else if self.queue.join(now, bytes, self.spec.queue_limit().map_or(u64::MAX, |limit| limit.0), passing) {
            self.held += u64::from(bytes);
        } else {
            drops.queue += 1;
        }
    }

    /// When to call [`Link::deliver`] next, nanoseconds; what it then has may be due a little later.
    pub fn next_due(&self) -> Option<u64> {
        let leaving = self.queue.next_departure().map(|at| at + self.delay());
        let change = self.next_change().filter(|_| leaving.is_some());
        [leaving, change, self.flight.next_due()].into_iter().flatten().min()
    }

    /// The latest time, up to `limit`, at which a frame is due of those that follow each other closely; for whoever would
    /// rather be woken once for several. Never before [`Link::next_due`] unless that is after the limit.
    pub fn last_due(&self, limit: u64) -> Option<u64> {
        let coming = self.queue.departures().map(|departure| departure + self.delay());
        let known = self.flight.dues().chain(coming).take(LOOK_AHEAD).take_while(|&due| due <= limit);
        self.next_due().filter(|&due| due <= limit).into_iter().chain(known).max()
    }

    /// For how long its bottleneck has served without a rest, nanoseconds; 0: it rests. A change of the rate
    /// begins a new count.
    pub const fn busy_for(&self, now: u64) -> u64 {
        self.queue.busy_for(now)
    }

    /// One-way delay at present, without queues; nanoseconds.
    pub fn delay(&self) -> u64 {
        self.spec.delay.map_or(0, |delay| delay.0)
    }

    /// The largest MSS that SYNs of this direction may announce at present.
    pub const fn clamped_mss(&self) -> Option<u16> {
        self.spec.clamp_mss
    }

    /// The next frame that has arrived by now.
    pub fn deliver(&mut self, now: u64) -> Option<Arrival<T>> {
        self.advance(now);
        let (due, mut arrival) = self.flight.pop(now)?;
        arrival.due = due;
        self.held -= u64::from(arrival.bytes);
        self.counts.delivered += 1;
        self.counts.delivered_bytes += u64::from(arrival.bytes);
        Some(arrival)
    }

    /// What has been done so far.
    pub const fn counts(&self) -> &LinkCounts {
        &self.counts
    }

    /// A frame that was delivered came to nothing.
    pub const fn refuse(&mut self) {
        self.counts.drops.refused += 1;
    }

    /// Makes departures and changes happen, in the order of their times.
    fn advance(&mut self, now: u64) {
        loop {
            let change = self.next_change().filter(|&at| at <= now);
            if let Some(left) = self.queue.leave(change.unwrap_or(now)) {
                let waited = left.departure - left.joined;
                self.counts.queue_delay_max = self.counts.queue_delay_max.max(waited);
                let is_marked =
                    left.item.is_ecn_capable && self.spec.ce_threshold.is_some_and(|threshold| waited > threshold.0);
                self.counts.marked += u64::from(is_marked);
                let gap = left.behind.map(|before| left.departure - before);
                let arrival = Arrival { due: left.departure, bytes: left.bytes, gap, is_marked, item: left.item };
                self.launch(arrival);
            } else if let Some(at) = change {
                self.change(at);
            } else {
                return;
            }
        }
    }

    /// `leaving` is due when it leaves the queue.
    fn launch(&mut self, leaving: Arrival<Passing<T>>) {
        let Arrival { due: departure, bytes, gap, is_marked, item: Passing { number, is_copy, item, .. } } = leaving;
        let mut due = departure + self.delay();
        let mut order = Order::Kept;
        if let Some(jitter) = self.spec.jitter {
            let effect = if is_copy { Effect::JitterOfCopy } else { Effect::Jitter };
            due += self.dice.up_to(effect, number, jitter.0);
            order = if self.spec.jitter_reorders { Order::Free } else { Order::Kept };
        }
        if !is_copy && self.spec.reorder.is_some_and(|chance| self.dice.hits(Effect::Reorder, number, chance)) {
            due += self.spec.held_back_by().0;
            order = Order::HeldBack;
            self.counts.held_back += 1;
        }
        self.flight.push(due, order, Arrival { due, bytes, gap, is_marked, item });
    }

    fn next_change(&self) -> Option<u64> {
        Some(self.begun? + self.changes.front()?.0.0)
    }

    fn change(&mut self, now: u64) {
        let Some((_, to)) = self.changes.pop_front() else { return };
        self.spec.apply(&to);
        self.loss.change(&to);
        self.queue.set_rate(now, self.spec.rate);
    }
}
