use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_model::{Explained, Message};

/// Why nothing was compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A capture cannot be opened, or it is none.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// No thread could be started, or it was stopped.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// No connection of one capture belongs to one of the other, and no service is in both.
    #[error("the captures have no matching connections")]
    Nothing,
    /// A capture has no connection of this number that carried data.
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
