//! Each number of the progress since the last question. A test fails if one is swapped or counted twice.

use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::{HeldBy, KernelAccount, KernelSample, KernelTurns, SocketKey};
use tcpwhy_model::{Detail, Timestamp};

use super::super::direction::{Course, Direction, Doubt, Part, Retention};
use super::*;

const KEEP: Retention = Retention { intervals: false, progress: true, course: Course::Outline };

/// Counters of a socket: bytes acknowledged, received and retransmitted.
fn sample(millis: i64, acked: u64, received: u64, resent: u64) -> KernelSample {
    let mut s = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
    (s.local.port, s.peer.port) = (Some(50_000), Some(80));
    (s.info.ca_state, s.info.notsent_bytes) = (Some(0), Some(0));
    (s.info.bytes_acked, s.info.bytes_received, s.info.bytes_retrans) = (Some(acked), Some(received), Some(resent));
    KernelSample { time: Timestamp::from_nanos(millis * 1_000_000), key: SocketKey::default(), socket: s }
}

#[test]
fn counters_report_what_passed() {
    let first = sample(0, 100, 200, 30);
    let mut connection = LiveConnection::new(0, first, KEEP, None);
    connection.reported = Reported::of(&connection.first);
    let mut take = |after: Option<KernelSample>| {
        if let Some(after) = after {
            connection.observe(after, None, None);
        }
        let p = connection.take_progress();
        (p.is_first, p.sent, p.received, p.retransmitted, p.blocked, p.turns)
    };
    assert_eq!(take(None), (true, 0, 0, 0, None, None), "it was there before");
    assert_eq!(take(Some(sample(100, 101, 202, 33))), (false, 1, 2, 3, None, None));
    assert_eq!(take(Some(sample(200, 50, 60, 7))), (false, 0, 0, 0, None, None), "counters that go back");
    assert_eq!(take(Some(sample(300, 105, 207, 39))), (false, 4, 5, 6, None, None));
}

/// Counters of a new connection count from its beginning: its SYN is no byte.
#[test]
fn a_new_connection_reports_all_but_its_syn() {
    for (acked, expected) in [(0, 0), (1, 0), (2, 1), (100, 99)] {
        let mut connection = LiveConnection::new(0, sample(0, acked, 200, 30), KEEP, None);
        connection.reported = Reported::of_new(&connection.first);
        let first = connection.take_progress();
        assert_eq!((first.sent, first.received, first.retransmitted), (expected, 200, 30), "{acked}");
    }
}

#[test]
fn an_account_reports_waits_and_turns_that_passed() {
    let account = |blocked: i64, own: u32, peers: u32| KernelAccount {
        since: Timestamp::ZERO,
        nanos: [0; HeldBy::ALL.len()],
        slow_reader: 0,
        blocked: Some(blocked),
        turns: [own, peers].map(|count| KernelTurns { count, ..KernelTurns::default() }),
        held: HeldBy::Idle,
        looks: 1,
        opened: None,
        finish: None,
        unanswered: 0,
        is_unaccepted: false,
    };
    let mut connection = LiveConnection::with_account(0, sample(0, 0, 0, 0), account(5, 1, 2), KEEP);
    let mut take = |millis, told| {
        connection.observe(sample(millis, 0, 0, 0), Some(told), None);
        let progress = connection.take_progress();
        (progress.blocked, progress.turns.map(|turns| turns.map(|turns| turns.count)))
    };
    assert_eq!(take(100, account(12, 4, 3)), (Some(7), Some([3, 1])));
    assert_eq!(take(200, account(12, 4, 3)), (Some(0), Some([0, 0])));
    assert_eq!(take(300, account(20, 5, 7)), (Some(8), Some([1, 4])));
}

fn part(cause: impl Into<Cause>, nanos: i64) -> Part {
    Part { cause: cause.into(), nanos, confidence: 0.9 }
}

/// Time of the direction to speak of comes first, and no more than was watched.
#[test]
fn time_is_of_the_direction_to_speak_of_first() {
    let buffer = Cause::plain(Limit::SendBuffer);
    let taken = |received: u64, of_peer: i64, has_ended: bool| {
        let mut connection = LiveConnection::new(0, sample(0, 0, 0, 0), KEEP, None);
        connection.sending.add(part(buffer, 100), None);
        let mut receiving = Direction::new(Timestamp::ZERO, KEEP);
        receiving.add(part(Detail::SlowReader, of_peer), None);
        connection.reader.receiving = Some(Box::new(receiving));
        connection.last = sample(0, 0, received, 0);
        connection.has_ended = has_ended;
        let progress = connection.take_progress();
        let time: Vec<_> = progress.time.iter().map(|(cause, nanos)| (cause.to_string(), nanos)).collect();
        (time, progress.lost, connection.take_progress().time.sum(|_| true))
    };
    let of = |parts: &[(&str, i64)]| parts.iter().map(|&(name, nanos)| (name.to_owned(), nanos)).collect::<Vec<_>>();
    assert_eq!(taken(0, 100, false), (of(&[("send_buffer", 100)]), 100, 0), "this side sends");
    assert_eq!(taken(9, 100, false), (of(&[("receive_window/slow_reader", 100)]), 100, 0), "this side receives");
    let both = of(&[("receive_window/slow_reader", 40), ("send_buffer", 60)]);
    assert_eq!(taken(9, 40, false), (both, 100, 0), "the other direction has what one lacks");
    assert_eq!(taken(9, 900, false).0, of(&[("receive_window/slow_reader", 100)]), "no more than was watched");
}

/// A silence that waits to be known as a loss is not reported as the reader's time.
#[test]
fn a_sender_does_not_report_the_readers_time() {
    let mut connection = LiveConnection::new(0, sample(0, 0, 0, 0), KEEP, None);
    connection.sending.add(part(Cause::plain(Limit::SendBuffer), 30), None);
    connection.sending.add(part(Cause::plain(Limit::SendBuffer), 70), Some(Doubt::Repair));
    let mut receiving = Direction::new(Timestamp::ZERO, KEEP);
    receiving.add(part(Detail::SlowReader, 100), None);
    connection.reader.receiving = Some(Box::new(receiving));
    assert_eq!(connection.take_progress().time.sum(|_| true), 30, "this side sends");
}

/// At its end a connection reports all the time that it was watched.
#[test]
fn time_that_no_direction_has_is_unobserved_at_the_end() {
    let buffer = Cause::plain(Limit::SendBuffer);
    let taken = |has_ended: bool| {
        let mut connection = LiveConnection::new(0, sample(0, 0, 0, 0), KEEP, None);
        connection.sending.add(part(buffer, 70), None);
        connection.sending.take_passed();
        connection.has_ended = has_ended;
        let progress = connection.take_progress();
        progress.time.iter().map(|(cause, nanos)| (cause.to_string(), nanos)).collect::<Vec<_>>()
    };
    assert_eq!(taken(true), [("unobserved".to_owned(), 70)]);
    assert_eq!(taken(false), []);
}

#[test]
fn time_by_cause_adds_up() {
    let (rest, buffer) = (Cause::from(Detail::Idle), Cause::plain(Limit::SendBuffer));
    let mut time = TimeByCause::default();
    for (cause, nanos) in [(buffer, 1), (rest, 2), (buffer, 4)] {
        time.add(cause, nanos);
    }
    assert_eq!(time.iter().collect::<Vec<_>>(), [(buffer, 5), (rest, 2)]);
    assert_eq!((time.sum(|cause| cause == rest), time.sum(|_| true)), (2, 7));
}
