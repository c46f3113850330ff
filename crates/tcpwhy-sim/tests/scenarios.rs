//! Scenarios of the lab: each is simulated, or refused with a one-line reason.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use tcpwhy_kernel::KernelVersion;
use tcpwhy_scenario::{Scenario, Stream, Work, bundled, random, random_talk};
use tcpwhy_sim::{NotSimulated, Outcome, Plan, Stalled, World};

const V6_18: KernelVersion = KernelVersion::series(6, 18);

fn run(scenario: &Scenario, version: KernelVersion) -> Result<Result<Outcome, Stalled>, NotSimulated> {
    let mut plan = Plan::of_scenario(scenario, version)?;
    // The value of the measured kernel.
    plan.link.skb_overhead = version.is_since(6, 18).then_some(832);
    Ok(World::new(&plan).run())
}

fn scenario(text: &str) -> Scenario {
    Scenario::from_toml("test", text).unwrap()
}

fn seconds(scenario: &Scenario) -> f64 {
    run(scenario, V6_18).unwrap().unwrap().duration as f64 / 1e9
}

/// Shortens long streams, because a part shows that they run.
fn shorten(scenario: &mut Scenario) {
    const ENOUGH: u64 = 10_000_000;
    if let Work::Stream(Stream { phases, ending: None, .. }) = &mut scenario.work {
        for phase in phases.iter_mut() {
            phase.bytes.0 = phase.bytes.0.min(ENOUGH);
        }
    }
}

/// Lists the refused scenarios, and those that never end, which fail in the lab too.
#[test]
fn bundled_scenarios_run_or_are_refused() {
    let (mut refused, mut stalled) = (Vec::new(), Vec::new());
    for mut scenario in bundled::all() {
        shorten(&mut scenario);
        match run(&scenario, V6_18) {
            Ok(Ok(outcome)) => assert!(outcome.received > 0 && outcome.duration > 0, "{}", scenario.name),
            Ok(Err(why)) => {
                assert!(scenario.expect.breaks, "{}: {why}", scenario.name);
                stalled.push(format!("{}: {why}", scenario.name));
            }
            Err(NotSimulated::Programs) => {
                assert!(matches!(scenario.work, Work::Application(_)), "{}", scenario.name);
            }
            Err(why) => refused.push(format!("{}: {why}", scenario.name)),
        }
    }
    refused.sort();
    assert_eq!(refused, [""; 0]);
    stalled.sort();
    let gave_up = "ACKs stopped, and a kernel gave up the connection (tcp_retries2)";
    assert_eq!(
        stalled,
        [
            "both-ends-write: the transfer has not ended by its deadline".to_owned(),
            format!("idle-timeout: {gave_up}"),
            format!("mtu-black-hole: {gave_up}"),
            format!("peer-dies: {gave_up}"),
        ]
    );
}

