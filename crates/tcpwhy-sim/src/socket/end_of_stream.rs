//! Tests of the end of a stream: effect and memory of a FIN.

use super::Socket;
use crate::segment::{Kind, Segment};
use crate::testing::rules;
use crate::time::MILLISECOND;

const MSS: u64 = 1_448;

/// A connected socket without unsent data.
fn connected() -> Socket {
    let mut socket = Socket::new(rules());
    socket.open(0);
    let answer = Segment { kind: Kind::SynAck, window: 65_535, stamp: 1, frames: 1, ..Segment::default() };
    socket.on_segment(MILLISECOND, &answer);
    while socket.poll_transmit().is_some() {}
    socket
}

fn data(seq: u64, len: u64, is_fin: bool) -> Segment {
    Segment { seq, len, is_fin, stamp: MILLISECOND, frames: 1, ..Segment::default() }
}

/// `tcp_recvmsg_locked` frees the buffer of the FIN with the last byte before it.
#[test]
fn the_last_read_gives_all_memory_back() {
    let mut socket = connected();
    socket.on_segment(2 * MILLISECOND, &data(0, 100, false));
    socket.on_segment(2 * MILLISECOND, &data(100, 0, true));
    assert!(socket.memory()[2] > 0);
    assert_eq!(socket.read(3 * MILLISECOND, 1_000), Some(100));
    assert_eq!(socket.memory(), [0; 3]);
    assert!(socket.is_drained());
    assert_eq!((socket.received(), socket.progress()), ([101, 100], [0; 3]));
    assert_eq!(socket.read(3 * MILLISECOND, 1_000), Some(0), "the end");
}

/// The same without data before the FIN.
#[test]
fn reading_the_end_gives_its_memory_back() {
    let mut socket = connected();
    socket.on_segment(2 * MILLISECOND, &data(0, 0, true));
    assert!(socket.memory()[2] > 0);
    assert_eq!(socket.read(3 * MILLISECOND, 1_000), Some(0));
    assert_eq!(socket.memory()[2], 0);
}

/// A reset connection is closed without a FIN (`tcp_shutdown` sends one only in some states).
#[test]
fn a_broken_connection_announces_no_end() {
    let mut socket = connected();
    socket.on_segment(2 * MILLISECOND, &Segment { kind: Kind::Reset, ..Segment::default() });
    assert!(socket.is_broken());
    socket.finish(3 * MILLISECOND);
    assert_eq!((socket.poll_transmit(), socket.next_timer()), (None, None));
}

/// A FIN beyond the window is dropped with its segment (`tcp_data_queue`), and the stream continues.
#[test]
fn an_end_beyond_the_window_is_none() {
    let mut socket = connected();
    socket.on_segment(2 * MILLISECOND, &data(10_000_000, 100, true));
    socket.on_segment(2 * MILLISECOND, &data(10_000_000, 0, true));
    socket.on_segment(2 * MILLISECOND, &data(0, MSS, false));
    socket.on_segment(2 * MILLISECOND, &data(MSS, MSS, false));
    assert_eq!(socket.read(3 * MILLISECOND, 10_000), Some(2 * MSS));
    assert_eq!(socket.read(3 * MILLISECOND, 10_000), None);
    socket.check();
}

/// `tcp_fin` drops data after the end, and in CLOSE-WAIT no more data is accepted.
#[test]
fn nothing_follows_the_end() {
    let mut socket = connected();
    socket.on_segment(2 * MILLISECOND, &data(3 * MSS, MSS, false));
    socket.on_segment(2 * MILLISECOND, &data(0, MSS, true));
    socket.on_segment(2 * MILLISECOND, &data(MSS + 1, MSS, false));
    socket.check();
    assert_eq!(socket.received()[0], MSS + 1, "the data, and the FIN");
    assert_eq!(socket.read(3 * MILLISECOND, 10_000), Some(MSS));
    assert_eq!((socket.read(3 * MILLISECOND, 10_000), socket.memory()[2]), (Some(0), 0));
}

/// The same if the end is within data after a hole, in the first of two buffers.
#[test]
fn nothing_follows_an_end_behind_a_hole() {
    let mut socket = connected();
    for (seq, is_fin) in [(3 * MSS, false), (MSS, true), (2 * MSS, false), (0, false)] {
        socket.on_segment(2 * MILLISECOND, &data(seq, MSS, is_fin));
        socket.check();
    }
    assert_eq!(socket.received()[0], 2 * MSS + 1);
    assert_eq!(socket.read(3 * MILLISECOND, 10_000), Some(2 * MSS));
    assert_eq!((socket.read(3 * MILLISECOND, 10_000), socket.memory()[2]), (Some(0), 0));
}
