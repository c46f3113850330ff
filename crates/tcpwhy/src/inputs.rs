//! The captures that were named, openable more than once.

use std::fs::File;
use std::io::{self, stdin};
use std::path::{Path, PathBuf};

use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};
use tempfile::NamedTempFile;

use crate::pipeline::Source;

/// What to read, in the order typed.
pub(crate) struct Inputs {
    files: Vec<PathBuf>,
    is_merged: bool,
    /// Standard input, kept because it cannot be read twice.
    spool: Option<NamedTempFile>,
}

impl Inputs {
    /// For one reading.
    pub(crate) fn once(files: &[PathBuf], is_merged: bool) -> Self {
        Self { files: files.to_vec(), is_merged, spool: None }
    }

    /// For more than one reading: standard input is copied to a temporary file, which goes when this does.
    pub(crate) fn repeatable(files: &[PathBuf], is_merged: bool) -> io::Result<Self> {
        let mut spool = None;
        if files.iter().any(|f| is_stdin(f)) {
            let mut file = NamedTempFile::new()?;
            io::copy(&mut stdin().lock(), &mut file)?;
            spool = Some(file);
        }
        Ok(Self { spool, ..Self::once(files, is_merged) })
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
            let readers = self.files.iter().map(|f| self.open_file(f)).collect::<Result<Vec<_>, _>>()?;
            return Ok(Source::Merged(MergedReader::new(readers)));
        }
        let file = self.files.get(index).map_or(Path::new(""), PathBuf::as_path);
        Ok(Source::Single(Box::new(self.open_file(file)?)))
    }

    fn open_file(&self, file: &Path) -> Result<CaptureReader, CaptureError> {
        if !is_stdin(file) {
            return CaptureReader::open(file);
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
