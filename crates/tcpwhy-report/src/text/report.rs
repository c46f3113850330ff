use std::fmt;

use tcpwhy_model::{CaptureSummary, Span};

use super::details::Detail;
use super::page::Page;
use super::palette::{BOLD, DIM};
use super::{
    AnswerLine, Look, Overview, across, answer, captures, details, exchanges, groups, legs, problems, services, spent,
    table,
};
use crate::{Args, Wording};

/// The report on one source, ready to be displayed.
pub struct Report<'a> {
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Capabilities of the terminal.
    pub look: Look,
    /// Captures that were read.
    pub captures: &'a [CaptureSummary],
    /// Results, renumbered.
    pub overview: &'a Overview,
    /// Whether all intervals are listed.
    pub with_timeline: bool,
    /// Stretch of time that the limits are shown for.
    pub range: Option<Span>,
    /// Whether only the answer is written.
    pub is_brief: bool,
    /// Whether the source's name is above it, because other sources follow.
    pub has_heading: bool,
    /// Number of connections that the filter left out, which `overview` does not have.
    pub excluded: u64,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::of_report(self.look, self.is_brief);
        self.write(&mut page);
        f.write_str(&page.into_text())
    }
}

impl Report<'_> {
    /// The first lines as plain text, each in its fullest wording, on one line.
    pub fn answer_lines(&self) -> Vec<AnswerLine> {
        answer::plain_lines(self.wording, &self.overview.answer(), self.context())
    }

    fn context(&self) -> answer::Context<'_> {
        let (excluded, has_range) = (self.excluded, self.range.is_some());
        answer::Context { services: self.overview.services(), excluded, has_range }
    }

    fn write(&self, page: &mut Page) {
        let wording = self.wording;
        if self.has_heading
            && let [capture] = self.captures
        {
            page.wrapped(&format!("== {}", wording.capture_name(&capture.path)), 0, BOLD);
        }
        let overview = self.overview;
        answer::write(page, wording, &overview.answer(), self.context());
        if self.is_brief {
            return;
        }
        match overview.ranked().next() {
            Some(connection) if overview.is_one() => {
                exchanges::write(page, wording, connection);
                let detail = Detail { with_timeline: self.with_timeline, range: self.range };
                details::write(page, wording, connection, detail);
                if overview.connections() > 1 {
                    problems::write(page, wording, overview);
                }
            }
            None if overview.connections() == 1 => {
                if let Some(connection) = overview.dataless() {
                    details::connection_findings(page, wording, connection);
                }
            }
            _ => self.write_many(page),
        }
        captures::write(page, wording, self.captures);
    }

    /// Writes a capture with several connections.
    fn write_many(&self, page: &mut Page) {
        let (wording, overview) = (self.wording, self.overview);
        problems::write(page, wording, overview);
        if overview.problems().is_empty() {
            page.gap();
        }
        legs::write(page, wording, overview);
        across::write(page, wording, overview);
        services::write(page, wording, overview);
        if overview.with_data() > 0 {
            page.gap();
            spent::write(page, wording, &overview.time);
            match &overview.groups {
                Some(groups) => groups::write(page, wording, overview, groups),
                None => table::write(page, wording, overview),
            }
        }
        let catalogue = wording.catalogue();
        page.gap();
        let example = overview.problems().first().map(|problem| &*problem.example).or_else(|| overview.lead());
        if let Some(example) = example {
            let id = if overview.problems().is_empty() { "hint-connection" } else { "hint-problem" };
            page.wrapped(&catalogue.text(id, &Args::new().text("n", example.id.to_string())), 0, DIM);
        }
        if overview.empty > 0 {
            let args = Args::new().number("count", overview.empty);
            page.wrapped(&catalogue.text("empty-connections", &args), 0, DIM);
        }
    }
}
