//! The maximum of `tcp_rmem` or `tcp_wmem` is so low that autotuning has no effect. Every connection with
//! more than a very short round trip is slow, whatever the path.
//!
//! Source: the same as for paths; 1 MiB fills 100 Mbit/s over some 40 ms. Linux's defaults are 4 to 32 MiB,
//! less only on machines with little memory (`tcp_init`: 1/128 of it).

use tcpwhy_kernel::{Sysctl, SysctlValue};
use tcpwhy_model::{EvidenceKey, Finding, Fix, Severity};

use crate::check::finding;
use crate::evidence::{derived, reported, word};
use crate::paths::autotuned_flight;
use crate::{Check, HostFacts, PathSpec, fixes};

pub(super) static CHECK: Check =
    Check { id: "autotuning-ceiling-low", severity: Severity::Critical, needs: crate::needs::SETTINGS, detect };

const LOW: u64 = 1 << 20;
/// Bytes so few that a round trip of a few milliseconds halves the rate of a gigabit link.
const VERY_LOW: u64 = 256 << 10;
/// Round trip of the example in the message, seconds.
const RTT_SECONDS: f64 = 0.02;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    [(Sysctl::TcpRmem, false), (Sysctl::TcpWmem, true)]
        .into_iter()
        .filter_map(|(sysctl, is_send)| {
            let [least, first, most] = facts.triple(sysctl)?;
            // On machines with little memory the kernel's own default is as low: at most 1/128 of the memory.
            if most >= LOW || facts.host.memory.is_some_and(|memory| most >= memory / 160) {
                return None;
            }
            let severity = if most < VERY_LOW { Severity::Critical } else { Severity::Warning };
            let mut finding = finding(&CHECK, severity, 0.95);
            let flight = autotuned_flight(facts, PathSpec::ETHERNET_MTU, is_send);
            finding.evidence = vec![
                reported(EvidenceKey::Setting, word(sysctl.name())),
                reported(EvidenceKey::SettingBytes, most),
                derived(EvidenceKey::FlightBytes, flight),
                derived(EvidenceKey::RateAt20msBitsPerS, flight as f64 * 8.0 / RTT_SECONDS),
            ];
            finding.fixes = vec![restore(sysctl, is_send, [least, first])];
            Some(finding)
        })
        .collect()
}

/// Sets the largest default of any kernel, because the next boot may start that kernel.
fn restore(sysctl: Sysctl, is_send: bool, [least, first]: [u64; 2]) -> Fix {
    let id = if is_send { "host-raise-tcp-wmem" } else { "host-raise-tcp-rmem" };
    fixes::set_sysctl(id, sysctl, SysctlValue::Triple([least, first, 0]), "the-largest-kernel-default")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, lines, number};

    #[test]
    fn four_kilobytes() {
        let host = Host::with_defaults("6.1").sysctl("net.ipv4.tcp_rmem=4096 4096 4096");
        let finding = host.fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Critical);
        // Before 6.6, half of the buffer is window.
        assert!((number(&finding, "flight_bytes") - 2048.0).abs() < 1.0, "{finding:?}");
        assert!(lines(&finding).contains("net.ipv4.tcp_rmem='4096 131072 33554432'"), "{}", lines(&finding));
    }

    #[test]
    fn small_machines_have_that_by_themselves() {
        let mut host = Host::with_defaults("6.1").sysctl("net.ipv4.tcp_wmem=4096 16384 524288");
        assert_eq!(host.fires(CHECK.id).severity, Severity::Warning);
        host.observation.memory = Some(64 << 20);
        host.is_silent(CHECK.id);
    }
}
