//! The problems of a capture, most severe first.

use tcpwhy_analysis::Problem;

use super::Overview;
use super::answer::{AnswerText, problem_evidence, problem_sentence, problem_text};
use super::page::Page;
use super::palette::{self, DIM};
use crate::{Args, Wording};

/// Most problems that are shown; the others are only counted.
const MOST: usize = 5;

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let problems = overview.problems();
    let catalogue = wording.catalogue();
    if problems.is_empty() {
        return;
    }
    page.heading(&catalogue.word("heading-problems"));
    // Probes come last.
    let (real, probes) = problems.split_at(problems.iter().filter(|problem| !problem.key.is_probes()).count());
    for (n, problem) in (1_u64..).zip(real.iter().take(MOST)) {
        let sentence = problem_text(wording, &overview.services, problem);
        page.fitted(&format!("  {n}  "), &sentence, palette::severity(problem.severity));
        page.wrapped(&evidence(wording, problem), 5, DIM);
    }
    let more = real.len().saturating_sub(MOST) as u64;
    if more > 0 {
        let args = Args::new().number("count", more).number("next", MOST as u64 + 1);
        page.wrapped(&catalogue.text("problems-more", &args), 2, DIM);
    }
    if let Some((first, others)) = probes.split_first() {
        let args = Args::new()
            .text("sentence", problem_sentence(wording, &overview.services, first))
            .number("n", real.len() as u64 + 1)
            .number("more", others.len() as u64);
        let id = if others.is_empty() { "problems-probes" } else { "problems-probes-more" };
        page.wrapped(&catalogue.text(id, &args), 2, DIM);
    }
}

/// The numbers that a problem is based on; for a failure also the change.
fn evidence(wording: Wording<'_>, problem: &Problem) -> String {
    let text = problem_evidence(wording, problem);
    let is_failure = problem.key.is_failure();
    let fix = AnswerText::fix_of(problem, wording).filter(|_| is_failure);
    let separator = wording.catalogue().word("sentence-separator");
    fix.map_or_else(|| text.clone(), |fix| [text.as_str(), fix.as_str()].join(&separator))
}
