//! Key bindings.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tcpwhy_watch::{LiveConnection, Window};

use super::copy::Copied;
use super::state::{Frozen, MOST_FROZEN, Page, Sort, State, Watched};
use super::theme::Theme;
use super::view::shown_limit;
use crate::live::args::Group;
use crate::predicate::{Word, picked};

/// Rows that a page key moves by.
const PAGE_ROWS: isize = 15;

/// Handles a key.
pub(super) fn press(state: &mut State, key: KeyEvent, scene: &Watched<'_>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) {
        state.has_quit = true;
        return;
    }
    if let Some(text) = &mut state.typing {
        match key.code {
            // As in shells and editors: Ctrl-U deletes the line, Ctrl-W the word before the cursor.
            KeyCode::Char('u') if is_control => text.clear(),
            KeyCode::Char('w') if is_control => {
                let kept = text.trim_end().rfind(' ').map_or(0, |space| space + 1);
                text.truncate(kept);
            }
            KeyCode::Char(_) if is_control => {}
            code => type_filter(state, code),
        }
        return;
    }
    if is_control {
        return;
    }
    state.said = None;
    match key.code {
        KeyCode::Char('q') | KeyCode::F(10) => state.has_quit = true,
        KeyCode::Esc | KeyCode::Backspace => back(state),
        KeyCode::Char('?') | KeyCode::F(1) => {
            state.page = if state.page == Page::Help { Page::List } else { Page::Help };
        }
        KeyCode::Char('e') | KeyCode::F(7) => {
            state.page = if state.page == Page::Events { Page::List } else { Page::Events };
        }
        KeyCode::Enter if state.page == Page::List && state.selected.is_some() => {
            (state.page, state.has_chosen) = (Page::Detail, true);
        }
        KeyCode::Up | KeyCode::Char('k') => step(state, -1),
        KeyCode::Down | KeyCode::Char('j') => step(state, 1),
        KeyCode::PageUp => step(state, -PAGE_ROWS),
        KeyCode::PageDown => step(state, PAGE_ROWS),
        KeyCode::Home => step(state, isize::MIN / 2),
        KeyCode::End => step(state, isize::MAX / 2),
        KeyCode::Char('/') | KeyCode::F(3 | 4) if state.page == Page::List => {
            state.typing = Some(state.filter_text.clone());
        }
        KeyCode::Char('s') | KeyCode::F(6) => state.sort = next(&Sort::ALL, state.sort),
        KeyCode::Char('g') | KeyCode::F(5) if state.page == Page::List => {
            state.group = next(&Group::ALL, state.group);
            (state.place, state.first) = (0, 0);
        }
        KeyCode::Char('x') | KeyCode::F(8) if state.page == Page::List => {
            state.shows_ended = !state.shows_ended;
            (state.place, state.first, state.selected, state.has_chosen) = (0, 0, None, false);
        }
        KeyCode::Char('t') => state.next_span(),
        KeyCode::Char('f' | ' ') => freeze(state, scene),
        KeyCode::Char('T') => state.theme = next(&Theme::ALL, state.theme),
        KeyCode::Char('c') => state.copy = Some(Copied::Command),
        KeyCode::Char('C') => state.copy = Some(Copied::Line),
        _ => {}
    }
}

fn next<T: Copy + PartialEq>(all: &[T], now: T) -> T {
    let at = all.iter().position(|&one| one == now).unwrap_or_default();
    all[(at + 1) % all.len()]
}

fn back(state: &mut State) {
    if state.page != Page::List {
        state.page = Page::List;
    } else if state.frozen.is_some() {
        state.frozen = None;
    } else {
        state.filters.clear();
        state.filter_text.clear();
    }
}

fn step(state: &mut State, rows: isize) {
    let last = state.order.len().saturating_sub(1);
    state.place = state.place.saturating_add_signed(rows).min(last);
    state.selected = state.order.get(state.place).copied();
    state.has_chosen = true;
}

fn type_filter(state: &mut State, key: KeyCode) {
    let Some(text) = &mut state.typing else { return };
    match key {
        KeyCode::Char(c) => text.push(c),
        KeyCode::Backspace => {
            text.pop();
        }
        KeyCode::Esc => state.typing = None,
        KeyCode::Enter => match Word::parse_all(text) {
            Ok(filters) => {
                state.filters = filters;
                state.filter_text = state.typing.take().unwrap_or_default();
                (state.place, state.first, state.selected, state.has_chosen) = (0, 0, None, false);
            }
            Err(_) => state.is_filter_bad = true,
        },
        _ => {}
    }
    if key != KeyCode::Enter {
        state.is_filter_bad = false;
    }
}

