//! What each tool does: typed arguments in, an answer of bounded size out.

mod audit;
mod buffers;
mod compare;
mod explain;
mod live;
mod names;
mod why;

use anyhow::{Context as _, Result, bail};
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::shared::Shared;
use super::tools::Tool;
use super::work::Work;
use crate::message::{self, failure};

/// The answer of `tool` to `arguments`.
pub(super) fn answer(shared: &Shared, tool: Tool, arguments: JsonObject, work: &Work) -> Result<String> {
    let result = match tool {
        Tool::Explain => explain::answer(shared, &typed(arguments)?, work),
        Tool::Why => why::answer(shared, &typed(arguments)?, work),
        Tool::Compare => compare::answer(shared, &typed(arguments)?, work),
        Tool::Buffers => buffers::answer(shared, typed(arguments)?),
        Tool::Audit => audit::answer(shared, &typed(arguments)?, work),
        Tool::Live => live::answer(shared, &typed(arguments)?, work),
    };
    // Whoever stopped the reader knows why.
    if work.is_stopped() {
        bail!(failure("mcp-cancelled"));
    }
    result
}

/// Longest text of an error, in bytes.
const MOST_ERROR: usize = 1000;

/// `error` as a client gets it.
pub(super) fn error_text(error: &anyhow::Error) -> String {
    let mut text = message::sentence(error);
    let end = (0..=MOST_ERROR.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    text.truncate(end.unwrap_or_default());
    json!({ "error": text }).to_string()
}

fn typed<A: DeserializeOwned>(arguments: JsonObject) -> Result<A> {
    serde_json::from_value(Value::Object(arguments)).context(failure("mcp-arguments"))
}
