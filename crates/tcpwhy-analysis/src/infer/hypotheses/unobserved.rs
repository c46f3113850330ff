//! Not observed: the capture does not show the limit.

use tcpwhy_model::{Cause, Detail, Limit, Reason};

use super::super::decision::{Gap, Label};
use super::super::direction::{Carried, Direction, Renaming, Values};
use super::of_facts::of_fact;
use super::scope::{Hypothesis, Kept, OfDirection, OfGap};
use crate::facts::half::grains::Grains;
use crate::facts::slot::GapKind;
use crate::thresholds::LONGEST_ROUND_TRIP;

/// No ACK of the data was captured, so the bytes in flight are unknown. The handshake, the time before the
/// first data, and retransmissions after a timeout are identified without ACKs.
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

/// The timestamps of the ends contradict the capture's clock, so no time of the capture is valid.
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

/// The capture is at the receiver and the delay to the sender is unknown. So the times at which the sender
/// received ACKs are unknown.
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

/// The capture lacks more bytes than it contains, and the missing packets may show any cause.
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

/// Waits that no round trip explains, however far away the sender is.
#[derive(Clone, Copy)]
struct Unexplained {
    /// Whether the sender paused for longer than the longest plausible round trip.
    rest: bool,
    /// Whether an answer took longer than the longest plausible round trip.
    wait: bool,
}

/// Whether `cause` depends on the times at which the sender received ACKs and requests.
fn needs_round_trip(cause: Cause, unexplained: Unexplained) -> bool {
    match (cause.limit, cause.detail) {
        (Limit::SlowStart | Limit::SendBuffer | Limit::CongestionWindow | Limit::Path, _)
        | (_, Some(Detail::PacedWrites)) => true,
        (_, Some(Detail::Idle)) => !unexplained.rest,
        // From the request to its answer, at least one round trip of unknown length passes.
        (_, Some(Detail::Think)) => !unexplained.wait,
        _ => false,
    }
}
