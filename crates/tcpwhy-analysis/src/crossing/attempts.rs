//! Connections of which one of two captures has no data, or no packet: the packets that passed between the
//! captures.

use std::collections::BTreeMap;
use std::net::IpAddr;

use tcpwhy_model::Endpoint;

use super::{FlowMarks, LastPackets, SeenHandshake, Unseen};

/// Fate of such a connection. The number is that of the capture that has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// SYNs passed this capture only.
    SynLost(usize),
    /// SYN-ACKs passed this capture only.
    SynAckLost(usize),
    /// The client's ACK passed this capture only.
    AckLost(usize),
    /// Data passed this capture only.
    DataLost(usize),
    /// SYNs passed both captures, and no answer passed either.
    Unanswered,
    /// The server refused it.
    Refused,
    /// SYN-ACKs passed both captures, and the client acknowledged none.
    Unacknowledged,
    /// The handshake passed both captures.
    Established,
}

impl Fate {
    /// Stable id in `snake_case`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::SynLost(_) => "syn_lost",
            Self::SynAckLost(_) => "syn_ack_lost",
            Self::AckLost(_) => "ack_lost",
            Self::DataLost(_) => "data_lost",
            Self::Unanswered => "unanswered",
            Self::Refused => "refused",
            Self::Unacknowledged => "unacknowledged",
            Self::Established => "established",
        }
    }

    /// Returns the capture that has packets that the other lacks.
    pub const fn seen_at(self) -> Option<usize> {
        match self {
            Self::SynLost(capture) | Self::SynAckLost(capture) | Self::AckLost(capture) | Self::DataLost(capture) => {
                Some(capture)
            }
            Self::Unanswered | Self::Refused | Self::Unacknowledged | Self::Established => None,
        }
    }

    /// Returns the fate of a connection with these handshakes in the two captures (`None`: no packet there)
    /// and with data that only one of them has.
    fn of(openings: [Option<SeenHandshake>; 2], unseen: Option<&Unseen>) -> Self {
        let only = |has: &dyn Fn(&SeenHandshake) -> bool| {
            let found = openings.map(|opening| opening.is_some_and(|opening| has(&opening)));
            (found[0] != found[1]).then_some(usize::from(found[1]))
        };
        let any = |has: &dyn Fn(&SeenHandshake) -> bool| openings.iter().flatten().any(has);
        if let Some(capture) = only(&|opening| opening.syns[0].is_some()) {
            return Self::SynLost(capture);
        }
        if let Some(capture) = only(&|opening| opening.syns[1].is_some()) {
            return Self::SynAckLost(capture);
        }
        if !any(&|opening| opening.syns[1].is_some()) {
            return if any(&|opening| opening.is_refused) { Self::Refused } else { Self::Unanswered };
        }
        if !any(&|opening| opening.is_acknowledged) {
            return Self::Unacknowledged;
        }
        let ack = only(&|opening| opening.is_acknowledged).map(Self::AckLost);
        ack.or_else(|| unseen.map(|unseen| Self::DataLost(unseen.seen_at))).unwrap_or(Self::Established)
    }
}

/// One connection, in both captures or in one.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// Client and server, as in the first capture that has the connection.
    pub ends: [Endpoint; 2],
    /// Its handshake in each capture.
    pub openings: [Option<SeenHandshake>; 2],
    /// Data that only one capture has, by sender: the client, the server.
    pub unseen: [Option<Unseen>; 2],
}

impl Attempt {
    /// Returns the connection that is `flows` in the two captures; `None` without its SYN. `has_marks`: marks
    /// of both captures were recorded.
    pub fn of(flows: [Option<&FlowMarks>; 2], last: LastPackets, has_marks: bool) -> Option<Self> {
        let first = flows[0].or(flows[1])?;
        if flows.iter().flatten().any(|flow| flow.isn.is_none()) {
            return None;
        }
        let unseen = match flows {
            [Some(a), Some(b)] if has_marks => a.unseen(b, a.crossing(b).as_ref(), last),
            _ => [None; 2],
        };
        Some(Self { ends: first.ends, openings: flows.map(|flow| flow.map(|flow| flow.opening)), unseen })
    }

    /// Returns the fate of the connection.
    pub fn fate(&self) -> Fate {
        Fate::of(self.openings, self.unseen.iter().flatten().next())
    }
}

/// Connections to one server with the same fate.
#[derive(Clone, Copy, Debug)]
pub struct AttemptGroup {
    /// Fate of the connections.
    pub fate: Fate,
    /// Number of connections.
    pub count: u64,
    /// The first of the connections.
    pub example: Attempt,
}

/// All such connections of two captures.
#[derive(Clone, Debug, Default)]
pub struct Attempts {
    groups: BTreeMap<(Endpoint, Fate), AttemptGroup>,
}

impl Attempts {
    /// Counts a connection.
    pub fn add(&mut self, example: Attempt) {
        let fate = example.fate();
        let group = self.groups.entry((example.ends[1], fate)).or_insert(AttemptGroup { fate, count: 0, example });
        group.count += 1;
    }

    /// Whether there are no attempts.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the same attempts with other addresses.
    #[must_use]
    pub fn renamed(self, address: &dyn Fn(IpAddr) -> IpAddr) -> Self {
        let renamed = |end: Endpoint| Endpoint { address: address(end.address), ..end };
        let groups = self.groups.into_iter().map(|((server, fate), mut group)| {
            group.example.ends = group.example.ends.map(renamed);
            ((renamed(server), fate), group)
        });
        Self { groups: groups.collect() }
    }

