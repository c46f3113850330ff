//! Documents of `tcpwhy/1`, as written by `tcpwhy explain --json`.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tcpwhy_analysis::Connection;
use tcpwhy_report::dto::{self, Document, Presentation, SCHEMA, Tool, WrittenFixes};

use crate::analyse::Content;

/// Optional parts of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    /// Whether it has every interval with its limit.
    pub(crate) has_timeline: bool,
    /// Whether it has sentences, texts of fixes and lines.
    pub(crate) has_words: bool,
}

impl Form {
    fn presentation<'a>(self, content: &Content, fixes: &'a WrittenFixes) -> Presentation<'a> {
        let wording = content.words.wording();
        Presentation {
            wording,
            with_timeline: self.has_timeline,
            has_words: self.has_words,
            fixes: Some(fixes),
            site: None,
        }
    }
}

/// The document of a report, on one line.
pub(crate) fn document(content: &Content, form: Form) -> PyResult<String> {
    let fixes = WrittenFixes::default();
    let presentation = form.presentation(content, &fixes);
    let folds = content.folds();
    let mut captures: Vec<_> =
        content.captures.iter().map(|summary| dto::Capture::new(summary, presentation)).collect();
    if let Some(failure) = content.failure.as_ref().filter(|_| captures.is_empty()) {
        captures.push(dto::Capture::failed(content.name(), &failure.message(content.name()), presentation));
    }
    let empty = Document {
        schema: SCHEMA.into(),
        tool: Tool::this(),
        captures,
        answer: dto::Answer::of_capture(folds, presentation),
        across_connections: dto::across_connections(&folds.pairs, presentation),
        problems: dto::Problem::all(folds, presentation),
        services: dto::Service::all(&folds.services),
        legs: dto::Relay::all(&folds.legs, presentation),
        connections: [0_u8; 0],
    };
    let mut text = Vec::new();
    tcpwhy_report::json::to_writer(&mut text, &empty).map_err(failed)?;
    // The connections are inserted into the last list of the document, which is empty.
    let end = text.iter().rposition(|&byte| byte == b']').unwrap_or(text.len());
    let tail = text.split_off(end);
    let parts = connections(content, presentation)?;
    for (index, part) in parts.iter().filter(|part| !part.is_empty()).enumerate() {
        if index > 0 {
            text.push(b',');
        }
        text.extend_from_slice(part);
    }
    text.extend_from_slice(&tail);
    String::from_utf8(text).map_err(failed)
}

/// One connection in the form of the document.
pub(crate) fn connection(content: &Content, connection: &Connection, form: Form) -> PyResult<String> {
    let fixes = WrittenFixes::default();
    let text = texts(std::slice::from_ref(connection), capture(content), form.presentation(content, &fixes))?;
    String::from_utf8(text).map_err(failed)
}

/// The index of the only capture; `None` if several were merged.
fn capture(content: &Content) -> Option<usize> {
    (content.captures.len() == 1).then_some(0)
}

/// The connections, separated by commas, in one part per thread.
fn connections(content: &Content, presentation: Presentation<'_>) -> PyResult<Vec<Vec<u8>>> {
    /// Fewer are not worth a thread.
    const LEAST: usize = 256;
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let each = content.connections.len().div_ceil(threads).max(LEAST);
    thread::scope(|scope| {
        let parts = content.connections.chunks(each).map(|part| {
            let write = move || texts(part, capture(content), presentation);
            thread::Builder::new().spawn_scoped(scope, write).map_err(failed)
        });
        let parts: Vec<_> = parts.collect::<PyResult<_>>()?;
        parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

fn texts(connections: &[Connection], capture: Option<usize>, presentation: Presentation<'_>) -> PyResult<Vec<u8>> {
    let mut text = Vec::new();
    for (index, connection) in connections.iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        dto::Connection::new(connection, capture, presentation).append_json(&mut text, false).map_err(failed)?;
    }
    Ok(text)
}

/// Such an error is not known to occur: JSON can represent all contents of a document.
fn failed(error: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}
