//! The report on one capture.

use std::fmt;

use tcpwhy_analysis::answer::Subject;
use tcpwhy_model::{CaptureSummary, Span};

use super::inline::{CODE, code, inline, with_code};
use super::page::{Page, Rank};
use super::{PROGRAM, fix, limits, problems};
use crate::text::AnswerLine;
use crate::text::answer::{Context, below, plain_lines};
use crate::text::{Overview, doubts, exchanges_text, request_bar_text};
use crate::{Args, Wording};

/// Most kinds of damage that are named; the others are only counted.
const MOST_ANOMALIES: usize = 3;
/// Most sentences about the numbers behind the answer. With two fixes of [`super::fix`], a report then has 60
/// lines.
const MOST_REASONS: usize = 8;
/// Most lines about requests among them.
const MOST_EXCHANGES: usize = 2;

/// The report on one source as Markdown, ready to be displayed.
pub struct MarkdownReport<'a> {
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Captures that were read.
    pub captures: &'a [CaptureSummary],
    /// Results, renumbered.
    pub overview: &'a Overview,
    /// Time range of the table; `None` for the whole time.
    pub range: Option<Span>,
    /// Whether only the answer is written.
    pub is_brief: bool,
    /// Number of connections that the filter left out, which `overview` does not have.
    pub excluded: u64,
}

impl fmt::Display for MarkdownReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = self.page();
        page.line(Rank::Answer, last_line(self.wording, self.captures, self.overview));
        f.write_str(&page.into_text())
    }
}

impl MarkdownReport<'_> {
    /// Everything but the last line.
    pub(super) fn page(&self) -> Page {
        let mut page = Page::default();
        page.line(Rank::Answer, heading(self.wording, self.captures));
        self.write_answer(&mut page);
        if self.is_brief {
            return page;
        }
        if let Some(subject) = self.overview.answer().subject().filter(|subject| subject.is_only) {
            self.write_only(&mut page, &subject);
        } else {
            page.push(Rank::Table, problems::problems(self.wording, self.overview));
            fix::write(&mut page, self.wording, self.overview);
        }
        self.write_anomalies(&mut page);
        page
    }

    /// The same first lines as in the terminal.
    pub(super) fn answer(&self) -> Vec<AnswerLine> {
        let (excluded, has_range) = (self.excluded, self.range.is_some());
        let context = Context { services: self.overview.services(), excluded, has_range };
        plain_lines(self.wording, &self.overview.answer(), context)
    }

    fn write_answer(&self, page: &mut Page) {
        let (head, labelled): (Vec<_>, Vec<_>) = self.answer().into_iter().partition(|line| line.label.is_empty());
        for line in head {
            page.line(Rank::Answer, head_text(self.wording, &line.text));
        }
        page.list(
            Rank::Answer,
            labelled.iter().map(|line| format!("**{}** {}", inline(&line.label), inline(&line.text))),
        );
    }

    /// Writes the limits of the only connection, its fix, the numbers behind the answer, excluded limits, and
    /// ambiguous time.
    fn write_only(&self, page: &mut Page, subject: &Subject<'_>) {
        let wording = self.wording;
        let mut below = below(wording, subject).into_iter();
        // The limits belong to this direction, while the first line may describe both directions of requests.
        page.push(Rank::Table, below.next().iter().map(|ends| inline(ends)).collect());
        // All its words are from the catalogue, so none can end the code span.
        page.push(
            Rank::Table,
            request_bar_text(wording, subject.connection).iter().map(|bar| format!("`{bar}`")).collect(),
        );
        page.push(Rank::Table, limits::limits(wording, subject.half, self.range));
        fix::write(page, wording, self.overview);
        let exchanges = exchanges_text(wording, subject.connection).into_iter().take(MOST_EXCHANGES);
        let all = exchanges.chain(below).chain(doubts(wording, subject.half));
        page.list(Rank::Reasons, all.take(MOST_REASONS).map(|text| inline(&text)));
    }

    /// Writes the damage of the captures on one line.
    fn write_anomalies(&self, page: &mut Page) {
        let catalogue = self.wording.catalogue();
        let all: Vec<_> = self.captures.iter().flat_map(|capture| capture.anomalies.iter()).collect();
        if all.is_empty() {
            return;
        }
        let mut texts: Vec<_> = all.iter().take(MOST_ANOMALIES).map(|anomaly| self.wording.anomaly(anomaly)).collect();
        let more = all.len().saturating_sub(MOST_ANOMALIES) as u64;
        if more > 0 {
            texts.push(catalogue.text("markdown-more", &Args::new().number("count", more)));
        }
        let text = texts.join(&catalogue.word("sentence-separator"));
        page.line(Rank::Capture, format!("**{}** {}", catalogue.word("markdown-capture"), inline(&text)));
    }
}

/// Ends, bytes and rate: the columns of the terminal become a list.
pub(super) fn head_text(wording: Wording<'_>, text: &str) -> String {
    inline(&text.replace("   ", &wording.catalogue().word("list-separator")))
}

/// `### tcpwhy: NAME`, with the name of the first capture if several were merged.
pub(super) fn heading(wording: Wording<'_>, captures: &[CaptureSummary]) -> String {
    let catalogue = wording.catalogue();
    let Some(first) = captures.first() else { return format!("### {PROGRAM}") };
    let name = wording.capture_name(&first.path);
    let more = captures.len().saturating_sub(1) as u64;
    let args = Args::new().text("name", CODE).number("more", more);
    let id = if more > 0 { "markdown-heading-merged" } else { "markdown-heading" };
    format!("### {}", with_code(&catalogue.text(id, &args), &[&*name]))
}

/// The version, the size of the capture, and the command that shows more.
fn last_line(wording: Wording<'_>, captures: &[CaptureSummary], overview: &Overview) -> String {
    let catalogue = wording.catalogue();
    let has_problems = overview.connections() > 1 && !overview.problems().is_empty();
    let more = format!("{PROGRAM} FILE{}", if has_problems { " --problem 1" } else { "" });
    let packets: u64 = captures.iter().map(|capture| capture.packets).sum();
    let start = captures.iter().filter_map(|capture| capture.span).map(Span::start).min();
    let args = Args::new().text("made", CODE).text("more", CODE).number("packets", packets);
    match start {
        Some(start) => {
            let text = catalogue.text("markdown-made-from", &args.text("start", CODE));
            with_code(&text, &[&version(), &catalogue.zone().date_and_time(start), &more])
        }
        None => with_code(&catalogue.text("markdown-made", &args), &[&version(), &more]),
    }
}

/// Program and version: `tcpwhy 0.1.0`.
pub(super) fn version() -> String {
    format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION"))
}

/// The name of a capture as code.
pub(super) fn name(wording: Wording<'_>, path: &str) -> String {
    code(&wording.capture_name(path))
}
