//! All captures of a run, within the lines of one report.

use std::mem;

use tcpwhy_model::{CaptureSummary, Message};

use super::inline::{CODE, inline, with_code};
use super::page::{Page, Rank};
use super::report::{name, version};
use super::table::{Align, table};
use super::{MarkdownReport, PROGRAM, moment};
use crate::text::{Collection, MomentReport};
use crate::{Args, Wording};

/// Most captures with a section each. If there are more, each gets a line.
const FEW: usize = 4;
/// Most captures with a line each; the others are only counted. Heading, counts, problems and last line need
/// 15 more.
const LISTED: usize = 40;
/// Rows of the table of problems.
const LEADS: usize = 5;

/// The captures of one run as Markdown: a whole report for one, sections for a few, a list for many.
pub struct MarkdownCaptures<'a> {
    wording: Wording<'a>,
    collection: Collection,
    /// The report on the first capture.
    whole: Option<String>,
    /// The sections of the first few captures.
    sections: Vec<Page>,
    lines: Vec<String>,
}

impl<'a> MarkdownCaptures<'a> {
    /// A summary without captures.
    pub fn new(wording: Wording<'a>) -> Self {
        Self { wording, collection: Collection::default(), whole: None, sections: Vec::new(), lines: Vec::new() }
    }

    /// Adds the results of a source.
    pub fn add(&mut self, report: &MarkdownReport<'_>) {
        self.collection.add(report.overview, self.wording);
        let whole = || report.to_string();
        let answer = report.answer();
        // The second line has the cause, if one was found.
        let line = answer.get(1).or(answer.first()).map_or_else(String::new, |line| inline(&line.text));
        self.push(whole, || report.page(), report.captures, &line);
    }

    /// Adds what limited the connections at one moment.
    pub fn add_moment(&mut self, report: &MomentReport<'_>, captures: &[CaptureSummary]) {
        self.collection.count();
        let first = report.overview.ranked().find_map(|connection| report.sentences(connection));
        let line = first.map_or_else(String::new, |sentences| inline(&sentences.at));
        let wording = self.wording;
        let whole = || {
            let mut page = moment::page(report, captures);
            page.line(Rank::Answer, last_line(wording));
            page.into_text()
        };
        self.push(whole, || moment::page(report, captures), captures, &line);
    }

    /// Adds a capture that could not be read.
    pub fn fail(&mut self, path: &str, error: &Message) {
        self.collection.fail();
        let error = inline(&self.wording.catalogue().message(error));
        let line = format!("{}: {error}", name(self.wording, path));
        let mut page = Page::default();
        page.line(Rank::Answer, line.clone());
        self.keep(page, line);
    }

    fn push(
        &mut self,
        whole: impl FnOnce() -> String,
        section: impl FnOnce() -> Page,
        captures: &[CaptureSummary],
        line: &str,
    ) {
        if self.collection.captures() == 1 {
            self.whole = Some(whole());
        }
        let path = captures.first().map_or("", |capture| &capture.path);
        let line = format!("{}: {line}", name(self.wording, path));
        let section = if self.sections.len() <= FEW { section() } else { Page::default() };
        self.keep(section, line);
    }

    fn keep(&mut self, section: Page, line: String) {
        if self.sections.len() <= FEW {
            self.sections.push(section);
        }
        if self.lines.len() < LISTED {
            self.lines.push(line);
        }
    }

    /// The Markdown text. `passed_over` files are not captures, and `folders` were not searched.
    pub fn into_text(mut self, passed_over: u64, folders: u64) -> String {
        let captures = self.collection.captures();
        if let (Some(whole), 1) = (self.whole.take(), captures) {
            return whole;
        }
        let (wording, catalogue) = (self.wording, self.wording.catalogue());
        let mut page = Page::default();
        let counted = |id: &str, count: u64| catalogue.text(id, &Args::new().number("count", count));
        if captures > FEW as u64 {
            page.line(Rank::Answer, format!("### {PROGRAM}: {}", inline(&counted("collection-captures", captures))));
        }
        let counts = [
            ("collection-failed", self.collection.failed()),
            ("collection-passed-over", passed_over),
            ("collection-folders", folders),
        ];
        let counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).map(|(id, n)| counted(id, n)).collect();
        if captures <= FEW as u64 {
            for section in mem::take(&mut self.sections) {
                page.extend(section);
            }
        }
        if !counts.is_empty() {
            page.line(Rank::Answer, inline(&counts.join(&catalogue.word("sentence-separator"))));
        }
        if captures > FEW as u64 {
            page.push(Rank::Answer, self.leads());
            let more = captures.saturating_sub(self.lines.len() as u64);
            let more = (more > 0).then(|| inline(&counted("markdown-more", more)));
            page.list(Rank::Answer, mem::take(&mut self.lines).into_iter().chain(more));
        }
        page.line(Rank::Answer, last_line(wording));
        page.into_text()
    }

    /// Captures by their most severe problem.
    fn leads(&self) -> Vec<String> {
        let (catalogue, units) = (self.wording.catalogue(), self.wording.units());
        let all = self.collection.ranked_leads();
        let mut rows: Vec<_> =
            all.iter().take(LEADS).map(|(words, count)| vec![(*words).to_owned(), units.count(*count)]).collect();
        let more = all.len().saturating_sub(LEADS) as u64;
        if more > 0 {
            let text = catalogue.text("markdown-more", &Args::new().number("count", more));
            rows.push(vec![text, String::new()]);
        }
        let columns = [("problem", Align::Left), ("captures", Align::Right)];
        table(&columns.map(|(id, align)| (catalogue.word(&format!("markdown-column-{id}")), align)), &rows)
    }
}

/// The version, and the command that shows more.
fn last_line(wording: Wording<'_>) -> String {
    let args = Args::new().text("made", CODE).text("more", CODE);
    let text = wording.catalogue().text("markdown-made-of-captures", &args);
    with_code(&text, &[&version(), &format!("{PROGRAM} FILE")])
}
