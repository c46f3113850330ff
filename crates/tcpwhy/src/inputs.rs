//! The captures that were named, openable more than once.

use std::fs::File;
use std::io::{self, stdin};
use std::path::{Path, PathBuf};

use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};
use tempfile::NamedTempFile;

use crate::original::Original;
use crate::pipeline::Source;

/// What to read, in the order typed.
pub(crate) struct Inputs {
    files: Vec<PathBuf>,
    is_merged: bool,
    /// What each of `files` was when it was read first; empty if they are read once.
    originals: Vec<Original>,
    /// Standard input, kept because it cannot be read twice.
    spool: Option<NamedTempFile>,
}

impl Inputs {
    /// For one reading.
    pub(crate) fn once(files: &[PathBuf], is_merged: bool) -> Self {
        Self { files: files.to_vec(), is_merged, originals: Vec::new(), spool: None }
    }

    /// For more than one reading: standard input is copied to a temporary file, which goes when this does.
    pub(crate) fn repeatable(files: &[PathBuf], is_merged: bool) -> io::Result<Self> {
        let mut spool = None;
        if files.iter().any(|f| is_stdin(f)) {
            let mut file = NamedTempFile::new()?;
            io::copy(&mut stdin().lock(), &mut file)?;
            spool = Some(file);
        }
        let originals = files.iter().map(|_| Original::default()).collect();
        Ok(Self { originals, spool, ..Self::once(files, is_merged) })
    }

    /// Whether the files are merged into one source.
    pub(crate) fn is_merged(&self) -> bool {
        self.is_merged
    }

    /// How many sources there are: merged files are one.
    pub(crate) fn len(&self) -> usize {
        if self.is_merged { 1 } else { self.files.len() }
    }

    /// What stands for source `index` in messages.
    pub(crate) fn name(&self, index: usize) -> String {
        self.files.get(index).map(|f| f.display().to_string()).unwrap_or_default()
    }

    /// Opens source `index`.
    pub(crate) fn open(&self, index: usize) -> Result<Source, CaptureError> {
        if self.is_merged {
            let readers = (0..self.files.len()).map(|i| self.open_file(i)).collect::<Result<Vec<_>, _>>()?;
            return Ok(Source::Merged(MergedReader::new(readers)));
        }
        Ok(Source::Single(Box::new(self.open_file(index)?)))
    }

    /// How many files a source has open while it is read.
    pub(crate) fn open_at_once(&self) -> usize {
        if self.is_merged { self.files.len() } else { 1 }
    }

    /// Bytes of the file of source `index`, if there is one file that was read before.
    pub(crate) fn length(&self, index: usize) -> Option<u64> {
        if self.is_merged { None } else { self.originals.get(index)?.length() }
    }

    /// Fails if a file of source `index` is not what it was when it was read first.
    pub(crate) fn check(&self, index: usize) -> io::Result<()> {
        let here = if self.is_merged { 0..self.files.len() } else { index..index + 1 };
        for (file, original) in self.files.iter().zip(&self.originals).take(here.end).skip(here.start) {
            if !is_stdin(file) {
                let named = |error| io::Error::other(format!("{}: {error}", file.display()));
                original.check(file).map_err(named)?;
            }
        }
        Ok(())
    }

    fn open_file(&self, index: usize) -> Result<CaptureReader, CaptureError> {
        let file = self.files.get(index).map_or(Path::new(""), PathBuf::as_path);
        if !is_stdin(file) {
            return self.originals.get(index).map_or_else(|| CaptureReader::open(file), |original| original.open(file));
        }
        match &self.spool {
            Some(spool) => {
                let reopened: io::Result<File> = spool.reopen();
                let reopened = reopened.map_err(|cause| CaptureError::Open { path: "-".into(), cause })?;
                CaptureReader::from_read(reopened, "-")
            }
            None => CaptureReader::from_read(stdin(), "-"),
        }
    }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}
