//! Tests that each hypothesis is needed. Without it, the analysis of some transfer is less accurate or less
//! complete.

pub(in crate::infer) mod table;

use std::collections::BTreeSet;

use tcpwhy_model::{Cause, Decider, Limit, Reason, Segment};
use tcpwhy_testkit::{CLIENT, Told, Transfer, alter};

use self::table::{Lost, NAMED, needs};
use super::direction::DIRECTION;
use super::gap::GAP;
use super::of_facts::of_fact;
use super::registry::without;
use super::scope::OFFER_UNKNOWN;
use super::slot::SLOT;
use super::window::WINDOW;
use crate::facts::gap_fact::GapFact;
use crate::{Analyzer, HalfConnection};

/// Minimum loss without a hypothesis, as a share of all time.
const LEAST: f64 = 0.03;

/// Limits of the model's transfer that needs the hypothesis `name`, and its packets as captured.
fn drawn(name: &str, transfer: &Transfer) -> (Told, Vec<Segment>) {
    let told = transfer.tell();
    let segments = match name {
        "acks_not_captured" => alter::one_sided(&told.segments, CLIENT),
        OFFER_UNKNOWN => alter::joined_at(&told.segments, told.segments[told.segments.len() / 3].timestamp),
        _ => told.segments.clone(),
    };
    (told, segments)
}

/// The packets of the transfer that needs the hypothesis `name`.
pub(in crate::infer) fn packets(name: &str) -> Vec<Segment> {
    let (_, _, transfer) = needs().into_iter().find(|need| need.0 == name).expect("a row in needs()");
    drawn(name, &transfer).1
}

/// Result for the direction with the most bytes.
pub(in crate::infer) fn concluded(segments: &[Segment]) -> HalfConnection {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    analyzer.finish().into_iter().flat_map(|c| c.halves).max_by_key(|h| h.bytes).unwrap()
}

/// Share of time that agrees with the model, and the result.
fn conclude(name: &str, transfer: &Transfer) -> (f64, HalfConnection) {
    let (told, segments) = drawn(name, transfer);
    let half = concluded(&segments);
    let all = half.span.nanos() - half.limits.nanos_of(Limit::Handshake);
    let found = |l| half.limits.nanos_of(l) as f64 / all.max(1) as f64;
    let limits = Limit::ALL.into_iter().filter(|&l| l != Limit::Handshake);
    (limits.map(|l| told.share(l).min(found(l))).sum(), half)
}

/// Largest share of time under one cause, or with one alternative, by which the results differ.
fn difference(a: &HalfConnection, b: &HalfConnection) -> f64 {
    let totals = [a, b].map(|half| half.limits.totals());
    let causes = totals.iter().flatten().map(|t| t.cause);
    let under = |half: &HalfConnection, cause| half.limits.nanos_of_cause(cause);
    let doubts = [a, b].map(|half| half.limits.ambiguous());
    let pairs = doubts.iter().flatten().map(|&(limit, other, decider, _)| (limit, other, decider));
    let in_doubt =
        |all: &[(Limit, Limit, Decider, i64)], pair| all.iter().find(|d| (d.0, d.1, d.2) == pair).map_or(0, |d| d.3);
    let of_causes = causes.map(|cause| under(a, cause) - under(b, cause));
    let of_doubts = pairs.map(|pair| in_doubt(&doubts[0], pair) - in_doubt(&doubts[1], pair));
    let most = of_causes.chain(of_doubts).map(i64::abs).max().unwrap_or(0);
    most as f64 / a.span.nanos().max(1) as f64
}

pub(in crate::infer) fn names() -> Vec<&'static str> {
    let gaps = GAP.iter().map(|h| h.name());
    let slots = SLOT.iter().map(|h| h.name());
    let windows = WINDOW.iter().map(|h| h.name());
    gaps.chain(slots).chain(windows).chain([OFFER_UNKNOWN]).collect()
}

