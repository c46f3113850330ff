//! The part of a list that a client requests.

use std::num::NonZero;

use serde::{Deserialize, Serialize};
use tcpwhy_report::assistant::Page;

/// The first entry to show, counted from 1.
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
