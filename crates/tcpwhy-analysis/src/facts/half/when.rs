/// An optional time in eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct When(i64);

impl When {
    /// No time. Clocks never show this value, which is 292 years before the epoch.
    pub(super) const NEVER: Self = Self(i64::MIN);

    pub(super) fn at(time: i64) -> Self {
        Self(time)
    }

    pub(super) fn get(self) -> Option<i64> {
        (self != Self::NEVER).then_some(self.0)
    }

    /// Sets the time if it is not set yet.
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
