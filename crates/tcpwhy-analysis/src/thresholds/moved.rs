//! Moves one threshold at a time, for who asks what it decides.

use std::cell::Cell;

/// Which way a threshold is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A fifth lower.
    Down,
    /// A fifth higher.
    Up,
}

thread_local! {
    static TRIED: Cell<Option<(usize, Way)>> = const { Cell::new(None) };
}

/// From now on the threshold at this place of [`TABLE`] is moved, in this thread; `None` for none.
pub fn try_moved(tried: Option<(usize, Way)>) {
    TRIED.set(tried);
}

pub(super) fn way_of(index: usize) -> Option<Way> {
    TRIED.get().filter(|tried| tried.0 == index).map(|tried| tried.1)
}

/// A number that can be a fifth lower or higher.
pub(crate) trait Movable: Copy {
    /// A fifth lower or higher; whole numbers by one at least.
    fn moved(self, way: Way) -> Self;
}

macro_rules! movable_whole {
    ($($number:ty),+) => {$(
        impl Movable for $number {
            fn moved(self, way: Way) -> Self {
                let step = ((self + 2) / 5).max(1);
                match way {
                    Way::Down => self.saturating_sub(step),
                    Way::Up => self + step,
                }
            }
        }
    )+};
}

movable_whole!(u16, u32, u64, i64, usize);

impl Movable for f64 {
    fn moved(self, way: Way) -> Self {
        match way {
            Way::Down => self * 0.8,
            Way::Up => self * 1.2,
        }
    }
}
