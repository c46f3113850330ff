//! Documents of schema `tcpwhy/1` for the page, with the words that other readers of the schema look up by id.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tcpwhy_analysis::Connection;
use tcpwhy_model::{CaptureSummary, Finding};
use tcpwhy_report::dto::{self, Presentation};
use tcpwhy_report::{Catalogue, Language, Names, Wording};

use super::contract::ByLanguage;

/// The captures and connections in every language.
pub(crate) fn documents(
    captures: &[CaptureSummary],
    connections: &[(&Connection, Option<usize>)],
    across: &[Finding],
    names: Option<&Arc<Names>>,
) -> ByLanguage<Value> {
    Language::ALL
        .into_iter()
        .map(|language| {
            let catalogue = Catalogue::new(language).with_names(names.cloned());
            let presentation = Presentation::new(Wording::new(&catalogue));
            let captures: Vec<_> = captures.iter().map(|c| dto::Capture::new(c, presentation)).collect();
            let connections: Vec<_> = connections.iter().map(|&(c, of)| worded(c, of, presentation)).collect();
            let mut document = json!({
                "schema": dto::SCHEMA,
                "tool": dto::Tool::this(),
                "captures": captures,
                "connections": connections,
            });
            if !across.is_empty() {
                document["across_connections"] = json!(dto::across(across, presentation));
                add_words(&mut document["across_connections"], across, presentation.wording);
            }
            (language.tag(), document)
        })
        .collect()
}

/// A connection with titles of findings, and labels and values of evidence in words.
fn worded(connection: &Connection, capture: Option<usize>, presentation: Presentation<'_>) -> Value {
    let mut value = json!(dto::Connection::new(connection, capture, presentation));
    let wording = presentation.wording;
    add_words(&mut value["findings"], &connection.findings, wording);
    for (i, half) in connection.halves.iter().enumerate() {
        add_words(&mut value["halves"][i]["findings"], &half.findings, wording);
    }
    value
}

/// What the page's documents have besides `tcpwhy/1`, of a finding.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FindingWords {
    title: String,
}

/// The same of a number that a finding rests on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct EvidenceWords {
    label: String,
    /// The value with its unit.
    text: String,
}

/// The same of something to change.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FixWords {
    where_text: String,
}

fn add_words(values: &mut Value, findings: &[Finding], wording: Wording<'_>) {
    for (i, finding) in findings.iter().enumerate() {
        let value = &mut values[i];
        add(value, FindingWords { title: wording.rule_title(finding.rule) });
        for (j, evidence) in finding.evidence.iter().enumerate() {
            let words =
                EvidenceWords { label: wording.evidence_label(evidence), text: wording.evidence_value(evidence) };
            add(&mut value["evidence"][j], words);
        }
        for (j, fix) in finding.fixes.iter().enumerate() {
            add(&mut value["fixes"][j], FixWords { where_text: wording.place(fix.place) });
        }
    }
}

/// Puts the fields of `words` among those of `value`.
fn add(value: &mut Value, words: impl Serialize) {
    if let (Some(value), Value::Object(words)) = (value.as_object_mut(), json!(words)) {
        value.extend(words);
    }
}
