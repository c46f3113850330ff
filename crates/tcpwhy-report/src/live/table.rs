//! The table of live connections, one line each, with as many columns as fit.

use tcpwhy_model::{Cause, OutcomeKind};
use unicode_width::UnicodeWidthStr as _;

use super::row::LiveRow;
use super::{Line, Piece, Tone, strip};
use crate::text::Look;
use crate::text::look::{pad, pad_left};
use crate::{Args, Wording};

/// Space between columns, columns of the terminal.
const GUTTER: usize = 2;
/// From this width on, the table has a strip.
const USUAL: usize = 80;
/// Width of the strip, columns: below the first number it is useless, above the second it shows nothing more.
const STRIP: (usize, usize) = (10, 60);
/// Separates the forms of a cell, longest first. No text contains this character, because control characters
/// in names are escaped before.
const FORMS: &str = "\u{1f}";
/// A name cut to less than this is hard to distinguish from others. Such cuts only make room for other
/// columns, not for a strip.
const MILD: usize = 14;
/// A narrower terminal has no room for two names.
const NARROW: usize = 60;
/// From this width on, the whole address of this end is shown too.
const WIDE: usize = 130;
/// Indentation of the sentence below a row, columns.
const INDENT: usize = 4;

/// A column, named after its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Lost,
    Limit,
    Name,
    Local,
    Peer,
    Connections,
    Rate,
    Rtt,
}

/// A way to save width.
enum Step {
    Drop(Column),
    /// Drops the column on terminals narrower than this.
    DropBelow(Column, usize),
    Cut(Column, usize),
}

/// Rows as styled lines.
#[derive(Clone, Debug)]
pub struct LiveTable {
    /// The titles.
    pub head: Line,
    /// One line per row.
    pub rows: Vec<Line>,
    /// The sentence below each row, if it has one.
    pub sentences: Vec<Option<Line>>,
}

impl LiveTable {
    /// Lays `rows` out within the width of the terminal; `time` is the length of the strip, in words.
    pub fn new(rows: &[LiveRow<'_>], look: Look, wording: Wording<'_>, time: &str) -> Self {
        let is_grouped = rows.iter().any(|row| row.ends.is_none());
        let all: Vec<Column> = if is_grouped {
            vec![Column::Lost, Column::Limit, Column::Name, Column::Connections, Column::Rate, Column::Rtt]
        } else {
            vec![Column::Lost, Column::Limit, Column::Name, Column::Local, Column::Peer, Column::Rate, Column::Rtt]
        };
        let words = wording.catalogue();
        let clean = |text: String| {
            let forms: Vec<_> = text.split(FORMS).map(|form| look.signs(form)).collect();
            forms.join(FORMS)
        };
        let titles: Vec<String> = all.iter().map(|&column| clean(words.word(title(column)))).collect();
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|row| all.iter().map(|&column| clean(cell(row, column, look, wording))).collect())
            .collect();
        let mut widths: Vec<usize> = (0..all.len())
            .map(|i| {
                cells.iter().map(|row| first_form(&row[i]).width()).chain([titles[i].width()]).max().unwrap_or_default()
            })
            .collect();
        let shown = fit(&all, &mut widths, look.width);
        // Shorter forms of the limit leave room for the strip.
        for (i, width) in widths.iter_mut().enumerate() {
            let forms = cells.iter().map(|row| fitting_form(&row[i], *width).width().min(*width));
            *width = forms.chain([titles[i].width().min(*width)]).max().unwrap_or_default();
        }
        let left =
            |widths: &[usize]| look.width.saturating_sub(shown.iter().map(|&i| widths[i] + GUTTER).sum::<usize>());
        // If no strip fits, its room goes to the names.
        if let Some(name) = all.iter().position(|&column| column == Column::Name)
            && left(&widths) < STRIP.0
        {
            let natural = cells.iter().map(|row| row[name].width()).max().unwrap_or_default();
            widths[name] = natural.max(widths[name]).min(widths[name] + left(&widths));
        }
        let strip_width = left(&widths);
        let strip_width = if strip_width < STRIP.0 { 0 } else { strip_width.min(STRIP.1) };
        let lay = |texts: &[String], tone: &dyn Fn(Column) -> Tone| -> Line {
            shown
                .iter()
                .map(|&i| {
                    let text = look.shorten(fitting_form(&texts[i], widths[i]), widths[i]);
                    let text = match all[i] {
                        Column::Lost | Column::Rate | Column::Rtt | Column::Connections => pad_left(&text, widths[i]),
                        Column::Limit | Column::Name | Column::Local | Column::Peer => pad(&text, widths[i]),
                    };
                    Piece { text: text + &" ".repeat(GUTTER), tone: tone(all[i]) }
                })
                .collect()
        };
        let mut head = lay(&titles, &|_| Tone::Dim);
        if strip_width > 0 {
            let text = clean(words.text("live-column-strip", &Args::new().text("time", time)));
            // The length alone is enough if the title does not fit; a time that is cut would be another time.
            let text = if text.width() > strip_width { clean(time.to_owned()) } else { text };
            head.push(Piece { text: look.shorten(&text, strip_width), tone: Tone::Dim });
        }
        let lines = rows.iter().zip(&cells).map(|(row, texts)| {
            let mut line = lay(texts, &|column| match column {
                Column::Limit if !row.sum.failed().is_empty() => Tone::Warning,
                Column::Limit => Tone::Limit(row.limit.limit),
                _ => Tone::Plain,
            });
            if strip_width > 0 {
                line.extend(strip::pieces(&(row.strip)(strip_width), look));
            }
            line
        });
        let sentences = rows.iter().map(|row| {
            let text = look.signs(&row.sentence(wording)?).into_owned();
            let text = format!("{}{text}", " ".repeat(INDENT));
            Some(vec![Piece { text: look.shorten(&text, look.width), tone: Tone::Dim }])
        });
        Self { rows: lines.collect(), sentences: sentences.collect(), head }
    }

