//! Runs between two namespaces, recorded as `scenario.json`, `truth.json` and `counterfactual.json`.

mod program;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tcpwhy_kernel::{Device, KernelVersion, Link};
use tcpwhy_model::Explained as _;
use tcpwhy_scenario::{BitRate, Bytes, Change, DirectionSpec, End, Flow, LinkSpec, Nanos, Share, splitmix};
use tcpwhy_sim::{Algorithm, EndPlan, HostProfile, HostRules, Plan, SocketOptions, Until};

use super::case::{Case, Counts, Shares, json};
use crate::message::{Failure, failure};
use crate::wrong::Result;

/// The settings of a run.
#[derive(Clone, Debug, Deserialize)]
struct Scenario {
    bytes: u64,
    rtt_ms: f64,
    rate_mbit: f64,
    #[serde(default)]
    back_mbit: f64,
    queue_bytes: Option<u64>,
    #[serde(default)]
    loss: f64,
    #[serde(default)]
    back_loss: f64,
    seed: u64,
    /// `ab.reorder=0.05`, `both.jitter_us=3000`, `at=1.0:ab.loss:0.03`.
    #[serde(default)]
    link: Vec<String>,
    sndbuf: Option<u64>,
    rcvbuf: Option<u64>,
    #[serde(default)]
    sysctl: BTreeMap<String, Value>,
    #[serde(default)]
    sysctl_snd: BTreeMap<String, Value>,
    #[serde(default)]
    sysctl_rcv: BTreeMap<String, Value>,
    cc: String,
    #[serde(default)]
    nodelay: u8,
    /// Whether both programs wait in `poll()`.
    #[serde(default)]
    poll: u8,
    writer: String,
    reader: String,
    #[serde(default)]
    connect: String,
    #[serde(default = "ethernet")]
    mtu: u32,
    #[serde(default = "one")]
    gro: u8,
    #[serde(default)]
    family: u8,
    #[serde(default)]
    nic_mbit: f64,
    #[serde(default)]
    kernel: String,
}

const fn ethernet() -> u32 {
    1500
}

const fn one() -> u8 {
    1
}

/// The result on the kernel.
#[derive(Debug, Deserialize)]
struct Truth {
    duration_s: f64,
    #[serde(default)]
    label: String,
    #[serde(default)]
    sampled_pct: BTreeMap<String, f64>,
    total_retrans: Option<u64>,
    total_rto: Option<u64>,
    link_queue_drops: Option<u64>,
}

/// Durations of the unchanged transfer (`none`) and without each of its causes.
#[derive(Debug, Deserialize)]
struct Counterfactual {
    duration_s: BTreeMap<String, f64>,
}

/// Settings of both hosts in all of these runs.
const SETTINGS: [&str; 4] = [
    "net.ipv4.tcp_rmem=4096 131072 33554432",
    "net.ipv4.tcp_wmem=4096 16384 4194304",
    "net.core.rmem_max=4194304",
    "net.core.wmem_max=4194304",
];
/// Memory overhead per packet buffer, bytes, measured on that kernel.
const OVERHEAD: u64 = 832;
/// Smallest default queue, bytes.
const QUEUE: f64 = 524_288.0;
/// Values that replace each cause when it is removed.
const FREE_MEGABITS: f64 = 2_000.0;
const FREE_ROUND_TRIP_MS: f64 = 0.2;
const FREE_WRITER: &str = "fast:{bytes}:131072";
const FREE_READER: &str = "fast:262144";
/// Longest simulated time, ns.
const DEADLINE: u64 = 600_000_000_000;

