//! Tests each term of these conditions at its boundary: fixed periods, even paces, and sends that follow ACKs
//! or do not.

use tcpwhy_testkit::ms;

use super::super::testing::{Scene, hold, no, yes};
use crate::facts::bytes::Bytes;

/// Ten bursts in 100 ms. `periodic` of them come `period` nanoseconds after the previous one.
fn rhythm(periodic: u32, period: i64) -> Scene {
    Scene::one(|slot| {
        slot.bursts = 10;
        (slot.periodic_bursts, slot.period_sum) = (periodic, i64::from(periodic) * period);
    })
}

#[test]
fn bursts_are_regular() {
    hold!(
        is_regular,
        &rhythm(7, 2_500_000),
        [
            yes("7 of 10 bursts, every 2.5 ms", |_| ()),
            no("a shorter period", |s| s.period_sum -= 1),
            no("6 of 10", |s| (s.periodic_bursts, s.period_sum) = (6, ms(60))),
            yes("5 bursts", |s| s.bursts = 5),
            no("4 bursts", |s| s.bursts = 4),
        ],
    );
}

/// A capture at the sender, with a period of 3.3 ms, a fifth of the round trip.
fn foreign() -> Scene {
    let mut scene = rhythm(10, 3_300_000);
    (scene.rtt_sum, scene.rtt_count) = (5 * 3_300_000, 1);
    scene
}

#[test]
fn a_rhythm_is_the_senders_own() {
    hold!(
        has_own_rhythm,
        &foreign(),
        [
            yes("five periods in a round trip", |_| ()),
            no("four", |s| s.rtt_sum = 4 * 3_300_000),
            yes("4.5 periods", |s| s.rtt_sum = 14_850_000),
            yes("1.7 periods", |s| s.rtt_sum = 5_610_000),
            no("1.69 periods", |s| s.rtt_sum = 5_577_000),
            yes("2.21 periods", |s| s.rtt_sum = 7_293_000),
            no("2.19 periods", |s| s.rtt_sum = 7_227_000),
            yes("1.79 periods", |s| s.rtt_sum = 5_907_000),
            no("1.81 periods", |s| s.rtt_sum = 5_973_000),
            no("no rhythm", |s| s.periodic_bursts = 6),
            no("no round trip", |s| s.rtt_count = 0),
        ],
    );
    hold!(
        has_own_rhythm,
        &foreign(),
        [
            yes("9 of 10 bursts a twentieth behind ACKs", |s| {
                (s.ack_released, s.ack_time, s.ack_covered) = (9, ms(20), ms(1));
            }),
            no("9 of 10 bursts closer behind ACKs", |s| {
                (s.ack_released, s.ack_time, s.ack_covered) = (9, ms(20), ms(1) - 1);
            }),
            yes("8 of 10 bursts right behind ACKs", |s| (s.ack_released, s.ack_time) = (8, ms(20))),
            yes("9 of 10, away from the sender", |s| {
                (s.ack_released, s.ack_time, s.context.ack_times_inferred) = (9, ms(20), true);
            }),
        ],
    );
}

/// A period of whole milliseconds comes from a timer, unless it equals the round trip.
#[test]
fn a_round_period_is_the_senders_own() {
    let mut scene = rhythm(10, ms(4));
    (scene.rtt_sum, scene.rtt_count) = (ms(16), 1);
    hold!(
        has_own_rhythm,
        &scene,
        [
            yes("every 4 ms", |_| ()),
            yes("every 4.03 ms", |s| (s.period_sum, s.rtt_sum) = (40_300_000, 16_120_000)),
            no("every 4.030001 ms", |s| (s.period_sum, s.rtt_sum) = (40_300_010, 16_120_004)),
            yes("every 3.97 ms", |s| (s.period_sum, s.rtt_sum) = (39_700_000, 15_880_000)),
            no("every 3.969999 ms", |s| (s.period_sum, s.rtt_sum) = (39_699_990, 15_879_996)),
            no("every 4 ms, away from the sender", |s| s.context.ack_times_inferred = true),
            no("every 4 ms, the least round trip", |s| s.context.rtt_min = Some(ms(4))),
            no("every 24 ms, a twenty-fifth under the least round trip", |s| {
                (s.period_sum, s.rtt_sum, s.context.rtt_min) = (ms(240), ms(24), Some(ms(25)));
            }),
            yes("every 24 ms, further under it", |s| {
                (s.period_sum, s.rtt_sum, s.context.rtt_min) = (ms(240), ms(24), Some(ms(25) + 1));
            }),
        ],
    );
}

