//! All connections of a host, from what is observed of them.

use std::collections::{HashMap, HashSet};

use tcpwhy_model::host::{BufferLocks, TcpState};
use tcpwhy_model::live::{KernelSample, Process, SocketKey};
use tcpwhy_model::{Cause, Span, Timestamp};

use super::connection::LiveConnection;
use super::direction::Keep;
use super::progress::{Progress, Told};
use crate::outcome::Side;

/// A stretch of time of one direction that has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndedInterval {
    /// [`LiveConnection::id`].
    pub connection: u64,
    /// Which socket.
    pub key: SocketKey,
    /// Who sends in that direction; this end is A.
    pub sender: Side,
    /// When.
    pub span: Span,
    /// What held.
    pub cause: Cause,
}

/// The connections of a host: a fold over what is observed, without a clock. The same observations give the same connections.
///
/// Memory is bounded by the sockets that are open, and by what ended since [`Self::take_ended`] was asked last.
#[derive(Clone, Debug, Default)]
pub struct LiveHost {
    /// Boxed: a table that is half empty would be twice as large as what it holds.
    open: HashMap<SocketKey, Box<LiveConnection>>,
    /// Where something listens, namespace and port, and when that was seen last.
    listening: HashMap<(u64, u16), Timestamp>,
    ended: Vec<LiveConnection>,
    /// How many were seen so far.
    count: u64,
    /// Of those that are open no more, how many moved anything.
    moved: u64,
    keep: Keep,
    /// Namespaces of which all sockets were seen: what comes later is new.
    known: HashSet<u64>,
    intervals: Vec<EndedInterval>,
}

impl LiveHost {
    /// One that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that keeps intervals as they end, for [`Self::take_intervals`].
    pub fn with_intervals() -> Self {
        Self { keep: Keep { intervals: true, progress: false }, ..Self::default() }
    }

    /// One that counts what passes, for [`Self::take_progress`].
    pub fn with_progress() -> Self {
        Self { keep: Keep { intervals: false, progress: true }, ..Self::default() }
    }

    /// Takes in a socket as it was at an instant: a listener, or an end of a connection.
    pub fn observe(&mut self, sample: KernelSample) {
        match sample.socket.state {
            Some(TcpState::Listen) => {
                let place = sample.socket.local.port.map(|port| (sample.key.namespace, port));
                self.listening.extend(place.map(|place| (place, sample.time)));
            }
            Some(state) if state.is_connected() || matches!(state, TcpState::SynSent | TcpState::SynReceived) => {
                if let Some(connection) = self.open.get_mut(&sample.key) {
                    connection.observe(sample);
                    Self::collect(&mut self.intervals, connection);
                } else {
                    let end = sample.socket.local.port.map(|port| (sample.key.namespace, port));
                    let mut connection = LiveConnection::new(self.count, sample, self.keep);
                    let is_new = self.known.contains(&connection.key().namespace);
                    connection.told =
                        if is_new { Told::of_new(&connection.first) } else { Told::of(&connection.first) };
                    // The kernel tells of listeners before all others.
                    connection.is_server = end.is_some_and(|end| self.listening.contains_key(&end));
                    self.count += 1;
                    self.open.insert(connection.key(), Box::new(connection));
                }
            }
            // It is over, and what is left of it carries no data.
            _ => self.forget(sample.key),
        }
    }

    /// Whose the socket is. A socket that was handed on has its newest owner.
    pub fn assign(&mut self, key: SocketKey, process: Process) {
        if let Some(connection) = self.open.get_mut(&key) {
            connection.process = Some(process);
        }
    }

    /// Which buffers of the socket its application has set.
    pub fn lock(&mut self, key: SocketKey, locks: BufferLocks) {
        if let Some(connection) = self.open.get_mut(&key) {
            connection.last.socket.locks = Some(locks);
        }
    }

