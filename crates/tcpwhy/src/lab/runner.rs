//! A scenario run in a process tree of its own, from the side that asks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tcpwhy_lab::cell::{self, Supervisor};
use tcpwhy_lab::{LabError, MachineSettings, Recording, Scenario};

/// What starts this program's side inside the cell: `tcpwhy lab cell`.
const CELL: [&str; 2] = ["lab", "cell"];
/// Time beyond the scenario's own deadline for building and reading out both ends.
const SLACK: Duration = Duration::from_secs(20);

/// What a cell is asked for.
#[derive(Debug, Serialize, Deserialize)]
struct Job {
    scenario: Scenario,
    /// Absolute, and there already.
    folder: PathBuf,
}

/// Runs `scenario` and leaves its recording in `folder`, which is made if need be. Needs a process with one thread that lives as
/// long as the run.
pub(super) fn record(scenario: &Scenario, folder: &Path) -> Result<Recording> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let job = Job { scenario: scenario.clone(), folder };
    // Held until the run is over, however it ends.
    let settings = MachineSettings::set(scenario)?;
    let limit = Duration::from(scenario.deadline) + SLACK;
    let ended = Supervisor::spawn(&CELL, &job).and_then(|cell| cell.wait::<(), ()>(limit, |()| ()));
    drop(settings);
    ended?;
    Ok(Recording::open(&job.folder)?)
}

/// `tcpwhy lab cell`: the inside. Ends the process.
pub(super) fn enter_cell() -> ! {
    cell::main(
        |job: &Job| vec![job.folder.clone()],
        |job, _| -> Result<(), LabError> { tcpwhy_lab::run(&job.scenario, &job.folder).map(drop) },
    )
}
