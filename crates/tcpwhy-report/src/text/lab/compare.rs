use tcpwhy_analysis::{HalfConnection, largest_shares_first};
use tcpwhy_model::Cause;

use crate::lab::LabRun;
use crate::ratio::ratio;
use crate::text::page::Page;
use crate::text::palette::{BOLD, DIM, FIX};
use crate::text::{Look, Table};
use crate::{Args, Wording};

/// Limits with a smaller share of the time get no row.
const WORTH_A_ROW: f64 = 0.005;

/// Two runs next to each other, the earlier one first.
pub fn lab_comparison(wording: Wording<'_>, look: Look, runs: [&LabRun; 2]) -> String {
    let mut page = Page::new(look);
    page.wrapped(&lab_faster(wording, runs), 0, BOLD);
    for run in runs {
        for doubt in &run.doubts {
            let args = Args::new().text("name", &run.entry.name).text("why", doubt);
            page.wrapped(&wording.catalogue().text("lab-compare-unreliable", &args), 0, DIM);
        }
    }
    page.gap();
    for (index, line) in table(wording, look, runs).lines().enumerate() {
        let line = if index == 0 { page.styled(&line, BOLD) } else { line };
        page.raw(&line);
    }
    page.gap();
    for run in runs {
        if let Some(half) = run.views[0].half() {
            page.hanging((&format!("{}: ", run.entry.name), FIX), &wording.verdict(half), 0, anstyle::Style::new());
        }
    }
    page.into_text()
}

/// The sentence such as `B is 12.3 times as fast as A.`
pub fn lab_faster(wording: Wording<'_>, [a, b]: [&LabRun; 2]) -> String {
    let ratio = b.goodput / a.goodput;
    let units = wording.units();
    // Runs of one scenario differ by a few per cent, so such ratios are not reported as differences.
    let (id, by) = if !ratio.is_finite() || ratio <= 0.0 {
        ("lab-compare-unknown", 1.0)
    } else if (0.95..=1.05).contains(&ratio) {
        ("lab-compare-same", ratio)
    } else if ratio > 1.0 {
        ("lab-compare-faster", ratio)
    } else {
        ("lab-compare-slower", 1.0 / ratio)
    };
    let args = Args::new().text("a", &a.entry.name).text("b", &b.entry.name).text("by", units.real(by));
    wording.catalogue().text(id, &args)
}

fn table(wording: Wording<'_>, look: Look, runs: [&LabRun; 2]) -> Table {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let unknown = || catalogue.word("lab-none");
    let cells = |texts: [&str; 3]| texts.map(|text| look.signs(text).into_owned()).to_vec();
    let mut table = Table::new(cells(["", &runs[0].entry.name, &runs[1].entry.name]));
    let mut add = |label: String, value: &dyn Fn(&LabRun) -> Option<String>| {
        let values = runs.map(value);
        if values.iter().any(Option::is_some) {
            let [a, b] = values.map(|value| value.unwrap_or_else(unknown));
            table.push(cells([&label, &a, &b]));
        }
    };
    let word = |id: &str| catalogue.word(id);
    add(word("lab-row-time"), &|run| Some(units.seconds(run.seconds)));
    add(word("lab-row-bytes"), &|run| Some(units.bytes(run.bytes)));
    add(word("lab-row-goodput"), &|run| Some(units.bits_per_second(run.goodput)));
    add(word("lab-row-verdict-sender"), &|run| Some(wording.expected(run.views[0].half()?.verdict.cause)));
    add(word("lab-row-verdict-receiver"), &|run| Some(wording.expected(run.views[1].half()?.verdict.cause)));
    add(word("lab-row-rtt"), &|run| Some(units.nanos(run.views[0].half()?.rtt?.0.median as i64)));
    add(word("lab-row-flight"), &|run| Some(units.bytes(run.views[0].half()?.flight?.p95)));
    add(word("lab-row-window"), &|run| Some(units.bytes(run.views[0].half()?.receive_window?.median)));
    add(word("lab-row-send-buffer"), &|run| Some(units.bytes(run.kernel.send_buffer?)));
    add(word("lab-row-receive-buffer"), &|run| Some(units.bytes(run.kernel.receive_buffer?)));
    add(word("lab-row-retransmits"), &|run| Some(units.count(run.kernel.retransmits?)));
    for cause in causes(runs) {
        add(wording.cause(cause), &|run| under(wording, run.views[0].half()?, cause));
    }
    table
}

/// The limits of either run, longest time first.
fn causes(runs: [&LabRun; 2]) -> Vec<Cause> {
    let halves = runs.into_iter().filter_map(|run| run.views[0].half());
    let causes = largest_shares_first(halves.map(|half| &half.limits)).into_iter();
    causes.filter(|(_, share)| *share >= WORTH_A_ROW).map(|(cause, _)| cause).collect()
}

/// The time and share under a cause: `5.49 s (98%)`.
fn under(wording: Wording<'_>, half: &HalfConnection, cause: Cause) -> Option<String> {
    let nanos: i64 = half.limits.totals().iter().filter(|total| total.cause == cause).map(|total| total.nanos).sum();
    let args = Args::new()
        .text("time", wording.units().nanos(nanos))
        .text("share", wording.units().share(ratio(nanos as f64, half.limits.span().nanos() as f64)));
    (nanos > 0).then(|| wording.catalogue().text("lab-time-with-share", &args))
}
