//! Tests how each measure of the slots around is merged: sum, minimum, maximum, or none.

use tcpwhy_testkit::ms;

use super::super::conditions::testing::Scene;
use crate::facts::bytes::Bytes;
use crate::facts::slot::Around;
use crate::facts::slot::Slot;

/// Sums around the middle one of three slots.
fn around(fill: impl Fn(usize, &mut Slot)) -> Around {
    Scene::of(3, 1, ms(10), fill).ask(|evidence| *evidence.near())
}

/// Each of these sums is 1, 2 and 4 in the three slots.
macro_rules! sums {
    ($($of:ident => $merged:ident),+ $(,)?) => {{
        let merged = around(|place, slot| { $(slot.$of = 1 << place;)+ });
        $(assert_eq!(merged.$merged, 7, "{} is added up", stringify!($merged));)+
    }};
}

#[test]
fn sums_are_added_up() {
    sums! {
        ack_clocked => ack_clocked, room_unused => room_unused, unreleased => unreleased, burst => burst,
        window_full => window_full, sends => sends, partial_sends => partial_sends,
        retransmissions => retransmissions, bursts => bursts, multi_send_bursts => multi_send_bursts, period_sum => period_sum,
        periodic_bursts => periodic_bursts, steady_bursts => steady_bursts, even_bursts => even_bursts,
        ack_released => ack_released, ack_time => ack_time, ack_covered => ack_covered,
        advancing_acks => advancing_acks, word_acks => word_acks, heard => heard, holes => holes, partial_ends => partial_ends, rtt_sum => rtt_sum,
        rests => rests, rests_released => rests_released,
        rtt_count => rtt_count,
    }
    let merged = around(|place, slot| {
        slot.ack_time_squared = [1.0, 2.0, 4.0][place];
        (slot.reader_wait, slot.word_released) = (1 << place, 10 << place);
        (slot.word_awaited, slot.word_covered) = (100 << place, 1000 << place);
        (slot.sent, slot.acked) = (Bytes::of(1 << place), Bytes::of(10 << place));
        slot.edge_advance = Bytes::of(100 << place);
    });
    assert!((merged.ack_time_squared - 7.0).abs() < 1e-9, "squares are added up");
    assert_eq!((merged.sent, merged.acked, merged.edge_advance), (7, 70, 700), "bytes are added up");
    assert_eq!(merged.reader_wait, 7_000, "microseconds become nanoseconds");
    assert_eq!(merged.word_released, 70_000, "microseconds become nanoseconds");
    assert_eq!((merged.word_awaited, merged.word_covered), (700_000, 7_000_000), "microseconds become nanoseconds");
    assert_eq!(merged.nanos, ms(30), "how long the slots last");
}

#[test]
fn the_least_and_the_greatest_are_kept() {
    // The extreme value is in the middle slot, neither the first nor the last.
    let merged = around(|place, slot| {
        (slot.ack_gap_max, slot.peak_flight) = ([5, 9, 7][place], Bytes::of([50, 90, 70][place]));
        (slot.ack_released, slot.least_lag) = (1, [5, 3, 7][place]);
        (slot.echo_queued, slot.echo_wait) = ([50, 30, 70][place], [500, 300, 700][place]);
        slot.rtt_min = Some([50, 30, 70][place]);
        slot.note_window([50_000, 30_000, 70_000][place]);
        slot.note_window([50_001, 30_001, 70_001][place]);
    });
    assert_eq!((merged.ack_gap_max, merged.peak_flight), (9, 90), "the longest pause, the largest flight");
    assert_eq!(merged.least_lag, 3, "the promptest answer");
    assert_eq!((merged.echo_queued, merged.echo_wait, merged.echoes), (30, 300, 3), "the promptest data");
    assert_eq!((merged.rtt_min, merged.rtt_next), (Some(30), Some(50)), "the two smallest round trips");
    assert_eq!((merged.window_low, merged.window_high), (30_001, 70_001), "of the slots' largest windows");
    let falling = around(|place, slot| slot.rtt_min = Some([70, 50, 30][place]));
    assert_eq!((falling.rtt_min, falling.rtt_next), (Some(30), Some(50)), "each smaller than the one before");
    let rising = around(|place, slot| slot.rtt_min = Some([30, 50, 70][place]));
    assert_eq!((rising.rtt_min, rising.rtt_next), (Some(30), Some(50)), "each larger than the one before");
    let one = around(|place, slot| slot.rtt_min = (place == 1).then_some(50));
    assert_eq!((one.rtt_min, one.rtt_next), (Some(50), None), "one alone");
}

/// A slot without a measurement does not give the minimum.
#[test]
fn slots_that_saw_nothing_do_not_count() {
    let merged = around(|place, slot| {
        if place == 1 {
            (slot.ack_released, slot.least_lag, slot.echo_queued, slot.echo_wait) = (1, 5, 50, 500);
            slot.note_window(50_000);
        }
    });
    assert_eq!((merged.least_lag, merged.ack_released), (5, 1));
    assert_eq!((merged.echo_queued, merged.echo_wait, merged.echoes), (50, 500, 1));
    assert_eq!((merged.window_low, merged.window_high), (50_000, 50_000));
    let nothing = around(|_, _| ());
    assert_eq!((nothing.rtt_min, nothing.rtt_next, nothing.rtt()), (None, None, None));
    assert_eq!((nothing.window_low, nothing.window_high, nothing.echoes), (0, 0, 0));
}

#[test]
fn a_loss_or_a_mark_has_cut() {
    assert!(!around(|_, _| ()).has_cut);
    assert!(around(|place, slot| slot.retransmissions = u32::from(place == 2)).has_cut, "a loss after");
    assert!(around(|place, slot| slot.has_reduction = place == 0).has_cut, "a mark before");
    assert_eq!(around(|place, slot| slot.has_reduction = place == 0).retransmissions, 0, "a mark is no loss");
}

#[test]
fn what_is_computed_of_the_sums() {
    let merged = around(|_, slot| {
        (slot.ack_clocked, slot.room_unused, slot.burst, slot.unreleased) = (1, 2, 4, 100);
        (slot.rtt_sum, slot.rtt_count) = (300, 2);
        (slot.period_sum, slot.periodic_bursts, slot.bursts) = (600, 4, 5);
        (slot.ack_time, slot.advancing_acks, slot.acked) = (900, 3, Bytes::of(10_000));
        slot.echo_queued = 8;
    });
    assert_eq!(merged.open(), 21, "ACKs, room and bursts");
    assert_eq!(merged.rtt(), Some(150), "mean round trip");
    assert_eq!(merged.period(), 150, "mean period");
    assert_eq!(merged.burst_distance(), 2_000_000, "30 ms of 15 bursts");
    assert_eq!(merged.ack_spacing(), 300, "mean time between ACKs");
    assert_eq!(merged.queued(), 7_000, "microseconds and one");
    assert!((merged.rate() - 1e6).abs() < 1e-3, "30 kB in 30 ms, bytes per second");
}
