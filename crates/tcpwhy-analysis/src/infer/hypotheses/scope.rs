//! Scopes of hypotheses: one trait for the four lists.

use tcpwhy_model::{Decider, Detail, Limit, Reason, WindowScale};

use crate::infer::conditions::Evidence;
use crate::infer::decision::{Decision, Gap, Label};
use crate::infer::direction::{Direction, Renaming};

/// Scope of the hypotheses of one list: a gap, a slot, a full window, or a direction.
pub(in crate::infer) trait Scope: 'static {
    /// Input of each hypothesis.
    type Facts<'a>;
    /// Result of a hypothesis that holds.
    type Label;
    /// Confidence that the author of a hypothesis expects.
    type Confidence: Copy;
    /// A label with the hypothesis that gave it.
    type Decision;

    /// Builds the decision from a label that the hypothesis with this `reason` gave. Rules that hold for the
    /// whole list are applied here.
    fn decide(
        label: Self::Label,
        reason: Reason,
        confidence: Self::Confidence,
        facts: &Self::Facts<'_>,
    ) -> Self::Decision;
}

/// A possible limit of the time in the scope.
pub(in crate::infer) trait Hypothesis<S: Scope>: Sync {
    /// Reason that is kept with each stretch of time that it decides; unique in all lists.
    const REASON: Reason;
    /// Probability, between 0 and 1, that the hypothesis is right when it holds. Measured values
    /// (`infer/calibration`) replace it.
    const CONFIDENCE: S::Confidence;

    /// The limit, if this hypothesis holds.
    fn label(&self, facts: &S::Facts<'_>) -> Option<S::Label>;
}

/// A [`Hypothesis`] in a list. Two kinds implement this trait directly, because tables have their causes and
/// reasons. They are gaps that show their cause by themselves (`of_facts.rs`) and full windows
/// ([`window::WINDOW`]).
pub(in crate::infer) trait Judge<S: Scope>: Sync {
    /// Name, unique in all lists; equal to that of the reason if there is one.
    fn name(&self) -> &'static str;

    /// Cause and reason, if this hypothesis holds.
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

/// All hypotheses of `list`, except one that a test leaves out.
pub(in crate::infer) fn registered<S: Scope>(list: &'static List<S>) -> impl Iterator<Item = &'static dyn Judge<S>> {
    list.iter().copied().filter(|judge| is_registered(|| judge.name()))
}

/// Decision of the first hypothesis in `list` that holds.
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

    /// Applies a rule of the whole list, [`OFFER_UNKNOWN`]. If the offered window is unknown, a full
    /// congestion window or send buffer may in fact be a full receive window. The SYNs, which contain the
    /// window scale, would decide.
    fn decide(label: Label, reason: Reason, confidence: f32, e: &Evidence<'_>) -> Decision {
        let may_be_window = matches!(label.limit(), Limit::SendBuffer | Limit::CongestionWindow) && is_offer_unknown(e);
        let label = if may_be_window { label.or(Limit::ReceiveWindow, Decider::Syn) } else { label };
        Decision::new(or_pacer(label, e), reason, confidence)
    }
}

/// Adds the congestion window as an alternative to a program's pace, if a pacer would look the same; both
/// lists use this rule. On a local path, BBR sends one or two segments, then waits for its timer. That timer
/// is no more exact than a busy program, and slow start, which reveals a pacer elsewhere, is over at once.
/// Full segments suggest data that waited in the send queue, unlike the writes of a paced program.
fn or_pacer(label: Label, e: &Evidence<'_>) -> Label {
    let is_pace = label.is_of(Detail::PacedWrites) && !label.has_alternative();
    if is_pace && !e.context.ack_times_inferred && e.is_path_local() && e.are_segments_full() {
        label.or(Limit::CongestionWindow, Decider::LiveSampling)
    } else {
        label
    }
}

/// Name of this rule, for tests that leave one out.
pub(super) const OFFER_UNKNOWN: &str = "offer_unknown";

/// Whether the offered window is unknown, so that it may have been full.
fn is_offer_unknown(e: &Evidence<'_>) -> bool {
    let (scale, slot) = (e.context.window_scale, e.slot);
    let is_unknown = scale == WindowScale::Unknown || slot.advancing_acks > 0 && slot.windows().is_none();
    is_unknown && is_registered(|| OFFER_UNKNOWN)
}

/// One slot, or a gap in it, in which the offered window was full.
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

/// One direction, after its last packet.
pub(in crate::infer) struct OfDirection;

/// Marks that renamed time keeps its confidence, until the measured confidence of the new reason replaces it
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
