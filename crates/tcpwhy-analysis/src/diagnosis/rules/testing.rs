//! Helpers for the fixtures of rules.

use std::fmt::Write as _;

use tcpwhy_model::{Cause, Finding, LimitTimeline, Segment, Severity, TimelineBuilder, Timestamp, Value, WindowScale};
use tcpwhy_testkit::{has_sentence, script};

use crate::Analyzer;
use crate::diagnosis::facts::HalfFacts;
use crate::facts::half::Counts;
use crate::facts::half::grains::{Grains, Longest};
use crate::infer::bottleneck::Bottleneck;
use crate::infer::moved::Moved;
use crate::infer::summary::Summary;
use crate::outcome::{Connection, Ending, Meanwhile, Role, Vantage, Verdict};
use crate::seen::{HopLimits, UndeliveredCounts};

/// Each round trip fills the window. The first window has `first` bytes, and each next one `percent` % of the
/// previous one. So the right edge advances by `percent` % of the acknowledged bytes.
pub(super) fn filled_windows(first: u32, percent: u32, rounds: u32) -> Vec<Segment> {
    let mut text = format!(
        "0.000 > S 0:0(0) win 65535 <mss 1000,wscale 7>
            0.020 < S. 0:0(0) ack 1 win {first} <mss 1000,wscale 0>
            0.020 > . 1:1(0) ack 1"
    );
    let (mut next, mut window) = (1, first);
    for round in 0..rounds {
        let mut sent = 0;
        while sent < window {
            let (from, len) = (next + sent, (window - sent).min(1000));
            let _ = write!(text, "\n0.{:03} > . {from}:{}({len}) ack 1", 21 + 20 * round, from + len);
            sent += len;
        }
        next += window;
        window = window * percent / 100;
        let _ = write!(text, "\n0.{:03} < . 1:1(0) ack {next} win {window}", 41 + 20 * round);
    }
    script(&text).segments
}

/// All findings of the rule about these packets. Tests that each finding, also of other rules, has a
/// sentence.
#[track_caller]
pub(super) fn findings(rule: &str, segments: &[Segment]) -> Vec<Finding> {
    let all: Vec<_> = connections(segments)
        .into_iter()
        .flat_map(|c| c.halves.into_iter().flat_map(|h| h.findings).chain(c.findings).collect::<Vec<_>>())
        .collect();
    all.iter().for_each(has_sentence);
    all.into_iter().filter(|f| f.rule == rule).collect()
}

pub(super) fn connections(segments: &[Segment]) -> Vec<Connection> {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    analyzer.finish()
}

/// The rule's first finding about these packets.
#[track_caller]
pub(super) fn fires(rule: &str, segments: &[Segment]) -> Finding {
    let all = findings(rule, segments);
    all.into_iter().next().unwrap_or_else(|| panic!("{rule} is silent:\n{}", summary(segments)))
}

/// Tests that the rule has no finding about these packets.
#[track_caller]
pub(super) fn is_silent(rule: &str, segments: &[Segment]) {
    assert_eq!(findings(rule, segments), [], "{rule} speaks:\n{}", summary(segments));
}

fn summary(segments: &[Segment]) -> String {
    let mut lines = Vec::new();
    for c in connections(segments) {
        for h in &c.halves {
            let totals: Vec<_> =
                h.limits.totals().iter().map(|t| format!("{} {:.3}", t.cause, t.nanos as f64 / 1e9)).collect();
            let rules: Vec<_> = h.findings.iter().map(|f| f.rule).collect();
            let verdict = h.verdict.cause.map(|c| c.to_string());
            lines.push(format!("  {:?} {verdict:?} {totals:?} {rules:?}", h.sender));
        }
        lines.push(format!("  {:?} {:?}", c.ending, c.findings.iter().map(|f| f.rule).collect::<Vec<_>>()));
    }
    lines.join("\n")
}

/// A number in the evidence of a finding.
#[track_caller]
pub(super) fn number(finding: &Finding, name: &str) -> f64 {
    let evidence = finding.evidence.iter().find(|e| e.key.id() == name);
    match evidence.map(|e| &e.value) {
        Some(Value::Integer(i)) => *i as f64,
        Some(Value::Real(r)) => *r,
        other => panic!("{name} is {other:?} in {finding:?}"),
    }
}

