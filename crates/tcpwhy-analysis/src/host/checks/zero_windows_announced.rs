//! This host closed its receive windows: its applications did not read what had come.
//!
//! Source: `tcp_select_window` (`TCPToZeroWindowAdv`, `TCPWantZeroWindowAdv`, Linux 3.15). A peer that keeps sending into a
//! closed window raises `TCPZeroWindowDrop`.

use tcpwhy_model::{Finding, Severity};

use crate::diagnosis::advice;
use crate::host::facts::{derived, finding};
use crate::host::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "zero-windows-announced", severity: Severity::Warning, detect };

/// A closed window a minute.
const OFTEN_PER_HOUR: f64 = 60.0;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    if facts.ext("TCPToZeroWindowAdv") == 0 && facts.ext("TCPWantZeroWindowAdv") == 0 {
        return vec![];
    }
    let Some(tally) = facts.tally(&[
        ("closed_window_count", "TCPToZeroWindowAdv"),
        ("wanted_closed_count", "TCPWantZeroWindowAdv"),
        ("window_drop_count", "TCPZeroWindowDrop"),
    ]) else {
        return vec![];
    };
    let mut finding = finding(&CHECK, tally.severity(Severity::Warning, OFTEN_PER_HOUR), 0.9);
    finding.evidence = tally.evidence;
    let received = facts.tcp("InSegs");
    if received > 0 {
        let share = facts.ext("TCPToZeroWindowAdv") as f64 / received as f64;
        finding.evidence.push(derived("received_share", share.min(1.0)));
    }
    finding.fixes = vec![advice::read_faster(), advice::profile_receiver()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::testing::Host;

    #[test]
    fn often_or_rarely() {
        let host = |n| Host::with_defaults("6.12").counter("TCPToZeroWindowAdv", n).tcp_counter("InSegs", 1_000_000);
        assert_eq!(host(20_000).fires(CHECK.id).severity, Severity::Warning);
        assert_eq!(host(20).fires(CHECK.id).severity, Severity::Info);
        host(0).is_silent(CHECK.id);
    }
}