    /// Returns the number of attempts that both captures have, whatever their fate.
    pub fn in_both(&self) -> u64 {
        let is_in_both = |group: &&AttemptGroup| !matches!(group.fate, Fate::SynLost(_));
        self.groups.values().filter(is_in_both).map(|group| group.count).sum()
    }

    /// Returns groups of attempts that failed, the largest first.
    pub fn failed(&self) -> Vec<AttemptGroup> {
        let mut all: Vec<_> = self.groups.values().filter(|group| group.fate != Fate::Established).copied().collect();
        all.sort_by_key(|group| std::cmp::Reverse(group.count));
        all
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{SeqNum, Timestamp};

    use super::super::{SynOptions, SynSeen};
    use super::*;

    fn seen() -> SynSeen {
        SynSeen { first: Timestamp::from_nanos(0), count: 1, options: SynOptions::default(), hop_limit: 64 }
    }

    /// A SYN that was answered, acknowledged, refused.
    fn opening(is_answered: bool, is_acknowledged: bool, is_refused: bool) -> SeenHandshake {
        SeenHandshake { syns: [Some(seen()), is_answered.then(seen)], is_acknowledged, is_refused }
    }

    fn unseen() -> Unseen {
        let since = Timestamp::from_nanos(0);
        Unseen { seen_at: 1, bytes: 1, segments: 1, smallest: 1, largest_passed: 0, since, is_covered: false }
    }

    #[test]
    fn what_became_of_a_connection() {
        let syn = opening(false, false, false);
        let answered = opening(true, false, false);
        let open = opening(true, true, false);
        let refused = opening(false, false, true);
        for (what, a, b, data, expected) in [
            ("nothing in the second", Some(syn), None, false, Fate::SynLost(0)),
            ("nothing in the first", None, Some(syn), false, Fate::SynLost(1)),
            ("no SYN-ACK in the first", Some(syn), Some(answered), false, Fate::SynAckLost(1)),
            ("no SYN-ACK in the second", Some(answered), Some(syn), false, Fate::SynAckLost(0)),
            ("no ACK in the second", Some(open), Some(answered), false, Fate::AckLost(0)),
            ("no ACK in the first", Some(answered), Some(open), true, Fate::AckLost(1)),
            ("no answer", Some(syn), Some(syn), false, Fate::Unanswered),
            ("refused", Some(syn), Some(refused), false, Fate::Refused),
            ("no ACK", Some(answered), Some(answered), false, Fate::Unacknowledged),
            ("all", Some(open), Some(open), false, Fate::Established),
            ("no data in the first", Some(open), Some(open), true, Fate::DataLost(1)),
        ] {
            assert_eq!(Fate::of([a, b], data.then(unseen).as_ref()), expected, "{what}");
        }
        let of = |fate: Fate| fate.seen_at();
        assert_eq!(
            [Fate::SynLost(0), Fate::SynAckLost(1), Fate::AckLost(1), Fate::DataLost(0)].map(of),
            [Some(0), Some(1), Some(1), Some(0)]
        );
        assert_eq!([Fate::Unanswered, Fate::Refused, Fate::Unacknowledged, Fate::Established].map(of), [None; 4]);
    }

    #[test]
    fn connections_that_came_to_the_same_are_one_group() {
        let end = |host, port| Endpoint { address: [10, 0, 0, host].into(), port };
        let attempt =
            |client, server, openings| Attempt { ends: [end(1, client), end(2, server)], openings, unseen: [None; 2] };
        let open = Some(opening(true, true, false));
        let mut all = Attempts::default();
        all.add(attempt(9, 80, [Some(opening(false, false, false)), None]));
        for client in [1, 2] {
            all.add(attempt(client, 443, [Some(opening(false, false, false)), Some(opening(true, false, false))]));
        }
        all.add(attempt(3, 443, [open, open]));
        let found: Vec<_> =
            all.failed().iter().map(|group| (group.fate, group.count, group.example.ends[0].port)).collect();
        assert_eq!(found, [(Fate::SynAckLost(1), 2, 1), (Fate::SynLost(0), 1, 9)]);
        assert_eq!(all.in_both(), 3);
    }

    #[test]
    fn only_connections_with_a_syn_are_attempts() {
        let end = |host| Endpoint { address: [10, 0, 0, host].into(), port: 80 };
        let flow = |isn: Option<u32>| FlowMarks {
            ends: [end(1), end(2)],
            isn: isn.map(SeqNum),
            first_packet: 1,
            opening: opening(false, false, false),
            ways: Default::default(),
        };
        let is_one = |a: Option<Option<u32>>, b: Option<Option<u32>>| {
            let [a, b] = [a, b].map(|isn| isn.map(flow));
            Attempt::of([a.as_ref(), b.as_ref()], [None; 2], true).is_some()
        };
        assert_eq!(
            [is_one(Some(Some(1)), Some(Some(1))), is_one(Some(Some(1)), None), is_one(None, Some(Some(1)))],
            [true; 3]
        );
        assert_eq!([is_one(Some(None), Some(Some(1))), is_one(Some(None), None), is_one(None, None)], [false; 3]);
    }
}
