//! Connections in groups, for the list and the screen.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use tcpwhy_report::live::LiveRow;
use tcpwhy_watch::LiveConnection;

use super::args::Group;

/// What loses most first; idle rows last.
pub(super) fn by_saving(a: &LiveRow<'_>, b: &LiveRow<'_>) -> Ordering {
    let rate = |row: &LiveRow<'_>| row.sum.rate().bytes_per_sec();
    b.sum.lost().cmp(&a.sum.lost()).then(rate(b).total_cmp(&rate(a)))
}

/// Connections by what they have in common, over a stretch of `window` nanoseconds. Groups that lose most
/// come first, idle ones last.
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
