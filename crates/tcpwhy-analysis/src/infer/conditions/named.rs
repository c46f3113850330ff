//! Conditions with names, so that tests can force them.

use std::cell::OnceCell;

/// The condition `name`, computed by `ask`.
#[cfg(not(test))]
#[inline]
pub(super) fn named<T>(_: &'static str, ask: impl FnOnce() -> T) -> T {
    ask()
}

/// The condition `name`, computed by `ask` unless a test forces it.
#[cfg(test)]
pub(super) fn named<T: From<bool>>(name: &'static str, ask: impl FnOnce() -> T) -> T {
    super::testing::forced(name).map_or_else(ask, T::from)
}

/// The condition `name`, computed at most once.
#[inline]
pub(super) fn once(name: &'static str, cell: &OnceCell<bool>, ask: impl FnOnce() -> bool) -> bool {
    named(name, || *cell.get_or_init(ask))
}
