//! Transfers on a kernel in virtual time, each repeated without each of its causes: `NAME.truth.json`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tcpwhy_kernel::{Device, KernelVersion, Link, Sysctl};
use tcpwhy_model::Explained as _;
use tcpwhy_scenario::{BitRate, End, Nanos, Pace, Share, Waits};
use tcpwhy_sim::{
    Algorithm, EndPlan, HostProfile, HostRules, Neighbours, Netem, Plan, SocketOptions, Step, Stretch, Until,
};

use super::case::{Case, json};
use crate::message::{Failure, failure};
use crate::wrong::Result;

/// End of the file names.
const ENDING: &str = ".truth.json";
/// The guest's kernel.
const KERNEL: KernelVersion = KernelVersion::series(7, 2);
/// The guest's settings, from its `/proc/sys`: it has 512 MB.
const SETTINGS: [&str; 4] = [
    "net.ipv4.tcp_rmem=4096 131072 4048192",
    "net.ipv4.tcp_wmem=4096 16384 4048192",
    "net.core.rmem_max=4194304",
    "net.core.wmem_max=4194304",
];
/// The guest's `CONFIG_HZ`.
const TICKS_A_SECOND: u64 = 100;
/// Uptime at the start of connections, ns: the guest boots, configures itself and sleeps for two seconds.
const BOOTED_FOR: u64 = 2_000_850_000;
/// Memory overhead per packet buffer, bytes (`ss -m`).
const OVERHEAD: u64 = 896;
/// `timer_slack_ns`.
const TIMER_SLACK: u64 = 50_000;
/// Bytes per `recv()` of a fast reader, and of one that pauses.
const READS: [u64; 2] = [1 << 20, 16_384];
/// Factor for the path's rate and queue when the rate limit is removed.
const FASTER: u64 = 10;
/// Longest simulated time, ns.
const DEADLINE: u64 = 600_000_000_000;

/// The contents of such a file.
#[derive(Debug, Deserialize)]
struct Truth {
    scenario: Scenario,
    duration_s: f64,
    without_s: BTreeMap<String, Option<f64>>,
}

/// A path and the possible limits of the transfer. A 0 means that the limit is absent.
#[derive(Clone, Debug, Deserialize)]
struct Scenario {
    /// Mbit/s.
    rate: f64,
    /// One-way delay, ms.
    delay: f64,
    cc: String,
    /// Bytes per write.
    write: u64,
    /// Length of the path's queue, packets.
    limit: u64,
    bytes: u64,
    /// Lost packets, per cent.
    #[serde(default)]
    loss: f64,
    #[serde(default)]
    sndbuf: u64,
    #[serde(default)]
    rcvbuf: u64,
    /// Rate of the reader, bytes/s.
    #[serde(default)]
    reader: u64,
    /// Pause between writes, seconds.
    #[serde(default)]
    rest: f64,
    /// Third value of `tcp_wmem`, bytes, also used as the second.
    #[serde(default)]
    wmem: u64,
    /// Version of the guest's kernel; 7.2 by default.
    kernel: Option<String>,
    /// Memory overhead per packet buffer in that kernel, bytes.
    overhead: Option<u64>,
    /// Other settings of both ends, as `name=value`.
    #[serde(default)]
    sysctls: Vec<String>,
}

/// Whether `path` is such a file.
pub(super) fn is_one(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ENDING))
}

