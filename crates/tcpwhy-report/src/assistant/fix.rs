//! Findings: their evidence, what to change, and the gain to expect.

use serde::Serialize;
use tcpwhy_model as model;

use super::fit::{pop, short};
use super::ground::Ground;
use crate::dto::{Evidence, EvidenceValue, Finding, Id, Presentation};
use crate::{Site, Wording};

/// Most lines to copy of one fix.
const MOST_LINES: usize = 6;

/// A diagnosis.
#[derive(Debug, Serialize)]
pub(super) struct FindingEntry {
    rule: Id,
    severity: Id,
    confidence: f64,
    /// Seconds that it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    ground: Ground,
    sentence: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<PredictionEntry>,
}

/// A number that decided.
#[derive(Debug, Serialize)]
pub(super) struct EvidenceEntry {
    name: Id,
    value: EvidenceValue,
    ground: Ground,
}

/// Something to change.
#[derive(Debug, Serialize)]
struct FixEntry {
    id: Id,
    #[serde(rename = "where")]
    place: Id,
    readiness: Id,
    /// Placeholders that the reader fills in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<Id>,
    /// Empty where a finding before it has the same fix.
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<String>,
    /// The fix removes another cause than the fix before it; the packets do not show which cause is the right
    /// one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rival: bool,
}

/// The gain to expect from the change.
#[derive(Debug, Serialize)]
struct PredictionEntry {
    claim: Id,
    /// Shortest time that the direction takes afterwards, seconds.
    low_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high_s: Option<f64>,
    times_at_most: f64,
    next_limit: Id,
    method: Id,
    ground: Ground,
}

impl EvidenceEntry {
    pub(super) fn new(evidence: &Evidence) -> Self {
        let value = match &evidence.value {
            EvidenceValue::Real(value) => EvidenceValue::Real(short(*value)),
            other => other.clone(),
        };
        Self { name: evidence.name.clone(), value, ground: Ground::of_id(&evidence.basis) }
    }
}

impl FindingEntry {
    /// The entry for `finding` of a direction or connection that lasted `total_seconds`. Lines to copy
    /// contain the addresses of `site`, the connection.
    pub(super) fn new(finding: &model::Finding, total_seconds: f64, wording: Wording<'_>, site: Option<&Site>) -> Self {
        let presentation = Presentation { site: site.copied(), ..Presentation::new(wording) };
        let dto = Finding::new(finding, total_seconds, presentation);
        Self {
            rule: dto.rule,
            severity: dto.severity,
            confidence: dto.confidence,
            seconds: dto.seconds.map(short),
            ground: Ground::Inferred,
            sentence: dto.sentence.unwrap_or_default(),
            evidence: dto.evidence.iter().map(EvidenceEntry::new).collect(),
            fixes: finding
                .fixes_with_readiness(site.map(|site| &site.ends))
                .map(|fix| FixEntry::new(fix, wording, site))
                .collect(),
            prediction: dto.prediction.map(|prediction| PredictionEntry {
                claim: prediction.claim,
                low_s: short(prediction.seconds.low),
                value_s: prediction.seconds.value.map(short),
                high_s: prediction.seconds.high.map(short),
                times_at_most: short(prediction.times_at_most),
                next_limit: prediction.next_limit,
                method: prediction.method,
                ground: Ground::Inferred,
            }),
        }
    }

    /// Removes the text and lines of fixes whose ids `told` contains; adds the other ids to `told`.
    fn tell_once(&mut self, told: &mut Vec<Id>) {
        for fix in &mut self.fixes {
            if told.contains(&fix.id) {
                (fix.text, fix.lines) = (String::new(), Vec::new());
            } else {
                told.push(fix.id.clone());
            }
        }
    }

    /// Leaves out a part of the finding; false if only its sentence and first fix are left.
    pub(super) fn shorten(&mut self) -> bool {
        let lines = |fixes: &mut [FixEntry]| fixes.iter_mut().skip(1).any(|fix| pop(&mut fix.lines, 0));
        pop(&mut self.evidence, 3)
            || lines(&mut self.fixes)
            || pop(&mut self.fixes, 2)
            || pop(&mut self.evidence, 0)
            || self.fixes.iter_mut().any(|fix| pop(&mut fix.lines, 1))
            || pop(&mut self.fixes, 1)
    }
}

impl FixEntry {
    fn new((fix, readiness): (&model::Fix, model::Readiness), wording: Wording<'_>, site: Option<&Site>) -> Self {
        let (mut lines, _) = wording.shown_lines(fix, site);
        lines.truncate(MOST_LINES);
        Self {
            id: fix.id.into(),
            place: fix.place.id().into(),
            readiness: readiness.id().into(),
            missing: fix.missing(site.map(|site| &site.ends)).into_iter().map(Id::from).collect(),
            text: wording.fix(fix),
            lines,
            rival: fix.is_rival,
        }
    }
}

/// Keeps the text of each fix only where the fix occurs first.
pub(super) fn tell_once(findings: &mut [FindingEntry]) {
    let mut told = Vec::new();
    for finding in findings {
        finding.tell_once(&mut told);
    }
}

/// Shortens or removes the last findings first; false if only the first is left and is short.
pub(super) fn shorten_findings(findings: &mut Vec<FindingEntry>) -> bool {
    findings.iter_mut().skip(1).rev().any(FindingEntry::shorten)
        || pop(findings, 2)
        || findings.first_mut().is_some_and(FindingEntry::shorten)
        || pop(findings, 1)
}

#[cfg(test)]
mod terms;
