//! Every number that decides: its meaning, its unit and its source. `thresholds/tidy.rs` finds numbers that
//! are left elsewhere.
//!
//! Bounds of memory stay beside their use: how many points, cells, intervals and sockets are kept.

#[cfg(test)]
mod tidy;

/// A part of a whole, as two whole numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    part: u64,
    whole: u64,
}

impl Ratio {
    /// Whether `amount` is this part of `all`, or more.
    pub(crate) const fn is_reached(self, amount: u64, all: u64) -> bool {
        self.whole.saturating_mul(amount) >= self.part.saturating_mul(all)
    }

    /// Whether `amount` is more than this part of `all`.
    pub(crate) const fn is_exceeded(self, amount: u64, all: u64) -> bool {
        self.whole.saturating_mul(amount) > self.part.saturating_mul(all)
    }
}

// The sender at an instant.

/// The largest burst that TCP sends at once, bytes. Source: `GSO_LEGACY_MAX_SIZE`.
pub(crate) const LARGEST_BURST: u64 = 65_536;
/// The smallest burst that a pacer sends at once, segments. Source: `sysctl_tcp_min_tso_segs`.
pub(crate) const LEAST_BURST: u64 = 2;
/// A pacer sends its rate in as many bursts per second. Source: `sk_pacing_shift`, about a millisecond each.
pub(crate) const BURSTS_PER_SECOND: u64 = 1024;
/// Memory that a segment takes besides its data, bytes. Source: `SKB_TRUESIZE`, about.
pub(crate) const SKB_OVERHEAD: u64 = 800;
/// The interface may always hold as many segments. Source: `tcp_small_queue_check`.
pub(crate) const LEAST_SMALL_QUEUE: u64 = 2;
/// A send buffer is full with this part of it queued: its writer wakes when a third is free. Source:
/// `sk_stream_write_space`.
pub(crate) const FULL_BUFFER: Ratio = Ratio { part: 2, whole: 3 };
/// A buffer holds a pacer back if the congestion window has room for as many times its content. Chosen: a
/// congestion window of BBR is twice the product of rate and round trip.
pub(crate) const WINDOW_OVER_BUFFER: u64 = 2;

// Queues and windows.

/// A round trip that is longer by less has no queue but jitter, µs. Chosen: short round trips vary by less.
pub(crate) const LEAST_QUEUE: u64 = 5_000;
/// A round trip that is longer by less than one in as many parts has no queue either. Chosen: long paths vary
/// more.
pub(crate) const LEAST_QUEUE_PART: u64 = 10;
/// A link is full if the round trip is as many times the least one. Chosen: half of the bytes in flight are
/// queued.
pub(crate) const FULL_LINK: u64 = 2;
/// With fewer segments in flight, a receiver that delays ACKs makes round trips longer. Chosen: twice the
/// segments that an ACK may wait for (RFC 9293 §3.8.6.3).
pub(crate) const LEAST_FLIGHT: u64 = 4;
/// The largest window without window scaling, bytes. Source: RFC 7323 §2.1.
pub(crate) const LARGEST_UNSCALED: u64 = 65_535;
/// A window of more than this part of the largest one lacks window scaling. Chosen: half of it.
pub(crate) const UNSCALED_PART: Ratio = Ratio { part: 1, whole: 2 };
/// BBR starts at a rate of more times what it delivers. Chosen: below `bbr_high_gain`, 2.9, and above the
/// gain of its probes, 1.25.
pub(crate) const STARTING_GAIN: u64 = 2;
/// BBR paces at the largest rate of so many round trips. Source: `bbr_bw_rtts`.
pub(crate) const RATE_ROUND_TRIPS: u64 = 10;

// The reader.

/// A reader is slow if its window has room for fewer segments. Chosen: a sender waits below one (RFC 9293
/// §3.8.6.2.1).
pub(crate) const SMALL_WINDOW: u64 = 2;
/// Where its window is not known: a reader is slow with more of its receive buffer in use. Chosen: most of
/// it.
pub(crate) const FULL_RECEIVE_BUFFER: Ratio = Ratio { part: 3, whole: 4 };

