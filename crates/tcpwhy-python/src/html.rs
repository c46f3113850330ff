//! HTML for notebooks: verdicts in words and strips of limits. No scripts; all text is escaped.

use std::fmt::Write as _;

use tcpwhy_analysis::{Connection, HalfConnection, Side, lost_nanos, principal_half};
use tcpwhy_model::{LimitTimeline, Severity};
use tcpwhy_report::Args;
use tcpwhy_report::markup::{Element, escaped};
use tcpwhy_report::palette::Swatch;
use tcpwhy_report::text::limit_cells;

use crate::analyse::Content;
use crate::language::Words;
use crate::time::seconds;

/// Cells of a strip, and its units across: a cell is one unit wide.
const CELLS: usize = 400;
/// Units of a strip's height.
const HEIGHT: usize = 10;
/// Most connections shown for a report.
const SHOWN: usize = 10;

/// Layout, and the colours of light pages. Notebooks have their own fonts and background.
const STYLE: &str = ".tcpwhy{max-width:60em;line-height:1.4}\
.tcpwhy svg{width:100%;height:1.2em;display:block;border-radius:2px}\
.tcpwhy p{margin:.2em 0}\
.tcpwhy .tcpwhy-key{font-size:.85em;opacity:.85}\
.tcpwhy .tcpwhy-key i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;vertical-align:-.05em}\
.tcpwhy .tcpwhy-key span{margin-right:.6em;white-space:nowrap}\
.tcpwhy table{width:100%;border-collapse:collapse}\
.tcpwhy td{text-align:left;padding:.15em .6em .15em 0}\
.tcpwhy td:nth-child(4){white-space:nowrap}";

/// Conditions of a dark background: the reader's system prefers it, or `JupyterLab` uses it.
const DARK: [&str; 2] = ["@media (prefers-color-scheme:dark)", "[data-jp-theme-light=\"false\"]"];

/// One direction.
pub(crate) fn of_half(words: Words, connection: &Connection, half: &HalfConnection) -> String {
    page(words, [half], |out| direction(out, words, connection, half))
}

/// A connection: all of its directions, or a summary of one without data.
pub(crate) fn of_connection(words: Words, connection: &Connection) -> String {
    page(words, &connection.halves, |out| {
        let wording = words.wording();
        for half in &connection.halves {
            direction(out, words, connection, half);
        }
        if connection.halves.is_empty() {
            let ends = [Side::A, Side::B].map(|side| wording.end(connection, side));
            paragraph(out, |out| Element::new(out, "b").text(format!("{} → {}", ends[0], ends[1])));
        }
        for finding in &connection.findings {
            let sentence = wording.finding(finding, connection.span.seconds());
            paragraph(out, |out| {
                Element::new(out, "b").text(severity(words, finding.severity));
                Element::new(out, "span").text(format!(" {sentence}"));
            });
        }
    })
}

/// A report: the connections that lost most time.
pub(crate) fn of_report(content: &Content) -> String {
    let words = content.words;
    let mut ranked: Vec<_> =
        content.connections.iter().filter_map(|connection| Some((connection, principal_half(connection)?))).collect();
    // Same order as in the text report: most time lost first, then most bytes.
    ranked
        .sort_by_key(|(connection, half)| std::cmp::Reverse((lost_nanos(half), half.bytes, u64::MAX - connection.id)));
    let shown = || ranked.iter().take(SHOWN);
    page(words, shown().map(|(_, half)| *half), |out| {
        heading(out, content);
        match &ranked[..] {
            [] => {}
            [(connection, half)] => direction(out, words, connection, half),
            [(connection, half), ..] => {
                paragraph(out, |out| {
                    Element::new(out, "span").text(words.wording().direction(connection, half));
                    Element::new(out, "br").end();
                    Element::new(out, "b").text(words.wording().verdict(half));
                });
                Element::new(out, "table").holding(|out| {
                    for (connection, half) in shown() {
                        row(out, words, connection, half);
                    }
                });
                key(out, words, &nanos_of(shown().map(|(_, half)| *half)));
                if ranked.len() > SHOWN {
                    let count = Args::new().number("count", (ranked.len() - SHOWN) as u64);
                    let more = words.catalogue().text("notebook-more", &count);
                    paragraph(out, |out| Element::new(out, "span").text(more));
                }
            }
        }
    })
}

/// The names of the captures, with their errors and anomalies.
fn heading(out: &mut String, content: &Content) {
    let words = content.words;
    for (index, name) in content.names.iter().enumerate() {
        paragraph(out, |out| {
            Element::new(out, "code").text(name);
            let capture = content.captures.get(index);
            for anomaly in capture.iter().flat_map(|capture| capture.anomalies.iter()) {
                Element::new(out, "br").end();
                Element::new(out, "small").text(words.wording().anomaly(anomaly));
            }
        });
    }
    if let Some(failure) = &content.failure {
        paragraph(out, |out| Element::new(out, "b").text(failure.text(words)));
    } else if content.connections.is_empty() {
        let id = if content.excluded > 0 { "head-all-excluded" } else { "head-no-connections" };
        let args = Args::new().number("count", content.excluded);
        paragraph(out, |out| Element::new(out, "b").text(words.catalogue().text(id, &args)));
    }
}

