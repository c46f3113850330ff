//! The captures that were named, openable more than once.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};
use tcpwhy_engine::Source;
use tcpwhy_inputs::{Origin, ReadAt};
use tcpwhy_report::Anonymizer;

use crate::anonymize::name_of;
use crate::interruptible::Interruptible;
use crate::message::{Failure, failure};
use crate::original::Original;
use crate::wrong::{Context as _, Result};

/// What to read, in the order typed.
pub(crate) struct Inputs {
    files: Vec<PathBuf>,
    /// What stands for each in everything that is shown.
    names: Vec<String>,
    /// Who chose each; empty if all were typed.
    origins: Vec<Origin>,
    is_merged: bool,
    /// Bytes that compressed files may grow to whatever their size, if not the usual number.
    most_unpacked: Option<u64>,
    /// What each of `files` was when it was read first; empty if they are read once.
    originals: Vec<Original>,
    /// Files that were opened by others, in place of `files`; empty if these are opened by name.
    held: Vec<Arc<File>>,
    /// Standard input, kept because it cannot be read twice.
    spool: Option<Arc<File>>,
    /// What stands in place of standard input, until it is read.
    stream: Mutex<Option<Box<dyn Read + Send>>>,
    /// Standard input would have gone on: somebody ended it.
    was_cut: Arc<AtomicBool>,
}

impl Inputs {
    /// For one reading; `anonymizer` replaces the names of the files.
    pub(crate) fn once(files: &[PathBuf], is_merged: bool, anonymizer: Option<&Anonymizer>) -> Self {
        let names = files.iter().map(|file| name_of(file, anonymizer)).collect();
        Self {
            files: files.to_vec(),
            names,
            origins: Vec::new(),
            is_merged,
            most_unpacked: None,
            originals: Vec::new(),
            held: Vec::new(),
            spool: None,
            stream: Mutex::default(),
            was_cut: Arc::default(),
        }
    }

    /// For more than one reading: standard input is copied to a temporary file. That has no name, so it goes with this process,
    /// however it ends.
    /// `settle` is called when all is open that is needed for it, before anything is read; what it returns is returned beside.
    pub(crate) fn repeatable<T>(
        files: &[PathBuf],
        is_merged: bool,
        anonymizer: Option<&Anonymizer>,
        settle: impl FnOnce() -> Result<T>,
    ) -> Result<(Self, T)> {
        const NOT_KEPT: Failure = failure("standard-input-not-kept");
        let was_cut = Arc::<AtomicBool>::default();
        let has_stdin = files.iter().any(|f| is_stdin(f));
        let mut spool = has_stdin.then(tempfile::tempfile).transpose().context(NOT_KEPT)?;
        let settled = settle()?;
        if let Some(file) = &mut spool {
            let copy = Interruptible::new(Arc::clone(&was_cut)).and_then(|mut input| io::copy(&mut input, file));
            copy.context(NOT_KEPT)?;
        }
        let spool = spool.map(Arc::new);
        let originals = files.iter().map(|_| Original::default()).collect();
        Ok((Self { originals, spool, was_cut, ..Self::once(files, is_merged, anonymizer) }, settled))
    }

    /// Open files, to be read as often as one likes; none of them is opened by name.
    pub(crate) fn held(files: Vec<(Arc<File>, String)>) -> Self {
        let (held, names): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let files = names.iter().map(PathBuf::from).collect();
        Self { files, names, held, ..Self::once(&[], false, None) }
    }

    /// File `index` of those that were opened by others.
    pub(crate) fn held_file(&self, index: usize) -> Option<&File> {
        self.held.get(index).map(Arc::as_ref)
    }

    /// What `stream` gives, in place of standard input. It is copied first if it `is_read_twice`; `was_cut` says at its end whether it
    /// would have gone on. `settle` as in [`Inputs::repeatable`].
    pub(crate) fn of_stream<T>(
        mut stream: impl Read + Send + 'static,
        name: &str,
        is_read_twice: bool,
        was_cut: Arc<AtomicBool>,
        settle: impl FnOnce() -> Result<T>,
    ) -> Result<(Self, T)> {
        const NOT_KEPT: Failure = failure("captured-not-kept");
        let mut inputs = Self { names: vec![name.to_owned()], was_cut, ..Self::once(&["-".into()], false, None) };
        let copied = is_read_twice.then(tempfile::tempfile).transpose().context(NOT_KEPT)?;
        let settled = settle()?;
        if let Some(mut file) = copied {
            io::copy(&mut stream, &mut file).context(NOT_KEPT)?;
            inputs.spool = Some(Arc::new(file));
            inputs.originals = vec![Original::default()];
        } else {
            inputs.stream = Mutex::new(Some(Box::new(stream)));
        }
        Ok((inputs, settled))
    }

