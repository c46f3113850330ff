//! Totals of all connections.

use tcpwhy_model::{ByteCount, Timestamp};

use crate::outcome::Connection;

/// Totals of all connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of connections.
    pub connections: u64,
    /// Number of connections that carried data.
    pub with_data: u64,
    /// Payload of both directions, bytes.
    pub bytes: ByteCount,
    /// Time of the first data and of the last acknowledgment of data; `None` without data.
    pub extent: Option<(Timestamp, Timestamp)>,
    /// Time of the first connection's start and of the last one's end, with or without data.
    pub lasted: Option<(Timestamp, Timestamp)>,
    /// Sum of the connections' durations, nanoseconds.
    pub nanos: i64,
}

impl Totals {
    /// Returns the totals of `connection` alone.
    pub(super) fn of(connection: &Connection) -> Self {
        let mut totals = Self::default();
        totals.add(connection);
        totals
    }

    /// Adds `connection`.
    pub fn add(&mut self, connection: &Connection) {
        self.connections += 1;
        self.nanos = self.nanos.saturating_add(connection.span.nanos());
        self.with_data += u64::from(!connection.halves.is_empty());
        self.bytes = self.bytes.saturating_add(connection.bytes());
        let (start, end) = (connection.span.start(), connection.span.end());
        let (first, last) = self.lasted.unwrap_or((start, end));
        self.lasted = Some((first.min(start), last.max(end)));
        // The time after the last acknowledged byte carried no data.
        for carried in connection.halves.iter().map(|half| half.span) {
            let (start, end) = self.extent.unwrap_or((carried.start(), carried.end()));
            self.extent = Some((start.min(carried.start()), end.max(carried.end())));
        }
    }

    /// Returns the time from the first data to the last acknowledgment, nanoseconds. Without data it is that
    /// of the connection attempts.
    pub fn extent_nanos(&self) -> i64 {
        self.extent.or(self.lasted).map_or(0, |(start, end)| end.since(start))
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Limit};

    use super::*;
    use crate::outcome::{HalfConnection, Role};
    use crate::problems::testing::{connection, half};

    #[test]
    fn all_is_added_up() {
        let half = half(Role::Client, None, &[(10, Cause::plain(Limit::Path))], Vec::new());
        let full = connection(vec![HalfConnection { bytes: 7, ..half }]);
        let mut totals = Totals::of(&full);
        assert_eq!((totals.connections, totals.with_data, totals.bytes), (1, 1, 7));
        assert_eq!(totals.extent_nanos(), 10_000_000_000);
        let empty = connection(Vec::new());
        totals.add(&empty);
        assert_eq!((totals.connections, totals.with_data, totals.bytes), (2, 1, 7));
        assert_eq!(totals.nanos, full.span.nanos() + empty.span.nanos());
        assert_eq!(Totals::default().extent_nanos(), 0);
    }
}
