//! Limits of the settings for each path.

use anstyle::Style;
use tcpwhy_audit::{PathLimit, PathReport};
use unicode_width::UnicodeWidthStr as _;

use super::super::look::pad;
use super::super::page::Page;
use super::super::palette::{BOLD, DIM, WARNING};
use crate::{Args, Wording};

pub(super) fn write(page: &mut Page, wording: Wording<'_>, reports: &[PathReport]) {
    if reports.is_empty() {
        return;
    }
    let catalogue = wording.catalogue();
    let units = wording.units();
    page.heading(&catalogue.word("heading-audit-paths"));
    for report in reports {
        let path = report.path;
        let args = Args::new()
            .text("rate", units.bits_per_second(path.rate.bits_per_sec()))
            .text("rtt", units.seconds(path.rtt))
            .text("bdp", units.bytes(path.bdp_bytes()))
            .text("mtu", path.mtu.to_string());
        page.wrapped(&catalogue.text("audit-path", &args), 2, BOLD);
        let labels: Vec<_> = report
            .limits
            .iter()
            .map(|l| page.look().signs(&catalogue.word(&format!("audit-path-reach-{}", l.reach.id()))).into_owned())
            .collect();
        let width = labels.iter().map(|l| l.width()).max().unwrap_or_default();
        for (limit, label) in report.limits.iter().zip(labels) {
            let style = if limit.is_enough { Style::new() } else { WARNING };
            let text = words(wording, report, limit);
            page.hanging((&pad(&label, width + 2), DIM), &text, 4, style);
        }
    }
}

/// The words for a limit: it fills the path, or the rate that it allows and the needed change.
fn words(wording: Wording<'_>, report: &PathReport, limit: &PathLimit) -> String {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let setting = limit.reach.sysctl().name();
    let by = Args::new().text("flight", units.bytes(limit.flight)).text("setting", setting);
    let by = catalogue.text("audit-path-by", &by);
    let mut parts = if limit.is_enough {
        vec![catalogue.word("audit-path-enough"), by]
    } else {
        let share = limit.rate.bits_per_sec() / report.path.rate.bits_per_sec();
        let args = Args::new()
            .text("rate", units.bits_per_second(limit.rate.bits_per_sec()))
            .text("share", units.share(share));
        vec![catalogue.text("audit-path-ceiling", &args), by]
    };
    parts.extend(limit.needed.map(|value| {
        let args = Args::new().text("setting", setting).text("value", value.to_string());
        catalogue.text("audit-path-needed", &args)
    }));
    parts.join(&catalogue.word("fact-separator"))
}
