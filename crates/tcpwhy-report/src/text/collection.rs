//! The summary of many captures: the sum of their time, and the most frequent problems.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

use anstyle::Style;

use super::page::Page;
use super::palette::{BOLD, DIM};
use super::spent::left_out;
use super::{Look, Overview, Table, sides};
use crate::ratio::ratio;
use crate::spent::TimeSpent;
use crate::{Args, Wording};

/// Most problems that are named; the others are only counted.
const MOST: usize = 10;

/// The captures of folders and archives, added up.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    captures: u64,
    failed: u64,
    time: TimeSpent,
    /// Number of captures by their most severe problem, in words.
    leads: BTreeMap<String, u64>,
}

impl Collection {
    /// Adds one capture.
    pub fn add(&mut self, overview: &Overview, wording: Wording<'_>) {
        self.captures += 1;
        self.time.merge(&overview.time);
        if let Some(problem) = overview.problems().first() {
            *self.leads.entry(sides::what(wording, problem)).or_default() += 1;
        }
    }

    /// Counts a capture without its time and problems.
    pub(crate) const fn count(&mut self) {
        self.captures += 1;
    }

    /// Counts a capture that could not be read.
    pub const fn fail(&mut self) {
        self.captures += 1;
        self.failed += 1;
    }

    /// Captures that could not be read.
    pub(crate) const fn failed(&self) -> u64 {
        self.failed
    }

    /// Numbers of captures by their most severe problem, most captures first.
    pub(crate) fn ranked_leads(&self) -> Vec<(&str, u64)> {
        let mut leads: Vec<_> = self.leads.iter().map(|(words, &count)| (words.as_str(), count)).collect();
        leads.sort_by_key(|&(words, count)| (Reverse(count), words));
        leads
    }

    /// Number of captures so far.
    pub const fn captures(&self) -> u64 {
        self.captures
    }
}

/// The summary of many captures, ready to be displayed.
pub struct CollectionReport<'a> {
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Capabilities of the terminal.
    pub look: Look,
    /// The captures.
    pub collection: &'a Collection,
    /// Number of files that are not captures, of links and similar entries.
    pub passed_over: u64,
    /// Number of folders among them.
    pub folders: u64,
}

impl fmt::Display for CollectionReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(self.look);
        self.write(&mut page);
        f.write_str(&page.into_text())
    }
}

impl CollectionReport<'_> {
    fn write(&self, page: &mut Page) {
        let catalogue = self.wording.catalogue();
        let counted = |id: &str, count: u64| catalogue.text(id, &Args::new().number("count", count));
        let collection = self.collection;
        page.wrapped(&format!("== {}", counted("collection-captures", collection.captures)), 0, BOLD);
        for (id, count) in [
            ("collection-failed", collection.failed),
            ("collection-passed-over", self.passed_over),
            ("collection-folders", self.folders),
        ] {
            if count > 0 {
                page.wrapped(&counted(id, count), 0, Style::new());
            }
        }
        self.write_time(page);
        self.write_leads(page);
    }

    fn write_time(&self, page: &mut Page) {
        let (catalogue, units) = (self.wording.catalogue(), self.wording.units());
        let limits = self.collection.time.ranked_limits();
        let total: i128 = limits.iter().map(|limit| limit.1).sum();
        let mut table = Table::new(["limit", "time", "share"].map(|id| column(catalogue, id)).to_vec());
        for &(limit, nanos) in &limits {
            let share = units.share(ratio(nanos as f64, total as f64));
            table.push(vec![self.wording.limit(limit), units.seconds(nanos as f64 / 1e9), share]);
        }
        if !limits.is_empty() {
            page.heading(&catalogue.word("collection-heading-time"));
            write_table(page, table);
        }
        for (id, (count, nanos)) in left_out(&self.collection.time) {
            let args = Args::new().number("count", count).text("total", units.seconds(nanos as f64 / 1e9));
            page.wrapped(&catalogue.text(id, &args), 2, DIM);
        }
    }

    fn write_leads(&self, page: &mut Page) {
        let (catalogue, units) = (self.wording.catalogue(), self.wording.units());
        let leads = self.collection.ranked_leads();
        if leads.is_empty() {
            return;
        }
        page.heading(&catalogue.word("collection-heading-problems"));
        let mut table = Table::new(["problem", "captures"].map(|id| column(catalogue, id)).to_vec());
        for (words, count) in leads.iter().take(MOST) {
            table.push(vec![(*words).to_owned(), units.count(*count)]);
        }
        write_table(page, table);
        let more = leads.len().saturating_sub(MOST) as u64;
        if more > 0 {
            page.wrapped(&catalogue.text("sides-more-problems", &Args::new().number("count", more)), 2, DIM);
        }
    }
}

fn column(catalogue: &crate::Catalogue, id: &str) -> String {
    catalogue.word(&format!("collection-column-{id}"))
}

fn write_table(page: &mut Page, table: Table) {
    for (row, line) in table.fitting(page.look(), &[]).iter().enumerate() {
        page.raw(&if row == 0 { page.styled(line, DIM) } else { line.clone() });
    }
}
