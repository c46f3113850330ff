//! Values that the page has for each language.

use std::collections::BTreeMap;

/// Values by language tag.
pub(crate) type ByLanguage<T> = BTreeMap<&'static str, T>;