/// 20 bursts, 12 of them even, at intervals of 2.5 ms: 2/5 of a round trip.
fn even() -> Scene {
    let mut scene = rhythm(10, 2_500_000);
    (scene.bursts, scene.even_bursts, scene.multi_send_bursts, scene.partial_sends) = (20, 12, 5, 5);
    (scene.rtt_sum, scene.rtt_count) = (6_250_000, 1);
    scene.sent = Bytes::of(1_000_000);
    scene
}

#[test]
fn segments_are_even() {
    hold!(
        is_even,
        &even(),
        [
            yes("12 of 20 bursts", |_| ()),
            no("11 of 20", |s| s.even_bursts = 11),
            no("more than a quarter of several sends", |s| s.multi_send_bursts = 6),
            no("more than a quarter with a short segment", |s| s.partial_sends = 6),
            no("a period of more than two fifths of the round trip", |s| s.rtt_sum -= 1),
            no("no round trip", |s| s.rtt_count = 0),
            yes("6 bursts", |s| (s.bursts, s.even_bursts, s.multi_send_bursts, s.partial_sends) = (6, 6, 0, 0)),
            no("5 bursts", |s| (s.bursts, s.even_bursts, s.multi_send_bursts, s.partial_sends) = (5, 5, 0, 0)),
            yes("every 2 ms, as pacers may", |s| s.period_sum = ms(20)),
            yes("two segments every 3.3 ms", |s| (s.period_sum, s.rtt_sum, s.sent) =
                (ms(33), ms(9), Bytes::of(20 * 2 * 1448))),
            no("more than two segments every 3.3 ms", |s| (s.period_sum, s.rtt_sum, s.sent) =
                (ms(33), ms(9), Bytes::of(57_921))),
            no("two segments every 4 ms, a timer's", |s| (s.period_sum, s.rtt_sum, s.sent) =
                (ms(40), ms(10), Bytes::of(57_920))),
            yes("two segments every 4 ms, the round trip", |s| {
                (s.period_sum, s.rtt_sum, s.sent, s.context.rtt_min) = (ms(40), ms(10), Bytes::of(57_920), Some(ms(4)));
            }),
        ],
    );
    hold!(
        is_released_evenly,
        &even(),
        [yes("ACKs released 11 of 20", |s| s.ack_released = 11), no("ACKs released 10 of 20", |s| s.ack_released = 10),],
    );
}

/// `SERIALISED_SHARE`: 16 segments in 20 ms, 13 of them at one pace. ACKs released half of them.
#[test]
fn a_line_sends_one_segment_after_the_other() {
    let scene = Scene::of(1, 0, ms(20), |_, slot| {
        (slot.bursts, slot.even_bursts, slot.ack_released) = (16, 13, 8);
        (slot.periodic_bursts, slot.period_sum) = (11, ms(11));
    });
    hold!(
        is_serialised,
        &scene,
        [
            yes("13 of 16", |_| ()),
            no("12 of 16", |s| s.even_bursts = 12),
            no("ACKs released more than half", |s| s.ack_released = 9),
            yes("every 2.5 ms", |s| (s.bursts, s.even_bursts, s.periodic_bursts, s.ack_released) = (8, 8, 0, 0)),
            no("every 2.9 ms", |s| (s.bursts, s.even_bursts, s.periodic_bursts, s.ack_released) = (7, 7, 0, 0)),
            no("in a rhythm of 1 ms", |s| (s.periodic_bursts, s.period_sum) = (12, ms(12))),
            yes("in a rhythm of 1.031 ms", |s| (s.periodic_bursts, s.period_sum) = (12, 12 * 1_031_000)),
        ],
    );
}

