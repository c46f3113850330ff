//! Holds that each deciding number is in the table, with its source, and that no other file has a bare one.

use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that decide nothing by themselves: nothing, one, and nanoseconds of a second.
const ALLOWED: [&str; 5] = ["0", "1", "0.0", "1.0", "1e9"];
/// A formula as its author printed it.
const FORMULAS: [&str; 1] = ["shares.rs"];

/// Lines with a number that is neither allowed, nor a constant's, nor the length of an array. Comments, texts
/// and tests are left out.
fn bare_numbers(source: &str) -> Vec<(usize, String)> {
    let code = &source[..source.find("#[cfg(test)]").unwrap_or(source.len())];
    let (mut found, mut is_constant) = (Vec::new(), false);
    for (line, text) in code.lines().enumerate() {
        let text = text.split("//").next().unwrap_or_default();
        let text: String = text.split('"').step_by(2).collect();
        is_constant |= text.contains("const ") && !text.contains("const fn");
        let is_length = |number: &str| text.contains("; ") && text.contains(&format!("{number}]"));
        for number in numbers(&text) {
            if !is_constant && !ALLOWED.contains(&number.trim_end_matches("_u64")) && !is_length(number) {
                found.push((line + 1, number.to_owned()));
            }
        }
        is_constant &= !text.trim_end().ends_with(';');
    }
    found
}

/// Numbers of a line, but for those in names and the places of tuples.
fn numbers(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let begins = |&(at, c): &(usize, char)| {
        let before = text[..at].chars().next_back();
        c.is_ascii_digit() && !before.is_some_and(|c| is_word(c) || c == '.')
    };
    let end = |at: usize| {
        let rest = &text[at..];
        let is_fraction = |dot: usize| rest[dot..].starts_with('.') && !rest[dot..].starts_with("..");
        let length = rest.char_indices().find(|&(dot, c)| !(is_word(c) || c == '.' && is_fraction(dot)));
        length.map_or(rest, |(length, _)| &rest[..length])
    };
    text.char_indices().filter(begins).map(|(at, _)| end(at)).collect()
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "terms" && name != "tests" {
                sources(&path, into);
            }
        } else if !["terms.rs", "tests.rs", "tidy.rs", "thresholds.rs"].contains(&name.as_str()) {
            into.push(path);
        }
    }
}

#[test]
fn no_deciding_number_is_bare() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&folder, &mut paths);
    assert!(paths.len() > 10, "{paths:?}");
    let mut all = Vec::new();
    for path in paths.iter().filter(|path| !FORMULAS.iter().any(|name| path.ends_with(name))) {
        let found = bare_numbers(&fs::read_to_string(path).unwrap());
        let name = path.strip_prefix(&folder).unwrap_or(path).display();
        all.extend(found.into_iter().map(|(line, number)| format!("{name}:{line}: {number}")));
    }
    all.sort();
    assert!(all.is_empty(), "name these numbers in thresholds.rs:\n{}", all.join("\n"));
}

/// Each constant of the table has a comment with its source, or the reason for the choice.
#[test]
fn each_number_has_a_source() {
    let mut comment = String::new();
    for line in include_str!("../thresholds.rs").lines().map(str::trim) {
        match line.strip_prefix("/// ") {
            Some(text) => comment = format!("{comment} {text}"),
            None if line.starts_with("pub(crate) const ") && !line.contains(" fn ") => {
                assert!(comment.contains("Source: ") || comment.contains("Chosen: "), "{line}");
                comment.clear();
            }
            None => comment.clear(),
        }
    }
}

/// What the reader of sources must find, and what it must leave alone.
#[test]
fn bare_numbers_are_found() {
    let bare = |code: &str| bare_numbers(code).into_iter().map(|(_, number)| number).collect::<Vec<_>>();
    for (code, number) in [
        ("x < 3", "3"),
        ("2 * x", "2"),
        ("x * 0.5", "0.5"),
        ("x.max(10_000)", "10_000"),
        ("[x, 4]", "4"),
        ("(400..x)", "400"),
        ("x / 1e6", "1e6"),
        ("const fn f() -> u64 { 7 }", "7"),
        ("const X: u64 = 3;\nx < 5", "5"),
    ] {
        assert_eq!(bare(code), [number], "{code}");
    }
    for code in [
        "x < 0 && y > 1",
        "x.0 * y.1",
        "x2 + u32::MAX",
        "[x; 4]",
        "const X: u64 = 3 * y;",
        "const X: [u64; 2] = [\n    3,\n    4,\n];",
        "// x < 3",
        "\"x < 3\"",
        "x / 1e9",
        "x < 1;\n#[cfg(test)]\nmod tests { x < 3; }",
    ] {
        assert_eq!(bare(code), [""; 0], "{code}");
    }
}
