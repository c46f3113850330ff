//! Records a scenario in a separate process tree, which is ended completely after the run.

use std::cell::Cell;
use std::io::{IsTerminal as _, stderr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tcpwhy_files::{FileId, Written};
use tcpwhy_lab::cell::{self, Supervisor};
use tcpwhy_lab::truth::Doubt;
use tcpwhy_lab::{LONGEST_PREPARATION, MachineSettings, Recording, SettingNotice};
use tcpwhy_proof::results::doubt_id;
use tcpwhy_report::{Args, Wording};
use tcpwhy_scenario::{Scenario, Work};

use super::permission::Permitted;
use crate::message;
use crate::output::file;
use crate::wrong::{Context as _, Result};

/// Time of a run besides the transfer: to create namespaces, start captures and wait for the last packets.
const BESIDES: Duration = Duration::from_secs(20);

/// Attempts for a run that proves nothing: a busy machine may be idle soon.
const ATTEMPTS: u32 = 3;

/// Files that recordings may replace.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    /// Input files, which are never replaced.
    pub(super) inputs: Vec<FileId>,
    /// Whether files other than those of recordings may be replaced.
    pub(super) is_overwriting: bool,
}

impl Rule {
    /// Fails if a recording may not be written into `folder`, which is created if missing.
    fn prepare(&self, folder: &Path) -> Result<()> {
        Ok(Recording::prepare(folder, &self.inputs, self.is_overwriting)?)
    }

    /// Fails if a recording may not be written into one of `folders`. It creates none, and runs before
    /// anything is read.
    pub(super) fn check<'f>(&self, folders: impl IntoIterator<Item = &'f PathBuf>) -> Result<()> {
        let mut there = folders.into_iter().filter(|folder| folder.symlink_metadata().is_ok());
        there.try_for_each(|folder| self.prepare(folder))
    }
}

/// Records scenarios, with progress on standard error.
pub(super) struct Runner<'a> {
    pub(super) wording: Wording<'a>,
    pub(super) is_quiet: bool,
    rule: Rule,
    /// Files written so far.
    written: Cell<Written>,
}

impl<'a> Runner<'a> {
    /// Restores settings of the machine that a killed earlier run left changed, and prints them.
    pub(super) fn new(wording: Wording<'a>, is_quiet: bool) -> Result<Self> {
        let this = Self { wording, is_quiet, rule: Rule::default(), written: Cell::default() };
        this.say(MachineSettings::recover()?);
        Ok(this)
    }

