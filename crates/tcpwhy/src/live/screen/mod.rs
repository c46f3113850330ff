//! The interactive screen: live connections, sorted by lost time, until the user quits.

mod copy;
mod foresight;
mod keys;
mod state;
mod terminal;
pub(super) mod theme;
mod view;

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event};
use tcpwhy_model::Timestamp;
use tcpwhy_report::{Args, Wording};
use tcpwhy_watch::{LiveConnection, Window};

use self::copy::Copied;
use self::foresight::Foresight;
use self::state::{Page, Scene, State, Watched};
use self::terminal::{Keyboard, Screen};
use self::theme::Theme;
use super::args::{Group, LiveArgs};
use super::heading::{gap, head};
use crate::message::failure;
use crate::standard_output::stdout;
use crate::watching::{Stop, Watch};
use crate::wrong::{Result, bail};

/// Longest delay until a key is noticed.
const PATIENCE: Duration = Duration::from_millis(200);
/// Longest interval between two drawings, so that the screen stays current.
const DRAW_EVERY: Duration = Duration::from_millis(500);

/// Ended connections kept with their course over time, which needs 3 MB.
const MOST_ENDED: usize = 1000;
/// Further ended connections kept without it, for sums, which needs 10 MB.
const MOST_SUMMED: usize = 5000;

/// Events kept for display; a screen has no room for more.
const MOST_SHOWN: usize = 500;

/// Content of a recording that was read completely.
pub(super) struct Past {
    /// Connections that ended during the recording.
    #[allow(clippy::vec_box, reason = "as they come from the host")]
    pub(super) ended: Vec<Box<LiveConnection>>,
    /// Time of its end.
    pub(super) until: Timestamp,
}

/// Shows the screen until the user quits or `end` has passed. A `past` does not change any more.
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
    let mut foresight = Foresight::default();
    while !state.has_quit && !stop.is_asked() && end.is_none_or(|end| began.elapsed() < end) {
        if past.is_none() {
            if watch.due() <= Instant::now() {
                watch.step()?;
            }
            recent.add(watch.host.take_ended());
        }
        if drawn.is_none_or(|drawn| drawn.elapsed() >= DRAW_EVERY) {
            watch.selected = state.selected.filter(|_| state.page == Page::Detail);
            let watched = watched(watch, past, &recent);
            let looked_at = watch.selected.and_then(|key| watched.connection(key));
            let scene = Scene {
                watched,
                foreseen: looked_at.and_then(|connection| foresight.of(connection)),
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
    let (ended, now) = past.map_or((&recent.ended[..], watch.now()), |past| (&past.ended, past.until));
    Watched { host: &watch.host, ended, is_past: past.is_some(), began: watch.began_at(), now }
}

/// Recently ended connections.
#[derive(Default)]
#[allow(clippy::vec_box, reason = "as they come from the host")]
struct Recent {
    /// In order of their ends.
    ended: Vec<Box<LiveConnection>>,
    /// Number of the oldest ones whose course over time was dropped.
    bare: usize,
}

impl Recent {
    /// Adds connections that transferred data or lasted for some time.
    #[allow(clippy::vec_box, reason = "as they come from the host")]
    fn add(&mut self, ended: Vec<Box<LiveConnection>>) {
        let did = |connection: &LiveConnection| connection.has_moved() || connection.limits().span().nanos() > 0;
        self.ended.extend(ended.into_iter().filter(|connection| did(connection)));
        let over = self.ended.len().saturating_sub(MOST_ENDED + MOST_SUMMED);
        self.ended.drain(..over);
        let bare = self.ended.len().saturating_sub(MOST_ENDED);
        for connection in self.ended.iter_mut().take(bare).skip(self.bare.saturating_sub(over)) {
            connection.forget_course();
        }
        self.bare = bare;
    }
}

/// Asks the terminal to copy a text about the selected connection, and shows a message.
fn copy_selected(
    copy: Copied,
    state: &mut State,
    watched: Watched<'_>,
    has_unicode: bool,
    wording: Wording<'_>,
    screen: &mut Screen,
) -> Result<()> {
    // A group cannot be selected.
    let Some(key) = state.selected.filter(|_| state.group == Group::None) else { return Ok(()) };
    let frozen = state.frozen.as_ref();
    let (connection, began, until) = match frozen {
        Some(frozen) => (frozen.connections.iter().find(|c| c.key() == key), frozen.began, frozen.until),
        None => (watched.connection(key), watched.began, watched.now),
    };
    let Some(connection) = connection else { return Ok(()) };
    let nanos = state.span_nanos();
    let text = copy.text(connection, Window::since(began, until, nanos), nanos, has_unicode, wording);
    screen.ask(&copy::request(&text))?;
    state.said = Some(wording.catalogue().text("live-copied", &Args::new().text("text", text)));
    Ok(())
}
