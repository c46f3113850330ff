//! A transfer as a folder: `scenario.toml`, `sender.pcapng`, `middle.pcapng`, `receiver.pcapng`,
//! `sender_series.csv`, `receiver_series.csv` and `truth.json`.
//!
//! `truth.json` is removed first and written last. A folder without it comes from an interrupted run and
//! cannot be opened.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use tcpwhy_files::{FileId, Folder, Policy, Replace, WriteError, Written};
use tcpwhy_live::{LiveError, text_file};
use tcpwhy_model::foreign::visible_path;
use tcpwhy_model::{Explained as _, Message, MessageValue};

use crate::LabError;
use crate::sampler::{Sample, read_series, write_series};
use crate::truth::{Outcome, Truth};
use tcpwhy_scenario::{End, Expectation, Scenario, Story};

const SCENARIO: &str = "scenario.toml";
const TRUTH: &str = "truth.json";
const MIDDLE: &str = "middle.pcapng";
/// First line of the lab's scenario files. An interrupted run leaves one without `truth.json`.
const MARK: &str = "# written by tcpwhy lab\n";
/// Limit for the two text files, bytes; both have a few kilobytes.
const MOST_TEXT: u64 = 16 << 20;

/// A complete recording.
#[derive(Clone, Debug)]
pub struct Recording {
    folder: PathBuf,
    scenario: Scenario,
    truth: Truth,
}

/// The parts of a recording.
pub(crate) struct Parts<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) truth: &'a Truth,
    /// The captures of both ends, positioned at their beginnings.
    pub(crate) captures: [File; 2],
    /// The capture of the middle, positioned at its beginning.
    pub(crate) middle: File,
    pub(crate) samples: &'a [Vec<Sample>; 2],
}

impl Recording {
    /// Opens a recording.
    ///
    /// # Errors
    /// [`LabError::NotARecording`] for anything else.
    pub fn open(folder: &Path) -> Result<Self, LabError> {
        let no = |why: Message| LabError::NotARecording { folder: visible_path(folder), why: why.to_string() };
        let lacks = |name: &str| no(Message::new("recording-lacks").with("name", name));
        let at = |name: &str, what: MessageValue| no(Message::new("at").with("place", name).with("what", what));
        let read = |name: &str| {
            text_file::read_text(&folder.join(name), MOST_TEXT).map_err(|error| match error {
                LiveError::Read { error, .. } if error.kind() == io::ErrorKind::NotFound => lacks(name),
                LiveError::Read { error, .. } => at(name, (&error).into()),
                other => no(other.message()),
            })
        };
        let truth: Truth = serde_json::from_str(&read(TRUTH)?).map_err(|error| at(TRUTH, error.to_string().into()))?;
        let scenario = Scenario::from_toml(&truth.name, &read(SCENARIO)?).map_err(no)?;
        let recording = Self { folder: folder.to_owned(), scenario, truth };
        for end in End::BOTH {
            for path in [recording.capture(end), recording.series(end)] {
                if !path.is_file() {
                    return Err(lacks(&path.file_name().unwrap_or_default().display().to_string()));
                }
            }
        }
        Ok(recording)
    }

    /// The folder of the recording.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The scenario, which has the cause that the run set.
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Replaces the story and the expectations, which do not affect the recorded data.
    #[must_use]
    pub fn retold(mut self, story: Story, expect: Expectation) -> Self {
        (self.scenario.story, self.scenario.expect) = (story, expect);
        self
    }

    /// Returns an error if the connection broke and the scenario does not expect that.
    ///
    /// # Errors
    /// [`LabError::Broken`].
    pub fn unbroken(self) -> Result<Self, LabError> {
        match &self.truth.outcome {
            Outcome::Broken(how) if !self.scenario.expect.breaks => Err(LabError::Broken(how.clone())),
            _ => Ok(self),
        }
    }

    /// The known facts about the transfer.
    pub const fn truth(&self) -> &Truth {
        &self.truth
    }

    /// The capture taken at `end`.
    pub fn capture(&self, end: End) -> PathBuf {
        self.folder.join(capture_name(end))
    }

