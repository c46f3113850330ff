//! This host advertised zero windows: its applications did not read the received data.
//!
//! Source: `tcp_select_window` (`TCPToZeroWindowAdv`, `TCPWantZeroWindowAdv`, Linux 3.15). A peer that keeps
//! sending into a zero window raises `TCPZeroWindowDrop`.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::derived;
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "zero-windows-announced", severity: Severity::Warning, needs: crate::needs::COUNTERS, detect };

/// Zero windows per hour that count as often: one per minute.
const OFTEN_PER_HOUR: f64 = 60.0;
/// Share of the received segments: on every busy host a few windows are zero for a moment.
pub(super) const LEAST_SHARE: f64 = 0.001;
/// A smaller share is a note: on loopback, or if the driver merges segments (GRO), one in a thousand is one
/// per 64 MB.
const WARNING_SHARE: f64 = 0.01;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let share = facts.share("TCPToZeroWindowAdv", "InSegs");
    if share < LEAST_SHARE {
        return vec![];
    }
    let Some(tally) = facts.tally(&[
        (EvidenceKey::ClosedWindowCount, "TCPToZeroWindowAdv"),
        (EvidenceKey::WantedClosedCount, "TCPWantZeroWindowAdv"),
        (EvidenceKey::WindowDropCount, "TCPZeroWindowDrop"),
    ]) else {
        return vec![];
    };
    if tally.is_over() {
        return vec![];
    }
    let most = if share < WARNING_SHARE { Severity::Info } else { Severity::Warning };
    let mut finding = finding(&CHECK, tally.severity(most, OFTEN_PER_HOUR), 0.9);
    finding.evidence = tally.evidence;
    finding.evidence.push(derived(EvidenceKey::ReceivedShare, share));
    finding.fixes = vec![tcpwhy_advice::read_faster(), tcpwhy_advice::profile_receiver()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Host;

    fn host(closed: u64, received: u64) -> Host {
        Host::with_defaults("6.12").counter("TCPToZeroWindowAdv", closed).tcp_counter("InSegs", received)
    }

    #[test]
    fn a_share_of_what_came() {
        assert_eq!(host(20_000, 1_000_000).fires(CHECK.id).severity, Severity::Warning);
        assert_eq!(host(20, 10_000).fires(CHECK.id).severity, Severity::Info);
        assert_eq!(host(12_000, 10_000_000).fires(CHECK.id).severity, Severity::Info, "now and then");
        host(0, 1_000_000).is_silent(CHECK.id);
        host(57, 60_000).is_silent(CHECK.id);
        host(20_000, 100_000_000).is_silent(CHECK.id);
    }

    #[test]
    fn it_stops_when_the_load_stops() {
        host(20_000, 1_000_000).recent("TCPToZeroWindowAdv", 0).is_silent(CHECK.id);
        host(20_000, 1_000_000).recent("TCPToZeroWindowAdv", 1).fires(CHECK.id);
    }
}
