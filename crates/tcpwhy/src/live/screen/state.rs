//! What the reader has chosen, and the data to draw.

use tcpwhy_analysis::Connection;
use tcpwhy_model::Timestamp;
use tcpwhy_model::live::{KernelEvent, SocketKey};
use tcpwhy_report::Wording;
use tcpwhy_report::text::Look;
use tcpwhy_watch::{LiveConnection, LiveHost};

use super::copy::Copied;
use super::theme::Theme;
use crate::live::args::Group;
use crate::predicate::Word;
use crate::watching::BlockedWriters;

/// A frozen screen keeps so many connections, those first that lose most.
pub(super) const MOST_FROZEN: usize = 2000;

/// What the rows are ordered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    /// Time that a change could have saved.
    #[default]
    Lost,
    Limit,
    Process,
    Rate,
    Rtt,
}

impl Sort {
    pub(super) const ALL: [Self; 5] = [Self::Lost, Self::Limit, Self::Process, Self::Rate, Self::Rtt];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Lost => "live-sort-lost",
            Self::Limit => "live-sort-limit",
            Self::Process => "live-sort-process",
            Self::Rate => "live-sort-rate",
            Self::Rtt => "live-sort-rtt",
        }
    }
}

/// How much of the past is shown, seconds: up to a minute in tenths of a second, up to an hour in tens of
/// seconds.
pub(super) const SPANS: [i64; 4] = [60, 10, 600, 3600];

/// What stands on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    #[default]
    List,
    Detail,
    Events,
    Help,
}

/// What is shown instead of what is.
pub(super) struct Frozen {
    pub(super) began: Timestamp,
    pub(super) until: Timestamp,
    pub(super) connections: Vec<LiveConnection>,
}

/// What the reader has chosen.
#[derive(Default)]
pub(super) struct State {
    pub(super) page: Page,
    pub(super) sort: Sort,
    pub(super) group: Group,
    /// Connections that have ended are listed, and no others.
    pub(super) shows_ended: bool,
    pub(super) span: usize,
    pub(super) filters: Vec<Word>,
    /// The filter as it was typed.
    pub(super) filter_text: String,
    /// The filter while it is being typed.
    pub(super) typing: Option<String>,
    /// Why it could not be understood.
    pub(super) is_filter_bad: bool,
    /// The selected connection; without groups only.
    pub(super) selected: Option<SocketKey>,
    /// The reader has chosen it. Before that, the first row is selected.
    pub(super) has_chosen: bool,
    /// Its place among the rows when it was seen last.
    pub(super) place: usize,
    /// First row shown.
    pub(super) first: usize,
    pub(super) frozen: Option<Frozen>,
    /// The rows as they were drawn last.
    pub(super) order: Vec<SocketKey>,
    pub(super) theme: Theme,
    /// What is to be copied of the selected connection.
    pub(super) copy: Option<Copied>,
    /// What was done, until the next key.
    pub(super) said: Option<String>,
    pub(super) has_quit: bool,
}

impl State {
    pub(super) fn span_seconds(&self) -> i64 {
        SPANS[self.span % SPANS.len()]
    }

    pub(super) fn span_nanos(&self) -> i64 {
        self.span_seconds() * 1_000_000_000
    }

    pub(super) fn next_span(&mut self) {
        self.span = (self.span + 1) % SPANS.len();
    }
}

/// What is watched, or was.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    pub(super) host: &'a LiveHost,
    /// Connections that have ended.
    pub(super) ended: &'a [Box<LiveConnection>],
    /// Those are listed among the others: of a recording, whatever is shown has passed.
    pub(super) is_past: bool,
    /// When the watching began.
    pub(super) began: Timestamp,
    pub(super) now: Timestamp,
}

impl<'a> Watched<'a> {
    pub(super) fn connections(self) -> impl Iterator<Item = &'a LiveConnection> {
        self.host.connections().chain(self.ended.iter().map(|c| &**c))
    }

    pub(super) fn connection(self, key: SocketKey) -> Option<&'a LiveConnection> {
        self.host.connection(key).or_else(|| self.ended.iter().map(|c| &**c).find(|connection| connection.key() == key))
    }
}

/// What there is to be shown.
pub(super) struct Scene<'a> {
    pub(super) watched: Watched<'a>,
    /// The connection that is shown in detail, with simulated predictions.
    pub(super) foreseen: Option<&'a Connection>,
    /// The first line.
    pub(super) head: String,
    /// Which functions waited for room in send buffers.
    pub(super) blocked: &'a BlockedWriters,
    /// What happened of late, the newest first.
    pub(super) events: Vec<&'a KernelEvent>,
    /// The kernel tells what happens, of each connection.
    pub(super) tells_events: bool,
    /// What is not seen.
    pub(super) gaps: Vec<String>,
    pub(super) wording: Wording<'a>,
    pub(super) theme: Theme,
    pub(super) has_unicode: bool,
}

impl Scene<'_> {
    pub(super) fn look(&self, width: u16) -> Look {
        Look { width: width.into(), has_color: self.theme.has_color(), has_unicode: self.has_unicode }
    }
}
