//! Tests each term of these conditions at its boundary. They are about time per kind of gap, room at the edge
//! of the window, readers, and levels that wake a writer.

use tcpwhy_testkit::ms;

use super::super::testing::{Scene, hold, no, yes};
use crate::facts::bytes::Bytes;

/// 100 ms: 10 ms each after ACKs, with unused room, and in bursts.
fn open() -> Scene {
    Scene::one(|slot| (slot.ack_clocked, slot.room_unused, slot.burst) = (ms(10), ms(10), ms(10)))
}

#[test]
fn a_window_binds_between_closings() {
    hold!(
        is_window_bound,
        &open(),
        [
            no("a full window for half of the open time", |s| s.window_full = ms(15)),
            yes("for more", |s| s.window_full = ms(15) + 1),
            no("more time between an ACK and its send", |s| (s.window_full, s.ack_clocked) = (ms(15) + 1, ms(10) + 2)),
            no("more time of room left unused", |s| (s.window_full, s.room_unused) = (ms(15) + 1, ms(10) + 2)),
            no("more time within bursts", |s| (s.window_full, s.burst) = (ms(15) + 1, ms(10) + 2)),
            yes("more time that no ACK ended", |s| (s.window_full, s.unreleased) = (ms(15) + 1, ms(99))),
        ],
    );
}

#[test]
fn a_flight_reaches_the_edge() {
    let mut scene = open();
    scene.note_window(10_000);
    hold!(
        reaches_edge,
        &scene,
        [
            yes("less room than a segment", |s| s.peak_flight = Bytes::of(8_553)),
            no("room for a segment", |s| s.peak_flight = Bytes::of(8_552)),
            yes("less than the largest window of the slot", |s| {
                s.note_window(5_000);
                s.peak_flight = Bytes::of(8_553);
            }),
            no("room for a segment in the largest window of the slot", |s| {
                s.note_window(5_000);
                s.peak_flight = Bytes::of(8_552);
            }),
        ],
    );
    hold!(
        reaches_edge,
        &open(),
        [
            no("no window ever", |s| s.peak_flight = Bytes::of(8_553)),
            yes("a window that was offered before", |s| (s.peak_flight, s.window_before) = (Bytes::of(8_553), 10_000)),
            yes("the window after the handshake", |s| (s.peak_flight, s.context.window_first) =
                (Bytes::of(8_553), 10_000)),
            no("a larger one before", |s| {
                (s.peak_flight, s.window_before, s.context.window_first) = (Bytes::of(8_553), 10_001, 10_000);
            }),
        ],
    );
}

#[test]
fn repairs_fill_the_time() {
    let mut scene = open();
    scene.retransmissions = 1;
    scene.each(|s| (s.unreleased, s.window_full) = (ms(10), ms(10) - 1));
    hold!(
        is_repair,
        &scene,
        [
            yes("less than half for anything else", |_| ()),
            no("no loss", |s| s.retransmissions = 0),
            no("half between an ACK and its send", |s| s.ack_clocked += 1),
            no("half of room left unused", |s| s.room_unused += 1),
            no("half that no ACK ended", |s| s.unreleased += 1),
            no("half within bursts", |s| s.burst += 1),
            no("half of a full window", |s| s.window_full += 1),
        ],
    );
}

#[test]
fn sends_are_mostly_unreleased() {
    hold!(
        is_mostly_unreleased,
        &open(),
        [
            yes("more than what ACKs ended and half of the bursts", |s| s.unreleased = ms(25) + 1),
            no("no more", |s| s.unreleased = ms(25)),
            no("more time between an ACK and its send", |s| (s.unreleased, s.ack_clocked) = (ms(25) + 1, ms(10) + 1)),
            no("more time of room left unused", |s| (s.unreleased, s.room_unused) = (ms(25) + 1, ms(10) + 1)),
            no("more time within bursts", |s| (s.unreleased, s.burst) = (ms(25) + 1, ms(10) + 2)),
        ],
    );
}

