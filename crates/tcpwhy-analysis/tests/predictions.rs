//! Predicted gains compared with real ones: the model of a transfer runs again without the limit.

mod common;

use std::ops::RangeInclusive;

use common::{connection, describe, principal};
use tcpwhy_model::Limit;
use tcpwhy_testkit::{Capture, Reader, ReceiveBuffer, Transfer, Writer, mbit, ms};

/// Checks that the verdict on `limited` is `limit`, and that the predicted duration without it is that of
/// `freed` within `tolerance`.
#[track_caller]
fn foretells(limited: &Transfer, limit: Limit, freed: &Transfer, tolerance: f64) {
    foretells_within(limited, limit, freed, 1.0 - tolerance..=1.0 + tolerance);
}

/// Checks the same, with the allowed quotient of predicted and real duration.
#[track_caller]
fn foretells_within(limited: &Transfer, limit: Limit, freed: &Transfer, times: RangeInclusive<f64>) {
    for capture in [Capture::Sender, Capture::Receiver] {
        let (before, after) =
            (connection(&limited.captured_at(capture).run()), connection(&freed.captured_at(capture).run()));
        let (half, then) = (principal(&before), principal(&after).span.seconds());
        assert_eq!(half.verdict.cause.map(|c| c.limit), Some(limit), "{}", describe(&before));
        assert!(then * 1.3 < half.span.seconds(), "nothing is gained: {then} s\n{}", describe(&before));
        let prediction = half.findings.iter().find_map(|f| f.prediction.as_ref());
        let Some(seconds) = prediction.map(|p| p.seconds) else { panic!("no prediction\n{}", describe(&before)) };
        let say = || format!("{capture:?}: foretold {seconds:?}, was {then} s\n{}", describe(&before));
        assert!(times.contains(&(seconds.value / then)), "{}", say());
        assert!(seconds.low <= then && then <= seconds.high * 1.05, "{}", say());
    }
}

/// 8 MB over 100 Mbit/s and 20 ms, without any limit but the path.
fn ample() -> Transfer {
    Transfer { bytes: 8_000_000, rate: Some(mbit(100)), ..Transfer::default() }
}

#[test]
fn without_the_send_buffer() {
    foretells(&Transfer { send_buffer: Some(64_000), ..ample() }, Limit::SendBuffer, &ample(), 0.15);
}

#[test]
fn without_the_receive_window() {
    let small = Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(2), ..ample() };
    foretells(&small, Limit::ReceiveWindow, &ample(), 0.15);
}

#[test]
fn without_the_applications_pauses() {
    let idle = Transfer { writer: Writer::Bursts { bytes: 800_000, pause: ms(300) }, ..ample() };
    foretells(&idle, Limit::Application, &ample(), 0.3);
}

/// The application's pauses stay, and no data moves during them.
#[test]
fn what_stays_is_kept() {
    let idle = Transfer { writer: Writer::Bursts { bytes: 800_000, pause: ms(100) }, ..ample() };
    let small = Transfer { receive_buffer: ReceiveBuffer::Fixed(64_000), window_scale: Some(2), ..idle.clone() };
    foretells(&small, Limit::ReceiveWindow, &idle, 0.2);
}

#[test]
fn without_the_slow_reader() {
    let slow = Transfer {
        receive_buffer: ReceiveBuffer::Fixed(256_000),
        window_scale: Some(3),
        reader: Reader::Rate(1_000_000),
        ..ample()
    };
    foretells(&slow, Limit::ReceiveWindow, &Transfer { reader: Reader::Fast, ..slow.clone() }, 0.3);
}

/// The window that losses left never filled the path. So the prediction is not faster than the observed
/// arrival, and its range extends to the trains' rate.
#[test]
fn without_the_losses() {
    let lossy = Transfer { lost_every: Some(150), ..ample() };
    foretells_within(&lossy, Limit::CongestionWindow, &ample(), 0.9..=2.0);
}

/// A faster path is unknown, so there is no prediction of one.
#[test]
fn a_narrow_path_is_not_made_faster() {
    let narrow = connection(&Transfer { bytes: 4_000_000, rate: Some(mbit(10)), ..ample() }.run());
    let half = principal(&narrow);
    assert_eq!(half.verdict.cause.map(|c| c.limit), Some(Limit::Path), "{}", describe(&narrow));
    assert!(half.findings.iter().all(|f| f.prediction.is_none()), "{}", describe(&narrow));
}

/// Through a policer, no prediction exceeds its rate and burst, whatever is fixed.
#[test]
fn a_policer_bounds_what_is_foretold() {
    for (rate, burst) in [(mbit(4), 100_000), (mbit(10), 200_000), (mbit(10), 1_000_000)] {
        let t = Transfer { bytes: 12_000_000, policer: Some((rate, burst)), ..ample() };
        let c = connection(&t.run());
        let half = principal(&c);
        let line = (12e6 - burst as f64) / rate as f64;
        for prediction in half.findings.iter().filter_map(|f| f.prediction.as_ref()) {
            assert!(prediction.seconds.value >= line, "{prediction:?} {line}\n{}", describe(&c));
        }
    }
}

#[test]
fn without_the_repeats_of_the_syn() {
    let repeated = Transfer { syn_repeats: 2, bytes: 1_000_000, ..ample() };
    foretells(&repeated, Limit::Handshake, &Transfer { syn_repeats: 0, ..repeated.clone() }, 0.2);
}
