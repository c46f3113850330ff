//! Connections that send at the rate that their program has set.
//!
//! Source: `SO_MAX_PACING_RATE` in `sk_setsockopt` sets `sk_max_pacing_rate`; `tcp_update_pacing_rate` and
//! BBR pace no faster (Linux 6.18).

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-pacing-rate-set", severity: Severity::Info, needs: crate::needs::DETAILS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let mut set: Vec<(&SocketSample, u64)> = facts.connections().filter_map(|s| Some((s, rate_set(s)?))).collect();
    set.sort_by_key(|(_, rate)| *rate);
    let Some(&(slowest, rate)) = set.first() else { return vec![] };
    let mut finding = finding(&CHECK, Severity::Info, 0.99);
    finding.evidence = Vec::from_iter(process(&slowest.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, set.len() as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", slowest.local, slowest.peer))),
        reported(EvidenceKey::RateBitsPerS, rate as f64 * 8.0),
    ]);
    finding.fixes = vec![tcpwhy_advice::raise_max_pacing_rate()];
    vec![finding]
}

/// The rate that the program has set, bytes/s, if the socket has reached it.
fn rate_set(socket: &SocketSample) -> Option<u64> {
    let (rate, most) = (socket.info.pacing_rate?, socket.info.max_pacing_rate?);
    (rate >= most && most > 0).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection, number};

    fn paced(rate: Option<u64>, most: Option<u64>) -> SocketSample {
        let mut socket = connection();
        (socket.info.pacing_rate, socket.info.max_pacing_rate) = (rate, most);
        socket
    }

    #[test]
    fn the_slowest_speaks_for_all() {
        let host = Host::with_defaults("6.12")
            .socket(paced(Some(1_000_000), Some(1_000_000)))
            .socket(paced(Some(500_000), Some(500_000)))
            .socket(paced(Some(499_999), Some(500_000)));
        let finding = host.fires(CHECK.id);
        assert!((number(&finding, "socket_count") - 2.0).abs() < 0.1);
        assert!((number(&finding, "rate_bits_per_s") - 4e6).abs() < 1.0);
    }

    #[test]
    fn a_rate_that_is_not_set_or_not_reached_is_nothing() {
        for (rate, most) in [(Some(5), None), (None, Some(5)), (Some(4), Some(5)), (Some(0), Some(0))] {
            Host::with_defaults("6.12").socket(paced(rate, most)).is_silent(CHECK.id);
        }
    }
}
