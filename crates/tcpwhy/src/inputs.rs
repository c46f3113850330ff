//! The named captures, which can be opened more than once.

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

/// The inputs, in the order of the command line.
pub(crate) struct Inputs {
    files: Vec<PathBuf>,
    /// The displayed name of each.
    names: Vec<String>,
    /// Whether the user named each or a folder contained it; empty if the user named all.
    origins: Vec<Origin>,
    is_merged: bool,
    /// Bytes to which any compressed file may expand; `None` for the default.
    most_unpacked: Option<u64>,
    /// Identity of each of `files` at its first read; empty if they are read once.
    originals: Vec<Original>,
    /// Files that another process opened, used instead of `files`; empty if these are opened by name.
    held: Vec<Arc<File>>,
    /// Standard input, kept because it cannot be read twice.
    spool: Option<Arc<File>>,
    /// The stream to read instead of standard input; `None` once it is read.
    stream: Mutex<Option<Box<dyn Read + Send>>>,
    /// Whether the user stopped standard input before its end.
    was_cut: Arc<AtomicBool>,
}

impl Inputs {
    /// Creates inputs for one pass; `anonymizer` replaces the names of the files.
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

    /// Creates inputs for several passes. Standard input is copied to a temporary file without a name, which
    /// disappears with this process. `settle` is called once all files are open and before anything is read;
    /// its result is returned as well.
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

    /// Creates inputs from open files, for any number of passes; none is opened by name.
    pub(crate) fn held(files: Vec<(Arc<File>, String)>) -> Self {
        let (held, names): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let files = names.iter().map(PathBuf::from).collect();
        Self { files, names, held, ..Self::once(&[], false, None) }
    }

    /// File `index` of those that another process opened.
    pub(crate) fn held_file(&self, index: usize) -> Option<&File> {
        self.held.get(index).map(Arc::as_ref)
    }

    /// Creates inputs with `stream` instead of standard input. It is copied first if it `is_read_twice`.
    /// `was_cut` is called at its end and returns whether the user stopped it. `settle` as in
    /// [`Inputs::repeatable`].
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

    /// Sets the origin of each file.
    #[must_use]
    pub(crate) fn with_origins(mut self, origins: Vec<Origin>) -> Self {
        self.origins = origins;
        self
    }

    /// Lets compressed files expand to `bytes`, even beyond 1000 times their size.
    #[must_use]
    pub(crate) fn with_most_unpacked(mut self, bytes: Option<u64>) -> Self {
        self.most_unpacked = bytes;
        self
    }

    /// Whether the user named source `index` or a folder contained it.
    pub(crate) fn origin(&self, index: usize) -> Origin {
        self.origins.get(index).copied().filter(|_| !self.is_merged).unwrap_or(Origin::Named)
    }

    /// Whether file `index`, which failed with `error`, is silently skipped.
    pub(crate) fn passes_over(&self, index: usize, error: &CaptureError) -> bool {
        self.origins.get(index).is_some_and(|origin| origin.passes_over(error, &self.name(index)))
    }

    /// Number of sources: merged files are one.
    pub(crate) fn len(&self) -> usize {
        if self.is_merged { 1 } else { self.files.len() }
    }

    /// The name of source `index` in messages.
    pub(crate) fn name(&self, index: usize) -> String {
        self.names.get(index).cloned().unwrap_or_default()
    }

    /// Opens source `index`.
    pub(crate) fn open(&self, index: usize) -> Result<Source, CaptureError> {
        self.open_with(index, |_| ())
    }

    /// Opens source `index` and passes each of its readers to `each` before it is read.
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

    /// Whether source `index` reads standard input, which may be an endless stream.
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

    /// Open files of a source while it is read.
    pub(crate) fn open_at_once(&self) -> usize {
        if self.is_merged { self.files.len() } else { 1 }
    }

    /// Bytes of the file of source `index`, if it is a single file with an earlier pass.
    pub(crate) fn length(&self, index: usize) -> Option<u64> {
        if self.is_merged { None } else { self.originals.get(index)?.length() }
    }

    /// Fails if a file of source `index` has changed since its first read.
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
