//! Tests that each measure comes from its own sum, in its own unit.

use tcpwhy_model::Measure;
use tcpwhy_testkit::ms;

use super::super::testing::Scene;
use crate::facts::bytes::Bytes;

/// One slot of 100 ms in which each sum has a different value.
fn scene() -> Scene {
    let mut scene = Scene::one(|slot| {
        (slot.peak_flight, slot.cwnd_floor) = (Bytes::of(11_000), Bytes::of(12_000));
        (slot.rtt_min, slot.rtt_sum, slot.rtt_count) = (Some(ms(23)), ms(50), 2);
        (slot.periodic_bursts, slot.period_sum) = (4, ms(14));
        (slot.ack_clocked, slot.room_unused, slot.burst, slot.unreleased) = (ms(5), ms(3), ms(2), ms(7));
        (slot.acked, slot.echo_queued, slot.echo_wait) = (Bytes::of(20_000), 9, 400);
        slot.note_window(30_000);
        slot.note_window(40_000);
    });
    scene.peak_before = 10_000;
    scene.context.rtt_min = Some(ms(20));
    scene.context.flight_max = 13_000;
    scene.context.path_rate = Some(1e6);
    scene.context.excess_ack_to_data_delay = ms(1);
    scene
}

#[test]
fn each_measure_is_of_its_own_sum() {
    for (measure, expected) in [
        (Measure::Flight, Some(11_000.0)),
        (Measure::FlightMax, Some(13_000.0)),
        (Measure::FlightBefore, Some(10_000.0)),
        (Measure::WindowFloor, Some(12_000.0)),
        (Measure::Window, Some(40_000.0)),
        (Measure::RoundTrip, Some(25_000.0)),
        (Measure::RoundTripMin, Some(20_000.0)),
        (Measure::QueueDelay, Some(3_000.0)),
        (Measure::Period, Some(3_500.0)),
        (Measure::RoomUnused, Some(0.3)),
        (Measure::Unreleased, Some(0.07)),
        (Measure::Wait, Some(1_400.0)),
        (Measure::Rate, Some(1_600_000.0)),
        (Measure::Capacity, Some(8_000_000.0)),
        (Measure::PolicedRate, None),
        (Measure::PolicedBurst, None),
    ] {
        let found = scene().ask(|evidence| evidence.value(measure));
        assert_eq!(found, expected, "{measure:?}");
    }
}

#[test]
fn what_was_not_seen_is_no_measure() {
    let mut nothing = Scene::one(|_| ());
    nothing.end = nothing.start;
    for measure in [
        Measure::Flight,
        Measure::FlightMax,
        Measure::FlightBefore,
        Measure::WindowFloor,
        Measure::Window,
        Measure::RoundTrip,
        Measure::RoundTripMin,
        Measure::QueueDelay,
        Measure::Period,
        Measure::RoomUnused,
        Measure::Unreleased,
        Measure::Wait,
        Measure::Rate,
        Measure::Capacity,
    ] {
        assert_eq!(nothing.ask(|evidence| evidence.value(measure)), None, "{measure:?}");
    }
    nothing.context.excess_ack_to_data_delay = -ms(1);
    nothing.echo_wait = 400;
    nothing.echo_queued = 1;
    assert_eq!(
        nothing.ask(|evidence| evidence.value(Measure::Wait)),
        Some(400.0),
        "sooner than the handshake's answer"
    );
}
