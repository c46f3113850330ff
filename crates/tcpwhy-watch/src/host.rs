//! All connections of a host, built from samples.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tcpwhy_model::host::{BufferLocks, TcpState};
use tcpwhy_model::live::{Happening, KernelAccount, KernelEvent, KernelSample, Process, SocketKey};
use tcpwhy_model::{Cause, Span, Timestamp};

use super::connection::LiveConnection;
use super::direction::{Course, Direction, Retention};
use super::outcome::AcceptQueue;
use super::progress::Progress;
use super::reported::Reported;
use tcpwhy_analysis::Side;

/// Limit for failures that no caller takes.
const MOST_FAILURES: usize = 10_000;

/// A stretch of time of one direction that has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndedInterval {
    /// [`LiveConnection::id`].
    pub connection: u64,
    /// The socket.
    pub key: SocketKey,
    /// The side that sends in that direction; this end is A.
    pub sender: Side,
    /// The time of the interval.
    pub span: Span,
    /// The limit in it.
    pub cause: Cause,
}

/// Changes of connections since the last query.
#[derive(Clone, Debug, Default)]
struct News {
    intervals: Vec<EndedInterval>,
    failures: Vec<KernelEvent>,
}

impl News {
    fn collect(&mut self, connection: &mut LiveConnection) {
        let (id, key) = (connection.id, connection.key());
        let mut take = |sender: Side, ended: Vec<(Span, Cause)>| {
            self.intervals.extend(ended.into_iter().map(|(span, cause)| EndedInterval {
                connection: id,
                key,
                sender,
                span,
                cause,
            }));
        };
        take(Side::A, connection.sending.take_ended());
        if let Some(receiving) = &mut connection.reader.receiving {
            take(Side::B, receiving.take_ended());
        }
        if let Some(kind) = connection.new_outcome()
            && self.failures.len() < MOST_FAILURES
        {
            self.failures.push(KernelEvent {
                time: connection.last.time,
                key: Some(key),
                ends: Some([connection.local().clone(), connection.peer().clone()]),
                process: connection.process().cloned(),
                code: Vec::new(),
                what: Happening::Failed(kind),
            });
        }
    }
}

/// The connections of a host: a fold over samples, without a clock. The same samples give the same
/// connections.
///
/// Memory is bounded by the sockets that are open, and by those that ended since the last call of
/// [`Self::take_ended`].
#[derive(Clone, Debug, Default)]
pub struct LiveHost {
    /// Boxed, because a half-empty table would otherwise need twice the memory of its content.
    open: HashMap<SocketKey, Box<LiveConnection>>,
    /// Listeners by namespace and port, with the time of the last sample and the accept queue.
    listening: HashMap<(u64, u16), (Timestamp, AcceptQueue)>,
    /// Boxed like the open ones, so that collecting thousands of them moves only pointers.
    #[allow(clippy::vec_box, reason = "of two kilobytes each, a list that grows would be there twice")]
    ended: Vec<Box<LiveConnection>>,
    /// Number of connections seen so far.
    count: u64,
    /// Number of ended connections that moved data.
    moved: u64,
    keep: Retention,
    /// Namespaces whose sockets were all read once: later sockets are new.
    known: HashSet<u64>,
    news: News,
    largest_send_buffer: Option<u64>,
}

impl LiveHost {
    /// A host without samples.
    pub fn new() -> Self {
        Self::default()
    }

    /// A host that keeps intervals as they end, for [`Self::take_intervals`].
    pub fn with_intervals() -> Self {
        Self { keep: Retention { intervals: true, ..Retention::default() }, ..Self::default() }
    }

    /// A host that counts the time by cause, for [`Self::take_progress`].
    pub fn with_progress() -> Self {
        Self { keep: Retention { progress: true, ..Retention::default() }, ..Self::default() }
    }

    /// A host whose connections are compared with packets, so it keeps their course finely.
    pub fn to_compare() -> Self {
        Self { keep: Retention { course: Course::Compared, ..Retention::default() }, ..Self::default() }
    }

