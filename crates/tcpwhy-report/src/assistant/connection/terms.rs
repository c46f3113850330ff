//! Tests of each number of the answer about a connection: mixing two up, or moving a boundary, fails a test.

use tcpwhy_analysis::Role;
use tcpwhy_analysis::testing::{finding, half};
use tcpwhy_model::{Basis, Cause, Detail, Distribution, Finding, Limit, Severity};

use super::super::testing::{SECOND, at, connection as of};
use super::*;
use crate::{Catalogue, Language};

const PATH: Cause = Cause::plain(Limit::Path);
const BUFFER: Cause = Cause::plain(Limit::SendBuffer);

/// A direction of 1 MB, limited for these seconds by these causes.
fn direction(sender: Side, parts: &[(i64, Cause)], findings: Vec<Finding>) -> HalfConnection {
    let mut half = half(Role::Server, Some(Severity::Warning), parts, findings);
    half.sender = sender;
    half
}

fn answer(connection: &Connection, packets: &PacketRanges, page: Page) -> ConnectionAnswer {
    ConnectionAnswer::new(Wording::new(&Catalogue::new(Language::English)), connection, packets, page)
}

fn first(connection: &Connection) -> ConnectionAnswer {
    answer(connection, &PacketRanges::new(), Page::FIRST)
}

#[test]
fn the_longest_stretch_of_a_limit() {
    let half = direction(Side::A, &[(2, BUFFER), (9, PATH), (4, BUFFER), (3, PATH), (1, BUFFER)], Vec::new());
    let seconds = |from: i64, until: i64| Some(Span::new(at(from * SECOND), at(until * SECOND)));
    assert_eq!(half.longest_interval(BUFFER), seconds(11, 15), "neither the first nor the last");
    assert_eq!(half.longest_interval(PATH), seconds(2, 11));
    assert_eq!(half.longest_interval(Cause::plain(Limit::SlowStart)), None);
    let other = direction(Side::B, &[(2, BUFFER), (9, PATH)], Vec::new());
    let ranges = ranges_of(&of(vec![half, other]));
    assert_eq!(ranges, [(4, seconds(0, 2).unwrap()), (4, seconds(2, 11).unwrap()), (4, seconds(11, 15).unwrap())]);
}

#[test]
fn what_a_direction_says() {
    let mut half = direction(Side::B, &[(2, BUFFER), (8, PATH)], Vec::new());
    half.retransmitted_bytes = 77;
    half.goodput = tcpwhy_model::Rate::over(1_000_000, 10 * SECOND);
    half.rtt = Some((Distribution { min: 10_000, median: 25_000, p95: 90_000, max: 99_000 }, Basis::WireExact));
    half.verdict.confidence = 0.8;
    let range = (4, Span::new(at(0), at(2 * SECOND)));
    let found = answer(&of(vec![half.clone()]), &PacketRanges::from([(range, [11, 22])]), Page::FIRST);
    let entry = &found.directions[0];
    assert_eq!((entry.sender, entry.bytes, entry.retransmitted_bytes), (1, 1_000_000, 77));
    assert_eq!((entry.span_s.round() as i64, entry.ground), (10, Ground::Exact));
    assert_eq!(entry.goodput_bits_per_s.map(|rate| rate.round() as i64), Some(800_000));
    let rtt = entry.rtt.as_ref().unwrap();
    assert_eq!((rtt.median_us.round() as i64, rtt.ground), (25, Ground::Exact), "the median, not the minimum");
    assert_eq!((&*entry.verdict.limit, &*entry.verdict.severity), ("send_buffer", "warning"));
    assert!((entry.verdict.confidence - 0.8).abs() < 1e-9);
    let limits: Vec<_> = entry
        .limits
        .iter()
        .map(|limit| (&*limit.limit, limit.seconds.round() as i64, (limit.share * 100.0).round() as i64))
        .collect();
    assert_eq!(limits, [("path", 8, 80), ("send_buffer", 2, 20)], "longest first, with their shares");
    let stretch = |n: usize| entry.limits[n].longest.as_ref().map(|stretch| (stretch.from_s, stretch.to_s));
    assert_eq!((stretch(0), stretch(1)), (Some((2.0, 10.0)), Some((0.0, 2.0))));
    let packets: Vec<_> = entry.limits.iter().map(|limit| limit.longest.as_ref().and_then(|s| s.packets)).collect();
    assert_eq!(packets, [None, Some([11, 22])]);
    half.rtt = half.rtt.map(|rtt| (rtt.0, Basis::WireInferred));
    assert_eq!(first(&of(vec![half])).directions[0].rtt.as_ref().map(|rtt| rtt.ground), Some(Ground::Inferred));
}

