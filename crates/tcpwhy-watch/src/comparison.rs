//! Packets and sockets of the same connection, compared.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use tcpwhy_model::host::SocketAddress;
use tcpwhy_model::{ByGroup, Endpoint, LimitGroup, LimitTimeline, Span};

use super::connection::LiveConnection;
use super::host::LiveHost;
use super::merge::merge;
use super::overlap::overlaps;
use super::thresholds::GROUPS_OF_A_DIFFERENCE;
use tcpwhy_analysis::{
    Connection, HalfConnection, KernelHalf, KernelRecord, KernelSocket, KernelView, KernelWord, Side,
};

/// The sockets of a host that was watched while its packets were captured.
///
/// Memory is bounded: it keeps the [`Self::MOST`] sockets that ended last.
#[derive(Clone, Debug, Default)]
pub struct KernelWitness {
    by_ends: HashMap<[Endpoint; 2], VecDeque<Witnessed>>,
    /// The ends of those sockets, the one that came first at the front.
    order: VecDeque<[Endpoint; 2]>,
    left_out: u64,
}

#[derive(Clone, Debug)]
struct Witnessed {
    socket: LiveConnection,
    /// Whether a view has shown it together with packets.
    is_shown: bool,
}

/// The sockets that are open at one time.
#[derive(Debug, Default)]
pub struct OpenSockets<'a>(HashMap<[Endpoint; 2], Vec<&'a LiveConnection>>);

impl<'a> OpenSockets<'a> {
    /// The open sockets of `hosts`.
    pub fn of(hosts: impl IntoIterator<Item = &'a LiveHost>) -> Self {
        let mut by_ends: HashMap<_, Vec<_>> = HashMap::new();
        for socket in hosts.into_iter().flat_map(LiveHost::connections) {
            if let Some(ends) = ends(socket) {
                by_ends.entry(ends).or_default().push(socket);
            }
        }
        Self(by_ends)
    }
}

impl KernelWitness {
    /// Limit for ended sockets. The data of one needs two or three kilobytes.
    pub const MOST: usize = 50_000;

    /// Adds the sockets of a host that was watched. A socket that was watched twice is added as two sockets.
    pub fn add(&mut self, mut host: LiveHost) {
        host.finish();
        let ended = host.take_ended();
        self.add_ended(ended.into_iter().chain(host.into_open()));
    }

    /// Adds sockets that have ended.
    pub fn add_ended(&mut self, sockets: impl IntoIterator<Item = Box<LiveConnection>>) {
        for socket in sockets {
            let Some(ends) = ends(&socket) else { continue };
            self.by_ends.entry(ends).or_default().push_back(Witnessed { socket: *socket, is_shown: false });
            self.order.push_back(ends);
            if self.order.len() > Self::MOST {
                self.drop_first();
            }
        }
    }

    fn drop_first(&mut self) {
        let Some(ends) = self.order.pop_front() else { return };
        if let Entry::Occupied(mut entry) = self.by_ends.entry(ends) {
            self.left_out += u64::from(entry.get_mut().pop_front().is_some_and(|first| !first.is_shown));
            if entry.get().is_empty() {
                entry.remove();
            }
        }
    }

    /// Whether it has no sockets.
    pub fn is_empty(&self) -> bool {
        self.by_ends.is_empty()
    }

    /// Number of sockets that were dropped before a view had shown them.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The kernel's view of `connection`, including sockets that are still `open`; `None` if there is none.
    pub fn view(&mut self, connection: &Connection, open: &OpenSockets<'_>) -> Option<KernelRecord> {
        let (mut view, mut merged) = (KernelView::default(), Vec::new());
        for side in [Side::A, Side::B] {
            let Some(socket) = self.socket(connection, side, open) else { continue };
            let [first, last] = socket.seen();
            view.sockets.push(KernelSocket {
                side,
                key: socket.key(),
                process: socket.process().cloned(),
                samples: socket.samples(),
                seconds: last.since(first) as f64 / 1e9,
                locks: socket.socket().locks,
                has_ended: socket.has_ended(),
            });
            let half = connection.halves.iter().find(|half| half.sender == side);
            if let Some((half, mut both)) = half.and_then(|half| Some((half, compare(half, socket)?))) {
                merged.extend(merge(half, socket, &mut both));
                view.halves.push(both);
            }
        }
        (!view.sockets.is_empty()).then_some(KernelRecord { view, merged })
    }

    /// The socket of an end. Ports are reused, so it is the socket that covers most of the connection's time.
    fn socket<'a>(
        &'a mut self,
        connection: &Connection,
        side: Side,
        open: &OpenSockets<'a>,
    ) -> Option<&'a LiveConnection> {
        let ends = [side, side.peer()].map(|side| connection.endpoints[side.index()].canonical());
        let common = |socket: &LiveConnection| {
            let [first, last] = socket.seen();
            last.min(connection.span.end()).since(first.max(connection.span.start()))
        };
        let ended = self.by_ends.get_mut(&ends).into_iter().flatten();
        let ended = ended.filter(|one| common(&one.socket) >= 0).max_by_key(|one| common(&one.socket));
        let open = open.0.get(&ends).into_iter().flatten().copied();
        let open = open.filter(|socket| common(socket) >= 0).max_by_key(|socket| common(socket));
        match (ended, open) {
            (Some(ended), open) if open.is_none_or(|open| common(open) <= common(&ended.socket)) => {
                ended.is_shown = true;
                Some(&ended.socket)
            }
            (_, open) => open,
        }
    }
}

