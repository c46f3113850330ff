//! Every output has the same answer about a capture. Tests the bundled samples, a capture of many
//! connections, and the captures in the folders of `TCPWHY_CAPTURES`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "some captures are for other tests")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{capture, many, tcpwhy};
use tcpwhy_engine::Explain;
use tcpwhy_report::assistant::{CaptureAnswer, PacketRanges, Page};
use tcpwhy_report::text::Overview;
use tcpwhy_report::{Catalogue, Language, Wording};

/// The answer of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Said {
    head: String,
    why: String,
    fix: Option<String>,
    but: Option<String>,
}

fn captures() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")];
    folders.extend(std::env::var_os("TCPWHY_CAPTURES").iter().flat_map(std::env::split_paths));
    let mut all = vec![capture("one-answer-many.pcapng", &many())];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let is_capture =
                [".pcap", ".pcapng", ".gz", ".zst", ".cap"].iter().any(|end| path.to_string_lossy().ends_with(end));
            match path.is_dir() {
                true => folders.push(path),
                false if is_capture => all.push(path),
                false => {}
            }
        }
    }
    all
}

fn printed(path: &Path, args: &[&str]) -> String {
    let output = tcpwhy().args(args).args(["--lang", "en"]).arg(path).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The answer on a terminal wide enough for every wording.
fn terminal(path: &Path) -> Said {
    let text = printed(path, &["-q", "--width", "1000"]);
    let mut lines = text.lines();
    let mut said = Said { head: lines.next().unwrap_or_default().to_owned(), ..Said::default() };
    for line in lines {
        match line.split_once("  ") {
            Some(("WHY", why)) => why.clone_into(&mut said.why),
            Some(("FIX", fix)) => said.fix = Some(fix.to_owned()),
            Some(("BUT", but)) => said.but = Some(but.to_owned()),
            _ => panic!("{}: {line}", path.display()),
        }
    }
    said
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn json(answer: &Value) -> Said {
    Said {
        head: text(&answer["sentence"]).unwrap_or_default(),
        why: text(&answer["why"]).unwrap_or_default(),
        fix: text(&answer["fix"]),
        but: text(&answer["but"]),
    }
}

/// The answer of `--jsonl`, and that of the document.
fn documents(path: &Path) -> (Value, Value) {
    let document: Value = serde_json::from_str(&printed(path, &["--json", "--quiet"])).unwrap();
    let lines = printed(path, &["--jsonl", "--quiet"]);
    let mut records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let last = records.rfind(|record| record["type"] == "answer").unwrap();
    (document, last["data"].clone())
}

/// Removes escapes of Markdown, and separates columns like a list.
fn plain(markdown: &str) -> String {
    markdown.replace('\\', "").replace("**", "").replace('`', "").replace("&gt;", ">").replace("&lt;", "<")
}

#[test]
fn every_output_says_the_same() {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    for path in captures() {
        let name = path.display();
        let said = terminal(&path);
        let (document, line) = documents(&path);
        let answer = &document["answer"];
        assert_eq!(json(answer), said, "{name}: JSON");
        assert_eq!(*answer, line, "{name}: JSON lines");

        let markdown = plain(&printed(&path, &["--format", "markdown"]));
        for line in [Some(&said.why), said.fix.as_ref(), said.but.as_ref()].into_iter().flatten() {
            assert!(markdown.contains(&plain(line)), "{name}: Markdown lacks {line}\n{markdown}");
        }

        let explanation = Explain::path(&path).run().unwrap();
        let overview = Overview::of(&explanation.connections);
        let captures = &explanation.reading.captures;
        let assistant = CaptureAnswer::new(wording, &overview, captures, &PacketRanges::new(), Page::FIRST);
        let assistant = serde_json::to_value(assistant).unwrap();
        let sentences = assistant["answer"].as_array().unwrap();
        assert!(sentences.contains(&Value::from(said.why.as_str())), "{name}: assistants say {sentences:?}");
        assert_eq!(assistant["confidence"], answer["confidence"], "{name}: confidence of assistants");
    }
}

/// Each problem's answer has its cause and seconds, and the first one equals the capture's answer.
#[test]
fn the_first_problem_is_the_answer() {
    for path in captures() {
        let (document, _) = documents(&path);
        let answer = &document["answer"];
        let problems = document["problems"].as_array().map_or(&[][..], Vec::as_slice);
        for problem in problems {
            assert_eq!(problem["answer"]["cause"], problem["cause"], "{}", path.display());
            assert_eq!(problem["answer"]["severity"], problem["severity"], "{}", path.display());
        }
        let is_of_many = answer["outcome"].is_null() && answer["kind"] != "clock";
        if let Some(first) = problems.first().filter(|_| is_of_many) {
            for key in ["kind", "cause", "seconds", "why", "fix", "severity", "connection"] {
                assert_eq!(answer[key], first["answer"][key], "{}: {key}", path.display());
            }
        }
    }
}

/// The only connection of a capture has the same answer as the capture.
#[test]
fn the_only_connection_has_the_answer_of_its_capture() {
    let mut count = 0;
    for path in captures() {
        let (document, _) = documents(&path);
        let [connection] = document["connections"].as_array().unwrap().as_slice() else { continue };
        let mut answer = document["answer"].clone();
        answer["connection"] = Value::Null;
        assert_eq!(connection["answer"], answer, "{}", path.display());
        count += 1;
    }
    assert!(count > 5, "{count} captures have one connection");
}
