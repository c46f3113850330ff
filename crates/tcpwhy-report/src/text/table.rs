//! The table of connections, those that lost the most time first.

use tcpwhy_model::Limit;
use unicode_width::UnicodeWidthStr;

use super::Order;
use super::Overview;
use super::look::{pad, pad_left};
use super::overview::Line;
use super::page::Page;
use super::palette::{BOLD, DIM, foreground};
use crate::names::Named;
use crate::ratio::ratio;
use crate::{Args, Units, Wording};

/// Space between columns, columns of the terminal.
const GUTTER: usize = 2;
/// Width to which two ends without names are cut first; most pairs of IPv4 addresses with ports fit.
const USUAL_ENDS: usize = 37;
/// Smallest width of the column of the two ends.
const MIN_ENDS: usize = 16;
/// Width in which names of limits without details fit.
const USUAL_LIMIT: usize = 17;

/// A column, named after its content.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Number,
    Start,
    Ends,
    Bytes,
    Time,
    Rate,
    Lost,
    Share,
    Retransmitted,
    Limit,
}

const COLUMNS: [Column; 10] = [
    Column::Number,
    Column::Start,
    Column::Ends,
    Column::Bytes,
    Column::Time,
    Column::Rate,
    Column::Lost,
    Column::Share,
    Column::Retransmitted,
    Column::Limit,
];

struct Row {
    cells: [String; COLUMNS.len()],
    /// The two ends.
    ends: [Named; 2],
    limit: Option<Limit>,
    /// Whether the saving is only an upper bound.
    is_upper_bound: bool,
    /// Name of the limit without its detail, if there is no room for that.
    limit_name: String,
}

pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let catalogue = wording.catalogue();
    page.gap();
    let shown = overview.lines().count() as u64;
    let args = Args::new().number("shown", shown).number("count", overview.connections());
    let heading = match (overview.order, shown == overview.with_data()) {
        (Order::Saving, true) => "table-heading-all",
        (Order::Saving, false) => "table-heading",
        (Order::Bytes, _) => "table-heading-bytes",
        (Order::Time, _) => "table-heading-time",
        (Order::Retransmissions, _) => "table-heading-retransmissions",
    };
    page.wrapped(&catalogue.text(heading, &args), 0, BOLD);
    let titles = COLUMNS.map(|c| page.look().signs(&catalogue.word(title_id(c))).into_owned());
    // There may be a million rows, so they are made twice, once to be measured, and not kept.
    let mut widths = titles.each_ref().map(|title| title.width());
    let (mut addresses, mut has_upper_bound) = (0, false);
    for line in overview.lines() {
        let row = row(page, wording, line);
        for (width, cell) in widths.iter_mut().zip(&row.cells) {
            *width = (*width).max(cell.width());
        }
        addresses = addresses.max(ends_width(page, row.ends.each_ref().map(Named::address)));
        has_upper_bound |= row.is_upper_bound;
    }
    let columns = fit(&mut widths, page.look().width, overview.order, addresses);
    let title_row: Vec<String> =
        columns.iter().map(|&i| aligned(COLUMNS[i], &page.look().shorten(&titles[i], widths[i]), widths[i])).collect();
    let line = title_row.join(&" ".repeat(GUTTER));
    let line = page.styled(line.trim_end(), DIM);
    page.raw(&line);
    for line in overview.lines() {
        let row = row(page, wording, line);
        let cells: Vec<String> = columns
            .iter()
            .map(|&i| {
                let text = match COLUMNS[i] {
                    Column::Ends if row.cells[i].width() > widths[i] => {
                        shorten_ends(page, wording, line, &row.ends, widths[i])
                    }
                    Column::Ends => row.cells[i].clone(),
                    Column::Limit if row.cells[i].width() > widths[i] => {
                        page.look().shorten(&row.limit_name, widths[i])
                    }
                    _ => page.look().shorten(&row.cells[i], widths[i]),
                };
                let cell = aligned(COLUMNS[i], &text, widths[i]);
                match (COLUMNS[i], row.limit) {
                    (Column::Limit, Some(limit)) => page.styled(&cell, foreground(limit)),
                    (Column::Limit, None) => page.styled(&cell, DIM),
                    _ => cell,
                }
            })
            .collect();
        page.raw(&cells.join(&" ".repeat(GUTTER)));
    }
    if has_upper_bound {
        page.wrapped(&catalogue.word("saving-upper-bound"), 0, DIM);
    }
}

/// Time that a change would save, exactly or at most.
pub(super) fn saving(units: Units<'_>, lost: i64, is_predicted: bool) -> String {
    match lost {
        ..=0 => "-".into(),
        _ if is_predicted => units.nanos(lost),
        _ => format!("≤{}", units.nanos(lost)),
    }
}

