//! What the program at one end does, one step after the other.
//!
//! A program takes as much memory as its text: what repeats is a loop ([`Step::Repeat`]), and data of any
//! length is one step.

pub(crate) mod credit;
#[cfg(test)]
mod empty_periods;

use std::collections::VecDeque;
use std::sync::Arc;

use tcpwhy_scenario::{Credit, Draws, Pace, Tag, Waits as Waiting};

use crate::time::Time;
use credit::{Granter, Spender};

/// Data that a program moves in one manner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// All of it.
    pub bytes: u64,
    /// Bytes of one call, at most.
    pub size: u64,
    /// Its portions and rests.
    pub pace: Pace,
    /// Where it waits.
    pub waits: Waiting,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// One `send()` of so many bytes.
    Write(u64),
    /// One `send()` after the other.
    Send(Stretch),
    /// Sleeps for so long.
    Rest(Time),
    /// Waits so long for data that does not come (`SO_RCVTIMEO`).
    Patience(Time),
    /// Later steps count from here.
    Mark,
    /// Sleeps until so long after the mark.
    RestUntil(Time),
    /// Sleeps until the mark, and moves that on by so much: the next turn of a heartbeat.
    RestToBeat(Time),
    /// Reads so many bytes, at most `size` a call.
    Read {
        /// All of them.
        bytes: u64,
        /// Bytes of one call.
        size: u64,
    },
    /// One `recv()` after the other.
    Receive(Stretch),
    /// Reads at a steady rate: it rests after each call for as long as that is ahead of the rate.
    ReadAtRate {
        /// Bytes/s.
        rate: u64,
        /// Bytes of one call.
        size: u64,
        /// All of them.
        bytes: u64,
    },
    /// Reads until the stream ends. After each call it rests for as long as the bytes of that call take.
    ReadWithRests {
        /// Bytes/s.
        rate: u64,
        /// Bytes of one call.
        size: u64,
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
    /// Steps that are done so often.
    Repeat {
        /// How often.
        times: u64,
        /// These.
        steps: Arc<[Self]>,
    },
    /// Numbers are drawn from these from now on.
    Draw(Draws),
    /// [`Step::Send`] waits for grants and [`Step::Receive`] grants, from now on.
    Credit(Credit),
    /// The connection is reset when so many bytes were written or read, which are counted from now on.
    ResetAfter(ResetAfter),
    /// `SO_SNDBUF` and `SO_RCVBUF` on the open connection, before the kernel doubles them.
    SetBuffers {
        /// `SO_SNDBUF`.
        sndbuf: Option<u64>,
        /// `SO_RCVBUF`.
        rcvbuf: Option<u64>,
    },
}

/// When a program resets its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetAfter {
    /// So many bytes written.
    Written(u64),
    /// So many bytes read.
    Read(u64),
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

/// A `send()` that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// Bytes that are left of it.
    pub(crate) left: u64,
    /// It does not block: a program that polls calls it again for the rest.
    pub(crate) polls: bool,
    /// It has copied something.
    pub(crate) has_begun: bool,
    /// All is copied; what it let leave is handed to the interface.
    pub(crate) is_over: bool,
}

/// Steps that are repeated, and how far they are.
#[derive(Debug)]
struct Loop {
    steps: Arc<[Step]>,
    at: usize,
    left: u64,
}

/// A program that runs.
#[derive(Debug)]
pub(crate) struct Program {
    /// The innermost is the last.
    loops: Vec<Loop>,
    pub(crate) waits: Waits,
    /// The `send()` that it is in.
    pub(crate) call: Option<Call>,
    /// Bytes that are left of the current step, and until its next rest.
    pub(crate) left: u64,
    pub(crate) until_rest: u64,
    /// Portions of the current step before this one, and when the next one is due.
    pub(crate) portions: u64,
    pub(crate) due: Time,
    pub(crate) has_begun: bool,
    /// When the current step, or what [`Step::Mark`] marks, began.
    pub(crate) step_began: Time,
    pub(crate) mark: Time,
    pub(crate) draws: Draws,
    pub(crate) spender: Option<Spender>,
    pub(crate) granter: Option<Granter>,
    /// Grants that are due, the last one first.
    pub(crate) grants: Vec<Tag>,
    /// What its frames and grants say that the peer has not read.
    pub(crate) said: VecDeque<Tag>,
    pub(crate) reset_after: Option<ResetAfter>,
    /// It writes nothing any more.
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

    /// The current step, which is no loop; `None` behind the last.
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

    /// Goes to the next step that is no loop.
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

    /// Nothing more is done but to close the connection.
    pub(crate) fn end(&mut self) {
        self.loops = vec![Loop { steps: Arc::from([Step::Finish]), at: 0, left: 1 }];
        self.has_begun = false;
        self.call = None;
    }

    /// Nothing more is done.
    pub(crate) fn abort(&mut self) {
        self.loops.clear();
        self.call = None;
        self.waits = Waits::Ended;
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

    /// A portion has been moved: how long to rest, until when. `forgets`: what is late is not made up for.
    pub(crate) fn end_portion(&mut self, now: Time, pace: Pace, forgets: bool) -> Option<Time> {
        self.portions += 1;
        let until = match pace {
            Pace::Free => None,
            Pace::Rate { every, .. } => {
                // Periods that make no byte pass at once.
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

    /// Bytes that one call may move before the connection is reset.
    pub(crate) fn most_written(&self) -> u64 {
        match self.reset_after {
            Some(ResetAfter::Written(left)) => left,
            _ => u64::MAX,
        }
    }

    /// The same of one that reads.
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

    /// Whether it resets the connection now.
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