/// Durations on Linux 6.18 in the lab, in seconds (`docs/cases`), for programs of different kinds.
#[test]
fn programs_take_as_long_as_in_the_lab() {
    let mut wrong = Vec::new();
    for (name, measured) in [
        ("app-paced", 5.04),
        ("fetch-size", 4.63),
        ("forwarder-sndbuf", 3.43),
        ("goodbye-after-silence", 5.08),
        ("grpc-streams", 3.99),
        ("heartbeats", 7.05),
        ("http2-window", 4.06),
        ("http2-window-4m", 1.50),
        ("http2-window-whole", 2.29),
        ("phases", 9.09),
        ("redis-pipeline", 5.27),
        ("request-response", 4.30),
        ("request-unanswered", 3.32),
        ("reset-by-receiver", 0.947),
        ("reset-by-sender", 0.657),
        ("sftp-blocks", 4.94),
        ("slow-reader", 6.00),
        ("ssh-channel-window", 5.52),
        ("writer-rests", 5.94),
        ("zero-window-blackhole", 8.63),
        ("zero-window-long", 9.31),
    ] {
        let simulated = seconds(&bundled::get(name).unwrap());
        if (simulated / measured - 1.0).abs() > 0.03 {
            wrong.push(format!("{name}: {simulated:.3} s, not {measured:.3} s"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Random scenarios run with all kernels, deterministically.
#[test]
fn random_scenarios_run() {
    let versions = ["4.20", "5.10", "5.15", "6.1", "6.6", "6.8.0", "6.12", "6.16.1", "6.18", "6.19", "7.3"];
    let mut ran = 0;
    for seed in 0..66_u32 {
        let version: KernelVersion = versions[seed as usize % versions.len()].parse().unwrap();
        let scenario = if seed % 3 == 0 { random_talk(7, seed) } else { random(7, seed) };
        // BBR, ECN and connections without SACK may be refused.
        let Ok(outcome) = run(&scenario, version) else { continue };
        let outcome = outcome.unwrap_or_else(|why| panic!("{seed} {version}: {why}"));
        assert!(outcome.received > 0, "{seed} {version}");
        assert_eq!(run(&scenario, version), Ok(Ok(outcome)), "{seed} {version}");
        ran += 1;
    }
    assert!(ran > 33, "{ran}");
}

/// The size of a program does not depend on its repetitions: a million turns need no more memory than one,
/// and end at the deadline.
#[test]
fn a_million_turns_are_cut_off_at_the_deadline() {
    let turns = scenario(
        "deadline = \"1s\"\n[link]\nrtt = \"10ms\"\n[work.turns]\ncount = 4000000000\nrequest = [\"10B\"]\nresponse = [\"10B\"]",
    );
    let plan = Plan::of_scenario(&turns, V6_18).unwrap();
    assert!(plan.ends.iter().all(|end| end.steps.len() < 8));
    assert_eq!(World::new(&plan).run(), Err(Stalled::Deadline));
}

/// Until 6.5 `SO_RCVBUF` on an open connection does not raise its window; later it does until data has
/// arrived.
#[test]
fn late_buffers_are_those_of_the_kernel() {
    let text = |late: bool, version: &str| {
        let scenario = scenario(&format!(
            "[link]\nrtt = \"40ms\"\nrate = \"1gbit\"\nqueue = \"10MB\"\n[receiver]\nrcvbuf = \"4MiB\"\nlate_buffers = {late}\n\
             sysctl = {{ \"net.core.rmem_max\" = \"8388608\", \"net.ipv4.tcp_rmem\" = \"4096 131072 16777216\" }}\n\
             [work.stream]\nphases = [{{ bytes = \"20MB\" }}]"
        ));
        run(&scenario, version.parse().unwrap()).unwrap().unwrap().duration
    };
    for version in ["5.10", "6.1"] {
        assert!(text(true, version) > 4 * text(false, version), "{version}: its window stays at 64 kB");
    }
    for version in ["6.12", "6.18", "7.3"] {
        let (late, early) = (text(true, version), text(false, version));
        assert!(late < early * 11 / 10, "{version}: {late} and {early}: set before data came");
    }
}

/// Regressions of kernels in `tcpwhy-kernel` (`regressions`): the affected release is slower than those
/// before and after.
#[test]
fn faults_of_kernels_slow_transfers() {
    let stream = |mtu: u32, rate: &str, receiver: &str, bytes: &str| {
        scenario(&format!(
            "mtu = {mtu}\n[link]\nrtt = \"200ms\"\nrate = \"{rate}\"\nqueue = \"20MB\"\n[receiver]\n{receiver}\n\
             sysctl = {{ \"net.core.rmem_max\" = \"8388608\" }}\n\
             [work.stream]\nphases = [{{ bytes = \"{bytes}\" }}]"
        ))
    };
    for (what, scenario, [before, with, after], least) in [
        // Measured on guests: 3.65 s with 6.17.8, 2.31 s with 6.18.15.
        ("autotuning-slow", stream(1500, "500mbit", "", "6MB"), ["6.15.11", "6.17.8", "6.18"], 1.3),
        (
            "quarter-of-buffer",
            stream(1500, "500mbit", "rcvbuf = \"256KiB\"", "6MB"),
            ["6.5.13", "6.6.32", "6.6.33"],
            1.7,
        ),
        // On slower paths, more than the first window is read in the first round trip, which opens the
        // window.
        ("jumbo-window-stuck", stream(9000, "2gbit", "", "6MB"), ["5.10", "5.4.84", "5.4.85"], 1.5),
    ] {
        let took = |version: &str| {
            let outcome = run(&scenario, version.parse().unwrap()).unwrap();
            outcome.unwrap_or_else(|why| panic!("{what} {version}: {why}")).duration as f64
        };
        assert!(took(with) > least * took(before), "{what}: {} and {}", took(with), took(before));
        assert!(took(with) > least * took(after), "{what}: {} and {}", took(with), took(after));
    }
}

#[test]
fn what_cannot_be_is_refused_in_a_line() {
    let plain = bundled::get("sndbuf-16k").unwrap();
    let said = Plan::of_scenario(&plain, "4.19".parse().unwrap()).unwrap_err().to_string();
    assert_eq!(said, "the simulator does not support kernels before 4.20");
    let vegas = scenario("[sender]\ncongestion_control = \"vegas\"\n[work.stream]\nphases = [{ bytes = \"1MB\" }]");
    let said = run(&vegas, V6_18).unwrap_err().to_string();
    assert_eq!(said, "the simulator does not support the congestion control vegas");
}