#[test]
fn room_is_unused_seldom_or_often() {
    hold!(
        is_room_seldom_unused,
        &open(),
        [
            yes("less than a tenth", |s| (s.ack_clocked, s.room_unused) = (ms(80) + 1, ms(10))),
            no("a tenth", |s| (s.ack_clocked, s.room_unused) = (ms(80), ms(10))),
        ],
    );
    hold!(
        is_room_often_unused,
        &open(),
        [
            yes("three tenths", |s| (s.ack_clocked, s.room_unused) = (ms(60), ms(30))),
            no("less", |s| (s.ack_clocked, s.room_unused) = (ms(60) + 1, ms(30))),
        ],
    );
}

#[test]
fn room_is_left_unused() {
    let mut scene = open();
    (scene.ack_clocked, scene.room_unused) = (ms(60), ms(30));
    (scene.peak_flight, scene.cwnd_floor) = (Bytes::of(10_000), Bytes::of(10_000));
    hold!(
        leaves_room_unused,
        &scene,
        [
            yes("three tenths", |_| ()),
            no("less", |s| s.ack_clocked += 1),
            no("three tenths beside a loss", |s| s.retransmissions = 1),
            no("three tenths beside an answer to a mark", |s| s.has_reduction = true),
            yes("six tenths beside a loss", |s| {
                (s.retransmissions, s.ack_clocked, s.room_unused) = (1, ms(30), ms(60));
            }),
            no("less beside a loss", |s| (s.retransmissions, s.ack_clocked, s.room_unused) = (1, ms(30) + 1, ms(60))),
            no("no order of sends and ACKs", |s| s.context.has_sender_order = false),
            no("no open time", |s| (s.ack_clocked, s.room_unused, s.burst) = (0, 0, 0)),
        ],
    );
}

/// Much less in flight than the congestion window had allowed counts as unused room, as long as the path is
/// idle.
#[test]
fn a_flight_under_the_floor_leaves_room_unused() {
    let mut scene = open();
    (scene.ack_clocked, scene.room_unused, scene.burst) = (ms(20), 0, ms(10));
    (scene.peak_flight, scene.cwnd_floor) = (Bytes::of(7_000), Bytes::of(10_000));
    // The same amount of time in another slot, with as much in flight as allowed.
    let mut other = scene.slots[0].clone();
    (other.ack_clocked, other.burst, other.cwnd_floor) = (ms(70), 0, Bytes::of(7_000));
    scene.slots.push(other);
    hold!(
        leaves_room_unused,
        &scene,
        [
            yes("three tenths at seven tenths of the floor", |_| ()),
            no("less of bursts", |s| s.burst -= 1),
            no("less after ACKs", |s| s.ack_clocked -= 1),
            no("more in flight", |s| s.peak_flight = Bytes::of(7_001)),
            no("a hole", |s| s.holes = 1),
            no("6 ACKs at the sender, which would show what they release", |s| s.advancing_acks = 6),
            yes("5 ACKs at the sender", |s| s.advancing_acks = 5),
            yes("6 ACKs away from the sender", |s| (s.advancing_acks, s.context.ack_times_inferred) = (6, true)),
            yes("6 ACKs, and a tenth of room left unused", |s| {
                (s.advancing_acks, s.ack_clocked, s.room_unused) = (6, ms(26), ms(4));
            }),
            no("a busy path", |s| {
                s.context.ack_times_inferred = true;
                (s.advancing_acks, s.ack_time, s.ack_time_squared) = (20, ms(20), 20.0);
            }),
        ],
    );
}

#[test]
fn no_send_buffer_is_so_small() {
    let mut scene = open();
    (scene.peak_flight, scene.context.flight_max) = (Bytes::of(100_000), 300_000);
    hold!(
        is_below_buffer,
        &scene,
        [
            no("a third of the largest flight", |_| ()),
            yes("less", |s| s.peak_flight = Bytes::of(99_999)),
            no("a third in another slot around", |s| {
                let other = s.slots[0].clone();
                s.slots.push(other);
                s.peak_flight = Bytes::of(1);
            }),
            yes("less than two segments, the smallest buffer", |s| {
                (s.peak_flight, s.context.flight_max) = (Bytes::of(2_895), 2_895);
            }),
            no("two segments", |s| (s.peak_flight, s.context.flight_max) = (Bytes::of(2_896), 2_896)),
            yes("less than three of 536 bytes", |s| {
                s.context.mss = 536;
                (s.peak_flight, s.context.flight_max) = (Bytes::of(1_607), 1_607);
            }),
            no("three of 536 bytes", |s| {
                s.context.mss = 536;
                (s.peak_flight, s.context.flight_max) = (Bytes::of(1_608), 1_608);
            }),
        ],
    );
}

