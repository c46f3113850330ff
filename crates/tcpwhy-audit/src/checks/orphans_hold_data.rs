//! Closed connections that have no process any more and whose peers do not accept the remaining data.
//!
//! Source: `tcp_close` leaves the remaining data to the kernel (an orphan: `FIN-WAIT-1`, `CLOSING`,
//! `LAST-ACK` without an inode). The orphan keeps its send queue until the peer has acknowledged it, or
//! `tcp_orphan_retries` probes were not answered (`tcp_probe_timer`, `tcp_out_of_resources`). A peer that
//! answers probes with a zero window can keep it for minutes.

use tcpwhy_model::Program::{C, Java, Nginx, Python};
use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::{EvidenceKey, Finding, Fix, FixLine, FixPlace, Severity};

use tcpwhy_kernel::Sysctl;

use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "orphans-hold-data", severity: Severity::Critical, needs: crate::needs::SOCKETS, detect };

/// Number of orphans that a few slow clients alone do not reach.
const LEAST_COUNT: usize = 10;
/// Bytes of memory that matter even with fewer orphans.
const LEAST_BYTES: u64 = 4 << 20;
/// Least time without progress, ms. A connection that closes normally is gone in a few round trips.
const LEAST_IDLE_MS: u64 = 1000;
/// Share of `tcp_max_orphans` from which the kernel begins to abort orphans.
const SEVERE_SHARE: f64 = 0.5;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    if !facts.knows_inodes() {
        return vec![];
    }
    let mut stuck: Vec<&SocketSample> = facts.sockets().iter().filter(|s| is_stuck(s)).collect();
    let held = |s: &SocketSample| s.memory.send_queued.unwrap_or(0).max(s.send_queue);
    let bytes = stuck.iter().map(|s| held(s)).fold(0, u64::saturating_add);
    if stuck.len() < LEAST_COUNT && bytes < LEAST_BYTES {
        return vec![];
    }
    stuck.sort_by_key(|s| std::cmp::Reverse(held(s)));
    let most = facts.sysctls.number(Sysctl::TcpMaxOrphans).filter(|&n| n > 0);
    let limit = facts.triple(Sysctl::TcpMem).zip(facts.host.page_size).map(|(t, page)| t[1].saturating_mul(page));
    let is_severe = most.is_some_and(|most| stuck.len() as f64 >= SEVERE_SHARE * most as f64)
        || limit.is_some_and(|limit| bytes as f64 >= SEVERE_SHARE * limit as f64);
    let worst = stuck[0];
    let mut finding = finding(&CHECK, if is_severe { Severity::Critical } else { Severity::Warning }, 0.9);
    finding.evidence = holder(facts, worst).and_then(|s| process(&s.processes)).into_iter().collect();
    finding.evidence.extend([
        reported(EvidenceKey::SocketCount, stuck.len() as u64),
        reported(EvidenceKey::HeldBytes, bytes),
        reported(EvidenceKey::Socket, word(format!("{} → {}", worst.local, worst.peer))),
        reported(EvidenceKey::WaitingBytes, worst.send_queue),
    ]);
    finding.evidence.extend(worst.info.last_ack_recv.map(|ms| reported(EvidenceKey::IdleMs, ms)));
    finding.evidence.extend(most.map(|n| reported(EvidenceKey::MaxOrphanCount, n as u64)));
    finding.evidence.extend(limit.map(|bytes| derived(EvidenceKey::PressureLimitBytes, bytes)));
    finding.fixes = vec![give_up_sooner(), end_them(worst)];
    vec![finding]
}

/// Whether the socket has no process, unsent data and no progress: it probes a zero window, or no ACK has
/// come for a while.
fn is_stuck(s: &SocketSample) -> bool {
    use tcpwhy_model::host::TimerKind::Persist;
    matches!(s.state, Some(TcpState::FinWait1 | TcpState::Closing | TcpState::LastAck))
        && s.inode.is_none()
        && s.processes.is_empty()
        // The FIN counts as one byte.
        && s.send_queue > 1
        && (s.timer.is_some_and(|t| t.kind == Persist) || s.info.last_ack_recv.is_some_and(|ms| ms >= LEAST_IDLE_MS))
}

/// The process that probably made the connection: it listens on its port, or has other connections to the
/// same peer.
fn holder<'a>(facts: &HostFacts<'a>, orphan: &SocketSample) -> Option<&'a SocketSample> {
    let is_same = |s: &&SocketSample| s.peer == orphan.peer && !s.processes.is_empty();
    facts.listener_of(orphan).or_else(|| facts.sockets().iter().find(is_same))
}

/// Makes the kernel end a connection sooner whose data is not acknowledged.
pub(super) fn give_up_sooner() -> Fix {
    let lines = [
        C.line(
            "setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &(int){30000}, sizeof(int));  /* ",
            "c-ms-without-progress",
        ),
        Python.line("sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30000)         # ", "python"),
        Java.line("channel.config().setOption(EpollChannelOption.TCP_USER_TIMEOUT, 30000);     // ", "netty"),
        Nginx.line("send_timeout 30s; reset_timedout_connection on;                             # ", "nginx"),
    ];
    Fix::new("give-up-sooner", FixPlace::Application, lines.into())
}

fn end_them(worst: &SocketSample) -> Fix {
    let port = worst.local.port.unwrap_or(0);
    fixes::host(
        "host-end-orphans",
        vec![
            FixLine::remarked(format!("ss -tno state fin-wait-1 sport = :{port}  # "), "they-and-their-probes"),
            FixLine::remarked(
                format!("ss -K state fin-wait-1 sport = :{port}    # "),
                "ends-them-now-config-inet-diag",
            ),
        ],
    )
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::{SocketTimer, TimerKind};

    use super::*;
    use crate::testing::{Host, connection, number};

    fn orphan(idle: u64) -> SocketSample {
        let mut socket = SocketSample { state: Some(TcpState::FinWait1), send_queue: 200_000, ..connection() };
        socket.processes.clear();
        socket.memory.send_queued = Some(260_000);
        socket.info.last_ack_recv = Some(idle);
        socket
    }

    fn host(orphans: usize, idle: u64) -> Host {
        let mut listener = SocketSample { state: Some(TcpState::Listen), inode: Some(5), ..connection() };
        listener.processes[0].name = "web".into();
        (0..orphans).fold(Host::with_defaults("6.12").socket(listener), |host, _| host.socket(orphan(idle)))
    }

    #[test]
    fn many_that_nobody_takes() {
        let finding = host(50, 5000).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Warning);
        assert_eq!(finding.evidence[0].value, word("web"));
        assert!((number(&finding, "held_bytes") - 50.0 * 260_000.0).abs() < 0.1);
        let limited = host(50, 5000).sysctl("net.ipv4.tcp_max_orphans=64");
        assert_eq!(limited.fires(CHECK.id).severity, Severity::Critical);
    }

    /// The peers answer probes, so ACKs keep coming.
    #[test]
    fn closed_windows() {
        let mut host = host(0, 0);
        for _ in 0..20 {
            let mut socket = orphan(100);
            socket.timer = Some(SocketTimer { kind: TimerKind::Persist, expires: Some(200), retransmissions: Some(0) });
            host = host.socket(socket);
        }
        host.fires(CHECK.id);
    }

    #[test]
    fn connections_that_end_well() {
        host(50, 20).is_silent(CHECK.id);
        host(9, 5000).is_silent(CHECK.id);
        let mut unknown = host(50, 5000);
        for socket in unknown.observation.sockets.iter_mut().flatten() {
            socket.inode = None;
        }
        unknown.is_silent(CHECK.id);
    }
}
