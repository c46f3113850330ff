//! Recordings of the lab: `scenario.toml` and `truth.json`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use tcpwhy_live::text_file;
use tcpwhy_model::Explained as _;
use tcpwhy_scenario::Scenario;
use tcpwhy_sim::Plan;

use super::case::{Case, Counts, Shares, json};
use crate::message::Failure;
use crate::sim::kernel::KERNEL;
use crate::wrong::Result;

/// Largest scenario and largest file of samples, bytes.
const MOST: u64 = 1 << 20;
const MOST_SAMPLES: u64 = 1 << 30;
/// Plausible overhead, bytes: kernels have 832 to 1,280 (`tcpwhy_kernel::Link`), in whole cache lines
/// (`SKB_DATA_ALIGN`).
const POSSIBLE: std::ops::RangeInclusive<u64> = 640..=1_408;
const LINE: usize = 64;
/// Least share of samples that must fit an overhead. Samples between two changes, or after a FIN, fit none.
const MOST_SHARE: f64 = 0.9;

/// The result on the kernel.
#[derive(Debug, Deserialize)]
struct Truth {
    duration_s: f64,
    #[serde(default)]
    sampled_pct: BTreeMap<String, f64>,
    #[serde(default)]
    kernel: String,
    total_retrans: u64,
    total_rto: u64,
    quality: Quality,
}

#[derive(Debug, Deserialize)]
struct Quality {
    emulator: Option<Emulator>,
}

#[derive(Debug, Deserialize)]
struct Emulator {
    forward: Direction,
    back: Direction,
}

#[derive(Debug, Deserialize)]
struct Direction {
    frames: u64,
    drops: Drops,
}

#[derive(Debug, Deserialize)]
struct Drops {
    queue: u64,
    policer: u64,
}

/// The case of `folder`, if it is a recording.
pub(super) fn cases(folder: &Path) -> Result<Option<Vec<Case>>> {
    if ["scenario.toml", "truth.json"].iter().any(|name| !folder.join(name).is_file()) {
        return Ok(None);
    }
    case_of(folder).map(|case| Some(vec![case]))
}

/// The case of the recording in `folder`.
pub(in crate::sim) fn case_of(folder: &Path) -> Result<Case> {
    let [scenario, truth] = ["scenario.toml", "truth.json"].map(|name| folder.join(name));
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = text_file::read_text(&scenario, MOST)?;
    let scenario = Scenario::from_toml(&name, &text).map_err(Failure::from)?;
    let truth: Truth = json(&truth)?;
    let kernel = truth.kernel.parse().unwrap_or(KERNEL);
    let counts = truth.quality.emulator.map(|Emulator { forward, back }| Counts {
        retransmitted: truth.total_retrans,
        dropped: forward.drops.queue + forward.drops.policer,
        timeouts: truth.total_rto,
        frames: Some([forward.frames, back.frames]),
    });
    let overhead = overhead(&folder.join("sender_series.csv"));
    let plan = Plan::of_scenario(&scenario, kernel).map_err(|why| why.message().into()).map(|mut plan| {
        plan.link.skb_overhead = overhead;
        plan
    });
    Ok(Case {
        name,
        without: None,
        seconds: truth.duration_s,
        repeats_within: None,
        has_drawn_losses: false,
        plan,
        shares: Shares::of_samples(&truth.sampled_pct, ""),
        counts,
    })
}

/// Memory overhead per packet buffer, from the samples of the sender's socket: memory minus bytes is a
/// multiple of it. It depends on the kernel's build options.
fn overhead(series: &Path) -> Option<u64> {
    let text = text_file::read_text(series, MOST_SAMPLES).ok()?;
    let mut lines = text.lines();
    let names: Vec<_> = lines.next()?.split(',').collect();
    let column = |name: &str| names.iter().position(|other| *other == name);
    let (memory, bytes) = (column("wmem_queued")?, column("outq")?);
    let mut more_than_bytes = Vec::new();
    for line in lines {
        let fields: Vec<_> = line.split(',').collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok());
        if let (Some(memory), Some(bytes)) = (number(memory), number(bytes))
            && memory > bytes
        {
            more_than_bytes.push(memory - bytes);
        }
    }
    let fits = |overhead: &u64| {
        let fitting = more_than_bytes.iter().filter(|more| more.is_multiple_of(*overhead)).count();
        fitting as f64 > MOST_SHARE * more_than_bytes.len() as f64
    };
    POSSIBLE.rev().step_by(LINE).find(fits)
}