#[test]
fn the_path_is_left_idle() {
    let mut scene = open();
    (scene.ack_clocked, scene.room_unused) = (ms(80) + 1, ms(10));
    (scene.peak_flight, scene.cwnd_floor) = (Bytes::of(7_000), Bytes::of(10_000));
    (scene.acked, scene.context.train_rate) = (Bytes::of(49_999), Some(1e6));
    hold!(
        leaves_path_idle,
        &scene,
        [
            yes("less than half of the trains' rate, under the floor", |_| ()),
            no("half of the trains' rate", |s| s.acked = Bytes::of(50_000)),
            no("more in flight", |s| s.peak_flight = Bytes::of(7_001)),
            no("a hole", |s| s.holes = 1),
            no("room left unused for a tenth", |s| s.ack_clocked -= 1),
            no("away from the sender", |s| s.context.ack_times_inferred = true),
        ],
    );
}

#[test]
fn no_cut_is_beside() {
    let scene = Scene::of(5, 2, ms(10), |_, _| ());
    hold!(
        is_clean,
        &scene,
        [
            yes("none at all", |_| ()),
            no("a repeat in the slot", |s| s.retransmissions = 1),
            no("a repeat before", |s| s.slots[1].retransmissions = 1),
            no("an answer to a mark after", |s| s.slots[3].has_reduction = true),
            yes("repeats two slots away", |s| (s.slots[0].retransmissions, s.slots[4].retransmissions) = (1, 1)),
        ],
    );
}

/// A pacing sender whose ACKs pause for at most a quarter of the round trip.
fn paced() -> Scene {
    let mut scene = open();
    scene.context.is_pacing = true;
    (scene.rtt_sum, scene.rtt_count, scene.ack_gap_max) = (ms(40), 1, ms(10));
    (scene.ack_clocked, scene.room_unused, scene.burst, scene.unreleased) = (ms(40) + 1, ms(30), ms(10), ms(20));
    scene
}

#[test]
fn a_pacer_sends_throughout() {
    hold!(
        is_paced_throughout,
        &paced(),
        [
            yes("room left unused for less than three tenths", |_| ()),
            no("three tenths", |s| s.ack_clocked -= 1),
            no("three tenths with fewer unreleased sends", |s| s.unreleased -= 1),
            no("no pacer", |s| s.context.is_pacing = false),
            no("ACKs that pause longer", |s| s.ack_gap_max += 1),
            yes("ACKs that pause longer on a busy path", |s| {
                s.ack_gap_max += 1;
                (s.advancing_acks, s.ack_time, s.ack_time_squared) = (20, ms(100), 500.0);
            }),
            yes("ACKs that pause longer, and even segments", |s| {
                s.ack_gap_max += 1;
                (s.bursts, s.even_bursts) = (20, 12);
            }),
        ],
    );
}

