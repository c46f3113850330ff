use crate::listed::listed;
use crate::{Basis, Estimate, EvidenceKey, Fix, FixEnds, Limit, Rate, Readiness};

listed! {
    /// How much a finding matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Severity {
        /// Little cost in time, listed for information.
        Info = "info",
        /// Costs time now, or will when conditions change.
        Warning = "warning",
        /// The main reason for a slow or failed transfer.
        Critical = "critical",
    }
}

/// A typed number or word. Its unit is part of its key (`plateau_bytes`, `rtt_us`).
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// Yes or no.
    Flag(bool),
    /// An identifier, never prose.
    Word(String),
}

impl From<u64> for Value {
    fn from(v: u64) -> Self {
        Self::Integer(i64::try_from(v).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(v: u32) -> Self {
        Self::Integer(i64::from(v))
    }
}

impl From<i64> for Value {
    fn from(v: i64) -> Self {
        Self::Integer(v)
    }
}

impl From<f64> for Value {
    fn from(v: f64) -> Self {
        Self::Real(v)
    }
}

impl From<bool> for Value {
    fn from(v: bool) -> Self {
        Self::Flag(v)
    }
}

/// One number that supports a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Name of the number, with its unit.
    pub key: EvidenceKey,
    /// The number.
    pub value: Value,
    /// Source of the number.
    pub basis: Basis,
}

/// How much a prediction promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The duration is within the range.
    Range,
    /// The duration is at least the low end, because other limits are not well known.
    AtBest,
    /// Like `AtBest`, because nothing in the data shows the rate of the path.
    AtBestUntried,
}

impl Claim {
    /// Stable id, as in JSON: `range`, `at_best` or `at_best_untried`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Range => "range",
            Self::AtBest => "at_best",
            Self::AtBestUntried => "at_best_untried",
        }
    }
}

/// Predicted effect of a fix.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Predicted duration of the span in seconds. Unless the claim is a range, only the low end is promised;
    /// the value then ranks fixes and is not shown.
    pub seconds: Estimate<f64>,
    /// How much of the estimate is promised.
    pub claim: Claim,
    /// The limit after the fix.
    pub next_limit: Limit,
    /// Reason for the upper rate; message id in kebab-case.
    pub ceiling: &'static str,
    /// How it was computed.
    pub method: Method,
    /// Durations for several possible path rates, fastest first, if nothing in the data shows the rate of the
    /// path.
    pub paths: Vec<PathTime>,
}

/// How a prediction was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// By a formula: the remaining causes keep their time, and the other bytes move in slow start up to the
    /// next limit.
    #[default]
    Formula,
    /// By rebuilding the transfer and simulating it without the cause.
    Simulated {
        /// Ratio of the durations of the real and the rebuilt transfer (cause included), smaller by larger: 1
        /// is exact, 0.9 differs by 10 %.
        closeness: f64,
        /// Number of simulated transfers that behave like the real one.
        worlds: u32,
        /// Median duration of those simulated transfers with the cause included, seconds.
        as_it_was: f64,
    },
}

impl Method {
    /// Stable id, as in JSON: `formula` or `simulated`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Formula => "formula",
            Self::Simulated { .. } => "simulated",
        }
    }

    /// Ratio of the durations of the real and the rebuilt transfer, smaller by larger; `None` for a formula.
    pub const fn closeness(self) -> Option<f64> {
        match self {
            Self::Formula => None,
            Self::Simulated { closeness, .. } => Some(closeness),
        }
    }
}

listed! {
    /// How closely a rebuilt transfer matches the real one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum FitGrade {
        /// Durations within 5 %.
        Good = "good",
        /// Durations within 15 %.
        Fair = "fair",
        /// Durations further apart, so the prediction supports no decision.
        Poor = "poor",
    }
}

impl FitGrade {
    /// Grade of `closeness`, the smaller of both durations divided by the larger.
    pub fn of(closeness: f64) -> Self {
        const GOOD: f64 = 0.95;
        const FAIR: f64 = 0.85;
        match closeness {
            closeness if closeness >= GOOD => Self::Good,
            closeness if closeness >= FAIR => Self::Fair,
            _ => Self::Poor,
        }
    }
}

/// Duration on a path of a given rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathTime {
    /// Rate of the path.
    pub rate: Rate,
    /// Duration, seconds.
    pub seconds: f64,
}

impl Prediction {
    /// A prediction that was computed by a formula.
    pub const fn by_formula(seconds: Estimate<f64>, claim: Claim, next_limit: Limit, ceiling: &'static str) -> Self {
        Self { seconds, claim, next_limit, ceiling, method: Method::Formula, paths: Vec::new() }
    }

    /// Maximum speed-up of a span of `now` seconds, as a factor. No transfer takes less than 1 µs.
    pub fn times_at_most(&self, now: f64) -> f64 {
        const LEAST_SECONDS: f64 = 1e-6;
        now / self.seconds.low.max(LEAST_SECONDS)
    }

    /// The duration to compare with the present one: the value if the claim is a range, otherwise the low
    /// end.
    pub fn least_claimed(&self) -> f64 {
        match self.claim {
            Claim::Range => self.seconds.value,
            Claim::AtBest | Claim::AtBestUntried => self.seconds.low,
        }
    }
}

/// A diagnosis: a rule that matched, with its evidence. Prose is added at presentation.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's stable kebab-case id.
    pub rule: &'static str,
    /// How much it matters for this connection.
    pub severity: Severity,
    /// Confidence between 0 and 1.
    pub confidence: f64,
    /// Cost in seconds; `None` if the finding has no cost in time of its own.
    pub seconds: Option<f64>,
    /// Numbers that support the finding.
    pub evidence: Vec<Evidence>,
    /// Fixes, best first.
    pub fixes: Vec<Fix>,
    /// Predicted effect of the fixes.
    pub prediction: Option<Prediction>,
}

impl Finding {
    /// Value of the evidence under `key` as a whole number; `None` if missing, negative or not an integer.
    pub fn number(&self, key: EvidenceKey) -> Option<u64> {
        let evidence = self.evidence.iter().find(|evidence| evidence.key == key)?;
        match evidence.value {
            Value::Integer(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// Fixes of the finding, each with its readiness for the connection between `ends`. If two fixes are
    /// rivals, only one of them is right.
    pub fn fixes_with_readiness(&self, ends: Option<&FixEnds>) -> impl Iterator<Item = (&Fix, Readiness)> {
        self.fixes.iter().enumerate().map(move |(index, fix)| {
            let has_rival = self.fixes.get(index + 1).is_some_and(|next| next.is_rival);
            let readiness = match fix.readiness(ends) {
                Readiness::Ready | Readiness::Placeholders if has_rival => Readiness::Conditional,
                own => own,
            };
            (fix, readiness)
        })
    }
}
