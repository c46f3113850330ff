//! The time of all connections by limit.

use anstyle::Style;

use super::page::Page;
use crate::ratio::ratio;
use crate::spent::TimeSpent;
use crate::{Args, Wording};

/// Most limits in one line: more of them would be a list.
const NAMED: usize = 4;

/// Time that the sums leave out: message id, number of connections, nanoseconds.
pub(super) fn left_out(time: &TimeSpent) -> impl Iterator<Item = (&'static str, (u64, i128))> {
    let parts = [("spent-waiting", time.waiting()), ("spent-wrong-clock", time.wrong_clock())];
    parts.into_iter().filter(|(_, (count, _))| *count > 0)
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, time: &TimeSpent) {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let limits = time.ranked_limits();
    let total: i128 = limits.iter().map(|limit| limit.1).sum();
    let seconds = |nanos: i128| units.seconds(nanos as f64 / 1e9);
    let mut lines = Vec::new();
    if total > 0 {
        let share = |nanos: i128| units.share(ratio(nanos as f64, total as f64));
        let part = |name: String, nanos: i128| {
            catalogue.text("spent-part", &Args::new().text("limit", name).text("share", share(nanos)))
        };
        let mut parts: Vec<_> =
            limits.iter().take(NAMED).map(|&(limit, nanos)| part(wording.limit(limit), nanos)).collect();
        let rest: i128 = limits.iter().skip(NAMED).map(|limit| limit.1).sum();
        if rest > 0 {
            parts.push(part(catalogue.word("bars-rest"), rest));
        }
        let parts = parts.join(&catalogue.word("list-separator"));
        lines.push(catalogue.text("spent", &Args::new().text("total", seconds(total)).text("parts", parts)));
    }
    for (id, (count, nanos)) in left_out(time) {
        let args = Args::new().number("count", count).text("total", seconds(nanos));
        lines.push(catalogue.text(id, &args));
    }
    if !lines.is_empty() {
        page.gap();
        page.wrapped(&lines.join(&catalogue.word("sentence-separator")), 0, Style::new());
    }
}
