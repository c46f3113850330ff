//! What is on its way: delivered when due, in order unless something may overtake.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

/// Frames between their departure and their arrival.
#[derive(Debug)]
pub(super) struct Flight<T> {
    /// Nearly all of them: each due no earlier than the one before it.
    in_order: VecDeque<Flying<T>>,
    /// Those that are due before the newest of `in_order`, or long after it.
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

/// How a frame stands to those around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Never before one that left earlier.
    Kept,
    /// Wherever its time puts it.
    Free,
    /// Held back: others pass it.
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

    /// When those that keep their order are due.
    pub(super) fn dues(&self) -> impl Iterator<Item = u64> + '_ {
        self.in_order.iter().map(|flying| flying.due)
    }

    /// The one that is due first, with its time, if that has come.
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
