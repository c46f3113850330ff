//! Commands in the documents print the shown output. Every block of README and docs/ that begins with
//! `$ tcpwhy` is run again, in both languages.
//!
//! A line `…` stands for any number of lines. Filters of `jq` are run if it is installed (`scripts/test`
//! installs it). Output that depends on a host (`live`, `lab`) cannot be repeated. Its block has a comment
//! before it, `<!-- recorded: why -->`. `UPDATE_EXPECT=1` writes the blocks.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use support::tcpwhy;

/// Marks omitted lines.
const ELLIPSIS: &str = "…";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// README and docs/, without the case book, whose pages show one run of the lab.
fn documents() -> Vec<PathBuf> {
    let in_folder = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = in_folder(root()).chain(in_folder(root().join("docs"))).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    paths.sort();
    paths
}

/// A code block of a document, without its fences.
struct Block {
    lines: Range<usize>,
    /// Whether the comment before it marks it as recorded.
    is_recorded: bool,
}

fn blocks(lines: &[String]) -> Vec<Block> {
    let mut blocks = Vec::new();
    // A fence around Markdown is longer than the fences inside.
    let fence = |line: &str| line.len() - line.trim_start_matches('`').len();
    let mut open: Option<(usize, usize)> = None;
    for (number, line) in lines.iter().enumerate() {
        match open {
            None if fence(line) >= 3 => open = Some((number, fence(line))),
            Some((first, length)) if fence(line) >= length => {
                open = None;
                if &lines[first][length..] == "console" {
                    let before = lines[..first].iter().rev().find(|line| !line.is_empty());
                    let is_recorded = before.is_some_and(|line| line.starts_with("<!-- recorded: "));
                    blocks.push(Block { lines: first + 1..number, is_recorded });
                }
            }
            _ => {}
        }
    }
    blocks
}