    /// All lines, each row followed by its sentence.
    pub fn lines(self) -> Vec<Line> {
        let rows = self.rows.into_iter().zip(self.sentences);
        [self.head].into_iter().chain(rows.flat_map(|(row, sentence)| [row].into_iter().chain(sentence))).collect()
    }
}

/// The first form of the cell that fits, or the shortest one: a limit has several forms.
fn fitting_form(cell: &str, width: usize) -> &str {
    let forms = cell.split(FORMS);
    forms.clone().find(|form| form.width() <= width).or_else(|| forms.last()).unwrap_or_default()
}

fn first_form(cell: &str) -> &str {
    cell.split(FORMS).next().unwrap_or_default()
}

const fn title(column: Column) -> &'static str {
    match column {
        Column::Lost => "live-column-lost",
        Column::Limit => "live-column-limit",
        Column::Name => "live-column-process",
        Column::Local => "live-column-local",
        Column::Peer => "live-column-peer",
        Column::Connections => "live-column-connections",
        Column::Rate => "live-column-rate",
        Column::Rtt => "live-column-rtt",
    }
}

fn cell(row: &LiveRow<'_>, column: Column, look: Look, wording: Wording<'_>) -> String {
    let units = wording.units();
    match column {
        Column::Lost => units.nanos(row.sum.lost()),
        Column::Limit => limit_forms(row, wording).join(FORMS),
        Column::Name => look.signs(&row.name).into_owned(),
        Column::Local => row.ends.as_ref().map_or_else(String::new, |[local, _]| match local.port {
            Some(port) if look.width < WIDE => format!(":{port}"),
            _ => local.to_string(),
        }),
        Column::Peer => row.ends.as_ref().map_or_else(String::new, |[_, peer]| peer.to_string()),
        Column::Connections => units.count(row.sum.connections()),
        Column::Rate => units.bits_per_second(row.sum.rate().bits_per_sec()),
        Column::Rtt => row.rtt.map_or_else(String::new, |rtt| units.seconds(rtt as f64 / 1e6)),
    }
}

