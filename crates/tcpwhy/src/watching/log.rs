//! Encodes the observations of watching as lists for a recording.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

use tcpwhy_live::recording::{ListWriter, RecordedEffort, RecordedHost, RecordedSample};
use tcpwhy_model::host::{BufferLocks, SocketAddress, SocketSample, TcpState};
use tcpwhy_model::live::{Process, SocketKey};
use tcpwhy_model::{Endpoint, Timestamp};

use crate::predicate::Expression;

/// Bytes at which a list is written. A longer one compresses little better, and a crash would lose more.
const LIST: usize = 64 << 10;

/// Lists of the observations of the sockets that match the filter.
pub(crate) struct Log {
    list: ListWriter,
    full: VecDeque<Vec<u8>>,
    wanted: Option<Expression>,
    /// Time of the last sample of each recorded socket.
    seen: HashMap<SocketKey, Timestamp>,
}

impl Log {
    /// Creates a log of all sockets, or of those that match the filter.
    pub(crate) fn new(wanted: Option<Expression>) -> Self {
        Self { list: ListWriter::default(), full: VecDeque::new(), wanted, seen: HashMap::new() }
    }

    pub(crate) fn sample(&mut self, time: Timestamp, key: SocketKey, socket: &SocketSample, message: &[u8]) {
        // Listening sockets are always recorded: they show which end is the server.
        if socket.state != Some(TcpState::Listen) {
            if !is_wanted(self.wanted.as_ref(), &socket.local, &socket.peer) {
                return;
            }
            self.seen.insert(key, time);
        }
        self.list.sample(RecordedSample { time, namespace: key.namespace, message });
        if self.list.len() >= LIST {
            self.full.push_back(self.list.take());
        }
    }

    pub(crate) fn process(&mut self, key: SocketKey, process: &Process) {
        if self.seen.contains_key(&key) {
            self.list.process(key, process);
        }
    }

    pub(crate) fn locks(&mut self, key: SocketKey, locks: BufferLocks) {
        if self.seen.contains_key(&key) {
            self.list.locks(key, locks);
        }
    }

    pub(crate) fn asked(&mut self, namespace: u64, began: Timestamp) {
        self.seen.retain(|key, last| key.namespace != namespace || *last >= began);
        self.list.asked(namespace, began);
    }

    pub(crate) fn gone(&mut self, key: SocketKey) {
        if self.seen.remove(&key).is_some() {
            self.list.gone(key);
        }
    }

    /// Writes the data about the host after the previous observations.
    pub(crate) fn host(&mut self, host: &RecordedHost) {
        self.list.host(host);
    }

    pub(crate) fn effort(&mut self, effort: &RecordedEffort) {
        self.list.effort(effort);
    }

    /// The next full list.
    pub(crate) fn take_full(&mut self) -> Option<Vec<u8>> {
        self.full.pop_front()
    }

    /// The observations that are not in a full list yet.
    pub(crate) fn take_rest(&mut self) -> Option<Vec<u8>> {
        (!self.list.is_empty()).then(|| self.list.take())
    }
}

/// Whether a socket with these ends matches the filter.
pub(crate) fn is_wanted(wanted: Option<&Expression>, local: &SocketAddress, peer: &SocketAddress) -> bool {
    let Some(wanted) = wanted else { return true };
    let end = |end: &SocketAddress| {
        let address = end.address.unwrap_or(IpAddr::from([0; 4]));
        Endpoint { address, port: end.port.unwrap_or_default() }.canonical()
    };
    wanted.holds(&[end(local), end(peer)])
}

#[cfg(test)]
mod tests {
    use tcpwhy_live::recording::{Record, Records};

    use super::*;

    fn socket(state: TcpState, port: u16, peer: &str) -> SocketSample {
        let mut socket = SocketSample { state: Some(state), ..SocketSample::default() };
        (socket.local.port, socket.peer.port) = (Some(port), Some(50_000));
        socket.peer.address = peer.parse().ok();
        socket
    }

    fn kinds(list: &[u8]) -> Vec<&'static str> {
        let name = |record| match record {
            Record::Sample(_) => "sample",
            Record::Process(..) => "process",
            Record::Gone(_) => "gone",
            Record::Asked(..) => "asked",
            _ => "other",
        };
        Records::of(list).unwrap().map(name).collect()
    }

    #[test]
    fn only_what_is_wanted() {
        let mut log = Log::new(Some("host 10.0.0.7 and port 443".parse().unwrap()));
        let key = |cookie| SocketKey { namespace: 1, cookie };
        let time = Timestamp::from_nanos;
        log.sample(time(1), key(1), &socket(TcpState::Listen, 80, "0.0.0.0"), b"");
        log.sample(time(1), key(2), &socket(TcpState::Established, 443, "::ffff:10.0.0.7"), b"");
        log.sample(time(1), key(3), &socket(TcpState::Established, 22, "10.0.0.7"), b"");
        let process = Process { pid: 1, name: "secret".into(), cgroup: None };
        log.process(key(3), &process);
        log.process(key(2), &process);
        log.gone(key(3));
        log.asked(1, time(1));
        log.gone(key(2));
        log.gone(key(2));
        assert_eq!(kinds(&log.take_rest().unwrap()), ["sample", "sample", "process", "asked", "gone"]);
        assert!(log.take_rest().is_none());
    }

    #[test]
    fn lists_are_no_longer_than_they_should_be() {
        let mut log = Log::new(None);
        let one = socket(TcpState::Established, 1, "10.0.0.1");
        for _ in 0..500 {
            log.sample(Timestamp::ZERO, SocketKey::default(), &one, &[0; 448]);
        }
        let mut lengths = Vec::new();
        while let Some(list) = log.take_full() {
            lengths.push(list.len());
        }
        assert!(lengths.len() == 3 && lengths.iter().all(|len| (LIST..LIST + 1000).contains(len)), "{lengths:?}");
    }
}
