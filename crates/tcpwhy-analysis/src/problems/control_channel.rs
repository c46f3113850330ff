//! Connections that only steer another one: of iperf3, FTP and the like.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;

use tcpwhy_model::{Endpoint, Span};

use crate::outcome::Connection;
use crate::thresholds::STEERING_SHARE;

/// Connections between two hosts that others may steer: the largest. A table of any length is sorted in
/// little time.
const MOST_STEERED: usize = 64;

/// What is looked at of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// The two ends, whoever began.
    hosts: [IpAddr; 2],
    span: Span,
    /// Payload of both directions.
    bytes: u64,
}

impl Carried {
    /// By a connection that may be without its halves, which carried so many `bytes`.
    pub fn new(connection: &Connection, bytes: u64) -> Self {
        let mut hosts = connection.endpoints.map(|Endpoint { address, .. }| address);
        hosts.sort_unstable();
        Self { hosts, span: connection.span, bytes }
    }

    /// Whether it waits beside `other` rather than for itself.
    pub fn steers(&self, other: &Self) -> bool {
        let (own, data) = (self.span, other.span);
        self.hosts == other.hosts
            && (self.bytes as f64) < STEERING_SHARE.get() * other.bytes as f64
            && own.start() <= data.start()
            && data.end() <= own.end()
    }
}

/// Which of these wait beside another rather than for themselves. Both run between the same two hosts, the
/// other carries nearly all that these two say, and does so within the lifetime of the first. Its rests are
/// those of a control channel whose data go elsewhere.
pub fn control_channels(count: usize, carried: impl Fn(usize) -> Carried) -> Vec<bool> {
    // Places are small: there may be a million connections, each between other hosts.
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

    /// Between two hosts of these numbers, from and to these seconds.
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