    /// Sets the size in bytes up to which send buffers may grow: the third value of `net.ipv4.tcp_wmem`.
    pub fn set_largest_send_buffer(&mut self, bytes: Option<u64>) {
        self.largest_send_buffer = bytes;
    }

    /// Adds a sample of a socket: a listener, or an end of a connection.
    pub fn observe(&mut self, sample: KernelSample) {
        match sample.socket.state {
            Some(TcpState::Listen) => {
                let place = sample.socket.local.port.map(|port| (sample.key.namespace, port));
                // For a listener, these fields are the length and limit of its accept queue
                // (`inet_csk_diag_fill`).
                let queue = AcceptQueue { waiting: sample.socket.receive_queue, most: sample.socket.send_queue };
                self.listening.extend(place.map(|place| (place, (sample.time, queue))));
            }
            Some(state) if state.is_connected() || matches!(state, TcpState::SynSent | TcpState::SynReceived) => {
                if let Some(connection) = self.open.get_mut(&sample.key) {
                    let place = sample.socket.local.port.map(|port| (sample.key.namespace, port));
                    connection.observe(sample, None, self.largest_send_buffer);
                    let queue = place.and_then(|place| self.listening.get(&place));
                    if let Some((_, queue)) = queue {
                        connection.wait_in(*queue);
                    }
                    self.news.collect(connection);
                } else {
                    let end = sample.socket.local.port.map(|port| (sample.key.namespace, port));
                    let mut connection = LiveConnection::new(self.count, sample, self.keep, self.largest_send_buffer);
                    connection.began_here = self.known.contains(&connection.key().namespace);
                    connection.reported = if connection.began_here {
                        Reported::of_new(&connection.first)
                    } else {
                        Reported::of(&connection.first)
                    };
                    // The kernel reports listeners before all others.
                    connection.is_server = end.is_some_and(|end| self.listening.contains_key(&end));
                    self.count += 1;
                    self.open.insert(connection.key(), Box::new(connection));
                }
            }
            // The connection is over, and its remaining socket carries no data.
            _ => self.forget(sample.key),
        }
    }

    /// Adds a sample of a connection that the kernel measures. From then on, its time comes from these
    /// measurements, and other samples add only numbers that they lack. `process` is the socket's owner, if
    /// it is known.
    pub fn account(&mut self, sample: KernelSample, account: KernelAccount, process: Option<Arc<Process>>) {
        let (key, keep) = (sample.key, self.keep);
        let has_closed = sample.socket.state == Some(TcpState::Close);
        match self.open.get_mut(&key) {
            // The measurements of a connection that began while it was watched cover all of its time.
            Some(connection) if connection.is_accounted() || account.opened.is_none() => {
                connection.observe(sample, Some(account), None);
                self.news.collect(connection);
            }
            Some(connection) => {
                let mut anew = LiveConnection::with_account(connection.id(), sample, account, keep);
                anew.process = connection.process.take();
                self.news.collect(&mut anew);
                **connection = anew;
            }
            // A closed connection that was never seen open shows nothing.
            None if has_closed && account.opened.is_none() => return,
            None => {
                let mut connection = LiveConnection::with_account(self.count, sample, account, keep);
                let end = connection.local().port.map(|port| (key.namespace, port));
                connection.is_server |= end.is_some_and(|end| self.listening.contains_key(&end));
                self.news.collect(&mut connection);
                self.count += 1;
                self.open.insert(key, Box::new(connection));
            }
        }
        if let Some(process) = process {
            self.assign(key, process);
        }
        if has_closed {
            self.forget(key);
        }
    }

    /// Marks that the kernel has reported all changes up to `time`, so the other connections were idle.
    pub fn rest(&mut self, time: Timestamp) {
        for connection in self.open.values_mut() {
            connection.rest(time);
        }
    }

    /// Marks that the kernel has reported all connections since `began`, so connections without a report are
    /// closed.
    pub fn sweep_accounts(&mut self, began: Timestamp) {
        self.forget_all(|connection| connection.is_accounted() && connection.last_seen() < began);
    }

