//! Requests and answers: the party that took the time of each.

#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

use std::path::Path;

use tcpwhy_analysis::{Analyzer, Connection, Exchanges, Pattern};
use tcpwhy_capture::CaptureReader;
use tcpwhy_model::{Limit, Segment};
use tcpwhy_testkit::{Turns, ms, script};

fn connection(segments: &[Segment]) -> Connection {
    let mut analyzer = Analyzer::new();
    for segment in segments {
        analyzer.observe(segment);
    }
    analyzer.finish().remove(0)
}

fn exchanges(segments: &[Segment]) -> Exchanges {
    *connection(segments).exchanges.unwrap()
}

#[track_caller]
fn near(what: &str, found: i64, expected: i64) {
    assert!(found.abs_diff(expected) <= 200_000, "{what}: {found} ns, expected {expected} ns");
}

/// 20 requests over 20 ms, each with 200 ms of server time, and 50 ms until the next, captured at the client.
#[test]
fn each_party_gets_its_time() {
    let turns = Turns { count: 20, think: ms(200), rest: ms(50), ..Turns::default() };
    let found = exchanges(&turns.run());
    assert_eq!((found.count, found.request_bytes, found.answer_bytes), (20, 2_000, 10_000));
    assert_eq!(found.pattern, Pattern::RequestResponse);
    near("server", found.parts.server, ms(4_000));
    near("round trips", found.parts.round_trips, ms(400));
    // 19 times between two requests, plus the time of the model's packets.
    near("client", found.parts.client, 19 * (ms(50) + 30_000));
    let median = found.responses.distribution().unwrap().median;
    assert!(median.abs_diff(200_000_000) < 4_000_000, "{median}");
    let all = found.parts.all();
    let span = found.slowest.iter().map(|e| e.answer.end()).max().unwrap().as_nanos()
        - found.slowest.iter().map(|e| e.request.start()).min().unwrap().as_nanos();
    near("all parts together", all, span);
}

/// Moves packets to another point of the path: those of the client come 3/4 of the delay later.
fn seen_elsewhere(mut segments: Vec<Segment>, later: i64) -> Vec<Segment> {
    let client = segments[0].source;
    for segment in &mut segments {
        let shift = if segment.source == client { later } else { -later };
        segment.timestamp = segment.timestamp.plus(shift);
    }
    segments.sort_by_key(|segment| segment.timestamp);
    segments
}

/// The server's part is the same at any capture point.
#[test]
fn the_capture_point_does_not_matter() {
    let turns = Turns { count: 20, think: ms(200), rest: ms(50), rtt: ms(40), ..Turns::default() };
    for later in [0, ms(5), ms(10), ms(20) - 1_000] {
        let found = exchanges(&seen_elsewhere(turns.run(), later));
        near("server", found.parts.server, ms(4_000));
        near("round trips", found.parts.round_trips, ms(800));
        near("client", found.parts.client, 19 * (ms(50) + 30_000));
    }
}

const HANDSHAKE: &str = "0.000 > S 0:0(0) win 65535 <mss 1460>
    0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
    0.020 > . 1:1(0) ack 1 win 65535
";

fn after_handshake(text: &str) -> Option<Exchanges> {
    connection(&script(&format!("{HANDSHAKE}{text}")).segments).exchanges.map(|exchanges| *exchanges)
}

/// The server sends first, so its greeting is not an answer.
#[test]
fn a_greeting_is_an_opening() {
    let found = after_handshake(
        "0.120 < P. 1:41(40) ack 1
        0.120 > P. 1:21(20) ack 41
        0.150 < P. 41:101(60) ack 21
        0.150 > . 21:21(0) ack 101",
    );
    let found = found.unwrap();
    assert_eq!((found.opening.greeting, found.count), (Some(ms(100)), 1));
    near("server", found.parts.server, ms(10));
}

/// A request that starts before the previous answer has arrived is not timed by itself.
#[test]
fn requests_that_overlap_are_not_timed_one_by_one() {
    let found = after_handshake(
        "0.030 > P. 1:201(200) ack 1
        0.050 < P. 1:1001(1000) ack 201
        0.051 < P. 1001:2001(1000) ack 201
        0.051 > P. 201:401(200) ack 1001
        0.071 < P. 2001:3001(1000) ack 401
        0.071 > . 401:401(0) ack 3001",
    );
    let found = found.unwrap();
    assert_eq!((found.pattern, found.count), (Pattern::Overlapping, 1));
}

/// A window update of HTTP/2 is as small as a keystroke, and does not end an answer.
#[test]
fn small_words_within_an_answer_do_not_end_it() {
    let found = after_handshake(
        "0.030 > P. 1:201(200) ack 1
        0.050 < P. 1:1001(1000) ack 201
        0.050 > P. 201:236(35) ack 1
        0.051 < P. 1001:2001(1000) ack 201
        0.051 > . 236:236(0) ack 2001
        0.071 < P. 2001:3001(1000) ack 236
        0.071 > . 236:236(0) ack 3001",
    );
    let found = found.unwrap();
    assert_eq!((found.pattern, found.count, found.answer_bytes), (Pattern::RequestResponse, 1, 3_000));
}

