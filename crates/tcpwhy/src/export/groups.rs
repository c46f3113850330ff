//! Groups connections by program, role and port, up to a maximum number of groups.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::RangeInclusive;

use tcpwhy_analysis::Role;
use tcpwhy_model::foreign::visible;
use tcpwhy_model::live::Turns;
use tcpwhy_model::{Detail, Limit, OutcomeKind, Timestamp};
use tcpwhy_report::metrics::{FOLDED, Histogram, TABLE};
use tcpwhy_watch::{LiveConnection, Progress};

/// Longest names in labels, characters, because others choose them: `comm` has 15 bytes, a control group of
/// Kubernetes about 200.
const NAME_CHARS: usize = 64;
const CGROUP_CHARS: usize = 240;
/// Time without connections, ns, after which a group may be dropped. A scraper with an interval of 60 s has
/// then read its last totals.
const KEPT: i64 = 120_000_000_000;
/// The value of a label that is not known.
const UNKNOWN: &str = "unknown";

/// Prefix lengths of peers' networks, bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PeerPrefix {
    pub(crate) v4: u8,
    pub(crate) v6: u8,
}

/// Additional labels to group by, besides program, role and port.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct By {
    pub(super) peer: Option<PeerPrefix>,
    pub(super) cgroup: bool,
}

impl By {
    /// The names of these labels.
    pub(super) fn labels(self) -> Vec<&'static str> {
        self.peer.map(|_| "peer").into_iter().chain(self.cgroup.then_some("cgroup")).collect()
    }
}

/// The values of a group's labels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    process: String,
    role: &'static str,
    port: Option<u16>,
    peer: Option<(IpAddr, u8)>,
    cgroup: Option<String>,
}

/// The totals of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// Nanoseconds by limit: 20,000 connections overflow 64 bits after ten days.
    pub(super) time: [u128; Limit::ALL.len()],
    pub(super) lost: u128,
    pub(super) zero_window: u128,
    pub(super) seen: u64,
    /// Failed connections by [`OutcomeKind`].
    pub(super) failed: [u64; OutcomeKind::ALL.len()],
    pub(super) sent: u64,
    pub(super) received: u64,
    /// Retransmitted bytes, which Linux counts since 4.19.
    pub(super) retransmitted: Option<u64>,
    pub(super) round_trips: Histogram,
    /// Nanoseconds that writers waited for buffer space, where the kernel's BPF programs measure it.
    pub(super) blocked: Option<u128>,
    /// Times of exchanges by [`ExchangePart`].
    pub(super) exchanges: [Histogram; ExchangePart::ALL.len()],
    pub(super) open: u64,
    pub(super) queued: u64,
    pub(super) unread: u64,
    /// The last time when it had a connection.
    used: Timestamp,
}

/// All groups.
#[derive(Debug)]
pub(super) struct Groups {
    by: By,
    /// Ephemeral ports (`ip_local_port_range`).
    outgoing: RangeInclusive<u16>,
    named: HashMap<Key, Group>,
    other: Option<Group>,
    /// Most groups that have their own series.
    most: usize,
    /// Series per group.
    series: usize,
    /// Groups with open connections that exceed the maximum.
    folded: HashSet<Key>,
    /// Groups that may be dropped in this round, the first to drop last; `None` until one is needed.
    leaving: Option<Vec<Key>>,
    now: Timestamp,
    /// Reused for every connection, so that a lookup allocates no memory.
    key: Key,
}

impl Groups {
    /// Creates groups with at most `max_series` series. `has_accounts`: the kernel's BPF programs run, whose
    /// measurements have additional series.
    pub(super) fn new(by: By, max_series: usize, outgoing: RangeInclusive<u16>, has_accounts: bool) -> Self {
        let series = series_of_group(has_accounts);
        Self {
            by,
            outgoing,
            named: HashMap::new(),
            other: None,
            // One group is reserved for the excess.
            most: (max_series / series).saturating_sub(1),
            series,
            folded: HashSet::new(),
            leaving: None,
            now: Timestamp::ZERO,
            key: Key::default(),
        }
    }

