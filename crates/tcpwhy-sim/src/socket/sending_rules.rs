//! Separate tests for the rules of the kernel's sending side.

use super::Socket;
use super::output::Nagle;
use super::recovery::{Phase, Probe};
use super::shown::State;
use crate::rules::{Algorithm, Rules};
use crate::segment::{SACK_BLOCKS, Segment};
use crate::testing;
use crate::time::{MICROSECOND, MILLISECOND, SECOND, Time};

pub(super) const MSS: u64 = 1_448;
/// Larger than all data sent here.
const WIDE: u64 = 1 << 30;

/// Rules without pacing, and with Reno's growth.
pub(super) fn rules() -> Rules {
    Rules { algorithm: Algorithm::Reno, sndbuf: 4 << 20, is_sndbuf_set: true, ..testing::rules() }
}

/// A socket with a known round trip, whose peer has an unlimited window.
pub(super) fn connected(rules: Rules, round_trip: Time) -> Socket {
    let mut socket = Socket::new(rules);
    socket.state = State::Established;
    (socket.peer_window, socket.largest_peer_window, socket.window_end) = (WIDE, WIDE, WIDE);
    socket.round_trip.sample(round_trip, round_trip, 0, 0, 0);
    socket
}

/// Time when a timer set at `now` for `wait` fires, in ticks (`ticks`).
pub(super) fn fires(now: Time, wait: Time) -> Time {
    let ticks = testing::rules().ticks;
    ticks.fires(now, ticks.of(wait))
}

/// Puts bytes into one waiting buffer, without a send.
pub(super) fn enqueue(socket: &mut Socket, bytes: u64) {
    socket.queue.begin();
    socket.queue.append(bytes, true);
}

/// Writes bytes, and lets sent ones leave the host. Returns the number of sent bytes.
pub(super) fn write(socket: &mut Socket, now: Time, bytes: u64) -> u64 {
    let mut left = bytes;
    while left > 0 {
        left -= socket.write_some(now, left, left < bytes);
    }
    socket.end_write(now);
    leave(socket, now)
}

/// Lets sent bursts leave the host. Returns their bytes.
pub(super) fn leave(socket: &mut Socket, now: Time) -> u64 {
    let mut sent = 0;
    while let Some(burst) = socket.poll_transmit() {
        sent += burst.segment.len;
        socket.on_left_host(now, burst.memory, true);
    }
    sent
}

/// Delivers an ACK of all data before `ack`, which echoes a segment sent at `echo`.
pub(super) fn ack(socket: &mut Socket, now: Time, ack: u64, echo: Time) {
    let segment = Segment { ack, window: WIDE, stamp: now, echo, frames: 1, ..Segment::default() };
    socket.on_segment(now, &segment);
}

/// Delivers an ACK that also sacks the segments from `from` to `to`.
pub(super) fn sack(socket: &mut Socket, now: Time, una: u64, from: u64, to: u64) {
    let mut sack = [(0, 0); SACK_BLOCKS];
    sack[0] = (from * MSS, to * MSS);
    let segment = Segment { ack: una, window: WIDE, sack, stamp: now, echo: 1, frames: 1, ..Segment::default() };
    socket.on_segment(now, &segment);
}

/// `forced_push`: within a write, data is pushed once half of the largest window has been written. Buffers
/// are half of a window of 100,000 bytes, in whole segments: 34.
#[test]
fn half_of_the_largest_window_is_pushed() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    (socket.largest_peer_window, socket.window.size) = (100_000, 1_000);
    assert_eq!(socket.write_some(0, 300_000, false), 34 * MSS);
    assert_eq!(socket.queue.pushed, 0, "49,232 are no half");
    assert_eq!(socket.write_some(0, 200_000, true), 34 * MSS);
    assert_eq!(socket.queue.pushed, 2 * 34 * MSS);
}

