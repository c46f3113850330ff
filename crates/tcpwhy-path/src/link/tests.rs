//! Exact tests of each effect, and properties of all.

use proptest::prelude::*;

use super::*;
use tcpwhy_scenario::{BitRate, Burst, Bytes, Change, Merged, Policer, Share};

const MS: u64 = 1_000_000;
/// A full frame: 1500 bytes of IP, 1538 on the wire.
const FULL: Wire = Wire { bytes: 1514, kind: FrameKind::Data, is_ecn_capable: false };
const ACK: Wire = Wire { bytes: 66, kind: FrameKind::Other, is_ecn_capable: false };
const SYN: Wire = Wire { bytes: 74, kind: FrameKind::Syn, is_ecn_capable: false };

fn path(forward: DirectionSpec) -> LinkSpec {
    LinkSpec { forward, ..LinkSpec::default() }
}

fn link(forward: DirectionSpec) -> Link<u32> {
    Link::new(&path(forward), Flow::Forward, 1)
}

/// All arrivals in order of time.
fn drain(link: &mut Link<u32>) -> Vec<(u64, u32)> {
    std::iter::from_fn(|| {
        let due = link.next_due()?;
        // A frame after a change may be due a little later.
        let arrived: Vec<_> = std::iter::from_fn(|| link.deliver(due)).map(|one| (one.due, one.item)).collect();
        Some(arrived)
    })
    .flatten()
    .collect()
}

/// Arrivals of `count` full frames that are sent at once.
fn burst(spec: DirectionSpec, count: u32) -> (Vec<(u64, u32)>, LinkCounts) {
    let mut link = link(spec);
    for item in 0..count {
        link.accept(0, FULL, item);
    }
    let arrived = drain(&mut link);
    (arrived, *link.counts())
}

fn items(arrived: &[(u64, u32)]) -> Vec<u32> {
    arrived.iter().map(|&(_, item)| item).collect()
}

fn rate(mbit: u64) -> BitRate {
    BitRate(mbit * 1_000_000)
}

#[test]
fn without_effects_everything_passes_at_once() {
    let (arrived, counts) = burst(DirectionSpec::default(), 3);
    assert_eq!(arrived, [(0, 0), (0, 1), (0, 2)]);
    assert_eq!((counts.frames, counts.bytes, counts.delivered_bytes), (3, 3 * 1538, 3 * 1538));
}

#[test]
fn short_frames_are_padded() {
    let mut link = link(DirectionSpec::default());
    link.accept(0, Wire { bytes: 54, kind: FrameKind::Other, is_ecn_capable: false }, 0);
    assert_eq!(link.counts().bytes, 84);
}

#[test]
fn rate_and_delay_to_the_nanosecond() {
    let spec = DirectionSpec { rate: Some(rate(100)), delay: Some(Nanos(10 * MS)), ..DirectionSpec::default() };
    let (arrived, _) = burst(spec, 3);
    assert_eq!(arrived, [(10_123_040, 0), (10_246_080, 1), (10_369_120, 2)]);
}

#[test]
fn roundings_do_not_add_up() {
    // 1538 bytes at 7 Gbit/s are 1757.714… ns.
    let spec = DirectionSpec { rate: Some(rate(7000)), queue: Some(Bytes(1 << 40)), ..DirectionSpec::default() };
    let (arrived, _) = burst(spec, 100_000);
    assert_eq!(arrived.last(), Some(&(1538 * 8 * 100_000 / 7, 99_999)));
}

#[test]
fn the_tail_is_dropped() {
    // One frame is served, two wait.
    let spec = DirectionSpec { rate: Some(rate(10)), queue: Some(Bytes(2 * 1538)), ..DirectionSpec::default() };
    let (arrived, counts) = burst(spec, 5);
    assert_eq!(items(&arrived), [0, 1, 2]);
    assert_eq!(counts.drops, Drops { queue: 2, ..Drops::default() });
    assert_eq!(counts.queue_delay_max, 3 * 1_230_400);
}

#[test]
fn room_comes_as_frames_leave() {
    let spec = DirectionSpec { rate: Some(rate(10)), queue: Some(Bytes(1538)), ..DirectionSpec::default() };
    let mut link = link(spec);
    link.accept(0, FULL, 0);
    link.accept(0, FULL, 1);
    link.accept(1_230_399, FULL, 2);
    link.accept(1_230_400, FULL, 3);
    assert_eq!(items(&drain(&mut link)), [0, 1, 3]);
}

#[test]
fn unless_said_a_tenth_of_a_second_may_wait() {
    // 10 Mbit/s × 0.1 s = 125,000 bytes: 81 full frames, plus the one being served.
    let (arrived, counts) = burst(DirectionSpec { rate: Some(rate(10)), ..DirectionSpec::default() }, 100);
    assert_eq!((arrived.len(), counts.drops.queue), (82, 18));
}

