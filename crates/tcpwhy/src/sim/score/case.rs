//! Transfers whose duration on a real kernel is known.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use tcpwhy_live::text_file;
use tcpwhy_model::{ByGroup, Cause, Limit, LimitGroup};
use tcpwhy_sim::{Held, Plan};

use crate::message::{Failure, failure};
use crate::wrong::Result;

/// Largest file that describes a transfer, bytes.
const MOST: u64 = 64 << 20;

/// A transfer on a real kernel, unchanged or with one cause removed.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Case {
    /// The file or folder of the run.
    pub(in crate::sim) name: String,
    /// The removed cause; `None` for the unchanged transfer.
    pub(in crate::sim) without: Option<String>,
    /// Duration on the kernel, seconds.
    pub(in crate::sim) seconds: f64,
    /// Relative difference of a second run, if there was one.
    pub(in crate::sim) repeats_within: Option<f64>,
    /// Whether losses were random and not recorded. Each seed then loses other packets, so only the range
    /// over seeds is meaningful.
    pub(in crate::sim) has_drawn_losses: bool,
    /// The plan for the simulator, or the reason why it cannot simulate the transfer.
    pub(in crate::sim) plan: Result<Plan, Failure>,
    /// Shares of the sender's limits on the kernel, if its socket was sampled.
    pub(in crate::sim) shares: Option<Shares>,
    /// The kernel's counters, if they are known and the same frames are lost.
    pub(in crate::sim) counts: Option<Counts>,
}

/// A sender's limits as shares of time.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Shares {
    pub(in crate::sim) by_group: ByGroup<f64>,
    /// Whether the path was always busy: a writer that waits for buffer space then waits for the path.
    pub(in crate::sim) is_path_busy: bool,
}

/// Counters of the kernel.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Counts {
    pub(in crate::sim) retransmitted: u64,
    pub(in crate::sim) dropped: u64,
    pub(in crate::sim) timeouts: u64,
    /// Frames that entered the forward and the return path.
    pub(in crate::sim) frames: Option<[u64; 2]>,
}

impl Shares {
    /// Half of the sum of all differences from the simulated sender's shares: 0 for equal shares, 1 for
    /// disjoint ones.
    pub(in crate::sim) fn distance(&self, held: &Held) -> f64 {
        LimitGroup::distance(&self.by_group, &self.simulated(held))
    }

    /// The simulated sender's limits as shares in the same groups.
    pub(in crate::sim) fn simulated(&self, held: &Held) -> ByGroup<f64> {
        let all = held.all();
        LimitGroup::shares(all.into_iter().filter_map(|(cause, time)| Some((self.group(cause)?, time as f64))))
    }

    /// The group of a cause; `None` for times before and after the transfer.
    fn group(&self, cause: Cause) -> Option<LimitGroup> {
        match cause.limit {
            Limit::SendBuffer if self.is_path_busy => Some(LimitGroup::Network),
            _ => LimitGroup::of_cause(cause),
        }
    }

    /// The shares of a sampled socket (`sampled_pct` of a recording).
    pub(in crate::sim) fn of_samples(samples: &BTreeMap<String, f64>, label: &str) -> Option<Self> {
        // The configured cause is the path, its queue, or the interface.
        let is_path_busy = matches!(label, "network" | "queue" | "nic");
        let mut by_group = ByGroup::<f64>::default();
        for (name, share) in samples {
            let group = match name.as_str() {
                "cwnd" | "loss" | "pacing" | "nic" => LimitGroup::Network,
                "sndbuf" if is_path_busy => LimitGroup::Network,
                "sndbuf" => LimitGroup::SendBuffer,
                "rwnd" => LimitGroup::ReceiveWindow,
                "idle" | "app" | "nagle" => LimitGroup::Application,
                _ => continue,
            };
            by_group[group as usize] += share;
        }
        let sum: f64 = by_group.iter().sum();
        (sum > 0.0).then(|| Self { by_group: by_group.map(|share| share / sum), is_path_busy })
    }
}

/// Reads the JSON in `file`.
pub(in crate::sim) fn json<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text = text_file::read_text(file, MOST)?;
    let parsed = serde_json::from_str(&text);
    Ok(parsed.map_err(|error| {
        failure("sim-truth").with("file", file.display().to_string()).with("why", error.to_string())
    })?)
}
