//! A direction after its last packet, and the renaming of its time by hypotheses about the whole direction.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Detail, Limit, LimitTimeline, Measure, Reason, Why};

use super::bottleneck::Bottleneck;
use super::moved::Moved;
use crate::facts::half::grains::Grains;
use crate::facts::half::ledger::WholeTurns;

/// A direction after its last packet.
pub(crate) struct Direction<'a> {
    /// Timeline, as renamed by the previous hypotheses.
    pub(super) limits: LimitTimeline,
    /// Bytes moved under each limit, renamed likewise.
    pub(super) moved: Moved,
    /// Facts about the direction as a whole.
    pub(super) facts: DirectionFacts,
    /// Finds the bottleneck from the time that remains under each cause.
    find_bottleneck: &'a dyn Fn(&LimitTimeline) -> Bottleneck,
    bottleneck: OnceCell<Bottleneck>,
    /// Whether the window was full in time that was renamed to a full path.
    is_window_next: bool,
    /// Whether the window of a protocol above TCP was full in such time.
    is_grant_next: bool,
}

/// Facts about a direction that its slots do not contain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DirectionFacts {
    /// Whether packets contradict the capture's clock: it does not run like the clocks of the ends.
    pub(crate) has_contradicted_clock: bool,
    /// Whether the capture is at the receiver and no packet shows the delay to the sender.
    pub(crate) has_unknown_distance: bool,
    /// Longest pause in which the application had nothing to send.
    pub(crate) pause_longest: Grains,
    /// Bytes that were captured, and bytes that the receiver acknowledged although the capture has no segment
    /// with them.
    pub(crate) bytes: u64,
    pub(crate) unseen_bytes: u64,
    /// Whether the path spaced adjacent segments: there were trains of segments, and the sender does not
    /// pace.
    pub(crate) is_spaced_by_path: bool,
    /// Turns that end at a byte count that repeats.
    pub(crate) whole_turns: Option<WholeTurns>,
    /// Whether the sender opened the connection; `None` if the capture has no handshake.
    pub(crate) opened: Option<bool>,
    /// Smallest round trip, nanoseconds.
    pub(crate) rtt: Option<i64>,
    /// Rate at which a link too slow for trains forwards the data after pauses, bytes per second.
    pub(crate) served: Option<f64>,
    /// Medians, nanoseconds: the queueing delay of ACKs on their way to the sender, and the round trip.
    pub(crate) acks_queued: Option<(i64, i64)>,
}

/// Result of the hypotheses about a direction.
pub(crate) struct Concluded {
    pub(crate) limits: LimitTimeline,
    pub(crate) moved: Moved,
    pub(crate) bottleneck: Bottleneck,
    /// Whether the window was full in time that was renamed to a full path.
    pub(crate) is_window_next: bool,
    /// Whether the window of a protocol above TCP was full in such time.
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

    /// Result with the bottleneck, which is computed now if no hypothesis needed it.
    pub(super) fn concluded(self) -> Concluded {
        let Self { limits, moved, bottleneck, find_bottleneck, is_window_next, is_grant_next, .. } = self;
        let bottleneck = bottleneck.into_inner().unwrap_or_else(|| find_bottleneck(&limits));
        Concluded { limits, moved, bottleneck, is_window_next, is_grant_next }
    }

    /// The bottleneck, computed for the first hypothesis that asks. Hypotheses before that one may rename
    /// pauses of the application, which [`Bottleneck::of`] takes into account.
    pub(super) fn bottleneck(&self) -> &Bottleneck {
        self.bottleneck.get_or_init(|| (self.find_bottleneck)(&self.limits))
    }

    /// Causes with time for which `is_mine` is true.
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

/// Renaming of time to another cause.
pub(super) struct Renaming {
    /// Causes whose time is renamed.
    pub(super) causes: Vec<Cause>,
    /// New cause.
    pub(super) to: Cause,
    /// Bytes that are reassigned with the time.
    pub(super) carried: Carried,
    /// Numbers that are kept with the reason.
    pub(super) values: Values,
}

/// Bytes that are reassigned with renamed time.
pub(super) enum Carried {
    /// No bytes: no prediction uses the new limit.
    Nothing,
    /// All bytes moved under this limit.
    AllUnder(Limit),
    /// A share of the bytes under each cause's limit, equal to the cause's share of the limit's time.
    Share,
}

/// Numbers that are kept with the reason.
pub(super) enum Values {
    /// The numbers that the interval had before.
    OfInterval,
    /// These numbers, in the unit that the measure's name has.
    These(Vec<(Measure, f64)>),
}

/// Whether data filled the window of a protocol above TCP.
pub(crate) fn is_granted(cause: Cause) -> bool {
    cause.detail == Some(Detail::PeerWindow)
}

/// Whether data filled the receive window. A window that shrinks because its reader is slow is another cause.
pub(crate) fn is_full_window(cause: Cause) -> bool {
    cause.limit == Limit::ReceiveWindow && !matches!(cause.detail, Some(Detail::ZeroWindow | Detail::SlowReader))
}
