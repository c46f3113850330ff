//! A row of the list: a connection or a group of connections, over one stretch of time.

use tcpwhy_model::host::SocketAddress;
use tcpwhy_model::{Cause, Timestamp};
use tcpwhy_watch::{End, LiveConnection, Sum, Window, share_range};

use super::{process_name, strip};
use crate::{Args, Wording};

/// A connection, or a group that is shown together. Limit, seconds, saving and rate describe the same stretch
/// of time. Only the round-trip time and the last column of the strip are current.
pub struct LiveRow<'a> {
    /// Seconds and bytes of the stretch.
    pub sum: Sum,
    /// The limit to show.
    pub limit: Cause,
    /// Time under that limit with its detail, nanoseconds.
    pub held: i64,
    /// Time under that limit with any detail, nanoseconds.
    pub held_by_limit: i64,
    /// Confidence interval of `held`, if it was sampled and a range is wanted.
    pub range: Option<[i64; 2]>,
    /// Process that has it open, or the name of the group.
    pub name: String,
    /// The two ends; `None` for a group.
    pub ends: Option<[SocketAddress; 2]>,
    /// Smoothed round-trip time, µs; for a group the longest.
    pub rtt: Option<u64>,
    /// Sockets that the sum consists of.
    pub sockets: Vec<End>,
    /// The limit in each of N equal parts of the time shown, for a given N.
    pub strip: Box<dyn Fn(usize) -> Vec<Option<Cause>> + 'a>,
}

impl<'a> LiveRow<'a> {
    /// The row of a connection within `window`, with a strip of `nanos`.
    pub fn now(connection: &'a LiveConnection, window: Window, nanos: i64, wording: Wording<'_>) -> Self {
        Self::new(connection, End::of(connection, window), window.until, nanos, wording)
    }

    /// The row of a connection over the whole time that it was watched, with the range of its seconds.
    pub fn whole(connection: &'a LiveConnection, wording: Wording<'_>) -> Self {
        let [first, last] = connection.seen();
        let row = Self::new(connection, End::whole(connection), last, last.since(first).max(1), wording);
        if connection.is_accounted() || row.sum.watched() == 0 {
            return row;
        }
        let watched = row.sum.watched() as f64;
        let (low, high) = share_range(row.held as f64 / watched, connection.samples());
        Self { range: Some([low, high].map(|share| (share * watched) as i64)), ..row }
    }

    fn new(connection: &'a LiveConnection, end: End, until: Timestamp, nanos: i64, wording: Wording<'_>) -> Self {
        let sockets = vec![end];
        let sum = Sum::of(&sockets, sockets[0].tally.watched());
        // A connection that was sampled only once has no time yet.
        let (limit, held) = sum.cause().unwrap_or((connection.limit_now(), 0));
        Self {
            held_by_limit: sum.under(limit.limit),
            sum,
            limit,
            held,
            range: None,
            name: process_name(connection, wording),
            ends: Some([connection.local().clone(), connection.peer().clone()]),
            rtt: connection.socket().info.rtt.filter(|&rtt| rtt > 0),
            sockets,
            strip: Box::new(move |columns| connection.strip(until, nanos, columns)),
        }
    }

    /// One row for a group called `name`, over a stretch of `window` nanoseconds.
    pub fn group(name: String, rows: Vec<Self>, window: i64) -> Option<Self> {
        let mut sockets: Vec<End> = Vec::new();
        // Index of each socket's row.
        let mut owners: Vec<usize> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            sockets.extend(row.sockets.iter().cloned());
            owners.resize(sockets.len(), index);
        }
        let sum = Sum::of(&sockets, window);
        let (limit, held) = sum.cause().or_else(|| rows.first().map(|row| (row.limit, 0)))?;
        // The strip shows a bounded number of the sockets.
        let shown: Vec<usize> = sum.speakers().iter().map(|&socket| owners[socket]).collect();
        Some(Self {
            held_by_limit: sum.under(limit.limit),
            limit,
            held,
            range: None,
            name,
            ends: None,
            rtt: rows.iter().filter_map(|row| row.rtt).max(),
            sockets,
            strip: Box::new(move |columns| {
                let members = shown.iter().map(|&row| ((rows[row].strip)(columns), rows[row].sum.times()));
                strip::merged(members, columns)
            }),
            sum,
        })
    }

    /// The sentence about connections that repeatedly open and close.
    pub fn sentence(&self, wording: Wording<'_>) -> Option<String> {
        let repeated = self.sum.repeated().filter(|_| self.ends.is_none())?;
        let units = wording.units();
        let args = Args::new()
            .number("count", repeated.connections)
            .text("handshakes", units.nanos(repeated.handshakes))
            .text("total", units.nanos(repeated.watched));
        let id = if repeated.asks_once() { "live-sum-requests" } else { "live-sum" };
        Some(wording.catalogue().text(id, &args))
    }
}

