//! `explain`: lists the captures, a capture's problems, or one connection.

use std::sync::Arc;

use serde::Deserialize;
use tcpwhy_analysis::Connection;
use tcpwhy_engine::{Delivery, Outcome};
use tcpwhy_report::assistant::{CaptureAnswer, ConnectionAnswer, ConnectionsAnswer, MOST_BYTES, fit, ranges_of};
use tcpwhy_report::text::Overview;
use tcpwhy_report::{Code, Wording};

use super::super::first::First;
use super::super::packets;
use super::super::shared::Shared;
use super::super::work::Work;
use super::list::list;
use super::names::inputs;
use crate::code_args::code_for;
use crate::inputs::Inputs;
use crate::message::{self, failure};
use crate::predicate::{Expression, FilterOptions, Numbered, Predicate};
use crate::wrong::{Result, bail};

/// Most connections that an answer about a capture lists.
const LISTED: usize = 5;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct ExplainCall {
    capture: Option<String>,
    connection: Option<u64>,
    /// Number of the first connection in a list of all.
    connections: Option<u64>,
    filter: Option<String>,
    code: Option<String>,
    #[serde(default)]
    first: First,
}

pub(super) fn answer(shared: &Shared, call: &ExplainCall, work: &Work) -> Result<String> {
    let Some(capture) = &call.capture else { return Ok(list(shared, call.first, work)) };
    let code = call.code.as_deref().map(code_for).transpose()?.unwrap_or(Code::Suggested);
    let catalogue = shared.catalogue_for(code);
    let wording = Wording::new(&catalogue);
    let inputs = inputs(shared, &[capture])?;
    match (call.connection, call.connections) {
        (Some(_), _) if call.filter.is_some() => bail!(failure("mcp-filter-and-connection")),
        (Some(_), Some(_)) => bail!(failure("mcp-connection-and-connections")),
        (Some(number), None) => one(shared, &inputs, (number, call.first), wording, work),
        (None, Some(from)) => all(shared, &inputs, (from, call), wording, work),
        (None, None) => whole(shared, &inputs, call, wording, work),
    }
}

/// The connections that the call selects.
fn filter_of(call: &ExplainCall) -> Result<Predicate> {
    let expression = call.filter.as_deref().map(str::parse::<Expression>).transpose()?;
    Ok(FilterOptions { expression, ..FilterOptions::default() }.predicate())
}

/// The problems of a capture.
fn whole(shared: &Shared, inputs: &Inputs, call: &ExplainCall, wording: Wording<'_>, work: &Work) -> Result<String> {
    let filter = filter_of(call)?;
    let mut overview = Overview::new(LISTED);
    let mut excluded = 0;
    let outcome = shared.kept.read(inputs, work, Delivery::Bulk, &mut |connection, number| {
        let mut connection = connection.into_owned();
        // Anonymized before the filter, so that a client cannot find real addresses by filtering.
        if let Some(anonymizer) = &shared.anonymizer {
            anonymizer.connection(&mut connection);
        }
        if !filter.holds(&Numbered { connection: &connection, number }) {
            excluded += 1;
            return;
        }
        overview.add(connection);
    })?;
    overview.renumber(&|connection| outcome.numbering.number(connection, 0));
    let damage = damage(&outcome, wording);
    let page = call.first.page();
    let packets = packets::find(inputs, CaptureAnswer::ranges_of(&overview, page), work)?;
    let answer = CaptureAnswer::new(wording, &overview, &outcome.ending.summaries, &packets, page);
    Ok(fit(answer.excluding(excluded).damaged(damage), MOST_BYTES))
}

/// All connections from number `from` on, with or without data, as many as fit an answer.
fn all(
    shared: &Shared,
    inputs: &Inputs,
    (from, call): (u64, &ExplainCall),
    wording: Wording<'_>,
    work: &Work,
) -> Result<String> {
    let filter = filter_of(call)?;
    let mut answer = ConnectionsAnswer::new(from);
    let outcome = shared.kept.read(inputs, work, Delivery::Numbered, &mut |mut connection, number| {
        if let Some(anonymizer) = &shared.anonymizer {
            anonymizer.connection(connection.to_mut());
        }
        // A client cannot ask about a connection without a number.
        if let Some(number) = number
            && filter.holds(&Numbered { connection: &connection, number: Some(number) })
        {
            answer.add(number, &connection, wording);
        }
    })?;
    Ok(fit(answer.damaged(damage(&outcome, wording)), MOST_BYTES))
}

/// Connection `number`, with its findings from `first` on.
fn one(
    shared: &Shared,
    inputs: &Inputs,
    (number, first): (u64, First),
    wording: Wording<'_>,
    work: &Work,
) -> Result<String> {
    let (mut connection, outcome) = find(shared, inputs, number, work)?;
    let packets = packets::find(inputs, ranges_of(&connection), work)?;
    if let Some(anonymizer) = &shared.anonymizer {
        anonymizer.connection(&mut connection);
    }
    let answer = ConnectionAnswer::new(wording, &connection, &packets, first.page());
    Ok(fit(answer.damaged(damage(&outcome, wording)), MOST_BYTES))
}

/// Reads connection `number` of the first of `inputs`.
pub(super) fn find(shared: &Shared, inputs: &Inputs, number: u64, work: &Work) -> Result<(Connection, Arc<Outcome>)> {
    let mut found = None;
    let outcome = shared.kept.read(inputs, work, Delivery::Numbered, &mut |connection, known| {
        if known == Some(number) {
            found = Some(Connection { id: number, ..connection.into_owned() });
        }
    })?;
    let Some(connection) = found else {
        bail!(
            failure("mcp-no-connection").with("n", number.to_string()).with("count", outcome.connections.to_string())
        );
    };
    Ok((connection, outcome))
}

/// Messages about unreadable parts and anomalies of a capture.
pub(super) fn damage(outcome: &Outcome, wording: Wording<'_>) -> Vec<String> {
    let ending = &outcome.ending;
    let anomalies = ending.summaries.iter().flat_map(|capture| capture.anomalies.iter());
    let failures = ending.failures.iter().map(message::words);
    anomalies.map(|anomaly| wording.anomaly(anomaly)).chain(failures).collect()
}
