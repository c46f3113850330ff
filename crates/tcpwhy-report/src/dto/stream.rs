use serde::Serialize;

use crate::dto::{Answer, Capture, Connection, Exchange, Problem, Service};
use crate::json;

/// One line of `tcpwhy explain --jsonl`. Connections come as they finish, a capture when it was read to
/// its end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum Record {
    /// A capture that was read.
    Capture(Capture),
    /// A connection that is complete.
    Connection(Box<Connection>),
    /// A request and its answer, behind its connection; where they were asked for.
    Exchange(ConnectionExchange),
    /// A server of the capture, behind its connections.
    Service(Box<Service>),
    /// What is wrong in the capture, behind its connections, gravest first.
    Problem(Box<Problem>),
    /// The answer about all connections of the capture, behind its problems.
    Answer(Box<Answer>),
}

/// A request and its answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct ConnectionExchange {
    /// Number of its connection.
    pub connection: u64,
    /// What it was.
    #[serde(flatten)]
    pub exchange: Exchange,
}

impl Record {
    /// Writes it as a line at the end of `out`.
    ///
    /// # Errors
    /// None that is known: JSON can hold it.
    #[inline(never)]
    pub fn append_line(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        json::append(out, self, false)?;
        out.push(b'\n');
        Ok(())
    }
}
