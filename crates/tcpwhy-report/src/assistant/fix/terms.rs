//! Tests of each part of a finding that assistants get: swapping two, or moving a boundary, fails a test.

use tcpwhy_analysis::testing::finding;
use tcpwhy_model::{Basis, Claim, Estimate, EvidenceKey, FixPlace, Limit, Prediction, Severity};

use super::*;
use crate::{Catalogue, Language};

fn entry(finding: &model::Finding, total_seconds: f64) -> FindingEntry {
    FindingEntry::new(finding, total_seconds, Wording::new(&Catalogue::new(Language::English)), None)
}

/// A finding with `fixes` fixes, and five numbers.
fn found(rule: &'static str, fixes: usize) -> model::Finding {
    let mut found = finding(rule, Severity::Warning, fixes, None);
    let evidence = |value: u64| model::Evidence {
        key: EvidenceKey::RttUs,
        value: model::Value::from(value),
        basis: Basis::WireExact,
    };
    found.evidence = (1..=5).map(evidence).collect();
    found
}

#[test]
fn what_a_finding_says() {
    let mut found = found("send-buffer-plateau", 1);
    (found.confidence, found.seconds) = (0.7, Some(1.234_56));
    found.evidence[1].basis = Basis::WireInferred;
    found.prediction = Some(Prediction::by_formula(
        Estimate { value: 3.0, low: 2.0, high: 4.0, basis: Basis::WireInferred },
        Claim::Range,
        Limit::Path,
        "path-rate-seen",
    ));
    let entry = entry(&found, 10.0);
    let ids = (&*entry.rule, &*entry.severity, entry.ground);
    assert_eq!(ids, ("send-buffer-plateau", "warning", Ground::Inferred));
    let numbers = [entry.confidence, entry.seconds.unwrap_or_default()];
    assert!((numbers[0] - 0.7).abs() < 1e-9 && (numbers[1] - 1.235).abs() < 1e-9, "{numbers:?}");
    assert_eq!((entry.evidence.len(), entry.fixes.len()), (5, 1));
    assert_eq!((entry.evidence[0].ground, entry.evidence[1].ground), (Ground::Exact, Ground::Inferred));
    let prediction = entry.prediction.unwrap();
    let seconds = [Some(prediction.low_s), prediction.value_s, prediction.high_s];
    assert_eq!(seconds.map(|seconds| seconds.map(|seconds| seconds.round() as i64)), [Some(2), Some(3), Some(4)]);
    let ids = (&*prediction.claim, &*prediction.next_limit, prediction.times_at_most.round() as i64);
    assert_eq!(ids, ("range", "path", 5), "10 s instead of 2 s");
}

/// Shortening removes numbers beyond three first, then the lines of later fixes, then later fixes.
#[test]
fn a_finding_is_shortened_from_its_end() {
    let mut entry = entry(&found("send-buffer-plateau", 3), 10.0);
    for (n, fix) in entry.fixes.iter_mut().enumerate() {
        fix.lines = vec![format!("line of {n}"); 2];
    }
    let mut sizes = Vec::new();
    while entry.shorten() {
        let lines: Vec<_> = entry.fixes.iter().map(|fix| fix.lines.len()).collect();
        sizes.push((entry.evidence.len(), lines));
    }
    assert_eq!(
        sizes,
        [
            (4, vec![2, 2, 2]),
            (3, vec![2, 2, 2]),
            (3, vec![2, 1, 2]),
            (3, vec![2, 0, 2]),
            (3, vec![2, 0, 1]),
            (3, vec![2, 0, 0]),
            (3, vec![2, 0]),
            (2, vec![2, 0]),
            (1, vec![2, 0]),
            (0, vec![2, 0]),
            (0, vec![1, 0]),
            (0, vec![1]),
        ]
    );
}

#[test]
fn later_findings_are_shortened_first() {
    let mut all: Vec<_> = ["a", "b", "c"].map(|rule| entry(&found(rule, 0), 10.0)).into();
    let mut sizes = Vec::new();
    while shorten_findings(&mut all) {
        sizes.push(all.iter().map(|entry| entry.evidence.len()).collect::<Vec<_>>());
    }
    let first: Vec<_> = sizes.iter().take(3).cloned().collect();
    assert_eq!(first, [vec![5, 5, 4], vec![5, 5, 3], vec![5, 5, 2]], "the last one first");
    assert!(sizes.contains(&vec![5, 0, 0]) && sizes.contains(&vec![5, 0]), "then the one before, then the last goes");
    assert_eq!(sizes.last(), Some(&vec![0]), "the first one stays");
}

#[test]
fn a_fix_has_its_text_once() {
    let fix = |id| model::Fix::new(id, FixPlace::SendingApplication, Vec::new());
    let mut findings = [found("a", 0), found("b", 0)];
    findings[0].fixes = vec![fix("remove-so-sndbuf")];
    findings[1].fixes = vec![fix("remove-so-sndbuf"), fix("fix-mtu").as_rival()];
    let mut entries: Vec<_> = findings.iter().map(|finding| entry(finding, 10.0)).collect();
    tell_once(&mut entries);
    let texts: Vec<Vec<_>> =
        entries.iter().map(|entry| entry.fixes.iter().map(|fix| fix.text.is_empty()).collect()).collect();
    assert_eq!(texts, [vec![false], vec![true, false]]);
    let rivals: Vec<_> = entries[1].fixes.iter().map(|fix| fix.rival).collect();
    assert_eq!(rivals, [false, true]);
    assert_eq!((&*entries[1].fixes[0].id, &*entries[0].fixes[0].place), ("remove-so-sndbuf", "sending-application"));
    assert_eq!(MOST_LINES, 6);
}
