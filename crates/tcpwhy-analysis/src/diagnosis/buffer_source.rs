//! Origin of a receive buffer's limit, as far as the receiver's SYN shows it: its program, or the host.
//!
//! Linux fixes the window scale when it builds the SYN (`tcp_select_initial_window`, Linux 6.18). If the
//! program had set `SO_RCVBUF` by then, the scale follows from its buffer. Otherwise it follows from the
//! larger of `tcp_rmem[2]` and `rmem_max`. The first window is a number of whole segments: as many as the
//! buffer allows at that time, up to the kernel's maximum.

use tcpwhy_model::{Fix, WindowScale};

use super::facts::HalfFacts;
use crate::seen::SynFacts;

/// Origin of the limit of a receive buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BufferSource {
    /// The program: it set `SO_RCVBUF` before the connection was opened.
    Program,
    /// The sysctl `tcp_rmem` of Linux.
    Sysctl,
    /// Windows, with a receive window autotuning level other than the default.
    WindowsLevel,
    /// The program, on Windows with the default autotuning level.
    WindowsProgram,
    /// Either the program, after the connection was opened, or `tcp_rmem`.
    Unclear,
}

/// Largest scale that shows a buffer set by the program. Defaults have more: 7 on Linux (`tcp_rmem[2]` of 6
/// MiB), 5 or 6 on macOS and FreeBSD.
const SET_SCALES: u8 = 4;
/// Smallest window of a buffer with the scale 0, bytes. A scale of n comes from a buffer that offers at least
/// 32 KiB << n.
const LEAST_OF_SCALE: u64 = 32 * 1024;
/// Share of that window that a full buffer offers, because unread data and memory around the payload use the
/// remainder.
const LEAST_FILLED: f64 = 0.6;
/// Ratio to that window which a limit by `tcp_rmem[2]` never reaches: 170/256 of its memory in 1500-byte
/// packets give a ratio of 1.33.
const MORE_THAN_SYSCTL: f64 = 1.4;
/// Numbers of segments in the kernel's first window: 10 on Linux 2.6.39 to 3.9, 20 up to 4.19
/// (`TCP_INIT_CWND`, doubled in `tcp_default_init_rwnd`).
const FIRST_SEGMENTS: [u64; 2] = [10, 20];
/// Bytes of the timestamps option with padding (RFC 7323). Segments are smaller than the MSS by these.
const TIMESTAMPS: u64 = 12;
/// Ratio to the first window below which the largest window comes from the same buffer.
const SAME_BUFFER: f64 = 2.0;
/// Windows starts with a hop limit of 128; Linux, macOS and BSD start with 64.
const WINDOWS_HOPS: std::ops::RangeInclusive<u8> = 65..=128;
/// Window scale of Windows at the level `normal`.
const WINDOWS_NORMAL: u8 = 8;

impl BufferSource {
    /// Origin of the buffer at the receiver of this data.
    pub(super) fn of(facts: &HalfFacts<'_>) -> Self {
        let Some(syn) = facts.receiver_syn else { return Self::Unclear };
        let Some(scale) = syn.window_scale else { return Self::Unclear };
        if WINDOWS_HOPS.contains(&facts.hop_limits[1].usual) {
            return if scale == WINDOWS_NORMAL { Self::WindowsProgram } else { Self::WindowsLevel };
        }
        Self::of_linux(&syn, scale, facts.half.window_max())
    }

    /// `largest`: the largest window that was offered, bytes.
    fn of_linux(syn: &SynFacts, scale: u8, largest: u64) -> Self {
        if scale == 0 {
            return Self::Program;
        }
        let least = (LEAST_OF_SCALE << scale.min(WindowScale::LARGEST)) as f64;
        let largest = largest as f64;
        if largest >= least * MORE_THAN_SYSCTL && scale <= SET_SCALES {
            return Self::Program;
        }
        // The buffer was equally small when the SYN left if the window has not grown since, or if no default
        // is as small.
        let (first, mss) = (f64::from(syn.window), f64::from(syn.mss.unwrap_or(u16::MAX)));
        let was_small = largest < first * SAME_BUFFER || first < mss * FIRST_SEGMENTS[0] as f64;
        let is_too_small = largest < least * LEAST_FILLED;
        if is_too_small && is_first_window_cut(syn) && was_small { Self::Sysctl } else { Self::Unclear }
    }
}

/// Whether the buffer and not the kernel's own maximum limited the window of the SYN.
fn is_first_window_cut(syn: &SynFacts) -> bool {
    let Some(mss) = syn.mss.map(u64::from).filter(|&mss| mss > TIMESTAMPS) else { return false };
    let window = u64::from(syn.window);
    let is_full = window + mss > u64::from(u16::MAX);
    let is_usual = [mss, mss - TIMESTAMPS].iter().any(|size| FIRST_SEGMENTS.iter().any(|n| n * size == window));
    !is_full && !is_usual
}

