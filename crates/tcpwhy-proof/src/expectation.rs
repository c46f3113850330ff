//! Compares the verdicts that a scenario expects with the shares of time that its run measured.

use tcpwhy_lab::truth::{Held, Truth};
use tcpwhy_model::Limit;
use tcpwhy_report::lab::Contradiction;
use tcpwhy_scenario::{Expectation, Expected};

/// Largest difference between the shares of two runs of one scenario, in percent. It includes the error of
/// the sampler.
const BETWEEN_RUNS: f64 = 5.0;
/// Largest distance of a second right answer's share to the first, in percent.
const CLOSE: f64 = 15.0;

/// Verdicts that the run contradicts: a first one without the largest share, and others far behind the first.
/// The list is empty if time is undecided or nothing was measured.
pub(crate) fn contradictions(expect: &Expectation, truth: &Truth) -> Vec<Contradiction> {
    let Some((&first, others)) = expect.verdict.split_first() else { return Vec::new() };
    let Some(largest) = largest(truth).filter(|_| truth.undecided_pct < BETWEEN_RUNS) else { return Vec::new() };
    let of_first = share(first, truth);
    let contradiction = |(expected, larger, is_first): (Expected, f64, bool)| Contradiction {
        expected: expected.cause(),
        share: share(expected, truth) / 100.0,
        larger: larger / 100.0,
        is_first,
    };
    let not_largest = (largest - of_first > BETWEEN_RUNS).then_some((first, largest, true));
    let far = others.iter().filter(|&&other| of_first - share(other, truth) > CLOSE);
    not_largest.into_iter().chain(far.map(|&other| (other, of_first, false))).map(contradiction).collect()
}

/// Percent of the time that the handshake takes.
fn handshake(truth: &Truth) -> f64 {
    if truth.duration_s > 0.0 { 100.0 * truth.handshake_s / truth.duration_s } else { 0.0 }
}

fn largest(truth: &Truth) -> Option<f64> {
    // Samples begin after the connection was established.
    let after = 100.0 - handshake(truth);
    let largest = truth.sampled_pct.values().copied().reduce(f64::max)?;
    Some((largest * after / 100.0).max(handshake(truth)))
}

/// Percent of the time for which this verdict is right. A socket cannot distinguish the path from a
/// congestion window, so both have the same share.
fn share(expected: Expected, truth: &Truth) -> f64 {
    let limit = match expected {
        Expected::Nothing => return sum(truth, &[Held::Idle, Held::App, Held::Cwnd, Held::Pacing, Held::Nic]),
        Expected::Cause(cause) => cause.limit,
    };
    match limit {
        Limit::Handshake => handshake(truth),
        Limit::Application => sum(truth, &[Held::Idle, Held::App, Held::PeerWindow]),
        // During the final round trip all data has been sent.
        Limit::TailRtt => sum(truth, &[Held::App]),
        Limit::AckDelay => sum(truth, &[Held::Nagle]),
        Limit::SendBuffer => sum(truth, &[Held::Sndbuf]),
        Limit::ReceiveWindow => sum(truth, &[Held::Rwnd]),
        Limit::LossRecovery => sum(truth, &[Held::Loss]),
        Limit::SlowStart => sum(truth, &[Held::Cwnd]),
        Limit::CongestionWindow | Limit::Path => sum(truth, &[Held::Cwnd, Held::Pacing, Held::Nic]),
        Limit::Unobserved => 0.0,
    }
}

fn sum(truth: &Truth, held: &[Held]) -> f64 {
    let sampled: f64 = held.iter().filter_map(|held| truth.sampled_pct.get(held)).sum();
    sampled * (100.0 - handshake(truth)) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(verdicts: &[&str], shares: &[(Held, f64)], expected: &[(&str, bool)]) {
        let verdict = verdicts.iter().map(|verdict| verdict.parse().unwrap()).collect();
        let expect = Expectation { verdict, ..Expectation::default() };
        let truth = Truth { sampled_pct: shares.iter().copied().collect(), ..Truth::default() };
        let found = contradictions(&expect, &truth);
        let found: Vec<_> = found
            .iter()
            .map(|found| (found.expected.map_or("none".to_owned(), |cause| cause.to_string()), found.is_first))
            .collect();
        let expected: Vec<_> = expected.iter().map(|&(name, is_first)| (name.to_owned(), is_first)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_first_verdict_has_the_largest_share() {
        check(&["path"], &[(Held::Sndbuf, 98.0), (Held::Cwnd, 2.0)], &[("path", true)]);
        check(&["send_buffer"], &[(Held::Sndbuf, 98.0), (Held::Cwnd, 2.0)], &[]);
        // The distance is the largest between two runs, then slightly more.
        check(&["send_buffer"], &[(Held::Sndbuf, 46.0), (Held::Cwnd, 51.0)], &[]);
        check(&["send_buffer"], &[(Held::Sndbuf, 46.0), (Held::Cwnd, 51.1)], &[("send_buffer", true)]);
        check(&["none"], &[(Held::Rwnd, 100.0)], &[("none", true)]);
    }

    #[test]
    fn other_verdicts_are_close_behind() {
        let shares = [(Held::App, 40.0), (Held::Rwnd, 25.0), (Held::Loss, 24.9), (Held::Cwnd, 10.1)];
        check(&["application", "receive_window", "loss_recovery"], &shares, &[("loss_recovery", false)]);
    }

    #[test]
    fn a_handshake_has_its_share() {
        let expect = |verdict: &str| Expectation { verdict: vec![verdict.parse().unwrap()], ..Expectation::default() };
        let sampled_pct = [(Held::Cwnd, 100.0)].into();
        let truth = Truth { handshake_s: 0.9, duration_s: 1.0, sampled_pct, ..Truth::default() };
        assert_eq!(contradictions(&expect("handshake/syn_rto"), &truth), []);
        assert!(contradictions(&expect("slow_start"), &truth)[0].is_first);
    }

    #[test]
    fn undecided_time_contradicts_nothing() {
        let expect = Expectation { verdict: vec!["path".parse().unwrap()], ..Expectation::default() };
        let sampled_pct = [(Held::App, 20.0)].into();
        let truth = Truth { undecided_pct: 80.0, sampled_pct, ..Truth::default() };
        assert_eq!(contradictions(&expect, &truth), []);
    }
}
