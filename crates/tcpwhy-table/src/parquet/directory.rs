//! A folder of tables: one folder per table, with one file per part.

use std::collections::BTreeSet;
use std::path::Path;

use tcpwhy_files::{Folder, Names, Policy, Replace, WriteError, Written};

use super::part::Encoded;
use crate::TableKind;

/// The first bytes of a Parquet file (Apache Parquet format, "File Format"). Only such a file may be replaced
/// by the same part.
const MAGIC: &[u8] = b"PAR1";

/// Ending of file names.
const SUFFIX: &str = ".parquet";

/// A folder into which tables are written. A part counts as complete when `captures` has its file, which is
/// written last.
pub struct Directory {
    folders: Vec<(TableKind, Folder)>,
    stem: String,
    /// Numbers of existing parts with the same stem, in any table.
    earlier: BTreeSet<u32>,
    /// Numbers of those that have a file in `captures`.
    complete: BTreeSet<u32>,
}

impl Directory {
    /// Opens `path` for parts `STEM-0000.parquet` and following. Creates it if necessary, with a folder for
    /// each of `kinds`.
    ///
    /// # Errors
    /// If a folder cannot be created or opened.
    pub fn open(path: &Path, kinds: &[TableKind], stem: &str) -> Result<Self, WriteError> {
        // A table of an earlier run that is not written now has obsolete parts.
        let is_there = |kind: TableKind| kinds.contains(&kind) || path.join(kind.name()).is_dir();
        let open = |kind: TableKind| Ok((kind, Folder::open(&path.join(kind.name()))?));
        let folders = TableKind::ALL.into_iter().filter(|&kind| is_there(kind)).map(open);
        let folders = folders.collect::<Result<_, WriteError>>()?;
        let parts = |kind: TableKind| parts(&path.join(kind.name()), stem);
        let earlier = TableKind::ALL.into_iter().flat_map(parts).collect();
        Ok(Self { folders, stem: stem.to_owned(), earlier, complete: parts(TableKind::Captures).into_iter().collect() })
    }

    /// Passes the files to other processes, so that this one can drop its privileges.
    ///
    /// # Errors
    /// If a process cannot be started.
    pub fn hand_over(self) -> Result<Self, WriteError> {
        let names = Names::Between { first: format!("{}-", self.stem), last: SUFFIX.to_owned() };
        let over = |(kind, folder): (TableKind, Folder)| Ok((kind, folder.hand_over(&names, &policy())?));
        Ok(Self { folders: self.folders.into_iter().map(over).collect::<Result<_, WriteError>>()?, ..self })
    }

    /// Number after the last part of an earlier run.
    pub fn next_part(&self) -> u32 {
        self.earlier.last().map_or(0, |last| last.saturating_add(1))
    }

    /// Writes part `number`, and replaces an existing one.
    ///
    /// # Errors
    /// If a file cannot be written, or if an existing one is not Parquet.
    pub fn write(&self, number: u32, part: &Encoded) -> Result<Written, WriteError> {
        let name = self.name(number);
        // The part counts as missing while some tables have the new file and others the old one.
        if let Some((_, captures)) = self.folders.last() {
            captures.remove(&name)?;
        }
        let mut written = Written::default();
        for (kind, folder) in &self.folders {
            match part.files.iter().find(|file| file.0 == *kind) {
                Some((_, content)) => {
                    written += folder.replace(&name, &policy(), |file| std::io::Write::write_all(file, content))?;
                }
                None => folder.remove(&name)?,
            }
        }
        Ok(written)
    }

    /// Removes the files of `captures` of an earlier run, so that its parts count as missing.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn forget_earlier(&self) -> Result<(), WriteError> {
        let Some((_, captures)) = self.folders.last() else { return Ok(()) };
        self.earlier.iter().try_for_each(|&part| captures.remove(&self.name(part)))
    }

    /// Removes the parts of an earlier run from `number` on, because the same inputs now have fewer parts.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove_from(&self, number: u32) -> Result<(), WriteError> {
        self.earlier.range(number..).try_for_each(|&stale| self.remove(stale))
    }

    /// Removes parts that an interrupted earlier run has left incomplete.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn remove_incomplete(&self) -> Result<(), WriteError> {
        self.earlier.difference(&self.complete).try_for_each(|&part| self.remove(part))
    }

    fn remove(&self, number: u32) -> Result<(), WriteError> {
        let name = self.name(number);
        self.folders.iter().rev().try_for_each(|(_, folder)| folder.remove(&name))
    }

    fn name(&self, number: u32) -> String {
        format!("{}-{number:04}{SUFFIX}", self.stem)
    }
}

fn policy() -> Policy {
    Policy { inputs: Vec::new(), replace: Replace::Marked(vec![MAGIC.to_vec()]) }
}

/// Numbers of the parts of `stem` in a folder.
fn parts(folder: &Path, stem: &str) -> Vec<u32> {
    let names =
        folder.read_dir().into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|name| part_of(&name, stem)).collect()
}

/// The number of a part of `stem`, from its file name.
pub(super) fn part_of(name: &str, stem: &str) -> Option<u32> {
    name.strip_prefix(stem)?.strip_prefix('-')?.strip_suffix(SUFFIX)?.parse().ok()
}