/// Splits a command line into words like a shell, for simple cases.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for sign in command.chars() {
        match quote {
            Some(end) if sign == end => quote = None,
            None if sign == '\'' || sign == '"' => quote = Some(sign),
            None if sign == ' ' => words.push(String::new()),
            _ => words.last_mut().unwrap().push(sign),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The output of `tcpwhy ARGS…` or `tcpwhy ARGS… | jq ARGS…`; `None` if `jq` is not installed.
fn output(command: &str) -> Option<Vec<String>> {
    let words = words(command);
    let (program, filter) = words.split_at(words.iter().position(|word| word == "|").unwrap_or(words.len()));
    assert_eq!(program[0], "tcpwhy", "{command}");
    let mut output = tcpwhy().current_dir(root()).args(&program[1..]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    if let Some(filter) = filter.get(1..) {
        assert_eq!(filter[0], "jq", "{command}");
        std::process::Command::new("jq").arg("--version").output().ok()?;
        output = assert_cmd::Command::new("jq").args(&filter[1..]).write_stdin(output.stdout).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// The parts of a block between its ellipses.
fn pieces(shown: &[String]) -> Vec<&[String]> {
    shown.split(|line| line.trim() == ELLIPSIS).collect()
}

/// The first part of `shown` that is not in `printed` at the expected position.
fn missing<'a>(shown: &'a [String], printed: &[String]) -> Option<&'a [String]> {
    let pieces = pieces(shown);
    let mut rest = printed;
    for (number, piece) in pieces.iter().enumerate() {
        let is_last = number + 1 == pieces.len();
        let found = match number {
            0 => rest.starts_with(piece).then_some(0),
            _ if is_last => rest.len().checked_sub(piece.len()).filter(|&at| rest[at..] == **piece),
            _ => rest.windows(piece.len().max(1)).position(|lines| lines == *piece),
        };
        match found {
            Some(at) if !is_last || at + piece.len() == rest.len() || number > 0 => rest = &rest[at + piece.len()..],
            _ => return Some(piece),
        }
    }
    None
}

/// `shown` with current output. Each part keeps its length and begins at its first line.
fn renewed(shown: &[String], printed: &[String]) -> Vec<String> {
    let pieces = pieces(shown);
    if pieces.len() == 1 {
        return printed.to_vec();
    }
    let mut ellipses = shown.iter().filter(|line| line.trim() == ELLIPSIS);
    let mut new = Vec::new();
    let mut at = 0;
    for (number, piece) in pieces.iter().enumerate() {
        if number > 0 {
            new.extend(ellipses.next().cloned());
            let first = piece.first();
            at += printed[at..].iter().position(|line| Some(line) == first).unwrap_or(0);
        }
        let is_rest = number + 1 == pieces.len() && !piece.is_empty();
        let end = if is_rest { printed.len() } else { (at + piece.len()).min(printed.len()) };
        new.extend_from_slice(&printed[at..end]);
        at = end;
    }
    new
}

#[test]
fn blocks_are_what_is_printed() {
    let is_renewing = std::env::var_os("UPDATE_EXPECT").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Blocks are replaced from the end, so that line numbers of earlier ones stay valid.
        for block in blocks(&lines).into_iter().rev() {
            let place = format!("{}:{}", path.display(), block.lines.start);
            let Some(command) = lines[block.lines.start].strip_prefix("$ tcpwhy").map(|rest| format!("tcpwhy{rest}"))
            else {
                assert!(block.is_recorded, "{place}: a block begins with `$ tcpwhy`, or says why it was recorded");
                continue;
            };
            if block.is_recorded {
                continue;
            }
            let shown = lines[block.lines.start + 1..block.lines.end].to_vec();
            let Some(printed) = output(&command) else { continue };
            count += 1;
            if let Some(piece) = missing(&shown, &printed) {
                if is_renewing {
                    let new = renewed(&shown, &printed);
                    assert!(missing(&new, &printed).is_none(), "{place}: renew this block by hand");
                    lines.splice(block.lines.start + 1..block.lines.end, new);
                } else {
                    wrong.push(format!(
                        "{place}: `{command}` does not print\n{}\nbut\n{}",
                        piece.join("\n"),
                        printed.join("\n")
                    ));
                }
            }
        }
        if is_renewing {
            let mut new = lines.join("\n");
            new.push('\n');
            if new != text {
                fs::write(&path, new).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n`UPDATE_EXPECT=1` writes them anew", wrong.join("\n\n"));
    assert!(count >= 10, "{count} blocks");
}

#[test]
fn both_languages_show_the_same() {
    let of = |path: &Path| {
        let lines: Vec<String> = fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect();
        let blocks = blocks(&lines);
        blocks.iter().map(|block| lines[block.lines.start].replace(" --lang zh-CN", "")).collect::<Vec<_>>()
    };
    let mut pairs = 0;
    for path in documents() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".zh-CN.md") else { continue };
        let english = path.with_file_name(format!("{stem}.md"));
        assert!(english.exists(), "{name} has no English");
        assert_eq!(of(&path), of(&english), "{name} and its English show the same commands");
        pairs += 1;
    }
    let folder = root().join("docs");
    let is_of_docs = |path: &&PathBuf| path.parent() == Some(&folder);
    let english =
        documents().iter().filter(is_of_docs).filter(|path| !path.to_string_lossy().contains(".zh-CN.")).count();
    assert_eq!(pairs, english + 1, "every page of docs/, and README, has its Chinese");
}

/// Limits the length, because readers do not finish a long README.
#[test]
fn the_readmes_are_short() {
    for name in ["README.md", "README.zh-CN.md"] {
        let lines = fs::read_to_string(root().join(name)).unwrap().lines().count();
        assert!(lines <= 80, "{name} has {lines} lines");
    }
}

#[test]
fn pieces_of_output_are_found() {
    let lines = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("a b c d e");
    for shown in ["a b c d e", "a …", "a b … d …", "a … e", "… b …"] {
        assert_eq!(missing(&lines(shown), &printed), None, "{shown}");
        assert_eq!(renewed(&lines(shown), &printed), lines(shown), "{shown}");
    }
    for shown in ["a b", "b …", "a … d", "a c …", "a b c d e f"] {
        assert!(missing(&lines(shown), &printed).is_some(), "{shown}");
    }
    assert_eq!(renewed(&lines("a x … d …"), &printed), lines("a b … d …"));
    assert_eq!(words("tcpwhy -q 'a b' c"), ["tcpwhy", "-q", "a b", "c"]);
}
