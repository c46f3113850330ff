//! Packets with a wrong TCP checksum arrived and were dropped; their senders regard them as lost.
//!
//! Source: RFC 9293 §3.1; `tcp_v4_rcv`, `tcp_v6_rcv` and `tcp_rcv_established` count them in `InCsumErrors`
//! (Linux 3.9) and in `InSegs` too.

use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use crate::check::finding;
use crate::evidence::{derived, reported};
use crate::shares::Proportion;
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "checksum-errors", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

const COUNTER: &str = "InCsumErrors";
/// Share of the received segments. Stone and Partridge (SIGCOMM 2000) found one in 32,000 to one in 1,100 on
/// healthy networks. Above the lowest of these shares, a machine or driver probably corrupts packets or
/// computes checksums wrongly.
const USUAL_SHARE: f64 = 1.0 / 32_000.0;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally_of(|counters| counters.tcp(COUNTER).unwrap_or(0)) else { return vec![] };
    let received = Proportion { part: tally.total, of: facts.tcp("InSegs") };
    let most = if received.of > 0 && !received.is_above(USUAL_SHARE) { Severity::Info } else { Severity::Warning };
    let mut finding = finding(&CHECK, tally.severity(most, 1.0), 0.9);
    finding.evidence = vec![reported(EvidenceKey::ChecksumErrorCount, tally.total)];
    finding.evidence.extend((received.of > 0).then(|| derived(EvidenceKey::ReceivedShare, received.share())));
    finding.evidence.extend(tally.evidence);
    finding.fixes = vec![
        tcpwhy_advice::fix_checksums(),
        fixes::host(
            "host-find-checksums",
            vec![
                FixLine::remarked("ethtool -K DEV rx off  # ", "this-host-if-its-interface-checks-wrongly"),
                FixLine::remarked("ethtool -S DEV | grep -iE 'csum|crc'  # ", "this-host-what-interface-counts"),
            ],
        ),
    ];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, lines, number};

    fn host(wrong: u64, received: u64) -> Host {
        Host::with_defaults("6.12").tcp_counter(COUNTER, wrong).tcp_counter("InSegs", received)
    }

    #[test]
    fn a_tunnel_that_gets_them_wrong() {
        let finding = host(4000, 100_000).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((number(&finding, "received_share") - 0.04).abs() < 1e-9);
        assert!(lines(&finding).contains("ethtool -K $DEV tx off"), "{}", lines(&finding));
        // If the number of received segments is unknown, the share is unknown too, and the count decides.
        let unknown = Host::with_defaults("6.12").tcp_counter(COUNTER, 4000).fires(CHECK.id);
        assert_eq!(unknown.severity, Severity::Warning);
    }

    #[test]
    fn networks_flip_bits() {
        assert_eq!(host(30, 1_000_000).fires(CHECK.id).severity, Severity::Info, "one in 33,333");
        assert_eq!(host(100, 1_000_000).fires(CHECK.id).severity, Severity::Warning, "one in 10,000");
        host(0, 1_000_000).is_silent(CHECK.id);
    }
}