    /// Begins a round, in which every open connection is added.
    pub(super) fn begin(&mut self, now: Timestamp) {
        self.now = now;
        self.folded.clear();
        self.leaving = None;
        for group in self.named.values_mut().chain(&mut self.other) {
            (group.open, group.queued, group.unread) = (0, 0, 0);
        }
    }

    /// Adds the progress of a connection.
    pub(super) fn add(&mut self, connection: &LiveConnection, progress: &Progress) {
        self.key.set(connection, self.by, &self.outgoing);
        if !self.named.contains_key(&self.key) && (self.named.len() < self.most || self.make_room()) {
            self.named.insert(self.key.clone(), Group::default());
        }
        let group = if let Some(group) = self.named.get_mut(&self.key) {
            group
        } else {
            if !connection.has_ended() && !self.folded.contains(&self.key) {
                self.folded.insert(self.key.clone());
            }
            self.other.get_or_insert_default()
        };
        group.used = self.now;
        group.add(connection, progress);
    }

    /// Drops a group without connections for [`KEPT`], which ends its series. It picks the one that lost the
    /// least time, then the oldest.
    fn make_room(&mut self) -> bool {
        let (named, now) = (&self.named, self.now);
        let leaving = self.leaving.get_or_insert_with(|| {
            let is_over = |group: &Group| group.open == 0 && now.since(group.used) > KEPT;
            let mut leaving: Vec<(&Key, &Group)> = named.iter().filter(|(_, group)| is_over(group)).collect();
            leaving.sort_unstable_by(|(a, of_a), (b, of_b)| (of_b.lost, of_b.used, b).cmp(&(of_a.lost, of_a.used, a)));
            leaving.into_iter().map(|(key, _)| key.clone()).collect()
        });
        // The group may have new connections in this round.
        while let Some(key) = leaving.pop() {
            if self.named.get(&key).is_some_and(|group| group.used < now) {
                self.named.remove(&key);
                return true;
            }
        }
        false
    }

    /// Groups with the values of their labels, in order; the excess group is last.
    pub(super) fn told(&self) -> Vec<(Vec<String>, &Group)> {
        let mut named: Vec<(&Key, &Group)> = self.named.iter().collect();
        named.sort_unstable_by_key(|(key, _)| *key);
        let others = self.other.iter().map(|group| (vec![FOLDED.to_owned(); 3 + self.by.labels().len()], group));
        named.into_iter().map(|(key, group)| (key.labels(self.by), group)).chain(others).collect()
    }

    /// Series that are missing because of the maximum, for open connections.
    pub(super) fn folded_series(&self) -> usize {
        self.folded.len() * self.series
    }
}

fn series_of_group(has_accounts: bool) -> usize {
    TABLE.iter().map(|definition| definition.metric.series_of_group(Limit::ALL.len(), has_accounts)).sum()
}

impl Group {
    fn add(&mut self, connection: &LiveConnection, progress: &Progress) {
        let nanos = |nanos: i64| u128::try_from(nanos).unwrap_or_default();
        for (cause, time) in progress.time.iter() {
            self.time[cause.limit as usize] += nanos(time);
        }
        self.lost += nanos(progress.lost);
        self.zero_window += nanos(progress.time.sum(|cause| cause.detail == Some(Detail::ZeroWindow)));
        self.seen += u64::from(progress.is_first);
        if let Some(kind) = progress.failed {
            self.failed[kind as usize] += 1;
        }
        self.sent += progress.sent;
        self.received += progress.received;
        let socket = connection.socket();
        if socket.info.bytes_retrans.is_some() {
            *self.retransmitted.get_or_insert_default() += progress.retransmitted;
        }
        if let Some(blocked) = progress.blocked {
            *self.blocked.get_or_insert_default() += nanos(blocked);
        }
        if let Some(turns) = &progress.turns {
            self.add_turns(connection.role(), turns);
        }
        if connection.has_ended() {
            return;
        }
        self.open += 1;
        self.queued += socket.send_queue;
        self.unread += socket.receive_queue;
        if let Some(micros) = socket.info.rtt.filter(|&rtt| rtt > 0 && connection.is_active()) {
            self.round_trips.add(micros as f64 / 1e6);
        }
    }
}

