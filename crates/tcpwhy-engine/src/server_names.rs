//! Names that clients use for their servers, collected while captures are read.

use std::sync::{Arc, Mutex, PoisonError};

use tcpwhy_analysis::{Connection, ServerNames};
use tcpwhy_capture::{CaptureReader, PayloadHearer};
use tcpwhy_model::Segment;

/// Collects the names in the captures of one source: server names of TLS, hosts of HTTP.
#[derive(Clone, Default)]
pub struct NameListener(Arc<Mutex<ServerNames>>);

impl NameListener {
    /// Reads the names of one more capture, before its first packet is read.
    pub fn listen(&self, reader: &mut CaptureReader) {
        reader.hear_payload(self.clone());
    }

    /// Sets the server name of `connection`, if its client sent one.
    pub fn name(&self, connection: &mut Connection) {
        let name = self.names().take(connection);
        connection.server_name = name.map(Box::new);
    }

    fn names(&self) -> std::sync::MutexGuard<'_, ServerNames> {
        // A thread that panicked has added the names that it had.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PayloadHearer for NameListener {
    fn wants(&mut self, segment: &Segment) -> bool {
        self.names().wants(segment)
    }

    fn hear(&mut self, segment: &Segment, captured: &[u8]) {
        self.names().hear(segment, captured);
    }
}