#[test]
fn a_stretch_is_counted_from_the_first_packet() {
    let mut later = of(Vec::new());
    later.span = Span::new(at(5 * SECOND), at(50 * SECOND));
    let span = Span::new(at(6 * SECOND + 1_400), at(8 * SECOND + 1_600));
    let entry = StretchEntry::new(span, &later, &PacketRanges::from([((4, span), [1, 2]), ((5, span), [8, 9])]));
    assert_eq!((entry.from_s, entry.to_s), (1.000_001, 3.000_002), "to a microsecond");
    assert_eq!(entry.packets, Some([1, 2]), "of this connection");
}

/// Limits with less than 0.5 % of the time are summed.
#[test]
fn trifles_share_one_sum() {
    let seconds = |trifle: i64| {
        let parts = [(1000 - trifle - 1, PATH), (trifle, BUFFER), (1, Detail::ZeroWindow.into())];
        let found = first(&of(vec![direction(Side::A, &parts, Vec::new())]));
        let entry = &found.directions[0];
        (entry.limits.len(), entry.other_limits_s.map(|seconds| seconds.round() as i64))
    };
    assert_eq!(seconds(5), (2, Some(1)), "0.5 % is worth a row");
    assert_eq!(seconds(4), (1, Some(5)), "less is not");
    assert_eq!(WORTH_A_ROW.to_bits(), 0.005_f64.to_bits());
}

/// The principal direction comes first; requests that nothing limited have one row.
#[test]
fn the_principal_direction_comes_first() {
    let mut requests = direction(Side::A, &[(3, PATH), (2, BUFFER)], Vec::new());
    (requests.bytes, requests.verdict.severity) = (500, None);
    let answers = direction(Side::B, &[(6, PATH), (4, BUFFER)], Vec::new());
    let found = first(&of(vec![requests.clone(), answers.clone()]));
    let rows: Vec<_> = found.directions.iter().map(|entry| (entry.sender, entry.limits.len())).collect();
    assert_eq!(rows, [(1, 2), (0, 1)]);
    let healthy = HalfConnection { verdict: requests.verdict.clone(), ..answers.clone() };
    let found = first(&of(vec![requests.clone(), healthy]));
    assert_eq!(found.directions[0].limits.len(), 2, "nothing limited it, and it is the one to speak of");
    requests.verdict.severity = Some(Severity::Info);
    let found = first(&of(vec![requests, answers]));
    assert_eq!(found.directions[1].limits.len(), 2, "requests that something limited");
}

#[test]
fn who_and_when() {
    let mut whole = of(vec![direction(Side::B, &[(10, PATH)], Vec::new())]);
    let found = first(&whole).damaged(vec!["cut".to_owned()]);
    assert_eq!((found.connection, found.packet, found.client), (7, 4, Some(0)));
    assert_eq!(found.ends, ["10.0.0.1:40000".to_owned(), "10.0.0.2:80".to_owned()]);
    assert_eq!((found.duration_s.round() as i64, &*found.ending), (10, "closed"));
    assert_eq!(found.damage, ["cut"]);
    whole.initiator = Some(Side::B);
    assert_eq!(first(&whole).client, Some(1));
    whole.initiator = None;
    assert_eq!(first(&whole).client, None);
}

