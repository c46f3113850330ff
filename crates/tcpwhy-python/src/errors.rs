//! Errors, and the exceptions for errors of the libraries.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;
use tcpwhy_capture::CaptureError as ReadError;
use tcpwhy_inputs::InputError;
use tcpwhy_model::{Explained, Message};

use crate::language::Words;

mod classes {
    use pyo3::create_exception;
    use pyo3::exceptions::PyOSError;

    use super::PyUserWarning;

    create_exception!(
        tcpwhy,
        CaptureError,
        PyOSError,
        "Nothing of a capture could be read: it is empty, damaged from its beginning, or no capture.\n\nFiles that \
         cannot be opened raise FileNotFoundError, PermissionError and so on, as open() does."
    );
    create_exception!(
        tcpwhy,
        CaptureWarning,
        PyUserWarning,
        "A capture is damaged or unusual. Report.captures lists the anomalies."
    );
}

pub(crate) use classes::{CaptureError, CaptureWarning};

/// `EISDIR`: the same on Linux, macOS and FreeBSD.
const IS_A_DIRECTORY: i32 = 21;

/// Reason why a capture could not be analysed. Created without the interpreter's lock.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing can be read, with the message for the user.
    Unreadable(Message),
    /// Error of the operating system, as `open` would report it.
    System { message: Message, cause: io::Error, path: Option<std::path::PathBuf> },
    /// Exception of Python: `read()` of a file object, or Ctrl-C.
    Python(PyErr),
    /// Another thread stopped the work.
    Stopped,
    /// Another error, such as a thread that could not be started.
    Other(io::Error),
}

impl Failure {
    /// Failure to read an input, which was opened by `path` if given.
    pub(crate) fn of(error: ReadError, path: Option<&Path>) -> Self {
        let message = error.message();
        match error {
            ReadError::Open { cause, .. } => Self::System { message, cause, path: path.map(Path::to_owned) },
            ReadError::Read { cause, .. } if cause.raw_os_error().is_some() => {
                Self::System { message, cause, path: path.map(Path::to_owned) }
            }
            _ => Self::Unreadable(message),
        }
    }

    /// Failure of an entry of a listing.
    pub(crate) fn of_input(error: InputError) -> Self {
        match error {
            InputError::Capture(error) => Self::of(error, None),
            InputError::Folder { cause, path } => {
                let message = Message::new("input-folder").with("path", path.as_str()).with("cause", &cause);
                Self::System { message, cause, path: Some(path.into()) }
            }
            error => Self::Unreadable(error.message()),
        }
    }

    /// The reason in words.
    pub(crate) fn text(&self, words: Words) -> String {
        match self {
            Self::Unreadable(message) | Self::System { message, .. } => words.catalogue().message(message),
            Self::Python(error) => Python::attach(|py| error.value(py).to_string()),
            Self::Stopped => io::Error::from(io::ErrorKind::Interrupted).to_string(),
            Self::Other(error) => error.to_string(),
        }
    }

    /// The reason as a message about the input `name`, as in JSON.
    pub(crate) fn message(&self, name: &str) -> Message {
        let cause = match self {
            Self::Unreadable(message) | Self::System { message, .. } => return message.clone(),
            Self::Python(error) => Python::attach(|py| error.value(py).to_string()),
            Self::Stopped => io::Error::from(io::ErrorKind::Interrupted).to_string(),
            Self::Other(error) => error.to_string(),
        };
        Message::new("capture-open").with("path", name).with("cause", cause)
    }

    /// Whether the user or the caller ended the work.
    pub(crate) fn is_interruption(&self, py: Python<'_>) -> bool {
        match self {
            Self::Stopped => true,
            Self::Python(error) => !error.is_instance_of::<pyo3::exceptions::PyException>(py),
            Self::Unreadable(_) | Self::System { .. } | Self::Other(_) => false,
        }
    }

    /// The exception to raise.
    pub(crate) fn error(&self, py: Python<'_>, words: Words) -> PyErr {
        match self {
            Self::Unreadable(_) => CaptureError::new_err(self.text(words)),
            Self::System { cause, path, .. } => os_error(cause, path.as_deref()),
            Self::Python(error) => error.clone_ref(py),
            Self::Stopped => PyKeyboardInterrupt::new_err(()),
            Self::Other(error) => os_error(error, None),
        }
    }
}

/// The exception that `open` would raise: `OSError` chooses its subclass by the number.
pub(crate) fn os_error(error: &io::Error, path: Option<&Path>) -> PyErr {
    let number = match (error.raw_os_error(), error.kind()) {
        (Some(number), _) => Some(number),
        (None, io::ErrorKind::IsADirectory) => Some(IS_A_DIRECTORY),
        (None, _) => None,
    };
    let Some(number) = number else { return PyOSError::new_err(error.to_string()) };
    let text = io::Error::from_raw_os_error(number).to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_owned();
    match path {
        Some(path) => PyOSError::new_err((number, text, path.as_os_str().to_owned())),
        None => PyOSError::new_err((number, text)),
    }
}

/// The exception for an invalid argument.
pub(crate) fn bad_argument(name: &str, error: &impl Explained, words: Words) -> PyErr {
    raised::<PyValueError>(words, &Message::new("at").with("place", name).with("what", error.message()))
}

/// An exception of the class `E` with the text of `message`.
pub(crate) fn raised<E: PyTypeInfo>(words: Words, message: &Message) -> PyErr {
    PyErr::new::<E, _>(words.catalogue().message(message))
}
