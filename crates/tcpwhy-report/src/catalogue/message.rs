use std::sync::OnceLock;

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Pattern};

/// A message, which is parsed when it is wanted first: a run uses a few dozen of more than a thousand.
pub(crate) struct Message {
    /// Its id and what follows, up to the next message.
    pub(crate) source: &'static str,
    /// English, for a language that has no words for it yet.
    pub(crate) stands_in: bool,
    parsed: OnceLock<FluentResource>,
}

impl Message {
    /// The same, for a language that has no words for it yet.
    pub(crate) fn standing_in(self) -> Self {
        Self { stands_in: true, ..self }
    }

    pub(crate) fn pattern(&self) -> Option<&Pattern<&str>> {
        // A syntax error loses that message only; the catalogue test reports it.
        let parse = || FluentResource::try_new(self.source.to_owned()).unwrap_or_else(|(partial, _)| partial);
        self.parsed.get_or_init(parse).entries().find_map(|entry| match entry {
            Entry::Message(message) => message.value.as_ref(),
            _ => None,
        })
    }
}

/// The messages of Fluent files, by id. One begins with its id at the beginning of a line and
/// goes on in lines that are indented or empty; none refers to another (a test sees to it).
pub(crate) fn messages(source: &'static str) -> impl Iterator<Item = (&'static str, Message)> {
    let mut rest = source;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let is_in_it = |at: &usize| matches!(rest.as_bytes().get(at + 1), Some(b' ' | b'\n' | b'\r' | b'}'));
            let end =
                rest.match_indices('\n').map(|(at, _)| at).find(|at| !is_in_it(at)).map_or(rest.len(), |at| at + 1);
            let (source, following) = rest.split_at(end);
            rest = following;
            let id = source.split([' ', '=']).next().unwrap_or_default();
            if id.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Some((id, Message { source, stands_in: false, parsed: OnceLock::new() }));
            }
        }
    })
}
