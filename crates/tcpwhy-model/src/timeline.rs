use crate::{Cause, Decider, Limit, Reason, Span, Timestamp, Why};

/// An interval of time with one cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Start and end.
    pub span: Span,
    /// The limit and its form.
    pub cause: Cause,
    /// Confidence between 0 and 1.
    pub confidence: f32,
    /// Another limit that the packets would allow, and the observation that would decide.
    pub alternative: Option<(Limit, Decider)>,
    /// What decided the cause of the longest part; `None` if not kept.
    pub why: Option<Why>,
}

/// Total time of one cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitTotal {
    /// The limit and its form.
    pub cause: Cause,
    /// Time in nanoseconds.
    pub nanos: i64,
    /// Mean confidence, weighted by time.
    pub confidence: f64,
}

/// Running sum per cause, reason and alternative.
#[derive(Clone, Copy, Debug)]
struct Total {
    cause: Cause,
    reason: Option<Reason>,
    /// Another limit that the packets would allow, and the observation that would decide.
    alternative: Option<(Limit, Decider)>,
    nanos: i64,
    /// Confidence times nanoseconds.
    weighted: f64,
}

/// A partition of a half-connection's span by cause.
///
/// **Invariant:** the intervals are sorted and contiguous, and their union is the span. Totals are exact and
/// add up to the span. Only [`TimelineBuilder`] makes timelines. On very long connections short intervals are
/// absorbed by a neighbour to bound memory; totals stay exact.
#[derive(Clone, Debug)]
pub struct LimitTimeline {
    span: Span,
    intervals: Vec<Interval>,
    totals: Vec<Total>,
    is_coarsened: bool,
    /// Maximum number of intervals before coarsening.
    most: u16,
}

impl LimitTimeline {
    /// The part within `span`. If that cuts the timeline, short intervals that were absorbed by neighbours
    /// are missing from its totals too.
    #[must_use]
    pub fn within(&self, span: Span) -> Self {
        if span.start() <= self.span.start() && span.end() >= self.span.end() {
            return self.clone();
        }
        let start = self.span.start().max(span.start());
        let mut cut = TimelineBuilder::new(start);
        for i in self.intervals.iter().filter(|i| i.span.end() > start && i.span.start() < span.end()) {
            cut.push_decided(i.span.end().min(span.end()), i.cause, i.confidence, i.alternative, i.why);
        }
        let mut cut = cut.finish();
        cut.is_coarsened = self.is_coarsened;
        cut
    }

    /// The time that the timeline covers.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The intervals, in order of time.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// Index of the interval at `time`; `None` outside the span. The end of the span belongs to the last
    /// interval.
    pub fn index_at(&self, time: Timestamp) -> Option<usize> {
        let index = self.intervals.partition_point(|i| i.span.end() <= time);
        if index < self.intervals.len() {
            return (time >= self.span.start()).then_some(index);
        }
        (time == self.span.end()).then(|| index.checked_sub(1)).flatten()
    }

    /// Whether short intervals were absorbed by their neighbours to bound memory.
    pub fn is_coarsened(&self) -> bool {
        self.is_coarsened
    }

    /// Bytes of heap memory.
    #[doc(hidden)]
    pub fn heap(&self) -> usize {
        self.intervals.capacity() * size_of::<Interval>() + self.totals.capacity() * size_of::<Total>()
    }

    /// Exact time per cause, longest first.
    pub fn totals(&self) -> Vec<LimitTotal> {
        let mut totals: Vec<LimitTotal> = Vec::new();
        for t in &self.totals {
            match totals.iter_mut().find(|total| total.cause == t.cause) {
                Some(total) => {
                    total.nanos += t.nanos;
                    total.confidence += t.weighted;
                }
                None => totals.push(LimitTotal { cause: t.cause, nanos: t.nanos, confidence: t.weighted }),
            }
        }
        for total in &mut totals {
            total.confidence = if total.nanos > 0 { total.confidence / total.nanos as f64 } else { 0.0 };
        }
        totals.sort_by_key(|t| (std::cmp::Reverse(t.nanos), t.cause));
        totals
    }

