//! Which connection the first lines speak of.
//!
//! The one whose wait a change could shorten most, among those that carried the work. Readers of a report
//! want to know about the transfer, not about the few words beside it. A connection of a few words leads
//! where somebody waited longer for its answer than for any transfer. One that mostly rested leads only
//! where there is nothing else.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tcpwhy_analysis::{Connection, HalfConnection, Role};
use tcpwhy_model::{Detail, Limit, Severity, Timestamp};

use super::spent::mostly_waited;
use crate::control_channel::Carried;
use crate::cost::has_waiting_peer;
use crate::{lost_nanos, principal_half};

/// Nobody notices a shorter wait (half of 0.1 s, as a warning needs).
const NOTICED: i64 = 50_000_000;
/// An answer is late from here on (Miller, "Response time in man-computer conversational transactions",
/// 1968).
const LATE: i64 = 100_000_000;
/// From here on connections carried the work, whatever others carried: 131,072 bytes, as a power of two.
const WORK: u32 = 17;
/// With as many powers of two less than the largest, smaller ones did not: a sixteenth.
const FAR_LESS: u32 = 4;

/// Nanoseconds that somebody waited for the connection and need not have: nothing where that is no more
/// than a note, or too short to be noticed.
pub(super) fn waited(connection: &Connection) -> i64 {
    let Some(half) = principal_half(connection) else { return 0 };
    let lost = lost_nanos(half);
    if half.verdict.severity.is_some_and(|s| s > Severity::Info) && lost >= NOTICED { lost } else { 0 }
}

/// By how long somebody waited, then by what was carried, then the earliest.
type Rank = (i64, u64, Reverse<Timestamp>, Reverse<u64>);

/// A connection that may lead.
struct Candidate {
    rank: Rank,
    bytes: u64,
    connection: Connection,
}

/// The candidates of one size: of as many bytes, as a power of two.
#[derive(Default)]
struct OfSize {
    /// Whoever waited longest.
    longest: Option<Box<Candidate>>,
    /// The same, where somebody waited for what the other end had asked for.
    asked: Option<Box<Candidate>>,
}

/// Connections that may lead: two for each power of two of bytes, and the largest.
#[derive(Default)]
pub(super) struct Leads {
    sizes: BTreeMap<u32, OfSize>,
    /// The largest that did not mostly rest, and the largest of all.
    busiest: Option<Box<Candidate>>,
    largest: Option<Box<Candidate>>,
}

impl Leads {
    /// Takes a connection that carried `bytes` both ways.
    pub(super) fn add(&mut self, connection: &Connection, bytes: u64) {
        let Some(half) = principal_half(connection) else { return };
        let waited = waited(connection);
        let rank = |first| (first, bytes, Reverse(connection.span.start()), Reverse(connection.first_packet));
        let keep = |place: &mut Option<Box<Candidate>>, rank: Rank| {
            if place.as_ref().is_none_or(|kept| kept.rank < rank) {
                *place = Some(Box::new(Candidate { rank, bytes, connection: connection.clone() }));
            }
        };
        keep(&mut self.largest, rank(0));
        if !mostly_waited(half) {
            keep(&mut self.busiest, rank(0));
        }
        if waited > 0 {
            let size = self.sizes.entry(size(bytes)).or_default();
            keep(&mut size.longest, rank(waited));
            if waited >= LATE && is_awaited(half) {
                keep(&mut size.asked, rank(waited));
            }
        }
    }

    /// The connection to speak of; `None` if none carried data.
    pub(super) fn lead(&self) -> Option<&Connection> {
        let largest = self.largest.as_deref()?;
        let least = size(largest.bytes).saturating_sub(FAR_LESS).min(WORK);
        let by_rank = |a: &&Candidate, b: &&Candidate| a.rank.cmp(&b.rank);
        let working = self.sizes.range(least..).filter_map(|(_, of)| of.longest.as_deref()).max_by(by_rank);
        let carried = |candidate: &Candidate| Carried::new(&candidate.connection, candidate.bytes);
        let steers = |candidate: &Candidate| {
            let others = self.candidates().filter(|other| other.bytes > candidate.bytes);
            others.into_iter().any(|other| carried(candidate).steers(&carried(other)))
        };
        let little = self.sizes.range(..least).filter_map(|(_, of)| of.asked.as_deref());
        let little = little.filter(|candidate| !steers(candidate)).max_by(by_rank);
        let worst = match (working, little) {
            (Some(working), Some(little)) if little.rank.0 > working.rank.0 => Some(little),
            (working, little) => working.or(little),
        };
        let busiest = self.busiest.as_deref().filter(|busiest| size(busiest.bytes) >= least);
        let lead = worst.or(busiest).unwrap_or(largest);
        Some(&lead.connection)
    }

    /// Whether none carried more.
    pub(super) fn is_largest(&self, connection: &Connection) -> bool {
        self.largest.as_ref().is_some_and(|largest| largest.connection.first_packet == connection.first_packet)
    }

    fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        let of_sizes = self.sizes.values().flat_map(|of| of.longest.iter().chain(&of.asked));
        of_sizes.chain(&self.busiest).chain(&self.largest).map(|candidate| &**candidate)
    }

    /// All of their connections, to be numbered.
    pub(super) fn connections_mut(&mut self) -> impl Iterator<Item = &mut Connection> {
        let of_sizes = self.sizes.values_mut().flat_map(|of| of.longest.iter_mut().chain(&mut of.asked));
        of_sizes.chain(&mut self.busiest).chain(&mut self.largest).map(|candidate| &mut candidate.connection)
    }
}

/// Which power of two so many bytes are.
const fn size(bytes: u64) -> u32 {
    match bytes {
        0 => 0,
        bytes => bytes.ilog2(),
    }
}

/// Whether somebody waited for what had been asked for: an answer, or a connection. Where nothing shows who
/// asks, nobody is known to have waited.
fn is_awaited(half: &HalfConnection) -> bool {
    let cause = half.verdict.cause;
    let is_handshake = cause.is_some_and(|cause| cause.limit == Limit::Handshake);
    let is_guess = cause == Some(Detail::Think.into()) && half.exchange_role == Role::Unknown;
    is_handshake || has_waiting_peer(half) && !is_guess
}

#[cfg(test)]
mod tests {
    use tcpwhy_analysis::{Ending, Side, VantageEstimate};
    use tcpwhy_model::{Basis, Cause, Endpoint};

    use super::*;
    use crate::testing::half;

    const KB: u64 = 1_000;
    const WARNING: Option<Severity> = Some(Severity::Warning);

    /// A connection whose server sent so many bytes in seconds under these causes, the first of them the
    /// verdict's.
    fn connection(number: u64, bytes: u64, severity: Option<Severity>, parts: &[(i64, Cause)]) -> Connection {
        let sent = HalfConnection {
            bytes,
            retransmitted_bytes: bytes / 10,
            ..half(Role::Server, severity, parts, Vec::new())
        };
        let end = |port| Endpoint { address: [10, 0, 0, 1].into(), port };
        Connection {
            id: number,
            endpoints: [end(1), end(2)],
            initiator: Some(Side::B),
            span: sent.span,
            first_packet: number,
            packets: [1, 1],
            vantage: VantageEstimate { near: None, is_middle: false, basis: Basis::WireInferred },
            ending: Ending::Closed,
            halves: vec![sent],
            findings: Vec::new(),
            rtt_min: None,
            kernel: None,
            server_name: None,
        }
    }

    fn lead(connections: &[Connection]) -> u64 {
        let mut leads = Leads::default();
        for connection in connections {
            leads.add(connection, connection.halves[0].bytes);
        }
        leads.lead().unwrap().first_packet
    }

    fn of(detail: Detail) -> Cause {
        detail.into()
    }

    /// A few bytes lead where somebody waited for them, and longer than a change would shorten the
    /// transfer; not for their own pace, and not for a note.
    #[test]
    fn a_few_bytes_lead_where_their_wait_is_the_longest() {
        let transfer = connection(0, 2_600 * KB, WARNING, &[(9, of(Detail::Rto)), (11, of(Detail::Queue))]);
        let few = |severity, seconds, detail| connection(1, KB / 2, severity, &[(seconds, of(detail))]);
        let mut unknown = few(WARNING, 10, Detail::Think);
        unknown.halves[0].exchange_role = Role::Unknown;
        for (what, other, expected) in [
            ("an answer that took longer", few(WARNING, 10, Detail::Think), 1),
            ("an answer that took as long", few(WARNING, 9, Detail::Think), 0),
            ("its own pace", few(WARNING, 10, Detail::PacedWrites), 0),
            ("a note", few(Some(Severity::Info), 10, Detail::Think), 0),
            ("nobody knows who asks", unknown, 0),
            ("a lost request", few(WARNING, 10, Detail::Rto), 1),
            ("a lost SYN", few(WARNING, 10, Detail::SynRto), 1),
        ] {
            assert_eq!(lead(&[transfer.clone(), other.clone()]), expected, "{what}");
            assert_eq!(lead(&[other, transfer.clone()]), expected, "{what}, in the other order");
        }
    }

    /// `WORK` and `FAR_LESS`: 128 KiB are work, and so is a sixteenth of the largest, by powers of two.
    #[test]
    fn a_sixteenth_of_the_largest_is_work() {
        let leads = |largest: u64, bytes: u64| {
            let paced = connection(1, bytes, WARNING, &[(5, of(Detail::PacedWrites))]);
            lead(&[connection(0, largest, None, &[(5, of(Detail::Queue))]), paced]) == 1
        };
        assert!(leads(1 << 30, 1 << 17) && !leads(1 << 30, (1 << 17) - 1));
        assert!(leads(1 << 16, 1 << 12) && !leads(1 << 16, (1 << 12) - 1));
    }

    /// Where nobody waited, the largest that did not mostly rest.
    #[test]
    fn what_rests_leads_last() {
        let idle = connection(0, 900 * KB, Some(Severity::Info), &[(9, of(Detail::Idle))]);
        let busy = connection(1, 90 * KB, None, &[(1, of(Detail::Queue))]);
        let words = connection(2, KB, None, &[(1, of(Detail::Queue))]);
        assert_eq!(lead(&[idle.clone(), busy, words.clone()]), 1);
        assert_eq!(lead(&[idle, words]), 0);
    }
}
