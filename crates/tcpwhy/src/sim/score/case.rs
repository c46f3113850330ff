//! A transfer whose duration on a real kernel is known.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;
use tcpwhy_live::text_file;
use tcpwhy_model::{ByGroup, Cause, Limit, LimitGroup};
use tcpwhy_sim::{Held, Plan};

use crate::message::{Failure, failure};
use crate::wrong::Result;

/// More than any file that describes a transfer.
const MOST: u64 = 64 << 20;

/// A transfer that a real kernel did, as it was or with one cause taken away.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Case {
    /// The run, by its file or folder.
    pub(in crate::sim) name: String,
    /// The cause that was taken away; `None`: it was left as it was.
    pub(in crate::sim) without: Option<String>,
    /// What the kernel took, seconds.
    pub(in crate::sim) seconds: f64,
    /// How far a second run of it was from the first, as a share, where there was one.
    pub(in crate::sim) repeats_within: Option<f64>,
    /// Nobody knows which packets were lost: each seed loses others, and only a range of them says something.
    pub(in crate::sim) has_drawn_losses: bool,
    /// What the simulator is asked, or why it is not.
    pub(in crate::sim) plan: Result<Plan, Failure>,
    /// What held the sender back on the kernel, where its socket was sampled.
    pub(in crate::sim) shares: Option<Shares>,
    /// What the kernel counted, where it is known and the same frames are lost.
    pub(in crate::sim) counts: Option<Counts>,
}

/// What held a sender back, in shares of time.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Shares {
    pub(in crate::sim) by_group: ByGroup<f64>,
    /// The path was busy all along: a writer that waits for room then waits for the path.
    pub(in crate::sim) is_path_busy: bool,
}

/// What the kernel counted.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Counts {
    pub(in crate::sim) retransmitted: u64,
    pub(in crate::sim) dropped: u64,
    pub(in crate::sim) timeouts: u64,
    /// Frames that entered the way there and the way back.
    pub(in crate::sim) frames: Option<[u64; 2]>,
}

impl Shares {
    /// Half of the sum of all differences from what the simulated sender was held back by: 0 is the same, 1
    /// has nothing in common.
    pub(in crate::sim) fn distance(&self, held: &Held) -> f64 {
        LimitGroup::distance(&self.by_group, &self.simulated(held))
    }

    /// The shares of what the simulated sender was held back by, in the same groups.
    pub(in crate::sim) fn simulated(&self, held: &Held) -> ByGroup<f64> {
        let all = held.all();
        LimitGroup::shares(all.into_iter().filter_map(|(cause, time)| Some((self.group(cause)?, time as f64))))
    }

    /// Times before and after the transfer count for nothing.
    fn group(&self, cause: Cause) -> Option<LimitGroup> {
        match cause.limit {
            Limit::SendBuffer if self.is_path_busy => Some(LimitGroup::Network),
            _ => LimitGroup::of_cause(cause),
        }
    }

    /// The shares of a sampled socket (`sampled_pct` of a recording).
    pub(in crate::sim) fn of_samples(samples: &BTreeMap<String, f64>, label: &str) -> Option<Self> {
        // The imposed cause is the path, its queue, or the interface.
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

/// The JSON in `file`.
pub(in crate::sim) fn json<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text = text_file::read_text(file, MOST)?;
    let parsed = serde_json::from_str(&text);
    Ok(parsed.map_err(|error| {
        failure("sim-truth").with("file", file.display().to_string()).with("why", error.to_string())
    })?)
}