#[test]
fn bursts_end_with_short_segments() {
    hold!(
        are_segments_small,
        &rhythm(0, 0),
        [
            yes("9 of 10 bursts", |s| s.partial_sends = 9),
            no("8 of 10", |s| s.partial_sends = 8),
            yes("5 of 5", |s| (s.bursts, s.partial_sends) = (5, 5)),
            no("4 of 4", |s| (s.bursts, s.partial_sends) = (4, 4)),
        ],
    );
    hold!(
        are_writes_coalesced,
        &rhythm(0, 0),
        [
            yes("3 of 12 bursts", |s| (s.bursts, s.partial_sends) = (12, 3)),
            no("3 of 11", |s| (s.bursts, s.partial_sends) = (11, 3)),
            no("2 of 12", |s| (s.bursts, s.partial_sends) = (12, 2)),
        ],
    );
}

#[test]
fn sends_follow_acks_by_chance() {
    let mut scene = rhythm(0, 0);
    (scene.advancing_acks, scene.ack_time, scene.ack_covered) = (20, ms(1), 400_000);
    scene.ack_released = 6;
    hold!(
        is_random,
        &scene,
        [
            yes("6 bursts within two fifths of the time, ACKs 50 µs apart", |_| ()),
            no("5 bursts", |s| s.ack_released = 5),
            no("within less of the time", |s| s.ack_covered = 399_999),
            no("ACKs closer together", |s| (s.ack_time, s.ack_covered) = (999_999, 400_000)),
            no("away from the sender", |s| s.context.ack_times_inferred = true),
        ],
    );
}

/// Ten bursts at uneven times. Nine of them follow an ACK within a quarter of the time between ACKs.
fn released() -> Scene {
    let mut scene = rhythm(0, 0);
    scene.context.is_wake_known = true;
    (scene.bursts, scene.ack_released) = (10, 9);
    (scene.advancing_acks, scene.ack_time, scene.ack_covered) = (100, ms(100), ms(25));
    scene
}

#[test]
fn sends_follow_acks() {
    hold!(
        follows_acks,
        &released(),
        [
            yes("9 of 10 bursts, and closely", |_| ()),
            no("8 of 10", |s| s.ack_released = 8),
            yes("6 bursts, more closely", |s| (s.bursts, s.ack_released, s.ack_covered) = (6, 6, ms(20))),
            no("5 bursts", |s| (s.bursts, s.ack_released, s.ack_covered) = (5, 5, ms(20))),
            yes("2 bursts within less than a twentieth", |s| {
                (s.bursts, s.ack_released, s.ack_covered) = (2, 2, 4_999_999);
            }),
            no("a twentieth", |s| (s.bursts, s.ack_released, s.ack_covered) = (2, 2, ms(5))),
            no("one burst", |s| (s.bursts, s.ack_released, s.ack_covered) = (1, 1, ms(1))),
            no("2 bursts where nobody knows how soon this host wakes", |s| {
                (s.bursts, s.ack_released, s.ack_covered) = (2, 2, ms(1));
                (s.context.is_wake_known, s.context.ack_times_inferred) = (false, true);
            }),
            yes("two deviations below half", |s| s.ack_covered = 30_754_000),
            no("less below it", |s| s.ack_covered = 30_756_000),
            yes("8 µs after them", |s| s.ack_covered = 800_000),
            no("sooner than a program wakes", |s| s.ack_covered = 799_999),
            no("nobody knows how soon this host wakes", |s| s.context.is_wake_known = false),
            yes("nor could know away from it", |s| {
                (s.context.is_wake_known, s.context.ack_times_inferred) = (false, true);
            }),
            no("beside losses", |s| s.retransmissions = 1),
            yes("whatever the pace, if ACKs end the rests", |s| {
                (s.ack_released, s.rests, s.rests_released) = (0, 10, 10);
            }),
        ],
    );
}

/// A timer's phase between the ACKs is fixed once, so the distance must be smaller.
#[test]
fn sends_at_a_fixed_period_follow_acks_more_closely() {
    hold!(
        follows_acks,
        &released(),
        [
            no("at a fixed period", |s| s.periodic_bursts = 10),
            yes("less than a twentieth", |s| (s.periodic_bursts, s.ack_covered) = (10, 4_999_999)),
            no("a twentieth", |s| (s.periodic_bursts, s.ack_covered) = (10, ms(5))),
            yes("behind the last ACK, with an eighth in flight", |s| {
                (s.periodic_bursts, s.peak_flight) = (10, Bytes::of(8_000));
                s.note_send(1_000);
            }),
            no("with more in flight", |s| {
                (s.periodic_bursts, s.peak_flight) = (10, Bytes::of(8_000));
                s.note_send(1_001);
            }),
            no("a twentieth of the time between bursts behind it", |s| {
                (s.periodic_bursts, s.peak_flight, s.ack_covered) = (10, Bytes::of(8_000), ms(50));
                s.note_send(1_000);
            }),
        ],
    );
}

