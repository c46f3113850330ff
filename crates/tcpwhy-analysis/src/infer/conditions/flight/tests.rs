//! Tests each term of these conditions at its boundary: bytes in flight that grow, stay level or probe.

use tcpwhy_testkit::ms;

use super::super::testing::{Scene, asked, hold, no, yes};
use crate::facts::bytes::Bytes;

/// Slots of 10 ms. Bytes in flight rise from 10,000 to 15,000 in the last slot, which is the one under test.
fn opening() -> Scene {
    let mut scene = Scene::of(4, 3, ms(10), |place, slot| {
        slot.peak_flight = if place == 3 { Bytes::of(15_000) } else { Bytes::of(10_000) };
        (slot.ack_clocked, slot.sends) = (ms(10), 1);
    });
    scene.context.rtt_min = Some(ms(10));
    scene
}

#[test]
fn slow_start_opens_the_flight() {
    hold!(
        is_slow_start,
        &opening(),
        [
            yes("half as much again", |_| ()),
            no("less", |s| s.peak_flight = Bytes::of(14_999)),
            no("less than before all of them", |s| s.peak_before = 10_001),
            no("a repeat", |s| s.retransmissions = 1),
            no("an answer to a mark", |s| s.has_reduction = true),
            no("room left unused for half of the time", |s| (s.ack_clocked, s.room_unused) = (ms(5), ms(5))),
            yes("for less", |s| (s.ack_clocked, s.room_unused) = (ms(5) + 1, ms(5))),
            yes("half as much again since the last loss", |s| {
                s.slots[1].retransmissions = 1;
                (s.slots[0].peak_flight, s.peak_before) = (Bytes::of(99_000), 99_000);
            }),
        ],
    );
    hold!(
        is_slow_start,
        &opening(),
        [
            no("the third slot of a connection", |s| (s.at, s.is_from_start, s.slots[3].peak_flight) =
                (2, true, Bytes::of(0))),
            yes("the second slot of a connection", |s| (s.at, s.is_from_start, s.slots[3].peak_flight) =
                (1, true, Bytes::of(0))),
            no("the second slot that is left of one", |s| (s.at, s.slots[3].peak_flight) = (1, Bytes::of(0))),
        ],
    );
}

#[test]
fn one_slow_round_does_not_end_slow_start() {
    hold!(
        is_slow_start,
        &opening(),
        [
            yes("the slot before", |s| s.at = 2),
            yes("two slots before", |s| s.at = 1),
            no("three slots before", |s| {
                (s.at, s.peak_before) = (0, 10_000);
            }),
            no("a repeat around", |s| (s.at, s.slots[0].retransmissions) = (2, 1)),
            no("a mark around", |s| (s.at, s.slots[0].has_reduction) = (2, true)),
            no("room left unused for three tenths", |s| {
                s.at = 2;
                s.each(|slot| (slot.ack_clocked, slot.room_unused) = (ms(7), ms(3)));
            }),
            yes("room left unused for less", |s| {
                s.at = 2;
                s.each(|slot| (slot.ack_clocked, slot.room_unused) = (ms(7) + 1, ms(3)));
            }),
        ],
    );
}

/// 19 slots of a round trip, each with 10,000 bytes sent and in flight.
fn steady() -> Scene {
    let mut scene = Scene::of(19, 9, ms(10), |_, slot| {
        (slot.sends, slot.sent, slot.peak_flight) = (7, Bytes::of(10_000), Bytes::of(10_000));
    });
    scene.context.rtt_min = Some(ms(10));
    scene
}

fn probing(scene: fn(&mut Scene)) -> Option<bool> {
    let mut steady = steady();
    scene(&mut steady);
    asked!(is_probing, steady)
}

#[test]
fn a_pacer_probes() {
    assert_eq!(probing(|_| ()), Some(false), "8 round trips without a probe");
    assert_eq!(
        probing(|s| s.slots[1].sent = Bytes::of(12_800)),
        Some(true),
        "1.28 times the slowest pace, 8 slots before"
    );
    assert_eq!(probing(|s| s.slots[1].sent = Bytes::of(12_799)), Some(false), "less than 1.28 times");
    assert_eq!(probing(|s| s.slots[17].sent = Bytes::of(12_800)), Some(true), "8 slots after");
    assert_eq!(probing(|s| s.slots[18].sent = Bytes::of(12_800)), Some(false), "the last slot, which is not over");
    assert_eq!(probing(|s| s.slots[0].sent = Bytes::of(12_800)), Some(false), "9 slots before");
    assert_eq!(probing(|s| s.slots[1].peak_flight = Bytes::of(12_000)), Some(true), "1.2 times the least flight");
    assert_eq!(probing(|s| s.slots[1].peak_flight = Bytes::of(11_999)), Some(false), "less than 1.2 times");
    assert_eq!(probing(|s| (s.slots[1].sent, s.slots[2].sends) = (Bytes::of(20_000), 0)), Some(false), "beyond a rest");
}

/// Less than a complete cycle without a probe proves nothing.
#[test]
fn a_pacers_cycle_takes_eight_round_trips() {
    let short = |lost_before: usize, lost_after: usize| {
        let mut scene = steady();
        scene.slots[lost_before].retransmissions = 1;
        scene.slots[lost_after].retransmissions = 1;
        asked!(is_probing, scene)
    };
    assert_eq!(short(5, 14), Some(false), "8 slots of a round trip between two losses");
    assert_eq!(short(6, 14), None, "7 slots");
    let mut scene = steady();
    scene.context.rtt_min = None;
    assert_eq!(asked!(is_probing, scene), None, "no least round trip");
}