/// `tcp_should_autocork`: a small buffer waits while the host has more memory queued than its own
/// (`skb->truesize`).
#[test]
fn a_small_buffer_waits_for_others_only() {
    for (more, leaves) in [(0, true), (1, false)] {
        let mut socket = connected(Rules { has_nodelay: true, ..rules() }, 40 * MILLISECOND);
        write(&mut socket, SECOND, 2 * MSS);
        socket.in_host = 100 + socket.rules.skb_overhead + more;
        assert_eq!(socket.write_some(SECOND, 100, false), 100);
        socket.end_write(SECOND);
        assert_eq!(socket.poll_transmit().is_some(), leaves, "{more}");
    }
}

/// `__sk_stream_memory_free`: a woken writer finds half of `tcp_notsent_lowat` free.
#[test]
fn half_of_the_unsent_mark_wakes() {
    for (unsent, wakes) in [(4_999, true), (5_000, false)] {
        let mut socket = connected(Rules { most_unsent: 10_000, ..rules() }, 40 * MILLISECOND);
        enqueue(&mut socket, unsent);
        assert_eq!((socket.is_writeable(), socket.has_room()), (wakes, true), "{unsent}");
    }
}

/// `tcp_cwnd_test`: a burst has at most half of the congestion window.
#[test]
fn a_burst_is_half_of_the_window() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    socket.window.size = 8;
    enqueue(&mut socket, 20 * MSS);
    socket.transmit(SECOND, Nagle::Push, true);
    assert_eq!(socket.poll_transmit().unwrap().segment.len, 4 * MSS);
}

/// `tcp_tso_should_defer`: if less than a third of the window is free, a burst waits for an ACK that is due
/// within half of a round trip.
#[test]
fn a_burst_waits_for_a_near_ack() {
    for (after, sent) in [(400, MSS), (600, 0)] {
        let mut socket = connected(rules(), MILLISECOND);
        socket.window.size = 9;
        enqueue(&mut socket, 40 * MSS);
        socket.push(SECOND, Nagle::Push);
        assert_eq!(leave(&mut socket, SECOND), 9 * MSS);
        socket.window.size = 10;
        let now = SECOND + after * MICROSECOND;
        socket.push(now, Nagle::Push);
        assert_eq!(leave(&mut socket, now), sent, "{after} us");
    }
}

/// Minshall's variant of Nagle's algorithm: a small segment waits only for an earlier small one.
#[test]
fn a_small_segment_waits_for_a_small_one() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    assert_eq!(write(&mut socket, SECOND, 100), 100);
    assert_eq!(write(&mut socket, SECOND, 100), 0);
    ack(&mut socket, SECOND + 40 * MILLISECOND, 100, SECOND);
    assert_eq!(leave(&mut socket, SECOND + 40 * MILLISECOND), 100);
    let mut socket = connected(rules(), 40 * MILLISECOND);
    assert_eq!(write(&mut socket, SECOND, MSS), MSS);
    assert_eq!(write(&mut socket, SECOND, 100), 100, "only full ones are on their way");
}

/// `tcp_small_queue_check`: one buffer is always accepted (`tcp_rtx_queue_empty_or_single_skb`).
#[test]
fn one_buffer_always_enters_the_host() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    socket.in_host = WIDE;
    enqueue(&mut socket, 20 * MSS);
    socket.queue.take(MSS);
    assert!(!socket.is_host_full(MSS));
    socket.queue.take(MSS);
    assert!(socket.is_host_full(MSS));
}

/// `tcp_mss_split_point`: the peer's window ends within a segment. The partial segment waits if Nagle's
/// algorithm holds small ones.
#[test]
fn a_part_at_the_windows_end_follows_nagle() {
    for (nagle, part) in [(Nagle::On, 0), (Nagle::Off, 700)] {
        let mut socket = connected(rules(), 40 * MILLISECOND);
        socket.window.size = 100;
        assert_eq!(write(&mut socket, SECOND, 100), 100);
        socket.window_end = 100 + 10 * MSS + 700;
        enqueue(&mut socket, 30 * MSS);
        // No burst is deferred after an idle time.
        let now = SECOND + 2 * MILLISECOND;
        socket.push(now, nagle);
        assert_eq!(leave(&mut socket, now), 10 * MSS + part, "{nagle:?}");
    }
}

