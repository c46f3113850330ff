//! What differs between versions of the kernel, as far as a transfer feels it.

use tcpwhy_kernel::window::{has_following_clamp, has_large_initial_window, has_set_rcvbuf};
use tcpwhy_kernel::{KernelVersion, Pattern, regressions_of};

/// How the receive buffer follows what a program reads (`tcp_rcv_space_adjust`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// Twice what was read and sixteen segments, and twice what it grew by (c3916ad93242, 4.16).
    Cushioned,
    /// Twice what was read, and what is behind holes (65c5287892e9, 6.16).
    Twice,
    /// That, and twice what it grew by (aa251c84636c, 6.18).
    WithRise,
    /// On short paths it grows by the round trip instead (`tcp_rcvbuf_low_rtt`, 6.19).
    WithShortPaths,
}

/// What differs between versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VersionRules {
    pub(crate) growth: Growth,
    /// The part of the buffer that is window follows the segments that come (dfa2f0483360, 6.6).
    pub(crate) measures_share: bool,
    /// The window follows that part at once (05f76b2d634e, a2cbb1603943, 6.11).
    pub(crate) clamp_follows_share: bool,
    /// `SO_RCVBUF` on an open connection moves its window at once (7.1).
    pub(crate) window_follows_set: bool,
    /// The first window may be more than 65,535 bytes (378979e94e95, 6.10).
    pub(crate) has_large_first_window: bool,
    /// The bytes that a program has to read in a round trip before the buffer grows are bounded by the
    /// window, too (72d05c00d7ec, 5.10). With large segments a buffer could not grow otherwise.
    pub(crate) bounds_first_space: bool,
    /// Bytes that were read count without those that still wait (2da35e4b4df9, 6.16; in the sources of
    /// 6.12.117, in guests with 6.12.74 and later).
    pub(crate) subtracts_waiting: bool,
    /// A buffer takes bytes of the next one before it is sent (`tcp_grow_skb`, 8ee602c63520, 6.10).
    pub(crate) fills_buffers: bool,
    /// A full segment at the end of a write is acknowledged once it is read (4720852ed9af, 6.6).
    pub(crate) answers_full_ends: bool,
    /// `tcp_tso_should_defer` looks at when the next ACK is due rather than at when data was sent
    /// (295ce1eb36ae, 6.18). Stable series got it in October 2025; it is in the sources of 6.1.176 and
    /// 6.12.117.
    pub(crate) defers_by_next_ack: bool,
    pub(crate) hystart: HyStartRules,
}

/// Forms of `HyStart`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HyStartRules {
    /// A train may last as long as its largest bursts besides (ede656e84659, 5.6), and time is counted in
    /// microseconds (cff04e2da308); before, in milliseconds.
    pub(crate) has_burst_time: bool,
    /// Round trips count after the first eight samples, too (b344579ca847, 5.16).
    pub(crate) follows_least: bool,
    /// A round begins only with a window of 16 segments (4e1fddc98d25, 5.16, to 25c1a9ca53db, 6.14).
    pub(crate) rounds_need_window: bool,
}

/// Releases of stable series with 295ce1eb36ae.
const NEXT_ACK_IN_STABLE: [[u16; 3]; 6] =
    [[6, 17, 5], [6, 12, 55], [6, 6, 114], [6, 1, 157], [5, 15, 196], [5, 10, 246]];

impl VersionRules {
    pub(crate) fn new(version: KernelVersion) -> Self {
        let since = |major, minor| version.is_since(major, minor);
        let has = |pattern| regressions_of(version).any(|fault| fault.pattern == pattern);
        Self {
            growth: match version {
                _ if since(6, 19) => Growth::WithShortPaths,
                _ if has(Pattern::AutotuningSlow) => Growth::Twice,
                _ if since(6, 17) => Growth::WithRise,
                _ => Growth::Cushioned,
            },
            measures_share: since(6, 6),
            clamp_follows_share: has_following_clamp(version),
            window_follows_set: has_set_rcvbuf(version),
            has_large_first_window: has_large_initial_window(version),
            bounds_first_space: !has(Pattern::JumboWindowStuck),
            subtracts_waiting: since(6, 16) || version.is_stable_since(6, 12, 74),
            fills_buffers: since(6, 10),
            answers_full_ends: since(6, 6),
            defers_by_next_ack: since(6, 18)
                || NEXT_ACK_IN_STABLE.iter().any(|&[major, minor, patch]| version.is_stable_since(major, minor, patch)),
            hystart: HyStartRules {
                has_burst_time: since(5, 6),
                follows_least: since(5, 16),
                rounds_need_window: since(5, 16) && !since(6, 14),
            },
        }
    }

    /// `net.core.rmem_max` and `wmem_max`, where they are not known (a6d4f25888b8, 6.18).
    pub(super) const fn largest_request(version: KernelVersion) -> u64 {
        if version.is_since(6, 18) { 4 << 20 } else { 212_992 }
    }
}

/// When ACKs wait for data to go with: the ends have taken turns so often (`inet_csk_in_pingpong_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConversationRules {
    /// Answers that make a conversation (`TCP_PINGPONG_THRESH`, `tcp_pingpong_thresh`).
    pub(crate) after: u32,
    /// Only the first segment of an answer counts.
    pub(crate) counts_turns: bool,
}

impl ConversationRules {
    /// 3 from 4a41f453bedf (5.1) to 4d8f24eeedc5 (5.19), else 1.
    pub(super) fn new(version: KernelVersion) -> Self {
        // Stable series got the latter in August 2022.
        let is_reverted =
            version.is_since(5, 19) || [(5, 15), (5, 10)].into_iter().any(|series| is_last(version, series));
        let counts_turns = version.is_since(5, 1) && !is_reverted;
        Self { after: if counts_turns { 3 } else { 1 }, counts_turns }
    }

    /// As `tcp_pingpong_thresh` says.
    pub(super) const fn after(after: u32) -> Self {
        Self { after, counts_turns: false }
    }
}

/// A series that is named without its release counts as its last one.
fn is_last(version: KernelVersion, (major, minor): (u16, u16)) -> bool {
    version == KernelVersion::series(major, minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_by_version() {
        for (text, growth, turns) in [
            ("4.20", Growth::Cushioned, 1),
            ("5.4.100", Growth::Cushioned, 3),
            ("6.1", Growth::Cushioned, 1),
            ("6.15.11", Growth::Cushioned, 1),
            ("6.16.1", Growth::Twice, 1),
            ("6.17.8", Growth::Twice, 1),
            ("6.18", Growth::WithRise, 1),
            ("6.19", Growth::WithShortPaths, 1),
            ("7.3", Growth::WithShortPaths, 1),
        ] {
            let version: KernelVersion = text.parse().unwrap();
            let found = (VersionRules::new(version).growth, ConversationRules::new(version).after);
            assert_eq!(found, (growth, turns), "{text}");
        }
    }
}