/// Ids of a finding's fixes.
pub(super) fn fixes(finding: &Finding) -> Vec<&'static str> {
    finding.fixes.iter().map(|f| f.id).collect()
}

/// Stretches of these nanoseconds under these causes.
pub(crate) fn timeline(parts: &[(i64, Cause)]) -> LimitTimeline {
    let mut timeline = TimelineBuilder::new(Timestamp::ZERO);
    for &(nanos, cause) in parts {
        let end = timeline.end().as_nanos() + nanos;
        timeline.push(Timestamp::from_nanos(end), cause, 0.9, None);
    }
    timeline.finish()
}

/// Summary of a direction of 1 MB over 20 ms with this timeline.
pub(crate) fn summed_up(limits: LimitTimeline) -> Summary {
    let counts = Counts { bytes: 1_000_000, segments: 700, largest_payload: 1448, ..Counts::default() };
    let some = |value| Some(tcpwhy_model::Distribution { min: value, median: value, p95: value, max: value });
    Summary {
        limits,
        moved: Moved::default(),
        counts,
        vantage: Vantage::Sender,
        mss: 1448,
        window_scale: WindowScale::Unknown,
        rtt_min: Some(20_000_000),
        rtt: some(20_000_000),
        flight: some(64_000),
        window: some(1_000_000),
        largest_window: 1_000_000,
        trains: None,
        served: 0.0,
        closest: 0.0,
        best_delivery: 0.0,
        is_window_closed: false,
        is_taken: true,
        is_cut_short: false,
        zero_window_longest: 0,
        zero_window_stalls: 0,
        timeout_silence: Grains::default(),
        longest_ack: Longest::default(),
        pause_longest: Grains::default(),
        pauses: 0,
        turns: 0,
        heartbeat: None,
        held_writes: 0,
        spurious_segments: 0,
        is_unasked: false,
        is_echo: false,
        fast_recoveries: 0,
        timeouts: 0,
        vanished: None,
        bottleneck: Bottleneck::Unknown,
        is_window_next: false,
        is_grant_next: false,
        loss_line: None,
        progress: None,
        transfer: None,
        to_receiver: None,
        words: None,
        to_sender: Grains::MOST,
    }
}

/// Facts of a direction that spent ten seconds under `cause` alone, over 20 ms.
pub(super) fn with_facts<T>(cause: Cause, look: impl FnOnce(&HalfFacts<'_>) -> T) -> T {
    with_facts_of(&summed_up(timeline(&[(10_000_000_000, cause)])), cause, look)
}

/// Facts of this direction, with a verdict on `cause`.
pub(crate) fn with_facts_of<T>(half: &Summary, cause: Cause, look: impl FnOnce(&HalfFacts<'_>) -> T) -> T {
    let verdict = Verdict {
        cause: Some(cause),
        confidence: 0.9,
        seconds: 10.0,
        severity: Some(Severity::Critical),
        alternative: None,
        reason: None,
        meanwhile: Meanwhile::default(),
        flips: None,
    };
    look(&HalfFacts {
        half,
        verdict: &verdict,
        role: Role::Server,
        exchange_role: Role::Server,
        sender_syn: None,
        receiver_syn: None,
        syn_repeats: 0,
        ignored_syns: 0,
        ending: Ending::Closed,
        peer_bytes: 0,
        probes: 0,
        blackout: None,
        silence: None,
        is_forgotten: false,
        has_died_in_closed_window: false,
        hole: None,
        has_wrong_checksums: false,
        signs: None,
        hop_limits: [HopLimits::default(); 2],
        undelivered: UndeliveredCounts::default(),
        has_exchanges: false,
        grants: false,
        ports: [0; 2],
        is_within_host: false,
    })
}

/// Tests that the rule has a finding if all time was under `cause`.
#[track_caller]
pub(super) fn explains(detect: fn(&HalfFacts<'_>) -> Option<Finding>, cause: impl Into<Cause>) -> Finding {
    let cause = cause.into();
    let finding = with_facts(cause, detect).unwrap_or_else(|| panic!("silent about {cause}"));
    assert!(finding.severity >= Severity::Info && finding.seconds.is_some_and(|s| s > 9.9));
    finding
}