/// The part of a request–response exchange that a time covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExchangePart {
    /// At a server: from a request to its response.
    Server,
    /// At a client: from a response to the next request.
    Client,
    /// At a client: from a request to its response, including the round trip.
    Response,
}

impl ExchangePart {
    pub(super) const ALL: [Self; 3] = [Self::Server, Self::Client, Self::Response];

    /// The value of the label `part`.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Client => "client",
            Self::Response => "response",
        }
    }
}

impl Group {
    /// Adds the turns of both sides. A server ignores its peer's turns, because they include a round trip.
    fn add_turns(&mut self, role: Role, [own, peers]: &[Turns; 2]) {
        let mut add = |part: ExchangePart, turns: &Turns| {
            let histogram = &mut self.exchanges[part as usize];
            for (bucket, &count) in turns.buckets.iter().enumerate() {
                histogram.add_many(Turns::bound(bucket).map_or(f64::INFINITY, |bound| bound as f64 / 1e9), count);
            }
            histogram.add_sum(turns.nanos as f64 / 1e9);
        };
        if role == Role::Server {
            add(ExchangePart::Server, own);
        } else {
            add(ExchangePart::Client, own);
            add(ExchangePart::Response, peers);
        }
    }
}

impl Key {
    /// Sets the key to the group of a connection.
    fn set(&mut self, connection: &LiveConnection, by: By, outgoing: &RangeInclusive<u16>) {
        let process = connection.process();
        self.process.clear();
        self.process.push_str(&bounded(process.map_or(UNKNOWN, |process| &process.name), NAME_CHARS));
        (self.role, self.port) = side(connection.role(), connection.local().port, connection.peer().port, outgoing);
        self.peer = by.peer.and_then(|prefix| Some(prefix.of(connection.peer().address?)));
        self.cgroup = process
            .filter(|_| by.cgroup)
            .and_then(|process| process.cgroup.as_deref())
            .map(|cgroup| bounded(cgroup, CGROUP_CHARS).into_owned());
    }

    fn labels(&self, by: By) -> Vec<String> {
        let known = |value: Option<String>| value.unwrap_or_else(|| UNKNOWN.to_owned());
        let mut labels =
            vec![self.process.clone(), self.role.to_owned(), known(self.port.map(|port| port.to_string()))];
        if by.peer.is_some() {
            labels.push(known(self.peer.map(|(network, bits)| format!("{network}/{bits}"))));
        }
        if by.cgroup {
            labels.push(known(self.cgroup.clone()));
        }
        labels
    }
}

/// The role of this end, and the service port.
fn side(
    role: Role,
    local: Option<u16>,
    peer: Option<u16>,
    outgoing: &RangeInclusive<u16>,
) -> (&'static str, Option<u16>) {
    let is_outgoing = |port: Option<u16>| port.is_some_and(|port| outgoing.contains(&port));
    match role {
        Role::Server => ("server", local),
        // An outgoing connection has a local port in the ephemeral range. This one has not, so it was
        // accepted and its listener is closed by now.
        Role::Client if is_outgoing(peer) && !is_outgoing(local) => ("server", local),
        Role::Client => ("client", peer),
        Role::Unknown => (UNKNOWN, None),
    }
}

