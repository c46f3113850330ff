use std::sync::OnceLock;

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Pattern};

/// A message. It is parsed on first use: a run uses a few dozen of more than a thousand.
pub(crate) struct Message {
    /// Text from its id up to the next message.
    pub(crate) source: &'static str,
    /// Whether it is English, in a language that does not have this message yet.
    pub(crate) stands_in: bool,
    parsed: OnceLock<FluentResource>,
}

impl Message {
    /// Marks the message as English, in a language that does not have it yet.
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

/// The messages of Fluent files, by id. A message begins with its id at the start of a line and continues in
/// indented or empty lines. No message refers to another; a test ensures that.
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
