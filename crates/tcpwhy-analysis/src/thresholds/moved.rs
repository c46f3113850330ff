//! Moves one threshold at a time, for who asks what it decides.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

pub use tcpwhy_model::Way;

/// What is done with thresholds that are read in this thread.
#[derive(Clone, Copy, Debug)]
enum Trial {
    /// They are as the source has them.
    None,
    /// The same, and those whose move would change a comparison are noted.
    Watched,
    /// The one at this place of the table is moved.
    Moved(usize, Way),
}

thread_local! {
    static TRIAL: Cell<Trial> = const { Cell::new(Trial::None) };
    static NEAR: RefCell<BTreeSet<(usize, Way)>> = const { RefCell::new(BTreeSet::new()) };
}

/// From now on the threshold at this place of [`TABLE`](super::sensitivity::TABLE) is moved, in this thread;
/// `None` for none.
pub fn try_moved(tried: Option<(usize, Way)>) {
    TRIAL.set(tried.map_or(Trial::None, |(index, way)| Trial::Moved(index, way)));
}

/// Places of the thresholds, with the way, that change a comparison in `run` when they are moved. A threshold
/// that is computed with counts both ways.
pub(super) fn near_in(run: impl FnOnce()) -> BTreeSet<(usize, Way)> {
    NEAR.take();
    TRIAL.set(Trial::Watched);
    run();
    TRIAL.set(Trial::None);
    NEAR.take()
}

/// The number at this place of the table, which is `value` in the source, for a computation.
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

/// The result of `compare` with the number at this place of the table, which is `value` in the source.
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
    /// A third lower or higher; whole numbers by one at least.
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
    /// As shares do, if it is less than one.
    fn moved(self, way: Way) -> Self {
        let step = if self < 1.0 { self.min(1.0 - self) } else { self } / 3.0;
        match way {
            Way::Down => self - step,
            Way::Up => self + step,
        }
    }
}
