//! Tests of the report as Markdown: at most 60 lines, and no active text.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod fixtures;
#[path = "fixtures/inert.rs"]
mod inert;

use std::sync::Arc;

use expect_test::{ExpectFile, expect_file};
use inert::{Parsed, parsed};
use tcpwhy_analysis::{Connection, ServerName, Side};
use tcpwhy_model::{Anomalies, AnomalyKind, CaptureSummary, Message};
use tcpwhy_report::markdown::{MOST_LINES, MarkdownCaptures, MarkdownReport};
use tcpwhy_report::text::{Look, MomentReport, Overview, Report};
use tcpwhy_report::{Catalogue, Code, Language, Names, Wording};

/// Texts that would be markup, a link, a mention, HTML or a separate line if they were not made inert.
const HOSTILE: [&str; 14] = [
    "[x](http://evil.example)",
    "![x](http://evil.example/a.png)",
    "<img src=x onerror=alert(1)>",
    "@everyone",
    "a\n\n# heading\n\n```\ncode",
    "a | b || c \\| d",
    "`code` ``more`` ```",
    "*bold* _it_ ~~no~~ $x$ :100: #1 GH-26 !7",
    "http://evil.example www.evil.example",
    "- item\n1. item\n> quote",
    "&lt;b&gt; \\@everyone \u{202e}txt",
    "|---|---|\n| a | b |",
    "`",
    "a\u{e000}b",
];

fn overview(connections: Vec<Connection>, top: usize) -> Overview {
    let mut overview = Overview::new(top);
    for connection in connections {
        overview.add(connection);
    }
    overview.renumber(&|c| c.id);
    overview
}

fn render(connections: Vec<Connection>, captures: &[CaptureSummary], catalogue: &Catalogue) -> String {
    let overview = overview(connections, 10);
    let wording = Wording::new(catalogue);
    MarkdownReport { wording, captures, overview: &overview, range: None, is_brief: false, excluded: 0 }.to_string()
}

#[track_caller]
fn check(connections: Vec<Connection>, language: Language, expected: &ExpectFile) -> Parsed {
    let text = render(connections, &[fixtures::capture()], &Catalogue::new(language));
    expected.assert_eq(&text);
    let parsed = parsed(&text);
    assert_eq!((parsed.tables.len(), parsed.headings.len()), (1, 1), "{text}");
    parsed
}

fn many() -> Vec<Connection> {
    let mut all = vec![fixtures::send_buffer(), fixtures::lossy()];
    all.extend((2..5).map(fixtures::healthy));
    all.extend((5..14).map(fixtures::unanswered));
    all
}

#[test]
fn one_connection() {
    let parsed = check(vec![fixtures::send_buffer()], Language::English, &expect_file!["golden/markdown-one-en.txt"]);
    assert!(parsed.blocks[0].contains("setSendBufferSize(16384)"), "{parsed:?}");
    check(vec![fixtures::send_buffer()], Language::SimplifiedChinese, &expect_file!["golden/markdown-one-zh.txt"]);
    check(vec![fixtures::lossy()], Language::English, &expect_file!["golden/markdown-lossy-en.txt"]);
}

#[test]
fn many_connections() {
    let parsed = check(many(), Language::English, &expect_file!["golden/markdown-many-en.txt"]);
    assert!(parsed.tables[0].len() > 2, "{parsed:?}");
    check(many(), Language::SimplifiedChinese, &expect_file!["golden/markdown-many-zh.txt"]);
}

/// The first lines equal those of a terminal that has room for each.
#[test]
fn the_answer_is_that_of_the_terminal() {
    for language in Language::ALL {
        for connections in
            [vec![fixtures::send_buffer()], vec![fixtures::lossy()], vec![fixtures::unanswered(0)], many(), vec![]]
        {
            let catalogue = Catalogue::new(language);
            let overview = overview(connections, 10);
            let (wording, captures) = (Wording::new(&catalogue), &[fixtures::capture()][..]);
            let look = Look { width: 1000, has_color: false, has_unicode: true };
            let report = Report {
                wording,
                look,
                captures,
                overview: &overview,
                with_timeline: false,
                range: None,
                is_brief: true,
                has_heading: false,
                excluded: 0,
            };
            let terminal = report.to_string();
            let report =
                MarkdownReport { wording, captures, overview: &overview, range: None, is_brief: true, excluded: 0 };
            let markdown = report.to_string().replace("**", "").replace('`', "");
            let lines: Vec<_> = markdown.lines().filter(|line| !line.is_empty()).collect();
            let separator = catalogue.word("list-separator");
            // The terminal wraps lines at 100 columns, so only the words are compared.
            let words = |text: &str| text.split_whitespace().collect::<String>();
            let answer = lines[1..lines.len() - 1].iter().map(|line| line.trim_start_matches("- "));
            let answer: String = answer.map(words).collect();
            assert_eq!(answer, words(&terminal.replace("   ", &separator)), "{markdown}");
        }
    }
}

