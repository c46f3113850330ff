//! Comparison of two connections: the directions that correspond, and their difference.

use tcpwhy_model::{Endpoint, Limit};

use crate::thresholds::NOTEWORTHY_DIFFERENCE;
use crate::{Connection, HalfConnection, Role, Side, principal_half};

/// The numbers of a connection that decide about its counterpart and the difference. They are few, because
/// captures may have a million connections.
#[derive(Clone, Copy, Debug)]
pub struct Brief {
    /// Number in the report.
    pub id: u64,
    /// Packet number of its first packet.
    pub first_packet: u64,
    /// The two ends.
    pub endpoints: [Endpoint; 2],
    /// Sender of the SYN; `None` if it was not captured.
    pub initiator: Option<Side>,
    /// Payload of both directions.
    pub bytes: u64,
    /// The direction to report first, and the other one.
    halves: [Option<BriefHalf>; 2],
}

/// The same numbers of a direction.
#[derive(Clone, Copy, Debug)]
struct BriefHalf {
    sender: Side,
    role: Role,
    nanos: i64,
    limit: Option<Limit>,
}

impl Brief {
    /// Returns the numbers of a connection; `None` if it has no data.
    pub fn new(connection: &Connection) -> Option<Self> {
        let principal = principal_half(connection)?;
        let brief = |half: &HalfConnection| BriefHalf {
            sender: half.sender,
            role: half.role,
            nanos: half.span.nanos(),
            limit: half.verdict.cause.map(|cause| cause.limit),
        };
        let other = connection.halves.iter().find(|half| half.sender != principal.sender);
        Some(Self {
            id: connection.id,
            first_packet: connection.first_packet,
            endpoints: connection.endpoints,
            initiator: connection.initiator,
            bytes: connection.bytes(),
            halves: [Some(brief(principal)), other.map(brief)],
        })
    }

    /// Returns the directions to compare: the first reported one of the first connection, and the
    /// corresponding one of the second.
    pub fn halves([a, b]: [&Connection; 2]) -> Option<[&HalfConnection; 2]> {
        let facing = Self::new(a)?.facing(&Self::new(b)?).map(|half| half.sender);
        let half = |connection: &'_ Connection, sender| connection.halves.iter().position(|half| half.sender == sender);
        Some([&a.halves[half(a, facing[0])?], &b.halves[half(b, facing[1])?]])
    }

    /// Returns the direction to report first, and the corresponding one of `other`.
    fn facing(&self, other: &Self) -> [BriefHalf; 2] {
        // Invariant: `new` always fills the first place.
        let principal = |brief: &Self| brief.halves[0].unwrap_or(BriefHalf::NONE);
        let half = principal(self);
        let end = |brief: &Self, side: Side| brief.endpoints[side.index()];
        let is_same = |candidate: &&BriefHalf| match (self.initiator, other.initiator) {
            (Some(_), Some(_)) => candidate.role == half.role,
            _ => end(self, half.sender) == end(other, candidate.sender),
        };
        [half, other.halves.iter().flatten().find(is_same).copied().unwrap_or_else(|| principal(other))]
    }

    /// Returns the difference of the transfers in nanoseconds; `None` if the same limit slowed both and they
    /// took about the same time.
    pub fn difference(&self, other: &Self) -> Option<u64> {
        let [a, b] = self.facing(other);
        let difference = a.nanos.abs_diff(b.nanos);
        let is_alike =
            a.limit == b.limit && difference as f64 <= NOTEWORTHY_DIFFERENCE.get() * a.nanos.max(b.nanos) as f64;
        (!is_alike).then_some(difference)
    }
}

impl BriefHalf {
    const NONE: Self = Self { sender: Side::A, role: Role::Unknown, nanos: 0, limit: None };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client's transfer of `millis` milliseconds under `limit`.
    fn brief(millis: i64, limit: Limit) -> Brief {
        let endpoint = |host| Endpoint { address: std::net::IpAddr::from([10, 0, 0, host]), port: 80 };
        let half = BriefHalf { sender: Side::A, role: Role::Client, nanos: millis * 1_000_000, limit: Some(limit) };
        Brief {
            id: 1,
            first_packet: 1,
            endpoints: [endpoint(1), endpoint(2)],
            initiator: Some(Side::A),
            bytes: 1,
            halves: [Some(half), None],
        }
    }

    #[test]
    fn transfers_of_one_limit_are_alike_within_a_tenth() {
        let difference = |millis, limit| brief(1_000, Limit::Path).difference(&brief(millis, limit));
        assert_eq!(difference(900, Limit::Path), None, "a tenth of the longer one");
        assert_eq!(difference(899, Limit::Path), Some(101_000_000), "more");
        assert_eq!(difference(1_111, Limit::Path), None, "less than a tenth of the longer one");
        assert_eq!(difference(1_112, Limit::Path), Some(112_000_000), "more");
        assert_eq!(difference(1_000, Limit::SendBuffer), Some(0), "another limit");
    }
}
