//! A transfer as a folder: `scenario.toml`, `sender.pcapng`, `receiver.pcapng`, `sender_series.csv`, `receiver_series.csv`,
//! `truth.json`.
//!
//! `truth.json` is written last, under a name of its own until it is whole: a folder without it is what was left of a run that
//! was ended, and does not open.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tcpwhy_live::{LiveError, text_file};
use tcpwhy_model::foreign::visible_path;

use crate::LabError;
use crate::sampler::{Sample, read_series, write_series};
use crate::scenario::{End, Expectation, Scenario, Story};
use crate::truth::{Outcome, Truth};

const SCENARIO: &str = "scenario.toml";
const TRUTH: &str = "truth.json";
/// Both have some kilobytes.
const MOST_TEXT: u64 = 16 << 20;

/// A whole recording.
#[derive(Clone, Debug)]
pub struct Recording {
    folder: PathBuf,
    scenario: Scenario,
    truth: Truth,
}

/// What a recording is made of.
pub(crate) struct Parts<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) truth: &'a Truth,
    /// At their beginnings.
    pub(crate) captures: [File; 2],
    pub(crate) samples: &'a [Vec<Sample>; 2],
}

impl Recording {
    /// Opens a recording.
    ///
    /// # Errors
    /// [`LabError::NotARecording`] for anything else.
    pub fn open(folder: &Path) -> Result<Self, LabError> {
        let no = |why: String| LabError::NotARecording { folder: visible_path(folder), why };
        let read = |name: &str| {
            text_file::read_text(&folder.join(name), MOST_TEXT).map_err(|error| match error {
                LiveError::Read { error, .. } if error.kind() == io::ErrorKind::NotFound => {
                    no(format!("no {name} in it"))
                }
                LiveError::Read { error, .. } => no(format!("{name}: {error}")),
                other => no(other.to_string()),
            })
        };
        let truth: Truth = serde_json::from_str(&read(TRUTH)?).map_err(|error| no(format!("{TRUTH}: {error}")))?;
        let scenario = Scenario::from_toml(&truth.name, &read(SCENARIO)?).map_err(no)?;
        let recording = Self { folder: folder.to_owned(), scenario, truth };
        for end in End::BOTH {
            for path in [recording.capture(end), recording.series(end)] {
                if !path.is_file() {
                    return Err(no(format!("no {} in it", path.file_name().unwrap_or_default().display())));
                }
            }
        }
        Ok(recording)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What was imposed.
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The same with another story and other expectations, which change nothing of what was recorded.
    #[must_use]
    pub fn retold(mut self, story: Story, expect: Expectation) -> Self {
        (self.scenario.story, self.scenario.expect) = (story, expect);
        self
    }

    /// The same, unless its connection broke and the scenario does not expect that.
    ///
    /// # Errors
    /// [`LabError::Broken`].
    pub fn unbroken(self) -> Result<Self, LabError> {
        match &self.truth.outcome {
            Outcome::Broken(how) if !self.scenario.expect.breaks => Err(LabError::Broken(how.clone())),
            _ => Ok(self),
        }
    }

    /// What is known of it.
    pub const fn truth(&self) -> &Truth {
        &self.truth
    }

    /// The capture taken at `end`.
    pub fn capture(&self, end: End) -> PathBuf {
        self.folder.join(format!("{end}.pcapng"))
    }

    /// The samples of the socket at `end`, a CSV file; without lines where nobody could look.
    pub fn series(&self, end: End) -> PathBuf {
        self.folder.join(format!("{end}_series.csv"))
    }

    /// Those samples, in order of time.
    pub fn samples(&self, end: End) -> io::Result<Vec<Sample>> {
        read_series(BufReader::new(File::open(self.series(end))?))
    }

    /// Writes a recording. One that was in `folder` before is replaced; other files there are left alone.
    pub(crate) fn write(folder: &Path, parts: Parts<'_>) -> Result<Self, LabError> {
        let failed = |error| LabError::io(format!("writing {}", folder.display()), error);
        let recording =
            Self { folder: folder.to_owned(), scenario: parts.scenario.clone(), truth: parts.truth.clone() };
        recording.write_parts(parts).map_err(failed)?;
        Ok(recording)
    }

    fn write_parts(&self, parts: Parts<'_>) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let truth = self.folder.join(TRUTH);
        match fs::remove_file(&truth) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let text = toml::to_string(parts.scenario).map_err(io::Error::other)?;
        fs::write(self.folder.join(SCENARIO), text)?;
        for (end, mut capture) in End::BOTH.into_iter().zip(parts.captures) {
            io::copy(&mut capture, &mut File::create(self.capture(end))?)?;
            let mut series = BufWriter::new(File::create(self.series(end))?);
            write_series(&parts.samples[end.index()], &mut series)?;
            series.flush()?;
        }
        let mode = fs::Permissions::from_mode(0o644);
        let mut whole = tempfile::Builder::new().permissions(mode).tempfile_in(&self.folder)?;
        serde_json::to_writer_pretty(&mut whole, parts.truth)?;
        whole.write_all(b"\n")?;
        whole.persist(&truth)?;
        Ok(())
    }
}
