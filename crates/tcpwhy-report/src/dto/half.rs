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
    /// Role of that end: `client` or `server`; null if the handshake was not captured.
    pub(crate) role: Option<Id>,
    /// `sender` or `receiver`: the end whose kernel was observed; only for live connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seen_from: Option<Id>,
    /// The kernel's data about the direction in comparison with the packets; only if a recording has both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kernel: Option<KernelHalf>,
    #[serde(flatten)]
    pub(crate) traffic: HalfTraffic,
    /// Time that `limits` divides: first SYN or segment of the connection to the last ACK of this data.
    pub(crate) span: Span,
    #[serde(flatten)]
    pub(crate) terms: HalfTerms,
    /// Round-trip time; null if nothing could be timed.
    pub(crate) rtt_us: Option<RoundTripTime>,
    /// Bytes in flight over time; null without an ACK.
    pub(crate) flight_bytes: Option<Range>,
    /// Offered window over time; null if its scale is unknown.
    pub(crate) receive_window_bytes: Option<Range>,
    /// Time by limit and detail, longest first; the seconds add up to `span.duration_s`.
    pub(crate) limits: Vec<LimitShare>,
    /// Time that could belong to either of two limits, longest first, if the chosen limit is right in less
    /// than 90 % of cases.
    pub(crate) ambiguous: Vec<Ambiguity>,
    /// The limit to act on first.
    pub(crate) verdict: Verdict,
    /// Diagnoses, most severe first.
    pub(crate) findings: Vec<Finding>,
    /// Expected gain of the fixes of all findings together, if several were simulated; null otherwise.
    pub(crate) together: Option<Prediction>,
    #[serde(flatten)]
    pub(crate) facts: HalfFacts,
    /// All intervals of the span with `--timeline`; with `--why` only the interval of that moment, or none if
    /// it is outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeline: Option<Vec<Interval>>,
    /// Whether neighbours in `timeline` absorbed short intervals (`limits` stays exact); only with
    /// `timeline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeline_is_coarsened: Option<bool>,
}

/// All plain facts about a direction.
pub type AllHalfFacts = (HalfTraffic, (HalfTerms, HalfFacts));

facts! {
    /// Bytes and segments that were sent and retransmitted.
    HalfTraffic of HalfConnection {
        /// Unique payload bytes.
        bytes: u64 = |half| half.bytes;
        /// Retransmitted payload bytes.
        retransmitted_bytes: u64 = |half| half.retransmitted_bytes;
        /// Captured segments with payload; an offload super-packet counts once.
        segments: u64 = |half| half.segments;
        /// Retransmitted segments.
        retransmitted_segments: u64 = |half| half.retransmitted_segments;
    }
}

facts! {
    /// The rate, and the terms that both ends negotiated.
    HalfTerms of HalfConnection {
        /// Unique bytes over the time that `limits` divides; null if that time is empty.
        goodput_bits_per_s: Option<f64> = |half| half.goodput.map(Rate::bits_per_sec);
        /// Largest payload of a segment on the wire.
        mss_bytes: Option<u64> = |half| half.mss;
        /// Shift of the windows that the receiver of this data offers; 0 without window scaling; null if
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
    /// Further facts about a direction. New facts go here.
    HalfFacts of HalfConnection {
        /// Median time from an ACK that makes room to the next send, to a power of two. Null if sends do not
        /// follow ACKs, or too few were captured.
        wake_up_us: Option<u64> = |half| Some(half.transfer.as_ref()?.measured.wake_up?.get().into());
    }
}

/// A stretch of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Span {
    /// Start, nanoseconds since the epoch.
    pub(crate) start_ns: i64,
    /// The same time as RFC 3339, in UTC.
    pub(crate) start: String,
    /// Its length.
    pub(crate) duration_s: f64,
}

