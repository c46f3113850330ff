//! Where the time of all connections went.

use tcpwhy_analysis::answer::mostly_waited;
use tcpwhy_analysis::{Connection, Pattern, longest_first, principal_half};
use tcpwhy_model::Limit;

use crate::palette::Swatch;

/// Time by limit, of the direction that is spoken of first of each connection. Connections that mostly waited
/// for somebody to ask or to answer are kept apart: hours of silence would hide what limited the others. So
/// are those whose clock is wrong: their years would.
#[derive(Clone, Debug, Default)]
pub struct TimeSpent {
    nanos: [i128; Swatch::ALL.len()],
    waiting: u64,
    waiting_nanos: i128,
    /// The part of the interactive connections, at which a person types.
    person_nanos: i128,
    wrong_clock: u64,
    wrong_clock_nanos: i128,
}

impl TimeSpent {
    /// Takes a connection into account.
    pub fn add(&mut self, connection: &Connection) {
        let Some(half) = principal_half(connection) else { return };
        if connection.has_wrong_clock {
            self.wrong_clock += 1;
            self.wrong_clock_nanos += i128::from(half.limits.span().nanos());
            return;
        }
        if mostly_waited(half) {
            self.waiting += 1;
            let nanos = i128::from(half.limits.span().nanos());
            self.waiting_nanos += nanos;
            if connection.exchanges.as_ref().is_some_and(|exchanges| exchanges.pattern == Pattern::Interactive) {
                self.person_nanos += nanos;
            }
            return;
        }
        for total in half.limits.totals() {
            self.nanos[Swatch::of(total.cause) as usize] += i128::from(total.nanos);
        }
    }

    /// Adds the time of other connections.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (nanos, more) in self.nanos.iter_mut().zip(&other.nanos) {
            *nanos += more;
        }
        self.waiting += other.waiting;
        self.waiting_nanos += other.waiting_nanos;
        self.person_nanos += other.person_nanos;
        self.wrong_clock += other.wrong_clock;
        self.wrong_clock_nanos += other.wrong_clock_nanos;
    }

    /// Nanoseconds of each swatch, in the order of the swatches.
    pub const fn nanos(&self) -> &[i128; Swatch::ALL.len()] {
        &self.nanos
    }

    /// Nanoseconds of each limit that has any, longest first.
    pub(crate) fn ranked_limits(&self) -> Vec<(Limit, i128)> {
        let mut nanos = [0; Limit::ALL.len()];
        for (swatch, of_swatch) in Swatch::ALL.into_iter().zip(&self.nanos) {
            nanos[swatch.limit() as usize] += of_swatch;
        }
        longest_first(&nanos)
    }

    /// Connections whose clock is wrong, and nanoseconds that they seemed to last.
    pub const fn wrong_clock(&self) -> (u64, i128) {
        (self.wrong_clock, self.wrong_clock_nanos)
    }

    /// Connections that mostly waited, and nanoseconds that they lasted.
    pub const fn waiting(&self) -> (u64, i128) {
        (self.waiting, self.waiting_nanos)
    }

    /// Nanoseconds of the connections that mostly waited and at which a person types.
    pub const fn waiting_for_person(&self) -> i128 {
        self.person_nanos
    }
}
