use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

use tcpwhy_model::foreign::decode;

use crate::found::PassedOver;
use crate::pattern::{Pattern, Reached};

/// Levels of folders in which files are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// The files in the folder itself.
    #[default]
    OneLevel,
    /// Files in subfolders too.
    AllLevels,
}

/// Limit of nested folders. More are a loop or were made to exhaust memory.
const MOST_LEVELS: usize = 200;

/// Files below a folder, sorted by name.
pub(crate) struct Walk {
    depth: Depth,
    pattern: Option<Pattern>,
    /// The current folder and those above it.
    levels: Vec<Level>,
    /// The root, until it is read.
    root: Option<PathBuf>,
}

struct Level {
    path: PathBuf,
    /// Path relative to the root, with a final `/` unless it is empty.
    relative: String,
    entries: vec::IntoIter<Entry>,
    /// State of the pattern; `None` where all files match.
    reached: Option<Reached>,
}

struct Entry {
    name: OsString,
    is_folder: bool,
}

/// A file, or a folder that could not be read.
pub(crate) struct Walked {
    pub(crate) path: PathBuf,
    /// Path relative to the root.
    pub(crate) relative: String,
    /// Error of a folder; `None` for a file.
    pub(crate) failure: Option<io::Error>,
}

impl Walk {
    /// The files in `root`, down to `depth`.
    pub(crate) fn of_folder(root: &Path, depth: Depth) -> Self {
        Self { depth, pattern: None, levels: Vec::new(), root: Some(root.to_owned()) }
    }

    /// The files that match `pattern`. A matching folder stands for its files.
    pub(crate) fn of_pattern(pattern: Pattern, depth: Depth) -> Self {
        Self { depth, root: Some(pattern.root.clone()), pattern: Some(pattern), levels: Vec::new() }
    }

    /// The next file. Counts skipped entries.
    pub(crate) fn next(&mut self, passed_over: &mut PassedOver) -> Option<Walked> {
        if let Some(root) = self.root.take() {
            let reached = self.pattern.as_ref().map(Pattern::begin);
            if let Some(failed) = self.enter(root, String::new(), reached, passed_over) {
                return Some(failed);
            }
        }
        loop {
            let level = self.levels.last_mut()?;
            let Some(Entry { name, is_folder }) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            let path = below(&level.path, &name);
            let relative = format!("{}{}", level.relative, decode(name.as_encoded_bytes()));
            let reached = match (&self.pattern, &level.reached) {
                (Some(pattern), Some(reached)) => Some(pattern.step(reached, &name)),
                _ => None,
            };
            let meaning = self.meaning(reached.as_ref());
            if !is_folder {
                if meaning.is_met {
                    return Some(Walked { path, relative, failure: None });
                }
                continue;
            }
            // A matching folder stands for its files. Other folders may contain matching files.
            let is_all = meaning.is_met && (reached.is_some() || self.depth == Depth::AllLevels);
            if is_all || meaning.may_go_on {
                let reached = if is_all { None } else { reached };
                if let Some(failed) = self.enter(path, format!("{relative}/"), reached, passed_over) {
                    return Some(failed);
                }
            } else if meaning.is_met {
                passed_over.folders += 1;
            }
        }
    }

    fn meaning(&self, reached: Option<&Reached>) -> Meaning {
        match (&self.pattern, reached) {
            (Some(pattern), Some(reached)) => {
                Meaning { is_met: pattern.is_met(reached), may_go_on: pattern.may_go_on(reached) }
            }
            _ => Meaning { is_met: true, may_go_on: false },
        }
    }

    /// Continues with the files of a folder. Returns the error if it cannot be read.
    fn enter(
        &mut self,
        path: PathBuf,
        relative: String,
        reached: Option<Reached>,
        passed_over: &mut PassedOver,
    ) -> Option<Walked> {
        let is_root = self.levels.is_empty();
        let entries = if self.levels.len() >= MOST_LEVELS {
            Err(io::ErrorKind::QuotaExceeded.into())
        } else {
            entries(&path, is_root, passed_over)
        };
        match entries {
            Ok(entries) => {
                self.levels.push(Level { path, relative, entries: entries.into_iter(), reached });
                None
            }
            Err(failure) => Some(Walked { path, relative, failure: Some(failure) }),
        }
    }
}

/// Result of a comparison between pattern and path.
struct Meaning {
    is_met: bool,
    may_go_on: bool,
}

/// Entries of `folder` that may be read, sorted by name.
fn entries(folder: &Path, is_root: bool, passed_over: &mut PassedOver) -> io::Result<Vec<Entry>> {
    // Only the folder that the user named may be a link. A found one was not a link when it was listed, but
    // may have been replaced since.
    if !is_root && !fs::symlink_metadata(folder)?.is_dir() {
        passed_over.links += 1;
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        if name.as_encoded_bytes().first() == Some(&b'.') {
            passed_over.hidden += 1;
        } else if kind.is_symlink() {
            passed_over.links += 1;
        } else if kind.is_dir() || kind.is_file() {
            all.push(Entry { name, is_folder: kind.is_dir() });
        } else {
            passed_over.special += 1;
        }
    }
    all.sort_unstable_by(|a, b| a.name.as_encoded_bytes().cmp(b.name.as_encoded_bytes()));
    Ok(all)
}

/// The path that a shell would print: files of the current folder have no `./`.
fn below(folder: &Path, name: &OsString) -> PathBuf {
    if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) }
}