// Whose turn a rest is.

/// A program that wrote again so shortly after a rest goes at its own pace, ms. Source: `LONGEST_OWN_PACE` of
/// `tcpwhy.bpf.c`.
pub(crate) const LONGEST_OWN_PACE: u64 = 500;
/// This side does not answer a peer that has said nothing for longer, ms. Chosen: twice `LONGEST_OWN_PACE`.
pub(crate) const SILENT: u64 = 1000;
/// A message that grants more has no more bytes. Source: `LONGEST_GRANT` of `tcpwhy.bpf.c`.
pub(crate) const LONGEST_GRANT: u64 = 128;
/// More segments than these follow a message that grants more; no more are an answer. Source: the same test
/// in `tcpwhy.bpf.c`.
pub(crate) const SHORT_ANSWER: u64 = 2;
/// A sender waited for its peer if the round trips of the peer's messages took one in as many parts of the
/// time. Chosen: half.
pub(crate) const WAITED_PARTS: i64 = 2;
/// The kernel reports longer rests only at their end, ns. Source: `LONGEST_OWN_PACE` of `tcpwhy.bpf.c`.
pub(crate) const SHORTEST_REST: i64 = 500_000_000;

// The time between two samples.

/// A sample shows nothing of time further away than half of this, ns. Chosen: five
/// samples at 1 Hz.
pub(crate) const LONGEST: i64 = 5_000_000_000;
/// Each of two samples shows one in as many parts of the time between them. Chosen: the half at its side.
pub(crate) const SIDES: i64 = 2;
/// The kernel's clocks are wrong by a tick, ns. Source: `CONFIG_HZ`, 100 at least.
pub(crate) const JIFFY: i64 = 10_000_000;
/// From as much time between two samples, the kernel's clocks show more of it than the samples, ns. Chosen:
/// 20 ticks, an error of a twentieth.
pub(crate) const CLOCKS_FROM: i64 = 200_000_000;

/// How often a stretch of time was labelled correctly, by how it is known. Source: transfers of known cause,
/// sampled at 10 Hz and at 1 Hz (`tcpwhy-lab/tests/live_replay.rs`).
pub(crate) mod confidence {
    /// Both samples around the stretch agree; a share. Source: as above.
    pub(crate) const AGREED: f32 = 0.98;
    /// The samples differ, and each stands for its half; a share. Source: as above.
    pub(crate) const HALVED: f32 = 0.85;
    /// The kernel's account looked at each ACK and each write; a share. Source: as above.
    pub(crate) const ACCOUNTED: f32 = 0.99;
    /// A clock of the kernel counted it; a share. Source: as above.
    pub(crate) const COUNTED: f32 = 0.95;
    /// Neither sample shows it; a share. Source: as above.
    pub(crate) const UNSEEN: f32 = 0.7;
}

// Answers.

/// A side with fewer answers may have received data and confirmed it at the end, answers. Chosen: three.
pub(crate) const LEAST_ANSWERS: u64 = 3;
/// A request has no more bytes: more at a time is data. Chosen: a program's usual largest write.
pub(crate) const LARGEST_REQUEST: u64 = 65_536;
/// An answer within so long on average comes at once, ns. Chosen: far below the 0.1 s that a user notices
/// (Miller 1968).
pub(crate) const AT_ONCE: i64 = 1_000_000;

// How connections fail.

/// A connection that no program has accepted for longer is not accepted, ns. Chosen: a second; programs that
/// accept do it within milliseconds.
pub(crate) const LONGEST_UNACCEPTED: i64 = 1_000_000_000;
/// A SYN without an answer for longer was lost or ignored, ns. Source: `TCP_TIMEOUT_INIT`, its first
/// retransmission (RFC 6298 §2.1).
pub(crate) const LONGEST_UNANSWERED_SYN: i64 = 1_000_000_000;
/// After as many timeouts without any ACK the path is in doubt. Source: R1 of RFC 1122 §4.2.3.5,
/// `TCP_RETR1`.
pub(crate) const FAILING_TIMEOUTS: u64 = 3;
/// What a side says before it closes has no more bytes: nobody answers that. Source: an alert of TLS 1.2 with
/// AES-CBC and SHA-1 takes 53, others less.
pub(crate) const LONGEST_GOODBYE: u64 = 53;

