//! Holds that each hypothesis is needed: for each stands a transfer of which less is told, or less that is true, without it.

use std::cell::Cell;
use std::collections::BTreeSet;

use tcpwhy_model::{Cause, Decider, Limit, Reason, Segment};
use tcpwhy_testkit::{CLIENT, Capture, Reader, ReceiveBuffer, Told, Transfer, Writer, alter, mbit};

use super::direction::DIRECTION;
use super::gap::GAP;
use super::of_facts::of_fact;
use super::slot::{OFFER_UNKNOWN, SLOT};
use super::window::WINDOW;
use crate::facts::gap_fact::GapFact;
use crate::{Analyzer, HalfConnection};

thread_local! {
    static UNREGISTERED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

pub(in crate::infer) fn is_registered(name: &str) -> bool {
    UNREGISTERED.get() != Some(name)
}

/// What `conclude` gives without the hypothesis of this name.
pub(in crate::infer) fn without<T>(name: &'static str, conclude: impl FnOnce() -> T) -> T {
    UNREGISTERED.set(Some(name));
    let concluded = conclude();
    UNREGISTERED.set(None);
    concluded
}

/// What is lost without a hypothesis, as a share of time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lost {
    /// Agreement with the limit that bound in the model.
    Truth,
    /// The form that a limit took, or what else the packets would allow.
    Form,
}

/// As much is lost at least without a hypothesis.
const LEAST: f64 = 0.03;

/// For each hypothesis a transfer that needs it.
#[rustfmt::skip]
fn needs() -> Vec<(&'static str, Lost, Transfer)> {
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
        ("unreleased_send", Truth, Transfer { rtt: 8_260_000, bytes: 1_141_508, rate: Some(mbit(20)), mss: 8948,
            writer: Writer::Paced { bytes: 1162, every: 2_483_942 }, ..middle() }),
        ("burst_of_unreleased", Truth, Transfer { rtt: 47_130_000, bytes: 127_206, rate: Some(mbit(10)),
            queue: 121_810, estimates_path: true, writer: Writer::Paced { bytes: 3762, every: 5_891_250 }, ..any() }),
        ("unused_now_and_then", Truth, Transfer { rtt: 19_920_000, bytes: 2_354_407, rate: Some(mbit(50)),
            queue: 88_997, mss: 8948, send_buffer: Some(156_963), delays_acks: false, offload: Some(65_160), ..middle() }),
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
            writer: Writer::Waning { first: 304_000, bytes: 3160, every: 1_210_000 }, initial_segments: 100,
            delays_acks: false, ..any() }),
        ("peer_releases", Truth, Transfer { bytes: 8_000_000, rtt: 40_000_000, rate: Some(mbit(200)),
            writer: Writer::Granted { window: 256_000, step: 64_000 }, ..any() }),
        ("no_wake_level", Truth, Transfer { bytes: 4_000_000, rtt: 38_055_000, rate: Some(mbit(100)),
            writer: Writer::Loose { bytes: 57_469, every: 17_505_000, late: 4_376_000 }, has_nodelay: true,
            offload: Some(14_480), ..any() }),
        (OFFER_UNKNOWN, Form, Transfer { send_buffer: Some(64_000), ..any() }),
        ("room_left_unused", Form, Transfer { send_buffer: Some(64_000), ..any() }),
        ("flight_below_window", Truth, Transfer { rtt: 30_250_000, bytes: 227_928, rate: Some(125_000_000), mss: 8948,
            initial_segments: 30, send_buffer: Some(78_434), has_nodelay: true, is_download: true, ..receiver() }),
        ("queue_standing", Truth, Transfer { rtt: 8_070_000, bytes: 1_400_000, rate: Some(mbit(50)),
            is_download: true, ..receiver() }),
        ("window_grows_back", Form, Transfer { lost_every: Some(200), ..any() }),
        ("slow_growth_without_loss", Form, Transfer { slow_start_until: Some(40_000), ..any() }),
        ("flat_in_step", Form, Transfer { rtt: 2_840_000, bytes: 187_611, rate: Some(mbit(8)), mss: 8948,
            send_buffer: Some(18_947), delays_acks: false, ..any() }),
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