/// 11 slots of a round trip: five before the middle and six from there.
fn flat() -> Scene {
    let mut scene = Scene::of(11, 5, ms(10), |_, slot| slot.peak_flight = Bytes::of(200_000));
    scene.context.rtt_min = Some(ms(10));
    scene
}

#[test]
fn a_flight_is_flat() {
    hold!(
        is_flat,
        &flat(),
        [
            yes("five round trips before and as many after", |_| ()),
            yes("a rise by a hundredth", |s| s.slots[5..]
                .iter_mut()
                .for_each(|slot| slot.peak_flight = Bytes::of(202_000))),
            no("a steeper rise", |s| s.slots[5..].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(202_001))),
            yes("a rise by a segment", |s| {
                s.slots[..5].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(10_000));
                s.slots[5..].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(11_448));
            }),
            no("a rise by more", |s| {
                s.slots[..5].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(10_000));
                s.slots[5..].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(11_449));
            }),
            yes("a fall by a third of what is left", |s| {
                s.slots[5..].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(150_000));
            }),
            no("a deeper fall", |s| s.slots[5..].iter_mut().for_each(|slot| slot.peak_flight = Bytes::of(149_999))),
            no("a repeat before", |s| s.slots[2].retransmissions = 1),
            no("an answer to a mark after", |s| s.slots[7].has_reduction = true),
            no("a hole after", |s| s.slots[7].holes = 1),
            yes("a slot of which half is certain", |s| s.slots[0].definite = ms(5)),
            no("a rest before, most of a slot", |s| s.slots[0].definite = ms(5) + 1),
            no("four round trips before", |s| {
                s.slots.remove(0);
                s.at = 4;
            }),
            no("four round trips after", |s| s.slots.truncate(9)),
            no("no least round trip", |s| s.context.rtt_min = None),
        ],
    );
}

#[test]
fn flat_round_trips_lie_around_before_or_after() {
    hold!(
        is_flat,
        &flat(),
        [
            yes("five slots later", |s| s.at = 10),
            yes("the first slot", |s| s.at = 0),
            no("four slots later", |s| s.at = 9),
            no("the second slot", |s| (s.at, s.slots[10].holes) = (1, 1)),
        ],
    );
}

/// Slots in which the bytes in flight rise by half a segment each.
fn growing() -> Scene {
    Scene::of(9, 4, ms(10), |place, slot| {
        (slot.peak_flight, slot.sends) = (Bytes::of(10_000 + 724 * place as u64), 1);
        slot.peak_flight.add(if place == 8 { 724 } else { 0 });
    })
}

#[test]
fn a_flight_grows_slowly() {
    hold!(
        is_growing_slowly,
        &growing(),
        [
            yes("half a segment in each slot", |_| ()),
            no("less", |s| s.slots[8].peak_flight = Bytes::of(s.slots[8].peak_flight.get() - 1)),
            no("a repeat before", |s| s.slots[0].retransmissions = 1),
            no("a mark before", |s| s.slots[0].has_reduction = true),
            yes("half of a slot certain before", |s| s.slots[0].definite = ms(5)),
            no("a rest before, most of a slot", |s| s.slots[0].definite = ms(5) + 1),
            yes("a segment in each of 8 slots", |s| {
                s.slots.truncate(8);
                (0..).zip(&mut s.slots).for_each(|(place, slot)| slot.peak_flight = Bytes::of(10_000 + 1448 * place));
            }),
            no("a segment in each of 7 slots", |s| {
                s.slots.truncate(7);
                (0..).zip(&mut s.slots).for_each(|(place, slot)| slot.peak_flight = Bytes::of(10_000 + 1448 * place));
            }),
            yes("the handshake before", |s| (s.slots[0].definite, s.slots[0].sends) = (ms(6), 0)),
            no("a loss after, and fewer than 8 slots", |s| s.slots[7].retransmissions = 1),
            no("a hole after, and fewer than 8 slots", |s| s.slots[7].holes = 1),
            no("a slot without a send, and fewer than 8", |s| s.slots[7].sends = 0),
            yes("falls of a quarter of the rises", |s| {
                s.slots[3].peak_flight = Bytes::of(20_000);
                s.slots[4].peak_flight = Bytes::of(20_000 - 4_000);
                s.slots[5].peak_flight = Bytes::of(20_000);
                s.slots[6].peak_flight = Bytes::of(20_000);
                s.slots[7].peak_flight = Bytes::of(20_000);
                s.slots[8].peak_flight = Bytes::of(22_000);
            }),
            no("deeper falls", |s| {
                s.slots[3].peak_flight = Bytes::of(20_000);
                s.slots[4].peak_flight = Bytes::of(20_000 - 4_001);
                s.slots[5].peak_flight = Bytes::of(20_000);
                s.slots[6].peak_flight = Bytes::of(20_000);
                s.slots[7].peak_flight = Bytes::of(20_000);
                s.slots[8].peak_flight = Bytes::of(22_000);
            }),
        ],
    );
}
