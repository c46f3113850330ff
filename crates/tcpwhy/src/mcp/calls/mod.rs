//! What each tool does: typed arguments in, an answer of bounded size out.

mod audit;
mod buffers;
mod compare;
mod explain;
mod live;
mod why;

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tcpwhy_report::assistant::{Page, fenced, unfenced};

pub(super) use self::audit::AuditCall;
#[cfg(target_os = "linux")]
pub(super) use self::audit::answer_of as audit_of;
pub(super) use self::live::LiveCall;
#[cfg(target_os = "linux")]
pub(super) use self::live::answer_of as live_of;
use super::Shared;
use super::folders::checked;
use super::tools::Tool;
use super::work::Work;
use crate::anonymize::name_of;
use crate::inputs::Inputs;
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

/// From which entry on a list is shown, as clients say it.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub(super) struct First(Option<NonZero<u64>>);

impl First {
    const fn page(self) -> Page {
        match self.0 {
            Some(first) => Page { first: first.get() },
            None => Page::FIRST,
        }
    }
}

/// Opens the captures that a client calls `names`.
fn inputs(shared: &Shared, names: &[&str]) -> Result<Inputs> {
    let open = |name: &&str| {
        let allowed = shared.folders.file(&original_name(shared, name)?)?;
        let shown = shown_name(shared, &allowed.name);
        Ok((allowed.file, shown))
    };
    Ok(Inputs::held(names.iter().map(open).collect::<Result<_>>()?))
}

/// How a file is called in answers and errors.
fn shown_name(shared: &Shared, name: &Path) -> String {
    // Part by part, so that a folder of which several files are listed has one name.
    let shown: Vec<_> = name.iter().map(|part| name_of(Path::new(part), shared.anonymizer.as_ref())).collect();
    fenced(&shown.join("/").replace("//", "/"))
}

/// The file that a client names as answers show it, or as it is called.
fn original_name(shared: &Shared, name: &str) -> Result<PathBuf> {
    let typed = checked(name)?;
    let plain = shared.anonymizer.is_none() && typed.to_str().is_some_and(|name| fenced(name) == format!("⟦{name}⟧"));
    if plain && shared.folders.file(typed).is_ok() {
        return Ok(typed.to_owned());
    }
    let shown = fenced(unfenced(name.trim()));
    let is_it = |original: &PathBuf| shown_name(shared, original) == shown;
    let found = shared.folders.names().into_iter().find(is_it);
    Ok(found.unwrap_or_else(|| typed.to_owned()))
}

/// The same of a saved host: a file, or a folder of files.
fn original_host(shared: &Shared, name: &str) -> Result<PathBuf> {
    let typed = checked(name)?;
    let shown = fenced(unfenced(name.trim()));
    let names = shared.folders.names();
    let all = names.iter().flat_map(|name| name.ancestors()).filter(|path| !path.as_os_str().is_empty());
    let found = all.into_iter().find(|path| shown_name(shared, path) == shown).map(Path::to_owned);
    Ok(found.unwrap_or_else(|| typed.to_owned()))
}

/// The error of an opened input, if it cannot be read at all.
fn unreadable(error: &dyn tcpwhy_model::Explained) -> anyhow::Error {
    io::Error::other(message::catalogue().message(&error.message())).into()
}