    /// Exact time in nanoseconds of the causes that `is_mine` selects, and its mean confidence (0 if none).
    pub fn sum(&self, is_mine: impl Fn(Cause) -> bool) -> (i64, f64) {
        let mine = self.totals.iter().filter(|t| is_mine(t.cause));
        let (nanos, weighted) = mine.fold((0, 0.0), |(n, w), t| (n + t.nanos, w + t.weighted));
        (nanos, if nanos > 0 { weighted / nanos as f64 } else { 0.0 })
    }

    /// Exact nanoseconds per cause and reason, in no particular order.
    pub fn decided(&self) -> impl Iterator<Item = (Cause, Option<Reason>, i64)> + '_ {
        self.totals.iter().map(|t| (t.cause, t.reason, t.nanos))
    }

    /// The same partition with the confidence that `rate` computes from cause, reason and previous
    /// confidence.
    #[must_use]
    pub fn rated(mut self, rate: impl Fn(Cause, Reason, f32) -> f32) -> Self {
        for interval in &mut self.intervals {
            if let Some(why) = interval.why {
                interval.confidence = rate(interval.cause, why.reason, interval.confidence);
            }
        }
        for total in self.totals.iter_mut().filter(|t| t.nanos > 0) {
            if let Some(reason) = total.reason {
                let before = (total.weighted / total.nanos as f64) as f32;
                total.weighted = total.nanos as f64 * f64::from(rate(total.cause, reason, before));
            }
        }
        self
    }

    /// Exact nanoseconds of `limit` in all its forms.
    pub fn nanos_of(&self, limit: Limit) -> i64 {
        self.totals.iter().filter(|t| t.cause.limit == limit).map(|t| t.nanos).sum()
    }

    /// Exact nanoseconds of `cause`.
    pub fn nanos_of_cause(&self, cause: Cause) -> i64 {
        self.totals.iter().filter(|t| t.cause == cause).map(|t| t.nanos).sum()
    }

    /// The same partition with all causes selected by `is_renamed` replaced by `to`, for decisions that need
    /// the whole direction. `why` computes the new reason from the previous one. Alternatives of the renamed
    /// intervals are dropped.
    #[must_use]
    pub fn renamed(mut self, is_renamed: impl Fn(Cause) -> bool, to: Cause, why: impl Fn(Option<&Why>) -> Why) -> Self {
        // Absorbed intervals left no reason to replace.
        let mut reason = None;
        for interval in self.intervals.iter_mut().filter(|i| is_renamed(i.cause)) {
            // Intervals that have the cause already keep their reason.
            if interval.cause != to {
                let why = why(interval.why.as_ref());
                reason = Some(why.reason);
                interval.cause = to;
                interval.alternative = None;
                interval.why = Some(why);
            }
        }
        for total in self.totals.iter_mut().filter(|t| t.cause != to && is_renamed(t.cause)) {
            total.cause = to;
            total.alternative = None;
            total.reason = reason.or(total.reason);
        }
        self.join_neighbours();
        self
    }

    /// The same partition without the alternatives that `is_settled` rules out, given the confidence and the
    /// deciding observation.
    #[must_use]
    pub fn settled(self, is_settled: impl Fn(f32, Decider) -> bool) -> Self {
        self.excluding(|_, confidence, (_, decider)| is_settled(confidence, decider))
    }

    /// The same partition without the alternatives that `is_excluded` selects, given the cause, its
    /// confidence, the other limit and the deciding observation.
    #[must_use]
    pub fn excluding(mut self, is_excluded: impl Fn(Cause, f32, (Limit, Decider)) -> bool) -> Self {
        for interval in &mut self.intervals {
            interval.alternative.take_if(|other| is_excluded(interval.cause, interval.confidence, *other));
        }
        for total in self.totals.iter_mut().filter(|t| t.nanos > 0) {
            let confidence = (total.weighted / total.nanos as f64) as f32;
            total.alternative.take_if(|other| is_excluded(total.cause, confidence, *other));
        }
        self.join_neighbours();
        self
    }

    /// Merges neighbours that have the same cause and alternative.
    fn join_neighbours(&mut self) {
        self.intervals.dedup_by(|later, kept| {
            let is_one = later.cause == kept.cause && later.alternative == kept.alternative;
            if is_one {
                let weight = later.span.nanos() as f32 / (kept.span.nanos() + later.span.nanos()) as f32;
                kept.confidence += (later.confidence - kept.confidence) * weight;
                if later.span.nanos() > kept.span.nanos() {
                    kept.why = later.why;
                }
                kept.span = Span::new(kept.span.start(), later.span.end());
            }
            is_one
        });
    }

    /// Pairs of limits that could not be distinguished, with the deciding observation and nanoseconds,
    /// longest first.
    pub fn ambiguous(&self) -> Vec<(Limit, Limit, Decider, i64)> {
        let mut pairs: Vec<(Limit, Limit, Decider, i64)> = Vec::new();
        for t in &self.totals {
            let Some((other, decider)) = t.alternative else { continue };
            let is_same =
                |pair: &&mut (Limit, Limit, Decider, i64)| (pair.0, pair.1, pair.2) == (t.cause.limit, other, decider);
            match pairs.iter_mut().find(is_same) {
                Some(pair) => pair.3 += t.nanos,
                None => pairs.push((t.cause.limit, other, decider, t.nanos)),
            }
        }
        pairs.sort_by_key(|&(a, b, d, nanos)| (std::cmp::Reverse(nanos), a, b, d));
        pairs
    }
}

