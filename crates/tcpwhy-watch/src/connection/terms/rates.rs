//! Counts and averages of the time that a connection was watched.

use super::*;

/// `acked` bytes so far, with data queued.
fn moves(millis: i64, acked: u64, received: u64) -> KernelSample {
    sample(millis, |s| (s.info.bytes_acked, s.info.bytes_received) = (Some(acked), Some(received)))
}

/// `POINT_NANOS`: a point per second.
#[test]
fn a_point_is_of_a_second() {
    let points = |millis| of(vec![moves(0, 0, 0), moves(millis, 100, 300)]).points().copied().collect::<Vec<_>>();
    assert_eq!(points(999), []);
    let [point] = points(1000)[..] else { panic!("a second") };
    assert!((point.sent - 100.0).abs() < 1e-9 && (point.received - 300.0).abs() < 1e-9, "{point:?}");
    let [point] = points(2000)[..] else { panic!("two seconds") };
    assert!((point.sent - 50.0).abs() < 1e-9 && (point.received - 150.0).abs() < 1e-9, "{point:?}");
    let full = of(vec![
        moves(0, 0, 0),
        sample(1000, |s| {
            full(s);
            s.info.retrans = Some(2);
        }),
    ]);
    let point = full.points().next().copied().unwrap();
    let expected = (Timestamp::from_nanos(1000 * MILLISECOND), 20_000, 30_000, 12_000);
    assert_eq!((point.time, point.rtt, point.queued, point.flight), expected);
    assert_eq!(full.flight(), Some(12_000));
    let [sent, received] = of(vec![moves(0, 0, 0), moves(1000, 100, 300)]).rates();
    assert!((sent.bytes_per_sec() - 100.0).abs() < 1e-9 && (received.bytes_per_sec() - 300.0).abs() < 1e-9);
}

/// A quiet second is one point, and more of them none.
#[test]
fn quiet_seconds_have_one_point() {
    let points = |samples| of(samples).points().map(|point| (point.sent + point.received) as u64).collect::<Vec<u64>>();
    let quiet = |from: i64| (from..from + 3).map(|second| moves(second * 1000, 500, 0));
    assert_eq!(points(quiet(0).collect()), [0; 0], "nothing moved yet");
    let mut busy = vec![moves(0, 0, 0)];
    busy.extend(quiet(1));
    assert_eq!(points(busy), [500, 0], "what moved, and that it stopped");
    let queued = (0..3).map(|second| sample(second * 1000, full)).collect();
    assert_eq!(points(queued), [0, 0], "data is queued: nothing moves, and that counts");
    let received = vec![moves(0, 0, 0), moves(1000, 0, 7)];
    assert_eq!(points(received), [7]);
}

/// `POINTS`: a minute.
#[test]
fn a_minute_of_points_is_kept() {
    let connection = of((0..=61).map(|second| moves(second * 1000, second as u64 * 10, 0)).collect());
    assert_eq!(connection.points().count(), 60);
    assert_eq!(connection.points().next().unwrap().time, Timestamp::from_nanos(2000 * MILLISECOND), "the newest");
}

