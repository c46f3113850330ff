/// A time or none, in eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::facts::half) struct When(i64);

impl When {
    /// No time. Clocks do not show it: it lies 292 years before their beginning.
    pub(in crate::facts::half) const NEVER: Self = Self(i64::MIN);

    pub(in crate::facts::half) fn at(time: i64) -> Self {
        Self(time)
    }

    pub(in crate::facts::half) fn get(self) -> Option<i64> {
        (self != Self::NEVER).then_some(self.0)
    }

    /// Keeps the first time.
    pub(in crate::facts::half) fn note_first(&mut self, time: i64) {
        if *self == Self::NEVER {
            *self = Self(time);
        }
    }

    pub(in crate::facts::half) fn take(&mut self) -> Option<i64> {
        std::mem::take(self).get()
    }
}

impl Default for When {
    fn default() -> Self {
        Self::NEVER
    }
}
