//! Connections that only steer another one: of iperf3, FTP and the like.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;

use tcpwhy_analysis::Connection;
use tcpwhy_model::Endpoint;

/// A connection that carries less than this of another's payload says little that is worth more than what that one carries.
const LEAST_SHARE: f64 = 0.001;
/// Connections between two hosts that others may steer: the largest. A table of any length is sorted in little time.
const MOST_STEERED: usize = 64;

/// Which of these wait beside another rather than for themselves: both run between the same two hosts, the other carries nearly
/// all that these two say, and does so within the lifetime of the first. Its rests are those of a control channel whose data go
/// elsewhere.
pub(crate) fn control_channels<'a>(connections: impl Iterator<Item = &'a Connection> + Clone) -> Vec<bool> {
    let mut largest: HashMap<[IpAddr; 2], Vec<&Connection>> = HashMap::new();
    for connection in connections.clone() {
        largest.entry(hosts(connection)).or_default().push(connection);
    }
    for between in largest.values_mut() {
        between.sort_by_key(|c| Reverse(bytes(c)));
        between.truncate(MOST_STEERED);
    }
    let steers_any = |c: &Connection| largest[&hosts(c)].iter().any(|other| steers(c, other));
    connections.map(steers_any).collect()
}

fn steers(connection: &Connection, other: &Connection) -> bool {
    let (own, data) = (connection.span, other.span);
    (bytes(connection) as f64) < LEAST_SHARE * bytes(other) as f64
        && own.start() <= data.start()
        && data.end() <= own.end()
}

fn bytes(connection: &Connection) -> u64 {
    connection.halves.iter().map(|half| half.bytes).fold(0, u64::saturating_add)
}

/// The two ends, whoever began.
fn hosts(connection: &Connection) -> [IpAddr; 2] {
    let mut hosts = connection.endpoints.map(|Endpoint { address, .. }| address);
    hosts.sort_unstable();
    hosts
}
