//! `compare`: two captures, two connections, or both ends of one.

use serde::Deserialize;
use tcpwhy_report::assistant::{CompareAnswer, MOST_BYTES, fit};

use super::super::first::First;
use super::super::shared::Shared;
use super::super::work::Work;
use super::names::inputs;
use crate::compare::{self, Request};
use crate::wrong::Result;

/// Pairs that an answer lists.
const PAIRS: usize = 5;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct CompareCall {
    before: String,
    after: String,
    /// `N:M`.
    connections: Option<String>,
    #[serde(default)]
    first: First,
}

pub(super) fn answer(shared: &Shared, call: &CompareCall, work: &Work) -> Result<String> {
    let connections = call.connections.as_deref().map(compare::numbers).transpose()?;
    let inputs = inputs(shared, &[&call.before, &call.after])?;
    let request = Request { connections, top: Some(PAIRS), is_quiet: true, plan: work.plan() };
    let compared = compare::compared(&inputs, &request, shared.anonymizer.as_ref(), shared.wording())?;
    let answer = CompareAnswer::new(shared.wording(), &compared.comparison, call.first.page());
    Ok(fit(answer.damaged(compare::damage(&compared, shared.wording())), MOST_BYTES))
}
