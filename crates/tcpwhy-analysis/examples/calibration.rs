//! Data for the calibration of confidence: transfers of the model, each with its true limit and the verdict.
//!
//! `cargo run --example calibration -- FIRST COUNT` prints a line of JSON for each of these random transfers.
//! It has the true and the estimated capture point, whether round trips can be measured, and the verdict. For
//! each hypothesis it has three values: whether its time is the verdict's, the share of the span that it
//! decided, and the share in which its limit was true. `tools/calibrate.py` makes the table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tcpwhy_analysis::{Analyzer, HalfConnection};
use tcpwhy_model::{Cause, Family, Limit, Span};
use tcpwhy_testkit::{Told, Transfer, random};

/// A family whose share is below the largest by at most this is an equally good answer.
const NEARLY: f64 = 0.15;

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [first, count] = numbers[..] else {
        eprintln!("calibration FIRST COUNT");
        std::process::exit(2);
    };
    for seed in first..first + count {
        let transfer = random(seed);
        let told = transfer.tell();
        if let Some(half) = analysed(&told) {
            println!("{}", line(&transfer, &told, &half));
        }
    }
}

fn analysed(told: &Told) -> Option<HalfConnection> {
    let mut analyzer = Analyzer::new();
    for segment in &told.segments {
        analyzer.observe(segment);
    }
    let halves = analyzer.finish().into_iter().flat_map(|connection| connection.halves);
    halves.max_by_key(|half| half.bytes)
}

fn line(transfer: &Transfer, told: &Told, half: &HalfConnection) -> String {
    let all = told.span();
    let mut decided: BTreeMap<(&str, &str), (bool, i64, i64)> = BTreeMap::new();
    let verdict = half.verdict.cause;
    let family = verdict.and_then(Cause::family);
    for interval in half.limits.intervals() {
        let end = interval.span.end().min(all.end()).max(all.start());
        let span = Span::new(interval.span.start().max(all.start()), end.max(interval.span.start()));
        let (cause, reason) = (interval.cause, interval.why.map_or("none", |why| why.reason.id()));
        if cause.limit == Limit::Handshake || span.nanos() <= 0 {
            continue;
        }
        let (is_verdict, nanos, right) = decided.entry((reason, cause.limit.id())).or_default();
        *is_verdict |= family.is_some() && cause.family() == family;
        *nanos += span.nanos();
        *right += told.nanos_of(span, cause.limit);
    }
    let of = |nanos: i64| nanos as f64 / half.span.nanos().max(1) as f64;
    let parts: Vec<String> = decided
        .iter()
        .map(|((reason, limit), (is_verdict, nanos, right))| {
            format!("[\"{reason}\",\"{limit}\",{is_verdict},{:.5},{:.5}]", of(*nanos), of(*right))
        })
        .collect();
    let (at, vantage, is_untimed) = (transfer.capture, half.vantage, half.is_untimed());
    let mut out = format!("{{\"at\":\"{at:?}\",\"vantage\":\"{vantage:?}\",\"is_untimed\":{is_untimed}");
    if let Some(cause) = verdict {
        let share = of(half.limits.sum(|other| other.family() == family).0);
        let (said, is_right) = (half.verdict.confidence, is_right(transfer, told, cause));
        let _ =
            write!(out, ",\"limit\":\"{}\",\"said\":{said:.4},\"share\":{share:.4},\"right\":{is_right}", cause.limit);
    }
    let _ = write!(out, ",\"decided\":[{}]}}", parts.join(","));
    out
}

/// Whether the family of `cause` was the limit for the most time, or nearly. Slow start may yield to a
/// removable limit.
fn is_right(transfer: &Transfer, told: &Told, cause: Cause) -> bool {
    let has_losses = told.share(Limit::LossRecovery) > 0.0;
    let family = |limit: Limit| match limit {
        // For a pacing sender that grows its window by its estimate, the two limits are one.
        Limit::SlowStart if transfer.estimates_path => Some(Family::CongestionWindow),
        // A consequence of a loss counts as loss.
        Limit::CongestionWindow if has_losses => Some(Family::Loss),
        limit => Cause::plain(limit).family(),
    };
    let share = |wanted: Family, slow_start: f64| -> f64 {
        let weight = |limit| if limit == Limit::SlowStart { slow_start } else { 1.0 };
        let of_it = Limit::ALL.into_iter().filter(|&limit| family(limit) == Some(wanted));
        of_it.map(|limit| told.share(limit) * weight(limit)).sum()
    };
    let Some(said) = cause.family() else { return false };
    let said = match said {
        Family::CongestionWindow if has_losses => Family::Loss,
        Family::SlowStart if transfer.estimates_path => Family::CongestionWindow,
        other => other,
    };
    [0.5, 1.0].into_iter().any(|slow_start| {
        let most = Limit::ALL.into_iter().filter_map(family).map(|other| share(other, slow_start)).fold(0.0, f64::max);
        share(said, slow_start) >= most - NEARLY
    })
}
