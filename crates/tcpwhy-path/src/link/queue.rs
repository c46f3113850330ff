//! The bottleneck: a drop-tail queue with a limit in bytes, served at a rate.

use std::collections::VecDeque;

use tcpwhy_scenario::BitRate;

/// The serialiser of one direction with its queue. Without a rate, frames pass at once.
#[derive(Debug)]
pub(super) struct Queue<T> {
    rate: Option<BitRate>,
    /// Base of the departure times, which are computed from all bytes since then so that rounding errors do
    /// not accumulate.
    since: u64,
    scheduled: u64,
    /// Departure of the last frame.
    free_at: u64,
    waiting: VecDeque<Queued<T>>,
    bytes: u64,
}

/// A frame that waits or is being served.
#[derive(Debug)]
pub(super) struct Queued<T> {
    /// Departure of its last bit.
    pub(super) departure: u64,
    /// Arrival in the queue.
    pub(super) joined: u64,
    /// Departure of the frame directly before it, if the serialiser had no pause in between.
    pub(super) behind: Option<u64>,
    pub(super) bytes: u32,
    pub(super) item: T,
}

impl<T> Queue<T> {
    pub(super) const fn new(rate: Option<BitRate>) -> Self {
        Self { rate, since: 0, scheduled: 0, free_at: 0, waiting: VecDeque::new(), bytes: 0 }
    }

    /// Adds a frame to the tail. Returns false if it does not fit within `limit` bytes. The frame being
    /// served does not count.
    pub(super) fn join(&mut self, now: u64, bytes: u32, limit: u64, item: T) -> bool {
        let is_busy = self.free_at > now;
        if is_busy {
            let served = self.waiting.front().map_or(0, |head| u64::from(head.bytes));
            if self.bytes - served + u64::from(bytes) > limit {
                return false;
            }
        } else {
            self.since = now;
            self.scheduled = 0;
        }
        let behind = (is_busy && self.rate.is_some()).then_some(self.free_at);
        self.scheduled += u64::from(bytes);
        self.free_at = self.since + self.nanos_for(self.scheduled);
        self.bytes += u64::from(bytes);
        self.waiting.push_back(Queued { departure: self.free_at, joined: now, behind, bytes, item });
        true
    }

    /// Time for which it has been busy without a pause, nanoseconds; 0 if it is idle.
    pub(super) const fn busy_for(&self, now: u64) -> u64 {
        if self.free_at > now { now.saturating_sub(self.since) } else { 0 }
    }

    /// Departure of the head.
    pub(super) fn next_departure(&self) -> Option<u64> {
        self.waiting.front().map(|head| head.departure)
    }

    /// Departures of all waiting frames, the head first.
    pub(super) fn departures(&self) -> impl Iterator<Item = u64> + '_ {
        self.waiting.iter().map(|queued| queued.departure)
    }

    /// Removes and returns the head, if it has left by `now`.
    pub(super) fn leave(&mut self, now: u64) -> Option<Queued<T>> {
        self.waiting.front().filter(|head| head.departure <= now)?;
        let head = self.waiting.pop_front()?;
        self.bytes -= u64::from(head.bytes);
        Some(head)
    }

    /// Changes the rate for waiting frames. All frames that leave before `now` must have been removed.
    pub(super) fn set_rate(&mut self, now: u64, rate: Option<BitRate>) {
        if rate == self.rate {
            return;
        }
        let left = self.waiting.front().map_or(0, |head| {
            let unsent = head.departure.saturating_sub(now);
            self.rate.map_or(0, |old| (u128::from(unsent) * u128::from(old.0) / 8_000_000_000) as u64)
        });
        self.rate = rate;
        self.since = now;
        self.scheduled = 0;
        self.free_at = now;
        for index in 0..self.waiting.len() {
            self.scheduled += if index == 0 { left } else { u64::from(self.waiting[index].bytes) };
            let departure = self.since + self.nanos_for(self.scheduled);
            self.waiting[index].behind = (index > 0 && rate.is_some()).then_some(self.free_at);
            self.waiting[index].departure = departure;
            self.free_at = departure;
        }
    }

    fn nanos_for(&self, bytes: u64) -> u64 {
        self.rate.map_or(0, |rate| rate.nanos_for(bytes))
    }
}
