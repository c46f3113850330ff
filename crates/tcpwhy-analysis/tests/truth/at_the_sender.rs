//! Transfers captured at the sender, over paths and with settings of every kind. The functions named before a
//! transfer contain a condition that it tests: its result was wrong when the condition was removed or
//! inverted.

use tcpwhy_model::Limit;
use tcpwhy_testkit::{Reader, ReceiveBuffer, Transfer, Writer, mbit};

use crate::{agrees, agrees_for};

#[test]
#[rustfmt::skip]
fn application_1() {
    // on_retransmission, follow_recovery, quantile, is_even, of_slot
    agrees(&Transfer { rtt: 6_110_000, mss: 536, bytes: 1_210_000, rate: Some(mbit(200)),
        writer: Writer::Waning { first: 70_000, bytes: 700, every: 330_000 }, lost: vec![14, 73],
        has_timestamps: false, initial_segments: 100, delays_acks: false, ..Transfer::default() },
    Limit::Application, 0.95);
    // close_gap, release_lag, of_slot
    agrees(&Transfer { rtt: 6_920_000, bytes: 2_510_000, ack_batches: Some(880_000), rate: Some(mbit(200)),
        writer: Writer::Waning { first: 339_000, bytes: 1800, every: 740_000 }, initial_segments: 4,
        ..Transfer::default() }, Limit::Application, 0.95);
    // has_own_rhythm
    agrees(&Transfer { rtt: 11_540_000, bytes: 3_340_000, ack_batches: Some(4_220_000),
        writer: Writer::Waning { first: 367_000, bytes: 500, every: 1_360_000 }, ..Transfer::default() },
    Limit::Application, 0.95);
    // is_random, of_slot
    agrees(&Transfer { rtt: 3_520_000, bytes: 2_900_000, rate: Some(mbit(200)),
        writer: Writer::Waning { first: 299_000, bytes: 6900, every: 410_000 }, offload: Some(14480),
        ..Transfer::default() }, Limit::Application, 0.81);
    // around
    agrees(&Transfer { rtt: 4_450_000, mss: 536, bytes: 1_190_000, ack_batches: Some(310_000),
        writer: Writer::Waning { first: 68_000, bytes: 1900, every: 790_000 }, offload: Some(14480),
        initial_segments: 100, ..Transfer::default() }, Limit::Application, 0.93);
    // of_slot
    agrees(&Transfer { rtt: 6_160_000, rate: Some(mbit(100)), queue: 82_000,
        writer: Writer::Paced { bytes: 25_200, every: 7_990_000 }, bytes: 566_000, offload: Some(65_160),
        ack_batches: Some(160_000), is_download: true, ..Transfer::default() }, Limit::Application, 0.78);
    // release_lag
    agrees(&Transfer { rtt: 4_180_000, mss: 536, bytes: 670_000, ack_batches: Some(610_000),
        writer: Writer::Waning { first: 85_000, bytes: 1300, every: 690_000 }, ..Transfer::default() },
    Limit::Application, 0.92);
    // has_own_rhythm
    agrees(&Transfer { rtt: 89_990_000, rate: Some(mbit(20)),
        writer: Writer::Paced { bytes: 2100, every: 10_090_000 }, bytes: 953_000, offload: Some(2896),
        is_download: true, ..Transfer::default() }, Limit::Application, 0.94);
}

#[test]
#[rustfmt::skip]
fn application_2() {
    // release_lag
    agrees(&Transfer { rtt: 46_740_000, rate: Some(mbit(10)), queue: 116_000,
        writer: Writer::Paced { bytes: 27_300, every: 32_070_000 }, bytes: 2_194_000, offload: Some(2896),
        ack_batches: Some(240_000), initial_segments: 4, ..Transfer::default() }, Limit::Application, 0.93);
    // close_gap
    agrees(&Transfer { rtt: 88_120_000, rate: Some(mbit(50)), mss: 8948, queue: 1_708_000,
        writer: Writer::Paced { bytes: 11_300, every: 121_360_000 }, bytes: 1_330_000, offload: Some(14_480),
        ..Transfer::default() }, Limit::Application, 0.90);
    // has_own_rhythm
    agrees(&Transfer { rtt: 88_930_000, rate: Some(mbit(20)),
        writer: Writer::Paced { bytes: 2200, every: 13_070_000 }, bytes: 689_000, is_download: true,
        ..Transfer::default() }, Limit::Application, 0.95);
    // label_slot
    agrees(&Transfer { rtt: 1_300_000, rate: Some(mbit(50)), queue: 14_000,
        writer: Writer::Paced { bytes: 6300, every: 2_050_000 }, bytes: 447_000, ..Transfer::default() },
    Limit::Application, 0.82);
    // end_round
    agrees(&Transfer { rtt: 1_190_000, mss: 536, bytes: 1_300_000,
        writer: Writer::Waning { first: 64_000, bytes: 2000, every: 60_000 }, ..Transfer::default() },
    Limit::Application, 0.92);
    // label_slot
    agrees(&Transfer { rtt: 108_340_000, rate: Some(mbit(50)), mss: 8948,
        writer: Writer::Paced { bytes: 13_300, every: 15_170_000 }, bytes: 1_475_000, offload: Some(14_480),
        ack_batches: Some(430_000), ..Transfer::default() }, Limit::Application, 0.92);
    // note_rhythm
    agrees(&Transfer { rtt: 2_240_000, mss: 536, bytes: 1_160_000, ack_batches: Some(190_000),
        writer: Writer::Waning { first: 119_000, bytes: 2400, every: 360_000 }, delays_acks: false,
        ..Transfer::default() }, Limit::Application, 0.85);
    // is_even
    agrees(&Transfer { rtt: 3_010_000, bytes: 3_510_000, ack_batches: Some(500_000),
        writer: Writer::Waning { first: 323_000, bytes: 800, every: 1_680_000 }, has_timestamps: false,
        delays_acks: false, ..Transfer::default() }, Limit::Application, 0.95);
}

