//! A gap between two sends (`facts/half/ledger/gap.rs`). Time that a gap explains by itself is not in the
//! last column: it shows only what these numbers leave open.

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after 0;

    /// A writer that waited for its buffer goes on writing sooner.
    WRITER_WAKES: i64 = 200_000, "ns", "waking a writer takes tens of µs (measured on Linux 6.18)", [0.00, 0.00];
    /// Away from the sender: by its timestamps, a send that an ACK released follows it within this part of
    /// the round trip.
    RELEASED_TICKS: Ratio = Ratio(1, 20), "of least round trip", CHOSEN, [0.00, 0.00];
    /// The same is as many ticks of the timestamps at least.
    RELEASED_TICKS_LEAST: i64 = 1, "ms", "timestamps of Linux tick each millisecond", [0.00, 0.20];
    /// The same is no more ticks of the timestamps.
    RELEASED_TICKS_MOST: i64 = 5, "ms", CHOSEN, [0.00, 0.00];
    /// After as long a rest Linux restarts from a smaller congestion window.
    RESTART_AFTER_IDLE: i64 = 200_000_000, "ns", "a retransmission timeout (RFC 5681 §4.1), 200 ms at least on Linux (`TCP_RTO_MIN`)", [0.00, 0.00];
    /// Segmentation offload waits for more room than this part of the window rather than send a part.
    DEFERRED_ROOM: Ratio = Ratio(1, 3), "of largest window", "`tcp_tso_should_defer`, `tcp_tso_win_divisor`", [0.01, 0.00];
    /// Segmentation offload waits for no more room than this.
    DEFERRED_ROOM_MOST: u64 = 65_536, "bytes", "the largest super-packet by default (`GSO_LEGACY_MAX_SIZE`)", [0.02, 0.01];
    /// A fragment that left nothing to send was seen at most so long ago.
    FRAGMENT_ROUND_TRIPS: i64 = 2, "least round trips", CHOSEN, [0.00, 0.00];
    /// Whether bursts follow ACKs is smoothed: each changes it by this part.
    CLOCKED_SMOOTHING: u16 = 16, "bursts", CHOSEN, UNMEASURED;
    /// As many of the late bursts followed ACKs where these release each send.
    CLOCKED_SHARE: Ratio = Ratio(7, 8), "of bursts", CHOSEN, UNMEASURED;
    /// As much of what the congestion window had allowed is in flight where something is full.
    BRIM: Ratio = Ratio(7, 8), "of earlier flight", CHOSEN, UNMEASURED;
    /// How many bytes the peer's messages usually have is smoothed: each changes it by this part.
    WORD_SMOOTHING: u32 = 8, "segments", CHOSEN, UNMEASURED;
    /// More ACKs made room before the peer's message that data follows at once.
    PEER_AWAITED_ACKS: u32 = 2, "ACKs", CHOSEN, [0.00, 0.00];
    /// A turn that ends a window of a protocol above TCP has as many segments at least.
    WHOLE_TURN_SEGMENTS: u64 = 10, "segments", "chosen: with fewer, round trips are the cost, as MOST_SEGMENTS_A_TURN", UNMEASURED;
    /// Turns whose byte counts differ by no more end at the same.
    SAME_TURN: Ratio = Ratio(1, 32), "of its bytes", "chosen above the headers of records and frames (RFC 9113 §4.1, RFC 8446 §5.2)", UNMEASURED;
    /// As many turns of one byte count show that it repeats.
    WHOLE_TURNS_LEAST: u32 = 8, "turns", CHOSEN, UNMEASURED;
    /// A sender that waited for the peer's words goes on as soon after them.
    TURN_RESUMED: i64 = 16_400_000, "ns", "no host takes longer to wake a program, but for rare exceptions (`facts/half/ledger/wakes.rs`)", UNMEASURED;
    /// An initial congestion window holds as many bytes.
    INITIAL_WINDOW_BYTES: u64 = 4_380, "bytes", "RFC 3390 §1", UNMEASURED;
    /// It holds as many segments at least.
    INITIAL_WINDOW_LEAST: u64 = 2, "segments", "RFC 3390 §1", UNMEASURED;
    /// It holds no more segments.
    INITIAL_WINDOW_MOST: u64 = 4, "segments", "RFC 3390 §1", UNMEASURED;
    /// Where the order of sends and ACKs is not known, data as late after the last ACK followed none.
    SURELY_UNRELEASED: Ratio = Ratio(3, 8), "of least round trip", CHOSEN, [0.00, 0.00];
    /// The same data is as late at least.
    SURELY_UNRELEASED_LEAST: i64 = 1_000_000, "ns", "a tick of fine timestamps", [0.00, 0.00];
    /// As many ACKs made room that was left unused.
    UNUSED_ACKS: u32 = 2, "ACKs", CHOSEN, [0.83, 2.55];
    /// Those ACKs acknowledged as many segments.
    UNUSED_SEGMENTS: u64 = 2, "segments", CHOSEN, [0.08, 0.71];
    /// Those ACKs acknowledged as much of what was in flight.
    UNUSED_FLIGHT: Ratio = Ratio(2, 9), "of flight", "chosen; offload holds back up to a third of a small window (`tcp_tso_should_defer`)", [0.96, 0.63];
    /// A small segment that waits for an ACK follows no more than this in flight.
    HELD_SEGMENTS: u64 = 3, "segments", CHOSEN, [0.00, 0.00];
    /// Its ACK was delayed if it came later than the path explains by as much of the round trip.
    ACK_DELAY: Ratio = Ratio(1, 2), "of least round trip", CHOSEN, [0.00, 0.00];
    /// A delayed ACK comes as much later at least.
    ACK_DELAY_LEAST: i64 = 15_000_000, "ns", "chosen below Linux's shortest timer of delayed ACKs, 40 ms (`TCP_DELACK_MIN`)", [0.00, 0.00];

    // Long silences in which nothing was in flight.

    /// A silence of this length may be one in which the connection was only kept, or left to be closed.
    LONG_REST: i64 = 1_000_000_000, "ns", "a first retransmission timeout (RFC 6298 §2.1): no round trip of a transfer lasts longer", UNMEASURED;
    /// A goodbye and a heartbeat are no longer than this.
    SMALL_MESSAGE: u64 = 150, "bytes", "chosen above TLS alerts, HTTP/2's GOAWAY and PING in TLS records, SSH's disconnect, answers to QUIT", UNMEASURED;
    /// The end of the connection follows a goodbye as soon, and a round trip.
    CLOSED_AFTER: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// Messages of one size that follow each other sooner are one beat.
    BEAT_AT_ONCE: i64 = 100_000_000, "ns", CHOSEN, UNMEASURED;
    /// A heartbeat has periods of this length or more.
    BEAT_PERIOD_LEAST: i64 = 200_000_000, "ns", CHOSEN, UNMEASURED;
    /// A heartbeat of whoever answered the SYN has this period or a longer one. Servers seldom take so long
    /// for each answer.
    BEAT_OF_SERVER: i64 = 1_000_000_000, "ns", CHOSEN, UNMEASURED;
    /// Its periods differ by no more than this part.
    BEAT_STEADY: Ratio = Ratio(1, 20), "of a period", "chosen above what timers and busy programs are late by", UNMEASURED;
    /// As many periods in a row show it.
    BEATS_LEAST: u32 = 3, "periods", CHOSEN, UNMEASURED;

    // Whether the peer had asked for what was sent.

    /// Whoever waits for an answer for longer turns to something else.
    ANSWER_MOST: i64 = 10_000_000_000, "ns", "Miller 1968, as WAIT_MOST", UNMEASURED;
    /// Two requests that differ by no more are the same one: a counter in it has more digits.
    SAME_REQUEST: u64 = 16, "bytes", CHOSEN, UNMEASURED;
    /// A connection is polled if as many of its turns waited for as long.
    POLLS_SHARE: Ratio = Ratio(1, 2), "of turns", "most of them", UNMEASURED;
    /// Words that follow this side's as soon, and a round trip, may answer them.
    REPLY_SOON: i64 = 200_000_000, "ns", "chosen: a delayed ACK may ride on such an answer (RFC 9293 §3.8.6.3)", UNMEASURED;
    /// A keystroke is no longer than this.
    KEYSTROKE: u64 = 64, "bytes", "chosen above SSH's 36 to 52 bytes", UNMEASURED;
    /// A person takes as long for the next key at least.
    KEYSTROKE_PAUSE: i64 = 100_000_000, "ns", "chosen below fast typing, ten keys a second", UNMEASURED;
    /// An echo comes as soon.
    ECHO_SOON: i64 = 100_000_000, "ns", "as CRITICAL_SECONDS: an echo that comes later is felt", UNMEASURED;
    /// As many echoed keystrokes show a person.
    KEYSTROKES_LEAST: u32 = 6, "keystrokes", CHOSEN, UNMEASURED;
    /// And as many of the turns.
    KEYSTROKES_SHARE: Ratio = Ratio(1, 2), "of turns", "most of them", UNMEASURED;
}
