//! Simulates transfers whose duration on a real kernel in virtual time is known, and says how far off it is.
//!
//! `grid FOLDER [NAME]` reads `FOLDER/*.truth.json`. With `grid FOLDER NAME WITHOUT` it prints the packets of
//! one run at the sender instead, as a capture would show them; `WITHOUT` is a cause, or `none`.

#![allow(clippy::unwrap_used, reason = "a tool for who develops this: it says what it cannot read")]

mod plan;

use std::fs;

use serde_json::Value;
use tcpwhy_sim::{Outcome, World};

use plan::plan;

/// Runs with random loss are drawn so many times: which packets are lost is not known.
const DRAWS: u64 = 40;

fn simulate(scenario: &Value, without: Option<&str>, seed: u64) -> Option<Outcome> {
    World::new(&plan(scenario, without, seed)?).run().map_err(|error| println!("  {error}")).ok()
}

/// How a run compares with its truth.
struct Compared {
    error: f64,
    is_random: bool,
    is_covered: bool,
}

fn compare(name: &str, scenario: &Value, without: Option<&str>, real: f64) -> Option<Compared> {
    let is_random = scenario["loss"].as_f64().unwrap_or(0.0) > 0.0 && !matches!(without, Some("loss" | "all"));
    let draws = if is_random { DRAWS } else { 1 };
    let outcomes: Vec<Outcome> = (1..=draws).filter_map(|seed| simulate(scenario, without, seed)).collect();
    let mut times: Vec<f64> = outcomes.iter().map(|outcome| outcome.duration as f64 / 1e9).collect();
    times.sort_by(f64::total_cmp);
    let (first, outcome) = (times.first()?, outcomes.first()?);
    let last = times.last()?;
    let error = times[times.len() / 2] / real - 1.0;
    let is_covered = (0.97 * first..=1.03 * last).contains(&real);
    let range = if is_random {
        format!("{first:.3} to {last:.3} s{}", if is_covered { "" } else { ", not covered" })
    } else {
        let held: Vec<_> = outcome.held.all().iter().take(2).map(|(limit, _)| limit.to_string()).collect();
        held.join(", ")
    };
    println!(
        "{:+7.1} %  {name:9} {:7} {:.4} s, truth {real:.4} s, {} again, {} timeouts, {} dropped; {range}",
        100.0 * error,
        without.unwrap_or("-"),
        times[times.len() / 2],
        outcome.sockets[0].retransmitted,
        outcome.sockets[0].timeouts,
        outcome.links[0].drops.queue,
    );
    Some(Compared { error: error.abs(), is_random, is_covered })
}

fn summary(what: &str, all: &[Compared], is_random: bool) {
    let mut errors: Vec<f64> = all.iter().filter(|one| one.is_random == is_random).map(|one| one.error).collect();
    errors.sort_by(f64::total_cmp);
    let Some(median) = errors.get(errors.len() / 2) else { return };
    let within = |bound: f64| errors.iter().filter(|error| **error <= bound).count();
    let covered = all.iter().filter(|one| one.is_random == is_random && one.is_covered).count();
    println!(
        "{what}: {} runs, median {:.2} %, {} within 3 %, {} within 10 %, {covered} covered",
        errors.len(),
        100.0 * median,
        within(0.03),
        within(0.1)
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap();
    let wanted = arguments.next();
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".truth.json"));
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().trim_end_matches(".truth.json").to_owned();
        if wanted.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let truth: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let scenario = &truth["scenario"];
        all.extend(compare(&name, scenario, None, truth["duration_s"].as_f64().unwrap()));
        for (cause, real) in truth["without_s"].as_object().unwrap() {
            all.extend(real.as_f64().and_then(|real| compare(&name, scenario, Some(cause), real)));
        }
    }
    summary("without random loss", &all, false);
    summary("with random loss", &all, true);
}
