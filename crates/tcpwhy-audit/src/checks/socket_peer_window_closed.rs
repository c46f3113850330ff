//! Live connections that probe a zero window: the peer's application does not read.
//!
//! Source: the persist timer (`ICSK_TIME_PROBE0`). `tcpi_backoff` counts the doublings of its interval
//! (measured 216 ms to 120 s); `tcpi_probes` stays 0. `ss` without `-o` shows no timers, but nothing is in
//! flight while the persist timer runs.

use tcpwhy_model::host::{SocketSample, TimerKind};
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-peer-window-closed", severity: Severity::Warning, needs: crate::needs::DETAILS, detect };

/// Least number of doublings for a warning: after one probe the peer may have been busy for a moment.
const LEAST_BACKOFF: u64 = 2;

/// Number of times that the interval of the probes was doubled.
fn backoff(socket: &SocketSample) -> u64 {
    socket.info.backoff.or_else(|| socket.timer.and_then(|t| t.retransmissions)).unwrap_or(0)
}

/// Whether the peer advertised a zero window that this end has probed.
fn is_probed(socket: &SocketSample) -> bool {
    let is_persist = match socket.timer.map(|timer| timer.kind) {
        Some(kind) => kind == TimerKind::Persist,
        None => socket.info.unacked.unwrap_or(0) == 0,
    };
    is_persist && backoff(socket) > 0
}

/// Whether the peer has advertised a zero window for longer than a moment.
pub(super) fn is_closed(socket: &SocketSample) -> bool {
    is_probed(socket) && backoff(socket) >= LEAST_BACKOFF
}

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let mut closed: Vec<_> = facts.connections().filter(|s| is_probed(s)).collect();
    closed.sort_by_key(|s| std::cmp::Reverse((is_closed(s), s.send_queue)));
    let Some(worst) = closed.first() else { return vec![] };
    let severity = if is_closed(worst) { Severity::Warning } else { Severity::Info };
    let mut finding = finding(&CHECK, severity, 0.9);
    finding.evidence = Vec::from_iter(process(&worst.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, closed.len() as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", worst.local, worst.peer))),
        reported(EvidenceKey::WaitingBytes, worst.send_queue),
        reported(EvidenceKey::BackoffCount, backoff(worst)),
    ]);
    finding.evidence.extend(worst.info.last_data_sent.map(|ms| reported(EvidenceKey::LastSentMs, ms)));
    finding.fixes = vec![tcpwhy_advice::read_faster()];
    vec![finding]
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::SocketTimer;

    use super::*;
    use crate::testing::{Host, connection, number};

    fn probing(backoff: u64, queue: u64) -> SocketSample {
        let mut socket = connection();
        socket.timer = Some(SocketTimer { kind: TimerKind::Persist, expires: Some(800), retransmissions: Some(0) });
        socket.info.backoff = Some(backoff);
        socket.send_queue = queue;
        socket
    }

    #[test]
    fn probes_of_a_closed_window() {
        let host = Host::with_defaults("6.12").socket(probing(3, 10)).socket(probing(9, 222_024));
        let finding = host.fires(CHECK.id);
        assert!((number(&finding, "waiting_bytes") - 222_024.0).abs() < 0.1);
    }

    #[test]
    fn a_moment_is_a_note() {
        let host = |backoff| Host::with_defaults("6.12").socket(probing(backoff, 10)).socket(connection());
        assert_eq!(host(1).fires(CHECK.id).severity, Severity::Info);
        assert_eq!(host(2).fires(CHECK.id).severity, Severity::Warning);
        host(0).is_silent(CHECK.id);
        // The connection with the longest zero window is named before one with more data.
        let finding = host(3).socket(probing(1, 99_999)).fires(CHECK.id);
        assert!((number(&finding, "backoff_count") - 3.0).abs() < 1e-9, "{finding:?}");
    }
}