/// A direction with its sentence, its strip and the strip's legend.
fn direction(out: &mut String, words: Words, connection: &Connection, half: &HalfConnection) {
    paragraph(out, |out| {
        Element::new(out, "span").text(words.wording().direction(connection, half));
        Element::new(out, "br").end();
        Element::new(out, "b").text(words.wording().verdict(half));
    });
    strip(out, words, &half.limits);
    key(out, words, &nanos_of([half]));
}

/// A row of the table of connections.
fn row(out: &mut String, words: Words, connection: &Connection, half: &HalfConnection) {
    let wording = words.wording();
    Element::new(out, "tr").holding(|out| {
        Element::new(out, "td").text(connection.id);
        Element::new(out, "td").text(wording.direction(connection, half));
        let cause = half.verdict.cause.map(|cause| wording.cause(cause)).unwrap_or_default();
        Element::new(out, "td").text(cause);
        Element::new(out, "td").text(wording.units().nanos(half.limits.span().nanos()));
        Element::new(out, "td").with("style", "width:40%").holding(|out| strip(out, words, &half.limits));
    });
}

/// The timeline as a strip of colours, each with its name as a tooltip.
fn strip(out: &mut String, words: Words, limits: &LimitTimeline) {
    let cells = limit_cells(limits, CELLS);
    let strip = Element::new(out, "svg")
        .with("viewBox", format!("0 0 {CELLS} {HEIGHT}"))
        .with("preserveAspectRatio", "none")
        .with("role", "img");
    strip.holding(|out| {
        let mut at = 0;
        for run in cells.chunk_by(|one, other| one == other) {
            let Some(&swatch) = run.first() else { continue };
            let cell = Element::new(out, "rect")
                .with("x", at)
                .with("width", run.len())
                .with("height", HEIGHT)
                .with("class", class(swatch))
                .with("fill", swatch.look().light);
            cell.holding(|out| Element::new(out, "title").text(words.wording().swatch(swatch)));
            at += run.len();
        }
    });
}

/// Nanoseconds of each swatch, in the order of the swatches.
type Times = [i128; Swatch::ALL.len()];

fn nanos_of<'a>(halves: impl IntoIterator<Item = &'a HalfConnection>) -> Times {
    let mut nanos = [0; Swatch::ALL.len()];
    for total in halves.into_iter().flat_map(|half| half.limits.totals()) {
        nanos[Swatch::of(total.cause) as usize] += i128::from(total.nanos);
    }
    nanos
}

/// The legend of the colours with their times, longest first.
fn key(out: &mut String, words: Words, nanos: &Times) {
    let mut used: Vec<_> = Swatch::ALL.into_iter().filter(|&swatch| nanos[swatch as usize] > 0).collect();
    used.sort_by_key(|&swatch| std::cmp::Reverse(nanos[swatch as usize]));
    Element::new(out, "p").with("class", "tcpwhy-key").holding(|out| {
        for swatch in used {
            let style = format!("background:{}", swatch.look().light);
            let time = seconds(i64::try_from(nanos[swatch as usize]).unwrap_or(i64::MAX));
            let time = words.wording().units().seconds(time);
            Element::new(out, "span").holding(|out| {
                Element::new(out, "i").with("class", class(swatch)).with("style", style).text("");
                out.push_str(&escaped(&format!("{} {time}", words.wording().swatch(swatch))));
            });
            // The space allows a line break between entries.
            out.push(' ');
        }
    });
}

/// A part of a page with its own style, which includes the colours of `halves` for dark backgrounds.
fn page<'a>(
    words: Words,
    halves: impl IntoIterator<Item = &'a HalfConnection>,
    content: impl FnOnce(&mut String),
) -> String {
    let nanos = nanos_of(halves);
    let mut out = String::new();
    Element::new(&mut out, "div").with("class", "tcpwhy").with("lang", words.language().tag()).holding(|out| {
        out.push_str("<style>");
        out.push_str(STYLE);
        let mut dark = String::new();
        for swatch in Swatch::ALL.into_iter().filter(|&swatch| nanos[swatch as usize] > 0) {
            let (class, colour) = (class(swatch), swatch.look().dark);
            // Writing to a `String` cannot fail.
            let _ = write!(dark, "rect.{class}{{fill:{colour}}}i.{class}{{background:{colour}!important}}");
        }
        for when in DARK {
            let _ = write!(out, "{when}{{.tcpwhy{{{dark}}}}}");
        }
        out.push_str("</style>");
        content(out);
    });
    out
}

fn paragraph(out: &mut String, content: impl FnOnce(&mut String)) {
    Element::new(out, "p").holding(content);
}

fn class(swatch: Swatch) -> String {
    format!("tcpwhy-{}", swatch.id())
}

fn severity(words: Words, severity: Severity) -> String {
    words.wording().severity(severity)
}
