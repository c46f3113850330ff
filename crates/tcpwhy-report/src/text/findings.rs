//! Findings with their evidence, fixes and predictions.

use anstyle::Style;
use tcpwhy_model::{Evidence, Finding, Fix, Prediction};
use unicode_width::UnicodeWidthStr as _;

use super::look::pad;
use super::page::Page;
use super::palette::{BOLD, DIM, FIX, severity};
use crate::{Args, Site, Wording};

/// Writes findings. `site`, the connection that they are about, fills in lines of fixes and decides which are
/// printed. `total_seconds` is the duration of what a finding is about.
pub(super) fn write(
    page: &mut Page,
    wording: Wording<'_>,
    findings: &[Finding],
    site: Option<&Site>,
    total_seconds: impl Fn(&Finding) -> f64,
) {
    for (i, finding) in findings.iter().enumerate() {
        if i > 0 {
            page.gap();
        }
        write_one(page, wording, finding, (&findings[..i], site), total_seconds(finding));
    }
}

/// Writes only titles and sentences.
pub(super) fn write_briefly(page: &mut Page, wording: Wording<'_>, findings: &[Finding], total_seconds: f64) {
    for finding in findings {
        write_title(page, wording, finding);
        page.wrapped(&wording.finding(finding, total_seconds), 4, Style::new());
    }
}

/// Writes one finding; parts that the ones `before` it already contain are only referred to.
fn write_one(
    page: &mut Page,
    wording: Wording<'_>,
    finding: &Finding,
    (before, site): (&[Finding], Option<&Site>),
    total_seconds: f64,
) {
    write_title(page, wording, finding);
    page.wrapped(&wording.finding(finding, total_seconds), 4, Style::new());
    write_evidence(page, wording, &finding.evidence);
    for (i, fix) in finding.fixes.iter().enumerate() {
        let is_known = before.iter().any(|f| f.fixes.contains(fix));
        write_fix_title(page, wording, (fix, site), (i + 1, finding.fixes.len()), is_known);
        if !is_known {
            write_fix(page, wording, fix, site);
        }
    }
    if let Some(prediction) = &finding.prediction
        && !before.iter().any(|f| f.prediction.as_ref() == Some(prediction))
    {
        write_prediction(page, wording, prediction, total_seconds);
    }
}

fn write_title(page: &mut Page, wording: Wording<'_>, finding: &Finding) {
    let args = Args::new()
        .text("title", wording.rule_title(finding.rule))
        .text("rule", finding.rule)
        .text("confidence", wording.units().share(finding.confidence));
    let title = wording.catalogue().text("finding-title", &args);
    let mark = format!("{}  ", wording.severity(finding.severity));
    page.hanging((&mark, severity(finding.severity)), &title, 2, BOLD);
}

fn write_evidence(page: &mut Page, wording: Wording<'_>, evidence: &[Evidence]) {
    let look = page.look();
    let rows: Vec<_> = evidence
        .iter()
        .map(|e| {
            let cell = |text: String| look.signs(&text).into_owned();
            (cell(wording.evidence_label(e)), cell(wording.evidence_value(e)), cell(wording.basis(e.basis)))
        })
        .collect();
    let label_width = rows.iter().map(|r| r.0.width()).max().unwrap_or_default();
    let value_width = rows.iter().map(|r| r.1.width()).max().unwrap_or_default();
    for (label, value, basis) in &rows {
        let line = format!(
            "      {}  {}  {}",
            page.styled(&pad(label, label_width), DIM),
            pad(value, value_width),
            page.styled(basis, DIM)
        );
        page.raw(&line);
    }
}

/// Writes number, name and place of a fix: `Fix 1 of 2  Find where packets are lost  [network]`.
fn write_fix_title(
    page: &mut Page,
    wording: Wording<'_>,
    (fix, site): (&Fix, Option<&Site>),
    (number, count): (usize, usize),
    is_known: bool,
) {
    let catalogue = wording.catalogue();
    let numbers = Args::new().number("number", number as u64).number("count", count as u64);
    let label = catalogue.text(if fix.is_rival { "fix-number-rival" } else { "fix-number" }, &numbers);
    let name = wording.fix_headline(fix, site);
    let name = if is_known { catalogue.text("fix-above", &Args::new().text("fix", name)) } else { name };
    let place = catalogue.text("fix-place", &Args::new().text("place", wording.place(fix.place)));
    page.titled((&format!("{label}  "), FIX), &name, (&place, DIM), 4);
}

/// Writes a fix with the lines for the reader's language or server.
fn write_fix(page: &mut Page, wording: Wording<'_>, fix: &Fix, site: Option<&Site>) {
    if fix.is_rival {
        page.wrapped(&wording.catalogue().word("fix-rival-why"), 6, Style::new());
    }
    page.wrapped(&wording.fix(fix), 6, Style::new());
    let (lines, hint) = wording.shown_lines(fix, site);
    let lines: Vec<_> = lines.into_iter().map(Into::into).collect();
    page.code(&lines, 8);
    if let Some(hint) = hint {
        page.wrapped(&hint, 8, DIM);
    }
}

/// Writes the expected gain of the fixes of all findings together.
pub(super) fn write_together(page: &mut Page, wording: Wording<'_>, together: &Prediction, total_seconds: f64) {
    page.gap();
    let label = wording.catalogue().word("prediction-together-label");
    page.hanging((&label, FIX), &wording.prediction(together, total_seconds), 4, Style::new());
}

fn write_prediction(page: &mut Page, wording: Wording<'_>, prediction: &Prediction, total_seconds: f64) {
    let label = wording.catalogue().word("prediction-label");
    page.hanging((&label, FIX), &wording.prediction(prediction, total_seconds), 4, Style::new());
}
