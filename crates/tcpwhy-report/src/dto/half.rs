use serde::Serialize;
use tcpwhy_analysis::HalfConnection;
use tcpwhy_model::{Distribution, Limit, Rate, Severity, WindowScale};

use crate::clock::rfc3339;
use crate::dto::facts::facts;
use crate::dto::finding::Prediction;
use crate::dto::limit_share::{detail_id, shares_of};
use crate::dto::{Evidence, Finding, Id, KernelHalf, LimitShare, Presentation, rounded};
use crate::why;

/// One direction of a connection that carried payload.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Half {
    /// Index into `endpoints` of the end that sent this data.
    pub(crate) sender: usize,
    /// What that end is to the connection: `client`, `server`; null when the handshake was not captured.
    pub(crate) role: Option<Id>,
    /// `sender` or `receiver`: which end's kernel told of it; only of live connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seen_from: Option<Id>,
    /// What the kernel said of it beside what packets say; only where a recording has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kernel: Option<KernelHalf>,
    #[serde(flatten)]
    pub(crate) traffic: HalfTraffic,
    /// What `limits` accounts for: first SYN or segment of the connection to the last ACK of this data.
    pub(crate) span: Span,
    #[serde(flatten)]
    pub(crate) terms: HalfTerms,
    /// Round-trip time; null when nothing could be timed.
    pub(crate) rtt_us: Option<RoundTripTime>,
    /// Bytes in flight over time; null when no ACK was seen.
    pub(crate) flight_bytes: Option<Range>,
    /// Offered window over time; null while its scale is unknown.
    pub(crate) receive_window_bytes: Option<Range>,
    /// Time by limit and detail, longest first; the seconds add up to `span.duration_s`.
    pub(crate) limits: Vec<LimitShare>,
    /// Time that could belong to either of two limits, longest first: where what was said is right less than nine times in ten.
    pub(crate) ambiguous: Vec<Ambiguity>,
    /// The limit to act on first.
    pub(crate) verdict: Verdict,
    /// Diagnoses, gravest first.
    pub(crate) findings: Vec<Finding>,
    /// What the fixes of all findings bring together, where several were simulated; null otherwise.
    pub(crate) together: Option<Prediction>,
    #[serde(flatten)]
    pub(crate) facts: HalfFacts,
    /// Every instant of the span with `--timeline`; with `--why` the interval of that moment alone, or none if it lies outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeline: Option<Vec<Interval>>,
    /// Whether short intervals were absorbed by their neighbours in `timeline` (`limits` stays exact); with `timeline` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeline_is_coarsened: Option<bool>,
}

/// All plain facts about a direction.
pub type AllHalfFacts = (HalfTraffic, (HalfTerms, HalfFacts));

facts! {
    /// How much was sent, and how much of it twice.
    HalfTraffic of HalfConnection {
        /// Unique payload bytes.
        bytes: u64 = |half| half.bytes;
        /// Payload bytes retransmitted.
        retransmitted_bytes: u64 = |half| half.retransmitted_bytes;
        /// Captured segments with payload; an offload super-packet counts once.
        segments: u64 = |half| half.segments;
        /// Segments that repeated data.
        retransmitted_segments: u64 = |half| half.retransmitted_segments;
    }
}

facts! {
    /// How fast, and what both ends agreed on.
    HalfTerms of HalfConnection {
        /// Unique bytes over the time that `limits` divides; null when it is empty.
        goodput_bits_per_s: Option<f64> = |half| half.goodput.map(Rate::bits_per_sec);
        /// Largest payload of a segment on the wire.
        mss_bytes: Option<u64> = |half| half.mss;
        /// Shift of the windows that the receiver of this data offers; 0 without window scaling; null when
        /// unknown.
        window_shift: Option<u8> = |half| match half.window_scale {
            WindowScale::Unknown => None,
            WindowScale::NotNegotiated => Some(0),
            WindowScale::Shift(shift) => Some(shift),
        };
        /// `negotiated`, `not_negotiated` or `unknown`.
        window_scaling: Id = |half| match half.window_scale {
            WindowScale::Unknown => "unknown".into(),
            WindowScale::NotNegotiated => "not_negotiated".into(),
            WindowScale::Shift(_) => "negotiated".into(),
        };
    }
}

facts! {
    /// Further facts about a direction: new ones go here.
    HalfFacts of HalfConnection {
        /// How soon sends follow ACKs that make room: the median, to a power of two. Null where they follow
        /// none, or too few were captured.
        wake_up_us: Option<u64> = |half| Some(half.transfer.as_ref()?.measured.wake_up?.get().into());
    }
}

