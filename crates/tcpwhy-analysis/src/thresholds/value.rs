//! What a threshold is, and how it is compared with.

use std::cmp::Ordering;
use std::ops::{Div, Mul};

/// A number of the table. `x >= NAME` and `part(x, of) >= NAME` compare with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold<T> {
    pub(super) value: T,
    /// Its place in the table.
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
    /// The number, or another one while that is tried.
    pub(crate) fn get(self) -> T {
        super::moved::read(self.index, self.value)
    }

    /// The result of `compare` with the number, or with another one while that is tried.
    fn judge<R: PartialEq>(self, compare: impl Fn(T) -> R) -> R {
        super::moved::judge(self.index, self.value, compare)
    }
}

/// So many of so many, in whole numbers: compared exactly and without a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio(pub(crate) u16, pub(crate) u16);

impl Ratio {
    /// That part of `whole`, rounded down.
    #[inline]
    pub(crate) fn of<T: Mul<Output = T> + Div<Output = T> + From<u16>>(self, whole: T) -> T {
        whole * T::from(self.0) / T::from(self.1)
    }
}

#[cfg(any(test, feature = "sensitivity"))]
impl super::moved::Movable for Ratio {
    /// A share of more than a half moves by a third of what it has left to the whole: a third of itself could
    /// be all, or more.
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
    /// That part of `whole`, rounded down.
    #[inline]
    pub(crate) fn of<T: Mul<Output = T> + Div<Output = T> + From<u16>>(self, whole: T) -> T {
        self.get().of(whole)
    }
}

/// An amount beside another, to be compared with a [`Ratio`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<T> {
    amount: T,
    of: T,
}

/// `amount` as a part of `of` (it may be the larger one).
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

/// `x >= NAME` for plain numbers.
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
