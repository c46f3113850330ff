//! The screen: connections as they are, sorted by what they lose, until somebody has seen enough.

mod copy;
mod keys;
mod terminal;
pub(super) mod theme;
mod view;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use ratatui::crossterm::event::{self, Event};
use tcpwhy_model::Timestamp;
use tcpwhy_model::live::{KernelEvent, SocketKey};
use tcpwhy_report::text::Look;
use tcpwhy_report::{Args, Wording};
use tcpwhy_watch::{LiveConnection, LiveHost};

use self::copy::Copied;
use self::terminal::{Keyboard, Screen};
use self::theme::Theme;
use super::args::{Group, LiveArgs};
use super::heading::{gap, head};
use crate::message::failure;
use crate::predicate::Word;
use crate::standard_output::stdout;
use crate::watching::{BlockedWriters, Stop, Watch};

/// A key is noticed at least so soon.
const PATIENCE: Duration = Duration::from_millis(200);
/// The screen is drawn so often at least, so that what stands there is true.
const DRAW_EVERY: Duration = Duration::from_millis(500);
/// A frozen screen keeps so many connections, those first that lose most.
const MOST_FROZEN: usize = 2000;

/// Connections that ended, of which so many are kept: three megabytes.
const MOST_ENDED: usize = 1000;

/// A screen has no room for more events.
const MOST_SHOWN: usize = 500;

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
    const ALL: [Self; 5] = [Self::Lost, Self::Limit, Self::Process, Self::Rate, Self::Rtt];

    const fn word(self) -> &'static str {
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
const SPANS: [i64; 4] = [60, 10, 600, 3600];

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
    until: Timestamp,
    connections: Vec<LiveConnection>,
}

/// What the reader has chosen.
#[derive(Default)]
pub(super) struct State {
    pub(super) page: Page,
    pub(super) sort: Sort,
    pub(super) group: Group,
    /// Connections that have ended are listed, and no others.
    pub(super) shows_ended: bool,
    span: usize,
    pub(super) filters: Vec<Word>,
    /// The filter as it was typed.
    pub(super) filter_text: String,
    /// The filter while it is being typed.
    pub(super) typing: Option<String>,
    /// Why it could not be understood.
    pub(super) is_filter_bad: bool,
    /// The selected connection; without groups only.
    pub(super) selected: Option<SocketKey>,
    /// Its place among the rows when it was seen last.
    pub(super) place: usize,
    /// First row shown.
    pub(super) first: usize,
    pub(super) frozen: Option<Frozen>,
    /// The rows as they were drawn last.
    pub(super) order: Vec<SocketKey>,
    theme: Theme,
    /// What is to be copied of the selected connection.
    copy: Option<Copied>,
    /// What was done, until the next key.
    pub(super) said: Option<String>,
    pub(super) has_quit: bool,
}

impl State {
    pub(super) fn span_seconds(&self) -> i64 {
        SPANS[self.span % SPANS.len()]
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
    pub(super) now: Timestamp,
}

impl<'a> Watched<'a> {
    pub(super) fn connections(self) -> impl Iterator<Item = &'a LiveConnection> {
        self.host.connections().chain(self.ended.iter().map(|c| &**c))
    }

    fn connection(self, key: SocketKey) -> Option<&'a LiveConnection> {
        self.host.connection(key).or_else(|| self.ended.iter().map(|c| &**c).find(|connection| connection.key() == key))
    }
}

/// What there is to be shown.
pub(super) struct Scene<'a> {
    pub(super) watched: Watched<'a>,
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
    theme: Theme,
    pub(super) has_unicode: bool,
}

impl Scene<'_> {
    pub(super) fn look(&self, width: u16) -> Look {
        Look { width: width.into(), has_color: self.theme.has_color(), has_unicode: self.has_unicode }
    }
}

/// What there is to be seen of a recording, all of it read.
pub(super) struct Past {
    /// Connections that ended in it.
    #[allow(clippy::vec_box, reason = "as they come from the host")]
    pub(super) ended: Vec<Box<LiveConnection>>,
    /// Its end.
    pub(super) until: Timestamp,
}

