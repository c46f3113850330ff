//! A folder of tables: a folder for each, with a file for each part.

use std::path::Path;

use tcpwhy_files::{Folder, Names, Policy, Replace, WriteError, Written};

use super::part::Encoded;
use crate::TableKind;

/// What a Parquet file begins with (Apache Parquet format, "File Format"): such a file may be replaced by the
/// same part.
const MAGIC: &[u8] = b"PAR1";

/// The end of a name.
const SUFFIX: &str = ".parquet";

/// A folder of tables that is written to. A part is there as soon as `captures` has its file, which is
/// written last.
pub struct Directory {
    folders: Vec<(TableKind, Folder)>,
    stem: String,
    /// Numbers of parts of an earlier run under the same stem.
    earlier: Vec<u32>,
}

impl Directory {
    /// Opens `path` for parts `STEM-0000.parquet` and on, or makes it with a folder for each of `kinds`.
    ///
    /// # Errors
    /// If a folder cannot be made or opened.
    pub fn open(path: &Path, kinds: &[TableKind], stem: &str) -> Result<Self, WriteError> {
        let open = |&kind: &TableKind| Ok((kind, Folder::open(&path.join(kind.name()))?));
        let folders = kinds.iter().map(open).collect::<Result<_, WriteError>>()?;
        Ok(Self { folders, stem: stem.to_owned(), earlier: parts(&path.join(TableKind::Captures.name()), stem) })
    }

    /// From here on other processes write the files, and this one may give up its rights.
    ///
    /// # Errors
    /// If no process can be started.
    pub fn hand_over(self) -> Result<Self, WriteError> {
        let names = Names::Between { first: format!("{}-", self.stem), last: SUFFIX.to_owned() };
        let over = |(kind, folder): (TableKind, Folder)| Ok((kind, folder.hand_over(&names, &policy())?));
        Ok(Self { folders: self.folders.into_iter().map(over).collect::<Result<_, WriteError>>()?, ..self })
    }

    /// The number of the first part that an earlier run did not write.
    pub fn next_part(&self) -> u32 {
        self.earlier.iter().max().map_or(0, |last| last + 1)
    }

    /// Writes part `number`. An earlier one of that number is replaced.
    ///
    /// # Errors
    /// If a file cannot be written, or there is one that is not Parquet.
    pub fn write(&self, number: u32, part: &Encoded) -> Result<Written, WriteError> {
        let name = self.name(number);
        // While some tables have the new part and others the old one, it is not there.
        if let Some((_, captures)) = self.folders.last() {
            captures.remove(&name)?;
        }
        let mut written = Written::default();
        for ((_, folder), (_, content)) in self.folders.iter().zip(&part.files) {
            written += folder.replace(&name, &policy(), |file| std::io::Write::write_all(file, content))?;
        }
        Ok(written)
    }

    /// Removes the parts of an earlier run from `number` on: the same inputs have become fewer parts.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn remove_from(&self, number: u32) -> Result<(), WriteError> {
        for &stale in self.earlier.iter().filter(|&&part| part >= number) {
            for (_, folder) in self.folders.iter().rev() {
                folder.remove(&self.name(stale))?;
            }
        }
        Ok(())
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
    let number = |name: String| {
        let number = name.strip_prefix(stem)?.strip_prefix('-')?.strip_suffix(SUFFIX)?;
        number.parse().ok()
    };
    names.filter_map(number).collect()
}
