//! Separate tests for the rules of recovery.

use super::recovery::Phase;
use super::sending_rules::{MSS, ack, connected, fires, leave, rules, sack, ten, write};
use crate::rules::Rules;
use crate::time::{MILLISECOND, SECOND};

/// RFC 6937: above the threshold, segments are sent in the ratio of threshold to window, rounded up. Three
/// delivered segments allow 1.5 sends, and one was sent already.
#[test]
fn rate_reduction_rounds_up() {
    let mut socket = ten(rules(), 40 * MILLISECOND);
    socket.begin_reduction();
    socket.recovery.out = 1;
    socket.reduce(3, 0, true);
    assert_eq!(socket.window.size, 11);
}

/// `tcp_cwnd_reduction`: the first retransmission is always allowed.
#[test]
fn the_first_retransmission_is_forced() {
    for (out, size) in [(0, 6), (1, 5)] {
        let mut socket = ten(rules(), 40 * MILLISECOND);
        socket.begin_reduction();
        socket.recovery.out = out;
        socket.sent.sack((5 * MSS, 10 * MSS), |_| {});
        socket.reduce(1, 0, true);
        assert_eq!(socket.window.size, size, "{out}");
    }
}

/// `tcp_rack_update_reo_wnd`: after a D-SACK, the reordering window grows by a quarter of the round trip,
/// because it was too short.
#[test]
fn a_needless_retransmission_lengthens_the_wait() {
    let mut socket = ten(rules(), 40 * MILLISECOND);
    socket.recovery.doubled(MSS, 0);
    socket.recovery.update_reordering_window(0);
    let now = SECOND + 40 * MILLISECOND;
    sack(&mut socket, now, 0, 1, 2);
    assert_eq!(socket.next_timer(), Some(fires(now, 22 * MILLISECOND)));
}

/// F-RTO (RFC 5682): the answer to a timeout's retransmission acknowledges more than that, so the other
/// segments were not lost.
#[test]
fn a_late_answer_undoes_a_timeout() {
    for (segments, is_undone) in [(1, false), (2, true)] {
        let mut socket = ten(Rules { has_tail_probes: false, ..rules() }, 40 * MILLISECOND);
        let timeout = socket.next_timer().unwrap();
        socket.on_timer(timeout);
        assert_eq!(socket.recovery.phase, Phase::Loss);
        ack(&mut socket, timeout + 5 * MILLISECOND, segments * MSS, timeout);
        assert_eq!(socket.recovery.phase == Phase::Open, is_undone, "{segments}");
    }
}

/// `tcp_send_loss_probe`: a probe may exceed the window by one segment, and has new data if there is any.
#[test]
fn a_probe_is_beyond_the_window() {
    let mut socket = connected(rules(), 40 * MILLISECOND);
    assert_eq!(write(&mut socket, SECOND, 11 * MSS), 10 * MSS);
    let probe = socket.next_timer().unwrap();
    assert_eq!(probe, fires(SECOND, 82 * MILLISECOND));
    socket.on_timer(probe);
    assert_eq!((leave(&mut socket, probe), socket.counts.retransmitted), (MSS, 0));
}

/// `tcp_rack_advance`: an ACK at least one round trip after a retransmission shows that earlier segments are
/// lost. A sooner ACK may be for the original.
#[test]
fn an_answered_retransmission_shows_losses() {
    for (after, lost) in [(39, 1), (41, 7)] {
        let mut socket = ten(rules(), 40 * MILLISECOND);
        let now = SECOND + 40 * MILLISECOND;
        sack(&mut socket, now, 0, 1, 4);
        assert_eq!((socket.counts.retransmitted, socket.sent.ever_lost), (1, 1));
        ack(&mut socket, now + after * MILLISECOND, 4 * MSS, now);
        assert_eq!(socket.sent.ever_lost, lost, "{after}");
    }
}
