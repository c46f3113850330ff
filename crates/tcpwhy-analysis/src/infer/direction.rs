//! Hypotheses about a whole direction. Time was decided slot by slot before; what only the whole shows moves it to another cause.
//!
//! **To add one**: its [`Reason`] and the sentence `why-NAME`, as for slots (`infer/hypotheses/mod.rs`); a struct that implements
//! [`DirectionHypothesis`]; its line in [`OF_DIRECTIONS`], where it has its turn; a direction in the tests that only it decides.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline, Measure, Reason, Why};

use super::account::Moved;
use super::bottleneck::Bottleneck;
use super::decide::is_registered;
use crate::facts::half::grains::Grains;

/// Paths take less, as a rule (satellites take 0.6 s): nobody waits for an acknowledgment any longer.
const LONGEST_ROUND_TRIP: i64 = 1_000_000_000;

/// A direction once nothing more belongs to it.
pub(crate) struct Direction<'a> {
    /// As renamed by the hypotheses before.
    limits: LimitTimeline,
    /// What was moved under each limit, likewise.
    moved: Moved,
    facts: DirectionFacts,
    /// Finds the bottleneck, from the time that is left to each cause.
    find_bottleneck: &'a dyn Fn(&LimitTimeline) -> Bottleneck,
    bottleneck: OnceCell<Bottleneck>,
}

/// What was seen of a direction besides its slots.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DirectionFacts {
    /// The capture is at the receiver, and no packet shows how far away the sender is.
    pub(crate) has_unknown_distance: bool,
    /// Longest pause of the application in which it had nothing to send.
    pub(crate) pause_longest: Grains,
    /// Bytes that were captured, and bytes that the receiver acknowledged without a segment of them in the capture.
    pub(crate) bytes: u64,
    pub(crate) unseen_bytes: u64,
}

/// What the hypotheses about a direction leave.
pub(crate) struct Concluded {
    pub(crate) limits: LimitTimeline,
    pub(crate) moved: Moved,
    pub(crate) bottleneck: Bottleneck,
}

impl<'a> Direction<'a> {
    pub(crate) fn new(
        limits: LimitTimeline,
        moved: Moved,
        facts: DirectionFacts,
        find_bottleneck: &'a dyn Fn(&LimitTimeline) -> Bottleneck,
    ) -> Self {
        Self { limits, moved, facts, find_bottleneck, bottleneck: OnceCell::new() }
    }

    /// Asks all hypotheses: unlike those of slots, each sees what those before it have left.
    pub(crate) fn conclude(mut self) -> Concluded {
        for judge in OF_DIRECTIONS.iter().filter(|judge| is_registered(|| judge.name())) {
            if let Some((reason, renaming)) = judge.judge(&self) {
                self = self.renamed(reason, renaming);
            }
        }
        let Self { limits, moved, bottleneck, find_bottleneck, .. } = self;
        let bottleneck = bottleneck.into_inner().unwrap_or_else(|| find_bottleneck(&limits));
        Concluded { limits, moved, bottleneck }
    }

    /// Found once, by the first hypothesis that asks: those before it may rename the rests of the application, which
    /// [`Bottleneck::of`] weighs.
    fn bottleneck(&self) -> &Bottleneck {
        self.bottleneck.get_or_init(|| (self.find_bottleneck)(&self.limits))
    }

    /// The causes that have time and that `is_mine` picks.
    fn causes(&self, is_mine: impl Fn(Cause) -> bool) -> Vec<Cause> {
        self.limits.totals().iter().map(|total| total.cause).filter(|&cause| is_mine(cause)).collect()
    }