/// The cases of the file `path`.
pub(super) fn cases(path: &Path) -> Result<Vec<Case>> {
    let truth: Truth = json(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(ENDING).unwrap_or(&name);
    let case = |without: Option<&str>, seconds| {
        let scenario = truth.scenario.without(without);
        Case {
            name: name.to_owned(),
            without: without.map(str::to_owned),
            seconds,
            repeats_within: Some(0.0),
            has_drawn_losses: scenario.as_ref().is_ok_and(|scenario| scenario.loss > 0.0),
            plan: scenario.and_then(|scenario| scenario.plan()),
            shares: None,
            counts: None,
        }
    };
    let own = case(None, truth.duration_s);
    let others = truth.without_s.iter().filter_map(|(cause, seconds)| Some(case(Some(cause), (*seconds)?)));
    Ok(std::iter::once(own).chain(others).collect())
}

impl Scenario {
    fn without(&self, cause: Option<&str>) -> Result<Self, Failure> {
        let mut free = self.clone();
        match cause {
            None => {}
            Some("sndbuf") => free.sndbuf = 0,
            Some("rcvbuf") => free.rcvbuf = 0,
            Some("reader") => free.reader = 0,
            Some("rest") => free.rest = 0.0,
            Some("wmem") => free.wmem = 0,
            Some("loss") => free.loss = 0.0,
            Some("rate") => (free.rate, free.limit) = (self.rate * FASTER as f64, self.limit * FASTER),
            Some("all") => {
                free = Self { sndbuf: 0, rcvbuf: 0, reader: 0, rest: 0.0, wmem: 0, loss: 0.0, ..free };
            }
            Some(other) => return Err(failure("sim-cause").with("cause", other)),
        }
        Ok(free)
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let algorithm = Algorithm::from_name(&self.cc);
        let algorithm = algorithm.ok_or_else(|| failure("sim-congestion-control").with("name", self.cc.as_str()))?;
        let mut host = HostRules {
            algorithm,
            ticks_a_second: TICKS_A_SECOND,
            booted_for: BOOTED_FOR,
            ..HostRules::defaults(self.kernel()?)
        };
        let wmem = (self.wmem > 0).then(|| format!("net.ipv4.tcp_wmem=4096 {0} {0}", self.wmem));
        let more = self.sysctls.iter().map(String::as_str);
        for setting in SETTINGS.into_iter().chain(wmem.as_deref()).chain(more) {
            host.sysctls.assign(setting).map_err(|error| Failure::from(error.message()))?;
        }
        let given = |bytes: u64| (bytes > 0).then_some(bytes);
        let reader = match given(self.reader) {
            None => Step::ReadAll { size: READS[0] },
            Some(rate) => Step::ReadWithRests { rate, size: READS[1] },
        };
        let profile = HostProfile { slack: TIMER_SLACK, merges: false, shares_timers: true, ..HostProfile::IDEAL };
        let end = |options, steps| EndPlan { host: host.clone(), options, profile, steps };
        let sender = SocketOptions { sndbuf: given(self.sndbuf), ..SocketOptions::default() };
        let receiver = SocketOptions { rcvbuf: given(self.rcvbuf), ..SocketOptions::default() };
        let netem = Netem {
            rate: Some(BitRate((self.rate * 1e6) as u64)),
            delay: Nanos((self.delay * 1e6) as u64),
            limit: self.limit,
            loss: Share(self.loss / 100.0),
            neighbours: Neighbours::Unknown,
        };
        Ok(Plan {
            ends: [end(sender, self.writes()), end(receiver, vec![reader, Step::Finish])],
            opener: End::Sender,
            path: netem.into(),
            until: Until::BothEnd,
            link: Link {
                skb_overhead: Some(self.overhead.unwrap_or(OVERHEAD)),
                has_timestamps: host.sysctls.number(Sysctl::TcpTimestamps) != Some(0),
                ..Link::new(1500, Device::Local)
            },
            seed: 1,
            deadline: DEADLINE,
        })
    }

    fn kernel(&self) -> Result<KernelVersion, Failure> {
        let parsed = self.kernel.as_ref().map(|version| version.parse::<KernelVersion>()).transpose();
        parsed.map(|version| version.unwrap_or(KERNEL)).map_err(|error| Failure::from(error.message()))
    }

    /// Writes with a pause after each, then waits for the other end to close.
    fn writes(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.rest > 0.0 {
            let (write, rest) = (self.write.max(1), Step::Rest((self.rest * 1e9) as u64));
            let turn = [Step::Write(write), rest.clone()];
            steps.push(Step::Repeat { times: self.bytes / write, steps: turn.into() });
            if !self.bytes.is_multiple_of(write) {
                steps.extend([Step::Write(self.bytes % write), rest]);
            }
        } else {
            let (bytes, size) = (self.bytes, self.write);
            steps.push(Step::Send(Stretch { bytes, size, pace: Pace::Free, waits: Waits::Call }));
        }
        steps.extend([Step::Finish, Step::ReadAll { size: 1 }]);
        steps
    }
}