/// The cases of `folder`, if it is such a run.
pub(super) fn cases(folder: &Path) -> Result<Option<Vec<Case>>> {
    let [scenario, truth, counterfactual] =
        ["scenario.json", "truth.json", "counterfactual.json"].map(|name| folder.join(name));
    if !scenario.is_file() || !truth.is_file() {
        return Ok(None);
    }
    let scenario: Scenario = json(&scenario)?;
    let truth: Truth = json(&truth)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut taken =
        if counterfactual.is_file() { json::<Counterfactual>(&counterfactual)?.duration_s } else { BTreeMap::new() };
    let again = taken.remove("none");
    let repeats_within = again.map(|again| (again / truth.duration_s - 1.0).abs());
    let case = |without: Option<String>, seconds| Case {
        name: name.clone(),
        plan: scenario.without(without.as_deref()).and_then(|scenario| scenario.plan()),
        without,
        seconds,
        repeats_within,
        has_drawn_losses: false,
        shares: None,
        counts: None,
    };
    let counted = [truth.total_retrans, truth.link_queue_drops, truth.total_rto];
    let counts = match counted {
        [Some(retransmitted), Some(dropped), Some(timeouts)] => {
            Some(Counts { retransmitted, dropped, timeouts, frames: None })
        }
        _ => None,
    };
    let shares = Shares::of_samples(&truth.sampled_pct, &truth.label);
    let own = Case { shares, counts, ..case(None, again.unwrap_or(truth.duration_s)) };
    let others = taken.into_iter().map(|(cause, seconds)| case(Some(cause), seconds));
    Ok(Some(std::iter::once(own).chain(others).collect()))
}

impl Scenario {
    /// The same scenario without one of its causes.
    fn without(&self, cause: Option<&str>) -> Result<Self, Failure> {
        let mut free = self.clone();
        let Some(cause) = cause else { return Ok(free) };
        let mut forget = |setting: &str| {
            for settings in [&mut free.sysctl, &mut free.sysctl_snd, &mut free.sysctl_rcv] {
                settings.remove(setting);
            }
        };
        match cause {
            "sndbuf" => {
                forget("tcp_wmem");
                free.sndbuf = None;
            }
            "rcvbuf" => {
                forget("tcp_rmem");
                free.rcvbuf = None;
            }
            "loss" => {
                (free.loss, free.back_loss) = (0.0, 0.0);
                free.link.clear();
            }
            // A faster path gets its default queue, and no slow interface in front.
            "rate" => {
                (free.rate_mbit, free.queue_bytes) = (FREE_MEGABITS, None);
                if free.nic_mbit < FREE_MEGABITS {
                    free.nic_mbit = HostProfile::LAB.nic as f64 / 1e6;
                }
            }
            "queue" => free.queue_bytes = None,
            "rtt" => free.rtt_ms = FREE_ROUND_TRIP_MS,
            "writer" => FREE_WRITER.clone_into(&mut free.writer),
            "reader" => FREE_READER.clone_into(&mut free.reader),
            "nodelay" => free.nodelay = 1,
            other => return Err(failure("sim-cause").with("cause", other)),
        }
        Ok(free)
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let [sender, receiver] = program::steps(&self.writer, &self.reader, self.bytes, self.poll == 1)?;
        let profile = HostProfile { nic: (self.nic_mbit * 1e6) as u64, merges: self.gro == 1, ..HostProfile::LAB };
        let has_nodelay = self.nodelay == 1;
        let link = Link { skb_overhead: Some(OVERHEAD), is_ipv6: self.family == 6, ..Link::new(self.mtu, Device::Nic) };
        Ok(Plan {
            ends: [
                EndPlan {
                    host: self.host(&self.sysctl_snd)?,
                    options: SocketOptions { sndbuf: self.sndbuf, has_nodelay, ..SocketOptions::default() },
                    profile,
                    steps: sender,
                },
                EndPlan {
                    host: self.host(&self.sysctl_rcv)?,
                    options: SocketOptions { rcvbuf: self.rcvbuf, has_nodelay, ..SocketOptions::default() },
                    profile,
                    steps: receiver,
                },
            ],
            opener: if self.connect == "rcv" { End::Receiver } else { End::Sender },
            path: self.path()?.into(),
            until: Until::ReceiverEnds,
            link,
            seed: self.seed,
            deadline: DEADLINE,
        })
    }

