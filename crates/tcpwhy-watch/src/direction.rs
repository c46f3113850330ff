//! The time of one direction, assigned to causes as soon as they are known.

use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline, Span, TimelineBuilder, Timestamp};

use super::history::History;
use super::time_by_cause::TimeByCause;

/// Limit for the intervals kept per connection, which may have tens of thousands. Totals are exact despite
/// it.
const MOST_INTERVALS: u16 = 32;
/// The same limit if packets are compared with the intervals instant by instant. Ten samples per second show
/// no more in 100 s. Fewer samples make fewer intervals, so the size of a recording bounds the memory.
const MOST_COMPARED: u16 = 1024;
/// Limit for stretches that wait for a decision; beyond it they are assigned as they are.
const MOST_WAITING: usize = 32;

/// A stretch of time under one cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) cause: Cause,
    pub(super) nanos: i64,
    pub(super) confidence: f32,
}

/// A doubt about a stretch that only the time after it settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// This side spoke last and had nothing to send. The side that speaks next shows whose turn it was.
    Rest,
    /// Nothing was acknowledged for more than a round trip. A retransmission timeout after it shows a loss.
    Repair,
}

impl Doubt {
    /// The doubt about a sample. `is_stuck`: nothing was acknowledged for more than a round trip.
    pub(super) fn of_sample(cause: Cause, is_stuck: bool) -> Option<Self> {
        match cause.detail {
            Some(Detail::PeerTurn | Detail::Idle) => Some(Self::Rest),
            _ => Self::of_account(cause, is_stuck),
        }
    }

    /// The doubt about time that the kernel has measured, which already shows whose turn it was.
    pub(super) fn of_account(cause: Cause, is_stuck: bool) -> Option<Self> {
        (is_stuck && waits_for_acks(cause)).then_some(Self::Repair)
    }
}

/// Data kept in addition to totals, for callers that ask repeatedly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Retention {
    /// Whether intervals are kept as they end.
    pub(super) intervals: bool,
    /// Whether the time by cause since the last query is kept.
    pub(super) progress: bool,
    /// How finely the course of limits is kept.
    pub(super) course: Course,
}

/// The number of intervals kept per connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Course {
    /// As many as a summary needs.
    #[default]
    Outline,
    /// As many as a comparison with packets needs.
    Compared,
}

impl Course {
    const fn most(self) -> u16 {
        match self {
            Self::Outline => MOST_INTERVALS,
            Self::Compared => MOST_COMPARED,
        }
    }
}

/// One direction of a connection.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    timeline: TimelineBuilder,
    waiting: Vec<Part>,
    doubt: Option<Doubt>,
    pub(super) history: History,
    /// The current interval: start and cause.
    open: Option<(Timestamp, Cause)>,
    /// Ended intervals, if a caller wants them.
    ended: Option<Vec<(Span, Cause)>>,
    /// Time since the last query, if a caller wants it.
    passed: Option<TimeByCause>,
}

impl Direction {
    pub(super) fn new(start: Timestamp, keep: Retention) -> Self {
        Self {
            timeline: TimelineBuilder::with_most(start, keep.course.most()),
            waiting: Vec::new(),
            doubt: None,
            history: History::default(),
            open: None,
            ended: keep.intervals.then(Vec::new),
            passed: keep.progress.then(TimeByCause::default),
        }
    }

    /// End of the time that was assigned or waits for a decision.
    pub(super) fn end(&self) -> Timestamp {
        self.timeline.end().plus(self.waiting.iter().map(|part| part.nanos).sum())
    }

    /// Adds `part` after the time so far.
    pub(super) fn add(&mut self, part: Part, doubt: Option<Doubt>) {
        if part.nanos <= 0 {
            return;
        }
        let start = self.end();
        self.history.add(start, start.plus(part.nanos), part.cause);
        if self.doubt.is_some() && (doubt != self.doubt || self.waiting.len() >= MOST_WAITING) {
            // Only an expired timer proves that the sender waited for it.
            let is_timeout = part.cause.detail == Some(Detail::Rto);
            self.settle(is_timeout.then_some(part.cause));
        }
        // In either case the time belongs to the application, whichever side's turn it was.
        if doubt != Some(Doubt::Repair) {
            self.pass(part.cause, part.nanos);
        }
        if doubt.is_none() {
            self.push(part);
            return;
        }
        self.doubt = doubt;
        match self.waiting.last_mut() {
            Some(last) if last.cause == part.cause => {
                let all = last.nanos + part.nanos;
                last.confidence += (part.confidence - last.confidence) * (part.nanos as f32 / all as f32);
                last.nanos = all;
            }
            _ => self.waiting.push(part),
        }
    }

