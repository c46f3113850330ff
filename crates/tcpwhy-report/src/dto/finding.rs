use serde::Serialize;
use tcpwhy_model as model;
use tcpwhy_model::Value;

use crate::dto::fix::ToldFix;
use crate::dto::{Id, Presentation, rounded};

/// A diagnosis: a rule that applied, with its evidence and what to change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Finding {
    /// Stable kebab-case id; `tcpwhy rules ID` explains it.
    pub(crate) rule: Id,
    /// `info`, `warning` or `critical`.
    pub(crate) severity: Id,
    /// Confidence, from 0 to 1.
    pub(crate) confidence: f64,
    /// Time that it cost; null if it has no cost in time of its own.
    pub(crate) seconds: Option<f64>,
    /// Numbers that it is based on.
    pub(crate) evidence: Vec<Evidence>,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sentence: Option<String>,
    /// Fixes, best first.
    #[cfg_attr(any(test, feature = "schema"), schemars(with = "Vec<crate::dto::fix::Fix>"))]
    pub(crate) fixes: Vec<ToldFix>,
    /// Expected gain of the change; null if unknown.
    pub(crate) prediction: Option<Prediction>,
}

/// One number that a finding is based on.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Evidence {
    /// `snake_case` name with its unit at the end.
    pub(crate) name: Id,
    /// Value, in the unit that the name ends with.
    pub(crate) value: EvidenceValue,
    /// `kernel_reported`, `wire_exact`, `wire_inferred` or `assumed`.
    pub(crate) basis: Id,
}

/// A number, a flag or an identifier.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum EvidenceValue {
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// Yes or no.
    Flag(bool),
    /// An identifier, never prose.
    Word(String),
    /// Unknown: null.
    Unknown,
}

/// Expected gain of a fix.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Prediction {
    /// Duration afterwards, of the half-connection's span or of the requests.
    pub(crate) seconds: SecondsRange,
    /// `range`: the duration is in its range. `at_best`: it is at least `low`, because the limit that applies
    /// then is not known well. `at_best_untried`: likewise, because nothing shows the rate of the path.
    pub(crate) claim: Id,
    /// Upper bound of how many times faster the half-connection, or the requests, become.
    pub(crate) times_at_most: f64,
    /// Id of the limit that applies afterwards.
    pub(crate) next_limit: Id,
    /// Basis of the prediction.
    pub(crate) basis: Id,
    /// Reason why the rate does not rise further: stable kebab-case id.
    pub(crate) ceiling: Id,
    /// Description in the language asked for; absent without words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ceiling_text: Option<String>,
    /// `simulated`: the transfer was rebuilt and simulated with the change. `formula`: the gain was computed.
    pub(crate) method: Id,
    /// Quality of the match between the rebuilt transfer and the real one; absent unless it was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fit: Option<Fit>,
    /// Durations for some rates of the path, if nothing shows its rate; empty otherwise.
    pub(crate) paths: Vec<PathTime>,
}

/// Quality of the match between a rebuilt transfer and the real one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct Fit {
    /// Match of their durations: 1 is exact, 0.9 is 10 % off.
    pub(crate) closeness: f64,
    /// Duration of the rebuilt transfer without any change, in seconds.
    pub(crate) as_it_was_s: f64,
    /// Number of simulated transfers that match.
    pub(crate) worlds: u32,
}

/// A duration for one rate of the path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct PathTime {
    /// Rate of the path, in bits per second.
    pub(crate) rate_bits_per_s: f64,
    /// Duration, in seconds.
    pub(crate) seconds: f64,
}

impl Fit {
    fn new(method: model::Method) -> Option<Self> {
        match method {
            model::Method::Formula => None,
            model::Method::Simulated { closeness, worlds, as_it_was } => {
                Some(Self { closeness: rounded(closeness), as_it_was_s: as_it_was, worlds })
            }
        }
    }
}

/// A duration with its range.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub(crate) struct SecondsRange {
    /// Lower end of the likely range.
    pub(crate) low: f64,
    /// Best single value; absent unless the claim is `range`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<f64>,
    /// Upper end of the likely range; absent unless the claim is `range`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) high: Option<f64>,
}

impl SecondsRange {
    fn new(prediction: &model::Prediction) -> Self {
        let seconds = prediction.seconds;
        let is_range = prediction.claim == model::Claim::Range;
        Self { low: seconds.low, value: is_range.then_some(seconds.value), high: is_range.then_some(seconds.high) }
    }
}

impl Prediction {
    pub(crate) fn new(p: &model::Prediction, total_seconds: f64, presentation: Presentation<'_>) -> Self {
        Self {
            seconds: SecondsRange::new(p),
            claim: p.claim.id().into(),
            times_at_most: p.times_at_most(total_seconds),
            next_limit: p.next_limit.id().into(),
            basis: p.seconds.basis.id().into(),
            ceiling: p.ceiling.into(),
            ceiling_text: presentation.say(|wording| wording.ceiling(p.ceiling)),
            method: p.method.id().into(),
            fit: Fit::new(p.method),
            paths: p.paths.iter().map(PathTime::new).collect(),
        }
    }
}

impl PathTime {
    fn new(path: &model::PathTime) -> Self {
        Self { rate_bits_per_s: path.rate.bits_per_sec(), seconds: path.seconds }
    }
}

impl Finding {
    pub(crate) fn new(finding: &model::Finding, total_seconds: f64, presentation: Presentation<'_>) -> Self {
        Self {
            rule: finding.rule.into(),
            severity: finding.severity.id().into(),
            confidence: rounded(finding.confidence),
            seconds: finding.seconds,
            evidence: finding.evidence.iter().map(Evidence::new).collect(),
            sentence: presentation.say(|wording| wording.finding(finding, total_seconds)),
            fixes: finding
                .fixes_with_readiness(presentation.site.as_ref().map(|site| &site.ends))
                .map(|(fix, readiness)| ToldFix::new(fix, readiness, presentation))
                .collect(),
            prediction: finding.prediction.as_ref().map(|p| Prediction::new(p, total_seconds, presentation)),
        }
    }
}

impl Evidence {
    pub(crate) fn new(evidence: &model::Evidence) -> Self {
        Self {
            name: evidence.key.id().into(),
            value: match &evidence.value {
                Value::Integer(i) => EvidenceValue::Integer(*i),
                Value::Real(r) if r.is_finite() => EvidenceValue::Real(*r),
                Value::Real(_) => EvidenceValue::Unknown,
                Value::Flag(f) => EvidenceValue::Flag(*f),
                Value::Word(w) => EvidenceValue::Word(w.clone()),
            },
            basis: evidence.basis.id().into(),
        }
    }
}
