//! Draws the pages of the screen.

use std::collections::BTreeSet;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::style::Modifier;
use tcpwhy_model::live::{KernelEvent, SocketKey};
use tcpwhy_model::{Cause, Limit, Timestamp};
use tcpwhy_report::Args;
use tcpwhy_report::Zone;
use tcpwhy_report::live::{Line, LiveDetail, LiveRow, LiveTable, Piece, Reach, Tone, event_line, losers_sentence};
use tcpwhy_report::palette;
use tcpwhy_report::text::Look;
use tcpwhy_watch::{End, LiveConnection, Losers, Window};

use super::state::{Page, Scene, Sort, State};
use super::theme::Theme;
use crate::live::args::Group;
use crate::live::blocked;
use crate::live::groups::{by_saving, grouped};
use crate::predicate::{Word, picked};

/// Smallest terminal, columns and lines, on which the pages are readable.
const LEAST: (u16, u16) = (40, 8);
/// Columns below which only the most important keys are shown, and no gaps.
const NARROW: u16 = 60;
/// Divisor of the screen's lines for the height of the heading and of the sentence below it, at least one
/// line each.
const HEADING: usize = 6;
/// Functions that waited for buffer space, listed above the events.
const MOST_BLOCKED: usize = 5;

/// Draws the screen.
pub(super) fn draw(frame: &mut Frame<'_>, state: &mut State, scene: &Scene<'_>) {
    let area = frame.area();
    let look = scene.look(area.width);
    let words = scene.wording.catalogue();
    let buffer = frame.buffer_mut();
    let mut paint = Paint { buffer, theme: scene.theme };
    if area.width < LEAST.0 || area.height < LEAST.1 {
        paint.line(0, &[Piece::new(look, &words.word("live-too-small"), Tone::Plain)], false);
        return;
    }
    let height = usize::from(area.height);
    let frozen = state.frozen.take();
    let filters = state.filters.clone();
    let (began, until) = frozen.as_ref().map_or((scene.watched.began, scene.watched.now), |f| (f.began, f.until));
    let window = Window::since(began, until, state.span_nanos());
    let limit = |connection: &LiveConnection| shown_limit(connection, window);
    let all: Vec<&LiveConnection> = if let Some(frozen) = &frozen {
        picked(frozen.connections.iter(), &filters, limit).collect()
    } else {
        picked(scene.watched.connections(), &filters, limit).collect()
    };
    let is_shown = is_shown(state, scene);
    let connections: Vec<&LiveConnection> =
        all.iter().copied().filter(|connection| frozen.is_some() || is_shown(connection)).collect();
    let mut head = scene.head.clone();
    if frozen.is_some() {
        head = format!("{}  {head}", words.word("live-frozen"));
    }
    let room = (height / HEADING).max(1);
    let bold = |text| (vec![Piece { text, tone: Tone::Bold }], false);
    let mut lines: Vec<(Line, bool)> = look.wrap(&head).into_iter().take(room).map(bold).collect();
    let foot = match state.page {
        Page::List => list(state, scene, &mut lines, [&connections, &all], window, (area.width, height)),
        Page::Detail => detail(state, scene, &mut lines, &connections, until, area.width),
        Page::Events => events(state, scene, &mut lines, area.width),
        Page::Help => help(scene, &mut lines, area.width),
    };
    state.frozen = frozen;
    for (row, (line, is_selected)) in lines.iter().take(height.saturating_sub(foot.len())).enumerate() {
        paint.line(row, line, *is_selected);
    }
    for (row, line) in foot.iter().enumerate() {
        paint.line(height - foot.len() + row, line, false);
    }
}

/// The limit that is shown for a connection.
pub(super) fn shown_limit(connection: &LiveConnection, window: Window) -> Cause {
    connection.tally(window).cause().unwrap_or_else(|| connection.limit_now())
}