#[test]
fn counted_losses_are_of_data() {
    let mut link = link(DirectionSpec { lose_every: Some(3), lose_data: vec![1], ..DirectionSpec::default() });
    for item in 0..8 {
        link.accept(0, ACK, 100);
        link.accept(0, FULL, item);
    }
    let data: Vec<u32> = items(&drain(&mut link)).into_iter().filter(|&item| item != 100).collect();
    assert_eq!(data, [1, 3, 4, 6, 7]);
    assert_eq!(link.counts().drops, Drops { counted: 3, ..Drops::default() });
}

#[test]
fn the_first_syns_are_lost() {
    let mut link = link(DirectionSpec { lose_syns: Some(2), ..DirectionSpec::default() });
    for (at, wire) in [SYN, FULL, SYN, SYN].into_iter().enumerate() {
        link.accept(at as u64, wire, at as u32);
    }
    assert_eq!(items(&drain(&mut link)), [1, 3]);
}

#[test]
fn bursts_have_their_mean() {
    let burst_of = Burst { chance: Share(0.002), mean: 5.0 };
    let (arrived, counts) = burst(DirectionSpec { burst: Some(burst_of), ..DirectionSpec::default() }, 200_000);
    let arrived = items(&arrived);
    let bursts = arrived.windows(2).filter(|pair| pair[1] - pair[0] > 1).count() as f64;
    let mean = counts.drops.burst as f64 / bursts;
    assert!((4.4..5.6).contains(&mean), "{mean}");
    // A burst begins every 500 frames outside bursts.
    assert!((330.0..=460.0).contains(&bursts), "{bursts}");
}

#[test]
fn copies_take_time_too() {
    let spec = DirectionSpec { duplicate: Some(Share(1.0)), rate: Some(rate(100)), ..DirectionSpec::default() };
    let (arrived, counts) = burst(spec, 2);
    assert_eq!(arrived, [(123_040, 0), (246_080, 0), (369_120, 1), (492_160, 1)]);
    assert_eq!((counts.duplicated, counts.delivered), (2, 4));
}

#[test]
fn a_policer_passes_its_burst_and_then_its_rate() {
    let policer = Policer { rate: BitRate(8_000_000), burst: Bytes(2 * 1538) };
    let mut link = link(DirectionSpec { policer: Some(policer), ..DirectionSpec::default() });
    // The tokens of a frame need 1.538 ms.
    for (item, at) in [0, 0, 0, 1_537_999, 1_538_000, 1_538_000].into_iter().enumerate() {
        link.accept(at, FULL, item as u32);
    }
    assert_eq!(items(&drain(&mut link)), [0, 1, 4]);
    assert_eq!(link.counts().drops, Drops { policer: 3, ..Drops::default() });
}

#[test]
fn jitter_stays_in_its_bounds_and_keeps_the_order() {
    let spec = DirectionSpec { delay: Some(Nanos(MS)), jitter: Some(Nanos(MS)), ..DirectionSpec::default() };
    let mut link = link(spec);
    for item in 0..1000 {
        link.accept(u64::from(item) * 300_000, FULL, item);
    }
    let arrived = drain(&mut link);
    assert!(arrived.is_sorted());
    assert!(arrived.iter().all(|&(due, item)| (MS..=2 * MS).contains(&(due - u64::from(item) * 300_000))));
    assert!(arrived.iter().any(|&(due, item)| due - u64::from(item) * 300_000 < MS + MS / 10));
}

#[test]
fn jitter_may_reorder() {
    let spec = DirectionSpec { jitter: Some(Nanos(MS)), jitter_reorders: true, ..DirectionSpec::default() };
    let (arrived, _) = burst(spec, 1000);
    assert!(arrived.is_sorted_by_key(|&(due, _)| due));
    assert!(!items(&arrived).is_sorted());
    let mean = arrived.iter().map(|&(due, _)| due).sum::<u64>() / 1000;
    assert!((450_000..550_000).contains(&mean), "{mean}");
}

#[test]
fn what_is_held_back_is_overtaken_by_the_rest() {
    let spec = DirectionSpec { reorder: Some(Share(0.1)), reorder_by: Some(Nanos(50_000)), ..DirectionSpec::default() };
    let mut link = link(spec);
    for item in 0..1000 {
        link.accept(u64::from(item) * 10_000, FULL, item);
    }
    let arrived = drain(&mut link);
    let (late, on_time): (Vec<_>, Vec<_>) = arrived.iter().partition(|&&(due, item)| due > u64::from(item) * 10_000);
    assert!(late.iter().all(|&(due, item)| due == u64::from(item) * 10_000 + 50_000));
    assert!(on_time.is_sorted());
    assert_eq!(late.len() as u64, link.counts().held_back);
    assert!((70..130).contains(&late.len()));
}

