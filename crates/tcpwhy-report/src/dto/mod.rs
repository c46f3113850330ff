//! The JSON contract, schema `tcpwhy/1`: plain data, made from domain types, never read back by the analysis.
//!
//! Keys carry units, unknown is `null`. Fields may be added within `tcpwhy/1`, never renamed or given another
//! meaning.

mod audit;
mod buffers;
mod capture;
mod compare;
mod connection;
mod exchanges;
mod finding;
mod fix;
mod half;
mod lab;
mod legs;
mod live;
mod problem;
mod service;
mod stream;

pub use audit::{AuditDocument, AuditOrigin};
pub use buffers::BuffersDocument;
pub(crate) use buffers::{Buffer, Figure, GivenWindow, Range as BufferRange, Request as BufferRequest};
pub use capture::Capture;
pub use compare::{CompareDocument, PairDocument};
pub use connection::Connection;
pub use exchanges::Exchange;
pub(crate) use exchanges::Exchanges;
pub use finding::Finding;
pub(crate) use finding::{Evidence, EvidenceValue};
pub use fix::WrittenFixes;
pub use half::rounded;
pub(crate) use half::{Half, LimitShare};
pub use lab::{LabDocument, LabFailure};
pub use legs::Relay;
pub(crate) use live::KernelHalf;
pub(crate) use live::LiveFacts;
pub use live::{InTurn, LiveDocument, LiveEvent, LiveGap, LiveHostFacts, LiveInterval, LiveRecord};
pub use problem::Problem;
pub use service::Service;
pub use stream::{ConnectionExchange, Record};

use std::borrow::Cow;

use serde::Serialize;
use tcpwhy_analysis::{Folds, Pairs};
use tcpwhy_model as model;

use crate::Wording;

/// A stable name that stands in the documents of JSON: one of a few, so most are no memory of their own.
pub type Id = Cow<'static, str>;

/// Name and version of the contract.
pub const SCHEMA: &str = "tcpwhy/1";

/// The program that wrote a document.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Tool {
    /// `tcpwhy`.
    pub(crate) name: String,
    /// Semantic version.
    pub(crate) version: String,
}

impl Tool {
    /// This program, in this version.
    pub fn this() -> Self {
        Self { name: "tcpwhy".into(), version: env!("CARGO_PKG_VERSION").into() }
    }
}

/// What `tcpwhy explain --json` writes.
// Written with other `connections`: memory may not have room for all of them in this form.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
pub struct Document<C = Vec<Connection>> {
    /// Always `tcpwhy/1`.
    #[cfg_attr(any(test, feature = "schema"), schemars(extend("const" = SCHEMA)))]
    pub schema: String,
    /// Who wrote it.
    pub tool: Tool,
    /// One entry for each capture read.
    pub captures: Vec<Capture>,
    /// What no single connection shows, but those of one client to one server do; absent where there is
    /// nothing.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub across_connections: Vec<Finding>,
    /// What is wrong, gravest first; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub problems: Vec<Problem>,
    /// The servers, those with most connections first; absent without a connection.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub services: Vec<Service>,
    /// Connections that a proxy, tunnel or forwarder passes on as others; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub legs: Vec<Relay>,
    /// Connections in the order of their first packets, file by file.
    pub connections: C,
}

impl Document {
    /// The document of one source: `captures` are its readers' summaries, and `connections` are in the order
    /// of their numbers. [`json::to_string`](crate::json::to_string) makes it the text that `tcpwhy --json`
    /// prints, without the line break at its end.
    pub fn of(
        captures: &[model::CaptureSummary],
        connections: &[tcpwhy_analysis::Connection],
        folds: &Folds,
        presentation: Presentation<'_>,
    ) -> Self {
        // Merged captures have no connection of their own.
        let capture = (captures.len() == 1).then_some(0);
        Self {
            schema: SCHEMA.into(),
            tool: Tool::this(),
            captures: captures.iter().map(|summary| Capture::new(summary, presentation)).collect(),
            across_connections: across_connections(&folds.pairs, presentation),
            problems: Problem::all(&folds.problems, &folds.services, presentation),
            services: Service::all(&folds.services),
            legs: Relay::all(&folds.legs, presentation),
            connections: connections.iter().map(|c| Connection::new(c, capture, presentation)).collect(),
        }
    }
}

/// What the conversions need to know besides the values.
#[derive(Clone, Copy)]
pub struct Presentation<'a> {
    /// The words.
    pub wording: Wording<'a>,
    /// Whether halves carry their `timeline`.
    pub with_timeline: bool,
    /// Whether there are sentences, texts of fixes and lines to copy.
    pub has_words: bool,
    /// Fixes that were written already, where documents stand on one line.
    pub fixes: Option<&'a WrittenFixes>,
}

impl<'a> Presentation<'a> {
    /// With these words, and no timelines.
    pub const fn new(wording: Wording<'a>) -> Self {
        Self { wording, with_timeline: false, has_words: true, fixes: None }
    }

    /// What `text` makes of the words, if there are to be any.
    fn say(self, text: impl FnOnce(Wording<'a>) -> String) -> Option<String> {
        self.has_words.then(|| text(self.wording))
    }
}

/// What `pairs` found, as [`Document::across_connections`] has it.
pub fn across_connections(pairs: &Pairs, presentation: Presentation<'_>) -> Vec<Finding> {
    across(&pairs.findings().0, presentation)
}

/// Findings that are of no single connection.
pub fn across(findings: &[model::Finding], presentation: Presentation<'_>) -> Vec<Finding> {
    findings.iter().map(|finding| Finding::new(finding, finding.seconds.unwrap_or(0.0), presentation)).collect()
}
