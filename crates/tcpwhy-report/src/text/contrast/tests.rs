//! Pairs of connections in a short notation, each with the sentence that it must produce.

use tcpwhy_analysis::testing::{connection, exchanges, half};
use tcpwhy_analysis::{Connection, Ending, Parts, Pattern, Role, Side, Sketch, Vantage};
use tcpwhy_model::{Basis, Cause, Distribution, Rate};

use super::*;
use crate::compare::{Changes, Totals};
use crate::{Catalogue, Language};

/// Parses a connection such as `6000kB 5s send_buffer rtt=20 flight=16 window=64 repeats=100`. Sizes are in
/// kB, round-trip times in ms. Other words: `client` (the client sends), `reset`, `at=receiver`, `sure=60`,
/// `clock`, `keys`, `requests=40x30ms/server`.
fn one(notation: &str) -> Connection {
    let mut words = notation.split_whitespace();
    let number = |word: &str, unit: &str| word.trim_end_matches(unit).parse::<f64>().unwrap();
    let bytes = (number(words.next().unwrap(), "kB") * 1e3) as u64;
    let seconds = number(words.next().unwrap(), "s") as i64;
    let cause = match words.next().unwrap() {
        "nothing" => None,
        cause => Some(cause.parse::<Cause>().unwrap()),
    };
    let unlimited = Cause::plain(tcpwhy_model::Limit::Path);
    let mut data = half(Role::Server, None, &[(seconds, cause.unwrap_or(unlimited))], Vec::new());
    (data.bytes, data.verdict.cause, data.sender) = (bytes, cause, Side::B);
    data.goodput = (seconds > 0).then(|| Rate::from_bytes_per_sec(bytes as f64 / seconds as f64));
    let flat =
        |value: f64| Distribution { min: value as u64, median: value as u64, p95: value as u64, max: value as u64 };
    let mut all = connection(Vec::new());
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match key {
            "rtt" => data.rtt = Some((flat(number(value, "") * 1e6), Basis::WireExact)),
            "flight" => data.flight = Some(flat(number(value, "") * 1e3)),
            "window" => data.receive_window = Some(flat(number(value, "") * 1e3)),
            "repeats" => {
                data.retransmitted_segments = 1;
                data.retransmitted_bytes = (number(value, "") * 1e3) as u64;
            }
            "client" => (data.role, data.sender) = (Role::Client, Side::A),
            "reset" => {
                all.ending = Ending::Reset(Side::B);
                all.findings = vec![tcpwhy_analysis::testing::finding(
                    "reset-mid-transfer",
                    tcpwhy_model::Severity::Critical,
                    0,
                    None,
                )];
            }
            "at" => data.vantage = if value == "receiver" { Vantage::Receiver } else { Vantage::Middle },
            "sure" => data.verdict.confidence = number(value, "") / 100.0,
            "clock" => all.has_wrong_clock = true,
            "keys" => all.exchanges = Some(exchanges(Parts::default())),
            "requests" => {
                let (count, rest) = value.split_once('x').unwrap();
                let (time, party) = rest.split_once('/').unwrap();
                let nanos = (number(time, "ms") * 1e6) as i64;
                let mut parts = Parts::default();
                match party {
                    "server" => parts.server = nanos,
                    "round_trips" => parts.round_trips = nanos,
                    _ => parts.answers = nanos,
                }
                let mut requests = exchanges(parts);
                (requests.count, requests.answer_bytes) = (count.parse().unwrap(), bytes);
                let mut times = Sketch::default();
                times.add(nanos.unsigned_abs(), 1.0);
                requests.times = times;
                all.exchanges = Some(requests);
            }
            other => panic!("{other} means nothing"),
        }
        if key == "keys"
            && let Some(exchanges) = &mut all.exchanges
        {
            exchanges.pattern = Pattern::Interactive;
        }
    }
    all.halves = vec![data];
    all
}

fn sentence(language: Language, mode: CompareMode, names: [&str; 2], a: &str, b: &str) -> String {
    let connections = [one(a), one(b)];
    let pair = ComparedPair { connections, crossing: None, opening: None, unseen: [None; 2] };
    let comparison = Comparison {
        mode,
        names: names.map(str::to_owned),
        pairs: vec![pair],
        count: 1,
        alike: 0,
        only: [0; 2],
        attempts: tcpwhy_analysis::Attempts::default(),
        changes: None,
    };
    let catalogue = Catalogue::new(language);
    compare_sentence(Wording::new(&catalogue), &comparison).unwrap()
}

