//! Bounds on a window scale whose SYN was not captured.
//!
//! The window must cover what is sent into it, which bounds the scale from below; its right edge never moves left
//! (RFC 9293 §3.8.6: shrinking is strongly discouraged, Linux does not unless `tcp_shrink_window` is set), which bounds it
//! from above as soon as the window drains.

use tcpwhy_model::WindowScale;

#[derive(Clone, Copy, Debug)]
pub(crate) struct ScaleBounds {
    low: u8,
    high: u8,
    last: Option<(u64, u16)>,
}

impl Default for ScaleBounds {
    fn default() -> Self {
        Self { low: 0, high: 14, last: None }
    }
}

impl ScaleBounds {
    /// An acknowledgment up to `ack` with this window field.
    pub(crate) fn on_ack(&mut self, ack: u64, field: u16) {
        if let Some((last_ack, last_field)) = self.last {
            if ack < last_ack {
                return;
            }
            // One unit may be lost to rounding.
            let drained = u64::from(last_field.saturating_sub(field)).saturating_sub(1);
            while self.high > self.low && drained << self.high > ack - last_ack {
                self.high -= 1;
            }
        }
        self.last = Some((ack, field));
    }

    /// Data up to `end` was sent.
    pub(crate) fn on_data(&mut self, end: u64) {
        if let Some((ack, field)) = self.last.filter(|&(_, field)| field > 0) {
            while self.low < self.high && u64::from(field) << self.low < end.saturating_sub(ack) {
                self.low += 1;
            }
        }
    }

    /// The scale, once only one is possible.
    pub(crate) fn resolved(&self) -> WindowScale {
        if self.low == self.high { WindowScale::Shift(self.low) } else { WindowScale::Unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draining_window_gives_its_scale_away() {
        let mut b = ScaleBounds::default();
        b.on_ack(0, 1000);
        b.on_data(60_000);
        assert_eq!(b.resolved(), WindowScale::Unknown);
        // Scale 6: 64,000 offered, 57,600 drained without a byte read.
        b.on_ack(57_600, 100);
        assert_eq!(b.resolved(), WindowScale::Shift(6));
    }

    #[test]
    fn a_window_that_never_drains_stays_unknown() {
        let mut b = ScaleBounds::default();
        for i in 0..100 {
            b.on_ack(i * 1000, 500);
            b.on_data(i * 1000 + 3000);
        }
        assert_eq!(b.resolved(), WindowScale::Unknown);
    }
}
