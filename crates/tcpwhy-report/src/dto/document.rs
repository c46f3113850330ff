use serde::Serialize;
use tcpwhy_analysis::{Folds, Pairs};
use tcpwhy_model as model;

use crate::dto::{Answer, Capture, Connection, Finding, Presentation, Problem, Relay, SCHEMA, Service, Tool};

/// The document that `tcpwhy explain --json` writes.
// Generic, because memory may not have room for all `connections` in this form.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Document<C = Vec<Connection>> {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub schema: String,
    /// Program that wrote the document.
    pub tool: Tool,
    /// One entry per capture.
    pub captures: Vec<Capture>,
    /// The answer about all connections.
    pub answer: Answer,
    /// Findings that only several connections of one client to one server show together; absent if there are
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub across_connections: Vec<Finding>,
    /// Problems, most severe first; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub problems: Vec<Problem>,
    /// The servers, those with the most connections first; absent without a connection.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub services: Vec<Service>,
    /// Connections that a proxy, tunnel or forwarder passes on as other connections; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub legs: Vec<Relay>,
    /// Connections in the order of their first packets, file by file.
    pub connections: C,
}

impl Document {
    /// The document about one source. `captures` are its readers' summaries, and `connections` are in the
    /// order of their numbers. [`json::to_string`](crate::json::to_string) makes the text that `tcpwhy
    /// --json` prints, without the final line break.
    pub fn of(
        captures: &[model::CaptureSummary],
        connections: &[tcpwhy_analysis::Connection],
        folds: &Folds,
        presentation: Presentation<'_>,
    ) -> Self {
        // A connection of merged captures belongs to no single capture.
        let capture = (captures.len() == 1).then_some(0);
        Self {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            captures: captures.iter().map(|summary| Capture::new(summary, presentation)).collect(),
            answer: Answer::of_capture(folds, presentation),
            across_connections: across_connections(&folds.pairs, presentation),
            problems: Problem::all(folds, presentation),
            services: Service::all(&folds.services),
            legs: Relay::all(&folds.legs, presentation),
            connections: connections.iter().map(|c| Connection::new(c, capture, presentation)).collect(),
        }
    }
}

/// The findings of `pairs`, as in [`Document::across_connections`].
pub fn across_connections(pairs: &Pairs, presentation: Presentation<'_>) -> Vec<Finding> {
    across(&pairs.findings().0, presentation)
}

/// Findings that concern no single connection.
pub fn across(findings: &[model::Finding], presentation: Presentation<'_>) -> Vec<Finding> {
    findings.iter().map(|finding| Finding::new(finding, finding.seconds.unwrap_or(0.0), presentation)).collect()
}
