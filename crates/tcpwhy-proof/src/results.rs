//! Results of recordings in the form of the reports.

use std::path::Path;

use tcpwhy_lab::Recording;
use tcpwhy_lab::truth::{Doubt, Outcome, Truth};
use tcpwhy_model::ByGroup;
use tcpwhy_report::lab::{KernelNumbers, LabEntry, LabRatio, LabRun, LabVerdict, LabView};
use tcpwhy_report::text::{Look, Report};
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_scenario::{End, Expected, Scenario};

use crate::expectation::contradictions;
use crate::explained::{connections, in_question};
use crate::{ProofError, counted, headline, outcome};

/// The message for a doubt.
pub const fn doubt_id(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::LateLink => "proof-doubt-late-link",
        Doubt::CaptureDrops => "proof-doubt-capture-drops",
        Doubt::BusyMachine => "proof-doubt-busy-machine",
    }
}

/// A scenario as one line of a list.
pub fn entry(scenario: &Scenario, language: Language) -> LabEntry {
    LabEntry {
        name: scenario.name.clone(),
        title: scenario.story.words(language.tag()).title.clone(),
        expected: scenario.expect.verdict.iter().copied().map(Expected::cause).collect(),
    }
}

/// Explains both captures of a recording.
///
/// # Errors
/// The same as those of [`connections`].
pub fn explain(recording: &Recording, catalogue: &Catalogue) -> Result<LabRun, ProofError> {
    let (scenario, truth) = (recording.scenario(), recording.truth());
    let [sender, receiver] = End::BOTH.map(|end| view(recording, end));
    let (sender, receiver) = (sender?, receiver?);
    let found = |rule: &str| {
        let said = sender.said.iter();
        said.flat_map(|said| said.0.halves.iter().flat_map(|half| &half.findings).chain(&said.0.findings))
            .any(|finding| finding.rule == rule)
    };
    let mut doubts: Vec<String> = truth.quality.doubts.iter().map(|doubt| catalogue.word(doubt_id(*doubt))).collect();
    if sender.counted.is_missing() || receiver.counted.is_missing() {
        doubts.push(catalogue.word("lab-counters-unknown"));
    }
    let micros = |value: Option<u64>| value.map(|us| us as f64 / 1e6);
    Ok(LabRun {
        entry: entry(scenario, catalogue.language()),
        folder: recording.folder().display().to_string(),
        seed: scenario.seed,
        bytes: truth.bytes_received,
        seconds: truth.duration_s,
        goodput: truth.goodput(),
        reported: scenario.story.reported.map(|reported| (reported.bytes.0, reported.took.seconds())),
        findings: scenario.expect.findings.iter().map(|rule| (rule.clone(), found(rule))).collect(),
        views: [sender, receiver],
        doubts,
        contradictions: contradictions(&scenario.expect, truth),
        broken: match &truth.outcome {
            Outcome::Complete => None,
            Outcome::Broken(how) => Some(how.clone()),
        },
        kernel: KernelNumbers {
            min_rtt: micros(truth.min_rtt_us),
            send_buffer: truth.sk_sndbuf.map(|[_, largest]| largest),
            receive_buffer: truth.sk_rcvbuf.map(|[_, largest]| largest),
            retransmits: truth.total_retrans,
            busy: truth.kernel_ms.busy / 1e3,
            rwnd_limited: truth.kernel_ms.rwnd_limited / 1e3,
            sndbuf_limited: truth.kernel_ms.sndbuf_limited / 1e3,
        },
        truth: shares_in_truth(truth),
    })
}

fn shares_in_truth(truth: &Truth) -> ByGroup<f64> {
    let mut shares = ByGroup::default();
    for (held, percent) in &truth.sampled_pct {
        shares[held.group() as usize] += percent / 100.0;
    }
    shares
}

fn view(recording: &Recording, end: End) -> Result<LabView, ProofError> {
    let scenario = recording.scenario();
    let connections = connections(&recording.capture(end))?;
    let said = in_question(&connections, scenario);
    let outcome = scenario.expect.outcome.zip(said);
    Ok(LabView {
        headline: headline::judge(&connections, said, scenario.expect.fixes(end).as_deref()),
        expected: scenario.expect.verdicts(end).map(Expected::cause).collect(),
        known_wrong: scenario.expect.known_wrong(end).map(Expected::cause).collect(),
        is_always_wrong: scenario.expect.is_always_wrong(end),
        said: said.map(|(connection, half)| Box::new((connection.clone(), half.clone()))),
        counted: counted::at(recording, end),
        outcome: outcome.map(|(expected, (connection, half))| outcome::compared(expected, connection, half)),
    })
}

/// The terminal report on one capture, as `tcpwhy FILE` prints it.
///
/// # Errors
/// The same as those of [`connections`].
pub fn report(capture: &Path, wording: Wording<'_>, look: Look) -> Result<String, ProofError> {
    let overview = headline::overview(connections(capture)?);
    let report = Report {
        wording,
        look,
        captures: &[],
        overview: &overview,
        with_timeline: false,
        range: None,
        is_brief: false,
        has_heading: false,
        excluded: 0,
    };
    Ok(report.to_string())
}

/// The ratios that the scenarios expect, for those whose scenarios were both run. Each scenario counts with
/// the mean of its runs.
pub fn ratios<'a>(scenarios: impl Iterator<Item = &'a Scenario>, runs: &[LabRun]) -> Vec<LabRatio> {
    let seconds_a_byte = |name: &str| {
        let of_it: Vec<f64> =
            runs.iter().filter(|run| run.entry.name == name).map(|run| run.seconds / run.bytes as f64).collect();
        (!of_it.is_empty()).then(|| of_it.iter().sum::<f64>() / of_it.len() as f64)
    };
    let is_doubtful = |name: &str| runs.iter().any(|run| run.entry.name == name && !run.doubts.is_empty());
    let mut ratios = Vec::new();
    for scenario in scenarios {
        for ratio in &scenario.expect.ratio {
            let (Some(one), Some(other)) = (seconds_a_byte(&scenario.name), seconds_a_byte(&ratio.to)) else {
                continue;
            };
            ratios.push(LabRatio {
                name: scenario.name.clone(),
                to: ratio.to.clone(),
                measured: one / other,
                at_least: ratio.at_least,
                at_most: ratio.at_most,
                is_doubtful: is_doubtful(&scenario.name) || is_doubtful(&ratio.to),
            });
        }
    }
    ratios
}

/// Whether all results were as expected, as far as the runs can be trusted.
pub fn is_as_expected(runs: &[LabRun], ratios: &[LabRatio]) -> bool {
    runs.iter().all(|run| run.verdict() != LabVerdict::Unexpected)
        && ratios.iter().all(|ratio| ratio.verdict() != LabVerdict::Unexpected)
}
