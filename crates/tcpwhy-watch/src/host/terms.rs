//! Each term of the list of a host's connections: open, new, over. A test fails if one is dropped.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::{HeldBy, KernelTurns, Opened};
use tcpwhy_model::{Detail, Limit};

use tcpwhy_analysis::Role;

use super::*;

const MILLISECOND: i64 = 1_000_000;
const KEY: SocketKey = SocketKey { namespace: 1, cookie: 1 };

fn sample(key: SocketKey, millis: i64, change: impl FnOnce(&mut SocketSample)) -> KernelSample {
    let mut socket = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
    socket.local.port = Some(80);
    (socket.info.ca_state, socket.info.notsent_bytes) = (Some(0), Some(0));
    (socket.info.bytes_acked, socket.info.bytes_received) = (Some(0), Some(0));
    change(&mut socket);
    KernelSample { time: at(millis), key, socket }
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_nanos(millis * MILLISECOND)
}

fn account(opened: Option<Opened>, parts: &[(HeldBy, i64)]) -> KernelAccount {
    let mut nanos = [0; HeldBy::ALL.len()];
    for (held, millis) in parts {
        nanos[*held as usize] = millis * MILLISECOND;
    }
    KernelAccount {
        since: Timestamp::ZERO,
        nanos,
        slow_reader: 0,
        blocked: None,
        turns: [KernelTurns::default(); 2],
        held: HeldBy::Idle,
        looks: 1,
        opened,
        finish: None,
        unanswered: 0,
        is_unaccepted: false,
    }
}

fn spans(host: &LiveHost, key: SocketKey) -> i64 {
    host.connection(key).map_or(-1, |connection| connection.limits().span().nanos() / MILLISECOND)
}

#[test]
fn states_of_a_connection() {
    use TcpState::{
        Close, CloseWait, Closing, Established, FinWait1, FinWait2, LastAck, Listen, SynReceived, SynSent, TimeWait,
    };
    for (state, is_open) in [
        (Established, true),
        (SynSent, true),
        (SynReceived, true),
        (FinWait1, true),
        (FinWait2, true),
        (CloseWait, true),
        (LastAck, true),
        (Closing, true),
        (TimeWait, false),
        (Close, false),
        (Listen, false),
    ] {
        let mut host = LiveHost::new();
        host.observe(sample(KEY, 0, |_| ()));
        host.observe(sample(KEY, 100, |s| s.state = Some(state)));
        // A listener leaves the connection of its key as it is.
        assert_eq!(host.len(), usize::from(is_open || state == Listen), "{state:?}");
        assert_eq!(host.take_ended().len(), usize::from(!is_open && state != Listen), "{state:?}");
    }
    let mut host = LiveHost::new();
    host.observe(sample(KEY, 0, |_| ()));
    host.observe(sample(KEY, 100, |s| s.state = None));
    assert!(host.is_empty(), "without a state it is over");
}

/// A listener makes servers of its port and namespace, while it is there.
#[test]
fn a_listener_makes_servers() {
    let role = |namespace: u64, port: u16, change: fn(&mut LiveHost)| {
        let mut host = LiveHost::new();
        host.observe(sample(SocketKey { namespace: 1, cookie: 9 }, 0, |s| s.state = Some(TcpState::Listen)));
        change(&mut host);
        let key = SocketKey { namespace, cookie: 1 };
        host.observe(sample(key, 100, |s| s.local.port = Some(port)));
        host.connection(key).unwrap().role()
    };
    assert_eq!(role(1, 80, |_| ()), Role::Server);
    assert_eq!(role(1, 81, |_| ()), Role::Client, "another port");
    assert_eq!(role(2, 80, |_| ()), Role::Client, "another namespace");
    assert_eq!(role(1, 80, |host| host.sweep(1, at(0))), Role::Server, "seen in the last dump");
    assert_eq!(role(1, 80, |host| host.sweep(1, at(1))), Role::Client, "gone");
    assert_eq!(role(1, 80, |host| host.sweep(2, at(1))), Role::Server, "another namespace's dump");
    // Accounts know who opened the connection.
    let accounted = |is_listening: bool, opened| {
        let mut host = LiveHost::new();
        if is_listening {
            host.observe(sample(SocketKey { namespace: 1, cookie: 9 }, 0, |s| s.state = Some(TcpState::Listen)));
        }
        host.account(sample(KEY, 100, |_| ()), account(opened, &[]), None);
        host.connection(KEY).unwrap().role()
    };
    assert_eq!(accounted(true, None), Role::Server);
    assert_eq!(accounted(false, None), Role::Client);
    assert_eq!(accounted(false, Some(Opened::ByPeer)), Role::Server);
    assert_eq!(accounted(false, Some(Opened::Here)), Role::Client);
    // Nothing listens on a port that is not known.
    let mut host = LiveHost::new();
    host.account(sample(KEY, 100, |s| s.local.port = None), account(None, &[]), None);
    host.observe(sample(SocketKey { namespace: 1, cookie: 2 }, 100, |s| s.local.port = None));
    assert!(host.connections().all(|connection| !connection.is_server));
}

