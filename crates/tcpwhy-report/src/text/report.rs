use std::fmt;

use tcpwhy_model::{CaptureSummary, Span};

use super::details::Detail;
use super::page::Page;
use super::palette::{BOLD, DIM};
use super::{Look, Overview, across, captures, details, failures, headline, table};
use crate::{Args, Wording};

/// The report on one source, ready to be displayed.
pub struct Report<'a> {
    /// The words.
    pub wording: Wording<'a>,
    /// What the terminal can show.
    pub look: Look,
    /// What was read.
    pub captures: &'a [CaptureSummary],
    /// What was found, renumbered.
    pub overview: &'a Overview,
    /// Whether every interval is listed.
    pub with_timeline: bool,
    /// Where the time went is told of this stretch alone.
    pub range: Option<Span>,
    /// Only the answer.
    pub is_brief: bool,
    /// Whether the source's name stands above it, because others follow.
    pub has_heading: bool,
    /// Connections that were not asked for, which `overview` does not have.
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
    fn write(&self, page: &mut Page) {
        let wording = self.wording;
        if self.has_heading
            && let [capture] = self.captures
        {
            page.wrapped(&format!("== {}", wording.capture_name(&capture.path)), 0, BOLD);
        }
        let overview = self.overview;
        headline::write(page, wording, overview, self.excluded, self.range.is_some());
        if self.is_brief {
            return;
        }
        match (overview.with_data, overview.ranked().next()) {
            (0, _) | (_, None) => {
                if let (0, Some(connection)) = (overview.failures.len(), &overview.dataless) {
                    details::connection_findings(page, wording, connection);
                }
            }
            (1, Some(connection)) => {
                let detail = Detail { with_timeline: self.with_timeline, range: self.range };
                details::write(page, wording, connection, detail);
            }
            (_, Some(_)) => {
                overview.time.write(page, wording);
                match &overview.groups {
                    Some(groups) => groups.write(page, wording, overview),
                    None => table::write(page, wording, overview),
                }
                if let Some(lead) = overview.lead() {
                    page.gap();
                    let args = Args::new().text("n", lead.id.to_string());
                    page.wrapped(&wording.catalogue().text("hint-connection", &args), 0, DIM);
                }
            }
        }
        across::write(page, wording, overview);
        failures::write(page, wording, overview);
        captures::write(page, wording, self.captures);
    }
}
