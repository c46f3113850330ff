//! A scenario becomes a recording: in a process tree of its own, which nothing of the run outlives.

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

/// What a run takes besides the transfer: its namespaces, the captures, the last packets.
const BESIDES: Duration = Duration::from_secs(20);

/// A machine that is busy now may be quiet in a moment: a run that proves nothing is made again, so often in all.
const ATTEMPTS: u32 = 3;

/// What recordings may replace.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    /// Files that are read: nothing replaces them.
    pub(super) inputs: Vec<FileId>,
    /// Files that are none of a recording are replaced too.
    pub(super) is_overwriting: bool,
}

impl Rule {
    /// Fails if a recording may not be written into `folder`, which is made if it is not there.
    fn prepare(&self, folder: &Path) -> Result<()> {
        Ok(Recording::prepare(folder, &self.inputs, self.is_overwriting)?)
    }

    /// Fails if that may not be in one of `folders`, before anything is read or run. None is made.
    pub(super) fn check<'f>(&self, folders: impl IntoIterator<Item = &'f PathBuf>) -> Result<()> {
        let mut there = folders.into_iter().filter(|folder| folder.symlink_metadata().is_ok());
        there.try_for_each(|folder| self.prepare(folder))
    }
}

/// Makes recordings, and says on standard error how far it is.
pub(super) struct Runner<'a> {
    pub(super) wording: Wording<'a>,
    pub(super) is_quiet: bool,
    rule: Rule,
    /// What was recorded so far.
    written: Cell<Written>,
}

impl<'a> Runner<'a> {
    /// Says what an earlier run that was killed had left of the machine's settings, and sets it back.
    pub(super) fn new(wording: Wording<'a>, is_quiet: bool) -> Result<Self> {
        let this = Self { wording, is_quiet, rule: Rule::default(), written: Cell::default() };
        this.say(MachineSettings::recover()?);
        Ok(this)
    }

    /// Recordings replace only what `rule` allows.
    pub(super) fn replacing(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Counts what was written beside recordings.
    pub(super) fn add_written(&self, more: Written) {
        let mut all = self.written.get();
        all += more;
        self.written.set(all);
    }

    /// Says what was recorded into `folder`.
    pub(super) fn say_written(&self, folder: &Path) {
        let written = self.written.get();
        if !self.is_quiet && written.files > 0 {
            file::say_written(self.wording, folder, written);
        }
    }

    /// What was done to the machine is said even where warnings are not wanted.
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

    /// Runs `scenario`, the first of these numbers of the second, and leaves its recording in `folder`, which is made if it is not
    /// there. A run in doubt is made again, also one that broke; the last one may still be in doubt, and says so.
    ///
    /// # Errors
    /// Also if the transfer did not come to its end.
    pub(super) fn record(&self, scenario: &Permitted, folder: &Path, numbers: [usize; 2]) -> Result<Recording> {
        Ok(self.record_any(scenario, folder, numbers)?.unbroken()?)
    }

    /// The same, also of a transfer that did not come to its end.
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
        // Where it is made, and whether it may be written, shows before anything is run.
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

/// What comes of the first `run` that is not in doubt, else of the last; `again` is told why there will be another one, and which.
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

/// Until the run is over.
fn in_cell(scenario: &Permitted, folder: &Path) -> Result<()> {
    let job = Job::Run { scenario: Box::new(Scenario::clone(scenario)), folder: folder.to_owned() };
    let preparation = if matches!(scenario.work, Work::Application(_)) { LONGEST_PREPARATION } else { Duration::ZERO };
    let limit = Duration::from(scenario.deadline) + BESIDES + preparation;
    let cell = Supervisor::spawn(&["lab", "cell"], &job)?;
    Ok(cell.wait(limit, |()| ())?)
}

/// What the cell is told.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Job {
    /// A transfer, recorded into the folder.
    Run { scenario: Box<Scenario>, folder: PathBuf },
    /// The link alone, for programs that visitors start.
    Shell { scenario: Box<Scenario> },
}

/// The inner side of [`Runner::record`] and of `tcpwhy lab shell`. No thread has been started by now.
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

    /// Runs whose doubts are these, one after the other: how many were made, and which numbers were announced.
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