#[test]
fn a_change_holds_from_its_time_on() {
    let slower = DirectionSpec { rate: Some(rate(10)), delay: Some(Nanos(5 * MS)), ..DirectionSpec::default() };
    let mut path = path(DirectionSpec { rate: Some(rate(100)), delay: Some(Nanos(0)), ..DirectionSpec::default() });
    path.changes = vec![Change { at: Nanos(184_560), flow: Flow::Both, to: slower }];
    let mut link = Link::new(&path, Flow::Forward, 1);
    link.begin(1000);
    for item in 0..3 {
        link.accept(1000, FULL, item);
    }
    // The second frame is half sent when the rate falls to a tenth.
    let second = 1000 + 184_560 + 615_200;
    assert_eq!(drain(&mut link), [(124_040, 0), (second + 5 * MS, 1), (second + 1_230_400 + 5 * MS, 2)]);
}

#[test]
fn a_shorter_delay_overtakes_nothing() {
    let mut path = path(DirectionSpec { delay: Some(Nanos(10 * MS)), ..DirectionSpec::default() });
    let shorter = DirectionSpec { delay: Some(Nanos(MS)), ..DirectionSpec::default() };
    path.changes = vec![Change { at: Nanos(MS), flow: Flow::Forward, to: shorter }];
    let mut link = Link::new(&path, Flow::Forward, 1);
    link.begin(0);
    link.accept(0, FULL, 0);
    link.accept(2 * MS, FULL, 1);
    link.accept(20 * MS, FULL, 2);
    assert_eq!(drain(&mut link), [(10 * MS, 0), (10 * MS, 1), (21 * MS, 2)]);
}

#[test]
fn a_link_that_goes_dead_comes_back() {
    let loss = |share| DirectionSpec { loss: Some(Share(share)), ..DirectionSpec::default() };
    let mut path = path(DirectionSpec::default());
    path.changes = vec![
        Change { at: Nanos(10), flow: Flow::Both, to: loss(1.0) },
        Change { at: Nanos(20), flow: Flow::Both, to: loss(0.0) },
    ];
    let mut link = Link::new(&path, Flow::Forward, 1);
    link.begin(0);
    for at in [0, 9, 10, 19, 20] {
        link.accept(at, FULL, at as u32);
    }
    assert_eq!(items(&drain(&mut link)), [0, 9, 20]);
}

#[test]
fn last_due_is_that_of_close_followers() {
    let mut link = link(DirectionSpec { rate: Some(rate(1000)), delay: Some(Nanos(MS)), ..DirectionSpec::default() });
    for item in 0..10 {
        link.accept(0, FULL, item);
    }
    let first = link.next_due().unwrap();
    assert_eq!(first, MS + 12_304);
    assert_eq!(link.last_due(first + 30_000), Some(first + 24_608));
    assert_eq!(link.last_due(first), Some(first));
    assert_eq!(link.last_due(first - 1), None);
}

/// The frames that arrive.
fn arriving(spec: &DirectionSpec, seed: u64, count: u32) -> Vec<u32> {
    let mut link = Link::new(&path(spec.clone()), Flow::Forward, seed);
    for item in 0..count {
        link.accept(u64::from(item) * 1000, FULL, item);
    }
    let mut arrived = items(&drain(&mut link));
    arrived.sort_unstable();
    arrived
}

