//! What held over time, a column a moment.

use tcpwhy_model::{Cause, Limit};

use super::{Line, Piece, Tone};
use crate::palette::look as looks;
use crate::text::Look;

/// At most so many strips of a group are merged.
const MOST_MERGED: usize = 200;

/// Each run of one limit on ground of its colour with its letter at the beginning; without colours letters all along.
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

/// What held most of a group's connections in each of so many parts of the time.
pub(super) fn merged(strips: impl Iterator<Item = Vec<Option<Cause>>>, columns: usize) -> Vec<Option<Cause>> {
    let strips: Vec<Vec<Option<Cause>>> = strips.take(MOST_MERGED).collect();
    (0..columns)
        .map(|column| {
            let mut found: Vec<(Cause, usize)> = Vec::new();
            for cause in strips.iter().filter_map(|strip| *strip.get(column)?) {
                match found.iter_mut().find(|(known, _)| *known == cause) {
                    Some((_, count)) => *count += 1,
                    None => found.push((cause, 1)),
                }
            }
            found.into_iter().max_by_key(|(_, count)| *count).map(|(cause, _)| cause)
        })
        .collect()
}

/// Bars of eight heights for values from 0 to `most`; ASCII has a digit for each height.
pub(super) fn bars(values: &[Option<f64>], most: f64, look: Look) -> String {
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    values
        .iter()
        .map(|value| {
            let share = value.filter(|_| most > 0.0).map_or(0.0, |value| (value / most).clamp(0.0, 1.0));
            // What is more than nothing is seen.
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