#[test]
fn each_kind_of_pair_has_its_sentence() {
    let all: &[(&str, &str, &str)] = &[
        // Both have the same cause.
        (
            "6000kB 10s send_buffer rtt=40 flight=16",
            "6000kB 5s send_buffer rtt=40 flight=32",
            "B is 2.0 times as fast (10.0 s → 5.00 s): the send buffer limits both; A has 16.0 kB in flight, B 32.0 kB.",
        ),
        (
            "6000kB 10s receive_window/small_buffer rtt=20 window=64",
            "6000kB 30s receive_window rtt=60 window=64",
            "A is 3.0 times as fast as B (10.0 s and 30.0 s): the receive window limits both; A's RTT is 20.0 ms, B's 60.0 ms.",
        ),
        (
            "6000kB 20s loss_recovery/fast repeats=600",
            "6000kB 10s congestion_window/post_loss repeats=60",
            "B is 2.0 times as fast (20.0 s → 10.0 s): packet loss limits both; A retransmitted 10%, B 1.0%.",
        ),
        (
            "6000kB 10s send_buffer",
            "6000kB 11s send_buffer",
            "A and B are about as fast (10.0 s and 11.0 s): the send buffer limits both.",
        ),
        // The second connection no longer has the cause.
        (
            "6000kB 13s loss_recovery/rto repeats=90",
            "6000kB 5s send_buffer",
            "B is 2.6 times as fast (13.0 s → 5.00 s): no loss now; the send buffer is the next limit.",
        ),
        (
            "6000kB 13s loss_recovery/rto repeats=90",
            "6000kB 5s path repeats=1",
            "B is 2.6 times as fast (13.0 s → 5.00 s): packet loss no longer limits it; the path is the next limit.",
        ),
        (
            "6000kB 13s send_buffer",
            "6000kB 5s nothing",
            "B is 2.6 times as fast (13.0 s → 5.00 s): the send buffer no longer limits it, and nothing else does.",
        ),
        (
            "6000kB 13s loss_recovery/rto repeats=90",
            "6000kB 5s nothing",
            "B is 2.6 times as fast (13.0 s → 5.00 s): no loss now, and no other limit.",
        ),
        // The second connection has a new cause.
        (
            "6000kB 5s send_buffer",
            "6000kB 13s loss_recovery/rto repeats=90",
            "A is 2.6 times as fast as B (5.00 s and 13.0 s): packet loss limits B, the send buffer limits A.",
        ),
        (
            "6000kB 5s nothing",
            "6000kB 13s receive_window/zero_window",
            "A is 2.6 times as fast as B (5.00 s and 13.0 s): the receive window limits B, nothing limits A.",
        ),
        (
            "6000kB 13s nothing",
            "6000kB 5s path/policer",
            "B is 2.6 times as fast (13.0 s → 5.00 s): nothing limited A; a policer limits B.",
        ),
        // Both are healthy.
        (
            "6000kB 5s nothing",
            "6000kB 5s nothing",
            "A and B are about as fast (5.00 s and 5.00 s): nothing limits either.",
        ),
        // Transfers of different sizes are compared by their rates.
        (
            "6000kB 5s send_buffer",
            "10000kB 4s path/queue",
            "B is 2.1 times as fast (9.60 Mbit/s → 20.0 Mbit/s): the send buffer no longer limits it; the path is the next limit.",
        ),
        (
            "6000kB 6s send_buffer",
            "12000kB 12s application/idle",
            "A and B are about as fast (8.00 Mbit/s and 8.00 Mbit/s): the send buffer limits A, an idle sender limits B.",
        ),
        // One or both failed.
        ("6000kB 5s path reset", "6000kB 5s path", "A failed (reset by the server); B sent 6.00 MB in 5.00 s."),
        ("6000kB 5s path reset", "6000kB 9s path reset", "A and B failed alike (reset by the server)."),
        // Requests and answers are compared by their response times.
        (
            "400kB 5s nothing requests=40x80ms/server",
            "900kB 9s nothing requests=90x31ms/server",
            "B's requests are 2.6 times as fast (median 80.0 ms → 31.0 ms): the server limits both.",
        ),
        (
            "400kB 5s send_buffer requests=40x20ms/transfers",
            "400kB 5s nothing requests=40x80ms/server",
            "A's requests are 4.0 times as fast as B's (median 20.0 ms and 80.0 ms): the server limits B, the send buffer limits A.",
        ),
        (
            "400kB 5s application/think requests=40x20ms/round_trips",
            "400kB 5s application/think requests=40x21ms/transfers",
            "Requests of A and B are about as fast (median 20.0 ms and 21.0 ms): the round trip limits A, the transfer limits B.",
        ),
        // The connections cannot be compared.
        (
            "6000kB 5s path",
            "6000kB 5s path client",
            "A and B cannot be compared: the server sends in A, the client in B.",
        ),
        ("6000kB 5s path", "2kB 1s nothing", "A and B cannot be compared: B has hardly any data (2.00 kB)."),
        (
            "400kB 5s nothing requests=40x30ms/server",
            "900kB 9s path",
            "A and B cannot be compared: A has 40 requests, B one transfer.",
        ),
        ("6kB 5s nothing", "6kB 5s nothing keys", "A and B cannot be compared: in B a person or events set the pace."),
        ("6000kB 5s path clock", "6000kB 5s path", "A and B cannot be compared: the clock of A is wrong."),
    ];
    for (a, b, expected) in all {
        let found = sentence(Language::English, CompareMode::Connections, ["a.pcap", "b.pcap"], a, b);
        assert_eq!(found, *expected, "{a} | {b}");
        let chinese = sentence(Language::SimplifiedChinese, CompareMode::Connections, ["a.pcap", "b.pcap"], a, b);
        assert!(chinese.ends_with('。') && !chinese.contains('{'), "{chinese}");
    }
}

