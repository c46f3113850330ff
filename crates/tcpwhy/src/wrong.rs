//! Errors on their way to the user. Every step has its message, so printing needs no types.

use std::error::Error;
use std::fmt;
use std::io;

use tcpwhy_files::WriteError;
use tcpwhy_model::{Explained, MessageValue};

use crate::message;

/// An error and its context. `?` converts any [`Explained`] error.
pub(crate) struct Wrong(Box<Step>);

/// The error, with its message and those of the places it came through.
struct Step {
    what: MessageValue,
    /// The innermost first.
    places: Vec<MessageValue>,
    error: Option<Box<dyn Error + Send + Sync>>,
}

/// A result with this error type.
pub(crate) type Result<T, E = Wrong> = std::result::Result<T, E>;

impl Wrong {
    /// An error whose text is final: already in the user's language, or from another process of this program.
    pub(crate) fn said(text: impl Into<String>) -> Self {
        Self::new(MessageValue::Text(text.into()), None)
    }

    /// An error of a library without a message in the catalogues.
    pub(crate) fn foreign(error: impl Error + Send + Sync + 'static) -> Self {
        Self::new(MessageValue::reread(&error.to_string()), Some(Box::new(error)))
    }

    fn new(what: MessageValue, error: Option<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Box::new(Step { what, places: Vec::new(), error }))
    }

    /// Adds the place where it happened.
    #[must_use]
    pub(crate) fn context(mut self, place: impl Into<MessageValue>) -> Self {
        self.0.places.push(place.into());
        self
    }

    /// The sentence in the user's language, the outermost place first.
    pub(crate) fn sentence(&self) -> String {
        let what = message::value(&self.0.what);
        self.0.places.iter().fold(what, |what, place| message::at(message::value(place), what))
    }

    /// The error, if it has this type.
    pub(crate) fn downcast<E: Error + 'static>(mut self) -> Result<E> {
        match self.0.error.take().map(<dyn Error + Send + Sync>::downcast::<E>) {
            Some(Ok(error)) => Ok(*error),
            Some(Err(error)) => {
                self.0.error = Some(error);
                Err(self)
            }
            None => Err(self),
        }
    }

    /// The kind of I/O error, if it is one.
    pub(crate) fn io_kind(&self) -> Option<io::ErrorKind> {
        let error = self.0.error.as_deref()?;
        let plain = error.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = || error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        let file = || error.downcast_ref::<WriteError>().and_then(WriteError::io_error).map(io::Error::kind);
        plain.or_else(json).or_else(file)
    }
}

impl<E: Explained + Error + Send + Sync + 'static> From<E> for Wrong {
    fn from(error: E) -> Self {
        Self::new(error.message().into(), Some(Box::new(error)))
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence())
    }
}

impl fmt::Debug for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// For interfaces that require an I/O error.
impl From<Wrong> for io::Error {
    fn from(wrong: Wrong) -> Self {
        Self::new(wrong.io_kind().unwrap_or(io::ErrorKind::Other), wrong.sentence())
    }
}

/// Names the place where something went wrong.
pub(crate) trait Context<T>: Sized {
    /// Adds `place` to the error.
    fn context(self, place: impl Into<MessageValue>) -> Result<T> {
        self.with_context(|| place)
    }

    /// Adds the result of `place` to the error.
    fn with_context<P: Into<MessageValue>>(self, place: impl FnOnce() -> P) -> Result<T>;
}

impl<T, E: Into<Wrong>> Context<T> for std::result::Result<T, E> {
    fn with_context<P: Into<MessageValue>>(self, place: impl FnOnce() -> P) -> Result<T> {
        self.map_err(|error| error.into().context(place()))
    }
}

/// `None` becomes an error.
impl<T> Context<T> for Option<T> {
    fn with_context<P: Into<MessageValue>>(self, what: impl FnOnce() -> P) -> Result<T> {
        self.ok_or_else(|| Wrong::new(what().into(), None))
    }
}

/// Converts errors of libraries without messages in the catalogues.
pub(crate) trait Foreign<T> {
    /// Converts the error, keeping the library's text.
    fn foreign(self) -> Result<T>;
}

impl<T, E: Error + Send + Sync + 'static> Foreign<T> for std::result::Result<T, E> {
    fn foreign(self) -> Result<T> {
        self.map_err(Wrong::foreign)
    }
}

/// Ends a function with an error.
macro_rules! bail {
    ($error:expr) => {
        return Err($crate::wrong::Wrong::from($error))
    };
}

pub(crate) use bail;

#[cfg(test)]
mod tests {
    use tcpwhy_live::LiveError;

    use super::*;
    use crate::message::failure;

    #[test]
    fn what_went_wrong_is_said_from_the_outermost_place_on() {
        let wrong = Wrong::from(LiveError::Unsupported).context(failure("no-accounts")).context("a.pcap");
        let said = wrong.sentence();
        assert!(said.starts_with("a.pcap: the kernel keeps no statistics for this process: reading"), "{said}");
    }

    #[test]
    fn errors_of_a_type_are_found_and_others_kept() {
        let wrong = Wrong::from(LiveError::Unsupported).downcast::<WriteError>().unwrap_err();
        assert!(matches!(wrong.downcast::<LiveError>(), Ok(LiveError::Unsupported)));
        assert!(Wrong::said("no room").downcast::<LiveError>().is_err());
    }

    #[test]
    fn a_closed_pipe_is_known_through_every_layer() {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        let file = WriteError::Io { path: "a".into(), error: closed() };
        for wrong in
            [Wrong::from(closed()).context("a"), Wrong::from(file), Wrong::foreign(serde_json::Error::io(closed()))]
        {
            assert_eq!(wrong.io_kind(), Some(io::ErrorKind::BrokenPipe), "{wrong:?}");
        }
        assert_eq!(Wrong::from(LiveError::Unsupported).io_kind(), None);
    }
}
