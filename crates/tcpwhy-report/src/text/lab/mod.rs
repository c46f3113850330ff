//! The lab's texts for a terminal.

mod compare;
mod counted;
mod list;
mod runs;
mod story;

pub use compare::{lab_comparison, lab_faster};
pub use list::lab_list;
pub use runs::{lab_ratios, lab_run, lab_summary};
pub use story::{LabStory, lab_story};

use anstyle::Style;

use super::page::Page;
use super::palette::{FIX, WARNING, severity};
use crate::lab::LabVerdict;

/// A sign for right, wrong or in doubt.
fn mark(page: &Page, verdict: LabVerdict) -> String {
    let (sign, ascii, style): (&str, &str, Style) = match verdict {
        LabVerdict::AsExpected => ("✓", "ok", FIX),
        LabVerdict::Unreliable => ("?", "?", WARNING),
        LabVerdict::Unexpected => ("✗", "NO", severity(tcpwhy_model::Severity::Critical)),
    };
    page.styled(if page.look().has_unicode { sign } else { ascii }, style)
}

/// The verdict for a condition that must hold.
const fn as_verdict(holds: bool) -> LabVerdict {
    if holds { LabVerdict::AsExpected } else { LabVerdict::Unexpected }
}
