//! How large a congestion window is: the kernel's algorithms, in its integer arithmetic.

mod bbr;
mod cubic;
mod rate;
mod root;
mod window;

use crate::time::Time;
pub(crate) use bbr::Bbr;
pub(crate) use cubic::Cubic;
pub(crate) use rate::{Connection, RateSample, Repair, Samples};
pub(crate) use window::{AckSample, Window};

/// `tcp_congestion_ops` of a connection.
#[derive(Clone, Debug)]
pub(crate) enum Control {
    /// `tcp_cong.c`.
    Reno,
    /// `tcp_cubic.c`.
    Cubic(Cubic),
    /// `tcp_bbr.c`: sets window and rate by itself (`cong_control`).
    Bbr(Box<Bbr>),
}

impl Control {
    /// `ssthresh`: what a loss cuts the window to.
    pub(crate) fn threshold_after_loss(&mut self, window: &Window) -> u64 {
        match self {
            Self::Reno => (window.size / 2).max(2),
            Self::Cubic(cubic) => cubic.threshold_after_loss(window),
            Self::Bbr(bbr) => bbr.threshold_after_loss(window),
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
            // It grows in `Bbr::control`.
            Self::Bbr(_) => return,
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
    pub(crate) fn timed_out(&mut self, seen: &Connection, nxt: u64) {
        match self {
            Self::Reno => {}
            Self::Cubic(cubic) => cubic.reset(seen.now, nxt),
            Self::Bbr(bbr) => bbr.timed_out(seen),
        }
    }

    /// `cwnd_event(CA_EVENT_TX_START)`: data is sent after a rest.
    pub(crate) fn began_to_send(&mut self, seen: &Connection, last_sent: Time, window: &mut Window) {
        match self {
            Self::Reno => {}
            Self::Cubic(cubic) => cubic.began_to_send(seen.now, last_sent),
            Self::Bbr(bbr) => bbr.began_to_send(seen, window),
        }
    }

    /// `undo_cwnd`: the window after a reduction that was needless, from `prior`.
    pub(crate) fn undo(&mut self, seen: &Connection, window: &Window, prior: u64) -> u64 {
        match self {
            Self::Reno | Self::Cubic(_) => window.size.max(prior),
            Self::Bbr(bbr) => {
                bbr.undo(seen);
                window.size
            }
        }
    }

    /// It sets window and rate by itself, in recovery too, and paces (`cong_control`).
    pub(crate) const fn sets_rate(&self) -> bool {
        matches!(self, Self::Bbr(_))
    }

    /// It has not found the path's rate yet.
    pub(crate) fn is_starting(&self, window: &Window) -> bool {
        match self {
            Self::Reno | Self::Cubic(_) => window.is_in_slow_start(),
            Self::Bbr(bbr) => bbr.is_starting(),
        }
    }

    /// `sndbuf_expand`: how many congestion windows the send buffer is to hold.
    pub(crate) const fn windows_of_buffer(&self) -> u64 {
        match self {
            Self::Reno | Self::Cubic(_) => 2,
            // It may grow in recovery too.
            Self::Bbr(_) => 3,
        }
    }

    /// `min_tso_segs`: segments of a burst at least; `sysctl_tcp_min_tso_segs` where the algorithm has no
    /// rule.
    pub(crate) fn least_burst(&self, usual: u64) -> u64 {
        match self {
            Self::Reno | Self::Cubic(_) => usual,
            Self::Bbr(bbr) => bbr.least_burst(),
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
