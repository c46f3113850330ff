//! The path paused repeatedly without a loss. Data in flight arrived 0.1 s late, then round trips were as
//! before.
//!
//! Radio links cause such pauses. A station that sleeps or scans other channels is served after the next
//! beacon, usually every 102.4 ms (100 time units of IEEE 802.11). Frames are repeated until they arrive. A
//! virtual machine that is not scheduled does the same. Three similar cases do not count
//! (`facts/half/watch.rs`). A growing queue adds delay but keeps delivering, a loss is followed by a
//! retransmission, and separate bursts arrive a round trip apart.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::diagnosis::evidence::inferred;
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::finding::note;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule =
    Rule { id: "path-stalls", limits: &[], severity: Severity::Warning, detect: Detect::Half(detect) };

/// A host that slept looks the same.
const CONFIDENCE: f64 = 0.6;

/// Minimum number of pauses. Fewer may come from a host that was busy with something else.
const LEAST: u32 = 5;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let stalls = facts.signs?.stalls;
    if stalls.count < LEAST || facts.half.counts.unseen_bytes > facts.half.counts.bytes / 100 {
        return None;
    }
    let seconds = (stalls.total as f64 / 1e9).min(facts.seconds());
    let mut finding = note(&RULE, CONFIDENCE);
    finding.severity = facts.severity_of_note(seconds);
    finding.seconds = Some(seconds);
    finding.evidence.push(inferred(EvidenceKey::PathStallCount, stalls.count));
    finding.evidence.push(inferred(EvidenceKey::StalledUs, stalls.total / 1000));
    finding.evidence.push(inferred(EvidenceKey::LongestUs, stalls.longest / 1000));
    finding.evidence.extend(facts.rtt_min_evidence());
    finding.evidence.extend(facts.typical_rtt_evidence());
    finding.fixes = vec![tcpwhy_advice::find_stalls()];
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Reader, ReceiveBuffer, Transfer, Writer, mbit, ms};

    use super::super::testing::{fires, is_silent, number};
    use super::*;

    fn radio() -> Transfer {
        Transfer { bytes: 12_000_000, rate: Some(mbit(20)), window_clamp: Some(100_000), ..Transfer::default() }
    }

    fn stalling() -> Transfer {
        Transfer { stands_still: Some((ms(500), ms(120))), ..radio() }
    }

    #[test]
    fn a_path_that_stands_still_every_so_often() {
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            let finding = fires(RULE.id, &stalling().captured_at(capture).run());
            assert!((5.0..16.0).contains(&number(&finding, "path_stall_count")), "{finding:?}");
            assert!((80_000.0..130_000.0).contains(&number(&finding, "longest_us")), "{capture:?} {finding:?}");
        }
    }

    #[test]
    fn paths_that_do_not() {
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            let is_quiet = |transfer: Transfer| is_silent(RULE.id, &transfer.captured_at(capture).run());
            is_quiet(radio());
            is_quiet(Transfer { rate: Some(10_000), bytes: 300_000, ..Transfer::default() });
            is_quiet(Transfer { rate: Some(mbit(10)), queue: 1_000_000, ..Transfer::default() });
            is_quiet(Transfer { lost_every: Some(90), ..radio() });
            is_quiet(Transfer { rtt: ms(150), stands_still: Some((ms(500), ms(80))), ..radio() });
            is_quiet(Transfer { rtt: ms(300), bytes: 3_000_000, ..Transfer::default() });
            is_quiet(Transfer { writer: Writer::Bursts { bytes: 400_000, pause: ms(150) }, ..radio() });
            is_quiet(Transfer { writer: Writer::Paced { bytes: 20_000, every: ms(130) }, bytes: 1_000_000, ..radio() });
            let reader = Reader::Pauses { every: 500_000, nanos: ms(150) };
            is_quiet(Transfer { reader, receive_buffer: ReceiveBuffer::Fixed(128_000), ..radio() });
        }
    }
}
