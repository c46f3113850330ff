//! Changes from one capture to another: problems, then services.

use anstyle::Style;
use tcpwhy_analysis::{Kind, Problem, Service, Sketch, Slow, Target, principal_half};
use unicode_width::UnicodeWidthStr as _;

use super::Table;
use super::page::Page;
use super::palette::{self, DIM};
use crate::compare::{Change, Changes, ProblemChange, ServicePair};
use crate::kebab::kebab;
use crate::{Args, Wording};

/// Most problems and services that are shown; the others are only counted.
const MOST: usize = 5;
/// Indexes of the columns that are dropped first if there is little room.
const EXPENDABLE: [usize; 3] = [5, 1, 3];

pub(super) fn write(page: &mut Page, wording: Wording<'_>, changes: &Changes) {
    write_problems(page, wording, changes);
    write_services(page, wording, changes);
}

fn write_problems(page: &mut Page, wording: Wording<'_>, changes: &Changes) {
    let catalogue = wording.catalogue();
    page.heading(&catalogue.word("sides-heading-problems"));
    if changes.problems.is_empty() {
        page.wrapped(&catalogue.word("sides-no-problems"), 2, Style::new());
        return;
    }
    let shown: Vec<_> = changes.problems.iter().take(MOST).collect();
    let labels: Vec<_> =
        shown.iter().map(|problem| catalogue.word(&format!("sides-{}", kebab(problem.change.id())))).collect();
    let width = labels.iter().map(|label| label.width()).max().unwrap_or_default();
    for (problem, label) in shown.iter().zip(&labels) {
        let label = format!("{label}{}  ", " ".repeat(width.saturating_sub(label.width())));
        page.hanging((&label, style(problem)), &change_text(wording, problem), 2, Style::new());
    }
    write_more(page, wording, "sides-more-problems", changes.problems.len());
}

/// Sentences about the changes that are shown: `gone: 10.0.0.1:80, refused: 1 of 20 → 0 of 21 connections`.
pub(super) fn changes(wording: Wording<'_>, changes: &Changes) -> Vec<String> {
    let catalogue = wording.catalogue();
    let line = |problem: &ProblemChange| {
        let change = catalogue.word(&format!("sides-{}", kebab(problem.change.id())));
        let args = Args::new().text("label", change).text("value", change_text(wording, problem));
        catalogue.text("moment-label-value", &args)
    };
    changes.problems.iter().take(MOST).map(line).collect()
}

fn write_more(page: &mut Page, wording: Wording<'_>, id: &str, all: usize) {
    let more = all.saturating_sub(MOST) as u64;
    if more > 0 {
        page.wrapped(&wording.catalogue().text(id, &Args::new().number("count", more)), 2, DIM);
    }
}

fn style(change: &ProblemChange) -> Style {
    match (change.change, &change.problems) {
        (Change::New | Change::Worse | Change::OnlyAfter, [_, Some(problem)]) => palette::severity(problem.severity),
        _ => DIM,
    }
}

/// A change: `10.0.0.1:80, refused: 1 of 20 → 3 of 21 connections, 1.00 s → 3.00 s lost`.
pub(crate) fn change_text(wording: Wording<'_>, change: &ProblemChange) -> String {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let problems = change.problems.each_ref().map(Option::as_ref);
    let Some(problem) = problems[1].or(problems[0]) else { return String::new() };
    let servers = problems.map(|problem| problem.map(server));
    let [before, after] =
        [&servers[0], &servers[1]].map(|server| server.clone().unwrap_or_else(|| self::server(problem)));
    let counts = [0, 1].map(|side: usize| {
        let count = problems[side].map_or(0, |problem| problem.connections);
        match change.of_connections[side] {
            0 => units.count(count),
            all => {
                let args = Args::new().text("count", units.count(count)).text("all", units.count(all.max(count)));
                catalogue.text("sides-of", &args)
            }
        }
    });
    let lost = problems.map(|problem| problem.map_or(0, |problem| problem.lost));
    let times = lost.map(|lost| units.nanos(lost));
    // A capture without the server has no number for it.
    let numbers = |[before, after]: [String; 2]| match change.change {
        Change::OnlyAfter => after,
        Change::OnlyBefore => before,
        _ => arrow(before, &after),
    };
    let args = Args::new()
        .text("server", arrow(before, &after))
        .text("what", what(wording, problem))
        .text("connections", numbers(counts))
        .text("lost", numbers(times));
    catalogue.text(if lost == [0, 0] { "sides-problem" } else { "sides-problem-lost" }, &args)
}

