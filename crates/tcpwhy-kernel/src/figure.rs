use tcpwhy_model::ByteCount;

/// How reliable a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ground {
    /// The kernel's own arithmetic on settings that are known.
    Exact,
    /// A model that was compared with measurements; the range contains all of them.
    Measured,
    /// Read in the kernel's source; no such kernel was measured.
    Source,
    /// Documented by the vendor; not measured.
    Documented,
    /// Based on an assumption: a default that was not read, or an unknown driver.
    Assumed,
}

/// A number of bytes with its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Best single value.
    pub value: ByteCount,
    /// Lower end of the range.
    pub low: ByteCount,
    /// Upper end; `None` if this limit has none.
    pub high: Option<ByteCount>,
    /// How reliable it is.
    pub ground: Ground,
}

impl Figure {
    /// An exact value.
    pub const fn exact(value: ByteCount) -> Self {
        Self { value, low: value, high: Some(value), ground: Ground::Exact }
    }

    /// A value with the range between `low` and `high`.
    pub fn range(value: ByteCount, low: ByteCount, high: Option<ByteCount>, ground: Ground) -> Self {
        Self { value, low: low.min(value), high: high.map(|high| high.max(value)), ground }
    }

    /// The same range, with a reliability of at most `ground`.
    #[must_use]
    pub fn trusted(self, ground: Ground) -> Self {
        Self { ground: self.ground.max(ground), ..self }
    }

    /// Applies `f`, which must be monotone, to value and range.
    #[must_use]
    pub fn map(self, f: impl Fn(ByteCount) -> ByteCount) -> Self {
        Self { value: f(self.value), low: f(self.low), high: self.high.map(f), ground: self.ground }
    }

    /// The figure limited to `cap`.
    #[must_use]
    pub fn at_most(self, cap: ByteCount) -> Self {
        Self { high: Some(self.high.unwrap_or(cap)), ..self }.map(|bytes| bytes.min(cap))
    }

    /// Whether `bytes` is in the range, or outside by at most `tolerance`.
    pub fn admits(&self, bytes: ByteCount, tolerance: ByteCount) -> bool {
        bytes.saturating_add(tolerance) >= self.low
            && self.high.is_none_or(|high| bytes <= high.saturating_add(tolerance))
    }
}

/// One step of a derivation: the rule, the formula with its numbers, the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The applied rule.
    pub rule: crate::Rule,
    /// The kernel's own names and the numbers: `sk_sndbuf = max(2 × 65536, 4608) = 131072`.
    pub formula: String,
    /// The result of the formula.
    pub result: u64,
    /// How reliable it is.
    pub ground: Ground,
}

/// Ordered steps of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Derivation {
    steps: Vec<Step>,
    /// Upper limit of the reliability of all steps.
    ground: Ground,
}

impl Derivation {
    /// A derivation without steps. The reliability of later steps is at most `ground`.
    pub(crate) const fn new(ground: Ground) -> Self {
        Self { steps: Vec::new(), ground }
    }

    pub(crate) fn note(&mut self, rule: crate::Rule, ground: Ground, formula: String, result: u64) {
        self.steps.push(Step { rule, formula, result, ground: ground.max(self.ground) });
    }

    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }
}