proptest! {
    #[test]
    fn the_same_seed_loses_the_same(seed: u64, loss in 0.0..0.5) {
        let spec = DirectionSpec { loss: Some(Share(loss)), ..DirectionSpec::default() };
        let lost = arriving(&spec, seed, 400);
        prop_assert_eq!(&lost, &arriving(&spec, seed, 400));
        // Effects do not influence each other.
        let more = DirectionSpec {
            jitter: Some(Nanos(5000)),
            jitter_reorders: true,
            reorder: Some(Share(0.2)),
            rate: Some(rate(100_000)),
            ..spec.clone()
        };
        prop_assert_eq!(&lost, &arriving(&more, seed, 400));
        let more = DirectionSpec { lose_every: Some(7), ..spec };
        let expected: Vec<u32> = lost.into_iter().filter(|item| (item + 1) % 7 != 0).collect();
        prop_assert_eq!(expected, arriving(&more, seed, 400));
    }

    #[test]
    fn nothing_is_early_lost_track_of_or_out_of_order(
        gaps in proptest::collection::vec(0_u64..200_000, 1..200),
        mbit in 1_u64..2000,
        queue in 1500_u64..100_000,
        delay in 0_u64..5_000_000,
        jitter in proptest::option::of(0_u64..3_000_000),
        loss in 0.0..0.3,
    ) {
        let spec = DirectionSpec {
            rate: Some(rate(mbit)),
            queue: Some(Bytes(queue)),
            delay: Some(Nanos(delay)),
            jitter: jitter.map(Nanos),
            loss: Some(Share(loss)),
            duplicate: Some(Share(0.1)),
            ..DirectionSpec::default()
        };
        let mut link = link(spec);
        let mut at = 0;
        let mut came = Vec::new();
        let mut arrived = Vec::new();
        for gap in gaps {
            at += gap;
            while let Some(one) = link.deliver(at) {
                prop_assert!(one.due <= at);
                arrived.push((one.due, one.item));
            }
            link.accept(at, FULL, came.len() as u32);
            came.push(at);
        }
        arrived.extend(drain(&mut link));
        prop_assert!(arrived.is_sorted());
        let serialised = 1538 * 8000 / mbit;
        for &(due, item) in &arrived {
            prop_assert!(due >= came[item as usize] + serialised + delay);
        }
        let counts = link.counts();
        prop_assert_eq!(counts.delivered, arrived.len() as u64);
        prop_assert_eq!(counts.frames + counts.duplicated, counts.delivered + counts.drops.total());
        // The rate is never exceeded over any interval without jitter.
        if jitter.is_none() {
            for pair in arrived.windows(2) {
                prop_assert!(pair[1].0 - pair[0].0 + 1 >= serialised);
            }
        }
    }
}

#[test]
fn what_is_larger_than_the_mtu_is_dropped() {
    for (mtu, passes) in [(1500, true), (1499, false)] {
        let mut link = link(DirectionSpec { mtu: Some(mtu), ..DirectionSpec::default() });
        link.accept(0, FULL, 0);
        link.accept(0, ACK, 1);
        let arrived = items(&drain(&mut link));
        assert_eq!(arrived, if passes { vec![0, 1] } else { vec![1] });
        assert_eq!(link.counts().drops.too_big, u64::from(!passes));
    }
}

#[test]
fn what_waited_for_too_long_is_marked_if_it_knows_ecn() {
    // A full frame needs 123.04 µs; three of them more than 300 µs.
    let spec = DirectionSpec { rate: Some(rate(100)), ce_threshold: Some(Nanos(300_000)), ..DirectionSpec::default() };
    let capable = Wire { is_ecn_capable: true, ..FULL };
    for (wire, expected) in [(capable, [false, false, true, true]), (FULL, [false; 4])] {
        let mut link = link(spec.clone());
        for item in 0..4 {
            link.accept(0, wire, item);
        }
        let marks: Vec<bool> = std::iter::from_fn(|| link.deliver(MS)).map(|one| one.is_marked).collect();
        assert_eq!(marks, expected);
        assert_eq!(link.counts().marked, expected.iter().filter(|mark| **mark).count() as u64);
    }
}

/// Two trains of ten frames, then single frames. In each train all merged packets except the first are lost
/// completely.
#[test]
fn merged_packets_are_lost_out_of_trains_only() {
    let spec =
        DirectionSpec { lose_merged: Some(Merged { chance: Share(1.0), frames: 4 }), ..DirectionSpec::default() };
    let mut link = link(spec);
    for train in 0..2 {
        for item in 0..10 {
            link.accept(u64::from(train) * MS + u64::from(item) * 5_000, FULL, train * 10 + item);
        }
    }
    for item in 20..30 {
        link.accept(u64::from(item) * MS, FULL, item);
    }
    link.accept(30 * MS, ACK, 30);
    let expected: Vec<u32> = (0..4).chain(10..14).chain(20..31).collect();
    assert_eq!(items(&drain(&mut link)), expected);
    assert_eq!(link.counts().drops, Drops { merged: 12, ..Drops::default() });
}

#[test]
fn a_merged_packet_is_lost_whole_or_not_at_all() {
    let spec =
        DirectionSpec { lose_merged: Some(Merged { chance: Share(0.3), frames: 8 }), ..DirectionSpec::default() };
    let (arrived, counts) = burst(spec, 8 * 500);
    let mut lost = [0; 500];
    (0..8 * 500_u32).filter(|item| !items(&arrived).contains(item)).for_each(|item| lost[item as usize / 8] += 1);
    assert!(lost.iter().all(|&frames| frames == 0 || frames == 8), "{lost:?}");
    assert_eq!(lost[0], 0);
    let whole = lost.iter().filter(|&&frames| frames == 8).count();
    assert!((110..190).contains(&whole), "{whole} of 500");
    assert_eq!(counts.drops.merged, 8 * whole as u64);
}
