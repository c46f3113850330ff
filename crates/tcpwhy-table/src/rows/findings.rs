use std::collections::BTreeMap;

use tcpwhy_analysis::Connection;
use tcpwhy_model::{Claim, Finding, Fix, Prediction, Value};
use tcpwhy_report::Wording;
use tcpwhy_report::dto::rounded;

use super::{integer, side};
use crate::kind::{Integer, Maybe, Real, Small, Text, Texts, Tiny};
use crate::table::table;

table! {
    /// A finding: a rule that applies.
    FindingRow => Findings {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// As in `halves`; null for a finding about the whole connection.
        sender: Maybe<Tiny>,
        /// Index among the findings of the connection, from 0: first those about the connection, then those
        /// about its directions.
        finding: Small,
        /// Stable kebab-case id; `tcpwhy rules ID` explains it.
        rule: Text,
        /// `info`, `warning` or `critical`.
        severity: Text,
        /// Confidence, from 0 to 1.
        confidence: Real,
        /// Cost in seconds; null if it has no separate cost in time.
        seconds: Maybe<Real>,
        /// The finding in words; null without words.
        sentence: Maybe<Text>,
        /// Ids of the proposed fixes, as in `fixes`, best first.
        fixes: Texts,
        /// Shortest duration of the direction after the change, in seconds.
        predicted_low_s: Maybe<Real>,
        /// Likely duration in seconds; null unless `claim` is `range`.
        predicted_s: Maybe<Real>,
        /// Longest duration in seconds; null unless `claim` is `range`.
        predicted_high_s: Maybe<Real>,
        /// `range`, `at_best` or `at_best_untried`.
        claim: Maybe<Text>,
        /// Id of the next limit.
        next_limit: Maybe<Text>,
        /// Reason for the rate after the change: stable kebab-case id.
        ceiling: Maybe<Text>,
        /// `simulated`: the transfer was rebuilt and simulated with the change. `formula`: it was computed.
        method: Maybe<Text>,
        /// Duration of the rebuilt transfer divided by that of the real one; null unless it was simulated.
        closeness: Maybe<Real>,
    }
}

table! {
    /// A number in the evidence of a finding.
    EvidenceRow => EvidenceTable {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// As in `findings`.
        sender: Maybe<Tiny>,
        /// As in `findings`.
        finding: Small,
        /// Name of the number, with its unit at the end.
        name: Text,
        /// The number; 1 or 0 for yes or no; null for a word or an unknown value.
        value: Maybe<Real>,
        /// The word; null for a number.
        word: Maybe<Text>,
        /// Basis of the value: `kernel_reported`, `kernel_inferred`, `wire_exact`, `wire_inferred` or
        /// `assumed`.
        basis: Text,
    }
}

table! {
    /// A proposed change. Each has one row per part.
    FixRow => Fixes {
        /// Stable kebab-case id.
        fix: Text,
        /// Place of the change: `sending-application`, `receiving-application`, `sending-host`,
        /// `receiving-host`, `network` or `capture`.
        place: Text,
        /// The change in words.
        text: Text,
        /// Lines of code or configuration. They may contain numbers of the first connection for which the
        /// change was proposed.
        lines: Texts,
    }
}

/// Findings of a connection, with the direction and the duration in seconds of the subject of each.
fn all(connection: &Connection) -> impl Iterator<Item = (Option<i8>, f64, &Finding)> {
    let whole = connection.findings.iter().map(|finding| (None, connection.seconds_of(finding), finding));
    let of_halves = connection
        .halves
        .iter()
        .flat_map(|half| half.findings.iter().map(|finding| (Some(side(half.sender)), half.span.seconds(), finding)));
    whole.chain(of_halves)
}

/// Index of a finding; no connection has more than the type holds.
fn place(index: usize) -> i16 {
    i16::try_from(index).unwrap_or(i16::MAX)
}

impl Findings {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection, wording: Option<Wording<'_>>) {
        for (index, (sender, total, finding)) in all(connection).enumerate() {
            let prediction = finding.prediction.as_ref();
            let of_range =
                |of: fn(&Prediction) -> f64| prediction.filter(|prediction| prediction.claim == Claim::Range).map(of);
            self.push(FindingRow {
                capture: capture.into(),
                first_packet: integer(connection.first_packet),
                sender,
                finding: place(index),
                rule: finding.rule.into(),
                severity: finding.severity.id().into(),
                confidence: rounded(finding.confidence),
                seconds: finding.seconds,
                sentence: wording.map(|wording| wording.finding(finding, total).into()),
                fixes: finding.fixes.iter().map(|fix| fix.id.into()).collect(),
                predicted_low_s: prediction.map(|prediction| prediction.seconds.low),
                predicted_s: of_range(|prediction| prediction.seconds.value),
                predicted_high_s: of_range(|prediction| prediction.seconds.high),
                claim: prediction.map(|prediction| prediction.claim.id().into()),
                next_limit: prediction.map(|prediction| prediction.next_limit.id().into()),
                ceiling: prediction.map(|prediction| prediction.ceiling.into()),
                method: prediction.map(|prediction| prediction.method.id().into()),
                closeness: prediction.and_then(|prediction| prediction.method.closeness()).map(rounded),
            });
        }
    }
}

impl EvidenceTable {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection) {
        for (index, (sender, _, finding)) in all(connection).enumerate() {
            for evidence in &finding.evidence {
                let (value, word) = match &evidence.value {
                    Value::Integer(value) => (Some(*value as f64), None),
                    Value::Real(value) => (value.is_finite().then_some(*value), None),
                    Value::Flag(flag) => (Some(f64::from(u8::from(*flag))), None),
                    Value::Word(word) => (None, Some(word.as_str().into())),
                };
                self.push(EvidenceRow {
                    capture: capture.into(),
                    first_packet: integer(connection.first_packet),
                    sender,
                    finding: place(index),
                    name: evidence.key.id().into(),
                    value,
                    word,
                    basis: evidence.basis.id().into(),
                });
            }
        }
    }
}

/// Each fix, with the first finding that proposes it, so that rows do not depend on the order of connections.
#[derive(Default)]
pub(crate) struct KnownFixes {
    by_id: BTreeMap<&'static str, (Place, Fix)>,
}

/// Capture, connection and index of a finding.
type Place = (String, u64, i16);

impl KnownFixes {
    pub(crate) fn add(&mut self, capture: &str, connection: &Connection) {
        for (index, (_, _, finding)) in all(connection).enumerate() {
            let here = (capture, connection.first_packet, place(index));
            for fix in &finding.fixes {
                let known =
                    self.by_id.get(fix.id).map(|((capture, packet, index), _)| (capture.as_str(), *packet, *index));
                if known.is_none_or(|known| here < known) {
                    self.by_id.insert(fix.id, ((capture.to_owned(), here.1, here.2), fix.clone()));
                }
            }
        }
    }

    /// Adds a row for each fix.
    pub(crate) fn fill(&self, fixes: &mut Fixes, wording: Wording<'_>) {
        for (_, fix) in self.by_id.values() {
            fixes.push(FixRow {
                fix: fix.id.into(),
                place: fix.place.id().into(),
                text: wording.fix(fix).into(),
                lines: wording.fix_lines(fix, None).into_iter().map(Into::into).collect(),
            });
        }
    }
}
