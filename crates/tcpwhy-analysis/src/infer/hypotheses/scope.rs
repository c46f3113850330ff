//! What hypotheses are asked of, and how: one trait for the four lists.

use tcpwhy_model::{Decider, Detail, Limit, Reason, WindowScale};

use crate::infer::conditions::Evidence;
use crate::infer::decision::{Decision, Gap, Label};
use crate::infer::direction::{Direction, Renaming};

/// What the hypotheses of one list are about.
pub(in crate::infer) trait Scope: 'static {
    /// What they look at.
    type Facts<'a>;
    /// What one of them says if it holds.
    type Label;
    /// What its author expects of it.
    type Confidence: Copy;
    /// A label, and which hypothesis gave it.
    type Decision;

    /// What becomes of a label that the hypothesis of this `reason` gave. Here are the rules that hold for a whole
    /// list.
    fn decide(
        label: Self::Label,
        reason: Reason,
        confidence: Self::Confidence,
        facts: &Self::Facts<'_>,
    ) -> Self::Decision;
}

/// What may have bound the time that a scope is about.
pub(in crate::infer) trait Hypothesis<S: Scope>: Sync {
    /// Kept with each stretch of time that it decides; unique in all lists.
    const REASON: Reason;
    /// How likely it is right where it holds, between 0 and 1, until that is measured (`infer/calibration`).
    const CONFIDENCE: S::Confidence;

    /// What bound, if this holds.
    fn label(&self, facts: &S::Facts<'_>) -> Option<S::Label>;
}

/// A [`Hypothesis`] in a list. Only those that leave cause and reason to a table of their own implement it by
/// themselves: for a gap that shows by itself what happened (`of_facts.rs`) and for a window that was full
/// ([`window::WINDOW`]).
pub(in crate::infer) trait Judge<S: Scope>: Sync {
    /// Its name, unique in all lists: that of its reason, if it has one.
    fn name(&self) -> &'static str;

    /// What bound, and why.
    fn judge(&self, facts: &S::Facts<'_>) -> Option<S::Decision>;
}

impl<S: Scope, T: Hypothesis<S>> Judge<S> for T {
    fn name(&self) -> &'static str {
        Self::REASON.id()
    }

    fn judge(&self, facts: &S::Facts<'_>) -> Option<S::Decision> {
        self.label(facts).map(|label| S::decide(label, Self::REASON, Self::CONFIDENCE, facts))
    }
}

/// Hypotheses in the order in which they are asked.
pub(super) type List<S> = [&'static dyn Judge<S>];

/// All of `list`; in a test that leaves one out, the others.
pub(in crate::infer) fn registered<S: Scope>(list: &'static List<S>) -> impl Iterator<Item = &'static dyn Judge<S>> {
    list.iter().copied().filter(|judge| is_registered(|| judge.name()))
}

/// What the first of `list` that holds says.
pub(in crate::infer) fn first<S: Scope>(list: &'static List<S>, facts: &S::Facts<'_>) -> Option<S::Decision> {
    registered(list).find_map(|judge| judge.judge(facts))
}

#[cfg(not(test))]
#[inline]
pub(super) fn is_registered(_: impl Fn() -> &'static str) -> bool {
    true
}

#[cfg(test)]
pub(super) fn is_registered(name: impl Fn() -> &'static str) -> bool {
    super::registry::is_registered(name())
}

/// One gap between sends of new data.
pub(in crate::infer) struct OfGap;

impl Scope for OfGap {
    type Facts<'a> = Gap<'a>;
    type Label = Label;
    type Confidence = f32;
    type Decision = Decision;

    fn decide(label: Label, reason: Reason, confidence: f32, gap: &Gap<'_>) -> Decision {
        Decision::new(or_pacer(label, gap.evidence), reason, confidence)
    }
}

/// One slot, about a round trip.
pub(in crate::infer) struct OfSlot;

impl Scope for OfSlot {
    type Facts<'a> = Evidence<'a>;
    type Label = Label;
    type Confidence = f32;
    type Decision = Decision;

    /// A rule of the whole list, [`OFFER_UNKNOWN`]: whoever finds the sender's own window or buffer full where nobody
    /// knows what the receiver offered may have seen the receiver's window full. The SYNs, with the scale of the
    /// windows, would decide.
    fn decide(label: Label, reason: Reason, confidence: f32, e: &Evidence<'_>) -> Decision {
        let may_be_window = matches!(label.limit(), Limit::SendBuffer | Limit::CongestionWindow) && is_offer_unknown(e);
        let label = if may_be_window { label.or(Limit::ReceiveWindow, Decider::Syn) } else { label };
        Decision::new(or_pacer(label, e), reason, confidence)
    }
}

/// A program's pace, unless a pacer may look the same. This rule holds for both lists. On a local path BBR
/// sends a segment or two, then nothing until its timer. That timer is no more exact than a busy program, and
/// slow start, which shows a pacer elsewhere, is over at once. Full segments had waited in the send queue;
/// a program's own writes need not.
fn or_pacer(label: Label, e: &Evidence<'_>) -> Label {
    let is_pace = label.is_of(Detail::PacedWrites) && !label.has_alternative();
    if is_pace && !e.context.ack_times_inferred && e.is_path_local() && e.are_segments_full() {
        label.or(Limit::CongestionWindow, Decider::LiveSampling)
    } else {
        label
    }
}

/// The name of the rule in tests that leave one out.
pub(super) const OFFER_UNKNOWN: &str = "offer_unknown";

/// What the receiver offered is not known: its window may have been full.
fn is_offer_unknown(e: &Evidence<'_>) -> bool {
    let (scale, slot) = (e.context.window_scale, e.slot);
    let is_unknown = scale == WindowScale::Unknown || slot.advancing_acks > 0 && slot.windows().is_none();
    is_unknown && is_registered(|| OFFER_UNKNOWN)
}

/// One slot, or a gap in it, whose offered window was full.
pub(in crate::infer) struct OfWindow;

impl Scope for OfWindow {
    type Facts<'a> = Evidence<'a>;
    type Label = Label;
    type Confidence = f32;
    type Decision = Decision;

    fn decide(label: Label, reason: Reason, confidence: f32, _: &Evidence<'_>) -> Decision {
        Decision::new(label, reason, confidence)
    }
}

/// One direction, once nothing more belongs to it.
pub(in crate::infer) struct OfDirection;

/// Renamed time keeps the confidence that it had, until what is measured of the new reason replaces it
/// (`infer/calibration`).
#[derive(Clone, Copy)]
pub(in crate::infer) struct Kept;

impl Scope for OfDirection {
    type Facts<'a> = Direction<'a>;
    type Label = Renaming;
    type Confidence = Kept;
    type Decision = (Reason, Renaming);

    fn decide(renaming: Renaming, reason: Reason, _: Kept, _: &Direction<'_>) -> (Reason, Renaming) {
        (reason, renaming)
    }
}
