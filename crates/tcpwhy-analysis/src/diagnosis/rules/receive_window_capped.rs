//! The window grew and then stopped although the application kept reading: autotuning reached its ceiling.
//!
//! The ceiling is the third value of `net.ipv4.tcp_rmem` (6 MiB by default up to Linux 6.15, 32 MiB since
//! 6.16). Between 50 % and 90 % of that become window (`scaling_ratio`); `net.core.rmem_max` does not matter
//! (`tcp_rcvbuf_grow`).

use tcpwhy_model::{Detail, EvidenceKey, Finding, Limit, Severity};

use super::buffers_alike::without_one;
use crate::diagnosis::buffer_source::receive_buffer_fixes;
use crate::diagnosis::evidence::{exact, inferred};
use crate::diagnosis::facts::HalfFacts;
use crate::diagnosis::{Detect, Rule};

pub(super) static RULE: Rule = Rule {
    id: "receive-window-capped",
    limits: &[Limit::ReceiveWindow],
    severity: Severity::Critical,
    detect: Detect::Half(detect),
};

/// A smaller share of the time makes no finding, unless the verdict names the cause.
const LEAST_SHARE: f64 = 0.1;

fn detect(facts: &HalfFacts<'_>) -> Option<Finding> {
    let mut finding = facts.explain(&RULE, LEAST_SHARE, |c| c.detail == Some(Detail::Capped))?;
    finding.evidence.push(exact(EvidenceKey::WindowBytes, facts.half.window_max()));
    finding.evidence.extend(facts.half_window_evidence());
    finding.evidence.extend(facts.rtt_evidence_with_base(Limit::ReceiveWindow));
    if let Some(rtt) = facts.rtt_seconds() {
        finding.evidence.push(inferred(EvidenceKey::WindowRateBitsPerS, facts.half.window_max() as f64 * 8.0 / rtt));
    }
    finding.fixes = receive_buffer_fixes(facts, facts.wanted_window(facts.half.window_max()), true);
    finding.prediction = without_one(facts, Detail::Capped.into());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use tcpwhy_testkit::{ReceiveBuffer, Transfer};

    use super::super::testing::{fires, fixes, is_silent, number};
    use super::*;

    fn growing(most: u64) -> Transfer {
        Transfer {
            bytes: 80_000_000,
            receive_buffer: ReceiveBuffer::Growing { from: 64_000, most },
            window_scale: Some(11),
            ..Transfer::default()
        }
    }

    #[test]
    fn a_window_that_grew_and_stopped() {
        let finding = fires(RULE.id, &growing(1_800_000).run());
        assert!(number(&finding, "window_bytes") > 1_700_000.0);
        assert_eq!(fixes(&finding)[0], "raise-tcp-rmem");
    }

    #[test]
    fn a_window_that_grows_on() {
        is_silent(RULE.id, &growing(60_000_000).run());
    }
}
