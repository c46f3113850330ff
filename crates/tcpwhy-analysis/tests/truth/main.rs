//! Results of the analysis compared with the model's knowledge. The model's sender records the reason
//! whenever it stops, and its bottleneck records when it is busy.

mod at_the_sender;
#[path = "../common/mod.rs"]
mod common;
mod elsewhere;

use common::{connection, describe, principal};
use tcpwhy_model::{Limit, Timestamp};
use tcpwhy_testkit::{Capture, Transfer, Writer, mbit};

/// Returns limits other than the handshake. Model and analysis count shares from the first data on.
fn limits() -> impl Iterator<Item = Limit> {
    Limit::ALL.into_iter().filter(|&l| l != Limit::Handshake)
}

/// Checks that `limit` applied for most of the transfer and is the verdict. At least a share of `least` of
/// all time must be under the limits that applied.
#[track_caller]
pub(crate) fn agrees(transfer: &Transfer, limit: Limit, least: f64) {
    assert_eq!(transfer.tell().foremost(), Some(limit), "not what bound in the model");
    assert_eq!(agrees_for(transfer, least), Some(limit), "the verdict");
}

/// Checks that at least a share of `least` of all time is under the limits that applied. Returns the
/// verdict's limit.
#[track_caller]
pub(crate) fn agrees_for(transfer: &Transfer, least: f64) -> Option<Limit> {
    let told = transfer.tell();
    let connection = connection(&told.segments);
    let half = principal(&connection);
    let all = half.span.nanos() - half.limits.nanos_of(Limit::Handshake);
    let found = |l| half.limits.nanos_of(l) as f64 / all.max(1) as f64;
    let agreement: f64 = limits().map(|l| told.share(l).min(found(l))).sum();
    let line = |l| format!("  {:?}: bound {:.2}, found {:.2}\n", l, told.share(l), found(l));
    assert!(
        agreement >= least,
        "agreement {agreement:.3}\n{}{}",
        limits().map(line).collect::<String>(),
        describe(&connection)
    );
    half.verdict.cause.map(|cause| cause.limit)
}

/// After losses, the window is far below its earlier size, and batches of ACKs release it by thirds. ACKs
/// that release nothing then do not show a slow writer.
#[test]
fn a_window_cut_to_a_fraction_is_not_the_application() {
    let cut =
        Transfer { rtt: 1_020_000, bytes: 3_000_000, lost_every: Some(44), offload: Some(2896), ..Transfer::default() };
    for batch in [250_000, 280_000, 310_000] {
        agrees(&Transfer { ack_batches: Some(batch), ..cut.clone() }, Limit::CongestionWindow, 0.7);
        agrees(
            &Transfer { ack_batches: Some(batch), has_timestamps: false, ..cut.clone() },
            Limit::CongestionWindow,
            0.7,
        );
    }
}

/// The bytes in flight drop equally far without a loss, or with one that they do not come near. Then the
/// application sent less.
#[test]
fn a_writer_that_wanes_is_not_a_window_that_was_cut() {
    let wanes = Transfer {
        rtt: 2_350_000,
        bytes: 3_700_000,
        rate: Some(mbit(200)),
        writer: Writer::Waning { first: 304_000, bytes: 3160, every: 1_210_000 },
        initial_segments: 100,
        delays_acks: false,
        ..Transfer::default()
    };
    agrees(&wanes, Limit::Application, 0.9);
    agrees(&Transfer { lost: vec![16, 62], ..wanes }, Limit::Application, 0.9);
}

/// ACKs come together, so pauses between them prove nothing. But in several round trips no packet found the
/// queue empty.
#[test]
fn a_queue_that_never_empties_behind_bunched_acks() {
    let deep = Transfer {
        rtt: 8_070_000,
        bytes: 2_540_000,
        rate: Some(mbit(50)),
        is_download: true,
        capture: Capture::Receiver,
        ..Transfer::default()
    };
    agrees(&deep, Limit::Path, 0.85);
    agrees(
        &Transfer { rtt: 15_160_000, bytes: 430_000, rate: Some(mbit(10)), mss: 536, offload: Some(65_160), ..deep },
        Limit::Path,
        0.7,
    );
}

/// The same without a queue.
#[test]
fn bunched_acks_alone_are_no_queue() {
    let shallow = Transfer {
        rtt: 8_070_000,
        bytes: 2_540_000,
        rate: Some(mbit(200)),
        send_buffer: Some(27_000),
        is_download: true,
        capture: Capture::Receiver,
        ..Transfer::default()
    };
    agrees(&shallow, Limit::SendBuffer, 0.9);
    agrees(&Transfer { capture: Capture::Middle, has_sack: false, ..shallow }, Limit::SendBuffer, 0.9);
}

