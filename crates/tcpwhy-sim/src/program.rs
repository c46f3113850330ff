//! What the program at one end does, one step after the other.

use std::collections::VecDeque;

use crate::time::Time;

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// One `send()` of so many bytes.
    Write(u64),
    /// Sleeps for so long.
    Rest(Time),
    /// Later steps count from here.
    Mark,
    /// Sleeps until so long after the mark.
    RestUntil(Time),
    /// Reads so many bytes, at most `size` a call.
    Read {
        /// All of them.
        bytes: u64,
        /// Bytes of one call.
        size: u64,
    },
    /// Reads at a steady rate: it rests after each call for as long as that is ahead of the rate.
    ReadAtRate {
        /// Bytes/s.
        rate: u64,
        /// Bytes of one call.
        size: u64,
        /// All of them.
        bytes: u64,
    },
    /// Reads, and rests after each portion.
    ReadInPortions {
        /// Bytes between two rests.
        portion: u64,
        /// How long each rest is.
        rest: Time,
        /// Bytes of one call.
        size: u64,
        /// All of them.
        bytes: u64,
    },
    /// Reads until the stream ends.
    ReadAll {
        /// Bytes of one call.
        size: u64,
    },
    /// Writes nothing any more (`shutdown()`).
    Finish,
}

/// What a program waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    /// The connection.
    Connection,
    /// Nothing: it runs, or sleeps until it wakes by itself.
    Clock,
    Room,
    Data,
    /// It has ended.
    Ended,
}

/// A program that runs.
#[derive(Debug)]
pub(crate) struct Program {
    steps: VecDeque<Step>,
    pub(crate) waits: Waits,
    /// Bytes that are left of the current step, and until its next rest.
    pub(crate) left: u64,
    pub(crate) until_rest: u64,
    pub(crate) has_begun: bool,
    /// When the current step, or what [`Step::Mark`] marks, began.
    pub(crate) step_began: Time,
    pub(crate) mark: Time,
    pub(crate) written: u64,
    pub(crate) read: u64,
}

impl Program {
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self {
            steps: steps.into_iter().collect(),
            waits: Waits::Connection,
            left: 0,
            until_rest: 0,
            has_begun: false,
            step_began: 0,
            mark: 0,
            written: 0,
            read: 0,
        }
    }

    pub(crate) fn step(&self) -> Option<Step> {
        self.steps.front().copied()
    }

    pub(crate) fn next(&mut self) {
        self.steps.pop_front();
        self.has_begun = false;
    }

    /// Nothing more is done.
    pub(crate) fn end(&mut self) {
        // What is left of a program that reads is to close the connection.
        self.steps.retain(|step| matches!(step, Step::Finish));
        self.has_begun = false;
    }

    /// Bytes that the current step has moved.
    pub(crate) fn taken_of_step(&self) -> u64 {
        match self.step() {
            Some(Step::ReadAtRate { bytes, .. }) => bytes - self.left,
            _ => 0,
        }
    }

    /// Sets up the current step, once.
    pub(crate) fn begin(&mut self, now: Time) {
        if self.has_begun {
            return;
        }
        self.has_begun = true;
        self.step_began = now;
        (self.left, self.until_rest) = match self.step() {
            Some(Step::Write(bytes) | Step::Read { bytes, .. } | Step::ReadAtRate { bytes, .. }) => (bytes, u64::MAX),
            Some(Step::ReadInPortions { portion, bytes, .. }) => (bytes, portion),
            _ => (u64::MAX, u64::MAX),
        };
    }
}
