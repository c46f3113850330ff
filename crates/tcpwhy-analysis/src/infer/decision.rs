//! The label that a hypothesis gives, the decision that it makes, and the gap that it is asked of.

use std::cell::OnceCell;

use tcpwhy_model::{Cause, Decider, Detail, Limit, Reason};

use crate::facts::slot::{GapInterval, GapKind};
use crate::infer::conditions::Evidence;

/// What a hypothesis says if it holds: the cause, and the other limit that the packets would allow as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Label {
    cause: Cause,
    alternative: Option<(Limit, Decider)>,
    /// In place of the hypothesis's own.
    reason: Option<Reason>,
}

impl Label {
    /// The limit that it names.
    pub(super) fn limit(self) -> Limit {
        self.cause.limit
    }

    /// Whether it names the limit in this form.
    pub(super) fn is_of(self, detail: Detail) -> bool {
        self.cause == detail.into()
    }

    /// Whether the packets would allow another limit.
    pub(super) fn has_alternative(self) -> bool {
        self.alternative.is_some()
    }

    /// For another reason than the hypothesis's own: the same condition shows two things.
    pub(super) fn because(self, reason: Reason) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// The packets would allow `other` as well.
    pub(super) fn or(self, other: Limit, decider: Decider) -> Self {
        Self { alternative: Some((other, decider)), ..self }
    }
}

impl<T: Into<Cause>> From<T> for Label {
    fn from(cause: T) -> Self {
        Self { cause: cause.into(), alternative: None, reason: None }
    }
}

/// A label, and which hypothesis gave it.
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

    /// The same for the account.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.cause == other.cause && self.reason == other.reason && self.alternative == other.alternative
    }
}

/// A gap between sends, as a hypothesis about gaps sees it.
pub(crate) struct Gap<'a> {
    pub(super) kind: GapKind,
    /// When it ended, nanoseconds since the epoch.
    pub(super) end: i64,
    /// What ends it, if it lies within a burst.
    pub(super) ended_by: Option<GapKind>,
    /// What is known of its slot.
    pub(super) evidence: &'a Evidence<'a>,
    slot: &'a OnceCell<Decision>,
    /// Decides the slot, if no gap asked for it before.
    decide_slot: fn(&Evidence<'_>) -> Decision,
}

impl<'a> Gap<'a> {
    /// A gap of the slot that `evidence` is about; `slot` keeps what that is under.
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

    /// What the slot as a whole is under.
    pub(super) fn slot(&self) -> &Decision {
        self.slot.get_or_init(|| (self.decide_slot)(self.evidence))
    }
}
