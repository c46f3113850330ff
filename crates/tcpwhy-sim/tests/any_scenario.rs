//! Arbitrary scenarios and settings, as in the fuzzing target `simulate`. Each is simulated or refused,
//! deterministically, with consistent counters.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::sync::LazyLock;

use proptest::prelude::*;
use tcpwhy_kernel::KernelVersion;
use tcpwhy_model::Limit;
use tcpwhy_scenario::{End, Ending, Nanos, Scenario, Stream, Work, bundled, random, random_talk};
use tcpwhy_sim::{Outcome, Plan, Stalled, World};

/// A configuration with this many cases, unless `PROPTEST_CASES` overrides it.
fn cases(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(cases), ..ProptestConfig::default() }
}

const VERSIONS: [&str; 12] =
    ["4.20", "5.4", "5.10", "5.15", "6.1", "6.6", "6.8.0", "6.12", "6.16.1", "6.18", "6.19", "7.3"];

/// Keys with some possible values.
const SETTINGS: [(&str, &[&str]); 22] = [
    ("path.rtt", &["0s", "10us", "1ms", "150ms", "4s"]),
    ("path.rate", &["64kbit", "5mbit", "1gbit", "100gbit", "auto"]),
    ("path.queue", &["1600B", "100kB", "1GB", "auto"]),
    ("path.forward.loss", &["1%", "30%", "100%", "auto"]),
    ("path.back.loss", &["1%", "30%", "auto"]),
    ("path.forward.duplicate", &["10%", "100%"]),
    ("path.forward.reorder", &["1%", "50%"]),
    ("path.forward.jitter", &["1ms", "300ms"]),
    ("path.forward.jitter_reorders", &["true", "false"]),
    ("path.forward.clamp_mss", &["88", "536", "9000"]),
    ("path.forward.mtu", &["68", "600", "1500"]),
    ("mtu", &["552", "1280", "9000", "65535"]),
    ("ip_version", &["4", "6"]),
    ("sender.sndbuf", &["1B", "16KiB", "4MiB", "auto"]),
    ("receiver.rcvbuf", &["1B", "16KiB", "4MiB", "auto"]),
    ("sender.congestion_control", &["reno", "cubic", "bbr"]),
    ("sender.nodelay", &["true", "false"]),
    ("sender.offload", &["true", "false"]),
    ("sender.initcwnd", &["1", "10", "1000"]),
    ("sender.rto_min", &["5ms", "10s"]),
    ("receiver.sysctl.net.ipv4.tcp_rmem", &["4096 4096 4096", "4096 131072 33554432"]),
    ("sender.sysctl.net.ipv4.tcp_notsent_lowat", &["1", "16384"]),
];

static BUNDLED: LazyLock<Vec<Scenario>> = LazyLock::new(|| bundled::all().collect());

#[derive(Clone, Copy, Debug)]
enum Source {
    Bundled(prop::sample::Index),
    Random(u64, u32),
    Talk(u64, u32),
}

impl Source {
    fn scenario(self) -> Scenario {
        match self {
            Self::Bundled(index) => index.get(&BUNDLED).clone(),
            Self::Random(seed, index) => random(seed, index),
            Self::Talk(seed, index) => random_talk(seed, index),
        }
    }
}

/// Shortens a scenario: streams have fewer bytes, and repetitions end at the deadline.
fn shorten(scenario: &mut Scenario) {
    const ENOUGH: u64 = 100_000;
    const SOON: Nanos = Nanos::from_secs(2);
    match &mut scenario.work {
        Work::Stream(Stream { phases, .. }) => phases.iter_mut().for_each(|phase| {
            phase.bytes.0 = phase.bytes.0.min(ENOUGH);
        }),
        Work::Turns(_) | Work::Talk(_) | Work::Application(_) => scenario.deadline = scenario.deadline.min(SOON),
    }
}

/// Whether a kernel cannot give up before the deadline. By default it gives up after about 15 minutes.
fn is_patient(scenario: &Scenario) -> bool {
    const QUARTER: Nanos = Nanos::from_secs(900);
    let is_asked = |end| scenario.end(end).sysctl.contains_key("net.ipv4.tcp_retries2");
    scenario.deadline < QUARTER && !End::BOTH.into_iter().any(is_asked)
}

fn check(scenario: &Scenario, plan: &Plan, outcome: &Outcome) {
    assert!(outcome.duration <= plan.deadline);
    let held: u64 = Limit::ALL.into_iter().map(|limit| outcome.held.by(limit)).sum();
    assert!(held <= outcome.duration);
    for link in &outcome.links {
        assert!(link.delivered + link.drops.total() <= link.frames + link.duplicated);
    }
    for socket in &outcome.sockets {
        assert!(socket.retransmitted <= socket.data_segments);
        assert!(socket.largest_window > 0 || socket.data_segments == 0);
    }
    if let Work::Stream(stream @ Stream { credit: None, .. }) = &scenario.work {
        let bytes = stream.bytes();
        match stream.ending {
            None | Some(Ending::Unanswered(_)) if is_patient(scenario) => {
                assert_eq!(outcome.received, bytes, "all that was written");
            }
            None | Some(Ending::Unanswered(_) | Ending::Reset(_)) => assert!(outcome.received <= bytes),
            Some(Ending::Goodbye(_)) => {}
        }
    }
}

/// The outcome, and the number of passed packets.
fn watched(plan: &Plan, is_ipv6: bool) -> (Result<Outcome, Stalled>, usize) {
    let mut packets = 0;
    let mut last = 0;
    let outcome = World::new(plan).run_watched(&mut |packet| {
        let frame = packet.frame(plan.opener, is_ipv6);
        assert!(frame.headers.len() <= frame.len as usize && packet.time >= last);
        last = packet.time;
        packets += 1;
    });
    (outcome, packets)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_scenario_is_simulated_or_refused(
        source in prop_oneof![
            any::<prop::sample::Index>().prop_map(Source::Bundled),
            (any::<u64>(), any::<u32>()).prop_map(|(seed, index)| Source::Random(seed, index)),
            (any::<u64>(), any::<u32>()).prop_map(|(seed, index)| Source::Talk(seed, index)),
        ],
        settings in prop::collection::vec((prop::sample::select(SETTINGS.to_vec()), any::<prop::sample::Index>()), 0..6),
        version in prop::sample::select(VERSIONS.to_vec()),
    ) {
        let mut scenario = source.scenario();
        shorten(&mut scenario);
        for ((key, values), index) in settings {
            // Some settings exclude each other.
            if let Ok(changed) = scenario.with(key, values[index.index(values.len())]) {
                scenario = changed;
            }
        }
        let version: KernelVersion = version.parse().unwrap();
        let plan = match Plan::of_scenario(&scenario, version) {
            Ok(plan) => plan,
            Err(why) => {
                prop_assert!(!why.to_string().contains('\n'));
                return Ok(());
            }
        };
        let (outcome, packets) = watched(&plan, scenario.ip_version == 6);
        prop_assert!(packets > 0);
        prop_assert_eq!(World::new(&plan).run(), outcome, "the same plan, the same outcome");
        if let Ok(outcome) = outcome {
            check(&scenario, &plan, &outcome);
        }
    }
}
