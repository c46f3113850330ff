use anstyle::Style;
use tcpwhy_model::{ByGroup, LimitGroup};

use super::{as_verdict, counted, mark};
use crate::lab::{Contradiction, HeadlineSubject, LabHeadline, LabOutcome, LabRatio, LabRun, LabVerdict, LabView};
use crate::ratio::ratio;
use crate::text::Look;
use crate::text::look::{pad, pad_left};
use crate::text::page::Page;
use crate::text::palette::{BOLD, DIM, WARNING, foreground};
use crate::{Args, Wording};

/// Message ids of the two ends.
const PLACES: [&str; 2] = ["lab-at-sender", "lab-at-receiver"];

/// The report on one run: its time, the verdicts at both ends, and the expected ones.
pub fn lab_run(wording: Wording<'_>, look: Look, run: &LabRun) -> String {
    let mut page = Page::new(look);
    let catalogue = wording.catalogue();
    let units = wording.units();
    let args = Args::new()
        .text("time", units.seconds(run.seconds))
        .text("bytes", units.bytes(run.bytes))
        .text("rate", units.bits_per_second(run.goodput));
    let label = format!("{} ", mark(&page, run.verdict()));
    let head = format!("{}  {}", run.entry.name, catalogue.text("lab-run-took", &args));
    // The mark contains colour codes already, so the line is written as it is.
    page.raw(&format!("{label}{}", page.styled(&look.signs(&head), BOLD)));
    let views = || PLACES.into_iter().zip(&run.views);
    for (place, view) in views() {
        said(&mut page, wording, place, view);
    }
    headlines(&mut page, wording, run);
    clocks(&mut page, wording, run);
    for (place, view) in views().filter(|(_, view)| !view.counted.is_missing()) {
        counted::write(&mut page, wording, place, &view.counted);
    }
    for (rule, _) in run.findings.iter().filter(|(_, is_there)| !is_there) {
        let args = Args::new().text("rule", rule);
        page.hanging(("    ", Style::new()), &catalogue.text("lab-finding-missing", &args), 0, WARNING);
    }
    if let Some(how) = &run.broken {
        page.wrapped(&catalogue.text("lab-broken", &Args::new().text("how", how)), 4, WARNING);
    }
    for Contradiction { expected, share, larger, is_first } in &run.contradictions {
        let args = Args::new()
            .text("cause", wording.expected(*expected))
            .text("share", wording.units().share(*share))
            .text("larger", wording.units().share(*larger));
        let id = if *is_first { "lab-first-is-not-largest" } else { "lab-answer-is-far-behind" };
        page.wrapped(&catalogue.text(id, &args), 4, WARNING);
    }
    for doubt in &run.doubts {
        page.wrapped(&catalogue.text("lab-unreliable", &Args::new().text("why", doubt)), 4, WARNING);
    }
    page.into_text()
}

/// Writes the limits of the transfer according to packets at the sender, its socket and the kernel's
/// chronometers.
fn clocks(page: &mut Page, wording: Wording<'_>, run: &LabRun) {
    /// Groups with a smaller share are left out.
    const SMALL: f64 = 0.01;
    let catalogue = wording.catalogue();
    let Some(half) = run.views[0].half() else { return };
    let units = wording.units();
    let groups = |shares: ByGroup<f64>| {
        let parts = LimitGroup::largest_first(shares).into_iter().filter(|(_, share)| *share >= SMALL);
        let part = |(group, share): (LimitGroup, f64)| {
            let name = wording.limit_group(group);
            catalogue.text("spent-part", &Args::new().text("limit", name).text("share", units.share(share)))
        };
        parts.map(part).collect::<Vec<_>>().join(&catalogue.word("list-separator"))
    };
    let nanos = LimitGroup::nanos(&half.limits).map(|nanos| nanos as f64);
    let all: f64 = nanos.iter().sum();
    let of_time = |seconds: f64| units.share(ratio(seconds, run.seconds));
    let args = Args::new()
        .text("busy", of_time(run.kernel.busy))
        .text("window", of_time(run.kernel.rwnd_limited))
        .text("buffer", of_time(run.kernel.sndbuf_limited));
    for (id, text) in [
        ("kernel-label-packets", groups(nanos.map(|nanos| ratio(nanos, all)))),
        ("lab-truth", groups(run.truth)),
        ("kernel-label-clocks", catalogue.text("kernel-clocks", &args)),
    ] {
        if !text.is_empty() {
            page.wrapped(&format!("{}{text}", pad(&catalogue.word(id), counted::PLACE)), 4, DIM);
        }
    }
}