/// Numbers seen under a limit are averaged by time, while data was queued at either end of it.
#[test]
fn what_is_seen_under_a_limit_is_weighed_by_time() {
    let seen = |millis: i64, in_flight: u64, window: u64, rtt: u64| {
        sample(millis, |s| {
            full(s);
            (s.info.unacked, s.info.snd_wnd, s.info.rtt) = (Some(in_flight), Some(window), Some(rtt));
        })
    };
    let connection = of(vec![
        sample(0, |_| ()),
        seen(100, 10, 900_000, 30_000),
        seen(400, 20, 800_000, 20_000),
        sample(500, |s| s.info.rtt = Some(50_000)),
        sample(600, |_| ()),
    ]);
    let under = |limit| connection.rates.under.iter().find(|under| under.limit == limit);
    let buffer = under(Limit::SendBuffer).unwrap();
    assert!((buffer.nanos / 1e6 - 400.0).abs() < 1e-6, "{buffer:?}");
    assert!((buffer.flight / buffer.nanos - 17_500.0).abs() < 1e-6, "{buffer:?}");
    assert!((buffer.rtt / buffer.nanos - 22_500.0).abs() < 1e-6, "{buffer:?}");
    assert_eq!(buffer.window, 900_000, "the largest");
    let rest = under(Limit::Application).unwrap();
    assert!((rest.nanos / 1e6 - 100.0).abs() < 1e-6, "data was queued before, and not in the last part: {rest:?}");
    let trips = connection.rates.round_trips.distribution().unwrap();
    assert_eq!((trips.max / MILLISECOND as u64, trips.min / MILLISECOND as u64), (50, 20), "{trips:?}");
}

/// The kernel's clocks count from the first sample.
#[test]
fn clocks_count_since_the_first_sample() {
    let counted = |millis: i64, busy: u64, window: u64, buffer: u64| {
        sample(millis, |s| {
            (s.info.busy_time, s.info.rwnd_limited) = (Some(busy * 1000), Some(window * 1000));
            s.info.sndbuf_limited = Some(buffer * 1000);
        })
    };
    let clocks = of(vec![counted(0, 5, 3, 1), counted(1000, 405, 203, 101)]).clocks().unwrap();
    assert_eq!(
        [clocks.watched, clocks.busy, clocks.receive_window, clocks.send_buffer].map(|nanos| nanos / MILLISECOND),
        [1000, 400, 200, 100]
    );
    assert!(!clocks.paces);
    let over = of(vec![counted(0, 0, 0, 0), counted(1000, 1001, 0, 0)]).clocks().unwrap();
    assert_eq!(over.busy, over.watched, "no more than it was watched");
    assert_eq!(of(vec![counted(0, 9, 9, 9), counted(1000, 8, 9, 9)]).clocks(), None, "a clock that goes back");
    assert_eq!(of(vec![sample(0, |_| ()), sample(100, |_| ())]).clocks(), None, "no clocks");
}

/// A connection is active if data waits, or moved within the last second.
#[test]
fn what_is_active() {
    assert!(!of(vec![moves(0, 5, 5)]).is_active());
    assert!(of(vec![sample(0, |s| s.send_queue = 1)]).is_active());
    assert!(of(vec![sample(0, |s| s.receive_queue = 1)]).is_active());
    assert!(of(vec![moves(0, 0, 0), moves(1000, 1, 0)]).is_active());
    assert!(of(vec![moves(0, 0, 0), moves(1000, 0, 1)]).is_active());
}

/// Bytes of either side since the first sample.
#[test]
fn bytes_count_since_the_first_sample() {
    let connection = of(vec![moves(0, 100, 1000), moves(100, 150, 1007)]);
    assert_eq!((connection.sent(), connection.received()), (50, 7));
    assert_eq!(connection.seen().map(Timestamp::as_nanos), [0, 100 * MILLISECOND]);
    let info = sample(0, |s| {
        let info = &mut s.info;
        (info.data_segs_out, info.data_segs_in) = (Some(1), Some(2));
        (info.segs_out, info.segs_in) = (Some(3), Some(4));
        (info.busy_time, info.rwnd_limited, info.sndbuf_limited) = (Some(5), Some(6), Some(7));
        (info.bytes_retrans, info.total_retrans, info.bytes_acked) = (Some(8), Some(9), Some(10));
        info.bytes_received = Some(11);
    });
    let base = Baseline::of(&info);
    assert_eq!((base.data_segments, base.segments), ([1, 2], [3, 4]));
    assert_eq!(base.clocks, [Some(5), Some(6), Some(7)]);
    assert_eq!((base.retransmitted_bytes, base.retransmitted, base.acked, base.received), (8, 9, 10, 11));
}
