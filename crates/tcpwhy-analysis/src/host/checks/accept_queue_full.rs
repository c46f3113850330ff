//! Listeners whose queue of connections to accept is full now: what completes its handshake is dropped.
//!
//! Source: `sk_acceptq_is_full` (queue > backlog); a listener's receive queue in `sock_diag` is what waits, its send queue
//! what may wait, `min(backlog of listen(), somaxconn)`.

use tcpwhy_model::host::TcpState;
use tcpwhy_model::{Finding, Severity};

use super::listen_overflows::raise_backlog;
use crate::host::facts::{finding, process, reported, word};
use crate::host::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "accept-queue-full", severity: Severity::Critical, detect };

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let is_full = |s: &&tcpwhy_model::host::SocketSample| {
        s.state == Some(TcpState::Listen) && s.receive_queue > 0 && s.receive_queue >= s.send_queue
    };
    facts
        .sockets()
        .iter()
        .filter(is_full)
        .map(|s| {
            let mut finding = finding(&CHECK, Severity::Critical, 0.95);
            finding.evidence = Vec::from_iter(process(&s.processes));
            finding.evidence.extend([
                reported("socket", word(s.local.to_string())),
                reported("waiting_count", s.receive_queue),
                reported("backlog_count", s.send_queue),
            ]);
            finding.fixes = raise_backlog(s.processes.first().map_or("", |p| p.name.as_str()));
            finding
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::SocketSample;

    use super::*;
    use crate::host::testing::{Host, connection};

    fn listener(waiting: u64, backlog: u64) -> SocketSample {
        SocketSample { state: Some(TcpState::Listen), receive_queue: waiting, send_queue: backlog, ..connection() }
    }

    #[test]
    fn a_full_queue() {
        Host::with_defaults("6.12").socket(listener(129, 128)).fires(CHECK.id);
        Host::with_defaults("6.12").socket(listener(127, 128)).socket(listener(0, 0)).is_silent(CHECK.id);
    }
}