/// A name chosen by others, at most `most` characters, with invisible characters escaped.
fn bounded(name: &str, most: usize) -> std::borrow::Cow<'_, str> {
    match visible(name) {
        std::borrow::Cow::Borrowed(name) => match name.char_indices().nth(most) {
            Some((end, _)) => name[..end].into(),
            None => name.into(),
        },
        std::borrow::Cow::Owned(name) => name.chars().take(most).collect::<String>().into(),
    }
}

impl PeerPrefix {
    /// The network and prefix length of an address.
    fn of(self, address: IpAddr) -> (IpAddr, u8) {
        match address.to_canonical() {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.v4)).unwrap_or_default();
                (Ipv4Addr::from_bits(address.to_bits() & mask).into(), self.v4)
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.v6)).unwrap_or_default();
                (Ipv6Addr::from_bits(address.to_bits() & mask).into(), self.v6)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::{SocketSample, TcpState};
    use tcpwhy_model::live::{KernelSample, Process, SocketKey};
    use tcpwhy_watch::LiveHost;

    use super::*;

    const SECOND: i64 = 1_000_000_000;

    struct Told {
        host: LiveHost,
        groups: Groups,
        cookie: u64,
    }

    impl Told {
        fn new(max_series: usize) -> Self {
            let groups = Groups::new(By::default(), max_series, 32_768..=60_999, false);
            Self { host: LiveHost::with_progress(), groups, cookie: 0 }
        }

        /// Adds a connection of `process` that exists between `from` and `until`, seconds.
        fn connection(&mut self, process: &str, from: i64, until: i64) {
            self.cookie += 1;
            let key = SocketKey { namespace: 1, cookie: self.cookie };
            for second in from..=until {
                let mut socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
                (socket.local.port, socket.peer.port) = (Some(40_000), Some(443));
                socket.info.bytes_acked = Some(1000 * (second - from) as u64);
                self.host.observe(KernelSample { time: Timestamp::from_nanos(second * SECOND), key, socket });
                self.host.assign(key, Process { pid: 1, name: process.to_owned(), cgroup: None });
                self.tell(second);
            }
            self.host.forget(key);
            self.tell(until);
        }

        fn tell(&mut self, second: i64) {
            self.groups.begin(Timestamp::from_nanos(second * SECOND));
            self.host.take_progress(|connection, progress| self.groups.add(connection, &progress));
        }

        /// Program, total seconds, bytes sent, and open connections of each group.
        fn lines(&self) -> Vec<(String, u128, u64, u64)> {
            let seconds = |group: &Group| group.time.iter().sum::<u128>() / SECOND as u128;
            self.groups.told().into_iter().map(|(labels, g)| (labels[0].clone(), seconds(g), g.sent, g.open)).collect()
        }
    }

    #[test]
    fn totals_stay_when_connections_end() {
        let mut told = Told::new(2000);
        told.connection("nginx", 0, 10);
        told.connection("nginx", 20, 25);
        assert_eq!(told.lines(), [("nginx".into(), 15, 15_000, 0)]);
        assert_eq!(told.groups.told()[0].0, ["nginx", "client", "443"]);
    }

    /// A connection whose ACKs stop arriving counts once, regardless of the duration.
    #[test]
    fn failures_count_once() {
        let mut told = Told::new(2000);
        let key = SocketKey { namespace: 1, cookie: 9 };
        for (second, timeouts) in [(0, 0), (1, 2), (2, 3), (3, 4), (4, 4)] {
            let mut socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
            (socket.local.port, socket.peer.port, socket.send_queue) = (Some(40_000), Some(443), 5000);
            socket.info.retransmits = Some(timeouts);
            told.host.observe(KernelSample { time: Timestamp::from_nanos(second * SECOND), key, socket });
            told.tell(second);
        }
        told.host.forget(key);
        told.tell(5);
        let mut expected = [0; OutcomeKind::ALL.len()];
        expected[OutcomeKind::BlackHole as usize] = 1;
        assert_eq!(told.groups.told()[0].1.failed, expected);
    }

    #[test]
    fn what_has_no_room_is_told_together() {
        let mut told = Told::new(3 * series_of_group(false));
        for name in ["a", "b", "c", "d"] {
            told.connection(name, 0, 2);
        }
        let lines = [("a".into(), 2, 2000, 0), ("b".into(), 2, 2000, 0), ("other".into(), 4, 4000, 0)];
        assert_eq!(told.lines(), lines);
        told.host = LiveHost::with_progress();
        let key = SocketKey { namespace: 1, cookie: 99 };
        let socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
        told.host.observe(KernelSample { time: Timestamp::from_nanos(0), key, socket });
        told.tell(3);
        assert_eq!(told.groups.folded_series(), series_of_group(false));
        // After two minutes without connections the oldest group is dropped. The totals of the excess group
        // never decrease.
        told.connection("e", 3700, 3701);
        assert_eq!(told.lines().len(), 3);
        assert!(told.lines().iter().any(|line| line.0 == "e") && told.lines()[2].2 >= 4000, "{:?}", told.lines());
    }

    /// Short-lived names do not keep out active ones, and the groups that lost most time stay longest.
    #[test]
    fn groups_leave_by_age_and_lost_time() {
        let mut told = Told::new(4 * series_of_group(false));
        for name in ["a", "b", "c"] {
            told.connection(name, 0, 2);
        }
        let lost = |told: &mut Told, name: &str, nanos| {
            let group = told.groups.named.iter_mut().find(|(key, _)| key.process == name).map(|(_, group)| group);
            group.unwrap().lost = nanos;
        };
        for (name, nanos) in [("a", 5), ("b", 1), ("c", 9)] {
            lost(&mut told, name, nanos);
        }
        told.connection("d", 60, 61);
        assert!(told.lines().iter().any(|line| line.0 == "other"), "they were just scraped: {:?}", told.lines());
        told.connection("e", 200, 201);
        let names: Vec<String> = told.lines().into_iter().map(|line| line.0).collect();
        assert_eq!(names, ["a", "c", "e", "other"]);
    }

    #[test]
    fn names_of_any_length_and_kind_are_bounded() {
        let mut told = Told::new(2000);
        told.connection(&"é\u{202e}\n".repeat(100), 0, 1);
        let labels = &told.groups.told()[0].0;
        assert!(labels[0].chars().count() == NAME_CHARS && !labels[0].contains(['\n', '\u{202e}']), "{labels:?}");
    }

    #[test]
    fn an_outgoing_port_is_never_told_where_the_other_is_listened_on() {
        let side = |role, local, peer| side(role, Some(local), Some(peer), &(32_768..=60_999));
        assert_eq!(side(Role::Server, 80, 50_000), ("server", Some(80)));
        assert_eq!(side(Role::Client, 50_000, 443), ("client", Some(443)));
        // The listener is closed.
        assert_eq!(side(Role::Client, 80, 50_000), ("server", Some(80)));
        // Both ports are ephemeral: a service may listen on the peer's.
        assert_eq!(side(Role::Client, 40_000, 50_051), ("client", Some(50_051)));
    }

    #[test]
    fn networks_of_peers() {
        let prefix = PeerPrefix { v4: 24, v6: 48 };
        let network = |address: &str| {
            let (network, bits) = prefix.of(address.parse().unwrap());
            format!("{network}/{bits}")
        };
        assert_eq!(network("10.1.2.3"), "10.1.2.0/24");
        assert_eq!(network("::ffff:10.1.2.3"), "10.1.2.0/24");
        assert_eq!(network("2001:db8:1:2::3"), "2001:db8:1::/48");
        let all = PeerPrefix { v4: 0, v6: 0 };
        assert_eq!(all.of("10.1.2.3".parse().unwrap()), ("0.0.0.0".parse().unwrap(), 0));
    }
}
