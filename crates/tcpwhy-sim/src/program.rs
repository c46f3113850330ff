//! The program at one end, as a sequence of steps.
//!
//! The memory of a program does not depend on its duration: repetitions are loops ([`Step::Repeat`]), and
//! data of any length is one step.

pub(crate) mod credit;
#[cfg(test)]
mod empty_periods;

use std::collections::VecDeque;
use std::sync::Arc;

use tcpwhy_scenario::{Credit, Draws, Pace, Tag, Waits as Waiting};

use crate::time::Time;
use credit::{Granter, Spender};

/// Data that a program transfers in one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Total number of bytes.
    pub bytes: u64,
    /// Maximum bytes per call.
    pub size: u64,
    /// Portions and pauses.
    pub pace: Pace,
    /// Conditions for which it waits.
    pub waits: Waiting,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// One `send()` of this many bytes.
    Write(u64),
    /// Consecutive `send()` calls.
    Send(Stretch),
    /// Sleeps for this time.
    Rest(Time),
    /// Waits at most this long for data that does not come (`SO_RCVTIMEO`).
    Patience(Time),
    /// Sets the mark for later steps.
    Mark,
    /// Sleeps until this long after the mark.
    RestUntil(Time),
    /// Sleeps until the mark, then moves the mark by this period: the next heartbeat.
    RestToBeat(Time),
    /// Reads `bytes` bytes.
    Read {
        /// Total number of bytes.
        bytes: u64,
        /// Maximum bytes per call.
        size: u64,
    },
    /// Consecutive `recv()` calls.
    Receive(Stretch),
    /// Reads at a constant rate: after each call, sleeps while it is ahead of the rate.
    ReadAtRate {
        /// Bytes/s.
        rate: u64,
        /// Maximum bytes per call.
        size: u64,
        /// Total number of bytes.
        bytes: u64,
    },
    /// Reads until the stream ends. After each call it sleeps for the time that the bytes take at the rate.
    ReadWithRests {
        /// Bytes/s.
        rate: u64,
        /// Maximum bytes per call.
        size: u64,
    },
    /// Reads, and pauses after each portion.
    ReadInPortions {
        /// Bytes between two pauses.
        portion: u64,
        /// Length of each pause.
        rest: Time,
        /// Maximum bytes per call.
        size: u64,
        /// Total number of bytes.
        bytes: u64,
    },
    /// Reads until the stream ends.
    ReadAll {
        /// Maximum bytes per call.
        size: u64,
    },
    /// Stops writing (`shutdown()`).
    Finish,
    /// Repeated steps.
    Repeat {
        /// Number of repetitions.
        times: u64,
        /// The steps.
        steps: Arc<[Self]>,
    },
    /// Sets the source of random numbers for later steps.
    Draw(Draws),
    /// From now on, [`Step::Send`] waits for grants and [`Step::Receive`] grants.
    Credit(Credit),
    /// Resets the connection after this many bytes, counted from now on.
    ResetAfter(ResetAfter),
    /// `SO_SNDBUF` and `SO_RCVBUF` on the open connection, before the kernel doubles them.
    SetBuffers {
        /// `SO_SNDBUF`.
        sndbuf: Option<u64>,
        /// `SO_RCVBUF`.
        rcvbuf: Option<u64>,
    },
}

/// Condition for a reset by the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetAfter {
    /// This many bytes were written.
    Written(u64),
    /// This many bytes were read.
    Read(u64),
}

/// Condition for which a program waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    /// The connection is established.
    Connection,
    /// None: it runs, or sleeps until its own timer.
    Clock,
    Room,
    Data,
    /// None: it has ended.
    Ended,
}

/// A `send()` in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// Remaining bytes.
    pub(crate) left: u64,
    /// Whether it is non-blocking: a program that polls calls it again for the remaining bytes.
    pub(crate) polls: bool,
    /// Whether some bytes were copied.
    pub(crate) has_begun: bool,
    /// Whether all bytes were copied, and the released bursts are passed to the interface.
    pub(crate) is_over: bool,
}

/// Repeated steps and their progress.
#[derive(Debug)]
struct Loop {
    steps: Arc<[Step]>,
    at: usize,
    left: u64,
}

