//! Which limit to act on first.

use tcpwhy_model::{Cause, Detail, Distribution, Family, Limit, Severity};

use super::severity::{self, Weighed};
use crate::infer::account::Mean;
use crate::infer::calibration::{self, Seen};
use crate::infer::summary::Summary;
use crate::outcome::{Meanwhile, Role, Verdict};
use crate::thresholds::{AMBIGUOUS_SHARE, MAIN_REASON, VERDICT_UNOBSERVED, WORTH_ACTING, YIELDING_WEIGHT, part};

/// The verdict on a direction whose sender has this role.
pub(crate) fn judge(half: &Summary, role: Role) -> Verdict {
    let limits = &half.limits;
    let Some(lead) = lead(half.into(), role) else { return Verdict::healthy() };
    let Some(family) = lead.family else {
        return Verdict {
            cause: Some(lead.cause),
            confidence: limits.sum(|c| c == lead.cause).1,
            seconds: lead.nanos as f64 / 1e9,
            severity: Some(Severity::Info),
            ..Verdict::healthy()
        };
    };
    let is_much = |nanos: i64| part(nanos, lead.nanos) > AMBIGUOUS_SHARE;
    let ambiguous = limits.ambiguous().into_iter().find(|a| a.0 == lead.cause.limit && is_much(a.3));
    let is_behind_window = lead.cause == Detail::Queue.into() && half.is_window_held_by_queue();
    Verdict {
        cause: Some(lead.cause),
        confidence: calibration::of_verdict(
            limits,
            family,
            Seen::new(half.vantage, half.rtt.as_ref(), half.window_scale),
        ),
        seconds: lead.nanos as f64 / 1e9,
        severity: severity::of_verdict(half.into(), role, lead.cause, lead.family_nanos),
        alternative: ambiguous.map(|a| (a.1, a.2)),
        reason: is_behind_window.then_some("window-held-by-queue"),
        meanwhile: meanwhile(half, lead.cause.limit),
    }
}

/// The limit to act on first, by the time that each has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    /// The limit and its form.
    pub(crate) cause: Cause,
    /// Time under exactly that, nanoseconds.
    pub(crate) nanos: i64,
    /// What it is acted on with; `None` for time of which nothing is known.
    pub(crate) family: Option<Family>,
    /// Time under all that the same change concerns, nanoseconds.
    pub(crate) family_nanos: i64,
}

/// Weighs the families of causes; `None` when nothing is worth acting on.
pub(crate) fn lead(half: Weighed<'_>, role: Role) -> Option<Lead> {
    let limits = half.limits;
    let totals = limits.totals();
    let mut families: Vec<(Family, i64)> = Vec::new();
    for t in &totals {
        if let Some(family) = t.cause.family() {
            match families.iter_mut().find(|f| f.0 == family) {
                Some(f) => f.1 += t.nanos,
                None => families.push((family, t.nanos)),
            }
        }
    }
    let span = limits.span().nanos();
    let unobserved = limits.nanos_of(Limit::Unobserved);
    if part(unobserved, span) > VERDICT_UNOBSERVED {
        let cause = Cause::plain(Limit::Unobserved);
        return Some(Lead { cause, nanos: unobserved, family: None, family_nanos: unobserved });
    }
    let is_worth_it = |nanos: i64| part(nanos, span) >= WORTH_ACTING;
    let leading = |family: Family| totals.iter().map(|t| t.cause).find(|c| c.family() == Some(family));
    let is_neutral = |family| leading(family).and_then(|c| severity::most_for(half, role, c)) == Some(Severity::Info);
    let is_main = |nanos: i64| part(nanos, span) >= MAIN_REASON;
    let has_main_removable =
        families.iter().any(|f| is_main(f.1) && leading(f.0).is_some_and(Cause::is_removable) && !is_neutral(f.0));
    // Nobody acts on time in which there was nothing to send, and on slow start only where nothing else took as long.
    let weight = |f: &(Family, i64)| match f.0 {
        Family::SlowStart if has_main_removable => YIELDING_WEIGHT.of(f.1),
        family if is_neutral(family) => YIELDING_WEIGHT.of(f.1),
        _ => f.1,
    };
    // What came after the transfer comes after whatever held the transfer itself.
    let rank = |f: &&(Family, i64)| (f.0 != Family::CloseWait && is_worth_it(f.1), weight(f));
    let &(winner, nanos) = families.iter().max_by_key(rank)?;
    if !is_worth_it(nanos) {
        return None;
    }
    let first = totals.iter().find(|t| t.cause.family() == Some(winner))?;
    Some(Lead { cause: first.cause, nanos: first.nanos, family: Some(winner), family_nanos: nanos })
}

/// What was seen while `limit` held. Values for whole round trips differ a little from those weighed moment by moment: within
/// these they stay.
pub(super) fn meanwhile(half: &Summary, limit: Limit) -> Meanwhile {
    let Some(seen) = half.moved.seen_under(limit) else { return Meanwhile::default() };
    let within = |value: Option<u64>, whole: Option<Distribution>| {
        value.zip(whole).map(|(value, whole)| value.clamp(whole.min, whole.max))
    };
    let mean = |mean: Mean| mean.value().map(|value| value.round() as u64);
    // What the finding says of the buffer.
    let plateau = half.moved.send_buffer_plateau().filter(|_| limit == Limit::SendBuffer);
    Meanwhile {
        flight: within(plateau.or(mean(seen.flight)), half.flight),
        window: within(seen.window, half.window),
        rtt: within(mean(seen.rtt), half.rtt),
    }
}
