//! A newer sample: the doubts that it settles, and the numbers that stay.

use super::*;

/// A socket that rests and has spoken last.
fn resting(s: &mut SocketSample) {
    s.info.bytes_sent = Some(500);
    s.info.bytes_acked = Some(400);
}

/// Whose turn the first 100 ms were: two samples of a rest, then one that `change` makes.
fn turn(second: Change, third: Change) -> String {
    let with = |change: Change| {
        move |s: &mut SocketSample| {
            resting(s);
            change(s);
        }
    };
    let connection =
        of(vec![sample(0, resting), sample(100, resting), sample(200, with(second)), sample(300, with(third))]);
    connection.sending_limits().intervals()[0].cause.to_string()
}

/// The side that speaks next shows whose turn a rest was; an ACK shows nothing of that.
#[test]
fn who_speaks_next_settles_whose_turn_a_rest_was() {
    let (same, peer): (Change, Change) = (|_| (), |s| s.info.bytes_received = Some(1));
    let acked: Change = |s| s.info.bytes_acked = Some(500);
    for (what, second, third, expected) in [
        ("nobody", same, same, "application/idle"),
        ("the peer", same, peer, "application/peer_turn"),
        (
            "an ACK, then the peer",
            acked,
            |s| {
                (s.info.bytes_acked, s.info.bytes_received) = (Some(500), Some(1));
            },
            "application/peer_turn",
        ),
        (
            "this side, then the peer",
            |s| s.info.bytes_sent = Some(501),
            |s| {
                (s.info.bytes_sent, s.info.bytes_received) = (Some(501), Some(1));
            },
            "application/idle",
        ),
        (
            "both at once",
            same,
            |s| {
                (s.info.bytes_sent, s.info.bytes_received) = (Some(501), Some(1));
            },
            "application/peer_turn",
        ),
        (
            "something queued, then the peer",
            |s| s.send_queue = 10,
            |s| {
                (s.send_queue, s.info.bytes_received) = (10, Some(1));
            },
            "application/idle",
        ),
    ] as [(&str, Change, Change, &str); 6]
    {
        assert_eq!(turn(second, third), expected, "{what}");
    }
}

/// Kernels before 4.19 do not count bytes sent: acknowledged ones stand for them.
#[test]
fn without_a_count_of_bytes_sent_those_acknowledged_count() {
    let rests = |millis, acked| sample(millis, |s| s.info.bytes_acked = Some(acked));
    let mut last = rests(300, 501);
    last.socket.info.bytes_received = Some(1);
    let connection = of(vec![rests(0, 500), rests(100, 500), rests(200, 501), last]);
    assert_eq!(connection.sending_limits().intervals()[0].cause, Detail::Idle.into());
}

/// Both ends have sent data: a rest is the peer's.
#[test]
fn turns_take_data_of_both_ends() {
    let counted = |millis: i64, acked: u64, received: u64| {
        sample(millis, |s| {
            (s.info.bytes_acked, s.info.bytes_received) = (Some(acked), Some(received));
            (s.info.last_data_sent, s.info.last_data_recv) = (Some(10), Some(20));
        })
    };
    for (what, before, after, expected) in [
        ("both, this side now", (1, 1), (2, 1), Detail::PeerTurn),
        ("both, the peer now", (1, 1), (1, 2), Detail::PeerTurn),
        ("both, before", (1, 1), (1, 1), Detail::Idle),
        ("the peer alone", (0, 1), (0, 2), Detail::Idle),
        ("this side alone", (1, 0), (2, 0), Detail::Idle),
    ] {
        let connection = of(vec![counted(0, before.0, before.1), counted(100, after.0, after.1)]);
        assert_eq!(connection.instant.cause, expected.into(), "{what}");
    }
    let kept = of(vec![counted(0, 1, 1), counted(100, 2, 1), counted(200, 2, 1)]);
    assert_eq!(kept.instant.cause, Detail::PeerTurn.into(), "once they took turns, they do");
}

