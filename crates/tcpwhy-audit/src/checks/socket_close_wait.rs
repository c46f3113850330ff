//! Connections that the peer has closed and the application here has not: the application forgot them, or
//! hangs.
//!
//! Source: RFC 9293 §3.3.2: CLOSE-WAIT lasts until the application closes. Each connection keeps a descriptor
//! and its buffers.

use std::collections::HashMap;

use tcpwhy_model::Program::{Go, Java, Python};
use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::{EvidenceKey, Finding, Fix, FixLine, FixPlace, Severity};

use crate::check::finding;
use crate::evidence::{process, reported, word};
use crate::{Check, HostFacts};

pub(super) static CHECK: Check =
    Check { id: "socket-close-wait", severity: Severity::Warning, needs: crate::needs::SOCKETS, detect };

/// An application may take a moment to notice the close, and longer to answer a peer that only closed its
/// sending half.
const LEAST_IDLE_MS: u64 = 60_000;
/// Fewer connections may be an accident.
const LEAST_COUNT: usize = 3;
/// A leak that has just begun shows by its size. At least `YOUNG_COUNT` connections have been idle for this
/// time, and they are most of the process's.
const YOUNG_IDLE_MS: u64 = 1000;
const YOUNG_COUNT: usize = 10;
/// After this time a program no longer works on its answers.
const NOTICED_IDLE_MS: u64 = 10_000;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let name = |s: &SocketSample| s.processes.first().map(|p| p.name.clone());
    // The order is that of the sockets, so that the same host gives the same findings.
    let mut groups: Vec<(Option<String>, Vec<&SocketSample>)> = Vec::new();
    let mut index: HashMap<Option<String>, usize> = HashMap::new();
    for socket in facts.sockets().iter().filter(|s| is_left(facts, s)) {
        let at = *index.entry(name(socket)).or_insert_with_key(|name| {
            groups.push((name.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(socket);
    }
    let connected = |of: &Option<String>| facts.connections().filter(|s| name(s) == *of).count();
    groups.iter_mut().filter_map(|(name, group)| one(group, || connected(name))).collect()
}

/// Time since data or an ACK last came or data was sent, ms.
fn idle(s: &SocketSample) -> Option<u64> {
    s.info.last_data_recv.into_iter().chain(s.info.last_ack_recv).chain(s.info.last_data_sent).min()
}

/// Whether the peer has closed, nothing is left to send, and the connection is idle. A socket without an
/// inode waits in an accept queue: no process can close it yet.
fn is_left(facts: &HostFacts<'_>, s: &SocketSample) -> bool {
    let is_unaccepted = s.inode.is_none() && s.processes.is_empty() && facts.knows_inodes();
    s.state == Some(TcpState::CloseWait)
        && s.send_queue == 0
        && !is_unaccepted
        && idle(s).is_some_and(|ms| ms >= YOUNG_IDLE_MS)
}

fn one(group: &mut [&SocketSample], connected: impl Fn() -> usize) -> Option<Finding> {
    group.sort_by_key(|s| std::cmp::Reverse(idle(s)));
    let old = group.iter().take_while(|s| idle(s) >= Some(LEAST_IDLE_MS)).count();
    let is_young_leak = || group.len() >= YOUNG_COUNT && 2 * group.len() >= connected();
    let oldest = *group.first()?;
    let (count, severity, confidence) = if old >= LEAST_COUNT {
        (old, Severity::Warning, 0.9)
    } else if is_young_leak() {
        let is_noticed = idle(oldest) >= Some(NOTICED_IDLE_MS);
        (group.len(), if is_noticed { Severity::Warning } else { Severity::Info }, 0.7)
    } else {
        return None;
    };
    let mut finding = finding(&CHECK, severity, confidence);
    finding.evidence = Vec::from_iter(process(&oldest.processes));
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, count as u64),
        reported(EvidenceKey::Socket, word(format!("{} → {}", oldest.local, oldest.peer))),
    ]);
    finding.evidence.extend(idle(oldest).map(|ms| reported(EvidenceKey::IdleMs, ms)));
    finding.fixes = vec![close()];
    Some(finding)
}

fn close() -> Fix {
    let lines = [
        FixLine::remarked("ss -tnp state close-wait                       # ", "which-and-whose"),
        Java.line("try (Socket s = …) { … }                       // ", "java-closes-on-every-path"),
        Go.line("defer conn.Close()                             // ", "go"),
        Python.line("with socket.create_connection(…) as s:         # ", "python"),
    ];
    Fix::new("close-connections", FixPlace::Application, lines.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection, number};

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

    #[test]
    fn a_leak_that_has_just_begun() {
        let leak =
            |count: usize, idle: u64| (0..count).fold(Host::with_defaults("6.12"), |host, _| host.socket(left(idle)));
        assert_eq!(leak(50, 2000).fires(CHECK.id).severity, Severity::Info);
        assert_eq!(leak(50, 20_000).fires(CHECK.id).severity, Severity::Warning);
        leak(9, 20_000).is_silent(CHECK.id);
        leak(50, 500).is_silent(CHECK.id);
        // A server that still answers peers that have closed only their sending half.
        let busy = (0..60).fold(leak(50, 20_000), |host, _| host.socket(connection()));
        busy.is_silent(CHECK.id);
        let answering = (0..50).fold(Host::with_defaults("6.12"), |host, _| {
            let mut socket = left(20_000);
            socket.info.last_data_sent = Some(5);
            host.socket(socket)
        });
        answering.is_silent(CHECK.id);
    }

    /// Connections that wait to be accepted concern the listener.
    #[test]
    fn nobody_has_accepted_it_yet() {
        let mut known = connection();
        known.inode = Some(9);
        let host = (0..50).fold(Host::with_defaults("6.12").socket(known), |host, _| {
            let mut socket = left(20_000);
            socket.processes.clear();
            host.socket(socket)
        });
        host.is_silent(CHECK.id);
    }
}
