//! Frames in propagation: delivered when due, in order unless overtaking is allowed.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

/// Frames between departure and arrival.
#[derive(Debug)]
pub(super) struct Flight<T> {
    /// Nearly all frames: each is due no earlier than the one before it.
    in_order: VecDeque<Flying<T>>,
    /// Frames that are due before the newest of `in_order`, or long after it.
    others: BinaryHeap<Reverse<Flying<T>>>,
    departed: u64,
    newest_due: u64,
}

#[derive(Debug)]
struct Flying<T> {
    due: u64,
    number: u64,
    item: T,
}

/// Order of a frame relative to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Never before a frame that left earlier.
    Kept,
    /// Only by its due time.
    Free,
    /// Held back, so that others overtake it.
    HeldBack,
}

impl<T> Flight<T> {
    pub(super) const fn new() -> Self {
        Self { in_order: VecDeque::new(), others: BinaryHeap::new(), departed: 0, newest_due: 0 }
    }

    pub(super) fn push(&mut self, due: u64, order: Order, item: T) {
        let due = if order == Order::Kept { due.max(self.newest_due) } else { due };
        let number = self.departed;
        self.departed += 1;
        let flying = Flying { due, number, item };
        if order == Order::HeldBack {
            self.others.push(Reverse(flying));
            return;
        }
        self.newest_due = self.newest_due.max(due);
        if self.in_order.back().is_some_and(|last| last.due > due) {
            self.others.push(Reverse(flying));
        } else {
            self.in_order.push_back(flying);
        }
    }

    pub(super) fn next_due(&self) -> Option<u64> {
        let other = self.others.peek().map(|Reverse(other)| other.due);
        self.in_order.front().map(|first| first.due).into_iter().chain(other).min()
    }

    /// Due times of the frames in order.
    pub(super) fn dues(&self) -> impl Iterator<Item = u64> + '_ {
        self.in_order.iter().map(|flying| flying.due)
    }

    /// The first frame that is due by `now`, with its due time.
    pub(super) fn pop(&mut self, now: u64) -> Option<(u64, T)> {
        let is_other = match (self.in_order.front(), self.others.peek()) {
            (Some(first), Some(Reverse(other))) => other < first,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let flying = if is_other {
            self.others.peek().filter(|Reverse(other)| other.due <= now)?;
            self.others.pop().map(|Reverse(other)| other)
        } else {
            self.in_order.front().filter(|first| first.due <= now)?;
            self.in_order.pop_front()
        }?;
        Some((flying.due, flying.item))
    }
}

impl<T> PartialEq for Flying<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Flying<T> {}

impl<T> PartialOrd for Flying<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Flying<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.due, self.number).cmp(&(other.due, other.number))
    }
}
