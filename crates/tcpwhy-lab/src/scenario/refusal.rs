//! Why a scenario is refused, and which line of its file says so.

use std::fmt;

use toml::de::{DeTable, DeValue};

/// A value that no run can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// From the outermost table to the key; elements of arrays by their index.
    path: Vec<String>,
    why: String,
}

/// Nothing, or why not.
pub(super) type Checked = Result<(), Refusal>;

impl Refusal {
    /// `key` has a value that is impossible; an empty one means the whole table.
    pub(super) fn of(key: &str, why: impl Into<String>) -> Self {
        let path = if key.is_empty() { Vec::new() } else { vec![key.to_owned()] };
        Self { path, why: why.into() }
    }

    /// The same, of a table within `table`.
    #[must_use]
    pub(super) fn within(mut self, table: &str) -> Self {
        self.path.insert(0, table.to_owned());
        self
    }

    /// The line of `text` that has the value, from 1 on; where it is left out, that of the innermost table that is there.
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
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.path.iter().enumerate() {
            match (step.bytes().all(|b| b.is_ascii_digit()), index) {
                (true, 1..) => write!(f, "[{step}]")?,
                (_, 0) => f.write_str(step)?,
                _ => write!(f, ".{step}")?,
            }
        }
        if !self.path.is_empty() {
            f.write_str(": ")?;
        }
        f.write_str(&self.why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "mtu = 1500\n[link]\nrtt = \"1ms\"\n[link.forward]\nrate = \"1bit\"\n[work.stream]\nphases = [\n  { bytes = \"1MB\" },\n  { bytes = \"0\" },\n]\n";

    #[test]
    fn the_line_of_a_key() {
        let refused =
            |path: &[&str]| path.iter().rev().fold(Refusal::of("", "no"), |refusal, step| refusal.within(step));
        for (path, line, shown) in [
            (&["mtu"][..], Some(1), "mtu: no"),
            (&["link", "rtt"], Some(3), "link.rtt: no"),
            (&["link", "forward", "rate"], Some(5), "link.forward.rate: no"),
            (&["work", "stream", "phases", "1", "bytes"], Some(9), "work.stream.phases[1].bytes: no"),
            (&["link", "queue"], Some(2), "link.queue: no"),
            (&["nothing"], None, "nothing: no"),
            (&[], None, "no"),
        ] {
            assert_eq!((refused(path).line(TEXT), refused(path).to_string().as_str()), (line, shown), "{path:?}");
        }
    }
}
