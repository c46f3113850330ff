//! Congestion window of the kernel's algorithms, in its integer arithmetic.

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
    /// `tcp_bbr.c`: controls window and rate itself (`cong_control`).
    Bbr(Box<Bbr>),
}

impl Control {
    /// `ssthresh`: window after a loss.
    pub(crate) fn threshold_after_loss(&mut self, window: &Window) -> u64 {
        match self {
            Self::Reno => (window.size / 2).max(2),
            Self::Cubic(cubic) => cubic.threshold_after_loss(window),
            Self::Bbr(bbr) => bbr.threshold_after_loss(window),
        }
    }

    /// `cong_avoid`, called if the window is used.
    pub(crate) fn grow(&mut self, window: &mut Window, acked: u64, now: Time) {
        let acked = if window.is_in_slow_start() { window.slow_start(acked) } else { acked };
        if acked == 0 {
            return;
        }
        let per = match self {
            Self::Reno => window.size,
            Self::Cubic(cubic) => cubic.acks_per_segment(window.size, acked, now),
            // BBR's window grows in `Bbr::control`.
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

    /// `cwnd_event(CA_EVENT_TX_START)`: data is sent after an idle period.
    pub(crate) fn began_to_send(&mut self, seen: &Connection, last_sent: Time, window: &mut Window) {
        match self {
            Self::Reno => {}
            Self::Cubic(cubic) => cubic.began_to_send(seen.now, last_sent),
            Self::Bbr(bbr) => bbr.began_to_send(seen, window),
        }
    }

    /// `undo_cwnd`: the window after the undo of a spurious reduction, from `prior`.
    pub(crate) fn undo(&mut self, seen: &Connection, window: &Window, prior: u64) -> u64 {
        match self {
            Self::Reno | Self::Cubic(_) => window.size.max(prior),
            Self::Bbr(bbr) => {
                bbr.undo(seen);
                window.size
            }
        }
    }

    /// Whether it controls window and rate itself, also in recovery, and paces (`cong_control`).
    pub(crate) const fn sets_rate(&self) -> bool {
        matches!(self, Self::Bbr(_))
    }

    /// Whether it has not found the path's rate yet.
    pub(crate) fn is_starting(&self, window: &Window) -> bool {
        match self {
            Self::Reno | Self::Cubic(_) => window.is_in_slow_start(),
            Self::Bbr(bbr) => bbr.is_starting(),
        }
    }

    /// `sndbuf_expand`: number of congestion windows that the send buffer should hold.
    pub(crate) const fn windows_of_buffer(&self) -> u64 {
        match self {
            Self::Reno | Self::Cubic(_) => 2,
            // The window may grow in recovery too.
            Self::Bbr(_) => 3,
        }
    }

    /// `min_tso_segs`: minimum number of segments per burst; `sysctl_tcp_min_tso_segs` if the algorithm has
    /// no rule.
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
        // Five segments reach the threshold, and five count beyond it.
        Control::Reno.grow(&mut window, 10, 0);
        assert_eq!((window.size, window.counted), (25, 5));
    }
}
