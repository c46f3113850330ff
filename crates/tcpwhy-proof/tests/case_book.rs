//! Checks the pages of the case book: only known cases may show an answer that is not expected.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Mark of an answer that is not the expected one.
const WRONG: char = '✗';

/// Cases whose page shows a wrong answer, with the reason. A case is removed when its page is right.
const KNOWN_GAPS: [(&str, &str); 11] = [
    ("accept-queue", "the fix looks into the application; the backlog is what to raise"),
    ("both-ends-write", "the first lines are about the other direction, which is as long"),
    ("bufferbloat", "the first fix is a faster line, not a shorter queue"),
    ("connection-per-request", "the first lines propose nothing"),
    ("heartbeats", "the first lines are about the answers"),
    ("idle-restart", "the fix is about the application, not about tcp_slow_start_after_idle"),
    ("idle-timeout", "at the receiver the fix is that of a new connection"),
    ("nagle-both-ends", "at the receiver the first lines are about the other direction, which is as long"),
    ("nagle-delack-nodelay", "the first lines are about the other direction"),
    ("port-reused", "the fix is about lost SYNs, not about the port"),
    (
        "request-unanswered",
        "the first lines are about the direction of the request; the recording is judged by that of the answers",
    ),
];

/// Wrong answers by the page's name without its language.
fn wrong_answers(pages: &[(String, String)]) -> BTreeMap<&str, Vec<&str>> {
    let mut wrong = BTreeMap::<&str, Vec<&str>>::new();
    for (file, text) in pages {
        let stem = file.strip_suffix(".md").unwrap_or(file);
        let case = stem.strip_suffix(".zh-CN").unwrap_or(stem);
        let lines = text.lines().map(str::trim).filter(|line| line.contains(WRONG));
        for line in lines {
            wrong.entry(case).or_default().push(line);
        }
    }
    wrong
}

/// Wrong answers that are not known, and known ones that are not wrong.
fn complaints(pages: &[(String, String)], known: &[(&str, &str)]) -> Vec<String> {
    let wrong = wrong_answers(pages);
    let is_known = |case: &str| known.iter().any(|(name, _)| *name == case);
    let new = wrong.iter().filter(|(case, _)| !is_known(case)).map(|(case, lines)| format!("{case}: {lines:?}"));
    let gone = known
        .iter()
        .filter(|(case, _)| !wrong.contains_key(case))
        .map(|(case, why)| format!("{case} is right now, and still a known gap: {why}"));
    new.chain(gone).collect()
}

fn page(file: &str, text: &str) -> (String, String) {
    (file.to_owned(), text.to_owned())
}

#[test]
fn pages_show_the_answers_that_are_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cases");
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            pages.push((file, fs::read_to_string(&path).unwrap()));
        }
    }
    let judged = pages.iter().filter(|(_, text)| text.contains(['✓', WRONG])).count();
    assert!(judged > 100, "{judged} pages in {} have answers that were judged", folder.display());
    assert_eq!(complaints(&pages, &KNOWN_GAPS), Vec::<String>::new());
}

#[test]
fn a_new_gap_and_one_that_is_gone_are_told() {
    let right = page("a.md", "✓ a\n  ✓ sender    path\n");
    let wrong = page("b.zh-CN.md", "✗ b\n  ✓ sender    path\n  ✗ receiver  path\n");
    let pages = [right, wrong];
    assert_eq!(complaints(&pages, &[("b", "why")]), Vec::<String>::new());
    assert_eq!(complaints(&pages, &[]).len(), 1);
    let gone = complaints(&pages, &[("a", "the path"), ("b", "why")]);
    assert_eq!(gone, ["a is right now, and still a known gap: the path"]);
}
