//! Listeners whose accept queue is full because their program does not call `accept()`: no setting helps.
//!
//! Source: the queue is first in, first out and accepts nothing while it is full (`sk_acceptq_is_full`). Each
//! `accept()` would have freed a place for a new connection. If even the newest one has waited for a while,
//! the program did not call `accept()` in that time. The kernel does not report when a connection was
//! established. The time since its last data (`tcpi_last_data_recv`, without data since the handshake) is a
//! lower bound of its wait.

use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::{EvidenceKey, Finding, Severity};

use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "accept-not-called", severity: Severity::Critical, needs: crate::needs::SOCKETS, detect };

/// Least wait that shows a missing `accept()`, ms. A busy program may take a moment between two calls, but
/// less than 1 s.
const LEAST_WAIT_MS: u64 = 1000;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    full_listeners(facts).filter_map(|listener| one(facts, listener)).collect()
}

/// Listeners whose accept queue has reached its limit.
pub(super) fn full_listeners<'a>(facts: &HostFacts<'a>) -> impl Iterator<Item = &'a SocketSample> + use<'a> {
    let is_full =
        |s: &&SocketSample| s.state == Some(TcpState::Listen) && s.receive_queue > 0 && s.receive_queue >= s.send_queue;
    facts.sockets().iter().filter(is_full)
}

/// Time for which `accept()` has not been called for a listener with a full queue, ms: a lower bound. `None`
/// if not all of its waiting connections can be identified.
fn not_accepted_ms(facts: &HostFacts<'_>, listener: &SocketSample) -> Option<u64> {
    let waits: Vec<u64> = facts.unaccepted(listener).filter_map(|s| s.info.last_data_recv).collect();
    let are_all = facts.knows_inodes() && waits.len() as u64 == listener.receive_queue;
    waits.into_iter().min().filter(|_| are_all)
}

/// Whether the queue of `listener` is full and its program does not call `accept()`.
pub(super) fn is_unserved(facts: &HostFacts<'_>, listener: &SocketSample) -> bool {
    full_listeners(facts).any(|full| std::ptr::eq(full, listener))
        && not_accepted_ms(facts, listener).is_some_and(|ms| ms >= LEAST_WAIT_MS)
}

fn one(facts: &HostFacts<'_>, listener: &SocketSample) -> Option<Finding> {
    let wait = not_accepted_ms(facts, listener).filter(|&ms| ms >= LEAST_WAIT_MS)?;
    let holder = listener.processes.first();
    let mut finding = finding(&CHECK, Severity::Critical, 0.95);
    finding.evidence = Vec::from_iter(process(&listener.processes));
    finding.evidence.extend([
        reported(EvidenceKey::Socket, word(listener.local.to_string())),
        reported(EvidenceKey::WaitingCount, listener.receive_queue),
        reported(EvidenceKey::BacklogCount, listener.send_queue),
        derived(EvidenceKey::NotAcceptedMs, wait),
    ]);
    let threads = holder.and_then(|holder| facts.host.threads.iter().find(|t| t.pid == holder.pid));
    finding.evidence.extend(threads.into_iter().flat_map(|t| &t.states).map(|&(state, count)| {
        use tcpwhy_model::host::ThreadState as State;
        let name = match state {
            State::Running => EvidenceKey::ThreadsRunningCount,
            State::Stopped => EvidenceKey::ThreadsStoppedCount,
            State::Device => EvidenceKey::ThreadsDeviceCount,
            State::Accepting => EvidenceKey::ThreadsAcceptingCount,
            State::Polling => EvidenceKey::ThreadsPollingCount,
            State::Lock => EvidenceKey::ThreadsLockCount,
            State::Sleeping => EvidenceKey::ThreadsSleepingCount,
            State::Transfer => EvidenceKey::ThreadsTransferCount,
            State::Other => EvidenceKey::ThreadsOtherCount,
        };
        reported(name, count)
    }));
    finding.fixes = vec![fixes::accept_faster(holder.map_or("", |p| p.name.as_str()), holder.map(|p| p.pid))];
    Some(finding)
}

#[cfg(test)]
pub(super) mod tests {
    use tcpwhy_model::host::{ProcessThreads, SocketAddress, ThreadState};

    use super::*;
    use crate::testing::{Host, connection, lines, number};

    /// A host with a listener for `backlog` connections, and connections that have waited for `waits` ms.
    pub(crate) fn waiting(backlog: u64, waits: &[u64]) -> Host {
        let mut listener = SocketSample { state: Some(TcpState::Listen), send_queue: backlog, ..connection() };
        listener.inode = Some(77);
        listener.receive_queue = waits.len() as u64;
        listener.peer = SocketAddress::default();
        waits.iter().fold(Host::with_defaults("6.12").socket(listener), |host, &ms| {
            let mut socket = connection();
            socket.processes.clear();
            socket.info.last_data_recv = Some(ms);
            host.socket(socket)
        })
    }

    #[test]
    fn a_program_that_does_not_accept() {
        let mut host = waiting(4, &[9000, 7000, 5000, 4000, 3000]);
        host.observation.threads =
            vec![ProcessThreads { pid: 4127, states: vec![(ThreadState::Sleeping, 1), (ThreadState::Lock, 7)] }];
        let finding = host.fires(CHECK.id);
        assert!((number(&finding, "not_accepted_ms") - 3000.0).abs() < 0.1);
        assert!((number(&finding, "threads_lock_count") - 7.0).abs() < 0.1);
        assert!(lines(&finding).contains("gdb -p 4127") && !lines(&finding).contains("sysctl"), "{}", lines(&finding));
        host.is_silent("accept-queue-full");
    }

    /// The newest connection came just now, so the program accepted one before.
    #[test]
    fn one_that_accepts_too_slowly_is_another_finding() {
        let host = waiting(4, &[9000, 7000, 5000, 4000, 10]);
        host.is_silent(CHECK.id);
        host.fires("accept-queue-full");
    }

    /// Without inodes a waiting connection looks like any other.
    #[test]
    fn what_cannot_be_told_is_not_said() {
        let mut host = waiting(4, &[9000, 7000, 5000, 4000, 3000]);
        for socket in host.observation.sockets.iter_mut().flatten() {
            socket.inode = None;
        }
        host.is_silent(CHECK.id);
        let mut host = waiting(4, &[9000, 7000, 5000, 4000, 3000]);
        host.observation.sockets.as_mut().unwrap().pop();
        host.is_silent(CHECK.id);
    }

    #[test]
    fn a_queue_with_room_is_well() {
        waiting(128, &[9000; 127]).is_silent(CHECK.id);
    }
}
