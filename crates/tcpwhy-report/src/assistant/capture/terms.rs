//! Tests of each number of the answer about a capture: mixing two up, or moving a boundary, fails a test.

use tcpwhy_analysis::testing::{finding, half};
use tcpwhy_analysis::{Connection, HalfConnection, Role, Side};
use tcpwhy_model::{Anomalies, CaptureFormat, Cause, Detail, Limit, Severity};

use super::super::testing::{SECOND, at, connection, end};
use super::*;
use crate::{Catalogue, Language};

fn capture(packets: u64, span: Option<(i64, i64)>) -> CaptureSummary {
    CaptureSummary {
        path: "a.pcap".to_owned(),
        format: CaptureFormat::Pcap,
        packets,
        segments: 1,
        skipped: 0,
        captured_bytes: 3,
        original_bytes: 5,
        span: span.map(|(start, end)| Span::new(at(start), at(end))),
        link_types: Vec::new(),
        anomalies: Anomalies::default(),
    }
}

#[test]
fn from_the_first_packet_of_all_captures_to_the_last() {
    let seconds = |spans: &[Option<(i64, i64)>]| {
        let captures: Vec<_> = spans.iter().map(|&span| capture(1, span)).collect();
        duration(&captures).map(|seconds| (seconds * 1000.0).round() as i64)
    };
    let span = |from, until| Some((from * SECOND, until * SECOND));
    for (what, spans, expected) in [
        ("one", vec![span(5, 7)], Some(2000)),
        ("one after the other", vec![span(0, 10), span(10, 30)], Some(30_000)),
        ("the later one comes first", vec![span(10, 30), span(0, 10)], Some(30_000)),
        ("one within the other", vec![span(0, 30), span(5, 10)], Some(30_000)),
        ("the shorter one comes first", vec![span(5, 10), span(0, 30)], Some(30_000)),
        ("one without any packet", vec![None, span(2, 4)], Some(2000)),
        ("none with a packet", vec![None], None),
        ("no capture", vec![], None),
    ] {
        assert_eq!(seconds(&spans), expected, "{what}: milliseconds");
    }
}

/// A connection whose send buffer limited it for `seconds` of about 10 s, so that its service has a problem.
fn slow(server: u16, seconds: i64) -> Connection {
    let cause = Cause::plain(Limit::SendBuffer);
    let parts = [(seconds, cause), (1, Detail::Queue.into()), (seconds + 5, cause)];
    let findings = vec![finding("send-buffer-plateau", Severity::Critical, 1, None)];
    let mut half = half(Role::Server, Some(Severity::Critical), &parts, findings);
    half.sender = Side::B;
    let mut slow = connection(vec![half]);
    slow.endpoints = [end(1, 40_000), end(2, server)];
    slow.span = Span::new(at(0), at(30 * SECOND));
    slow
}

fn overview(connections: impl IntoIterator<Item = Connection>) -> Overview {
    let all: Vec<_> = connections.into_iter().collect();
    Overview::of(&all)
}

fn answer(overview: &Overview, page: Page) -> CaptureAnswer {
    let captures = [capture(30, Some((0, 2 * SECOND))), capture(12, Some((4 * SECOND, 7 * SECOND)))];
    let packets: PacketRanges =
        CaptureAnswer::ranges_of(overview, page).into_iter().map(|stretch| (stretch, [11, 22])).collect();
    CaptureAnswer::new(Wording::new(&Catalogue::new(Language::English)), overview, &captures, &packets, page)
}

#[test]
fn what_was_read() {
    let whole = overview([slow(80, 3), connection(Vec::new())]);
    let found = answer(&whole, Page::FIRST).excluding(9).damaged(vec!["cut".to_owned()]);
    let capture = &found.capture;
    assert_eq!((capture.packets, capture.connections, capture.bytes), (42, 2, 1_000_000), "packets of both captures");
    assert_eq!((capture.excluded, capture.damage.len(), capture.ground), (9, 1, Ground::Exact));
    assert_eq!(capture.duration_s.map(|seconds| seconds.round() as i64), Some(7));
    assert_eq!((found.connections_matched, found.connections.len()), (1, 1), "those with data");
    assert!(is_zero(&0) && !is_zero(&1));
}

#[test]
fn a_problem_and_what_shows_it() {
    let whole = overview([slow(80, 3)]);
    let found = answer(&whole, Page::FIRST);
    let [problem] = &found.problems[..] else { panic!("{:?}", found.problems) };
    assert_eq!((problem.problem, problem.connections, &*problem.server), (1, 1, "10.0.0.2:80"));
    assert_eq!((&*problem.kind, &*problem.severity, problem.ground), ("slow", "critical", Ground::Inferred));
    let example = (problem.example.connection, problem.example.packet, problem.example.packets);
    assert_eq!(example, (7, 4, Some([11, 22])));
    assert_eq!(problem.lost_s.round() as i64, 11, "all time under the limit");
    assert_eq!(problem.confidence, found.confidence, "the answer is about this problem");
    assert!(found.confidence.is_some());
    let longest = shows(&whole.problems()[0]).unwrap();
    assert_eq!(longest, (4, Span::new(at(4 * SECOND), at(12 * SECOND))), "the longest stretch, not the first");
    let mut reset = connection(Vec::new());
    reset.ending = tcpwhy_analysis::Ending::Refused;
    let failed = overview([reset.clone()]);
    assert_eq!(shows(&failed.problems()[0]), Some((4, reset.span)), "all of a failed connection");
}

