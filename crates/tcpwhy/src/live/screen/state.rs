//! The user's choices, and the data to draw.

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

/// Connections that a frozen screen keeps, those that lose most time first.
pub(super) const MOST_FROZEN: usize = 2000;

/// The sort key of the rows.
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

/// Time spans to show, seconds. Up to 60 s are stored in steps of 0.1 s, up to an hour in steps of 10 s.
pub(super) const SPANS: [i64; 4] = [60, 10, 600, 3600];

/// The page that the screen shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    #[default]
    List,
    Detail,
    Events,
    Help,
}

/// The frozen data that the screen shows instead of the present.
pub(super) struct Frozen {
    pub(super) began: Timestamp,
    pub(super) until: Timestamp,
    pub(super) connections: Vec<LiveConnection>,
}

/// The user's choices.
#[derive(Default)]
pub(super) struct State {
    pub(super) page: Page,
    pub(super) sort: Sort,
    pub(super) group: Group,
    /// Whether closed connections are listed instead of open ones.
    pub(super) shows_ended: bool,
    pub(super) span: usize,
    pub(super) filters: Vec<Word>,
    /// The filter as it was typed.
    pub(super) filter_text: String,
    /// The filter while it is being typed.
    pub(super) typing: Option<String>,
    /// Whether the typed filter is invalid.
    pub(super) is_filter_bad: bool,
    /// The selected connection; only without groups.
    pub(super) selected: Option<SocketKey>,
    /// Whether the user has selected it. Before that, the first row is selected.
    pub(super) has_chosen: bool,
    /// Its row when it was last drawn.
    pub(super) place: usize,
    /// First row shown.
    pub(super) first: usize,
    pub(super) frozen: Option<Frozen>,
    /// The connections of the rows as last drawn.
    pub(super) order: Vec<SocketKey>,
    pub(super) theme: Theme,
    /// The text to copy for the selected connection.
    pub(super) copy: Option<Copied>,
    /// The confirmation of the last action, shown until the next key.
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

/// The watched host, or a recording of one.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    pub(super) host: &'a LiveHost,
    /// Closed connections.
    pub(super) ended: &'a [Box<LiveConnection>],
    /// Whether this is a recording: closed connections are then listed with the others.
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

/// The data to draw.
pub(super) struct Scene<'a> {
    pub(super) watched: Watched<'a>,
    /// The connection that is shown in detail, with simulated predictions.
    pub(super) foreseen: Option<&'a Connection>,
    /// The heading, on the first line.
    pub(super) head: String,
    /// Functions that waited for space in a send buffer.
    pub(super) blocked: &'a BlockedWriters,
    /// Recent events, the newest first.
    pub(super) events: Vec<&'a KernelEvent>,
    /// Whether the kernel's BPF programs report events of each connection.
    pub(super) tells_events: bool,
    /// Sentences about the gaps in the observation.
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
