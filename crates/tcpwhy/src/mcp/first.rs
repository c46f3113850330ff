//! Which part of a list a client asks for.

use std::num::NonZero;

use serde::{Deserialize, Serialize};
use tcpwhy_report::assistant::Page;

/// From which entry on a list is shown, as clients say it.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub(super) struct First(Option<NonZero<u64>>);

impl First {
    pub(super) const fn page(self) -> Page {
        match self.0 {
            Some(first) => Page { first: first.get() },
            None => Page::FIRST,
        }
    }
}