    /// Records that the peer spoke. If this side spoke last and was silent since, it was waiting for the
    /// peer.
    pub(super) fn peer_spoke(&mut self) {
        if self.doubt == Some(Doubt::Rest) {
            self.give_out(|_| Some(Detail::PeerTurn.into()));
        }
    }

    /// Records that this side spoke.
    pub(super) fn spoke(&mut self) {
        if self.doubt == Some(Doubt::Rest) {
            self.give_out(|_| Some(Detail::Idle.into()));
        }
    }

    /// Records progress: data was acknowledged, so the silence before it was not a loss.
    pub(super) fn progressed(&mut self) {
        if self.doubt == Some(Doubt::Repair) {
            self.settle(None);
        }
    }

    /// Assigns the waiting time; time that waited for a repair becomes `repair`.
    fn settle(&mut self, repair: Option<Cause>) {
        let repair = repair.filter(|_| self.doubt == Some(Doubt::Repair));
        self.give_out(|_| repair);
    }

    fn give_out(&mut self, other: impl Fn(Cause) -> Option<Cause>) {
        let is_reported_now = self.doubt.take() == Some(Doubt::Repair);
        for part in std::mem::take(&mut self.waiting) {
            let cause = other(part.cause).unwrap_or(part.cause);
            let start = self.timeline.end();
            self.history.rename(start, start.plus(part.nanos), part.cause, cause);
            if is_reported_now {
                self.pass(cause, part.nanos);
            }
            self.push(Part { cause, ..part });
        }
    }

    fn pass(&mut self, cause: Cause, nanos: i64) {
        if let Some(passed) = &mut self.passed {
            passed.add(cause, nanos);
        }
    }

