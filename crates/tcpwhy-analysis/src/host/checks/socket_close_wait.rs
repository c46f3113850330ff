//! Connections that the peer has closed and the application here has not: it forgot them, or hangs.
//!
//! Source: RFC 9293 §3.3.2: CLOSE-WAIT lasts until the application closes. Each holds a descriptor and its buffers.

use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::{Finding, Fix, FixPlace, Severity};

use crate::host::facts::{finding, process, reported, word};
use crate::host::{Check, HostFacts};

pub(super) static CHECK: Check = Check { id: "socket-close-wait", severity: Severity::Warning, detect };

/// An application may take a moment to notice.
const LEAST_IDLE_MS: u64 = 60_000;
/// One may be an accident.
const LEAST_COUNT: usize = 3;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let mut groups: Vec<Vec<&SocketSample>> = Vec::new();
    let idle = |s: &SocketSample| s.info.last_data_recv.into_iter().chain(s.info.last_ack_recv).min();
    for socket in facts.sockets() {
        let is_forgotten = idle(socket).is_some_and(|ms| ms >= LEAST_IDLE_MS);
        if socket.state != Some(TcpState::CloseWait) || !is_forgotten {
            continue;
        }
        let name = |s: &SocketSample| s.processes.first().map(|p| p.name.clone());
        match groups.iter_mut().find(|group| name(group[0]) == name(socket)) {
            Some(group) => group.push(socket),
            None => groups.push(vec![socket]),
        }
    }
    groups.retain(|group| group.len() >= LEAST_COUNT);
    groups
        .into_iter()
        .map(|mut group| {
            group.sort_by_key(|s| std::cmp::Reverse(idle(s)));
            let oldest = group[0];
            let mut finding = finding(&CHECK, Severity::Warning, 0.9);
            finding.evidence = Vec::from_iter(process(&oldest.processes));
            finding.evidence.extend([
                reported("socket_count", group.len() as u64),
                reported("socket", word(format!("{} → {}", oldest.local, oldest.peer))),
            ]);
            finding.evidence.extend(idle(oldest).map(|ms| reported("idle_ms", ms)));
            finding.fixes = vec![close()];
            finding
        })
        .collect()
}

fn close() -> Fix {
    let lines = [
        "ss -tnp state close-wait                       # which, and whose",
        "try (Socket s = …) { … }                       // Java: closes on every way out",
        "defer conn.Close()                             // Go",
        "with socket.create_connection(…) as s:         # Python",
    ];
    Fix { id: "close-connections", place: FixPlace::Application, lines: lines.map(Into::into).into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::testing::{Host, connection, number};

    fn left(idle: u64) -> SocketSample {
        let mut socket = connection();
        socket.state = Some(TcpState::CloseWait);
        socket.info.last_data_recv = Some(idle + 5000);
        socket.info.last_ack_recv = Some(idle);
        socket
    }

    #[test]
    fn forgotten_connections() {
        let host = Host::with_defaults("6.12");
        let host = host.socket(left(100_000)).socket(left(7_200_000)).socket(left(60_000)).socket(left(10));
        let finding = host.fires(CHECK.id);
        assert!((number(&finding, "socket_count") - 3.0).abs() < 0.1);
        assert!((number(&finding, "idle_ms") - 7_200_000.0).abs() < 0.1);
    }

    #[test]
    fn a_few_or_fresh_ones_are_nothing() {
        Host::with_defaults("6.12").socket(left(100_000)).socket(left(100_000)).is_silent(CHECK.id);
        Host::with_defaults("6.12").socket(left(10)).socket(left(20)).socket(left(30)).is_silent(CHECK.id);
    }
}