/// Each hypothesis needs a transfer, and each transfer's hypothesis must be in a list.
#[test]
fn every_hypothesis_has_a_transfer_that_needs_it() {
    let needs = needs();
    let [listed, needed] = [names(), needs.iter().map(|need| need.0).collect()].map(BTreeSet::from_iter);
    let (without, unlisted): (Vec<_>, Vec<_>) =
        (listed.difference(&needed).collect(), needed.difference(&listed).collect());
    assert!(without.is_empty() && unlisted.is_empty(), "no transfer for {without:?}; in no list: {unlisted:?}");
    assert_eq!((names().len(), needs.len()), (listed.len(), listed.len()), "names are unique");
}

/// Each reason is given by exactly one hypothesis or fact.
#[test]
fn each_reason_is_given_by_one_hypothesis_or_fact() {
    let of_facts = GapFact::ALL.map(|fact| of_fact(fact).1.id());
    let facts: BTreeSet<_> = of_facts.into_iter().collect();
    let directions = DIRECTION.iter().map(|h| h.name());
    // Another condition distinguishes a mark from a loss, so this reason has no hypothesis of its own.
    let apart = [Reason::WindowGrowsBackAfterMark.id()];
    let mut given: Vec<_> = names().into_iter().chain(directions).chain(apart).collect();
    // A zero window shows with and without data, so both a fact and a hypothesis give this reason.
    given.extend(facts.into_iter().filter(|&fact| fact != Reason::WindowZero.id()));
    let referred =
        ["told_by_gap", "window_full", "between_closings", "stands_at_edge", "window_under_pacer", OFFER_UNKNOWN];
    given.retain(|name| !referred.contains(name));
    given.sort_unstable();
    let mut all: Vec<_> = Reason::ALL.iter().map(|reason| reason.id()).collect();
    all.sort_unstable();
    assert_eq!(given, all);
}

#[test]
fn without_any_of_them_something_is_told_otherwise() {
    let mut needless = Vec::new();
    for (name, lost, transfer) in needs() {
        let (right, with) = conclude(name, &transfer);
        let (right_without, without) = without(name, || conclude(name, &transfer));
        let share = match lost {
            Lost::Truth => right - right_without,
            Lost::Form => difference(&with, &without),
        };
        if share < LEAST {
            needless.push((name, lost, share));
        }
    }
    assert!(needless.is_empty(), "nothing is lost without {needless:?}: one asked before decides, or it never holds");
}

fn cause_name(cause: Cause) -> String {
    let detail = cause.detail.map(|d| format!("/{}", d.id())).unwrap_or_default();
    format!("{}{detail}", cause.limit.id())
}

#[test]
fn hypotheses_about_gaps_and_windows_name_their_causes() {
    let listed = GAP.iter().map(|h| h.name()).chain(WINDOW.iter().map(|h| h.name()));
    assert_eq!(NAMED.map(|(name, _)| name).to_vec(), listed.collect::<Vec<_>>(), "each, in the order of its list");
    let needs = needs();
    for (name, cause) in NAMED {
        let (_, _, transfer) = needs.iter().find(|need| need.0 == name).expect("a row in needs()");
        let share = |half: &HalfConnection| {
            let mine = half.limits.totals().into_iter().filter(|total| cause_name(total.cause) == cause);
            mine.map(|total| half.limits.nanos_of_cause(total.cause)).sum::<i64>() as f64 / half.span.nanos() as f64
        };
        let (with, without) = (conclude(name, transfer).1, without(name, || conclude(name, transfer).1));
        let gained = share(&with) - share(&without);
        assert!(gained >= LEAST, "{name} puts {gained:.3} of the time under {cause}");
    }
}

/// The reason of an interval is that of the hypothesis for its cause.
#[test]
fn intervals_say_what_decided_them() {
    let (name, _, transfer) = needs().into_iter().find(|n| n.0 == "own_rhythm").unwrap();
    let (_, half) = conclude(name, &transfer);
    let longest = half.limits.intervals().iter().max_by_key(|i| i.span.nanos()).unwrap();
    assert_eq!(longest.why.map(|w| w.reason), Some(Reason::OwnRhythm));
    assert!(half.limits.intervals().iter().all(|i| i.why.is_some()));
}
