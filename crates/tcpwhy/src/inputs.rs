//! The captures that were named, openable more than once.

use std::fs::File;
use std::io::{self, Read, stdin};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};

use crate::pipeline::Source;

/// What to read, in the order typed.
pub(crate) struct Inputs {
    files: Vec<PathBuf>,
    is_merged: bool,
    /// Standard input, kept because it cannot be read twice.
    spool: Option<Arc<File>>,
}

impl Inputs {
    /// For one reading.
    pub(crate) fn once(files: &[PathBuf], is_merged: bool) -> Self {
        Self { files: files.to_vec(), is_merged, spool: None }
    }

    /// For more than one reading: standard input is copied to a temporary file. That has no name, so it goes with this process,
    /// however it ends.
    pub(crate) fn repeatable(files: &[PathBuf], is_merged: bool) -> io::Result<Self> {
        let mut spool = None;
        if files.iter().any(|f| is_stdin(f)) {
            let mut file = tempfile::tempfile()?;
            io::copy(&mut stdin().lock(), &mut file)?;
            spool = Some(Arc::new(file));
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
            Some(spool) => CaptureReader::from_read(Reading { file: Arc::clone(spool), position: 0 }, "-"),
            None => CaptureReader::from_read(stdin(), "-"),
        }
    }
}

/// One reading of a file, from its beginning, whoever else reads it.
struct Reading {
    file: Arc<File>,
    position: u64,
}

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read_at(buffer, self.position)?;
        self.position += len as u64;
        Ok(len)
    }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::thread;

    use super::*;

    #[test]
    fn readings_do_not_disturb_each_other() {
        let text: Vec<u8> = (0..1 << 20).map(|i: u32| (i % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&text).unwrap();
        let file = Arc::new(file);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let mut read = Vec::new();
                    Reading { file: Arc::clone(&file), position: 0 }.read_to_end(&mut read).unwrap();
                    assert!(read == text);
                });
            }
        });
    }
}
