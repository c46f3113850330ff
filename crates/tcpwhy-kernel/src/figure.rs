use tcpwhy_model::ByteCount;

/// How far a figure can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ground {
    /// The kernel's own arithmetic on settings that are known.
    Exact,
    /// A model that was held against measurements; the range is what they showed.
    Measured,
    /// Read in the kernel's source; no such kernel was measured.
    Source,
    /// The maker's documentation says so; not measured.
    Documented,
    /// Rests on something assumed: a default that was not read, a driver nobody asked.
    Assumed,
}

/// A number of bytes with the range it lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Best single value.
    pub value: ByteCount,
    /// Lower end of the range.
    pub low: ByteCount,
    /// Upper end; `None` where this limit gives none.
    pub high: Option<ByteCount>,
    /// How far to trust it.
    pub ground: Ground,
}

impl Figure {
    /// A value that is not in doubt.
    pub const fn exact(value: ByteCount) -> Self {
        Self { value, low: value, high: Some(value), ground: Ground::Exact }
    }

    /// The range between `low` and `high` around `value`.
    pub fn range(value: ByteCount, low: ByteCount, high: Option<ByteCount>, ground: Ground) -> Self {
        Self { value, low: low.min(value), high: high.map(|high| high.max(value)), ground }
    }

    /// The same range, trusted no further than `ground`.
    #[must_use]
    pub fn trusted(self, ground: Ground) -> Self {
        Self { ground: self.ground.max(ground), ..self }
    }

    /// Each number through `f`, which must be monotone.
    #[must_use]
    pub fn map(self, f: impl Fn(ByteCount) -> ByteCount) -> Self {
        Self { value: f(self.value), low: f(self.low), high: self.high.map(f), ground: self.ground }
    }

    /// At most `cap`.
    #[must_use]
    pub fn at_most(self, cap: ByteCount) -> Self {
        Self { high: Some(self.high.unwrap_or(cap)), ..self }.map(|bytes| bytes.min(cap))
    }

    /// Whether `bytes` lies in the range, or misses it by no more than `tolerance`.
    pub fn admits(&self, bytes: ByteCount, tolerance: ByteCount) -> bool {
        bytes.saturating_add(tolerance) >= self.low
            && self.high.is_none_or(|high| bytes <= high.saturating_add(tolerance))
    }
}

/// One step of a derivation: which rule, the sum it makes with the numbers put in, what comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: crate::Rule,
    /// The kernel's own names and the numbers: `sk_sndbuf = max(2 × 65536, 4608) = 131072`.
    pub formula: String,
    /// What comes out.
    pub result: u64,
    /// How far to trust it.
    pub ground: Ground,
}

/// Steps in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Derivation {
    steps: Vec<Step>,
    /// No step is trusted further than this.
    ground: Ground,
}

impl Derivation {
    /// No steps yet; none will be trusted further than `ground`.
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
