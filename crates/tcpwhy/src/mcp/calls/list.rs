//! `explain` without a capture: the captures and saved hosts that a client may ask about.

use serde::Serialize;
use tcpwhy_report::assistant::{Fit, MOST_BYTES, fit};

use super::super::contents::Contents;
use super::super::first::First;
use super::super::shared::Shared;
use super::super::work::Work;
use super::names::shown_name;

/// Names on one page.
const MOST_NAMES: usize = 60;
/// Saved hosts that are named.
const MOST_HOSTS: usize = 20;

/// The names of the files that a client may ask about.
#[derive(Debug, Serialize)]
struct NamesAnswer {
    matched: u64,
    returned: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_capture: Option<u64>,
    captures: Vec<String>,
    /// For `audit`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<String>,
    /// Files that were not opened, because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    unopened: u64,
    #[serde(skip)]
    first: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

pub(super) fn list(shared: &Shared, first: First, work: &Work) -> String {
    let contents = Contents::of(&shared.folders, work);
    let first = first.page().first;
    let skipped = usize::try_from(first - 1).unwrap_or(usize::MAX);
    let name = |path| shown_name(shared, path);
    let mut answer = NamesAnswer {
        matched: contents.captures.len() as u64,
        returned: 0,
        next_capture: None,
        captures: contents.captures.iter().skip(skipped).take(MOST_NAMES).map(|path| name(path)).collect(),
        hosts: contents.hosts.iter().take(MOST_HOSTS).map(|path| name(path)).collect(),
        unopened: contents.unopened,
        first,
    };
    answer.count();
    fit(answer, MOST_BYTES)
}

impl NamesAnswer {
    fn count(&mut self) {
        self.returned = self.captures.len() as u64;
        let next = self.first.saturating_add(self.returned);
        self.next_capture = (next <= self.matched && self.returned > 0).then_some(next);
    }
}

impl Fit for NamesAnswer {
    fn shorten(&mut self) -> bool {
        // A page has at least one name, so that the next one can be asked for.
        let can = if self.captures.len() > 1 { self.captures.pop().is_some() } else { self.hosts.pop().is_some() };
        self.count();
        can
    }
}
