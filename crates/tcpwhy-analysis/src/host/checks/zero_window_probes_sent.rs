//! This host probed closed windows of its peers: their applications do not read what it sends.
//!
//! Source: `tcp_send_probe0` (`TCPWinProbe`, Linux 4.1; `TCPKeepAlive` is counted apart).

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::advice;
use crate::host::facts::finding;
use crate::host::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "zero-window-probes-sent", severity: Severity::Warning, detect };

const OFTEN_PER_HOUR: f64 = 60.0;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some(tally) = facts.tally(&[("probe_count", "TCPWinProbe")]) else { return vec![] };
    let mut finding = finding(&CHECK, tally.severity(Severity::Warning, OFTEN_PER_HOUR), 0.9);
    finding.evidence = tally.evidence;
    finding.fixes = vec![advice::read_faster()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::testing::Host;

    #[test]
    fn often_or_rarely() {
        let host = |n| Host::with_defaults("6.12").counter("TCPWinProbe", n);
        assert_eq!(host(20_000).fires(CHECK.id).severity, Severity::Warning);
        assert_eq!(host(96).fires(CHECK.id).severity, Severity::Info);
        host(0).is_silent(CHECK.id);
    }
}
