//! Why something cannot be explained, judged or written.

use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_files::WriteError;
use tcpwhy_lab::LabError;
use tcpwhy_live::LiveError;
use tcpwhy_model::{Explained, Message, MessageValue};

/// One line for whoever asked; a cause stands in the message, so it is no source besides.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// A capture cannot be opened or read to its end.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A capture could not be looked at.
    #[error("{path}: {cause}")]
    Look {
        /// Which.
        path: String,
        /// What came of it.
        cause: io::Error,
    },
    /// A file or folder cannot be read.
    #[error("{path}: {cause}")]
    Folder {
        /// Which.
        path: String,
        /// What the operating system said.
        cause: io::Error,
    },
    /// A file of a recording cannot be read.
    #[error(transparent)]
    Text(#[from] LiveError),
    /// A recording cannot be read, or no other capture be made of its captures.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A file of a recording says something else than such files do.
    #[error("{path}: {why}")]
    Content {
        /// Which.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A capture has no connection of that number that carried payload.
    #[error("connection {0} does not exist, or carried no payload")]
    NoConnection(u64),
    /// No connection of a capture carried payload.
    #[error("none of the connections carried payload")]
    NoPayload,
    /// A capture does not show what the recording is about, or is not there.
    #[error("{path}: {why}")]
    NotShown {
        /// The capture, or the folder that lacks it.
        path: String,
        /// What it does not show.
        why: String,
    },
    /// Of a case there is nothing to draw.
    #[error("{0}: nothing to draw")]
    NoPicture(String),
    /// A capture was read twice, and the second time was another one.
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
