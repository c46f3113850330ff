//! SYNs were dropped because the queue of half-open connections was full and SYN cookies were off.
//!
//! Source: `tcp_conn_request`. With `tcp_syncookies` at 0 a listener drops SYNs at either of two limits. The
//! number of half-open connections equals its backlog (`inet_csk_reqsk_queue_is_full`, counted by
//! `TCPReqQFullDrop` and `ListenDrops`). Or it exceeds three quarters of `tcp_max_syn_backlog` (counted by
//! `ListenDrops` alone). Drops of full accept queues are in `ListenDrops` too, and in `ListenOverflows`.

use std::collections::HashMap;

use tcpwhy_kernel::Sysctl;
use tcpwhy_model::host::{Counters, SocketSample, TcpState};
use tcpwhy_model::{EvidenceKey, Finding, FixLine, Severity};

use super::no_route_back;
use crate::check::finding;
use crate::evidence::{derived, process, reported, word};
use crate::{Check, HostFacts, fixes};

pub(super) static CHECK: Check =
    Check { id: "syn-queue-full", severity: Severity::Critical, needs: crate::needs::COUNTERS, detect };

/// Share of the established connections.
const LEAST_SHARE: f64 = 0.001;

fn detect(facts: &HostFacts<'_>) -> Vec<Finding> {
    let cookies = facts.sysctls.number(Sysctl::TcpSyncookies);
    let are_cookies_off = cookies == Some(0);
    // With cookies on, `TCPReqQFullDrop` does not rise (`tcp_syn_flood_action`), so its count is older than
    // that setting.
    let are_cookies_on = cookies.is_some_and(|mode| mode != 0);
    let listener = busiest(facts);
    let backlog = facts.sysctls.number(Sysctl::TcpMaxSynBacklog).and_then(|n| u64::try_from(n).ok());
    // A queue that is full now will drop the next SYN.
    let limit = |s: &SocketSample| backlog.map_or(s.send_queue, |n| s.send_queue.min(n - n / 4));
    let is_full = are_cookies_off && listener.is_some_and(|(s, half_open)| half_open >= limit(s));
    let dropped = |counters: &Counters| {
        let of = |name| counters.ext(name).unwrap_or(0);
        // With cookies on, `ListenDrops` has other reasons: no memory, no route, a filter.
        let others = if are_cookies_off { of("ListenDrops").saturating_sub(of("ListenOverflows")) } else { 0 };
        // Drops that a missing route explains belong to that check. They count here only if the route would
        // explain all of them while the queue is full now.
        let here = match others.saturating_sub(no_route_back::dropped(counters)) {
            0 if is_full => others,
            here => here,
        };
        here.max(of("TCPReqQFullDrop"))
    };
    let Some(tally) = facts.tally_of(dropped) else { return vec![] };
    let is_rare = (tally.total as f64) < LEAST_SHARE * facts.tcp("PassiveOpens") as f64;
    let most = if is_rare { Severity::Info } else { Severity::Critical };
    let is_counted = facts.ext("TCPReqQFullDrop") > 0;
    let confidence = if is_counted || listener.is_some() { 0.95 } else { 0.75 };
    let severity = match () {
        () if is_full => most,
        () if are_cookies_on => Severity::Info,
        () => tally.severity(most, 1.0),
    };
    let mut finding = finding(&CHECK, severity, confidence);
    finding.evidence = listener.and_then(|(s, _)| process(&s.processes)).into_iter().collect();
    let dropped = if is_counted { reported } else { derived }(EvidenceKey::SynQueueDropCount, tally.total);
    finding.evidence.push(dropped);
    finding.evidence.extend(tally.evidence);
    finding.evidence.extend(listener.map(|(s, _)| reported(EvidenceKey::Socket, word(s.local.to_string()))));
    finding.evidence.extend(listener.map(|(_, half_open)| reported(EvidenceKey::HalfOpenCount, half_open)));
    finding.evidence.extend(listener.map(|(s, _)| reported(EvidenceKey::BacklogCount, s.send_queue)));
    finding.evidence.extend(backlog.map(|n| reported(EvidenceKey::SynBacklogCount, n)));
    finding.evidence.extend(cookies.filter(|_| are_cookies_on).map(|mode| reported(EvidenceKey::SyncookiesMode, mode)));
    finding.fixes = vec![
        fixes::switch_on("host-enable-syncookies", Sysctl::TcpSyncookies, "the-kernel-default"),
        fixes::host(
            "host-find-syns",
            vec![
                FixLine::remarked(
                    "ss -tn state syn-recv | awk '{print $3}' | sort | uniq -c | sort -rn | head  # ",
                    "which-listener",
                ),
                FixLine::remarked(
                    "ss -tn state syn-recv | awk '{sub(/:[0-9]+$/, \"\", $4); print $4}' | sort | uniq -c | sort -rn | head  # ",
                    "who-asks",
                ),
            ],
        ),
    ];
    finding.fixes.extend(fixes::longer_queue(facts, listener.map(|(s, _)| s)));
    vec![finding]
}

