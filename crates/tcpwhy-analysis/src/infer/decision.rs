//! The label that a hypothesis gives, the decision built from it, and the gap that a hypothesis is asked
//! about.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Decider, Detail, Limit, Reason};

use crate::facts::slot::{GapInterval, GapKind};
use crate::infer::conditions::Evidence;

/// Result of a hypothesis that holds: the cause, and another limit that would explain the packets as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Label {
    cause: Cause,
    alternative: Option<(Limit, Decider)>,
    /// Replaces the hypothesis's own reason.
    reason: Option<Reason>,
}

impl Label {
    /// The limit that the label names.
    pub(super) fn limit(self) -> Limit {
        self.cause.limit
    }

    /// Whether the label's cause is exactly `detail`.
    pub(super) fn is_of(self, detail: Detail) -> bool {
        self.cause == detail.into()
    }

    /// Whether another limit would explain the packets as well.
    pub(super) fn has_alternative(self) -> bool {
        self.alternative.is_some()
    }

    /// Replaces the hypothesis's own reason, for a condition that can show two things.
    pub(super) fn because(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Adds `other` as a limit that would explain the packets as well, and the data that would decide.
    pub(super) fn or(self, other: Limit, decider: Decider) -> Self {
        Self { alternative: Some((other, decider)), ..self }
    }
}

impl<T: Into<Cause>> From<T> for Label {
    fn from(cause: T) -> Self {
        Self { cause: cause.into(), alternative: None, reason: None }
    }
}

/// A label with the hypothesis that gave it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub(crate) cause: Cause,
    pub(crate) confidence: f32,
    pub(crate) alternative: Option<(Limit, Decider)>,
    pub(crate) reason: Reason,
}

impl Decision {
    pub(super) fn new(label: Label, reason: Reason, confidence: f32) -> Self {
        let Label { cause, alternative, reason: own } = label;
        Self { cause, confidence, alternative, reason: own.unwrap_or(reason) }
    }

    /// Whether both become one interval of the timeline.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.cause == other.cause && self.reason == other.reason && self.alternative == other.alternative
    }
}

/// A gap between sends, as the input of a hypothesis about gaps.
pub(crate) struct Gap<'a> {
    pub(super) kind: GapKind,
    /// End of the gap, nanoseconds since the epoch.
    pub(super) end: i64,
    /// Kind of the gap that ends the burst, for a gap within a burst.
    pub(super) ended_by: Option<GapKind>,
    /// Evidence about the slot of the gap.
    pub(super) evidence: &'a Evidence<'a>,
    slot: &'a OnceCell<Decision>,
    /// Decides the slot, unless an earlier gap already did.
    decide_slot: fn(&Evidence<'_>) -> Decision,
}

impl<'a> Gap<'a> {
    /// A gap of the slot that `evidence` is about. `slot` caches the decision about that slot.
    pub(super) fn new(
        interval: GapInterval,
        ended_by: Option<GapKind>,
        evidence: &'a Evidence<'a>,
        slot: &'a OnceCell<Decision>,
        decide_slot: fn(&Evidence<'_>) -> Decision,
    ) -> Self {
        let GapInterval { kind, end } = interval;
        Self { kind, end, ended_by, evidence, slot, decide_slot }
    }

    /// Decision about the slot as a whole.
    pub(super) fn slot(&self) -> &Decision {
        self.slot.get_or_init(|| (self.decide_slot)(self.evidence))
    }
}
