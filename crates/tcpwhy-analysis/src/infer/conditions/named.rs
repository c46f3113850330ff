//! Conditions by their names, which tests can force.

use std::cell::OnceCell;

/// The condition `name`, which `ask` computes.
#[cfg(not(test))]
#[inline]
pub(super) fn named<T>(_: &'static str, ask: impl FnOnce() -> T) -> T {
    ask()
}

/// The condition `name`, which `ask` computes unless a test forces it.
#[cfg(test)]
pub(super) fn named<T: From<bool>>(name: &'static str, ask: impl FnOnce() -> T) -> T {
    super::testing::forced(name).map_or_else(ask, T::from)
}

/// The condition `name`, which is computed once.
#[inline]
pub(super) fn once(name: &'static str, cell: &OnceCell<bool>, ask: impl FnOnce() -> bool) -> bool {
    named(name, || *cell.get_or_init(ask))
}