    /// Takes the time since the last query, without time that is not yet known to be a loss.
    pub(super) fn take_passed(&mut self) -> TimeByCause {
        self.passed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn push(&mut self, part: Part) {
        let start = self.timeline.end();
        self.timeline.push(start.plus(part.nanos), part.cause, part.confidence, None);
        let Some(ended) = &mut self.ended else { return };
        match self.open {
            Some((_, cause)) if cause == part.cause => {}
            open => {
                ended.extend(open.map(|(from, cause)| (Span::new(from, start), cause)));
                self.open = Some((start, part.cause));
            }
        }
    }

    /// Ends the direction: no more samples will come.
    pub(super) fn close(&mut self) {
        self.settle(None);
        let end = self.timeline.end();
        if let Some(ended) = &mut self.ended {
            ended.extend(self.open.take().map(|(from, cause)| (Span::new(from, end), cause)));
        }
    }

    /// Takes the intervals that have ended since the last query.
    pub(super) fn take_ended(&mut self) -> Vec<(Span, Cause)> {
        self.ended.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// All time so far. Time that waits for a decision has the cause that it has shown so far.
    pub(super) fn limits(&self) -> LimitTimeline {
        let mut timeline = self.timeline.clone();
        for part in &self.waiting {
            timeline.push(timeline.end().plus(part.nanos), part.cause, part.confidence, None);
        }
        timeline.finish()
    }
}

/// Causes that a lost last segment looks like until its timer runs out.
fn waits_for_acks(cause: Cause) -> bool {
    match cause.limit {
        Limit::AckDelay | Limit::TailRtt | Limit::SendBuffer | Limit::SlowStart | Limit::CongestionWindow => true,
        Limit::Application => cause.detail == Some(Detail::PacedWrites),
        Limit::Path => cause.detail == Some(Detail::Queue),
        Limit::Unobserved | Limit::Handshake | Limit::LossRecovery | Limit::ReceiveWindow => false,
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVALS: Retention = Retention { intervals: true, progress: false, course: Course::Outline };

    /// As samples are added.
    fn add(direction: &mut Direction, part: Part, is_stuck: bool) {
        direction.add(part, Doubt::of_sample(part.cause, is_stuck));
    }

    fn part(cause: impl Into<Cause>, millis: i64) -> Part {
        Part { cause: cause.into(), nanos: millis * 1_000_000, confidence: 0.9 }
    }

    fn millis(limits: &LimitTimeline) -> Vec<(String, i64)> {
        limits.totals().iter().map(|t| (t.cause.to_string(), t.nanos / 1_000_000)).collect()
    }

    #[test]
    fn silence_that_a_repair_ends_is_loss() {
        let mut direction = Direction::new(Timestamp::ZERO, INTERVALS);
        add(&mut direction, part(Detail::PacedWrites, 10), false);
        add(&mut direction, part(Detail::PacedWrites, 30), true);
        assert_eq!(millis(&direction.limits()), [("application/paced_writes".into(), 40)]);
        add(&mut direction, part(Detail::Rto, 5), true);
        assert_eq!(
            millis(&direction.limits()),
            [("loss_recovery/rto".into(), 35), ("application/paced_writes".into(), 10)]
        );
        let strip = direction.history.strip(Timestamp::from_nanos(44_999_999), 100_000_000, 1);
        assert_eq!(strip, [Some(Detail::Rto.into())], "the strip shows what the totals say");
        direction.close();
        let ended: Vec<_> = direction.take_ended().iter().map(|(s, c)| (s.nanos() / 1_000_000, c.limit)).collect();
        assert_eq!(ended, [(10, Limit::Application), (35, Limit::LossRecovery)]);
    }

    #[test]
    fn silence_that_progress_ends_is_what_it_was() {
        let mut direction = Direction::new(Timestamp::ZERO, Retention::default());
        add(&mut direction, part(Detail::PacedWrites, 30), true);
        add(&mut direction, part(Detail::PacedWrites, 5), false);
        add(&mut direction, part(Detail::Rto, 5), false);
        assert_eq!(
            millis(&direction.limits()),
            [("application/paced_writes".into(), 35), ("loss_recovery/rto".into(), 5)]
        );
        assert!(direction.take_ended().is_empty(), "nobody asked");
    }

    /// The peer's window is not what a timer waits for.
    #[test]
    fn a_closed_window_is_no_loss() {
        let mut direction = Direction::new(Timestamp::ZERO, Retention::default());
        add(&mut direction, part(Detail::ZeroWindow, 30), true);
        add(&mut direction, part(Detail::Rto, 5), true);
        assert_eq!(direction.limits().nanos_of(Limit::ReceiveWindow), 30_000_000);
    }

    #[test]
    fn who_speaks_next_tells_whose_turn_it_was() {
        let turn = |peer_speaks: bool| {
            let mut direction = Direction::new(Timestamp::ZERO, Retention::default());
            add(&mut direction, part(Detail::Idle, 30), false);
            add(&mut direction, part(Detail::Idle, 30), false);
            if peer_speaks {
                direction.peer_spoke();
            } else {
                direction.spoke();
            }
            add(&mut direction, part(Detail::Idle, 1), false);
            direction.limits().totals()[0]
        };
        assert_eq!((turn(true).cause, turn(true).nanos), (Detail::PeerTurn.into(), 60_000_000));
        assert_eq!(turn(false).cause, Detail::Idle.into());
    }

    #[test]
    fn time_adds_up() {
        let mut direction = Direction::new(Timestamp::from_nanos(7), INTERVALS);
        let causes =
            [Detail::Idle.into(), Detail::PacedWrites.into(), Cause::plain(Limit::SendBuffer), Detail::Rto.into()];
        for step in 0..1000_i64 {
            add(&mut direction, part(causes[(step * 7 % 4) as usize], step % 5), step % 3 == 0);
        }
        direction.close();
        let all = (0..1000).map(|step| step % 5).sum::<i64>() * 1_000_000;
        let limits = direction.limits();
        assert_eq!(limits.span().nanos(), all);
        assert_eq!(limits.totals().iter().map(|t| t.nanos).sum::<i64>(), all);
        let ended = direction.take_ended();
        assert!(ended.windows(2).all(|pair| pair[0].0.end() == pair[1].0.start() && pair[0].1 != pair[1].1));
        assert_eq!(ended.iter().map(|(span, _)| span.nanos()).sum::<i64>(), all);
    }

    /// Each limit, and each form where forms differ: whether a lost last segment looks like it until its
    /// timer runs out.
    #[test]
    fn a_lost_last_segment_looks_like_what_waits_for_acks() {
        let plain = |limit| Cause::plain(limit);
        for (cause, expected) in [
            (plain(Limit::Unobserved), false),
            (plain(Limit::Handshake), false),
            (plain(Limit::LossRecovery), false),
            (plain(Limit::ReceiveWindow), false),
            (Detail::ZeroWindow.into(), false),
            (plain(Limit::AckDelay), true),
            (Detail::Nagle.into(), true),
            (Detail::PacedWrites.into(), true),
            (Detail::Idle.into(), false),
            (Detail::Think.into(), false),
            (Detail::CloseWait.into(), false),
            (plain(Limit::TailRtt), true),
            (Detail::Queue.into(), true),
            (Detail::Policer.into(), false),
            (plain(Limit::Path), false),
            (plain(Limit::SendBuffer), true),
            (plain(Limit::SlowStart), true),
            (Detail::PostLoss.into(), true),
        ] {
            assert_eq!(waits_for_acks(cause), expected, "{cause}");
            let mut direction = Direction::new(Timestamp::ZERO, Retention::default());
            add(&mut direction, part(cause, 30), true);
            add(&mut direction, part(Detail::Rto, 5), false);
            let lost = direction.limits().nanos_of_cause(Detail::Rto.into()) / 1_000_000;
            assert_eq!(lost, if expected { 35 } else { 5 }, "{cause}");
        }
    }

    /// What decides what a stretch in doubt was.
    #[test]
    fn a_stretch_in_doubt_is_decided_by_what_follows() {
        type Follow = fn(&mut Direction);
        let (rest, wait): (Cause, Cause) = (Detail::Idle.into(), Cause::plain(Limit::SendBuffer));
        let (of_sample, of_account) = (Doubt::of_sample(rest, false), Doubt::of_account(rest, false));
        assert_eq!((of_sample, of_account), (Some(Doubt::Rest), None), "the kernel knows whose turn it was");
        for (what, cause, is_stuck, follow, expected) in [
            ("a rest, the peer spoke", rest, false, (|d| d.peer_spoke()) as Follow, Detail::PeerTurn.into()),
            ("a rest, this side spoke", Detail::PeerTurn.into(), false, |d| d.spoke(), rest),
            ("a rest, something was acknowledged", rest, false, |d| d.progressed(), rest),
            ("a rest, a repair", rest, false, |d| add(d, part(Detail::Fast, 1), false), rest),
            ("a wait, a timeout", wait, true, |d| add(d, part(Detail::Rto, 1), false), Detail::Rto.into()),
            ("a wait, a repair without a timeout", wait, true, |d| add(d, part(Detail::Fast, 1), false), wait),
            ("a wait, another limit", wait, true, |d| add(d, part(Detail::Queue, 1), false), wait),
            (
                "a wait, progress and a repair",
                wait,
                true,
                |d| {
                    d.progressed();
                    add(d, part(Detail::Rto, 1), false);
                },
                wait,
            ),
            ("a wait, the peer spoke", wait, true, |d| d.peer_spoke(), wait),
            ("a wait that was not stuck, a timeout", wait, false, |d| d.add(part(Detail::Fast, 1), None), wait),
            ("a wait, the end", wait, true, |d| d.close(), wait),
        ] {
            let mut direction = Direction::new(Timestamp::ZERO, Retention { progress: true, ..Retention::default() });
            add(&mut direction, part(cause, 30), is_stuck);
            follow(&mut direction);
            // The timeout itself took one more.
            let own = if expected == Detail::Rto.into() { 1_000_000 } else { 0 };
            assert_eq!(direction.limits().nanos_of_cause(expected), 30_000_000 + own, "{what}");
        }
    }
}