    /// The capture of the middle of the path, which older recordings lack.
    pub fn middle(&self) -> PathBuf {
        self.folder.join(MIDDLE)
    }

    /// The samples of the socket at `end`, a CSV file; without lines if the socket could not be read.
    pub fn series(&self, end: End) -> PathBuf {
        self.folder.join(series_name(end))
    }

    /// The samples of the socket at `end`, in order of time.
    pub fn samples(&self, end: End) -> io::Result<Vec<Sample>> {
        read_series(BufReader::new(File::open(self.series(end))?))
    }

    /// Number and total bytes of its files.
    pub fn written(&self) -> Written {
        let mut all = Written::default();
        for metadata in names().iter().filter_map(|name| self.folder.join(name).metadata().ok()) {
            all += Written { files: 1, bytes: metadata.len() };
        }
        all
    }

    /// Creates `folder` if it is missing, and checks that a recording may be written into it. It fails if the
    /// folder belongs to another user or contains one of the `inputs`. Without `is_overwriting`, it also
    /// fails if the files in it do not belong to a recording.
    ///
    /// # Errors
    /// [`LabError::Write`].
    pub fn prepare(folder: &Path, inputs: &[FileId], is_overwriting: bool) -> Result<(), LabError> {
        let own = Folder::own(folder)?;
        let is_ours = || {
            let begun = |text: String| text.starts_with(MARK);
            Self::open(folder).is_ok() || text_file::read_text(&folder.join(SCENARIO), MOST_TEXT).is_ok_and(begun)
        };
        let replace = if is_overwriting || is_ours() { Replace::Anything } else { Replace::Marked(Vec::new()) };
        let policy = Policy { inputs: inputs.to_vec(), replace };
        names().iter().try_for_each(|name| own.check(name, &policy))?;
        Ok(())
    }

    /// Writes a recording into `folder`, which must belong to this user or is created. An older recording in
    /// it is replaced; other files stay.
    pub(crate) fn write(folder: &Path, parts: Parts<'_>) -> Result<Self, LabError> {
        let recording =
            Self { folder: folder.to_owned(), scenario: parts.scenario.clone(), truth: parts.truth.clone() };
        recording.write_parts(parts)?;
        Ok(recording)
    }

    fn write_parts(&self, mut parts: Parts<'_>) -> Result<(), WriteError> {
        // [`Recording::prepare`] has checked before the run that files may be replaced.
        let policy = &Policy { inputs: Vec::new(), replace: Replace::Anything };
        let folder = Folder::own(&self.folder)?;
        folder.remove(TRUTH)?;
        folder.replace(SCENARIO, policy, |out| {
            out.write_all(MARK.as_bytes())?;
            out.write_all(toml::to_string(parts.scenario).map_err(io::Error::other)?.as_bytes())
        })?;
        for (end, mut capture) in End::BOTH.into_iter().zip(parts.captures) {
            folder.replace(&capture_name(end), policy, |out| io::copy(&mut capture, out).map(|_| ()))?;
            folder.replace(&series_name(end), policy, |out| {
                let mut series = BufWriter::new(out);
                write_series(&parts.samples[end.index()], &mut series)?;
                series.flush()
            })?;
        }
        folder.replace(MIDDLE, policy, |out| io::copy(&mut parts.middle, out).map(|_| ()))?;
        folder.replace(TRUTH, policy, |out| {
            let mut truth = BufWriter::new(out);
            serde_json::to_writer_pretty(&mut truth, parts.truth)?;
            truth.write_all(b"\n")?;
            truth.flush()
        })?;
        Ok(())
    }
}

/// All files of a recording.
fn names() -> Vec<String> {
    let of_ends = End::BOTH.into_iter().flat_map(|end| [capture_name(end), series_name(end)]);
    [SCENARIO, TRUTH, MIDDLE].map(str::to_owned).into_iter().chain(of_ends).collect()
}

fn capture_name(end: End) -> String {
    format!("{end}.pcapng")
}

fn series_name(end: End) -> String {
    format!("{end}_series.csv")
}
