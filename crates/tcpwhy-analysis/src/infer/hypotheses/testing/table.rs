//! Expectations for each hypothesis. A new one needs a row in [`needs`], and one in [`NAMED`] or [`CASES`],
//! depending on its list.

use tcpwhy_testkit::{Capture, Reader, ReceiveBuffer, Transfer, Writer, mbit};

use super::super::scope::OFFER_UNKNOWN;
use crate::facts::bytes::Bytes;
use crate::infer::conditions::testing::Scene;

/// Kind of the loss without a hypothesis, as a share of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::infer) enum Lost {
    /// Agreement with the limit of the model.
    Truth,
    /// The detail of a limit, or the alternative limit.
    Form,
}

/// A transfer for each hypothesis that needs it.
#[rustfmt::skip]
pub(in crate::infer) fn needs() -> Vec<(&'static str, Lost, Transfer)> {
    use Lost::{Form, Truth};
    let any = Transfer::default;
    let receiver = || Transfer { capture: Capture::Receiver, ..any() };
    let middle = || Transfer { capture: Capture::Middle, ..any() };
    vec![
        ("acks_not_captured", Form, any()),
        ("told_by_gap", Truth, Transfer { writer: Writer::Bursts { bytes: 100_000, pause: 400_000_000 }, ..any() }),
        ("window_full", Truth, Transfer { rtt: 26_410_000, bytes: 207_000, rate: Some(mbit(200)), queue: 367_000,
            initial_segments: 100, receive_buffer: ReceiveBuffer::Growing { from: 64_000, most: 3_000_000 },
            window_scale: Some(3), lost_every: Some(106), ..middle() }),
        ("queue_under_last_flight", Truth, Transfer { rtt: 4_010_000, bytes: 1_244_000, rate: Some(mbit(8)), mss: 8948,
            lost_every: Some(262), ..any() }),
        ("last_flight", Truth, Transfer { rtt: 730_000, bytes: 209_653, rate: None, is_download: true, ..any() }),
        ("pacer_through_repairs", Form, Transfer { rtt: 75_510_000, bytes: 468_623, rate: Some(3_018_388),
            estimates_path: true, wakes_after: 10_112, lost_every: Some(100), ..any() }),
        ("unreleased_send", Truth, Transfer { rtt: 8_260_000, bytes: 1_141_508, rate: Some(mbit(20)), mss: 8948,
            writer: Writer::Paced { bytes: 1162, every: 2_483_942 }, ..middle() }),
        ("burst_of_unreleased", Truth, Transfer { rtt: 47_130_000, bytes: 127_206, rate: Some(mbit(10)),
            queue: 121_810, estimates_path: true, writer: Writer::Paced { bytes: 3762, every: 5_891_250 }, ..any() }),
        ("unused_now_and_then", Truth, Transfer { rtt: 38_762_000, bytes: 474_869, rate: Some(mbit(100)),
            queue: 197_841, send_buffer: Some(114_221), lost_every: Some(217), offload: Some(65_160),
            is_download: true, ..receiver() }),
        ("queue_never_empties", Truth, Transfer { rtt: 2_880_000, bytes: 144_800, rate: Some(1_356_727), queue: 60_000,
            has_sack: false, offload: Some(2896), is_download: true, ..receiver() }),
        ("queue_in_slow_start", Truth, Transfer { bytes: 10_000_000, rate: Some(mbit(20)), ..any() }),
        ("flight_opens", Truth, Transfer { bytes: 300_000, rtt: 100_130_000, ..any() }),
        ("between_closings", Truth, Transfer { rtt: 1_540_000, bytes: 1_760_876, rate: Some(mbit(200)),
            receive_buffer: ReceiveBuffer::Fixed(8532), window_scale: None, delays_acks: false, ..receiver() }),
        ("stands_at_edge", Truth, Transfer { rtt: 25_911_000, bytes: 4_387_000, rate: Some(mbit(20)), queue: 379_000,
            receive_buffer: ReceiveBuffer::Fixed(50_566), window_scale: Some(3), has_timestamps: false,
            offload: Some(33_304), ..receiver() }),
        ("repairs_all_around", Truth, Transfer { rtt: 5_500_000, bytes: 140_211, rate: Some(mbit(100)),
            queue: 166_837, writer: Writer::Bursts { bytes: 81_034, pause: 2_288_284 }, lost_every: Some(27),
            ack_batches: Some(2_121_767), ..any() }),
        ("peer_grants", Form, Transfer { bytes: 8_000_000, rtt: 40_000_000, rate: Some(mbit(200)),
            writer: Writer::Granted { window: 256_000, step: 64_000 }, ..any() }),
        ("peer_releases", Truth, Transfer { bytes: 80_000, rtt: 40_000_000, rate: Some(mbit(200)),
            writer: Writer::Granted { window: 6_000, step: 250 }, ..any() }),
        ("more_than_path_holds", Truth, Transfer { rtt: 10_595_000, bytes: 388_289, rate: Some(mbit(20)), queue: 574_152,
            send_buffer: Some(91_562), wakes_after: 799_406, ack_batches: Some(2_880_922), offload: Some(14_480),
            ..receiver() }),
        ("queue_under_pacer", Truth, Transfer { rtt: 20_440_000, bytes: 360_421, rate: Some(mbit(8)), mss: 536,
            estimates_path: true, writer: Writer::Paced { bytes: 4307, every: 2_555_000 }, has_sack: false,
            is_download: true, ..any() }),
        ("pacer_slowed_by_loss", Form, Transfer { rtt: 8_200_000, bytes: 2_178_151, rate: Some(mbit(100)),
            queue: 27_115, estimates_path: true, wakes_after: 200_000, offload: Some(14_480), has_timestamps: false,
            writer: Writer::Paced { bytes: 19_459, every: 2_733_333 }, ..any() }),
        ("pacer_at_its_estimate", Form, Transfer { bytes: 12_000_000, rate: Some(mbit(50)), rtt: 40_130_000,
            estimates_path: true, ..any() }),
        ("window_under_pacer", Truth, Transfer { rtt: 2_810_000, bytes: 1_722_301, rate: Some(36_533_395),
            estimates_path: true, receive_buffer: ReceiveBuffer::Growing { from: 64_000, most: 91_908 },
            window_scale: Some(7), restarts_after_idle: false, is_download: true, offload: Some(2896), ..middle() }),
        ("pacer_never_probes", Truth, Transfer { rtt: 19_180_000, bytes: 13_317_006, rate: Some(6_983_454),
            queue: 502_878, estimates_path: true, wakes_after: 10_974, has_timestamps: false, is_download: true,
            writer: Writer::Paced { bytes: 6039, every: 1_496_798 }, offload: Some(14_480), ..middle() }),
        ("small_segments_leave", Truth, Transfer { rtt: 12_030_000, bytes: 379_500, rate: Some(mbit(28)),
            writer: Writer::Paced { bytes: 1265, every: 5_500_000 }, has_nodelay: true, delays_acks: false,
            ..receiver() }),
        ("own_rhythm", Truth, Transfer { writer: Writer::Paced { bytes: 10_000, every: 7_000_000 },
            initial_segments: 100, ..any() }),
        ("mostly_unreleased", Truth, Transfer { rtt: 74_050_000, bytes: 2_265_732, rate: Some(mbit(200)),
            queue: 2_935_700, mss: 8948, writer: Writer::Paced { bytes: 5800, every: 18_512_500 }, ..receiver() }),
        ("queue_served_evenly", Truth, Transfer { rtt: 530_000, bytes: 932_459, rate: Some(mbit(50)),
            writer: Writer::Waning { first: 103_407, bytes: 2757, every: 208_810 }, lost: vec![25],
            has_timestamps: false, ..any() }),
        ("released_evenly_after_loss", Truth, Transfer { rtt: 440_000, bytes: 529_266, rate: Some(mbit(100)),
            queue: 10_056, slow_start_until: Some(3938), pacing: Some(8_295_912), lost: vec![31, 300], has_sack: false,
            delays_acks: false, ack_batches: Some(62_929), offload: Some(14_480), ..receiver() }),
        ("even_spacing", Truth, Transfer { rtt: 500_000, bytes: 858_767, rate: Some(mbit(20)), queue: 6405,
            send_buffer: Some(9687), ..receiver() }),
        ("sends_by_chance", Truth, Transfer { rtt: 520_000, bytes: 249_635, rate: Some(mbit(100)),
            wakes_after: 200_000, writer: Writer::Waning { first: 48_040, bytes: 1829, every: 207_213 }, lost: vec![44],
            has_timestamps: false, is_download: true, offload: Some(2896), ..any() }),
        ("path_rests_before_sends", Truth, Transfer { rtt: 11_290_000, bytes: 1_278_871, rate: Some(mbit(100)),
            queue: 286_012, writer: Writer::Paced { bytes: 4269, every: 1_766_600 }, delays_acks: false,
            offload: Some(65_160), ..receiver() }),
        ("never_prompt", Truth, Transfer { rtt: 20_330_000, rate: Some(mbit(100)), bytes: 1_500_000,
            writer: Writer::Paced { bytes: 6000, every: 15_002_000 }, ..receiver() }),
        ("less_in_rhythm", Truth, Transfer { rtt: 11_900_000, bytes: 2_962_698, rate: None,
            writer: Writer::Waning { first: 198_177, bytes: 2420, every: 2_975_000 }, has_timestamps: false,
            is_download: true, ..receiver() }),
        ("buffer_under_pacer", Form, Transfer { rtt: 23_500_000, bytes: 1_289_047, rate: Some(mbit(50)),
            queue: 210_602, mss: 536, estimates_path: true, wakes_after: 1_000_000, lost: vec![69],
            receive_buffer: ReceiveBuffer::Growing { from: 64_000, most: 3_000_000 }, window_scale: Some(3),
            writer: Writer::Paced { bytes: 19_606, every: 16_801_496 }, reader: Reader::Rate(340_155), ..any() }),
        ("path_left_idle", Truth, Transfer { rtt: 31_110_000, bytes: 1_090_747, rate: Some(mbit(100)),
            writer: Writer::Waning { first: 77_733, bytes: 4088, every: 1_691_633 }, ..any() }),
        ("queue_under_full_buffer", Truth, Transfer { bytes: 700_000, rate: Some(mbit(10)),
            send_buffer: Some(200_000), ..any() }),
        ("released_by_thirds_after_loss", Truth, Transfer { rtt: 1_020_000, bytes: 3_000_000, lost_every: Some(44),
            offload: Some(2896), ack_batches: Some(250_000), ..any() }),
        ("far_below_flight", Truth, Transfer { rtt: 2_350_000, bytes: 3_700_000, rate: Some(mbit(200)),
            writer: Writer::Waning { first: 304_000, bytes: 3160, every: 1_339_000 }, initial_segments: 100,
            delays_acks: false, ..any() }),
        ("no_wake_level", Truth, Transfer { bytes: 4_000_000, rtt: 38_055_000, rate: Some(mbit(100)),
            writer: Writer::Loose { bytes: 57_469, every: 17_505_000, late: 4_376_000 }, has_nodelay: true,
            offload: Some(14_480), ..any() }),
        (OFFER_UNKNOWN, Form, Transfer { send_buffer: Some(64_000), ..any() }),
        ("room_left_unused", Form, Transfer { send_buffer: Some(64_000), ..any() }),
        ("flight_below_window", Truth, Transfer { rtt: 30_250_000, bytes: 227_928, rate: Some(125_000_000), mss: 8948,
            initial_segments: 30, send_buffer: Some(78_434), has_nodelay: true, is_download: true, ..receiver() }),
        ("queue_standing", Truth, Transfer { rtt: 5_520_000, bytes: 273_371, rate: Some(4_294_408),
            initial_segments: 30, estimates_path: true, has_nodelay: true, lost_every: Some(168),
            offload: Some(14_480), is_download: true, ..any() }),
        ("window_grows_back", Form, Transfer { lost_every: Some(200), ..any() }),
        ("slow_growth_without_loss", Form, Transfer { slow_start_until: Some(40_000), ..any() }),
        ("flat_flight", Truth, Transfer { rtt: 1_790_000, bytes: 745_151, rate: Some(mbit(50)), mss: 8948,
            send_buffer: Some(19_278), has_sack: false, ack_batches: Some(30_269), ..any() }),
        ("undetermined", Truth, Transfer { rtt: 530_000, bytes: 1_638_811, rate: Some(mbit(100)),
            window_clamp: Some(4789), estimates_path: true, ..middle() }),
        ("window_zero", Form, Transfer { receive_buffer: ReceiveBuffer::Fixed(64 * 1448), window_scale: Some(3),
            reader: Reader::Pauses { every: 1_000_000, nanos: 2_000_000_000 }, ..any() }),
        ("window_shrinks", Form, Transfer { receive_buffer: ReceiveBuffer::Fixed(256_000), window_scale: Some(3),
            reader: Reader::Rate(1_000_000), ..any() }),
        ("window_unscaled", Form, Transfer { receive_buffer: ReceiveBuffer::Fixed(6_000_000), window_scale: None,
            ..any() }),
        ("window_grows", Form, Transfer { bytes: 700_000,
            receive_buffer: ReceiveBuffer::Growing { from: 64_000, most: 110_000 }, window_scale: Some(3), ..any() }),
        ("window_capped", Form, Transfer { bytes: 80_000_000, window_scale: Some(7),
            receive_buffer: ReceiveBuffer::Growing { from: 64_000, most: 1_800_000 }, ..any() }),
        ("window_small", Truth, Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(2),
            ..any() }),
    ]
}