    /// Sets the process of a socket. If the socket was passed on, it is the newest owner.
    pub fn assign(&mut self, key: SocketKey, process: impl Into<Arc<Process>>) {
        if let Some(connection) = self.open.get_mut(&key) {
            connection.process = Some(process.into());
        }
    }

    /// Sets which buffers of the socket its application has set.
    pub fn lock(&mut self, key: SocketKey, locks: BufferLocks) {
        if let Some(connection) = self.open.get_mut(&key) {
            connection.last.socket.locks = Some(locks);
        }
    }

    /// Marks that all sockets of `namespace` were read, starting at `began`. Sockets without a sample since
    /// then are closed. The kernel reports the end of a connection that it measures itself.
    pub fn sweep(&mut self, namespace: u64, began: Timestamp) {
        self.known.insert(namespace);
        self.forget_all(|c| c.key().namespace == namespace && c.last_seen() < began && !c.is_accounted());
        self.listening.retain(|(of, _), (seen, _)| *of != namespace || *seen >= began);
    }

    /// Removes the connections for which `is_gone` is true, in the order in which they were seen first. So
    /// the same samples give the same order.
    fn forget_all(&mut self, is_gone: impl Fn(&LiveConnection) -> bool) {
        for key in self.keys_in_order(is_gone) {
            self.forget(key);
        }
    }

