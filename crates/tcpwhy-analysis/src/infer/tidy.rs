//! Tests that facts name no cause. Code that records observations must not depend on conclusions from them.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules and types of causes and conclusions. No file in `facts/` may name one.
const FORBIDDEN: &[&str] =
    &["infer", "diagnosis", "Cause", "Detail", "Limit", "LimitTimeline", "TimelineBuilder", "Reason", "Why"];

/// All Rust sources below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

/// Forbidden names in `line`, except those in its comment.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| FORBIDDEN.contains(word))
}

#[test]
fn facts_name_no_cause() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/facts");
    let all = sources(&folder);
    assert!(all.len() > 30, "the facts are in {}", folder.display());
    let mut found = Vec::new();
    for path in all {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            found.extend(named(line).map(|name| format!("{}:{number}: {name}", path.display())));
        }
    }
    assert!(found.is_empty(), "facts name what is inferred:\n{}", found.join("\n"));
}

#[test]
fn names_are_found_in_code_alone() {
    let names = |line| named(line).collect::<Vec<_>>();
    assert_eq!(names("use crate::infer::account::Account;"), ["infer"]);
    assert_eq!(names("use tcpwhy_model::{LimitTimeline, Limit};"), ["LimitTimeline", "Limit"]);
    assert_eq!(names("let limits = Self::MSS_Limit; // as Limit has it"), Vec::<&str>::new());
}
