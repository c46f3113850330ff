//! How fast a live connection would be after the change, from the kernel's numbers of its socket.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_analysis::Connection;
use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{Basis, Claim, Limit, Method, Prediction, Timestamp};
use tcpwhy_watch::LiveHost;

const MSS: u64 = 1448;
/// Smallest and smoothed round trip, µs.
const RTT: u64 = 20_000;

/// Ten seconds of a sender at 7 Mbit/s. `change` sets what its socket shows in each 0.1 s.
fn concluded(change: impl Fn(i64, &mut SocketSample)) -> Connection {
    let mut host = LiveHost::new();
    let key = SocketKey { namespace: 1, cookie: 1 };
    for tenth in 0..=100_i64 {
        let mut socket =
            SocketSample { state: Some(TcpState::Established), send_queue: 16_384, ..SocketSample::default() };
        let info = &mut socket.info;
        (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(MSS), Some(280), Some(12));
        (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(3_100_000));
        (info.rtt, info.min_rtt, info.notsent_bytes) = (Some(RTT), Some(RTT), Some(0));
        (info.bytes_acked, info.bytes_received) = (Some(tenth as u64 * 87_500), Some(0));
        (info.total_retrans, info.delivery_rate) = (Some(0), Some(875_000));
        info.delivery_rate_app_limited = Some(1);
        (socket.memory.send_queued, socket.memory.send_buffer) = (Some(32_768), Some(32_768));
        change(tenth, &mut socket);
        host.observe(KernelSample { time: Timestamp::from_nanos(tenth * 100_000_000), key, socket });
    }
    host.connection(key).unwrap().conclude()
}

fn predicted(change: impl Fn(i64, &mut SocketSample)) -> Option<Prediction> {
    concluded(change).halves[0].findings.first()?.prediction.clone()
}

/// The kernel's numbers of a socket are enough to simulate it.
#[test]
fn a_socket_is_simulated_and_its_path_is_drawn() {
    let mut whole = concluded(|_, _| {});
    tcpwhy_fit::Budget::default().predict(&mut whole);
    let then = whole.halves[0].findings[0].prediction.clone().unwrap();
    let Method::Simulated { closeness, .. } = then.method else { panic!("{then:?}") };
    assert!(closeness > 0.9, "{closeness}");
    assert_eq!((then.claim, then.seconds.basis), (Claim::AtBestUntried, Basis::Assumed));
    let [fast, slow] = then.paths[..] else { panic!("{then:?}") };
    // 8.75 MB: 0.07 s at 1 Gbit/s and 0.72 s at 100 Mbit/s with headers, and slow start over 20 ms.
    assert!((0.15..0.4).contains(&fast.seconds), "{then:?}");
    assert!((0.75..1.0).contains(&slow.seconds), "{then:?}");
}

/// A path that was busy is simulated at the rate that it showed.
#[test]
fn a_socket_is_simulated_over_the_path_that_it_filled() {
    let mut whole = concluded(with_busy_path);
    tcpwhy_fit::Budget::default().predict(&mut whole);
    let then = whole.halves[0].findings[0].prediction.clone().unwrap();
    assert!(matches!(then.method, Method::Simulated { .. }), "{then:?}");
    assert_eq!((then.claim, then.seconds.basis, then.next_limit), (Claim::Range, Basis::KernelInferred, Limit::Path));
    // 8.75 MB at 2 MB/s, and slow start.
    assert!((4.2..5.5).contains(&then.seconds.value), "{then:?}");
}

#[test]
fn a_small_send_buffer_goes_and_the_path_is_assumed() {
    let then = predicted(|_, _| {}).unwrap();
    // 8.75 MB, with a window that opens from ten segments: below a second, and no faster than a few round
    // trips.
    assert!((0.1..1.0).contains(&then.seconds.value), "{then:?}");
    assert!(then.seconds.low <= then.seconds.value && then.seconds.value <= then.seconds.high, "{then:?}");
    assert_eq!(then.seconds.basis, Basis::Assumed);
}

/// For three of ten seconds the congestion window was full, behind a queue, and 2 MB/s came through.
fn with_busy_path(tenth: i64, socket: &mut SocketSample) {
    if tenth < 30 {
        let info = &mut socket.info;
        (info.snd_cwnd, info.unacked, info.notsent_bytes) = (Some(12), Some(12), Some(100_000));
        (info.rtt, info.snd_ssthresh) = (Some(3 * RTT), Some(5));
        (info.delivery_rate, info.delivery_rate_app_limited) = (Some(2_000_000), Some(0));
        socket.send_queue = 117_376;
        socket.memory.send_buffer = Some(4_000_000);
    }
}

#[test]
fn what_a_busy_path_delivered_is_its_rate() {
    let then = predicted(with_busy_path).unwrap();
    assert_eq!((then.next_limit, then.seconds.basis), (Limit::Path, Basis::KernelInferred));
    // 8.75 MB at 2 MB/s.
    assert!((4.2..5.5).contains(&then.seconds.value), "{then:?}");
}

#[test]
fn other_time_stays_as_it_was() {
    let all = predicted(|_, _| {}).unwrap().seconds.value;
    // In the second half there is nothing to send.
    let half = predicted(|tenth, socket| {
        if tenth >= 50 {
            (socket.send_queue, socket.memory.send_queued, socket.info.unacked) = (0, Some(0), Some(0));
            socket.info.bytes_acked = Some(50 * 87_500);
        }
    });
    let half = half.unwrap().seconds.value;
    assert!(half > 4.8 && half < 5.5 + all, "{half}");
}

#[test]
fn without_a_round_trip_nothing_is_predicted() {
    assert_eq!(predicted(|_, socket| socket.info.min_rtt = None), None);
    assert_eq!(predicted(|_, socket| socket.info.min_rtt = Some(u64::from(u32::MAX))), None);
}