/// The limit with its seconds, longest form first.
fn limit_forms(row: &LiveRow<'_>, wording: Wording<'_>) -> Vec<String> {
    if let Some(&(kind, count)) = row.sum.failed().first() {
        return failure_forms(row, kind, count, wording);
    }
    let units = wording.units();
    let [full, plain] = [row.limit, Cause::plain(row.limit.limit)].map(|cause| wording.live_cause(cause));
    let watched = row.sum.watched() as f64 / 1e9;
    // Without its detail, the limit has the seconds of all details.
    let named = if row.limit.detail.is_some() { row.held } else { row.held_by_limit };
    let [of_form, of_limit] = [named, row.held_by_limit].map(|held| units.part_of(held as f64 / 1e9, watched));
    let args = |limit: &str, held: &str| Args::new().text("limit", limit.to_owned()).text("held", held.to_owned());
    let held = |limit: &str, held: &str| wording.catalogue().text("live-held", &args(limit, held));
    let mut forms = Vec::new();
    if let Some([low, high]) = row.range.filter(|[low, high]| low < high && named == row.held) {
        let args = args(&full, &of_form).text("low", units.nanos(low)).text("high", units.nanos(high));
        forms.push(wording.catalogue().text("live-held-range", &args));
    }
    let short = held(&plain, &units.nanos(row.held_by_limit));
    // The detail is more informative than the time watched.
    let form = row.limit.detail.map(|detail| held(&wording.detail(detail), &units.nanos(named)));
    forms.push(held(&full, &of_form));
    forms.extend(form);
    forms.extend([held(&plain, &of_limit), short, plain]);
    forms
}

/// The failure, which is what a reader must know first.
fn failure_forms(row: &LiveRow<'_>, kind: OutcomeKind, count: u64, wording: Wording<'_>) -> Vec<String> {
    let how = wording.outcome(kind);
    if row.ends.is_some() {
        return vec![how];
    }
    let args = Args::new().text("how", how.clone()).text("count", wording.units().count(count));
    vec![wording.catalogue().text("live-failed-times", &args), how]
}

