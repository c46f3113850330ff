//! Each term of the comparison of packets with the kernel. A test fails if one is dropped, or if its boundary
//! moves.

use tcpwhy_model::host::{BufferLocks, SocketSample, TcpState};
use tcpwhy_model::live::{KernelSample, Process, SocketKey};
use tcpwhy_model::{Cause, Detail, Limit, TimelineBuilder, Timestamp};

use super::*;

const SECOND: i64 = 1_000_000_000;
const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
const WINDOW: Cause = Cause::plain(Limit::ReceiveWindow);
const UNSEEN: Cause = Cause::plain(Limit::Unobserved);

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_nanos(seconds * SECOND)
}

fn timeline(from: i64, parts: &[(i64, Cause)]) -> LimitTimeline {
    let mut builder = TimelineBuilder::new(at(from));
    for &(end, cause) in parts {
        builder.push(at(end), cause, 0.9, None);
    }
    builder.finish()
}

/// A socket of port 50,000 to port 443, or the other way round, whose send buffer is full.
fn sample(cookie: u64, seconds: i64, is_mirrored: bool) -> KernelSample {
    let mut socket = SocketSample { state: Some(TcpState::Established), send_queue: 10_000, ..SocketSample::default() };
    let end = |last, port| SocketAddress { address: Some([192, 0, 2, last].into()), zone: None, port: Some(port) };
    (socket.local, socket.peer) = (end(1, 50_000), end(2, 443));
    if is_mirrored {
        std::mem::swap(&mut socket.local, &mut socket.peer);
    }
    (socket.info.ca_state, socket.info.notsent_bytes) = (Some(0), Some(0));
    (socket.memory.send_queued, socket.memory.send_buffer) = (Some(30_000), Some(32_000));
    KernelSample { time: at(seconds), key: SocketKey { namespace: 1, cookie }, socket }
}

/// A host that samples a socket each second from `first` to `last`.
fn host(cookie: u64, first: i64, last: i64) -> LiveHost {
    let mut host = LiveHost::new();
    (first..=last).for_each(|second| host.observe(sample(cookie, second, false)));
    host
}

/// The same connection in a capture, whose time is `parts`.
fn captured(from: i64, parts: &[(i64, Cause)]) -> Connection {
    let host = host(0, 0, 1);
    let mut connection = host.connections().next().unwrap().conclude();
    connection.halves[0].limits = timeline(from, parts);
    connection.span = connection.halves[0].limits.span();
    connection
}

/// Cookies of the sockets that are shown for a connection from 10 s to 20 s.
fn shown(ended: &[(u64, i64, i64)], open: &[(u64, i64, i64)]) -> Vec<u64> {
    let mut witness = KernelWitness::default();
    for &(cookie, first, last) in ended {
        witness.add(host(cookie, first, last));
    }
    let hosts: Vec<_> = open.iter().map(|&(cookie, first, last)| host(cookie, first, last)).collect();
    let view = witness.view(&captured(10, &[(20, BUFFER)]), &OpenSockets::of(&hosts));
    view.map(|record| record.view.sockets.iter().map(|socket| socket.key.cookie).collect()).unwrap_or_default()
}

/// Ports are used again: the socket that was watched for most of the connection's time is its own.
#[test]
fn the_socket_with_most_time_in_common_is_shown() {
    for (what, ended, open, expected) in [
        ("one", &[(1, 10, 20)][..], &[][..], &[1][..]),
        ("it ended as the connection began", &[(1, 5, 10)], &[], &[1]),
        ("it ended before", &[(1, 5, 9)], &[], &[]),
        ("it began as the connection ended", &[(1, 20, 25)], &[], &[1]),
        ("it began after", &[(1, 21, 25)], &[], &[]),
        ("the longer of two", &[(1, 5, 12), (2, 12, 25)], &[], &[2]),
        ("the longer of two, the other way round", &[(1, 5, 18), (2, 18, 25)], &[], &[1]),
        ("long before does not count", &[(1, 0, 12), (2, 12, 15)], &[], &[2]),
        ("one that is open", &[], &[(3, 15, 20)], &[3]),
        ("the longer of two that are open", &[], &[(3, 10, 12), (4, 12, 20)], &[4]),
        ("open for longer", &[(1, 10, 14)], &[(3, 14, 20)], &[3]),
        ("open for as long", &[(1, 10, 15)], &[(3, 15, 20)], &[1]),
        ("open for less", &[(1, 10, 16)], &[(3, 16, 20)], &[1]),
        ("opened after", &[(1, 10, 11)], &[(3, 21, 25)], &[1]),
    ] {
        assert_eq!(shown(ended, open), expected, "{what}");
    }
}

