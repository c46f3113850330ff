//! A table of GitHub Flavored Markdown.

use super::inline::cell;

/// The alignment of a column.
#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Right,
}

/// The lines of a table with these columns; nothing without rows.
pub(super) fn table(columns: &[(String, Align)], rows: &[Vec<String>]) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let titles = line(columns.iter().map(|(title, _)| cell(title)).collect());
    let rules = columns.iter().map(|(_, align)| match align {
        Align::Left => "---".to_owned(),
        Align::Right => "---:".to_owned(),
    });
    let rules = line(rules.collect());
    let rows = rows.iter().map(|row| line(row.iter().map(|text| cell(text)).collect()));
    [titles, rules].into_iter().chain(rows).collect()
}
