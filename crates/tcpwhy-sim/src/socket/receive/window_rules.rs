//! Separate tests for the rules of the kernel's receive window.

use tcpwhy_kernel::window::WindowShare;

use super::{Buffer, Receiving};
use crate::rules::Growth;
use crate::segment::Segment;
use crate::socket::Socket;
use crate::testing::rules;
use crate::time::{MILLISECOND, SECOND};

const MSS: u64 = 1_448;
const UNIT: u64 = 128;

/// A buffer of 1 MiB, of which half is window.
fn socket() -> Socket {
    let mut socket = Socket::new(rules());
    let receiving = &mut socket.receiving;
    (receiving.limit, receiving.share, receiving.scale) = (1 << 20, WindowShare::Ratio(128), 7);
    (receiving.clamp, receiving.threshold, receiving.segment) = (1 << 19, 1 << 19, MSS);
    receiving.offered = 0;
    socket
}

/// Adds an unread buffer with this much memory.
fn take(receiving: &mut Receiving, memory: u64) {
    receiving.queue.append(Buffer::new(receiving.stored, 0, MSS, memory));
}

/// `__tcp_select_window`: the window is zero if less than 1/16 of the maximum is free, here 32 KiB.
#[test]
fn a_sixteenth_closes_the_window() {
    for (free, window) in [(1 << 15, 1 << 15), ((1 << 15) - UNIT, 0)] {
        let mut socket = socket();
        take(&mut socket.receiving, (1 << 20) - 2 * free);
        assert_eq!(socket.receiving.selected(&mut socket.acknowledging), window);
    }
}

/// `tcp_cleanup_rbuf`: a read sends an update if the new window is at least twice the remaining one.
#[test]
fn a_window_twice_as_large_is_announced() {
    for (left, answers) in [(100 * UNIT, true), (100 * UNIT + 1, false)] {
        let mut socket = socket();
        (socket.receiving.threshold, socket.receiving.offered) = (200 * UNIT, left);
        assert_eq!(socket.reading_answers(), answers, "{left}");
    }
}

/// `__tcp_grow_window`: segments that waste memory let a small window grow by two full segments.
#[test]
fn small_segments_grow_the_window_by_two() {
    let mut receiving = socket().receiving;
    receiving.threshold = 65_536;
    assert!(receiving.grow(&Segment { len: 100, ..Segment::default() }, 1_024, 0));
    assert_eq!(receiving.threshold, 65_536 + 2 * MSS);
}

fn echoing(age: u64) -> Segment {
    Segment { len: MSS, echo: SECOND - age * MILLISECOND, frames: 1, ..Segment::default() }
}

/// `tcp_rcv_rtt_update`: an eighth of each new sample counts, so 100 ms and 20 ms give 90 ms. Since 6.16
/// shorter samples count fully, and longer ones by an eighth while no data waits to be read.
#[test]
fn round_trips_are_smoothed() {
    for (growth, before, sample, waiting, after) in [
        (Growth::Cushioned, 100, 20, 0, 90),
        (Growth::WithRise, 100, 20, 0, 20),
        (Growth::WithRise, 20, 100, 0, 30),
        (Growth::WithRise, 20, 100, 1, 20),
    ] {
        let mut receiving: Receiving = socket().receiving;
        receiving.version.growth = growth;
        (receiving.rtt, receiving.next) = (8_000 * before, waiting);
        receiving.measure_round_trip(&echoing(sample), SECOND);
        assert_eq!(receiving.rtt, 8_000 * after, "{before} {sample}");
    }
}

/// `tcp_rcv_rtt_measure`: if timestamps do not differ, the time of one window is the round trip.
#[test]
fn a_window_takes_a_round_trip() {
    let mut receiving = socket().receiving;
    receiving.rtt_since = Some(SECOND - 30 * MILLISECOND);
    receiving.measure_round_trip(&echoing(0), SECOND);
    assert_eq!(receiving.rtt, 0);
    receiving.measure_by_window(SECOND);
    assert_eq!(receiving.rtt, 8 * 30_000);
}

/// `__tcp_select_window`: with less than half of the buffer free, ACKs are delayed again.
#[test]
fn a_full_buffer_ends_quick_acks() {
    for (taken, quick) in [(1 << 18, 5), (3 << 18, 0)] {
        let mut socket = socket();
        take(&mut socket.receiving, taken);
        socket.acknowledging.quick = 5;
        socket.receiving.selected(&mut socket.acknowledging);
        assert_eq!(socket.acknowledging.quick, quick, "{taken}");
    }
}

/// `tcp_cleanup_rbuf`: a read acknowledges more than one segment.
#[test]
fn reading_acknowledges_more_than_a_segment() {
    for (unacknowledged, answers) in [(MSS, false), (MSS + 1, true)] {
        let mut socket = socket();
        (socket.receiving.offered, socket.receiving.next) = (1 << 19, unacknowledged);
        socket.acknowledging.is_scheduled = true;
        assert_eq!(socket.reading_answers(), answers, "{unacknowledged}");
    }
}

/// `tcp_collapse` moves data into buffers that waste little, here 1/16.
#[test]
fn collapsed_data_takes_little_more_than_itself() {
    let mut receiving = socket().receiving;
    receiving.append(Buffer::new(receiving.stored, 0, 1_000, 4_000));
    receiving.queue.collapse(0);
    assert_eq!(receiving.taken(), 1_000 + 62 + 16);
}

/// `tcp_rcv_space_adjust`: each round trip, the space grows to the bytes read in it.
#[test]
fn the_space_is_what_was_read_in_a_round_trip() {
    for (read, after, space) in [(10_001, 10, 10_001), (10_000, 10, 10_000), (20_000, 9, 10_000)] {
        let mut receiving = socket().receiving;
        (receiving.rtt, receiving.space, receiving.space_since) = (8 * 10_000, 10_000, SECOND);
        (receiving.read, receiving.next) = (read, read);
        let now = SECOND + after * MILLISECOND;
        receiving.clock = now;
        receiving.adjust_space();
        assert_eq!(receiving.space, space);
        let begun = if after == 10 { (read, now) } else { (0, SECOND) };
        assert_eq!((receiving.space_from, receiving.space_since), begun, "a new round trip");
    }
}

/// `tcp_grow_window`: the growth is at least twice the segment.
#[test]
fn the_window_grows_by_two_of_what_came() {
    let mut receiving = socket().receiving;
    (receiving.threshold, receiving.segment) = (65_536, 100);
    assert!(receiving.grow(&Segment { len: 900, ..Segment::default() }, 2_048, 0));
    assert_eq!(receiving.threshold, 65_536 + 1_800);
}
