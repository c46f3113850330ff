//! The sources of captures in Python: paths, bytes, file objects.

use std::ffi::OsString;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pyo3::exceptions::{PyBlockingIOError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use tcpwhy_capture::CaptureReader;
use tcpwhy_model::Message;
use tcpwhy_model::foreign::decode;

use crate::errors::{Failure, raised};
use crate::interrupt::CHECK_EVERY;
use crate::language::Words;

/// Bytes requested from a file object per call: each call takes the interpreter's lock.
const AT_A_TIME: usize = 1 << 20;

/// One capture.
pub(crate) struct Input {
    content: Content,
    /// Displayed name.
    pub(crate) name: String,
    /// Whether the name belongs to this capture alone: given, a path, or the name of a file object.
    pub(crate) is_named: bool,
    /// Exception raised by `read()` of a file object.
    raised: Arc<Mutex<Option<PyErr>>>,
}

#[derive(Clone)]
enum Content {
    Path(PathBuf),
    Bytes(Shared),
    File(Arc<Py<PyAny>>),
}

/// Bytes shared by several readers.
#[derive(Clone)]
struct Shared(Arc<PyBackedBytes>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Input {
    /// The capture behind `source`, displayed as `name` if given.
    pub(crate) fn of(source: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Self> {
        let (content, own_name) = content_of(source)?;
        let is_named = match (&content, name, &own_name) {
            (Content::Path(_), ..) | (_, Some(_), _) => true,
            (_, None, own_name) => own_name.as_deref().is_some_and(|name| !is_placeholder(name)),
        };
        let placeholder = if matches!(content, Content::Bytes(_)) { "<bytes>" } else { "<file>" };
        let name = name.map(str::to_owned).or(own_name).unwrap_or_else(|| placeholder.to_owned());
        Ok(Self { content, name, is_named, raised: Arc::default() })
    }

    /// A reader at the start of the capture; errors and summaries call the input `shown`.
    pub(crate) fn open(&self, shown: &str) -> Result<CaptureReader, Failure> {
        let opened = match &self.content {
            Content::Path(path) => CaptureReader::open_as(path, shown),
            Content::Bytes(bytes) => {
                CaptureReader::from_read_of(Cursor::new(bytes.clone()), bytes.0.len() as u64, shown)
            }
            Content::File(_) => CaptureReader::from_read(self.stream(), shown),
        };
        opened.map_err(|error| match self.take_raised() {
            Some(error) => Failure::Python(error),
            None => Failure::of(error, self.path().map(PathBuf::as_path)),
        })
    }

    /// Whether the input can be read a second time.
    pub(crate) const fn is_repeatable(&self) -> bool {
        !matches!(self.content, Content::File(_))
    }

    /// The path of a file.
    pub(crate) const fn path(&self) -> Option<&PathBuf> {
        match &self.content {
            Content::Path(path) => Some(path),
            Content::Bytes(_) | Content::File(_) => None,
        }
    }

    /// The input as a stream of bytes; empty for a path.
    pub(crate) fn stream(&self) -> Box<dyn Read + Send> {
        match &self.content {
            Content::Path(_) => Box::new(io::empty()),
            Content::Bytes(bytes) => Box::new(Cursor::new(bytes.clone())),
            Content::File(file) => {
                Box::new(FileObject { file: Arc::clone(file), ahead: None, raised: Arc::clone(&self.raised) })
            }
        }
    }

    /// Checks for signals if `last` is long ago. The exception of a handler is treated as if `read()` had
    /// raised it.
    pub(crate) fn check_signals(&self, last: &Mutex<Instant>) -> io::Result<()> {
        {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if last.elapsed() < CHECK_EVERY {
                return Ok(());
            }
            *last = Instant::now();
        }
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is of one lifetime")]
        Python::attach(|py| py.check_signals()).map_err(|error| {
            let text = error.to_string();
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            io::Error::other(text)
        })
    }

    /// The exception raised by `read()`, if any.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Whether it is a placeholder such as `<stdin>` and `<urllib response>`, for file objects without a name.
fn is_placeholder(name: &str) -> bool {
    name.starts_with('<') && name.ends_with('>')
}

/// Name of a file object: `full_name` and `path` are attributes of fsspec.
fn name_of_file(file: &Bound<'_, PyAny>) -> Option<String> {
    let text = |attribute| file.getattr(attribute).ok()?.extract::<String>().ok();
    ["name", "full_name", "path"].into_iter().filter_map(text).find(|name| !name.is_empty())
}

/// The content, and its own name if it has one.
fn content_of(source: &Bound<'_, PyAny>) -> PyResult<(Content, Option<String>)> {
    if source.is_instance_of::<PyBytes>() || source.is_instance_of::<PyByteArray>() {
        return Ok((Content::Bytes(Shared(Arc::new(source.extract()?))), None));
    }
    if source.is_instance_of::<PyMemoryView>() {
        let bytes = source.call_method0("tobytes")?;
        return Ok((Content::Bytes(Shared(Arc::new(bytes.extract()?))), None));
    }
    if source.hasattr("read")? {
        return Ok((Content::File(Arc::new(source.clone().unbind())), name_of_file(source)));
    }
    if !source.is_instance_of::<PyString>() && !source.hasattr("__fspath__")? {
        let kind = source.get_type().name()?;
        return Err(raised::<PyTypeError>(
            Words::default(),
            &Message::new("python-source").with("kind", kind.to_string()),
        ));
    }
    let path: OsString = source.extract::<PathBuf>()?.into();
    if path.as_encoded_bytes().contains(&0) {
        // Same error as open().
        return Err(raised::<PyValueError>(Words::default(), &Message::new("python-null-byte")));
    }
    let name = decode(path.as_encoded_bytes()).into_owned();
    Ok((Content::Path(path.into()), Some(name)))
}

/// Reader of a Python object that has `read(n)`.
struct FileObject {
    file: Arc<Py<PyAny>>,
    /// Bytes that were read in advance, and the number of them that was used.
    ahead: Option<(PyBackedBytes, usize)>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl FileObject {
    fn refill(&self) -> PyResult<PyBackedBytes> {
        Python::attach(|py| {
            let file = self.file.bind(py);
            // A text file would decode the bytes first, which fails with an error about the encoding.
            let text = py.import("io")?.getattr("TextIOBase")?;
            if file.is_instance(&text)? {
                let kind = file.get_type().name()?;
                return Err(raised::<PyTypeError>(
                    Words::default(),
                    &Message::new("python-text-file").with("kind", kind.to_string()),
                ));
            }
            let read = file.call_method1("read", (AT_A_TIME,))?;
            if read.is_none() {
                return Err(raised::<PyBlockingIOError>(Words::default(), &Message::new("python-non-blocking")));
            }
            if read.is_instance_of::<PyString>() {
                return Err(raised::<PyTypeError>(Words::default(), &Message::new("python-read-text")));
            }
            if read.is_instance_of::<PyBytes>() || read.is_instance_of::<PyByteArray>() {
                return read.extract().map_err(Into::into);
            }
            let kind = read.get_type().name()?;
            Err(raised::<PyTypeError>(
                Words::default(),
                &Message::new("python-read-other").with("kind", kind.to_string()),
            ))
        })
    }
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ahead.is_none() {
            match self.refill() {
                Ok(bytes) => self.ahead = Some((bytes, 0)),
                Err(error) => {
                    let text = error.to_string();
                    *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    return Err(io::Error::other(text));
                }
            }
        }
        let Some((bytes, used)) = &mut self.ahead else { return Ok(0) };
        let rest = bytes.get(*used..).unwrap_or_default();
        let len = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..len), rest.get(..len)) {
            to.copy_from_slice(from);
        }
        *used += len;
        if *used >= bytes.len() {
            self.ahead = None;
        }
        Ok(len)
    }
}
