//! A requested path needs more bytes in flight than autotuning allows.
//!
//! Source: only the third values of `tcp_wmem` (`tcp_sndbuf_expand`) and `tcp_rmem` (`tcp_rcv_space_adjust`)
//! limit autotuning. `wmem_max` and `rmem_max` cap only `SO_SNDBUF` and `SO_RCVBUF` (measured on 6.1 and
//! 6.18).

use tcpwhy_kernel::SysctlValue;
use tcpwhy_model::{EvidenceKey, Finding, Fix, Remark, Severity};

use crate::check::finding;
use crate::evidence::{derived, given, reported};
use crate::paths::limit;
use crate::{Check, HostFacts, Reach, fixes};

pub(super) static SEND: Check =
    Check { id: "path-exceeds-send-ceiling", severity: Severity::Critical, needs: crate::needs::PATHS, detect: send };
pub(super) static RECEIVE: Check = Check {
    id: "path-exceeds-receive-ceiling",
    severity: Severity::Critical,
    needs: crate::needs::PATHS,
    detect: receive,
};

fn send(facts: &HostFacts<'_>) -> Vec<Finding> {
    findings(facts, &SEND, Reach::AutotunedSend)
}

fn receive(facts: &HostFacts<'_>) -> Vec<Finding> {
    findings(facts, &RECEIVE, Reach::AutotunedReceive)
}

/// Share of the path's rate below which the setting costs most of it.
const MOST: f64 = 0.5;

fn findings(facts: &HostFacts<'_>, check: &Check, reach: Reach) -> Vec<Finding> {
    let Some(triple) = facts.triple(reach.sysctl()) else { return vec![] };
    facts
        .paths
        .iter()
        .filter_map(|path| {
            let limit = limit(facts, *path, reach);
            if limit.is_enough {
                return None;
            }
            let share = limit.rate.bytes_per_sec() / path.rate.bytes_per_sec();
            let severity = if share < MOST { Severity::Critical } else { Severity::Warning };
            let mut finding = finding(check, severity, if facts.version.is_some() { 0.9 } else { 0.7 });
            finding.evidence = vec![
                given(EvidenceKey::PathRateBitsPerS, path.rate.bits_per_sec().round()),
                given(EvidenceKey::PathRttUs, (path.rtt * 1e6).round() as u64),
                derived(EvidenceKey::BdpBytes, path.bdp_bytes()),
                reported(EvidenceKey::SettingBytes, triple[2]),
                derived(EvidenceKey::FlightBytes, limit.flight),
                derived(EvidenceKey::CeilingBitsPerS, limit.rate.bits_per_sec().round()),
                derived(EvidenceKey::PathShare, share),
            ];
            finding.fixes = vec![raise(reach, triple, limit.needed)];
            Some(finding)
        })
        .collect()
}

/// Raises the third value of `tcp_wmem` or `tcp_rmem`.
fn raise(reach: Reach, [least, first, most]: [u64; 3], needed: Option<u64>) -> Fix {
    let id = if reach == Reach::AutotunedSend { "host-raise-tcp-wmem" } else { "host-raise-tcp-rmem" };
    let other = if reach == Reach::AutotunedSend { "net.core.wmem_max" } else { "net.core.rmem_max" };
    let value = needed.unwrap_or(i32::MAX as u64).max(most);
    let remark = Remark::new("was-but-other-does-not-matter").with("most", &most).with("other", &other);
    fixes::set_sysctl(id, reach.sysctl(), SysctlValue::Triple([least, first, value]), remark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, lines, number};

    #[test]
    fn a_path_that_default_settings_fill() {
        let host = Host::with_defaults("6.12").path(100.0, 20.0);
        host.is_silent(SEND.id);
        host.is_silent(RECEIVE.id);
    }

    /// 10 Gbit/s over 50 ms need 62.5 MB in flight. A buffer of 6 MB gives a few megabytes of window, so a
    /// few percent of the rate.
    #[test]
    fn a_path_that_they_do_not_fill() {
        let host = Host::with_defaults("6.12").path(10_000.0, 50.0);
        for (check, name) in [(&SEND, "tcp_wmem"), (&RECEIVE, "tcp_rmem")] {
            let finding = host.fires(check.id);
            assert_eq!(finding.severity, Severity::Critical);
            assert!(number(&finding, "path_share") < 0.15, "{finding:?}");
            let lines = lines(&finding);
            assert!(lines.contains(&format!("sysctl -w net.ipv4.{name}='4096 ")), "{lines}");
            let value: u64 = lines.split('\'').nth(1).unwrap().split(' ').nth(2).unwrap().parse().unwrap();
            host.clone().sysctl(&format!("net.ipv4.{name}=4096 131072 {value}")).is_silent(check.id);
        }
    }

    #[test]
    fn rmem_max_makes_no_difference() {
        let finding = |max: u64| {
            let host = Host::with_defaults("6.12").path(10_000.0, 50.0).sysctl(&format!("net.core.rmem_max={max}"));
            number(&host.fires(RECEIVE.id), "flight_bytes")
        };
        // The exact value differs because a larger one raises the window scale, whose steps are coarser.
        let (small, large) = (finding(65_536), finding(1 << 30));
        assert!((small / large - 1.0).abs() < 0.01, "{small} {large}");
    }

    #[test]
    fn each_path_has_its_own() {
        let host = Host::with_defaults("6.12").path(100.0, 20.0).path(10_000.0, 50.0).path(10_000.0, 200.0);
        assert_eq!(host.findings(SEND.id).len(), 2);
    }
}
