//! The tools: each converts typed arguments to an answer of bounded size.

mod audit;
mod buffers;
mod compare;
mod explain;
mod list;
mod live;
mod names;
mod why;

use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::buffers::BuffersCall;
use self::compare::CompareCall;
use self::explain::ExplainCall;
use self::why::WhyCall;
use super::host_calls::{AuditCall, LiveCall};
use super::shared::Shared;
use super::tools::Tool;
use super::work::Work;
use crate::message::failure;
use crate::wrong::{Context as _, Foreign as _, Result, Wrong, bail};

/// A call with its arguments.
#[derive(Debug)]
pub(super) enum Call {
    Explain(ExplainCall),
    Why(WhyCall),
    Compare(CompareCall),
    Buffers(BuffersCall),
    Audit(AuditCall),
    Live(LiveCall),
}

impl Call {
    /// The call of `tool` with `arguments`; the error names the first wrong one.
    pub(super) fn of(tool: Tool, arguments: JsonObject) -> Result<Self> {
        if let Some(why) = tool.wrong_argument(&arguments) {
            bail!(why);
        }
        Ok(match tool {
            Tool::Explain => Self::Explain(typed(arguments)?),
            Tool::Why => Self::Why(typed(arguments)?),
            Tool::Compare => Self::Compare(typed(arguments)?),
            Tool::Buffers => Self::Buffers(typed(arguments)?),
            Tool::Audit => Self::Audit(typed(arguments)?),
            Tool::Live => Self::Live(typed(arguments)?),
        })
    }

    /// Computes the answer.
    pub(super) fn answer(self, shared: &Shared, work: &Work) -> Result<String> {
        let result = match self {
            Self::Explain(call) => explain::answer(shared, &call, work),
            Self::Why(call) => why::answer(shared, &call, work),
            Self::Compare(call) => compare::answer(shared, &call, work),
            Self::Buffers(call) => buffers::answer(shared, call),
            Self::Audit(call) => audit::answer(shared, &call, work),
            Self::Live(call) => live::answer(shared, &call, work),
        };
        // After a stop, any error of the read is only a consequence.
        if work.is_stopped() {
            bail!(failure("mcp-cancelled"));
        }
        result
    }
}

/// Longest text of an error, in bytes.
const MOST_ERROR: usize = 1000;

/// The text of `error` for a client.
pub(super) fn error_text(error: &Wrong) -> String {
    let mut text = error.sentence();
    let end = (0..=MOST_ERROR.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    text.truncate(end.unwrap_or_default());
    json!({ "error": text }).to_string()
}

fn typed<A: DeserializeOwned>(arguments: JsonObject) -> Result<A> {
    serde_json::from_value(Value::Object(arguments)).foreign().context(failure("mcp-arguments"))
}
