//! Small tables: for the terminal, and for Markdown.

use unicode_width::UnicodeWidthStr as _;

use super::look::{pad, pad_left};

/// Rows of words; the first row is the heading, the first column names the rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With its heading.
    pub fn new(heading: Vec<String>) -> Self {
        Self { rows: vec![heading] }
    }

    /// One more row, of as many cells as the heading.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Indented by two, numbers to the right.
    pub fn text(&self) -> String {
        self.lines().map(|line| line + "\n").collect()
    }

    /// The lines of [`Self::text`], the heading first.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |i: usize| self.rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.width()).max();
        let widths: Vec<usize> = (0..columns).map(|i| width(i).unwrap_or_default()).collect();
        self.rows.iter().map(move |row| {
            let cells = row.iter().zip(&widths).enumerate();
            let aligned =
                cells.map(|(i, (cell, &width))| if i == 0 { pad(cell, width) } else { pad_left(cell, width) });
            format!("  {}", aligned.collect::<Vec<_>>().join("  ")).trim_end().to_owned()
        })
    }

    /// As Markdown.
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
        assert_eq!(table.markdown(), "|  | said |\n|---|---:|\n| 发送缓冲区 | 12 |\n| path | 3 |\n");
    }
}
