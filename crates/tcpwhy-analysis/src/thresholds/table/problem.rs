//! Thresholds for problems and their order (`problems/`). They change no label, so their last column is
//! empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::answer;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after answer::END;

    // The reported direction, and its gain.

    /// A direction other than the largest one is reported if it lost this part of the time.
    WORTH_SPEAKING_OF: f64 = 0.33, "of time", "chosen: a third, as CRITICAL_SHARE", UNMEASURED;
    /// A direction with less than this part of a connection's bytes only carries requests or acknowledgments.
    NEXT_TO_NOTHING: f64 = 0.01, "of bytes", "chosen: an ACK for every second segment is a hundredth or so", UNMEASURED;
    /// A change that leaves more than this part of the time is not a noticeable gain.
    LITTLE_GAIN: f64 = 0.9, "of time", "chosen: a tenth less", UNMEASURED;
    /// A connection controls another one that runs within its lifetime if it carries less than this part of
    /// its payload.
    STEERING_SHARE: f64 = 0.001, "of payload", "chosen: control channels of iperf3 and FTP carry some kB", UNMEASURED;

    // Slow connections.

    /// A shorter loss of time is not noticed.
    SLOW_NOTICED: i64 = 50_000_000, "ns", "as WARNING_SECONDS", UNMEASURED;
    /// An answer that takes this long is late.
    LATE: i64 = 100_000_000, "ns", "Miller, \"Response time in man-computer conversational transactions\", 1968", UNMEASURED;
    /// A late answer also takes this many round trips: a shorter delay is explained by the path.
    LATE_ROUND_TRIPS: i64 = 3, "round trips", "chosen", UNMEASURED;
    /// This many late answers of a few bytes each show that the server sends news.
    NEWS_HABIT: u64 = 3, "answers", "chosen: two are chance", UNMEASURED;
    /// A client waits at most this long for an answer; later data comes unrequested.
    AWAITED_MOST: i64 = 30_000_000_000, "ns", "chosen: a common time-out of programs", UNMEASURED;
    /// A failure explains a wait, unless another cost takes more than this many times as long.
    ANOTHER_WAIT: i64 = 2, "waits", "chosen", UNMEASURED;

    // The weight of a problem.

    /// A failed connection costs at least this: the error, and one more try.
    FAILURE_COST: i64 = 1_000_000_000, "ns", "a first retransmission timeout (RFC 6298 §2.1)", UNMEASURED;
    /// A client that resets a connection may have what it wants, as a browser whose page was left.
    CLIENT_RESET_COST: i64 = 50_000_000, "ns", "chosen: alone it costs hardly anything", UNMEASURED;
    /// A failure costs at most this.
    FAILURE_COST_MOST: i64 = 10_000_000_000, "ns", "a user has turned away then (Nielsen, \"Usability Engineering\", 1993, §5.5)", UNMEASURED;
    /// Connections of this many bytes did work, whatever other connections carried.
    WORK: usize = 17, "power of two, bytes", "chosen: 131,072 bytes, more than BULK", UNMEASURED;
    /// Smaller connections did work too if they are at most this many powers of two below the largest.
    FAR_LESS: usize = 4, "powers of two", "chosen: a sixteenth", UNMEASURED;
    /// Late answers are a habit of a service from this number on.
    LATE_HABIT: u64 = 10, "answers", "chosen", UNMEASURED;

    // The list of problems and its order.

    /// Slow connections of one service are not a problem if together they lost less than this.
    SLOW_LEAST: i64 = 2_000_000_000, "ns", "chosen: twice PAUSE_MOST", UNMEASURED;
    /// A critical transfer in a short capture is a problem if it lost the capture's time divided by this. It
    /// is probably the reason for the capture.
    SLOW_PART: i64 = 3, "of the capture", "chosen: a third", UNMEASURED;
    /// A loss of less time is never a problem.
    SLOW_LEAST_OF_SHORT: i64 = 300_000_000, "ns", "chosen", UNMEASURED;
    /// Failures are not a problem if together they cost less than this: a client resets a few connections
    /// itself.
    FAILED_LEAST: i64 = 500_000_000, "ns", "chosen: half of FAILURE_COST", UNMEASURED;
    /// At least this many failures are listed before slow connections, because a client that meets an error
    /// gets no answer at all.
    MANY_FAILED: u64 = 10, "connections", "chosen", UNMEASURED;
    /// They are listed first only if at least one of this many connections of a service failed.
    FAILED_PART: u64 = 10, "connections", "chosen", UNMEASURED;
    /// Failures of one client at this many ports of one host are a scan.
    SCANNED_PORTS: u64 = 16, "ports", "chosen: services of one host are fewer", UNMEASURED;

    // Properties that failures correlate with.

    /// A port may be unavailable for this long: the other end, or a firewall, keeps the connection in
    /// TIME-WAIT.
    TIME_WAIT: i64 = 60_000_000_000, "ns", "`TCP_TIMEWAIT_LEN` of Linux", UNMEASURED;
    /// At least this many slow connections with reused ports, and this many others, show a difference.
    REUSED_LEAST: u64 = 3, "connections", "chosen: two are chance", UNMEASURED;
    /// Failures correlate with a property if at least this part of them has it. The same part of the
    /// connections with a reused port must be slow.
    GOES_WITH: Ratio = Ratio(9, 10), "of connections", "chosen: nearly all", UNMEASURED;
    /// They correlate only if at most this part of the connections without the property failed.
    GOES_WITHOUT: Ratio = Ratio(1, 10), "of connections", "chosen: nearly none", UNMEASURED;

    /// At least this many failures show a common property.
    FAILED_ALIKE: u64 = 3, "connections", "as REUSED_LEAST", UNMEASURED;
    /// Chance explains a correlation whose probability, times the number of compared properties, exceeds
    /// this.
    CHANCE: f64 = 0.001, "probability", "Fisher's exact test (\"Statistical methods for research workers\", 1934, §21.02), corrected for comparisons (Dunn, 1961); chosen: one problem in a thousand", UNMEASURED;
    /// Servers of one service have this many leading bits of their IPv4 addresses in common.
    NETWORK_V4: u32 = 24, "bits", "chosen: the usual size of a subnet", UNMEASURED;
    /// Servers of one service have this many leading bits of their IPv6 addresses in common.
    NETWORK_V6: u32 = 64, "bits", "a subnet (RFC 4291 §2.5.4)", UNMEASURED;

    // Attempts that no program waited for.

    /// SYNs of one client to one host trace the path if this many of their hop limits (TTL) are consecutive
    /// from 1 on.
    PROBED_HOPS: u64 = 5, "hop limits", "chosen: a host starts at one value of 64 and more (RFC 1700, RFC 9293 §3.9.2)", UNMEASURED;
    /// A program's SYN is repeated no earlier than after this time.
    SYN_TIMER: i64 = 500_000_000, "ns", "chosen: half of the initial timeout of 1 s (RFC 6298 §2.1)", UNMEASURED;
    /// If a timer repeats less than this part of the attempts, no program waits for them.
    REPEATED: Ratio = Ratio(1, 2), "of attempts", "by definition: most", UNMEASURED;
    /// SYNs are a flood if no server answers them and they come at this rate.
    FLOOD_RATE: f64 = 100.0, "SYNs per second", "chosen: programs that wait a second before they repeat a SYN send fewer", UNMEASURED;
    /// A flood also lasts this long: a program's SYN has been repeated by then.
    FLOOD_LASTS: i64 = 3_000_000_000, "ns", "the first two repeats of a SYN, 1 s and 2 s (RFC 6298 §5.5)", UNMEASURED;
    /// If this many addresses do not answer a client, it has one problem of its own rather than one with each
    /// address.
    SILENT_ADDRESSES: u64 = 3, "addresses", "chosen: two servers may fail alike", UNMEASURED;
    /// This many silent addresses may be peers of a peer-to-peer network, which come and go.
    PEER_ADDRESSES: u64 = 16, "addresses", "chosen: as SCANNED_PORTS", UNMEASURED;
    /// Such peers use different ports on this part of the addresses: a service has the same port on all of
    /// its addresses.
    PEER_PORTS: Ratio = Ratio(1, 2), "ports of addresses", "chosen: a half", UNMEASURED;
}