fn row(page: &Page, wording: Wording<'_>, line: &Line) -> Row {
    let units = wording.units();
    let Line { connection, lost, .. } = line;
    let cells = [
        connection.id.to_string(),
        wording.catalogue().zone().time_of_day(connection.span.start()),
        wording.direction_of(connection, line.sender),
        units.bytes(line.bytes),
        units.seconds(line.span.seconds()),
        line.goodput.map_or_else(String::new, |r| units.bits_per_second(r.bits_per_sec())),
        saving(units, *lost, line.is_saving_predicted),
        if *lost > 0 { units.share(ratio(*lost as f64, line.span.nanos() as f64)) } else { "-".into() },
        units.bytes(line.retransmitted),
        line.cause.map_or_else(|| wording.catalogue().word("table-nothing"), |c| wording.cause(c)),
    ];
    let limit = line.cause.map(|c| c.limit);
    let limit_name = limit.map(|l| page.look().signs(&wording.limit(l)).into_owned()).unwrap_or_default();
    let is_upper_bound = *lost > 0 && !line.is_saving_predicted;
    let cells = cells.map(|c| page.look().signs(&c).into_owned());
    Row { is_upper_bound, cells, ends: wording.named_ends(connection, line.sender), limit, limit_name }
}

/// Indexes of the columns that fit into `width`, after changing `widths`. The least important columns are
/// dropped or cut first. `addresses` is the width of two ends without names.
fn fit(widths: &mut [usize; COLUMNS.len()], width: usize, order: Order, addresses: usize) -> Vec<usize> {
    let mut columns: Vec<usize> = (0..COLUMNS.len()).collect();
    // The column of the order is always shown; the column of retransmissions only for that order.
    let ordering = match order {
        Order::Saving => Column::Lost,
        Order::Bytes => Column::Bytes,
        Order::Time => Column::Time,
        Order::Retransmissions => Column::Retransmitted,
    };
    columns.retain(|&i| COLUMNS[i] != Column::Retransmitted || ordering == Column::Retransmitted);
    // Names were asked for, so less important columns are dropped before names become unrecognizable.
    let has_names = widths[Column::Ends as usize] > addresses;
    let usual_ends = if has_names { addresses + Named::READABLE } else { 0 }.max(USUAL_ENDS);
    for step in [
        Step::Drop(Column::Start),
        Step::Drop(Column::Rate),
        Step::Drop(Column::Share),
        Step::Cut(Column::Ends, usual_ends),
        Step::Cut(Column::Limit, USUAL_LIMIT),
        Step::Drop(Column::Time),
        Step::Drop(Column::Bytes),
        Step::Cut(Column::Ends, addresses.max(USUAL_ENDS)),
        Step::Cut(Column::Ends, MIN_ENDS),
        Step::Cut(Column::Limit, 1),
    ] {
        let needed = columns.iter().map(|&i| widths[i]).sum::<usize>() + GUTTER * (columns.len() - 1);
        let excess = needed.saturating_sub(width);
        match step {
            _ if excess == 0 => break,
            Step::Drop(column) => columns.retain(|&i| COLUMNS[i] != column || column == ordering),
            Step::Cut(column, least) => {
                let cut = &mut widths[column as usize];
                *cut = (*cut).min(cut.saturating_sub(excess).max(least));
            }
        }
    }
    columns
}

/// A way to save width.
enum Step {
    Drop(Column),
    Cut(Column, usize),
}

/// `from → to` in at most `width` columns. Names are left out first, then each address is cut.
fn shorten_ends(page: &Page, wording: Wording<'_>, line: &Line, ends: &[Named; 2], width: usize) -> String {
    let look = page.look();
    let [from, to] = ends.each_ref().map(Named::address);
    if ends_width(page, [from, to]) <= width {
        return look.signs(&wording.direction_within(&line.connection, line.sender, look, width)).into_owned();
    }
    let arrow = arrow(page);
    let room = width.saturating_sub(arrow.width());
    let half = room / 2;
    let from_width = if to.width() < half { room - to.width() } else { half.max(from.width().min(half)) };
    let from = look.shorten(from, from_width);
    let to = look.shorten(to, room - from.width());
    format!("{from}{arrow}{to}")
}

fn ends_width(page: &Page, ends: [&str; 2]) -> usize {
    ends.map(UnicodeWidthStr::width).iter().sum::<usize>() + arrow(page).width()
}

fn arrow(page: &Page) -> &'static str {
    if page.look().has_unicode { " → " } else { " -> " }
}

fn aligned(column: Column, text: &str, width: usize) -> String {
    match column {
        Column::Ends | Column::Limit => pad(text, width),
        _ => pad_left(text, width),
    }
}

const fn title_id(column: Column) -> &'static str {
    match column {
        Column::Number => "column-number",
        Column::Start => "column-start",
        Column::Ends => "column-ends",
        Column::Bytes => "column-bytes",
        Column::Time => "column-time",
        Column::Rate => "column-rate",
        Column::Lost => "column-lost",
        Column::Share => "column-share",
        Column::Retransmitted => "column-retransmitted",
        Column::Limit => "column-limit",
    }
}
