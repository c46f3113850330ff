//! One cause in both directions of a connection, whose halves need each other: without one of them, the
//! other's waits stay.

use tcpwhy_model::{
    Detail, Estimate, Evidence, EvidenceKey, Finding, Fix, Interval, Limit, LimitTimeline, Prediction, Severity,
};

use super::evidence::inferred;
use super::prediction::claim;
use super::rule::Rule;
use crate::outcome::{HalfConnection, Side};
use crate::thresholds::{BEST_TIME, EACH_END_ALIKE, EACH_END_MISTAKEN, EACH_END_PART, WORST_KEPT, part};

/// A direction, and what was found about it.
pub(crate) type Found<'a> = (&'a HalfConnection, &'a Finding);

/// The findings of one rule in both directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EachEnd<'a> {
    /// The longer direction.
    pub(crate) main: Found<'a>,
    pub(crate) other: Found<'a>,
    /// Nanoseconds of the longer direction that its own cause took, and of them those that count as another.
    own: i64,
    mistaken: i64,
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
        let [own, others] = [main.0, other.0].map(|half| Waits::of(&half.limits, limit));
        let meanwhile = own.meanwhile(&others);
        let own = own.nanos();
        let mistaken = own - main.0.limits.nanos_of(limit);
        let is_both = part(own.min(meanwhile), own + meanwhile) >= EACH_END_PART;
        is_both.then_some(Self { main, other, own, mistaken, meanwhile })
    }

    /// Seconds of the longer direction that both halves took.
    pub(crate) fn seconds(&self) -> f64 {
        (self.own + self.meanwhile) as f64 / 1e9
    }

    /// What `rule` reports of both: the time of both, without both, and with the change of each end alone.
    /// `client` asks.
    pub(crate) fn finding(&self, rule: &Rule, client: Side, evidence: Vec<Evidence>, fix: Fix) -> Finding {
        let both = [self.main, self.other];
        let alone = both.into_iter().filter_map(|(half, found)| {
            let key = if half.sender == client { EvidenceKey::ClientAloneUs } else { EvidenceKey::ServerAloneUs };
            // What the other direction saves, the longer one saves as well.
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

    /// How long the longer direction takes without both; `None` where that is not known without its own.
    pub(crate) fn without_both(&self) -> Option<Prediction> {
        let alone = self.main.1.prediction.as_ref()?;
        Some(without_more(alone, (self.mistaken + self.meanwhile) as f64 / 1e9))
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

/// What a limit held back in one direction.
struct Waits<'a> {
    limits: &'a LimitTimeline,
    limit: Limit,
    /// Pauses of about so many nanoseconds are such waits as well.
    mistaken: Option<i64>,
}

impl<'a> Waits<'a> {
    fn of(limits: &'a LimitTimeline, limit: Limit) -> Self {
        Self { limits, limit, mistaken: mistaken(limits, limit) }
    }

    /// Whether `interval` is one. A pause that took as long as nearly all writes were held back was no pause
    /// of the program: the packets around it did not show which ACK ended it.
    fn has(&self, interval: &Interval) -> bool {
        interval.cause.limit == self.limit || self.mistaken.is_some_and(|mean| is_pause_of(interval, mean))
    }

    fn nanos(&self) -> i64 {
        // Where short intervals are not kept, the sums are.
        if self.limits.is_coarsened() {
            return self.limits.nanos_of(self.limit);
        }
        let waits = self.limits.intervals().iter().filter(|interval| self.has(interval));
        waits.map(|interval| interval.span.nanos()).sum()
    }

    /// How long it had nothing to send while the `others` were held back, nanoseconds. Where short intervals
    /// are not kept, whoever talks in turns waits for as long as the other is held back.
    fn meanwhile(&self, others: &Self) -> i64 {
        if self.limits.is_coarsened() || others.limits.is_coarsened() {
            return self.limits.nanos_of(Limit::Application).min(others.nanos());
        }
        let is_idle = |interval: &Interval| interval.cause.limit == Limit::Application && !self.has(interval);
        together(self.limits, is_idle, others.limits, |interval| others.has(interval))
    }
}

/// Whether it is a pause of the program of about so many nanoseconds.
fn is_pause_of(interval: &Interval, mean: i64) -> bool {
    let nanos = interval.span.nanos();
    interval.cause.detail == Some(Detail::PacedWrites) && part(nanos.min(mean), nanos.max(mean)) >= EACH_END_ALIKE
}

/// The mean wait under `limit`, nanoseconds, where few pauses of the program are as long.
fn mistaken(limits: &LimitTimeline, limit: Limit) -> Option<i64> {
    let is_held = |interval: &Interval| interval.cause.limit == limit;
    let chunks = limits.intervals().chunk_by(|a, b| is_held(a) && is_held(b));
    let waits = chunks.filter(|chunk| chunk.iter().all(is_held)).count() as i64;
    let mean = limits.nanos_of(limit) / waits.max(1);
    let pauses = limits.intervals().iter().filter(|interval| is_pause_of(interval, mean)).count() as i64;
    (pauses > 0 && part(pauses, waits) <= EACH_END_MISTAKEN).then_some(mean)
}

/// How long the one timeline was under the one causes while the other was under the others, nanoseconds.
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
