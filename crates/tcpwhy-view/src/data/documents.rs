//! Documents of schema `tcpwhy/1` for the page. They include the words that other readers of the schema look
//! up by id.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use tcpwhy_analysis::{Connection, Problem, Side};
use tcpwhy_model::{CaptureSummary, Finding, Program};
use tcpwhy_report::dto::{self, Presentation};
use tcpwhy_report::text::Overview as Summary;
use tcpwhy_report::{Catalogue, Language, Names, Wording, suggested_program};

use super::answer_words::AnswerWords;
use super::by_language::ByLanguage;

/// The results about all connections together.
#[derive(Clone, Copy)]
pub(crate) struct Together<'a> {
    pub(crate) summary: &'a Summary,
    /// Problems of `summary` that are shown.
    pub(crate) problems: &'a [Problem],
}

/// The captures and connections in each language.
pub(crate) fn documents(
    captures: &[CaptureSummary],
    connections: &[(&Connection, Option<usize>)],
    together: Option<Together<'_>>,
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
            if let Some(together) = together {
                add_together(&mut document, together, presentation);
            }
            (language.tag(), document)
        })
        .collect()
}

fn add_together(document: &mut Value, together: Together<'_>, presentation: Presentation<'_>) {
    let Together { summary, problems } = together;
    let wording = presentation.wording;
    let across = summary.across();
    if !across.is_empty() {
        document["across_connections"] = json!(dto::across(&across, presentation));
        add_words(&mut document["across_connections"], &across, None, wording);
    }
    let worded = problems.iter().map(|problem| {
        let (totals, services) = (summary.totals(), summary.services());
        let mut value = json!(dto::Problem::new(problem, totals, services, presentation));
        add(&mut value, ProblemWords { answer: AnswerWords::of_problem(problem, totals, services, presentation) });
        value
    });
    document["problems"] = worded.collect();
    document["legs"] = json!(dto::Relay::all(summary.legs(), presentation));
}

/// A connection with the first lines about it, titles of findings, and labels and values of evidence in
/// words.
fn worded(connection: &Connection, capture: Option<usize>, presentation: Presentation<'_>) -> Value {
    let mut value = json!(dto::Connection::new(connection, capture, presentation));
    let wording = presentation.wording;
    add_words(&mut value["findings"], &connection.findings, Some((connection, None)), wording);
    let answer = AnswerWords::of_connection(connection, presentation);
    for (i, half) in connection.halves.iter().enumerate() {
        let is_it = answer.sender() == Some(half.sender.index());
        let own = if is_it { answer.clone() } else { AnswerWords::of_half(connection, half, presentation) };
        let leading = own.rule().and_then(|rule| half.findings.iter().position(|one| one.rule == rule));
        add(&mut value["halves"][i], HalfWords { answer: own, leading });
    }
    add(&mut value, ConnectionWords { answer });
    for (i, half) in connection.halves.iter().enumerate() {
        let of = Some((connection, Some(half.sender)));
        add_words(&mut value["halves"][i]["findings"], &half.findings, of, wording);
    }
    value
}

/// Fields of a connection in the page's documents that `tcpwhy/1` does not have.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ConnectionWords {
    answer: AnswerWords,
}

/// Such fields of a direction.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct HalfWords {
    answer: AnswerWords,
    /// Index into `findings` of the finding with the answer's fix; null without one.
    leading: Option<usize>,
}

/// Such fields of a problem.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ProblemWords {
    answer: AnswerWords,
}

/// Such fields of a finding.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FindingWords {
    title: String,
}

/// Such fields of a number that a finding is based on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct EvidenceWords {
    label: String,
    /// Value with its unit.
    text: String,
}

/// Such fields of a fix.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FixWords {
    where_text: String,
    /// Language or server whose lines are shown first, as named in `line_programs`; null if no line is for
    /// one.
    suggested: Option<&'static str>,
}

/// Adds the words of `findings` to `values`. `of` is the connection that they are about, and the sender of
/// its data.
fn add_words(values: &mut Value, findings: &[Finding], of: Option<(&Connection, Option<Side>)>, wording: Wording<'_>) {
    for (i, finding) in findings.iter().enumerate() {
        let value = &mut values[i];
        add(value, FindingWords { title: wording.rule_title(finding.rule) });
        for (j, evidence) in finding.evidence.iter().enumerate() {
            let words =
                EvidenceWords { label: wording.evidence_label(evidence), text: wording.evidence_value(evidence) };
            add(&mut value["evidence"][j], words);
        }
        for (j, fix) in finding.fixes.iter().enumerate() {
            let suggested = of.and_then(|(connection, sender)| suggested_program(fix, connection, sender));
            let words = FixWords { where_text: wording.place(fix.place), suggested: suggested.map(Program::id) };
            add(&mut value["fixes"][j], words);
        }
    }
}

/// Adds the fields of `words` to `value`.
fn add(value: &mut Value, words: impl Serialize) {
    if let (Some(value), Value::Object(words)) = (value.as_object_mut(), json!(words)) {
        value.extend(words);
    }
}
