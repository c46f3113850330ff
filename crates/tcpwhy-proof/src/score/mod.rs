//! Score: how often the answer is right for recordings with a known cause.

mod derived;
mod exchanges;
mod group;
mod judge;
mod page;
mod reliability;
mod scored;
mod summary;
mod vantage;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tcpwhy_files::{Folder, Policy, Written};
use tcpwhy_report::{Catalogue, Language, Wording};

pub use self::scored::{LeftOut, Score};
pub use self::vantage::Vantage;

use self::judge::Folder as Recorded;
use self::page::Page;
use self::summary::Summary;
use crate::{ProofError, file_name, marked};

/// Recordings in `dirs`, or `dirs` themselves, in order of their names.
///
/// # Errors
/// [`ProofError::Folder`] for one that cannot be listed.
pub fn folders(dirs: &[PathBuf]) -> Result<Vec<PathBuf>, ProofError> {
    let mut folders = Vec::new();
    for dir in dirs {
        if Recorded::is_one(dir) {
            folders.push(dir.clone());
            continue;
        }
        let unread = |cause| ProofError::Folder { path: dir.display().to_string(), cause };
        let entries = fs::read_dir(dir).map_err(unread)?;
        let paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>().map_err(unread)?;
        folders.extend(paths.into_iter().filter(|path| Recorded::is_one(path)));
    }
    folders.sort();
    Ok(folders)
}

impl Score {
    /// Judges the captures of the recordings `folders`, or only those taken at `only` if it is not empty.
    /// With `moves`, each verdict is also tried with other values of the chosen numbers. `random` is the seed
    /// and the number of random recordings, as `SEED:COUNT`. `word` translates the error of a recording that
    /// cannot be judged.
    pub fn of(
        folders: &[PathBuf],
        only: &[Vantage],
        moves: bool,
        random: Option<String>,
        word: &dyn Fn(&ProofError) -> String,
    ) -> Self {
        let (mut runs, mut left_out, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        let vantages = if only.is_empty() { &Vantage::USUAL } else { only };
        for path in folders {
            let lost = |error: ProofError| LeftOut { name: path.display().to_string(), why: word(&error) };
            let folder = match Recorded::open(path) {
                Ok(folder) => folder,
                Err(error) => {
                    failed.push(lost(error));
                    continue;
                }
            };
            if let Some(doubt) = folder.doubt() {
                left_out.push(LeftOut { name: folder.name.clone(), why: doubt.to_owned() });
                continue;
            }
            for &vantage in vantages {
                // Recordings from other tools, and older ones, have only the captures of the two ends.
                if vantage == Vantage::Middle && only.len() != 1 && !folder.has_capture(vantage) {
                    continue;
                }
                match folder.judge(vantage, moves) {
                    Ok(judged) => runs.extend(judged),
                    Err(error) => failed.push(lost(error)),
                }
            }
        }
        let summaries = vantages.iter().filter_map(|&vantage| Summary::of(&runs, vantage)).collect();
        Self { random, left_out, failed, summaries, runs }
    }

    /// Adds recordings that could not be created.
    pub fn add_failed(&mut self, failed: Vec<LeftOut>) {
        self.failed.extend(failed);
    }

    /// Whether limits do not add up, or a recording could not be judged.
    pub fn has_wrong(&self) -> bool {
        !self.failed.is_empty() || self.runs.iter().any(|run| !run.is_sum_right)
    }

    /// The score for the terminal; `with_runs` adds a line for each capture.
    pub fn text(&self, wording: Wording<'_>, with_runs: bool) -> String {
        Page { wording, score: self }.text(with_runs)
    }

    /// Fails if one of the documents may not be written into `folder`. It is called before the score exists,
    /// and creates nothing.
    ///
    /// # Errors
    /// [`ProofError::Write`].
    pub fn check_documents(folder: &Path, policy: &Policy) -> Result<(), ProofError> {
        Folder::look(folder)?;
        if folder.is_dir() {
            let into = Folder::open(folder)?;
            Language::ALL.into_iter().try_for_each(|language| into.check(&file_name("accuracy", language), policy))?;
        }
        Ok(())
    }

    /// Writes `accuracy.md`, and `accuracy.LANG.md` for the other languages, into `folder`.
    ///
    /// # Errors
    /// [`ProofError::Write`] if one cannot be written, or `policy` forbids it.
    pub fn write_documents(&self, folder: &Path, policy: &Policy) -> Result<Written, ProofError> {
        let into = Folder::open(folder)?;
        let mut written = Written::default();
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let page = Page { wording: Wording::new(&catalogue), score: self };
            let text = marked(&page.markdown());
            written += into.replace(&file_name("accuracy", language), policy, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(written)
    }
}
