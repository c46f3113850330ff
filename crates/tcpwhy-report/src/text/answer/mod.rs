//! The answer: who sent what how fast, what held it back, what to change. Three lines at 80 columns.
//!
//! Each line has several wordings, the fullest first: the first that fits the width is shown, and the last is
//! wrapped where none does. Nothing is cut within a verdict, a number or a fix.

mod ends;
mod excluded;
mod plain;
mod remedy;
mod whole;
mod words;

use anstyle::Style;
use tcpwhy_analysis::{Connection, Exchanges, Failure, HalfConnection, Kind, Party, Problem, Slow, principal_half};
use tcpwhy_model::Finding;

pub(crate) use plain::plain_lines;
pub use plain::{AnswerLabel, AnswerLine, answer_lines};
pub(crate) use remedy::{Proposal, Remedy, prediction_args};
pub use whole::Answer;
pub(crate) use whole::{below, proposal};
pub use words::problem_sentence;
pub(crate) use words::problem_text;
pub(super) use words::{Words, transfer};

use super::page::Page;
use super::palette::{self, BOLD, DIM, FIX, WARNING, foreground};
use super::{Headline, Overview};
use crate::{Args, Wording};

/// Where one of so many connections contradicts the capture's clock, the others only have too few packets to
/// show it. Chosen: most connections of a capture are short.
const CLOCK_DOUBTED: u64 = 4;

/// What the first lines speak of.
pub(crate) struct Subject<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) half: &'a HalfConnection,
    /// What is wrong, where something is.
    pub(crate) problem: Option<&'a Problem>,
    /// Whether it is the only connection that there is to speak of.
    pub(crate) is_only: bool,
}

/// What the second line explains.
#[derive(Clone, Copy)]
pub(crate) enum Reason<'a> {
    /// The connection failed, as this reports.
    Failed(Failure, Option<&'a Finding>),
    /// Somebody took most of the time of its requests.
    Took(Party, &'a Exchanges),
    /// A limit held the direction back.
    Limited,
}

impl<'a> Subject<'a> {
    /// The connection that matters most in `overview`; `None` where none carried data.
    pub(crate) fn of(overview: &'a Overview) -> Option<Self> {
        let problem = overview.problems().first();
        let is_only = overview.is_one();
        let connection = match problem {
            Some(problem) if !is_only => &*problem.example,
            _ => overview.lead()?,
        };
        let mut half = principal_half(connection)?;
        let problem = problem.filter(|problem| problem.example.first_packet == connection.first_packet);
        if problem.is_some_and(|problem| matches!(problem.key.kind, Kind::Failed(_))) {
            half = connection.halves.iter().max_by_key(|half| half.bytes)?;
        }
        Some(Self { connection, half, problem, is_only })
    }

    /// What explains its time.
    pub(crate) fn reason(&self) -> Reason<'a> {
        let kind = self.problem.map(|problem| problem.key.kind);
        if let Some(Kind::Failed(failure)) = kind {
            return Reason::Failed(failure, self.connection.failure().or(self.connection.findings.first()));
        }
        let exchanges = self.connection.exchanges.as_deref().filter(|exchanges| exchanges.is_request_response());
        let Some(exchanges) = exchanges else { return Reason::Limited };
        // Writing slowly within an answer is a limit of its own.
        let is_answering = exchanges.parts.pauses <= exchanges.parts.server;
        match (kind, exchanges.most()) {
            (Some(Kind::Slow(Slow::Server)), _) if is_answering => Reason::Took(Party::Server, exchanges),
            (Some(Kind::Slow(Slow::RoundTrips)), _) => Reason::Took(Party::RoundTrips, exchanges),
            (Some(_), _) | (None, None | Some((Party::Transfers, _))) => Reason::Limited,
            (None, Some((Party::Server, _))) if !is_answering => Reason::Limited,
            (None, Some((party, _))) => Reason::Took(party, exchanges),
        }
    }
}

