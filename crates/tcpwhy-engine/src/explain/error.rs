use std::io;

use tcpwhy_capture::CaptureError;
use tcpwhy_model::{Explained, Message};

/// Reason why nothing was explained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The input cannot be opened, or it is not a capture.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The flag of [`Explain::stop`](crate::Explain::stop) was set.
    #[error("stopped before the end of the capture")]
    Stopped,
    /// The function that receives connections failed, or a thread could not be started.
    #[error("cannot explain the capture: {0}")]
    Io(#[source] io::Error),
}

impl Explained for ExplainError {
    fn message(&self) -> Message {
        match self {
            Self::Capture(error) => error.message(),
            Self::Stopped => Message::new("explain-stopped"),
            Self::Io(error) => Message::new("explain-failed").with("cause", error),
        }
    }
}
