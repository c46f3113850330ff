//! After a pause longer than the retransmission timeout the sender began again with a small window (RFC 5681 §4.1; Linux:
//! `tcp_cwnd_restart` halves the window for every timeout that passed, unless `tcp_slow_start_after_idle` is 0).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "idle-restart", limits: &[Limit::SlowStart], severity: Severity::Warning, detect: Detect::Half(detect) };

/// A program that sends little after a rest looks alike.
const CONFIDENCE: f64 = 0.75;

/// The least retransmission timeout of Linux, nanoseconds.
const LEAST_PAUSE: i64 = 200_000_000;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let rtt = facts.rtt_typical()? as i64;
    let is_pause = |detail: Option<Detail>| matches!(detail, Some(Detail::Idle | Detail::Think | Detail::PeerTurn));
    let (mut restarts, mut cost, mut pause, mut has_sent) = (0_u64, 0, 0, false);
    for interval in facts.half.limits.intervals() {
        let nanos = interval.span.nanos();
        if is_pause(interval.cause.detail) {
            pause += nanos;
        } else {
            // One round trip would have passed with an open window, too.
            if interval.cause.limit == Limit::SlowStart && pause >= LEAST_PAUSE && has_sent && nanos * 10 >= rtt * 22 {
                restarts += 1;
                cost += nanos - rtt;
            }
            has_sent |= interval.cause.limit != Limit::Handshake;
            pause = 0;
        }
    }
    let seconds = cost as f64 / 1e9;
    if restarts < 2 || facts.share(seconds) < 0.05 {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(seconds);
    finding.evidence.push(inferred(EvidenceKey::RestartCount, restarts));
    finding.evidence.extend(facts.typical_rtt_evidence());
    if let Some(flight) = facts.half.flight {
        finding.evidence.push(inferred(EvidenceKey::FlightMaxBytes, flight.max));
    }
    finding.fixes = vec![tcpwhy_advice::disable_idle_restart()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Distribution};
    use tcpwhy_testkit::{Transfer, Writer, ms};

    use super::super::testing::{fires, is_silent, number, summed_up, timeline, with_facts_of};
    use super::*;
    use crate::infer::summary::Summary;

    fn bursts(restarts_after_idle: bool) -> Transfer {
        Transfer {
            bytes: 4_000_000,
            rtt: ms(50),
            writer: Writer::Bursts { bytes: 800_000, pause: ms(600) },
            restarts_after_idle,
            ..Transfer::default()
        }
    }

    #[test]
    fn every_burst_starts_slowly() {
        let finding = fires(RULE.id, &bursts(true).run());
        assert!((3.0..=4.0).contains(&number(&finding, "restart_count")), "{finding:?}");
        assert!(finding.seconds.is_some_and(|s| (0.3..1.2).contains(&s)), "{finding:?}");
    }

    /// A slow start after a pause is a restart once something but the handshake was sent.
    #[test]
    fn only_who_has_sent_begins_again() {
        const SECOND: i64 = 1_000_000_000;
        let (idle, start) = (Cause::from(Detail::Idle), Cause::plain(Limit::SlowStart));
        let restarts = |first: Cause, pause: i64| {
            let parts = [(SECOND, first), (pause, idle), (SECOND, start), (pause, idle), (SECOND, start)];
            let half = Summary {
                rtt: Some(Distribution { min: 20, median: 20_000_000, p95: 20_000_000, max: 20_000_000 }),
                ..summed_up(timeline(&parts))
            };
            with_facts_of(&half, start, |facts| detect(facts).map(|finding| number(&finding, "restart_count") as u64))
        };
        assert_eq!(restarts(start, SECOND), Some(2));
        assert_eq!(restarts(Cause::plain(Limit::Handshake), SECOND), None, "the first data");
        assert_eq!(restarts(start, 200_000_000), Some(2), "LEAST_PAUSE");
        assert_eq!(restarts(start, 199_999_999), None, "LEAST_PAUSE");
    }

    #[test]
    fn the_window_is_kept() {
        is_silent(RULE.id, &bursts(false).run());
    }
}