#[test]
fn acks_end_rests() {
    let mut scene = released();
    (scene.ack_released, scene.rests, scene.rests_released) = (0, 10, 9);
    hold!(
        rests_end_with_acks,
        &scene,
        [
            yes("9 of 10 rests", |_| ()),
            no("8 of 10", |s| s.rests_released = 8),
            no("5 rests", |s| (s.rests, s.rests_released) = (5, 5)),
            yes("at a fixed pace between them", |s| s.periodic_bursts = 10),
            no("a twentieth of a rest late", |s| (s.periodic_bursts, s.ack_covered) = (10, ms(50))),
        ],
    );
}

/// A busy path, with an ACK every millisecond.
fn served(periodic: u32) -> Scene {
    let mut scene = rhythm(periodic, ms(3));
    (scene.advancing_acks, scene.ack_time, scene.ack_gap_max) = (100, ms(100), ms(1));
    scene.ack_time_squared = 100.0;
    scene
}

#[test]
fn the_path_sets_the_rhythm() {
    hold!(
        is_served,
        &served(8),
        [
            yes("8 of 10 bursts to the tick", |_| ()),
            no("9 of 10", |s| s.periodic_bursts = 9),
            no("a path that rests", |s| s.ack_gap_max = ms(50)),
            yes("a path that rests behind a queue", |s| {
                (s.context.rtt_min, s.rtt_min) = (Some(ms(100)), Some(ms(112)));
                (s.ack_gap_max, s.ack_time_squared) = (ms(14), 1e3);
            }),
        ],
    );
    let mut beyond = served(9);
    (beyond.context.rtt_min, beyond.rtt_min) = (Some(ms(40)), Some(ms(46) + 1));
    hold!(
        is_served,
        &beyond,
        [
            yes("two periods beyond the least round trip", |_| ()),
            no("no more than two", |s| s.rtt_min = Some(ms(46))),
            no("no least round trip", |s| s.context.rtt_min = None),
            no("no bursts at all", |s| (s.bursts, s.periodic_bursts, s.period_sum) = (0, 0, 0)),
            yes("95 % of the trains' rate behind a queue", |s| {
                (s.context.rtt_min, s.rtt_min, s.context.train_rate) = (Some(ms(16)), Some(ms(21)), Some(1e6));
                (s.acked, s.peak_flight, s.cwnd_floor) = (Bytes::of(95_000), Bytes::of(10_000), Bytes::of(10_000));
            }),
        ],
    );
}

#[test]
fn waits_can_show() {
    let mut scene = served(0);
    scene.context.ack_times_inferred = true;
    (scene.ack_gap_max, scene.context.rtt_min) = (ms(50), Some(ms(100)));
    hold!(
        can_show_waits,
        &scene,
        [
            yes("away from the sender, a path that rests", |_| ()),
            no("at the sender", |s| s.context.ack_times_inferred = false),
            no("a loss", |s| s.retransmissions = 1),
            no("a busy path", |s| s.ack_gap_max = ms(1)),
            no("a queue", |s| s.rtt_min = Some(ms(400))),
        ],
    );
}

/// Three slots of ten bursts, with data always `wait` microseconds after the path became idle.
fn waiting(wait: u32) -> Scene {
    Scene::of(3, 1, ms(600), |_, slot| {
        (slot.bursts, slot.steady_bursts, slot.sends) = (10, 7, 10);
        (slot.echo_queued, slot.echo_wait) = (wait + 1, wait);
    })
}

#[test]
fn the_sender_waits() {
    let mut scene = waiting(1000);
    scene.context.rtt_min = Some(ms(50));
    hold!(
        is_waiting,
        &scene,
        [
            yes("a fiftieth of the round trip", |_| ()),
            no("less once", |s| s.slots[2].echo_wait = 999),
            yes("0.5 ms of a short one", |s| {
                s.context.rtt_min = Some(ms(10));
                s.each(|slot| slot.echo_wait = 500);
            }),
            no("less than 0.5 ms", |s| {
                s.context.rtt_min = Some(ms(10));
                s.each(|slot| slot.echo_wait = 499);
            }),
            no("20 of 30 bursts to the tick", |s| s.slots[0].steady_bursts = 6),
            no("two slots that show it", |s| s.slots[0].echo_queued = 0),
            no("no least round trip", |s| s.context.rtt_min = None),
        ],
    );
}

