//! Sums per limit that a prediction needs.

use tcpwhy_model::{Cause, Detail, Limit};

use super::early_exit::EarlyExit;
use crate::facts::slot::Slot;
use crate::sketch::Sketch;
use crate::transfer::WrittenFacts;

/// Sums per limit that a prediction needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moved {
    /// Bytes acknowledged under each limit, in the order of `Limit`'s declaration.
    bytes: [f64; Limit::ALL.len()],
    /// Time in which the window was full and there was a queue as well, nanoseconds.
    pub(crate) window_queued: i64,
    /// Most bytes in flight per slot while the send buffer was the limit, weighted by time.
    send_buffer_flight: Option<Box<Sketch>>,
    seen: Vec<Seen>,
}

/// Facts that were measured while one limit applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    limit: Limit,
    /// Most bytes in flight, a mean over slots.
    pub(crate) flight: Mean,
    /// Largest window offered, bytes; `None` if unknown.
    pub(crate) window: Option<u64>,
    /// Early end of slow start, if there was one.
    pub(crate) early_exit: Option<EarlyExit>,
    /// Writes of the program, if the application was the limit.
    written: WrittenFacts,
}

/// A mean, weighted by time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mean {
    sum: f64,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: f64, weight: f64) {
        self.sum += value * weight;
        self.weight += weight;
    }

    fn absorb(&mut self, other: Self) {
        self.sum += other.sum;
        self.weight += other.weight;
    }

    /// The mean; `None` without any value.
    pub(crate) fn value(self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

impl Moved {
    /// Bytes acknowledged while `limit` applied.
    pub(crate) fn bytes_under(&self, limit: Limit) -> f64 {
        self.bytes[limit as usize]
    }

    /// Moves `share` (0 to 1) of the bytes under `from` to `to`.
    pub(crate) fn reassign(&mut self, from: Limit, to: Limit, share: f64) {
        let bytes = self.bytes_under(from) * share;
        self.add(from, -bytes);
        self.add(to, bytes);
        // These facts cannot be split, so they move with the larger share of the bytes.
        if share >= 0.5
            && let Some(at) = self.seen.iter().position(|s| s.limit == from)
        {
            let gone = self.seen.swap_remove(at);
            let there = self.seen_under_mut(to);
            there.flight.absorb(gone.flight);
            there.window = there.window.max(gone.window);
            there.early_exit = there.early_exit.or(gone.early_exit);
        }
    }

    /// Bytes in flight that the send buffer allowed: the median of the slots' maxima while it was the limit.
    pub(crate) fn send_buffer_plateau(&self) -> Option<u64> {
        self.send_buffer_flight.as_ref()?.quantile(0.5)
    }

    /// Writes of the program while the application was the limit.
    pub(crate) fn written(&self) -> WrittenFacts {
        self.seen_under(Limit::Application).map_or(WrittenFacts::default(), |seen| seen.written)
    }

    /// Facts that were measured while `limit` applied.
    pub(crate) fn seen_under(&self, limit: Limit) -> Option<&Seen> {
        self.seen.iter().find(|s| s.limit == limit)
    }

    fn seen_under_mut(&mut self, limit: Limit) -> &mut Seen {
        let at = self.seen.iter().position(|s| s.limit == limit).unwrap_or_else(|| {
            self.seen.push(Seen {
                limit,
                flight: Mean::default(),
                window: None,
                early_exit: None,
                written: WrittenFacts::default(),
            });
            self.seen.len() - 1
        });
        &mut self.seen[at]
    }

    /// Adds the facts of `slot`, of which `cause` was the limit for `nanos` nanoseconds.
    pub(super) fn see(&mut self, cause: Cause, slot: &Slot, nanos: f64) {
        let limit = cause.limit;
        if limit == Limit::SendBuffer {
            self.send_buffer_flight.get_or_insert_default().add(slot.peak_flight.get(), nanos);
        }
        let seen = self.seen_under_mut(limit);
        if limit == Limit::Application {
            let share = nanos / slot.nanos().max(1) as f64;
            seen.written.bursts += f64::from(slot.bursts) * share;
            seen.written.bytes += slot.sent.get() as f64 * share;
            seen.written.silence += (slot.room_unused + slot.unreleased) as f64 / 1e9 * share;
        }
        if slot.sends > 0 {
            seen.flight.add(slot.peak_flight.get() as f64, nanos);
        }
        if cause.detail == Some(Detail::DelayExit) {
            seen.early_exit.get_or_insert_with(|| EarlyExit::of(slot));
        }
        seen.window = seen.window.max(slot.windows().map(|(_, largest)| largest));
    }

    /// Bytes of memory beyond its own size.
    pub(super) fn heap(&self) -> usize {
        let flight = self.send_buffer_flight.as_ref().map_or(0, |sketch| size_of::<Sketch>() + sketch.heap());
        self.seen.capacity() * size_of::<Seen>() + flight
    }

    pub(crate) fn add(&mut self, limit: Limit, bytes: f64) {
        self.bytes[limit as usize] += bytes;
    }
}

#[cfg(test)]
impl Moved {
    /// Facts of `slots` under `limit`, each slot with its time in nanoseconds.
    pub(crate) fn seeing(limit: Limit, slots: &[(Slot, f64)]) -> Self {
        let mut moved = Self::default();
        for (slot, nanos) in slots {
            moved.see(Cause::plain(limit), slot, *nanos);
        }
        moved
    }
}
