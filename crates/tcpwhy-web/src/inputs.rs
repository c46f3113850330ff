//! The captures that a page was given.

use std::sync::Arc;

use tcpwhy_capture::{CaptureError, CaptureReader};
use tcpwhy_engine::Source;

use crate::disk::{Disk, Reading};

/// The captures, which can be opened repeatedly.
pub(crate) struct Inputs {
    pub(crate) disk: Arc<dyn Disk>,
    /// Names of the captures in all output.
    pub(crate) files: Vec<String>,
    pub(crate) is_merged: bool,
}

impl Inputs {
    /// Number of sources: merged files are one source.
    pub(crate) fn len(&self) -> usize {
        if self.is_merged { 1 } else { self.files.len() }
    }

    /// Opens source `index` and passes each of its readers to `each` before it is read.
    pub(crate) fn open_with(
        &self,
        index: usize,
        mut each: impl FnMut(&mut CaptureReader),
    ) -> Result<Source, CaptureError> {
        Source::open(index, self.is_merged.then_some(self.files.len()), |file| {
            let mut reader = self.open_file(file)?;
            each(&mut reader);
            Ok(reader)
        })
    }

    fn open_file(&self, file: usize) -> Result<CaptureReader, CaptureError> {
        let name = self.files.get(file).map_or("", String::as_str);
        CaptureReader::from_read(Reading { disk: Arc::clone(&self.disk), file, offset: 0 }, name)
    }
}
