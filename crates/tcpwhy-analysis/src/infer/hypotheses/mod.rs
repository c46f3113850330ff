//! The causes: a file for each, with the hypotheses that name it; and four ordered lists of these, a file for each
//! scope:
//!
//! | list | asked of | and |
//! |---|---|---|
//! | [`gap::GAP`] | each gap between sends | the first that holds decides; else what its slot is under |
//! | [`slot::SLOT`] | each slot, about a round trip | the first that holds decides it; the last always does |
//! | [`window::WINDOW`] | each slot whose offered window was full | the first that holds names its form; the last does |
//! | [`direction::DIRECTION`] | each direction, once all of its time is decided | all that hold rename time, in turn |
//!
//! **To add one**: ARCHITECTURE.md, "A hypothesis of the classifier".

mod certain;
mod delay_exit;
pub(super) mod direction;
pub(super) mod gap;
mod of_facts;
mod other;
mod paced;
mod paced_writes;
mod path;
mod peer_turn;
mod policer;
mod post_loss;
mod queue;
mod receive_window;
mod send_buffer;
pub(super) mod slot;
mod slow_start;
mod tail;
#[cfg(test)]
pub(super) mod testing;
mod unobserved;
mod window;

use tcpwhy_model::Reason;

/// What the hypotheses of one list are about.
pub(super) trait Scope: 'static {
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
pub(super) trait Hypothesis<S: Scope>: Sync {
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
pub(super) trait Judge<S: Scope>: Sync {
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
type List<S> = [&'static dyn Judge<S>];

/// All of `list`; in a test that leaves one out, the others.
pub(super) fn registered<S: Scope>(list: &'static List<S>) -> impl Iterator<Item = &'static dyn Judge<S>> {
    list.iter().copied().filter(|judge| is_registered(|| judge.name()))
}

/// What the first of `list` that holds says.
pub(super) fn first<S: Scope>(list: &'static List<S>, facts: &S::Facts<'_>) -> Option<S::Decision> {
    registered(list).find_map(|judge| judge.judge(facts))
}

#[cfg(not(test))]
#[inline]
fn is_registered(_: impl Fn() -> &'static str) -> bool {
    true
}

#[cfg(test)]
fn is_registered(name: impl Fn() -> &'static str) -> bool {
    testing::is_registered(name())
}
