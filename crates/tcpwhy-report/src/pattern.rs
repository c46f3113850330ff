//! Sentences with places to be filled, which are recognised in one language and said in another.

/// A text in which each `{}` stands for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<'a>(pub &'a str);

const PLACE: &str = "{}";

impl Pattern<'_> {
    /// What stands in `text` where this has its places; `None` if `text` is no such text. Each part is as short as can be, but for
    /// the last one.
    pub fn parts(self, text: &str) -> Option<Vec<&str>> {
        let mut pieces: Vec<&str> = self.0.split(PLACE).collect();
        let last = pieces.pop()?;
        let Some((first, middle)) = pieces.split_first() else { return (text == last).then(Vec::new) };
        let mut rest = text.strip_prefix(first)?.strip_suffix(last)?;
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in middle {
            let (part, after) = rest.split_once(piece)?;
            parts.push(part);
            rest = after;
        }
        parts.push(rest);
        Some(parts)
    }

    /// This with `parts` in its places, one after the other; what is in them is no place.
    pub fn fill(self, parts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        let mut pieces = self.0.split(PLACE);
        let mut text = pieces.next().unwrap_or_default().to_owned();
        let mut parts = parts.into_iter();
        for piece in pieces {
            match parts.next() {
                Some(part) => text.push_str(part.as_ref()),
                None => text.push_str(PLACE),
            }
            text.push_str(piece);
        }
        text
    }

    /// How many places there are.
    pub fn places(self) -> usize {
        self.0.matches(PLACE).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_text() {
        let parts = |pattern, text: &'static str| Pattern(pattern).parts(text);
        assert_eq!(parts("was {}; {} does not matter", "was 4; x does not matter"), Some(vec!["4", "x"]));
        assert_eq!(parts("was {}", "was 4; x"), Some(vec!["4; x"]));
        assert_eq!(parts("cannot open {}", "cannot open {}"), Some(vec!["{}"]));
        assert_eq!(parts("{} is not in {}", " is not in 1..=5"), Some(vec!["", "1..=5"]));
        assert_eq!(parts("{} there; {}.", "a there; b there; c.."), Some(vec!["a", "b there; c."]));
        assert_eq!(parts("{}: no", "a: no: no"), Some(vec!["a: no"]));
        assert_eq!(parts("the same", "the same"), Some(vec![]));
        for (pattern, text) in [("a {} c", "a c"), ("aba{}aba", "aba"), ("the same", "the same?"), ("{} c", "a b")] {
            assert_eq!(parts(pattern, text), None, "{pattern}: {text}");
        }
    }

    /// What is filled in may look like a place.
    #[test]
    fn places_are_filled_in_order() {
        assert_eq!(Pattern("{} of {}").fill(["{}", "b"]), "{} of b");
        assert_eq!(Pattern("{}{}").fill(["a{}", "{}b"]), "a{}{}b");
        assert_eq!(Pattern("{} of {}").fill(["a"]), "a of {}");
        assert_eq!(Pattern("none").fill(["a"]), "none");
        assert_eq!(Pattern("{} of {}").places(), 2);
    }
}