#[cfg(test)]
pub(super) mod fixtures {
    use tcpwhy_analysis::Role;
    use tcpwhy_model::live::SocketKey;
    use tcpwhy_watch::{Life, Tally};

    use super::*;

    /// A row of one second, with `lost` seconds under `limit`.
    pub(in crate::live) fn row(
        lost: f64,
        limit: impl Into<Cause>,
        name: &str,
        peer: &str,
        cookie: u64,
    ) -> LiveRow<'static> {
        const SECOND: i64 = 1_000_000_000;
        let limit = limit.into();
        let place = |address: &str, port| SocketAddress { address: address.parse().ok(), zone: None, port: Some(port) };
        let times = vec![(limit, (lost * 1e9) as i64, limit.is_removable())];
        let end = End {
            key: SocketKey { namespace: 1, cookie },
            local: place("10.0.186.140", 3306),
            peer: place(peer, 26_494),
            role: Role::Server,
            seen: [0, SECOND].map(Timestamp::from_nanos),
            life: Life::Lasting,
            answers: None,
            outcome: None,
            tally: Tally::new(SECOND, times, [800_000, 78_750]),
        };
        let ends = Some([end.local.clone(), end.peer.clone()]);
        let sockets = vec![end];
        let sum = Sum::of(&sockets, SECOND);
        LiveRow {
            held: sum.cause().map_or(0, |(_, nanos)| nanos),
            held_by_limit: sum.under(limit.limit),
            sum,
            limit,
            range: None,
            name: name.to_owned(),
            ends,
            rtt: Some(20_100),
            sockets,
            strip: Box::new(move |columns| vec![Some(limit); columns]),
        }
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Limit;
    use tcpwhy_watch::{Life, Tally};

    use super::fixtures::row;
    use super::*;
    use crate::{Catalogue, Language};

    const SECOND: i64 = 1_000_000_000;

    #[test]
    fn groups_are_seconds_and_bytes() {
        let rows = || {
            let buffer = row(0.94, Cause::plain(Limit::SendBuffer), "mysqld[812]", "10.0.7.70", 1);
            vec![buffer, row(0.0, Cause::plain(Limit::Unobserved), "-", "10.0.1.4", 2)]
        };
        let group = LiveRow::group("mysqld".to_owned(), rows(), 2 * SECOND).unwrap();
        assert_eq!((group.sum.connections(), group.sum.lost(), group.held), (2, 940_000_000, 940_000_000));
        assert_eq!((group.limit.limit, group.rtt, group.sum.watched()), (Limit::SendBuffer, Some(20_100), 2 * SECOND));
        // Both connections have 7.03 Mbit/s, and each was active for one of two seconds.
        assert!((group.sum.rate().bits_per_sec() - 7.03e6).abs() < 1.0, "{:?}", group.sum);
        assert!(LiveRow::group(String::new(), vec![], SECOND).is_none());
    }

    /// Strip and limit show the lost time, although most connections of the group do something else.
    #[test]
    fn a_group_speaks_of_lost_time() {
        let idle = |cookie| row(1.0, Cause::plain(Limit::Application), "x", &format!("10.0.1.{cookie}"), cookie);
        let mut rows: Vec<LiveRow<'_>> = (0..15).map(idle).collect();
        rows.push(row(1.0, Cause::plain(Limit::SendBuffer), "x", "10.0.2.1", 99));
        let group = LiveRow::group("x".to_owned(), rows, SECOND).unwrap();
        assert_eq!((group.limit.limit, group.held), (Limit::SendBuffer, SECOND));
        assert_eq!((group.strip)(2), [Some(Cause::plain(Limit::SendBuffer)); 2]);
    }

    #[test]
    fn what_came_and_went_is_a_sentence() {
        let catalogue = Catalogue::new(Language::English);
        let brief = |cookie: u64, answers| {
            let mut row = row(0.04, Cause::plain(Limit::Handshake), "curl", "10.0.0.1", cookie);
            let end = &mut row.sockets[0];
            (end.life, end.answers, end.peer.port) = (Life::Brief, answers, Some(cookie as u16));
            end.tally = Tally::new(50_000_000, vec![(row.limit, 40_000_000, false)], [100, 100]);
            row
        };
        let sentence = |answers| {
            let rows = (0..86).map(|cookie| brief(cookie, answers)).collect();
            LiveRow::group("curl".to_owned(), rows, 60 * SECOND).unwrap().sentence(Wording::new(&catalogue))
        };
        assert_eq!(
            sentence(Some(1)).unwrap(),
            "86 connections came and went, handshakes 3.44 s of 4.30 s: a connection for each request"
        );
        assert_eq!(sentence(None).unwrap(), "86 connections came and went, handshakes 3.44 s of 4.30 s");
        assert_eq!(brief(1, None).sentence(Wording::new(&catalogue)), None);
    }
}
