//! Documents of schema `tcpwhy/1` for the page, with the words that other readers of the schema look up by id.

use std::sync::Arc;

use serde_json::{Value, json};
use tcpwhy_analysis::Connection;
use tcpwhy_model::Finding;
use tcpwhy_report::dto::{self, Presentation};
use tcpwhy_report::{CaptureFacts, Catalogue, Language, Names, Wording};

use super::contract::ByLanguage;

/// The captures and connections in every language.
pub(crate) fn documents(
    captures: &[CaptureFacts],
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

fn add_words(values: &mut Value, findings: &[Finding], wording: Wording<'_>) {
    for (i, finding) in findings.iter().enumerate() {
        let value = &mut values[i];
        value["title"] = wording.rule_title(finding.rule).into();
        for (j, evidence) in finding.evidence.iter().enumerate() {
            let value = &mut value["evidence"][j];
            value["label"] = wording.evidence_label(evidence).into();
            value["text"] = wording.evidence_value(evidence).into();
        }
        for (j, fix) in finding.fixes.iter().enumerate() {
            value["fixes"][j]["where_text"] = wording.place(fix.place).into();
        }
    }
}