impl Overview {
    /// What the first three lines speak of; `None` if nothing was sent.
    pub fn headline(&self) -> Option<Headline<'_>> {
        let subject = Subject::of(self)?;
        let remedy = Remedy::of(&subject);
        Some(Headline {
            connection: subject.connection,
            half: subject.half,
            fix: remedy.as_ref().map(|remedy| remedy.fix),
            rival: remedy.as_ref().and_then(|remedy| remedy.rival),
        })
    }
}

/// A line: a label, and its wordings, the fullest first.
struct Line {
    label: &'static str,
    wordings: Vec<String>,
    style: Style,
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview, excluded: u64, has_range: bool) {
    let words = Words { wording, look: page.look() };
    for line in lines(words, overview, excluded, has_range) {
        page.fitted(&words.label(line.label), &line.wordings, line.style);
    }
    if page.is_brief() {
        return;
    }
    let Some(subject) = Subject::of(overview) else { return };
    page.gap();
    for text in words.below(&subject) {
        page.wrapped(&text, 2, DIM);
    }
}

fn lines(words: Words<'_>, overview: &Overview, excluded: u64, has_range: bool) -> Vec<Line> {
    let catalogue = words.wording.catalogue();
    let line = |label, wordings, style| Line { label, wordings, style };
    let head = |wordings| line("", wordings, BOLD);
    if overview.is_empty() {
        let id = match (excluded, has_range) {
            (0, _) => "head-no-connections",
            (_, true) => "head-none-in-range",
            (_, false) => "head-all-excluded",
        };
        return vec![head(vec![catalogue.text(id, &Args::new().number("count", excluded))])];
    }
    let subject = Subject::of(overview);
    let problem = overview.problems().first();
    let clock = clock(words, overview);
    let mut all = Vec::new();
    match &subject {
        Some(subject) if subject.is_only => all.push(head(words.ends(subject))),
        None if overview.connections == 1 => {
            all.extend(overview.dataless.as_deref().map(|connection| head(words.ends_without_data(connection))));
        }
        _ => all.push(head(words.totals(overview))),
    }
    if let Some((clock, true)) = &clock {
        // All connections have the clock of the same capture.
        all.push(line("answer-why", vec![clock.clone()], WARNING));
        return all;
    }
    match (&subject, problem) {
        (Some(subject), problem) if subject.is_only => {
            let reason = subject.reason();
            let style = match (reason, problem) {
                (Reason::Failed(..), Some(problem)) => palette::severity(problem.severity),
                _ => verdict_style(subject.half),
            };
            all.push(line("answer-why", words.reason(subject, reason), style));
            let failure = subject.connection.failure().filter(|_| !matches!(reason, Reason::Failed(..)));
            match (words.remedy(subject, reason), failure) {
                // Where there is nothing to change about the time, how it ended comes before that.
                (remedy, Some(failure)) if !remedy.is_change => {
                    all.push(line("answer-but", words.finding(failure, subject.connection), WARNING));
                }
                (remedy, _) => all.push(line("answer-fix", remedy.wordings, FIX)),
            }
        }
        (_, Some(problem)) => {
            let style = palette::severity(problem.severity);
            all.push(line("answer-why", problem_text(words.wording, &overview.services, problem), style));
            all.push(line("answer-fix", words.problem_remedy(problem), FIX));
        }
        (_, None) => {
            let subject = subject.as_ref();
            all.push(line("answer-why", words.nothing_wrong(subject), Style::new()));
            all.push(line("answer-fix", vec![catalogue.word("answer-nothing")], FIX));
        }
    }
    if let Some((clock, false)) = clock {
        all.push(line("answer-but", vec![clock], WARNING));
    }
    all
}

/// The colour of what limited `half`.
pub(super) fn verdict_style(half: &HalfConnection) -> Style {
    half.verdict.cause.map_or(Style::new(), |cause| foreground(cause.limit).bold())
}

/// That the capture's clock is wrong, and whether its times mean nothing then, whatever the connection.
fn clock(words: Words<'_>, overview: &Overview) -> Option<(String, bool)> {
    let [count, all] = [overview.contradicted, overview.with_data];
    let args = Args::new().number("count", count).number("all", all);
    let text = || words.wording.catalogue().text("answer-clock", &args);
    (count > 0).then(|| (text(), count.saturating_mul(CLOCK_DOUBTED) >= all))
}