/// A stretch of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Span {
    /// Nanoseconds since the epoch.
    pub(crate) start_ns: i64,
    /// The same as RFC 3339, in UTC.
    pub(crate) start: String,
    /// Its length.
    pub(crate) duration_s: f64,
}

/// Round-trip times in microseconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct RoundTripTime {
    /// Smallest.
    pub(crate) min: f64,
    /// Half lie at or under it.
    pub(crate) median: f64,
    /// 95 % lie at or under it.
    pub p95: f64,
    /// Largest.
    pub(crate) max: f64,
    /// `kernel_reported`, `wire_exact`, `wire_inferred` or `assumed`.
    pub(crate) basis: Id,
}

/// A distribution of bytes, weighted by time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Range {
    /// Smallest.
    pub(crate) min: u64,
    /// Half of the time it was at or under it.
    pub(crate) median: u64,
    /// 95 % of the time it was at or under it.
    pub p95: u64,
    /// Largest.
    pub(crate) max: u64,
}

/// Time that the packets allow to be either of two limits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Ambiguity {
    /// The limit that `limits` counts it under, and the other.
    pub(crate) between: [Id; 2],
    /// Time.
    pub(crate) seconds: f64,
    /// The observation that would tell them apart, in the language asked for; left out without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) would_decide: Option<String>,
    /// Its stable kebab-case id.
    pub(crate) would_decide_id: Id,
}

/// The limit to act on first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Verdict {
    /// Limit id, or `none` when nothing is worth acting on.
    pub(crate) limit: Id,
    /// Detail id.
    pub(crate) detail: Option<Id>,
    /// Between 0 and 1.
    pub(crate) confidence: f64,
    /// Time under that limit in that form, as in `limits`.
    pub(crate) seconds: f64,
    /// `none` when nothing held the direction back (it was healthy, or had nothing to send), else `info`, `warning` or `critical`.
    pub(crate) severity: Id,
    /// Time under other limits and forms that the same change concerns, longest first.
    pub(crate) related: Vec<RelatedTime>,
    /// Bytes in flight while that limit held: of the most in each round trip the mean, weighted by time, for a send buffer the median; null when nothing told.
    pub(crate) flight_bytes: Option<u64>,
    /// Largest window offered while that limit held.
    pub(crate) window_bytes: Option<u64>,
    /// Round trip while that limit held: the mean, weighted by time.
    pub(crate) rtt_us: Option<f64>,
    /// In words, in the language asked for; left out without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
    /// Another limit that the packets would also allow; null when there is none.
    pub(crate) alternative: Option<Id>,
    /// Why this limit although another has more time: stable kebab-case id.
    pub(crate) reason: Option<Id>,
    /// Chosen numbers that name another limit when moved by a third; only with `--why`, where that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) flips: Option<Vec<Flip>>,
}

/// A chosen number that decides a verdict.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Flip {
    /// Its name in the source.
    pub(crate) threshold: Id,
    /// Its value, as the source has it.
    pub(crate) value: Id,
    /// Its unit.
    pub(crate) unit: Id,
    /// Which way it was moved: `lower` or `higher`.
    pub(crate) moved: Id,
    /// Limit id of the verdict then, or `none`.
    pub(crate) limit: Id,
    /// Its detail id.
    pub(crate) detail: Option<Id>,
}

impl From<&tcpwhy_model::Flip> for Flip {
    fn from(flip: &tcpwhy_model::Flip) -> Self {
        Self {
            threshold: flip.threshold.into(),
            value: flip.value.into(),
            unit: flip.unit.into(),
            moved: flip.way.id().into(),
            limit: flip.cause.map_or("none", |cause| cause.limit.id()).into(),
            detail: flip.cause.and_then(detail_id),
        }
    }
}

/// Time under a limit that the verdict's change concerns as well.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct RelatedTime {
    /// Limit id.
    pub(crate) limit: Id,
    /// Detail id.
    pub(crate) detail: Option<Id>,
    /// Time, as in `limits`.
    pub(crate) seconds: f64,
}

/// A stretch of time under one limit.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Interval {
    /// Since the start of the half's span.
    pub(crate) start_s: f64,
    /// Since the start of the half's span.
    pub(crate) end_s: f64,
    /// Limit id.
    pub(crate) limit: Id,
    /// Detail id.
    pub(crate) detail: Option<Id>,
    /// Between 0 and 1.
    pub(crate) confidence: f64,
    /// Another limit that the packets would also allow; null when there is none.
    pub(crate) alternative: Option<Id>,
    /// Stable kebab-case id of the observation that would tell the two apart.
    pub(crate) would_decide_id: Option<Id>,
    /// What decided it, or most of it; null when that was not kept.
    pub(crate) evidence: Option<IntervalEvidence>,
}

