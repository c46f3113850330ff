//! Limits of the connections at one moment.

use tcpwhy_model::CaptureSummary;

use super::inline::inline;
use super::page::{Page, Rank};
use super::report::{head_text, heading};
use crate::Args;
use crate::text::MomentReport;
use crate::text::answer::{Context, plain_lines};

/// Most connections that are shown; the others are only counted. Each needs at most ten lines.
const MOST: usize = 5;

/// The answer to `--why` about `captures`.
pub(super) fn page(report: &MomentReport<'_>, captures: &[CaptureSummary]) -> Page {
    let (wording, overview) = (report.wording, report.overview);
    let mut page = Page::default();
    page.line(Rank::Answer, heading(wording, captures));
    if overview.with_data() + report.outside == 0 {
        let context = Context { excluded: report.excluded, ..Context::of(overview.services()) };
        for line in plain_lines(wording, &overview.answer(), context) {
            page.line(Rank::Answer, head_text(wording, &line.text));
        }
        return page;
    }
    let shown = MOST.min(overview.top());
    let all: Vec<_> = overview.ranked().take(shown).filter_map(|connection| report.sentences(connection)).collect();
    for sentences in &all {
        page.line(Rank::Answer, inline(&sentences.transfer));
        let first =
            [format!("**{}**", inline(&sentences.at))].into_iter().chain(sentences.why.iter().map(|why| inline(why)));
        let more = sentences.values.iter().chain(&sentences.doubt).chain(&sentences.around).chain(&sentences.flips);
        let more = more.filter(|_| !report.is_brief).map(|text| inline(text));
        page.list(Rank::Answer, first.chain(more));
    }
    let more = overview.with_data().saturating_sub(all.len() as u64);
    if more > 0 {
        let text = wording.catalogue().text("notebook-more", &Args::new().number("count", more));
        page.line(Rank::Answer, inline(&text));
    }
    page
}
