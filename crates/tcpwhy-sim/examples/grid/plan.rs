//! A scenario of the grid as a plan.

use serde_json::Value;
use tcpwhy_kernel::{Device, KernelVersion, Link};
use tcpwhy_scenario::{BitRate, End, Nanos, Share};
use tcpwhy_sim::{Algorithm, EndPlan, HostProfile, HostRules, Neighbours, Netem, Plan, SocketOptions, Step, Until};

/// The guest's settings, from its `/proc/sys`: it has 512 MB.
const SYSCTLS: [&str; 4] = [
    "net.ipv4.tcp_rmem=4096 131072 4048192",
    "net.ipv4.tcp_wmem=4096 16384 4048192",
    "net.core.rmem_max=4194304",
    "net.core.wmem_max=4194304",
];
/// The guest's `CONFIG_HZ`.
const TICKS_A_SECOND: u64 = 100;
/// When its connections begin: it boots, configures, and sleeps for two seconds.
const BOOTED_FOR: u64 = 2_000_850_000;
/// Memory of an skb besides its payload (`ss -m`).
const SKB_OVERHEAD: u64 = 896;
/// `timer_slack_ns`.
const TIMER_SLACK: u64 = 50_000;
/// Bytes of one `recv()` of a reader that is fast, and of one that rests.
const READS: [u64; 2] = [1 << 20, 16_384];
/// Without its rate a path has ten times as much, and a queue for that.
const FASTER: u64 = 10;

/// The scenario without one of its causes: the name of a key, or `all` of them but the rate. `None` where it
/// has something that is not simulated.
pub(crate) fn plan(scenario: &Value, without: Option<&str>, seed: u64) -> Option<Plan> {
    let number = |key: &str| {
        let is_taken = without == Some(key) || (without == Some("all") && key != "rate");
        scenario[key].as_f64().filter(|&number| number > 0.0 && !is_taken)
    };
    let whole = |key: &str| number(key).map(|number| number as u64);
    let algorithm = match scenario["cc"].as_str()? {
        "cubic" => Algorithm::Cubic,
        "reno" => Algorithm::Reno,
        _ => return None,
    };
    let faster = if without == Some("rate") { FASTER } else { 1 };
    let netem = Netem {
        rate: Some(BitRate((scenario["rate"].as_f64()? * 1e6) as u64 * faster)),
        delay: Nanos((scenario["delay"].as_f64()? * 1e6) as u64),
        limit: scenario["limit"].as_u64()? * faster,
        loss: Share(number("loss").unwrap_or(0.0) / 100.0),
        neighbours: Neighbours::Unknown,
    };
    let mut host = HostRules {
        algorithm,
        ticks_a_second: TICKS_A_SECOND,
        booted_for: BOOTED_FOR,
        ..HostRules::defaults(KernelVersion::series(7, 2))
    };
    let wmem = whole("wmem").map(|most| format!("net.ipv4.tcp_wmem=4096 {most} {most}"));
    for setting in SYSCTLS.into_iter().chain(wmem.as_deref()) {
        host.sysctls.assign(setting).ok()?;
    }
    let reader = match whole("reader") {
        None => Step::ReadAll { size: READS[0] },
        Some(rate) => Step::ReadWithRests { rate, size: READS[1] },
    };
    let profile = HostProfile { slack: TIMER_SLACK, merges: false, shares_timers: true, ..HostProfile::IDEAL };
    let end = |options, steps| EndPlan { host: host.clone(), options, profile, steps };
    let rest = number("rest").map(|seconds| (seconds * 1e9) as u64);
    let sender = SocketOptions { sndbuf: whole("sndbuf"), ..SocketOptions::default() };
    let receiver = SocketOptions { rcvbuf: whole("rcvbuf"), ..SocketOptions::default() };
    Some(Plan {
        ends: [
            end(sender, writes(scenario["bytes"].as_u64()?, scenario["write"].as_u64()?, rest)),
            end(receiver, vec![reader, Step::Finish]),
        ],
        opener: End::Sender,
        path: netem.into(),
        link: Link { skb_overhead: Some(SKB_OVERHEAD), ..Link::new(1500, Device::Local) },
        seed,
        until: Until::BothEnd,
        deadline: 600_000_000_000,
    })
}

/// Writes, each with a rest behind it, and waits for the other end to close.
fn writes(bytes: u64, size: u64, rest: Option<u64>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut left = bytes;
    while left > 0 {
        let now = left.min(size);
        steps.push(Step::Write(now));
        steps.extend(rest.map(Step::Rest));
        left -= now;
    }
    steps.extend([Step::Finish, Step::ReadAll { size: 1 }]);
    steps
}
