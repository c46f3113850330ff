//! The reason of each interval is stored with it, and the numbers that support it.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod common;

use common::{check, connection, describe, principal};
use tcpwhy_analysis::Connection;
use tcpwhy_model::{Interval, Measure, Reason};
use tcpwhy_testkit::{Capture, Reader, ReceiveBuffer, Transfer, Writer, mbit, ms};

/// A handshake over 20 ms, captured at the client; windows are not scaled.
const OPEN: &str = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
         //^ limit: handshake, until 0.020, why handshake_under_way
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
";

#[track_caller]
fn check_open(text: &str) {
    check(&format!("{OPEN}{text}"));
}

#[test]
fn setting_up() {
    check(
        "
     0.000 > S 0:0(0) <mss 1460>
         //^ limit: handshake/syn_rto, until 1.000, why syn_repeated
     1.000 > S 0:0(0) <mss 1460>
         //^ limit: handshake, until 1.020, why handshake_under_way
     1.020 < S. 0:0(0) ack 1 <mss 1460>
     1.020 > . 1:1(0) ack 1
     1.020 > P. 1:101(100) ack 1
         //^ limit: tail_rtt, until 1.040, why last_flight
     1.040 < . 1:1(0) ack 101
    ",
    );
}

#[test]
fn repairs() {
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > . 2001:3001(1000) ack 1
     0.021 > P. 3001:4001(1000) ack 1
     0.041 < . 1:1(0) ack 1001 win 65535
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:3001>
         //^ limit: loss_recovery/fast, until 0.063, why fast_retransmit
     0.042 < . 1:1(0) ack 1001 win 65535 <sack 2001:4001>
     0.043 > . 1001:2001(1000) ack 1
     0.063 < . 1:1(0) ack 4001 win 65535
    ",
    );
    check_open(
        "
     0.021 > P. 1:1001(1000) ack 1
         //^ limit: loss_recovery/rto, until 0.281, why timer_ran_out
     0.261 > P. 1:1001(1000) ack 1
     0.281 < . 1:1(0) ack 1001 win 65535
    ",
    );
    check_open(
        "
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.021 > P. 2001:3001(1000) ack 1
     0.041 < . 1:1(0) ack 2001 win 65535
         //^ limit: loss_recovery/tlp, until 0.103, why probe_of_tail
     0.083 > P. 2001:3001(1000) ack 1
     0.103 < . 1:1(0) ack 3001 win 65535
    ",
    );
}

#[test]
fn the_applications_of_both_ends() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
     0.041 < . 1:1(0) ack 101 win 65535
         //^ limit: application/peer_turn, until 0.541, why peer_awaited
         //^ limit<: application/think, until 0.521, why answer_awaited
     0.541 < P. 1:501(500) ack 101 win 65535
     0.541 > . 101:101(0) ack 501
         //^ limit: application/think, until 0.900, why answer_awaited
     0.900 > P. 101:201(100) ack 501
     0.920 < . 501:501(0) ack 201 win 65535
         //^ limit: application/idle, until 1.500, why nothing_in_flight
     1.500 > P. 201:301(100) ack 501
     1.520 < . 501:501(0) ack 301 win 65535
    ",
    );
    check_open(
        "
     0.030 > P. 1:101(100) ack 1
     0.050 < P. 1:2001(2000) ack 101 win 65535
     0.050 < F. 2001:2001(0) ack 101 win 65535
         //^ limit: application/close_wait, until 3.000, why peer_had_closed
     0.051 > . 101:101(0) ack 2002
     3.000 > F. 101:101(0) ack 2002
     3.020 < . 2002:2002(0) ack 102 win 65535
    ",
    );
}

#[test]
fn acks_that_are_held_back() {
    check_open(
        "
     0.021 > P. 1:101(100) ack 1
         //^ limit: ack_delay/nagle, until 0.041, why small_segment_held
     0.041 > . 101:101(0) ack 1
         //^ limit: ack_delay/delayed_ack, until 0.081, why ack_held_back
     0.081 < . 1:1(0) ack 101 win 65535
     0.081 > P. 101:201(100) ack 1
     0.101 < P. 1:501(500) ack 201 win 65535
     0.101 > . 201:201(0) ack 501
    ",
    );
}

#[test]
fn a_window_that_closes() {
    check(
        "
     0.000 > S 0:0(0) win 65535 <mss 1000>
     0.020 < S. 0:0(0) ack 1 win 2000 <mss 1000>
     0.020 > . 1:1(0) ack 1
     0.021 > . 1:1001(1000) ack 1
     0.021 > . 1001:2001(1000) ack 1
     0.041 < . 1:1(0) ack 2001 win 0
         //^ limit: receive_window/zero_window, until 1.000, why window_zero
     1.000 < . 1:1(0) ack 2001 win 8000
     1.000 > P. 2001:3001(1000) ack 1
     1.020 < . 1:1(0) ack 3001 win 8000
    ",
    );
}

