//! `audit`: a saved host, or this one where that is allowed.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use tcpwhy_audit::audit;
use tcpwhy_live::LiveError;
use tcpwhy_report::assistant::{AuditAnswer, MOST_BYTES, fit};
use tcpwhy_report::{Anonymizer, Wording};

use super::super::Shared;
use super::super::work::Work;
use super::{First, shown_name};
use crate::args::{Cli, Command};
use crate::audit::Seen;
use crate::command_line::command_of;
use crate::message::failure;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct AuditCall {
    host: Option<String>,
    /// `RATE,RTT`.
    path: Option<String>,
    #[serde(default)]
    first: First,
}

pub(super) fn answer(shared: &Shared, call: &AuditCall, work: &Work) -> Result<String> {
    let Some(name) = &call.host else {
        let Some(host) = &shared.host else { bail!(failure("mcp-no-live")) };
        return host.audit(call, work);
    };
    let relative = super::original_host(shared, name)?;
    let folder = shared.folders.host(&relative)?;
    let saved = Some(folder.as_os_str().to_owned());
    // Where the folders are is nobody's concern.
    let shown = || PathBuf::from(shown_name(shared, &relative));
    answer_of(call, saved, shared.anonymizer.as_ref(), shared.wording()).map_err(|error| {
        match error.downcast::<LiveError>() {
            Ok(error) => error.map_path(|_| shown()).into(),
            Err(error) => error,
        }
    })
}

/// The answer about the host that was saved as `saved`, else about this one.
pub(in super::super) fn answer_of(
    call: &AuditCall,
    saved: Option<std::ffi::OsString>,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
) -> Result<String> {
    let path = call.path.as_ref().map(|path| format!("--path={path}").into());
    let words = ["tcpwhy", "audit"].map(Into::into).into_iter().chain(path);
    // A folder may be called like an option.
    let words = words.chain(saved.into_iter().flat_map(|saved| ["--".into(), saved]));
    let Some(Command::Audit(args)) = command_of::<Cli>(words)?.command else { return Ok(String::new()) };
    let mut seen = Seen::read(&args, anonymizer)?;
    seen.close_gaps();
    let damage = seen.damage(wording.catalogue());
    let facts = seen.facts();
    let answer = AuditAnswer::new(wording, &facts, &audit(&facts), call.first.page());
    Ok(fit(answer.damaged(damage), MOST_BYTES))
}