/// A running program.
#[derive(Debug)]
pub(crate) struct Program {
    /// Nested loops, innermost last.
    loops: Vec<Loop>,
    pub(crate) waits: Waits,
    /// The current `send()`.
    pub(crate) call: Option<Call>,
    /// Remaining bytes of the current step, and until its next pause.
    pub(crate) left: u64,
    pub(crate) until_rest: u64,
    /// Completed portions of the current step, and the time of the next one.
    pub(crate) portions: u64,
    pub(crate) due: Time,
    pub(crate) has_begun: bool,
    /// Start of the current step, and the time of [`Step::Mark`].
    pub(crate) step_began: Time,
    pub(crate) mark: Time,
    pub(crate) draws: Draws,
    pub(crate) spender: Option<Spender>,
    pub(crate) granter: Option<Granter>,
    /// Due grants, the last one first.
    pub(crate) grants: Vec<Tag>,
    /// Contents of its frames and grants that the peer has not read.
    pub(crate) said: VecDeque<Tag>,
    pub(crate) reset_after: Option<ResetAfter>,
    /// Whether it has stopped writing.
    pub(crate) has_finished: bool,
    pub(crate) written: u64,
    pub(crate) read: u64,
}

impl Program {
    pub(crate) fn new(steps: impl Into<Arc<[Step]>>) -> Self {
        let mut program = Self {
            loops: vec![Loop { steps: steps.into(), at: 0, left: 1 }],
            waits: Waits::Connection,
            call: None,
            left: 0,
            until_rest: 0,
            portions: 0,
            due: 0,
            has_begun: false,
            step_began: 0,
            mark: 0,
            draws: Draws::default(),
            spender: None,
            granter: None,
            grants: Vec::new(),
            said: VecDeque::new(),
            reset_after: None,
            has_finished: false,
            written: 0,
            read: 0,
        };
        program.enter();
        program
    }

    /// The current step, never a loop; `None` after the last step.
    pub(crate) fn step(&self) -> Option<&Step> {
        let innermost = self.loops.last()?;
        innermost.steps.get(innermost.at)
    }

    pub(crate) fn next(&mut self) {
        if let Some(innermost) = self.loops.last_mut() {
            innermost.at += 1;
        }
        self.has_begun = false;
        self.enter();
    }

    /// Continues with the next step that is not a loop.
    fn enter(&mut self) {
        while let Some(innermost) = self.loops.last_mut() {
            match innermost.steps.get(innermost.at) {
                Some(Step::Repeat { times, steps }) => {
                    let inner = Loop { steps: Arc::clone(steps), at: 0, left: *times };
                    innermost.at += 1;
                    if inner.left > 0 && !inner.steps.is_empty() {
                        self.loops.push(inner);
                    }
                }
                Some(_) => return,
                None => {
                    innermost.left = innermost.left.saturating_sub(1);
                    innermost.at = 0;
                    if innermost.left == 0 {
                        self.loops.pop();
                    }
                }
            }
        }
    }

    /// Skips to the close of the connection.
    pub(crate) fn end(&mut self) {
        self.loops = vec![Loop { steps: Arc::from([Step::Finish]), at: 0, left: 1 }];
        self.has_begun = false;
        self.call = None;
    }

    /// Ends the program at once.
    pub(crate) fn abort(&mut self) {
        self.loops.clear();
        self.call = None;
        self.waits = Waits::Ended;
    }

    /// Bytes that the current step has transferred.
    pub(crate) fn taken_of_step(&self) -> u64 {
        match self.step() {
            Some(Step::ReadAtRate { bytes, .. }) => bytes - self.left,
            _ => 0,
        }
    }

    /// Initialises the current step, once.
    pub(crate) fn begin(&mut self, now: Time) {
        if self.has_begun {
            return;
        }
        self.has_begun = true;
        (self.step_began, self.due, self.portions) = (now, now, 0);
        let pace = match self.step() {
            Some(Step::Send(stretch) | Step::Receive(stretch)) => Some((stretch.bytes, stretch.pace)),
            _ => None,
        };
        (self.left, self.until_rest) = match (self.step(), pace) {
            (_, Some((bytes, pace))) => (bytes, pace.portion(0, &mut self.draws).min(bytes)),
            (Some(Step::Read { bytes, .. } | Step::ReadAtRate { bytes, .. }), _) => (*bytes, u64::MAX),
            (Some(Step::ReadInPortions { portion, bytes, .. }), _) => (*bytes, *portion),
            _ => (u64::MAX, u64::MAX),
        };
    }

