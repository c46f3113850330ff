//! Separate tests for the kernel's rules of delayed ACKs.

use super::acknowledge::Acknowledging;
use crate::rules::{ConversationRules, Rules};
use crate::testing;
use crate::ticks::Ticks;
use crate::time::{MILLISECOND, SECOND, Time};

const MSS: u64 = 1_448;
const WINDOW: u64 = 65_535;
const RTO: Time = SECOND;

/// A tick of one millisecond.
fn ticks() -> Ticks {
    Ticks::new(1_000, 0)
}

fn acknowledging() -> Acknowledging {
    let conversation = ConversationRules { after: 1, counts_turns: false };
    Acknowledging::of(&Rules { conversation, ticks: ticks(), ..testing::rules() })
}

/// A receiver that got data at 1 s, and then after these intervals in milliseconds.
fn with_data(rests: &[Time]) -> (Acknowledging, Time) {
    let mut acknowledging = acknowledging();
    let mut now = SECOND;
    acknowledging.data_came(now, WINDOW, MSS, RTO);
    for rest in rests {
        now += rest * MILLISECOND;
        acknowledging.data_came(now, WINDOW, MSS, RTO);
    }
    (acknowledging, now)
}

/// `tcp_event_data_recv`: data that arrives soon keeps the wait at 40 ms; later data moves it half of the
/// way.
#[test]
fn the_wait_follows_the_data() {
    for (rests, wait) in [(&[10][..], 40), (&[10, 10], 40), (&[30], 50), (&[30, 40], 65)] {
        let (mut acknowledging, now) = with_data(rests);
        assert!(!acknowledging.delay(now, Some(200 * MILLISECOND)));
        assert_eq!(acknowledging.due(), Some(ticks().fires(now, wait)), "{rests:?}");
    }
}

/// `tcp_send_delayed_ack`: an ACK that is due within a quarter of the wait is sent at once.
#[test]
fn an_ack_that_is_nearly_due_leaves() {
    for (after, leaves) in [(29, false), (30, true)] {
        let (mut acknowledging, now) = with_data(&[]);
        assert!(!acknowledging.delay(now, None));
        assert_eq!(acknowledging.delay(now + after * MILLISECOND, None), leaves, "{after}");
    }
}

/// `tcp_incr_quickack`: one ACK per two segments of the window, at least two and at most sixteen.
#[test]
fn quick_acks_are_half_of_the_window() {
    for (window, quick) in [(WINDOW, 16), (10 * MSS, 5), (MSS, 2)] {
        let mut acknowledging = acknowledging();
        acknowledging.data_came(SECOND, window, MSS, RTO);
        assert_eq!(acknowledging.quick, quick, "{window}");
    }
}

/// `tcp_delack_timer_handler`: a delayed ACK that was needed doubles the wait.
#[test]
fn a_late_ack_doubles_the_wait() {
    let (mut acknowledging, now) = with_data(&[]);
    acknowledging.missed(now, RTO);
    assert!(!acknowledging.delay(now, None));
    assert_eq!(acknowledging.due(), Some(ticks().fires(now, 80)));
}

/// `tcp_event_data_recv`: after an idle time longer than the timeout, the sender restarts and needs ACKs.
#[test]
fn a_rest_makes_acks_quick() {
    for (rest, quick) in [(1_000, 0), (1_001, 16)] {
        let (mut acknowledging, now) = with_data(&[]);
        acknowledging.quick = 0;
        acknowledging.data_came(now + rest * MILLISECOND, WINDOW, MSS, RTO);
        assert_eq!(acknowledging.quick, quick, "{rest}");
    }
}