/// Builds a [`LimitTimeline`] by appending, so that gaps and overlaps cannot occur.
#[derive(Clone, Debug)]
pub struct TimelineBuilder {
    timeline: LimitTimeline,
    last: LastWhy,
}

/// How well the reason of the last interval represents it.
#[derive(Clone, Copy, Debug, Default)]
struct LastWhy {
    /// Lead of the reason over all others, nanoseconds (majority vote of Boyer and Moore).
    lead: i64,
    /// Time of the reason since it took the lead, nanoseconds.
    held: i64,
}

impl LastWhy {
    /// Adds that `why` applied for `nanos` at the end of an interval whose reason is `kept`.
    fn follow(&mut self, kept: &mut Option<Why>, why: Option<Why>, nanos: i64) {
        match (kept.as_mut(), why) {
            (Some(kept), Some(why)) if kept.reason == why.reason => {
                self.lead += nanos;
                self.held += nanos;
                kept.include(&why, nanos as f32 / self.held as f32);
            }
            (None, None) => self.lead += nanos,
            _ if nanos > self.lead => {
                *kept = why;
                *self = Self { lead: nanos - self.lead, held: nanos };
            }
            _ => self.lead -= nanos,
        }
    }
}

impl TimelineBuilder {
    /// Maximum number of intervals before coarsening to half as many: enough for any screen, and 200 kB.
    const MAX_INTERVALS: u16 = 4096;
    /// Number of intervals of a typical short connection.
    const USUAL: usize = 8;

    /// An empty timeline that starts at `start`.
    pub fn new(start: Timestamp) -> Self {
        Self::with_most(start, Self::MAX_INTERVALS)
    }

    /// An empty timeline with at most about `most` intervals, for callers that keep very many timelines.
    /// Totals stay exact.
    pub fn with_most(start: Timestamp, most: u16) -> Self {
        Self {
            timeline: LimitTimeline {
                span: Span::new(start, start),
                intervals: Vec::new(),
                totals: Vec::new(),
                is_coarsened: false,
                most: most.clamp(2, Self::MAX_INTERVALS),
            },
            last: LastWhy::default(),
        }
    }

    /// Bytes of heap memory.
    #[doc(hidden)]
    pub fn heap(&self) -> usize {
        self.timeline.heap()
    }

    /// End of the time that is covered so far.
    pub fn end(&self) -> Timestamp {
        self.timeline.span.end()
    }

    /// Covers the time up to `end` with `cause`. An `end` before the covered time adds nothing.
    pub fn push(&mut self, end: Timestamp, cause: Cause, confidence: f32, alternative: Option<(Limit, Decider)>) {
        self.push_decided(end, cause, confidence, alternative, None);
    }

