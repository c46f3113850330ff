//! `live`: connections of this host.

use super::super::host_calls::LiveCall;
use super::super::shared::Shared;
use super::super::work::Work;
use crate::message::failure;
use crate::wrong::{Result, bail};

pub(super) fn answer(shared: &Shared, call: &LiveCall, work: &Work) -> Result<String> {
    match &shared.host {
        Some(host) => host.live(call, work),
        None => bail!(failure("mcp-no-live")),
    }
}
