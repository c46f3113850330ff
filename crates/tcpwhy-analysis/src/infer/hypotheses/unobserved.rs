//! Not observed: the capture does not show what bound.

use tcpwhy_model::{Cause, Detail, Limit, Reason};

use super::super::decision::{Gap, Label};
use super::super::direction::{Carried, Direction, Renaming, Values};
use super::of_facts::of_fact;
use super::scope::{Hypothesis, Kept, OfDirection, OfGap};
use crate::facts::half::grains::Grains;
use crate::facts::slot::GapKind;
use crate::thresholds::LONGEST_ROUND_TRIP;

/// No acknowledgment of the data was captured, so what was in flight is not known. The handshake, repeats (a timer ran out,
/// whoever's ACKs are missing) and the time before the first data can be told all the same.
pub(super) struct AcksNotCaptured;

impl Hypothesis<OfGap> for AcksNotCaptured {
    const REASON: Reason = Reason::AcksNotCaptured;
    const CONFIDENCE: f32 = 0.9;

    fn label(&self, gap: &Gap<'_>) -> Option<Label> {
        let e = gap.evidence;
        let needs_no_ack = match gap.kind {
            GapKind::Fact(fact) => {
                matches!(of_fact(fact).0.limit, Limit::Handshake | Limit::LossRecovery)
                    || gap.end <= e.context.first_data
            }
            _ => false,
        };
        (e.context.is_one_sided && !needs_no_ack).then(|| Cause::plain(Limit::Unobserved).into())
    }
}

/// The ends' timestamps contradict the capture's clock: no time in it means anything.
pub(super) struct ContradictedClock;

impl Hypothesis<OfDirection> for ContradictedClock {
    const REASON: Reason = Reason::ClockContradicted;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        d.facts.has_contradicted_clock.then(|| Renaming {
            causes: d.causes(|_| true),
            to: Cause::plain(Limit::Unobserved),
            carried: Carried::Nothing,
            values: Values::These(Vec::new()),
        })
    }
}

/// The capture is at the receiver and the sender anywhere: when it got acknowledgments is not known.
pub(super) struct UnknownDistance;

impl Hypothesis<OfDirection> for UnknownDistance {
    const REASON: Reason = Reason::SenderAtUnknownDistance;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        if !d.facts.has_unknown_distance {
            return None;
        }
        let think = Cause::from(Detail::Think);
        let waits = d.limits.intervals().iter().filter(|i| i.cause == think);
        let unexplained = Unexplained {
            rest: d.facts.pause_longest > Grains::of(LONGEST_ROUND_TRIP.get()),
            wait: waits.map(|i| i.span.nanos()).max().is_some_and(|nanos| nanos > LONGEST_ROUND_TRIP),
        };
        Some(Renaming {
            causes: d.causes(|cause| needs_round_trip(cause, unexplained)),
            to: Cause::plain(Limit::Unobserved),
            carried: Carried::Nothing,
            values: Values::These(Vec::new()),
        })
    }
}

/// Less was captured than the capture lacks: what was not captured may have been anything.
pub(super) struct MostlyMissing;

impl Hypothesis<OfDirection> for MostlyMissing {
    const REASON: Reason = Reason::MoreMissingThanCaptured;
    const CONFIDENCE: Kept = Kept;

    fn label(&self, d: &Direction<'_>) -> Option<Renaming> {
        (d.facts.unseen_bytes > d.facts.bytes).then(|| Renaming {
            causes: d.causes(|cause| cause.limit != Limit::Handshake),
            to: Cause::plain(Limit::Unobserved),
            carried: Carried::Nothing,
            values: Values::These(Vec::new()),
        })
    }
}

/// What no round trip explains, however far away the sender is.
#[derive(Clone, Copy)]
struct Unexplained {
    /// Some rest of the sender was longer than one.
    rest: bool,
    /// Some request waited for longer than one.
    wait: bool,
}

/// Whether `cause` is distinguished from others by when the sender got acknowledgments and requests.
fn needs_round_trip(cause: Cause, unexplained: Unexplained) -> bool {
    match (cause.limit, cause.detail) {
        (Limit::SlowStart | Limit::SendBuffer | Limit::CongestionWindow | Limit::Path, _)
        | (_, Some(Detail::PacedWrites)) => true,
        (_, Some(Detail::Idle)) => !unexplained.rest,
        // Until its answer comes, a request is under way for a round trip of unknown length.
        (_, Some(Detail::Think)) => !unexplained.wait,
        _ => false,
    }
}