    /// Like [`Self::push`], with the reason of the decision.
    pub fn push_decided(
        &mut self,
        end: Timestamp,
        cause: Cause,
        confidence: f32,
        alternative: Option<(Limit, Decider)>,
        why: Option<Why>,
    ) {
        let t = &mut self.timeline;
        let start = t.span.end();
        let nanos = end.since(start);
        if nanos <= 0 {
            return;
        }
        t.span = Span::new(t.span.start(), end);
        // Few causes ever occur, and most intervals repeat a recent one.
        let reason = why.map(|why| why.reason);
        let is_mine =
            |total: &Total| total.cause == cause && total.reason == reason && total.alternative == alternative;
        let at = t.totals.iter().position(is_mine).unwrap_or_else(|| {
            t.totals.push(Total { cause, reason, alternative, nanos: 0, weighted: 0.0 });
            t.totals.len() - 1
        });
        t.totals[at].nanos += nanos;
        t.totals[at].weighted += nanos as f64 * f64::from(confidence);
        match t.intervals.last_mut() {
            Some(last) if last.cause == cause && last.alternative == alternative => {
                let before = last.span.nanos();
                let weight = nanos as f32 / (before + nanos) as f32;
                last.confidence += (confidence - last.confidence) * weight;
                self.last.follow(&mut last.why, why, nanos);
                last.span = Span::new(last.span.start(), end);
            }
            _ => {
                if t.intervals.is_empty() {
                    t.intervals.reserve(Self::USUAL);
                }
                t.intervals.push(Interval { span: Span::new(start, end), cause, confidence, alternative, why });
                self.last = LastWhy { lead: nanos, held: nanos };
            }
        }
        if t.intervals.len() > usize::from(t.most) {
            Self::coarsen(t);
        }
    }

    /// The finished timeline.
    pub fn finish(self) -> LimitTimeline {
        self.timeline
    }

    /// Absorbs every interval that is not longer than the median into the one before it.
    fn coarsen(t: &mut LimitTimeline) {
        t.is_coarsened = true;
        let mut lengths: Vec<i64> = t.intervals.iter().map(|i| i.span.nanos()).collect();
        let middle = lengths.len() / 2;
        let threshold = *lengths.select_nth_unstable(middle).1;
        let mut kept: Vec<Interval> = Vec::with_capacity(t.intervals.len());
        for interval in t.intervals.drain(..) {
            match kept.last_mut() {
                Some(last) if interval.span.nanos() <= threshold || last.cause == interval.cause => {
                    // The longer of the two determines the cause of the merged interval.
                    let span = Span::new(last.span.start(), interval.span.end());
                    if interval.span.nanos() > last.span.nanos() {
                        *last = interval;
                    }
                    last.span = span;
                }
                _ => kept.push(interval),
            }
        }
        t.intervals = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Detail, Measure, Reason};

    #[test]
    fn adds_up_whatever_is_pushed() {
        let mut b = TimelineBuilder::new(Timestamp::from_nanos(100));
        let causes = [Cause::plain(Limit::SendBuffer), Cause::from(Detail::Queue), Cause::from(Detail::Fast)];
        let mut t = 100;
        for i in 0..100_000_i64 {
            t += (i * 7919) % 1000 - 50;
            b.push(Timestamp::from_nanos(t), causes[(i % 3) as usize], 0.5, None);
        }
        let end = b.end();
        let line = b.finish();
        assert_eq!(line.totals().iter().map(|t| t.nanos).sum::<i64>(), end.since(Timestamp::from_nanos(100)));
        assert!(line.intervals().len() <= usize::from(TimelineBuilder::MAX_INTERVALS) + 1);
        assert!(line.is_coarsened());
        let mut at = Timestamp::from_nanos(100);
        for i in line.intervals() {
            assert_eq!(i.span.start(), at);
            assert!(i.span.nanos() > 0);
            at = i.span.end();
        }
        assert_eq!(at, end);
    }

    #[test]
    fn a_small_timeline_keeps_exact_totals() {
        let mut b = TimelineBuilder::with_most(Timestamp::ZERO, 16);
        let causes = [Cause::plain(Limit::SendBuffer), Cause::from(Detail::Queue)];
        for i in 0..1000_i64 {
            b.push(Timestamp::from_nanos((i + 1) * 10 + i % 3), causes[(i % 2) as usize], 0.5, None);
        }
        let end = b.end();
        let line = b.finish();
        assert!(line.intervals().len() <= 17 && line.is_coarsened());
        assert_eq!(line.totals().iter().map(|t| t.nanos).sum::<i64>(), end.as_nanos());
    }