    fn keys_in_order(&self, is_wanted: impl Fn(&LiveConnection) -> bool) -> Vec<SocketKey> {
        let wanted = self.connections().filter(|connection| is_wanted(connection));
        let mut keys: Vec<(u64, SocketKey)> = wanted.map(|c| (c.id, c.key())).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key).collect()
    }

    /// Removes a socket that the kernel no longer has.
    pub fn forget(&mut self, key: SocketKey) {
        if let Some(mut connection) = self.open.remove(&key) {
            connection.end();
            self.moved += u64::from(connection.has_moved());
            self.news.collect(&mut connection);
            self.ended.push(connection);
        }
    }

    /// Takes the failures of connections since the last call. Each is reported once, and again if it fails in
    /// another way. The first 10,000 are kept.
    pub fn take_failures(&mut self) -> Vec<KernelEvent> {
        std::mem::take(&mut self.news.failures)
    }

    /// Ends all connections, because no more samples will come.
    pub fn finish(&mut self) {
        for key in self.keys_in_order(|_| true) {
            // The connections stay open; only the watching ends.
            if let Some(connection) = self.open.get_mut(&key) {
                connection.sending.close();
                connection.reader.receiving.as_deref_mut().map(Direction::close);
                self.news.collect(connection);
            }
        }
    }

    /// The open connections, in no particular order.
    pub fn connections(&self) -> impl Iterator<Item = &LiveConnection> {
        self.open.values().map(|connection| &**connection)
    }

    /// Converts into the open connections.
    pub(crate) fn into_open(self) -> impl Iterator<Item = Box<LiveConnection>> {
        self.open.into_values()
    }

    /// An open connection.
    pub fn connection(&self, key: SocketKey) -> Option<&LiveConnection> {
        self.open.get(&key).map(|connection| &**connection)
    }

    /// Number of open connections.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Number of connections seen so far.
    pub fn seen(&self) -> u64 {
        self.count
    }

    /// Number of connections that sent or received data, or had data waiting.
    pub fn moved(&self) -> u64 {
        self.moved + self.open.values().filter(|connection| connection.has_moved()).count() as u64
    }

    /// Whether no connection is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Reports the progress of every connection since the last call, including those that have ended.
    pub fn take_progress(&mut self, mut tell: impl FnMut(&LiveConnection, Progress)) {
        for mut connection in std::mem::take(&mut self.ended) {
            let progress = connection.take_progress();
            tell(&connection, progress);
        }
        for connection in self.open.values_mut() {
            let progress = connection.take_progress();
            tell(connection, progress);
        }
    }

    /// Takes the connections that have ended since the last call.
    #[allow(clippy::vec_box, reason = "of two kilobytes each, a list that grows would be there twice")]
    pub fn take_ended(&mut self) -> Vec<Box<LiveConnection>> {
        std::mem::take(&mut self.ended)
    }

    /// Takes the intervals that have ended since the last call.
    pub fn take_intervals(&mut self) -> Vec<EndedInterval> {
        std::mem::take(&mut self.news.intervals)
    }
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::SocketSample;
    use tcpwhy_model::live::{HeldBy, KernelTurns, Opened};

    use tcpwhy_analysis::Role;

    use super::*;

    fn sample(cookie: u64, millis: i64, state: TcpState, port: u16) -> KernelSample {
        let mut socket = SocketSample { state: Some(state), ..SocketSample::default() };
        socket.local.port = Some(port);
        let key = SocketKey { namespace: 1, cookie };
        KernelSample { time: Timestamp::from_nanos(millis * 1_000_000), key, socket }
    }

    #[test]
    fn connections_come_and_go() {
        let mut host = LiveHost::with_intervals();
        host.observe(sample(1, 0, TcpState::Listen, 80));
        host.observe(sample(2, 0, TcpState::Established, 80));
        host.observe(sample(3, 0, TcpState::Established, 50_000));
        assert_eq!(host.len(), 2);
        let role = |host: &LiveHost, cookie| host.connection(SocketKey { namespace: 1, cookie }).unwrap().role();
        assert_eq!((role(&host, 2), role(&host, 3)), (Role::Server, Role::Client));
        host.observe(sample(2, 100, TcpState::Established, 80));
        // A scan of another namespace does not affect this one.
        host.sweep(2, Timestamp::from_nanos(100_000_000));
        assert_eq!(host.len(), 2);
        host.sweep(1, Timestamp::from_nanos(100_000_000));
        // The listener is gone; connections that it accepted stay servers.
        assert_eq!((host.listening.len(), role(&host, 2)), (0, Role::Server));
        let ended = host.take_ended();
        assert_eq!((host.len(), ended.len(), ended[0].id(), ended[0].has_ended()), (1, 1, 1, true));
        assert!(host.take_ended().is_empty());
        host.finish();
        let intervals = host.take_intervals();
        assert_eq!((intervals.len(), intervals[0].connection, intervals[0].span.nanos()), (1, 0, 100_000_000));
    }

    #[test]
    fn what_ends_together_ends_in_the_order_of_its_beginning() {
        let mut host = LiveHost::with_intervals();
        let cookies = (0..50).map(|i| 1000 - i * i % 53 * 10 - i);
        for cookie in cookies.clone() {
            host.observe(sample(cookie, 0, TcpState::Established, 80));
            host.observe(sample(cookie, 100, TcpState::Established, 80));
        }
        host.sweep(1, Timestamp::from_nanos(200_000_000));
        let ended: Vec<u64> = host.take_intervals().iter().map(|interval| interval.key.cookie).collect();
        assert_eq!(ended, cookies.collect::<Vec<u64>>());
    }

    /// Time by cause, in milliseconds each, up to `millis`.
    fn account(millis: i64, parts: &[(HeldBy, i64)]) -> KernelAccount {
        let mut nanos = [0; HeldBy::ALL.len()];
        for (held, millis) in parts {
            nanos[*held as usize] = millis * 1_000_000;
        }
        let since = Timestamp::from_nanos((millis - parts.iter().map(|part| part.1).sum::<i64>()) * 1_000_000);
        let held = parts.last().map_or(HeldBy::Idle, |part| part.0);
        KernelAccount {
            since,
            nanos,
            slow_reader: 0,
            blocked: Some(0),
            turns: [KernelTurns::default(); 2],
            held,
            looks: 1,
            opened: None,
            finish: None,
            unanswered: 0,
            is_unaccepted: false,
        }
    }

    fn millis(connection: &LiveConnection) -> Vec<(String, i64)> {
        connection.limits().totals().iter().map(|t| (t.cause.to_string(), t.nanos / 1_000_000)).collect()
    }

    #[test]
    fn accounts_go_before_samples() {
        let mut host = LiveHost::new();
        let open = |millis| {
            let mut sample = sample(2, millis, TcpState::Established, 80);
            sample.socket.info.notsent_bytes = Some(0);
            sample
        };
        host.observe(open(0));
        // No sample showed a change before the first measurement, so the time before it has the sample's
        // limit.
        host.account(open(500), account(500, &[(HeldBy::SendBuffer, 200), (HeldBy::Idle, 100)]), None);
        // A sample in between takes no time from the measurements, but keeps the socket from being removed.
        host.observe(open(600));
        let connection = host.connection(SocketKey { namespace: 1, cookie: 2 }).unwrap();
        assert_eq!(millis(connection), [("application/idle".into(), 300), ("send_buffer".into(), 200)]);
        // Idle time that was assigned ahead is not assigned again.
        host.rest(Timestamp::from_nanos(800_000_000));
        let told = account(1000, &[(HeldBy::SendBuffer, 250), (HeldBy::Idle, 550)]);
        host.account(open(1000), told, None);
        let connection = host.connection(SocketKey { namespace: 1, cookie: 2 }).unwrap();
        assert_eq!(millis(connection), [("application/idle".into(), 750), ("send_buffer".into(), 250)]);
        assert_eq!(connection.limits().span().nanos(), 1_000_000_000);
    }

    #[test]
    fn a_connection_that_nobody_saw_open_is_known_whole() {
        let mut host = LiveHost::new();
        let mut told = account(400, &[(HeldBy::Handshake, 50), (HeldBy::Cwnd, 100), (HeldBy::CloseWait, 50)]);
        told.opened = Some(Opened::ByPeer);
        let mut closed = sample(2, 400, TcpState::Close, 80);
        closed.socket.info.bytes_acked = Some(9000);
        let process = Process { pid: 7, name: "x".to_owned(), cgroup: None };
        host.account(closed, told.clone(), Some(process.into()));
        let ended = host.take_ended();
        assert_eq!((ended.len(), ended[0].sent(), ended[0].role()), (1, 9000, Role::Server));
        assert_eq!(ended[0].process().map(|process| process.pid), Some(7));
        assert_eq!(ended[0].limits().span().nanos(), 200_000_000);
        // A connection that began before the watch and has ended is unknown.
        told.opened = None;
        host.account(sample(3, 400, TcpState::Close, 80), told, None);
        assert!(host.is_empty() && host.take_ended().is_empty());
    }

    /// The time of a connection is divided only once, whatever the kernel reports.
    #[test]
    fn accounts_that_do_not_add_up_take_no_more_than_there_is() {
        let mut host = LiveHost::new();
        let open = |millis| sample(2, millis, TcpState::Established, 80);
        host.account(open(100), account(100, &[(HeldBy::Idle, 100)]), None);
        host.account(open(200), account(200, &[(HeldBy::Idle, 50), (HeldBy::Rto, 9_000)]), None);
        host.account(open(150), account(150, &[(HeldBy::Rto, 5)]), None);
        let connection = host.connection(SocketKey { namespace: 1, cookie: 2 }).unwrap();
        assert_eq!(connection.limits().span().nanos(), 100_000_000);
        // A connection without a report is removed after all were reported.
        host.sweep(1, Timestamp::from_nanos(900_000_000));
        assert_eq!(host.len(), 1, "its end is told");
        host.sweep_accounts(Timestamp::from_nanos(900_000_000));
        assert!(host.is_empty());
    }

    #[test]
    fn sockets_without_a_connection_are_none() {
        let mut host = LiveHost::new();
        host.observe(sample(1, 0, TcpState::TimeWait, 80));
        host.observe(sample(2, 0, TcpState::Close, 80));
        assert!(host.is_empty());
        host.observe(sample(3, 0, TcpState::SynSent, 80));
        assert_eq!(host.len(), 1);
    }
}
