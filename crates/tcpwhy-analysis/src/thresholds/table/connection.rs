//! What belongs to a connection, who rests, and who asks (`connection/`, `exchanges/`, `pairs.rs`, …).
//! They move no label, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::leg;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after leg::END;

    // When it is over.

    /// A closed connection is over when it was silent for longer.
    CLOSED_LINGER: i64 = 60_000_000_000, "ns", "`TCP_TIMEWAIT_LEN` of Linux", UNMEASURED;
    /// An open one, unless it goes on in its sequence numbers.
    IDLE_LIMIT: i64 = 7_200_000_000_000, "ns", "the default of `tcp_keepalive_time`: two hours", UNMEASURED;
    /// A closed one whose last words were acknowledged keeps no memory after so long.
    SETTLED_LINGER: i64 = 5_000_000_000, "ns", "a last word that got lost is said again after a second, two more and four more (RFC 6298 §2.1 and §5.5); Linux is quicker", UNMEASURED;
    /// A clock that goes back by more was set.
    CLOCK_STEP: i64 = 1_000_000_000, "ns", "chosen: packets overtake each other by less", UNMEASURED;

    /// A connection whose clock stepped by as much, within this factor, as it lasted has no duration.
    STEP_OF_SPAN: i64 = 2, "times", "half of its duration and more is the step", UNMEASURED;

    // Its ends.

    /// Ports from here on are given to those who connect.
    CONNECTING_PORTS: u16 = 32_768, "port", "Linux by default (`ip_local_port_range`); others from 49,152 on (RFC 6335 §6)", UNMEASURED;
    /// Nobody sends more before the first acknowledgment.
    FIRST_FLIGHT_MOST: u64 = 1_048_576, "bytes", "chosen: far more than an initial window (RFC 6928)", UNMEASURED;

    // Timers and rests.

    /// Repeats closer together than this part of the interval before belong to one timeout.
    ONE_TIMEOUT: Ratio = Ratio(1, 8), "of the interval before", "chosen", UNMEASURED;
    /// An interval of a timer has doubled from this many times the one before on.
    DOUBLED_LEAST: Ratio = Ratio(3, 2), "of the interval before", "doublings (RFC 6298 §5.5), as far as clocks of timers round", UNMEASURED;
    /// And up to that many times.
    DOUBLED_MOST: i64 = 3, "times the interval before", "as DOUBLED_LEAST", UNMEASURED;
    /// Intervals as long grow no more.
    LARGEST_INTERVAL: i64 = 60_000_000_000, "ns", "RFC 6298 §2.5 allows a bound of one minute; Linux has two (`TCP_RTO_MAX`)", UNMEASURED;
    /// Fewer packets without an answer are no blackout.
    BLACKOUT_LEAST: u32 = 3, "packets", "chosen", UNMEASURED;
    /// Less time without an answer is none.
    BLACKOUT_TIME: i64 = 1_000_000_000, "ns", "the least retransmission timeout (RFC 6298 §2.4)", UNMEASURED;
    /// A host doubts the path after as many repeats of a segment.
    SILENT_REPEATS: u32 = 3, "repeats", "R1 of RFC 9293 §3.8.3", UNMEASURED;
    /// As many where the capture has nothing of the peer. The sender heard nothing either: an ACK would have
    /// stopped its timer.
    SILENT_REPEATS_UNHEARD: u32 = 5, "repeats", "two more than SILENT_REPEATS: fewer may come from a capture that lost packets", UNMEASURED;
    /// Sooner after another packet nobody asks whether the peer is there.
    KEEP_ALIVE_REST: i64 = 1_000_000_000, "ns", "intervals are whole seconds (`TCP_KEEPINTVL`)", UNMEASURED;
    /// SYN-ACKs that are repeated sooner were not repeated by a timer.
    SYN_ACK_INTERVAL: i64 = 500_000_000, "ns", "half of `TCP_TIMEOUT_INIT` (RFC 6298 §2.1): timers are set shorter now and then", UNMEASURED;
    /// A SYN-ACK that was repeated as often without an ACK is not about to be acknowledged.
    UNCOMPLETED_REPEATS: u32 = 2, "repeats", "3 s of Linux's timer (RFC 6298 §5.5): one loss explains one repeat", UNMEASURED;
    /// Packets of a client that a server left without a word before it took the connection: its
    /// acknowledgment of the SYN-ACK, a segment and its repeats.
    ACCEPTED_IN_VAIN: u32 = 4, "packets", "an acknowledgment, a segment and ACCEPTED_REPEATS", UNMEASURED;
    /// As many of them are repeats.
    ACCEPTED_REPEATS: u64 = 2, "repeats", "one loss explains one repeat", UNMEASURED;
    /// Each path lets segments of this size through.
    SMALL_EVERYWHERE: u64 = 536, "bytes", "the least that IPv4 asks hosts to take (RFC 9293 §3.7.1)", UNMEASURED;
    /// A shorter rest makes no middlebox forget a connection.
    FORGETTING_REST: i64 = 60_000_000_000, "ns", "the shortest idle timeout of application load balancers", UNMEASURED;
    /// The same, where the reset of somebody who does not know the connection answers what follows it.
    FORGETTING_REST_RESET: i64 = 3_000_000_000, "ns", "chosen: shorter ones are turns of a conversation", UNMEASURED;

    // What each end says.

    /// A silence ends a message from as many round trips on, and not before `LONG_REST`.
    LONG_REST_ROUND_TRIPS: i64 = 3, "round trips", "chosen: a transfer that waits for its path waits for one or two", UNMEASURED;
    /// An end that goes on after as long, and a round trip, with all acknowledged, had more to say.
    OWN_REST: i64 = 250_000_000, "ns", "chosen above a delayed ACK of 200 ms, which holds back the rest of a message", UNMEASURED;
    /// As many messages at least show a habit.
    HABIT_LEAST: u32 = 3, "messages", "chosen: two are chance", UNMEASURED;
    /// And as many of an end's messages.
    HABIT_SHARE: Ratio = Ratio(3, 4), "of messages", "chosen: most, with some exceptions", UNMEASURED;
    /// An end that speaks unasked has done so as often.
    PUSHES_LEAST: u32 = 2, "messages", "chosen: once may be an answer that was interrupted", UNMEASURED;
    /// And in as many of its messages.
    PUSHES_SHARE: Ratio = Ratio(1, 8), "of messages", "chosen", UNMEASURED;
    /// Even intervals between messages of one size show a timer, if each of so many is like the one before.
    STEADY_LEAST: u32 = 2, "intervals", "chosen: four messages", UNMEASURED;
    /// Such a timer keeps a connection if it is as slow.
    HEARTBEAT_LEAST: i64 = 4_000_000_000, "ns", "chosen below five seconds, a short interval of heartbeats; devices are polled more often", UNMEASURED;
    /// A record that steers a connection is no longer.
    CONTROL_MOST: u64 = 50, "bytes", "a SETTINGS, PING or WINDOW_UPDATE frame of HTTP/2 (RFC 9113 §6, at most 17 bytes and its settings) in a TLS record", UNMEASURED;
    /// No more of them come together.
    CONTROL_RECORDS: u64 = 2, "records", "chosen: a WINDOW_UPDATE and a PING", UNMEASURED;
    /// And so many times smaller than any request of the connection.
    CONTROL_PART: u64 = 2, "times", "chosen", UNMEASURED;
    /// An answer is as slow as others if it takes no longer than the slowest of them by as many times.
    AS_SLOW: i64 = 2, "times", "chosen", UNMEASURED;
    /// What commands bring is longer than they are by as many times.
    OUTPUT_TIMES: u64 = 3, "times", "chosen", UNMEASURED;

    // Who asks.

    /// Both ends speak when they like if as many words of each do not come at once.
    AT_LEISURE: Ratio = Ratio(1, 2), "of messages", "chosen: two that speak when they like meet by chance", UNMEASURED;
    /// And if those of one are no longer than the other's by as many times.
    CHAT_TIMES: u64 = 4, "times", "chosen: people write as much as each other; an answer is longer than its question", UNMEASURED;
    /// Crossing turns make the traffic overlapping from this part of all turns on.
    CROSSED: u64 = 4, "turns per crossing", "chosen above the odd crossing of two ends that ask each other", UNMEASURED;
    /// Silence within messages makes the traffic unasked from this share of the time of all messages on.
    SILENT: f64 = 0.2, "of time of messages", "chosen", UNMEASURED;
    /// As many pauses at least show a habit.
    PAUSES: u64 = 3, "pauses", "chosen", UNMEASURED;
    /// Words that nobody had asked for make the traffic unasked from this part of all exchanges on.
    UNASKED: u64 = 2, "exchanges per message", "chosen: where every third word is news, what answers what is a guess", UNMEASURED;
    /// But for answers that come at once, if as many do.
    ANSWERED_AT_ONCE: Ratio = Ratio(3, 4), "of exchanges", "as HABIT_SHARE", UNMEASURED;
    /// Where the habit of both ends shows who asks, asker, count and server time are right so often.
    BY_HABIT: f64 = 0.83, "of connections", "measured: 50 of 60 that were timed, of 99 conversations of the lab and 100 connections of the field", UNMEASURED;
    /// The same, where a TLS handshake or a status line shows it.
    BY_HEADER: f64 = 0.77, "of connections", "measured: 37 of 48, as BY_HABIT", UNMEASURED;
    /// The same, where a port shows it.
    BY_PORT: f64 = 0.79, "of connections", "measured: 6 of 7, which is too few: as BY_OPENER", UNMEASURED;
    /// The same, where nothing is known but who opened the connection.
    BY_OPENER: f64 = 0.79, "of connections", "measured: 30 of 38, as BY_HABIT", UNMEASURED;
    /// The same, where nothing is known but who spoke first.
    BY_FIRST: f64 = 0.79, "of connections", "never measured: as BY_OPENER", UNMEASURED;
    /// The capture point is at an end where the way to the other is so many times longer.
    NEAR_TIMES: i64 = 4, "times", "chosen", UNMEASURED;
    /// And the way to this end shorter than this.
    NEAR_MOST: i64 = 2_000_000, "ns", "what a host takes to answer", UNMEASURED;

    // What several connections show.

    /// An end with as many peers or more serves, where each of them has no other.
    SERVES_PEERS: u64 = 3, "peers", "chosen above the two that one client with two servers has", UNMEASURED;

    /// A direction of more segments is a transfer, and no request.
    REQUEST_SEGMENTS: u64 = 10, "segments", "an initial window (RFC 6928)", UNMEASURED;
    /// A connection of more packets has no stray ones.
    STRAY_PACKETS: u64 = 20, "packets", "chosen", UNMEASURED;
    /// Kernel and packets disagree from this share of the time of both on.
    DISAGREE_FROM: f64 = 0.1, "of time", "chosen", UNMEASURED;
}
