//! A direction once nothing more belongs to it, and what hypotheses about it rename.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline, Measure, Reason, Why};

use super::bottleneck::Bottleneck;
use super::moved::Moved;
use crate::facts::half::grains::Grains;
use crate::facts::half::ledger::WholeTurns;

/// A direction once nothing more belongs to it.
pub(crate) struct Direction<'a> {
    /// As renamed by the hypotheses before.
    pub(super) limits: LimitTimeline,
    /// What was moved under each limit, likewise.
    pub(super) moved: Moved,
    /// What was seen besides.
    pub(super) facts: DirectionFacts,
    /// Finds the bottleneck, from the time that is left to each cause.
    find_bottleneck: &'a dyn Fn(&LimitTimeline) -> Bottleneck,
    bottleneck: OnceCell<Bottleneck>,
    /// The window was full in time that became a full path's.
    is_window_next: bool,
    /// So was the window of a protocol above TCP.
    is_grant_next: bool,
}

/// What was seen of a direction besides its slots.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DirectionFacts {
    /// The capture's clock is not that of the ends.
    pub(crate) has_contradicted_clock: bool,
    /// The capture is at the receiver, and no packet shows how far away the sender is.
    pub(crate) has_unknown_distance: bool,
    /// Longest pause of the application in which it had nothing to send.
    pub(crate) pause_longest: Grains,
    /// Bytes that were captured, and bytes that the receiver acknowledged without a segment of them in the capture.
    pub(crate) bytes: u64,
    pub(crate) unseen_bytes: u64,
    /// The path spaced segments that followed each other: trains were seen, and the sender does not pace.
    pub(crate) is_spaced_by_path: bool,
    /// Turns that end at a byte count that repeats.
    pub(crate) whole_turns: Option<WholeTurns>,
    /// Its sender opened the connection; `None` where no handshake shows it.
    pub(crate) opened: Option<bool>,
    /// Least round trip, nanoseconds.
    pub(crate) rtt: Option<i64>,
    /// Bytes per second at which a link serves what comes after rests, too slow for trains.
    pub(crate) served: Option<f64>,
    /// Half of the ACKs queued for longer on their way to the sender, nanoseconds; and half of the round
    /// trips took longer.
    pub(crate) acks_queued: Option<(i64, i64)>,
}

/// What the hypotheses about a direction leave.
pub(crate) struct Concluded {
    pub(crate) limits: LimitTimeline,
    pub(crate) moved: Moved,
    pub(crate) bottleneck: Bottleneck,
    /// The window was full in time that is a full path's.
    pub(crate) is_window_next: bool,
    /// So was the window of a protocol above TCP.
    pub(crate) is_grant_next: bool,
}

impl<'a> Direction<'a> {
    pub(crate) fn new(
        limits: LimitTimeline,
        moved: Moved,
        facts: DirectionFacts,
        find_bottleneck: &'a dyn Fn(&LimitTimeline) -> Bottleneck,
    ) -> Self {
        let bottleneck = OnceCell::new();
        Self { limits, moved, facts, find_bottleneck, bottleneck, is_window_next: false, is_grant_next: false }
    }

    /// What is left, with the bottleneck, which is found now if no hypothesis asked for it.
    pub(super) fn concluded(self) -> Concluded {
        let Self { limits, moved, bottleneck, find_bottleneck, is_window_next, is_grant_next, .. } = self;
        let bottleneck = bottleneck.into_inner().unwrap_or_else(|| find_bottleneck(&limits));
        Concluded { limits, moved, bottleneck, is_window_next, is_grant_next }
    }

    /// Found once, by the first hypothesis that asks: those before it may rename the rests of the application, which
    /// [`Bottleneck::of`] weighs.
    pub(super) fn bottleneck(&self) -> &Bottleneck {
        self.bottleneck.get_or_init(|| (self.find_bottleneck)(&self.limits))
    }

    /// The causes that have time and that `is_mine` picks.
    pub(super) fn causes(&self, is_mine: impl Fn(Cause) -> bool) -> Vec<Cause> {
        self.limits.totals().iter().map(|total| total.cause).filter(|&cause| is_mine(cause)).collect()
    }

    pub(super) fn renamed(mut self, reason: Reason, renaming: Renaming) -> Self {
        let Renaming { causes, to, carried, values } = renaming;
        let is_full_path = reason == Reason::RateOfFullPath;
        let has_any = |is_one: fn(Cause) -> bool| {
            is_full_path && causes.iter().any(|&cause| is_one(cause) && self.limits.nanos_of_cause(cause) > 0)
        };
        let [is_window_next, is_grant_next] = [is_full_window, is_granted].map(has_any);
        self.is_window_next |= is_window_next;
        self.is_grant_next |= is_grant_next;
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
pub(super) struct Renaming {
    /// From these causes.
    pub(super) causes: Vec<Cause>,
    /// To this one.
    pub(super) to: Cause,
    /// What goes with the time.
    pub(super) carried: Carried,
    /// What is kept with the reason.
    pub(super) values: Values,
}

/// What goes with the time, of what was moved in it.
pub(super) enum Carried {
    /// Nothing: nobody may predict from it.
    Nothing,
    /// All that was moved under this limit.
    AllUnder(Limit),
    /// Under the limit of each cause, as much as the cause has of the limit's time.
    Share,
}

/// The numbers that are kept with the reason.
pub(super) enum Values {
    /// Those that the interval had before.
    OfInterval,
    /// These, each in the unit that the measure's name says.
    These(Vec<(Measure, f64)>),
}

/// The window of a protocol above TCP, which data filled.
pub(crate) fn is_granted(cause: Cause) -> bool {
    cause.detail == Some(Detail::PeerWindow)
}

/// A window that data filled, rather than one that a receiver which does not read let shrink.
pub(crate) fn is_full_window(cause: Cause) -> bool {
    cause.limit == Limit::ReceiveWindow && !matches!(cause.detail, Some(Detail::ZeroWindow | Detail::SlowReader))
}
