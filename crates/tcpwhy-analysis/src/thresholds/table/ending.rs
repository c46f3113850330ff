//! How a connection ended (`connection/{exchange,reset}.rs`, `facts/half/mod.rs`). They move no label before
//! the end of the transfer, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::direction;
use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::Threshold;

thresholds! {
    after direction::END;

    // Requests without an answer.

    /// While nobody has closed the connection, an answer that takes no longer may still come.
    UNANSWERED_OPEN: i64 = 5_000_000_000, "ns", "chosen: half of the time after which a user turns away, `WAIT_MOST`", UNMEASURED;
    /// An answer that never came was awaited as many times longer than any that did.
    UNANSWERED_LONGER: i64 = 4, "longest waits", "chosen above what servers of several kinds of requests differ by", UNMEASURED;
    /// Whoever sends on after a long rest without an answer waits for none, unless as many messages per such
    /// rest were answered.
    UNANSWERED_RESTS: u32 = 4, "answered messages", CHOSEN, UNMEASURED;

    /// Where no connection has packets for longer, nothing shows that the capture went on.
    CAPTURE_GAP: i64 = 60_000_000_000, "ns", "chosen: captures that are merged are further apart", UNMEASURED;

    // Holes that were never filled.

    /// A hole that is open for as long at the end was not about to be repaired.
    HOLE_LEFT_OPEN: i64 = 3_000_000_000, "ns", "four retransmission timeouts of Linux: 0.2 s and three doublings (RFC 6298 §5.5)", UNMEASURED;

    // Idle connections that are closed.

    /// A connection that rested for no longer was not closed for being idle.
    IDLE_CLOSE: i64 = 1_000_000_000, "ns", "the least that servers are set to: nginx and Apache count whole seconds", UNMEASURED;

    // Resets.

    /// A host that speaks on so long after its reset did not send it: packets overtake each other by less.
    RESET_OUTLIVED: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// The same shows in as many packets that acknowledge more than any before.
    RESET_OUTLIVED_ACKS: u32 = 3, "packets", CHOSEN, UNMEASURED;
    /// A reset that passed so many routers more or fewer than the other packets of its address came from
    /// elsewhere.
    RESET_HOPS: u32 = 2, "routers", "chosen: a path that changes may gain or lose one", UNMEASURED;
}
