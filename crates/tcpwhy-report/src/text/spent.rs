//! Where the time of all connections went.

use std::cmp::Reverse;

use anstyle::Style;
use tcpwhy_analysis::{Connection, HalfConnection, Role};
use tcpwhy_model::{Cause, Detail, Limit};

use super::page::Page;
use crate::wording::ratio;
use crate::{Args, Wording, principal_half};

/// More limits than this are a list, not a line.
const NAMED: usize = 4;

/// Time by limit, of the direction that is spoken of first of each connection. Connections that mostly waited for somebody to
/// ask or to answer are kept apart: hours of silence would hide what held the others back.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeSpent {
    nanos: [i128; Limit::ALL.len()],
    waiting: u64,
    waiting_nanos: i128,
}

impl TimeSpent {
    pub(super) fn add(&mut self, connection: &Connection) {
        let Some(half) = principal_half(connection) else { return };
        if mostly_waited(half) {
            self.waiting += 1;
            self.waiting_nanos += i128::from(half.limits.span().nanos());
            return;
        }
        for limit in Limit::ALL {
            self.nanos[limit as usize] += i128::from(half.limits.nanos_of(limit));
        }
    }

    pub(super) fn write(&self, page: &mut Page, wording: Wording<'_>) {
        let (catalogue, units) = (wording.catalogue(), wording.units());
        let total: i128 = self.nanos.iter().sum();
        let seconds = |nanos: i128| units.seconds(nanos as f64 / 1e9);
        let mut lines = Vec::new();
        if total > 0 {
            let mut limits: Vec<_> = Limit::ALL.into_iter().filter(|&l| self.nanos[l as usize] > 0).collect();
            limits.sort_by_key(|&l| Reverse(self.nanos[l as usize]));
            let share = |nanos: i128| units.share(ratio(nanos as f64, total as f64));
            let part = |name: String, nanos: i128| {
                catalogue.text("spent-part", &Args::new().text("limit", name).text("share", share(nanos)))
            };
            let mut parts: Vec<_> =
                limits.iter().take(NAMED).map(|&l| part(wording.limit(l), self.nanos[l as usize])).collect();
            let rest: i128 = limits.iter().skip(NAMED).map(|&l| self.nanos[l as usize]).sum();
            if rest > 0 {
                parts.push(part(catalogue.word("bars-rest"), rest));
            }
            let parts = parts.join(&catalogue.word("list-separator"));
            lines.push(catalogue.text("spent", &Args::new().text("total", seconds(total)).text("parts", parts)));
        }
        if self.waiting > 0 {
            let args = Args::new().number("count", self.waiting).text("total", seconds(self.waiting_nanos));
            lines.push(catalogue.text("spent-waiting", &args));
        }
        if !lines.is_empty() {
            page.gap();
            page.wrapped(&lines.join(&catalogue.word("sentence-separator")), 0, Style::new());
        }
    }
}

/// Whether its sender had nothing to send for more than half of the time, because nobody asked, or it waited for the other end:
/// a client's pauses between its requests are its own affair.
pub(super) fn mostly_waited(half: &HalfConnection) -> bool {
    let is_waiting = |cause: Cause| match cause.detail {
        Some(Detail::Idle | Detail::PeerTurn) => true,
        Some(Detail::Think) => half.exchange_role == Role::Client,
        _ => false,
    };
    2 * half.limits.sum(is_waiting).0 > half.limits.span().nanos()
}