// The verdict.

/// A path that limited more of the time has shown its rate; a share. Chosen: a fifth.
pub(crate) const PATH_SHOWS: f64 = 0.2;
/// Where it limited more of the time than all else, no other limit can be what shows; a share. Chosen: half.
pub(crate) const PATH_LEADS: f64 = 0.5;
/// Else its rate is so many times that of the whole transfer. Chosen: by less it may be the bursts of a small
/// buffer, and a path at that rate would promise little.
pub(crate) const PATH_FASTER: f64 = 1.25;
/// A window that was closed for one in as many parts of its time names the reader. Chosen: a fifth.
pub(crate) const CLOSES_OFTEN: i64 = 5;
/// A least round trip that was never measured, µs. Source: `~0U` in `tcp_info`.
pub(crate) const UNKNOWN_ROUND_TRIP: u64 = u32::MAX as u64;
/// A proposed send buffer is as many times today's, or more. Chosen: one doubling.
pub(crate) const LARGER_BUFFER: u64 = 2;
/// 95 % of a normal distribution are within as many standard deviations. Source: its quantile of 97.5 %.
pub(crate) const DEVIATIONS: f64 = 1.96;
/// Time under different groups counts in both of them. Source: the definition of the total variation
/// distance.
pub(crate) const GROUPS_OF_A_DIFFERENCE: f64 = 2.0;

// Connections added up.

/// Two sockets with mirrored addresses are the ends of one connection if they were seen no further apart,
/// ns. Chosen: two scans, of which there is one per second.
pub(crate) const SEEN_TOGETHER: i64 = 2_000_000_000;
/// Fewer connections of one client to one service that came and went are single ones, connections. Chosen:
/// ten requests in a minute are a habit.
pub(crate) const REPEATED: u64 = 10;

// The kernel's word beside packets.

/// The kernel decides about a direction of whose time it watched more than this part. Source: the definition
/// of most.
pub(crate) const KERNEL_DECIDES: Ratio = Ratio { part: 1, whole: 2 };
/// Time under different kinds counts in both of them. Source: the definition of the total variation distance.
pub(crate) const KINDS_OF_A_DIFFERENCE: f64 = 2.0;
/// A finding of the packets stays if the kernel leaves its limits this part of their time. Chosen: half; with
/// less, most of what it reports is refuted.
pub(crate) const FINDING_KEPT: Ratio = Ratio { part: 1, whole: 2 };
/// Times that differ by less are one; a share. Chosen: 95 %, as a prediction's range is wider.
pub(crate) const SAME_TIME: f64 = 0.95;

// What is named, and what is alerted on.

/// A limit of several connections is named if a change could save this part of their time. Chosen: a
/// twentieth.
pub(crate) const LOST_NAMED: Ratio = Ratio { part: 1, whole: 20 };
/// A limit that has more of the time is the one to act on; a share. Source: the definition of most.
pub(crate) const ALERT_SHARE: f64 = 0.5;
/// Fewer connections at work are too few to conclude from. Chosen: a tenth of one.
pub(crate) const ALERT_BUSY: f64 = 0.1;
/// A larger share of bytes retransmitted slows transfers on any path. Chosen: a congestion window under
/// Reno's response (RFC 5681) is below nine segments then.
pub(crate) const ALERT_RETRANSMITTED: f64 = 0.02;

// Units.

/// Nanoseconds of a microsecond. Source: the definition.
pub(crate) const MICROSECOND: u64 = 1_000;
/// Microseconds of a second. Source: the definition.
pub(crate) const MICROS_PER_SECOND: f64 = 1e6;
/// Bits of a byte. Source: the definition.
pub(crate) const BITS: u64 = 8;
