//! How large a congestion window is: the kernel's algorithms, in its integer arithmetic.

mod cubic;
mod root;
mod window;

use crate::time::Time;
pub(crate) use cubic::Cubic;
pub(crate) use window::{AckSample, Window};

/// `tcp_congestion_ops` of a connection.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// `tcp_cong.c`.
    Reno,
    /// `tcp_cubic.c`.
    Cubic(Cubic),
}

impl Control {
    /// `ssthresh`: what a loss cuts the window to.
    pub(crate) fn threshold_after_loss(&mut self, window: &Window) -> u64 {
        match self {
            Self::Reno => (window.size / 2).max(2),
            Self::Cubic(cubic) => cubic.threshold_after_loss(window),
        }
    }

    /// `cong_avoid`, where the window is used.
    pub(crate) fn grow(&mut self, window: &mut Window, acked: u64, now: Time) {
        let acked = if window.is_in_slow_start() { window.slow_start(acked) } else { acked };
        if acked == 0 {
            return;
        }
        let per = match self {
            Self::Reno => window.size,
            Self::Cubic(cubic) => cubic.acks_per_segment(window.size, acked, now),
        };
        window.add(per, acked);
    }

    /// `pkts_acked`.
    pub(crate) fn acked(&mut self, window: &mut Window, sample: AckSample) {
        if let Self::Cubic(cubic) = self {
            cubic.acked(window, sample);
        }
    }

    /// `set_state(TCP_CA_Loss)`.
    pub(crate) fn timed_out(&mut self, now: Time, nxt: u64) {
        if let Self::Cubic(cubic) = self {
            cubic.reset(now, nxt);
        }
    }

    /// `cwnd_event(CA_EVENT_TX_START)`: data is sent after a rest.
    pub(crate) fn began_to_send(&mut self, now: Time, last_sent: Time) {
        if let Self::Cubic(cubic) = self {
            cubic.began_to_send(now, last_sent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reno_adds_a_segment_each_window() {
        let mut window = Window { threshold: 10, ..Window::new(10) };
        let mut reno = Control::Reno;
        for _ in 0..10 {
            reno.grow(&mut window, 1, 0);
        }
        assert_eq!(window.size, 11);
        reno.grow(&mut window, 22, 0);
        assert_eq!(window.size, 13);
        assert_eq!(reno.threshold_after_loss(&window), 6);
    }

    #[test]
    fn slow_start_ends_at_the_threshold() {
        let mut window = Window { threshold: 25, ..Window::new(10) };
        Control::Reno.grow(&mut window, 10, 0);
        assert_eq!(window.size, 20);
        // Five reach the threshold, and five count beyond it.
        Control::Reno.grow(&mut window, 10, 0);
        assert_eq!((window.size, window.counted), (25, 5));
    }
}