/// The packets of a transfer that needs the hypothesis `name`, as captured, and what bound in the model.
fn drawn(name: &str, transfer: &Transfer) -> (Told, Vec<Segment>) {
    let told = transfer.tell();
    let segments = match name {
        "acks_not_captured" => alter::one_sided(&told.segments, CLIENT),
        OFFER_UNKNOWN => alter::joined_at(&told.segments, told.segments[told.segments.len() / 3].timestamp),
        _ => told.segments.clone(),
    };
    (told, segments)
}

/// The packets of the transfer that needs the hypothesis `name`.
pub(in crate::infer) fn packets(name: &str) -> Vec<Segment> {
    let (_, _, transfer) = needs().into_iter().find(|need| need.0 == name).unwrap();
    drawn(name, &transfer).1
}

/// What is concluded of the direction that moved the most.
pub(in crate::infer) fn concluded(segments: &[Segment]) -> HalfConnection {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    analyzer.finish().into_iter().flat_map(|c| c.halves).max_by_key(|h| h.bytes).unwrap()
}

/// The share of time that agrees with the model, and what was concluded.
fn conclude(name: &str, transfer: &Transfer) -> (f64, HalfConnection) {
    let (told, segments) = drawn(name, transfer);
    let half = concluded(&segments);
    let all = half.span.nanos() - half.limits.nanos_of(Limit::Handshake);
    let found = |l| half.limits.nanos_of(l) as f64 / all.max(1) as f64;
    let limits = Limit::ALL.into_iter().filter(|&l| l != Limit::Handshake);
    (limits.map(|l| told.share(l).min(found(l))).sum(), half)
}

/// The largest share of time under one cause, or under one doubt, that only one of the two has.
fn difference(a: &HalfConnection, b: &HalfConnection) -> f64 {
    let totals = [a, b].map(|half| half.limits.totals());
    let causes = totals.iter().flatten().map(|t| t.cause);
    let under = |half: &HalfConnection, cause| half.limits.nanos_of_cause(cause);
    let doubts = [a, b].map(|half| half.limits.ambiguous());
    let pairs = doubts.iter().flatten().map(|&(limit, other, decider, _)| (limit, other, decider));
    let in_doubt =
        |all: &[(Limit, Limit, Decider, i64)], pair| all.iter().find(|d| (d.0, d.1, d.2) == pair).map_or(0, |d| d.3);
    let of_causes = causes.map(|cause| under(a, cause) - under(b, cause));
    let of_doubts = pairs.map(|pair| in_doubt(&doubts[0], pair) - in_doubt(&doubts[1], pair));
    let most = of_causes.chain(of_doubts).map(i64::abs).max().unwrap_or(0);
    most as f64 / a.span.nanos().max(1) as f64
}

pub(in crate::infer) fn names() -> Vec<&'static str> {
    let gaps = GAP.iter().map(|h| h.name());
    let slots = SLOT.iter().map(|h| h.name());
    let windows = WINDOW.iter().map(|h| h.name());
    gaps.chain(slots).chain(windows).chain([OFFER_UNKNOWN]).collect()
}

/// Both ways: no hypothesis without a transfer that needs it, and none of those that are needed left out of the lists.
#[test]
fn every_hypothesis_has_a_transfer_that_needs_it() {
    let needs = needs();
    let [listed, needed] = [names(), needs.iter().map(|need| need.0).collect()].map(BTreeSet::from_iter);
    let (without, unlisted): (Vec<_>, Vec<_>) =
        (listed.difference(&needed).collect(), needed.difference(&listed).collect());
    assert!(without.is_empty() && unlisted.is_empty(), "no transfer for {without:?}; in no list: {unlisted:?}");
    assert_eq!((names().len(), needs.len()), (listed.len(), listed.len()), "names are unique");
}

