//! Tests each term of these conditions at its boundary: pauses between ACKs, excess round trips, and the rate
//! of trains.

use tcpwhy_testkit::ms;

use super::super::testing::{Scene, hold, no, yes};
use crate::facts::bytes::Bytes;

/// 20 ACKs at intervals of exactly one millisecond, as from a busy link; round trips of 6 ms.
fn busy() -> Scene {
    Scene::one(|slot| {
        slot.advancing_acks = 20;
        slot.ack_time = ms(20);
        slot.ack_time_squared = 20.0;
        slot.ack_gap_max = ms(5);
        (slot.rtt_sum, slot.rtt_count) = (ms(6), 1);
    })
}

#[test]
fn a_path_is_busy() {
    hold!(
        is_busy,
        &busy(),
        [
            yes("20 ACKs, a pause of 4 mean times and a sixth of the round trip", |_| ()),
            no("19 ACKs", |s| s.advancing_acks = 19),
            no("a pause longer by a nanosecond", |s| s.ack_gap_max = ms(5) + 1),
            yes("squares of 1.7 times the mean's", |s| s.ack_time_squared = 34.0),
            no("squares of more", |s| s.ack_time_squared = 34.1),
            no("a pause of 5 mean times where round trips are unknown", |s| s.rtt_count = 0),
            yes("a pause of 4 mean times where round trips are unknown", |s| {
                s.rtt_count = 0;
                s.ack_gap_max = ms(4);
            }),
            yes("uneven ACKs that never pause for more than a sixth of the round trip", |s| {
                (s.ack_time_squared, s.ack_gap_max) = (1e3, ms(1));
            }),
            no("uneven ACKs that do", |s| (s.ack_time_squared, s.ack_gap_max) = (1e3, ms(1) + 1)),
            yes("uneven ACKs that never pause for more than 1.6 ms", |s| {
                (s.ack_time_squared, s.ack_gap_max, s.rtt_sum) = (1e3, 1_600_000, ms(60));
            }),
            no("uneven ACKs that pause for more than 1.6 ms", |s| {
                (s.ack_time_squared, s.ack_gap_max, s.rtt_sum) = (1e3, 1_600_001, ms(60));
            }),
            yes("a single pause of a twentieth of all time", |s| {
                (s.advancing_acks, s.ack_time, s.ack_time_squared, s.ack_gap_max) = (200, ms(200), 200.0, ms(10));
            }),
            no("a single pause of more", |s| {
                (s.advancing_acks, s.ack_time, s.ack_time_squared, s.ack_gap_max) = (200, ms(200), 200.0, ms(10) + 1);
            }),
        ],
    );
}

/// Exactly three slots on either side count.
#[test]
fn three_slots_on_either_side_are_around() {
    let scene = || Scene::of(8, 3, ms(10), |_, slot| slot.advancing_acks = 2);
    hold!(
        can_be_busy,
        &scene(),
        [
            no("7 slots of 2 ACKs", |_| ()),
            yes("6 more ACKs three slots before", |s| s.slots[0].advancing_acks = 8),
            no("5 more ACKs three slots before", |s| s.slots[0].advancing_acks = 7),
            yes("6 more ACKs three slots after", |s| s.slots[6].advancing_acks = 8),
            no("6 more ACKs four slots after", |s| s.slots[7].advancing_acks = 8),
            no("6 more ACKs four slots before", |s| {
                s.at = 4;
                s.slots[0].advancing_acks = 8;
            }),
        ],
    );
    hold!(
        has_losses,
        &scene(),
        [
            no("none around", |_| ()),
            yes("a repeat three slots before", |s| s.slots[0].retransmissions = 1),
            yes("a repeat three slots after", |s| s.slots[6].retransmissions = 1),
            no("a repeat four slots after", |s| s.slots[7].retransmissions = 1),
            no("an answer to a mark", |s| s.slots[2].has_reduction = true),
        ],
    );
}

#[test]
fn acks_without_a_break() {
    hold!(
        is_unbroken,
        &busy(),
        [
            no("a pause of 5 of 6 ms", |_| ()),
            yes("a pause of a quarter of the round trip", |s| s.ack_gap_max = 1_500_000),
            no("a pause of more", |s| s.ack_gap_max = 1_500_001),
            no("no round trip", |s| (s.ack_gap_max, s.rtt_count) = (0, 0)),
        ],
    );
}