/// A page has ten problems and five connections.
#[test]
fn problems_come_in_pages() {
    let whole = overview((1..=12).map(|port| slow(port, 3)));
    let first = answer(&whole, Page::FIRST);
    assert_eq!((first.matched, first.returned, first.next_problem), (12, 10, Some(11)));
    assert_eq!((first.problems[0].problem, first.problems[9].problem), (1, 10));
    assert_eq!((first.connections.len(), first.connections_matched), (5, 12));
    let second = answer(&whole, Page { first: 11 });
    assert_eq!((second.returned, second.next_problem, second.problems[0].problem), (2, None, 11));
    assert_eq!(CaptureAnswer::ranges_of(&whole, Page { first: 11 }).len(), 2);
    assert_eq!((MOST_PROBLEMS, MOST_CONNECTIONS, MOST_RELAYS), (10, 5, 3));
}

/// Shortening removes the least important entries first, and the counts of the answer follow.
#[test]
fn an_answer_is_shortened_from_its_end() {
    let whole = overview((1..=7).map(|port| slow(port, 3)));
    let mut found = answer(&whole, Page::FIRST).damaged(vec![String::new(); 3]);
    let mut sizes = Vec::new();
    while found.shorten() {
        sizes.push((found.connections.len(), found.problems.len(), found.capture.damage.len()));
        assert_eq!(found.returned, found.problems.len() as u64);
        assert_eq!(found.next_problem, Some(found.returned + 1).filter(|&next| next <= 7));
    }
    let expected = [
        (4, 7, 3),
        (3, 7, 3),
        (3, 6, 3),
        (3, 5, 3),
        (3, 5, 2),
        (2, 5, 2),
        (1, 5, 2),
        (0, 5, 2),
        (0, 4, 2),
        (0, 3, 2),
        (0, 2, 2),
        (0, 1, 2),
        (0, 1, 1),
        (0, 1, 0),
    ];
    let relevant: Vec<_> = sizes.into_iter().fold(Vec::new(), |mut all, size| {
        if all.last() != Some(&size) {
            all.push(size);
        }
        all
    });
    assert_eq!(relevant, expected, "connections, problems, damage");
}

#[test]
fn a_connection_in_brief() {
    let whole = overview([slow(80, 3)]);
    let found = &answer(&whole, Page::FIRST).connections[0];
    assert_eq!((found.connection, found.packet, found.bytes), (7, 4, 1_000_000));
    assert_eq!(found.ends, ["10.0.0.2:80".to_owned(), "10.0.0.1:40000".to_owned()], "the sender comes first");
    assert_eq!((found.limit.as_deref(), found.detail.as_deref()), (Some("send_buffer"), None));
    assert_eq!((found.duration_s.round() as i64, found.lost_s.round() as i64), (12, 11));
    assert_eq!(found.confidence, Some(0.9), "of its verdict");
    let mut queue: HalfConnection = slow(80, 3).halves[0].clone();
    queue.verdict.cause = Some(Detail::Queue.into());
    let found = overview([connection(vec![queue])]);
    let found = &answer(&found, Page::FIRST).connections[0];
    assert_eq!((found.limit.as_deref(), found.detail.as_deref()), (Some("path"), Some("queue")));
    let mut unjudged = slow(80, 3).halves[0].clone();
    unjudged.verdict.cause = None;
    let found = overview([connection(vec![unjudged])]);
    let found = &answer(&found, Page::FIRST).connections[0];
    assert_eq!((found.limit.as_deref(), found.confidence), (None, None), "nothing was judged");
}

/// The answer states that a capture with connections but without a fix does not show what to change.
#[test]
fn nothing_shows_what_to_change() {
    let word = Catalogue::new(Language::English).word("answer-not-shown");
    let healthy = half(Role::Server, None, &[(9, Cause::plain(Limit::Path))], Vec::new());
    let mut unfixed = slow(80, 3);
    unfixed.halves[0].findings.clear();
    for (what, connections, expected) in [
        ("a fix", vec![slow(80, 3)], None),
        ("several connections, no fix", vec![unfixed.clone(), unfixed], Some(word)),
        ("nothing held it back", vec![connection(vec![healthy])], None),
        ("no connection", vec![], None),
    ] {
        assert_eq!(answer(&overview(connections), Page::FIRST).cannot_tell, expected, "{what}");
    }
}
