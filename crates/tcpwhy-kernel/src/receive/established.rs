//! The largest window of an established connection.

use tcpwhy_model::ByteCount;

use super::question::ReceiveQuestion;
use crate::figure::Derivation;
use crate::request::{Granted, When};
use crate::window::{WindowShare, established_clamp, has_following_clamp, has_set_rcvbuf, initial_ratio};
use crate::{Figure, Ground, Rule};

/// State of a receiver when its connection is established.
pub(super) struct Established<'a> {
    pub(super) question: &'a ReceiveQuestion<'a>,
    /// `tcp_rmem`, and its reliability in `ground`.
    pub(super) rmem: [ByteCount; 3],
    pub(super) ground: Ground,
    pub(super) app_win: i64,
    /// Share of the buffer that is window before data arrives.
    pub(super) first_share: WindowShare,
    /// `window_clamp`.
    pub(super) clamp: ByteCount,
    /// Largest possible `window_clamp`, if it depends on the kernel's configuration.
    pub(super) largest_clamp: ByteCount,
    /// The receiver's window as the sender knows it at its first send.
    pub(super) initial_window: ByteCount,
    /// Window scale.
    pub(super) scale: u8,
}

impl Established<'_> {
    /// `window_clamp` without the limit of the scale, and whether it stays below the window that the buffer
    /// would allow.
    pub(super) fn window_clamp(
        &self,
        granted: Option<&Granted>,
        buffer: Figure,
        steps: &mut Derivation,
    ) -> (Figure, bool) {
        let Some(granted) = granted else { return (self.window_of(buffer, steps), false) };
        let version = self.question.version;
        match granted.request.when {
            When::BeforeConnect | When::OnListener if !has_following_clamp(version) => {
                let clamp = self.clamp;
                let rule = if initial_ratio(version).is_some() { Rule::ClampFrozen } else { Rule::SegmentReserve };
                steps.note(rule, buffer.ground, format!("window_clamp = {clamp}"), clamp);
                (self.queued(clamp).trusted(buffer.ground), false)
            }
            _ if has_set_rcvbuf(version) => {
                let window = self.window_of(buffer, steps);
                steps.note(Rule::ClampFollows, window.ground, format!("window_clamp = {}", window.value), window.value);
                (window, false)
            }
            When::AfterData => self.frozen_by_data(buffer, steps),
            When::AfterConnect if !has_following_clamp(version) => {
                let own = self.first_share.window(buffer.value);
                let frozen = self.clamp.min(own);
                let formula = format!("min(window_clamp {}, {own}) = {frozen}", self.clamp);
                steps.note(Rule::ClampFrozen, Ground::Measured, formula, frozen);
                let window = self.queued(frozen).trusted(self.ground);
                (Figure { high: Some(self.largest_clamp.min(own).max(frozen)), ..window }, self.clamp < own)
            }
            When::BeforeConnect | When::OnListener | When::AfterConnect => (self.window_of(buffer, steps), false),
        }
    }

    /// The window that stays if the buffer is set while data flows. It keeps its current size, between the
    /// initial one and the maximum of autotuning.
    fn frozen_by_data(&self, buffer: Figure, steps: &mut Derivation) -> (Figure, bool) {
        let own = self.window_of(buffer, steps);
        let unlogged = |space| self.window_of(Figure::exact(space), &mut Derivation::new(Ground::Exact));
        let start = if has_following_clamp(self.question.version) { unlogged(self.rmem[1]).value } else { self.clamp };
        let grown = unlogged(self.rmem[2]);
        let most = grown.high.unwrap_or(grown.value).min(own.high.unwrap_or(own.value));
        let frozen = start.min(own.value);
        steps.note(Rule::WindowFrozen, Ground::Measured, format!("window_clamp ≈ {frozen}"), frozen);
        let window = Figure::range(frozen, frozen.min(self.clamp), Some(most), Ground::Measured);
        (window.trusted(self.ground), start < own.value)
    }

    /// The largest window of `buffer` after full segments arrived.
    fn window_of(&self, buffer: Figure, steps: &mut Derivation) -> Figure {
        let ReceiveQuestion { version, link, .. } = *self.question;
        if initial_ratio(version).is_none() {
            let full = self.first_share.window(buffer.value);
            let clamp = established_clamp(full, self.app_win, link.mss());
            steps.note(Rule::SegmentReserve, buffer.ground, format!("window_clamp = {clamp}"), clamp);
            return self.queued(clamp).trusted(buffer.ground);
        }
        let ratio = self.ratio(buffer.value);
        let window = WindowShare::Ratio(ratio.value).window(buffer.value);
        let low = WindowShare::Ratio(ratio.low).window(buffer.low);
        let high = ratio.high.zip(buffer.high).map(|(ratio, buffer)| WindowShare::Ratio(ratio).window(buffer));
        let ground = ratio.ground.max(buffer.ground);
        steps.note(Rule::ScalingRatio, ground, format!("{} × {} / 256 = {window}", buffer.value, ratio.value), window);
        Figure::range(window, self.least(low), high, ground)
    }

    /// `scaling_ratio` for the largest segments. Their size is limited to half of the largest window, so a
    /// growing window may make them larger.
    fn ratio(&self, buffer: ByteCount) -> Figure {
        let ReceiveQuestion { version, link, .. } = *self.question;
        let first = link.scaling_ratio(version, self.initial_window);
        let grown = WindowShare::Ratio(first.value).window(buffer);
        let is_larger = link.sending_mss(Some(grown)) > link.sending_mss(Some(self.initial_window));
        let later = if is_larger { link.scaling_ratio(version, grown) } else { first };
        if later.value > first.value { later } else { first }
    }

    /// The largest window that is advertised. The ACK leaves while the segment that caused it is still in the
    /// buffer. Without a scale the window is rounded to whole segments, otherwise up to a multiple of the
    /// scale's unit. It never shrinks below the first window, because an advertised window is not withdrawn.
    pub(super) fn announced(&self, clamp: Figure, buffer: Figure, steps: &mut Derivation) -> Figure {
        let ReceiveQuestion { version, link, .. } = *self.question;
        let first = self.initial_window.min(clamp.value);
        let segment = link.sending_mss(Some(self.initial_window)).max(1);
        let rounded = |window: ByteCount| match self.scale {
            0 => window / segment * segment,
            scale => window.next_multiple_of(1 << scale),
        };
        if initial_ratio(version).is_none() {
            let window = rounded(clamp.value).min(clamp.value).max(first);
            return Figure::range(window, clamp.low, clamp.high, clamp.ground);
        }
        let queued = link.sending_mss(Some(clamp.value)) + link.skb_overhead(version).value;
        let ratio = self.ratio(buffer.value).value;
        let free = WindowShare::Ratio(ratio).window(buffer.value.saturating_sub(queued));
        let window = rounded(free.min(clamp.value)).max(first);
        let formula = format!("({} - {queued}) × {ratio} / 256 = {free}", buffer.value);
        steps.note(Rule::AckQueued, clamp.ground.max(Ground::Measured), formula, free);
        Figure::range(window, clamp.low, clamp.high, clamp.ground.max(Ground::Measured))
    }

    /// A window that does not depend on the arriving segments.
    fn queued(&self, clamp: ByteCount) -> Figure {
        Figure::range(clamp, self.least(clamp), Some(clamp), Ground::Measured)
    }

    /// Smallest window while the last arrivals still occupy memory. In measurements, a fast reader lost up to
    /// a quarter of the window or three segments, but always advertised at least two.
    fn least(&self, window: ByteCount) -> ByteCount {
        let mss = self.question.link.sending_mss(Some(self.initial_window));
        let left = window.saturating_sub((window / 4).max(3 * mss));
        (left / mss * mss).max(window.min(2 * mss))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KernelVersion, Link, Sysctls};

    /// A quarter of the window or three segments may wait; at least two segments are advertised.
    #[test]
    fn a_fast_reader_loses_a_quarter_or_three_segments() {
        let version = KernelVersion::series(6, 18);
        let sysctls = Sysctls::defaults(version);
        let question =
            ReceiveQuestion { version, sysctls: &sysctls, request: None, link: Link::ETHERNET, window_clamp: None };
        // Segments have 1448 bytes, or half of a first window of 2000.
        for (what, initial_window, window, expected) in [
            ("a quarter of a large one", 65_535, 40_000, 20 * 1448),
            ("three segments", 65_535, 10_000, 3 * 1448),
            ("three of five", 65_535, 5 * 1448, 2 * 1448),
            ("three of six", 65_535, 6 * 1448, 3 * 1448),
            ("twelve: as much", 65_535, 12 * 1448, 9 * 1448),
            ("sixteen: a quarter", 65_535, 16 * 1448, 12 * 1448),
            ("two are left", 65_535, 3000, 2896),
            ("less than two", 65_535, 2000, 2000),
            ("small segments", 2000, 10_000, 7000),
        ] {
            let established = Established {
                question: &question,
                rmem: [4096, 131_072, 6_291_456],
                ground: Ground::Exact,
                app_win: 31,
                first_share: WindowShare::Ratio(128),
                clamp: window,
                largest_clamp: window,
                initial_window,
                scale: 7,
            };
            assert_eq!(established.least(window), expected, "{what}");
            let figure = established.queued(window);
            assert_eq!((figure.value, figure.low, figure.high), (window, expected, Some(window)), "{what}");
        }
    }
}
