use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::Wording;
use crate::lab::LabEntry;
use crate::text::Look;
use crate::text::look::pad;
use crate::text::page::Page;
use crate::text::palette::{BOLD, DIM};

/// The list of scenarios: names and titles.
pub fn lab_list(wording: Wording<'_>, look: Look, entries: &[LabEntry]) -> String {
    let mut page = Page::new(look);
    let width = entries.iter().map(|entry| entry.name.width()).max().unwrap_or_default();
    for entry in entries {
        page.hanging((&pad(&entry.name, width + 2), BOLD), &entry.title, 0, Style::new());
    }
    page.gap();
    page.wrapped(&wording.catalogue().word("lab-list-hint"), 0, DIM);
    page.into_text()
}
