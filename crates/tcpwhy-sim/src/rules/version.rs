//! Differences between kernel versions that affect a transfer.

use tcpwhy_kernel::window::{has_following_clamp, has_large_initial_window, has_set_rcvbuf};
use tcpwhy_kernel::{KernelVersion, Pattern, regressions_of};

/// Growth of the receive buffer with the bytes that a program reads (`tcp_rcv_space_adjust`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// Twice the bytes read plus sixteen segments, plus twice their increase (c3916ad93242, 4.16).
    Cushioned,
    /// Twice the bytes read, plus bytes after holes (65c5287892e9, 6.16).
    Twice,
    /// Like `Twice`, plus twice the increase of the bytes read (aa251c84636c, 6.18).
    WithRise,
    /// On short paths the growth depends on the round trip instead (`tcp_rcvbuf_low_rtt`, 6.19).
    WithShortPaths,
}

/// Differences between versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VersionRules {
    pub(crate) growth: Growth,
    /// Whether the window's share of the buffer follows the received segments (dfa2f0483360, 6.6).
    pub(crate) measures_share: bool,
    /// Whether the window follows that share at once (05f76b2d634e, a2cbb1603943, 6.11).
    pub(crate) clamp_follows_share: bool,
    /// Whether `SO_RCVBUF` on an open connection changes its window at once (7.1).
    pub(crate) window_follows_set: bool,
    /// Whether the first window may exceed 65,535 bytes (378979e94e95, 6.10).
    pub(crate) has_large_first_window: bool,
    /// Whether the window also limits the bytes per round trip that a program must read before the buffer
    /// grows (72d05c00d7ec, 5.10). Otherwise a buffer could not grow with large segments.
    pub(crate) bounds_first_space: bool,
    /// Whether bytes that still wait are subtracted from the bytes read (2da35e4b4df9, 6.16; in the sources
    /// of 6.12.117, and observed on guests with 6.12.74 or later).
    pub(crate) subtracts_waiting: bool,
    /// Whether a buffer is filled with bytes of the next one before it is sent (`tcp_grow_skb`, 8ee602c63520,
    /// 6.10).
    pub(crate) fills_buffers: bool,
    /// Whether a full segment at the end of a write is acknowledged after it is read (4720852ed9af, 6.6).
    pub(crate) answers_full_ends: bool,
    /// Whether `tcp_tso_should_defer` depends on the time of the next ACK instead of the last send
    /// (295ce1eb36ae, 6.18). Stable series got this in October 2025; it is in the sources of 6.1.176 and
    /// 6.12.117.
    pub(crate) defers_by_next_ack: bool,
    pub(crate) hystart: HyStartRules,
}

/// Variants of `HyStart`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HyStartRules {
    /// Whether a train may be longer by the time of its largest bursts (ede656e84659, 5.6) and time is
    /// counted in microseconds (cff04e2da308). Before, in milliseconds.
    pub(crate) has_burst_time: bool,
    /// Whether round trips after the first eight samples count too (b344579ca847, 5.16).
    pub(crate) follows_least: bool,
    /// Whether a round begins only with a window of 16 segments (4e1fddc98d25, 5.16, to 25c1a9ca53db, 6.14).
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

    /// Default of `net.core.rmem_max` and `wmem_max` (a6d4f25888b8, 6.18).
    pub(super) const fn largest_request(version: KernelVersion) -> u64 {
        if version.is_since(6, 18) { 4 << 20 } else { 212_992 }
    }
}

/// When ACKs wait for data to be sent with: after several request–response turns
/// (`inet_csk_in_pingpong_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConversationRules {
    /// Number of answers before that (`TCP_PINGPONG_THRESH`, `tcp_pingpong_thresh`).
    pub(crate) after: u32,
    /// Whether only the first segment of an answer counts.
    pub(crate) counts_turns: bool,
}

impl ConversationRules {
    /// 3 from 4a41f453bedf (5.1) to 4d8f24eeedc5 (5.19), otherwise 1.
    pub(super) fn new(version: KernelVersion) -> Self {
        // Stable series got the second commit in August 2022.
        let is_reverted =
            version.is_since(5, 19) || [(5, 15), (5, 10)].into_iter().any(|series| is_last(version, series));
        let counts_turns = version.is_since(5, 1) && !is_reverted;
        Self { after: if counts_turns { 3 } else { 1 }, counts_turns }
    }

    /// With the value of `tcp_pingpong_thresh`.
    pub(super) const fn after(after: u32) -> Self {
        Self { after, counts_turns: false }
    }
}

/// Whether only the series is known, which counts as its last release.
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
