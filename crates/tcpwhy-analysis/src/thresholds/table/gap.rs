//! Thresholds for a gap between two sends (`facts/half/ledger/gap.rs`). The last column contains only the
//! time that these thresholds leave open, not the time that a gap explains by itself.

use super::macros::thresholds;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::{CHOSEN, UNMEASURED};
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after 0;

    /// A writer that waited for buffer space continues to write sooner than this.
    WRITER_WAKES: i64 = 200_000, "ns", "waking a writer takes tens of µs (measured on Linux 6.18)", [0.00, 0.00];
    /// Away from the sender, timestamps place a send that an ACK released within this part of the round trip.
    RELEASED_TICKS: Ratio = Ratio(1, 20), "of least round trip", CHOSEN, [0.00, 0.00];
    /// That time is at least this many ticks of the timestamps.
    RELEASED_TICKS_LEAST: i64 = 1, "ms", "timestamps of Linux tick each millisecond", [0.00, 0.20];
    /// That time is at most this many ticks of the timestamps.
    RELEASED_TICKS_MOST: i64 = 5, "ms", CHOSEN, [0.00, 0.00];
    /// After a pause of this length, Linux restarts from a smaller congestion window.
    RESTART_AFTER_IDLE: i64 = 200_000_000, "ns", "a retransmission timeout (RFC 5681 §4.1), 200 ms at least on Linux (`TCP_RTO_MIN`)", [0.00, 0.00];
    /// Segmentation offload delays a send until there is room for at least this part of the window.
    DEFERRED_ROOM: Ratio = Ratio(1, 3), "of largest window", "`tcp_tso_should_defer`, `tcp_tso_win_divisor`", [0.01, 0.00];
    /// Segmentation offload does not wait for more room than this.
    DEFERRED_ROOM_MOST: u64 = 65_536, "bytes", "the largest super-packet by default (`GSO_LEGACY_MAX_SIZE`)", [0.02, 0.01];
    /// A short segment that emptied the send queue counts for this long.
    FRAGMENT_ROUND_TRIPS: i64 = 2, "least round trips", CHOSEN, [0.00, 0.00];
    /// Each burst changes the smoothed share of bursts that follow ACKs by one over this.
    CLOCKED_SMOOTHING: u16 = 16, "bursts", CHOSEN, UNMEASURED;
    /// ACKs release each send if this part of the late bursts followed ACKs.
    CLOCKED_SHARE: Ratio = Ratio(7, 8), "of bursts", CHOSEN, UNMEASURED;
    /// A window or buffer is full if at least this part of an earlier permitted flight is in flight.
    BRIM: Ratio = Ratio(7, 8), "of earlier flight", CHOSEN, UNMEASURED;
    /// Each message changes the smoothed size of the peer's messages by its difference, divided by this.
    WORD_SMOOTHING: u32 = 8, "segments", CHOSEN, UNMEASURED;
    /// At least this many ACKs made room before the peer's message that data follows at once.
    PEER_AWAITED_ACKS: u32 = 2, "ACKs", CHOSEN, [0.00, 0.00];
    /// A turn that fills a window of a protocol above TCP has at least this many segments.
    WHOLE_TURN_SEGMENTS: u64 = 10, "segments", "chosen: with fewer, round trips are the cost, as MOST_SEGMENTS_A_TURN", UNMEASURED;
    /// Turns end at the same byte count if their counts differ by at most this part.
    SAME_TURN: Ratio = Ratio(1, 32), "of its bytes", "chosen above the headers of records and frames (RFC 9113 §4.1, RFC 8446 §5.2)", UNMEASURED;
    /// At least this many turns with one byte count show that it repeats.
    WHOLE_TURNS_LEAST: u32 = 8, "turns", CHOSEN, UNMEASURED;
    /// A sender that waited for the peer's message continues within this time after it.
    TURN_RESUMED: i64 = 16_400_000, "ns", "no host takes longer to wake a program, but for rare exceptions (`facts/half/ledger/wakes.rs`)", UNMEASURED;
    /// Bytes of an initial congestion window.
    INITIAL_WINDOW_BYTES: u64 = 4_380, "bytes", "RFC 3390 §1", UNMEASURED;
    /// An initial congestion window holds at least this many segments.
    INITIAL_WINDOW_LEAST: u64 = 2, "segments", "RFC 3390 §1", UNMEASURED;
    /// An initial congestion window holds at most this many segments.
    INITIAL_WINDOW_MOST: u64 = 4, "segments", "RFC 3390 §1", UNMEASURED;
    /// If the order of sends and ACKs is unknown, no ACK released data that is this late after the last one.
    SURELY_UNRELEASED: Ratio = Ratio(3, 8), "of least round trip", CHOSEN, [0.00, 0.00];
    /// Such data is also at least this late.
    SURELY_UNRELEASED_LEAST: i64 = 1_000_000, "ns", "a tick of fine timestamps", [0.00, 0.00];
    /// At least this many ACKs made room that was left unused.
    UNUSED_ACKS: u32 = 2, "ACKs", CHOSEN, [0.83, 2.55];
    /// Those ACKs acknowledged at least this many segments.
    UNUSED_SEGMENTS: u64 = 2, "segments", CHOSEN, [0.08, 0.71];
    /// Those ACKs acknowledged at least this part of the bytes in flight.
    UNUSED_FLIGHT: Ratio = Ratio(2, 9), "of flight", "chosen; offload holds back up to a third of a small window (`tcp_tso_should_defer`)", [0.96, 0.63];
    /// A small segment waits for an ACK (Nagle) only behind at most this much data in flight.
    HELD_SEGMENTS: u64 = 3, "segments", CHOSEN, [0.00, 0.00];
    /// An ACK was delayed if it came later than the path explains by this part of the round trip.
    ACK_DELAY: Ratio = Ratio(1, 2), "of least round trip", CHOSEN, [0.00, 0.00];
    /// A delayed ACK also comes later by at least this.
    ACK_DELAY_LEAST: i64 = 15_000_000, "ns", "chosen below Linux's shortest timer of delayed ACKs, 40 ms (`TCP_DELACK_MIN`)", [0.00, 0.00];

    // Long silences in which nothing was in flight.

    /// In a silence of this length the connection may only be kept open, or wait to be closed.
    LONG_REST: i64 = 1_000_000_000, "ns", "a first retransmission timeout (RFC 6298 §2.1): no round trip of a transfer lasts longer", UNMEASURED;
    /// A closing message or a heartbeat has at most this size.
    SMALL_MESSAGE: u64 = 150, "bytes", "chosen above TLS alerts, HTTP/2's GOAWAY and PING in TLS records, SSH's disconnect, answers to QUIT", UNMEASURED;
    /// The connection ends within this time plus a round trip after a closing message.
    CLOSED_AFTER: i64 = 10_000_000, "ns", CHOSEN, UNMEASURED;
    /// Messages of one size that follow each other sooner than this are one heartbeat.
    BEAT_AT_ONCE: i64 = 100_000_000, "ns", CHOSEN, UNMEASURED;
    /// The period of a heartbeat is at least this long.
    BEAT_PERIOD_LEAST: i64 = 200_000_000, "ns", CHOSEN, UNMEASURED;
    /// A heartbeat of the end that answered the SYN has at least this period. Servers seldom need so long for
    /// each answer.
    BEAT_OF_SERVER: i64 = 1_000_000_000, "ns", CHOSEN, UNMEASURED;
    /// The periods of a heartbeat differ by at most this part.
    BEAT_STEADY: Ratio = Ratio(1, 20), "of a period", "chosen above what timers and busy programs are late by", UNMEASURED;
    /// At least this many periods in a row show a heartbeat.
    BEATS_LEAST: u32 = 3, "periods", CHOSEN, UNMEASURED;

    // Requests for the data that was sent.

    /// A user who waits longer for an answer turns to another task.
    ANSWER_MOST: i64 = 10_000_000_000, "ns", "Miller 1968, as WAIT_MOST", UNMEASURED;
    /// Two requests are the same if their sizes differ by at most this: a counter in them may gain digits.
    SAME_REQUEST: u64 = 16, "bytes", CHOSEN, UNMEASURED;
    /// A connection is polled if this part of its turns waited for `ANSWER_MOST` or longer.
    POLLS_SHARE: Ratio = Ratio(1, 2), "of turns", "most of them", UNMEASURED;
    /// A message that follows the other side's within this time plus a round trip may answer it.
    REPLY_SOON: i64 = 200_000_000, "ns", "chosen: a delayed ACK may ride on such an answer (RFC 9293 §3.8.6.3)", UNMEASURED;
    /// A keystroke has at most this many bytes.
    KEYSTROKE: u64 = 64, "bytes", "chosen above SSH's 36 to 52 bytes", UNMEASURED;
    /// A person needs at least this long until the next key.
    KEYSTROKE_PAUSE: i64 = 100_000_000, "ns", "chosen below fast typing, ten keys a second", UNMEASURED;
    /// An echo comes within this time.
    ECHO_SOON: i64 = 100_000_000, "ns", "as CRITICAL_SECONDS: an echo that comes later is felt", UNMEASURED;
    /// At least this many echoed keystrokes show a person.
    KEYSTROKES_LEAST: u32 = 6, "keystrokes", CHOSEN, UNMEASURED;
    /// Keystrokes must also be this part of the turns.
    KEYSTROKES_SHARE: Ratio = Ratio(1, 2), "of turns", "most of them", UNMEASURED;
}
