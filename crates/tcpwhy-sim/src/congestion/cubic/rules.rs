//! Separate tests for the rules of `tcp_cubic.c`.

use super::Cubic;
use crate::congestion::window::{AckSample, Window};
use crate::testing::rules;
use crate::time::{MILLISECOND, SECOND};

fn after_loss(size: u64) -> (Cubic, u64) {
    let mut cubic = Cubic::new(rules().version.hystart, rules().ticks, 0, 0);
    let size = cubic.threshold_after_loss(&Window::new(size));
    (cubic, size)
}

/// `tcp_friendliness`: CUBIC also computes Reno's window, one segment per 15/8 of a window, here 131 ACKs.
/// After a loss at 100, the curve stays one segment above for a while; Reno is two segments above after
/// another 262 ACKs.
#[test]
fn it_grows_as_reno_does() {
    let (mut cubic, size) = after_loss(100);
    assert_eq!(size, 70);
    assert_eq!(cubic.acks_per_segment(size, 1, SECOND), 70);
    assert_eq!(cubic.acks_per_segment(size, 262, SECOND + 40 * MILLISECOND), 35);
}

/// `cubictcp_cwnd_event`: an idle period moves the epoch, so that the curve continues where it was.
#[test]
fn a_rest_moves_the_epoch() {
    let (mut cubic, size) = after_loss(100);
    cubic.acks_per_segment(size, 1, SECOND);
    cubic.began_to_send(11 * SECOND, 2 * SECOND);
    assert_eq!(cubic.epoch, Some(rules().ticks.at(10 * SECOND)));
    // The epoch is never later than now.
    cubic.began_to_send(12 * SECOND, 2 * SECOND);
    assert_eq!(cubic.epoch, Some(rules().ticks.at(12 * SECOND)));
}

/// `hystart_low_window`: below 16 segments slow start continues, however much the round trip grows.
#[test]
fn slow_start_goes_on_in_a_small_window() {
    for (size, ends) in [(15, false), (16, true)] {
        let mut cubic = Cubic::new(rules().version.hystart, rules().ticks, 0, 0);
        let mut window = Window::new(size);
        for n in 0..20 {
            // Further apart than the gap within a train.
            let (now, rtt) = ((n + 1) * 5 * MILLISECOND, if n < 10 { 40_000 } else { 60_000 });
            let sample = AckSample { now, rtt, una: 10 * (n / 10) + 1, nxt: 5 * n, pacing_rate: None };
            cubic.acked(&mut window, sample);
        }
        assert_eq!(!window.is_in_slow_start(), ends, "{size}");
    }
}
