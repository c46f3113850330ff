/// A time or none, in eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct When(i64);

impl When {
    /// No time. Clocks do not show it: it lies 292 years before their beginning.
    pub(super) const NEVER: Self = Self(i64::MIN);

    pub(super) fn at(time: i64) -> Self {
        Self(time)
    }

    pub(super) fn get(self) -> Option<i64> {
        (self != Self::NEVER).then_some(self.0)
    }

    /// Keeps the first time.
    pub(super) fn note_first(&mut self, time: i64) {
        if *self == Self::NEVER {
            *self = Self(time);
        }
    }

    pub(super) fn take(&mut self) -> Option<i64> {
        std::mem::take(self).get()
    }
}

impl Default for When {
    fn default() -> Self {
        Self::NEVER
    }
}
