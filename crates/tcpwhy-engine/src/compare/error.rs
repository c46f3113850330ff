use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_model::{Explained, Message};

/// Reason why nothing was compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A capture cannot be opened, or a file is not a capture.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A thread could not be started, or the work was stopped.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// No connections correspond, and no service is in both captures.
    #[error("the captures have no matching connections")]
    Nothing,
    /// A capture has no connection with this number that carried data.
    #[error("connection {0} does not exist, or carried no data")]
    NoSuchConnection(u64),
}

impl Explained for CompareError {
    fn message(&self) -> Message {
        match self {
            Self::Capture(error) => error.message(),
            Self::Io(error) => Message::new("explain-failed").with("cause", error),
            Self::Nothing => Message::new("compare-nothing"),
            Self::NoSuchConnection(number) => Message::new("compare-no-such-connection").with("n", number.to_string()),
        }
    }
}
