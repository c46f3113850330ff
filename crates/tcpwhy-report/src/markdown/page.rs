//! Blocks of Markdown, limited to the lines of one report.

/// Most lines that are written, for all captures together.
pub const MOST_LINES: usize = 60;

/// The importance of a block. If there is no room for all blocks, those of the last rank are dropped first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Heading, answer and last line. Their number of lines is bounded.
    Answer,
    Table,
    Fix,
    Prediction,
    /// The alternative fix.
    Rival,
    /// Damage of the capture.
    Capture,
    /// Numbers behind the answer, and excluded limits.
    Reasons,
}

/// Blocks, with an empty line between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    blocks: Vec<(Rank, Vec<String>)>,
}

impl Page {
    /// Adds a block, unless it is empty.
    pub(super) fn push(&mut self, rank: Rank, lines: Vec<String>) {
        if !lines.is_empty() {
            self.blocks.push((rank, lines));
        }
    }

    /// Adds a paragraph.
    pub(super) fn line(&mut self, rank: Rank, line: String) {
        self.push(rank, vec![line]);
    }

    /// Adds a list.
    pub(super) fn list(&mut self, rank: Rank, items: impl IntoIterator<Item = String>) {
        self.push(rank, items.into_iter().map(|item| format!("- {item}")).collect());
    }

    /// Adds all blocks of `other`.
    pub(super) fn extend(&mut self, other: Self) {
        self.blocks.extend(other.blocks);
    }

    fn lines(&self) -> usize {
        let written: usize = self.blocks.iter().map(|(_, lines)| lines.len()).sum();
        written + self.blocks.len().saturating_sub(1)
    }

    /// The text without the blocks that do not fit: blocks of one rank are dropped together.
    pub(super) fn into_text(mut self) -> String {
        while self.lines() > MOST_LINES {
            let Some(last) = self.blocks.iter().map(|(rank, _)| *rank).max().filter(|rank| *rank > Rank::Answer) else {
                break;
            };
            self.blocks.retain(|(rank, _)| *rank != last);
        }
        let blocks: Vec<_> = self.blocks.iter().map(|(_, lines)| lines.join("\n")).collect();
        let mut text = blocks.join("\n\n");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_goes_by_its_rank() {
        let lines = |count: usize| vec!["x".to_owned(); count];
        let mut page = Page::default();
        page.push(Rank::Answer, lines(10));
        page.push(Rank::Reasons, lines(5));
        page.push(Rank::Fix, lines(20));
        page.push(Rank::Table, Vec::new());
        page.push(Rank::Answer, lines(1));
        assert_eq!(page.clone().into_text().lines().count(), 39);
        page.push(Rank::Table, lines(20));
        assert_eq!((page.lines(), page.clone().into_text().lines().count()), (60, 60));
        page.push(Rank::Answer, lines(1));
        assert_eq!(page.into_text().lines().count(), 56);
    }
}