/// `tcp_cwnd_application_limited`: after one timeout, the window moves half way to its used part.
#[test]
fn an_unused_window_shrinks_half_way() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    (socket.window.size, socket.window.threshold, socket.usage.used) = (40, 20, 12);
    let rto = socket.round_trip.rto();
    socket.validate_window(rto - 1, false);
    assert_eq!(socket.window.size, 40);
    socket.validate_window(rto, false);
    // The threshold becomes three quarters of the window.
    assert_eq!((socket.window.size, socket.window.threshold), (26, 30));
}

/// `tcp_cwnd_restart`: the window halves per timeout of idle time, down to the initial window.
#[test]
fn a_rest_halves_the_window() {
    for (halves, size) in [(2, 64), (3, 32), (5, 16), (9, 10)] {
        let mut socket = connected(rules(), 40 * MILLISECOND);
        (socket.window.size, socket.window.threshold, socket.last_sent) = (64, 20, SECOND);
        socket.restart_after_rest(SECOND + socket.round_trip.rto() * halves / 2);
        let threshold = if halves == 2 { 20 } else { 48 };
        assert_eq!((socket.window.size, socket.window.threshold), (size, threshold), "{halves}");
    }
}

/// `tcp_update_pacing_rate`: 200 % below half of the threshold, then 120 %.
#[test]
fn the_pacing_ratio_changes_at_half_of_the_threshold() {
    let mut socket = connected(rules(), 100 * MILLISECOND);
    for (size, rate) in [(49, 10 * 49 * MSS * 2), (50, 10 * 50 * MSS * 6 / 5)] {
        (socket.window.size, socket.window.threshold) = (size, 100);
        socket.update_pacing_rate();
        assert_eq!(socket.pacing_rate, Some(rate), "{size}");
    }
}

/// `tcp_bound_to_half_wnd`: half of the largest window, or all of one up to 536 bytes.
#[test]
fn segments_fit_a_small_window() {
    let mut socket = connected(rules(), 100 * MILLISECOND);
    for (window, mss) in [(400, 400), (536, 536), (537, 268), (1_000, 500), (100_000, MSS)] {
        socket.largest_peer_window = window;
        assert_eq!(socket.mss(), mss, "{window}");
    }
}

/// `tcp_should_expand_sndbuf`: no growth while the congestion window is full; otherwise to twice the window.
#[test]
fn a_full_window_keeps_the_send_buffer() {
    let mut socket = connected(Rules { is_sndbuf_set: false, ..rules() }, 40 * MILLISECOND);
    socket.queue.limit = 16_384;
    enqueue(&mut socket, 40 * MSS);
    socket.push(SECOND, Nagle::Push);
    assert_eq!(socket.sent.in_flight(), 10);
    socket.expand_send_buffer(SECOND);
    assert_eq!(socket.queue.limit, 16_384);
    socket.window.size = 20;
    socket.expand_send_buffer(SECOND);
    assert_eq!(socket.queue.limit, 2 * 20 * socket.rules.memory_per_segment);
}

/// A socket with ten segments in flight, sent at 1 s.
pub(super) fn ten(rules: Rules, round_trip: Time) -> Socket {
    let mut socket = connected(rules, round_trip);
    assert_eq!(write(&mut socket, SECOND, 10 * MSS), 10 * MSS);
    socket
}

