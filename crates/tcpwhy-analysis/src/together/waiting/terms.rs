//! Tests of each condition of the waiting time of open connections.

use tcpwhy_model::{Finding, Severity, Span, Timestamp, Value};
use tcpwhy_testkit::{at, script};

use super::super::Together;
use super::*;
use crate::Analyzer;
use crate::exchanges::{Parts, Pattern};
use crate::problems::testing::exchanges;
use crate::side::Side;

const SECOND: i64 = 1_000_000_000;
/// A request of 400 bytes, acknowledged at 0.070 s.
const REQUEST: &str = "0.021 > P. 1:401(400) ack 1\n 0.070 < . 1:1(0) ack 401 win 65535";

/// A connection as captured at the client.
fn at_client(text: &str) -> Connection {
    after(text, "0.000 > S 0:0(0) win 65535 <mss 1460>\n 0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>")
}

fn at_server(text: &str) -> Connection {
    after(text, "0.000 > S 0:0(0) win 65535 <mss 1460>\n 0.000 < S. 0:0(0) ack 1 win 65535 <mss 1460>")
}

fn after(text: &str, handshake: &str) -> Connection {
    let mut analyzer = Analyzer::new();
    let text = format!("{handshake}\n 0.020 > . 1:1(0) ack 1\n {text}");
    script(&text).segments.iter().for_each(|segment| analyzer.observe(segment));
    analyzer.finish().remove(0)
}

/// Another connection, with start and end in milliseconds.
fn other(from: i64, until: i64) -> Connection {
    let mut other = crate::problems::testing::connection(Vec::new());
    let millis = |millis: i64| at(millis * SECOND / 1000);
    other.span = Span::new(millis(from), millis(until));
    other
}

/// Returns `waiting` with the findings that `others` allow.
fn settled(mut waiting: Connection, others: &[Connection]) -> Connection {
    assert!(is_open(&waiting));
    let mut all = Waiting::default();
    all.note(&waiting);
    for other in others {
        all.note(other);
    }
    all.settle(std::iter::once(&mut waiting));
    assert!(!is_open(&waiting));
    waiting
}

fn found(connection: &Connection) -> Option<(&'static str, f64)> {
    let Finding { rule, seconds, .. } = connection.findings.iter().find(|finding| !finding.evidence.is_empty())?;
    Some((rule, (*seconds)?))
}

/// `UNANSWERED_OPEN`: five seconds after the last data at 0.021 s, if an earlier request was answered.
#[test]
fn a_request_waits_to_the_end_of_the_capture() {
    let answered =
        "0.020 > P. 1:401(400) ack 1\n 0.020 < P. 1:1001(1000) ack 401 win 65535\n 0.020 > . 401:401(0) ack 1001";
    let waiting = || {
        at_client(&format!("{answered}\n 0.021 > P. 401:801(400) ack 1001\n 0.070 < . 1001:1001(0) ack 801 win 65535"))
    };
    assert_eq!(found(&waiting()), None);
    let until = |millis| found(&settled(waiting(), &[other(0, millis)]));
    assert_eq!(until(5_021), Some(("request-unanswered", 5.0)));
    assert_eq!(until(5_020), None);
    // An overdue request has an even longer wait, and is reported once.
    let overdue = || at_client(&format!("{REQUEST}\n 6.021 > . 400:400(0) ack 1\n 6.041 < . 1:1(0) ack 401"));
    assert!((found(&overdue()).unwrap().1 - 6.02).abs() < 1e-9);
    let later = settled(overdue(), &[other(5_000, 30_021)]);
    assert_eq!((found(&later), later.findings.len()), (Some(("request-unanswered", 30.0)), 1));
    let ended = later.findings[0].evidence.iter().any(|evidence| evidence.value == Value::Word("capture".to_owned()));
    assert!(ended);
}

/// `AWAITED_MOST`: 30 s if nothing was answered before, because the request may be a poll.
#[test]
fn a_first_request_may_be_a_poll() {
    let until = |millis| found(&settled(at_client(REQUEST), &[other(0, millis)]));
    assert_eq!(until(30_020), None);
    assert_eq!(until(30_021), Some(("request-unanswered", 30.0)));
    // A TLS handshake has turns, but no exchange.
    let after = |count| {
        let mut waiting = at_client(REQUEST);
        let mut all = exchanges(Parts::default());
        all.count = count;
        waiting.exchanges = Some(all);
        found(&settled(waiting, &[other(0, 30_020)])).is_some()
    };
    assert!(!after(0) && after(1));
}

