//! Data was acknowledged much sooner than the handshake, and faster than the window allows over the handshake's round trip: somebody
//! near the sender acknowledges in place of the other end (a local proxy, an accelerator: RFC 3135 §3.1.2).
//!
//! More than a window cannot pass in a round trip, so the round trip of the data is not that of the handshake. A handshake that was
//! held up once (address resolution, a radio that woke up) looks the same, so it stays a note.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::facts::{HalfFacts, exact, inferred, note};
use crate::diagnosis::{Detect, Rule, advice};
use crate::outcome::Vantage;

pub(super) static RULE: Rule =
    Rule { id: "acknowledged-nearby", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// The handshake's round trip must be so many of the data's, and this much more besides: less is chance.
const LEAST_RATIO: i64 = 4;
const MARGIN: i64 = 20_000_000;
/// More than a window, so many times: once is what a handshake may have missed.
const WINDOWS: f64 = 2.0;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    // Elsewhere the way to the sender is in the round trips of the data, and not in that of the handshake.
    let (handshake, _) =
        facts.half.to_receiver.filter(|_| facts.half.vantage == Vantage::Sender && facts.syn_repeats == 0)?;
    let data = facts.half.rtt?.p95.try_into().ok()?;
    let windows = facts.goodput() * (handshake as f64 / 1e9) / facts.half.window_max.max(1) as f64;
    if handshake < MARGIN.saturating_add(LEAST_RATIO.saturating_mul(data)) || windows < WINDOWS {
        return None;
    }
    let mut finding = note(&RULE, 0.6);
    finding.evidence.push(exact("handshake_rtt_us", handshake / 1000));
    finding.evidence.push(exact("data_rtt_us", data / 1000));
    finding.evidence.push(exact("window_max_bytes", facts.half.window_max));
    finding.evidence.push(inferred("goodput_bits_per_s", facts.goodput() * 8.0));
    finding.fixes = vec![advice::capture_at_receiver()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{ReceiveBuffer, Transfer, alter, at, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    /// A transfer over 2 ms whose SYN was answered after `handshake` milliseconds.
    fn with_handshake(handshake: i64, window: u64) -> Vec<tcpwhy_model::Segment> {
        let receive_buffer = ReceiveBuffer::Fixed(window);
        let mut all = Transfer { rtt: ms(2), receive_buffer, window_scale: Some(0), ..Transfer::default() }.run();
        let (syn, rest) = all.split_at(1);
        all = [syn.to_vec(), alter::later(rest, ms(handshake - 2))].concat();
        all
    }

    #[test]
    fn more_than_windows_allow() {
        let finding = fires(RULE.id, &with_handshake(98, 60_000));
        assert!((number(&finding, "handshake_rtt_us") - 98_000.0).abs() < 100.0, "{finding:?}");
        assert!(number(&finding, "data_rtt_us") < 5_000.0, "{finding:?}");
    }

    #[test]
    fn a_handshake_like_the_data() {
        is_silent(RULE.id, &with_handshake(20, 60_000));
        is_silent(RULE.id, &Transfer { rtt: ms(98), ..Transfer::default() }.run());
        let mut repeated = Transfer { rtt: ms(2), syn_repeats: 1, ..Transfer::default() }.run();
        repeated[0].timestamp = at(0);
        is_silent(RULE.id, &repeated);
    }

    /// A window that all of it fits into allows any rate.
    #[test]
    fn within_a_window() {
        let mut all = Transfer { rtt: ms(2), bytes: 1_000_000, ..Transfer::default() }.run();
        let (syn, rest) = all.split_at(1);
        all = [syn.to_vec(), alter::later(rest, ms(96))].concat();
        is_silent(RULE.id, &all);
    }
}
