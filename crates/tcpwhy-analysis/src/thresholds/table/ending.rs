//! Thresholds for the end of a connection (`connection/{exchange,reset}.rs`, `facts/half/mod.rs`). They
//! change no label before the end of the transfer, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::direction;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::Threshold;

thresholds! {
    after direction::END;

    // Requests without an answer.

    /// While the connection is open, an answer may still come within this time.
    UNANSWERED_OPEN: i64 = 5_000_000_000, "ns", "chosen: half of the time after which a user turns away, `WAIT_MOST`", UNMEASURED;
    /// A request counts as unanswered if it waited this many times longer than any answered one.
    UNANSWERED_LONGER: i64 = 4, "longest waits", "chosen above what servers of several kinds of requests differ by", UNMEASURED;
    /// A sender that continues after a long silence without an answer does not expect one. The exception
    /// needs this many answered messages per such silence.
    UNANSWERED_RESTS: u32 = 4, "answered messages", CHOSEN, UNMEASURED;

    /// If no connection has a packet for longer than this, nothing shows that the capture continued.
    CAPTURE_GAP: i64 = 60_000_000_000, "ns", "chosen: captures that are merged are further apart", UNMEASURED;

    // Holes that were never filled.

    /// A hole that has been open for this long at the end would not have been repaired soon.
    HOLE_LEFT_OPEN: i64 = 3_000_000_000, "ns", "four retransmission timeouts of Linux: 0.2 s and three doublings (RFC 6298 §5.5)", UNMEASURED;

    // Idle connections that are closed.

    /// A connection that was idle for a shorter time was not closed for being idle.
    IDLE_CLOSE: i64 = 1_000_000_000, "ns", "the least that servers are set to: nginx and Apache count whole seconds", UNMEASURED;

    // Resets.

    /// A host that still sends this long after its reset did not send the reset: packets overtake each other
    /// by less.
    RESET_OUTLIVED: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// At least this many packets after the reset acknowledge more than any before, which shows the same.
    RESET_OUTLIVED_ACKS: u32 = 3, "packets", CHOSEN, UNMEASURED;
    /// A reset came from another host if its hop count differs by this many routers from the other packets of
    /// its address.
    RESET_HOPS: u32 = 2, "routers", "chosen: a path that changes may gain or lose one", UNMEASURED;
}
