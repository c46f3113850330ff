//! The timeline in one line.

use tcpwhy_model::{LimitTimeline, Timestamp};
use unicode_width::UnicodeWidthStr as _;

use super::page::Page;
use super::palette::{DIM, background, letter};
use crate::Wording;
use crate::palette::Swatch;

/// Indentation, columns.
const INDENT: usize = 2;

/// Writes the strip. `origin` is the zero of its times: a timeline that was cut to a range begins later.
pub(super) fn write(page: &mut Page, wording: Wording<'_>, timeline: &LimitTimeline, origin: Timestamp) {
    let width = page.look().width.saturating_sub(2 * INDENT).max(10);
    let cells = limit_cells(timeline, width);
    let mut line = " ".repeat(INDENT);
    let mut rest = cells.as_slice();
    while let Some(&swatch) = rest.first() {
        let run = rest.iter().take_while(|&&other| other == swatch).count();
        rest = &rest[run..];
        if page.look().has_color {
            let text = format!("{}{}", letter(swatch), " ".repeat(run - 1));
            line.push_str(&page.styled(&text, background(swatch)));
        } else {
            line.extend(std::iter::repeat_n(letter(swatch), run));
        }
    }
    page.raw(&line);
    let units = wording.units();
    let look = page.look();
    let first = timeline.span().start().since(origin);
    let ticks = [0, 1, 2].map(|i| first + timeline.span().nanos() / 2 * i);
    let [start, half, end] = ticks.map(|nanos| look.signs(&units.nanos(nanos)).into_owned());
    let left = (width / 2).saturating_sub(start.width() + half.width() / 2);
    let right = width.saturating_sub(start.width() + left + half.width() + end.width());
    let axis = format!("{}{start}{}{half}{}{end}", " ".repeat(INDENT), " ".repeat(left), " ".repeat(right));
    let axis = page.styled(&axis, DIM);
    page.raw(&axis);
}

/// The swatch with the most time in each of `width` equal stretches of a timeline.
pub fn limit_cells(timeline: &LimitTimeline, width: usize) -> Vec<Swatch> {
    let start = timeline.span().start();
    let total = i128::from(timeline.span().nanos());
    let intervals = timeline.intervals();
    let mut first = 0;
    let mut cells = Vec::with_capacity(width);
    for cell in 0..width as i128 {
        let from = (total * cell / width as i128) as i64;
        let to = (total * (cell + 1) / width as i128) as i64;
        while intervals.get(first).is_some_and(|i| i.span.end().since(start) <= from) {
            first += 1;
        }
        let mut nanos = [0_i64; Swatch::ALL.len()];
        for i in intervals[first..].iter().take_while(|i| i.span.start().since(start) < to) {
            let overlap = i.span.end().since(start).min(to) - i.span.start().since(start).max(from);
            nanos[Swatch::of(i.cause) as usize] += overlap.max(0);
        }
        let most = Swatch::ALL.into_iter().max_by_key(|&swatch| nanos[swatch as usize]);
        cells.extend(most.filter(|&swatch| nanos[swatch as usize] > 0).or_else(|| cells.last().copied()));
    }
    cells
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::{Cause, Detail, Limit, TimelineBuilder, Timestamp};

    use super::*;

    #[test]
    fn each_cell_shows_what_had_most_of_it() {
        let mut b = TimelineBuilder::new(Timestamp::from_nanos(1000));
        b.push(Timestamp::from_nanos(1010), Cause::plain(Limit::Handshake), 1.0, None);
        b.push(Timestamp::from_nanos(1024), Cause::plain(Limit::SlowStart), 1.0, None);
        b.push(Timestamp::from_nanos(1100), Cause::plain(Limit::Path), 1.0, None);
        let text: String = limit_cells(&b.finish(), 10).into_iter().map(letter).collect();
        assert_eq!(text, "HSPPPPPPPP");
        let mut b = TimelineBuilder::new(Timestamp::ZERO);
        b.push(Timestamp::from_nanos(50), Detail::Idle.into(), 1.0, None);
        b.push(Timestamp::from_nanos(100), Detail::Think.into(), 1.0, None);
        let text: String = limit_cells(&b.finish(), 4).into_iter().map(letter).collect();
        assert_eq!(text, "IIKK");
    }

    #[test]
    fn more_cells_than_nanoseconds() {
        let mut b = TimelineBuilder::new(Timestamp::ZERO);
        b.push(Timestamp::from_nanos(3), Cause::plain(Limit::Path), 1.0, None);
        assert!(limit_cells(&b.finish(), 10).len() <= 10);
        assert!(limit_cells(&TimelineBuilder::new(Timestamp::ZERO).finish(), 10).is_empty());
    }
}