/// Away from the sender, milliseconds of a slow link separate sends that one ACK released. Sends before the
/// next ACK do not show a writer's pace either.
#[test]
fn a_deep_queue_of_a_slow_link_is_not_the_application() {
    for rate in [8, 10, 12] {
        for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
            agrees(&Transfer { rate: Some(mbit(rate)), capture, ..Transfer::default() }, Limit::Path, 0.9);
        }
    }
}

/// A pacing sender that saturates the path leaves no room unused.
#[test]
fn a_pacing_sender_over_a_full_path_is_the_path() {
    let paced = Transfer {
        rtt: 8_850_000,
        bytes: 3_620_000,
        rate: Some(mbit(100)),
        estimates_path: true,
        offload: Some(65_160),
        initial_segments: 100,
        ..Transfer::default()
    };
    agrees(&paced, Limit::Path, 0.83);
}

/// If timestamps do not show which ACK a send answers, seemingly unused room does not prove a send buffer.
#[test]
fn without_the_order_of_sends_no_room_is_unused() {
    let bursts = Transfer {
        rtt: 24_520_000,
        bytes: 996_000,
        rate: Some(mbit(20)),
        mss: 536,
        queue: 34_000,
        writer: Writer::Bursts { bytes: 38_000, pause: 14_200_000 },
        has_timestamps: false,
        capture: Capture::Receiver,
        ..Transfer::default()
    };
    agrees(&bursts, Limit::Application, 0.72);
}

/// A writer that is blocked by its buffer wakes slowly, and ACKs come faster. So its sends are as close
/// behind ACKs as those of a writer with its own pace.
#[test]
fn a_writer_that_wakes_late_waits_for_its_buffer() {
    let late = Transfer { bytes: 30_000_000, offload: Some(14_480), ..Transfer::default() };
    for (rate, rtt, send_buffer, wakes_after, least) in [
        (500, 1_030_000, 45_000, 45_000, 0.95),
        (500, 11_300_000, 494_000, 45_000, 0.9),
        (1000, 2_150_000, 188_000, 45_000, 0.8),
        // ACKs come more slowly here, but the writer wakes even more slowly.
        (100, 23_700_000, 296_000, 150_000, 0.9),
        (100, 5_170_000, 64_600, 400_000, 0.9),
    ] {
        let rate = Some(mbit(rate));
        let late = Transfer { rate, rtt, send_buffer: Some(send_buffer), wakes_after, ..late.clone() };
        agrees(&late, Limit::SendBuffer, least);
    }
}

/// The rhythm of large bursts does not match the round trip, but the path is never idle. So the limit is not
/// a writer's pace.
#[test]
fn a_path_at_its_full_rate_is_the_limit_whatever_the_rhythm() {
    let full = Transfer { bytes: 20_000_000, offload: Some(14_480), ..Transfer::default() };
    for (rate, rtt, send_buffer, wakes_after) in
        [(100, 11_300_000, 268_000, 45_000), (200, 23_700_000, 1_126_000, 80_000), (500, 5_170_000, 614_000, 45_000)]
    {
        let rate = Some(mbit(rate));
        let full = Transfer { rate, rtt, send_buffer: Some(send_buffer), wakes_after, ..full.clone() };
        agrees(&full, Limit::Path, 0.7);
    }
    // At 80 or 90 % of the path's rate, the path is idle between two writes.
    for bytes in [72_600, 84_375] {
        let nearly = Writer::Paced { bytes, every: 7_500_000 };
        let nearly = Transfer { rate: Some(mbit(100)), rtt: 11_300_000, writer: nearly, ..full.clone() };
        agrees(&nearly, Limit::Application, 0.75);
    }
}

/// Captured at the receiver: a timer's writes always come the same time after an ACK. No ACK is ever answered
/// promptly, and only the handshake shows the shortest possible delay.
#[test]
fn a_timer_out_of_step_with_the_acks_is_the_application() {
    for (rtt, every) in [(20_330_000, 15_002_000), (31_700_000, 24_001_000), (12_600_000, 8_999_000)] {
        let writer = Writer::Paced { bytes: 6_000, every };
        let timer = Transfer {
            rtt,
            rate: Some(mbit(100)),
            bytes: 1_500_000,
            writer,
            capture: Capture::Receiver,
            ..Transfer::default()
        };
        agrees(&timer, Limit::Application, 0.9);
    }
    // A slow link makes data late as well.
    for (rate, rtt, send_buffer) in [(1, 90_130_000, 8_000), (2, 60_130_000, 9_000), (5, 30_130_000, 10_000)] {
        let slow = Transfer {
            rtt,
            rate: Some(mbit(rate)),
            bytes: 600_000,
            send_buffer: Some(send_buffer),
            wakes_after: 60_000,
            capture: Capture::Receiver,
            ..Transfer::default()
        };
        agrees(&slow, Limit::SendBuffer, 0.6);
    }
}

