//! Conservation tests with arbitrary paths and programs: no byte is lost or invented, and all memory is
//! released.

use proptest::prelude::*;
use tcpwhy_kernel::{Device, KernelVersion, Link};
use tcpwhy_scenario::{
    BitRate, Burst, Bytes, Change, DirectionSpec, End, Flow, LinkSpec, Merged, Nanos, Pace, Policer, Share, Stream,
    Work, bundled, random, random_talk,
};

use super::{EndPlan, Plan, Stalled, Until, World};
use crate::host::HostProfile;
use crate::netem::{Neighbours, Netem};
use crate::path::Path;
use crate::program::{ResetAfter, Step, Stretch};
use crate::rules::{Algorithm, HostRules, SocketOptions};
use crate::testing::cases;
use crate::time::{MILLISECOND, SECOND};
use tcpwhy_scenario::Waits as Waiting;

/// Maximum number of checked events per world.
const MOST_EVENTS: u64 = 3_000_000;

impl World {
    /// Checks that each written byte is accounted for: read, received, in flight, or waiting.
    fn check(&self) {
        for end in [0, 1] {
            let [host, peer] = [&self.hosts[end], &self.hosts[1 - end]];
            host.socket.check();
            assert_eq!(host.socket.memory()[1], host.memory_in_queue(), "memory in the host");
            let [next, read] = peer.socket.received();
            assert_eq!(peer.program.read, read);
            if host.socket.is_broken() {
                assert!(next <= host.program.written + 1);
                continue;
            }
            let [una, nxt, written] = host.socket.progress();
            assert_eq!(host.program.written, written);
            assert!(una <= next && next <= nxt, "{una} {next} {nxt}: what is not acknowledged is kept");
        }
    }

    /// Checks the state after the last event.
    fn check_end(&self) {
        for end in [0, 1] {
            let [host, peer] = [&self.hosts[end], &self.hosts[1 - end]];
            let [queued, in_host, received] = host.socket.memory();
            assert_eq!(in_host, 0, "memory in the host");
            let is_acknowledged = peer.socket.received()[0] >= host.program.written;
            assert!(queued == 0 || !is_acknowledged, "{queued} bytes of memory for nothing");
            if host.socket.is_drained() {
                assert_eq!(received, 0, "memory of what was read");
            }
        }
    }
}

/// Runs a world and checks it after each `every` events.
fn watch(plan: &Plan, every: u64) -> Result<(), Stalled> {
    let mut world = World::new(plan);
    let mut events = 0;
    while world.step()? {
        events += 1;
        if events % every == 0 {
            world.check();
        }
        if events > MOST_EVENTS {
            return Err(Stalled::Busy);
        }
    }
    world.check();
    world.check_end();
    Ok(())
}

/// Shortens long streams, because only their form matters.
fn shorten(work: &mut Work) {
    const ENOUGH: u64 = 1_000_000;
    if let Work::Stream(Stream { phases, ending: None, .. }) = work {
        for phase in phases.iter_mut() {
            phase.bytes.0 = phase.bytes.0.min(ENOUGH);
        }
    }
}

const VERSIONS: [&str; 12] =
    ["4.20", "5.4", "5.10", "5.15", "6.1", "6.6", "6.8.0", "6.12", "6.16.1", "6.18", "6.19", "7.3"];