#[test]
fn losses_slow_a_pacer() {
    let mut scene = paced();
    (scene.acked, scene.carried_before) = (Bytes::of(79_999), 0.001);
    scene.after_loss();
    hold!(
        is_slowed_by_losses,
        &scene,
        [
            yes("less than 80 % of what was carried before", |_| ()),
            no("80 %", |s| s.acked = Bytes::of(80_000)),
            no("80 % beside a loss", |s| (s.acked, s.retransmissions) = (Bytes::of(80_000), 1)),
            yes("less than 80 % of what the slot before carried", |s| {
                s.slots.insert(0, s.slots[0].clone());
                (s.at, s.carried_before) = (1, 0.0);
                (s.slots[0].acked, s.slots[1].acked) = (Bytes::of(200_000), Bytes::of(100_000));
            }),
            no("a slot before whose repairs make it jump", |s| {
                s.slots.insert(0, s.slots[0].clone());
                (s.at, s.carried_before, s.slots[0].definite) = (1, 0.0, 1);
                (s.slots[0].acked, s.slots[1].acked) = (Bytes::of(200_000), Bytes::of(100_000));
            }),
        ],
    );
    let mut unbroken = paced();
    (unbroken.acked, unbroken.carried_before) = (Bytes::of(79_999), 0.001);
    hold!(
        is_slowed_by_losses,
        &unbroken,
        [no("nothing lost ever", |_| ()), yes("a mark answered before", Scene::after_mark)],
    );
}

#[test]
fn losses_cost_a_pacer_nothing() {
    let mut scene = paced();
    (scene.acked, scene.carried_before, scene.retransmissions) = (Bytes::of(80_000), 0.001, 1);
    hold!(
        is_paced_through_losses,
        &scene,
        [
            yes("80 % of what was carried before, beside a loss", |_| ()),
            no("less", |s| s.acked = Bytes::of(79_999)),
            no("no loss", |s| s.retransmissions = 0),
            no("no pacer", |s| s.context.is_pacing = false),
        ],
    );
}

/// A constant window of 40,000 bytes, whose edge advances with the acknowledged bytes.
fn window() -> Scene {
    let mut scene = open();
    scene.note_window(40_000);
    (scene.acked, scene.edge_advance) = (Bytes::of(10_000), Bytes::of(8_000));
    (scene.window_full, scene.ack_gap_max) = (ms(40), ms(50));
    scene.context.rtt_min = Some(ms(100));
    (scene.rtt_sum, scene.rtt_count, scene.rtt_min) = (ms(100), 1, Some(ms(100)));
    scene
}

#[test]
fn a_window_shrinks() {
    hold!(
        is_window_shrinking,
        &window(),
        [
            no("an edge that moves by eight tenths", |_| ()),
            yes("an edge that moves by less", |s| s.edge_advance = Bytes::of(7_999)),
            no("nothing acknowledged", |s| (s.edge_advance, s.acked) = (Bytes::of(0), Bytes::of(0))),
            no("half of the widest", |s| {
                s.window_before = 80_000;
                s.note_window(38_000);
            }),
            yes("less than half of the widest", |s| {
                s.window_before = 80_001;
                s.note_window(38_000);
            }),
            no("less than half of the widest, and level", |s| s.window_before = 80_001),
            yes("less than a segment", |s| s.note_window(1_447)),
            no("a segment", |s| s.note_window(1_448)),
            no("less than a segment, and never four", |s| {
                (s.edge_advance, s.context.mss) = (Bytes::of(10_000), 10_001);
                s.note_window(9_999);
            }),
            yes("less than a segment, and once four", |s| {
                (s.edge_advance, s.context.mss) = (Bytes::of(10_000), 10_000);
                s.note_window(9_999);
            }),
        ],
    );
}

#[test]
fn a_window_is_level() {
    let mut scene = window();
    // A second slot with the same sums.
    scene.slots.push(scene.slots[0].clone());
    hold!(
        is_window_level,
        &scene,
        [
            yes("one size, and the edge follows by eight tenths", |_| ()),
            no("an edge that follows by less", |s| s.edge_advance = Bytes::of(7_999)),
            no("nothing acknowledged", |s| {
                for slot in &mut s.slots {
                    (slot.acked, slot.edge_advance) = (Bytes::of(0), Bytes::of(0));
                }
            }),
            yes("a segment less within a slot", |s| s.note_window(40_000 - 1_448)),
            no("more than a segment less", |s| s.note_window(40_000 - 1_449)),
            yes("a segment less in the slot beside", |s| s.slots[1].note_window(40_000 - 1_448)),
            no("more than a segment less in the slot beside", |s| s.slots[1].note_window(40_000 - 1_449)),
            yes("four segments", |s| s.context.mss = 10_000),
            no("less than four segments", |s| s.context.mss = 10_001),
        ],
    );
}

