//! Reasons to refuse a scenario, with the line of its file.

use std::ops::Range;

use tcpwhy_model::Message;
use toml::de::{DeTable, DeValue};

/// A value that no run can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Keys from the outermost table to the value; elements of arrays by their index.
    path: Vec<String>,
    why: Message,
}

/// Success, or the refusal.
pub(super) type Checked = Result<(), Refusal>;

impl Refusal {
    /// Refuses the value of `key`; an empty key means the whole table.
    pub(super) fn of(key: &str, why: Message) -> Self {
        let path = if key.is_empty() { Vec::new() } else { vec![key.to_owned()] };
        Self { path, why }
    }

    /// The same refusal for a table within `table`.
    #[must_use]
    pub(super) fn within(mut self, table: &str) -> Self {
        self.path.insert(0, table.to_owned());
        self
    }

    /// The line of `text` that has the value, from 1 on. If the key is missing, the line of the innermost
    /// table that exists.
    pub(super) fn line(&self, text: &str) -> Option<usize> {
        let parsed = DeTable::parse(text).ok()?;
        let mut at = None;
        let mut value: Option<&DeValue<'_>> = None;
        for (depth, step) in self.path.iter().enumerate() {
            let next = match value {
                None if depth == 0 => parsed
                    .get_ref()
                    .iter()
                    .find(|(key, _)| key.get_ref() == step)
                    .map(|(key, value)| (key.span(), value)),
                Some(DeValue::Table(table)) => {
                    table.iter().find(|(key, _)| key.get_ref() == step).map(|(key, value)| (key.span(), value))
                }
                Some(DeValue::Array(array)) => {
                    let element = step.parse().ok().and_then(|index: usize| array.get(index));
                    element.map(|value| (value.span(), value))
                }
                _ => None,
            };
            let Some((span, inner)) = next else { break };
            at = Some(span.start);
            value = Some(inner.get_ref());
        }
        at.and_then(|at| text.get(..at)).map(|before| before.matches('\n').count() + 1)
    }
}

/// `link.rate: …`, `work.stream.phases[1].bytes: …`.
impl From<Refusal> for Message {
    fn from(refusal: Refusal) -> Self {
        if refusal.path.is_empty() {
            return refusal.why;
        }
        Self::new("at").with("place", shown(&refusal.path)).with("what", refusal.why)
    }
}

/// `work.stream.phases[1].bytes`.
fn shown(path: &[String]) -> String {
    let mut text = String::new();
    for (index, step) in path.iter().enumerate() {
        match (step.bytes().all(|b| b.is_ascii_digit()), index) {
            (true, 1..) => text.extend(["[", step, "]"]),
            (_, 0) => text.push_str(step),
            _ => text.extend([".", step]),
        }
    }
    text
}

/// Where in a file something stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// `link.rate`.
    pub(super) key: String,
    /// Whether it is the key itself, not its value.
    pub(super) is_key: bool,
}

/// The innermost key of `text` that `span` is part of; `None` for what belongs to no key, and where `text` is no TOML.
pub(super) fn place(text: &str, span: &Range<usize>) -> Option<Place> {
    let parsed = DeTable::parse(text).ok()?;
    let mut path = Vec::new();
    let is_key = descend(parsed.get_ref(), span, &mut path);
    (!path.is_empty()).then(|| Place { key: shown(&path), is_key })
}

/// Adds the keys on the way to `span` to `path`; whether it is the last of them itself.
fn descend(table: &DeTable<'_>, span: &Range<usize>, path: &mut Vec<String>) -> bool {
    for (key, value) in table {
        if holds(&key.span(), span) {
            path.push(key.get_ref().to_string());
            return true;
        }
        let length = path.len();
        path.push(key.get_ref().to_string());
        let is_key = descend_value(value.get_ref(), span, path);
        // Tables are looked into whatever their span, which is that of their heading.
        if path.len() > length + 1 || holds(&value.span(), span) {
            return is_key;
        }
        path.truncate(length);
    }
    false
}

fn descend_value(value: &DeValue<'_>, span: &Range<usize>, path: &mut Vec<String>) -> bool {
    match value {
        DeValue::Table(table) => descend(table, span, path),
        DeValue::Array(array) => {
            let around = array.iter().enumerate().find(|(_, value)| holds(&value.span(), span));
            around.is_some_and(|(index, value)| {
                path.push(index.to_string());
                descend_value(value.get_ref(), span, path)
            })
        }
        _ => false,
    }
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "mtu = 1500\n[link]\nrtt = \"1ms\"\n[link.forward]\nrate = \"1bit\"\n[work.stream]\nphases = [\n  { bytes = \"1MB\" },\n  { bytes = \"0\" },\n]\n";

    #[test]
    fn the_key_of_a_place() {
        let at = |words: &str| {
            let start = TEXT.find(words).unwrap();
            place(TEXT, &(start..start + words.len())).map(|place| (place.key, place.is_key))
        };
        let found = |key: &str, is_key| Some((key.to_owned(), is_key));
        assert_eq!(at("1500"), found("mtu", false));
        assert_eq!(at("mtu"), found("mtu", true));
        assert_eq!(at("\"1ms\""), found("link.rtt", false));
        assert_eq!(at("rate"), found("link.forward.rate", true));
        assert_eq!(at("\"1bit\""), found("link.forward.rate", false));
        assert_eq!(at("\"0\""), found("work.stream.phases[1].bytes", false));
        assert_eq!(at("mtu = 1500\n[link]"), None);
        assert_eq!(place("a = ", &(0..1)), None);
    }

    #[test]
    fn the_line_of_a_key() {
        let refused = |path: &[&str]| {
            path.iter().rev().fold(Refusal::of("", Message::new("no")), |refusal, step| refusal.within(step))
        };
        for (path, line, shown) in [
            (&["mtu"][..], Some(1), "mtu"),
            (&["link", "rtt"], Some(3), "link.rtt"),
            (&["link", "forward", "rate"], Some(5), "link.forward.rate"),
            (&["work", "stream", "phases", "1", "bytes"], Some(9), "work.stream.phases[1].bytes"),
            (&["link", "queue"], Some(2), "link.queue"),
            (&["nothing"], None, "nothing"),
            (&[], None, ""),
        ] {
            let refusal = refused(path);
            assert_eq!((refusal.line(TEXT), super::shown(&refusal.path).as_str()), (line, shown), "{path:?}");
        }
    }
}
