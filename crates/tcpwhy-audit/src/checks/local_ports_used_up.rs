//! The local ports for connections to one destination are used up, or nearly: `connect()` fails with
//! `EADDRNOTAVAIL`.
//!
//! Source: `__inet_hash_connect` gives each connection a local port of `ip_local_port_range`. No other
//! connection to the same address and port may have it, `TIME-WAIT` (60 s) included. `tcp_tw_reuse` allows
//! ports that have been in `TIME-WAIT` for over 1 s, if timestamps are used (`tcp_twsk_unique`). Its value 2,
//! the default since 4.19, allows this over loopback only, 1 everywhere.

use std::collections::HashMap;
use std::net::IpAddr;

use tcpwhy_kernel::{Sysctl, SysctlValue};
use tcpwhy_model::Program::{Go, Java, Nginx, Python};
use tcpwhy_model::host::{SocketAddress, SocketSample, TcpState};
use tcpwhy_model::{EvidenceKey, Finding, Fix, FixPlace, Remark, Severity};

use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "local-ports-used-up", severity: Severity::Critical, needs: crate::needs::SOCKETS, detect };

/// Share of the range from which the search for a free port is long and the remaining ports are soon used up.
const LEAST_SHARE: f64 = 0.8;
/// Share of the range from which the remaining ports may be used up between two scans.
const ALL_SHARE: f64 = 0.98;

/// Local ports towards one destination.
#[derive(Clone, Copy, Debug, Default)]
struct Ports {
    connected: u64,
    time_wait: u64,
    /// Ports in `TIME-WAIT` that no setting frees.
    fresh: u64,
}

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let Some((first, last)) = range(facts) else { return vec![] };
    let mut by_destination: HashMap<(Option<IpAddr>, SocketAddress), Ports> = HashMap::new();
    let is_ephemeral = |s: &&SocketSample| s.local.port.is_some_and(|p| (first..=last).contains(&p));
    for socket in facts.sockets().iter().filter(is_ephemeral).filter(|s| s.peer.port.is_some()) {
        let ports = by_destination.entry((socket.local.address, socket.peer.clone())).or_default();
        match socket.state {
            Some(TcpState::TimeWait) => ports.time_wait += 1,
            Some(TcpState::Listen | TcpState::SynReceived) => {}
            _ => ports.connected += 1,
        }
    }
    for used in &facts.host.time_wait {
        let ports = by_destination.entry((used.local, used.peer.clone())).or_default();
        ports.time_wait = ports.time_wait.saturating_add(used.ports);
        ports.fresh = ports.fresh.saturating_add(used.fresh);
    }
    let size = f64::from(last - first) + 1.0;
    let share = |(local, peer): &(Option<IpAddr>, SocketAddress), ports: &Ports| {
        let is_local = *local == peer.address || peer.address.is_some_and(|a| a.to_canonical().is_loopback());
        let waiting = if may_reuse(facts, is_local) { ports.fresh } else { ports.time_wait };
        ports.connected.saturating_add(waiting) as f64 / size
    };
    let worst =
        by_destination.iter().max_by(|a, b| share(a.0, a.1).total_cmp(&share(b.0, b.1)).then_with(|| b.0.cmp(a.0)));
    let Some((destination, ports)) = worst.filter(|(d, p)| share(d, p) >= LEAST_SHARE) else { return vec![] };
    let share = share(destination, ports);
    let severity = if share >= ALL_SHARE { Severity::Critical } else { Severity::Warning };
    let mut finding = finding(&CHECK, severity, 0.9);
    let (local, peer) = destination;
    let is_same = |s: &&SocketSample| s.peer == *peer && !s.processes.is_empty();
    // The process that closed its connections no longer has them. A process with others to the same
    // destination made them.
    finding.evidence = facts.sockets().iter().find(is_same).and_then(|s| process(&s.processes)).into_iter().collect();
    let from = local.map_or_else(|| "*".to_owned(), |a| a.to_string());
    finding.evidence.extend([
        reported(EvidenceKey::Socket, word(format!("{from} → {peer}"))),
        derived(EvidenceKey::PortShare, share.min(1.0)),
        reported(EvidenceKey::PortCount, size as u64),
        reported(EvidenceKey::ConnectedCount, ports.connected),
        reported(EvidenceKey::TimeWaitCount, ports.time_wait),
    ]);
    finding.fixes = fixes(facts, (first, last));
    vec![finding]
}

fn range(facts: &HostFacts<'_>) -> Option<(u16, u16)> {
    let text = facts.sysctls.words(Sysctl::IpLocalPortRange)?;
    let mut words = text.split_ascii_whitespace();
    let (first, last) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (first <= last).then_some((first, last))
}

