//! One direction of the emulated path, without clock or sockets: time is an argument.
//!
//! Order of effects: loss, MTU, duplication, policer, queue with marks, propagation, jitter, reordering
//! ([`DirectionSpec`]). Frames are those on a wire: a super-packet of segmentation offload counts as one
//! frame per segment.

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

/// Maximum bytes of the frames in one direction.
const MEMORY: u64 = 512 << 20;
/// Maximum number of frames to examine for a good time to wake up.
const LOOK_AHEAD: usize = 64;

/// A delivered frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival<T> {
    /// Due time, nanoseconds.
    pub due: u64,
    /// Bytes on the wire.
    pub bytes: u32,
    /// Time since the departure of the frame before it, if it left the queue directly after that.
    pub gap: Option<u64>,
    /// Whether it waited in the queue for so long that it must be marked (CE).
    pub is_marked: bool,
    /// The item given to [`Link::accept`].
    pub item: T,
}

/// Counters of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LinkCounts {
    /// Accepted frames.
    pub frames: u64,
    /// Their bytes on the wire.
    pub bytes: u64,
    /// Delivered frames, including copies.
    pub delivered: u64,
    /// Their bytes on the wire.
    pub delivered_bytes: u64,
    /// Dropped frames.
    pub drops: Drops,
    /// Marked frames (CE).
    pub marked: u64,
    /// Duplicated frames.
    pub duplicated: u64,
    /// Frames that were held back so that others overtook them.
    pub held_back: u64,
    /// Longest time in the queue, nanoseconds.
    pub queue_delay_max: u64,
}

/// One direction of a path.
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

    /// Starts the schedule of changes. Only the first call has an effect.
    pub fn begin(&mut self, now: u64) {
        self.begun.get_or_insert(now);
    }

    /// Accepts a frame. Times must not decrease.
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

    /// Time of the next call of [`Link::deliver`], nanoseconds. The frame may then be due a little later.
    pub fn next_due(&self) -> Option<u64> {
        let leaving = self.queue.next_departure().map(|at| at + self.delay());
        let change = self.next_change().filter(|_| leaving.is_some());
        [leaving, change, self.flight.next_due()].into_iter().flatten().min()
    }

    /// The latest due time, up to `limit`, of closely following frames, for callers that prefer one wake-up
    /// for several frames. Never before [`Link::next_due`] unless that is after the limit.
    pub fn last_due(&self, limit: u64) -> Option<u64> {
        let coming = self.queue.departures().map(|departure| departure + self.delay());
        let known = self.flight.dues().chain(coming).take(LOOK_AHEAD).take_while(|&due| due <= limit);
        self.next_due().filter(|&due| due <= limit).into_iter().chain(known).max()
    }

    /// Time for which the bottleneck has been busy without a pause, nanoseconds; 0 if it is idle. A change of
    /// the rate restarts the count.
    pub const fn busy_for(&self, now: u64) -> u64 {
        self.queue.busy_for(now)
    }

    /// Current one-way delay without queues, nanoseconds.
    pub fn delay(&self) -> u64 {
        self.spec.delay.map_or(0, |delay| delay.0)
    }

    /// The largest MSS that SYNs of this direction may currently have.
    pub const fn clamped_mss(&self) -> Option<u16> {
        self.spec.clamp_mss
    }

    /// The next frame that has arrived by `now`.
    pub fn deliver(&mut self, now: u64) -> Option<Arrival<T>> {
        self.advance(now);
        let (due, mut arrival) = self.flight.pop(now)?;
        arrival.due = due;
        self.held -= u64::from(arrival.bytes);
        self.counts.delivered += 1;
        self.counts.delivered_bytes += u64::from(arrival.bytes);
        Some(arrival)
    }

    /// Counters so far.
    pub const fn counts(&self) -> &LinkCounts {
        &self.counts
    }

    /// Counts a delivered frame that the receiver refused.
    pub const fn refuse(&mut self) {
        self.counts.drops.refused += 1;
    }

    /// Executes departures and changes in the order of their times.
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

    /// Starts the propagation of `leaving`, whose due time is that of its departure.
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