/// The server that a problem concerns, the host that was probed, or the client that tried many servers.
pub(crate) fn server(problem: &Problem) -> String {
    let key = &problem.key;
    key.service().map_or_else(|| key.address().to_string(), |service| service.to_string())
}

/// The problem in a few words.
pub(crate) fn what(wording: Wording<'_>, problem: &Problem) -> String {
    let catalogue = wording.catalogue();
    match problem.key.kind {
        Kind::Failed(failure) => {
            let what = match problem.key.target {
                Target::Service(_) => "failed",
                target => target.id(),
            };
            catalogue.word(&format!("sides-{what}-{}", kebab(failure.id())))
        }
        Kind::Slow(Slow::Server) => catalogue.word("sides-slow-server"),
        Kind::Slow(Slow::RoundTrips) => catalogue.word("sides-slow-round-trips"),
        Kind::Slow(Slow::Answers(_) | Slow::Requests(_)) => {
            let cause = principal_half(&problem.example).and_then(|half| half.verdict.cause);
            cause.map_or_else(String::new, |cause| wording.cause(cause))
        }
    }
}

fn arrow(before: String, after: &str) -> String {
    if before == after { before } else { format!("{before} → {after}") }
}

fn write_services(page: &mut Page, wording: Wording<'_>, changes: &Changes) {
    let catalogue = wording.catalogue();
    if changes.services.is_empty() {
        return;
    }
    page.heading(&catalogue.word("sides-heading-services"));
    let titles = ["service", "connections", "failed", "median", "p95", "server-median", "server-p95"];
    let titles = titles.map(|title| catalogue.word(&format!("sides-column-{title}")));
    let rows: Vec<_> = changes.services.iter().take(MOST).map(|pair| cells(wording, pair)).collect();
    let has_facts = |column: usize| rows.iter().any(|row| !row[column].is_empty());
    let mut table = Table::new(titles.to_vec());
    for row in &rows {
        table.push(row.clone());
    }
    let lines = table.only(has_facts).fitting(page.look(), &EXPENDABLE);
    if lines.iter().any(|line| line.width() > page.look().width) {
        write_paragraphs(page, wording, &titles, &rows);
    } else {
        for (row, line) in lines.iter().enumerate() {
            page.raw(&if row == 0 { page.styled(line, DIM) } else { line.clone() });
        }
    }
    write_more(page, wording, "sides-more-services", changes.services.len());
}

/// Writes each service as a sentence, if the table does not fit.
fn write_paragraphs(page: &mut Page, wording: Wording<'_>, titles: &[String], rows: &[Vec<String>]) {
    for row in rows {
        let facts = titles.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty());
        let facts: Vec<_> = facts.map(|(title, cell)| format!("{title} {cell}")).collect();
        let label = format!("{}  ", row[0]);
        page.hanging((&label, Style::new()), &facts.join(&wording.catalogue().word("list-separator")), 2, Style::new());
    }
}

fn cells(wording: Wording<'_>, pair: &ServicePair) -> Vec<String> {
    let units = wording.units();
    let both = |cell: &dyn Fn(&Service) -> String| -> String {
        let [before, after] = pair.services.each_ref().map(cell);
        let dash = |cell: String| if cell.is_empty() { "-".to_owned() } else { cell };
        if before.is_empty() && after.is_empty() { before } else { arrow(dash(before), &dash(after)) }
    };
    let at = |share: f64, sketch: &Sketch| {
        let nanos = |value: u64| units.nanos(i64::try_from(value).unwrap_or(i64::MAX));
        sketch.quantile(share).map_or_else(String::new, nanos)
    };
    let has_failed = pair.services.iter().any(|service| service.failed() > 0);
    vec![
        both(&|service| service.server.to_string()),
        both(&|service| units.count(service.connections)),
        if has_failed { both(&|service| units.count(service.failed())) } else { String::new() },
        both(&|service| at(0.5, &service.exchange_times)),
        both(&|service| at(0.95, &service.exchange_times)),
        both(&|service| at(0.5, &service.responses)),
        both(&|service| at(0.95, &service.responses)),
    ]
}