    /// The same, with who chose each file.
    #[must_use]
    pub(crate) fn with_origins(mut self, origins: Vec<Origin>) -> Self {
        self.origins = origins;
        self
    }

    /// The same, with compressed files growing to `bytes` beyond 1000 times their size.
    #[must_use]
    pub(crate) fn with_most_unpacked(mut self, bytes: Option<u64>) -> Self {
        self.most_unpacked = bytes;
        self
    }

    /// Who chose source `index`.
    pub(crate) fn origin(&self, index: usize) -> Origin {
        self.origins.get(index).copied().filter(|_| !self.is_merged).unwrap_or(Origin::Named)
    }

    /// Whether file `index`, which cannot be opened because of `error`, is passed over.
    pub(crate) fn passes_over(&self, index: usize, error: &CaptureError) -> bool {
        self.origins.get(index).is_some_and(|origin| origin.passes_over(error, &self.name(index)))
    }

    /// How many sources there are: merged files are one.
    pub(crate) fn len(&self) -> usize {
        if self.is_merged { 1 } else { self.files.len() }
    }

    /// What stands for source `index` in messages.
    pub(crate) fn name(&self, index: usize) -> String {
        self.names.get(index).cloned().unwrap_or_default()
    }

    /// Opens source `index`.
    pub(crate) fn open(&self, index: usize) -> Result<Source, CaptureError> {
        self.open_with(index, |_| ())
    }

    /// Opens source `index` and tells `each` of its readers before it is read.
    pub(crate) fn open_with(
        &self,
        index: usize,
        mut each: impl FnMut(&mut CaptureReader),
    ) -> Result<Source, CaptureError> {
        let mut open = |file| {
            let mut reader = self.open_file(file)?;
            each(&mut reader);
            Ok(reader)
        };
        if !self.is_merged {
            return Source::open(index, None, open);
        }
        let mut readers = Vec::new();
        for file in 0..self.files.len() {
            match open(file) {
                Ok(reader) => readers.push(reader),
                Err(error) if self.passes_over(file, &error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Source::Merged(MergedReader::new(readers)))
    }

    /// Whether source `index` reads standard input, which may be a stream that goes on.
    pub(crate) fn has_stdin(&self, index: usize) -> bool {
        if self.is_merged {
            self.files.iter().any(|f| is_stdin(f))
        } else {
            self.files.get(index).is_some_and(|f| is_stdin(f))
        }
    }

    /// Whether standard input was ended by a signal before its end.
    pub(crate) fn was_cut(&self) -> bool {
        self.was_cut.load(Ordering::Relaxed)
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
        for index in here {
            if let (Some(file), Some(original)) = (self.files.get(index), self.originals.get(index))
                && !is_stdin(file)
            {
                let named = |error| io::Error::other(format!("{}: {error}", self.name(index)));
                original.check(file).map_err(named)?;
            }
        }
        Ok(())
    }

    fn open_file(&self, index: usize) -> Result<CaptureReader, CaptureError> {
        let mut reader = self.reader(index)?;
        if let Some(bytes) = self.most_unpacked {
            reader.may_grow(bytes);
        }
        Ok(reader)
    }

    fn reader(&self, index: usize) -> Result<CaptureReader, CaptureError> {
        if let Some(held) = self.held.get(index) {
            let len = held.metadata().map_or(0, |metadata| metadata.len());
            return CaptureReader::from_read_of(ReadAt::whole(Arc::clone(held)), len, &self.name(index));
        }
        let file = self.files.get(index).map_or(Path::new(""), PathBuf::as_path);
        if !is_stdin(file) {
            let name = self.name(index);
            return match self.originals.get(index) {
                Some(original) => original.open(file, &name),
                None => CaptureReader::open_as(file, &name),
            };
        }
        if let Some(spool) = &self.spool {
            return CaptureReader::from_read(ReadAt::whole(Arc::clone(spool)), &self.name(index));
        }
        if let Some(stream) = self.stream.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return CaptureReader::from_read(stream, &self.name(index));
        }
        let failed = |cause| CaptureError::Open { path: "-".to_owned(), cause };
        CaptureReader::from_read(Interruptible::new(Arc::clone(&self.was_cut)).map_err(failed)?, "-")
    }
}

pub(crate) fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}