    #[test]
    fn every_instant_has_its_interval() {
        let mut b = TimelineBuilder::new(Timestamp::from_nanos(10));
        b.push(Timestamp::from_nanos(20), Cause::plain(Limit::Handshake), 0.8, None);
        b.push(Timestamp::from_nanos(40), Cause::plain(Limit::TailRtt), 0.8, None);
        let line = b.finish();
        let at = |nanos| line.index_at(Timestamp::from_nanos(nanos));
        assert_eq!([9, 10, 19, 20, 40, 41].map(at), [None, Some(0), Some(0), Some(1), Some(1), None]);
        assert_eq!(TimelineBuilder::new(Timestamp::ZERO).finish().index_at(Timestamp::ZERO), None);
    }

    #[test]
    fn another_name_moves_all_its_time() {
        let (fast, after, policer) =
            (Cause::from(Detail::Fast), Cause::from(Detail::PostLoss), Cause::from(Detail::Policer));
        let mut b = TimelineBuilder::new(Timestamp::ZERO);
        for (end, cause) in [(10, policer), (30, after), (40, fast), (70, after)] {
            b.push(Timestamp::from_nanos(end), cause, 0.8, None);
        }
        let line = b.finish().renamed(|cause| cause == after, policer, |_| Why::new(Reason::LostToPolicer, |_| None));
        assert_eq!(line.nanos_of_cause(policer), 60);
        assert_eq!(line.nanos_of_cause(after), 0);
        assert_eq!(line.totals().iter().map(|t| t.nanos).sum::<i64>(), line.span().nanos());
        let ends: Vec<_> = line.intervals().iter().map(|i| (i.span.end().as_nanos(), i.cause)).collect();
        assert_eq!(ends, [(30, policer), (40, fast), (70, policer)]);
        assert!(line.intervals().iter().all(|i| (i.confidence - 0.8).abs() < 1e-6));
    }

    #[test]
    fn what_is_settled_or_renamed_is_in_doubt_no_longer() {
        let cause = Cause::plain(Limit::SendBuffer);
        let doubt = Some((Limit::Application, Decider::SenderCapture));
        let of = |reason| Some(Why::new(reason, |_| None));
        let mut b = TimelineBuilder::new(Timestamp::ZERO);
        let [sure, unsure] = [(Reason::RoomLeftUnused, 0.95), (Reason::FlatFlight, 0.5)];
        for (end, (reason, confidence), doubt) in
            [(10, sure, None), (40, sure, doubt), (45, unsure, doubt), (50, unsure, None)]
        {
            b.push_decided(Timestamp::from_nanos(end), cause, confidence, doubt, of(reason));
        }
        let line = b.finish();
        let pair = |nanos| vec![(Limit::SendBuffer, Limit::Application, Decider::SenderCapture, nanos)];
        assert_eq!(line.ambiguous(), pair(35));
        let settled = line.clone().settled(|confidence, _| confidence > 0.8);
        assert_eq!(settled.ambiguous(), pair(5));
        assert_eq!(settled.intervals().len(), 1, "{:?}", settled.intervals());
        assert_eq!(line.clone().settled(|_, decider| decider == Decider::Syn).ambiguous(), pair(35));
        let renamed = line.renamed(|_| true, Detail::Queue.into(), |_| Why::new(Reason::QueueStanding, |_| None));
        assert_eq!(renamed.ambiguous(), []);
    }

    #[test]
    fn neighbours_of_one_cause_are_one_interval() {
        let mut b = TimelineBuilder::new(Timestamp::ZERO);
        b.push(Timestamp::from_nanos(10), Cause::plain(Limit::TailRtt), 0.4, None);
        b.push(Timestamp::from_nanos(20), Cause::plain(Limit::TailRtt), 0.8, None);
        let line = b.finish();
        assert_eq!(line.intervals().len(), 1);
        assert!((line.intervals()[0].confidence - 0.6).abs() < 1e-6);
        assert!((line.totals()[0].confidence - 0.6).abs() < 1e-6);
    }