/// For each hypothesis about gaps or forms of a full window, the limit and detail that it gives its transfer.
#[rustfmt::skip]
pub(in crate::infer) const NAMED: [(&str, &str); 15] = [
    ("acks_not_captured", "unobserved"),
    ("pacer_through_repairs", "congestion_window/paced"),
    ("told_by_gap", "application/idle"),
    ("window_full", "receive_window/ramp"),
    ("queue_under_last_flight", "path/queue"),
    ("last_flight", "tail_rtt"),
    ("unreleased_send", "application/paced_writes"),
    ("burst_of_unreleased", "application/paced_writes"),
    ("unused_now_and_then", "send_buffer"),
    ("window_zero", "receive_window/zero_window"),
    ("window_shrinks", "receive_window/slow_reader"),
    ("window_unscaled", "receive_window/no_window_scale"),
    ("window_grows", "receive_window/ramp"),
    ("window_capped", "receive_window/capped"),
    ("window_small", "receive_window/small_buffer"),
];

/// A change of a scene, and its name.
pub(in crate::infer) type Otherwise = (&'static str, fn(&mut Scene));

/// A case in which a hypothesis holds.
pub(in crate::infer) struct Case {
    pub(in crate::infer) hypothesis: &'static str,
    pub(in crate::infer) expected: &'static str,
    /// All conditions on which it depends.
    pub(in crate::infer) conditions: &'static [(&'static str, bool)],
    pub(in crate::infer) scene: fn(&mut Scene),
    /// Changes after each of which it does not hold.
    pub(in crate::infer) unless: &'static [Otherwise],
}