/// Timestamps in milliseconds show a period of 22.51 ms as 22 or 23.
#[test]
fn a_timer_between_two_ticks_is_the_application() {
    for (rtt, every, bytes, rate) in
        [(25_130_000, 22_510_000, 2896, 65), (9_030_000, 8_355_000, 1448, 20), (49_930_000, 43_478_000, 4344, 20)]
    {
        for capture in [Capture::Receiver, Capture::Middle] {
            let writer = Writer::Paced { bytes, every };
            let timer =
                Transfer { rtt, rate: Some(mbit(rate)), bytes: 100 * bytes, writer, capture, ..Transfer::default() };
            agrees(&timer, Limit::Application, 0.85);
            // A full buffer with the same amount in flight.
            let send_buffer = Some(2 * bytes.max(1448));
            let blocked = Transfer { writer: Writer::Bulk, send_buffer, wakes_after: 60_000, ..timer };
            agrees(&blocked, Limit::SendBuffer, 0.8);
        }
    }
}

/// Without timestamps, away from the sender: the path is idle, and then data comes long after any ACK that it
/// could answer.
#[test]
fn a_timer_without_timestamps_is_the_application() {
    for (rtt, every, bytes, rate, jitter) in
        [(83_130_000, 78_458_000, 4344, 6, 1_900_000), (53_130_000, 48_860_000, 13_032, 7, 0)]
    {
        for capture in [Capture::Receiver, Capture::Middle] {
            let timer = Transfer {
                rtt,
                rate: Some(mbit(rate)),
                bytes: 40 * bytes,
                writer: Writer::Paced { bytes, every },
                has_timestamps: false,
                delays_acks: false,
                jitter,
                capture,
                ..Transfer::default()
            };
            agrees(&timer, Limit::Application, 0.85);
        }
    }
}

/// Checks that the send buffer was the limit, even if a middlebox answered the SYN `early` nanoseconds
/// sooner.
fn is_blocked_by_buffer(transfer: &Transfer, early: i64) {
    let mut segments = transfer.run();
    // SYN and SYN-ACK.
    for segment in &mut segments[..2] {
        segment.timestamp = Timestamp::from_nanos(segment.timestamp.as_nanos() + early);
    }
    let connection = connection(&segments);
    let verdict = principal(&connection).verdict.cause.map(|c| c.limit);
    assert_eq!(verdict, Some(Limit::SendBuffer), "{}", describe(&connection));
}

/// The same path with a full buffer: data always comes a round trip after the ACK that made room. This also
/// holds if a middlebox had answered the SYN a little sooner.
#[test]
fn a_buffer_without_timestamps_is_no_timer() {
    for (rtt, send_buffer, early) in [(83_130_000, 5000, 0), (53_130_000, 60_000, 0), (53_130_000, 60_000, 9_000_000)] {
        let blocked = Transfer {
            rtt,
            rate: Some(mbit(20)),
            bytes: 30 * send_buffer,
            send_buffer: Some(send_buffer),
            has_timestamps: false,
            capture: Capture::Receiver,
            ..Transfer::default()
        };
        is_blocked_by_buffer(&blocked, early);
    }
}

/// A firewall that answers the SYN itself makes the handshake shorter than the path. A writer that waits for
/// its buffer is then as late as one on a timer. But a timer's writes that come at most once per round trip
/// would find nothing in flight.
#[test]
fn a_handshake_that_was_answered_on_the_way_makes_no_timer() {
    for (rtt, send_buffer, early) in
        [(30_130_000, 60_000, 6_000_000), (45_700_000, 120_000, 9_000_000), (30_130_000, 60_000, 17_000_000)]
    {
        let blocked = Transfer {
            rtt,
            rate: Some(mbit(200)),
            bytes: 3_000_000,
            send_buffer: Some(send_buffer),
            capture: Capture::Receiver,
            ..Transfer::default()
        };
        is_blocked_by_buffer(&blocked, early);
    }
}

/// 250 kB fill the path, and a writer wakes when a third of its buffer is free. Two thirds of 400 kB keep the
/// path busy, so a buffer that is always full costs nothing. Two thirds of 280 kB do not.
#[test]
fn a_buffer_that_fills_the_path_does_not_limit() {
    for capture in [Capture::Sender, Capture::Middle, Capture::Receiver] {
        let bound = |buffer| Transfer {
            rtt: 20_000_000,
            rate: Some(mbit(100)),
            bytes: 20_000_000,
            send_buffer: Some(buffer),
            capture,
            ..Transfer::default()
        };
        let verdict = |buffer| agrees_for(&bound(buffer), 0.0);
        assert_eq!(verdict(400_000), Some(Limit::Path), "{capture:?}");
        assert_eq!(verdict(280_000), Some(Limit::SendBuffer), "{capture:?}");
    }
}
