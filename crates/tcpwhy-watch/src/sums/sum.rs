//! Several connections as one: seconds and bytes over a stretch of time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tcpwhy_model::{Cause, Limit, OutcomeKind, Rate};

use super::end::{End, Life, Service};
use super::transfers::{Transfer, transfers};
use crate::main_cause::{CauseTime, added_up, main_cause};
use crate::thresholds::{LOST_NAMED, REPEATED};

/// Connections that came and went between the same two hosts, each with a handshake of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeated {
    /// How many.
    pub connections: u64,
    /// Nanoseconds that they were watched.
    pub watched: i64,
    /// Nanoseconds of that in handshakes.
    pub handshakes: i64,
    /// Requests that were answered; `None` where nobody counts them.
    pub answers: Option<u64>,
}

impl Repeated {
    fn add(&mut self, end: &End) {
        self.answers =
            if self.connections == 0 { end.answers } else { self.answers.zip(end.answers).map(|(a, b)| a + b) };
        self.connections += 1;
        self.watched += end.tally.watched();
        self.handshakes += end.tally.under(|cause| cause.limit == Limit::Handshake);
    }

    /// Nanoseconds of handshakes that one connection for all of them would save.
    pub fn saved_by_one(&self) -> i64 {
        let connections = i64::try_from(self.connections).unwrap_or(i64::MAX).max(1);
        self.handshakes - self.handshakes / connections
    }

    /// Whether each connection was for one request.
    pub fn asks_once(&self) -> bool {
        self.answers.is_some_and(|answers| answers > 0 && answers <= self.connections)
    }

    /// Whether their handshakes are worth naming.
    pub fn loses_time(&self) -> bool {
        self.handshakes > 0 && LOST_NAMED.is_reached(self.saved_by_one().unsigned_abs(), self.watched.unsigned_abs())
    }
}

/// Where of `ends` a connection shows how it failed, and how; its speaker's word goes first.
pub(super) fn failure(ends: &[End], transfer: &Transfer) -> Option<(usize, OutcomeKind)> {
    let places = [Some(transfer.speaker), transfer.other];
    let found = places.into_iter().flatten().filter_map(|place| Some((place, ends[place].outcome?)));
    found.max_by_key(|&(place, kind)| (kind.severity(), place == transfer.speaker))
}

/// Connections that came and went, by who connects to what, where there are enough of them to be one thing.
pub(super) fn repeated(ends: &[End], transfers: &[Transfer]) -> BTreeMap<Service, Repeated> {
    let mut found: BTreeMap<Service, Repeated> = BTreeMap::new();
    for end in transfers.iter().map(|transfer| &ends[transfer.speaker]).filter(|end| end.life == Life::Brief) {
        if let Some(service) = end.service() {
            found.entry(service).or_default().add(end);
        }
    }
    found.retain(|_, repeated| repeated.connections >= REPEATED);
    found
}

/// The sum of connections. Both ends of one count once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    connections: u64,
    window: i64,
    watched: i64,
    times: Vec<CauseTime>,
    bytes: u128,
    failed: Vec<(OutcomeKind, u64)>,
    repeated: Repeated,
    speakers: Vec<usize>,
}

