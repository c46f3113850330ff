//! Helpers that make charts from scripts of packets.
#![allow(dead_code, reason = "every test binary uses its own part")]

use tcpwhy_analysis::{Analyzer, Connection};
use tcpwhy_model::{CaptureFormat, CaptureSummary, Segment};
use tcpwhy_report::Language;
use tcpwhy_testkit::script;
use tcpwhy_view::chart::{Budget, Recording};
use tcpwhy_view::data::{Survey, View};
use tcpwhy_view::{Gatherer, Wanted};

/// The connections in these packets.
pub(crate) fn connections(segments: &[Segment]) -> Vec<Connection> {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    analyzer.finish()
}

/// The recording of a connection from a second pass over these packets.
pub(crate) fn record(segments: &[Segment], wanted: Wanted) -> Recording {
    let mut gatherer = Gatherer::new(&[wanted]);
    segments.iter().all(|s| gatherer.observe(s));
    gatherer.finish().remove(0).unwrap().recording
}

/// The only connection of a script, recorded.
pub(crate) fn recorded(text: &str, budget: Budget) -> (Connection, Recording) {
    let segments = script(text).segments;
    let connection = connections(&segments).remove(0);
    let recording = record(&segments, Wanted::whole(&connection, budget));
    (connection, recording)
}

/// A capture of this name.
pub(crate) fn facts(path: &str) -> CaptureSummary {
    CaptureSummary {
        path: path.into(),
        format: CaptureFormat::Pcapng,
        packets: 1,
        segments: 1,
        skipped: 0,
        captured_bytes: 1,
        original_bytes: 1,
        span: None,
        link_types: vec![1],
        anomalies: tcpwhy_model::Anomalies::default(),
    }
}

/// A page about these connections.
pub(crate) fn view(connections: Vec<Connection>, path: &str, language: Language) -> View {
    let mut survey = Survey::new();
    for connection in connections {
        survey.add(connection);
    }
    survey.end_of_source(vec![facts(path)], &|c| c.id);
    View::new(survey, language, None, false)
}
