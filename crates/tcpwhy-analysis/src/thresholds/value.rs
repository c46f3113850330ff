//! Thresholds, and comparisons with them.

use std::cmp::Ordering;
use std::ops::{Div, Mul};

/// A number of the table, for comparisons such as `x >= NAME` and `part(x, of) >= NAME`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold<T> {
    pub(super) value: T,
    /// Index in the table.
    #[cfg(any(test, feature = "sensitivity"))]
    pub(super) index: usize,
}

#[cfg(not(any(test, feature = "sensitivity")))]
impl<T: Copy> Threshold<T> {
    /// The number.
    #[inline]
    pub(crate) const fn get(self) -> T {
        self.value
    }

    /// The result of `compare` with the number.
    #[inline]
    fn judge<R>(self, compare: impl Fn(T) -> R) -> R {
        compare(self.value)
    }
}

#[cfg(any(test, feature = "sensitivity"))]
impl<T: super::moved::Movable> Threshold<T> {
    /// The number, or the moved one during a trial.
    pub(crate) fn get(self) -> T {
        super::moved::read(self.index, self.value)
    }

    /// The result of `compare` with the number, or with the moved one during a trial.
    fn judge<R: PartialEq>(self, compare: impl Fn(T) -> R) -> R {
        super::moved::judge(self.index, self.value, compare)
    }
}

/// A share as two whole numbers, part and whole, which compares exactly and without a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio(pub(crate) u16, pub(crate) u16);

impl Ratio {
    /// Returns this part of `whole`, rounded down.
    #[inline]
    pub(crate) fn of<T: Mul<Output = T> + Div<Output = T> + From<u16>>(self, whole: T) -> T {
        whole * T::from(self.0) / T::from(self.1)
    }
}

#[cfg(any(test, feature = "sensitivity"))]
impl super::moved::Movable for Ratio {
    /// Moves a share of more than a half by a third of the distance to the whole: a third of the share itself
    /// could exceed the whole.
    fn moved(self, way: super::moved::Way) -> Self {
        let Self(part, whole) = self;
        let step = if part < whole { part.min(whole - part) } else { part };
        match way {
            super::moved::Way::Down => Self(3 * part - step, 3 * whole),
            super::moved::Way::Up => Self(3 * part + step, 3 * whole),
        }
    }
}

impl Threshold<Ratio> {
    /// Returns this part of `whole`, rounded down.
    #[inline]
    pub(crate) fn of<T: Mul<Output = T> + Div<Output = T> + From<u16>>(self, whole: T) -> T {
        self.get().of(whole)
    }
}

/// Two amounts whose quotient is compared with a [`Ratio`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<T> {
    amount: T,
    of: T,
}

/// Returns `amount` as a part of `of`. `amount` may be the larger one.
#[inline]
pub(crate) fn part<T>(amount: T, of: T) -> Part<T> {
    Part { amount, of }
}

impl<T: Copy + PartialEq + Mul<Output = T> + From<u16>> PartialEq<Threshold<Ratio>> for Part<T> {
    #[inline]
    fn eq(&self, other: &Threshold<Ratio>) -> bool {
        other.judge(|Ratio(share, whole)| self.amount * T::from(whole) == self.of * T::from(share))
    }
}

impl<T: Copy + PartialOrd + Mul<Output = T> + From<u16>> PartialOrd<Threshold<Ratio>> for Part<T> {
    #[inline]
    fn partial_cmp(&self, other: &Threshold<Ratio>) -> Option<Ordering> {
        other.judge(|Ratio(share, whole)| (self.amount * T::from(whole)).partial_cmp(&(self.of * T::from(share))))
    }
}

/// Implements `x >= NAME` for plain numbers.
macro_rules! compared {
    ($($number:ty),+) => {$(
        impl PartialEq<Threshold<$number>> for $number {
            #[inline]
            #[allow(clippy::float_cmp, reason = "comparisons by order are all that is asked for")]
            fn eq(&self, other: &Threshold<$number>) -> bool {
                other.judge(|value| *self == value)
            }
        }

        impl PartialOrd<Threshold<$number>> for $number {
            #[inline]
            fn partial_cmp(&self, other: &Threshold<$number>) -> Option<Ordering> {
                other.judge(|value| self.partial_cmp(&value))
            }
        }
    )+};
}

compared!(u32, u64, i64, f64, usize);
