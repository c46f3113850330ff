//! `tcpwhy compare`: the differences, and what the captures of both ends show together.

use std::fmt;

use anstyle::Style;
use tcpwhy_analysis::answer::Answer;
use tcpwhy_analysis::{Connection, Crossing, HalfConnection, Vantage, Way};
use tcpwhy_model::{Cause, Limit};
use unicode_width::UnicodeWidthStr as _;

use super::contrast::{compare_sentence, pair_sentence};
use super::page::Page;
use super::palette::{BOLD, DIM};
use super::{AnswerLabel, AnswerText, Look, Table, answer, between, sides};
use crate::compare::{Changes, CompareMode, ComparedPair, Comparison, surer};
use crate::ratio::ratio;
use crate::{Args, Wording};

/// Limits with a smaller share of the time get no row.
const WORTH_A_ROW: f64 = 0.005;
/// Width of a name if there is hardly any room, columns.
const SHORT: usize = 16;

/// The form of limits with a detail, in order of decreasing room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Names {
    /// `receive window: slow reader` everywhere.
    Whole,
    /// The verdict without its detail, which is in the rows below.
    BriefVerdict,
    /// Also, the detail in a row of its own below its limit.
    Stacked,
    /// Also, names are cut.
    Cut,
}

impl Names {
    const ALL: [Self; 4] = [Self::Whole, Self::BriefVerdict, Self::Stacked, Self::Cut];
}

/// The report on a comparison, ready to be displayed.
pub struct CompareReport<'a> {
    /// Catalogue and units of the words.
    pub wording: Wording<'a>,
    /// Capabilities of the terminal.
    pub look: Look,
    /// The comparison.
    pub comparison: &'a Comparison,
    /// Most pairs to show.
    pub top: usize,
}

impl fmt::Display for CompareReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(self.look);
        self.write(&mut page);
        f.write_str(&page.into_text())
    }
}

