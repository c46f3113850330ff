//! Each term of a live connection's verdict, prediction and numbers. A test fails if one is dropped, or if
//! its boundary moves.

use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{Claim, TimelineBuilder, Timestamp};

use super::super::connection::Under;
use super::super::direction::{Part, Retention};
use super::*;

const SECOND: i64 = 1_000_000_000;
const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
const WINDOW: Cause = Cause::plain(Limit::ReceiveWindow);
const PATH: Cause = Cause::plain(Limit::Path);

fn socket(change: impl FnOnce(&mut SocketSample)) -> KernelSample {
    let mut s = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
    (s.local.address, s.local.port) = (Some([192, 0, 2, 1].into()), Some(50_000));
    (s.peer.address, s.peer.port) = (Some([192, 0, 2, 2].into()), Some(443));
    (s.info.snd_mss, s.info.min_rtt) = (Some(1000), Some(20_000));
    change(&mut s);
    KernelSample { time: Timestamp::ZERO, key: SocketKey::default(), socket: s }
}

/// Ten seconds under the causes of `parts`, in percent, after which the socket shows `change`.
fn connection(parts: &[(Cause, i64)], change: impl FnOnce(&mut SocketSample)) -> LiveConnection {
    let mut connection = LiveConnection::new(7, socket(|_| ()), Retention::default(), None);
    for &(cause, percent) in parts {
        connection.sending.add(Part { cause, nanos: percent * SECOND / 10, confidence: 0.9 }, None);
    }
    connection.last = socket(change);
    connection.last.time = Timestamp::from_nanos(10 * SECOND);
    connection
}

fn timeline(parts: &[(Cause, i64)]) -> LimitTimeline {
    let mut builder = TimelineBuilder::new(Timestamp::ZERO);
    for &(cause, percent) in parts {
        builder.push(builder.end().plus(percent * SECOND / 10), cause, 0.9, None);
    }
    builder.finish()
}

fn verdict(parts: &[(Cause, i64)]) -> Verdict {
    let limits = timeline(parts);
    connection(parts, |_| ()).verdict(Weighed { limits: &limits, bytes: 10_000_000 }, Role::Client, true)
}

/// States of the socket, and whether it is there still.
#[test]
fn an_ending_takes_both_fins_or_the_sockets_end() {
    use TcpState::{CloseWait, Established, FinWait1, LastAck, SynReceived, SynSent};
    for (state, has_ended, expected) in [
        (Established, false, Ending::Open),
        (Established, true, Ending::Closed),
        (FinWait1, false, Ending::HalfClosed),
        (FinWait1, true, Ending::Closed),
        (CloseWait, false, Ending::HalfClosed),
        (LastAck, false, Ending::Closed),
        (SynSent, false, Ending::Open),
        (SynSent, true, Ending::Unanswered),
        (SynReceived, true, Ending::Closed),
    ] {
        let mut connection = connection(&[], |s| s.state = Some(state));
        connection.has_ended = has_ended;
        assert_eq!(connection.conclude().ending, expected, "{state:?}, ended: {has_ended}");
    }
}