/// `CAPTURE_GAP`: a minute.
#[test]
fn a_capture_goes_on_while_there_are_packets() {
    let of = |others: &[Connection]| found(&settled(at_client(REQUEST), others)).map(|found| found.1);
    assert_eq!(of(&[other(60_070, 90_021)]), Some(90.0));
    assert_eq!(of(&[other(60_071, 90_021)]), None, "another capture");
    // From stretch to stretch, in any order.
    let chain = [other(120_000, 130_021), other(30_000, 60_000)];
    assert_eq!(of(&chain), Some(130.0));
    assert_eq!(of(&[chain[1].clone(), chain[0].clone()]), Some(130.0));
    let bridge = [other(50_000, 55_000), other(110_000, 120_021), other(0, 1_000)];
    assert_eq!(of(&bridge), Some(120.0));
    assert_eq!(of(&[other(-90_000, -60_000)]), None, "before");
}

/// The requesting end matters, and whether requests are answered at all.
#[test]
fn news_have_no_answer() {
    let of = |change: &dyn Fn(&mut Connection)| {
        let mut waiting = at_client(REQUEST);
        change(&mut waiting);
        found(&settled(waiting, &[other(0, 30_021)])).is_some()
    };
    let with = |pattern, count| {
        move |waiting: &mut Connection| {
            let mut all = exchanges(Parts::default());
            (all.pattern, all.count) = (pattern, count);
            waiting.exchanges = Some(all);
        }
    };
    assert!(of(&|_| ()) && of(&with(Pattern::RequestResponse, 10)) && of(&with(Pattern::Unasked, 0)));
    assert!(!of(&with(Pattern::Unasked, 10)) && !of(&with(Pattern::LongPoll, 10)));
    assert!(!of(&|waiting| (waiting.initiator, waiting.served_by) = (None, Some(Side::A))), "the server's words");
    assert!(!of(&|waiting| waiting.initiator = None), "the capture started mid-connection");
    let known = |waiting: &mut Connection| {
        waiting.initiator = None;
        waiting.findings.push(crate::problems::testing::finding(UNANSWERED_RULE, Severity::Warning, 0, None));
    };
    assert!(of(&known), "its own packets show that it waits");
}

#[test]
fn a_transfer_that_stopped() {
    let head = "0.041 > P. 1:118(117) ack 1\n 0.041 < . 1:1(0) ack 118";
    let stopped = settled(at_server(head), &[other(0, 25_041)]);
    assert_eq!(found(&stopped), Some(("transfer-stopped", 25.0)));
    let party = |connection: &Connection| {
        let words = connection.findings[0].evidence.iter();
        words.filter(|evidence| evidence.value == Value::Word("client".to_owned())).count()
    };
    assert_eq!(party(&stopped), 1);
    assert_eq!(found(&settled(at_server(head), &[other(0, 5_040)])), None);
    assert!(!is_open(&at_client(head)), "the client shows that it sent no more");
    assert!(!is_open(&at_client(&format!("{REQUEST}\n 0.080 < P. 1:11(10) ack 401\n 0.080 > . 401:401(0) ack 11"))));
}

/// Open waits are kept until all connections have come.
#[test]
fn open_waits_are_kept_until_the_end() {
    let mut together = Together::default();
    assert!(together.keep(at_client(REQUEST), 1).is_none());
    assert!(together.keep(other(0, 30_021), 2).is_some());
    let all = together.finish();
    assert_eq!(
        all.iter().map(|(connection, tag)| (found(connection), *tag)).collect::<Vec<_>>(),
        [(Some(("request-unanswered", 30.0)), 1)]
    );
}

#[test]
fn no_more_stretches_are_kept() {
    let mut all = Waiting::default();
    let gap = 2 * CAPTURE_GAP.get();
    for n in 0..=i64::try_from(MOST_STRETCHES).unwrap() {
        let mut one = other(0, 0);
        let time = Timestamp::from_nanos(n * gap);
        one.span = Span::new(time, time);
        all.note(&one);
    }
    assert_eq!((all.stretches.len(), all.until(0)), (MOST_STRETCHES, 0));
    assert!(!all.stretches.contains_key(&(gap * i64::try_from(MOST_STRETCHES).unwrap())), "the latest goes");
}
