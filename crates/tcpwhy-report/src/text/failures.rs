//! Connections that were never established, and those that carried nothing.

use std::cmp::Reverse;

use anstyle::Style;
use tcpwhy_model::Endpoint;

use super::Overview;
use super::overview::{FailureKey, FailureKind, Failures};
use super::page::Page;
use super::palette::WARNING;
use crate::{Args, Wording};

/// Groups that get a line of their own.
const MAX_LINES: usize = 5;

/// The second line of a report without data: the largest group of failures.
pub(super) fn headline(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    if let Some((key, failures)) = largest(overview).first() {
        page.wrapped(&sentence(wording, key, failures.count), 0, WARNING);
        if let Some(finding) = failures.finding.as_ref().filter(|finding| finding.rule == "wrong-checksum") {
            page.wrapped(&wording.finding(finding, finding.seconds.unwrap_or(0.0)), 0, WARNING);
        }
        if let Some(fix) = failures.finding.as_ref().and_then(|f| f.fixes.first()) {
            let args = Args::new().text("fix", wording.fix_headline(fix)).text("place", wording.place(fix.place));
            page.wrapped(&wording.catalogue().text("head-fix", &args), 0, super::palette::FIX);
        }
    }
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let groups = largest(overview);
    let is_said_already = overview.with_data == 0 && groups.len() == 1;
    if is_said_already || groups.is_empty() && overview.empty == 0 {
        return;
    }
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("heading-without-data"));
    for (key, failures) in groups.iter().take(MAX_LINES) {
        page.wrapped(&sentence(wording, key, failures.count), 2, WARNING);
        if let Some(fix) = failures.finding.as_ref().and_then(|f| f.fixes.first()) {
            let args = Args::new().text("fix", wording.fix_headline(fix)).text("place", wording.place(fix.place));
            page.wrapped(&catalogue.text("head-fix", &args), 4, Style::new());
        }
    }
    let rest: u64 = groups.iter().skip(MAX_LINES).map(|g| g.1.count).sum::<u64>() + overview.other_failures;
    if rest > 0 {
        page.wrapped(&catalogue.text("failures-rest", &Args::new().number("count", rest)), 2, Style::new());
    }
    if overview.empty > 0 {
        page.wrapped(
            &catalogue.text("empty-connections", &Args::new().number("count", overview.empty)),
            2,
            Style::new(),
        );
    }
}

fn largest(overview: &Overview) -> Vec<(&FailureKey, &Failures)> {
    let mut groups: Vec<_> = overview.failures.iter().collect();
    groups.sort_by_key(|(key, failures)| (Reverse(failures.count), **key));
    groups
}

fn sentence(wording: Wording<'_>, key: &FailureKey, count: u64) -> String {
    let to = Endpoint { address: key.address, port: key.port };
    let id = match key.ending {
        FailureKind::Unanswered => "failures-unanswered",
        FailureKind::Refused => "failures-refused",
    };
    wording.catalogue().text(id, &Args::new().number("count", count).text("to", to.to_string()))
}
