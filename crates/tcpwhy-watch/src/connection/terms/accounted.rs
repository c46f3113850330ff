//! The time that the kernel's account adds up.

use super::super::accounted::accounted;
use super::*;

const IDLE: InstantLimit = InstantLimit { held: Some(Held::Idle), cause: Cause::plain(Limit::Application) };
const FULL: InstantLimit = InstantLimit { held: Some(Held::Sndbuf), cause: BUFFER };

/// Milliseconds of each, in the order in which they are given out.
fn divided(
    account: &KernelAccount,
    known: Option<(&KernelAccount, i64)>,
    instants: [InstantLimit; 2],
    millis: i64,
) -> Vec<(String, i64)> {
    let known = known.map(|(known, ahead)| (&known.nanos, ahead * MILLISECOND));
    let parts = accounted(account, known, instants, millis * MILLISECOND);
    parts.iter().filter(|p| p.nanos > 0).map(|p| (p.cause.to_string(), p.nanos / MILLISECOND)).collect()
}

#[test]
fn an_account_counts_from_the_one_before() {
    let [before, now] = [20, 70].map(|millis| account(&[(HeldBy::SendBuffer, millis), (HeldBy::Cwnd, 30)]));
    assert_eq!(divided(&now, Some((&before, 0)), [FULL, FULL], 50), names(&[("send_buffer", 50)]));
    let first = divided(&now, None, [FULL, FULL], 100);
    assert_eq!(first, names(&[("send_buffer", 70), ("congestion_window/other", 30)]), "the first counts from 0");
    assert_eq!(
        divided(&before, Some((&now, 0)), [FULL, IDLE], 5),
        names(&[("send_buffer", 5)]),
        "counts that go back add nothing"
    );
    let parts = accounted(&now, None, [IDLE, FULL], 101 * MILLISECOND);
    let sure: Vec<_> = parts.iter().map(|part| (part.nanos / MILLISECOND, part.confidence)).collect();
    assert_eq!(sure, [(1, 0.98), (30, 0.99), (70, 0.99)], "the time before the account is sampled");
}

/// The limit of the first sample comes first, the limit of the second last.
#[test]
fn parts_come_in_their_order_as_far_as_it_is_known() {
    let now = account(&[(HeldBy::SendBuffer, 10), (HeldBy::Rto, 20), (HeldBy::ReceiveWindow, 30)]);
    let instant = |cause| InstantLimit { held: None, cause };
    let order = |was: Cause, is: Cause| {
        let all = divided(&now, None, [instant(was), instant(is)], 60);
        all.into_iter().map(|(cause, _)| cause).collect::<Vec<_>>()
    };
    assert_eq!(order(BUFFER, WINDOW), ["send_buffer", "loss_recovery/rto", "receive_window"]);
    assert_eq!(order(WINDOW, BUFFER), ["receive_window", "loss_recovery/rto", "send_buffer"]);
    assert_eq!(order(Detail::Rto.into(), WINDOW), ["loss_recovery/rto", "send_buffer", "receive_window"]);
    let left = divided(&now, None, [instant(UNSEEN), instant(BUFFER)], 61);
    assert_eq!(left[0], ("unobserved".to_owned(), 1), "time before the account is as the first sample showed it");
}

/// Rest that was given out ahead is taken from rests, the longest first. No more is given out than passed.
#[test]
fn rest_that_was_given_out_ahead_is_not_given_out_again() {
    let rests = [
        (HeldBy::Idle, "application/idle"),
        (HeldBy::Think, "application/think"),
        (HeldBy::CloseWait, "application/close_wait"),
        (HeldBy::PeerTurn, "application/peer_turn"),
        (HeldBy::Application, "application/paced_writes"),
    ];
    for (rest, name) in rests {
        let now = account(&[(HeldBy::SendBuffer, 900), (rest, 100)]);
        let cause = rest.cause().to_string();
        assert_eq!(
            divided(&now, Some((&account(&[]), 60)), [FULL, FULL], 940),
            names(&[("send_buffer", 900), (cause.as_str(), 40)]),
            "{name}"
        );
    }
    // Other limits are no rest: they give nothing while a rest can.
    let now = account(&[(HeldBy::PeerWindow, 900), (HeldBy::Idle, 100), (HeldBy::Think, 50)]);
    let found = divided(&now, Some((&account(&[]), 120)), [FULL, IDLE], 930);
    let left: i64 = found.iter().map(|part| part.1).sum();
    assert_eq!(left, 930);
    let millis = |name: &str| found.iter().filter(|part| part.0.contains(name)).map(|part| part.1).sum::<i64>();
    assert_eq!((millis("idle"), millis("think"), millis("peer_window")), (0, 30, 900), "the longest rest first");
    let over = divided(&account(&[(HeldBy::Rto, 9000)]), None, [FULL, FULL], 100);
    assert_eq!(over, names(&[("loss_recovery/rto", 100)]), "no more than passed");
    let both = account(&[(HeldBy::Idle, 60), (HeldBy::Rto, 500), (HeldBy::SendBuffer, 700)]);
    let expected = [("application/idle", 60), ("send_buffer", 700), ("loss_recovery/rto", 40)];
    assert_eq!(divided(&both, None, [IDLE, IDLE], 800), names(&expected), "rests first, then the longest");
}