    fn host(&self, own: &BTreeMap<String, Value>) -> Result<HostRules, Failure> {
        let version = self.kernel.parse().unwrap_or(KernelVersion::series(6, 18));
        let algorithm = Algorithm::from_name(&self.cc);
        let algorithm = algorithm.ok_or_else(|| failure("sim-congestion-control").with("name", self.cc.as_str()))?;
        let mut host = HostRules { algorithm, ..HostRules::defaults(version) };
        let own = self.sysctl.iter().chain(own).map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("net.ipv4.{name}={value}")
        });
        for setting in SETTINGS.iter().map(|setting| (*setting).to_owned()).chain(own) {
            host.sysctls.assign(&setting).map_err(|error| Failure::from(error.message()))?;
        }
        Ok(host)
    }

    fn path(&self) -> Result<LinkSpec, Failure> {
        let megabits = |rate: f64| BitRate((rate * 1e6) as u64);
        let product = self.rate_mbit * 1e6 / 8.0 * self.rtt_ms / 1e3;
        let mut path = LinkSpec { rtt: Nanos((self.rtt_ms * 1e6) as u64), ..LinkSpec::default() };
        path.forward.rate = Some(megabits(self.rate_mbit));
        path.forward.queue = Some(Bytes(self.queue_bytes.unwrap_or(product.max(QUEUE) as u64)));
        path.back.rate = (self.back_mbit > 0.0).then(|| megabits(self.back_mbit));
        path.back.loss = (self.back_loss > 0.0).then_some(Share(self.back_loss));
        if self.loss > 0.0 {
            let (syns, data) = self.lost_frames();
            path.forward.lose_syns = (syns > 0).then_some(syns);
            path.forward.lose_data = data;
        }
        for words in &self.link {
            let (at, what) = words.split_once('=').ok_or_else(|| unknown(words))?;
            if at == "at" {
                path.changes.push(change(what)?);
                continue;
            }
            let (end, key) = at.split_once('.').ok_or_else(|| unknown(words))?;
            for (name, direction) in [("ab", &mut path.forward), ("ba", &mut path.back)] {
                if end == name || end == "both" {
                    effect(direction, key, what)?;
                }
            }
        }
        Ok(path)
    }

    /// The frames that the emulator lost: frame n of a direction is decided by the n-th number of its seed.
    /// The sender's first frames are its SYN, sent once more than it is lost, and an ACK; data follows.
    /// Returns the number of lost SYNs, and the lost data frames.
    fn lost_frames(&self) -> (u64, Vec<u64>) {
        /// Frames to compute: more than any run has.
        const FRAMES: u64 = 400_000;
        let mut state = self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5851_f42d;
        let mut unit = || {
            state = state.wrapping_add(splitmix::GAMMA);
            (splitmix::mix(state) >> 11) as f64 / (1_u64 << 53) as f64
        };
        let is_lost: Vec<bool> = (0..FRAMES).map(|_| unit() < self.loss).collect();
        let syns = is_lost.iter().take_while(|lost| **lost).count();
        let data = is_lost.iter().skip(syns + 2).zip(1..).filter_map(|(lost, n)| lost.then_some(n)).collect();
        (syns as u64, data)
    }
}

/// The error for an unknown property of a path.
fn unknown(words: &str) -> Failure {
    failure("sim-path").with("words", words)
}

/// `1.0:ab.loss:0.03`.
fn change(what: &str) -> Result<Change, Failure> {
    let parts: Vec<&str> = what.split(':').collect();
    let &[at, key, value] = &parts[..] else { return Err(unknown(what)) };
    let (end, key) = key.split_once('.').ok_or_else(|| unknown(what))?;
    let mut to = DirectionSpec::default();
    effect(&mut to, key, value)?;
    let flow = match end {
        "ab" => Flow::Forward,
        "ba" => Flow::Back,
        _ => Flow::Both,
    };
    let at = Nanos((at.parse::<f64>().map_err(|_| unknown(what))? * 1e9) as u64);
    Ok(Change { at, flow, to })
}

fn effect(direction: &mut DirectionSpec, key: &str, value: &str) -> Result<(), Failure> {
    let number = value.parse::<f64>();
    let float = || number.clone().map_err(|_| unknown(value));
    match key {
        "loss" => direction.loss = Some(Share(float()?)),
        "dup" => direction.duplicate = Some(Share(float()?)),
        "rate" => direction.rate = Some(BitRate((float()? * 1e6) as u64)),
        "jitter_us" => direction.jitter = Some(Nanos((float()? * 1e3) as u64)),
        "reorder" => direction.reorder = Some(Share(float()?)),
        "reorder_us" => direction.reorder_by = Some(Nanos((float()? * 1e3) as u64)),
        "drop_nth" => direction.lose_syns = Some(1),
        "drop_nth_data" => {
            let all = value.split('+').map(|n| n.parse().map_err(|_| unknown(value)));
            direction.lose_data = all.collect::<Result<_, _>>()?;
        }
        other => return Err(unknown(other)),
    }
    Ok(())
}
