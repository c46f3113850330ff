use schemars::JsonSchema;
use serde::Serialize;

use crate::dto::{Capture, Connection};

/// One line of `tcpwhy explain --jsonl`. Connections come as they finish, a capture when it was read to its end.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum Record {
    /// A capture that was read.
    Capture(Capture),
    /// A connection that is complete.
    Connection(Box<Connection>),
}
