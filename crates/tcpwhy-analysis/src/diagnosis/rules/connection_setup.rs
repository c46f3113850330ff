//! A connection was opened for little data and closed again, and its handshake took much of its time.
//!
//! A handshake costs a round trip (RFC 9293 §3.5), which a reused connection pays once. The time for TLS is
//! not counted: without decryption, its messages look like requests.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::exact;
use crate::diagnosis::facts::ConnectionFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Ending;

pub(super) static RULE: Rule =
    Rule { id: "connection-setup", limits: &[], severity: Severity::Info, detect: Detect::Connection(detect) };

/// The handshake was captured. Whether the client could have kept the connection is unknown.
const CONFIDENCE: f64 = 0.9;

/// Minimum share of the time. With one immediate answer, opening is half of the time; with two, a third.
const LEAST_SHARE: f64 = 0.3;
/// Minimum time for opening, nanoseconds. Users do not notice less than 0.1 s (Miller, "Response time in
/// man-computer conversational transactions", 1968).
const LEAST_NANOS: i64 = 100_000_000;
/// Maximum number of segments. More than an initial window (RFC 6928) is a transfer.
const MOST_SEGMENTS: u64 = 10;

fn detect(facts: &ConnectionFacts<'_>) -> Option<Finding> {
    let handshake = facts.handshake?;
    let is_little = facts.halves.iter().all(|h| h.mss.is_some_and(|mss| h.bytes <= MOST_SEGMENTS * mss));
    // An open connection may be used again.
    if facts.ending == Ending::Open || facts.bytes.contains(&0) || !is_little || handshake.nanos() < LEAST_NANOS {
        return None;
    }
    let end = facts.halves.iter().map(|h| h.span.end()).max()?;
    let share = handshake.nanos() as f64 / (end.as_nanos() - handshake.start().as_nanos()).max(1) as f64;
    if share <= LEAST_SHARE || share > 1.0 {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(handshake.seconds());
    finding.evidence.push(exact(EvidenceKey::SetupUs, handshake.nanos() / 1000));
    finding.evidence.push(exact(EvidenceKey::SetupShare, share));
    finding.evidence.push(exact(EvidenceKey::DataBytes, facts.bytes.iter().sum::<u64>()));
    finding.fixes = vec![tcpwhy_advice::reuse_connection()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Transfer, Turns, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    const ONE: Turns =
        Turns { count: 1, request: 100, answer: 500, rtt: 150_000_000, think: 0, rest: 0, is_nagled: false };

    #[test]
    fn one_request_far_away() {
        let finding = fires(RULE.id, &ONE.run());
        assert!((149_000.0..152_000.0).contains(&number(&finding, "setup_us")), "{finding:?}");
        assert!((0.45..0.51).contains(&number(&finding, "setup_share")), "{finding:?}");
        assert!((number(&finding, "data_bytes") - 600.0).abs() < 0.1, "{finding:?}");
        assert_eq!(finding.severity, Severity::Info);
    }

    #[test]
    fn connections_that_are_used_near_or_kept() {
        is_silent(RULE.id, &Turns { count: 5, ..ONE }.run());
        is_silent(RULE.id, &Turns { rtt: ms(50), ..ONE }.run());
        is_silent(RULE.id, &Turns { think: ms(400), ..ONE }.run());
        is_silent(RULE.id, &Turns { answer: 30_000, ..ONE }.run());
        let open: Vec<_> = ONE.run().into_iter().filter(|s| s.number < 7).collect();
        is_silent(RULE.id, &open);
        is_silent(RULE.id, &Transfer { rtt: ms(150), ..Transfer::default() }.run());
    }
}
