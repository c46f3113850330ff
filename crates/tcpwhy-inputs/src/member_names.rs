use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

/// Names of members so far. Only hashes are kept: two captures of one name would be one in tables.
#[derive(Debug, Default)]
pub(crate) struct MemberNames {
    /// How many members asked for a name.
    asked: HashMap<u64, u64>,
    hasher: RandomState,
}

impl MemberNames {
    /// `name`, or if another member has it `name#2`, `name#3` and so on.
    pub(crate) fn distinct(&mut self, name: &str) -> String {
        let mut distinct = name.to_owned();
        loop {
            let number = self.asked.get(&self.hasher.hash_one(name)).copied().unwrap_or(0) + 1;
            self.asked.insert(self.hasher.hash_one(name), number);
            if number > 1 {
                distinct = format!("{name}#{number}");
            }
            // A member may be called so itself.
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