#[test]
fn a_reader_is_awaited() {
    hold!(
        is_reader_awaited,
        &window(),
        [
            no("no wait", |_| ()),
            yes("a quarter of the time with a full window", |s| s.reader_wait = 10_000),
            no("less", |s| s.reader_wait = 9_999),
            no("a window that was never full", |s| (s.window_full, s.reader_wait) = (0, 0)),
            yes("ACKs a quarter of the round trip late", |s| {
                (s.rtt_min, s.rtt_sum, s.ack_gap_max) = (Some(ms(125)), ms(130), ms(65));
            }),
            no("ACKs less late", |s| (s.rtt_min, s.rtt_sum, s.ack_gap_max) = (Some(ms(125) - 1), ms(130), ms(65))),
            no("late ACKs that pause for less than half", |s| {
                (s.rtt_min, s.rtt_sum, s.ack_gap_max) = (Some(ms(125)), ms(130), ms(65) - 1);
            }),
            no("late ACKs of a busy path", |s| {
                (s.rtt_min, s.rtt_sum, s.ack_gap_max) = (Some(ms(125)), ms(130), ms(65));
                (s.advancing_acks, s.ack_time, s.ack_time_squared) = (20, ms(400), 8e3);
            }),
            no("late ACKs of less than four segments", |s| {
                (s.rtt_min, s.rtt_sum, s.ack_gap_max) = (Some(ms(125)), ms(130), ms(65));
                s.context.mss = 10_001;
            }),
            yes("late ACKs of four segments", |s| {
                (s.rtt_min, s.rtt_sum, s.ack_gap_max) = (Some(ms(125)), ms(130), ms(65));
                s.context.mss = 10_000;
            }),
            yes("ACKs 2 ms late on a short path", |s| {
                (s.context.rtt_min, s.rtt_min, s.rtt_sum) = (Some(ms(4)), Some(ms(6)), ms(6));
            }),
            no("ACKs less late on a short path", |s| {
                (s.context.rtt_min, s.rtt_min, s.rtt_sum) = (Some(ms(4)), Some(ms(6) - 1), ms(6));
            }),
            no("no least round trip", |s| {
                (s.rtt_min, s.rtt_sum, s.ack_gap_max) = (Some(ms(125)), ms(130), ms(65));
                s.context.rtt_min = None;
            }),
        ],
    );
}

/// 17 slots. Four of them show a level, and one contradicts it: a burst began at 12,501 bytes in flight, but
/// none at 10,000.
fn levels() -> Scene {
    Scene::of(17, 8, ms(10), |place, slot| {
        (slot.bursts, slot.partial_ends) = (6, 1);
        let unanswered = [0, 5, 10, 16].contains(&place).then(|| std::num::NonZeroU32::new(10_000)).flatten();
        slot.note_start(if place == 16 { 12_501 } else { 0 }, unanswered);
    })
}

#[test]
fn no_level_wakes_the_writer() {
    hold!(
        has_no_wake_level,
        &levels(),
        [
            yes("one of four slots, 12,501 after 10,000 bytes", |_| ()),
            yes("a burst in the slot before", |s| (s.slots[16].begun_at, s.slots[15].begun_at) = (0, 12_501)),
            no("a burst two slots before", |s| (s.slots[16].begun_at, s.slots[14].begun_at) = (0, 12_501)),
            no("a quarter above", |s| s.slots[16].begun_at = 12_500),
            no("a segment above", |s| s.context.mss = 2_501),
            no("a fifth slot that shows a level", |s| s.slots[2].note_start(0, std::num::NonZeroU32::new(10_000))),
            no("one of three slots", |s| (s.at, s.slots[16].retransmissions) = (9, 0)),
            no("a loss in the slot that denies it", |s| s.slots[16].retransmissions = 1),
            no("bursts that end with a short segment less than once in six", |s| s.slots[5].bursts = 7),
            no("bursts beyond eight slots", |s| {
                s.slots.insert(9, s.slots[9].clone());
            }),
        ],
    );
}
