//! The answer about a whole capture: its problems, or the connections that lost the most time.

use serde::Serialize;
use tcpwhy_analysis::{Kind, Problem};
use tcpwhy_model::{CaptureSummary, Span};

use super::Page;
use super::brief::BriefEntry;
use super::connection::{PacketRanges, Stretch};
use super::fit::{Fit, pop, sentences, short};
use super::ground::Ground;
use crate::dto::{self, Id, Presentation, Relay, rounded};
use crate::text::{AnswerText, Overview};
use crate::{Wording, principal_half};

/// Problems on one page.
const MOST_PROBLEMS: usize = 10;
/// Most connections that are listed.
const MOST_CONNECTIONS: usize = 5;
/// Most relays that are listed.
const MOST_RELAYS: usize = 3;

/// The answer about a capture.
#[derive(Debug, Serialize)]
pub struct CaptureAnswer {
    /// Summary, main problem and fix, in one sentence each.
    answer: Vec<String>,
    /// Share of such answers that are right, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// Set if nothing in the capture shows what to change.
    #[serde(skip_serializing_if = "Option::is_none")]
    cannot_tell: Option<String>,
    capture: CaptureEntry,
    /// Number of problems that the capture has.
    matched: u64,
    /// Number of problems that are listed here.
    returned: u64,
    /// Number of the problem that the next page begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_problem: Option<u64>,
    problems: Vec<ProblemEntry>,
    /// Connections that a relay forwards as other connections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    relays: Vec<String>,
    /// Findings that only several connections together show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    across_connections: Vec<String>,
    /// Number of connections that carried data.
    connections_matched: u64,
    /// Connections that lost the most time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    connections: Vec<BriefEntry>,
    #[serde(skip)]
    page: Page,
}

/// Size of the input.
#[derive(Debug, Serialize)]
struct CaptureEntry {
    packets: u64,
    connections: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_s: Option<f64>,
    ground: Ground,
    /// Number of connections that the filter left out.
    #[serde(skip_serializing_if = "is_zero")]
    excluded: u64,
    /// Damaged parts of the input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<String>,
}

