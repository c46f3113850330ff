//! The strip of limits over time, one column per moment.

use tcpwhy_model::{Cause, Limit};
use tcpwhy_watch::{CauseTime, added_up, main_cause};

use super::{Line, Piece, Tone};
use crate::palette::look as looks;
use crate::text::Look;

/// Most strips of a group that are merged, to bound the work.
const MOST_MERGED: usize = 200;

/// The strip as pieces: a run of one limit has its colour as background and its letter at the start. Without
/// colours each column has a letter.
pub(super) fn pieces(strip: &[Option<Cause>], look: Look) -> Line {
    let limits: Vec<Option<Limit>> = strip.iter().map(|cause| cause.map(|cause| cause.limit)).collect();
    let mut line = Line::new();
    let mut rest = limits.as_slice();
    while let Some(&limit) = rest.first() {
        let run = rest.iter().take_while(|&&other| other == limit).count();
        rest = &rest[run..];
        line.push(match limit {
            None => Piece { text: " ".repeat(run), tone: Tone::Plain },
            Some(limit) if look.has_color => {
                Piece { text: format!("{}{}", looks(limit).letter, " ".repeat(run - 1)), tone: Tone::On(limit) }
            }
            Some(limit) => Piece { text: looks(limit).letter.to_string().repeat(run), tone: Tone::Plain },
        });
    }
    line
}

/// The limit of a group in each of so many parts of the time, see [`main_cause`]. Each member has its strip,
/// and its times, which weigh it by lost time.
pub(super) fn merged<'a>(
    members: impl Iterator<Item = (Vec<Option<Cause>>, &'a [CauseTime])>,
    columns: usize,
) -> Vec<Option<Cause>> {
    let mut times: Vec<Vec<CauseTime>> = vec![Vec::new(); columns];
    for (strip, known) in members.take(MOST_MERGED) {
        for (column, cause) in times.iter_mut().zip(strip) {
            let Some(cause) = cause else { continue };
            let is_lost = known.iter().any(|time| time.0 == cause && time.2);
            column.push((cause, 1, is_lost));
        }
    }
    let named = |column: &Vec<CauseTime>| {
        let mut sums = added_up(column);
        sums.sort_unstable();
        main_cause(&sums)
    };
    times.iter().map(named).collect()
}

/// Bars of eight heights for values from 0 to `most`; in ASCII, digits from 1 to 8.
pub(super) fn bars(values: &[Option<f64>], most: f64, look: Look) -> String {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    values
        .iter()
        .map(|value| {
            let share = value.filter(|_| most > 0.0).map_or(0.0, |value| (value / most).clamp(0.0, 1.0));
            // A value above zero is always visible.
            let height = if share > 0.0 { ((share * 8.0).round() as usize).max(1) } else { 0 };
            if look.has_unicode {
                EIGHTHS[height]
            } else {
                char::from_digit(height as u32, 10).filter(|_| height > 0).unwrap_or(' ')
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Detail;

    use super::*;

    #[test]
    fn runs_and_letters() {
        let (buffer, queue) = (Some(Cause::plain(Limit::SendBuffer)), Some(Cause::from(Detail::Queue)));
        let strip = [None, buffer, buffer, queue];
        let text = |has_color| {
            let look = Look { width: 80, has_color, has_unicode: true };
            pieces(&strip, look).iter().map(|piece| piece.text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(text(true), [" ", "B ", "P"]);
        assert_eq!(text(false), [" ", "BB", "P"]);
    }

    #[test]
    fn bars_show_what_is_more_than_nothing() {
        let look = |has_unicode| Look { width: 80, has_color: false, has_unicode };
        let values = [None, Some(0.0), Some(0.001), Some(50.0), Some(100.0), Some(200.0)];
        assert_eq!(bars(&values, 100.0, look(true)), "  ▁▄██");
        assert_eq!(bars(&values, 100.0, look(false)), "  1488");
        assert_eq!(bars(&[Some(0.0)], 0.0, look(true)), " ");
    }
}
