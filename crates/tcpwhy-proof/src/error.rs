//! Errors while explaining, judging or writing.

use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_files::WriteError;
use tcpwhy_lab::LabError;
use tcpwhy_live::LiveError;
use tcpwhy_model::{Explained, Message, MessageValue};

/// An error as one line. A cause is part of the message, so it is not a `source` as well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// A capture cannot be opened or read to its end.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A capture could not be examined.
    #[error("{path}: {cause}")]
    Look {
        /// The capture.
        path: String,
        /// The system's error.
        cause: io::Error,
    },
    /// A file or folder cannot be read.
    #[error("{path}: {cause}")]
    Folder {
        /// The file or folder.
        path: String,
        /// The system's error.
        cause: io::Error,
    },
    /// A file of a recording cannot be read.
    #[error(transparent)]
    Text(#[from] LiveError),
    /// A recording cannot be read, or no other capture can be derived from its captures.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A file of a recording has unexpected content.
    #[error("{path}: {why}")]
    Content {
        /// The file.
        path: String,
        /// The problem.
        why: String,
    },
    /// A capture has no connection of that number that carried payload.
    #[error("connection {0} does not exist, or carried no payload")]
    NoConnection(u64),
    /// No connection of a capture carried payload.
    #[error("none of the connections carried payload")]
    NoPayload,
    /// A capture is missing or does not contain the transfer of the recording.
    #[error("{path}: {why}")]
    NotShown {
        /// The capture, or the folder that lacks it.
        path: String,
        /// The missing part.
        why: String,
    },
    /// The capture of a case has no data for a picture.
    #[error("{0}: nothing to draw")]
    NoPicture(String),
    /// A capture changed between two reads.
    #[error("the capture has changed while it was read")]
    Changed,
    /// A page or picture could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Explained for ProofError {
    fn message(&self) -> Message {
        let at = |place: &str, what: MessageValue| Message::new("at").with("place", place).with("what", what);
        match self {
            Self::Capture(error) => error.message(),
            Self::Look { path, cause } | Self::Folder { path, cause } => at(path, cause.into()),
            Self::Text(error) => error.message(),
            Self::Lab(error) => error.message(),
            Self::Content { path, why } | Self::NotShown { path, why } => at(path, MessageValue::reread(why)),
            Self::NoConnection(connection) => Message::new("no-such-connection").with("connection", *connection),
            Self::NoPayload => Message::new("no-payload"),
            Self::NoPicture(scenario) => Message::new("nothing-to-draw").with("scenario", scenario.as_str()),
            Self::Changed => Message::new("capture-changed"),
            Self::Write(error) => error.message(),
        }
    }
}