/// Ends of a socket are in their order: its own, then the peer's.
#[test]
fn both_ends_have_their_socket() {
    let mut hosts = [host(1, 10, 20), LiveHost::new()];
    (10..=20).for_each(|second| hosts[1].observe(sample(2, second, true)));
    let mut witness = KernelWitness::default();
    let view = witness.view(&captured(10, &[(20, BUFFER)]), &OpenSockets::of(&hosts)).unwrap().view;
    let sides: Vec<_> = view.sockets.iter().map(|socket| (socket.side, socket.key.cookie)).collect();
    assert_eq!(sides, [(Side::A, 1), (Side::B, 2)]);
    assert_eq!(view.halves.iter().map(|half| half.sender).collect::<Vec<_>>(), [Side::A], "the other one sent nothing");
    let mut other = captured(10, &[(20, BUFFER)]);
    other.endpoints[0].port = 50_001;
    assert!(witness.view(&other, &OpenSockets::of(&hosts)).is_none(), "another port");
}

/// Numbers of a socket in the view.
#[test]
fn a_view_has_the_sockets_numbers() {
    let mut host = host(1, 10, 14);
    let key = SocketKey { namespace: 1, cookie: 1 };
    host.assign(key, Process { pid: 9, name: "x".to_owned(), cgroup: None });
    host.lock(key, BufferLocks { send: true, receive: false });
    let mut witness = KernelWitness::default();
    assert!(witness.is_empty());
    let open = witness.view(&captured(10, &[(20, BUFFER)]), &OpenSockets::of([&host])).unwrap().view;
    assert!(!open.sockets[0].has_ended);
    host.forget(key);
    witness.add_ended(host.take_ended());
    assert!(!witness.is_empty());
    let view = witness.view(&captured(10, &[(20, BUFFER)]), &OpenSockets::default()).unwrap().view;
    let socket = &view.sockets[0];
    assert_eq!((socket.samples, socket.has_ended, socket.process.as_ref().map(|p| p.pid)), (5, true, Some(9)));
    assert_eq!(socket.locks.map(|locks| locks.send), Some(true));
    assert!((socket.seconds - 4.0).abs() < 1e-9, "{}", socket.seconds);
    assert_eq!((view.halves[0].samples, view.halves[0].sender), (5, Side::A));
}

/// Both are compared in the time that both have.
#[test]
fn time_in_common_is_compared() {
    let compared = |first: i64, last: i64| {
        let host = host(1, first, last);
        let half = captured(10, &[(13, WINDOW), (20, BUFFER)]).halves.remove(0);
        let found = compare(&half, host.connections().next().unwrap())?;
        let whole = |limits: &LimitTimeline| [limits.span().start(), limits.span().end()].map(Timestamp::as_nanos);
        assert_eq!(whole(&found.kernel), whole(&found.packets));
        Some((whole(&found.kernel).map(|nanos| nanos / SECOND), (found.disagreement * 1000.0).round() as i64))
    };
    assert_eq!(compared(5, 16), Some(([10, 16], 500)), "three of six seconds");
    assert_eq!(compared(12, 25), Some(([12, 20], 125)), "one of eight seconds");
    assert_eq!(compared(5, 10), None, "no time in common");
    assert_eq!(compared(20, 25), None, "none, after it");
    assert_eq!(compared(5, 11), Some(([10, 11], 1000)), "a second");
}

/// Only time of which both know the group counts, and each pair of intervals once.
#[test]
fn only_time_that_both_know_counts() {
    let of = |kernel: &[(i64, Cause)], packets: &[(i64, Cause)]| {
        (disagreement(&timeline(0, kernel), &timeline(0, packets)) * 1000.0).round() as i64
    };
    let idle = Cause::from(Detail::Idle);
    for (what, kernel, packets, expected) in [
        ("the same", &[(10, BUFFER)][..], &[(10, BUFFER)][..], 0),
        ("a quarter differs", &[(10, BUFFER), (20, WINDOW)], &[(5, BUFFER), (20, WINDOW)], 250),
        ("three groups", &[(2, BUFFER), (4, WINDOW), (10, idle)], &[(10, idle)], 400),
        ("the kernel does not know", &[(8, UNSEEN), (10, BUFFER)], &[(5, BUFFER), (10, WINDOW)], 1000),
        ("packets do not know", &[(5, BUFFER), (10, WINDOW)], &[(8, UNSEEN), (10, BUFFER)], 1000),
        ("nobody knows", &[(10, UNSEEN)], &[(10, UNSEEN)], 0),
        ("many intervals meet one", &[(10, BUFFER)], &[(2, BUFFER), (4, WINDOW), (8, BUFFER), (10, WINDOW)], 400),
        ("one interval meets many", &[(2, BUFFER), (4, WINDOW), (8, BUFFER), (10, WINDOW)], &[(10, BUFFER)], 400),
    ] {
        assert_eq!(of(kernel, packets), expected, "{what}");
    }
}

/// A socket that is shown was not left out; one that is dropped unseen was.
#[test]
fn sockets_that_were_shown_are_not_left_out() {
    let mut witness = KernelWitness::default();
    witness.add(host(1, 10, 20));
    witness.add(host(2, 30, 40));
    let _ = witness.view(&captured(10, &[(20, BUFFER)]), &OpenSockets::default());
    witness.drop_first();
    assert_eq!((witness.left_out(), witness.is_empty()), (0, false), "the first was shown");
    witness.drop_first();
    assert_eq!((witness.left_out(), witness.is_empty()), (1, true), "the second was not");
    witness.drop_first();
    assert_eq!(witness.left_out(), 1, "there is no other");
}
