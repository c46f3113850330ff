//! A scenario becomes a recording: in a process tree of its own, which nothing of the run outlives.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tcpwhy_lab::cell::{self, Supervisor};
use tcpwhy_lab::{MachineSettings, Recording, Scenario};

/// What a run takes besides the transfer: its namespaces, the captures, the last packets.
const BESIDES: Duration = Duration::from_secs(20);

/// What the cell is told.
#[derive(Debug, Serialize, Deserialize)]
struct Job {
    scenario: Scenario,
    folder: PathBuf,
}

/// Runs `scenario` and leaves its recording in `folder`, which is made if it is not there.
pub(super) fn record(scenario: &Scenario, folder: &Path) -> Result<Recording> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let _settings = MachineSettings::set(scenario)?;
    let job = Job { scenario: scenario.clone(), folder: folder.clone() };
    let limit = Duration::from(scenario.deadline) + BESIDES;
    let cell = Supervisor::spawn(&["lab", "cell"], &job)?;
    let () = cell.wait(limit, |()| ())?;
    Ok(Recording::open(&folder)?)
}

/// The inner side of [`record`]. No thread has been started by now.
pub(super) fn cell() -> ! {
    cell::main(
        |job: &Job| vec![job.folder.clone()],
        |job: Job, _| tcpwhy_lab::run(&job.scenario, &job.folder).map(|_| ()),
    )
}
