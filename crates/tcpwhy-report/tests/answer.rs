//! Tests of the first lines: three at 80 columns, about the most important problem.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use tcpwhy_analysis::{Analyzer, Connection};
use tcpwhy_model::{CaptureSummary, Detail, Limit, Segment};
use tcpwhy_report::text::{AnswerLabel, AnswerLine, Look, Overview, Report, answer_lines};
use tcpwhy_report::{Args, Catalogue, Language, Wording};
use tcpwhy_testkit::{Transfer, Turns, ms, script};
use unicode_width::UnicodeWidthStr as _;

/// Room after the label, at 80 columns.
const ROOM: usize = 75;

fn connections(captures: &[Vec<Segment>]) -> Vec<Connection> {
    let mut analyzer = Analyzer::new();
    for (n, segments) in (1_u16..).zip(captures) {
        let client = segments[0].source;
        for segment in segments {
            let mut segment = *segment;
            segment.number += u64::from(n) * 10_000;
            for end in [&mut segment.source, &mut segment.destination] {
                end.port = if *end == client { 40_000 + n } else { 80 };
            }
            analyzer.observe(&segment);
        }
    }
    analyzer.finish()
}

fn report(connections: &[Connection], language: Language, width: usize, is_brief: bool) -> String {
    let catalogue = Catalogue::new(language);
    let mut overview = Overview::new(10);
    for connection in connections {
        overview.add(connection.clone());
    }
    overview.renumber(&|connection| connection.id);
    let captures: [CaptureSummary; 0] = [];
    let report = Report {
        wording: Wording::new(&catalogue),
        look: Look { width, has_color: false, has_unicode: true },
        captures: &captures,
        overview: &overview,
        with_timeline: false,
        range: None,
        is_brief,
        has_heading: false,
        excluded: 0,
    };
    report.to_string()
}

fn lines(connections: &[Connection]) -> Vec<String> {
    report(connections, Language::English, 80, true).lines().map(str::to_owned).collect()
}

/// With usual numbers, the sentence of every cause fits on one line, in each language.
#[test]
fn each_cause_fits_in_one_line() {
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        let time = Args::new().text("seconds", "12.3 s").text("total", "45.6 s").text("share", "27%");
        let time = catalogue.text("answer-time", &time);
        let kebab = |id: &str| id.replace('_', "-");
        let plain = Limit::ALL.into_iter().map(|limit| format!("answer-{}", kebab(limit.id())));
        let forms = Detail::ALL.into_iter().map(|detail| {
            let cause = tcpwhy_model::Cause::from(detail);
            format!("answer-{}-{}", kebab(cause.limit.id()), kebab(detail.id()))
        });
        let families = ["loss", "receive-window", "ack-delay", "path", "congestion-window"];
        let families = families.map(|family| format!("answer-all-{family}"));
        for id in plain.chain(forms).chain(families) {
            assert!(catalogue.has(&id), "{id} in {language:?}");
            let text = catalogue.text(&id, &Args::new().text("time", time.as_str()));
            assert!(text.width() <= ROOM, "{id}: {} columns: {text}", text.width());
        }
    }
}

/// The party that took the time of requests comes first. A client's pause is no problem; a slow server is
/// one.
#[test]
fn requests_name_who_took_their_time() {
    let rests = Turns { count: 20, think: ms(10), rest: ms(900), ..Turns::default() }.run();
    let found = lines(&connections(&[rests]));
    assert!(found[0].contains("20 requests"), "{found:?}");
    assert!(found[1].starts_with("WHY  The client was idle for 17.1 s"), "{found:?}");
    assert_eq!((found.len(), found[2].as_str()), (3, "FIX  If this is intended, nothing is wrong."));
    let slow = Turns { count: 20, think: ms(900), ..Turns::default() }.run();
    let slow = connections(&[slow]);
    let found = lines(&slow);
    assert!(found[1].starts_with("WHY  The server took 18.0 s of 18.4 s (98%) to answer 20 requests."), "{found:?}");
    assert!(found[2].starts_with("FIX  Profile what 10.0.0.2:80 does"), "{found:?}");
    let wide = report(&slow, Language::English, 100, true);
    let full = "WHY  The server took 18.0 s of 18.4 s (98%) to answer 20 requests; network 400 ms.";
    assert_eq!(wide.lines().nth(1), Some(full));
}

