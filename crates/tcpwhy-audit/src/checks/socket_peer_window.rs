//! Live connections that the peer's receive window limited for a large share of their busy time.
//!
//! Source: the kernel's own clock `tcpi_rwnd_limited`, which runs while data waits that does not fit into the
//! offered window (`tcp_write_xmit`, Linux 4.10). It may count too little, because pacing returns earlier
//! (measured 38–96 % of the true time), but hardly too much.

use tcpwhy_model::{EvidenceKey, Finding, FixPlace, Severity};

use super::socket_peer_window_closed::is_closed;
use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-peer-window", severity: Severity::Warning, needs: crate::needs::DETAILS, detect };

/// Least busy time, µs; a shorter one shows nothing.
const LEAST_BUSY_US: u64 = 1_000_000;
const LEAST_SHARE: f64 = 0.2;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let share = |limited: u64, busy: u64| limited as f64 / busy as f64;
    let mut held: Vec<_> = facts
        .connections()
        // A peer that does not read at all is another finding, with another fix.
        .filter(|s| !is_closed(s))
        .filter_map(|s| {
            let busy = s.info.busy_time.filter(|&busy| busy >= LEAST_BUSY_US)?;
            let share = share(s.info.rwnd_limited?, busy);
            (share >= LEAST_SHARE).then_some((s, busy, share.min(1.0)))
        })
        .collect();
    held.sort_by(|a, b| (b.1 as f64 * b.2).total_cmp(&(a.1 as f64 * a.2)));
    let Some(&(worst, busy, share)) = held.first() else { return vec![] };
    let mut finding = finding(&CHECK, Severity::Warning, 0.85);
    finding.evidence = Vec::from_iter(process(&worst.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, held.len() as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", worst.local, worst.peer))),
        reported(EvidenceKey::LimitedShare, share),
        reported(EvidenceKey::BusyUs, busy),
    ]);
    finding.evidence.extend(worst.info.snd_wnd.map(|w| reported(EvidenceKey::WindowBytes, w)));
    finding.evidence.extend(worst.info.rtt.map(|rtt| reported(EvidenceKey::RttUs, rtt)));
    let mut read_faster = tcpwhy_advice::read_faster();
    read_faster.place = FixPlace::ReceivingApplication;
    finding.fixes = match worst.info.snd_wnd {
        // A larger buffer does not help if the application does not read.
        Some(0) => vec![read_faster],
        _ => vec![tcpwhy_advice::remove_so_rcvbuf(), read_faster],
    };
    vec![finding]
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::SocketSample;

    use super::*;
    use crate::testing::{Host, connection, number};

    fn limited(busy: u64, rwnd: u64) -> SocketSample {
        let mut socket = connection();
        socket.info.busy_time = Some(busy);
        socket.info.rwnd_limited = Some(rwnd);
        socket
    }

    #[test]
    fn the_one_that_waited_longest_speaks_for_all() {
        let host = Host::with_defaults("6.12")
            .socket(limited(10_000_000, 3_000_000))
            .socket(limited(100_000_000, 90_000_000))
            .socket(limited(100_000_000, 1_000_000));
        let finding = host.fires(CHECK.id);
        assert!((number(&finding, "socket_count") - 2.0).abs() < 0.1);
        assert!((number(&finding, "limited_share") - 0.9).abs() < 1e-9);
    }

    #[test]
    fn a_peer_that_does_not_read_is_told_as_that() {
        use tcpwhy_model::host::{SocketTimer, TimerKind};
        let ids = |host: &Host| host.fires(CHECK.id).fixes.iter().map(|fix| fix.id).collect::<Vec<_>>();
        let mut zero = limited(10_000_000, 9_000_000);
        zero.info.snd_wnd = Some(0);
        let host = Host::with_defaults("6.12").socket(zero.clone());
        assert_eq!(ids(&host), ["read-faster"]);
        zero.timer = Some(SocketTimer { kind: TimerKind::Persist, expires: Some(800), retransmissions: Some(0) });
        zero.info.backoff = Some(3);
        Host::with_defaults("6.12").socket(zero).is_silent(CHECK.id);
        let open = Host::with_defaults("6.12").socket(limited(10_000_000, 9_000_000));
        assert_eq!(ids(&open), ["remove-so-rcvbuf", "read-faster"]);
    }

    #[test]
    fn short_or_rare_is_nothing() {
        let host = Host::with_defaults("6.12");
        host.socket(limited(500_000, 500_000)).socket(limited(10_000_000, 1_000_000)).is_silent(CHECK.id);
    }
}
