//! Listeners whose accept queue is full now: further connections are dropped when their handshake completes.
//!
//! Source: `sk_acceptq_is_full` (queue > backlog). A listener's receive queue in `sock_diag` is the number of
//! waiting connections, its send queue their limit, `min(backlog of listen(), somaxconn)`. A program that
//! does not call `accept()` at all is another finding.

use tcpwhy_model::{EvidenceKey, Finding, Severity};

use super::accept_not_called::{full_listeners, is_unserved};
use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "accept-queue-full", severity: Severity::Critical, needs: crate::needs::SOCKETS, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    full_listeners(facts)
        .filter(|s| !is_unserved(facts, s))
        .map(|s| {
            let mut finding = finding(&CHECK, Severity::Critical, 0.95);
            finding.evidence = Vec::from_iter(process(&s.processes));
            finding.evidence.extend([
                reported(EvidenceKey::Socket, word(s.local.to_string())),
                reported(EvidenceKey::WaitingCount, s.receive_queue),
                reported(EvidenceKey::BacklogCount, s.send_queue),
            ]);
            finding.fixes = fixes::lengthen_queue(facts, Some(s));
            finding
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::{SocketSample, TcpState};

    use super::*;
    use crate::testing::{Host, connection, lines};

    fn listener(waiting: u64, backlog: u64) -> SocketSample {
        SocketSample { state: Some(TcpState::Listen), receive_queue: waiting, send_queue: backlog, ..connection() }
    }

    #[test]
    fn a_full_queue() {
        Host::with_defaults("6.12").socket(listener(129, 128)).fires(CHECK.id);
        Host::with_defaults("6.12").socket(listener(127, 128)).socket(listener(0, 0)).is_silent(CHECK.id);
    }

    /// Settings that are already long enough are not advised.
    #[test]
    fn advice_compares_with_what_is_there() {
        let host = |most: &str, backlog: u64| {
            let host = Host::with_defaults("6.12").sysctl(&format!("net.core.somaxconn={most}"));
            let finding = host.socket(listener(backlog + 1, backlog)).fires(CHECK.id);
            (finding.fixes.iter().map(|f| f.id).collect::<Vec<_>>(), lines(&finding))
        };
        let (ids, text) = host("128", 128);
        assert!(ids.contains(&"raise-backlog") && text.contains("somaxconn=4096"), "{ids:?} {text}");
        let (ids, text) = host("4096", 128);
        assert!(ids.contains(&"raise-asked-backlog") && !text.contains("sysctl"), "{ids:?} {text}");
        assert_eq!(host("65535", 4096).0, ["accept-faster"]);
    }
}