/// Returns the longest interval with this reason.
fn longest(connection: &Connection, reason: Reason) -> Interval {
    let half = principal(connection);
    let decided = half.limits.intervals().iter().filter(|i| i.why.is_some_and(|w| w.reason == reason));
    *decided.max_by_key(|i| i.span.nanos()).unwrap_or_else(|| panic!("no {}\n{}", reason.id(), describe(connection)))
}

/// Checks that a number of the longest such interval is in the range, and that the interval is a considerable
/// part of the transfer's time.
#[track_caller]
fn check_number(transfer: &Transfer, reason: Reason, measure: Measure, low: f64, high: f64) {
    let connection = connection(&transfer.run());
    let interval = longest(&connection, reason);
    let value = interval.why.unwrap().value(measure).unwrap_or(f64::NAN);
    let told = || describe(&connection);
    assert!((low..=high).contains(&value), "{} is {value}\n{}", measure.id(), told());
}

fn ample() -> Transfer {
    Transfer::default()
}

#[test]
fn a_full_window() {
    let small = Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(2), ..ample() };
    check_number(&small, Reason::WindowSmall, Measure::Window, 60e3, 64e3);
    check_number(&small, Reason::WindowSmall, Measure::Flight, 57e3, 64e3);
    let unscaled = Transfer { receive_buffer: ReceiveBuffer::Fixed(6_000_000), window_scale: None, ..ample() };
    check_number(&unscaled, Reason::WindowUnscaled, Measure::Window, 65_535.0, 65_535.0);
    let slow = Transfer {
        receive_buffer: ReceiveBuffer::Fixed(256_000),
        window_scale: Some(3),
        reader: Reader::Rate(1_000_000),
        ..ample()
    };
    check_number(&slow, Reason::WindowShrinks, Measure::Window, 1e3, 100e3);
}

#[test]
fn a_send_buffer() {
    let t = Transfer { send_buffer: Some(64_000), ..ample() };
    check_number(&t, Reason::RoomLeftUnused, Measure::RoomUnused, 0.1, 1.0);
    check_number(&t, Reason::RoomLeftUnused, Measure::Flight, 30e3, 64e3);
}

#[test]
fn a_queue() {
    let t = Transfer { bytes: 10_000_000, rate: Some(mbit(20)), queue: 100_000, ..ample() };
    check_number(&t, Reason::QueueUnderFullBuffer, Measure::QueueDelay, 2e3, 60e3);
    // For the same queue under a window that is full as well, the whole direction decides.
    let t = Transfer {
        bytes: 12_000_000,
        rate: Some(mbit(20)),
        receive_buffer: ReceiveBuffer::Fixed(512_000),
        window_scale: Some(4),
        ..ample()
    };
    check_number(&t, Reason::WindowOverQueue, Measure::Window, 100e3, 512e3);
}

#[test]
fn a_policer() {
    let t = Transfer { bytes: 12_000_000, policer: Some((mbit(10), 200_000)), ..ample() };
    check_number(&t, Reason::LostToPolicer, Measure::PolicedRate, 9e6, 11e6);
    let c = connection(&t.run());
    let told =
        |i: &Interval| i.cause.to_string() == "path/policer" && i.why.map(|w| w.reason) != Some(Reason::LostToPolicer);
    assert!(!principal(&c).limits.intervals().iter().any(told), "{}", describe(&c));
}

#[test]
fn congestion_windows() {
    let t = Transfer { bytes: 300_000, rtt: ms(100) + 130_000, ..ample() };
    check_number(&t, Reason::FlightOpens, Measure::RoundTrip, 100e3, 101e3);
    let t = Transfer { lost_every: Some(200), ..ample() };
    check_number(&t, Reason::WindowGrowsBack, Measure::Flight, 5e3, 1e6);
    let t = Transfer { marked_every: Some(200), ..ample() };
    check_number(&t, Reason::WindowGrowsBackAfterMark, Measure::Flight, 5e3, 1e6);
    let t = Transfer { slow_start_until: Some(40_000), ..ample() };
    check_number(&t, Reason::SlowGrowthWithoutLoss, Measure::Flight, 35e3, 1e6);
    let t =
        Transfer { bytes: 12_000_000, rate: Some(mbit(50)), rtt: ms(40) + 130_000, estimates_path: true, ..ample() };
    check_number(&t, Reason::PacerAtItsEstimate, Measure::Rate, 40e6, 52e6);
}

#[test]
fn an_application_at_its_own_pace() {
    let t = Transfer { writer: Writer::Paced { bytes: 10_000, every: 7_000_000 }, initial_segments: 100, ..ample() };
    check_number(&t, Reason::OwnRhythm, Measure::Period, 6_900.0, 7_100.0);
    let writer = Writer::Paced { bytes: 6000, every: 15_002_000 };
    let t = Transfer { bytes: 1_500_000, rate: Some(mbit(100)), rtt: ms(20) + 330_000, writer, ..ample() };
    let t = Transfer { capture: Capture::Receiver, ..t };
    check_number(&t, Reason::NeverPrompt, Measure::Wait, 1e3, 15e3);
}
