//! Calls about this host, which a separate process answers.

use std::num::NonZero;

use serde::{Deserialize, Serialize};
use tcpwhy_audit::audit;
#[cfg(target_os = "linux")]
use tcpwhy_report::assistant::LiveAnswer;
use tcpwhy_report::assistant::{AuditAnswer, MOST_BYTES, fit};
use tcpwhy_report::{Anonymizer, Wording};

use super::first::First;
use crate::args::{Cli, Command};
use crate::audit::Seen;
use crate::command_line::command_of;
#[cfg(target_os = "linux")]
use crate::message::failure;
#[cfg(target_os = "linux")]
use crate::predicate::Word;
#[cfg(target_os = "linux")]
use crate::wrong::bail;
use crate::wrong::{Foreign as _, Result};

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AuditCall {
    pub(super) host: Option<String>,
    /// `RATE,RTT`.
    pub(super) path: Option<String>,
    #[serde(default)]
    pub(super) first: First,
}

/// The audit of the host saved as `saved`, by default of this one.
pub(super) fn audit_of(
    call: &AuditCall,
    saved: Option<std::ffi::OsString>,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
) -> Result<String> {
    let path = call.path.as_ref().map(|path| format!("--path={path}").into());
    let words = ["tcpwhy", "audit"].map(Into::into).into_iter().chain(path);
    // A folder's name may look like an option.
    let words = words.chain(saved.into_iter().flat_map(|saved| ["--".into(), saved]));
    let Some(Command::Audit(args)) = command_of::<Cli>(words).foreign()?.command else { return Ok(String::new()) };
    let mut seen = Seen::read(&args, anonymizer)?;
    seen.close_gaps();
    let damage = seen.damage(wording.catalogue());
    let facts = seen.facts();
    let answer = AuditAnswer::new(wording, &facts, &audit(&facts), call.first.page());
    Ok(fit(answer.damaged(damage), MOST_BYTES))
}

/// Longest time to watch a host for one answer, seconds.
#[cfg(target_os = "linux")]
pub(super) const MOST_SECONDS: u64 = 60;

/// Default time, seconds.
#[cfg(target_os = "linux")]
pub(super) const USUAL_SECONDS: NonZero<u64> = NonZero::new(3).unwrap();

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LiveCall {
    pub(super) seconds: Option<NonZero<u64>>,
    pub(super) filter: Option<String>,
    #[serde(default)]
    pub(super) first: First,
}

#[cfg(target_os = "linux")]
impl LiveCall {
    /// Time to watch, seconds.
    pub(super) fn seconds(&self) -> u64 {
        self.seconds.unwrap_or(USUAL_SECONDS).get().min(MOST_SECONDS)
    }
}

/// Watches this host and returns the answer.
#[cfg(target_os = "linux")]
pub(super) fn live_of(call: &LiveCall, anonymizer: Option<&Anonymizer>, wording: Wording<'_>) -> Result<String> {
    let duration = format!("--for={}s", call.seconds());
    let words = ["tcpwhy".to_owned(), "live".to_owned(), "--once".to_owned(), duration];
    let Some(Command::Live(mut args)) = command_of::<Cli>(words)?.command else {
        return Ok(String::new());
    };
    // On the command line, a word may be a file name. Here, that would show which files exist.
    args.filter = Word::parse_all(call.filter.as_deref().unwrap_or_default())?;
    if anonymizer.is_some() && !args.filter.is_empty() {
        bail!(failure("mcp-filter-anonymized"));
    }
    if args.recording().is_some() {
        bail!(failure("mcp-no-file"));
    }
    crate::live::answer(&args, wording, |facts, connections| {
        let mut budget = tcpwhy_fit::Budget::default();
        let mut foresee = |connection: &mut tcpwhy_analysis::Connection| budget.predict(connection);
        let answer = LiveAnswer::new(wording, facts, connections, anonymizer, call.first.page(), &mut foresee);
        fit(answer, MOST_BYTES)
    })
}