/// The path needs 10 ms per round trip, and round trips are longer.
#[test]
fn round_trips_are_inflated_on_a_busy_path() {
    let mut scene = busy();
    scene.context.rtt_min = Some(ms(10));
    scene.rtt_min = Some(ms(13) + 1);
    hold!(
        is_inflated,
        &scene,
        [
            yes("three tenths more", |_| ()),
            no("no more than three tenths", |s| s.rtt_min = Some(ms(13))),
            yes("a millisecond more on a short path", |s| {
                (s.context.rtt_min, s.rtt_min) = (Some(ms(2)), Some(ms(3) + 1));
            }),
            no("no more than a millisecond", |s| (s.context.rtt_min, s.rtt_min) = (Some(ms(2)), Some(ms(3)))),
            yes("a shorter one in another slot around", |s| {
                let mut other = s.slots[0].clone();
                other.rtt_min = Some(ms(10));
                s.slots.push(other);
                s.each(|slot| (slot.advancing_acks, slot.ack_time, slot.ack_time_squared) = (10, ms(10), 10.0));
            }),
            no("no round trip of its own", |s| s.rtt_min = None),
            no("no least round trip", |s| s.context.rtt_min = None),
            no("a path that rests", |s| s.ack_time_squared = 1e3),
        ],
    );
}

/// 20 ACKs at uneven times, which do not show a busy path.
fn uneven() -> Scene {
    let mut scene = busy();
    scene.ack_time_squared = 1e3;
    scene.context.rtt_min = Some(ms(100));
    scene
}

#[test]
fn round_trips_are_inflated_though_acks_come_together() {
    let mut smooth = uneven();
    smooth.rtt_min = Some(ms(110) + 8);
    smooth.ack_gap_max = (ms(110) + 8) / 8;
    hold!(
        is_inflated,
        &smooth,
        [
            yes("a pause of an eighth, and a tenth more", |_| ()),
            no("a longer pause", |s| s.ack_gap_max += 1),
            no("no more than a tenth", |s| (s.rtt_min, s.ack_gap_max) = (Some(ms(110)), ms(13))),
            no("19 ACKs", |s| s.advancing_acks = 19),
            yes("5 ms more on a shorter path", |s| {
                (s.context.rtt_min, s.rtt_min, s.ack_gap_max) = (Some(ms(40)), Some(ms(45) + 1), ms(5));
            }),
            no("no more than 5 ms", |s| {
                (s.context.rtt_min, s.rtt_min, s.ack_gap_max) = (Some(ms(40)), Some(ms(45)), ms(5));
            }),
        ],
    );
    let mut deep = uneven();
    deep.slots.push(deep.slots[0].clone());
    deep.slots[0].rtt_min = Some(ms(110));
    deep.slots[1].rtt_min = Some(ms(130) + 1);
    deep.ack_gap_max = ms(110);
    hold!(
        is_inflated,
        &deep,
        [
            yes("all but one round trip three tenths more, a pause of one", |_| ()),
            no("a pause of more than a round trip", |s| s.ack_gap_max += 1),
            no("no more than three tenths", |s| s.slots[1].rtt_min = Some(ms(130))),
            no("only one round trip", |s| s.slots[1].rtt_min = None),
            no("19 ACKs", |s| (s.slots[0].advancing_acks, s.slots[1].advancing_acks) = (10, 9)),
        ],
    );
}

/// Three slots with data that always waits 5 ms; round trips of 100 ms.
fn never_empty() -> Scene {
    let mut scene = Scene::of(3, 1, ms(100), |_, slot| {
        slot.echo_queued = 5001;
        (slot.rtt_sum, slot.rtt_count) = (ms(100), 1);
    });
    scene.context.rtt_min = Some(ms(100));
    scene
}