    #[test]
    fn what_decided_is_counted_and_rated_apart() {
        let cause = Cause::plain(Limit::SendBuffer);
        let [sure, unsure] =
            [Reason::RoomLeftUnused, Reason::FlatFlight].map(|reason| Some(Why::new(reason, |_| None)));
        let mut b = TimelineBuilder::new(Timestamp::ZERO);
        for (end, why) in [(10, sure), (40, unsure), (60, sure), (80, None)] {
            b.push_decided(Timestamp::from_nanos(end), cause, 0.7, None, why);
        }
        let line = b.finish();
        let mut decided: Vec<_> = line.decided().map(|(_, reason, nanos)| (reason, nanos)).collect();
        decided.sort_unstable();
        let mut expected = [(None, 20), (Some(Reason::RoomLeftUnused), 30), (Some(Reason::FlatFlight), 30)];
        expected.sort_unstable();
        assert_eq!(decided, expected);
        assert_eq!((line.totals().len(), line.nanos_of_cause(cause)), (1, 80));
        let line = line.rated(|_, reason, _| if reason == Reason::RoomLeftUnused { 1.0 } else { 0.0 });
        assert!((line.totals()[0].confidence - (30.0 + 20.0 * 0.7) / 80.0).abs() < 1e-6);
        let why = |_: Option<&Why>| Why::new(Reason::RateOfFullPath, |_| None);
        let line = line.renamed(|_| true, Detail::Queue.into(), why);
        assert_eq!(line.totals().iter().map(|t| (t.cause, t.nanos)).collect::<Vec<_>>(), [(Detail::Queue.into(), 80)]);
        assert!(line.decided().all(|(_, reason, _)| reason == Some(Reason::RateOfFullPath)));
    }

    #[test]
    fn an_interval_keeps_what_decided_most_of_it() {
        use Reason::{FlatFlight as A, RoomLeftUnused as B};
        let cause = Cause::plain(Limit::SendBuffer);
        let of = |parts: &[(i64, Reason, f64)]| {
            let mut b = TimelineBuilder::new(Timestamp::ZERO);
            for &(nanos, reason, flight) in parts {
                let why = Why::new(reason, |m| (m == Measure::Flight).then_some(flight));
                b.push_decided(Timestamp::from_nanos(b.end().as_nanos() + nanos), cause, 0.8, None, Some(why));
            }
            let line = b.finish();
            assert_eq!(line.intervals().len(), 1);
            let why = line.intervals()[0].why;
            (why.map(|w| w.reason), why.and_then(|w| w.value(Measure::Flight)))
        };
        assert_eq!(of(&[(10, A, 5.0), (20, B, 7.0)]), (Some(B), Some(7.0)));
        assert_eq!(of(&[(20, B, 7.0), (10, A, 5.0)]), (Some(B), Some(7.0)));
        // Many short parts outweigh one that is longer than each of them.
        assert_eq!(of(&[(10, A, 5.0), (8, B, 7.0), (8, B, 9.0), (8, B, 9.0)]).0, Some(B));
        // Values are means over the time of their reason.
        assert_eq!(of(&[(10, A, 4.0), (30, A, 8.0), (5, B, 100.0)]), (Some(A), Some(7.0)));
    }

    #[test]
    fn a_renamed_interval_says_what_renamed_it() {
        let (from, to) = (Cause::from(Detail::PostLoss), Cause::from(Detail::Policer));
        let why = |reason| Some(Why::new(reason, |_| Some(1.0)));
        let mut b = TimelineBuilder::new(Timestamp::ZERO);
        b.push_decided(Timestamp::from_nanos(10), from, 0.8, None, why(Reason::WindowGrowsBack));
        b.push_decided(Timestamp::from_nanos(20), Detail::Queue.into(), 0.8, None, why(Reason::QueueStanding));
        let line = b.finish().renamed(
            |c| c == from,
            to,
            |before| {
                assert_eq!(before.map(|w| w.reason), Some(Reason::WindowGrowsBack));
                Why::new(Reason::LostToPolicer, |_| None)
            },
        );
        let reasons: Vec<_> = line.intervals().iter().map(|i| i.why.map(|w| w.reason)).collect();
        assert_eq!(reasons, [Some(Reason::LostToPolicer), Some(Reason::QueueStanding)]);
    }
}