/// The wait for the retransmission of a lost request is not the server's.
#[test]
fn a_repeated_request_is_no_slow_server() {
    let found = after_handshake(
        "0.030 > P. 1:101(100) ack 1
        0.250 > P. 1:101(100) ack 1
        0.280 < P. 1:501(500) ack 101
        0.280 > . 101:101(0) ack 501",
    );
    let found = found.unwrap();
    near("server", found.parts.server, ms(10));
    near("request", found.parts.requests, ms(220));
}

/// The idle time before an unanswered closing message is not the client's.
#[test]
fn a_goodbye_asks_for_nothing() {
    let found = after_handshake(
        "0.030 > P. 1:101(100) ack 1
        0.060 < P. 1:501(500) ack 101
        0.060 > . 101:101(0) ack 501
        5.000 > P. 101:107(6) ack 501
        5.020 < F. 501:501(0) ack 107
        5.020 > F. 107:107(0) ack 502
        5.040 < . 502:502(0) ack 108",
    );
    let found = found.unwrap();
    assert_eq!((found.count, found.parts.client), (1, 0));
}

/// A TLS handshake is an opening, and only data after it counts.
#[test]
fn a_tls_handshake_is_an_opening() {
    let mut segments = script(&format!(
        "{HANDSHAKE}0.020 > P. 1:518(517) ack 1
        0.045 < P. 1:3001(3000) ack 518
        0.046 > P. 518:718(200) ack 3001
        0.096 < P. 3001:4001(1000) ack 718
        0.096 > . 718:718(0) ack 4001"
    ))
    .segments;
    segments[3].ip = segments[3].ip.with_record(tcpwhy_model::Record::Handshake);
    let found = exchanges(&segments);
    assert_eq!((found.opening.tls_turns, found.opening.tls_nanos, found.count), (1, ms(25), 1));
    near("server", found.parts.server, ms(30));
}

/// News of the server is not an answer: only earlier requests are timed.
#[test]
fn a_stream_of_news_answers_nothing() {
    let mut text = String::from("0.030 > P. 1:101(100) ack 1\n0.060 < P. 1:501(500) ack 101\n");
    for n in 0..5_u32 {
        let (from, time) = (501 + 500 * n, 3 * (n + 1));
        let next = from + 500;
        let news = format!("{time}.000 < P. {from}:{next}(500) ack 101\n{time}.001 > . 101:101(0) ack {next}\n");
        text.push_str(&news);
    }
    let found = after_handshake(&text).unwrap();
    assert_eq!((found.pattern, found.count), (Pattern::RequestResponse, 1));
}

/// Data in one direction alone has no exchanges.
#[test]
fn data_one_way_is_no_exchange() {
    let found = after_handshake("0.030 > P. 1:1001(1000) ack 1\n0.050 < . 1:1(0) ack 1001\n");
    assert!(found.is_none());
}

/// The slowest of a thousand exchanges are kept, unless all are requested. Sums and count include all.
#[test]
fn the_slowest_are_kept() {
    let segments = Turns { count: 1000, think: ms(5), ..Turns::default() }.run();
    let found = exchanges(&segments);
    assert_eq!((found.count, found.slowest.len()), (1000, tcpwhy_analysis::MOST_KEPT));
    let mut analyzer = Analyzer::new().with_all_exchanges();
    for segment in &segments {
        analyzer.observe(segment);
    }
    let all = analyzer.finish().remove(0).exchanges.unwrap();
    assert_eq!((all.slowest.len(), all.parts.server), (1000, found.parts.server));
    assert!(all.slowest.is_sorted_by_key(|exchange| std::cmp::Reverse(exchange.nanos())));
}

/// The time of a transfer is divided by its limits, and the limit set by the lab has most of it.
#[test]
fn transfers_are_split_by_their_limits() {
    for (sample, limit) in [("send-buffer-receiver-side", Limit::SendBuffer), ("loss", Limit::CongestionWindow)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../samples/{sample}.pcap.gz"));
        let segments: Vec<Segment> = CaptureReader::open(&path).unwrap().collect();
        let found = exchanges(&segments);
        let all = found.parts.transfers() + found.parts.pauses;
        let split: i64 = found.limits.iter().map(|limit| limit.1).sum();
        assert!(split.abs_diff(all) <= 1_000_000, "{sample}: {split} of {all}");
        assert_eq!(found.limits[0].0.limit, limit, "{sample}");
        assert!(found.limits[0].1 > all / 2, "{sample}: {:?}", found.limits);
        assert_eq!(found.slowest[0].limits, found.limits, "{sample}: there is one request");
    }
}