/// A problem.
#[derive(Debug, Serialize)]
struct ProblemEntry {
    problem: u64,
    kind: Id,
    cause: Id,
    server: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sender: Option<Id>,
    severity: Id,
    connections: u64,
    lost_s: f64,
    /// Share of such causes that are right, from 0 to 1; absent for a count of attempts, which infers
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    ground: Ground,
    example: Example,
    sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

/// A connection that shows the problem, and its first packet.
#[derive(Debug, Serialize)]
struct Example {
    connection: u64,
    packet: u64,
    /// First and last packet of the stretch that shows the problem: the longest stretch of the limit, or a
    /// failed connection as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    packets: Option<[u64; 2]>,
}

/// Seconds from the first packet of all captures to the last.
fn duration(captures: &[CaptureSummary]) -> Option<f64> {
    let spans = || captures.iter().filter_map(|capture| capture.span);
    let start = spans().map(Span::start).min()?;
    let end = spans().map(Span::end).max()?;
    Some(short(end.since(start) as f64 / 1e9))
}

/// The stretch of the example connection that shows `problem`.
fn shows(problem: &Problem) -> Option<Stretch> {
    let connection = &*problem.example;
    let span = match problem.key.kind {
        Kind::Slow(_) => {
            let half = principal_half(connection)?;
            half.longest_interval(half.verdict.cause?)?
        }
        Kind::Failed(_) => connection.span,
    };
    Some((connection.first_packet, span))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl CaptureAnswer {
    /// Makes the answer about `overview` with the problems of `page`. `packets` has the packet numbers of the
    /// stretches that [`Self::ranges_of`] returns.
    pub fn new(
        wording: Wording<'_>,
        overview: &Overview,
        captures: &[CaptureSummary],
        packets: &PacketRanges,
        page: Page,
    ) -> Self {
        let first = AnswerText::of(overview, wording);
        let problems = overview.problems();
        let matched = problems.len() as u64;
        let presentation = Presentation::new(wording);
        let entry = |(problem, of): (u64, &Problem)| {
            let dto = dto::Problem::new(of, overview.totals(), overview.services(), presentation);
            ProblemEntry {
                problem,
                kind: dto.kind,
                cause: dto.cause,
                server: of.key.service().map_or(dto.address, |service| service.to_string()),
                sender: dto.sender,
                severity: dto.severity,
                connections: dto.connections,
                lost_s: short(dto.lost_s),
                confidence: dto.answer.confidence,
                ground: Ground::Inferred,
                example: Example {
                    connection: dto.example,
                    packet: of.example.first_packet,
                    packets: shows(of).and_then(|stretch| packets.get(&stretch).copied()),
                },
                sentence: dto.sentence.unwrap_or_default(),
                fix: AnswerText::fix_of(of, wording),
            }
        };
        let problems: Vec<_> = (1..).zip(problems).skip(page.skip()).take(MOST_PROBLEMS).map(entry).collect();
        let fix = first.fix.filter(|_| first.is_shown);
        let cannot_tell = (fix.is_none() && !overview.is_empty()).then(|| wording.catalogue().word("answer-not-shown"));
        let why = Some(first.why).filter(|why| *why != first.head);
        let relays = Relay::all(overview.legs(), presentation).into_iter().filter_map(|relay| relay.sentence);
        let across = dto::across(&overview.across(), presentation).into_iter().filter_map(|finding| finding.sentence);
        Self {
            answer: sentences([Some(first.head), why, fix, first.but]),
            confidence: first.confidence.map(rounded),
            cannot_tell,
            capture: CaptureEntry {
                packets: captures.iter().map(|capture| capture.packets).sum(),
                connections: overview.connections(),
                bytes: overview.totals().bytes,
                duration_s: duration(captures),
                ground: Ground::Exact,
                excluded: 0,
                damage: Vec::new(),
            },
            matched,
            returned: 0,
            next_problem: None,
            problems,
            relays: relays.take(MOST_RELAYS).collect(),
            across_connections: across.take(MOST_RELAYS).collect(),
            connections_matched: overview.with_data(),
            connections: overview.lines().take(MOST_CONNECTIONS).map(|line| BriefEntry::new(line, wording)).collect(),
            page,
        }
        .counted()
    }

    /// The stretches of time that show the problems of `page`.
    pub fn ranges_of(overview: &Overview, page: Page) -> Vec<Stretch> {
        overview.problems().iter().skip(page.skip()).take(MOST_PROBLEMS).filter_map(shows).collect()
    }

    /// Adds the number of connections that the filter left out.
    #[must_use]
    pub const fn excluding(mut self, excluded: u64) -> Self {
        self.capture.excluded = excluded;
        self
    }

    /// Adds the damaged parts of the input.
    #[must_use]
    pub fn damaged(mut self, damage: Vec<String>) -> Self {
        self.capture.damage = damage;
        self
    }

    fn counted(mut self) -> Self {
        self.count();
        self
    }

    fn count(&mut self) {
        self.returned = self.problems.len() as u64;
        self.next_problem = self.page.next(self.matched, self.returned);
    }
}

impl Fit for CaptureAnswer {
    fn shorten(&mut self) -> bool {
        let is_shorter = pop(&mut self.connections, 3)
            || pop(&mut self.problems, 5)
            || pop(&mut self.across_connections, 1)
            || pop(&mut self.relays, 1)
            || pop(&mut self.capture.damage, 2)
            || pop(&mut self.connections, 0)
            || pop(&mut self.problems, 1)
            || pop(&mut self.across_connections, 0)
            || pop(&mut self.relays, 0)
            || pop(&mut self.capture.damage, 0);
        self.count();
        is_shorter
    }
}

#[cfg(test)]
mod terms;
