//! The document of `tcpwhy --json`.

use std::io;

use serde::ser::{Serialize, Serializer};
use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Delivery, Plan};
use tcpwhy_report::Wording;
use tcpwhy_report::dto::{self, Presentation, SCHEMA, Tool};

use crate::inputs::Inputs;

/// Connections that are converted to JSON one after the other.
struct Connections<'a> {
    /// Each connection with the index of its capture.
    all: &'a [(Connection, Option<usize>)],
    presentation: Presentation<'a>,
}

impl Serialize for Connections<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.all.iter().map(|(c, of)| dto::Connection::new(c, *of, self.presentation)))
    }
}

/// Reads all captures for the document.
pub(crate) fn document(inputs: &Inputs, wording: Wording<'_>, with_timeline: bool) -> io::Result<String> {
    let presentation = Presentation { with_timeline, ..Presentation::new(wording) };
    let mut captures = Vec::new();
    let mut all: Vec<(Connection, Option<usize>)> = Vec::new();
    let mut before = 0;
    for index in 0..inputs.len() {
        // Errors on opening were reported when the captures were first read.
        let mut sockets = RecordedSockets::default();
        let Ok(source) = inputs.open_with(index, |reader| sockets.follow(reader)) else { continue };
        let mut here = Vec::new();
        let mut tell = |mut connection: Connection, number: Option<u64>| {
            if let Some(number) = number {
                connection.id = number + before;
            }
            here.push(connection);
            Ok(())
        };
        let mut present = |connection, number| sockets.present(connection, number, &mut tell);
        let outcome = tcpwhy_engine::run(source, Delivery::Bulk, &Plan::default(), &mut |_| {}, &mut present)?;
        // Missing parts were reported when the captures were first read.
        sockets.conclude(&mut tell)?;
        for connection in &mut here {
            connection.id = outcome.numbering.number(connection, before);
        }
        here.sort_by_key(|connection| connection.id);
        let summaries = outcome.ending.summaries;
        let capture = (summaries.len() == 1).then_some(captures.len());
        captures.extend(summaries.iter().map(|summary| dto::Capture::new(summary, presentation)));
        all.extend(here.into_iter().map(|connection| (connection, capture)));
        before += outcome.connections;
    }
    let connections = Connections { all: &all, presentation };
    let folds = Folds::of(all.iter().map(|(connection, _)| connection));
    let document = dto::Document {
        schema: SCHEMA.into(),
        tool: Tool::this(),
        captures,
        answer: dto::Answer::of_capture(&folds, presentation),
        across_connections: dto::across_connections(&folds.pairs, presentation),
        problems: dto::Problem::all(&folds, presentation),
        services: dto::Service::all(&folds.services),
        legs: dto::Relay::all(&folds.legs, presentation),
        connections,
    };
    let mut text = tcpwhy_report::json::to_string(&document)?;
    text.push('\n');
    Ok(text)
}