/// Names of captures, servers and hosts, and the details of a damaged capture, are inert.
#[test]
fn foreign_text_is_inert() {
    for language in Language::ALL {
        for name in HOSTILE {
            let resolved = name.to_owned();
            let names = Names::new(move |_| Some(resolved.clone()));
            let catalogue = Catalogue::new(language).with_names(Some(Arc::new(names)));
            let named = |mut connection: Connection| {
                connection.server_name = Some(Box::new(ServerName { server: Side::A, name: name.to_owned() }));
                connection
            };
            let capture = CaptureSummary { path: name.to_owned(), ..fixtures::capture() };
            for connections in [vec![fixtures::send_buffer()], vec![fixtures::lossy()], many(), vec![]] {
                let connections: Vec<_> = connections.into_iter().map(named).collect();
                let text = render(connections.clone(), &[capture.clone(), capture.clone()], &catalogue);
                let parsed = parsed(&text);
                assert!(parsed.tables.len() <= 1 && parsed.headings.len() == 1, "{text}");
                let shown = tcpwhy_model::foreign::visible(name).into_owned();
                assert!(parsed.headings[0].contains(&shown), "{shown:?} in {text}");
                several(&catalogue, &capture, connections, 3);
                several(&catalogue, &capture, Vec::new(), 90);
            }
        }
    }
}

/// The text of `count` captures with `connections`, each followed by a capture that could not be read.
#[track_caller]
fn several(catalogue: &Catalogue, capture: &CaptureSummary, connections: Vec<Connection>, count: usize) -> String {
    let wording = Wording::new(catalogue);
    let overview = overview(connections, 10);
    let mut all = MarkdownCaptures::new(wording);
    let error =
        Message::new("capture-unknown").with("path", capture.path.as_str()).with("begin", capture.path.as_str());
    for _ in 0..count {
        let captures = std::slice::from_ref(capture);
        all.add(&MarkdownReport { wording, captures, overview: &overview, range: None, is_brief: false, excluded: 0 });
        all.fail(&capture.path, &error);
    }
    let text = all.into_text(7, 2);
    parsed(&text);
    text
}

/// The limit of lines holds for any number of findings, damages, connections, captures and lines of code.
#[test]
fn it_has_sixty_lines_at_most() {
    let mut anomalies = Anomalies::default();
    for kind in [
        AnomalyKind::TruncatedFile,
        AnomalyKind::CorruptRecord,
        AnomalyKind::TruncatedHeader,
        AnomalyKind::UnsupportedLinkType,
        AnomalyKind::ClockStep,
    ] {
        anomalies.note(kind, 3, 7);
    }
    let damaged = CaptureSummary { anomalies, ..fixtures::capture() };
    let mut longest = 0;
    for language in Language::ALL {
        for code in [Code::Suggested, Code::All] {
            let catalogue = Catalogue::new(language).with_code(code);
            let hundreds: Vec<_> =
                (0..300).map(fixtures::unanswered).chain((300..400).map(fixtures::healthy)).collect();
            for connections in [vec![fixtures::send_buffer()], vec![fixtures::lossy()], many(), hundreds] {
                let text = render(connections.clone(), &vec![damaged.clone(); 20], &catalogue);
                parsed(&text);
                longest = longest.max(text.lines().count());
                for count in [1, 2, 3, 30] {
                    let text = several(&catalogue, &damaged, connections.clone(), count);
                    longest = longest.max(text.lines().count());
                }
            }
        }
    }
    assert!(longest <= MOST_LINES && longest > 50, "{longest}");
}

#[test]
fn one_moment() {
    for (language, expected) in [
        (Language::English, expect_file!["golden/markdown-moment-en.txt"]),
        (Language::SimplifiedChinese, expect_file!["golden/markdown-moment-zh.txt"]),
    ] {
        let catalogue = Catalogue::new(language);
        let at = |connections: Vec<Connection>, outside| {
            let overview = overview(connections, 10);
            let report = MomentReport {
                wording: Wording::new(&catalogue),
                look: Look { width: 80, has_color: false, has_unicode: true },
                overview: &overview,
                moment: 3_200_000_000,
                outside,
                heading: None,
                is_brief: false,
                excluded: 0,
            };
            let mut all = MarkdownCaptures::new(Wording::new(&catalogue));
            all.add_moment(&report, &[fixtures::capture()]);
            all.into_text(0, 0)
        };
        let text = at(vec![fixtures::send_buffer()], 0);
        assert_eq!(parsed(&text).tables.len(), 0);
        expected.assert_eq(&text);
        let with_id = |id| Connection { id, ..fixtures::send_buffer() };
        let text = at((0..40).map(with_id).collect(), 2);
        parsed(&text);
        assert!(text.contains("35"), "{text}");
    }
}
