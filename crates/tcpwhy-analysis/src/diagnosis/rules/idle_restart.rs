//! After a pause longer than the retransmission timeout, the sender restarted with a small window (RFC 5681
//! §4.1). On Linux, `tcp_cwnd_restart` halves the window for every timeout that passed, unless
//! `tcp_slow_start_after_idle` is 0.

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::prediction::without_seconds;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "idle-restart", limits: &[Limit::SlowStart], severity: Severity::Warning, detect: Detect::Half(detect) };

/// A program that sends little after a pause looks the same.
const CONFIDENCE: f64 = 0.75;

/// Minimum retransmission timeout of Linux, nanoseconds.
const LEAST_PAUSE: i64 = 200_000_000;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let rtt = facts.rtt_typical()? as i64;
    let Ramps { count, nanos } = Ramps::of(facts, rtt);
    let kept = kept(facts, nanos, count, rtt);
    let cost = nanos as f64 - kept;
    let seconds = cost / 1e9;
    if count < 2 || facts.share(seconds) < 0.05 {
        return None;
    }
    let each = |nanos: f64| (nanos / f64::from(count) / 1e3) as u64;
    let mut finding = note(&RULE, CONFIDENCE);
    finding.seconds = Some(seconds);
    finding.evidence.push(inferred(EvidenceKey::RestartCount, count));
    finding.evidence.push(inferred(EvidenceKey::RampUs, each(nanos as f64)));
    finding.evidence.push(inferred(EvidenceKey::KeptRampUs, each(kept)));
    finding.evidence.extend(facts.typical_rtt_evidence());
    if let Some(flight) = facts.half.flight {
        finding.evidence.push(inferred(EvidenceKey::FlightMaxBytes, flight.max));
    }
    // Only Linux has that setting.
    if facts.hop_limits[0].may_be_linux() {
        finding.fixes = vec![tcpwhy_advice::disable_idle_restart()];
        finding.prediction = Some(without_seconds(facts.seconds(), seconds, Limit::SlowStart));
    }
    Some(finding)
}

/// Slow start after pauses.
struct Ramps {
    count: u32,
    /// Sum of their durations, nanoseconds.
    nanos: i64,
}

impl Ramps {
    fn of(facts: &HalfFacts<'_>, rtt: i64) -> Self {
        let is_pause = |detail: Option<Detail>| matches!(detail, Some(Detail::Idle | Detail::Think | Detail::PeerTurn));
        let mut all = Self { count: 0, nanos: 0 };
        let (mut pause, mut has_sent) = (0, false);
        for interval in facts.half.limits.intervals() {
            let nanos = interval.span.nanos();
            if is_pause(interval.cause.detail) {
                pause += nanos;
            } else {
                // A window that stays open also needs one round trip.
                let is_ramp = interval.cause.limit == Limit::SlowStart && nanos * 10 >= rtt * 22;
                if is_ramp && pause >= LEAST_PAUSE && has_sent {
                    all.count += 1;
                    all.nanos += nanos;
                }
                has_sent |= interval.cause.limit != Limit::Handshake;
                pause = 0;
            }
        }
        all
    }
}

/// Time that `count` ramps of `ramps` nanoseconds would take with the previous window, nanoseconds. Each ramp
/// needs one round trip, or as many as that window needs for its bytes. These bytes are estimated from those
/// of all slow start, by the ramps' share of its time.
fn kept(facts: &HalfFacts<'_>, ramps: i64, count: u32, rtt: i64) -> f64 {
    let window = facts.half.flight.map_or(f64::INFINITY, |flight| flight.max.max(1) as f64);
    let all = facts.half.limits.nanos_of(Limit::SlowStart).max(1) as f64;
    let bytes = facts.half.moved.bytes_under(Limit::SlowStart) * (ramps as f64 / all);
    (bytes / window).max(f64::from(count)) * rtt as f64
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Distribution, Segment};
    use tcpwhy_testkit::{Transfer, Writer, ms};

    use super::super::testing::{connections, fires, is_silent, number, summed_up, timeline, with_facts_of};
    use super::*;
    use crate::infer::moved::Moved;
    use crate::infer::summary::Summary;
    use crate::seen::HopLimits;

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

    /// Slow start after a pause is a restart if anything but the handshake was sent before.
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

    /// The finding has the actual and the possible duration of each ramp, and the sum as cost. The predicted
    /// gain does not exceed that of the same sender with a kept window.
    #[test]
    fn the_price_is_what_the_kept_window_saves() {
        let with = bursts(true).run();
        let finding = fires(RULE.id, &with);
        let (ramp, kept) = (number(&finding, "ramp_us"), number(&finding, "kept_ramp_us"));
        let price = (ramp - kept) * number(&finding, "restart_count") / 1e6;
        assert!(finding.seconds.is_some_and(|seconds| (seconds - price).abs() < 1e-3), "{finding:?}");
        let total = |segments: &[Segment]| connections(segments)[0].halves[0].span.seconds();
        let (now, then) = (total(&with), total(&bursts(false).run()));
        let promised = finding.prediction.as_ref().map(|all| all.seconds.value);
        assert!(promised.is_some_and(|seconds| (now - price - seconds).abs() < 1e-3), "{promised:?}");
        assert!(promised.is_some_and(|seconds| then <= seconds && seconds < 1.15 * then), "{promised:?}, {then}");
    }

    /// Two ramps of a second each over 20 ms, each of which moved `windows` windows.
    #[test]
    fn a_ramp_of_many_windows_takes_as_many_round_trips() {
        let (idle, start) = (Cause::from(Detail::Idle), Cause::plain(Limit::SlowStart));
        let kept = |windows: f64| {
            const SECOND: i64 = 1_000_000_000;
            let parts = [(SECOND, start), (SECOND, idle), (SECOND, start), (SECOND, idle), (SECOND, start)];
            let mut moved = Moved::default();
            // The first ramp's bytes count as well.
            moved.add(Limit::SlowStart, 3.0 * windows * 64_000.0);
            let half = Summary { moved, ..summed_up(timeline(&parts)) };
            with_facts_of(&half, start, |facts| detect(facts).map(|finding| number(&finding, "kept_ramp_us") as u64))
        };
        assert_eq!([0.5, 1.0, 1.5, 10.0].map(kept), [20_000, 20_000, 30_000, 200_000].map(Some));
    }

    /// Windows, whose packets start with a hop limit of 128, has no such setting.
    #[test]
    fn only_linux_has_the_setting() {
        let fixes = |hop_limit: u8| {
            let (idle, start) = (Cause::from(Detail::Idle), Cause::plain(Limit::SlowStart));
            let half = summed_up(timeline(&[(1_000_000_000, start), (1_000_000_000, idle)].repeat(3)));
            let hop_limits = [HopLimits { usual: hop_limit, ..HopLimits::default() }, HopLimits::default()];
            let found = with_facts_of(&half, start, |facts| detect(&HalfFacts { hop_limits, ..*facts }));
            found.map(|finding| (finding.fixes.len(), finding.prediction.is_some()))
        };
        for (hop_limit, expected) in
            [(0, (1, true)), (50, (1, true)), (64, (1, true)), (65, (0, false)), (128, (0, false))]
        {
            assert_eq!(fixes(hop_limit), Some(expected), "{hop_limit}");
        }
    }

    #[test]
    fn the_window_is_kept() {
        is_silent(RULE.id, &bursts(false).run());
    }
}
