//! Grouping of connections, for the list and the screen.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use tcpwhy_report::live::LiveRow;
use tcpwhy_watch::LiveConnection;

use super::args::Group;

/// The order of rows: failed ones, then those that lose most time; idle ones are last.
pub(super) fn by_saving(a: &LiveRow<'_>, b: &LiveRow<'_>) -> Ordering {
    let rate = |row: &LiveRow<'_>| row.sum.rate().bytes_per_sec();
    let grave = |row: &LiveRow<'_>| row.sum.failed().first().map(|(kind, _)| kind.severity());
    grave(b).cmp(&grave(a)).then(b.sum.lost().cmp(&a.sum.lost())).then(rate(b).total_cmp(&rate(a)))
}

/// Connections grouped by a common property, over `window`. Groups that lose most time come first, idle ones
/// last.
pub(super) fn grouped<'a>(
    connections: &[&'a LiveConnection],
    by: Group,
    window: i64,
    row: impl Fn(&'a LiveConnection) -> LiveRow<'a>,
) -> Vec<LiveRow<'a>> {
    let mut groups: BTreeMap<String, Vec<LiveRow<'a>>> = BTreeMap::new();
    for &connection in connections {
        let unknown = || "-".to_owned();
        let process = connection.process();
        let name = match by {
            Group::None => connection.id().to_string(),
            Group::Process => process.map_or_else(unknown, |process| process.name.clone()),
            Group::Cgroup => process.and_then(|process| process.cgroup.clone()).unwrap_or_else(unknown),
            Group::Peer => connection.peer().address.map_or_else(unknown, |address| address.to_string()),
            Group::Port => {
                let is_server = connection.role() == tcpwhy_analysis::Role::Server;
                let end = if is_server { connection.local() } else { connection.peer() };
                end.port.map_or_else(unknown, |port| format!(":{port}"))
            }
        };
        groups.entry(name).or_default().push(row(connection));
    }
    let mut rows: Vec<_> = groups.into_iter().filter_map(|(name, rows)| LiveRow::group(name, rows, window)).collect();
    rows.sort_by(by_saving);
    rows
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::host::{SocketAddress, SocketSample, TcpState};
    use tcpwhy_model::live::{HeldBy, KernelAccount, KernelSample, KernelTurns, Opened, Process, SocketKey};
    use tcpwhy_report::{Catalogue, Language, Wording};
    use tcpwhy_watch::{LiveHost, Window};

    use super::*;

    const MILLISECOND: i64 = 1_000_000;

    fn place(port: u16) -> SocketAddress {
        SocketAddress { address: "10.0.0.7".parse().ok(), zone: None, port: Some(port) }
    }

    /// Both ends of a connection of 50 ms, 40 ms of them its handshake. The server sent 1 kB.
    fn request(host: &mut LiveHost, number: u64, begin: i64) {
        for opened in [Opened::Here, Opened::ByPeer] {
            let is_client = opened == Opened::Here;
            let [client, server] = [place(40_000 + number as u16), place(443)];
            let [local, peer] = if is_client { [client, server] } else { [server, client] };
            let mut socket = SocketSample { state: Some(TcpState::Close), local, peer, ..SocketSample::default() };
            let [own, peers] = if is_client { [100, 1000] } else { [1000, 100] };
            (socket.info.bytes_acked, socket.info.bytes_received) = (Some(own), Some(peers));
            let mut nanos = [0; HeldBy::ALL.len()];
            nanos[HeldBy::Handshake as usize] = 40 * MILLISECOND;
            nanos[HeldBy::Idle as usize] = 10 * MILLISECOND;
            let mut turns = [KernelTurns::default(); 2];
            turns[usize::from(is_client)] = KernelTurns { count: 1, nanos: 5 * MILLISECOND, ..KernelTurns::default() };
            let since = Timestamp::from_nanos(begin * MILLISECOND);
            let account = KernelAccount {
                since,
                nanos,
                slow_reader: 0,
                blocked: Some(0),
                turns,
                held: HeldBy::Idle,
                looks: 4,
                opened: Some(opened),
                finish: None,
                unanswered: 0,
                is_unaccepted: false,
            };
            let key = SocketKey { namespace: 1, cookie: 2 * number + u64::from(is_client) };
            let process = Process { pid: 7, name: "app".to_owned(), cgroup: None };
            host.account(
                KernelSample { time: since.plus(50 * MILLISECOND), key, socket },
                account,
                Some(process.into()),
            );
        }
    }

    /// 86 requests in one minute, each on its own connection with both ends on this host.
    #[test]
    fn what_came_and_went_has_a_sum() {
        let mut host = LiveHost::new();
        (0..86).for_each(|number| request(&mut host, number, 600 * number as i64));
        let ended = host.take_ended();
        let connections: Vec<&LiveConnection> = ended.iter().map(|connection| &**connection).collect();
        let window = Window { until: Timestamp::from_nanos(60_000 * MILLISECOND), nanos: 60_000 * MILLISECOND };
        let catalogue = Catalogue::new(Language::English);
        let wording = Wording::new(&catalogue);
        for by in [Group::Process, Group::Port, Group::Peer] {
            let rows = grouped(&connections, by, window.nanos, |c| LiveRow::now(c, window, window.nanos, wording));
            let [row] = &rows[..] else { panic!("{by:?}: {} groups", rows.len()) };
            assert_eq!((connections.len(), row.sum.connections()), (172, 86), "{by:?}");
            assert_eq!((row.sum.watched(), row.sum.lost()), (4300 * MILLISECOND, 3400 * MILLISECOND), "{by:?}");
            // 1.1 kB each.
            assert!((row.sum.rate().bytes_per_sec() - 86.0 * 1100.0 / 60.0).abs() < 1e-6, "{by:?}");
            assert_eq!(
                row.sentence(wording).unwrap(),
                "86 connections came and went, handshakes 3.44 s of 4.30 s: a connection for each request"
            );
        }
    }
}
