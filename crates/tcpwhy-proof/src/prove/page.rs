//! The proof in words.

use std::fmt::Write as _;

use tcpwhy_lab::Scenario;
use tcpwhy_lab::scenario::{EndSpec, Work};
use tcpwhy_model::Fix;
use tcpwhy_report::{Args, Wording};

use super::proof::{Measured, Proof};
use crate::results::doubt_id;

/// For the terminal.
pub(super) fn page(wording: Wording<'_>, proof: &Proof, scenario: &Scenario, fix: &Fix) -> String {
    let catalogue = wording.catalogue();
    let units = wording.units();
    let mut out = String::new();
    let mut line = |id: &str, args: Args| {
        let _ = writeln!(out, "{}", catalogue.text(id, &args));
    };
    line("prove-conclusion", Args::new().text("conclusion", conclusion(wording, proof)));
    line(
        "prove-captured",
        Args::new()
            .text("seconds", units.seconds(proof.captured_s))
            .text("bytes", units.bytes(proof.bytes))
            .text("cause", wording.cause(proof.cause)),
    );
    line("prove-rebuilt", Args::new().text("what", situation(wording, scenario)));
    if let (Some(rebuilt), Some(error), Some(is_faithful)) = (&proof.rebuilt, proof.rebuilt_error, proof.is_faithful) {
        let id = if is_faithful { "prove-rebuilt-took" } else { "prove-rebuilt-took-other" };
        line(id, measured(wording, rebuilt, proof.share_before).text("error", signed(wording, error)));
        if proof.has_same_limit == Some(false) {
            line("prove-other-verdict", Args::new().text("verdict", verdict(wording, rebuilt)));
        }
    }
    line("prove-fix", Args::new().text("fix", wording.fix(fix)));
    line(
        "prove-predicted",
        Args::new()
            .text("seconds", units.seconds(proof.predicted_s))
            .text("low", units.seconds(proof.predicted_low_s))
            .text("high", units.seconds(proof.predicted_high_s)),
    );
    if let (Some(fixed), Some(error)) = (&proof.fixed, proof.prediction_error) {
        let args = measured(wording, fixed, proof.share_after).text("error", signed(wording, error));
        line("prove-measured", args.text("verdict", verdict(wording, fixed)));
    }
    for (share, id) in [(proof.share_before, "prove-shortened-before"), (proof.share_after, "prove-shortened-after")] {
        if share < 1.0 {
            line(id, Args::new().text("share", units.share(share)));
        }
    }
    for doubt in [&proof.rebuilt, &proof.fixed].into_iter().flatten().flat_map(|measured| &measured.doubts) {
        line("prove-doubt", Args::new().text("doubt", wording.catalogue().word(doubt_id(*doubt))));
    }
    for assumption in &proof.assumptions {
        line(&format!("prove-assumed-{}", assumption.id()), Args::new());
    }
    out
}

fn conclusion(wording: Wording<'_>, proof: &Proof) -> String {
    let id = match (proof.is_faithful, proof.is_predicted, proof.is_in_range) {
        (None, ..) | (_, None, _) => "prove-only-rebuilt",
        (Some(false), ..) => "prove-not-faithful",
        (_, Some(true), _) => "prove-proved",
        (_, Some(false), Some(true)) => "prove-in-range",
        (_, Some(false), _) => "prove-disproved",
    };
    let args = Args::new()
        .text("before", wording.units().seconds(proof.captured_s))
        .text("predicted", wording.units().seconds(proof.predicted_s))
        .text("measured", proof.fixed.as_ref().map_or_else(String::new, |f| wording.units().seconds(f.seconds_of_all)))
        .text("rebuilt", proof.rebuilt.as_ref().map_or_else(String::new, |r| wording.units().seconds(r.seconds_of_all)))
        .text("error", signed(wording, proof.prediction_error.unwrap_or_default()));
    wording.catalogue().text(id, &args)
}

fn measured(wording: Wording<'_>, measured: &Measured, share: f64) -> Args {
    let seconds = if share < 1.0 { measured.seconds_of_all } else { measured.seconds };
    Args::new().text("seconds", wording.units().seconds(seconds))
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
            for phase in &stream.phases {
                let rate = |rate: tcpwhy_lab::scenario::BitRate| units.bits_per_second(rate.0 as f64);
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
        Work::Application(_) => {}
    }
    parts.join(&wording.catalogue().word("list-separator"))
}
