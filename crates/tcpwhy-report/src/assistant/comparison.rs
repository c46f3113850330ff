//! The answer about two captures: what changed, and what both show together.

use serde::Serialize;
use tcpwhy_analysis::HalfConnection;

use super::Page;
use super::fit::{Fit, pop, short};
use super::ground::Ground;
use crate::Wording;
use crate::compare::{CompareMode, ComparedPair, Comparison, ProblemChange};
use crate::dto::Id;
use crate::text::{CompareSentences, change_text};

/// Changes on one page.
const MOST_CHANGES: usize = 10;
/// Most changes, or sentences about both ends, at the beginning of the answer.
const MOST_TOLD: usize = 4;
/// Most pairs of connections that are listed.
const MOST_PAIRS: usize = 5;

/// The answer about two captures.
#[derive(Debug, Serialize)]
pub struct CompareAnswer {
    /// The comparison in one sentence, how the captures are related, then the first changes or what both ends
    /// show together.
    answer: Vec<String>,
    /// Name of the first capture, which sentences call A.
    #[serde(rename = "A")]
    before: String,
    #[serde(rename = "B")]
    after: String,
    mode: Id,
    /// Parts of the captures that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<String>,
    /// Number of problems that changed.
    matched: u64,
    /// Number of changes that are listed here.
    returned: u64,
    /// Number of the change that the next page begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_change: Option<u64>,
    changes: Vec<ChangeEntry>,
    /// Number of pairs of corresponding connections.
    pairs_matched: u64,
    pairs: Vec<PairEntry>,
    #[serde(skip)]
    page: Page,
}

/// The change of a problem. Lists have two entries: before and after.
#[derive(Debug, Serialize)]
struct ChangeEntry {
    change: Id,
    sentence: String,
    connections: [u64; 2],
    of_connections: [u64; 2],
    lost_s: [f64; 2],
    ground: Ground,
    /// A connection per capture that shows it; null if the capture has none.
    examples: [Option<Example>; 2],
}

#[derive(Debug, Serialize)]
struct Example {
    connection: u64,
    packet: u64,
}

/// Two corresponding connections. Lists have two entries: before and after.
#[derive(Debug, Serialize)]
struct PairEntry {
    connections: [u64; 2],
    packets: [u64; 2],
    bytes: [u64; 2],
    seconds: [f64; 2],
    limits: [Id; 2],
    confidence: [f64; 2],
    ground: Ground,
    verdicts: Vec<String>,
    /// Findings from two captures of one connection together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    together: Vec<String>,
}

impl CompareAnswer {
    /// Makes the answer about `comparison` with the changes of `page`.
    pub fn new(wording: Wording<'_>, comparison: &Comparison, page: Page) -> Self {
        let sentences = CompareSentences::new(comparison, wording);
        let all = comparison.changes.as_ref().map_or(&[][..], |changes| &changes.problems);
        let changes = all.iter().skip(page.skip()).take(MOST_CHANGES);
        let told = if comparison.mode == CompareMode::Ends {
            sentences.together.first().cloned().unwrap_or_default()
        } else {
            sentences.changes
        };
        let [before, after] = comparison.names.clone();
        let pairs = comparison.pairs.iter().zip(sentences.together).take(MOST_PAIRS);
        let mut answer = Self {
            answer: std::iter::once(sentences.sentence)
                .chain(sentences.heads)
                .chain(told.into_iter().take(MOST_TOLD))
                .collect(),
            before,
            after,
            mode: comparison.mode.id().into(),
            damage: Vec::new(),
            matched: all.len() as u64,
            returned: 0,
            next_change: None,
            changes: changes.map(|change| ChangeEntry::new(change, wording)).collect(),
            pairs_matched: comparison.count,
            pairs: pairs.filter_map(|(pair, together)| PairEntry::new(pair, together, wording)).collect(),
            page,
        };
        answer.count();
        answer
    }

    /// Adds the parts of the captures that could not be read.
    #[must_use]
    pub fn damaged(mut self, damage: Vec<String>) -> Self {
        self.damage = damage;
        self
    }

    fn count(&mut self) {
        self.returned = self.changes.len() as u64;
        self.next_change = self.page.next(self.matched, self.returned);
    }
}

impl ChangeEntry {
    fn new(change: &ProblemChange, wording: Wording<'_>) -> Self {
        let problems = change.problems.each_ref().map(Option::as_ref);
        Self {
            change: change.change.id().into(),
            sentence: change_text(wording, change),
            connections: problems.map(|problem| problem.map_or(0, |problem| problem.connections)),
            of_connections: change.of_connections,
            lost_s: problems.map(|problem| problem.map_or(0.0, |problem| short(problem.lost as f64 / 1e9))),
            ground: Ground::Inferred,
            examples: problems.map(|problem| {
                problem.map(|problem| Example { connection: problem.example.id, packet: problem.example.first_packet })
            }),
        }
    }
}

impl PairEntry {
    fn new(pair: &ComparedPair, together: Vec<String>, wording: Wording<'_>) -> Option<Self> {
        let halves = pair.halves()?;
        let limit = |half: &HalfConnection| half.verdict.cause.map_or("none", |cause| cause.limit.id()).into();
        let verdict = |half: &HalfConnection| wording.verdict(half);
        Some(Self {
            connections: pair.connections.each_ref().map(|connection| connection.id),
            packets: pair.connections.each_ref().map(|connection| connection.first_packet),
            bytes: halves.map(|half| half.bytes),
            seconds: halves.map(|half| short(half.span.seconds())),
            limits: halves.map(limit),
            confidence: halves.map(|half| crate::dto::rounded(half.verdict.confidence)),
            ground: Ground::Inferred,
            verdicts: halves.map(verdict).into(),
            together,
        })
    }
}

impl Fit for CompareAnswer {
    fn shorten(&mut self) -> bool {
        let is_shorter = pop(&mut self.pairs, 2)
            || pop(&mut self.changes, 4)
            || pop(&mut self.pairs, 1)
            || pop(&mut self.changes, 1)
            || pop(&mut self.answer, 2)
            || pop(&mut self.damage, 1)
            || self.pairs.iter_mut().any(|pair| pop(&mut pair.together, 1) || pop(&mut pair.verdicts, 0))
            || pop(&mut self.pairs, 0)
            || pop(&mut self.changes, 0);
        self.count();
        is_shorter
    }
}

#[cfg(test)]
mod terms;
