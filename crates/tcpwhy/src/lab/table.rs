//! Small tables: for the terminal, and for Markdown.

use unicode_width::UnicodeWidthStr as _;

/// Rows of words; the first row is the heading, the first column names the rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With its heading.
    pub(super) fn new(heading: Vec<String>) -> Self {
        Self { rows: vec![heading] }
    }

    /// One more row, of as many cells as the heading.
    pub(super) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Indented by two, numbers to the right.
    pub(super) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns)
            .map(|i| self.rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.width()).max().unwrap_or_default())
            .collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::from(" ");
            for (i, cell) in row.iter().enumerate() {
                let gap = " ".repeat(widths[i] - cell.width());
                line.extend(if i == 0 { [" ", cell, &gap] } else { ["  ", &gap, cell] });
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// As Markdown.
    pub(super) fn markdown(&self) -> String {
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
