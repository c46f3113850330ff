//! The data in flight stops at a plateau below the offered window because the sender's socket buffer was
//! full.
//!
//! At most one send buffer can be in flight per round trip, so the rate is plateau / RTT. The packets show
//! the plateau. `SO_SNDBUF` itself may be half or twice as much: Linux counts overhead and tests the buffer
//! only for a new segment (`tcp_sendmsg_locked`, Linux 6.18). With Nagle's algorithm on, and writes that are
//! not a multiple of the MSS, the plateau may even be several times as large. The last segment can then
//! always be filled.

use tcpwhy_kernel::{Sysctl, SysctlValue};
use tcpwhy_model::{EvidenceKey, Finding, Fix, Limit, Severity};

use super::buffers_alike::without_one;
use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "send-buffer-plateau",
    limits: &[Limit::SendBuffer],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

/// Linux's default limit of send buffer autotuning, bytes (`tcp_wmem[2]`). A plateau near it may be
/// autotuning's own.
fn default_limit() -> u64 {
    match Sysctl::TcpWmem.largest_default() {
        Some(SysctlValue::Triple([_, _, most])) => most,
        _ => u64::MAX,
    }
}

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.limit == Limit::SendBuffer)?;
    let plateau = facts.flight(Limit::SendBuffer)?;
    finding.evidence.push(inferred(EvidenceKey::PlateauBytes, plateau));
    if let Some(window) = facts.window(Limit::SendBuffer) {
        finding.evidence.push(exact(EvidenceKey::WindowBytes, window));
    }
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::SendBuffer));
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred(EvidenceKey::PlateauRateBitsPerS, plateau as f64 * 8.0 / rtt));
        if let Some(rate) = facts.train_rate() {
            finding.evidence.push(inferred(EvidenceKey::BdpBytes, (rate * rtt) as u64));
        }
    }
    let wanted = facts.wanted_window(plateau);
    finding.fixes = send_buffer_fixes(wanted, plateau >= default_limit() / 2);
    finding.prediction = without_one(facts, tcpwhy_model::Cause::plain(Limit::SendBuffer));
    Some(finding)
}

/// Fixes that let the sender have `wanted` bytes in flight. Packets do not show which setting limits a send
/// buffer. A plateau near the ceiling of autotuning (`is_near_ceiling`) has probably reached it.
fn send_buffer_fixes(wanted: u64, is_near_ceiling: bool) -> Vec<Fix> {
    let (delete, host) = (tcpwhy_advice::remove_so_sndbuf(), tcpwhy_advice::raise_tcp_wmem(wanted));
    let [first, rival] = if is_near_ceiling { [host, delete] } else { [delete, host] };
    vec![first, rival.as_rival(), tcpwhy_advice::check_send_buffer(), tcpwhy_advice::raise_so_sndbuf(wanted)]
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{Capture, Transfer};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    fn small() -> Transfer {
        Transfer { send_buffer: Some(64_000), ..Transfer::default() }
    }

    #[test]
    fn a_plateau_under_an_ample_window() {
        for capture in [Capture::Sender, Capture::Receiver] {
            let finding = fires(RULE.id, &small().captured_at(capture).run());
            assert_eq!(finding.severity, Severity::Critical);
            assert!((40_000.0..70_000.0).contains(&number(&finding, "plateau_bytes")), "{finding:?}");
            assert_eq!(fixes(&finding)[0], "remove-so-sndbuf");
            assert!(finding.prediction.is_some_and(|p| p.seconds.value < 1.0));
        }
    }

    #[test]
    fn a_plateau_at_autotunings_ceiling_is_raised_there() {
        let finding = fires(
            RULE.id,
            &Transfer { bytes: 100_000_000, rtt: 100_000_000, send_buffer: Some(4_000_000), ..Transfer::default() }
                .run(),
        );
        assert_eq!(fixes(&finding)[0], "raise-tcp-wmem");
    }

    #[test]
    fn a_full_window_is_the_receivers() {
        let full = Transfer {
            receive_buffer: tcpwhy_testkit::ReceiveBuffer::Fixed(64_000),
            window_scale: Some(2),
            ..Transfer::default()
        };
        is_silent(RULE.id, &full.run());
        is_silent(RULE.id, &Transfer::default().run());
    }
}