/// What decided a stretch of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct IntervalEvidence {
    /// Stable `snake_case` name of what held.
    pub(crate) reason: Id,
    /// In words, in the language asked for; left out without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
    /// The numbers that speak for it, most telling first: means over the interval, weighted by time. Only what was measured.
    pub(crate) values: Vec<Evidence>,
}

impl Half {
    pub(super) fn new(half: &HalfConnection, presentation: Presentation<'_>) -> Self {
        let seconds = half.span.seconds();
        Self {
            sender: half.sender.index(),
            role: half.role.id().map(Into::into),
            seen_from: None,
            kernel: None,
            traffic: HalfTraffic::of(half),
            span: Span {
                start_ns: half.span.start().as_nanos(),
                start: rfc3339(half.span.start()),
                duration_s: seconds,
            },
            terms: HalfTerms::of(half),
            rtt_us: half.rtt.map(|(d, basis)| RoundTripTime {
                min: micros(d.min),
                median: micros(d.median),
                p95: micros(d.p95),
                max: micros(d.max),
                basis: basis.id().into(),
            }),
            flight_bytes: half.flight.map(Range::from),
            receive_window_bytes: half.receive_window.map(Range::from),
            limits: limit_shares(half),
            ambiguous: ambiguities(half, presentation),
            verdict: Verdict::new(half, presentation),
            findings: half.findings.iter().map(|f| Finding::new(f, seconds, presentation)).collect(),
            together: half.together.as_ref().map(|together| Prediction::new(together, seconds, presentation)),
            facts: HalfFacts::of(half),
            timeline: presentation.with_timeline.then(|| timeline(half, presentation)),
            timeline_is_coarsened: presentation.with_timeline.then(|| half.limits.is_coarsened()),
        }
    }
}

impl Verdict {
    fn new(half: &HalfConnection, presentation: Presentation<'_>) -> Self {
        let verdict = &half.verdict;
        Self {
            limit: verdict.cause.map_or("none", |c| c.limit.id()).into(),
            detail: verdict.cause.and_then(detail_id),
            confidence: rounded(verdict.confidence),
            seconds: verdict.seconds,
            severity: verdict.severity.map_or("none", Severity::id).into(),
            related: half
                .related_to_verdict()
                .map(|t| RelatedTime {
                    limit: t.cause.limit.id().into(),
                    detail: detail_id(t.cause),
                    seconds: seconds(t.nanos),
                })
                .collect(),
            flight_bytes: verdict.meanwhile.flight,
            window_bytes: verdict.meanwhile.window,
            rtt_us: verdict.meanwhile.rtt.map(micros),
            sentence: presentation.say(|wording| wording.verdict(half)),
            alternative: verdict.alternative.map(|(other, _): (Limit, _)| other.id().into()),
            reason: verdict.reason.map(|reason| reason.id().into()),
            flips: verdict.flips.as_ref().map(|flips| flips.iter().map(Flip::from).collect()),
        }
    }
}

impl From<Distribution> for Range {
    fn from(d: Distribution) -> Self {
        Self { min: d.min, median: d.median, p95: d.p95, max: d.max }
    }
}

fn limit_shares(half: &HalfConnection) -> Vec<LimitShare> {
    shares_of(&half.limits)
}

fn ambiguities(half: &HalfConnection, presentation: Presentation<'_>) -> Vec<Ambiguity> {
    half.limits
        .ambiguous()
        .into_iter()
        .map(|(a, b, decider, nanos)| Ambiguity {
            between: [a.id().into(), b.id().into()],
            seconds: seconds(nanos),
            would_decide: presentation.say(|wording| wording.decider(decider)),
            would_decide_id: decider.id().into(),
        })
        .collect()
}

fn timeline(half: &HalfConnection, presentation: Presentation<'_>) -> Vec<Interval> {
    let origin = half.limits.span().start();
    half.limits
        .intervals()
        .iter()
        .map(|i| Interval {
            start_s: seconds(i.span.start().since(origin)),
            end_s: seconds(i.span.end().since(origin)),
            limit: i.cause.limit.id().into(),
            detail: detail_id(i.cause),
            confidence: rounded(f64::from(i.confidence)),
            alternative: i.alternative.map(|(other, _)| other.id().into()),
            would_decide_id: i.alternative.map(|(_, decider)| decider.id().into()),
            evidence: i.why.as_ref().map(|why| IntervalEvidence {
                reason: why.reason.id().into(),
                sentence: presentation.say(|wording| wording.why(i).unwrap_or_default()),
                values: why::values(half, why).iter().map(Evidence::new).collect(),
            }),
        })
        .collect()
}

fn seconds(nanos: i64) -> f64 {
    nanos as f64 / 1e9
}

fn micros(nanos: u64) -> f64 {
    nanos as f64 / 1e3
}
