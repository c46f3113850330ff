//! The proof in words.

use std::fmt::Write as _;

use tcpwhy_report::{Args, Wording};
use tcpwhy_scenario::{EndSpec, Scenario, Work};

use super::Trial;
use super::conclusion::{Conclusion, Open};
use super::proof::{Measured, Proof, Tested, Tried};
use crate::results::doubt_id;

impl Trial<'_> {
    /// The proof in words, for the terminal.
    pub fn page(&self, wording: Wording<'_>) -> String {
        page(wording, self.proof(), self)
    }
}

fn page(wording: Wording<'_>, proof: &Proof, trial: &Trial<'_>) -> String {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let mut out = String::new();
    let mut line = |id: &str, args: Args| {
        let _ = writeln!(out, "{}", catalogue.text(id, &args));
    };
    line("prove-conclusion", Args::new().text("conclusion", conclusion(wording, proof)));
    if let Some(Conclusion::Undecided(why)) = proof.conclusion() {
        line(&format!("prove-decides-{}", decides(why)), Args::new());
    }
    if let Some(setting) = proof.setting {
        line(&format!("prove-setting-{}", setting.id()), Args::new());
    }
    line(
        "prove-captured",
        Args::new()
            .text("seconds", units.seconds(proof.captured_s))
            .text("bytes", units.bytes(proof.bytes))
            .text("cause", wording.cause(proof.cause)),
    );
    if proof.hypotheses.is_empty() {
        if let Some(scenario) = trial.scenario() {
            line("prove-rebuilt", Args::new().text("what", situation(wording, scenario)));
        }
        if let Some(fix) = trial.claim_fix() {
            line("prove-fix", Args::new().text("fix", wording.fix(fix)));
        }
    }
    for tested in &proof.hypotheses {
        for text in tested_lines(wording, proof, tested) {
            line("prove-line", Args::new().text("line", text));
        }
        if tested.rebuilt.is_some()
            && let Some(scenario) = trial.scenario_of(tested)
        {
            line("prove-rebuilt", Args::new().text("what", situation(wording, scenario)));
        }
    }
    if let (Some(seconds), Some(low), Some(high)) = (proof.predicted_s, proof.predicted_low_s, proof.predicted_high_s) {
        let args = Args::new().text("seconds", units.seconds(seconds));
        line("prove-predicted", args.text("low", units.seconds(low)).text("high", units.seconds(high)));
    } else if let Some(low) = proof.predicted_low_s {
        line("prove-predicted-at-best", Args::new().text("low", units.seconds(low)));
    }
    for (share, id) in [(proof.share_before, "prove-shortened-before"), (proof.share_after, "prove-shortened-after")] {
        if share < 1.0 {
            line(id, Args::new().text("share", units.share(share)));
        }
    }
    let runs = proof
        .hypotheses
        .iter()
        .flat_map(|tested| tested.rebuilt.iter().chain(tested.fixes.iter().map(|tried| &tried.fixed)));
    let mut doubts: Vec<&str> = runs.flat_map(|run| &run.doubts).map(|&doubt| doubt_id(doubt)).collect();
    doubts.sort_unstable();
    doubts.dedup();
    for doubt in doubts {
        line("prove-doubt", Args::new().text("doubt", catalogue.word(doubt)));
    }
    for assumption in &proof.assumptions {
        line(&format!("prove-assumed-{}", assumption.id()), Args::new());
    }
    out
}

/// Message id after `prove-decides-`: what would settle it.
const fn decides(why: Open) -> &'static str {
    match why {
        Open::BothExplain => "socket",
        Open::Replayed | Open::RivalReplayed | Open::OnlyReplayed => "sockets",
        Open::NoneResembles => "scenario",
        Open::FixWithoutEffect | Open::LessThanPredicted | Open::NoFix => "fix",
    }
}

/// One explanation: how near its transfer is, and what its fix did.
fn tested_lines(wording: Wording<'_>, proof: &Proof, tested: &Tested) -> Vec<String> {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let name = tested.of.map_or_else(|| catalogue.word("prove-shown"), |cause| wording.cause(cause));
    let origin = tested.origin.map_or_else(String::new, |origin| {
        catalogue
            .text("prove-origin", &Args::new().text("origin", catalogue.word(&format!("prove-origin-{}", origin.id()))))
    });
    let heading = Args::new().text("cause", name).text("origin", origin);
    if let Some(trace) = tested.missing {
        let words = catalogue.word(&format!("prove-trace-{}", trace.id()));
        return vec![catalogue.text("prove-tested-missing", &heading.text("trace", words))];
    }
    let mut lines = Vec::new();
    if let (Some(rebuilt), Some(distance), Some(resembles)) = (&tested.rebuilt, tested.distance, tested.resembles) {
        let id = if resembles { "prove-tested-alike" } else { "prove-tested-other" };
        let furthest = tested.distances.furthest().map_or_else(String::new, |furthest| {
            let id = format!("prove-observable-{}", furthest.observable.id());
            let args = Args::new().text("what", catalogue.word(&id)).text("distance", decimal(furthest.distance));
            catalogue.text("prove-furthest", &args)
        });
        let args = heading
            .text("seconds", units.seconds(rebuilt.seconds_of_all))
            .text("error", signed(wording, rebuilt.seconds_of_all / proof.captured_s - 1.0))
            .text("distance", decimal(distance))
            .text("furthest", furthest);
        lines.push(catalogue.text(id, &args));
        lines.extend(tested.replays.map(|replay| catalogue.word(&format!("prove-replays-{}", replay.id()))));
    }
    for Tried { fix, fixed, gain, .. } in &tested.fixes {
        let args = Args::new()
            .text("fix", wording.fix(fix))
            .text("seconds", units.seconds(fixed.seconds_of_all))
            .text("gain", signed(wording, -gain))
            .text("verdict", verdict(wording, fixed));
        lines.push(catalogue.text("prove-tested-fixed", &args));
    }
    lines
}