    /// Sets the rule for replacing files.
    pub(super) fn replacing(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Counts files written in addition to recordings.
    pub(super) fn add_written(&self, more: Written) {
        let mut all = self.written.get();
        all += more;
        self.written.set(all);
    }

    /// Prints the files written to `folder`.
    pub(super) fn say_written(&self, folder: &Path) {
        let written = self.written.get();
        if !self.is_quiet && written.files > 0 {
            file::say_written(self.wording, folder, written);
        }
    }

    /// Prints changes to the machine's settings, even with `--quiet`.
    pub(super) fn say(&self, notices: Vec<SettingNotice>) {
        for notice in notices {
            let (id, words) = match notice {
                SettingNotice::Restored { name, value, was } => {
                    ("lab-setting-restored", Args::new().text("name", name).text("value", value).text("was", was))
                }
                SettingNotice::LeftAlone { name, value, before } => {
                    ("lab-setting-left", Args::new().text("name", name).text("value", value).text("before", before))
                }
                SettingNotice::GuardianEnded => ("lab-guardian-ended", Args::new()),
            };
            message::say(self.wording.catalogue().text(id, &words));
        }
    }

    /// Runs `scenario` and writes its recording to `folder`, which is created if missing. `numbers` are its
    /// position and the total, for progress. A failed or doubtful run is repeated; the last one may still be
    /// doubtful, and then reports it.
    ///
    /// # Errors Also if the transfer was not completed.
    pub(super) fn record(&self, scenario: &Permitted, folder: &Path, numbers: [usize; 2]) -> Result<Recording> {
        Ok(self.record_any(scenario, folder, numbers)?.unbroken()?)
    }

    /// The same, but a transfer that was not completed is no error.
    pub(super) fn record_any(
        &self,
        scenario: &Permitted,
        folder: &Path,
        [number, count]: [usize; 2],
    ) -> Result<Recording> {
        let run = || {
            let is_shown = !self.is_quiet && stderr().is_terminal();
            if is_shown {
                let args = Args::new()
                    .text("number", number.to_string())
                    .text("count", count.to_string())
                    .text("name", &scenario.name);
                message::print(&format!("\r\x1b[K{}", self.wording.catalogue().text("lab-progress", &args)));
            }
            let recorded = self.once(scenario, folder);
            if is_shown {
                message::print("\r\x1b[K");
            }
            recorded
        };
        let again = |doubt: Doubt, attempt: u32| {
            if !self.is_quiet {
                let args = Args::new()
                    .text("name", &scenario.name)
                    .text("why", self.wording.catalogue().word(doubt_id(doubt)))
                    .text("number", attempt.to_string())
                    .text("count", ATTEMPTS.to_string());
                message::say(self.wording.catalogue().text("lab-again", &args));
            }
        };
        let recording = until_trusted(run, |recording| recording.truth().quality.doubts.first().copied(), again)?;
        self.add_written(recording.written());
        Ok(recording)
    }

    fn once(&self, scenario: &Permitted, folder: &Path) -> Result<Recording> {
        // An unwritable folder is an error before anything is run.
        self.rule.prepare(folder)?;
        let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
        let (settings, notices) = MachineSettings::set(scenario, &["lab", "guardian"])?;
        self.say(notices);
        let ended = in_cell(scenario, &folder);
        self.say(settings.end()?);
        ended?;
        Ok(Recording::open(&folder)?)
    }
}

/// The result of the first `run` without a doubt, else of the last. `again` gets the doubt and the number of
/// the next run.
fn until_trusted<T>(
    mut run: impl FnMut() -> Result<T>,
    doubt: impl Fn(&T) -> Option<Doubt>,
    mut again: impl FnMut(Doubt, u32),
) -> Result<T> {
    let mut result = run()?;
    for attempt in 2..=ATTEMPTS {
        let Some(doubt) = doubt(&result) else { break };
        again(doubt, attempt);
        result = run()?;
    }
    Ok(result)
}

/// Runs the scenario in its cell and waits for the end.
fn in_cell(scenario: &Permitted, folder: &Path) -> Result<()> {
    let job = Job::Run { scenario: Box::new(Scenario::clone(scenario)), folder: folder.to_owned() };
    let preparation = if matches!(scenario.work, Work::Application(_)) { LONGEST_PREPARATION } else { Duration::ZERO };
    let limit = Duration::from(scenario.deadline) + BESIDES + preparation;
    let cell = Supervisor::spawn(&["lab", "cell"], &job)?;
    Ok(cell.wait(limit, |()| ())?)
}

/// The job of a cell.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// A transfer, recorded into the folder.
    Run { scenario: Box<Scenario>, folder: PathBuf },
    /// Only the link, for programs that users start on it.
    Shell { scenario: Box<Scenario> },
}

/// The process inside the cell of [`Runner::record`] and `tcpwhy lab shell`. It must have no other threads
/// yet.
pub(super) fn cell() -> ! {
    cell::main(
        |job: &Job| match job {
            Job::Run { folder, .. } => vec![folder.clone()],
            Job::Shell { .. } => Vec::new(),
        },
        |job: Job, cell| match job {
            Job::Run { scenario, folder } => tcpwhy_lab::run_in(cell, &scenario, &folder).map(|_| ()),
            Job::Shell { scenario } => tcpwhy_lab::shell::serve(cell, &scenario),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrong::Wrong;

    /// Simulates runs with these doubts; returns the number of runs and the announced numbers.
    fn made(doubts: &[Option<Doubt>]) -> (usize, Vec<u32>) {
        let (mut runs, mut announced) = (0, Vec::new());
        let run = || {
            runs += 1;
            Ok(doubts[runs - 1])
        };
        let last = until_trusted(run, |doubt| *doubt, |_, number| announced.push(number)).unwrap();
        assert_eq!(last, doubts[runs - 1]);
        (runs, announced)
    }

    #[test]
    fn a_run_in_doubt_is_made_again_but_not_for_ever() {
        let late = Some(Doubt::LateLink);
        assert_eq!(made(&[None, None]), (1, vec![]));
        assert_eq!(made(&[late, None, late]), (2, vec![2]));
        assert_eq!(made(&[late, Some(Doubt::BusyMachine), late, late]), (3, vec![2, 3]));
    }

    #[test]
    fn an_error_is_not_tried_again() {
        let mut runs = 0;
        let run = || {
            runs += 1;
            Err::<(), _>(Wrong::said("no"))
        };
        assert!(until_trusted(run, |()| None, |_, _| ()).is_err());
        assert_eq!(runs, 1);
    }
}
