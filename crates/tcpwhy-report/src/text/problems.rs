//! The problems of a capture, gravest first.

use tcpwhy_analysis::Problem;

use super::Overview;
use super::answer::problem_text;
use super::page::Page;
use super::palette::{self, DIM};
use crate::{Args, Wording};

/// Problems that are shown; the rest is counted.
const MOST: usize = 5;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let problems = overview.problems();
    let catalogue = wording.catalogue();
    if problems.is_empty() {
        return;
    }
    page.heading(&catalogue.word("heading-problems"));
    for (n, problem) in (1_u64..).zip(problems.iter().take(MOST)) {
        let sentence = problem_text(wording, &overview.services, problem);
        page.fitted(&format!("  {n}  "), &sentence, palette::severity(problem.severity));
        page.wrapped(&example(wording, problem), 5, DIM);
    }
    let more = problems.len().saturating_sub(MOST) as u64;
    if more > 0 {
        let args = Args::new().number("count", more).number("next", MOST as u64 + 1);
        page.wrapped(&catalogue.text("problems-more", &args), 2, DIM);
    }
}

fn example(wording: Wording<'_>, problem: &Problem) -> String {
    let args =
        Args::new().text("n", problem.example.id.to_string()).text("packet", problem.example.first_packet.to_string());
    let text = wording.catalogue().text("problem-example", &args);
    let fix = problem.example.failure().and_then(|finding| finding.fixes.first());
    match fix {
        Some(fix) => format!(
            "{text} {}",
            wording.catalogue().text("answer-fix-alone", &Args::new().text("fix", wording.fix_headline(fix)))
        ),
        None => text,
    }
}
