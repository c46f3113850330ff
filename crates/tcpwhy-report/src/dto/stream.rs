use serde::Serialize;

use crate::dto::{Capture, Connection};
use crate::json;

/// One line of `tcpwhy explain --jsonl`. Connections come as they finish, a capture when it was read to its end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum Record {
    /// A capture that was read.
    Capture(Capture),
    /// A connection that is complete.
    Connection(Box<Connection>),
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
