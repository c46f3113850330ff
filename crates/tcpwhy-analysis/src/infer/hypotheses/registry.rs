//! Removes one hypothesis from its list, for tests.

use std::cell::Cell;

thread_local! {
    static UNREGISTERED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

pub(in crate::infer) fn is_registered(name: &str) -> bool {
    UNREGISTERED.get() != Some(name)
}

/// Result of `conclude` without the hypothesis of this name.
pub(in crate::infer) fn without<T>(name: &'static str, conclude: impl FnOnce() -> T) -> T {
    UNREGISTERED.set(Some(name));
    let concluded = conclude();
    UNREGISTERED.set(None);
    concluded
}