/// Whether ports in `TIME-WAIT` may be reused after 1 s.
fn may_reuse(facts: &HostFacts<'_>, is_local: bool) -> bool {
    let has_timestamps = facts.sysctls.number(Sysctl::TcpTimestamps) != Some(0);
    match facts.sysctls.number(Sysctl::TcpTwReuse) {
        Some(1) => has_timestamps,
        Some(2) => has_timestamps && is_local,
        _ => false,
    }
}

/// The widest range that does not include the ports of services.
const WIDE: (u16, u16) = (10_240, 65_535);

fn fixes(facts: &HostFacts<'_>, (first, last): (u16, u16)) -> Vec<Fix> {
    let reuse = [
        Nginx.line("proxy_http_version 1.1; upstream … { keepalive 64; }                   # ", "nginx"),
        Go.line(
            "http.Transport{MaxIdleConnsPerHost: 64}                                // ",
            "go-read-bodies-to-their-end",
        ),
        Java.line("new HikariDataSource(config); HttpClient.newHttpClient() kept for all  // ", "java"),
        Python.line(
            "session = requests.Session()                                           # ",
            "python-one-for-all-requests",
        ),
    ];
    let mut fixes = vec![Fix::new("reuse-connections", FixPlace::Application, reuse.into())];
    if facts.sysctls.number(Sysctl::TcpTwReuse).is_some_and(|mode| mode != 1) {
        let remark = "outgoing-connections-needs-timestamps-at-both";
        fixes.push(self::fixes::switch_on("host-reuse-time-wait", Sysctl::TcpTwReuse, remark));
    }
    let (wide_first, wide_last) = (first.min(WIDE.0), last.max(WIDE.1));
    if (wide_first, wide_last) != (first, last) {
        let value = SysctlValue::Words(format!("{wide_first} {wide_last}"));
        let remark = Remark::new("was-reserve-ports-of-services").with("first", &first).with("last", &last);
        fixes.push(self::fixes::set_sysctl("host-widen-port-range", Sysctl::IpLocalPortRange, value, remark));
    }
    fixes
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::PortUse;

    use super::*;
    use crate::testing::{Host, connection, lines, number};

    fn host(ports: u64, fresh: u64) -> Host {
        let mut host = Host::with_defaults("6.12")
            .sysctl("net.ipv4.ip_local_port_range=32768 60999")
            .sysctl("net.ipv4.tcp_tw_reuse=2");
        let local = "192.0.2.10".parse().ok();
        host.observation.time_wait = vec![PortUse { local, peer: connection().peer, ports, fresh }];
        host
    }

    #[test]
    fn all_in_time_wait() {
        let finding = host(28_232, 400).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Critical);
        assert!((number(&finding, "time_wait_count") - 28_232.0).abs() < 0.1);
        assert!(lines(&finding).contains("tcp_tw_reuse=1") || lines(&finding).contains("tcp_tw_reuse='1'"));
        assert!(lines(&finding).contains("'10240 65535'"), "{}", lines(&finding));
        assert_eq!(host(24_000, 400).fires(CHECK.id).severity, Severity::Warning);
        host(20_000, 400).is_silent(CHECK.id);
    }

    #[test]
    fn who_makes_them() {
        let mut socket = connection();
        socket.local.port = Some(40_000);
        let finding = host(28_000, 400).socket(socket).fires(CHECK.id);
        assert_eq!(finding.evidence[0].value, word("mysqld"));
    }

    #[test]
    fn ports_that_may_be_taken_again_are_free() {
        host(28_232, 400).sysctl("net.ipv4.tcp_tw_reuse=1").is_silent(CHECK.id);
        host(28_232, 28_000).sysctl("net.ipv4.tcp_tw_reuse=1").fires(CHECK.id);
        host(28_232, 400).sysctl("net.ipv4.tcp_tw_reuse=1").sysctl("net.ipv4.tcp_timestamps=0").fires(CHECK.id);
        // The value 2 applies to loopback only.
        let mut local = host(28_232, 400);
        local.observation.time_wait[0].peer.address = local.observation.time_wait[0].local;
        local.is_silent(CHECK.id);
    }

    /// A server uses one local port, however many clients it has.
    #[test]
    fn a_busy_server_is_well() {
        let clients = (0..30_000_u32).map(|i| {
            let mut socket = connection();
            socket.peer.port = Some((i % 60_000) as u16 + 1024);
            socket
        });
        clients.fold(host(0, 0), Host::socket).is_silent(CHECK.id);
    }
}
