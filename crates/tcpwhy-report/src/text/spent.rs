//! Where the time of all connections went.

use std::cmp::Reverse;

use anstyle::Style;
use tcpwhy_model::Limit;

use super::page::Page;
use crate::palette::Swatch;
use crate::spent::TimeSpent;
use crate::wording::ratio;
use crate::{Args, Wording};

/// More limits than this are a list, not a line.
const NAMED: usize = 4;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, time: &TimeSpent) {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let mut nanos = [0; Limit::ALL.len()];
    for (swatch, of_swatch) in Swatch::ALL.into_iter().zip(time.nanos()) {
        nanos[swatch.limit() as usize] += of_swatch;
    }
    let total: i128 = nanos.iter().sum();
    let seconds = |nanos: i128| units.seconds(nanos as f64 / 1e9);
    let mut lines = Vec::new();
    if total > 0 {
        let mut limits: Vec<_> = Limit::ALL.into_iter().filter(|&l| nanos[l as usize] > 0).collect();
        limits.sort_by_key(|&l| Reverse(nanos[l as usize]));
        let share = |nanos: i128| units.share(ratio(nanos as f64, total as f64));
        let part = |name: String, nanos: i128| {
            catalogue.text("spent-part", &Args::new().text("limit", name).text("share", share(nanos)))
        };
        let mut parts: Vec<_> = limits.iter().take(NAMED).map(|&l| part(wording.limit(l), nanos[l as usize])).collect();
        let rest: i128 = limits.iter().skip(NAMED).map(|&l| nanos[l as usize]).sum();
        if rest > 0 {
            parts.push(part(catalogue.word("bars-rest"), rest));
        }
        let parts = parts.join(&catalogue.word("list-separator"));
        lines.push(catalogue.text("spent", &Args::new().text("total", seconds(total)).text("parts", parts)));
    }
    let (waiting, waited) = time.waiting();
    if waiting > 0 {
        let args = Args::new().number("count", waiting).text("total", seconds(waited));
        lines.push(catalogue.text("spent-waiting", &args));
    }
    if !lines.is_empty() {
        page.gap();
        page.wrapped(&lines.join(&catalogue.word("sentence-separator")), 0, Style::new());
    }
}
