use std::collections::BTreeMap;

use tcpwhy_analysis::Connection;
use tcpwhy_model::{Claim, Finding, Fix, Prediction, Value};
use tcpwhy_report::Wording;
use tcpwhy_report::dto::rounded;

use super::{integer, side};
use crate::kind::{Integer, Maybe, Real, Small, Text, Texts, Tiny};
use crate::table::table;

table! {
    /// A diagnosis: a rule that held.
    FindingRow => Findings {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// As in `halves`; null where it is of the connection.
        sender: Maybe<Tiny>,
        /// Its place among the findings of the connection, from 0: those of the connection first, then those
        /// of its directions.
        finding: Small,
        /// Stable kebab-case id; `tcpwhy rules ID` explains it.
        rule: Text,
        /// `info`, `warning` or `critical`.
        severity: Text,
        /// Between 0 and 1.
        confidence: Real,
        /// What it cost; null when it has no cost in time of its own.
        seconds: Maybe<Real>,
        /// In words; null without words.
        sentence: Maybe<Text>,
        /// What to change, best first: ids, as in `fixes`.
        fixes: Texts,
        /// Shortest duration of the direction after the change.
        predicted_low_s: Maybe<Real>,
        /// Likely duration; null unless `claim` is `range`.
        predicted_s: Maybe<Real>,
        /// Longest duration; null unless `claim` is `range`.
        predicted_high_s: Maybe<Real>,
        /// `range`, `at_best` or `at_best_untried`.
        claim: Maybe<Text>,
        /// Id of what limits next.
        next_limit: Maybe<Text>,
        /// Why the rate stops there: stable kebab-case id.
        ceiling: Maybe<Text>,
        /// `simulated`: the transfer was rebuilt and simulated with the change. `formula`: it was computed.
        method: Maybe<Text>,
        /// Ratio of the durations of the rebuilt transfer and of the real one; null unless it was simulated.
        closeness: Maybe<Real>,
    }
}

table! {
    /// A number that a finding rests on.
    EvidenceRow => EvidenceTable {
        /// As in `captures`.
        capture: Text,
        /// As in `connections`.
        first_packet: Integer,
        /// As in `findings`.
        sender: Maybe<Tiny>,
        /// As in `findings`.
        finding: Small,
        /// What it is, with its unit at the end.
        name: Text,
        /// The number; 1 and 0 for yes and no; null where it is a word or not known.
        value: Maybe<Real>,
        /// The word; null where it is a number.
        word: Maybe<Text>,
        /// What it rests on: `kernel_reported`, `kernel_inferred`, `wire_exact`, `wire_inferred` or
        /// `assumed`.
        basis: Text,
    }
}

table! {
    /// Something to change; each is one row of a part.
    FixRow => Fixes {
        /// Stable kebab-case id.
        fix: Text,
        /// `sending-application`, `receiving-application`, `sending-host`, `receiving-host`, `network` or
        /// `capture`.
        place: Text,
        /// In words.
        text: Text,
        /// Lines of code or configuration. They may hold numbers of the first connection that they were
        /// proposed for.
        lines: Texts,
    }
}

/// The findings of a connection, with the direction and the length of what each is about.
fn all(connection: &Connection) -> impl Iterator<Item = (Option<i8>, f64, &Finding)> {
    let whole = connection.findings.iter().map(|finding| (None, connection.seconds_of(finding), finding));
    let of_halves = connection
        .halves
        .iter()
        .flat_map(|half| half.findings.iter().map(|finding| (Some(side(half.sender)), half.span.seconds(), finding)));
    whole.chain(of_halves)
}

/// The place of a finding: no connection has so many.
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

/// Each fix with the first finding that proposes it: the same whatever order connections come in.
#[derive(Default)]
pub(crate) struct KnownFixes {
    by_id: BTreeMap<&'static str, (Place, Fix)>,
}

/// Capture, connection and finding.
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

    /// Their rows.
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
