//! Lines of bounded length.

use std::io::Result;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// Longest line, bytes. The longest arguments of a tool are a filter and two paths of `PATH_MAX`.
pub(super) const MOST_LINE: usize = 256 << 10;

/// A line from the client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The line without its end.
    Whole(Vec<u8>),
    /// A line of more than [`MOST_LINE`] bytes, whose remainder is skipped.
    TooLong,
}

/// Reads lines. Dropping the future of [`Lines::next`] loses no data.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    /// The line so far.
    line: Vec<u8>,
    /// Whether the remainder of a too long line is being skipped.
    is_skipping: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::new(input), line: Vec::new(), is_skipping: false }
    }

    /// The next line; `None` after the last one, which needs no line end.
    pub(super) async fn next(&mut self) -> Result<Option<Line>> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let rest = std::mem::take(&mut self.line);
                return Ok((!rest.is_empty()).then_some(Line::Whole(rest)));
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let (was_skipping, has_end) = (self.is_skipping, end.is_some());
            let is_too_long = !was_skipping && self.line.len() + part.len() > MOST_LINE;
            if is_too_long {
                self.line = Vec::new();
            } else if !was_skipping {
                self.line.extend_from_slice(part);
            }
            let consumed = part.len() + usize::from(has_end);
            self.input.consume(consumed);
            self.is_skipping = (was_skipping || is_too_long) && !has_end;
            if is_too_long {
                return Ok(Some(Line::TooLong));
            }
            if has_end && !was_skipping {
                return Ok(Some(Line::Whole(std::mem::take(&mut self.line))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut lines = Lines::new(input);
            let mut all = Vec::new();
            while let Some(line) = lines.next().await.unwrap() {
                all.push(line);
            }
            all
        })
    }

    fn whole(text: &[u8]) -> Line {
        Line::Whole(text.to_vec())
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [whole(b"")]);
        assert_eq!(lines(b"a\n\nb"), [whole(b"a"), whole(b""), whole(b"b")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let longest = vec![b'x'; MOST_LINE];
        for (what, length, expected) in [
            ("the longest", MOST_LINE, whole(&longest)),
            ("one byte more", MOST_LINE + 1, Line::TooLong),
            ("much more", 5 * MOST_LINE, Line::TooLong),
        ] {
            let input = [&vec![b'x'; length][..], b"\nnext\n"].concat();
            assert_eq!(lines(&input), [expected, whole(b"next")], "{what}");
        }
        assert_eq!(lines(&vec![b'x'; 3 * MOST_LINE]), [Line::TooLong], "without an end");
    }
}
