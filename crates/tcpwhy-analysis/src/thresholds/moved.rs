//! Moves one threshold at a time, to find the answers that depend on it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

pub use tcpwhy_model::Way;

/// Treatment of thresholds that this thread reads.
#[derive(Clone, Copy, Debug)]
enum Trial {
    /// Thresholds have the values of the source.
    None,
    /// Thresholds have the values of the source. Those whose move would change a comparison are recorded.
    Watched,
    /// The threshold with this index in the table is moved.
    Moved(usize, Way),
}

thread_local! {
    static TRIAL: Cell<Trial> = const { Cell::new(Trial::None) };
    static NEAR: RefCell<BTreeSet<(usize, Way)>> = const { RefCell::new(BTreeSet::new()) };
}

/// Moves the threshold with this index in [`TABLE`](super::sensitivity::TABLE) from now on, in this thread.
/// `None` moves no threshold.
pub fn try_moved(tried: Option<(usize, Way)>) {
    TRIAL.set(tried.map_or(Trial::None, |(index, way)| Trial::Moved(index, way)));
}

/// Returns the index and way of each threshold whose move changes a comparison in `run`. A threshold that is
/// used in a computation counts with both ways.
pub(super) fn near_in(run: impl FnOnce()) -> BTreeSet<(usize, Way)> {
    NEAR.take();
    TRIAL.set(Trial::Watched);
    run();
    TRIAL.set(Trial::None);
    NEAR.take()
}

/// Returns the number with this index in the table, for a computation. `value` is its value in the source.
pub(super) fn read<T: Movable>(index: usize, value: T) -> T {
    match TRIAL.get() {
        Trial::Moved(tried, way) if tried == index => value.moved(way),
        Trial::Watched => {
            NEAR.with_borrow_mut(|near| near.extend(Way::ALL.map(|way| (index, way))));
            value
        }
        _ => value,
    }
}

/// Returns the result of `compare` with the number with this index in the table. `value` is its value in the
/// source.
pub(super) fn judge<T: Movable, R: PartialEq>(index: usize, value: T, compare: impl Fn(T) -> R) -> R {
    match TRIAL.get() {
        Trial::Moved(tried, way) if tried == index => compare(value.moved(way)),
        Trial::Watched => {
            let result = compare(value);
            let changing = Way::ALL.into_iter().filter(|&way| compare(value.moved(way)) != result);
            NEAR.with_borrow_mut(|near| near.extend(changing.map(|way| (index, way))));
            result
        }
        _ => compare(value),
    }
}

/// A number that can be a third lower or higher.
pub(crate) trait Movable: Copy {
    /// Returns the number a third lower or higher. Whole numbers move by at least one.
    fn moved(self, way: Way) -> Self;
}

macro_rules! movable_whole {
    ($($number:ty),+) => {$(
        impl Movable for $number {
            fn moved(self, way: Way) -> Self {
                let step = ((self + 1) / 3).max(1);
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
    /// Moves numbers below one as shares.
    fn moved(self, way: Way) -> Self {
        let step = if self < 1.0 { self.min(1.0 - self) } else { self } / 3.0;
        match way {
            Way::Down => self - step,
            Way::Up => self + step,
        }
    }
}