/// Fixes that let the receiver offer `wanted` bytes. `has_grown`: whether the window grew and then stopped.
pub(super) fn receive_buffer_fixes(facts: &HalfFacts<'_>, wanted: u64, has_grown: bool) -> Vec<Fix> {
    let delete = tcpwhy_advice::remove_so_rcvbuf;
    let set = || tcpwhy_advice::raise_so_rcvbuf(wanted);
    let host = || tcpwhy_advice::raise_tcp_rmem(wanted);
    let windows = tcpwhy_advice::enable_receive_autotuning;
    let check = tcpwhy_advice::check_receive_buffer;
    match BufferSource::of(facts) {
        BufferSource::Program | BufferSource::WindowsProgram => vec![delete(), set()],
        BufferSource::Sysctl => vec![host()],
        BufferSource::WindowsLevel => vec![windows(), delete().as_rival()],
        BufferSource::Unclear if has_grown => vec![host(), delete().as_rival(), check()],
        BufferSource::Unclear => vec![delete(), host().as_rival(), check(), set()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seen::EcnOffer;

    fn syn(window: u16, mss: u16) -> SynFacts {
        SynFacts {
            mss: Some(mss),
            window_scale: None,
            window,
            has_timestamps: true,
            has_sack: true,
            ecn: EcnOffer::None,
        }
    }

    /// The first five and those with a scale of 7 were measured on Linux 6.18, whose `rmem_max` of 4 MiB
    /// gives that scale. The others follow from the kernel's source with the `rmem_max` of 208 KiB of earlier
    /// versions.
    #[test]
    fn a_syn_tells_a_setting_from_a_sysctl() {
        use BufferSource::{Program, Sysctl, Unclear};
        for (what, scale, first, mss, largest, expected) in [
            ("SO_RCVBUF of 48 KiB before connect", 0, 48_180, 1460, 65_535, Program),
            ("SO_RCVBUF of 12 KiB on a listener", 0, 11_584, 1460, 17_376, Program),
            ("SO_RCVBUF of 256 KiB", 3, 65_535, 1460, 414_072, Program),
            ("SO_RCVBUF of 700 KiB", 4, 65_535, 1460, 1_048_560, Program),
            ("SO_RCVBUF of 64 KiB after connect", 7, 64_240, 1460, 102_656, Unclear),
            ("SO_RCVBUF of 400 KiB after accept", 7, 65_160, 1460, 542_848, Unclear),
            ("tcp_rmem of 4096 4096 4096", 7, 1460, 1460, 3_000, Sysctl),
            ("tcp_rmem of 4096 4096 4096, rmem_max of 208 KiB", 2, 1460, 1460, 3_000, Sysctl),
            ("tcp_rmem of 4096 32768 32768", 7, 16_060, 1460, 20_352, Sysctl),
            ("tcp_rmem of 4096 8192 16384", 7, 2896, 1460, 10_112, Sysctl),
            ("tcp_rmem of 4096 87380 262144", 7, 42_340, 1460, 205_056, Unclear),
            ("tcp_rmem of 4096 131072 524288, rmem_max of 208 KiB", 4, 64_240, 1460, 348_160, Unclear),
            ("tcp_rmem of 6 MiB, its default", 7, 64_240, 1460, 4_177_920, Unclear),
            ("Linux 4.14, SO_RCVBUF after connect", 7, 29_200, 1460, 182_000, Unclear),
            ("macOS at its ceiling", 6, 65_535, 1460, 4_194_240, Unclear),
        ] {
            assert_eq!(BufferSource::of_linux(&syn(first, mss), scale, largest), expected, "{what}");
        }
    }

    #[test]
    fn any_scale_is_judged() {
        for scale in [14, 15, 63, 64, u8::MAX] {
            assert_eq!(BufferSource::of_linux(&syn(64_240, 1460), scale, 1_000_000), BufferSource::Unclear, "{scale}");
        }
    }

    /// `FIRST_SEGMENTS`: a first window at the kernel's own maximum is no sign of a small buffer.
    #[test]
    fn the_kernels_own_first_window_says_nothing_of_the_buffer() {
        for (window, mss) in
            [(64_240, 1460), (65_160, 1460), (29_200, 1460), (28_960, 1460), (14_600, 1460), (62_720, 8960)]
        {
            assert!(!is_first_window_cut(&syn(window, mss)), "{window}");
        }
        for window in [1460, 2896, 16_060, 27_740, 30_660, 42_340, 62_780] {
            assert!(is_first_window_cut(&syn(window, 1460)), "{window}");
        }
    }
}