    /// Ends a portion. Returns the end of the pause, if any. `forgets`: a delay is not made up for.
    pub(crate) fn end_portion(&mut self, now: Time, pace: Pace, forgets: bool) -> Option<Time> {
        self.portions += 1;
        let until = match pace {
            Pace::Free => None,
            Pace::Rate { every, .. } => {
                // Periods without a byte pass at once.
                let empty = pace.empty_portions(self.portions);
                self.portions = self.portions.saturating_add(empty);
                self.due = self.due.saturating_add(every.max(1).saturating_mul(empty.saturating_add(1)));
                if forgets {
                    self.due = self.due.max(now);
                }
                Some(self.due).filter(|&due| due > now)
            }
            Pace::Rests { rest, varies, .. } => {
                let rest = self.draws.around(rest, varies);
                (rest > 0).then_some(now.saturating_add(rest))
            }
        };
        self.until_rest = pace.portion(self.portions, &mut self.draws).min(self.left);
        until
    }

    pub(crate) fn set_credit(&mut self, credit: &Credit) {
        self.spender = Some(Spender::new(credit));
        self.granter = Some(Granter::new(credit));
    }

    /// Maximum bytes of one write before the connection is reset.
    pub(crate) fn most_written(&self) -> u64 {
        match self.reset_after {
            Some(ResetAfter::Written(left)) => left,
            _ => u64::MAX,
        }
    }

    /// Maximum bytes of one read before the connection is reset.
    pub(crate) fn most_read(&self) -> u64 {
        match self.reset_after {
            Some(ResetAfter::Read(left)) => left,
            _ => u64::MAX,
        }
    }

    pub(crate) fn count_written(&mut self, bytes: u64) {
        self.written += bytes;
        if let Some(ResetAfter::Written(left)) = &mut self.reset_after {
            *left -= bytes.min(*left);
        }
    }

    pub(crate) fn count_read(&mut self, bytes: u64) {
        self.read += bytes;
        if let Some(ResetAfter::Read(left)) = &mut self.reset_after {
            *left -= bytes.min(*left);
        }
    }

    /// Whether it now resets the connection.
    pub(crate) const fn resets(&self) -> bool {
        matches!(self.reset_after, Some(ResetAfter::Written(0) | ResetAfter::Read(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(program: &mut Program) -> Vec<Step> {
        std::iter::from_fn(|| {
            let step = program.step().cloned();
            program.next();
            step
        })
        .collect()
    }

    #[test]
    fn loops_are_done_as_often_as_they_say() {
        let inner = Step::Repeat { times: 2, steps: Arc::from([Step::Write(2)]) };
        let steps = vec![
            Step::Repeat { times: 0, steps: Arc::from([Step::Finish]) },
            Step::Repeat { times: 2, steps: Arc::from([Step::Write(1), inner, Step::Write(3)]) },
            Step::Repeat { times: 3, steps: Arc::from([]) },
            Step::Finish,
        ];
        let mut program = Program::new(steps);
        let once = [1, 2, 2, 3].map(Step::Write);
        let expected: Vec<_> = once.iter().chain(&once).cloned().chain([Step::Finish]).collect();
        assert_eq!(done(&mut program), expected);
        assert_eq!(program.step(), None);
    }

    #[test]
    fn a_million_turns_are_no_longer_than_one() {
        let mut program =
            Program::new(vec![Step::Repeat { times: 1_000_000, steps: Arc::from([Step::Rest(1), Step::Rest(2)]) }]);
        for n in 0..2_000_000 {
            assert_eq!(program.step(), Some(&Step::Rest(n % 2 + 1)));
            assert_eq!(program.loops.len(), 2);
            program.next();
        }
        assert_eq!(program.step(), None);
    }
}