/// Shows the screen until somebody leaves it, or until `end`. Of the `past` nothing moves any more.
pub(super) fn run(
    args: &LiveArgs,
    wording: Wording<'_>,
    watch: &mut Watch,
    end: Option<Duration>,
    past: Option<&Past>,
) -> Result<()> {
    if !stdout().is_terminal() {
        bail!(failure("screen-needs-terminal"));
    }
    let look = args.look.look();
    let filter_text = args.filter_words().join(" ");
    let theme = Theme::chosen(args.theme, look.has_color);
    let mut state = State { group: args.by, filters: args.filter.clone(), filter_text, theme, ..State::default() };
    let stop = Stop::on_interrupts()?;
    let mut screen = Screen::enter()?;
    let keyboard = Keyboard::open()?;
    let began = Instant::now();
    let mut drawn: Option<Instant> = None;
    let mut recent = Recent::default();
    while !state.has_quit && !stop.is_asked() && end.is_none_or(|end| began.elapsed() < end) {
        if past.is_none() {
            if watch.due() <= Instant::now() {
                watch.step()?;
            }
            recent.add(watch.host.take_ended());
        }
        if drawn.is_none_or(|drawn| drawn.elapsed() >= DRAW_EVERY) {
            watch.selected = state.selected.filter(|_| state.page == Page::Detail);
            let scene = Scene {
                watched: watched(watch, past, &recent),
                blocked: watch.events.blocked(),
                head: head(wording, watch, [watch.host.len() as u64, watch.busy() as u64]),
                events: watch.events.iter().rev().take(MOST_SHOWN).collect(),
                tells_events: watch.accounts().is_some(),
                gaps: watch.blind().into_iter().map(|blind| gap(wording, watch, blind)).collect(),
                wording,
                theme: state.theme,
                has_unicode: look.has_unicode,
            };
            screen.draw(|frame| view::draw(frame, &mut state, &scene))?;
            drawn = Some(Instant::now());
        }
        let due = if past.is_none() { watch.due().saturating_duration_since(Instant::now()) } else { PATIENCE };
        let next_draw = drawn.map_or(Duration::ZERO, |drawn| DRAW_EVERY.saturating_sub(drawn.elapsed()));
        if keyboard.has_event(due.min(next_draw).min(PATIENCE))? {
            match event::read()? {
                Event::Key(key) => keys::press(&mut state, key, &watched(watch, past, &recent)),
                Event::Resize(..) => {}
                _ => continue,
            }
            if let Some(copy) = state.copy.take() {
                copy_selected(copy, &mut state, watched(watch, past, &recent), look.has_unicode, wording, &mut screen)?;
            }
            drawn = None;
        }
    }
    Ok(())
}

fn watched<'a>(watch: &'a Watch, past: Option<&'a Past>, recent: &'a Recent) -> Watched<'a> {
    let (ended, now) = past.map_or((&recent.0[..], watch.now()), |past| (&past.ended, past.until));
    Watched { host: &watch.host, ended, is_past: past.is_some(), now }
}

/// Connections that ended of late, the newest last.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "as they come from the host")]
struct Recent(Vec<Box<LiveConnection>>);

impl Recent {
    /// Keeps those that did anything.
    #[allow(clippy::vec_box, reason = "as they come from the host")]
    fn add(&mut self, ended: Vec<Box<LiveConnection>>) {
        let did = |connection: &LiveConnection| connection.has_moved() || connection.limits().span().nanos() > 0;
        self.0.extend(ended.into_iter().filter(|connection| did(connection)));
        let over = self.0.len().saturating_sub(MOST_ENDED);
        self.0.drain(..over);
    }
}

/// Asks the terminal to copy something of the selected connection, and says so.
fn copy_selected(
    copy: Copied,
    state: &mut State,
    watched: Watched<'_>,
    has_unicode: bool,
    wording: Wording<'_>,
    screen: &mut Screen,
) -> Result<()> {
    // Groups are not selected one by one.
    let Some(key) = state.selected.filter(|_| state.group == Group::None) else { return Ok(()) };
    let frozen = state.frozen.as_ref();
    let (connection, until) = match frozen {
        Some(frozen) => (frozen.connections.iter().find(|connection| connection.key() == key), frozen.until),
        None => (watched.connection(key), watched.now),
    };
    let Some(connection) = connection else { return Ok(()) };
    let text = copy.text(connection, until, state.span_seconds() * 1_000_000_000, has_unicode, wording);
    screen.ask(&copy::request(&text))?;
    state.said = Some(wording.catalogue().text("live-copied", &Args::new().text("text", text)));
    Ok(())
}
