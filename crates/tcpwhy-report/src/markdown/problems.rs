//! The problems of a capture, as a table.

use tcpwhy_analysis::Problem;

use super::table::{Align, table};
use crate::text::{Overview, problem_evidence, server, what};
use crate::{Args, Wording};

/// Most problems with a row of their own; the others are only counted.
const MOST: usize = 5;

/// The first problems, most severe first: at most five, and at most as many as the overview lists
/// connections.
pub(super) fn problems(wording: Wording<'_>, overview: &Overview) -> Vec<String> {
    let catalogue = wording.catalogue();
    let all = overview.problems();
    let shown = MOST.min(overview.top());
    let mut rows: Vec<_> =
        (1_u64..).zip(all.iter().take(shown)).map(|(n, problem)| row(wording, overview, n, problem)).collect();
    let more = all.len().saturating_sub(shown) as u64;
    if more > 0 {
        let text = catalogue.text("markdown-more", &Args::new().number("count", more));
        rows.push([String::new(), text].into_iter().chain(["", "", ""].map(str::to_owned)).collect());
    }
    let columns = [
        ("rank", Align::Right),
        ("problem", Align::Left),
        ("connections", Align::Right),
        ("lost", Align::Right),
        ("example", Align::Left),
    ];
    table(&columns.map(|(id, align)| (catalogue.word(&format!("markdown-column-{id}")), align)), &rows)
}

fn row(wording: Wording<'_>, overview: &Overview, number: u64, problem: &Problem) -> Vec<String> {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let service = problem.key.service().and_then(|service| overview.services().of(service));
    let count = units.count(problem.connections);
    let connections = match service.map(|service| service.connections.max(problem.connections)) {
        None => count,
        Some(all) => catalogue.text("sides-of", &Args::new().text("count", count).text("all", units.count(all))),
    };
    let of_problem = Args::new().text("server", server(problem)).text("what", what(wording, problem));
    vec![
        units.count(number),
        catalogue.text("markdown-problem", &of_problem),
        connections,
        if problem.lost > 0 { units.nanos(problem.lost) } else { String::new() },
        problem_evidence(wording, problem),
    ]
}