/// `tcp_rack_reo_wnd`, `tcp_rack_reo_timeout`: an overtaken segment has a quarter of the minimum round trip,
/// plus `TCP_TIMEOUT_MIN_US`.
#[test]
fn reordering_is_awaited_for_a_quarter() {
    let mut socket = ten(rules(), 40 * MILLISECOND);
    let now = SECOND + 40 * MILLISECOND;
    sack(&mut socket, now, 0, 1, 2);
    assert_eq!(socket.next_timer(), Some(fires(now, 12 * MILLISECOND)));
    assert_eq!(socket.counts.retransmitted, 0);
    // Three later segments are delivered, so it is lost (RFC 8985 §6.2).
    sack(&mut socket, now, 0, 1, 4);
    assert_eq!((socket.recovery.phase, socket.counts.retransmitted), (Phase::Recovery, 1));
}

/// RFC 6937: below the threshold, the window grows only up to the threshold.
#[test]
fn rate_reduction_ends_at_the_threshold() {
    let mut socket = ten(rules(), 40 * MILLISECOND);
    socket.begin_reduction();
    assert_eq!(socket.window.threshold, 5);
    socket.sent.sack((3 * MSS, 10 * MSS), |_| {});
    assert_eq!(socket.sent.in_flight(), 3);
    socket.reduce(7, 0, true);
    assert_eq!(socket.window.size, 5);
}

/// RFC 3522: only an echo older than the retransmission shows that it was spurious. Timestamps are
/// milliseconds.
#[test]
fn an_echo_of_the_retransmission_undoes_nothing() {
    for (sooner, is_undone) in [(0, false), (MILLISECOND, true)] {
        let mut socket = ten(Rules { has_tail_probes: false, ..rules() }, 40 * MILLISECOND);
        let timeout = socket.next_timer().unwrap();
        socket.on_timer(timeout);
        // Nothing is in flight, and one segment is retransmitted (`tcp_enter_loss`).
        assert_eq!((socket.window.size, socket.counts.retransmitted), (1, 1));
        ack(&mut socket, timeout + 5 * MILLISECOND, MSS, timeout - sooner);
        assert_eq!(socket.window.size >= 10, is_undone, "{sooner}: {:?}", socket.window);
    }
}

/// `tcp_timeout_mark_lost`: segments sent less than a round trip before a timeout are not marked lost.
#[test]
fn a_timeout_spares_what_was_just_sent() {
    let mut socket = connected(Rules { has_tail_probes: false, ..rules() }, 40 * MILLISECOND);
    write(&mut socket, SECOND, MSS);
    ack(&mut socket, SECOND + 40 * MILLISECOND, MSS, SECOND);
    write(&mut socket, 2 * SECOND, 2 * MSS);
    let timeout = socket.next_timer().unwrap();
    write(&mut socket, timeout - 10 * MILLISECOND, 3 * MSS);
    socket.on_timer(timeout);
    assert_eq!((socket.sent.count(), socket.sent.lost), (5, 2));
}

/// `tcp_schedule_loss_probe`: after two round trips and 2 ms. A single segment has 200 ms more, because its
/// ACK may be delayed, but at most the timeout.
#[test]
fn a_tail_is_probed_after_two_round_trips() {
    for (segments, wait) in [(2, 42), (1, 220)] {
        let mut socket = connected(rules(), 20 * MILLISECOND);
        write(&mut socket, SECOND, segments * MSS);
        assert_eq!(socket.next_timer(), Some(fires(SECOND, wait * MILLISECOND)), "{segments}");
    }
}

/// RFC 6298 §5.5: each timeout doubles the next one.
#[test]
fn timeouts_double() {
    let mut socket = connected(Rules { has_tail_probes: false, ..rules() }, 20 * MILLISECOND);
    write(&mut socket, SECOND, MSS);
    for wait in [220, 440, 880, 1_760] {
        let now = socket.last_sent;
        let due = socket.next_timer().unwrap();
        assert_eq!(due, fires(now, wait * MILLISECOND), "{wait}");
        socket.on_timer(due);
        leave(&mut socket, due);
    }
}

