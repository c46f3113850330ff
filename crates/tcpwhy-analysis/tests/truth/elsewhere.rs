//! Transfers captured in the middle or at the receiver, over paths and with settings of every kind. The
//! functions named before a transfer contain a condition that it tests: its result was wrong when the
//! condition was removed or inverted.

use tcpwhy_model::Limit;
use tcpwhy_testkit::{Capture, Reader, ReceiveBuffer, Transfer, Writer, mbit};

use crate::agrees;

#[test]
#[rustfmt::skip]
fn path_1() {
    // close_gap, has_fine_ticks, note_rhythm, is_round, is_even, label_slot, of_slot
    agrees(&Transfer { rtt: 1_250_000, rate: Some(mbit(10)), mss: 8948, queue: 107_000, send_buffer: Some(43_400),
        lost: vec![159], bytes: 868_000, ack_batches: Some(50_000), capture: Capture::Receiver,
        ..Transfer::default() }, Limit::Path, 0.91);
    // is_queued, is_never_empty
    agrees(&Transfer { rtt: 27_610_000, rate: Some(mbit(20)), queue: 242_000, send_buffer: Some(116_500),
        bytes: 2_028_000, offload: Some(65_160), has_sack: false, delays_acks: false, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::Path, 0.82);
    // of_slot
    agrees(&Transfer { rtt: 38_900_000, rate: Some(mbit(50)), mss: 8948, lost: vec![28], bytes: 22_370_000,
        initial_segments: 2, capture: Capture::Receiver, ..Transfer::default() }, Limit::Path, 0.85);
    // is_repair
    agrees(&Transfer { rtt: 7_590_000, rate: Some(mbit(10)), mss: 536, queue: 10_000, bytes: 419_000,
        offload: Some(14_480), capture: Capture::Receiver, ..Transfer::default() }, Limit::Path, 0.82);
    // around
    agrees(&Transfer { rtt: 32_400_000, rate: Some(mbit(10)), mss: 536, queue: 38_000, lost: vec![45],
        bytes: 1_340_000, delays_acks: false, initial_segments: 100, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::Path, 0.81);
    // is_paced_throughout
    agrees(&Transfer { rtt: 6_220_000, rate: Some(mbit(100)), queue: 141_000, estimates_path: true,
        send_buffer: Some(186_800), bytes: 2_004_000, ack_batches: Some(90_000), has_sack: false,
        capture: Capture::Receiver, ..Transfer::default() }, Limit::Path, 0.77);
    // close_gap
    agrees(&Transfer { rtt: 1_690_000, receive_buffer: ReceiveBuffer::Fixed(488_300), window_scale: Some(3),
        bytes: 3_620_000, offload: Some(65_160), ack_batches: Some(420_000), has_sack: false, delays_acks: false,
        capture: Capture::Middle, ..Transfer::default() }, Limit::Path, 0.74);
    for capture in [Capture::Sender, Capture::Receiver] {
        agrees(&Transfer { rtt: 1_690_000, receive_buffer: ReceiveBuffer::Fixed(488_300), window_scale: Some(3),
            bytes: 3_620_000, offload: Some(65_160), ack_batches: Some(420_000), has_sack: false,
            delays_acks: false, capture, ..Transfer::default() }, Limit::Path, 0.78);
    }
}

#[test]
#[rustfmt::skip]
fn path_2() {
    // of_slot
    agrees(&Transfer { rtt: 58_710_000, rate: Some(mbit(20)), mss: 8948, queue: 357_000,
        slow_start_until: Some(310_400), bytes: 4_185_000, delays_acks: false, capture: Capture::Middle,
        ..Transfer::default() }, Limit::Path, 0.77);
    // is_queued
    agrees(&Transfer { rtt: 32_180_000, rate: Some(mbit(20)), mss: 536, bytes: 1_322_000,
        capture: Capture::Receiver, ..Transfer::default() }, Limit::Path, 0.71);
    // of_slot
    agrees(&Transfer { rtt: 26_700_000, rate: Some(mbit(50)), mss: 8948, slow_start_until: Some(171_000),
        bytes: 6_068_000, capture: Capture::Receiver, ..Transfer::default() }, Limit::Path, 0.71);
    // is_never_empty
    agrees(&Transfer { rtt: 10_350_000, rate: Some(mbit(200)), mss: 8948, lost: vec![118, 540], bytes: 14_598_000,
        delays_acks: false, capture: Capture::Receiver, ..Transfer::default() }, Limit::Path, 0.85);
}

#[test]
#[rustfmt::skip]
fn send_buffer_1() {
    // close_gap, has_fine_ticks, on_new_data, note_rhythm, is_even, of_slot
    agrees(&Transfer { rtt: 10_300_000, rate: Some(mbit(20)), mss: 8948, queue: 89_000, send_buffer: Some(58_500),
        lost: vec![43], bytes: 1_628_000, is_download: true, capture: Capture::Receiver, ..Transfer::default() },
    Limit::SendBuffer, 0.78);
    // of_slot, is_flat
    agrees(&Transfer { rtt: 1_750_000, mss: 536, queue: 267_000, send_buffer: Some(47_600), bytes: 1_340_000,
        capture: Capture::Receiver, ..Transfer::default() }, Limit::SendBuffer, 0.93);
    // label_slot
    agrees(&Transfer { rtt: 2_150_000, rate: Some(mbit(20)), mss: 536, queue: 5000, send_buffer: Some(5300),
        bytes: 142_000, offload: Some(65_160), ack_batches: Some(30_000), capture: Capture::Middle,
        ..Transfer::default() }, Limit::SendBuffer, 0.92);
    // of_slot
    agrees(&Transfer { rtt: 30_330_000, mss: 8948, send_buffer: Some(1_565_100), bytes: 22_370_000,
        offload: Some(14_480), has_timestamps: false, is_download: true, delays_acks: false,
        capture: Capture::Middle, ..Transfer::default() }, Limit::SendBuffer, 0.81);
    // is_flat
    agrees(&Transfer { rtt: 3_570_000, rate: Some(mbit(100)), mss: 8948, queue: 89_000, send_buffer: Some(22_400),
        bytes: 337_000, delays_acks: false, capture: Capture::Receiver, ..Transfer::default() },
    Limit::SendBuffer, 0.89);
    // label_slot
    agrees(&Transfer { rtt: 760_000, rate: Some(mbit(20)), queue: 14_000, send_buffer: Some(3600), bytes: 126_000,
        capture: Capture::Middle, ..Transfer::default() }, Limit::SendBuffer, 0.88);
    // is_random
    agrees(&Transfer { rtt: 690_000, send_buffer: Some(101_100), bytes: 3_620_000, is_download: true,
        capture: Capture::Middle, ..Transfer::default() }, Limit::SendBuffer, 0.81);
    for (rtt, capture) in [(690_000, Capture::Sender), (1_380_000, Capture::Middle)] {
        agrees(&Transfer { rtt, send_buffer: Some(101_100), bytes: 3_620_000, is_download: true, capture,
            ..Transfer::default() }, Limit::SendBuffer, 0.92);
    }
    // of_slot
    agrees(&Transfer { rtt: 3_220_000, rate: Some(mbit(100)), queue: 56_000, send_buffer: Some(10_100),
        bytes: 529_000, capture: Capture::Receiver, ..Transfer::default() }, Limit::SendBuffer, 0.93);
}

#[test]
#[rustfmt::skip]
fn send_buffer_2() {
    // jitter
    agrees(&Transfer { rtt: 6_650_000, queue: 1_709_000, send_buffer: Some(539_800), bytes: 3_620_000,
        capture: Capture::Middle, ..Transfer::default() }, Limit::SendBuffer, 0.88);
    // label_slot
    agrees(&Transfer { rtt: 28_230_000, rate: Some(mbit(10)), mss: 536, queue: 13_000, send_buffer: Some(4000),
        lost: vec![40], bytes: 231_000, has_sack: false, delays_acks: false, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::SendBuffer, 0.88);
}

#[test]
#[rustfmt::skip]
fn application() {
    // close_gap, is_nagle_tail, is_ack_delayed, is_mostly_unreleased, label_slot
    agrees(&Transfer { rtt: 7_160_000, rate: Some(mbit(50)), mss: 8948, queue: 167_000,
        writer: Writer::Paced { bytes: 2200, every: 3_720_000 }, bytes: 527_000, ack_batches: Some(670_000),
        capture: Capture::Receiver, ..Transfer::default() }, Limit::Application, 0.95);
    // is_queued, around
    agrees(&Transfer { rtt: 106_060_000, rate: Some(mbit(10)), mss: 536, queue: 255_000,
        writer: Writer::Bursts { bytes: 75_000, pause: 19_100_000 }, bytes: 701_000, ack_batches: Some(150_000),
        has_sack: false, delays_acks: false, capture: Capture::Middle, ..Transfer::default() },
    Limit::Application, 0.76);
    // close_gap, of_slot
    agrees(&Transfer { rtt: 23_970_000, rate: Some(mbit(20)),
        writer: Writer::Paced { bytes: 3500, every: 35_830_000 }, bytes: 72_000, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::Application, 0.83);
    // close_gap, of_slot
    agrees(&Transfer { rtt: 320_000, rate: Some(mbit(10)), mss: 8948, queue: 134_000,
        writer: Writer::Bursts { bytes: 192_000, pause: 378_700_000 }, restarts_after_idle: true,
        bytes: 1_975_000, offload: Some(65_160), has_sack: false, delays_acks: false, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::Application, 0.80);
    // close_gap
    agrees(&Transfer { rtt: 5_180_000, rate: Some(mbit(20)), mss: 8948, queue: 89_000,
        writer: Writer::Bursts { bytes: 119_000, pause: 28_600_000 }, bytes: 278_000, delays_acks: false,
        initial_segments: 30, capture: Capture::Receiver, ..Transfer::default() }, Limit::Application, 0.82);
    // is_ack_delayed
    agrees(&Transfer { rtt: 2_200_000, rate: Some(mbit(10)), mss: 8948,
        writer: Writer::Bursts { bytes: 124_000, pause: 90_100_000 }, bytes: 720_000, is_download: true,
        capture: Capture::Receiver, ..Transfer::default() }, Limit::Application, 0.89);
}

#[test]
#[rustfmt::skip]
fn receive_window() {
    // close_gap, of_slot
    agrees(&Transfer { rtt: 510_000, mss: 8948, queue: 89_000, receive_buffer: ReceiveBuffer::Fixed(30_900),
        window_scale: Some(3), reader: Reader::Rate(43_338_000), bytes: 1_496_000, offload: Some(65_160),
        is_download: true, capture: Capture::Middle, ..Transfer::default() }, Limit::ReceiveWindow, 0.90);
    // slot_len, of_slot
    agrees(&Transfer { rtt: 1_760_000, queue: 257_000, receive_buffer: ReceiveBuffer::Fixed(129_100),
        window_scale: Some(3), bytes: 2_159_000, has_sack: false, capture: Capture::Middle, ..Transfer::default() },
    Limit::ReceiveWindow, 0.84);
    // label_slot
    agrees(&Transfer { rtt: 970_000, rate: Some(mbit(20)), receive_buffer: ReceiveBuffer::Fixed(3600),
        window_scale: Some(3), bytes: 134_000, has_timestamps: false, has_sack: false, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::ReceiveWindow, 0.94);
    // close_gap, label_slot
    agrees(&Transfer { rtt: 20_970_000, rate: Some(mbit(50)), mss: 536, queue: 430_000,
        receive_buffer: ReceiveBuffer::Fixed(84_300), window_scale: Some(3), bytes: 1_340_000,
        offload: Some(14_480), ack_batches: Some(740_000), delays_acks: false, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::ReceiveWindow, 0.79);
    // label_slot
    agrees(&Transfer { rtt: 3_100_000, rate: Some(mbit(50)), queue: 14_000,
        receive_buffer: ReceiveBuffer::Fixed(21_100), window_scale: Some(3), bytes: 323_000,
        capture: Capture::Receiver, ..Transfer::default() }, Limit::ReceiveWindow, 0.83);
    // close_gap
    agrees(&Transfer { rtt: 18_190_000, rate: Some(mbit(20)), mss: 8948, queue: 89_000,
        receive_buffer: ReceiveBuffer::Fixed(22_400), window_scale: Some(3), bytes: 2_220_000,
        capture: Capture::Receiver, ..Transfer::default() }, Limit::ReceiveWindow, 0.94);
    // update_blocked
    agrees(&Transfer { rtt: 1_900_000, rate: Some(mbit(20)), receive_buffer: ReceiveBuffer::Fixed(3600),
        window_scale: Some(3), bytes: 105_000, offload: Some(14_480), capture: Capture::Receiver,
        ..Transfer::default() }, Limit::ReceiveWindow, 0.84);
}

#[test]
#[rustfmt::skip]
fn congestion_window() {
    // of_slot, is_flat
    agrees(&Transfer { rtt: 1_640_000, queue: 203_000, lost_every: Some(118), bytes: 1_404_000,
        offload: Some(65_160), capture: Capture::Middle, ..Transfer::default() }, Limit::CongestionWindow, 0.79);
    // has_own_rhythm, is_flat
    agrees(&Transfer { rtt: 37_410_000, rate: Some(mbit(100)), queue: 744_000, slow_start_until: Some(54_300),
        bytes: 1_988_000, ack_batches: Some(110_000), capture: Capture::Middle, ..Transfer::default() },
    Limit::CongestionWindow, 0.92);
    // follow_recovery, note_rhythm, of_slot
    agrees(&Transfer { rtt: 14_360_000, rate: Some(mbit(20)), mss: 8948, lost_every: Some(21), bytes: 3_922_000,
        has_timestamps: false, capture: Capture::Middle, ..Transfer::default() }, Limit::CongestionWindow, 0.80);
    // is_regular
    agrees(&Transfer { rtt: 8_240_000, rate: Some(mbit(50)), mss: 536, queue: 16_000, bytes: 1_340_000,
        is_download: true, capture: Capture::Middle, ..Transfer::default() }, Limit::CongestionWindow, 0.81);
    // of_slot
    agrees(&Transfer { rtt: 2_860_000, queue: 691_000, slow_start_until: Some(366_900), bytes: 3_620_000,
        ack_batches: Some(520_000), capture: Capture::Middle, ..Transfer::default() }, Limit::CongestionWindow, 0.89);
}

#[test]
#[rustfmt::skip]
fn loss_recovery() {
    // on_retransmission, follow_recovery
    agrees(&Transfer { rtt: 12_100_000, rate: Some(mbit(20)), mss: 536, queue: 12_000, estimates_path: true,
        bytes: 1_288_000, capture: Capture::Middle, ..Transfer::default() }, Limit::LossRecovery, 0.90);
    // is_ack_delayed
    agrees(&Transfer { rtt: 760_000, rate: Some(mbit(200)), mss: 536, queue: 11_000, lost: vec![93, 27, 88],
        bytes: 457_000, ack_batches: Some(190_000), has_sack: false, capture: Capture::Receiver,
        ..Transfer::default() }, Limit::LossRecovery, 0.95);
    // on_new_data
    agrees(&Transfer { rtt: 25_700_000, rate: Some(mbit(100)), queue: 124_000, bytes: 3_620_000, has_sack: false,
        capture: Capture::Receiver, ..Transfer::default() }, Limit::LossRecovery, 0.94);
}

/// Full segments at an even pace had waited in the send queue: a pacer sends them so, no timer of the
/// application.
#[test]
fn full_segments_at_an_even_pace_are_no_timers() {
    agrees(
        &Transfer {
            rtt: 86_370_000,
            bytes: 25_711_270,
            rate: Some(125_000_000),
            queue: 8_472_960,
            mss: 8948,
            estimates_path: true,
            send_buffer: Some(884_228),
            has_nodelay: true,
            restarts_after_idle: false,
            ack_batches: Some(40_230),
            jitter: 3_071_812,
            is_download: true,
            offload: Some(65_160),
            capture: Capture::Middle,
            ..Transfer::default()
        },
        Limit::SendBuffer,
        0.67,
    );
}

/// One loss, and long after it as much is in flight as ever: the window that it cut has grown beyond that.
#[test]
fn a_flight_that_stands_long_after_a_loss_is_no_window_that_grows_back() {
    for send_buffer in [8_000, 16_384] {
        for has_timestamps in [true, false] {
            let small = Transfer {
                rtt: 500_000,
                bytes: 3_000_000,
                rate: Some(mbit(1000)),
                send_buffer: Some(send_buffer),
                has_nodelay: true,
                lost: vec![40],
                has_timestamps,
                capture: Capture::Receiver,
                ..Transfer::default()
            };
            agrees(&small, Limit::SendBuffer, 0.85);
        }
    }
}