/// The finding behind the answer comes first, then the most severe one.
#[test]
fn findings_come_in_order() {
    let found = |rule, severity, fixes| finding(rule, severity, fixes, None);
    let mut whole = of(vec![direction(
        Side::B,
        &[(10, BUFFER)],
        vec![found("send-buffer-plateau", Severity::Warning, 1), found("delayed-ack", Severity::Info, 0)],
    )]);
    whole.findings = vec![found("capture-drops", Severity::Critical, 0), found("mid-stream-join", Severity::Info, 0)];
    let answer = |page| answer(&whole, &PacketRanges::new(), page);
    let rules = |answer: &ConnectionAnswer| {
        let text = serde_json::to_value(&answer.findings).unwrap_or_default();
        let rule = |entry: &serde_json::Value| entry["rule"].as_str().unwrap_or_default().to_owned();
        text.as_array().map(|all| all.iter().map(rule).collect::<Vec<_>>()).unwrap_or_default()
    };
    let first = answer(Page::FIRST);
    assert_eq!(rules(&first), ["send-buffer-plateau", "capture-drops", "mid-stream-join", "delayed-ack"]);
    assert_eq!((first.matched, first.returned, first.next_finding), (4, 4, None));
    let second = answer(Page { first: 3 });
    assert_eq!(rules(&second), ["mid-stream-join", "delayed-ack"]);
    assert_eq!((second.matched, second.returned), (4, 2));
}

#[test]
fn rows_are_shortened_into_one_sum() {
    let parts = [(5, PATH), (4, BUFFER), (3, Detail::ZeroWindow.into())];
    let mut found = first(&of(vec![direction(Side::A, &parts, Vec::new())]));
    let entry = &mut found.directions[0];
    assert!(entry.shorten(2));
    assert_eq!((entry.limits.len(), entry.other_limits_s.map(|s| s.round() as i64)), (2, Some(3)));
    assert!(!entry.shorten(2), "as few as are to be left");
    assert!(entry.shorten(1));
    assert_eq!((entry.limits.len(), entry.other_limits_s.map(|s| s.round() as i64)), (1, Some(7)));
}

#[test]
fn a_fix_leaves_nothing_open() {
    let word = Catalogue::new(Language::English).word("answer-not-shown");
    let found = finding("send-buffer-plateau", Severity::Critical, 1, None);
    let mut fixed = direction(Side::B, &[(9, BUFFER)], vec![found]);
    fixed.verdict.severity = Some(Severity::Critical);
    let mut healthy = direction(Side::B, &[(9, PATH)], Vec::new());
    healthy.verdict.severity = None;
    for (what, halves, expected) in [("a fix", vec![fixed], false), ("nothing held it back", vec![healthy], false)] {
        assert_eq!(first(&of(halves)).cannot_tell.contains(&word), expected, "{what}");
    }
}

/// Shortening removes rows beyond five, then doubts beyond three, then rows beyond two.
#[test]
fn an_answer_is_shortened_from_its_end() {
    let parts = [
        (9, PATH),
        (8, BUFFER),
        (7, Detail::ZeroWindow.into()),
        (6, Cause::plain(Limit::SlowStart)),
        (5, Detail::Rto.into()),
        (4, Detail::Idle.into()),
    ];
    let mut found = first(&of(vec![direction(Side::A, &parts, Vec::new())])).damaged(vec![String::new(); 2]);
    (found.cannot_tell, found.details, found.exchanges) =
        (vec![String::new(); 4], vec![String::new(); 2], vec![String::new(); 4]);
    let mut sizes = Vec::new();
    while found.shorten() {
        let rows = found.directions[0].limits.len();
        sizes.push((rows, found.cannot_tell.len(), found.exchanges.len(), found.details.len(), found.damage.len()));
    }
    let expected = [
        (5, 4, 4, 2, 2),
        (5, 3, 4, 2, 2),
        (5, 3, 3, 2, 2),
        (4, 3, 3, 2, 2),
        (3, 3, 3, 2, 2),
        (2, 3, 3, 2, 2),
        (2, 3, 2, 2, 2),
        (2, 3, 1, 2, 2),
        (2, 3, 0, 2, 2),
        (2, 3, 0, 1, 2),
        (2, 2, 0, 1, 2),
        (2, 1, 0, 1, 2),
        (2, 1, 0, 1, 1),
        (2, 1, 0, 0, 1),
    ];
    assert_eq!(sizes, expected, "rows, doubts, exchanges, details, damage");
}