/// No reason is left that no time can have, and none is given by two hypotheses.
#[test]
fn each_reason_is_given_by_one_hypothesis_or_fact() {
    let of_facts = GapFact::ALL.map(|fact| of_fact(fact).1.id());
    let facts: BTreeSet<_> = of_facts.into_iter().collect();
    let directions = DIRECTION.iter().map(|h| h.name());
    // What cut the window is known apart from what shows that it was.
    let apart = [Reason::WindowGrowsBackAfterMark.id()];
    let mut given: Vec<_> = names().into_iter().chain(directions).chain(apart).collect();
    // A closed window shows with and without data.
    given.extend(facts.into_iter().filter(|&fact| fact != Reason::WindowZero.id()));
    let referred =
        ["told_by_gap", "window_full", "between_closings", "stands_at_edge", "window_under_pacer", OFFER_UNKNOWN];
    given.retain(|name| !referred.contains(name));
    given.sort_unstable();
    let mut all: Vec<_> = Reason::ALL.iter().map(|reason| reason.id()).collect();
    all.sort_unstable();
    assert_eq!(given, all);
}

#[test]
fn without_any_of_them_something_is_told_otherwise() {
    let mut needless = Vec::new();
    for (name, lost, transfer) in needs() {
        let (right, with) = conclude(name, &transfer);
        let (right_without, without) = without(name, || conclude(name, &transfer));
        let share = match lost {
            Lost::Truth => right - right_without,
            Lost::Form => difference(&with, &without),
        };
        if share < LEAST {
            needless.push((name, lost, share));
        }
    }
    assert!(needless.is_empty(), "nothing is lost without {needless:?}");
}

/// For each hypothesis about gaps or the form of a full window the limit and detail that its transfer is under because
/// of it.
#[rustfmt::skip]
const NAMED: [(&str, &str); 14] = [
    ("acks_not_captured", "unobserved"),
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

fn cause_name(cause: Cause) -> String {
    let detail = cause.detail.map(|d| format!("/{}", d.id())).unwrap_or_default();
    format!("{}{detail}", cause.limit.id())
}

#[test]
fn hypotheses_about_gaps_and_windows_name_their_causes() {
    let listed = GAP.iter().map(|h| h.name()).chain(WINDOW.iter().map(|h| h.name()));
    assert_eq!(NAMED.map(|(name, _)| name).to_vec(), listed.collect::<Vec<_>>(), "each, in the order of its list");
    let needs = needs();
    for (name, cause) in NAMED {
        let (_, _, transfer) = needs.iter().find(|need| need.0 == name).unwrap();
        let share = |half: &HalfConnection| {
            let mine = half.limits.totals().into_iter().filter(|total| cause_name(total.cause) == cause);
            mine.map(|total| half.limits.nanos_of_cause(total.cause)).sum::<i64>() as f64 / half.span.nanos() as f64
        };
        let (with, without) = (conclude(name, transfer).1, without(name, || conclude(name, transfer).1));
        let gained = share(&with) - share(&without);
        assert!(gained >= LEAST, "{name} puts {gained:.3} of the time under {cause}");
    }
}

/// What decided an interval is the hypothesis of its cause.
#[test]
fn intervals_say_what_decided_them() {
    let (name, _, transfer) = needs().into_iter().find(|n| n.0 == "own_rhythm").unwrap();
    let (_, half) = conclude(name, &transfer);
    let longest = half.limits.intervals().iter().max_by_key(|i| i.span.nanos()).unwrap();
    assert_eq!(longest.why.map(|w| w.reason), Some(Reason::OwnRhythm));
    assert!(half.limits.intervals().iter().all(|i| i.why.is_some()));
}
