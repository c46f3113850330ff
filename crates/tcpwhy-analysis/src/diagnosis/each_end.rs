//! One cause in both directions of a connection, whose halves need each other: without one of them, the
//! other's waits stay.

use tcpwhy_model::{Cause, Estimate, Finding, Limit, LimitTimeline, Prediction, Severity};

use super::prediction::claim;
use crate::outcome::HalfConnection;
use crate::thresholds::{BEST_TIME, EACH_END_PART, WORST_KEPT, part};

/// A direction, and what was found about it.
pub(crate) type Found<'a> = (&'a HalfConnection, &'a Finding);

/// The findings of one rule in both directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EachEnd<'a> {
    /// The longer direction.
    pub(crate) main: Found<'a>,
    pub(crate) other: Found<'a>,
    /// Nanoseconds of the longer direction that its own cause took.
    own: i64,
    /// Nanoseconds that it waited for what the other direction's cause kept back.
    meanwhile: i64,
}

/// The direction of a connection that takes longer; of two alike the first.
pub(crate) fn longer(halves: &[HalfConnection]) -> Option<&HalfConnection> {
    halves.iter().rev().max_by_key(|half| half.span.nanos())
}

impl<'a> EachEnd<'a> {
    /// What `rule` found in both directions about `limit`. `None` unless each took a good part of the time.
    pub(crate) fn of(halves: &'a [HalfConnection], rule: &str, limit: Limit) -> Option<Self> {
        let found = |half: &'a HalfConnection| {
            let finding = half.findings.iter().find(|finding| finding.rule == rule)?;
            (finding.severity > Severity::Info).then_some((half, finding))
        };
        let main = found(longer(halves)?)?;
        let other = found(halves.iter().find(|half| half.sender != main.0.sender)?)?;
        let own = main.0.limits.nanos_of(limit);
        let meanwhile = waited(&main.0.limits, &other.0.limits, limit);
        let is_both = part(own.min(meanwhile), own + meanwhile) >= EACH_END_PART;
        is_both.then_some(Self { main, other, own, meanwhile })
    }

    /// Seconds of the longer direction that both halves took.
    pub(crate) fn seconds(&self) -> f64 {
        (self.own + self.meanwhile) as f64 / 1e9
    }

    /// How long the longer direction takes without both; `None` where that is not known without its own.
    pub(crate) fn without_both(&self) -> Option<Prediction> {
        let alone = self.main.1.prediction.as_ref()?;
        Some(without_more(alone, self.meanwhile as f64 / 1e9))
    }
}

/// What stays without a cause, less `waits` seconds of it that go as well.
fn without_more(alone: &Prediction, waits: f64) -> Prediction {
    let before = alone.seconds;
    let value = (before.value - waits).max(0.0);
    let seconds = Estimate {
        value,
        low: (before.low - waits * BEST_TIME.get()).clamp(0.0, value),
        high: (before.high - waits * WORST_KEPT.get()).max(value),
        ..before
    };
    let is_range = alone.claim == tcpwhy_model::Claim::Range;
    Prediction { seconds, claim: if is_range { claim(seconds, false, false) } else { alone.claim }, ..alone.clone() }
}

/// How long `own` had nothing to send while `limit` held `other` back, nanoseconds. Where short intervals are
/// not kept, whoever talks in turns waits for as long as the other is held back.
fn waited(own: &LimitTimeline, other: &LimitTimeline, limit: Limit) -> i64 {
    if own.is_coarsened() || other.is_coarsened() {
        return own.nanos_of(Limit::Application).min(other.nanos_of(limit));
    }
    together(own, |cause| cause.limit == Limit::Application, other, |cause| cause.limit == limit)
}

/// How long the one timeline was under the one causes while the other was under the others, nanoseconds.
pub(crate) fn together(
    one: &LimitTimeline,
    is_one: impl Fn(Cause) -> bool,
    other: &LimitTimeline,
    is_other: impl Fn(Cause) -> bool,
) -> i64 {
    let mut others = other.intervals().iter().filter(|interval| is_other(interval.cause)).peekable();
    let mut nanos = 0;
    for own in one.intervals().iter().filter(|interval| is_one(interval.cause)) {
        while let Some(there) = others.peek() {
            let start = own.span.start().max(there.span.start());
            nanos += own.span.end().min(there.span.end()).since(start).max(0);
            if there.span.end() > own.span.end() {
                break;
            }
            others.next();
        }
    }
    nanos
}

#[cfg(test)]
mod terms;
