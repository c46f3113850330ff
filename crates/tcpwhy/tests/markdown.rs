//! `--format markdown` contains the same facts as the terminal and JSON, in at most 60 lines without
//! accidental markup.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[path = "../../tcpwhy-report/tests/fixtures/inert.rs"]
mod inert;
#[allow(dead_code, reason = "some captures are for other tests")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use inert::parsed;
use serde_json::Value;
use support::{Trace, capture, file, large, many, one, tcpwhy};
use tcpwhy_model::Cause;
use tcpwhy_report::{Catalogue, Language, Wording};

const LANGUAGES: [(&str, Language); 2] = [("en", Language::English), ("zh-CN", Language::SimplifiedChinese)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Standard output of a successful run.
#[track_caller]
fn print(args: &[&str]) -> String {
    let output = tcpwhy().current_dir(root()).arg("--utc").args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn markdown(args: &[&str]) -> String {
    print(&[&["--format", "markdown"], args].concat())
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    serde_json::from_str(&print(&[&["--json", "--timeline"], args].concat())).unwrap()
}

fn samples() -> Vec<String> {
    let entries = fs::read_dir(root().join("samples")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut all: Vec<_> =
        names.filter(|name| name.ends_with(".pcap.gz")).map(|name| format!("samples/{name}")).collect();
    all.sort();
    all
}

/// A folder with six captures and a text file.
fn folder() -> PathBuf {
    let folder = file("markdown-six");
    fs::create_dir_all(&folder).unwrap();
    for name in ["bbr", "loss", "receive-window", "request-response", "send-buffer", "zero-window"] {
        let name = format!("{name}.pcap.gz");
        fs::copy(root().join("samples").join(&name), folder.join(&name)).unwrap();
    }
    fs::write(folder.join("notes.txt"), "no capture").unwrap();
    folder
}

#[test]
fn reads_well() {
    let samples = ["send-buffer", "path-queue-receiver-side", "request-response"];
    for (tag, _) in LANGUAGES {
        for name in samples {
            let text = markdown(&["--lang", tag, &format!("samples/{name}.pcap.gz")]);
            expect_file![format!("golden/markdown-{name}-{tag}.txt")].assert_eq(&text);
        }
        let folder =
            tcpwhy().current_dir(folder()).args(["--format", "markdown", "--lang", tag, "."]).output().unwrap();
        let folder = String::from_utf8(folder.stdout).unwrap();
        parsed(&folder);
        expect_file![format!("golden/markdown-folder-{tag}.txt")].assert_eq(&folder);
        let few = markdown(&["--lang", tag, "samples/loss.pcap.gz", "samples/bbr.pcap.gz"]);
        parsed(&few);
        expect_file![format!("golden/markdown-two-{tag}.txt")].assert_eq(&few);
    }
}

/// The cause with these ids in JSON.
fn cause(limit: &Value) -> Cause {
    let id = limit["limit"].as_str().unwrap();
    let text = limit["detail"].as_str().map_or_else(|| id.to_owned(), |detail| format!("{id}/{detail}"));
    text.parse().unwrap()
}

fn nanos(seconds: &Value) -> i64 {
    (seconds.as_f64().unwrap() * 1e9).round() as i64
}

/// Expected rows of a connection's table, from the numbers in JSON.
fn limit_rows(half: &Value, wording: Wording<'_>) -> Vec<Vec<String>> {
    const MOST: usize = 6;
    let units = wording.units();
    let time = |limits: &[Value]| {
        let seconds: f64 = limits.iter().map(|limit| limit["seconds"].as_f64().unwrap()).sum();
        let share: f64 = limits.iter().map(|limit| limit["share"].as_f64().unwrap()).sum();
        [units.nanos((seconds * 1e9).round() as i64), units.share(share)]
    };
    let all = half["limits"].as_array().unwrap();
    let mut rows: Vec<_> = all
        .iter()
        .take(MOST)
        .map(|limit| {
            let [seconds, share] = time(std::slice::from_ref(limit));
            let confidence = units.share(limit["confidence"].as_f64().unwrap());
            vec![wording.cause(cause(limit)), seconds, share, confidence]
        })
        .collect();
    if all.len() > MOST {
        let [seconds, share] = time(&all[MOST..]);
        rows.push(vec![wording.catalogue().word("bars-rest"), seconds, share, String::new()]);
    }
    rows
}

/// First lines, table and code of each bundled capture are the same as in the other formats.
#[test]
fn the_samples_say_what_the_other_forms_say() {
    for sample in samples() {
        for (tag, language) in LANGUAGES {
            let catalogue = Catalogue::new(language);
            let wording = Wording::new(&catalogue);
            // Simulated numbers are the same in every language and take most of the time, so one language
            // includes them.
            let plain: &[&str] = if language == Language::English { &[] } else { &["--no-sim"] };
            let args = [&["--lang", tag, sample.as_str()], plain].concat();
            let (text, document) = (markdown(&args), json(&args));
            let parsed = parsed(&text);
            assert_eq!((parsed.tables.len(), parsed.headings.len()), (1, 1), "{sample}: {text}");
            let connections = document["connections"].as_array().unwrap();
            let halves: Vec<_> = connections.iter().flat_map(|c| c["halves"].as_array().unwrap()).collect();
            if connections.len() == 1 {
                // The direction that is reported first is one of the halves.
                let found = halves.iter().any(|half| limit_rows(half, wording) == parsed.tables[0][1..]);
                assert!(found, "{sample}: {text}");
            }
            let lines: Vec<_> = halves
                .iter()
                .flat_map(|half| half["findings"].as_array().unwrap())
                .chain(connections.iter().flat_map(|c| c["findings"].as_array().unwrap()))
                .flat_map(|finding| finding["fixes"].as_array().unwrap())
                .flat_map(|fix| fix["lines"].as_array().unwrap())
                .map(|line| line.as_str().unwrap().trim_end())
                .collect();
            let code = parsed.blocks.iter().flat_map(|block| block.lines());
            let unknown: Vec<_> = code.filter(|line| !lines.contains(line)).collect();
            assert!(unknown.is_empty(), "{sample}: {unknown:?}");
            // The default width of the terminal output is 100 columns, which would wrap the lines.
            let words = |text: &str| text.replace(['*', '`', '-'], "").split_whitespace().collect::<String>();
            let terminal = words(&print(&[&["-q", "--width", "1000"], &args[..]].concat()));
            let brief = markdown(&[&["-q"], &args[..]].concat());
            let answer = brief.lines().filter(|line| !line.is_empty()).skip(1).map(words);
            let answer: Vec<_> = answer.collect();
            let separator = words(&catalogue.word("list-separator"));
            let answer = answer[..answer.len() - 1].concat().replace(&separator, "");
            assert_eq!(answer, terminal.replace(&separator, ""), "{sample}");
        }
    }
}

#[test]
fn problems_have_the_numbers_of_json() {
    let path = capture("markdown-many.pcapng", &many());
    let path = path.to_str().unwrap();
    let document = json(&[path]);
    let problems = document["problems"].as_array().unwrap();
    assert!(problems.len() > 1, "{problems:?}");
    let catalogue = Catalogue::new(Language::English);
    let units = Wording::new(&catalogue).units();
    let text = markdown(&[path]);
    let table = &parsed(&text).tables[0];
    assert_eq!(table.len(), 1 + problems.len());
    for (n, (row, problem)) in table[1..].iter().zip(problems).enumerate() {
        let server = format!("{}:{}", problem["address"].as_str().unwrap(), problem["port"]);
        let example = &document["connections"][problem["example"].as_u64().unwrap() as usize];
        let lost = nanos(&problem["lost_s"]);
        assert_eq!(row[0], (n + 1).to_string());
        assert!(row[1].starts_with(&format!("{server}: ")), "{row:?}");
        assert_eq!(row[2], format!("{} of {}", problem["connections"], problem["of_connections"]));
        assert_eq!(row[3], if lost > 0 { units.nanos(lost) } else { String::new() });
        assert!(row[4].starts_with(&format!("Number {}: ", problem["example"])), "{row:?}");
        assert!(row[4].ends_with(&format!("from packet {} on.", example["first_packet"])), "{row:?}");
    }
    let first = &parsed(&markdown(&["--top", "1", path])).tables[0];
    assert_eq!(first[1], table[1]);
    assert_eq!(first[2][1], format!("{} more", problems.len() - 1));
    // Filters, and one connection of several.
    let only = markdown(&["--connection", "1", path]);
    assert_eq!(parsed(&only).tables[0][0][0], "Limit", "{only}");
    let none = markdown(&["--port", "1", path]);
    assert!(none.contains("matches the filter") && parsed(&none).tables.is_empty(), "{none}");
}

#[test]
fn it_has_sixty_lines_at_most() {
    let [first, second] = [("markdown-large.pcapng", large()), ("markdown-other.pcapng", many())]
        .map(|(name, trace)| capture(name, &trace).to_str().unwrap().to_owned());
    let folder = file("markdown-folder");
    fs::create_dir_all(&folder).unwrap();
    let bytes = one().pcapng();
    for n in 0..130 {
        fs::write(folder.join(format!("{n}.pcapng")), &bytes).unwrap();
    }
    fs::write(folder.join("damaged.pcapng"), &bytes[..bytes.len() - 7]).unwrap();
    fs::write(folder.join("notes.txt"), "no capture").unwrap();
    let folder = folder.to_str().unwrap();
    for args in [
        &[first.as_str()][..],
        &["--merge", &first, &second],
        &[&first, &second, &first],
        &["--why", "100ms", &first],
        &["--why", "100ms", "--top", "2", &first, &second],
        &["--code", "all", &first],
        &[folder],
        &["--why", "1s", folder],
    ] {
        for (tag, language) in LANGUAGES {
            // Simulated numbers need the same number of lines in each language and capture.
            let is_simulated = language == Language::English && !args.contains(&folder);
            let plain: &[&str] = if is_simulated { &[] } else { &["--no-sim"] };
            parsed(&markdown(&[&["--lang", tag], plain, args].concat()));
        }
    }
    let all = markdown(&["--code", "all", "samples/send-buffer.pcap.gz"]);
    assert!(parsed(&all).blocks.iter().all(|block| block.lines().count() <= 6), "{all}");
    assert!(all.contains(" more lines: `tcpwhy FILE --code all`"), "{all}");
    let text = markdown(&["--no-sim", folder]);
    assert!(
        text.contains("131 captures") && text.contains("91 more") && text.contains("1 file was passed over"),
        "{text}"
    );
}

#[test]
fn one_moment_is_that_of_the_terminal() {
    let sample = "samples/send-buffer.pcap.gz";
    for (tag, _) in LANGUAGES {
        let text = markdown(&["--why", "2s", "--lang", tag, sample]);
        parsed(&text);
        let words = |text: &str| text.replace(['*', '`', '-'], "").split_whitespace().collect::<String>();
        let terminal = words(&print(&["--why", "2s", "--width", "1000", "--lang", tag, sample]));
        let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).map(words).collect();
        assert_eq!(lines[1..lines.len() - 1].concat(), terminal);
    }
}

/// Names in captures and of captures are escaped on every path through the program.
#[test]
#[cfg(unix)]
fn foreign_names_are_inert() {
    let names = [
        "[x](http:evil.example)",
        "a\n# b",
        "`tick` ``tack``",
        "<img src=x>.pcapng",
        "@everyone #1 www.evil.example",
        "a|b||c",
        "-q *x* _y_ ~z~",
    ];
    for name in names {
        let host = name.replace(|c: char| c.is_control(), "");
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let trace = Trace::default().request(("10.1.2.3", 40_000), ("10.9.8.7", 80), 0, request.as_bytes());
        let (whole, damaged) = (capture(name, &trace), file(&format!("{name}-damaged")));
        let bytes = one().pcapng();
        fs::write(&damaged, &bytes[..bytes.len() - 7]).unwrap();
        let nothing = file(&format!("{name}-nothing"));
        fs::write(&nothing, "no capture").unwrap();
        for (tag, _) in LANGUAGES {
            for paths in [&[&whole][..], &[&damaged], &[&whole, &damaged], &[&whole, &damaged, &nothing]] {
                let mut command = tcpwhy();
                command.args(["--format", "markdown", "--names=sni", "--lang", tag]).args(paths);
                let output = command.output().unwrap();
                let text = String::from_utf8(output.stdout).unwrap();
                let parsed = parsed(&text);
                assert!(parsed.headings.len() == 1 || paths.len() > 1, "{text}");
            }
        }
    }
}

#[test]
fn addresses_and_names_are_anonymised() {
    let path = capture("markdown-secret-name.pcapng", &many());
    let path = path.to_str().unwrap();
    for args in [&["--anonymize", path][..], &["--anonymize", path, path]] {
        let text = markdown(args);
        parsed(&text);
        for secret in ["10.9.8.7", "203.0.113.94", "secret"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
    // A capture without a name gets a description instead.
    let output = tcpwhy().args(["--format", "markdown", "-"]).write_stdin(one().pcapng()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("### tcpwhy: `standard input`\n"), "{text}");
}

#[test]
fn both_spellings_of_json_are_the_same() {
    let path = capture("markdown-json.pcapng", &many());
    let path = path.to_str().unwrap();
    for form in ["json", "jsonl"] {
        let own = print(&[&format!("--{form}"), path]);
        assert!(own == print(&["--format", form, path]) && own.starts_with('{'), "{form}");
    }
    assert_eq!(print(&["--format", "text", path]), print(&[path]));
    let both = tcpwhy().args(["--json", "--format", "markdown", path]).output().unwrap();
    assert_eq!((both.status.code(), both.stdout.len()), (Some(2), 0));
    let chinese = tcpwhy().args(["--lang", "zh-CN", "--sort", "bytes", "--format", "markdown", path]).output().unwrap();
    let said = String::from_utf8(chinese.stderr).unwrap();
    assert!(said.starts_with("错误：'--sort <BY>' 不能与 '--format markdown'"), "{said}");
}