impl Sum {
    /// The sum of `ends` over a stretch of `window` nanoseconds.
    pub fn of(ends: &[End], window: i64) -> Self {
        let transfers = transfers(ends);
        let mut sum = Self { window: window.max(1), connections: transfers.len() as u64, ..Self::default() };
        for transfer in &transfers {
            let end = &ends[transfer.speaker];
            sum.watched = sum.watched.saturating_add(end.tally.watched());
            let [sent, received] = end.tally.bytes();
            // Either end may have been looked at last.
            let [arrived, acked] = transfer.other.map_or([0, 0], |other| ends[other].tally.bytes());
            sum.bytes += u128::from(sent.max(acked)) + u128::from(received.max(arrived));
            if let Some((_, kind)) = failure(ends, transfer) {
                sum.fail(kind);
            }
        }
        sum.times = added_up(transfers.iter().flat_map(|transfer| ends[transfer.speaker].tally.times()));
        sum.repeated = repeated(ends, &transfers).into_values().fold(Repeated::default(), |all, one| Repeated {
            answers: if all.connections == 0 { one.answers } else { all.answers.zip(one.answers).map(|(a, b)| a + b) },
            connections: all.connections + one.connections,
            watched: all.watched + one.watched,
            handshakes: all.handshakes + one.handshakes,
        });
        sum.lose_handshakes();
        // The same sum whatever the order of the ends.
        sum.failed.sort_by_key(|&(kind, count)| (Reverse(kind.severity()), Reverse(count), kind));
        sum.times.sort_by_key(|&(cause, nanos, is_lost)| (-nanos, cause, is_lost));
        sum.speakers = transfers.iter().map(|transfer| transfer.speaker).collect();
        sum.speakers.sort_by_cached_key(|&index| (Reverse(ends[index].tally.lost()), ends[index].key));
        sum
    }

    /// A connection that is used again saves the handshakes of those that came and went.
    fn lose_handshakes(&mut self) {
        let mut left = if self.repeated.loses_time() { self.repeated.saved_by_one() } else { 0 };
        let mut lost: Vec<CauseTime> = Vec::new();
        for (cause, nanos, is_lost) in &mut self.times {
            if cause.limit == Limit::Handshake && !*is_lost {
                let moved = left.min(*nanos);
                (left, *nanos) = (left - moved, *nanos - moved);
                lost.push((*cause, moved, true));
            }
        }
        self.times = added_up(self.times.iter().chain(&lost));
        self.times.retain(|time| time.1 > 0);
    }

    fn fail(&mut self, kind: OutcomeKind) {
        match self.failed.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => self.failed.push((kind, 1)),
        }
    }

    /// How connections failed, and how many of them; the gravest kind first, then the most frequent.
    pub fn failed(&self) -> &[(OutcomeKind, u64)] {
        &self.failed
    }

    /// How many connections.
    pub fn connections(&self) -> u64 {
        self.connections
    }

    /// Nanoseconds of the stretch.
    pub fn window(&self) -> i64 {
        self.window
    }

    /// Nanoseconds that the connections were watched, all of them together.
    pub fn watched(&self) -> i64 {
        self.watched
    }

    /// Nanoseconds under each cause, and whether a change could have saved them; most first.
    pub fn times(&self) -> &[CauseTime] {
        &self.times
    }

    /// Nanoseconds that a change could have saved: at most [`Self::watched`].
    pub fn lost(&self) -> i64 {
        self.times.iter().filter(|time| time.2).map(|time| time.1).sum()
    }

    /// The cause to name, see [`main_cause`], with its nanoseconds.
    pub fn cause(&self) -> Option<(Cause, i64)> {
        let cause = main_cause(&self.times)?;
        Some((cause, self.times.iter().filter(|time| time.0 == cause).map(|time| time.1).sum()))
    }

    /// Nanoseconds under all forms of `limit`.
    pub fn under(&self, limit: Limit) -> i64 {
        self.times.iter().filter(|time| time.0.limit == limit).map(|time| time.1).sum()
    }

    /// Bytes of both directions over the stretch.
    pub fn rate(&self) -> Rate {
        /// Nanoseconds of a second.
        const SECOND: f64 = 1e9;
        Rate::from_bytes_per_sec(self.bytes as f64 * SECOND / self.window as f64)
    }

    /// Nothing was lost, nothing moved and nothing failed.
    pub fn is_idle(&self) -> bool {
        self.lost() == 0 && self.bytes == 0 && self.failed.is_empty()
    }

    /// Connections that came and went.
    pub fn repeated(&self) -> Option<Repeated> {
        Some(self.repeated).filter(|repeated| repeated.connections > 0)
    }

    /// Places of the ends that count. Those that lost most come first.
    pub fn speakers(&self) -> &[usize] {
        &self.speakers
    }
}

#[cfg(test)]
mod terms;