/// Two connections of one capture have no order of before and after.
#[test]
fn one_capture_has_no_now() {
    let found = |names| {
        let [a, b] = ["6000kB 13s loss_recovery/rto repeats=90", "6000kB 5s send_buffer"];
        sentence(Language::English, CompareMode::Connections, names, a, b)
    };
    assert_eq!(
        found(["a.pcap", "a.pcap"]),
        "B is 2.6 times as fast as A (5.00 s and 13.0 s): packet loss limits A, the send buffer limits B."
    );
    assert!(found(["a.pcap", "b.pcap"]).contains("no loss now"));
}

#[test]
fn both_ends_name_whom_to_trust() {
    let all: &[(&str, &str, &str)] = &[
        (
            "6000kB 5s send_buffer sure=90",
            "6000kB 5s congestion_window/other at=receiver sure=60",
            "One connection: A saw it at the sender, B at the receiver. Trust A, the sender's capture: the send buffer \
             limits it. B names the congestion window.",
        ),
        // Both verdicts are equally sure; the sender's capture is the better one for buffers.
        (
            "6000kB 5s path at=receiver",
            "6000kB 5s send_buffer",
            "One connection: A saw it at the receiver, B at the sender. Trust B, the sender's capture: the send buffer \
             limits it. A names the path.",
        ),
        (
            "6000kB 5s receive_window/slow_reader",
            "6000kB 5s receive_window/zero_window at=receiver",
            "One connection: A saw it at the sender, B at the receiver. Both name one limit: the receive window.",
        ),
        (
            "6000kB 5s path at=middle",
            "6000kB 5s nothing at=receiver",
            "One connection: A saw it between the ends, B at the receiver. A names the path, B names nothing, and \
             neither is surer.",
        ),
        (
            "6000kB 5s nothing",
            "6000kB 5s nothing at=receiver",
            "One connection: A saw it at the sender, B at the receiver. Neither shows a limit.",
        ),
    ];
    for (a, b, expected) in all {
        assert_eq!(sentence(Language::English, CompareMode::Ends, ["a.pcap", "b.pcap"], a, b), *expected, "{a} | {b}");
    }
}

/// The most severe change between two captures with many connections comes first.
#[test]
fn captures_are_compared_by_their_gravest_change() {
    let totals = |connections: &[(&str, usize)]| {
        let mut totals = Totals::default();
        for (notation, count) in connections {
            (0..*count).for_each(|_| totals.add(&one(notation)));
        }
        totals
    };
    let found = |a: &[(&str, usize)], b: &[(&str, usize)], pairs: [u64; 2]| {
        let changes = Changes::between([totals(a), totals(b)]);
        let catalogue = Catalogue::new(Language::English);
        overall(Wording::new(&catalogue), Overall::new(&changes, pairs))
    };
    let [reset, fast, slow] =
        ["60kB 5s path reset", "60kB 5s nothing requests=40x20ms/server", "60kB 5s nothing requests=40x50ms/server"];
    let new = found(&[(fast, 9)], &[(fast, 6), (reset, 3)], [0, 9]);
    assert!(
        new.starts_with("B has a new problem: 10.0.0.2:80, reset by the server: 0 of 9 → 3 of 9 connections"),
        "{new}"
    );
    let gone = found(&[(fast, 6), (reset, 3)], &[(fast, 9)], [0, 9]);
    assert!(
        gone.starts_with("A problem is gone in B: 10.0.0.2:80, reset by the server: 3 of 9 → 0 of 9 connections"),
        "{gone}"
    );
    assert_eq!(
        found(&[(fast, 9)], &[(fast, 9)], [0, 9]),
        "A and B are alike where they share a server: no new problem, and times within 10%."
    );
    assert_eq!(
        found(&[(fast, 9)], &[(fast, 9)], [2, 9]),
        "2 of 9 pairs of connections differ by more than 10% or in their limit."
    );
    let slower = found(&[(fast, 9)], &[(slow, 9)], [9, 9]);
    assert!(slower.contains("10.0.0.2:80"), "{slower}");
}
