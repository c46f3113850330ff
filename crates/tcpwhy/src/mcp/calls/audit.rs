//! `audit`: checks a saved host, or this one if that is permitted.

use std::path::PathBuf;

use tcpwhy_live::LiveError;

use super::super::host_calls::{AuditCall, audit_of};
use super::super::shared::Shared;
use super::super::work::Work;
use super::names::{original_host, shown_name};
use crate::message::failure;
use crate::wrong::{Result, bail};

pub(super) fn answer(shared: &Shared, call: &AuditCall, work: &Work) -> Result<String> {
    let Some(name) = &call.host else {
        let Some(host) = &shared.host else { bail!(failure("mcp-no-live")) };
        return host.audit(call, work);
    };
    let relative = original_host(shared, name)?;
    let folder = shared.folders.host(&relative)?;
    let saved = Some(folder.as_os_str().to_owned());
    // Errors must not reveal the path of the folders.
    let shown = || PathBuf::from(shown_name(shared, &relative));
    audit_of(call, saved, shared.anonymizer.as_ref(), shared.wording()).map_err(|error| {
        match error.downcast::<LiveError>() {
            Ok(error) => error.map_path(|_| shown()).into(),
            Err(error) => error,
        }
    })
}
