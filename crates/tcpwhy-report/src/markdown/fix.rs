//! The fix, with the lines to copy.

use tcpwhy_analysis::answer::Proposal;
use tcpwhy_model::Fix;

use super::PROGRAM;
use super::inline::{CODE, fenced, inline, with_code};
use super::page::{Page, Rank};
use crate::code::ShownLines;
use crate::text::Overview;
use crate::{Args, Code, Site, Wording};

/// Most lines of code of one fix. `--code all` may have more.
const MOST_CODE: usize = 6;

/// The fix that the answer names, its alternative, and the prediction.
pub(super) fn write(page: &mut Page, wording: Wording<'_>, overview: &Overview) {
    let Some(proposal) = Proposal::of(&overview.answer()) else { return };
    let Proposal { remedy, connection, sender, seconds } = proposal;
    let site = Site::of(connection, sender);
    write_fix(page, wording, remedy.fix, ("markdown-fix", Rank::Fix), &site);
    if let Some(rival) = remedy.rival {
        write_fix(page, wording, rival, ("markdown-fix-rival", Rank::Rival), &site);
    }
    if let (Some(prediction), Some(seconds)) = (&remedy.finding.prediction, seconds) {
        let label = wording.catalogue().word("prediction-label");
        let text = wording.prediction(prediction, seconds);
        page.line(Rank::Prediction, format!("**{}** {}", label.trim(), inline(&text)));
    }
}

fn write_fix(page: &mut Page, wording: Wording<'_>, fix: &Fix, (label, rank): (&str, Rank), site: &Site) {
    let catalogue = wording.catalogue();
    let args = Args::new().text("place", wording.place(fix.place)).text("fix", wording.fix(fix));
    page.line(rank, format!("**{}** {}", catalogue.word(label), inline(&catalogue.text("markdown-fix-at", &args))));
    let (lines, _) = wording.shown_lines(fix, Some(site));
    if lines.is_empty() {
        return;
    }
    page.push(rank, fenced(&lines[..lines.len().min(MOST_CODE)]));
    let others = ShownLines::of(fix, catalogue.code(), site.server).others;
    let command = |choice: &str| format!("{PROGRAM} FILE --code {choice}");
    if lines.len() > MOST_CODE {
        let args = Args::new().number("count", (lines.len() - MOST_CODE) as u64).text("command", CODE);
        let choice = match catalogue.code() {
            Code::For(program) => program.id(),
            Code::All | Code::Suggested => "all",
        };
        page.line(rank, with_code(&catalogue.text("markdown-code-more", &args), &[&command(choice)]));
    } else if let Some(first) = others.first() {
        let args = Args::new().number("count", others.len() as u64).text("command", CODE);
        page.line(rank, with_code(&catalogue.text("markdown-code-others", &args), &[&command(first.id())]));
    }
}
