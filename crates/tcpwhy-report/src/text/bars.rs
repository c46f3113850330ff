//! Time by limit, as bars.

use tcpwhy_model::{LimitTimeline, LimitTotal};
use unicode_width::UnicodeWidthStr as _;

use super::look::{pad, pad_left};
use super::page::Page;
use super::palette::{DIM, foreground, letter};
use crate::Wording;
use crate::palette::Swatch;
use crate::ratio::ratio;

/// Limits with a smaller share are summed in one row.
const WORTH_A_ROW: f64 = 0.000_5;
/// Longest bar, columns: longer ones show nothing more.
const MAX_BAR: usize = 60;
/// Eighths of a block, from zero to seven.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

pub(super) fn write(page: &mut Page, wording: Wording<'_>, timeline: &LimitTimeline) {
    rows(page, wording, timeline.totals(), timeline.span().nanos());
}

/// Writes a row for each of `totals`; the whole is `total` nanoseconds.
pub(super) fn rows(page: &mut Page, wording: Wording<'_>, totals: Vec<LimitTotal>, total: i64) {
    let (shown, rest): (Vec<LimitTotal>, Vec<LimitTotal>) =
        totals.into_iter().partition(|t| ratio(t.nanos as f64, total as f64) >= WORTH_A_ROW);
    let look = page.look();
    let label = |t: &LimitTotal| look.signs(&wording.cause(t.cause)).into_owned();
    let rest_label = wording.catalogue().word("bars-rest");
    let rest_nanos: i64 = rest.iter().map(|t| t.nanos).sum();
    let label_width = shown
        .iter()
        .map(|t| label(t).width())
        .chain((rest_nanos > 0).then(|| rest_label.width()))
        .max()
        .unwrap_or_default();
    // Columns: 2 of indentation, letter and space, label, space, bar, space, 9 of the time, 7 of the share.
    let bar_width = look.width.saturating_sub(2 + 2 + label_width + 1 + 1 + 12 + 7).clamp(5, MAX_BAR);
    for t in &shown {
        let share = ratio(t.nanos as f64, total as f64);
        let swatch = Swatch::of(t.cause);
        let line = format!(
            "  {} {} {} {}{}",
            page.styled(&letter(swatch).to_string(), foreground(swatch).bold()),
            pad(&label(t), label_width),
            page.styled(&pad(&bar(share, bar_width, look.has_unicode), bar_width), foreground(swatch)),
            pad_left(&look.signs(&wording.units().nanos(t.nanos)), 12),
            pad_left(&wording.units().share(share), 7),
        );
        page.raw(&line);
    }
    if rest_nanos > 0 {
        let line = format!(
            "    {} {} {}{}",
            pad(&rest_label, label_width),
            " ".repeat(bar_width),
            pad_left(&look.signs(&wording.units().nanos(rest_nanos)), 12),
            pad_left(&wording.units().share(ratio(rest_nanos as f64, total as f64)), 7),
        );
        let line = page.styled(&line, DIM);
        page.raw(&line);
    }
}

pub(super) fn bar(share: f64, width: usize, has_unicode: bool) -> String {
    let columns = share.clamp(0.0, 1.0) * width as f64;
    if !has_unicode {
        let whole = columns.round() as usize;
        return if whole == 0 && share > 0.0 { ".".into() } else { "#".repeat(whole) };
    }
    let eighths = ((columns * 8.0).round() as usize).max(usize::from(share > 0.0));
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_proportional_and_never_hide_what_is_there() {
        assert_eq!(bar(1.0, 10, true), "██████████");
        assert_eq!(bar(0.55, 10, true), "█████▌");
        assert_eq!(bar(0.000_1, 10, true), "▏");
        assert_eq!(bar(0.0, 10, true), "");
        assert_eq!(bar(0.5, 10, false), "#####");
        assert_eq!(bar(0.001, 10, false), ".");
    }
}