/// A connection is new if all sockets of its namespace were seen before.
#[test]
fn a_connection_is_new_after_a_whole_dump_of_its_namespace() {
    let sent = |change: fn(&mut LiveHost)| {
        let mut host = LiveHost::with_progress();
        change(&mut host);
        host.observe(sample(KEY, 100, |s| s.info.bytes_acked = Some(500)));
        let mut sent = 0;
        host.take_progress(|_, progress| sent = progress.sent);
        sent
    };
    assert_eq!(sent(|_| ()), 0, "it may have been there for long");
    assert_eq!(sent(|host| host.sweep(1, at(0))), 499, "all but the SYN");
    assert_eq!(sent(|host| host.sweep(2, at(0))), 0, "another namespace");
}

/// A socket that has not answered since the dump began is gone.
#[test]
fn sweeps_forget_what_did_not_answer() {
    let open = |change: fn(&mut LiveHost)| {
        let mut host = LiveHost::new();
        host.observe(sample(KEY, 100, |_| ()));
        change(&mut host);
        host.len()
    };
    assert_eq!(open(|host| host.sweep(1, at(100))), 1, "it answered as the dump began");
    assert_eq!(open(|host| host.sweep(1, at(101))), 0, "before the dump began");
    assert_eq!(open(|host| host.sweep(2, at(101))), 1, "another namespace");
    assert_eq!(open(|host| host.sweep_accounts(at(101))), 1, "no account");
    let accounted = |change: fn(&mut LiveHost)| {
        let mut host = LiveHost::new();
        host.account(sample(KEY, 100, |_| ()), account(None, &[]), None);
        change(&mut host);
        host.len()
    };
    assert_eq!(accounted(|host| host.sweep(1, at(101))), 1, "the kernel reports its end itself");
    assert_eq!(accounted(|host| host.sweep_accounts(at(100))), 1, "it answered");
    assert_eq!(accounted(|host| host.sweep_accounts(at(101))), 0, "it did not");
}

/// An account of a connection whose opening was seen knows all from its beginning; another one goes on.
#[test]
fn an_account_goes_on_or_begins_anew() {
    let watched = |opened, has_account: bool| {
        let mut host = LiveHost::new();
        host.set_largest_send_buffer(None);
        host.observe(sample(KEY, 100, |_| ()));
        host.observe(sample(KEY, 200, |_| ()));
        host.assign(KEY, Process { pid: 7, name: "x".to_owned(), cgroup: None });
        if has_account {
            host.account(sample(KEY, 300, |_| ()), account(None, &[(HeldBy::Idle, 300)]), None);
        }
        host.account(sample(KEY, 400, |_| ()), account(opened, &[(HeldBy::Idle, 400)]), None);
        let connection = host.connection(KEY).unwrap();
        assert_eq!(connection.process().map(|process| process.pid), Some(7), "its process stays");
        (spans(&host, KEY), host.seen())
    };
    assert_eq!(watched(None, false), (300, 1), "it goes on from the first sample");
    assert_eq!(watched(Some(Opened::Here), false), (400, 1), "it begins anew, with its number");
    assert_eq!(watched(Some(Opened::Here), true), (300, 1), "one that has an account goes on");
}