impl CompareReport<'_> {
    fn write(&self, page: &mut Page) {
        let (catalogue, comparison) = (self.wording.catalogue(), self.comparison);
        for (letter, name) in ["A", "B"].into_iter().zip(&comparison.names) {
            page.hanging((&format!("{letter}: "), BOLD), &self.wording.capture_name(name), 0, Style::new());
        }
        page.gap();
        let heads = heads(self.wording, comparison);
        let sentence = compare_sentence(self.wording, comparison);
        let (first, rest) = match (&sentence, &heads[..]) {
            (Some(sentence), rest) => (sentence, rest),
            (None, [first, rest @ ..]) => (first, rest),
            (None, []) => return,
        };
        page.wrapped(first, 0, BOLD);
        for line in rest {
            page.wrapped(line, 0, DIM);
        }
        if let Some(changes) = &comparison.changes {
            self.write_answers(page, changes);
            sides::write(page, self.wording, changes);
            page.gap();
        }
        between::write_attempts(page, self.wording, &comparison.attempts);
        let listed = if comparison.is_list() {
            self.write_list(page);
            comparison.count - comparison.alike
        } else {
            comparison.pairs.iter().take(self.top.max(1)).for_each(|pair| self.write_pair(page, pair));
            comparison.count
        };
        let more = listed.saturating_sub(self.top.max(1) as u64);
        if more > 0 {
            page.gap();
            page.wrapped(&catalogue.text("compare-more", &Args::new().number("count", more)), 0, DIM);
        }
    }

    /// Writes the answer about each capture.
    fn write_answers(&self, page: &mut Page, changes: &Changes) {
        page.gap();
        for (letter, totals) in ["A", "B"].into_iter().zip(&changes.totals) {
            let ranked = totals.problems.ranked();
            let answer = Answer::of_capture(&totals.leads, &ranked, &[]);
            let lines = answer::plain_lines(self.wording, &answer, answer::Context::of(&totals.services));
            for line in lines.iter().filter(|line| line.kind != AnswerLabel::Head) {
                let label = format!("{letter}  {}  ", line.label);
                page.hanging((&label, BOLD), &line.text, 2, Style::new());
            }
        }
    }

    /// Writes one line per pair.
    fn write_list(&self, page: &mut Page) {
        let (wording, catalogue, units) = (self.wording, self.wording.catalogue(), self.wording.units());
        let alike = self.comparison.alike;
        let pairs = self.comparison.pairs.iter().filter_map(|pair| Some((pair, pair.halves()?)));
        let differing: Vec<_> = pairs.take(self.top.max(1)).collect();
        let change = |a: String, b: String| if a == b { a } else { format!("{a} → {b}") };
        let rate = |half: &HalfConnection| {
            half.goodput.map_or_else(|| "-".to_owned(), |rate| units.bits_per_second(rate.bits_per_sec()))
        };
        let rows = differing.iter().map(|(pair, [a, b])| {
            let [first, second] = &pair.connections;
            [
                format!("{}/{}", first.id, second.id),
                wording.direction(first, a),
                change(units.seconds(a.span.seconds()), units.seconds(b.span.seconds())),
                change(rate(a), rate(b)),
                change(self.cause(a, Names::Whole), self.cause(b, Names::Whole)),
            ]
        });
        let rows: Vec<_> = rows.collect();
        let columns = ["number", "ends", "time", "rate", "limit"];
        let mut table = Table::new(columns.map(|id| catalogue.word(&format!("column-{id}"))).into());
        for row in &rows {
            table.push(row.to_vec());
        }
        page.gap();
        if self.fits(&table) {
            self.write_table(page, &table);
        } else {
            // One paragraph per pair, so that nothing is left out.
            for [number, ends, facts @ ..] in &rows {
                let label = format!("{number}  ");
                page.hanging((&label, Style::new()), ends, 2, Style::new());
                page.wrapped(&facts.join(&catalogue.word("list-separator")), 2 + label.width(), Style::new());
            }
        }
        if alike > 0 {
            page.wrapped(&catalogue.text("compare-alike", &Args::new().number("count", alike)), 0, DIM);
        }
    }

    fn write_pair(&self, page: &mut Page, pair: &ComparedPair) {
        let (wording, catalogue, units) = (self.wording, self.wording.catalogue(), self.wording.units());
        let Some(halves) = pair.halves() else { return };
        page.heading(&answer::transfer(wording, &pair.connections[0], halves[0]));
        if self.comparison.mode != CompareMode::Ends {
            page.wrapped(&answer::transfer(wording, &pair.connections[1], halves[1]), 0, BOLD);
        }
        let mut lines = together_lines(wording, pair);
        lines.extend(pair.opening.and_then(|(_, openings)| between::unchanged_line(wording, &openings)));
        if !lines.is_empty() {
            page.wrapped(&catalogue.word("compare-both"), 0, BOLD);
            for line in &lines {
                page.wrapped(line, 2, Style::new());
            }
        }
        if pair.crossing.is_none() && self.comparison.mode == CompareMode::Ends {
            page.wrapped(&catalogue.word("compare-one-place"), 2, Style::new());
        }
        page.gap();
        let made = Names::ALL.map(|names| move || self.table(halves, names));
        let table = self.fitting(made);
        self.write_table(page, &table);
        page.gap();
        for ((letter, half), connection) in ["A", "B"].into_iter().zip(halves).zip(&pair.connections) {
            let said = AnswerText::of_connection(connection, wording).why;
            let id = match half.vantage {
                Vantage::Sender => "compare-said-sender",
                Vantage::Receiver => "compare-said-receiver",
                Vantage::Middle | Vantage::Unknown => "compare-said",
            };
            let args = Args::new().text("letter", letter).text("sentence", said);
            page.wrapped(&catalogue.text(id, &args), 0, Style::new());
        }
        if let Some(trusted) = surer(halves).filter(|_| self.comparison.mode == CompareMode::Ends) {
            let confidence = |at: usize| units.share(halves[at].verdict.confidence);
            let args = Args::new()
                .text("letter", between::LETTERS[trusted])
                .text("other", between::LETTERS[1 - trusted])
                .text("high", confidence(trusted))
                .text("low", confidence(1 - trusted));
            page.wrapped(&catalogue.text("compare-trust", &args), 0, DIM);
        }
    }

    /// The table of the numbers of both, and of their time by limit.
    fn table(&self, halves: [&HalfConnection; 2], names: Names) -> Table {
        let (wording, catalogue, units) = (self.wording, self.wording.catalogue(), self.wording.units());
        let mut table = Table::new(vec![String::new(), "A".into(), "B".into()]);
        let mut row = |id: &str, value: &dyn Fn(&HalfConnection) -> Option<String>| {
            let cells = halves.map(|half| value(half).unwrap_or_else(|| "-".into()));
            if cells.iter().any(|cell| cell != "-") {
                table.push([catalogue.word(&format!("compare-row-{id}"))].into_iter().chain(cells).collect());
            }
        };
        row("bytes", &|half| Some(units.bytes(half.bytes)));
        row("time", &|half| Some(units.seconds(half.span.seconds())));
        row("rate", &|half| half.goodput.map(|rate| units.bits_per_second(rate.bits_per_sec())));
        row("retransmitted", &|half| Some(units.bytes(half.retransmitted_bytes)));
        row("rtt", &|half| half.rtt.map(|(rtt, _)| units.nanos(rtt.median as i64)));
        row("flight", &|half| half.flight.map(|flight| units.bytes(flight.median)));
        row("window", &|half| half.receive_window.map(|window| units.bytes(window.median)));
        row("limit", &|half| Some(self.cause(half, names)));
        let mut causes: Vec<Cause> = Vec::new();
        for total in halves.iter().flat_map(|half| half.limits.totals()) {
            if !causes.contains(&total.cause) {
                causes.push(total.cause);
            }
        }
        if names >= Names::Stacked {
            // Causes of one limit are kept together; limits are in the order of their longest cause.
            let order: Vec<Limit> = causes.iter().map(|cause| cause.limit).collect();
            causes.sort_by_key(|cause| order.iter().position(|limit| *limit == cause.limit));
        }
        let mut above = None;
        for cause in causes {
            let share = |half: &HalfConnection| {
                let nanos = half.limits.nanos_of_cause(cause);
                (nanos, ratio(nanos as f64, half.limits.span().nanos() as f64))
            };
            let shares = halves.map(share);
            if shares.iter().all(|(_, share)| *share < WORTH_A_ROW) {
                continue;
            }
            let cells = shares.map(|(nanos, share)| match nanos {
                0 => "-".to_owned(),
                _ => format!("{}  {}", units.nanos(nanos), units.share(share)),
            });
            let name = match cause.detail.filter(|_| names >= Names::Stacked) {
                None => format!("  {}", wording.cause(cause)),
                Some(detail) => {
                    if above != Some(cause.limit) {
                        let limit = self.cut(wording.limit(cause.limit), names);
                        table.push(vec![format!("  {limit}"), String::new(), String::new()]);
                    }
                    format!("    {}", self.cut(wording.detail(detail), names))
                }
            };
            above = Some(cause.limit);
            table.push([name].into_iter().chain(cells).collect());
        }
        table
    }

    fn cause(&self, half: &HalfConnection, names: Names) -> String {
        match half.verdict.cause {
            None => self.wording.catalogue().word("table-nothing"),
            Some(cause) if names == Names::Whole => self.wording.cause(cause),
            Some(cause) => self.cut(self.wording.limit(cause.limit), names),
        }
    }

    fn cut(&self, name: String, names: Names) -> String {
        if names == Names::Cut { self.look.shorten(&name, SHORT) } else { name }
    }

    fn fits(&self, table: &Table) -> bool {
        table.lines().all(|line| self.look.signs(&line).width() <= self.look.width)
    }

    /// The first of `tables` that fits the terminal, or the last.
    fn fitting<const N: usize>(&self, tables: [impl Fn() -> Table; N]) -> Table {
        let mut made = Table::default();
        for table in tables {
            made = table();
            if self.fits(&made) {
                break;
            }
        }
        made
    }

    fn write_table(&self, page: &mut Page, table: &Table) {
        for (index, line) in table.lines().enumerate() {
            let line = self.look.signs(&line).into_owned();
            let line = if index == 0 { page.styled(&line, DIM) } else { line };
            page.raw(&line);
        }
    }
}