#[test]
fn bundled_scenarios_lose_no_byte() {
    for (n, mut scenario) in bundled::all().enumerate() {
        shorten(&mut scenario.work);
        let version: KernelVersion = VERSIONS[n % VERSIONS.len()].parse().unwrap();
        // Skips scenarios that are not simulated, and those that fail.
        let Ok(plan) = Plan::of_scenario(&scenario, version) else { continue };
        let _ = watch(&plan, 61);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn random_scenarios_lose_no_byte(
        seed in any::<u64>(), index in any::<u32>(), talks in any::<bool>(),
        version in prop::sample::select(VERSIONS.to_vec()),
    ) {
        let mut scenario = if talks { random_talk(seed, index) } else { random(seed, index) };
        shorten(&mut scenario.work);
        if let Ok(plan) = Plan::of_scenario(&scenario, version.parse().unwrap()) {
            let _ = watch(&plan, 61);
        }
    }
}

fn octaves(least: u32, most: u32) -> impl Strategy<Value = u64> {
    (least..most, 0..1024_u64).prop_map(|(octave, part)| (1 << octave) + (part << octave) / 1024)
}

fn sometimes<T: Strategy>(strategy: T) -> impl Strategy<Value = Option<T::Value>> {
    prop::option::weighted(0.2, strategy)
}

prop_compose! {
    fn direction()(
        rate in sometimes(octaves(16, 32)),
        queue in sometimes(octaves(11, 22)),
        loss in sometimes(0.0..0.4_f64),
        burst in sometimes((0.0..0.1_f64, 1.0..40.0_f64)),
        merged in sometimes((0.0..0.3_f64, 2..64_u32)),
        duplicate in sometimes(0.0..0.5_f64),
        policer in sometimes((octaves(16, 30), octaves(11, 22))),
        (jitter, jitter_reorders) in (sometimes(0..200 * MILLISECOND), any::<bool>()),
        reorder in sometimes((0.0..0.5_f64, 0..500 * MILLISECOND)),
        lose_data in prop::collection::vec(1..100_u64, 0..4),
        lose_syns in sometimes(0..3_u64),
        (mtu, clamp_mss) in (sometimes(600..1500_u32), sometimes(88..1400_u16)),
    ) -> DirectionSpec {
        DirectionSpec {
            rate: rate.map(BitRate),
            queue: queue.map(Bytes),
            loss: loss.map(Share),
            burst: burst.map(|(chance, mean)| Burst { chance: Share(chance), mean }),
            lose_merged: merged.map(|(chance, frames)| Merged { chance: Share(chance), frames }),
            duplicate: duplicate.map(Share),
            policer: policer.map(|(rate, burst)| Policer { rate: BitRate(rate), burst: Bytes(burst) }),
            jitter: jitter.map(Nanos),
            jitter_reorders,
            reorder: reorder.map(|(chance, _)| Share(chance)),
            reorder_by: reorder.map(|(_, by)| Nanos(by)),
            lose_data,
            lose_syns,
            // A path MTU black hole ends most transfers, so it is rare.
            mtu: mtu.filter(|mtu| mtu % 4 == 0),
            clamp_mss,
            ..DirectionSpec::default()
        }
    }
}

prop_compose! {
    fn path()(
        rtt in octaves(14, 33),
        rate in octaves(20, 33),
        forward in direction(),
        back in direction(),
        mut times in prop::collection::vec(0..20 * SECOND, 0..3),
        changes in prop::collection::vec((direction(), prop::option::of(0..2 * SECOND), any::<bool>()), 3),
    ) -> LinkSpec {
        times.sort_unstable();
        let changes = times.iter().zip(changes).map(|(&at, (mut to, delay, is_back))| {
            to.delay = delay.map(Nanos);
            Change { at: Nanos(at), flow: if is_back { Flow::Back } else { Flow::Forward }, to }
        });
        LinkSpec {
            rtt: Nanos(rtt), rate: Some(BitRate(rate)), forward, back, changes: changes.collect(),
            ..LinkSpec::default()
        }
    }
}

prop_compose! {
    fn netem()(
        rate in prop::option::of(octaves(16, 33)),
        delay in octaves(14, 32),
        limit in octaves(1, 11),
        loss in prop_oneof![Just(0.0), 0.0..0.3_f64],
        is_unknown in any::<bool>(),
    ) -> Netem {
        let neighbours = if is_unknown { Neighbours::Unknown } else { Neighbours::Known };
        Netem { rate: rate.map(BitRate), delay: Nanos(delay), limit, loss: Share(loss), neighbours }
    }
}

/// A wire, or a router whose receiver gets the buffers of its sender.
fn paths() -> impl Strategy<Value = (Path, Device)> {
    prop_oneof![
        3 => path().prop_map(|spec| (spec.into(), Device::Nic)),
        1 => netem().prop_map(|netem| (netem.into(), Device::Local)),
    ]
}

prop_compose! {
    fn pace()(kind in 0..3, portion in octaves(8, 17), time in octaves(16, 29)) -> Pace {
        match kind {
            0 => Pace::Free,
            1 => Pace::Rate { bits: portion << 10, every: time },
            _ => Pace::Rests { portion, rest: time, varies: None },
        }
    }
}

fn stretch(bytes: u64) -> impl Strategy<Value = Stretch> {
    (octaves(4, 19), pace(), any::<bool>()).prop_map(move |(size, pace, polls)| Stretch {
        bytes,
        size,
        pace,
        waits: if polls { Waiting::Poll } else { Waiting::default() },
    })
}

/// Both ends send, and read the other's data: an answer, or nothing.
fn steps() -> impl Strategy<Value = [Vec<Step>; 2]> {
    let resets = |step: fn(u64) -> ResetAfter| prop::option::weighted(0.1, octaves(4, 20).prop_map(step));
    (octaves(6, 22), octaves(0, 18))
        .prop_flat_map(move |(asked, answered)| {
            let stretches = (stretch(asked), stretch(asked), stretch(answered), stretch(answered));
            (stretches, any::<bool>(), resets(ResetAfter::Written), resets(ResetAfter::Read), late_buffers())
        })
        .prop_map(|((sent, read, answer, answer_read), answers, written, lost, late)| {
            let mut sender: Vec<_> = written.map(Step::ResetAfter).into_iter().collect();
            let mut receiver: Vec<_> = lost.map(Step::ResetAfter).into_iter().collect();
            sender.extend(late.map(|(sndbuf, rcvbuf)| Step::SetBuffers { sndbuf, rcvbuf }));
            sender.push(Step::Send(sent));
            receiver.push(Step::Receive(read));
            if answers {
                receiver.push(Step::Send(answer));
                sender.push(Step::Receive(answer_read));
            }
            sender.push(Step::Finish);
            receiver.extend([Step::ReadAll { size: 1 << 16 }, Step::Finish]);
            sender.push(Step::ReadAll { size: 1 << 16 });
            [sender, receiver]
        })
}

fn late_buffers() -> impl Strategy<Value = Option<(Option<u64>, Option<u64>)>> {
    sometimes((prop::option::of(octaves(0, 22)), prop::option::of(octaves(0, 22))))
}

prop_compose! {
    fn end()(
        version in prop::sample::select(VERSIONS.to_vec()),
        algorithm in prop::sample::select(vec![Algorithm::Reno, Algorithm::Cubic, Algorithm::Bbr]),
        sndbuf in prop::option::of(octaves(0, 23)),
        rcvbuf in prop::option::of(octaves(0, 23)),
        has_nodelay in any::<bool>(),
        initial_window in prop_oneof![Just(10_u64), 1..100_u64],
        lowat in prop::option::weighted(0.2, octaves(8, 20)),
        scaling in prop::bool::weighted(0.9),
        profile in prop_oneof![Just(HostProfile::LAB), Just(HostProfile::IDEAL), (0..100_u64).prop_map(|n| HostProfile::LAB.drawn(n))],
        merges in any::<bool>(),
    ) -> EndPlan {
        let mut host = HostRules { initial_window, algorithm, ..HostRules::defaults(version.parse().unwrap()) };
        host.sysctls.assign(&format!("net.ipv4.tcp_window_scaling={}", u8::from(scaling))).unwrap();
        if let Some(lowat) = lowat {
            host.sysctls.assign(&format!("net.ipv4.tcp_notsent_lowat={lowat}")).unwrap();
        }
        let options = SocketOptions { sndbuf, rcvbuf, has_nodelay };
        EndPlan { host, options, profile: HostProfile { merges, ..profile }, steps: Vec::new() }
    }
}

prop_compose! {
    fn plan()(
        mut ends in (end(), end()),
        [sender, receiver] in steps(),
        (path, device) in paths(),
        is_opener in any::<bool>(),
        mtu in prop_oneof![Just(1500_u32), 600..9000_u32],
        seed in any::<u64>(),
    ) -> Plan {
        ends.0.steps = sender;
        ends.1.steps = receiver;
        Plan {
            ends: ends.into(),
            opener: if is_opener { End::Sender } else { End::Receiver },
            path,
            link: Link::new(mtu, device),
            seed,
            deadline: 3_600 * SECOND,
            until: Until::BothEnd,
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn any_transfer_loses_no_byte(plan in plan()) {
        let _ = watch(&plan, 7);
    }
}