/// Each number of both directions has its own value.
#[test]
fn numbers_are_of_their_direction() {
    let mut live = connection(&[(BUFFER, 100)], |s| {
        let info = &mut s.info;
        (info.bytes_acked, info.bytes_received, info.bytes_retrans) = (Some(1100), Some(2200), Some(330));
        (info.total_retrans, info.data_segs_out, info.data_segs_in) = (Some(44), Some(55), Some(66));
        (info.segs_out, info.segs_in, info.rcv_mss, info.min_rtt) = (Some(77), Some(88), Some(900), Some(3));
        (info.snd_wscale, info.rcv_wscale) = (Some(7), None);
    });
    (live.first.acked, live.first.received, live.first.retransmitted_bytes) = (100, 200, 30);
    (live.first.retransmitted, live.first.data_segments, live.first.segments) = (4, [5, 6], [7, 8]);
    let mut receiving = Direction::new(Timestamp::ZERO, Retention::default());
    receiving.add(Part { cause: WINDOW, nanos: 2 * SECOND, confidence: 0.9 }, None);
    live.reader.receiving = Some(Box::new(receiving));
    live.rates.round_trips.add(5, 1.0);
    let whole = live.conclude();
    assert_eq!((whole.id, whole.packets, whole.rtt_min), (7, [70, 80], Some(3000)));
    assert_eq!((whole.span.nanos(), whole.initiator), (10 * SECOND, Some(Side::A)));
    assert_eq!((whole.vantage.near, whole.vantage.is_middle), (Some(Side::A), false));
    assert_eq!(whole.endpoints.map(|end| end.port), [50_000, 443]);
    let [ours, peers] = &whole.halves[..] else { panic!("two directions") };
    assert_eq!((ours.sender, ours.role, ours.vantage), (Side::A, Role::Client, Vantage::Sender));
    assert_eq!((peers.sender, peers.role, peers.vantage), (Side::B, Role::Server, Vantage::Receiver));
    let counted = |half: &HalfConnection| {
        (half.bytes, half.retransmitted_bytes, half.segments, half.retransmitted_segments, half.mss)
    };
    assert_eq!(counted(ours), (1000, 300, 50, 40, Some(1000)));
    assert_eq!(counted(peers), (2000, 0, 60, 0, Some(900)));
    assert_eq!((ours.window_scale, peers.window_scale), (WindowScale::Shift(7), WindowScale::NotNegotiated));
    assert_eq!((ours.rtt.is_some(), peers.rtt.is_some()), (true, false));
    let rate = |half: &HalfConnection| half.goodput.map(Rate::bytes_per_sec);
    assert_eq!((rate(ours), rate(peers)), (Some(100.0), Some(1000.0)));
    live.is_server = true;
    assert_eq!(live.conclude().initiator, Some(Side::B));
    live.last.socket.local.port = None;
    assert_eq!(live.conclude().initiator, None);
}

/// A direction in which nothing was sent is left out, if the other one is there.
#[test]
fn a_direction_takes_bytes_or_a_queue() {
    let directions = |acked: u64, queue: u64, has_received: bool| {
        let mut live = connection(&[], |s| (s.info.bytes_acked, s.send_queue) = (Some(acked), queue));
        if has_received {
            live.reader.receiving = Some(Box::new(Direction::new(Timestamp::ZERO, Retention::default())));
        }
        live.conclude().halves.iter().map(|half| half.sender).collect::<Vec<_>>()
    };
    assert_eq!(directions(0, 0, false), [Side::A]);
    assert_eq!(directions(0, 0, true), [Side::B]);
    assert_eq!(directions(1, 0, true), [Side::A, Side::B]);
    assert_eq!(directions(0, 1, true), [Side::A, Side::B]);
}

/// `CLOSES_OFTEN`: closed for a fifth of the time that the window limited.
#[test]
fn a_window_that_closes_often_names_the_reader() {
    let zero = Cause::from(Detail::ZeroWindow);
    let named = |parts: &[(Cause, i64)]| {
        let verdict = verdict(parts);
        (verdict.cause, verdict.seconds.round() as i64)
    };
    assert_eq!(named(&[(WINDOW, 80), (zero, 20)]), (Some(zero), 2), "a fifth");
    assert_eq!(named(&[(WINDOW, 81), (zero, 19)]), (Some(WINDOW), 8), "less");
    assert_eq!(named(&[(WINDOW, 40), (zero, 10), (PATH, 50)]), (Some(zero), 1), "a fifth of the window's time");
    let unscaled = Cause::from(Detail::NoWindowScale);
    assert_eq!(named(&[(unscaled, 80), (zero, 20)]), (Some(unscaled), 8), "a window without scaling keeps its name");
}

