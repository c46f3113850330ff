//! Programs that use `tcpwhy-engine` and `tcpwhy-report` get the same results as the command prints.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "some captures are for other tests")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{capture, large, many, tcpwhy};
use tcpwhy_engine::{Explain, Explanation};
use tcpwhy_report::dto::{Document, Presentation};
use tcpwhy_report::text::{AnswerLabel, AnswerLine, Overview, answer_lines};
use tcpwhy_report::{Catalogue, Language, Wording, json};

/// The bundled captures, a recording with samples of the kernel, a capture of many connections, and a damaged
/// file.
fn captures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: Vec<_> =
        fs::read_dir(root.join("../../samples")).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.to_string_lossy().ends_with(".pcap.gz"));
    assert!(all.len() >= 17, "{all:?}");
    all.push(root.join("../tcpwhy-engine/tests/fixtures/recording.pcapng.gz"));
    let many = many();
    all.push(capture("library-many.pcapng", &many));
    // It is analysed in several parts, so that numbers are known only at the end.
    all.push(capture("library-large.pcapng", &large()));
    let mut bytes = many.pcapng();
    bytes.truncate(bytes.len() / 2 + 3);
    let damaged = support::file("library-damaged.pcapng");
    fs::write(&damaged, bytes).unwrap();
    all.push(damaged);
    all
}

fn document(explanation: &Explanation, wording: Wording<'_>) -> String {
    let captures = &explanation.reading.captures;
    let document = Document::of(captures, &explanation.connections, explanation.folds(), Presentation::new(wording));
    json::to_string(&document).unwrap()
}

/// Documents are equal byte for byte in each language: limits, seconds, findings, predictions, problems and
/// services.
#[test]
fn the_document_of_the_library_is_that_of_the_command() {
    for path in captures() {
        let explanation = Explain::path(&path).run().unwrap();
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let text = document(&explanation, Wording::new(&catalogue));
            let output = tcpwhy().args(["--json", "--quiet", "--lang", language.tag()]).arg(&path).output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            assert!(printed == format!("{text}\n"), "{} in {language:?}:\n{printed}\n{text}", path.display());
            let read: Value = serde_json::from_str(&text).unwrap();
            let connections = read["connections"].as_array().unwrap();
            assert_eq!(connections.len(), explanation.connections.len());
            for (json, connection) in connections.iter().zip(&explanation.connections) {
                let halves = json["halves"].as_array().unwrap();
                for (json, half) in halves.iter().zip(&connection.halves) {
                    let limit = half.verdict.cause.map_or("none", |cause| cause.limit.id());
                    assert_eq!(json["verdict"]["limit"], limit, "{}", path.display());
                    let seconds = json["verdict"]["seconds"].as_f64().unwrap();
                    assert!((seconds - half.verdict.seconds).abs() < 1e-6, "{}", path.display());
                    let rules: Vec<_> = half.findings.iter().map(|finding| finding.rule).collect();
                    let found: Vec<_> =
                        json["findings"].as_array().unwrap().iter().map(|f| f["rule"].as_str().unwrap()).collect();
                    assert_eq!(found, rules);
                }
            }
        }
    }
}

/// The lines of `tcpwhy -q` on a terminal of sufficient width.
#[test]
fn the_first_lines_of_the_library_are_those_of_the_command() {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    for path in captures() {
        let explanation = Explain::path(&path).run().unwrap();
        let lines = answer_lines(wording, &Overview::of(&explanation.connections));
        let printed = |line: &AnswerLine| match line.kind {
            AnswerLabel::Head => line.text.clone(),
            _ => format!("{}  {}", line.label, line.text),
        };
        let lines: Vec<_> = lines.iter().map(printed).collect();
        let output = tcpwhy().args(["-q", "--width", "1000"]).arg(&path).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().collect::<Vec<_>>(), lines, "{}", path.display());
    }
}
