//! What clients call their servers, while captures are read.

use std::sync::{Arc, Mutex, PoisonError};

use tcpwhy_analysis::{Connection, ServerNames};
use tcpwhy_capture::{CaptureReader, PayloadHearer};
use tcpwhy_model::Segment;

/// The names in the captures of one source.
#[derive(Clone, Default)]
pub(crate) struct Called(Arc<Mutex<ServerNames>>);

impl Called {
    /// Listens to one more capture.
    pub(crate) fn listen(&self, reader: &mut CaptureReader) {
        reader.hear_payload(self.clone());
    }

    /// Notes with `connection` what its client called the server.
    pub(crate) fn name(&self, connection: &mut Connection) {
        let name = self.names().take(connection);
        connection.server_name = name.map(Box::new);
    }

    fn names(&self) -> std::sync::MutexGuard<'_, ServerNames> {
        // Whoever panicked has told what it could.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PayloadHearer for Called {
    fn wants(&mut self, segment: &Segment) -> bool {
        self.names().wants(segment)
    }

    fn hear(&mut self, segment: &Segment, captured: &[u8]) {
        self.names().hear(segment, captured);
    }
}
