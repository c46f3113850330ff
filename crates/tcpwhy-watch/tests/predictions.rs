//! How fast a live connection would be after the change, from the kernel's numbers of its socket.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_model::host::{SocketSample, TcpState};
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{Basis, Limit, Prediction, Timestamp};
use tcpwhy_watch::LiveHost;

const MSS: u64 = 1448;
/// Smallest and smoothed round trip, µs.
const RTT: u64 = 20_000;

/// Ten seconds of a sender at 7 Mbit/s. `change` sets what its socket shows in each 0.1 s.
fn predicted(change: impl Fn(i64, &mut SocketSample)) -> Option<Prediction> {
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
    let whole = host.connection(key).unwrap().conclude();
    whole.halves[0].findings.first()?.prediction.clone()
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

#[test]
fn what_a_busy_path_delivered_is_its_rate() {
    // For three of ten seconds the congestion window was full, behind a queue, and 2 MB/s came through.
    let then = predicted(|tenth, socket| {
        if tenth < 30 {
            let info = &mut socket.info;
            (info.snd_cwnd, info.unacked, info.notsent_bytes) = (Some(12), Some(12), Some(100_000));
            (info.rtt, info.snd_ssthresh) = (Some(3 * RTT), Some(5));
            (info.delivery_rate, info.delivery_rate_app_limited) = (Some(2_000_000), Some(0));
            socket.send_queue = 117_376;
            socket.memory.send_buffer = Some(4_000_000);
        }
    })
    .unwrap();
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