#[test]
fn a_queue_that_never_empties() {
    hold!(
        is_never_empty,
        &never_empty(),
        [
            yes("a twentieth of the round trip, three times", |_| ()),
            no("less once", |s| s.slots[2].echo_queued = 5000),
            no("only two slots that show it", |s| s.slots[0].echo_queued = 0),
            yes("a millisecond of a short path", |s| {
                s.context.rtt_min = Some(ms(10));
                s.each(|slot| slot.echo_queued = 1001);
            }),
            no("less than a millisecond", |s| {
                s.context.rtt_min = Some(ms(10));
                s.each(|slot| slot.echo_queued = 1000);
            }),
            no("holes without a loss", |s| s.holes = 1),
            yes("holes and a loss", |s| (s.holes, s.retransmissions) = (1, 1)),
            no("a pacer", |s| s.context.is_pacing = true),
            no("no least round trip", |s| s.context.rtt_min = None),
        ],
    );
    hold!(
        is_queued,
        &never_empty(),
        [yes("it never empties", |_| ()), no("it does once", |s| s.slots[2].echo_queued = 5000)],
    );
}

#[test]
fn a_queue_that_backs_up() {
    let mut scene = never_empty();
    scene.each(|slot| {
        slot.echo_queued = 2501;
        slot.ack_gap_max = ms(25);
        (slot.advancing_acks, slot.ack_time) = (2, ms(5));
    });
    hold!(
        is_queued,
        &scene,
        [
            yes("half of a twentieth of the round trip, and the time to the next ACK", |_| ()),
            no("less once", |s| s.slots[2].echo_queued = 2500),
            no("less than the time to the next ACK", |s| s.each(|slot| slot.ack_time = ms(6))),
            no("less with the time to the next ACK", |s| s.each(|slot| slot.ack_time = ms(4))),
            no("a pause of more than a quarter of the round trip", |s| s.ack_gap_max = ms(25) + 1),
            no("holes without a loss", |s| s.holes = 1),
            yes("a pacer", |s| s.context.is_pacing = true),
        ],
    );
}

/// Bursts at intervals of 5 ms. Trains show 1 MB/s, and segments of one train are at most 1 ms apart.
fn saturated() -> Scene {
    let mut scene = busy();
    scene.context.rtt_min = Some(ms(16));
    scene.context.train_rate = Some(1e6);
    scene.rtt_min = Some(ms(30));
    (scene.peak_flight, scene.cwnd_floor) = (Bytes::of(9_000), Bytes::of(10_000));
    (scene.bursts, scene.acked) = (20, Bytes::of(95_000));
    scene
}

#[test]
fn a_path_is_saturated() {
    hold!(
        is_saturated,
        &saturated(),
        [
            yes("95 % of the trains' rate and nine tenths of the flight", |_| ()),
            no("less than 95 %", |s| s.acked = Bytes::of(94_999)),
            no("less than nine tenths", |s| s.peak_flight = Bytes::of(8_999)),
            no("bursts less than 5 pauses apart", |s| s.bursts = 21),
            no("no queue", |s| s.rtt_min = Some(ms(16))),
            no("no trains", |s| s.context.train_rate = None),
            no("no least round trip", |s| s.context.rtt_min = None),
        ],
    );
}

#[test]
fn more_is_in_flight_than_the_path_holds() {
    let mut scene = saturated();
    (scene.context.path_rate, scene.context.train_rate) = (Some(1e6), None);
    // The path holds 16 kB: 1 MB/s for 16 ms.
    scene.note_send(24_000);
    hold!(
        holds_more_than_path,
        &scene,
        [
            yes("half as much again", |_| ()),
            no("once less", |s| s.note_send(23_999)),
            no("nothing was sent", |s| s.slots[0] = saturated().slots.remove(0)),
            no("round trips three tenths longer", |s| s.rtt_min = Some(20_800_000)),
            yes("more than that", |s| s.rtt_min = Some(20_800_001)),
            no("no round trip", |s| s.rtt_min = None),
            yes("half of the trains' rate", |s| s.acked = Bytes::of(50_000)),
            no("less", |s| s.acked = Bytes::of(49_999)),
            no("no trains", |s| s.context.path_rate = None),
            no("no least round trip", |s| s.context.rtt_min = None),
        ],
    );
}

#[test]
fn a_path_is_idle() {
    hold!(
        is_path_idle,
        &saturated(),
        [
            no("half of the trains' rate", |s| s.acked = Bytes::of(50_000)),
            yes("less than half", |s| s.acked = Bytes::of(49_999)),
            no("no trains", |s| (s.acked, s.context.train_rate) = (Bytes::of(0), None)),
        ],
    );
}