/// A connection that nobody saw open and that is over counts nowhere.
#[test]
fn a_closed_connection_takes_an_opening() {
    let ended = |state, opened| {
        let mut host = LiveHost::new();
        host.account(sample(KEY, 100, |s| s.state = Some(state)), account(opened, &[]), None);
        (host.len(), host.take_ended().len(), host.seen())
    };
    assert_eq!(ended(TcpState::Close, None), (0, 0, 0));
    assert_eq!(ended(TcpState::Close, Some(Opened::Here)), (0, 1, 1));
    assert_eq!(ended(TcpState::Established, None), (1, 0, 1));
}

/// Connections that moved data, open or not.
#[test]
fn moved_connections_are_counted_once() {
    let mut host = LiveHost::new();
    let keys = [1, 2, 3].map(|cookie| SocketKey { namespace: 1, cookie });
    host.observe(sample(keys[0], 0, |s| s.send_queue = 1));
    host.observe(sample(keys[1], 0, |s| s.receive_queue = 1));
    host.observe(sample(keys[2], 0, |_| ()));
    assert_eq!((host.moved(), host.seen(), host.len()), (2, 3, 3));
    host.forget(keys[0]);
    host.forget(keys[0]);
    host.forget(keys[2]);
    assert_eq!((host.moved(), host.seen(), host.len()), (2, 3, 1));
}

/// Retention is as it was asked for.
#[test]
fn hosts_keep_what_they_are_asked_to_keep() {
    let kept = |mut host: LiveHost| {
        let rests = SocketKey { namespace: 1, cookie: 2 };
        for millis in [0, 100, 200] {
            host.observe(sample(KEY, millis, |s| s.info.bytes_received = Some(1 + millis as u64)));
            host.observe(sample(rests, millis, |_| ()));
        }
        host.forget(KEY);
        let mut senders: Vec<_> = host.take_intervals().iter().map(|interval| interval.sender).collect();
        senders.dedup();
        let mut time = 0;
        host.take_progress(|_, progress| time += progress.time.sum(|cause| cause.limit == Limit::Application));
        (senders, time / MILLISECOND)
    };
    assert_eq!(kept(LiveHost::new()), (vec![], 0));
    assert_eq!(kept(LiveHost::with_intervals()), (vec![Side::A, Side::B], 0));
    assert_eq!(kept(LiveHost::with_progress()), (vec![], 200));
}

/// The largest send buffer reaches the first sample and the later ones.
#[test]
fn the_largest_send_buffer_reaches_each_sample() {
    let full = |s: &mut SocketSample| {
        (s.send_queue, s.locks) = (10_000, Some(BufferLocks { send: false, receive: false }));
        (s.memory.send_queued, s.memory.send_buffer) = (Some(30_000), Some(32_000));
    };
    for (largest, first, second) in [
        (32_000, Cause::plain(Limit::SendBuffer), Cause::plain(Limit::SendBuffer)),
        (32_001, Detail::PacedWrites.into(), Detail::PacedWrites.into()),
    ] {
        let mut host = LiveHost::new();
        host.set_largest_send_buffer(Some(largest));
        host.observe(sample(KEY, 0, full));
        assert_eq!(host.connection(KEY).unwrap().limit_now(), first, "{largest}: the first");
        host.observe(sample(KEY, 100, full));
        assert_eq!(host.connection(KEY).unwrap().limit_now(), second, "{largest}: a later one");
    }
}

/// Rests are given to all connections, and only accounts take them.
#[test]
fn rests_go_to_accounts() {
    let mut host = LiveHost::new();
    let sampled = SocketKey { namespace: 1, cookie: 2 };
    host.account(sample(KEY, 100, |_| ()), account(None, &[]), None);
    host.observe(sample(sampled, 100, |_| ()));
    host.rest(at(900));
    assert_eq!((spans(&host, KEY), spans(&host, sampled)), (800, 0));
}
