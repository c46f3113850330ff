//! Windows computed from buffers: pure arithmetic by kernel version.

use tcpwhy_model::{ByteCount, WindowScale};

use crate::KernelVersion;

/// Share of a buffer that is window; overhead uses the other part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowShare {
    /// `tcp_adv_win_scale`, until 6.5: `space - (space >> n)` for n > 0, else `space >> -n`.
    AdvWinScale(i64),
    /// `scaling_ratio`, since 6.6: `space * ratio >> 8`.
    Ratio(ByteCount),
}

impl WindowShare {
    /// Bytes of window for `space` bytes of buffer (`tcp_win_from_space`).
    pub fn window(self, space: ByteCount) -> ByteCount {
        match self {
            Self::AdvWinScale(scale) if scale > 0 => space - space.checked_shr(shift(scale)).unwrap_or_default(),
            Self::AdvWinScale(scale) => {
                space.checked_shr(u32::try_from(scale.unsigned_abs()).unwrap_or(u32::MAX)).unwrap_or_default()
            }
            Self::Ratio(ratio) => space.saturating_mul(ratio) >> 8,
        }
    }
}

fn shift(by: i64) -> u32 {
    u32::try_from(by).unwrap_or(u32::MAX)
}

/// `scaling_ratio` before the first full segment; `None` before 6.6.
///
/// First, 1,200 payload bytes per page; one half since 697a6c8cec03 (6.10, and the stable releases of June
/// 2024).
pub fn initial_ratio(version: KernelVersion) -> Option<ByteCount> {
    if !version.is_since(6, 6) {
        return None;
    }
    let is_half = version.is_since(6, 10) || version.is_stable_since(6, 6, 33) || version.is_stable_since(6, 9, 4);
    Some(if is_half { 128 } else { 65 })
}

/// Whether the window of a set receive buffer follows the ratio of the arriving segments: since 05f76b2d634e
/// and a2cbb1603943 (6.11, stable 6.6.47 and 6.10.6). Before, it keeps the initial ratio.
pub const fn has_following_clamp(version: KernelVersion) -> bool {
    version.is_since(6, 11) || version.is_stable_since(6, 6, 47) || version.is_stable_since(6, 10, 6)
}

/// Whether `SO_RCVBUF` on an established socket recomputes the window at once: since 7.1.
pub const fn has_set_rcvbuf(version: KernelVersion) -> bool {
    version.is_since(7, 1)
}

/// Whether the first window may exceed 65,535 bytes: since 378979e94e95 (6.10, stable 6.9.4).
pub const fn has_large_initial_window(version: KernelVersion) -> bool {
    version.is_since(6, 10) || version.is_stable_since(6, 9, 4)
}

/// The smallest window scale, 0 to 14, that can encode `space` (`tcp_select_initial_window`); sent in SYN or
/// SYN-ACK.
pub fn scale_for(space: ByteCount) -> u8 {
    space.checked_ilog2().unwrap_or_default().saturating_sub(15).min(WindowScale::LARGEST.into()) as u8
}

/// Largest window that a 16-bit field encodes at `scale`.
pub const fn wire_cap(scale: u8) -> ByteCount {
    65_535 << scale
}

/// `window_clamp` when the connection is established (`tcp_init_buffer_space`): all of `full_space`, minus
/// one segment if there is room for three.
pub fn established_clamp(full_space: ByteCount, app_win: i64, advmss: ByteCount) -> ByteCount {
    if app_win <= 0 {
        return full_space;
    }
    let mut clamp = full_space;
    if full_space > 4 * advmss {
        let kept = full_space.checked_shr(shift(app_win)).unwrap_or_default();
        clamp = (full_space - kept).max(4 * advmss);
    }
    if clamp > 2 * advmss && clamp + advmss > full_space {
        clamp = (2 * advmss).max(full_space - advmss);
    }
    clamp
}

