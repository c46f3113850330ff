//! Small tables: for the terminal, and for Markdown.

use unicode_width::UnicodeWidthStr as _;

use super::Look;
use super::look::{pad, pad_left};

/// Rows of cells; the first row is the heading, the first column names the rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Indexes of columns that are left out.
    hidden: Vec<usize>,
}

impl Table {
    /// A table with this heading.
    pub fn new(heading: Vec<String>) -> Self {
        Self { rows: vec![heading], hidden: Vec::new() }
    }

    /// Adds a row with as many cells as the heading.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table as text, indented by two columns, numbers aligned to the right.
    pub fn text(&self) -> String {
        self.lines().map(|line| line + "\n").collect()
    }

    /// The lines of [`Self::text`], the heading first.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let width = |i: usize| self.rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.width()).max();
        let widths: Vec<usize> = (0..self.columns()).map(|i| width(i).unwrap_or_default()).collect();
        self.rows.iter().map(move |row| {
            let cells = row.iter().zip(&widths).enumerate().filter(|(i, _)| !self.hidden.contains(i));
            let aligned =
                cells.map(|(i, (cell, &width))| if i == 0 { pad(cell, width) } else { pad_left(cell, width) });
            format!("  {}", aligned.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
        })
    }

    /// Hides the columns whose indexes are not wanted.
    pub(super) fn only(mut self, is_wanted: impl Fn(usize) -> bool) -> Self {
        self.hidden = (0..self.columns()).filter(|&column| !is_wanted(column)).collect();
        self
    }

    /// Its lines in characters that the terminal can show. Columns of `expendable` are hidden in this order
    /// until the lines fit the width. If all are hidden, lines may still be too wide.
    pub(super) fn fitting(mut self, look: Look, expendable: &[usize]) -> Vec<String> {
        let mut expendable = expendable.iter();
        loop {
            let lines: Vec<_> = self.lines().map(|line| look.signs(&line).into_owned()).collect();
            if lines.iter().all(|line| line.width() <= look.width) {
                return lines;
            }
            match expendable.next() {
                Some(&column) => self.hidden.push(column),
                None => return lines,
            }
        }
    }

    fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or_default()
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            out.extend(["| ", &row.join(" | "), " |\n"]);
            if index == 0 {
                out.extend(["|---|", &"---:|".repeat(row.len().saturating_sub(1)), "\n"]);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_keep_columns_in_line() {
        let mut table = Table::new(vec![String::new(), "said".into()]);
        table.push(vec!["发送缓冲区".into(), "12".into()]);
        table.push(vec!["path".into(), "3".into()]);
        assert_eq!(table.text(), "              said\n  发送缓冲区    12\n  path           3\n");
        let look = |width| Look { width, has_color: false, has_unicode: true };
        assert_eq!(table.clone().fitting(look(18), &[1]), table.lines().collect::<Vec<_>>());
        assert_eq!(table.clone().fitting(look(17), &[1]), ["", "  发送缓冲区", "  path"]);
        assert_eq!(table.clone().only(|column| column == 0).fitting(look(80), &[]), ["", "  发送缓冲区", "  path"]);
        assert_eq!(table.markdown(), "|  | said |\n|---|---:|\n| 发送缓冲区 | 12 |\n| path | 3 |\n");
    }
}
