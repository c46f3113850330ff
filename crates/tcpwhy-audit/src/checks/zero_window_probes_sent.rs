//! This host probed zero windows of its peers: their applications do not read the data that it sends.
//!
//! Source: `tcp_send_probe0` (`TCPWinProbe`, Linux 4.1; `TCPKeepAlive` is a separate counter).

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use super::zero_windows_announced::LEAST_SHARE;
use crate::check::finding;
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "zero-window-probes-sent", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

const OFTEN_PER_HOUR: f64 = 60.0;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[(EvidenceKey::ProbeCount, "TCPWinProbe")]) else { return vec![] };
    // The check of sockets finds peers whose window stays zero.
    let share = facts.share("TCPWinProbe", "OutSegs");
    if share < LEAST_SHARE || tally.is_over() {
        return vec![];
    }
    let mut finding = finding(&CHECK, tally.severity(Severity::Warning, OFTEN_PER_HOUR), 0.9);
    finding.evidence = tally.evidence;
    finding.fixes = vec![tcpwhy_advice::read_faster()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    #[test]
    fn a_share_of_what_went() {
        let host = |n| Host::with_defaults("6.12").counter("TCPWinProbe", n).tcp_counter("OutSegs", 90_000);
        assert_eq!(host(20_000).fires(CHECK.id).severity, Severity::Warning);
        assert_eq!(host(96).fires(CHECK.id).severity, Severity::Info);
        host(0).is_silent(CHECK.id);
        host(80).is_silent(CHECK.id);
        host(20_000).recent("TCPWinProbe", 0).is_silent(CHECK.id);
    }
}
