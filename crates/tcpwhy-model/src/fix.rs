//! Something to change, or to look at next.

use crate::{FixEnds, FixKind, FixLine, FixPlace, Readiness};

/// Something to change. The prose is in the message catalogues under `fix-ID`; the lines are code or
/// configuration, the same in every language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    /// Message id in kebab-case.
    pub id: &'static str,
    /// Where the change is made.
    pub place: FixPlace,
    /// Exact lines, each with what it belongs to in a trailing comment.
    pub lines: Vec<FixLine>,
    /// Whether it changes something, and on what condition.
    pub kind: FixKind,
    /// It removes another cause than the fix before it, and the packets do not show which of the two it is.
    pub is_rival: bool,
}

impl Fix {
    /// One that stands for itself.
    pub const fn new(id: &'static str, place: FixPlace, lines: Vec<FixLine>) -> Self {
        Self { id, place, lines, kind: FixKind::Change, is_rival: false }
    }

    /// The same beside the fix before it, as the packets do not show which of them removes the cause.
    #[must_use]
    pub const fn as_rival(mut self) -> Self {
        self.is_rival = true;
        self
    }

    /// How ready it is for the connection between `ends`. A rival is right only if the fix before it is not.
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

    /// The placeholders that its lines have for the connection between `ends`, each once.
    pub fn missing(&self, ends: Option<&FixEnds>) -> Vec<&'static str> {
        let mut names = Vec::new();
        for name in self.lines.iter().flat_map(|line| line.code.missing(ends)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Whether its lines differ by connection.
    pub fn has_values(&self) -> bool {
        self.lines.iter().any(|line| line.code.has_values())
    }

    /// Right only if something holds that packets do not show.
    #[must_use]
    pub const fn conditional(mut self) -> Self {
        self.kind = FixKind::Conditional;
        self
    }

    /// It changes nothing: the next thing to look at.
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