#[test]
fn what_has_moved() {
    for (what, change, expected) in [
        ("nothing", (|_| ()) as Change, false),
        ("data sent", |s| s.info.bytes_sent = Some(1), true),
        ("data received", |s| s.info.bytes_received = Some(1), true),
        ("data to be sent", |s| s.send_queue = 1, true),
        ("data to be read", |s| s.receive_queue = 1, true),
    ] {
        let zero = |s: &mut SocketSample| s.info.bytes_sent = Some(0);
        let moved = sample(100, |s| {
            zero(s);
            change(s);
        });
        assert_eq!(of(vec![sample(0, zero), moved]).has_moved(), expected, "{what}");
        let queued = sample(0, change).socket;
        let waits = queued.send_queue + queued.receive_queue > 0;
        assert_eq!(of(vec![sample(0, change)]).has_moved(), waits, "the first sample: {what}");
    }
}

/// Busy time that no sample saw is under the limit that held last, but for the peer's window.
#[test]
fn what_usually_holds() {
    let unseen = |first: Change| {
        let begun = sample(0, |_| ());
        let seen = sample(100, first);
        let clocks = |millis: i64, busy: u64| {
            sample(millis, |s| {
                (s.info.busy_time, s.info.rwnd_limited) = (Some(busy), Some(0));
                s.info.bytes_acked = Some(10 * busy);
            })
        };
        let connection = of(vec![begun, seen, clocks(1000, 0), clocks(2000, 500_000)]);
        let limits = connection.sending_limits();
        let is_unseen = |cause: Cause| cause != Detail::Idle.into();
        let last = limits.intervals().iter().rev().find(|interval| is_unseen(interval.cause));
        last.map(|interval| interval.cause.to_string())
    };
    assert_eq!(unseen(full).as_deref(), Some("send_buffer"));
    assert_eq!(unseen(window_full).as_deref(), Some("congestion_window/other"));
    let closed: Change = |s| {
        window_full(s);
        (s.info.snd_cwnd, s.info.snd_wnd) = (Some(40), Some(20_000));
    };
    assert_eq!(unseen(closed).as_deref(), Some("application/paced_writes"), "the peer's window has a clock");
    assert_eq!(unseen(|_| ()).as_deref(), Some("application/paced_writes"), "nothing");
}

/// A silence of more than a round trip is a loss if a timeout follows.
#[test]
fn a_silence_is_longer_than_a_round_trip() {
    let lost = |rtt: u64, acked: u64| {
        let waits = |millis: i64, acked: u64, ca_state: u64| {
            sample(millis, move |s| {
                full(s);
                (s.info.rtt, s.info.min_rtt) = (Some(rtt), Some(rtt));
                (s.info.bytes_acked, s.info.ca_state) = (Some(acked), Some(ca_state));
            })
        };
        let samples = vec![waits(0, 0, 0), waits(20, 0, 0), waits(40, acked, 4), waits(60, acked, 4)];
        of(samples).limits().nanos_of(Limit::LossRecovery) / MILLISECOND
    };
    assert_eq!(lost(20_000, 0), 40, "from a round trip on");
    assert_eq!(lost(19_999, 0), 50, "the part that ends later than a round trip");
    assert_eq!(lost(19_999, 1), 30, "something was acknowledged");
    assert_eq!(lost(90_000, 0), 30, "no silence");
}

/// An empty queue is no silence.
#[test]
fn the_silence_begins_when_something_is_queued() {
    let at = |millis: i64, change: Change| sample(millis, change);
    let timeout: Change = |s| {
        full(s);
        s.info.ca_state = Some(4);
    };
    let connection = of(vec![at(0, full), at(1000, |_| ()), at(1010, full), at(1030, timeout)]);
    assert_eq!(connection.limits().nanos_of(Limit::LossRecovery) / MILLISECOND, 10);
    let silent = of(vec![at(0, full), at(1000, full), at(1010, full), at(1030, timeout)]);
    assert!(silent.limits().nanos_of(Limit::LossRecovery) / MILLISECOND > 500);
}

