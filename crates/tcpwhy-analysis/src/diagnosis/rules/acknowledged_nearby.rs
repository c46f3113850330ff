//! A nearby device answers in place of the other end (a local proxy, an accelerator: RFC 3135 §3.1.2). Data
//! is acknowledged much sooner than the SYN was, and faster than the window allows over the handshake's round
//! trip.
//!
//! At most one window can pass per round trip, so the round trip of the data differs from that of the
//! handshake. At the sender, ACKs follow data sooner; at the receiver, data follows ACKs sooner. A handshake
//! that was delayed once (address resolution, a radio that woke up) looks the same, so the finding is a note.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};
use crate::outcome::Vantage;

pub(super) static RULE: Rule =
    Rule { id: "acknowledged-nearby", limits: &[], severity: Severity::Info, detect: Detect::Half(detect) };

/// A path whose delay fell after the handshake looks the same.
const CONFIDENCE: f64 = 0.6;

/// Minimum ratio of the handshake's round trip to the data's, and minimum difference in addition,
/// nanoseconds. Less may be chance.
const LEAST_RATIO: i64 = 4;
const MARGIN: i64 = 20_000_000;
/// Minimum number of windows per round trip of the handshake. One is normal, and an inaccurate measurement
/// does not double it.
const WINDOWS: f64 = 2.0;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    // In the middle of the path, each delay includes the part to the other end, or only one part.
    let (handshake, name, fix) = match facts.half.vantage {
        Vantage::Sender => (facts.half.to_receiver?.0, EvidenceKey::DataRttUs, tcpwhy_advice::capture_at_receiver()),
        Vantage::Receiver => {
            (facts.half.to_sender.nanos()?, EvidenceKey::AckToDataUs, tcpwhy_advice::capture_at_sender())
        }
        Vantage::Middle | Vantage::Unknown => return None,
    };
    if facts.syn_repeats > 0 {
        return None;
    }
    let data = facts.half.rtt?.p95.try_into().ok()?;
    let windows = facts.goodput() * (handshake as f64 / 1e9) / facts.half.window_max().max(1) as f64;
    if handshake < MARGIN.saturating_add(LEAST_RATIO.saturating_mul(data)) || windows < WINDOWS {
        return None;
    }
    let mut finding = note(&RULE, CONFIDENCE);
    finding.evidence.push(exact(EvidenceKey::HandshakeRttUs, handshake / 1000));
    finding.evidence.push(exact(name, data / 1000));
    finding.evidence.push(exact(EvidenceKey::WindowMaxBytes, facts.half.window_max()));
    finding.evidence.push(inferred(EvidenceKey::GoodputBitsPerS, facts.goodput() * 8.0));
    finding.fixes = vec![fix];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, ReceiveBuffer, Transfer, alter, at, ms};

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

    /// A capture at the receiver. The SYN was answered after a round trip to the distant end, but the actual
    /// sender is near.
    fn sent_from_nearby(handshake: i64, has_timestamps: bool) -> Vec<tcpwhy_model::Segment> {
        let transfer = Transfer {
            rtt: ms(4),
            bytes: 1_000_000,
            receive_buffer: ReceiveBuffer::Fixed(20_000),
            window_scale: Some(0),
            has_timestamps,
            ..Transfer::default()
        };
        let all = transfer.captured_at(Capture::Receiver).run();
        let (syn, rest) = all.split_at(2);
        [syn.to_vec(), alter::later(rest, ms(handshake - 4))].concat()
    }

    #[test]
    fn data_comes_sooner_than_the_handshake_allows() {
        for has_timestamps in [false, true] {
            let finding = fires(RULE.id, &sent_from_nearby(98, has_timestamps));
            assert!((number(&finding, "handshake_rtt_us") - 98_000.0).abs() < 100.0, "{finding:?}");
            assert!(number(&finding, "ack_to_data_us") < 10_000.0, "{finding:?}");
            is_silent(RULE.id, &sent_from_nearby(4, has_timestamps));
            is_silent(RULE.id, &sent_from_nearby(12, has_timestamps));
        }
    }

    /// If the window holds all of the data, any rate is possible.
    #[test]
    fn within_a_window() {
        let mut all = Transfer { rtt: ms(2), bytes: 1_000_000, ..Transfer::default() }.run();
        let (syn, rest) = all.split_at(1);
        all = [syn.to_vec(), alter::later(rest, ms(96))].concat();
        is_silent(RULE.id, &all);
    }
}