/// A path that is used, and time that nobody saw, are worth a note.
#[test]
fn a_used_path_and_unseen_time_are_a_note() {
    let policer = Cause::from(Detail::Policer);
    for (cause, expected) in [
        (BUFFER, Severity::Critical),
        (PATH, Severity::Info),
        (Detail::Queue.into(), Severity::Info),
        (policer, Severity::Critical),
        (Cause::plain(Limit::Unobserved), Severity::Info),
    ] {
        assert_eq!(verdict(&[(cause, 100)]).severity, Some(expected), "{cause}");
    }
    assert!(is_path_used(PATH) && !is_path_used(policer) && !is_path_used(BUFFER));
    assert!(!is_path_used(Cause::plain(Limit::SlowStart)), "no path, though nothing removes it");
    // Time that cannot be changed yields to time that can.
    assert_eq!(verdict(&[(PATH, 60), (BUFFER, 40)]).cause, Some(BUFFER));
    assert_eq!(verdict(&[]).cause, None, "no time, no limit");
}

/// Unseen time names the end that lacks samples of it.
#[test]
fn unseen_time_has_a_reason() {
    let unseen = [(Cause::plain(Limit::Unobserved), 100)];
    let limits = timeline(&unseen);
    let live = connection(&unseen, |_| ());
    let reason = |is_ours| live.verdict(Weighed { limits: &limits, bytes: 1 }, Role::Client, is_ours).reason;
    assert_eq!(reason(true), Some(VerdictReason::NotReported));
    assert_eq!(reason(false), Some(VerdictReason::SeenFromReceiver));
    assert_eq!(verdict(&[(BUFFER, 100)]).reason, None);
}

/// As sure as the time of all forms of the cause.
#[test]
fn a_verdict_is_as_sure_as_its_family() {
    let mut builder = TimelineBuilder::new(Timestamp::ZERO);
    for (seconds, cause, confidence) in [(6, WINDOW, 0.5), (7, Detail::NoWindowScale.into(), 0.9), (9, BUFFER, 0.1)] {
        builder.push(Timestamp::from_nanos(seconds * SECOND), cause, confidence, None);
    }
    let limits = builder.finish();
    let found = connection(&[], |_| ()).verdict(Weighed { limits: &limits, bytes: 9_999_999 }, Role::Client, true);
    assert!((found.confidence - (6.0 * 0.5 + 0.9) / 7.0).abs() < 1e-6, "{}", found.confidence);
}

/// Averages under the verdict's limit, as this side saw them.
#[test]
fn a_verdict_shows_what_was_seen_under_its_limit() {
    let seen = |limit, nanos, flight, rtt, window| Under { limit, nanos, flight, rtt, window, bytes: 0.0 };
    let mut live = connection(&[(BUFFER, 100)], |_| ());
    live.rates.under = vec![
        seen(Limit::Path, 1.0, 1.0, 1.0, 1),
        seen(Limit::SendBuffer, 10.0, 40_004.0, 206.0, 3000),
        seen(Limit::ReceiveWindow, 0.0, 5.0, 5.0, 5),
        seen(Limit::Application, 10.0, 4.0, 0.0, 0),
    ];
    let of = |limit| {
        let meanwhile = live.meanwhile(limit);
        (meanwhile.flight, meanwhile.window, meanwhile.rtt)
    };
    assert_eq!(of(Limit::SendBuffer), (Some(4000), Some(3000), Some(20_600)), "µs become ns");
    assert_eq!(of(Limit::ReceiveWindow), (None, None, None), "no time");
    assert_eq!(of(Limit::SlowStart), (None, None, None), "never seen");
    assert_eq!(of(Limit::Application), (None, None, None), "nothing was in flight");
    let limits = live.limits();
    let flight =
        |is_ours| live.verdict(Weighed { limits: &limits, bytes: 1 << 30 }, Role::Client, is_ours).meanwhile.flight;
    assert_eq!((flight(true), flight(false)), (Some(4000), None), "the peer's flight is not this side's");
}