fn freeze(state: &mut State, scene: &Watched<'_>) {
    if state.frozen.take().is_some() {
        return;
    }
    let window = Window::since(scene.began, scene.now, state.span_nanos());
    let mut shown: Vec<&LiveConnection> =
        picked(scene.connections(), &state.filters, |c| shown_limit(c, window)).collect();
    if shown.len() > MOST_FROZEN {
        shown.sort_by_cached_key(|c| std::cmp::Reverse((c.lost_in_all() * 1e9) as i64));
        shown.truncate(MOST_FROZEN);
    }
    state.frozen =
        Some(Frozen { began: scene.began, until: scene.now, connections: shown.into_iter().cloned().collect() });
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::live::SocketKey;
    use tcpwhy_watch::LiveHost;

    use super::*;

    fn press_all(state: &mut State, keys: &[KeyCode]) {
        for &key in keys {
            press(
                state,
                KeyEvent::from(key),
                &Watched {
                    host: &LiveHost::new(),
                    ended: &[],
                    is_past: false,
                    began: Timestamp::ZERO,
                    now: Timestamp::ZERO,
                },
            );
        }
    }

    fn letters(text: &str) -> Vec<KeyCode> {
        text.chars().map(KeyCode::Char).collect()
    }

    #[test]
    fn a_filter_is_typed_and_applied() {
        let mut state = State::default();
        press_all(&mut state, &letters("/port:44x"));
        press_all(&mut state, &[KeyCode::Enter]);
        assert!(state.is_filter_bad && state.typing.is_some() && !state.has_quit);
        press_all(&mut state, &[KeyCode::Backspace, KeyCode::Char('3'), KeyCode::Enter]);
        assert!(!state.is_filter_bad && state.typing.is_none());
        assert_eq!((state.filters.len(), state.filter_text.as_str()), (1, "port:443"));
        press_all(&mut state, &letters("/zz"));
        press_all(&mut state, &[KeyCode::Esc]);
        assert_eq!(state.filter_text, "port:443", "nothing was applied");
        press_all(&mut state, &[KeyCode::Esc]);
        assert!(state.filters.is_empty());
    }

    #[test]
    fn control_keys_edit_the_filter_and_type_nothing() {
        let mut state = State::default();
        press_all(&mut state, &letters("/port:443 process:x"));
        let mut control = |key: char| {
            let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
            let watched = Watched {
                host: &LiveHost::new(),
                ended: &[],
                is_past: false,
                began: Timestamp::ZERO,
                now: Timestamp::ZERO,
            };
            press(&mut state, key, &watched);
            state.typing.clone()
        };
        assert_eq!(control('w').as_deref(), Some("port:443 "));
        assert_eq!(control('k').as_deref(), Some("port:443 "));
        assert_eq!(control('u').as_deref(), Some(""));
        press_all(&mut state, &[KeyCode::Esc]);
        let key = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL);
        press(
            &mut state,
            key,
            &Watched {
                host: &LiveHost::new(),
                ended: &[],
                is_past: false,
                began: Timestamp::ZERO,
                now: Timestamp::ZERO,
            },
        );
        assert_eq!(state.sort, Sort::Lost, "Ctrl-S is not s");
    }

    #[test]
    fn ended_connections_are_a_list_of_their_own() {
        let mut state = State::default();
        press_all(&mut state, &letters("x"));
        assert!(state.shows_ended);
        press_all(&mut state, &letters("x"));
        assert!(!state.shows_ended);
    }

    #[test]
    fn keys_go_round() {
        let mut state = State::default();
        for _ in 0..5 {
            press_all(&mut state, &letters("sg"));
        }
        assert_eq!((state.sort, state.group), (Sort::Lost, Group::None));
        press_all(&mut state, &letters("t"));
        assert_eq!(state.span_seconds(), 10);
        press_all(&mut state, &letters("?"));
        assert_eq!(state.page, Page::Help);
        press_all(&mut state, &[KeyCode::Esc]);
        assert_eq!(state.page, Page::List);
        press_all(&mut state, &letters("e"));
        assert_eq!(state.page, Page::Events);
        press_all(&mut state, &letters("e"));
        assert_eq!(state.page, Page::List);
        press_all(&mut state, &letters("f"));
        assert!(state.frozen.is_some());
        press_all(&mut state, &letters("TcT"));
        assert_eq!((state.theme, state.copy), (Theme::Light, Some(Copied::Command)));
        press_all(&mut state, &letters("fq"));
        assert!(state.frozen.is_none() && state.has_quit);
    }

    #[test]
    fn the_selection_stays_among_the_rows() {
        let key = |cookie| SocketKey { namespace: 1, cookie };
        let mut state = State { order: vec![key(1), key(2)], ..State::default() };
        press_all(&mut state, &[KeyCode::Down, KeyCode::Down, KeyCode::PageDown]);
        assert_eq!((state.selected, state.has_chosen), (Some(key(2)), true));
        press_all(&mut state, &[KeyCode::Enter]);
        assert_eq!(state.page, Page::Detail);
        press_all(&mut state, &[KeyCode::Home]);
        assert_eq!(state.selected, Some(key(1)));
        state.order.clear();
        press_all(&mut state, &[KeyCode::End, KeyCode::Up]);
        assert_eq!(state.selected, None);
    }
}
