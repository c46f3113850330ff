use tcpwhy_model::host::{SocketSample, TcpInfo, TcpState};
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{Detail, Limit, Timestamp};

use super::*;
use crate::direction::Retention;
use crate::socket::flight;

fn sample(millis: i64, change: impl FnOnce(&mut SocketSample)) -> KernelSample {
    let mut s = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
    let info = &mut s.info;
    (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(10));
    (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
    (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(0), Some(10), Some(7));
    (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
    (info.bytes_acked, info.bytes_received) = (Some(0), Some(0));
    change(&mut s);
    KernelSample { time: Timestamp::from_nanos(millis * 1_000_000), key: SocketKey::default(), socket: s }
}

fn full(s: &mut SocketSample) {
    s.send_queue = 10_000;
    (s.memory.send_queued, s.memory.send_buffer) = (Some(30_000), Some(32_000));
}

fn of(samples: Vec<KernelSample>) -> LiveConnection {
    let mut samples = samples.into_iter();
    let mut connection = LiveConnection::new(0, samples.next().unwrap(), Retention::default(), None);
    samples.for_each(|sample| connection.observe(sample, None, None));
    connection
}

fn millis(connection: &LiveConnection) -> Vec<(String, i64)> {
    connection.limits().totals().iter().map(|t| (t.cause.to_string(), t.nanos / 1_000_000)).collect()
}

#[test]
fn a_sample_stands_for_half_of_the_time_around_it() {
    let connection = of(vec![sample(0, full), sample(100, full), sample(200, |s| s.send_queue = 10_000)]);
    assert_eq!(millis(&connection), [("send_buffer".into(), 150), ("application/paced_writes".into(), 50)]);
    assert_eq!(connection.limits().span().nanos(), 200_000_000);
}

/// The end that closes first shows no `tcp_info` from then on.
#[test]
fn what_was_counted_outlives_the_socket() {
    let counted = |millis: i64| {
        sample(millis, |s| {
            (s.info.bytes_acked, s.info.busy_time) = (Some(9000), Some(400_000));
            (s.info.rwnd_limited, s.info.sndbuf_limited) = (Some(300_000), Some(0));
        })
    };
    let begun = sample(0, |s| {
        (s.info.busy_time, s.info.rwnd_limited, s.info.sndbuf_limited) = (Some(0), Some(0), Some(0));
    });
    let rest = |millis: i64, state| {
        let mut rest = sample(millis, |s| s.state = Some(state));
        rest.socket.info = TcpInfo::default();
        rest
    };
    for state in [TcpState::FinWait2, TcpState::TimeWait] {
        let connection = of(vec![begun.clone(), counted(1000), rest(1100, state), rest(1200, state)]);
        assert_eq!(connection.sent(), 9000);
        let clocks = connection.clocks().unwrap();
        assert_eq!((clocks.busy, clocks.receive_window), (400_000_000, 300_000_000));
        assert_eq!(flight(connection.socket()), None, "what was in flight has arrived");
    }
}

#[test]
fn clocks_count_what_no_sample_saw() {
    let clocks = |millis: i64, busy: u64, window: u64, acked: u64| {
        sample(millis, |s| {
            (s.info.busy_time, s.info.rwnd_limited) = (Some(busy * 1000), Some(window * 1000));
            s.info.bytes_acked = Some(acked);
        })
    };
    // Idle at both ends, yet busy for 300 ms of the second, 200 of them under the peer's window.
    let connection = of(vec![clocks(0, 0, 0, 0), clocks(1000, 300, 200, 9000)]);
    assert_eq!(
        millis(&connection),
        [("application/idle".into(), 700), ("receive_window".into(), 200), ("application/paced_writes".into(), 100)]
    );
    // BBR's clock of the window shows nothing.
    let bbr = |sample: KernelSample| {
        let mut sample = sample;
        sample.socket.congestion_control = Some("bbr".to_owned());
        sample
    };
    let connection = of(vec![bbr(clocks(0, 0, 0, 0)), bbr(clocks(1000, 300, 200, 9000))]);
    assert_eq!(connection.limits().nanos_of(Limit::ReceiveWindow), 0);
    // At short intervals they are no better than their ticks.
    let connection = of(vec![clocks(0, 0, 0, 0), clocks(100, 30, 0, 9000)]);
    assert_eq!(connection.limits().nanos_of_cause(Detail::PacedWrites.into()), 0);
}

#[test]
fn what_nobody_looked_at_is_unobserved_unless_nothing_was_written() {
    let connection = of(vec![sample(0, full), sample(20_000, full)]);
    assert_eq!(millis(&connection), [("unobserved".into(), 15_000), ("send_buffer".into(), 5_000)]);
    let connection = of(vec![sample(0, |_| ()), sample(20_000, |_| ())]);
    assert_eq!(millis(&connection), [("application/idle".into(), 20_000)]);
}

#[test]
fn a_slow_reader_is_seen_at_the_receiver() {
    let reads = |millis: i64, got: u64, unread: u64| {
        sample(millis, |s| {
            s.info.bytes_received = Some(got);
            s.receive_queue = unread;
            (s.info.rcv_wnd, s.info.rcv_mss) = (Some(0), Some(1000));
        })
    };
    let connection = of(vec![reads(0, 0, 0), reads(100, 50_000, 50_000), reads(200, 60_000, 50_000)]);
    assert!(connection.is_receiver());
    assert_eq!(connection.limit_now(), Detail::SlowReader.into());
    assert_eq!(millis(&connection), [("receive_window/slow_reader".into(), 150), ("unobserved".into(), 50)]);
    assert!((connection.lost(Timestamp::from_nanos(199_000_000), 200_000_000) - 0.2).abs() < 0.11);
}

/// Samples further apart than a round trip, and acknowledgements at each: whatever comes later, that was
/// no silence.
#[test]
fn a_loss_takes_no_time_in_which_acknowledgements_came() {
    let moves = |millis: i64, ca_state: u64| {
        sample(millis, |s| {
            full(s);
            (s.info.bytes_acked, s.info.ca_state) = (Some(millis as u64 * 100), Some(ca_state));
        })
    };
    let connection = of((0..100).map(|step| moves(step * 100, u64::from(step >= 90) * 4)).collect());
    let lost = connection.limits().nanos_of(Limit::LossRecovery) / 1_000_000;
    assert!((900..=1100).contains(&lost), "{lost} of 9900 ms");
}

#[test]
fn an_older_sample_changes_nothing() {
    let mut connection = of(vec![sample(0, full), sample(100, full)]);
    connection.observe(sample(50, |_| ()), None, None);
    connection.observe(sample(100, |_| ()), None, None);
    assert_eq!((connection.samples(), connection.limits().span().nanos()), (2, 100_000_000));
}

/// The peer spoke last, and nothing was said since: a server owes an answer, a client owes nothing.
#[test]
fn a_client_that_rests_loses_nothing() {
    let answered = |millis: i64| {
        sample(millis, |s| {
            s.info.bytes_received = Some(1);
            (s.info.last_data_sent, s.info.last_data_recv) = (Some(50), Some(40));
        })
    };
    let mut connection = of(vec![answered(0), answered(1000)]);
    assert_eq!(connection.limit_now(), Detail::Think.into());
    assert!(connection.lost_in_all().abs() < 1e-9);
    connection.is_server = true;
    assert!((connection.lost_in_all() - 1.0).abs() < 1e-9);
}

#[test]
fn rates_are_of_the_last_second() {
    let moves = |millis: i64, acked: u64| sample(millis, |s| s.info.bytes_acked = Some(acked));
    let connection = of(vec![moves(0, 0), moves(500, 70_000), moves(1000, 100_000), moves(1500, 500_000)]);
    assert!((connection.rates()[0].bytes_per_sec() - 100_000.0).abs() < 1.0);
    assert_eq!(connection.points().count(), 1);
}

#[test]
fn what_it_came_to_stays_without_its_course() {
    let moves = |millis: i64, acked: u64| sample(millis, |s| s.info.bytes_acked = Some(acked));
    let mut connection = of((0..10).map(|second| moves(second * 1000, second as u64 * 100_000)).collect());
    let [whole, rates] = [format!("{:?}", connection.conclude()), format!("{:?}", connection.rates())];
    connection.forget_course();
    assert_eq!([format!("{:?}", connection.conclude()), format!("{:?}", connection.rates())], [whole, rates]);
    assert_eq!(connection.points().count(), 1);
}

/// `LONGEST`, `CLOCKS_FROM` and who is idle: the parts of the time between two samples, in milliseconds.
#[test]
fn the_time_between_two_samples_is_divided() {
    type Change = fn(&mut SocketSample);
    let cwnd: Change = |s| {
        (s.send_queue, s.info.notsent_bytes, s.info.unacked) = (30_000, Some(10_000), Some(20));
    };
    let idle: Change = |_| ();
    for (what, from, to, nanos, expected) in [
        ("the same", full as Change, full as Change, 100, vec![("send_buffer", 100)]),
        ("two limits", full, cwnd, 100, vec![("congestion_window/other", 50), ("send_buffer", 50)]),
        ("5 s", full, full, 5_000, vec![("send_buffer", 5_000)]),
        ("more", full, full, 5_001, vec![("send_buffer", 5_000), ("unobserved", 1)]),
        ("idle", idle, idle, 60_000, vec![("application/idle", 60_000)]),
        ("idle at one end", idle, full, 100, vec![("send_buffer", 50), ("application/idle", 50)]),
    ] {
        let mut found = millis(&of(vec![sample(0, from), sample(nanos, to)]));
        let mut expected: Vec<_> = expected.into_iter().map(|(cause, nanos)| (cause.to_owned(), nanos)).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{what}");
    }
}

/// The kernel's clocks count from 200 ms on. A value up to one tick below the total counts as the total, and
/// the window's clock never exceeds the busy clock.
#[test]
fn clocks_are_trusted_to_a_tick() {
    let of_clocks = |busy: u64, window: u64, nanos: i64| {
        let clocks =
            |busy, window| sample(0, |s| (s.info.busy_time, s.info.rwnd_limited) = (Some(busy), Some(window))).socket;
        sampled::clocks(&clocks(7, 7), &clocks(7 + busy, 7 + window), nanos)
    };
    for (what, busy, window, expected) in [
        ("as counted", 500_000, 200_000, (500, 200)),
        ("a tick less than all", 990_000, 0, (990, 0)),
        ("less than a tick less", 990_001, 0, (1_000, 0)),
        ("more than all", 2_000_000, 0, (1_000, 0)),
        ("more window than busy", 500_000, 600_000, (500, 500)),
    ] {
        let found = of_clocks(busy, window, 1_000_000_000).map(|(busy, window)| (busy / 1_000_000, window / 1_000_000));
        assert_eq!(found, Some(expected), "{what}");
    }
    let counted = |nanos: i64| {
        let clocks = |millis, busy| {
            sample(millis, |s| {
                full(s);
                (s.info.busy_time, s.info.rwnd_limited) = (Some(busy), Some(0));
            })
        };
        of(vec![clocks(0, 0), clocks(nanos, 100_000)]).limits().nanos_of(Limit::Application) / 1_000_000
    };
    assert_eq!([199, 200].map(counted), [0, 100]);
}

/// A reader that stops again and again: most of the time the window is small, part of it closed.
#[test]
fn a_window_that_closes_again_and_again_names_the_reader() {
    let verdict = |closed_every: i64| {
        let window = |step: i64| {
            move |s: &mut SocketSample| {
                (s.send_queue, s.info.notsent_bytes, s.info.unacked) = (90_000, Some(80_000), Some(10));
                (s.info.snd_cwnd, s.info.bytes_acked) = (Some(400), Some(step as u64 * 10_000));
                s.info.snd_wnd = Some(if step % closed_every == 0 { 0 } else { 10_500 });
            }
        };
        let connection = of((0..100).map(|step| sample(step * 100, window(step))).collect());
        connection.conclude().halves[0].verdict.cause.unwrap().to_string()
    };
    assert_eq!(verdict(4), "receive_window/zero_window");
    assert_eq!(verdict(10), "receive_window");
}

/// The side to speak of receives where the peer sent more and nothing waits to be sent.
#[test]
fn the_side_to_speak_of_is_the_one_that_got_more() {
    for (what, sent, received, queue, expected) in [
        ("more received", 1000, 1001, 0, true),
        ("as much", 1000, 1000, 0, false),
        ("something waits to be sent", 1000, 1001, 1, false),
        ("nothing received", 0, 0, 0, false),
    ] {
        let connection = of(vec![
            sample(0, |_| ()),
            sample(100, |s| {
                (s.info.bytes_acked, s.info.bytes_received, s.send_queue) = (Some(sent), Some(received), queue);
            }),
        ]);
        assert_eq!(connection.is_receiver(), expected, "{what}");
    }
}