#[test]
#[rustfmt::skip]
fn congestion_window() {
    // has_own_rhythm, is_even
    agrees(&Transfer { rtt: 84_160_000, rate: Some(mbit(50)), mss: 8948, queue: 112_000,
        slow_start_until: Some(183_200), bytes: 4_412_000, offload: Some(65_160), is_download: true,
        ..Transfer::default() }, Limit::CongestionWindow, 0.95);
    // of_slot, is_flat
    agrees(&Transfer { rtt: 12_830_000, rate: Some(mbit(20)), queue: 90_000, slow_start_until: Some(4100),
        bytes: 97_000, ..Transfer::default() }, Limit::CongestionWindow, 0.85);
    // has_own_rhythm, is_round
    agrees(&Transfer { rtt: 8_010_000, mss: 536, queue: 490_000, slow_start_until: Some(214_400),
        bytes: 1_340_000, initial_segments: 100, ..Transfer::default() }, Limit::CongestionWindow, 0.84);
    // follow_recovery
    agrees(&Transfer { rtt: 91_480_000, rate: Some(mbit(20)), mss: 536, queue: 91_000, send_buffer: Some(214_400),
        bytes: 1_340_000, has_sack: false, ..Transfer::default() }, Limit::CongestionWindow, 0.93);
    // jitter, remember, label_up_to
    agrees(&Transfer { rtt: 2_960_000, queue: 169_000, send_buffer: Some(98_300), lost: vec![20],
        bytes: 3_620_000, ack_batches: Some(280_000), is_download: true, ..Transfer::default() },
    Limit::CongestionWindow, 0.79);
    // is_inflated
    agrees(&Transfer { rtt: 7_990_000, mss: 536, bytes: 530_000, ack_batches: Some(2_210_000),
        lost_every: Some(32), offload: Some(14480), ..Transfer::default() }, Limit::CongestionWindow, 0.92);
    // on_retransmission
    agrees(&Transfer { rtt: 27_010_000, rate: Some(mbit(50)), queue: 116_000,
        receive_buffer: ReceiveBuffer::Fixed(282_800), window_scale: Some(3), bytes: 3_620_000,
        ..Transfer::default() }, Limit::CongestionWindow, 0.84);
    // is_inflated
    agrees(&Transfer { rtt: 31_860_000, rate: Some(mbit(50)), queue: 109_000, slow_start_until: Some(150_100),
        bytes: 3_620_000, ack_batches: Some(110_000), delays_acks: false, ..Transfer::default() },
    Limit::CongestionWindow, 0.95);
}

#[test]
#[rustfmt::skip]
fn slow_start() {
    // is_room_unused, is_opening
    agrees(&Transfer { rtt: 5_230_000, mss: 536, bytes: 1_000_000, ack_batches: Some(160_000),
        writer: Writer::Waning { first: 147_000, bytes: 14_000, every: 400_000 }, has_timestamps: false,
        ..Transfer::default() }, Limit::SlowStart, 0.83);
}

#[test]
#[rustfmt::skip]
fn path() {
    // on_ack, is_busy
    agrees(&Transfer { rtt: 4_430_000, rate: Some(mbit(50)), mss: 536, queue: 59_000, bytes: 1_340_000,
        offload: Some(14_480), ack_batches: Some(780_000), ..Transfer::default() }, Limit::Path, 0.85);
    // on_new_data, is_repair, is_even
    agrees(&Transfer { rtt: 1_650_000, rate: Some(mbit(20)), slow_start_until: Some(3600), bytes: 236_000,
        ..Transfer::default() }, Limit::Path, 0.87);
    // label_slot
    agrees(&Transfer { rtt: 1_650_000, rate: Some(mbit(10)), bytes: 257_000, initial_segments: 100,
        ..Transfer::default() }, Limit::Path, 0.94);
    // is_round
    agrees(&Transfer { rtt: 12_020_000, rate: Some(mbit(50)), slow_start_until: Some(98_500), bytes: 1_757_000,
        ack_batches: Some(970_000), ..Transfer::default() }, Limit::Path, 0.92);
}

