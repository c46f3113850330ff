use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

/// Makes the names of members distinct, because tables identify captures by name. Only hashes are kept, to
/// save memory.
#[derive(Debug, Default)]
pub(crate) struct MemberNames {
    /// Number of members per hash of a name.
    asked: HashMap<u64, u64>,
    hasher: RandomState,
}

impl MemberNames {
    /// `name`, or `name#2`, `name#3` and so on if other members have it.
    pub(crate) fn distinct(&mut self, name: &str) -> String {
        let mut distinct = name.to_owned();
        loop {
            let number = self.asked.get(&self.hasher.hash_one(name)).copied().unwrap_or(0) + 1;
            self.asked.insert(self.hasher.hash_one(name), number);
            if number > 1 {
                distinct = format!("{name}#{number}");
            }
            // Another member may already have the numbered name.
            if number == 1 || *self.asked.entry(self.hasher.hash_one(&distinct)).or_insert(0) == 0 {
                self.asked.insert(self.hasher.hash_one(&distinct), 1);
                return distinct;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names = MemberNames::default();
        let given = ["a", "a", "a#2", "a", "a#3", "a#2", "b", "a#2#2", "a"].map(|name| names.distinct(name));
        assert_eq!(given, ["a", "a#2", "a#2#2", "a#3", "a#3#2", "a#2#3", "b", "a#2#2#2", "a#4"]);
    }

    #[test]
    fn a_hundred_thousand_of_one_name_take_no_time() {
        let mut names = MemberNames::default();
        let last = (0..100_000).map(|_| names.distinct("a")).last();
        assert_eq!(last.as_deref(), Some("a#100000"));
    }
}
