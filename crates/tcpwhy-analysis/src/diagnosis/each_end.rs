//! One cause in both directions of a connection. Only a change at both ends removes all of the waits.

use tcpwhy_model::{
    Detail, Estimate, Evidence, EvidenceKey, Finding, Fix, Interval, Limit, LimitTimeline, Prediction, Severity,
};

use super::evidence::inferred;
use super::prediction::claim;
use super::rule::Rule;
use crate::outcome::{HalfConnection, Side};
use crate::thresholds::{BEST_TIME, EACH_END_ALIKE, EACH_END_MISTAKEN, EACH_END_PART, WORST_KEPT, part};

/// A direction with a finding about it.
pub(crate) type Found<'a> = (&'a HalfConnection, &'a Finding);

/// The findings of one rule in both directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EachEnd<'a> {
    /// The longer direction.
    pub(crate) main: Found<'a>,
    pub(crate) other: Found<'a>,
    /// Time of the longer direction under its own cause, and the part of it that was labelled as another
    /// cause, nanoseconds.
    own: i64,
    mistaken: i64,
    /// Time in which the longer direction waited for data that the other direction's cause delayed,
    /// nanoseconds.
    meanwhile: i64,
}

/// The longer direction of a connection; the first one if both are equal.
pub(crate) fn longer(halves: &[HalfConnection]) -> Option<&HalfConnection> {
    halves.iter().rev().max_by_key(|half| half.span.nanos())
}

impl<'a> EachEnd<'a> {
    /// Findings of `rule` about `limit` in both directions. `None` unless each took a considerable part of
    /// the time.
    pub(crate) fn of(halves: &'a [HalfConnection], rule: &str, limit: Limit) -> Option<Self> {
        let found = |half: &'a HalfConnection| {
            let finding = half.findings.iter().find(|finding| finding.rule == rule)?;
            (finding.severity > Severity::Info).then_some((half, finding))
        };
        let main = found(longer(halves)?)?;
        let other = found(halves.iter().find(|half| half.sender != main.0.sender)?)?;
        let [own, others] = [main.0, other.0].map(|half| Waits::of(&half.limits, limit));
        let meanwhile = own.meanwhile(&others);
        let own = own.nanos();
        let mistaken = own - main.0.limits.nanos_of(limit);
        let is_both = part(own.min(meanwhile), own + meanwhile) >= EACH_END_PART;
        is_both.then_some(Self { main, other, own, mistaken, meanwhile })
    }

    /// Seconds of the longer direction that the causes at both ends took.
    pub(crate) fn seconds(&self) -> f64 {
        (self.own + self.meanwhile) as f64 / 1e9
    }

    /// Finding of `rule` about both directions: their time, the prediction without both causes, and with the
    /// change at each end alone. `client` is the end that sends requests.
    pub(crate) fn finding(&self, rule: &Rule, client: Side, evidence: Vec<Evidence>, fix: Fix) -> Finding {
        let both = [self.main, self.other];
        let alone = both.into_iter().filter_map(|(half, found)| {
            let key = if half.sender == client { EvidenceKey::ClientAloneUs } else { EvidenceKey::ServerAloneUs };
            // Time saved in the other direction is saved in the longer one as well.
            let saved = half.span.seconds() - found.prediction.as_ref()?.least_claimed();
            let seconds = (self.main.0.span.seconds() - saved).max(0.0);
            Some(inferred(key, (seconds * 1e6) as u64))
        });
        Finding {
            rule: rule.id,
            severity: self.main.1.severity.max(self.other.1.severity),
            confidence: self.main.1.confidence.min(self.other.1.confidence),
            seconds: Some(self.seconds()),
            evidence: evidence.into_iter().chain(alone).collect(),
            fixes: vec![fix],
            prediction: self.without_both(),
        }
    }

    /// Predicted duration of the longer direction without both causes. `None` if the prediction without its
    /// own is unknown.
    pub(crate) fn without_both(&self) -> Option<Prediction> {
        let alone = self.main.1.prediction.as_ref()?;
        Some(without_more(alone, (self.mistaken + self.meanwhile) as f64 / 1e9))
    }
}

/// The prediction `alone`, less `waits` seconds that disappear as well.
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

/// Waits that a limit causes in one direction.
struct Waits<'a> {
    limits: &'a LimitTimeline,
    limit: Limit,
    /// Mean wait, nanoseconds, if application pauses of about this length are such waits as well.
    mistaken: Option<i64>,
}

impl<'a> Waits<'a> {
    fn of(limits: &'a LimitTimeline, limit: Limit) -> Self {
        Self { limits, limit, mistaken: mistaken(limits, limit) }
    }

    /// Whether `interval` is such a wait. A pause as long as the waits was not the program's: the packets
    /// around it did not show which ACK ended it.
    fn has(&self, interval: &Interval) -> bool {
        interval.cause.limit == self.limit || self.mistaken.is_some_and(|mean| is_pause_of(interval, mean))
    }

    fn nanos(&self) -> i64 {
        // A coarsened timeline has sums but no short intervals.
        if self.limits.is_coarsened() {
            return self.limits.nanos_of(self.limit);
        }
        let waits = self.limits.intervals().iter().filter(|interval| self.has(interval));
        waits.map(|interval| interval.span.nanos()).sum()
    }

    /// Time without data to send while the `others` waited, nanoseconds. In a coarsened timeline, this is
    /// estimated as the smaller of the two sums, because the ends take turns.
    fn meanwhile(&self, others: &Self) -> i64 {
        if self.limits.is_coarsened() || others.limits.is_coarsened() {
            return self.limits.nanos_of(Limit::Application).min(others.nanos());
        }
        let is_idle = |interval: &Interval| interval.cause.limit == Limit::Application && !self.has(interval);
        together(self.limits, is_idle, others.limits, |interval| others.has(interval))
    }
}

/// Whether `interval` is an application pause of about `mean` nanoseconds.
fn is_pause_of(interval: &Interval, mean: i64) -> bool {
    let nanos = interval.span.nanos();
    interval.cause.detail == Some(Detail::PacedWrites) && part(nanos.min(mean), nanos.max(mean)) >= EACH_END_ALIKE
}

/// Mean wait under `limit`, nanoseconds, if few application pauses are of about that length.
fn mistaken(limits: &LimitTimeline, limit: Limit) -> Option<i64> {
    let is_held = |interval: &Interval| interval.cause.limit == limit;
    let chunks = limits.intervals().chunk_by(|a, b| is_held(a) && is_held(b));
    let waits = chunks.filter(|chunk| chunk.iter().all(is_held)).count() as i64;
    let mean = limits.nanos_of(limit) / waits.max(1);
    let pauses = limits.intervals().iter().filter(|interval| is_pause_of(interval, mean)).count() as i64;
    (pauses > 0 && part(pauses, waits) <= EACH_END_MISTAKEN).then_some(mean)
}

/// Time in which both timelines were under the given causes at once, nanoseconds.
pub(crate) fn together(
    one: &LimitTimeline,
    is_one: impl Fn(&Interval) -> bool,
    other: &LimitTimeline,
    is_other: impl Fn(&Interval) -> bool,
) -> i64 {
    let mut others = other.intervals().iter().filter(|interval| is_other(interval)).peekable();
    let mut nanos = 0;
    for own in one.intervals().iter().filter(|interval| is_one(interval)) {
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
