//! Each way to fail, on both sides of what decides it.

use tcpwhy_model::Timestamp;
use tcpwhy_model::host::SocketMemory;
use tcpwhy_model::live::{HeldBy, KernelAccount, KernelSample, KernelTurns, Opened, SocketKey};

use super::*;
use crate::LiveHost;

const KEY: SocketKey = SocketKey { namespace: 1, cookie: 7 };
const SECOND: i64 = 1_000_000_000;

fn socket(state: TcpState) -> SocketSample {
    let mut s = SocketSample { state: Some(state), inode: Some(99), ..SocketSample::default() };
    (s.local.port, s.peer.port) = (Some(7000), Some(50_000));
    s.memory = SocketMemory { send_buffer: Some(87_040), ..SocketMemory::default() };
    (s.info.bytes_acked, s.info.bytes_received, s.info.retransmits) = (Some(0), Some(0), Some(0));
    s
}

fn account(opened: Opened, finish: Option<Finish>) -> KernelAccount {
    KernelAccount {
        since: Timestamp::ZERO,
        nanos: [0; HeldBy::ALL.len()],
        slow_reader: 0,
        blocked: Some(0),
        turns: [KernelTurns::default(); 2],
        held: HeldBy::Idle,
        looks: 1,
        opened: Some(opened),
        finish,
        unanswered: 0,
        is_unaccepted: false,
    }
}

fn at(nanos: i64, socket: SocketSample) -> KernelSample {
    KernelSample { time: Timestamp::from_nanos(nanos), key: KEY, socket }
}

/// The outcome of a connection whose end the kernel reports after `nanos`.
fn ended(
    nanos: i64,
    finish: Finish,
    change: impl FnOnce(&mut SocketSample, &mut KernelAccount),
) -> Option<OutcomeKind> {
    let mut host = LiveHost::new();
    let (mut socket, mut account) = (socket(TcpState::Close), account(Opened::Here, Some(finish)));
    change(&mut socket, &mut account);
    host.account(at(nanos, socket), account, None);
    let ended = host.take_ended();
    ended[0].outcome().map(|outcome| outcome.kind)
}

#[test]
fn errors_and_states_tell_how_it_ended() {
    use OutcomeKind::{Refused, ResetByPeer, ResetHere, TimedOut, Unanswered};
    use TcpState::{CloseWait, Established, FinWait1, LastAck, SynReceived, SynSent};
    let plain = |_: &mut SocketSample, _: &mut KernelAccount| ();
    let under_way = |bytes| move |s: &mut SocketSample, _: &mut KernelAccount| s.send_queue = bytes;
    let finish = |error, before, is_shut| Finish { error, before: Some(before), is_shut };
    let reset = Some(SocketError::Reset);
    for (what, is, expected) in [
        ("refused", ended(1, finish(Some(SocketError::Refused), SynSent, false), plain), Some(Refused)),
        ("no answer", ended(1, finish(Some(SocketError::TimedOut), SynSent, false), plain), Some(Unanswered)),
        ("no way", ended(1, finish(Some(SocketError::Unreachable), SynSent, false), plain), Some(Unanswered)),
        ("patience of a second", ended(SECOND, finish(None, SynSent, true), plain), Some(Unanswered)),
        ("impatience", ended(SECOND - 1, finish(None, SynSent, true), plain), None),
        ("half open", ended(SECOND, finish(reset, SynReceived, false), plain), None),
        ("reset", ended(1, finish(reset, Established, false), plain), Some(ResetByPeer)),
        ("reset after its FIN", ended(1, finish(reset, CloseWait, false), plain), Some(ResetByPeer)),
        ("own reset", ended(1, finish(None, Established, true), plain), Some(ResetHere)),
        ("own reset by linger", ended(1, finish(reset, CloseWait, true), plain), Some(ResetHere)),
        ("ended by somebody", ended(1, finish(Some(SocketError::Aborted), Established, false), plain), Some(ResetHere)),
        ("nothing known", ended(1, finish(None, Established, false), plain), None),
        ("broken off", ended(1, finish(Some(SocketError::TimedOut), Established, false), plain), Some(TimedOut)),
        (
            "broken off after close",
            ended(1, finish(Some(SocketError::TimedOut), FinWait1, true), plain),
            Some(TimedOut),
        ),
        ("closed by both", ended(1, finish(None, LastAck, true), plain), None),
        ("reset after all was done", ended(1, finish(reset, FinWait1, true), under_way(1)), None),
        ("reset of what was closed", ended(1, finish(reset, FinWait1, true), under_way(2)), Some(ResetByPeer)),
        ("its state is not known", ended(1, Finish { error: reset, ..Finish::default() }, plain), None),
    ] {
        assert_eq!(is, expected, "{what}");
    }
}

