//! Tests each term of these conditions at its boundary: how long, and by how much, the bytes in flight have
//! grown since a cut.

use tcpwhy_testkit::ms;

use super::super::testing::{Scene, hold, no, yes};
use crate::facts::bytes::Bytes;

/// A loss, then slots of 10 ms in which slow start opens the window. 20 round trips of 10 ms with constant
/// bytes in flight follow.
fn standing() -> Scene {
    Scene::of(32, 31, ms(10), |place, slot| {
        let peak = if place <= 8 { 200 << place } else { 90_000 };
        (slot.sends, slot.peak_flight) = (1, Bytes::of(peak));
        slot.retransmissions = u32::from(place == 0);
        (slot.rtt_sum, slot.rtt_count) = (ms(10), 1);
    })
}

#[test]
fn a_cut_window_may_grow_back() {
    hold!(
        may_grow_back,
        &standing(),
        [
            no("no growth in twenty-one round trips", |_| ()),
            yes("nineteen round trips", |s| {
                s.slots.drain(10..12);
                s.at -= 2;
            }),
            no("twenty", |s| {
                s.slots.remove(10);
                s.at -= 1;
            }),
            yes("two round trips in which nothing was under way", |s| {
                s.slots[10..12].iter_mut().for_each(|slot| slot.definite = ms(6));
            }),
            yes("slow start ten round trips ago", |s| s.slots[20..].iter_mut().for_each(|slot| {
                slot.peak_flight = Bytes::of(135_000);
            })),
            no("less than that", |s| {
                s.slots[10].peak_flight = Bytes::of(134_999);
            }),
            yes("an eighth of a segment in each round trip", |s| s.peak_flight = Bytes::of(90_000 + 21 * 1448 / 8)),
            no("less growth", |s| s.peak_flight = Bytes::of(90_000 + 21 * 1448 / 8 - 1)),
            yes("less in between", |s| s.slots[12].peak_flight = Bytes::of(80_000)),
            no("a slot in which nothing was sent", |s| {
                (s.slots[12].sends, s.slots[12].peak_flight) = (0, Bytes::of(0));
            }),
            yes("a loss around", |s| s.slots[30].retransmissions = 1),
        ],
    );
}

#[test]
fn a_loss_counts_as_the_last_one_left_it() {
    hold!(
        may_grow_back,
        &standing(),
        [
            yes("a second loss", |s| s.slots[10].retransmissions = 1),
            no("round trips of the whole connection where none is around", |s| {
                s.each(|slot| slot.rtt_count = 0);
                s.context.rtt_min = Some(ms(10));
            }),
            yes("no round trip at all", |s| s.each(|slot| slot.rtt_count = 0)),
        ],
    );
    let none = || Scene::of(9, 4, ms(10), |_, _| ());
    hold!(
        may_grow_back,
        &none(),
        [
            no("nothing lost", |_| ()),
            yes("a loss after, within three slots", |s| s.slots[7].retransmissions = 1),
            no("a loss after, beyond three slots", |s| s.slots[8].retransmissions = 1),
        ],
    );
}

#[test]
fn a_mark_or_a_loss_came_last() {
    let none = || Scene::of(9, 8, ms(10), |_, _| ());
    hold!(
        was_cut_by_mark,
        &none(),
        [
            no("neither", |_| ()),
            yes("a mark", |s| s.slots[2].has_reduction = true),
            no("a loss", |s| s.slots[2].retransmissions = 1),
            no("both at once", |s| (s.slots[2].retransmissions, s.slots[2].has_reduction) = (1, true)),
            yes("a mark after a loss", |s| (s.slots[2].retransmissions, s.slots[3].has_reduction) = (1, true)),
            no("a mark before a loss", |s| (s.slots[3].retransmissions, s.slots[2].has_reduction) = (1, true)),
            no("a mark, and a loss around", |s| (s.slots[2].has_reduction, s.retransmissions) = (true, 1)),
        ],
    );
    hold!(
        has_lost_before,
        &none(),
        [
            no("neither", |_| ()),
            yes("a loss", |s| s.slots[2].retransmissions = 1),
            yes("a mark", |s| s.slots[2].has_reduction = true),
            no("a loss in the slot itself", |s| s.retransmissions = 1),
        ],
    );
}

/// `LOSSY`: more than 1/20 of the segments.
#[test]
fn a_direction_that_repeats_much_is_lossy() {
    let scene = || {
        let mut scene = Scene::one(|_| ());
        (scene.context.segments, scene.context.repeats) = (1_000, 51);
        scene
    };
    hold!(is_lossy, &scene(), [yes("51 of 1,000 segments", |_| ()), no("50 of 1,000", |s| s.context.repeats = 50)],);
}