/// The listener with the most half-open connections, and their number.
fn busiest<'a>(facts: &HostFacts<'a>) -> Option<(&'a SocketSample, u64)> {
    let mut by_port: HashMap<Option<u16>, (&SocketSample, u64)> = HashMap::new();
    for socket in facts.sockets().iter().filter(|s| s.state == Some(TcpState::SynReceived)) {
        by_port.entry(socket.local.port).or_insert((socket, 0)).1 += 1;
    }
    let (socket, count) = by_port.into_values().max_by_key(|(s, count)| (*count, std::cmp::Reverse(s.local.port)))?;
    Some((facts.listener_of(socket)?, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Host, connection, lines, number};

    fn off() -> Host {
        Host::with_defaults("6.12").sysctl("net.ipv4.tcp_syncookies=0")
    }

    #[test]
    fn cookies_are_off() {
        let finding = off().counter("ListenDrops", 2975).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Critical);
        assert!((number(&finding, "syn_queue_drop_count") - 2975.0).abs() < 0.1);
        assert!(lines(&finding).contains("tcp_syncookies=1"), "{}", lines(&finding));
        off().counter("TCPReqQFullDrop", 2975).counter("ListenDrops", 2975).fires(CHECK.id);
    }

    /// The counter includes the past; the setting applies now.
    #[test]
    fn cookies_were_off() {
        let on = Host::with_defaults("6.12").sysctl("net.ipv4.tcp_syncookies=1").counter("TCPReqQFullDrop", 2975);
        let finding = on.counter("ListenDrops", 9000).fires(CHECK.id);
        assert_eq!(finding.severity, Severity::Info);
        assert!((number(&finding, "syn_queue_drop_count") - 2975.0).abs() < 0.1);
        assert!((number(&finding, "syncookies_mode") - 1.0).abs() < 0.1);
        assert!(!lines(&finding).contains("syncookies"), "{}", lines(&finding));
        assert!(
            off()
                .counter("ListenDrops", 10)
                .fires(CHECK.id)
                .evidence
                .iter()
                .all(|e| e.key != EvidenceKey::SyncookiesMode)
        );
    }

    #[test]
    fn who_listens() {
        let mut listener = SocketSample { state: Some(TcpState::Listen), send_queue: 16, ..connection() };
        listener.processes[0].name = "api".into();
        let half_open = SocketSample { state: Some(TcpState::SynReceived), processes: vec![], ..connection() };
        let host = off().counter("ListenDrops", 100).socket(listener).socket(half_open.clone()).socket(half_open);
        let finding = host.fires(CHECK.id);
        assert_eq!(finding.evidence[0].value, word("api"));
        assert!((number(&finding, "half_open_count") - 2.0).abs() < 0.1);
    }

    #[test]
    fn a_queue_that_is_full_now() {
        let host = |half_open: usize| {
            let listener = SocketSample { state: Some(TcpState::Listen), send_queue: 128, ..connection() };
            let waiting = SocketSample { state: Some(TcpState::SynReceived), processes: vec![], ..connection() };
            let host =
                off().sysctl("net.ipv4.tcp_max_syn_backlog=64").counter("ListenDrops", 100).recent("ListenDrops", 0);
            (0..half_open).fold(host.socket(listener), |host, _| host.socket(waiting.clone()))
        };
        assert_eq!(host(48).fires(CHECK.id).severity, Severity::Critical);
        assert_eq!(host(20).fires(CHECK.id).severity, Severity::Info);
    }

    /// The program does not drop SYNs: with a long backlog there is no advice for it.
    #[test]
    fn a_program_is_not_told_to_accept() {
        for backlog in [128, 4096] {
            let listener = SocketSample { state: Some(TcpState::Listen), send_queue: backlog, ..connection() };
            let waiting = SocketSample { state: Some(TcpState::SynReceived), processes: vec![], ..connection() };
            let finding = off().counter("ListenDrops", 100).socket(listener).socket(waiting).fires(CHECK.id);
            assert!(finding.fixes.iter().all(|fix| fix.id != "accept-faster"), "{:?}", finding.fixes);
            assert_eq!(finding.fixes.iter().any(|fix| fix.id.contains("backlog")), backlog == 128);
        }
    }

    /// Half of the SYNs came from addresses without a route: each is counted for one reason.
    #[test]
    fn nothing_is_counted_twice() {
        let listener = SocketSample { state: Some(TcpState::Listen), send_queue: 64, ..connection() };
        let waiting = SocketSample { state: Some(TcpState::SynReceived), processes: vec![], ..connection() };
        let host = off().sysctl("net.ipv4.tcp_max_syn_backlog=64").counter("ListenDrops", 2951).no_routes(1464);
        let host = (0..48).fold(host.socket(listener), |host, _| host.socket(waiting.clone()));
        assert!((number(&host.fires(CHECK.id), "syn_queue_drop_count") - 1487.0).abs() < 0.1);
        assert!((number(&host.fires("no-route-back"), "no_route_drop_count") - 1464.0).abs() < 0.1);
    }

    #[test]
    fn other_reasons() {
        // Overflows of accept queues are another finding, and with cookies on no SYN is dropped because the
        // queue is full.
        off().counter("ListenDrops", 100).counter("ListenOverflows", 100).is_silent(CHECK.id);
        Host::with_defaults("6.12").sysctl("net.ipv4.tcp_syncookies=1").counter("ListenDrops", 100).is_silent(CHECK.id);
        off().is_silent(CHECK.id);
        // The drops were long ago and have ended.
        let past = off().counter("ListenDrops", 2975).recent("ListenDrops", 0);
        assert_eq!(past.fires(CHECK.id).severity, Severity::Info);
    }
}