    /// All sockets of `namespace` were asked from `began` on: those that did not answer since are gone.
    pub fn sweep(&mut self, namespace: u64, began: Timestamp) {
        self.known.insert(namespace);
        let is_gone = |key: &SocketKey, c: &LiveConnection| key.namespace == namespace && c.last.time < began;
        let gone: Vec<SocketKey> = self.open.iter().filter(|(key, c)| is_gone(key, c)).map(|(key, _)| *key).collect();
        for key in gone {
            self.forget(key);
        }
        self.listening.retain(|(of, _), seen| *of != namespace || *seen >= began);
    }

    /// The kernel no longer knows this socket.
    pub fn forget(&mut self, key: SocketKey) {
        if let Some(mut connection) = self.open.remove(&key) {
            connection.end();
            self.moved += u64::from(connection.has_moved());
            Self::collect(&mut self.intervals, &mut connection);
            self.ended.push(*connection);
        }
    }

    /// Nothing more will be observed: everything ends here.
    pub fn finish(&mut self) {
        let mut keys: Vec<(u64, SocketKey)> = self.open.values().map(|c| (c.id, c.key())).collect();
        keys.sort_unstable();
        for (_, key) in keys {
            // They are as open as they were: only the watching ends.
            if let Some(connection) = self.open.get_mut(&key) {
                connection.sending.close();
                connection.receiving.as_mut().map(super::direction::Direction::close);
                Self::collect(&mut self.intervals, connection);
            }
        }
    }

    fn collect(intervals: &mut Vec<EndedInterval>, connection: &mut LiveConnection) {
        let (id, key) = (connection.id, connection.key());
        let mut take = |sender: Side, ended: Vec<(Span, Cause)>| {
            intervals.extend(ended.into_iter().map(|(span, cause)| EndedInterval {
                connection: id,
                key,
                sender,
                span,
                cause,
            }));
        };
        take(Side::A, connection.sending.take_ended());
        if let Some(receiving) = &mut connection.receiving {
            take(Side::B, receiving.take_ended());
        }
    }

    /// The connections that are open, in no order.
    pub fn connections(&self) -> impl Iterator<Item = &LiveConnection> {
        self.open.values().map(|connection| &**connection)
    }

    /// The same, for good.
    pub fn into_open(self) -> impl Iterator<Item = LiveConnection> {
        self.open.into_values().map(|connection| *connection)
    }

    /// An open connection.
    pub fn connection(&self, key: SocketKey) -> Option<&LiveConnection> {
        self.open.get(&key).map(|connection| &**connection)
    }

    /// How many are open.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// How many were seen so far.
    pub fn seen(&self) -> u64 {
        self.count
    }

    /// How many of them sent or received data, or had some waiting.
    pub fn moved(&self) -> u64 {
        self.moved + self.open.values().filter(|connection| connection.has_moved()).count() as u64
    }

    /// Whether none is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Tells of every connection that was there since this was asked last, open or not, what passed on it since then.
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

    /// The connections that have ended since this was asked last.
    pub fn take_ended(&mut self) -> Vec<LiveConnection> {
        std::mem::take(&mut self.ended)
    }

    /// The intervals that have ended since this was asked last.
    pub fn take_intervals(&mut self) -> Vec<EndedInterval> {
        std::mem::take(&mut self.intervals)
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::SocketSample;

    use crate::outcome::Role;

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
        // Another namespace's dump says nothing of this one.
        host.sweep(2, Timestamp::from_nanos(100_000_000));
        assert_eq!(host.len(), 2);
        host.sweep(1, Timestamp::from_nanos(100_000_000));
        // Nobody listens any more; who was accepted before stays a server.
        assert_eq!((host.listening.len(), role(&host, 2)), (0, Role::Server));
        let ended = host.take_ended();
        assert_eq!((host.len(), ended.len(), ended[0].id(), ended[0].has_ended()), (1, 1, 1, true));
        assert!(host.take_ended().is_empty());
        host.finish();
        let intervals = host.take_intervals();
        assert_eq!((intervals.len(), intervals[0].connection, intervals[0].span.nanos()), (1, 0, 100_000_000));
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