/// Whether a connection belongs on this page: open ones or closed ones. Groups include all connections of the
/// shown time span.
fn is_shown(state: &State, scene: &Scene<'_>) -> impl Fn(&LiveConnection) -> bool + use<> {
    let (page, shows_ended, is_past) = (state.page, state.shows_ended, scene.watched.is_past);
    let is_grouped = state.group != Group::None;
    let since = scene.watched.now.plus(-state.span_seconds() * 1_000_000_000);
    move |connection| match page {
        Page::List if shows_ended => connection.has_ended(),
        Page::List if is_past => true,
        Page::List if is_grouped => !connection.has_ended() || connection.seen()[1] >= since,
        Page::List => !connection.has_ended(),
        Page::Detail | Page::Events | Page::Help => true,
    }
}

/// The sentence with the number of connections that lose time in the span, and the one that loses most.
fn sentence(all: &[&LiveConnection], window: Window, selected: Option<SocketKey>, scene: &Scene<'_>) -> Option<String> {
    let of_span: Vec<&LiveConnection> =
        all.iter().copied().filter(|c| !c.has_ended() || c.seen()[1] >= window.start()).collect();
    let sockets: Vec<End> = of_span.iter().map(|connection| End::of(connection, window)).collect();
    let reach = |named: &LiveConnection| if Some(named.key()) == selected { Reach::Enter } else { Reach::None };
    losers_sentence(&Losers::of(&sockets), &sockets, &of_span, reach, scene.wording)
}

/// The list and its footer. The second of `connections` includes those of other pages.
fn list(
    state: &mut State,
    scene: &Scene<'_>,
    lines: &mut Vec<(Line, bool)>,
    [connections, all]: [&[&LiveConnection]; 2],
    window: Window,
    (width, height): (u16, usize),
) -> Vec<Line> {
    let (look, words) = (scene.look(width), scene.wording.catalogue());
    let nanos = state.span_nanos();
    let row = |connection| LiveRow::now(connection, window, nanos, scene.wording);
    let time = scene.wording.units().rough_seconds(state.span_seconds() as f64);
    let gap = gap(scene, width);
    let mut foot = Vec::new();
    let status = status(state, scene, width);
    let mut limits = BTreeSet::new();
    let mut rows = Vec::new();
    state.order.clear();
    if state.group == Group::None {
        rows = connections.iter().map(|&connection| (row(connection), connection)).collect();
        sort(&mut rows, state.sort);
        state.order = rows.iter().map(|(_, connection)| connection.key()).collect();
        let chosen = state.selected.filter(|_| state.has_chosen);
        let found = chosen.and_then(|key| state.order.iter().position(|&other| other == key));
        state.place = found.unwrap_or(state.place).min(state.order.len().saturating_sub(1));
        state.selected = state.order.get(state.place).copied();
    }
    let selected = state.selected.filter(|_| state.group == Group::None);
    if let Some(sentence) = sentence(all, window, selected, scene) {
        let wrapped = look.wrap(&sentence).into_iter().take((height / HEADING).max(1));
        lines.extend(wrapped.map(|text| (vec![Piece { text, tone: Tone::Bold }], false)));
    }
    // Subtracts the heading and titles, and the legend, gap and keys of the footer.
    let room = height.saturating_sub(lines.len() + 2 + gap.len() + status.len());
    if state.group == Group::None {
        scroll(state, room);
        let shown: Vec<_> = rows.into_iter().skip(state.first).take(room).map(|(row, _)| row).collect();
        let selected = state.place.checked_sub(state.first);
        table(lines, &shown, scene, width, &time, selected, &mut limits);
    } else {
        let rows = grouped(connections, state.group, window.nanos, row);
        table(lines, &rows[..rows.len().min(room)], scene, width, &time, None, &mut limits);
    }
    if connections.is_empty() {
        let is_shown = is_shown(state, scene);
        let word = match () {
            () if scene.watched.connections().any(is_shown) => "live-no-match",
            () if state.shows_ended => "live-none-ended",
            () if scene.watched.connections().next().is_none() => "live-waiting",
            () => "live-none-open",
        };
        lines.push((vec![Piece::new(look, &words.word(word), Tone::Plain)], false));
    }
    foot.push(legend(&limits, scene, width));
    foot.extend(gap);
    foot.extend(status);
    foot
}

