//! Findings that no single connection shows, but many connections of one client to one server do.

use anstyle::Style;

use super::Overview;
use super::page::Page;
use super::palette::{DIM, FIX};
use crate::{Args, Wording};

/// Most pairs of hosts with lines of their own; the others are only counted.
const MAX_PAIRS: usize = 3;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let (findings, untold) = overview.pairs.findings();
    if findings.is_empty() {
        return;
    }
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("heading-across-connections"));
    for finding in findings.iter().take(MAX_PAIRS) {
        let seconds = finding.seconds.unwrap_or(0.0);
        let args = Args::new()
            .text("title", wording.rule_title(finding.rule))
            .text("sentence", wording.finding(finding, seconds));
        let text = catalogue.text("across-finding", &args);
        page.wrapped(&text, 2, Style::new());
        for fix in &finding.fixes {
            let args = Args::new().text("fix", wording.fix_headline(fix, None)).text("place", wording.place(fix.place));
            page.wrapped(&catalogue.text("head-fix", &args), 4, FIX);
        }
    }
    let more = findings.len().saturating_sub(MAX_PAIRS) + untold;
    if more > 0 {
        page.wrapped(&catalogue.text("across-more", &Args::new().number("count", more as u64)), 2, DIM);
    }
}