/// Indexes of the columns that fit, with room for a short strip if possible. The least important columns are
/// dropped or cut first.
fn fit(all: &[Column], widths: &mut [usize], width: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..all.len()).collect();
    let natural = widths.to_vec();
    for step in [
        Step::Cut(Column::Peer, 24),
        Step::Cut(Column::Limit, 28),
        Step::Cut(Column::Name, 20),
        Step::Drop(Column::Local),
        Step::Drop(Column::Rtt),
        Step::Cut(Column::Peer, 18),
        Step::Cut(Column::Name, 14),
        Step::Cut(Column::Limit, 22),
        Step::Drop(Column::Rate),
        Step::Cut(Column::Limit, 16),
        // One whole name is more useful than two that are cut.
        Step::DropBelow(Column::Peer, NARROW),
        Step::Cut(Column::Name, 8),
        Step::Cut(Column::Peer, 8),
        Step::Drop(Column::Connections),
        Step::Cut(Column::Limit, 10),
    ] {
        let needed = shown.iter().map(|&i| widths[i] + GUTTER).sum::<usize>();
        // A strip is more useful than whole names, but dropping columns is the last resort.
        let is_mild = matches!(step, Step::Cut(_, least) if least >= MILD);
        let is_rate = matches!(step, Step::Drop(Column::Rate | Column::Rtt)) && width >= USUAL;
        let wanted = if is_mild || is_rate || width > 100 { needed + STRIP.0 } else { needed };
        let excess = wanted.saturating_sub(width);
        match step {
            _ if excess == 0 => {}
            Step::DropBelow(_, columns) if width >= columns => {}
            Step::Drop(column) | Step::DropBelow(column, _) => shown.retain(|&i| all[i] != column),
            Step::Cut(column, least) => {
                if let Some(i) = all.iter().position(|&other| other == column) {
                    widths[i] = widths[i].min(widths[i].saturating_sub(excess).max(least));
                }
            }
        }
    }
    // A dropped column leaves room for the seconds of the limit.
    let used = shown.iter().map(|&i| widths[i] + GUTTER).sum::<usize>();
    let spare = width.saturating_sub(used + if width >= USUAL { STRIP.0 } else { 0 });
    if let Some(i) = all.iter().position(|&column| column == Column::Limit) {
        widths[i] = natural[i].min(widths[i] + spare);
    }
    shown
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Detail, Limit};

    use super::*;
    use crate::live::row::fixtures::row;
    use crate::live::to_text;
    use crate::{Catalogue, Language};

    fn rows() -> Vec<LiveRow<'static>> {
        vec![
            row(0.94, Cause::plain(Limit::SendBuffer), "mysqld[812]", "10.0.7.70", 1),
            row(0.4, Detail::Queue, "a-very-long-name[4194303]", "2001:db8:1234:5678:9abc:def0:1234:5678", 2),
            row(0.0, Cause::plain(Limit::Unobserved), "-", "10.0.1.4", 3),
        ]
    }

    #[test]
    fn every_line_fits_from_forty_columns_on() {
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            for width in 40..=250 {
                for has_unicode in [true, false] {
                    let look = Look { width, has_color: false, has_unicode };
                    let table = LiveTable::new(&rows(), look, Wording::new(&catalogue), "60 s");
                    for line in table.rows.iter().chain([&table.head]) {
                        let columns: usize = line.iter().map(|piece| piece.text.width()).sum();
                        let text = to_text(std::slice::from_ref(line), look);
                        assert!(columns <= width.max(text.trim_end().width()), "{width}: {text}");
                        assert!(text.trim_end().width() <= width, "{width}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn wide_and_narrow() {
        let catalogue = Catalogue::new(Language::English);
        let text = |width| {
            let look = Look { width, has_color: false, has_unicode: true };
            let table = LiveTable::new(&rows()[..2], look, Wording::new(&catalogue), "60.0 s");
            to_text(&[vec![table.head], table.rows].concat(), look)
        };
        assert!(text(40).contains("send buffer") && text(40).contains("mysqld[812]"), "{}", text(40));
        assert!(text(80).contains("send buffer 940 ms"), "{}", text(80));
        assert!(text(100).contains("send buffer 940 ms of 1.00 s"), "{}", text(100));
        assert!(text(60).contains("send buffer") && text(60).contains("10.0.7.70:26494"), "{}", text(60));
        assert!(text(140).contains("10.0.186.140:3306") && text(140).contains("BBBBBBBBBB"), "{}", text(140));
        assert!(text(140).contains("7.03 Mbit/s") && text(140).contains("20.1 ms"));
    }

    #[test]
    fn a_hostile_name_stays_text() {
        let catalogue = Catalogue::new(Language::English);
        let look = Look { width: 100, has_color: true, has_unicode: true };
        let hostile = [row(0.1, Detail::Queue, "\u{1b}[2J\u{202e}evil", "10.0.7.70", 1)];
        let table = LiveTable::new(&hostile, look, Wording::new(&catalogue), "60 s");
        assert!(table.rows[0].iter().all(|piece| !piece.text.contains(['\u{1b}', '\u{202e}'])), "{:?}", table.rows);
    }

    #[test]
    fn a_group_has_a_number_of_connections() {
        let catalogue = Catalogue::new(Language::English);
        let look = Look { width: 100, has_color: false, has_unicode: true };
        let group = LiveRow::group("mysqld".to_owned(), rows(), 2_000_000_000).unwrap();
        let table = LiveTable::new(&[group], look, Wording::new(&catalogue), "60 s");
        let text = to_text(&table.lines(), look);
        assert!(text.contains("connections") && text.contains("940 ms of 3.00 s"), "{text}");
    }
}