/// The kernel's account knows whose turn a rest was.
#[test]
fn accounts_leave_no_rest_in_doubt() {
    let begun = account(&[(HeldBy::Idle, 100)]);
    let mut connection = LiveConnection::with_account(0, sample(100, |_| ()), begun, Retention::default());
    connection.observe(sample(200, |_| ()), Some(account(&[(HeldBy::Idle, 200)])), None);
    let spoken = sample(300, |s| s.info.bytes_received = Some(1));
    connection.observe(spoken, Some(account(&[(HeldBy::Idle, 300)])), None);
    assert_eq!(millis(&connection.sending_limits()), names(&[("application/idle", 200)]));
}

/// Only rates at which the path or its congestion window bound are the path's.
#[test]
fn a_rate_of_delivery_is_the_paths_where_the_path_bound() {
    let best = |limit: Change, limited: Option<u64>, rate: Option<u64>| {
        let delivered = sample(100, |s| {
            limit(s);
            (s.info.delivery_rate_app_limited, s.info.delivery_rate) = (limited, rate);
        });
        of(vec![sample(0, |_| ()), delivered]).rates.best_delivery
    };
    assert_eq!(best(window_full, Some(0), Some(900)), Some(900), "the congestion window");
    assert_eq!(best(window_full, Some(1), Some(900)), None, "too little to send");
    assert_eq!(best(window_full, None, Some(900)), None, "nobody knows");
    assert_eq!(best(window_full, Some(0), Some(0)), None, "no rate");
    assert_eq!(best(full, Some(0), Some(900)), None, "the send buffer");
    let queue: Change = |s| {
        window_full(s);
        s.info.rtt = Some(90_000);
    };
    assert_eq!(best(queue, Some(0), Some(900)), Some(900), "the path");
    let repair: Change = |s| {
        window_full(s);
        s.info.ca_state = Some(3);
    };
    assert_eq!(best(repair, Some(0), Some(900)), Some(900), "a recovery");
    let slow_start: Change = |s| {
        window_full(s);
        s.info.snd_ssthresh = None;
    };
    assert_eq!(best(slow_start, Some(0), Some(900)), None, "slow start looks for it");
    let rates = [700, 900, 800].into_iter().zip(1..).map(|(rate, at)| {
        sample(at * 100, |s| {
            window_full(s);
            (s.info.delivery_rate_app_limited, s.info.delivery_rate) = (Some(0), Some(rate));
        })
    });
    let connection = of([sample(0, |_| ())].into_iter().chain(rates).collect());
    assert_eq!(connection.rates.best_delivery, Some(900), "the highest");
}

/// Numbers that a sample lacks stay as they were.
#[test]
fn what_a_sample_does_not_show_stays() {
    let locks = |send| Some(tcpwhy_model::host::BufferLocks { send, receive: false });
    let first = sample(0, |s| (s.locks, s.inode) = (locks(true), Some(7)));
    let connection = of(vec![first.clone(), sample(100, |_| ())]);
    assert_eq!((connection.socket().locks, connection.socket().inode), (locks(true), Some(7)));
    let newer = of(vec![first, sample(100, |s| (s.locks, s.inode) = (locks(false), Some(8)))]);
    assert_eq!((newer.socket().locks, newer.socket().inode), (locks(false), Some(8)));
    assert_eq!(newer.samples(), 2);
}

/// Bytes acknowledged between two samples go to the limits of that time, and to none while nothing was to be
/// sent.
#[test]
fn bytes_go_to_the_limits_of_their_time() {
    let mut connection = of(vec![sample(0, |_| ())]);
    let part = |cause, millis| Part { cause, nanos: millis * MILLISECOND, confidence: 1.0 };
    let rest = Cause::from(Detail::Idle);
    connection.rates.share_out(&[part(BUFFER, 30), part(rest, 50), part(WINDOW, 10)], 4000);
    connection.rates.share_out(&[part(rest, 50)], 100);
    connection.rates.share_out(&[part(UNSEEN, 50)], 0);
    let bytes: Vec<_> = connection.rates.under.iter().map(|under| (under.limit, under.bytes.round() as u64)).collect();
    assert_eq!(bytes, [(Limit::SendBuffer, 3000), (Limit::ReceiveWindow, 1000), (Limit::Application, 100)]);
}