    fn renamed(mut self, reason: Reason, renaming: Renaming) -> Self {
        let Renaming { causes, to, carried, values } = renaming;
        let why = |before: Option<&Why>| {
            Why::new(reason, |measure| match &values {
                Values::OfInterval => before?.value(measure),
                Values::These(known) => known.iter().find(|(m, _)| *m == measure).map(|&(_, value)| value),
            })
        };
        match carried {
            Carried::Nothing => self.limits = self.limits.renamed(|cause| causes.contains(&cause), to, why),
            Carried::AllUnder(limit) => {
                self.limits = self.limits.renamed(|cause| causes.contains(&cause), to, why);
                self.moved.reassign(limit, to.limit, 1.0);
            }
            Carried::Share => {
                for from in causes {
                    let (nanos, all) = (self.limits.nanos_of_cause(from), self.limits.nanos_of(from.limit));
                    if nanos > 0 {
                        self.moved.reassign(from.limit, to.limit, nanos as f64 / all as f64);
                        self.limits = self.limits.renamed(|cause| cause == from, to, why);
                    }
                }
            }
        }
        self
    }
}

/// Time that is renamed.
struct Renaming {
    /// From these causes.
    causes: Vec<Cause>,
    /// To this one.
    to: Cause,
    carried: Carried,
    values: Values,
}

/// What goes with the time, of what was moved in it.
enum Carried {
    /// Nothing: nobody may predict from it.
    Nothing,
    /// All that was moved under this limit.
    AllUnder(Limit),
    /// Under the limit of each cause, as much as the cause has of the limit's time.
    Share,
}

/// The numbers that are kept with the reason.
enum Values {
    /// Those that the interval had before.
    OfInterval,
    These(Vec<(Measure, f64)>),
}

/// What may have bound a direction as a whole.
trait DirectionHypothesis: Sync {
    /// Kept with each stretch of time that it renames.
    const REASON: Reason;

    /// What is renamed, if this holds.
    fn label(&self, direction: &Direction<'_>) -> Option<Renaming>;
}

/// A [`DirectionHypothesis`] in a list.
trait DirectionJudge: Sync {
    /// Its name, unique in its list: that of its reason.
    fn name(&self) -> &'static str;

    /// What is renamed, and why.
    fn judge(&self, direction: &Direction<'_>) -> Option<(Reason, Renaming)>;
}

impl<T: DirectionHypothesis> DirectionJudge for T {
    fn name(&self) -> &'static str {
        Self::REASON.id()
    }

    fn judge(&self, direction: &Direction<'_>) -> Option<(Reason, Renaming)> {
        self.label(direction).map(|renaming| (Self::REASON, renaming))
    }
}

/// Asked of each direction, in this order; all that hold rename.
const OF_DIRECTIONS: &[&dyn DirectionJudge] =
    &[&WindowOverQueue, &UnknownDistance, &MostlyMissing, &LostToPolicer, &LostToFullQueue, &PathKeptFull];

/// The window was full over a persistent queue for most of its time: more window would only have lengthened the queue.
struct WindowOverQueue;

impl DirectionHypothesis for WindowOverQueue {
    const REASON: Reason = Reason::WindowOverQueue;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        (d.moved.window_queued * 2 > d.limits.nanos_of(Limit::ReceiveWindow)).then(|| Renaming {
            causes: d.causes(is_full_window),
            to: Detail::Queue.into(),
            carried: Carried::AllUnder(Limit::ReceiveWindow),
            values: Values::OfInterval,
        })
    }
}

/// The capture is at the receiver and the sender anywhere: when it got acknowledgments is not known.
struct UnknownDistance;

impl DirectionHypothesis for UnknownDistance {
    const REASON: Reason = Reason::SenderAtUnknownDistance;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let rests = d.facts.pause_longest > Grains::of(LONGEST_ROUND_TRIP);
        d.facts.has_unknown_distance.then(|| Renaming {
            causes: d.causes(|cause| needs_round_trip(cause, rests)),
            to: Cause::plain(Limit::Unobserved),
            carried: Carried::Nothing,
            values: Values::These(Vec::new()),
        })
    }
}

/// Less was captured than the capture lacks: what was not captured may have been anything.
struct MostlyMissing;

