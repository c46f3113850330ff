//! `why`: what limited a connection at one moment.

use std::borrow::Cow;

use serde::Deserialize;
use tcpwhy_analysis::Connection;
use tcpwhy_engine::Delivery;
use tcpwhy_report::assistant::{MOST_BYTES, MomentAnswer, fit};
use tcpwhy_report::text::Overview;

use super::super::packets;
use super::super::shared::Shared;
use super::super::work::Work;
use super::explain;
use super::names::inputs;
use crate::message::failure;
use crate::moment::Moment;
use crate::wrong::Result;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct WhyCall {
    capture: String,
    time: String,
    connection: Option<u64>,
}

pub(super) fn answer(shared: &Shared, call: &WhyCall, work: &Work) -> Result<String> {
    let moment: Moment = call.time.parse()?;
    let inputs = inputs(shared, &[&call.capture])?;
    let (mut connection, outcome) = if let Some(number) = call.connection {
        explain::find(shared, &inputs, number, work)?
    } else {
        let mut overview = Overview::new(1);
        let mut add = |connection: Cow<'_, Connection>, _| overview.add(connection.into_owned());
        let outcome = shared.kept.read(&inputs, work, Delivery::Bulk, &mut add)?;
        overview.renumber(&|connection| outcome.numbering.number(connection, 0));
        // The most severe problem may concern connections without data.
        let headline = overview.headline().map(|headline| headline.connection);
        (headline.or_else(|| overview.lead()).ok_or_else(|| failure("mcp-no-data"))?.clone(), outcome)
    };
    let spans = MomentAnswer::ranges_of(&connection, moment.nanos);
    let packets = packets::find(&inputs, spans, work)?;
    if let Some(anonymizer) = &shared.anonymizer {
        anonymizer.connection(&mut connection);
    }
    let answer = MomentAnswer::new(shared.wording(), &connection, moment.nanos, &packets);
    Ok(fit(answer.damaged(explain::damage(&outcome, shared.wording())), MOST_BYTES))
}
