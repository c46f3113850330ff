use serde::Serialize;

use crate::dto::{Answer, Capture, Connection, Exchange, Problem, Service};
use crate::json;

/// One line of `tcpwhy explain --jsonl`. A connection is written when it is complete, a capture when it has
/// been read to its end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum Record {
    /// A capture that was read.
    Capture(Capture),
    /// A connection that is complete.
    Connection(Box<Connection>),
    /// A request and its answer, after its connection; only if they were asked for.
    Exchange(ConnectionExchange),
    /// A server of the capture, after its connections.
    Service(Box<Service>),
    /// A problem of the capture, after its connections, most severe first.
    Problem(Box<Problem>),
    /// The answer about all connections of the capture, after its problems.
    Answer(Box<Answer>),
}

/// A request and its answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ConnectionExchange {
    /// Number of its connection.
    pub connection: u64,
    /// Times and sizes of the exchange.
    #[serde(flatten)]
    pub exchange: Exchange,
}

impl Record {
    /// Appends it to `out` as a line.
    ///
    /// # Errors
    /// No error is known: JSON can represent every value.
    #[inline(never)]
    pub fn append_line(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        json::append(out, self, false)?;
        out.push(b'\n');
        Ok(())
    }
}
