//! Thresholds for the packets of a connection, pauses and requests (`connection/`, `exchanges/`, `pairs.rs`,
//! …). They change no label, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::leg;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after leg::END;

    // The end of a connection.

    /// A closed connection is over when it was silent for longer.
    CLOSED_LINGER: i64 = 60_000_000_000, "ns", "`TCP_TIMEWAIT_LEN` of Linux", UNMEASURED;
    /// An open connection is over after a longer silence, unless later packets continue its sequence numbers.
    IDLE_LIMIT: i64 = 7_200_000_000_000, "ns", "the default of `tcp_keepalive_time`: two hours", UNMEASURED;
    /// A closed connection whose last data was acknowledged is forgotten after this long.
    SETTLED_LINGER: i64 = 5_000_000_000, "ns", "a last word that got lost is said again after a second, two more and four more (RFC 6298 §2.1 and §5.5); Linux is quicker", UNMEASURED;
    /// A capture clock that goes back by more than this was set.
    CLOCK_STEP: i64 = 1_000_000_000, "ns", "chosen: packets overtake each other by less", UNMEASURED;

    /// A connection has no duration if its clock stepped by about as much as it lasted, within this factor.
    STEP_OF_SPAN: i64 = 2, "times", "half of its duration and more is the step", UNMEASURED;

    // The two ends.

    /// Ports from this one on are assigned to hosts that open connections.
    CONNECTING_PORTS: u16 = 32_768, "port", "Linux by default (`ip_local_port_range`); others from 49,152 on (RFC 6335 §6)", UNMEASURED;
    /// No host sends more bytes before the first acknowledgment.
    FIRST_FLIGHT_MOST: u64 = 1_048_576, "bytes", "chosen: far more than an initial window (RFC 6928)", UNMEASURED;

    // Timers and silences.

    /// Repeats closer together than this part of the interval before belong to one timeout.
    ONE_TIMEOUT: Ratio = Ratio(1, 8), "of the interval before", "chosen", UNMEASURED;
    /// A timer's interval has doubled if it is at least this many times the one before.
    DOUBLED_LEAST: Ratio = Ratio(3, 2), "of the interval before", "doublings (RFC 6298 §5.5), as far as clocks of timers round", UNMEASURED;
    /// A timer's interval has doubled if it is at most this many times the one before.
    DOUBLED_MOST: i64 = 3, "times the interval before", "as DOUBLED_LEAST", UNMEASURED;
    /// Intervals of this length or more no longer grow.
    LARGEST_INTERVAL: i64 = 60_000_000_000, "ns", "RFC 6298 §2.5 allows a bound of one minute; Linux has two (`TCP_RTO_MAX`)", UNMEASURED;
    /// Fewer packets without an answer are not a blackout.
    BLACKOUT_LEAST: u32 = 3, "packets", "chosen", UNMEASURED;
    /// A shorter time without an answer is not a blackout.
    BLACKOUT_TIME: i64 = 1_000_000_000, "ns", "the least retransmission timeout (RFC 6298 §2.4)", UNMEASURED;
    /// A host doubts the path after this many retransmissions of a segment.
    SILENT_REPEATS: u32 = 3, "repeats", "R1 of RFC 9293 §3.8.3", UNMEASURED;
    /// This many retransmissions are needed if the capture has no packet of the peer. The sender received
    /// nothing either: an ACK would have stopped its timer.
    SILENT_REPEATS_UNHEARD: u32 = 5, "repeats", "two more than SILENT_REPEATS: fewer may come from a capture that lost packets", UNMEASURED;
    /// No host sends a keep-alive sooner than this after another packet.
    KEEP_ALIVE_REST: i64 = 1_000_000_000, "ns", "intervals are whole seconds (`TCP_KEEPINTVL`)", UNMEASURED;
    /// SYN-ACKs that are repeated sooner than this were not repeated by a timer.
    SYN_ACK_INTERVAL: i64 = 500_000_000, "ns", "half of `TCP_TIMEOUT_INIT` (RFC 6298 §2.1): timers are set shorter now and then", UNMEASURED;
    /// A SYN-ACK that was repeated this often without an ACK will probably not be acknowledged.
    UNCOMPLETED_REPEATS: u32 = 2, "repeats", "3 s of Linux's timer (RFC 6298 §5.5): one loss explains one repeat", UNMEASURED;
    /// Packets of a client that a server ignored before it accepted the connection: the ACK of the SYN-ACK, a
    /// segment and its retransmissions.
    ACCEPTED_IN_VAIN: u32 = 4, "packets", "an acknowledgment, a segment and ACCEPTED_REPEATS", UNMEASURED;
    /// At least this many of them are retransmissions.
    ACCEPTED_REPEATS: u64 = 2, "repeats", "one loss explains one repeat", UNMEASURED;
    /// Every path lets segments of this size pass.
    SMALL_EVERYWHERE: u64 = 536, "bytes", "the least that IPv4 asks hosts to take (RFC 9293 §3.7.1)", UNMEASURED;
    /// A shorter silence does not make a middlebox forget a connection.
    FORGETTING_REST: i64 = 60_000_000_000, "ns", "the shortest idle timeout of application load balancers", UNMEASURED;
    /// The same limit if a reset from a host that does not know the connection answers the next packet.
    FORGETTING_REST_RESET: i64 = 3_000_000_000, "ns", "chosen: shorter ones are turns of a conversation", UNMEASURED;

    // Messages of each end.

    /// A silence ends a message after this many round trips, but not before `LONG_REST`.
    LONG_REST_ROUND_TRIPS: i64 = 3, "round trips", "chosen: a transfer that waits for its path waits for one or two", UNMEASURED;
    /// An end that continues this long plus a round trip later, with all data acknowledged, begins a new
    /// message.
    OWN_REST: i64 = 250_000_000, "ns", "chosen above a delayed ACK of 200 ms, which holds back the rest of a message", UNMEASURED;
    /// At least this many messages show a habit.
    HABIT_LEAST: u32 = 3, "messages", "chosen: two are chance", UNMEASURED;
    /// A habit also needs this part of an end's messages.
    HABIT_SHARE: Ratio = Ratio(3, 4), "of messages", "chosen: most, with some exceptions", UNMEASURED;
    /// An end that sends unrequested messages has done so at least this often.
    PUSHES_LEAST: u32 = 2, "messages", "chosen: once may be an answer that was interrupted", UNMEASURED;
    /// It has also done so in this part of its messages.
    PUSHES_SHARE: Ratio = Ratio(1, 8), "of messages", "chosen", UNMEASURED;
    /// Messages of one size come from a timer if this many intervals between them are equal to the one
    /// before.
    STEADY_LEAST: u32 = 2, "intervals", "chosen: four messages", UNMEASURED;
    /// Such a timer keeps the connection alive if its period is at least this long.
    HEARTBEAT_LEAST: i64 = 4_000_000_000, "ns", "chosen below five seconds, a short interval of heartbeats; devices are polled more often", UNMEASURED;
    /// A record that only controls a connection has at most this size.
    CONTROL_MOST: u64 = 50, "bytes", "a SETTINGS, PING or WINDOW_UPDATE frame of HTTP/2 (RFC 9113 §6, at most 17 bytes and its settings) in a TLS record", UNMEASURED;
    /// At most this many control records come together.
    CONTROL_RECORDS: u64 = 2, "records", "chosen: a WINDOW_UPDATE and a PING", UNMEASURED;
    /// Control records are this many times smaller than any request of the connection.
    CONTROL_PART: u64 = 2, "times", "chosen", UNMEASURED;
    /// An answer is as slow as others if it takes at most this many times as long as the slowest of them.
    AS_SLOW: i64 = 2, "times", "chosen", UNMEASURED;
    /// The output of a command is this many times longer than the command.
    OUTPUT_TIMES: u64 = 3, "times", "chosen", UNMEASURED;

    // The requester.

    /// Both ends speak at their own pace if this part of the messages of each does not come at once.
    AT_LEISURE: Ratio = Ratio(1, 2), "of messages", "chosen: two that speak when they like meet by chance", UNMEASURED;
    /// Both ends chat if the messages of one are at most this many times longer than the other's.
    CHAT_TIMES: u64 = 4, "times", "chosen: people write as much as each other; an answer is longer than its question", UNMEASURED;
    /// Traffic is overlapping if at least one of this many turns crosses another.
    CROSSED: u64 = 4, "turns per crossing", "chosen above the odd crossing of two ends that ask each other", UNMEASURED;
    /// Traffic is unasked if silence within messages takes this share of the time of all messages.
    SILENT: f64 = 0.2, "of time of messages", "chosen", UNMEASURED;
    /// At least this many pauses show a habit.
    PAUSES: u64 = 3, "pauses", "chosen", UNMEASURED;
    /// Traffic is unasked if there is one unrequested message per this many exchanges.
    UNASKED: u64 = 2, "exchanges per message", "chosen: where every third word is news, what answers what is a guess", UNMEASURED;
    /// Traffic still consists of requests and answers if this part of the answers comes at once.
    ANSWERED_AT_ONCE: Ratio = Ratio(3, 4), "of exchanges", "as HABIT_SHARE", UNMEASURED;
    /// Share of connections with the right requester, count and server time if the habit of both ends shows
    /// the requester.
    BY_HABIT: f64 = 0.83, "of connections", "measured: 50 of 60 that were timed, of 99 conversations of the lab and 100 connections of the field", UNMEASURED;
    /// The same share if a TLS handshake or a status line shows the requester.
    BY_HEADER: f64 = 0.77, "of connections", "measured: 37 of 48, as BY_HABIT", UNMEASURED;
    /// The same share if a port shows the requester.
    BY_PORT: f64 = 0.79, "of connections", "measured: 6 of 7, which is too few: as BY_OPENER", UNMEASURED;
    /// The same share if only the opener of the connection is known.
    BY_OPENER: f64 = 0.79, "of connections", "measured: 30 of 38, as BY_HABIT", UNMEASURED;
    /// The same share if only the first sender of data is known.
    BY_FIRST: f64 = 0.79, "of connections", "never measured: as BY_OPENER", UNMEASURED;
    /// The capture point is at one end if the delay to the other end is this many times longer.
    NEAR_TIMES: i64 = 4, "times", "chosen", UNMEASURED;
    /// The delay to the near end must also be shorter than this.
    NEAR_MOST: i64 = 2_000_000, "ns", "what a host takes to answer", UNMEASURED;

    // Comparison of several connections.

    /// An end with this many peers is a server if each of them has no other peer.
    SERVES_PEERS: u64 = 3, "peers", "chosen above the two that one client with two servers has", UNMEASURED;

    /// A direction of more segments is a transfer rather than a request.
    REQUEST_SEGMENTS: u64 = 10, "segments", "an initial window (RFC 6928)", UNMEASURED;
    /// A connection of more packets is not a stray one.
    STRAY_PACKETS: u64 = 20, "packets", "chosen", UNMEASURED;
    /// Kernel and packets disagree from this share of their common time on.
    DISAGREE_FROM: f64 = 0.1, "of time", "chosen", UNMEASURED;
}