/// The gaps in the observation, at most two lines: the help lists all. A narrow screen needs these lines for
/// connections.
fn gap(scene: &Scene<'_>, width: u16) -> Vec<Line> {
    const MOST: usize = 2;
    let text = scene.gaps.last().map_or("", String::as_str);
    let lines = scene.look(width).wrap(text).into_iter().take(if width < NARROW { 0 } else { MOST });
    lines.map(|text| vec![Piece { text, tone: Tone::Dim }]).collect()
}

fn table(
    lines: &mut Vec<(Line, bool)>,
    rows: &[LiveRow<'_>],
    scene: &Scene<'_>,
    width: u16,
    time: &str,
    selected: Option<usize>,
    limits: &mut BTreeSet<Limit>,
) {
    let table = LiveTable::new(rows, scene.look(width), scene.wording, time);
    for row in rows {
        limits.insert(row.limit.limit);
        limits.extend((row.strip)(30).into_iter().flatten().map(|cause| cause.limit));
    }
    lines.push((table.head, false));
    for (index, (line, sentence)) in table.rows.into_iter().zip(table.sentences).enumerate() {
        lines.push((line, Some(index) == selected));
        lines.extend(sentence.map(|sentence| (sentence, false)));
    }
}

/// Keeps the selected row on the screen.
fn scroll(state: &mut State, room: usize) {
    let room = room.max(1);
    if state.place < state.first {
        state.first = state.place;
    } else if state.place >= state.first + room {
        state.first = state.place + 1 - room;
    }
    state.first = state.first.min(state.order.len().saturating_sub(room));
}

fn sort(rows: &mut [(LiveRow<'_>, &LiveConnection)], by: Sort) {
    // Ties are broken by the id, so that equal rows do not swap between redraws.
    rows.sort_by(|(a, of_a), (b, of_b)| {
        let rate = |row: &LiveRow<'_>| row.sum.rate().bytes_per_sec();
        let order = match by {
            Sort::Lost => by_saving(a, b),
            Sort::Limit => a.limit.cmp(&b.limit).then(by_saving(a, b)),
            Sort::Process => a.name.to_lowercase().cmp(&b.name.to_lowercase()),
            Sort::Rate => rate(b).total_cmp(&rate(a)),
            Sort::Rtt => b.rtt.cmp(&a.rtt),
        };
        // Idle rows are last with every sort key.
        a.sum.is_idle().cmp(&b.sum.is_idle()).then(order).then(of_a.id().cmp(&of_b.id()))
    });
}

fn detail(
    state: &mut State,
    scene: &Scene<'_>,
    lines: &mut Vec<(Line, bool)>,
    connections: &[&LiveConnection],
    until: Timestamp,
    width: u16,
) -> Vec<Line> {
    let (look, words) = (scene.look(width), scene.wording.catalogue());
    match connections.iter().find(|connection| Some(connection.key()) == state.selected) {
        Some(connection) => {
            let detail = LiveDetail {
                connection,
                foreseen: scene.foreseen,
                until,
                nanos: state.span_seconds() * 1_000_000_000,
                wording: scene.wording,
                look,
            };
            lines.extend(detail.lines().into_iter().map(|line| (line, false)));
        }
        None => lines.push((vec![Piece::new(look, &words.word("live-detail-gone"), Tone::Warning)], false)),
    }
    match &state.said {
        Some(said) => vec![vec![Piece::new(look, said, Tone::Bold)]],
        None => keys_in_lines(&words.word("live-keys-detail"), look, 0)
            .iter()
            .map(|text| vec![Piece::new(look, text, Tone::Dim)])
            .collect(),
    }
}

/// The events, the newest first; with a filter, only those of matching connections.
fn events(state: &State, scene: &Scene<'_>, lines: &mut Vec<(Line, bool)>, width: u16) -> Vec<Line> {
    let (look, words) = (scene.look(width), scene.wording.catalogue());
    let is_picked = |event: &KernelEvent| {
        let connection = event.key.and_then(|key| scene.watched.connection(key));
        state.filters.is_empty() || connection.is_some_and(|c| Word::all_hold(&state.filters, c, c.limit_now()))
    };
    let plain = |id: &str| (vec![Piece::new(look, &words.word(id), Tone::Plain)], false);
    if !scene.tells_events {
        lines.push(plain("live-events-none-here"));
    }
    let blocked = blocked::lines(scene.blocked, MOST_BLOCKED, scene.wording, look);
    if !blocked.is_empty() {
        lines.extend(blocked.into_iter().map(|line| (line, false)));
        lines.push((Line::new(), false));
    }
    let zone = Zone::local();
    let before = lines.len();
    let shown = scene.events.iter().filter(|event| is_picked(event));
    lines.extend(shown.map(|event| (event_line(event, &zone, scene.wording, look), false)));
    if scene.tells_events && lines.len() == before {
        lines.push(plain("live-events-none"));
    }
    let mut foot = gap(scene, width);
    foot.push(vec![Piece::new(look, &words.word("live-keys-events"), Tone::Dim)]);
    foot
}

fn help(scene: &Scene<'_>, lines: &mut Vec<(Line, bool)>, width: u16) -> Vec<Line> {
    let (look, words) = (scene.look(width), scene.wording.catalogue());
    let text = words.word("live-help");
    // The help lists all keys, because the footer of a narrow terminal does not.
    let keys = keys_in_lines(&words.word("live-keys"), look, 0);
    lines.extend(keys.iter().map(|text| (vec![Piece::new(look, text, Tone::Bold)], false)));
    for paragraph in text.lines().map(str::to_owned).chain(scene.gaps.iter().cloned()) {
        lines.push((Line::new(), false));
        let wrapped = look.wrap(&paragraph);
        lines.extend(wrapped.into_iter().map(|text| (vec![Piece { text, tone: Tone::Plain }], false)));
    }
    lines.push((Line::new(), false));
    for limit in Limit::ALL {
        let name = Piece::new(look, &format!("  {}", scene.wording.limit(limit)), Tone::Limit(limit));
        lines.push((vec![letter(limit, scene), name], false));
    }
    vec![vec![Piece::new(look, &words.word("live-keys-back"), Tone::Dim)]]
}

/// The letters of the limits that are on the screen.
fn legend(limits: &BTreeSet<Limit>, scene: &Scene<'_>, width: u16) -> Line {
    let look = scene.look(width);
    let mut line = Line::new();
    let mut left = usize::from(width);
    for &limit in limits {
        let name =
            Piece::new(look, &format!(" {}  ", scene.wording.live_cause(tcpwhy_model::Cause::plain(limit))), Tone::Dim);
        let needed = look.columns(&name.text) + 1;
        if needed > left {
            break;
        }
        left -= needed;
        line.extend([letter(limit, scene), name]);
    }
    line
}

fn letter(limit: Limit, scene: &Scene<'_>) -> Piece {
    let tone = if scene.theme.has_color() { Tone::On(limit) } else { Tone::Bold };
    Piece { text: palette::look(limit).letter.to_string(), tone }
}

/// The filter being typed, or the keys with the present choices, on as many lines as needed.
fn status(state: &State, scene: &Scene<'_>, width: u16) -> Vec<Line> {
    let (look, words) = (scene.look(width), scene.wording.catalogue());
    if let Some(text) = &state.typing {
        let (id, tone) =
            if state.is_filter_bad { ("live-filter-bad", Tone::Warning) } else { ("live-filter", Tone::Bold) };
        let typed = words.text(id, &Args::new().text("text", format!("{text}_")));
        let keys = words.word("live-keys-filter");
        return vec![vec![Piece::new(look, &typed, tone), Piece::new(look, &format!("  {keys}"), Tone::Dim)]];
    }
    if let Some(said) = &state.said {
        return vec![vec![Piece::new(look, said, Tone::Bold)]];
    }
    let chosen = |id: &str, by: &str| words.text(id, &Args::new().text("by", words.word(by)));
    let mut chosen = vec![chosen("live-sort", state.sort.word())];
    if state.group != Group::None {
        chosen = vec![words.text("live-group", &Args::new().text("by", words.word(state.group.word())))];
    }
    if !state.filter_text.is_empty() {
        chosen.push(words.text("live-filter", &Args::new().text("text", state.filter_text.clone())));
    }
    if state.theme != Theme::default() {
        chosen.push(words.text("live-theme", &Args::new().text("by", words.word(state.theme.word()))));
    }
    if state.shows_ended {
        chosen.insert(0, words.word("live-ended"));
    }
    let chosen = format!("{}  ", chosen.join("  "));
    let keys = words.word(if width < NARROW { "live-keys-narrow" } else { "live-keys" });
    let keys = keys_in_lines(&keys, look, look.columns(&chosen));
    let mut lines: Vec<Line> = keys.iter().map(|text| vec![Piece::new(look, text, Tone::Dim)]).collect();
    if let Some(first) = lines.first_mut() {
        first.insert(0, Piece::new(look, &chosen, Tone::Bold));
    }
    lines
}

/// Keys with their actions, separated by two spaces, wrapped between two entries. The first line already
/// contains `before` columns of other text.
fn keys_in_lines(keys: &str, look: Look, before: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = before;
    for key in keys.split("  ") {
        let needed = look.columns(key);
        match lines.last_mut() {
            Some(line) if line.is_empty() && used + needed <= look.width => line.push_str(key),
            Some(line) if used + 2 + needed <= look.width => {
                line.push_str("  ");
                line.push_str(key);
                used += 2;
            }
            _ => {
                lines.push(key.to_owned());
                used = 0;
            }
        }
        used += needed;
    }
    lines
}

/// Puts lines into the cells of a terminal.
struct Paint<'a> {
    buffer: &'a mut Buffer,
    theme: Theme,
}

impl Paint<'_> {
    fn line(&mut self, row: usize, line: &[Piece], is_selected: bool) {
        let area = self.buffer.area;
        let Ok(y) = u16::try_from(row) else { return };
        if y >= area.height {
            return;
        }
        let mut x = 0;
        for piece in line {
            let mut style = self.theme.style(piece.tone);
            if is_selected && !matches!(piece.tone, Tone::On(_)) {
                style = style.add_modifier(Modifier::REVERSED);
            }
            let left = usize::from(area.width.saturating_sub(x));
            (x, _) = self.buffer.set_stringn(area.x + x, area.y + y, &piece.text, left, style);
            x -= area.x;
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use tcpwhy_model::host::{SocketAddress, SocketSample, TcpState};
    use tcpwhy_model::live::{KernelSample, Process, SocketKey};
    use tcpwhy_report::{Catalogue, Language, Wording};
    use tcpwhy_watch::LiveHost;

    use super::*;
    use crate::live::screen::state::{Frozen, Watched};
    use crate::watching::BlockedWriters;

    /// A host after 60 s with three connections: a writer with a full send buffer, an idle one, and one with
    /// a hostile name.
    fn host() -> LiveHost {
        let mut host = LiveHost::new();
        for second in 0..=60_i64 {
            for cookie in 1..=3_u64 {
                let end =
                    |address: &str, port| SocketAddress { address: address.parse().ok(), zone: None, port: Some(port) };
                let mut socket = SocketSample {
                    state: Some(TcpState::Established),
                    local: end("10.0.186.140", 3306),
                    peer: end("10.0.7.70", 20_000 + cookie as u16),
                    ..SocketSample::default()
                };
                let info = &mut socket.info;
                (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1448), Some(280), Some(11));
                (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(3_100_000));
                (info.notsent_bytes, info.rtt, info.min_rtt) = (Some(0), Some(20_100), Some(20_000));
                (info.bytes_acked, info.bytes_received) = (Some(0), Some(0));
                if cookie == 1 {
                    socket.send_queue = 16_384;
                    socket.info.bytes_acked = Some(second as u64 * 875_000);
                    (socket.memory.send_queued, socket.memory.send_buffer) = (Some(32_768), Some(32_768));
                }
                let key = SocketKey { namespace: 1, cookie };
                let time = Timestamp::from_nanos(1_795_000_000_000_000_000 + second * 1_000_000_000);
                host.observe(KernelSample { time, key, socket });
                let name = ["mysqld", "redis", "\u{1b}[31m\u{202e}发\u{1f}送"][cookie as usize - 1];
                host.assign(key, Process { pid: 800 + cookie as u32, name: name.to_owned(), cgroup: None });
            }
        }
        host
    }

    /// One event of each kind, from a process with a hostile name.
    fn events() -> Vec<KernelEvent> {
        use tcpwhy_model::live::{BufferOption, Happening, Pruning, Repair, WindowSide};
        let what = [
            Happening::BlockedWrite { waited: 940_000_000, call: 950_000_000, thread: 803 },
            Happening::BufferSet { option: BufferOption::SndBuf, asked: 16_384 },
            Happening::Retransmitted { segments: 2, reason: Repair::Timeout },
            Happening::WindowClosed(WindowSide::Peer),
            Happening::WindowOpened { side: WindowSide::Own, closed: 1_500_000_000 },
            Happening::MemoryExceeded { receives: true },
            Happening::ReceivePruned { how: Pruning::Collapsed, count: 12 },
        ];
        let name = "\u{1b}[31m\u{202e}发\u{1f}送".to_owned();
        let process = Some(Process { pid: 803, name, cgroup: None });
        let time = Timestamp::from_nanos(1_795_000_060_000_000_000);
        let event =
            |what| KernelEvent { time, key: None, ends: None, process: process.clone(), code: Vec::new(), what };
        what.into_iter().map(event).collect()
    }

    /// The screen as lines of text.
    fn shown(width: u16, height: u16, language: Language, state: &mut State) -> Vec<String> {
        let (host, catalogue) = (host(), Catalogue::new(language));
        let events = events();
        let blocked = BlockedWriters::default();
        let scene = Scene {
            watched: Watched {
                host: &host,
                ended: &[],
                is_past: false,
                began: Timestamp::from_nanos(1_795_000_000_000_000_000),
                now: Timestamp::from_nanos(1_795_000_060_000_000_000),
            },
            foreseen: None,
            blocked: &blocked,
            head: "db-7".to_owned(),
            events: events.iter().collect(),
            tells_events: true,
            gaps: vec!["between samples".to_owned()],
            wording: Wording::new(&catalogue),
            theme: Theme::None,
            has_unicode: true,
        };
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, state, &scene)).unwrap();
        let buffer = terminal.backend().buffer();
        let row = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..height).map(row).collect()
    }

    #[test]
    fn what_loses_most_stands_first() {
        let lines = shown(120, 12, Language::English, &mut State::default());
        let sentence =
            "1 of 3 connections loses time; mysqld[801] to 10.0.7.70:20001 waits for room in its send buffer";
        assert_eq!(lines[1], format!("{sentence}, 60.0 of 60.0 s: Enter"));
        assert!(lines[2].starts_with("saving  limit  "), "{lines:#?}");
        assert!(lines[3].starts_with("60.0 s  send buffer 60.0 of 60.0 s  "), "{lines:#?}");
        assert!(lines[3].contains("mysqld[801]") && lines[3].contains("7.00 Mbit/s") && lines[3].ends_with("BBBBB"));
        assert!(lines[4].starts_with("   0 s  idle 60.0 s") && lines[4].ends_with("AAAAA"), "{lines:#?}");
        assert!(lines[8].contains("A application") && lines[8].contains("B send buffer"), "{lines:#?}");
        assert!(lines[10].starts_with("sort: saving") && lines[10].contains("q quit"), "{lines:#?}");
        assert!(lines[11].ends_with("select"), "every key is there: {lines:#?}");
    }

    #[test]
    fn every_width_and_language_is_drawn() {
        for language in Language::ALL {
            for width in [20, 40, 50, 60, 80, 110, 140, 250] {
                for page in [Page::List, Page::Detail, Page::Events, Page::Help] {
                    let selected = Some(SocketKey { namespace: 1, cookie: 1 });
                    let mut state = State { page, selected, ..State::default() };
                    let lines = shown(width, 24, language, &mut state);
                    let all = lines.join("\n");
                    assert!(!all.contains(['\u{1b}', '\u{202e}', '\u{1f}']), "{all}");
                    assert!(width < LEAST.0 || lines.iter().filter(|line| !line.is_empty()).count() > 5, "{all}");
                }
            }
        }
    }

    #[test]
    fn what_happened() {
        let mut state = State { page: Page::Events, ..State::default() };
        let all = shown(110, 24, Language::English, &mut state).join("\n");
        assert!(all.contains("waited 940 ms in a write: its send buffer was full"), "{all}");
        assert!(all.contains("asked for SO_SNDBUF of 16.4 kB") && all.contains("2 segments: timeout"), "{all}");
        assert!(all.contains("reopened its window after 1.50 s"), "{all}");
        assert!(all.contains("buffer full: 12 segments in its receive queue copied together"), "{all}");
    }

    #[test]
    fn a_connection_in_detail() {
        let selected = Some(SocketKey { namespace: 1, cookie: 1 });
        let mut state = State { page: Page::Detail, selected, ..State::default() };
        let all = shown(110, 24, Language::English, &mut state).join("\n");
        assert!(all.contains("mysqld[801]  10.0.186.140:3306 → 10.0.7.70:20001"), "{all}");
        assert!(all.contains("The sender's socket buffer was too small for 60.0 s"), "{all}");
        assert!(all.contains("32.8 kB of 32.8 kB") && all.contains("20.1 ms (min 20.0 ms)"), "{all}");
        assert!(all.contains("send buffer 100%"), "{all}");
    }

    #[test]
    fn filters_groups_and_frozen_screens() {
        let filters = Word::parse_all("process:redis").unwrap();
        let lines = shown(110, 12, Language::English, &mut State { filters, ..State::default() });
        assert_eq!(lines[1], "The one connection loses no time.");
        assert!(lines[3].contains("redis[802]") && lines[4].is_empty(), "{lines:#?}");
        let filters = Word::parse_all("port:1").unwrap();
        let lines = shown(110, 12, Language::English, &mut State { filters, ..State::default() });
        assert!(lines[2].contains("No connection matches"), "{lines:#?}");
        let lines = shown(120, 12, Language::English, &mut State { group: Group::Peer, ..State::default() });
        assert!(lines[1].ends_with("waits for room in its send buffer, 60.0 of 60.0 s."), "not selected: {lines:#?}");
        assert!(lines[2].contains("connections") && lines[3].contains("  3  "), "{lines:#?}");
        assert!(lines[3].contains("60.0 s of 3 min 0 s"), "of all seconds of its connections: {lines:#?}");
        let began = Timestamp::from_nanos(1_795_000_000_000_000_000);
        let frozen = Frozen { began, until: Timestamp::from_nanos(1_795_000_060_000_000_000), connections: Vec::new() };
        let lines = shown(110, 12, Language::English, &mut State { frozen: Some(frozen), ..State::default() });
        assert!(lines[0].starts_with("FROZEN") && lines[2].contains("No connection matches"), "{lines:#?}");
    }

    #[test]
    fn the_selected_row_stays_on_the_screen() {
        let selected = Some(SocketKey { namespace: 1, cookie: 3 });
        let mut state = State { selected, has_chosen: true, ..State::default() };
        let lines = shown(110, 10, Language::English, &mut state);
        assert_eq!(state.place, 2);
        assert!(lines.iter().any(|line| line.contains("[803]")), "{lines:#?}");
    }
}
