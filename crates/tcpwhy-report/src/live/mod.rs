//! Live connections in lines of pieces: the terminal prints them, the screen shows them.

mod detail;
mod event;
mod healthy;
mod losers;
mod outcome;
mod row;
mod strip;
mod table;

pub use detail::LiveDetail;
pub use event::event_line;
pub(crate) use event::event_text;
pub(crate) use healthy::healthy_sentence;
pub use losers::{Reach, losers_sentence, next_step};
pub(crate) use outcome::{about_outcome, after_outcome};
pub use row::LiveRow;
pub use table::LiveTable;

use std::fmt::Write as _;

use anstyle::Style;
use tcpwhy_model::{Cause, Limit};
use tcpwhy_watch::LiveConnection;

use crate::Wording;
use crate::text::Look;
use crate::text::palette::{BOLD, DIM, WARNING, background, foreground};

/// How a piece of a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As any text.
    Plain,
    /// Headings and what is selected.
    Bold,
    /// What matters less.
    Dim,
    /// What somebody should look at.
    Warning,
    /// In the colour of a limit.
    Limit(Limit),
    /// On ground of the colour of a limit.
    On(Limit),
}

/// Text in one tone, in signs that the terminal can show and none that it obeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What stands there.
    pub text: String,
    /// How.
    pub tone: Tone,
}

/// A line, laid out.
pub type Line = Vec<Piece>;

impl Piece {
    /// `text` as the terminal can show it.
    pub fn new(look: Look, text: &str, tone: Tone) -> Self {
        Self { text: look.signs(text).into_owned(), tone }
    }
}

/// Lines as text with colours where they are shown.
pub fn to_text(lines: &[Line], look: Look) -> String {
    let mut out = String::new();
    for line in lines {
        let width: usize = line.iter().map(|piece| piece.text.trim_end().len()).sum();
        for (index, piece) in line.iter().enumerate() {
            let is_last = index + 1 == line.len();
            let style = match piece.tone {
                _ if !look.has_color => Style::new(),
                Tone::Plain => Style::new(),
                Tone::Bold => BOLD,
                Tone::Dim => DIM,
                Tone::Warning => WARNING,
                Tone::Limit(limit) => foreground(limit),
                Tone::On(limit) => background(limit),
            };
            let text = if is_last && !matches!(piece.tone, Tone::On(_)) { piece.text.trim_end() } else { &piece.text };
            if style == Style::new() || text.is_empty() {
                out.push_str(text);
            } else {
                // Writing to a string cannot fail.
                let _ = write!(out, "{style}{text}{style:#}");
            }
        }
        if width == 0 || !look.has_color {
            out.truncate(out.trim_end_matches(' ').len());
        }
        out.push('\n');
    }
    out
}

impl Wording<'_> {
    /// Name of a limit of a live connection: what a receiver does not see is at its peer.
    pub fn live_cause(self, cause: Cause) -> String {
        if cause.limit == Limit::Unobserved {
            self.catalogue().word("live-limit-unobserved")
        } else {
            self.cause(cause)
        }
    }
}

/// `nginx[77]`, or that nobody has it open; `-` where that is not known.
pub(crate) fn process_name(connection: &LiveConnection, wording: Wording<'_>) -> String {
    // Accounts do not have the inode. Fields that only `sock_diag` has show that it was asked.
    let info = &connection.socket().info;
    let was_asked = info.rto.is_some() || info.snd_mss.is_none();
    match connection.process() {
        Some(process) => format!("{}[{}]", process.name, process.pid),
        None if was_asked && connection.socket().inode.is_none() => wording.catalogue().word("live-nobody"),
        None => "-".to_owned(),
    }
}