/// How the captures are related, and how many connections only one of them has.
fn heads(wording: Wording<'_>, comparison: &Comparison) -> Vec<String> {
    let catalogue = wording.catalogue();
    let bare = comparison.attempts.in_both();
    let args = Args::new()
        .number("count", comparison.count)
        .number("bare", bare)
        .number("a", comparison.only[0])
        .number("b", comparison.only[1]);
    let head = match (comparison.count, comparison.mode) {
        (0, CompareMode::Ends) => catalogue.text("compare-head-ends-bare", &args),
        (0, _) => catalogue.word("sides-only-services"),
        _ => catalogue.text(&format!("compare-head-{}", comparison.mode.id()), &args),
    };
    let more = (bare > 0 && comparison.count > 0).then(|| catalogue.text("compare-bare", &args));
    let only = (comparison.only != [0, 0]).then(|| catalogue.text("compare-only", &args));
    std::iter::once(head).chain(more).chain(only).collect()
}

/// Findings from two captures of one connection, one sentence per line. Data that did not get through comes
/// first.
fn together_lines(wording: Wording<'_>, pair: &ComparedPair) -> Vec<String> {
    let connection = &pair.connections[0];
    let unseen = pair.unseen.iter().zip(connection.endpoints);
    let mut lines: Vec<_> =
        unseen.filter_map(|(unseen, from)| Some(between::unseen_line(wording, from, unseen.as_ref()?))).collect();
    if let Some((client, openings)) = &pair.opening {
        let ends = [*client, 1 - client].map(|end| connection.endpoints[end]);
        lines.extend(between::changed_lines(wording, ends, openings));
    }
    if let Some(crossing) = &pair.crossing {
        lines.extend(crossing_lines(wording, connection, crossing, pair.unseen.map(|unseen| unseen.is_some())));
    }
    lines
}