/// Ten seconds of 10 MB, as the socket and `change` show them.
fn predicted(parts: &[(Cause, i64)], change: fn(&mut LiveConnection)) -> Option<Prediction> {
    let mut live = connection(parts, |_| ());
    (live.rates.best_delivery, live.rates.path_delivery) = (Some(4_000_000), Some(4_000_000));
    change(&mut live);
    live.predict(&timeline(parts), 10_000_000, BUFFER)
}

/// `PATH_SHOWS`, `PATH_FASTER`, `PATH_LEADS`. The path was the limit for more than 20 % of the time and was
/// faster then, or for more than half of it. Losses show no rate.
#[test]
fn the_path_has_shown_its_rate() {
    let rate = |path: i64, change| {
        let then = predicted(&[(BUFFER, 100 - path), (PATH, path)], change).unwrap();
        (then.seconds.basis, then.ceiling)
    };
    let seen = (Basis::KernelInferred, "path-rate-seen");
    assert_eq!(rate(20, |_| ()).0, Basis::Assumed, "a fifth");
    assert_eq!(rate(21, |_| ()), seen, "more");
    assert_eq!(rate(21, |c| c.rates.path_delivery = None).0, Basis::Assumed, "nobody measured its rate");
    assert_eq!(rate(0, |c| c.last.socket.info.total_retrans = Some(1)).0, Basis::Assumed, "something was lost");
    // 10 MB in ten seconds.
    let at: fn(u64) -> fn(&mut LiveConnection) = |rate| match rate {
        1_250_000 => |c| c.rates.path_delivery = Some(1_250_000),
        _ => |c| c.rates.path_delivery = Some(1_260_000),
    };
    assert_eq!(rate(50, at(1_250_000)).0, Basis::Assumed, "as fast as at all times");
    assert_eq!(rate(50, at(1_260_000)), seen, "faster");
    assert_eq!(rate(51, at(1_250_000)), seen, "for most of the time");
}

/// A path whose rate is not known gives at least what it gave.
#[test]
fn the_path_gives_what_it_gave() {
    let high = |rate: Option<u64>| {
        let mut live = connection(&[(BUFFER, 100)], |_| ());
        live.rates.best_delivery = rate;
        live.predict(&timeline(&[(BUFFER, 100)]), 10_000_000, BUFFER).unwrap().seconds.value
    };
    assert!(high(Some(1 << 40)) < high(None), "{} {}", high(Some(1 << 40)), high(None));
}

/// `UNKNOWN_ROUND_TRIP`: `~0U` is no round trip.
#[test]
fn a_prediction_takes_a_round_trip_a_segment_and_bytes() {
    let is_predicted = |change: fn(&mut LiveConnection)| predicted(&[(BUFFER, 100)], change).is_some();
    assert!(is_predicted(|_| ()));
    assert!(is_predicted(|c| c.last.socket.info.min_rtt = Some(u64::from(u32::MAX) - 1)));
    assert!(!is_predicted(|c| c.last.socket.info.min_rtt = Some(u64::from(u32::MAX))));
    assert!(is_predicted(|c| c.last.socket.info.min_rtt = Some(1)));
    assert!(!is_predicted(|c| c.last.socket.info.min_rtt = Some(0)));
    assert!(!is_predicted(|c| c.last.socket.info.min_rtt = None));
    assert!(!is_predicted(|c| c.last.socket.info.snd_mss = None));
    let live = connection(&[(BUFFER, 100)], |_| ());
    let of_bytes = |bytes| live.predict(&timeline(&[(BUFFER, 100)]), bytes, BUFFER).is_some();
    assert!(of_bytes(1) && !of_bytes(0), "nothing was sent");
    assert!(live.predict(&timeline(&[(PATH, 100)]), 1, PATH).is_none(), "no faster path is known");
}