/// A transfer names its limit, and the fix removes the same cause.
#[test]
fn a_transfer_names_its_limit_and_fix() {
    let transfer = Transfer { bytes: 6_000_000, send_buffer: Some(30_000), ..Transfer::default() }.run();
    let found = lines(&connections(&[transfer]));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[1].contains("socket buffer was too small") && found[2].contains("SO_SNDBUF"), "{found:?}");
}

/// The problem of many connections comes first, with their number.
#[test]
fn many_connections_name_the_first_problem() {
    let refused = script("0.000 > S 0:0(0) win 65535 <mss 1460>\n0.001 < R. 0:0(0) ack 1").segments;
    let quick = Turns { count: 5, ..Turns::default() }.run();
    let captures = [vec![refused; 12], vec![quick.clone(); 3]].concat();
    let found = lines(&connections(&captures));
    assert!(found[0].starts_with("15 connections, "), "{found:?}");
    assert!(found[1].ends_with("refused 12 of 15 connections."), "{found:?}");
    let found = lines(&connections(&vec![quick; 3]));
    assert!(found[1].starts_with("WHY  Nothing is wrong"), "{found:?}");
    assert_eq!(found[2], "FIX  Nothing to change.");
}

/// A connection without data has its ends and its failure.
#[test]
fn a_connection_without_data_says_what_became_of_it() {
    let refused = script("0.000 > S 0:0(0) win 65535 <mss 1460>\n0.001 < R. 0:0(0) ack 1").segments;
    let found = lines(&connections(&[refused]));
    assert!(found[0].contains(":80") && found[0].contains("no data"), "{found:?}");
    assert!(found[1].ends_with("refused the connection attempt."), "{found:?}");
}

/// No line is wider than the terminal, in either language.
#[test]
fn no_line_is_wider_than_asked() {
    let slow = Turns { count: 20, think: ms(900), ..Turns::default() }.run();
    let transfer = Transfer { bytes: 3_000_000, send_buffer: Some(30_000), ..Transfer::default() }.run();
    let refused = script("0.000 > S 0:0(0) win 65535 <mss 1460>\n0.001 < R. 0:0(0) ack 1").segments;
    let all = connections(&[slow.clone(), transfer.clone(), refused.clone()]);
    let one = |segments: Vec<Segment>| connections(&[segments]);
    for set in [all, one(slow), one(transfer), one(refused)] {
        for language in Language::ALL {
            for width in [60, 80, 100, 200] {
                let brief = report(&set, language, width, true);
                for line in brief.lines() {
                    assert!(line.width() <= width, "{width}: {line}");
                }
                assert!(width < 80 || brief.lines().count() <= 3, "{width}: {brief}");
                let whole = report(&set, language, width, false);
                assert!(whole.starts_with(&brief), "-q is the same three lines");
            }
        }
    }
}

/// The plain lines equal the report in a wide terminal; there is no second version of the answer.
#[test]
fn plain_lines_are_those_of_the_report() {
    let slow = Turns { count: 20, think: ms(900), ..Turns::default() }.run();
    let transfer = Transfer { bytes: 3_000_000, send_buffer: Some(30_000), ..Transfer::default() }.run();
    let refused = script("0.000 > S 0:0(0) win 65535 <mss 1460>\n0.001 < R. 0:0(0) ack 1").segments;
    let all = connections(&[slow.clone(), transfer.clone(), refused.clone()]);
    let one = |segments: Vec<Segment>| connections(&[segments]);
    for set in [Vec::new(), all, one(slow), one(transfer), one(refused)] {
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let wording = Wording::new(&catalogue);
            let mut overview = Overview::new(10);
            for connection in &set {
                overview.add(connection.clone());
            }
            overview.renumber(&|connection| connection.id);
            let lines = answer_lines(wording, &overview);
            let printed = |line: &AnswerLine| match line.kind {
                AnswerLabel::Head => line.text.clone(),
                _ => format!("{}  {}", line.label, line.text),
            };
            let text: Vec<_> = lines.iter().map(printed).collect();
            // Wider than any wording, but without overflow in the sums of a page.
            let expected = report(&set, language, 10_000, true);
            assert_eq!(text, expected.lines().collect::<Vec<_>>());
            assert!(lines.iter().skip(1).all(|line| line.kind.text(wording) == line.label && !line.label.is_empty()));
        }
    }
}