/// An account adds up writers' waits, turns and reading from where the watching begins.
#[test]
fn what_an_account_had_before_does_not_count() {
    let mut before = account(&[(HeldBy::SendBuffer, 100)]);
    (before.blocked, before.turns[0].count, before.turns[0].nanos) = (Some(40), 5, 500);
    before.turns[1].count = 2;
    let mut connection = LiveConnection::with_account(0, sample(100, full), before.clone(), Retention::default());
    assert!(connection.is_accounted());
    assert_eq!((connection.blocked(), connection.turns().map(|turns| turns[0].count)), (Some(0), Some(0)));
    let mut now = before.clone();
    (now.blocked, now.turns[0].count, now.turns[0].nanos, now.turns[1].count) = (Some(70), 8, 800, 3);
    now.nanos[HeldBy::SendBuffer as usize] += 100 * MILLISECOND;
    connection.observe(sample(200, full), Some(now.clone()), None);
    let [own, peers] = connection.turns().unwrap();
    assert_eq!((connection.blocked(), own.count, own.nanos, peers.count), (Some(30), 3, 300, 1));
    (now.blocked, now.turns[0].count) = (Some(80), 9);
    connection.observe(sample(300, full), Some(now.clone()), None);
    assert_eq!((connection.blocked(), connection.turns().unwrap()[0].count), (Some(40), 4));
    now.blocked = Some(10);
    connection.observe(sample(400, full), Some(now.clone()), None);
    assert_eq!(connection.blocked(), Some(0), "a count that goes back is none");
    now.blocked = None;
    connection.observe(sample(500, full), Some(now), None);
    assert_eq!(connection.blocked(), None, "nobody counts");
    assert_eq!(of(vec![sample(0, full)]).turns(), None, "no account");
}

/// One whose opening was seen counts from its beginning.
#[test]
fn an_account_from_the_opening_counts_all() {
    for (opened, is_server, sent, span, blocked) in
        [(Some(Opened::ByPeer), true, 9000, 90, 40), (Some(Opened::Here), false, 9000, 90, 40), (None, false, 0, 0, 0)]
    {
        let mut told = account(&[(HeldBy::SendBuffer, 90)]);
        (told.since, told.opened, told.blocked) = (Timestamp::from_nanos(10 * MILLISECOND), opened, Some(40));
        (told.turns[0].count, told.slow_reader) = (3, 5 * MILLISECOND);
        let begun = sample(100, |s| {
            full(s);
            (s.info.bytes_acked, s.info.bytes_retrans, s.info.total_retrans) = (Some(9000), Some(50), Some(2));
            (s.info.segs_out, s.info.data_segs_out, s.info.busy_time) = (Some(12), Some(10), Some(70_000));
            (s.info.rwnd_limited, s.info.sndbuf_limited) = (Some(20_000), Some(30_000));
        });
        let connection = LiveConnection::with_account(3, begun, told, Retention::default());
        let found = (connection.sent(), connection.limits().span().nanos() / MILLISECOND, connection.blocked());
        assert_eq!(found, (sent, span, Some(blocked)), "{opened:?}");
        assert_eq!((connection.is_server, connection.id()), (is_server, 3), "{opened:?}");
        let turns = if opened.is_some() { 3 } else { 0 };
        assert_eq!(connection.turns().unwrap()[0].count, turns, "{opened:?}");
        let clocks = connection.clocks().unwrap();
        let of = |millis: i64| if opened.is_some() { millis * MILLISECOND } else { 0 };
        assert_eq!((clocks.busy, clocks.receive_window, clocks.send_buffer), (of(70), of(20), of(30)), "{opened:?}");
    }
}

/// Samples of a connection that has an account add what the account does not have, and no time.
#[test]
fn samples_beside_an_account_take_no_time() {
    let mut connection =
        LiveConnection::with_account(0, sample(100, full), account(&[(HeldBy::SendBuffer, 100)]), Retention::default());
    let samples = connection.samples();
    let mut beside = sample(300, |s| (s.inode, s.info.delivery_rate) = (Some(9), Some(77)));
    beside.socket.info.snd_mss = Some(536);
    connection.observe(beside, None, None);
    assert_eq!((connection.samples(), connection.limits().span().nanos()), (samples, 0));
    assert_eq!(connection.last_seen(), Timestamp::from_nanos(300 * MILLISECOND), "it is there");
    let socket = connection.socket();
    assert_eq!((socket.inode, socket.info.delivery_rate, socket.info.snd_mss), (Some(9), Some(77), Some(1000)));
    connection.observe(sample(200, |_| ()), None, None);
    assert_eq!(connection.last_seen(), Timestamp::from_nanos(300 * MILLISECOND), "an older sample changes nothing");
}

/// Both sides' turns together are no longer than the watching: the first one may have begun before.
#[test]
fn turns_are_no_longer_than_the_watching() {
    let before = account(&[(HeldBy::Idle, 1000)]);
    let mut connection = LiveConnection::with_account(0, sample(1000, |_| {}), before.clone(), Retention::default());
    let mut now = before;
    let mut take = |millis: i64, own: i64, peers: i64| {
        for (turns, passed) in now.turns.iter_mut().zip([own, peers]) {
            turns.count += u32::from(passed > 0);
            turns.nanos += passed * MILLISECOND;
        }
        now.nanos[HeldBy::Idle as usize] += 100 * MILLISECOND;
        connection.observe(sample(millis, |_| {}), Some(now.clone()), None);
        connection.turns().unwrap().map(|turns| turns.nanos / MILLISECOND)
    };
    assert_eq!(take(1100, 5000, 0), [100, 0], "it began before");
    assert_eq!(take(1200, 30, 70), [130, 70]);
    assert_eq!(take(1300, 20, 0), [150, 70]);
    assert_eq!(take(1400, 0, 500), [150, 250], "of whatever the kernel says");
    assert_eq!(connection.turns().unwrap().map(|turns| turns.count), [3, 2]);
}