impl DirectionHypothesis for MostlyMissing {
    const REASON: Reason = Reason::MoreMissingThanCaptured;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        (d.facts.unseen_bytes > d.facts.bytes).then(|| Renaming {
            causes: d.causes(|cause| cause.limit != Limit::Handshake),
            to: Cause::plain(Limit::Unobserved),
            carried: Carried::Nothing,
            values: Values::These(Vec::new()),
        })
    }
}

/// A policer dropped: the losses, their repair and the smaller window after them are its doing.
struct LostToPolicer;

impl DirectionHypothesis for LostToPolicer {
    const REASON: Reason = Reason::LostToPolicer;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let Bottleneck::Policer(policer) = d.bottleneck() else { return None };
        let rate = (Measure::PolicedRate, policer.rate * policer.packet * 8.0);
        let burst = policer.burst.map(|burst| (Measure::PolicedBurst, burst.bytes * policer.packet));
        Some(Renaming {
            causes: [Detail::Fast, Detail::Rto, Detail::Tlp, Detail::PostLoss].map(Cause::from).to_vec(),
            to: Detail::Policer.into(),
            carried: Carried::Share,
            values: Values::These([rate].into_iter().chain(burst).collect()),
        })
    }
}

/// Full queues dropped, and repair took longer than all that counts as the path's otherwise. Repair within a busy path's time keeps
/// its own name.
struct LostToFullQueue;

impl DirectionHypothesis for LostToFullQueue {
    const REASON: Reason = Reason::LostToFullQueue;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let Bottleneck::Full(capacity) = *d.bottleneck() else { return None };
        let causes = [Detail::Fast, Detail::PostLoss].map(Cause::from).to_vec();
        let lost: i64 = causes.iter().map(|&cause| d.limits.nanos_of_cause(cause)).sum();
        (lost > d.limits.nanos_of(Limit::Path)).then(|| Renaming {
            causes,
            to: Detail::Queue.into(),
            carried: Carried::Share,
            values: Values::These(vec![(Measure::Capacity, capacity * 8.0)]),
        })
    }
}

/// A queue stood at a bottleneck of one rate: more buffer, data or congestion window would only have lengthened it. With less in
/// flight that shows that a buffer costs nothing, not that a writer with a pace of its own has more to send.
struct PathKeptFull;

impl DirectionHypothesis for PathKeptFull {
    const REASON: Reason = Reason::RateOfFullPath;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        let (capacity, is_writer_held) = match *d.bottleneck() {
            Bottleneck::Held(capacity) => (capacity, true),
            Bottleneck::Kept(capacity) => (capacity, false),
            Bottleneck::Unknown | Bottleneck::Policer(_) | Bottleneck::Full(_) => return None,
        };
        let windows = [Detail::Other, Detail::DelayExit, Detail::PostMark].map(Cause::from);
        let writer = is_writer_held.then_some(Detail::PacedWrites.into());
        Some(Renaming {
            causes: [Cause::plain(Limit::SendBuffer)].into_iter().chain(windows).chain(writer).collect(),
            to: Detail::Queue.into(),
            carried: Carried::Share,
            values: Values::These(vec![(Measure::Capacity, capacity * 8.0)]),
        })
    }
}

/// A window that data filled, rather than one that a receiver which does not read let shrink.
pub(crate) fn is_full_window(cause: Cause) -> bool {
    cause.limit == Limit::ReceiveWindow && !matches!(cause.detail, Some(Detail::ZeroWindow | Detail::SlowReader))
}

/// Whether `cause` is distinguished from others by when the sender got acknowledgments; `rests` says that some silence was too long
/// for that.
fn needs_round_trip(cause: Cause, rests: bool) -> bool {
    match (cause.limit, cause.detail) {
        (Limit::SlowStart | Limit::SendBuffer | Limit::CongestionWindow | Limit::Path, _)
        | (_, Some(Detail::PacedWrites)) => true,
        (_, Some(Detail::Idle)) => !rests,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
