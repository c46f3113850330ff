//! Values that the page has in every language.

use std::collections::BTreeMap;

/// By language tag.
pub(crate) type ByLanguage<T> = BTreeMap<&'static str, T>;