/// `0.42`
fn decimal(number: f64) -> String {
    format!("{number:.2}")
}

fn conclusion(wording: Wording<'_>, proof: &Proof) -> String {
    let id = proof.conclusion().map_or("prove-only-rebuilt".to_owned(), |end| format!("prove-{}", end.id()));
    let units = wording.units();
    let seconds = |measured: &Option<Measured>| {
        measured.as_ref().map_or_else(String::new, |measured| units.seconds(measured.seconds_of_all))
    };
    let claim = proof.hypotheses.first();
    let trace = claim.and_then(|claim| claim.missing);
    let rival = proof.rival.as_ref().and_then(|rival| rival.parse().ok()).map(|cause| wording.cause(cause));
    let args = Args::new()
        .text("cause", wording.cause(proof.cause))
        .text("before", units.seconds(proof.captured_s))
        .text("predicted", predicted(wording, proof))
        .text("measured", seconds(&proof.fixed))
        .text("rebuilt", seconds(&proof.rebuilt))
        .text("rival", rival.unwrap_or_else(|| wording.catalogue().word("prove-shown")))
        .text(
            "trace",
            trace.map_or_else(String::new, |trace| wording.catalogue().word(&format!("prove-trace-{}", trace.id()))),
        );
    wording.catalogue().text(&id, &args)
}

/// `694 ms`, or how much it becomes at best.
fn predicted(wording: Wording<'_>, proof: &Proof) -> String {
    let seconds = |seconds: f64| wording.units().seconds(seconds);
    let at_best = |low: f64| wording.catalogue().text("prove-at-best", &Args::new().text("seconds", seconds(low)));
    proof.predicted_s.map(seconds).or(proof.predicted_low_s.map(at_best)).unwrap_or_default()
}

fn verdict(wording: Wording<'_>, measured: &Measured) -> String {
    measured.verdict.parse().map_or_else(|_| wording.catalogue().word("score-limit-none"), |cause| wording.cause(cause))
}

/// `+5 %`
fn signed(wording: Wording<'_>, error: f64) -> String {
    let sign = if error < 0.0 { "−" } else { "+" };
    format!("{sign}{}", wording.units().share(error.abs()))
}

/// The scenario in one line: names of options and settings, and their values.
fn situation(wording: Wording<'_>, scenario: &Scenario) -> String {
    let units = wording.units();
    let mut parts = vec![format!("RTT {}", units.seconds(scenario.link.rtt.seconds()))];
    parts.extend(scenario.link.rate.map(|rate| units.bits_per_second(rate.0 as f64)));
    let named = |id: &str, value: String| wording.catalogue().text(id, &Args::new().text("value", value));
    parts.extend(scenario.link.queue.map(|queue| named("prove-part-queue", units.bytes(queue.0))));
    parts.extend(scenario.link.forward.loss.map(|loss| named("prove-part-loss", units.share(loss.0))));
    let lost = scenario.link.forward.lose_data.len();
    if lost > 0 {
        parts.push(wording.catalogue().text("prove-part-lost-frames", &Args::new().number("count", lost as u64)));
    }
    parts.extend(scenario.sender.initcwnd.map(|segments| format!("initcwnd {segments}")));
    if scenario.sender.congestion_control != EndSpec::default().congestion_control {
        parts.push(scenario.sender.congestion_control.clone());
    }
    parts.extend(scenario.link.forward.policer.map(|policer| {
        let args = Args::new()
            .text("rate", units.bits_per_second(policer.rate.0 as f64))
            .text("burst", units.bytes(policer.burst.0));
        wording.catalogue().text("prove-part-policer", &args)
    }));
    for (end, name) in [(&scenario.sender, "SO_SNDBUF"), (&scenario.receiver, "SO_RCVBUF")] {
        let EndSpec { sndbuf, rcvbuf, sysctl, .. } = end;
        parts.extend(sndbuf.or(*rcvbuf).map(|bytes| format!("{name} {}", bytes.0)));
        parts.extend(sysctl.iter().map(|(name, value)| format!("{name} = {value}")));
    }
    match &scenario.work {
        Work::Stream(stream) => {
            if let Some(credit) = stream.credit {
                parts.push(named("prove-part-credit", units.bytes(credit.window.0)));
            }
            if stream.phases.len() > 1 {
                let args = Args::new().number("count", stream.phases.len() as u64);
                parts.push(wording.catalogue().text("prove-part-schedule", &args));
            }
            for phase in stream.phases.iter().take(1) {
                let rate = |rate: tcpwhy_scenario::BitRate| units.bits_per_second(rate.0 as f64);
                parts.extend(phase.write.rate.map(|r| named("prove-part-write-rate", rate(r))));
                parts.extend(phase.read.rate.map(|r| named("prove-part-read-rate", rate(r))));
                if let (Some(portion), Some(every)) = (phase.read.portion, phase.read.every) {
                    let args = Args::new()
                        .text("bytes", units.bytes(portion.0))
                        .text("seconds", units.seconds(every.seconds()));
                    parts.push(wording.catalogue().text("prove-part-read-stalls", &args));
                }
            }
        }
        Work::Turns(turns) => {
            let args = Args::new()
                .number("count", u64::from(turns.count))
                .text("wait", units.seconds(turns.think.seconds() + turns.service.seconds()));
            parts.push(wording.catalogue().text("prove-part-turns", &args));
        }
        Work::Talk(_) | Work::Application(_) => {}
    }
    parts.join(&wording.catalogue().word("list-separator"))
}