fn said(page: &mut Page, wording: Wording<'_>, id: &str, view: &LabView) {
    let catalogue = wording.catalogue();
    let place = pad(&catalogue.word(id), counted::PLACE);
    let Some(half) = view.half() else {
        page.wrapped(&format!("{place}{}", catalogue.word("lab-nothing-captured")), 4, WARNING);
        return;
    };
    let units = wording.units();
    let total = half.span.seconds();
    let args = Args::new()
        .text("cause", wording.expected(half.verdict.cause))
        .text("seconds", units.seconds(half.verdict.seconds))
        .text("total", units.seconds(total))
        .text("share", units.share(ratio(half.verdict.seconds, total)));
    let id = if half.verdict.cause.is_some() { "lab-said" } else { "lab-said-nothing" };
    let text = catalogue.text(id, &args);
    let style = half.verdict.cause.map_or_else(Style::new, |cause| foreground(cause.limit));
    // Without an expected verdict, none is judged.
    let sign = if view.expected.is_empty() { " ".to_owned() } else { mark(page, as_verdict(view.is_expected())) };
    let look = page.look();
    page.raw(&format!("  {sign} {place}{}", page.styled(&look.signs(&text), style)));
    if view.is_right_now() {
        page.wrapped(&catalogue.word("lab-right-now"), 14, WARNING);
    } else if !view.is_expected() || !view.known_wrong.is_empty() {
        let list: Vec<String> = view.expected.iter().map(|cause| wording.expected(*cause)).collect();
        let args = Args::new().text("list", list.join(&catalogue.word("lab-or")));
        page.wrapped(&catalogue.text("lab-expected", &args), 14, DIM);
    }
    if let Some(outcome) = view.outcome {
        ending(page, wording, &place, outcome);
    }
}

/// Writes the reported and the expected end of the connection.
fn ending(page: &mut Page, wording: Wording<'_>, place: &str, outcome: LabOutcome) {
    let catalogue = wording.catalogue();
    let word = |id: &str| catalogue.word(&format!("lab-ending-{id}"));
    let args = Args::new().text("expected", word(outcome.expected.id()));
    let (id, verdict) = match outcome.is_right() {
        Some(true) => ("lab-ended", LabVerdict::AsExpected),
        Some(false) => ("lab-ended-otherwise", LabVerdict::Unexpected),
        None => ("lab-ending-not-reported", LabVerdict::Unreliable),
    };
    let args = args.text("reported", outcome.reported_id().map(word).unwrap_or_default());
    let sign = mark(page, verdict);
    let text = page.look().signs(&catalogue.text(id, &args)).into_owned();
    page.raw(&format!("  {sign} {place}{text}"));
}

/// Writes the subject of the first three lines, and whether their fix removes the cause. One line is enough
/// if both ends have the same.
fn headlines(page: &mut Page, wording: Wording<'_>, run: &LabRun) {
    let catalogue = wording.catalogue();
    let seen: Vec<_> = PLACES.into_iter().zip(&run.views).filter(|(_, view)| view.half().is_some()).collect();
    match &seen[..] {
        [(_, one), (_, other)] if one.headline == other.headline => {
            headline(page, wording, &catalogue.word("lab-headline-label"), &one.headline);
        }
        ends => {
            for (place, view) in ends {
                let args = Args::new().text("place", catalogue.word(place));
                headline(page, wording, &catalogue.text("lab-headline-label-at", &args), &view.headline);
            }
        }
    }
}

fn headline(page: &mut Page, wording: Wording<'_>, label: &str, judged: &LabHeadline) {
    let catalogue = wording.catalogue();
    let look = page.look();
    let subject = catalogue.word(match judged.subject {
        HeadlineSubject::InQuestion => "lab-headline-in-question",
        HeadlineSubject::OtherDirection => "lab-headline-other-direction",
        HeadlineSubject::OtherConnection => "lab-headline-other-connection",
        HeadlineSubject::Nobody => "lab-headline-nobody",
    });
    let proposal = |fix: Option<&str>| match fix {
        Some(fix) => catalogue.text("lab-headline-fix", &Args::new().text("fix", fix)),
        None => catalogue.word("lab-headline-no-fix"),
    };
    let sign = |page: &Page, holds: bool| mark(page, as_verdict(holds));
    // ASCII replacements are made before colours are added, because colour codes would become visible
    // characters.
    let subject = format!("{} {}", sign(page, judged.subject.is_right()), look.signs(&subject));
    let fix = look.signs(&proposal(judged.fix)).into_owned();
    let line = match judged.is_fix_right {
        // Without an expected fix, none is judged.
        None => format!("{subject}   {fix}"),
        Some(is_right) => format!("{subject}   {} {fix}", sign(page, is_right)),
    };
    page.raw(&format!("    {}  {line}", pad(label, counted::PLACE)));
    if judged.is_fix_right == Some(false) && !judged.right_fixes.is_empty() {
        let list: Vec<String> = judged.right_fixes.iter().map(|fix| proposal(*fix)).collect();
        let args = Args::new().text("list", list.join(&catalogue.word("lab-or")));
        page.wrapped(&catalogue.text("lab-expected", &args), 14, DIM);
    }
}