/// Both ends of a socket, the local one first.
fn ends(socket: &LiveConnection) -> Option<[Endpoint; 2]> {
    Some([endpoint(socket.local())?, endpoint(socket.peer())?])
}

fn compare(half: &HalfConnection, socket: &LiveConnection) -> Option<KernelHalf> {
    let kernel = socket.sending_limits();
    let start = half.limits.span().start().max(kernel.span().start());
    let end = half.limits.span().end().min(kernel.span().end());
    if end <= start {
        return None;
    }
    let common = Span::new(start, end);
    let (kernel, packets) = (kernel.within(common), half.limits.within(common));
    let disagreement = disagreement(&kernel, &packets);
    let clocks = socket.clocks();
    let (watched, word) = (0, KernelWord::Agrees);
    let (sender, samples) = (half.sender, socket.samples());
    Some(KernelHalf { sender, samples, kernel, packets, disagreement, clocks, watched, word })
}

/// The part of their common time that the two timelines assign to different groups; 0 if they have no common
/// time.
fn disagreement(kernel: &LimitTimeline, packets: &LimitTimeline) -> f64 {
    let mut nanos = [ByGroup::<i64>::default(); 2];
    for stretch in overlaps(kernel, packets) {
        let groups = [stretch.kernel, stretch.packets].map(LimitGroup::of_cause);
        if let [Some(kernel), Some(packets)] = groups {
            nanos[0][kernel as usize] += stretch.nanos;
            nanos[1][packets as usize] += stretch.nanos;
        }
    }
    let total: i64 = nanos[0].iter().sum();
    let different: i64 = nanos[0].iter().zip(&nanos[1]).map(|(kernel, packets)| (kernel - packets).abs()).sum();
    if total == 0 { 0.0 } else { different as f64 / total as f64 / GROUPS_OF_A_DIFFERENCE }
}

fn endpoint(end: &SocketAddress) -> Option<Endpoint> {
    Some(Endpoint { address: end.address?, port: end.port? }.canonical())
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::{SocketSample, TcpState};
    use tcpwhy_model::live::{KernelSample, SocketKey};
    use tcpwhy_model::{Cause, Detail, Limit, TimelineBuilder, Timestamp};

    use super::super::direction::Retention;
    use super::*;

    fn timeline(parts: &[(i64, Cause)]) -> LimitTimeline {
        let mut builder = TimelineBuilder::new(Timestamp::ZERO);
        for &(end, cause) in parts {
            builder.push(Timestamp::from_nanos(end * 1_000_000_000), cause, 0.9, None);
        }
        builder.finish()
    }

    const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const WINDOW: Cause = Cause::plain(Limit::ReceiveWindow);
    const UNSEEN: Cause = Cause::plain(Limit::Unobserved);

    #[test]
    fn shares_are_compared_not_instants() {
        // The shares are equal, but 0.5 s apart.
        let (a, b) = (timeline(&[(5, BUFFER), (10, WINDOW)]), timeline(&[(5, WINDOW), (10, BUFFER)]));
        assert!(disagreement(&a, &b).abs() < 1e-9);
        assert!((disagreement(&timeline(&[(10, BUFFER)]), &a) - 0.5).abs() < 1e-9);
        assert!((disagreement(&timeline(&[(10, BUFFER)]), &timeline(&[(10, WINDOW)])) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_one_does_not_see_and_what_both_mean_does_not_count() {
        let seen = timeline(&[(4, BUFFER), (10, UNSEEN)]);
        assert!(disagreement(&seen, &timeline(&[(4, BUFFER), (10, WINDOW)])).abs() < 1e-9);
        assert!(disagreement(&timeline(&[(10, UNSEEN)]), &seen).abs() < 1e-9);
        let (path, window) = (Cause::plain(Limit::Path), Cause::from(Detail::PostLoss));
        assert!(disagreement(&timeline(&[(10, path)]), &timeline(&[(10, window)])).abs() < 1e-9);
    }

    fn socket(cookie: u32) -> KernelSample {
        let mut socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
        let end = |address: [u8; 4]| SocketAddress { address: Some(address.into()), zone: None, port: Some(80) };
        (socket.local, socket.peer) = (end(cookie.to_be_bytes()), end([192, 0, 2, 1]));
        KernelSample { time: Timestamp::ZERO, key: SocketKey { namespace: 1, cookie: cookie.into() }, socket }
    }

    /// The memory does not depend on how long the host was watched.
    #[test]
    fn sockets_without_end_take_bounded_memory() {
        let (mut host, mut witness) = (LiveHost::new(), KernelWitness::default());
        let more = 1000;
        for cookie in 0..KernelWitness::MOST as u32 + more {
            let sample = socket(cookie);
            let key = sample.key;
            host.observe(sample);
            host.forget(key);
            witness.add_ended(host.take_ended());
        }
        assert_eq!((witness.order.len(), witness.by_ends.len()), (KernelWitness::MOST, KernelWitness::MOST));
        assert_eq!(witness.left_out(), u64::from(more));
        let ends = |cookie: u32| ends(&LiveConnection::new(0, socket(cookie), Retention::default(), None)).unwrap();
        assert!(!witness.by_ends.contains_key(&ends(more - 1)) && witness.by_ends.contains_key(&ends(more)));
    }
}