#[test]
fn a_goodbye_needs_no_answer() {
    let closed = |unanswered: u64, opened: Opened| {
        ended(1, Finish { before: Some(TcpState::LastAck), ..Finish::default() }, |_, account| {
            (account.unanswered, account.opened) = (unanswered, Some(opened));
        })
    };
    assert_eq!(closed(54, Opened::Here), Some(OutcomeKind::ClosedUnderWay));
    assert_eq!(closed(53, Opened::Here), None);
    assert_eq!(closed(54, Opened::ByPeer), None, "whoever is asked needs no answer");
}

/// What a sampled connection shows at two instants.
fn sampled(nanos: i64, first: SocketSample, second: SocketSample) -> Option<LiveOutcome> {
    let mut host = LiveHost::new();
    let mut listener = socket(TcpState::Listen);
    (listener.receive_queue, listener.send_queue) = (5, 128);
    host.observe(KernelSample { time: Timestamp::ZERO, key: SocketKey { cookie: 1, ..KEY }, socket: listener });
    host.observe(at(0, first));
    host.observe(at(nanos, second));
    host.connections().next().and_then(LiveConnection::outcome)
}

#[test]
fn whoever_is_not_accepted_waits_in_a_queue() {
    let waits = || SocketSample { inode: None, ..socket(TcpState::Established) };
    let found = sampled(SECOND, waits(), waits()).unwrap();
    assert_eq!((found.kind, found.after), (OutcomeKind::NeverAccepted, SECOND));
    assert_eq!(found.queue, Some(AcceptQueue { waiting: 5, most: 128 }));
    assert_eq!(sampled(SECOND - 1, waits(), waits()), None, "a moment");
    assert_eq!(sampled(SECOND, waits(), socket(TcpState::Established)), None, "accepted");
    let unknown = || SocketSample { memory: SocketMemory::default(), ..waits() };
    assert_eq!(sampled(SECOND, waits(), unknown()), None, "nobody asked");
    let away = || SocketSample { state: Some(TcpState::FinWait1), ..waits() };
    assert_eq!(sampled(SECOND, away(), away()), None, "what was closed has no inode either");
    let client = || SocketSample { local: socket(TcpState::Close).peer, ..waits() };
    assert_eq!(sampled(SECOND, client(), client()), None, "nothing listens there");
}

#[test]
fn nothing_comes_back() {
    let tries = |state, timeouts, queue| {
        let mut s = socket(state);
        (s.info.retransmits, s.send_queue) = (Some(timeouts), queue);
        sampled(1, socket(state), s).map(|outcome| outcome.kind)
    };
    assert_eq!(tries(TcpState::Established, 3, 1), Some(OutcomeKind::BlackHole));
    assert_eq!(tries(TcpState::FinWait1, 3, 1), Some(OutcomeKind::BlackHole));
    assert_eq!(tries(TcpState::Established, 2, 1), None);
    assert_eq!(tries(TcpState::Established, 3, 0), None, "probes of a rest");
    assert_eq!(tries(TcpState::SynSent, 1, 0), Some(OutcomeKind::Unanswered));
    assert_eq!(tries(TcpState::SynSent, 0, 0), None);
    assert_eq!(tries(TcpState::SynReceived, 5, 1), None);
}

#[test]
fn samples_see_what_the_peer_left_unanswered() {
    let open = |acked, received| {
        let mut s = socket(TcpState::Established);
        s.local.port = Some(50_001);
        (s.info.bytes_acked, s.info.bytes_received) = (Some(acked), Some(received));
        s
    };
    let closed = |acked, received| SocketSample { state: Some(TcpState::CloseWait), ..open(acked, received) };
    let found = sampled(1, open(1, 0), closed(101, 0)).unwrap();
    assert_eq!((found.kind, found.under_way), (OutcomeKind::ClosedUnderWay, 100));
    assert_eq!(sampled(1, open(5000, 9000), closed(5000, 9000)), None, "what was said before was answered, or not");
    assert_eq!(sampled(1, open(1, 0), closed(54, 0)), None, "a goodbye");
    assert_eq!(sampled(1, open(1, 0), closed(101, 600)), None, "it answered");
    assert_eq!(sampled(1, open(1, 0), open(101, 0)), None, "it is open");
    // It answered the first request, and not the second.
    let mut host = LiveHost::new();
    for (nanos, socket) in [(0, open(1, 0)), (1, open(101, 600)), (2, open(201, 600)), (3, closed(201, 600))] {
        host.observe(at(nanos, socket));
    }
    let found = host.connections().next().and_then(LiveConnection::outcome).unwrap();
    assert_eq!((found.kind, found.under_way), (OutcomeKind::ClosedUnderWay, 100), "the second request");
}
