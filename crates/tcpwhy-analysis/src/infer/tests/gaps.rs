//! Tests the limits of single gaps: each hypothesis about gaps alone, their order, and gaps that have the
//! limit of their slot.

use tcpwhy_model::{Limit, WindowScale};
use tcpwhy_testkit::ms;

use super::super::conditions::testing::{Scene, forcing};
use super::super::decide::{Labelled, label_slot};
use super::{described, name, plain};
use crate::facts::gap_fact::GapFact;
use crate::facts::slot::{GapInterval, GapKind};

/// Labels of gaps of these kinds, one millisecond each, in the order of the timeline.
fn labelled(scene: &Scene, conditions: &[(&'static str, bool)], kinds: &[GapKind]) -> Vec<Labelled> {
    let ends = (1..).map(ms);
    let intervals: Vec<_> = kinds.iter().zip(ends).map(|(&kind, end)| GapInterval { end, kind }).collect();
    let mut all = Vec::new();
    forcing(conditions, || {
        scene.with_view(|view| label_slot(view, scene.at, &intervals, &scene.context, |one| all.push(one)));
    });
    all
}

fn of(scene: &Scene, conditions: &[(&'static str, bool)], kinds: &[GapKind]) -> Vec<String> {
    labelled(scene, conditions, kinds).iter().map(|one| described(&one.decision)).collect()
}

/// Label of a gap if no hypothesis about gaps holds and the slot has no evidence.
const UNDETERMINED: &str = "congestion_window/other or send_buffer (live-sampling), undetermined, 0.55";
const UNRELEASED: &str = "application/paced_writes, unreleased_send, 0.8";
const BURST: &str = "application/paced_writes, burst_of_unreleased, 0.7";
const SMALL: &str = "receive_window/small_buffer, window_small, 0.85";
const ONE_SIDED: &str = "unobserved, acks_not_captured, 0.9";
const QUEUE: &str = "path/queue, queue_under_last_flight, 0.8";
const TAIL: &str = "tail_rtt, last_flight, 0.9";
const BUFFER: &str = "send_buffer or congestion_window (live-sampling), buffer_under_pacer, 0.65";
const UNUSED: &str = "send_buffer, unused_now_and_then, 0.65";

#[test]
fn without_acks_little_is_known() {
    let mut scene = plain();
    (scene.context.is_one_sided, scene.context.first_data) = (true, ms(1));
    let kinds = [
        GapKind::Fact(GapFact::NothingInFlight),
        GapKind::Fact(GapFact::NothingInFlight),
        GapKind::Fact(GapFact::HandshakeUnderWay),
        GapKind::AckClocked,
        GapKind::Fact(GapFact::RepeatedByTimer),
        GapKind::WindowFull,
        GapKind::Fact(GapFact::FragmentHeld),
    ];
    assert_eq!(
        of(&scene, &[], &kinds),
        [
            "application/idle, nothing_in_flight, 0.95",
            ONE_SIDED,
            "handshake, handshake_under_way, 0.95",
            ONE_SIDED,
            "loss_recovery/rto, timer_ran_out, 0.95",
            ONE_SIDED,
        ]
    );
}

#[test]
fn a_full_window_binds_and_the_bursts_that_it_ends() {
    let kinds = [GapKind::AckClocked, GapKind::Burst, GapKind::Burst, GapKind::WindowFull, GapKind::Burst];
    assert_eq!(of(&plain(), &[("is_window_shrinking", false)], &kinds), [UNDETERMINED, SMALL, UNDETERMINED]);
    let ends: Vec<_> = labelled(&plain(), &[], &kinds).iter().map(|one| one.end).collect();
    assert_eq!(ends, [ms(1), ms(4), ms(5)], "both bursts before the full window, and none after it");
    let is_queued = |queued| {
        let all = labelled(&plain(), &[("is_queued", queued)], &[GapKind::WindowFull, GapKind::AckClocked]);
        all.iter().map(|one| one.is_window_queued).collect::<Vec<_>>()
    };
    assert_eq!(is_queued(true), [true, false], "of the receive window's time alone");
    assert_eq!(is_queued(false), [false, false]);
}

#[test]
fn the_last_flight_is_on_its_way() {
    let conditions = [("can_be_busy", true), ("is_queued", true), ("is_busy", true)];
    assert_eq!(of(&plain(), &conditions, &[GapKind::Tail]), [QUEUE]);
    for left_out in 0..3 {
        let mut conditions = conditions;
        conditions[left_out].1 = false;
        assert_eq!(of(&plain(), &conditions, &[GapKind::Tail]), [TAIL], "without {}", conditions[left_out].0);
    }
    let others = of(&plain(), &conditions, &[GapKind::RoomUnused]);
    assert_eq!(others, ["path/queue, queue_under_full_buffer, 0.85"], "no last flight");
}

#[test]
fn a_send_that_no_ack_released_follows_the_application() {
    let kinds = [GapKind::Unreleased, GapKind::AckClocked, GapKind::Burst, GapKind::Unreleased, GapKind::Burst];
    let own = [("is_even", false), ("is_repair", false)];
    assert_eq!(of(&plain(), &own, &kinds), [UNRELEASED, UNDETERMINED, BURST, UNRELEASED, UNDETERMINED]);
    for left_out in 0..2 {
        let mut conditions = own;
        conditions[left_out].1 = true;
        let labels = of(&plain(), &conditions, &kinds);
        assert!(
            !labels.iter().any(|t| [UNRELEASED, BURST].contains(&t.as_str())),
            "{:?}: {labels:?}",
            conditions[left_out]
        );
    }
}

/// Away from the sender, losses and queues hide which ACK released which send.
#[test]
fn away_from_the_sender_an_unreleased_send_may_be_blurred() {
    let clear = [("has_losses", false), ("is_busy", false), ("is_queued", false), ("is_mostly_unreleased", true)];
    let labels = |inferred, conditions: &[(&'static str, bool)]| {
        let mut scene = plain();
        scene.context.ack_times_inferred = inferred;
        of(&scene, conditions, &[GapKind::Unreleased])
    };
    assert_eq!(labels(true, &clear), [UNRELEASED]);
    for blurred in 0..clear.len() {
        let mut conditions = clear;
        conditions[blurred].1 = !conditions[blurred].1;
        assert_ne!(labels(true, &conditions), [UNRELEASED], "{:?}", conditions[blurred]);
        assert_eq!(labels(false, &conditions), [UNRELEASED], "{:?} at the sender", conditions[blurred]);
    }
}

/// `LOCAL_PATH`, `EVEN_PARTIAL`: between programs of one host, a pacer may send full segments as well.
#[test]
fn full_segments_on_a_local_path_may_be_a_pacers() {
    let label = |rtt: Option<i64>, partial: u32, inferred| {
        let mut scene = plain();
        scene.slots[0].bursts = 100;
        scene.slots[0].partial_sends = partial;
        (scene.context.rtt_min, scene.context.ack_times_inferred) = (rtt, inferred);
        let own = [("is_even", false), ("is_repair", false), ("is_mostly_unreleased", true), ("is_busy", false)];
        of(&scene, &own, &[GapKind::Unreleased])
    };
    let either = "application/paced_writes or congestion_window (live-sampling), unreleased_send, 0.8";
    for (what, rtt, partial, inferred, expected) in [
        ("local", Some(100_000), 25, false, either),
        ("farther", Some(100_001), 25, false, UNRELEASED),
        ("of unknown distance", None, 25, false, UNRELEASED),
        ("a program's writes", Some(100_000), 26, false, UNRELEASED),
        ("away from the sender", Some(100_000), 25, true, UNRELEASED),
    ] {
        assert_eq!(label(rtt, partial, inferred), [expected], "{what}");
    }
}

/// A pacer's own pace is not the application's, unless its send buffer limits it.
#[test]
fn a_pacers_pace_is_its_own() {
    let mut scene = plain();
    scene.context.is_pacing = true;
    let kinds = [GapKind::Unreleased, GapKind::Burst, GapKind::Unreleased];
    assert_eq!(of(&scene, &[], &kinds), [UNDETERMINED]);
    assert_eq!(of(&scene, &[("leaves_path_idle", true)], &kinds), [UNRELEASED, BUFFER, UNRELEASED]);
}

#[test]
fn room_is_left_unused_now_and_then() {
    let conditions = [("is_clean", true), ("is_room_seldom_unused", false), ("is_below_buffer", false)];
    let kinds = [GapKind::RoomUnused, GapKind::AckClocked];
    assert_eq!(of(&plain(), &conditions, &kinds), [UNUSED, UNDETERMINED]);
    for left_out in 0..conditions.len() {
        let mut conditions = conditions;
        conditions[left_out].1 = !conditions[left_out].1;
        assert_eq!(of(&plain(), &conditions, &kinds), [UNDETERMINED], "{:?}", conditions[left_out]);
    }
    let mut unordered = plain();
    unordered.context.has_sender_order = false;
    assert_eq!(of(&unordered, &conditions, &kinds), [UNDETERMINED], "no order of sends and ACKs");
    let even = [("is_even", true), conditions[0], conditions[1], conditions[2]];
    let labels = of(&plain(), &even, &kinds);
    assert_eq!(labels, ["path or application (live-sampling), even_spacing, 0.65"], "no congestion window");
}

/// If the offered window is unknown, it may have been full.
#[test]
fn an_unknown_window_is_the_alternative() {
    let other = |change: fn(&mut Scene), conditions: &[(&'static str, bool)]| {
        let mut scene = plain();
        change(&mut scene);
        let all = labelled(&scene, conditions, &[GapKind::AckClocked]);
        all[0].decision.alternative.map(|(limit, decider)| (limit, decider.id()))
    };
    let unknown: fn(&mut Scene) = |s| s.context.window_scale = WindowScale::Unknown;
    let receive_window = Some((Limit::ReceiveWindow, "syn"));
    assert_eq!(other(unknown, &[]), receive_window, "of the congestion window");
    assert_eq!(other(unknown, &[("leaves_room_unused", true)]), receive_window, "of the send buffer");
    assert_eq!(other(unknown, &[("is_queued", true)]), None, "not of the path");
    assert_eq!(other(unknown, &[("has_own_rhythm", true)]), None, "not of the application");
    let no_window: fn(&mut Scene) = |s| {
        s.slots[0] = crate::facts::slot::Slot::default();
        s.advancing_acks = 1;
    };
    assert_eq!(other(no_window, &[]), receive_window, "ACKs without a window");
    let neither: fn(&mut Scene) = |s| s.slots[0] = crate::facts::slot::Slot::default();
    assert_eq!(other(neither, &[]), Some((Limit::SendBuffer, "live-sampling")), "no ACK, so no window");
    assert_eq!(other(|_| (), &[]), Some((Limit::SendBuffer, "live-sampling")), "a window that is known");
}

/// Adjacent gaps with one label are one stretch, with the numbers of their slot.
#[test]
fn neighbours_of_one_label_are_one_stretch() {
    let kinds = [GapKind::AckClocked, GapKind::RoomUnused, GapKind::Tail, GapKind::Tail, GapKind::AckClocked];
    let all = labelled(&plain(), &[("is_room_seldom_unused", true)], &kinds);
    let ends: Vec<_> = all.iter().map(|one| (one.end, name(one.decision.cause))).collect();
    let other = || "congestion_window/other".to_owned();
    assert_eq!(ends, [(ms(2), other()), (ms(4), "tail_rtt".into()), (ms(5), other())]);
    assert_eq!(all[0].why.values().next().map(|value| value.1), Some(10_000.0), "the flight");
}
