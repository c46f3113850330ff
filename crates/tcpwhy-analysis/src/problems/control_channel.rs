//! Connections that only control another one, such as those of iperf3 and FTP.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Span};

use crate::outcome::Connection;
use crate::thresholds::STEERING_SHARE;

/// Number of the largest connections between two hosts that others may control. It bounds the time to sort a
/// long table.
const MOST_STEERED: usize = 64;

/// Properties of a connection that decide whether it controls another.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// The two hosts, in an order that does not depend on the client.
    hosts: [IpAddr; 2],
    span: Span,
    /// Payload of both directions.
    bytes: u64,
}

impl Carried {
    /// Returns the properties of a connection that carried `bytes`. Its halves may be missing.
    pub fn new(connection: &Connection, bytes: u64) -> Self {
        let mut hosts = connection.endpoints.map(|Endpoint { address, .. }| address);
        hosts.sort_unstable();
        Self { hosts, span: connection.span, bytes }
    }

    /// Whether the connection controls `other`, so that its waiting time is not its own.
    pub fn steers(&self, other: &Self) -> bool {
        let (own, data) = (self.span, other.span);
        self.hosts == other.hosts
            && (self.bytes as f64) < STEERING_SHARE.get() * other.bytes as f64
            && own.start() <= data.start()
            && data.end() <= own.end()
    }
}

/// Returns, for each connection, whether it controls another one. Both run between the same two hosts, and
/// the other one carries nearly all data of the two within the lifetime of the first. The pauses of the first
/// are those of a control channel whose data uses the other connection.
pub fn control_channels(count: usize, carried: impl Fn(usize) -> Carried) -> Vec<bool> {
    // Indices are small, because there may be a million connections, each between other hosts.
    let mut largest: HashMap<[IpAddr; 2], Vec<u32>> = HashMap::new();
    for (place, index) in (0..count).zip(0_u32..) {
        let between = largest.entry(carried(place).hosts).or_default();
        if between.is_empty() {
            between.reserve_exact(1);
        }
        between.push(index);
    }
    for between in largest.values_mut() {
        between.sort_by_key(|&index| Reverse(carried(index as usize).bytes));
        between.truncate(MOST_STEERED);
    }
    let steers_any = |place: usize| {
        let own = carried(place);
        largest[&own.hosts].iter().any(|&other| own.steers(&carried(other as usize)))
    };
    (0..count).map(steers_any).collect()
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;

    use super::*;

    /// A connection between two hosts of these numbers, with start and end in seconds.
    fn carried(hosts: [u8; 2], seconds: [i64; 2], bytes: u64) -> Carried {
        let at = |second: i64| Timestamp::from_nanos(second * 1_000_000_000);
        let hosts = hosts.map(|host| IpAddr::from([10, 0, 0, host]));
        Carried { hosts, span: Span::new(at(seconds[0]), at(seconds[1])), bytes }
    }

    #[test]
    fn a_control_channel_carries_less_than_a_thousandth_and_lasts_longer() {
        let data = carried([1, 2], [10, 20], 1_000_000);
        for (control, expected, what) in [
            (carried([1, 2], [10, 20], 999), true, "999 of a million bytes"),
            (carried([1, 2], [10, 20], 1_000), false, "a thousandth"),
            (carried([1, 2], [11, 20], 999), false, "begun a second later"),
            (carried([1, 2], [10, 19], 999), false, "ended a second sooner"),
            (carried([1, 3], [10, 20], 999), false, "between other hosts"),
        ] {
            let all = [control, data];
            assert_eq!(control_channels(2, |place| all[place]), [expected, false], "{what}");
        }
    }
}