/// Part of `window` that is usable: whole segments. A peer limits their size to half of the largest window
/// (3,456 bytes have two segments of 1,448; 2,048 have two of 1,024).
pub fn usable(window: ByteCount, mss: ByteCount) -> ByteCount {
    let half = if window > 536 { window / 2 } else { window };
    let mss = mss.min(half);
    window.checked_div(mss).unwrap_or_default() * mss
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(WindowShare::AdvWinScale(1).window(131_072), 65_536);
        assert_eq!(WindowShare::AdvWinScale(2).window(4608), 3456);
        assert_eq!(WindowShare::AdvWinScale(-2).window(4096), 1024);
        assert_eq!(WindowShare::AdvWinScale(0).window(4096), 4096);
        assert_eq!(WindowShare::AdvWinScale(99).window(4096), 4096);
        assert_eq!(WindowShare::AdvWinScale(i64::MIN).window(4096), 0);
        assert_eq!(WindowShare::Ratio(229).window(2_097_152), 1_875_968);
    }

    #[test]
    fn scales_as_measured() {
        for (space, scale) in [(0, 0), (65_535, 0), (65_536, 1), (6_291_456, 7), (15_400_000, 8), (33_554_432, 10)] {
            assert_eq!(scale_for(space), scale, "{space}");
        }
        assert_eq!(scale_for(u64::MAX), 14);
    }

    #[test]
    fn the_default_window_is_a_segment_short_of_half_the_buffer() {
        assert_eq!(established_clamp(65_536, 31, 1448), 64_088);
        assert_eq!(established_clamp(4096, 31, 1448), 2896);
        assert_eq!(established_clamp(2048, 31, 1448), 2048);
        assert_eq!(established_clamp(65_536, 0, 1448), 65_536);
    }

    #[test]
    fn segments_fit_whole() {
        assert_eq!(usable(3456, 1448), 2896);
        assert_eq!(usable(2048, 1448), 2048);
        assert_eq!(usable(0, 1448), 0);
        assert_eq!(usable(300, 1448), 300);
        assert_eq!(usable(64_088, 1448), 63_712);
    }

    /// The first release of each rule, and the one before it.
    #[test]
    fn rules_begin_with_these_releases() {
        let release = KernelVersion::release;
        for (version, ratio, follows, large) in [
            (KernelVersion::series(6, 5), None, false, false),
            (release(6, 6, 0), Some(65), false, false),
            (release(6, 6, 32), Some(65), false, false),
            (release(6, 6, 33), Some(128), false, false),
            (release(6, 6, 46), Some(128), false, false),
            (release(6, 6, 47), Some(128), true, false),
            (KernelVersion::series(6, 6), Some(128), true, false),
            (KernelVersion::series(6, 8), Some(65), false, false),
            (release(6, 9, 3), Some(65), false, false),
            (release(6, 9, 4), Some(128), false, true),
            (release(6, 10, 0), Some(128), false, true),
            (release(6, 10, 5), Some(128), false, true),
            (release(6, 10, 6), Some(128), true, true),
            (release(6, 11, 0), Some(128), true, true),
        ] {
            let found = (initial_ratio(version), has_following_clamp(version), has_large_initial_window(version));
            assert_eq!(found, (ratio, follows, large), "{version}");
        }
        let series = [KernelVersion::series(7, 0), KernelVersion::series(7, 1)];
        assert_eq!(series.map(has_set_rcvbuf), [false, true]);
    }

    /// `tcp_init_buffer_space`, at each of its boundaries.
    #[test]
    fn a_clamp_keeps_a_segment_where_there_is_room_for_three() {
        for (what, full, app_win, expected) in [
            ("all of it where tcp_app_win is 0", 10_000, 0, 10_000),
            ("all of it where it is negative", 10_000, -1, 10_000),
            ("a quarter is kept", 8000, 2, 6000),
            ("four segments at least", 5000, 2, 4000),
            ("four segments: nothing is kept for the application", 4000, 2, 3000),
            ("three segments", 3000, 31, 2000),
            ("more than two", 2001, 31, 2000),
            ("two", 2000, 31, 2000),
        ] {
            assert_eq!(established_clamp(full, app_win, 1000), expected, "{what}");
        }
    }

    /// `tcp_bound_to_half_wnd`: half of a window of more than 536 bytes.
    #[test]
    fn segments_take_half_of_a_window_of_more_than_536_bytes() {
        for (window, expected) in [(536, 536), (537, 536), (538, 538), (2000, 2000), (2001, 2000), (2999, 2000)] {
            assert_eq!(usable(window, 1000), expected, "{window}");
        }
        assert_eq!([0, 1, 14].map(wire_cap), [65_535, 131_070, 1_073_725_440]);
    }
}
