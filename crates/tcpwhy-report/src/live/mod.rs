//! Live connections as lines of styled pieces, which the command prints and the interactive screen shows.

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

/// The style of a piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Normal text.
    Plain,
    /// Headings and selections.
    Bold,
    /// Less important text.
    Dim,
    /// Text that needs attention.
    Warning,
    /// In the colour of a limit.
    Limit(Limit),
    /// On a background in the colour of a limit.
    On(Limit),
}

/// Text of one style, in characters that the terminal can show; it contains no control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// The style.
    pub tone: Tone,
}

/// A line of styled pieces.
pub type Line = Vec<Piece>;

impl Piece {
    /// A piece with `text` in characters that the terminal can show.
    pub fn new(look: Look, text: &str, tone: Tone) -> Self {
        Self { text: look.signs(text).into_owned(), tone }
    }
}

/// The lines as text, with colours if the terminal shows them.
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
                // Writing to a `String` cannot fail.
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
    /// The name of a limit of a live connection. A receiver cannot see a limit at its peer, which is named
    /// so.
    pub fn live_cause(self, cause: Cause) -> String {
        if cause.limit == Limit::Unobserved {
            self.catalogue().word("live-limit-unobserved")
        } else {
            self.cause(cause)
        }
    }
}

/// The process of a connection, `nginx[77]`, or that no process has it open; `-` if unknown.
pub(crate) fn process_name(connection: &LiveConnection, wording: Wording<'_>) -> String {
    // BPF does not report the inode. Fields that only `sock_diag` reports show that `sock_diag` was queried.
    let info = &connection.socket().info;
    let was_asked = info.rto.is_some() || info.snd_mss.is_none();
    match connection.process() {
        Some(process) => format!("{}[{}]", process.name, process.pid),
        None if was_asked && connection.socket().inode.is_none() => wording.catalogue().word("live-nobody"),
        None => "-".to_owned(),
    }
}