/// Round-trip times in microseconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct RoundTripTime {
    /// Minimum.
    pub(crate) min: f64,
    /// Median.
    pub(crate) median: f64,
    /// 95th percentile.
    pub p95: f64,
    /// Maximum.
    pub(crate) max: f64,
    /// `kernel_reported`, `wire_exact`, `wire_inferred` or `assumed`.
    pub(crate) basis: Id,
}

/// A distribution of bytes, weighted by time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Range {
    /// Minimum.
    pub(crate) min: u64,
    /// Median.
    pub(crate) median: u64,
    /// 95th percentile.
    pub p95: u64,
    /// Maximum.
    pub(crate) max: u64,
}

/// Time that the packets allow to be either of two limits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Ambiguity {
    /// Limit under which `limits` counts the time, and the other limit.
    pub(crate) between: [Id; 2],
    /// Time.
    pub(crate) seconds: f64,
    /// Observation that would decide, in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) would_decide: Option<String>,
    /// Its stable kebab-case id.
    pub(crate) would_decide_id: Id,
}

/// The limit to act on first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Verdict {
    /// Limit id, or `none` if no limit is worth a change.
    pub(crate) limit: Id,
    /// Detail id.
    pub(crate) detail: Option<Id>,
    /// Confidence, from 0 to 1.
    pub(crate) confidence: f64,
    /// Time under that limit with that detail, as in `limits`.
    pub(crate) seconds: f64,
    /// `none` if nothing limited the direction (it was healthy, or had nothing to send); otherwise `info`,
    /// `warning` or `critical`.
    pub(crate) severity: Id,
    /// Time under other limits and details that the same change affects, longest first.
    pub(crate) related: Vec<RelatedTime>,
    /// Bytes in flight under that limit: the time-weighted mean of the maximum per round trip; for a send
    /// buffer the median. Null if unknown.
    pub(crate) flight_bytes: Option<u64>,
    /// Largest window offered under that limit.
    pub(crate) window_bytes: Option<u64>,
    /// Round-trip time under that limit: the mean, weighted by time.
    pub(crate) rtt_us: Option<f64>,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
    /// Another limit that the packets also allow; null if there is none.
    pub(crate) alternative: Option<Id>,
    /// Why this limit is chosen although another one has more time: stable kebab-case id.
    pub(crate) reason: Option<Id>,
    /// Thresholds for which a change by a third leads to another limit; only with `--why`, if that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) flips: Option<Vec<Flip>>,
}

/// A threshold that decides a verdict.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Flip {
    /// Its name in the source.
    pub(crate) threshold: Id,
    /// Its value, as the source has it.
    pub(crate) value: Id,
    /// Its unit.
    pub(crate) unit: Id,
    /// Direction of the change: `lower` or `higher`.
    pub(crate) moved: Id,
    /// Limit id of the resulting verdict, or `none`.
    pub(crate) limit: Id,
    /// Detail id of that limit.
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

/// Time under another limit that the verdict's change affects too.
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
    /// Start, seconds after the start of the half's span.
    pub(crate) start_s: f64,
    /// End, seconds after the start of the half's span.
    pub(crate) end_s: f64,
    /// Limit id.
    pub(crate) limit: Id,
    /// Detail id.
    pub(crate) detail: Option<Id>,
    /// Confidence, from 0 to 1.
    pub(crate) confidence: f64,
    /// Another limit that the packets also allow; null if there is none.
    pub(crate) alternative: Option<Id>,
    /// Stable kebab-case id of the observation that would decide between the two.
    pub(crate) would_decide_id: Option<Id>,
    /// Reason for all or most of it; null if that was not kept.
    pub(crate) evidence: Option<IntervalEvidence>,
}

/// The reason for the limit of a stretch of time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct IntervalEvidence {
    /// Stable `snake_case` name of the reason.
    pub(crate) reason: Id,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
    /// Numbers that support it, strongest first: means over the interval, weighted by time. Only measured
    /// values.
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