#[test]
fn answers_are_late() {
    let mut scene = rhythm(0, 0);
    scene.context.rtt_min = Some(ms(30));
    (scene.bursts, scene.ack_released, scene.least_lag) = (5, 4, 200);
    hold!(
        answers_late,
        &scene,
        [
            yes("4 answers after 200 µs, once in two thirds of a round trip", |_| ()),
            no("199 µs", |s| s.least_lag = 199),
            no("3 answers", |s| s.ack_released = 3),
            no("more often", |s| s.bursts = 6),
            no("a longer round trip", |s| s.context.rtt_min = Some(ms(30) + 2)),
            no("a loss", |s| s.retransmissions = 1),
            no("away from the sender", |s| s.context.ack_times_inferred = true),
            no("no least round trip", |s| s.context.rtt_min = None),
            no("a prompt answer in another slot", |s| {
                let mut other = s.slots[0].clone();
                (other.ack_released, other.least_lag) = (1, 199);
                s.slots.push(other);
            }),
        ],
    );
}

/// Round trips of 100 ms, 1 ms per segment; bursts at intervals of 60 ms.
fn never_prompt() -> Scene {
    let mut scene = waiting(4500);
    scene.context.rtt_min = Some(ms(100));
    scene.each(|slot| (slot.sends, slot.burst, slot.steady_bursts) = (12, ms(2), 5));
    scene
}

#[test]
fn data_is_never_prompt() {
    hold!(
        is_never_prompt,
        &never_prompt(),
        [
            yes("a fiftieth of the round trip, two segments and 0.5 ms", |_| ()),
            no("less once", |s| s.slots[0].echo_wait = 4499),
            no("14 of 30 bursts to the tick", |s| s.slots[0].steady_bursts = 4),
            no("two slots that show it", |s| s.slots[0].echo_queued = 0),
            no("no least round trip", |s| s.context.rtt_min = None),
            yes("later than the handshake's answer by the rest", |s| {
                s.context.excess_ack_to_data_delay = ms(2);
                s.each(|slot| slot.echo_wait = 2500);
            }),
            yes("sooner than the handshake's answer", |s| s.context.excess_ack_to_data_delay = -ms(2)),
            yes("a segment's time by the rate of trains", |s| {
                s.each(|slot| slot.sends = 10);
                s.context.path_rate = Some(1_448_000.0);
            }),
            no("more than that explains", |s| {
                s.each(|slot| (slot.sends, slot.echo_wait) = (10, 4499));
                s.context.path_rate = Some(1_448_000.0);
            }),
            yes("half a round trip where no segment's time shows", |s| {
                s.each(|slot| (slot.sends, slot.echo_wait) = (10, 50_000));
            }),
            no("less than half", |s| s.each(|slot| (slot.sends, slot.echo_wait) = (10, 49_999))),
        ],
    );
}

/// Sends once per round trip or less often, unless all data in flight had arrived before.
#[test]
fn data_that_is_always_late_may_be_foretold() {
    hold!(
        is_never_prompt,
        &never_prompt(),
        [
            no("bursts a round trip apart", |s| {
                s.each(|slot| (slot.bursts, slot.sends, slot.steady_bursts) = (6, 8, 6));
            }),
            yes("bursts a little less apart", |s| {
                s.each(|slot| (slot.bursts, slot.sends, slot.steady_bursts) = (6, 8, 6));
                s.context.rtt_min = Some(ms(100) + 1);
            }),
            no("bursts closer than data is late", |s| {
                s.each(|slot| (slot.bursts, slot.sends, slot.steady_bursts, slot.echo_wait) = (10, 12, 5, 60_001));
            }),
            yes("2 ms late at any distance", |s| {
                s.context.rtt_min = Some(ms(20));
                s.each(|slot| (slot.burst, slot.echo_wait) = (ms(1), 2000));
            }),
            no("later", |s| {
                s.context.rtt_min = Some(ms(20));
                s.each(|slot| (slot.burst, slot.echo_wait) = (ms(1), 2001));
            }),
        ],
    );
}
