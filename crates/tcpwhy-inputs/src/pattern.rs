use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use glob::MatchOptions;

/// Names are compared case-sensitively. Hidden files are excluded elsewhere.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// A path that contains `*`, `?`, `[…]` or `**`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// The folder before the first component with a wildcard.
    pub(crate) root: PathBuf,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    /// `**`: any number of folders.
    AnyFolders,
    /// A name, possibly with wildcards.
    Name(glob::Pattern),
}

/// Indices of the components that may match next, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached(Vec<usize>);

impl Pattern {
    /// The pattern in `typed`; `None` if that has no wildcards.
    pub(crate) fn of(typed: &Path) -> Option<Self> {
        let components: Vec<_> = typed.components().collect();
        let is_pattern = |part: &Component<'_>| match part {
            Component::Normal(name) => name.as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte)),
            _ => false,
        };
        let first = components.iter().position(is_pattern)?;
        let (above, below) = components.split_at_checked(first)?;
        let part = |part: &Component<'_>| {
            let text = part.as_os_str().to_str()?;
            Some(if text == "**" { Part::AnyFolders } else { Part::Name(glob::Pattern::new(text).ok()?) })
        };
        let root: PathBuf = above.iter().collect();
        let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
        Some(Self { root, parts: below.iter().map(part).collect::<Option<_>>()? })
    }

    /// State at the root.
    pub(crate) fn begin(&self) -> Reached {
        self.closed(vec![0])
    }

    /// State at `name` in a folder with the state `reached`.
    pub(crate) fn step(&self, reached: &Reached, name: &OsStr) -> Reached {
        let Some(name) = name.to_str() else { return Reached::default() };
        let next = reached.0.iter().filter_map(|&index| match self.parts.get(index)? {
            Part::AnyFolders => Some(index),
            Part::Name(pattern) => pattern.matches_with(name, OPTIONS).then_some(index + 1),
        });
        self.closed(next.collect())
    }

    /// Whether a path with this state matches. A final `**` matches all files.
    pub(crate) fn is_met(&self, reached: &Reached) -> bool {
        reached.0.contains(&self.parts.len())
    }

    /// Whether a path below a folder with this state can match.
    pub(crate) fn may_go_on(&self, reached: &Reached) -> bool {
        reached.0.iter().any(|&index| index < self.parts.len())
    }

    /// Adds the states in which `**` matches no folder.
    fn closed(&self, mut reached: Vec<usize>) -> Reached {
        let mut n = 0;
        while let Some(&index) = reached.get(n) {
            if matches!(self.parts.get(index), Some(Part::AnyFolders)) {
                reached.push(index + 1);
            }
            n += 1;
        }
        reached.sort_unstable();
        reached.dedup();
        Reached(reached)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meets(pattern: &str, path: &str) -> bool {
        let pattern = Pattern::of(Path::new(pattern)).unwrap();
        let mut reached = pattern.begin();
        for name in path.split('/') {
            reached = pattern.step(&reached, OsStr::new(name));
        }
        pattern.is_met(&reached)
    }

    #[test]
    fn patterns_mean_what_they_mean_in_a_shell() {
        for (pattern, path, is_met) in [
            ("*.pcap", "a.pcap", true),
            ("*.pcap", "a.pcapng", false),
            ("*.pcap", "b/a.pcap", false),
            ("?/[a-c].*", "x/b.gz", true),
            ("?/[a-c].*", "x/d.gz", false),
            ("**/*.gz", "a.gz", true),
            ("**/*.gz", "a/b/c.gz", true),
            ("x*/**/c.gz", "x1/c.gz", true),
            ("x*/**/c.gz", "y/c.gz", false),
            ("**", "a/b", true),
            ("*/**/**/c", "a/b/c", true),
            ("*", ".hidden", false),
        ] {
            assert_eq!(meets(pattern, path), is_met, "{pattern} {path}");
        }
    }

    #[test]
    fn the_root_is_what_stands_before() {
        let root = |text: &str| Pattern::of(Path::new(text)).map(|pattern| pattern.root);
        assert_eq!(root("/data/x/*.pcap"), Some("/data/x".into()));
        assert_eq!(root("*.pcap"), Some(".".into()));
        assert_eq!(root("../a?/b"), Some("..".into()));
        assert_eq!(root("a.pcap"), None);
    }
}