#[test]
#[rustfmt::skip]
fn send_buffer() {
    // is_room_unused, is_inflated
    agrees(&Transfer { rtt: 44_420_000, rate: Some(mbit(20)), mss: 8948, queue: 89_000, send_buffer: Some(35_600),
        bytes: 1_047_000, ..Transfer::default() }, Limit::SendBuffer, 0.93);
    // is_room_unused
    agrees(&Transfer { rtt: 24_450_000, rate: Some(mbit(100)), mss: 8948, queue: 98_000,
        send_buffer: Some(138_900), lost: vec![150, 224], bytes: 4_568_000, ..Transfer::default() },
    Limit::SendBuffer, 0.90);
    // is_inflated
    agrees(&Transfer { rtt: 1_760_000, rate: Some(mbit(50)), mss: 8948, send_buffer: Some(22_400),
        lost: vec![275], bytes: 1_442_000, delays_acks: false, initial_segments: 30, ..Transfer::default() },
    Limit::SendBuffer, 0.93);
    // of_slot
    agrees(&Transfer { rtt: 5_140_000, rate: Some(mbit(100)), send_buffer: Some(56_900), bytes: 3_620_000,
        offload: Some(65_160), ack_batches: Some(290_000), ..Transfer::default() }, Limit::SendBuffer, 0.95);
    // close_gap
    agrees(&Transfer { rtt: 14_120_000, rate: Some(mbit(10)), mss: 8948, send_buffer: Some(22_800),
        bytes: 1_922_000, is_download: true, ..Transfer::default() }, Limit::SendBuffer, 0.95);
}

#[test]
#[rustfmt::skip]
fn receive_window() {
    // finish, update_blocked
    agrees(&Transfer { rtt: 620_000, rate: Some(mbit(20)), queue: 14_000,
        receive_buffer: ReceiveBuffer::Fixed(3600), window_scale: Some(3), bytes: 102_000, has_timestamps: false,
        ..Transfer::default() }, Limit::ReceiveWindow, 0.95);
}

#[test]
#[rustfmt::skip]
fn loss_recovery() {
    // follow_recovery
    agrees(&Transfer { rtt: 2_830_000, rate: Some(mbit(10)), lost_every: Some(79), bytes: 283_000,
        ack_batches: Some(70_000), delays_acks: false, ..Transfer::default() }, Limit::LossRecovery, 0.85);
}

/// Segments with PSH are ends of writes, so their sizes do not show the MSS.
#[test]
fn pieces_of_a_timer_are_no_full_segments() {
    agrees(
        &Transfer {
            rtt: 2_180_000,
            bytes: 840_920,
            rate: Some(41_435_151),
            queue: 220_129,
            has_nodelay: true,
            writer: Writer::Paced { bytes: 1375, every: 528_496 },
            has_timestamps: false,
            ..Transfer::default()
        },
        Limit::Application,
        0.95,
    );
}

/// A pacer sometimes reaches the window, but continues to probe for a higher rate. The window does not limit
/// it: its estimate is the rate that the path or the reader allowed.
#[test]
fn a_pacer_that_probes_is_not_held_by_the_window() {
    let paced = Transfer { estimates_path: true, window_scale: Some(7), ..Transfer::default() };
    agrees(
        &Transfer {
            rtt: 14_940_000,
            bytes: 6_872_280,
            rate: Some(12_622_316),
            queue: 171_665,
            wakes_after: 120_492,
            receive_buffer: ReceiveBuffer::Fixed(98_741),
            reader: Reader::Rate(4_345_080),
            delays_acks: false,
            offload: Some(14_480),
            ..paced.clone()
        },
        Limit::CongestionWindow,
        0.62,
    );
    agrees_for(
        &Transfer {
            rtt: 120_690_000,
            bytes: 17_376_000,
            rate: Some(125_000_000),
            receive_buffer: ReceiveBuffer::Fixed(105_067),
            reader: Reader::Pauses { every: 320_392, nanos: 133_397_157 },
            return_rate: Some(191_040),
            is_download: true,
            offload: Some(2896),
            ..paced
        },
        0.6,
    );
}

/// Before a whole probing cycle of a pacer was captured, nothing shows that it does not probe.
#[test]
fn a_pacer_of_few_round_trips_may_still_probe() {
    agrees(
        &Transfer {
            rtt: 97_250_000,
            bytes: 17_376_000,
            rate: Some(29_085_577),
            estimates_path: true,
            has_nodelay: true,
            wakes_after: 17_065,
            receive_buffer: ReceiveBuffer::Fixed(397_276),
            window_scale: Some(7),
            reader: Reader::Rate(14_800_744),
            offload: Some(57_920),
            ..Transfer::default()
        },
        Limit::CongestionWindow,
        0.7,
    );
}
