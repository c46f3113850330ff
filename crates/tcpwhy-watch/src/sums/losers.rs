//! Which connections of a host lose time, and which of them to name.

use super::end::{End, Life};
use super::sum::{Repeated, failure, repeated};
use super::transfers::{Transfer, transfers};
use crate::main_cause::main_cause;
use tcpwhy_analysis::Role;
use tcpwhy_model::{Cause, Detail, Limit, OutcomeKind};

/// What loses most time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loser {
    /// A connection.
    One {
        /// Its place in the list.
        index: usize,
        /// The limit to name.
        cause: Cause,
        /// Nanoseconds under that.
        nanos: i64,
        /// Nanoseconds under all forms of its limit that a change could have saved.
        of_limit: i64,
    },
    /// Connections that came and went.
    Many {
        /// The place of one of them in the list.
        index: usize,
        /// All of them.
        repeated: Repeated,
    },
}

/// How many connections lose time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losers {
    /// How many there are.
    pub connections: u64,
    /// How many of them lose a part of their time that is worth naming.
    pub losing: u64,
    /// The one that loses most.
    pub most: Option<Loser>,
    /// The one that waits longest for what only its peer's host can show: its place in the list, and
    /// nanoseconds. `None` where both ends are here.
    pub at_peer: Option<(usize, i64)>,
    /// How many failed, or fail.
    pub failed: u64,
    /// The gravest kind of failure: its place in the list, how, and how many failed so.
    pub gravest: Option<(usize, OutcomeKind, u64)>,
}

impl Losers {
    /// Those of `ends`. Both ends of a connection count once.
    pub fn of(ends: &[End]) -> Self {
        let transfers = transfers(ends);
        let repeated = repeated(ends, &transfers);
        let (failed, gravest) = failures(ends, &transfers);
        let of_many = |end: &End| {
            let service = end.service().filter(|_| end.life == Life::Brief)?;
            repeated.get(&service).filter(|repeated| repeated.loses_time())
        };
        let mut losers = Self { connections: transfers.len() as u64, failed, gravest, ..Self::default() };
        let mut most = None;
        losers.at_peer = at_peer(ends, &transfers);
        for transfer in transfers {
            let (index, end) = (transfer.speaker, &ends[transfer.speaker]);
            let many = of_many(end);
            losers.losing += u64::from(many.is_some() || end.tally.loses_time());
            let one = end.tally.loses_time().then(|| main_cause(end.tally.times())).flatten().map(|cause| {
                let nanos = end.tally.under(|other| other == cause);
                let loser = Loser::One { index, cause, nanos, of_limit: end.tally.lost_under(cause.limit) };
                (end.tally.lost(), loser)
            });
            let many = many.map(|&repeated| (repeated.saved_by_one(), Loser::Many { index, repeated }));
            for (lost, loser) in one.into_iter().chain(many) {
                // The socket decides between equal ones, so that the order of the list decides nothing.
                let rank = (lost, std::cmp::Reverse(end.key));
                if most.is_none_or(|(known, _)| rank > known) {
                    most = Some((rank, loser));
                }
            }
        }
        losers.most = most.map(|(_, loser)| loser);
        losers
    }
}

/// The connection that waits longest for its peer, of those that moved something.
fn at_peer(ends: &[End], transfers: &[Transfer]) -> Option<(usize, i64)> {
    let alone = transfers.iter().filter(|transfer| transfer.other.is_none());
    let waits = alone.filter_map(|transfer| {
        let end = &ends[transfer.speaker];
        let is_at_peer = |cause: Cause| {
            cause.limit == Limit::Unobserved || (cause == Detail::PeerTurn.into() && end.role != Role::Server)
        };
        let main = main_cause(end.tally.times()).filter(|&cause| is_at_peer(cause))?;
        let has_moved = end.tally.bytes().into_iter().any(|bytes| bytes > 0);
        has_moved.then(|| (transfer.speaker, end.tally.under(|cause| cause == main)))
    });
    waits.max_by_key(|&(place, nanos)| (nanos, std::cmp::Reverse(ends[place].key)))
}

/// How many connections failed. The first of the gravest and most frequent kind is named.
fn failures(ends: &[End], transfers: &[Transfer]) -> (u64, Option<(usize, OutcomeKind, u64)>) {
    let found: Vec<(usize, OutcomeKind)> = transfers.iter().filter_map(|transfer| failure(ends, transfer)).collect();
    let count = |kind| found.iter().filter(|(_, other)| *other == kind).count() as u64;
    let gravest = OutcomeKind::ALL.into_iter().max_by_key(|&kind| (count(kind).min(1), kind.severity(), count(kind)));
    let named = gravest.and_then(|kind| {
        let of_kind = found.iter().filter(|(_, other)| *other == kind);
        let (place, _) = of_kind.min_by_key(|(place, _)| ends[*place].key)?;
        Some((*place, kind, count(kind)))
    });
    (found.len() as u64, named)
}

#[cfg(test)]
mod terms;
