//! Test that this crate makes no decisions: its sources have no id of a rule, no threshold and no order by
//! weight.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tcpwhy_analysis::RULES;

/// Files and folders (by the beginning of their path) whose numbers only affect the layout, and what these
/// are.
const LAYOUT: &[(&str, &str)] = &[
    ("assistant/connection.rs live/detail.rs text/compare.rs text/lab/", "the least share that has a row"),
    ("assistant/audit.rs names.rs", "bytes and columns of a word"),
    ("clock.rs json.rs dto/written_fixes.rs", "bytes that are read, written or kept together"),
    ("live/table.rs text/answer/ends.rs text/page.rs", "columns"),
    ("markdown/", "lines of a ticket"),
    ("metrics/histogram.rs", "bounds of buckets"),
    ("text/bars.rs text/buffers.rs text/exchanges.rs", "the shortest bar, and orders of magnitude of a bar"),
    ("units dto/exchanges.rs buffers/svg", "digits, nanoseconds of a second, pixels"),
];
/// Files that sort, and their order.
const SORTED: &[(&str, &str)] = &[
    ("assistant/connection.rs", "intervals by time"),
    ("buffers/mod.rs", "computed sizes of buffers, without a connection"),
    ("text/strip.rs", "the limit that fills a cell"),
    ("palette.rs", "colours by distance"),
    ("text/collection.rs", "sentences by how many captures begin with them"),
    ("text/compare.rs", "rows of one limit together"),
    ("text/overview.rs", "connections by the Rank of the analysis"),
];

fn places<'a>(of: &[(&'a str, &str)]) -> impl Iterator<Item = &'a str> {
    of.iter().flat_map(|(places, _)| places.split(' '))
}

/// The lines of code before the tests, with their numbers.
fn code(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = source.find("#[cfg(test)]\nmod tests {").unwrap_or(source.len());
    let lines = source[..end].lines().enumerate();
    lines.map(|(at, line)| (at + 1, line.split("//").next().unwrap_or_default()))
}

/// Name and type of the constant that a line defines.
fn constant(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once("const ")?.1.split_once(": ")?;
    Some((name, rest.trim_start_matches(['&', '['])))
}

fn has_rule(line: &str) -> bool {
    line.split('"').skip(1).step_by(2).any(|text| RULES.iter().any(|rule| rule.id == text))
}

/// Whether a line defines a fractional constant, or compares with one of `constants`.
fn has_threshold(line: &str, constants: &BTreeSet<String>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_named = |word: &str| word.split(|c| !is_part(c)).any(|name| constants.contains(name));
    // A comparison that continues from the previous line begins with its operator.
    let words: Vec<_> = std::iter::once("").chain(line.split_whitespace()).collect();
    let compares = |of: &[&str]| ["<", ">", "<=", ">="].contains(&of[1]) && (is_named(of[0]) || is_named(of[2]));
    constant(line).is_some_and(|(_, of)| of.starts_with('f')) || words.windows(3).any(compares)
}

/// Whether a line calls a function that orders by a key or a comparison.
fn has_order(line: &str) -> bool {
    let mut calls = line.split('.').skip(1).filter_map(|call| call.split(['(', ':']).next());
    calls.any(|call| ["sort", "max_by", "min_by"].iter().any(|order| call.starts_with(order) && call.contains("_by")))
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, into);
        } else if !["tests.rs", "terms.rs", "testing.rs", "tidy.rs"].iter().any(|name| path.ends_with(name)) {
            into.push(path);
        }
    }
}

#[test]
fn this_crate_decides_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    let files: Vec<_> = paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect();
    let all = files.iter().flat_map(|(_, source)| code(source)).filter_map(|(_, line)| constant(line));
    let numbers = all.filter(|(_, of)| of.starts_with(['u', 'i', 'f']));
    let constants: BTreeSet<_> = numbers.map(|(name, _)| name.to_owned()).collect();
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for (name, (at, text)) in files.iter().flat_map(|(name, source)| code(source).map(move |line| (name, line))) {
        let of_line = [
            (has_rule(text), "id of a rule", [].as_slice()),
            (has_threshold(text, &constants), "threshold", LAYOUT),
            (has_order(text), "order", SORTED),
        ];
        for (_, what, allowed) in of_line.into_iter().filter(|(is_found, ..)| *is_found) {
            match places(allowed).find(|place| name.starts_with(place)) {
                Some(place) => drop(used.insert((what, place))),
                None => found.push(format!("{name}:{at}: {what}: {}", text.trim())),
            }
        }
    }
    assert!(found.is_empty(), "these decide; move them into tcpwhy-analysis or tcpwhy-watch:\n{}", found.join("\n"));
    assert_eq!(used.len(), places(LAYOUT).chain(places(SORTED)).count(), "these are still needed: {used:?}");
}

#[test]
fn planted_decisions_are_found() {
    let constants = BTreeSet::from(["MOST".to_owned()]);
    let rule = format!("if id == \"{}\" {{", RULES[0].id);
    assert!(has_rule(&rule) && !has_rule("word(\"heading\")"));
    let thresholds = "const X: f64 = 0.5;|const X: [f64; 1] = [0.5];|if x.len() > Self::MOST {|MOST <= x|>= MOST";
    assert!(thresholds.split('|').all(|line| has_threshold(line, &constants)));
    let others = "const MOST: usize = 5;|x.take(MOST)|x > y|Vec<MOST>";
    assert!(!others.split('|').any(|line| has_threshold(line, &constants)));
    assert!("x.sort_by_key(f)|x.max_by(f)|.min_by_key::<i64>(f)|x.sort_unstable_by(f)".split('|').all(has_order));
    assert!(!has_order("x.sort()") && !has_order("x.max(y)"));
    let lines: Vec<_> = code("a // b\n#[cfg(test)]\nmod tests {\nc").collect();
    assert_eq!(lines, [(1, "a ")]);
}
