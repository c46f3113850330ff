//! `live`: connections of this host.

use std::num::NonZero;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
#[cfg(target_os = "linux")]
use tcpwhy_report::assistant::{LiveAnswer, MOST_BYTES, fit};
#[cfg(target_os = "linux")]
use tcpwhy_report::{Anonymizer, Wording};

use super::super::Shared;
use super::super::work::Work;
use super::First;
use crate::message::failure;

/// Longest time that a host is watched for one answer.
#[cfg(target_os = "linux")]
const MOST_SECONDS: u64 = 60;
/// The same where a client says nothing.
#[cfg(target_os = "linux")]
const USUAL_SECONDS: NonZero<u64> = NonZero::new(3).unwrap();

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LiveCall {
    seconds: Option<NonZero<u64>>,
    filter: Option<String>,
    #[serde(default)]
    first: First,
}

#[cfg(target_os = "linux")]
impl LiveCall {
    /// For how long it is watched.
    pub(in super::super) fn seconds(&self) -> u64 {
        self.seconds.unwrap_or(USUAL_SECONDS).get().min(MOST_SECONDS)
    }
}

pub(super) fn answer(shared: &Shared, call: &LiveCall, work: &Work) -> Result<String> {
    match &shared.host {
        Some(host) => host.live(call, work),
        None => bail!(failure("mcp-no-live")),
    }
}

/// The answer about this host, which is watched now.
#[cfg(target_os = "linux")]
pub(in super::super) fn answer_of(
    call: &LiveCall,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
) -> Result<String> {
    use crate::args::{Cli, Command};
    use crate::command_line::command_of;
    use crate::predicate::Word;

    let duration = format!("--for={}s", call.seconds());
    let words = ["tcpwhy".to_owned(), "live".to_owned(), "--once".to_owned(), duration];
    let Some(Command::Live(mut args)) = command_of::<Cli>(words)?.command else {
        return Ok(String::new());
    };
    // On the command line a word may be the name of a file. Here that would show which files exist.
    args.filter = Word::parse_all(call.filter.as_deref().unwrap_or_default())?;
    if anonymizer.is_some() && !args.filter.is_empty() {
        bail!(failure("mcp-filter-anonymized"));
    }
    if args.recording().is_some() {
        bail!(failure("mcp-no-file"));
    }
    crate::live::answer(&args, wording, |facts, connections| {
        fit(LiveAnswer::new(wording, facts, connections, anonymizer, call.first.page()), MOST_BYTES)
    })
}
