//! A change to make, or a measurement to take next.

use crate::{FixEnds, FixKind, FixLine, FixPlace, Readiness};

/// A change to make. Its prose is in the message catalogues under `fix-ID`; its lines are code or
/// configuration, the same in every language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// Message id in kebab-case.
    pub id: &'static str,
    /// Where the change is made.
    pub place: FixPlace,
    /// Exact lines, each with a trailing comment that names its context.
    pub lines: Vec<FixLine>,
    /// Whether it changes something, and on what condition.
    pub kind: FixKind,
    /// Whether it removes another cause than the fix before it. The packets do not show which of the two
    /// causes it is.
    pub is_rival: bool,
}

impl Fix {
    /// A fix without a rival.
    pub const fn new(id: &'static str, place: FixPlace, lines: Vec<FixLine>) -> Self {
        Self { id, place, lines, kind: FixKind::Change, is_rival: false }
    }

    /// The same fix as a rival of the fix before it: the packets do not show which of the two removes the
    /// cause.
    #[must_use]
    pub const fn as_rival(mut self) -> Self {
        self.is_rival = true;
        self
    }

    /// Readiness for the connection between `ends`. A rival is right only if the fix before it is not.
    pub fn readiness(&self, ends: Option<&FixEnds>) -> Readiness {
        match self.kind {
            FixKind::Measure => Readiness::Measure,
            FixKind::Conditional => Readiness::Conditional,
            FixKind::Change if self.is_rival => Readiness::Conditional,
            FixKind::Change if self.lines.iter().any(|line| line.code.missing(ends).next().is_some()) => {
                Readiness::Placeholders
            }
            FixKind::Change => Readiness::Ready,
        }
    }

    /// Placeholders left in its lines for the connection between `ends`, each once.
    pub fn missing(&self, ends: Option<&FixEnds>) -> Vec<&'static str> {
        let mut names = Vec::new();
        for name in self.lines.iter().flat_map(|line| line.code.missing(ends)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Whether its lines contain values of the connection.
    pub fn has_values(&self) -> bool {
        self.lines.iter().any(|line| line.code.has_values())
    }

    /// The same fix, marked as right only under a condition that packets do not show.
    #[must_use]
    pub const fn conditional(mut self) -> Self {
        self.kind = FixKind::Conditional;
        self
    }

    /// The same entry, marked as a measurement that changes nothing.
    #[must_use]
    pub const fn measure(mut self) -> Self {
        self.kind = FixKind::Measure;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodePart, Endpoint, Hole};

    #[test]
    fn each_kind_of_fix_is_as_ready_as_its_lines() {
        let end = |port| Endpoint { address: [192, 0, 2, 7].into(), port };
        let ends = FixEnds { sender: end(1), receiver: end(2), is_sender_server: false };
        let value = FixLine::from(vec![CodePart::Value(Hole::Peer)]);
        let blank = FixLine::from(vec![CodePart::Blank("RATE"), CodePart::Blank("RATE")]);
        let fix = |line: &FixLine| Fix::new("some-fix", FixPlace::Network, vec!["ss -s".into(), line.clone()]);
        assert_eq!(fix(&value).readiness(Some(&ends)), Readiness::Ready);
        assert_eq!(fix(&value).readiness(None), Readiness::Placeholders);
        assert_eq!(fix(&value).missing(None), ["PEER"]);
        assert_eq!(fix(&blank).readiness(Some(&ends)), Readiness::Placeholders);
        assert_eq!(fix(&blank).missing(Some(&ends)), ["RATE"]);
        assert_eq!(fix(&value).as_rival().readiness(Some(&ends)), Readiness::Conditional);
        assert_eq!(fix(&blank).conditional().readiness(None), Readiness::Conditional);
        assert_eq!(fix(&blank).measure().as_rival().readiness(None), Readiness::Measure);
        assert!(fix(&value).has_values() && !fix(&blank).has_values());
    }
}
