//! Connections that only steer another one: of iperf3, FTP and the like.

use tcpwhy_analysis::Connection;
use tcpwhy_model::Endpoint;

/// A connection that carries less than this of another's payload says little that is worth more than what that one carries.
const LEAST_SHARE: f64 = 0.001;

/// Whether `connection` waits beside `other` rather than for itself: both run between the same two hosts, `other` carries nearly
/// all that these two say, and does so within the lifetime of `connection`. Its rests are those of a control channel whose data go
/// elsewhere.
pub(crate) fn steers(connection: &Connection, other: &Connection) -> bool {
    let bytes = |c: &Connection| c.halves.iter().map(|half| half.bytes).fold(0, u64::saturating_add);
    let hosts = |c: &Connection| {
        let [a, b] = c.endpoints.map(|Endpoint { address, .. }| address);
        if a <= b { [a, b] } else { [b, a] }
    };
    let (own, data) = (connection.span, other.span);
    hosts(connection) == hosts(other)
        && (bytes(connection) as f64) < LEAST_SHARE * bytes(other) as f64
        && own.start() <= data.start()
        && data.end() <= own.end()
}
