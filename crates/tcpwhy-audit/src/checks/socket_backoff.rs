//! Sockets whose retransmissions are not answered: each timeout doubled the next one.
//!
//! Source: RFC 6298 §5.5 and `tcp_retransmit_timer`, which doubles `icsk_rto` and counts that in
//! `icsk_backoff` (`tcpi_backoff`) until an acknowledgment comes. The zero window probes of
//! `tcp_probe_timer` use the same counter, but only while nothing is in flight (`packets_out` is 0). These
//! belong to [`socket_peer_window_closed`](super::socket_peer_window_closed).

use tcpwhy_model::host::{SocketSample, TcpState, TimerKind};
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use super::orphans_hold_data::give_up_sooner;
use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-backoff", severity: Severity::Warning, needs: crate::needs::DETAILS, detect };

/// Chosen: after one timeout an answer may still be on its way. A second one means that a retransmission was
/// not answered either.
const LEAST_BACKOFF: u64 = 2;

/// Number of timeouts while an acknowledgment was due; `None` if the socket does not wait for one.
pub(super) fn doublings(socket: &SocketSample) -> Option<u64> {
    let is_due = match socket.timer.map(|timer| timer.kind) {
        Some(TimerKind::Retransmission) => true,
        Some(TimerKind::KeepAlive | TimerKind::TimeWait | TimerKind::Persist) => false,
        Some(TimerKind::Unknown) | None => socket.info.unacked.is_some_and(|segments| segments > 0),
    };
    let timer = socket.timer.filter(|timer| timer.kind == TimerKind::Retransmission);
    // `icsk_retransmits` also counts timeouts that are not doubled, those of thin streams
    // (`tcp_thin_linear_timeouts`).
    let counted = socket.info.backoff.max(timer.and_then(|timer| timer.retransmissions))?;
    (is_due && counted > 0).then_some(counted)
}

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let is_over = |s: &SocketSample| matches!(s.state, Some(TcpState::Listen | TcpState::Close | TcpState::TimeWait));
    let open = facts.sockets().iter().filter(|s| !is_over(s));
    let mut waiting: Vec<_> = open.filter_map(|s| Some((s, doublings(s)?))).collect();
    waiting.sort_by_key(|&(s, doublings)| std::cmp::Reverse((doublings, s.send_queue)));
    let Some(&(worst, doublings)) = waiting.first() else { return vec![] };
    let severity = if doublings >= LEAST_BACKOFF { Severity::Warning } else { Severity::Info };
    let mut finding = finding(&CHECK, severity, 0.9);
    finding.evidence = Vec::from_iter(process(&worst.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, waiting.len() as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", worst.local, worst.peer))),
        reported(EvidenceKey::BackoffCount, doublings),
        reported(EvidenceKey::WaitingBytes, worst.send_queue),
    ]);
    finding.evidence.extend(worst.info.lost.filter(|&n| n > 0).map(|n| reported(EvidenceKey::LostCount, n)));
    finding.fixes = match worst.state {
        Some(TcpState::SynSent | TcpState::SynReceived) => {
            vec![tcpwhy_advice::check_firewall(), tcpwhy_advice::check_listener()]
        }
        _ => vec![tcpwhy_advice::fix_loss(), give_up_sooner()],
    };
    vec![finding]
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::SocketTimer;

    use super::*;
    use crate::testing::{Host, connection, number};

    fn timer(kind: TimerKind, retransmissions: u64) -> SocketTimer {
        SocketTimer { kind, expires: Some(7_000), retransmissions: Some(retransmissions) }
    }

    fn waiting(change: impl FnOnce(&mut SocketSample)) -> Host {
        let mut socket = connection();
        (socket.info.backoff, socket.info.unacked, socket.info.lost) = (Some(6), Some(12), Some(12));
        change(&mut socket);
        Host::with_defaults("6.12").socket(connection()).socket(socket)
    }

    #[test]
    fn a_peer_that_does_not_answer() {
        let finding = waiting(|s| s.timer = Some(timer(TimerKind::Retransmission, 6))).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        for (key, value) in [("backoff_count", 6.0), ("lost_count", 12.0), ("socket_count", 1.0)] {
            assert!((number(&finding, key) - value).abs() < 1e-9, "{key}");
        }
        // `ss` without `-o` shows no timers; without `-i` it shows only timers.
        assert!((number(&waiting(|_| ()).fires(CHECK.id), "backoff_count") - 6.0).abs() < 1e-9);
        let timers_alone = waiting(|s| {
            (s.timer, s.info) = (Some(timer(TimerKind::Retransmission, 4)), tcpwhy_model::host::TcpInfo::default());
        });
        assert!((number(&timers_alone.fires(CHECK.id), "backoff_count") - 4.0).abs() < 1e-9);
    }

    /// `tcp_thin_linear_timeouts` retransmits without doubling the timeout.
    #[test]
    fn a_timeout_that_was_not_doubled() {
        let thin = waiting(|s| {
            (s.info.backoff, s.timer) = (Some(0), Some(timer(TimerKind::Retransmission, 3)));
        });
        let finding = thin.fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        assert!((number(&finding, "backoff_count") - 3.0).abs() < 1e-9);
    }

    /// `LEAST_BACKOFF`: one timeout is a note, the second a warning.
    #[test]
    fn one_timeout_may_be_answered_yet() {
        assert_eq!(waiting(|s| s.info.backoff = Some(1)).fires(CHECK.id).severity, Severity::Info);
        assert_eq!(waiting(|s| s.info.backoff = Some(2)).fires(CHECK.id).severity, Severity::Warning);
        waiting(|s| s.info.backoff = Some(0)).is_silent(CHECK.id);
    }

    /// Zero window probes use the same counter; with data in flight there are none.
    #[test]
    fn probes_are_no_retransmissions() {
        waiting(|s| s.timer = Some(timer(TimerKind::Persist, 0))).is_silent(CHECK.id);
        let unseen = waiting(|s| s.info.unacked = Some(0));
        unseen.is_silent(CHECK.id);
        unseen.fires("socket-peer-window-closed");
        waiting(|_| ()).is_silent("socket-peer-window-closed");
    }

    /// A SYN without an answer is not a connection yet.
    #[test]
    fn a_syn_without_an_answer() {
        let host = waiting(|s| s.state = Some(TcpState::SynSent));
        assert_eq!(host.fires(CHECK.id).fixes[0].id, "check-firewall");
        waiting(|s| s.state = Some(TcpState::TimeWait)).is_silent(CHECK.id);
    }
}
