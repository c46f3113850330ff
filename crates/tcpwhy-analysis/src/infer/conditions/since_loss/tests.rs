//! Each term at its boundary: what the flight was before a cut, right after it, and how much it has grown since.

use tcpwhy_testkit::ms;

use super::super::testing::{Scene, hold, no, yes};
use crate::facts::bytes::Bytes;

/// A flight of 100,000 bytes, a loss, and twenty round trips of 10 ms in which it stays as it was.
fn uncut() -> Scene {
    let mut scene = Scene::of(22, 21, ms(10), |place, slot| {
        slot.peak_flight = if place == 0 { Bytes::of(100_000) } else { Bytes::of(90_000) };
        slot.retransmissions = u32::from(place == 1);
        (slot.rtt_sum, slot.rtt_count) = (ms(10), 1);
    });
    scene.slots.push(scene.slots[21].clone());
    (scene.at, scene.context.flight_max) = (22, 100_000);
    scene
}

#[test]
fn a_cut_window_may_grow_back() {
    hold!(
        may_grow_back,
        &uncut(),
        [
            no("nine tenths of the flight before, and no growth in twenty round trips", |_| ()),
            yes("less right after the loss", |s| s.slots[2..5]
                .iter_mut()
                .for_each(|slot| slot.peak_flight = Bytes::of(89_999))),
            no("less only after three slots", |s| s.slots[5..21]
                .iter_mut()
                .for_each(|slot| slot.peak_flight = Bytes::of(80_000))),
            no("nine tenths in the third slot after the loss", |s| {
                s.slots[2..4].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(80_000));
            }),
            yes("nine tenths in the fourth slot only", |s| {
                s.slots[2..5].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(80_000));
            }),
            yes("nineteen round trips", |s| {
                s.slots.remove(10);
                s.at -= 1;
            }),
            yes("a round trip in which nothing was under way", |s| s.slots[10].definite = ms(6)),
            yes("less than half of the largest flight", |s| s.context.flight_max = 180_001),
            no("half of the largest flight", |s| s.context.flight_max = 180_000),
            yes("a quarter of a segment in each round trip", |s| s.peak_flight = Bytes::of(90_000 + 20 * 362)),
            no("less growth", |s| s.peak_flight = Bytes::of(90_000 + 20 * 362 - 1)),
            yes("a loss around", |s| s.slots[20].retransmissions = 1),
        ],
    );
}

#[test]
fn a_loss_counts_as_the_last_one_left_it() {
    hold!(
        may_grow_back,
        &uncut(),
        [
            no("a second loss right after the first", |s| {
                s.slots.insert(2, s.slots[1].clone());
                s.at += 1;
            }),
            no("nine tenths of the flight between two losses, which was less than before both", |s| {
                s.slots[2..].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(54_000));
                let mut between = s.slots[0].clone();
                between.peak_flight = Bytes::of(60_000);
                s.slots.splice(2..2, [between, s.slots[1].clone()]);
                s.at += 2;
            }),
            yes("a first loss, before which nothing was seen", |s| s.slots[0].peak_flight = Bytes::of(0)),
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
