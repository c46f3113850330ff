//! The time of all connections by limit.

use tcpwhy_analysis::answer::mostly_waited;
use tcpwhy_analysis::{Connection, Pattern, longest_first, principal_half};
use tcpwhy_model::Limit;

use crate::palette::Swatch;

/// Time by limit, of the principal direction of each connection. Connections that mostly waited for requests
/// or answers are kept apart, because hours of silence would hide what limited the others. So are connections
/// with a wrong clock, whose times may be years.
#[derive(Clone, Debug, Default)]
pub struct TimeSpent {
    nanos: [i128; Swatch::ALL.len()],
    waiting: u64,
    waiting_nanos: i128,
    /// Part of the waiting time in interactive connections, on which a person types.
    person_nanos: i128,
    wrong_clock: u64,
    wrong_clock_nanos: i128,
}

impl TimeSpent {
    /// Adds a connection.
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

    /// Nanoseconds of each swatch, in the order of [`Swatch::ALL`].
    pub const fn nanos(&self) -> &[i128; Swatch::ALL.len()] {
        &self.nanos
    }

    /// Nanoseconds of each limit with time, longest first.
    pub(crate) fn ranked_limits(&self) -> Vec<(Limit, i128)> {
        let mut nanos = [0; Limit::ALL.len()];
        for (swatch, of_swatch) in Swatch::ALL.into_iter().zip(&self.nanos) {
            nanos[swatch.limit() as usize] += of_swatch;
        }
        longest_first(&nanos)
    }

    /// Number of connections with a wrong clock, and their apparent duration in nanoseconds.
    pub const fn wrong_clock(&self) -> (u64, i128) {
        (self.wrong_clock, self.wrong_clock_nanos)
    }

    /// Number of connections that mostly waited, and their duration in nanoseconds.
    pub const fn waiting(&self) -> (u64, i128) {
        (self.waiting, self.waiting_nanos)
    }

    /// Duration of the connections that mostly waited and on which a person types, nanoseconds.
    pub const fn waiting_for_person(&self) -> i128 {
        self.person_nanos
    }
}