/// A transfer that fits the first window takes a round trip, 20,000 µs.
#[test]
fn round_trips_are_in_seconds() {
    let live = connection(&[(BUFFER, 100)], |_| ());
    let seconds = live.predict(&timeline(&[(BUFFER, 100)]), 1, BUFFER).unwrap().seconds.value;
    assert!((seconds - 0.02).abs() < 0.0005, "{seconds}");
}

/// A congestion window that losses have cut keeps its time; another one opens again.
#[test]
fn a_window_that_was_cut_keeps_its_time() {
    let parts = [(BUFFER, 40), (Detail::Other.into(), 30), (PATH, 30)];
    let seconds = |change| predicted(&parts, change).unwrap().seconds;
    let (whole, cut) = (seconds(|_| ()), seconds(|c| c.last.socket.info.total_retrans = Some(1)));
    assert_eq!((whole.basis, cut.basis), (Basis::KernelInferred, Basis::KernelInferred), "the path shows its rate");
    assert!(cut.value - whole.value > 2.0, "three seconds: {whole:?} {cut:?}");
}

/// A path that has shown its rate gives that rate at best, to a wait as well.
#[test]
fn a_path_at_its_best_gives_what_it_has_shown() {
    let think = Cause::from(Detail::Think);
    let value = |path: i64| {
        let parts = [(think, 100 - path), (PATH, path)];
        let mut live = connection(&parts, |_| ());
        live.rates.path_delivery = Some(2_000_000);
        live.predict(&timeline(&parts), 10_000_000, think).unwrap().seconds
    };
    // 10 MB at 2 MB/s take five seconds.
    assert!(value(21).value > 4.0 && value(20).value < 3.0, "{:?} {:?}", value(21), value(20));
}

/// A writer's own pace hides how fast the path is, unless the path has shown it.
#[test]
fn an_own_pace_hides_the_path() {
    let pace = Cause::from(Detail::PacedWrites);
    let claim = |path: i64| {
        let parts = [(pace, 100 - path), (PATH, path)];
        let mut live = connection(&parts, |_| ());
        live.rates.path_delivery = Some(1000);
        live.predict(&timeline(&parts), 5000, pace).unwrap().claim
    };
    assert_eq!(claim(20), Claim::AtBest);
    assert_eq!(claim(21), Claim::Range);
}

/// Bytes that other limits let through stay with their time.
#[test]
fn bytes_under_other_limits_are_not_sent_anew() {
    let parts = [(BUFFER, 50), (WINDOW, 50)];
    let value = |bytes: f64| {
        let mut live = connection(&parts, |_| ());
        live.rates.under = vec![
            Under { limit: Limit::SendBuffer, nanos: 1.0, flight: 0.0, rtt: 0.0, window: 0, bytes: 1e9 },
            Under { limit: Limit::ReceiveWindow, nanos: 1.0, flight: 0.0, rtt: 0.0, window: 0, bytes },
        ];
        live.predict(&timeline(&parts), 10_000_000, BUFFER).unwrap().seconds.value
    };
    assert!(value(9_000_000.0) < value(0.0), "{} {}", value(9_000_000.0), value(0.0));
}

/// Only what this side sends is predicted.
#[test]
fn the_peers_direction_has_no_prediction() {
    let mut live = connection(&[(BUFFER, 100)], |s| {
        (s.info.bytes_acked, s.info.bytes_received) = (Some(10_000_000), Some(10_000_000));
    });
    let mut receiving = Direction::new(Timestamp::ZERO, Retention::default());
    receiving.add(Part { cause: Detail::SlowReader.into(), nanos: 10 * SECOND, confidence: 0.9 }, None);
    live.reader.receiving = Some(Box::new(receiving));
    let whole = live.conclude();
    let has_prediction =
        |half: &HalfConnection| half.findings.first().is_some_and(|finding| finding.prediction.is_some());
    assert!(has_prediction(&whole.halves[0]));
    assert_eq!(whole.halves[1].findings[0].rule, "slow-reader");
    assert!(!has_prediction(&whole.halves[1]));
}
