//! The page of one case.

use tcpwhy_lab::Recording;
use tcpwhy_report::lab::LabRun;
use tcpwhy_report::text::{Look, Table, lab_run};
use tcpwhy_report::{Args, Catalogue, Language, Wording};
use tcpwhy_scenario::End;

use super::charts::charts;
use super::picture::Pictures;
use crate::{ProofError, file_name, results};

/// What writes the book again.
pub(super) const COMMAND: &str = "tcpwhy lab book docs/cases";

/// As a page is read: no colours.
pub(super) const LOOK: Look = Look { width: 100, has_color: false, has_unicode: true };

/// Markdown.
pub(super) fn page(
    wording: Wording<'_>,
    recording: &Recording,
    run: &LabRun,
    pictures: Pictures,
) -> Result<String, ProofError> {
    let catalogue = wording.catalogue();
    let language = catalogue.language();
    let word = |id: &str| catalogue.word(id);
    let scenario = recording.scenario();
    let words = scenario.story.words(language.tag());
    let name = &scenario.name;
    let mut parts = vec![
        format!("# {}", words.title),
        links(wording, name),
        words.text.trim().to_owned(),
        format!("*{}: {}*", word("lab-show-source"), scenario.story.source),
        format!(
            "## {}\n\n```console\n# tcpwhy lab run {name}\n{}```",
            word("lab-book-command"),
            lab_run(wording, LOOK, run)
        ),
    ];
    if run.doubts.is_empty() && run.views.iter().any(|view| !view.is_expected()) {
        let expected: Vec<String> = run.entry.expected.iter().map(|cause| wording.expected(*cause)).collect();
        let args = Args::new().text("list", expected.join(&word("lab-or")));
        parts.push(catalogue.text("lab-book-unexpected", &args));
    }
    let charts: Vec<String> = charts(scenario).into_iter().map(|chart| word(chart.title())).collect();
    let alt = Args::new().text("name", name).text("charts", charts.join(&word("list-separator")));
    let alt = catalogue.text("lab-book-picture-of", &alt);
    parts.push(format!("## {}\n\n![{alt}]({name}.svg)", word("lab-book-picture")));
    if pictures.has_detail {
        parts.push(format!("{}\n\n![{alt}]({name}-detail.svg)", word("lab-book-detail")));
    }
    let said = results::report(&recording.capture(End::Sender), wording, LOOK)?;
    parts.push(format!("## {}\n\n```text\n{}\n```", word("lab-book-said"), said.trim_end()));
    parts.push(format!("## {}\n\n{}", word("lab-book-numbers"), numbers(wording, run)));
    let args = Args::new().text("command", COMMAND);
    parts.push(format!("<sub>{}</sub>", catalogue.text("lab-book-generated", &args)));
    Ok(parts.join("\n\n") + "\n")
}

/// To the index and to the other languages.
fn links(wording: Wording<'_>, stem: &str) -> String {
    let mine = wording.catalogue().language();
    let mut links = vec![format!("[{}]({})", wording.catalogue().word("lab-book-back"), file_name("README", mine))];
    links.extend(others(mine, stem));
    links.join(" · ")
}

/// The same page in other languages.
pub(super) fn others(mine: Language, stem: &str) -> impl Iterator<Item = String> {
    Language::ALL
        .into_iter()
        .filter(move |language| *language != mine)
        .map(move |language| format!("[{}]({})", own_name(language), file_name(stem, language)))
}

/// The name of a language in its own words.
pub(crate) fn own_name(language: Language) -> String {
    Catalogue::new(language).word("viewer-language-name")
}

fn numbers(wording: Wording<'_>, run: &LabRun) -> String {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let word = |id: &str| catalogue.word(id);
    let mut rows = Table::new(vec![String::new(), String::new()]);
    let mut add = |label: String, value: Option<String>| {
        if let Some(value) = value {
            rows.push(vec![label, value]);
        }
    };
    add(word("lab-row-bytes"), Some(units.bytes(run.bytes)));
    add(word("lab-row-time"), Some(units.seconds(run.seconds)));
    add(word("lab-row-goodput"), Some(units.bits_per_second(run.goodput)));
    add(word("lab-show-reported"), run.reported.map(|(bytes, seconds)| wording.reported(bytes, seconds)));
    add(word("lab-book-column-measured"), run.reported.map(|(bytes, _)| scaled(wording, run, bytes)));
    let half = run.views[0].half();
    add(word("lab-row-rtt"), half.and_then(|half| Some(units.nanos(half.rtt?.0.median as i64))));
    add(word("lab-row-flight"), half.and_then(|half| Some(units.bytes(half.flight?.p95))));
    add(word("lab-row-window"), half.and_then(|half| Some(units.bytes(half.receive_window?.median))));
    add(word("lab-row-send-buffer"), run.kernel.send_buffer.map(|bytes| units.bytes(bytes)));
    add(word("lab-row-receive-buffer"), run.kernel.receive_buffer.map(|bytes| units.bytes(bytes)));
    add(word("lab-row-retransmits"), run.kernel.retransmits.map(|count| units.count(count)));
    let args = Args::new()
        .text("busy", units.seconds(run.kernel.busy))
        .text("rwnd", units.seconds(run.kernel.rwnd_limited))
        .text("sndbuf", units.seconds(run.kernel.sndbuf_limited));
    add(word("lab-book-kernel-clocks"), Some(catalogue.text("lab-book-kernel-clocks-value", &args)));
    let receiver = run.views[1].half().map(|half| wording.verdict(half));
    add(word("lab-book-at-receiver"), receiver);
    rows.markdown()
}

/// How long `bytes` would take at the rate measured.
pub(crate) fn scaled(wording: Wording<'_>, run: &LabRun, bytes: u64) -> String {
    let units = wording.units();
    let seconds = run.seconds / run.bytes as f64 * bytes as f64;
    let args = Args::new().text("bytes", units.bytes(bytes)).text("time", units.seconds(seconds));
    wording.catalogue().text("lab-book-scaled", &args)
}