/// The report on ratios between scenarios, expected and measured.
pub fn lab_ratios(wording: Wording<'_>, look: Look, ratios: &[LabRatio]) -> String {
    let mut page = Page::new(look);
    if ratios.is_empty() {
        return String::new();
    }
    let catalogue = wording.catalogue();
    let units = wording.units();
    page.wrapped(&catalogue.word("lab-heading-ratios"), 0, BOLD);
    let names: Vec<String> = ratios.iter().map(|ratio| format!("{} : {}", ratio.name, ratio.to)).collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    for (name, ratio) in names.iter().zip(ratios) {
        let args = Args::new()
            .text("least", units.real(ratio.at_least))
            .text("most", ratio.at_most.map_or_else(String::new, |most| units.real(most)));
        let id = if ratio.at_most.is_some() { "lab-ratio-between" } else { "lab-ratio-at-least" };
        let sign = mark(&page, ratio.verdict());
        let expected = page.styled(&look.signs(&catalogue.text(id, &args)), DIM);
        page.raw(&format!("  {sign} {} {}  {expected}", pad(name, width), pad_left(&units.real(ratio.measured), 6)));
    }
    page.into_text()
}

/// The number of runs that were as expected.
pub fn lab_summary(wording: Wording<'_>, look: Look, runs: &[LabRun], failed: usize, ratios: &[LabRatio]) -> String {
    let mut page = Page::new(look);
    let count = |verdict: LabVerdict| runs.iter().filter(|run| run.verdict() == verdict).count() as u64;
    let args = Args::new()
        .number("right", count(LabVerdict::AsExpected))
        .number("wrong", count(LabVerdict::Unexpected))
        .number("doubtful", count(LabVerdict::Unreliable))
        .number("failed", failed as u64)
        .number("ratios", ratios.iter().filter(|ratio| ratio.verdict() == LabVerdict::Unexpected).count() as u64);
    page.wrapped(&wording.catalogue().text("lab-summary", &args), 0, BOLD);
    let judged: Vec<&LabHeadline> = runs.iter().flat_map(|run| &run.views).map(|view| &view.headline).collect();
    if !judged.is_empty() {
        let fixes: Vec<bool> = judged.iter().filter_map(|headline| headline.is_fix_right).collect();
        let args = Args::new()
            .number("right", judged.iter().filter(|headline| headline.subject.is_right()).count() as u64)
            .number("captures", judged.len() as u64)
            .number("fixes", fixes.iter().filter(|is_right| **is_right).count() as u64)
            .number("judged", fixes.len() as u64);
        page.wrapped(&wording.catalogue().text("lab-summary-headlines", &args), 0, Style::new());
    }
    page.into_text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{LabEnding, ReportedEnding};
    use crate::{Catalogue, Language};

    #[test]
    fn a_missing_report_of_the_end_is_marked_as_that() {
        let catalogue = Catalogue::new(Language::English);
        let mut page = Page::new(Look { width: 80, has_color: false, has_unicode: true });
        for (expected, reported) in [
            (LabEnding::ResetBySender, ReportedEnding::Ended(LabEnding::ResetBySender)),
            (LabEnding::ResetBySender, ReportedEnding::Ended(LabEnding::Closed)),
            (LabEnding::Closed, ReportedEnding::Open),
            (LabEnding::Unanswered, ReportedEnding::NotReported),
        ] {
            ending(&mut page, Wording::new(&catalogue), "sender    ", LabOutcome { expected, reported });
        }
        let lines = [
            "  ✓ sender    ended: reset by the sender",
            "  ✗ sender    ended: closed by both ends; expected: reset by the sender",
            "  ✗ sender    ended: still open in the capture; expected: closed by both ends",
            "  ? sender    ended: the last request had no answer, which explain does not report",
        ];
        assert_eq!(page.into_text().lines().collect::<Vec<_>>(), lines);
    }

    /// A colour is a terminal code, which must not show as visible characters.
    #[test]
    fn what_the_first_lines_say_has_colours() {
        let catalogue = Catalogue::new(Language::English);
        let judged = LabHeadline {
            subject: HeadlineSubject::InQuestion,
            fix: Some("remove-so-sndbuf"),
            is_fix_right: Some(true),
            right_fixes: vec![],
        };
        for (has_color, has_unicode) in [(true, true), (true, false), (false, true)] {
            let mut page = Page::new(Look { width: 80, has_color, has_unicode });
            headline(&mut page, Wording::new(&catalogue), "first", &judged);
            let text = page.into_text();
            assert!(!text.contains("\\x1b") && !text.contains("\\u{"), "{text}");
            assert_eq!(text.matches('\u{1b}').count() > 0, has_color, "{text}");
            assert!(text.contains("remove-so-sndbuf"), "{text}");
        }
    }
}