/// `tcp_send_probe0`: the interval of zero window probes doubles.
#[test]
fn window_probes_double() {
    let mut socket = connected(rules(), 20 * MILLISECOND);
    (socket.window_end, socket.peer_window) = (0, 0);
    write(&mut socket, SECOND, MSS);
    let mut now = SECOND;
    for wait in [220, 440, 880, 1_760] {
        let due = socket.next_timer().unwrap();
        assert_eq!(due, fires(now, wait * MILLISECOND), "{wait}");
        socket.on_timer(due);
        assert_eq!(leave(&mut socket, due), 0);
        now = due;
    }
}

/// `tcp_rearm_rto`: after a tail loss probe, the timeout counts from the send of the first segment.
#[test]
fn a_probe_does_not_put_the_timeout_off() {
    let mut socket = connected(rules(), 20 * MILLISECOND);
    write(&mut socket, SECOND, 2 * MSS);
    let probe = socket.next_timer().unwrap();
    assert_eq!(probe, fires(SECOND, 42 * MILLISECOND));
    // New data while the probe is due: 20 ms plus 200 ms since the first send.
    let late = SECOND + 30 * MILLISECOND;
    socket.recovery.phase = Phase::Recovery;
    socket.rearm(late);
    assert_eq!(socket.next_timer(), Some(fires(SECOND, 220 * MILLISECOND)));
    socket.rearm(late);
    assert_eq!(socket.next_timer(), Some(fires(late, 220 * MILLISECOND)));
}

/// `tcp_process_tlp_ack`: an answer to a probe of new data shows no loss.
#[test]
fn an_answered_probe_of_new_data_cuts_nothing() {
    let mut socket = ten(rules(), 20 * MILLISECOND);
    socket.recovery.probe = Some(Probe { end: 9 * MSS, is_resent: false });
    ack(&mut socket, SECOND + 20 * MILLISECOND, 10 * MSS, SECOND);
    assert!(socket.recovery.probe.is_none() && socket.window.size >= 10, "{:?}", socket.window);
}

/// RFC 6298 §2 as in `tcp_rtt_estimator`: a round trip that is shorter by more than the variation counts an
/// eighth. 100 ms, then 20 ms: smoothed 90 ms, variation 200 ms plus (80 - 50) / 8. The timeout is rounded up
/// to ticks.
#[test]
fn a_shorter_round_trip_hardly_varies() {
    let mut socket = connected(rules(), 100 * MILLISECOND);
    socket.round_trip.sample(20 * MILLISECOND, 20 * MILLISECOND, 0, 0, 1);
    assert_eq!(socket.round_trip.rto(), rules().ticks.round_up(293_750 * MICROSECOND));
}

/// `tcp_rate_check_app_limited`: a lost segment that waits for its retransmission counts as data to send.
#[test]
fn lost_segments_are_more_to_send() {
    for lost in [0, 1] {
        let mut socket = connected(rules(), 20 * MILLISECOND);
        enqueue(&mut socket, 10 * MSS);
        socket.push(SECOND, Nagle::Push);
        leave(&mut socket, SECOND);
        (socket.window.size, socket.sent.lost) = (20, lost);
        socket.begin_write();
        assert_eq!(socket.connection(SECOND).is_app_limited, lost == 0, "{lost}");
    }
}

/// `tcp_update_skb_after_send`: idle time is credited up to half of the time of the sent bytes. 10,000 bytes
/// at 1 MB/s take 10 ms.
#[test]
fn half_of_a_burst_is_credited() {
    let mut socket = connected(Rules { algorithm: Algorithm::Bbr, ..rules() }, 20 * MILLISECOND);
    (socket.counts.data_segments, socket.pacing_rate) = (10, Some(1_000_000));
    for (rest, wait) in [(500, 5), (2, 8)] {
        socket.write_stamp = SECOND;
        socket.pace(10_000, SECOND - rest * MILLISECOND);
        assert_eq!(socket.write_stamp, SECOND + wait * MILLISECOND);
    }
}
