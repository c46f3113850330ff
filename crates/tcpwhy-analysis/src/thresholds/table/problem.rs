//! What is a problem, and which comes first (`problems/`). They move no label, so their last column is empty.

#[cfg(any(test, feature = "sensitivity"))]
use super::answer;
#[cfg(any(test, feature = "sensitivity"))]
use super::macros::UNMEASURED;
use super::macros::thresholds;
use crate::thresholds::{Ratio, Threshold};

thresholds! {
    after answer::END;

    // The direction to speak of, and its gain.

    /// Another direction than the one that carried most is spoken of where it lost as much of the time.
    WORTH_SPEAKING_OF: f64 = 0.33, "of time", "chosen: a third, as CRITICAL_SHARE", UNMEASURED;
    /// A direction with less of a connection's bytes carries requests or acknowledgments of the other's data.
    NEXT_TO_NOTHING: f64 = 0.01, "of bytes", "chosen: an ACK for every second segment is a hundredth or so", UNMEASURED;
    /// A change that leaves more of the time is no gain that anybody would notice.
    LITTLE_GAIN: f64 = 0.9, "of time", "chosen: a tenth less", UNMEASURED;
    /// A connection with less of another's payload, within whose time that one ran, steers it.
    STEERING_SHARE: f64 = 0.001, "of payload", "chosen: control channels of iperf3 and FTP carry some kB", UNMEASURED;

    // What was slow.

    /// A shorter loss of time is not noticed.
    SLOW_NOTICED: i64 = 50_000_000, "ns", "as WARNING_SECONDS", UNMEASURED;
    /// An answer is late from here on.
    LATE: i64 = 100_000_000, "ns", "Miller, \"Response time in man-computer conversational transactions\", 1968", UNMEASURED;
    /// And where it takes as many round trips: below, the path explains it.
    LATE_ROUND_TRIPS: i64 = 3, "round trips", "chosen", UNMEASURED;
    /// As many late answers of a few bytes each show that the server brings news.
    NEWS_HABIT: u64 = 3, "answers", "chosen: two are chance", UNMEASURED;
    /// Whoever asks waits for no longer; what comes later comes by itself.
    AWAITED_MOST: i64 = 30_000_000_000, "ns", "chosen: a common time-out of programs", UNMEASURED;
    /// A failure explains a wait, unless another cost takes as many times as long.
    ANOTHER_WAIT: i64 = 2, "waits", "chosen", UNMEASURED;

    // How much it weighs.

    /// A failed connection costs as much at least: the error, and one more try.
    FAILURE_COST: i64 = 1_000_000_000, "ns", "a first retransmission timeout (RFC 6298 §2.1)", UNMEASURED;
    /// A client that resets a connection may have what it wants, as a browser whose page was left.
    CLIENT_RESET_COST: i64 = 50_000_000, "ns", "chosen: alone it costs hardly anything", UNMEASURED;
    /// And no failure costs more.
    FAILURE_COST_MOST: i64 = 10_000_000_000, "ns", "a user has turned away then (Nielsen, \"Usability Engineering\", 1993, §5.5)", UNMEASURED;
    /// Connections of so many bytes carried the work, whatever others carried.
    WORK: usize = 17, "power of two, bytes", "chosen: 131,072 bytes, more than BULK", UNMEASURED;
    /// With as many powers of two less than the largest, smaller ones did not.
    FAR_LESS: usize = 4, "powers of two", "chosen: a sixteenth", UNMEASURED;
    /// So many late answers of a service are its habit.
    LATE_HABIT: u64 = 10, "answers", "chosen", UNMEASURED;

    // Which are listed, and in which order.

    /// Slow connections of one service that lost less together are no problem.
    SLOW_LEAST: i64 = 2_000_000_000, "ns", "chosen: twice PAUSE_MOST", UNMEASURED;
    /// A transfer that was slow for this part of a short capture is a problem: somebody captured it for that.
    SLOW_PART: i64 = 3, "of the capture", "chosen: a third", UNMEASURED;
    /// But not for less.
    SLOW_LEAST_OF_SHORT: i64 = 300_000_000, "ns", "chosen", UNMEASURED;
    /// Failures that cost less together are no problem: a client's few own resets.
    FAILED_LEAST: i64 = 500_000_000, "ns", "chosen: half of FAILURE_COST", UNMEASURED;
    /// As many failures at least come before anything slow: whoever meets an error has no answer at all.
    MANY_FAILED: u64 = 10, "connections", "chosen", UNMEASURED;
    /// If they are one in so many connections of a service.
    FAILED_PART: u64 = 10, "connections", "chosen", UNMEASURED;
    /// Failures of one client at as many ports of one host are a scan.
    SCANNED_PORTS: u64 = 16, "ports", "chosen: services of one host are fewer", UNMEASURED;

    // What failures go with.

    /// A port may not be free again before: the other end, or a firewall, keeps the connection in TIME-WAIT.
    TIME_WAIT: i64 = 60_000_000_000, "ns", "`TCP_TIMEWAIT_LEN` of Linux", UNMEASURED;
    /// As many slow connections of reused ports, and as many others, show a difference.
    REUSED_LEAST: u64 = 3, "connections", "chosen: two are chance", UNMEASURED;
    /// Failures go with what so many of the connections show that have it, or more.
    GOES_WITH: Ratio = Ratio(9, 10), "of connections", "chosen: nearly all", UNMEASURED;
    /// And as few of the others, or fewer.
    GOES_WITHOUT: Ratio = Ratio(1, 10), "of connections", "chosen: nearly none", UNMEASURED;

    /// As many failures show what they have in common.
    FAILED_ALIKE: u64 = 3, "connections", "as REUSED_LEAST", UNMEASURED;
    /// Chance explains what is as likely or more, for each of the properties that are compared.
    CHANCE: f64 = 0.001, "probability", "Fisher's exact test (\"Statistical methods for research workers\", 1934, §21.02), corrected for comparisons (Dunn, 1961); chosen: one problem in a thousand", UNMEASURED;
    /// Servers of one service share so many bits of their addresses, IPv4.
    NETWORK_V4: u32 = 24, "bits", "chosen: the usual size of a subnet", UNMEASURED;
    /// And IPv6.
    NETWORK_V6: u32 = 64, "bits", "a subnet (RFC 4291 §2.5.4)", UNMEASURED;

    // Which attempts nobody waited for.

    /// SYNs of one client to one host trace the path if so many of their hop limits (TTL) follow one another
    /// from 1 on.
    PROBED_HOPS: u64 = 5, "hop limits", "chosen: a host starts at one value of 64 and more (RFC 1700, RFC 9293 §3.9.2)", UNMEASURED;
    /// A program's SYN is repeated after so long at the earliest.
    SYN_TIMER: i64 = 500_000_000, "ns", "chosen: half of the initial timeout of 1 s (RFC 6298 §2.1)", UNMEASURED;
    /// Where fewer of the attempts are repeated by a timer, no program waits for them.
    REPEATED: Ratio = Ratio(1, 2), "of attempts", "by definition: most", UNMEASURED;
    /// SYNs that no server answers and that come as often are a flood.
    FLOOD_RATE: f64 = 100.0, "SYNs per second", "chosen: programs that wait a second before they repeat a SYN send fewer", UNMEASURED;
    /// If they do so for as long: a program's SYN has been repeated by then.
    FLOOD_LASTS: i64 = 3_000_000_000, "ns", "the first two repeats of a SYN, 1 s and 2 s (RFC 6298 §5.5)", UNMEASURED;
    /// A client that as many addresses do not answer has one problem of its own rather than one with each.
    SILENT_ADDRESSES: u64 = 3, "addresses", "chosen: two servers may fail alike", UNMEASURED;
    /// As many silent addresses may be peers, which come and go.
    PEER_ADDRESSES: u64 = 16, "addresses", "chosen: as SCANNED_PORTS", UNMEASURED;
    /// If they have so many different ports: a service has the same port on all of its addresses.
    PEER_PORTS: Ratio = Ratio(1, 2), "ports of addresses", "chosen: a half", UNMEASURED;
}