/// Sentences about the way of the data from one capture to the other. `not_all`: another sentence reports the
/// missing data.
fn crossing_lines(
    wording: Wording<'_>,
    connection: &Connection,
    crossing: &Crossing,
    not_all: [bool; 2],
) -> Vec<String> {
    let (catalogue, units) = (wording.catalogue(), wording.units());
    let mut lines = Vec::new();
    for (side, way) in crossing.ways.iter().enumerate() {
        let ends = [connection.endpoints[side], connection.endpoints[1 - side]];
        let is_told = not_all[side] && way.sent == way.arrived;
        let mut parts: Vec<String> = lost(wording, way).filter(|_| !is_told).into_iter().collect();
        if let Some(delay) = way.delay {
            let args = Args::new()
                .text("median", units.nanos(delay.median))
                .text("p95", units.nanos(delay.p95))
                .text("max", units.nanos(delay.max))
                .text("at", catalogue.zone().time_of_day(delay.max_at))
                .text("samples", units.count(delay.samples));
            parts.push(catalogue.text("compare-delay", &args));
        }
        if parts.is_empty() {
            continue;
        }
        let near = if side == crossing.first_near { ["A", "B"] } else { ["B", "A"] };
        let args = Args::new()
            .text("from", ends[0].to_string())
            .text("to", ends[1].to_string())
            .text("near", near[0])
            .text("far", near[1])
            .text("text", parts.join(&catalogue.word("fact-separator")));
        lines.push(catalogue.text("compare-way", &args));
    }
    let id = if crossing.clock_offset < 0 { "compare-clock-behind" } else { "compare-clock-ahead" };
    let args = Args::new()
        .text("offset", units.nanos(crossing.clock_offset.saturating_abs()))
        .text("round_trip", units.nanos(crossing.round_trip));
    lines.push(catalogue.text(id, &args));
    lines
}

/// The loss of data in one direction, if any was sent.
fn lost(wording: Wording<'_>, way: &Way) -> Option<String> {
    let units = wording.units();
    let args = Args::new().text("sent", units.bytes(way.sent)).text("arrived", units.bytes(way.arrived));
    let (id, args) = match way.sent.checked_sub(way.arrived) {
        _ if way.sent == 0 && way.arrived == 0 => return None,
        Some(0) => ("compare-lost-nothing", args),
        Some(lost) => {
            let share = units.share(ratio(lost as f64, way.sent as f64));
            ("compare-lost", args.text("lost", units.bytes(lost)).text("share", share))
        }
        None => ("compare-lost-unknown", args),
    };
    Some(wording.catalogue().text(id, &args))
}

/// A comparison in sentences, for readers that draw the other parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompareSentences {
    /// The sentence that compares, or how the captures are related if no sentence compares them.
    pub sentence: String,
    /// The sentence that compares the connections of each pair.
    pub pairs: Vec<String>,
    /// How the captures are related, and how many connections only one of them has.
    pub heads: Vec<String>,
    /// Changes, new and worse problems first.
    pub changes: Vec<String>,
    /// Findings from both captures of each pair.
    pub together: Vec<Vec<String>>,
}

impl CompareSentences {
    /// The sentences of `comparison`.
    pub fn new(comparison: &Comparison, wording: Wording<'_>) -> Self {
        let together = |pair: &ComparedPair| match comparison.mode {
            CompareMode::Ends => together_lines(wording, pair),
            CompareMode::Captures | CompareMode::Connections => Vec::new(),
        };
        let mut heads = heads(wording, comparison);
        // If no sentence compares the captures, the first head replaces it.
        let sentence = compare_sentence(wording, comparison).unwrap_or_else(|| heads.remove(0));
        let of_pair = |pair: &ComparedPair| pair_sentence(wording, comparison, pair).unwrap_or_default();
        Self {
            sentence,
            pairs: comparison.pairs.iter().map(of_pair).collect(),
            heads,
            changes: comparison.changes.as_ref().map_or_else(Vec::new, |changes| sides::changes(wording, changes)),
            together: comparison.pairs.iter().map(together).collect(),
        }
    }
}
