use crate::listed::listed;
use crate::{Basis, Estimate, EvidenceKey, Fix, FixEnds, Limit, Rate, Readiness};

listed! {
    /// How much a finding matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Severity {
        /// Worth knowing, costs little.
        Info = "info",
        /// Costs time or will when conditions change.
        Warning = "warning",
        /// The main reason why the transfer is slow, or it failed.
        Critical = "critical",
    }
}

/// A typed number or word; the unit is part of the name it stands under (`plateau_bytes`, `rtt_us`).
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// Yes or no.
    Flag(bool),
    /// An identifier (never prose).
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

/// One number that a finding rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// What it is, in which unit.
    pub key: EvidenceKey,
    /// The number.
    pub value: Value,
    /// Where it comes from.
    pub basis: Basis,
}

/// How much a prediction claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The duration lies in its range.
    Range,
    /// The duration is that of the low end at least: what else limits is not known well.
    AtBest,
    /// The same, as nothing shows how fast the path is.
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

/// What a fix would bring.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Duration of the span afterwards, in seconds. Unless the claim is a range, only the low end is claimed.
    /// The value then ranks fixes and is not shown.
    pub seconds: Estimate<f64>,
    /// How much of that is claimed.
    pub claim: Claim,
    /// What limits next.
    pub next_limit: Limit,
    /// Why the upper rate is what it is; message id in kebab-case.
    pub ceiling: &'static str,
    /// How it was computed.
    pub method: Method,
    /// The duration afterwards if the path carries this or that, where nothing shows how fast it is; the
    /// fastest first.
    pub paths: Vec<PathTime>,
}

/// How a prediction was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// By a formula: what stays takes its time, the rest moves in slow start up to the next ceiling.
    #[default]
    Formula,
    /// The transfer was rebuilt and simulated without the cause.
    Simulated {
        /// The ratio of the durations of the rebuilt transfer and of the real one as it was: 1 is exact, 0.9
        /// is a tenth off.
        closeness: f64,
        /// Simulated transfers that behave as the real one did.
        worlds: u32,
        /// What they take as it was, seconds: the middle one.
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

    /// Ratio of the durations of the rebuilt transfer and of the real one; `None` of a formula.
    pub const fn closeness(self) -> Option<f64> {
        match self {
            Self::Formula => None,
            Self::Simulated { closeness, .. } => Some(closeness),
        }
    }
}

listed! {
    /// How well a rebuilt transfer behaves as the real one did.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum FitGrade {
        /// Its duration is within 5 %.
        Good = "good",
        /// Its duration is within 15 %.
        Fair = "fair",
        /// Neither: no ground for a decision.
        Poor = "poor",
    }
}

impl FitGrade {
    /// The grade of this ratio of both durations, the smaller one per larger one.
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

/// A duration over a path of some rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathTime {
    /// Rate of the path.
    pub rate: Rate,
    /// Duration, seconds.
    pub seconds: f64,
}

impl Prediction {
    /// One that was computed by a formula.
    pub const fn by_formula(seconds: Estimate<f64>, claim: Claim, next_limit: Limit, ceiling: &'static str) -> Self {
        Self { seconds, claim, next_limit, ceiling, method: Method::Formula, paths: Vec::new() }
    }

    /// How many times faster a span of `now` seconds becomes at most. Nothing ends within less than a
    /// microsecond.
    pub fn times_at_most(&self, now: f64) -> f64 {
        const LEAST_SECONDS: f64 = 1e-6;
        now / self.seconds.low.max(LEAST_SECONDS)
    }

    /// The duration to compare with the present one: the value of a range, or else the low end.
    pub fn least_claimed(&self) -> f64 {
        match self.claim {
            Claim::Range => self.seconds.value,
            Claim::AtBest | Claim::AtBestUntried => self.seconds.low,
        }
    }
}

/// A diagnosis: a rule that held, with what it rests on. Prose is added at presentation.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's stable kebab-case id.
    pub rule: &'static str,
    /// How much it matters here.
    pub severity: Severity,
    /// Between 0 and 1.
    pub confidence: f64,
    /// What it cost, in seconds; `None` when it has no cost in time of its own.
    pub seconds: Option<f64>,
    /// The numbers.
    pub evidence: Vec<Evidence>,
    /// What to change, best first.
    pub fixes: Vec<Fix>,
    /// What that would bring.
    pub prediction: Option<Prediction>,
}

impl Finding {
    /// The whole number of its evidence under `key`, if that is none below zero.
    pub fn number(&self, key: EvidenceKey) -> Option<u64> {
        let evidence = self.evidence.iter().find(|evidence| evidence.key == key)?;
        match evidence.value {
            Value::Integer(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// Its fixes with how ready each is for the connection between `ends`. One of two rivals is right only if
    /// the other is not.
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
