use anstyle::Style;
use tcpwhy_model::Cause;
use tcpwhy_model::foreign::visible;

use crate::text::Look;
use crate::text::page::Page;
use crate::text::palette::{BOLD, CODE, DIM};
use crate::{Args, Wording};

/// A scenario with its story.
pub struct LabStory<'a> {
    /// Its name.
    pub name: &'a str,
    /// Argument that runs it again: its name, its file, or its random draw.
    pub target: &'a str,
    /// Title on one line; empty for a file without a story.
    pub title: &'a str,
    /// Story in Markdown.
    pub text: &'a str,
    /// Source of the story.
    pub source: &'a str,
    /// Bytes and seconds that the source gives.
    pub reported: Option<(u64, f64)>,
    /// Settings, as in a scenario's file.
    pub imposed: &'a str,
    /// Right verdicts.
    pub expected: &'a [Option<Cause>],
    /// Counters of the kernel that must increase, by their `nstat` names: at the sender, at the receiver.
    pub counters: [&'a [String]; 2],
    /// Expected ratios: the other scenario, minimum, maximum.
    pub ratios: &'a [(&'a str, f64, Option<f64>)],
    /// Script that does the same by hand.
    pub script: &'a str,
}

/// The page about a scenario: its story, its settings, the expected results, and how to do it by hand.
pub fn lab_story(wording: Wording<'_>, look: Look, story: &LabStory<'_>) -> String {
    let mut page = Page::new(look);
    let catalogue = wording.catalogue();
    let units = wording.units();
    let title = if story.title.is_empty() { story.name.to_owned() } else { format!("{}: {}", story.name, story.title) };
    page.wrapped(&title, 0, BOLD);
    for paragraph in story.text.split("\n\n").map(str::trim).filter(|text| !text.is_empty()) {
        page.gap();
        page.wrapped(&paragraph.replace("**", ""), 0, Style::new());
    }
    page.gap();
    let label = |id: &str| format!("{}  ", catalogue.word(id));
    if !story.source.is_empty() {
        page.hanging((&label("lab-show-source"), BOLD), story.source, 0, Style::new());
    }
    if let Some((bytes, seconds)) = story.reported {
        page.hanging((&label("lab-show-reported"), BOLD), &wording.reported(bytes, seconds), 0, Style::new());
    }
    let expected: Vec<String> = story.expected.iter().map(|cause| wording.expected(*cause)).collect();
    let expected = expected.join(&catalogue.word("lab-or"));
    page.hanging((&label("lab-show-expected"), BOLD), &expected, 0, Style::new());
    for (to, least, most) in story.ratios {
        let args = Args::new()
            .text("bytes", catalogue.word("lab-show-same-bytes"))
            .text("to", *to)
            .text("least", units.real(*least))
            .text("most", most.map_or_else(String::new, |most| units.real(most)));
        let id = if most.is_some() { "lab-show-ratio-most" } else { "lab-show-ratio" };
        page.wrapped(&catalogue.text(id, &args), 4, Style::new());
    }
    for (end, names) in ["sender", "receiver"].into_iter().zip(story.counters).filter(|(_, names)| !names.is_empty()) {
        let args = Args::new()
            .text("end", catalogue.word(&format!("lab-at-{end}")))
            .text("list", names.join(&catalogue.word("list-separator")))
            .text("command", format!("in_{end} nstat -azs {}", names.join(" ")));
        page.wrapped(&catalogue.text("lab-show-counters", &args), 4, Style::new());
    }
    let args = Args::new().text("command", format!("tcpwhy lab run {}", story.target));
    page.wrapped(&catalogue.text("lab-show-run", &args), 0, DIM);
    page.heading(&catalogue.word("lab-show-imposed"));
    lines(&mut page, story.imposed);
    page.heading(&catalogue.word("lab-show-by-hand"));
    page.wrapped(&catalogue.word("lab-show-by-hand-intro"), 0, Style::new());
    page.gap();
    lines(&mut page, story.script);
    page.into_text()
}

/// Writes code for copying: tabs are kept, hidden characters are escaped.
fn lines(page: &mut Page, text: &str) {
    for line in text.lines() {
        let line: Vec<_> = line.split('\t').map(visible).collect();
        let styled = page.styled(&line.join("\t"), CODE);
        page.raw(&styled);
    }
}
