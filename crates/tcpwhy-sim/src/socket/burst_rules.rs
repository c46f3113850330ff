//! Separate tests for the rules of burst sizes.

use super::output::Nagle;
use super::sending_rules::{MSS, connected, enqueue, leave, rules, write};
use crate::congestion::{Control, Window};
use crate::rules::Rules;
use crate::time::{MICROSECOND, MILLISECOND, SECOND};

/// `sk_stream_wait_memory`: a writer that finds no room waits for it (`SOCK_NOSPACE`).
#[test]
fn a_full_buffer_is_awaited() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    socket.queue.limit = 0;
    assert_eq!(socket.write_some(SECOND, 100, false), 0);
    assert!(socket.queue.is_awaited);
}

/// `tcp_snd_wnd_test`: a small segment needs only as much room as its own bytes.
#[test]
fn a_small_segment_fits_a_small_window() {
    for (window, sent) in [(99, 0), (100, 100)] {
        let mut socket = connected(rules(), 40 * MILLISECOND);
        socket.window_end = window;
        assert_eq!(write(&mut socket, SECOND, 100), sent, "{window}");
    }
}

/// `tcp_max_tso_deferred_mss`: without a divisor, more than three segments do not wait.
#[test]
fn more_than_three_segments_do_not_wait() {
    for (window, sent) in [(12, 0), (13, 4 * MSS)] {
        let mut socket = connected(Rules { window_divisor: 0, ..rules() }, MILLISECOND);
        socket.window.size = 9;
        enqueue(&mut socket, 40 * MSS);
        socket.push(SECOND, Nagle::Push);
        assert_eq!(leave(&mut socket, SECOND), 9 * MSS);
        socket.window.size = window;
        let now = SECOND + 600 * MICROSECOND;
        socket.push(now, Nagle::Push);
        assert_eq!(leave(&mut socket, now), sent, "{window}");
    }
}

/// `tcp_tso_autosize`: the bytes of 1/1024 s at the pacing rate (`sk_pacing_shift`).
#[test]
fn a_burst_takes_a_millisecond() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    socket.pacing_rate = Some(1_024_000);
    assert_eq!(socket.paced_bytes(), 1_000);
}

/// `tcp_tso_autosize`: on short paths bursts are larger, by 65,215 bytes halved for each 512 µs. At least two
/// segments (`tcp_min_tso_segs`).
#[test]
fn bursts_are_larger_on_short_paths() {
    for (round_trip, segments) in [(511, 45), (512, 22), (1_024, 11), (2_048, 2), (100_000, 2)] {
        let mut socket = connected(rules(), round_trip * MICROSECOND);
        socket.pacing_rate = Some(0);
        assert_eq!(socket.burst_segments(), segments, "{round_trip}");
    }
}

/// `tcp_is_cwnd_limited`: in slow start, the window may grow if more than half of it was used.
#[test]
fn half_of_a_window_makes_it_grow() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    for (most, is_used) in [(5, false), (6, true)] {
        (socket.window.size, socket.usage.most_out) = (10, most);
        assert_eq!(socket.is_window_used(), is_used, "{most}");
    }
    socket.window.threshold = 10;
    assert!(!socket.is_window_used(), "no slow start");
}

/// `tcp_reno_ssthresh`: half of the window, and at least two segments.
#[test]
fn two_segments_are_left() {
    let cut = |size| Control::Reno.threshold_after_loss(&Window::new(size));
    assert_eq!([10, 5, 3, 1].map(cut), [5, 2, 2, 2]);
}