const fn case(hypothesis: &'static str, expected: &'static str, conditions: &'static [(&'static str, bool)]) -> Case {
    Case { hypothesis, expected, conditions, scene: |_| (), unless: &[] }
}

impl Case {
    const fn where_(self, scene: fn(&mut Scene)) -> Self {
        Self { scene, ..self }
    }

    const fn unless(self, unless: &'static [Otherwise]) -> Self {
        Self { unless, ..self }
    }
}

const TRUE: bool = true;
const FALSE: bool = false;

/// Cases in the order of [`SLOT`].
#[rustfmt::skip]
pub(in crate::infer) const CASES: &[Case] = &[
    case("queue_never_empties", "path/queue, queue_never_empties, 0.85", &[("is_never_empty", TRUE)]),
    case("queue_in_slow_start", "path/queue, queue_in_slow_start, 0.8",
        &[("is_slow_start", TRUE), ("is_queued", TRUE), ("is_busy", TRUE)]),
    case("flight_opens", "slow_start, flight_opens, 0.8", &[("is_slow_start", TRUE)]),
    case("between_closings", "receive_window/small_buffer, window_small, 0.85",
        &[("is_window_bound", TRUE), ("is_window_shrinking", FALSE)]),
    case("repairs_all_around", "congestion_window/post_loss, repairs_all_around, 0.7",
        &[("is_repair", TRUE), ("is_paced_through_losses", FALSE)]),
    case("peer_grants", "application/peer_window, peer_grants, 0.85", &[("awaits_peer", TRUE), ("is_granted", TRUE)]),
    case("peer_releases", "application/peer_turn, peer_releases, 0.85", &[("awaits_peer", TRUE)]),
    case("queue_under_pacer", "path/queue, queue_under_pacer, 0.85",
        &[("is_paced_throughout", TRUE), ("is_inflated", TRUE)]),
    case("pacer_slowed_by_loss", "congestion_window/post_loss, pacer_slowed_by_loss, 0.7",
        &[("is_paced_throughout", TRUE), ("is_slowed_by_losses", TRUE), ("was_cut_by_mark", FALSE)]),
    case("pacer_slowed_by_loss", "congestion_window/post_mark, window_grows_back_after_mark, 0.7",
        &[("is_paced_throughout", TRUE), ("is_slowed_by_losses", TRUE), ("was_cut_by_mark", TRUE)]),
    case("window_under_pacer", "receive_window/small_buffer, window_small, 0.85",
        &[("is_paced_throughout", TRUE), ("reaches_edge", TRUE), ("is_probing", FALSE)]),
    // The hypothesis also holds if no complete cycle shows whether the pacer probes.
    case("window_under_pacer", "receive_window/small_buffer, window_small, 0.85",
        &[("is_paced_throughout", TRUE), ("reaches_edge", TRUE)]),
    case("pacer_at_its_estimate", "congestion_window/paced, pacer_at_its_estimate, 0.8",
        &[("is_paced_throughout", TRUE), ("is_probing", TRUE)]),
    case("pacer_at_its_estimate", "congestion_window/paced or application (live-sampling), pacer_at_its_estimate, 0.8",
        &[("is_paced_throughout", TRUE)]),
    case("pacer_never_probes", "application/paced_writes or congestion_window (live-sampling), pacer_never_probes, 0.8",
        &[("is_paced_throughout", TRUE), ("is_probing", FALSE)]),
    case("own_rhythm", "application/paced_writes, own_rhythm, 0.8",
        &[("has_own_rhythm", TRUE), ("is_served", FALSE), ("are_writes_coalesced", FALSE), ("follows_acks", FALSE)])
        .unless(&[("a pacer", |s| s.context.is_pacing = true)]),
    case("more_than_path_holds", "path/queue, more_than_path_holds, 0.85",
        &[("holds_more_than_path", TRUE), ("is_busy", FALSE)]),
    case("mostly_unreleased", "application/paced_writes, mostly_unreleased, 0.8",
        &[("is_mostly_unreleased", TRUE), ("is_even", FALSE), ("is_busy", FALSE), ("is_lossy", FALSE),
            ("rests_end_with_acks", FALSE)])
        .where_(|s| s.context.ack_times_inferred = true),
    case("mostly_unreleased", "application/paced_writes, mostly_unreleased, 0.8",
        &[("is_mostly_unreleased", TRUE), ("is_even", FALSE), ("is_lossy", FALSE), ("rests_end_with_acks", FALSE)])
        .where_(|s| s.context.ack_times_inferred = false),
    case("queue_served_evenly", "path/queue, queue_served_evenly, 0.85",
        &[("is_even", TRUE), ("is_queued", TRUE), ("is_busy", TRUE)]),
    case("released_evenly_after_loss", "congestion_window/post_loss, released_evenly_after_loss, 0.7",
        &[("is_even", TRUE), ("has_lost_before", TRUE), ("is_released_evenly", TRUE), ("may_grow_back", TRUE),
            ("was_cut_by_mark", FALSE)]),
    case("even_spacing", "path or application (live-sampling), even_spacing, 0.65",
        &[("is_even", TRUE), ("rests_end_with_acks", FALSE)]),
    case("sends_by_chance", "application/paced_writes, sends_by_chance, 0.7",
        &[("is_random", TRUE), ("is_room_often_unused", FALSE), ("is_saturated", FALSE), ("is_lossy", FALSE)]),
    case("sends_by_chance", "application/paced_writes, sends_by_chance, 0.7",
        &[("is_random", TRUE), ("is_saturated", FALSE), ("is_lossy", FALSE)])
        .where_(|s| (s.peak_flight, s.room_unused) = (Bytes::of(7_000), 1))
        .unless(&[("more than seven tenths of the floor", |s| s.peak_flight = Bytes::of(7_001))]),
    case("path_rests_before_sends",
        "application/paced_writes or send_buffer (sender-capture), path_rests_before_sends, 0.65",
        &[("can_show_waits", TRUE), ("is_waiting", TRUE)]),
    case("path_rests_before_sends", "application/paced_writes, path_rests_before_sends, 0.65",
        &[("answers_late", TRUE), ("follows_acks", FALSE)]),
    case("never_prompt", "application/paced_writes or send_buffer (sender-capture), never_prompt, 0.65",
        &[("can_show_waits", TRUE), ("is_never_prompt", TRUE)]),
    case("less_in_rhythm", "application/paced_writes, less_in_rhythm, 0.7",
        &[("has_losses", FALSE), ("has_lost_before", FALSE), ("is_regular", TRUE), ("is_busy", TRUE),
            ("is_room_seldom_unused", TRUE), ("is_queued", FALSE)])
        .where_(|s| s.peak_flight = Bytes::of(7_000))
        .unless(&[("more in flight", |s| s.peak_flight = Bytes::of(7_001)), ("a pacer", |s| s.context.is_pacing = true)]),
    case("buffer_under_pacer", "send_buffer or congestion_window (live-sampling), buffer_under_pacer, 0.65",
        &[("leaves_path_idle", TRUE)])
        .where_(|s| s.context.is_pacing = true)
        .unless(&[("no pacer", |s| s.context.is_pacing = false)]),
    case("path_left_idle", "application/paced_writes, path_left_idle, 0.7", &[("leaves_path_idle", TRUE)])
        .unless(&[("a pacer", |s| s.context.is_pacing = true)]),
    case("queue_under_full_buffer", "path/queue, queue_under_full_buffer, 0.85",
        &[("is_queued", TRUE), ("is_busy", TRUE)]),
    case("released_by_thirds_after_loss",
        "congestion_window/post_loss or application (live-sampling), released_by_thirds_after_loss, 0.65",
        &[("leaves_room_unused", TRUE), ("is_below_buffer", TRUE), ("has_lost_before", TRUE), ("may_grow_back", TRUE),
            ("was_cut_by_mark", FALSE)])
        .where_(|s| s.peak_flight = Bytes::of(7_001))
        .unless(&[("less in flight", |s| s.peak_flight = Bytes::of(7_000))]),
    case("far_below_flight", "application/paced_writes, far_below_flight, 0.8",
        &[("is_below_smallest", TRUE), ("leaves_room_unused", TRUE)]),
    case("far_below_flight", "application/paced_writes, far_below_flight, 0.8",
        &[("is_far_below", TRUE), ("follows_acks", FALSE), ("leaves_room_unused", TRUE)]),
    case("far_below_flight", "application/paced_writes, far_below_flight, 0.8",
        &[("is_below_smallest", TRUE), ("is_busy", FALSE), ("is_queued", FALSE), ("has_lost_before", FALSE),
            ("is_flat", TRUE)]),
    case("no_wake_level", "application/paced_writes, no_wake_level, 0.8",
        &[("leaves_room_unused", TRUE), ("has_no_wake_level", TRUE)]),
    case("room_left_unused", "send_buffer, room_left_unused, 0.85",
        &[("leaves_room_unused", TRUE), ("is_room_seldom_unused", FALSE), ("is_random", FALSE)]),
    case("flight_below_window", "send_buffer or application (live-sampling), flight_below_window, 0.65",
        &[("leaves_room_unused", TRUE)]),
    case("flight_below_window", "send_buffer or application (sender-capture), flight_below_window, 0.65",
        &[("leaves_room_unused", TRUE)])
        .where_(|s| s.context.ack_times_inferred = true),
    case("queue_standing", "path/queue, queue_standing, 0.85", &[("is_queued", TRUE)]),
    case("window_grows_back", "congestion_window/post_loss, window_grows_back, 0.8",
        &[("may_grow_back", TRUE), ("was_cut_by_mark", FALSE)]),
    case("window_grows_back", "congestion_window/post_mark, window_grows_back_after_mark, 0.8",
        &[("was_cut_by_mark", TRUE), ("is_growing_slowly", TRUE)]),
    case("slow_growth_without_loss", "congestion_window/delay_exit, slow_growth_without_loss, 0.75",
        &[("is_room_seldom_unused", TRUE), ("is_growing_slowly", TRUE)]),
    case("stands_at_edge", "receive_window/small_buffer, window_small, 0.85",
        &[("is_busy", FALSE), ("reaches_edge", TRUE), ("is_flat", TRUE)])
        .where_(|s| s.context.has_sender_order = false)
        .unless(&[("the order of sends and ACKs", |s| s.context.has_sender_order = true)]),
    case("flat_flight", "send_buffer or congestion_window (live-sampling), flat_flight, 0.65",
        &[("is_busy", FALSE), ("is_flat", TRUE)]),
    case("small_segments_leave", "application/paced_writes or send_buffer (live-sampling), small_segments_leave, 0.7",
        &[("are_segments_small", TRUE)]),
    case("undetermined", "congestion_window/other or send_buffer (live-sampling), undetermined, 0.55", &[]),
];
