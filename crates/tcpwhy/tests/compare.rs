//! Runs `tcpwhy compare`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]
#![allow(dead_code, reason = "every test binary uses its own part of the support")]

mod support;

use serde_json::Value;
use support::{Trace, capture, many, one, tcpwhy};

const MS: i64 = 1_000_000;
/// One-way delay, ns: slightly less than half of the round trip of 40 ms, because the client needs some time.
const DELAY: i64 = 19_900_000;

fn path_of(name: &str, trace: &Trace) -> String {
    capture(name, trace).to_str().unwrap().to_owned()
}

fn run(args: &[&str]) -> (i32, String, String) {
    let output = tcpwhy().arg("compare").args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(args: &[&str]) -> Value {
    let (code, out, err) = run(&[&["--json"], args].concat());
    assert_eq!((code, err.as_str()), (0, ""));
    serde_json::from_str(&out).unwrap()
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Captures at the server, and half a round trip away at the client. The client's clock is 3 s ahead, and one
/// segment did not reach it.
fn both_ends(name: &str) -> [String; 2] {
    let client = one().elsewhere("10.9.8.7", DELAY, 3000 * MS).without(51);
    [path_of(&format!("{name}-server.pcapng"), &one()), path_of(&format!("{name}-client.pcapng"), &client)]
}

/// Names of causes are complete on any usual terminal. With little space, a detail is below its limit.
#[test]
fn names_take_the_room_that_there_is() {
    let sample = |name: &str| format!("{}/../../samples/{name}.pcap.gz", env!("CARGO_MANIFEST_DIR"));
    let [sender, receiver] = [sample("loss"), sample("receive-window-receiver-side")];
    for (width, cause) in [
        ("100", "  congestion window: after a loss  "),
        ("80", "  congestion window: after a loss  "),
        ("60", "    after a loss  "),
    ] {
        let output =
            tcpwhy().args(["compare", &sender, &receiver, "--connections", "0:0", "--width", width]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let table: Vec<_> = text.lines().skip_while(|line| !line.contains("limited by")).collect();
        assert!(table.iter().any(|line| line.contains(cause)), "{width}: {text}");
        assert!(!text.contains('…'), "{width}: {text}");
        let longest = width.parse().unwrap();
        assert!(table.iter().all(|line| line.chars().count() <= longest), "{width}: {text}");
    }
}

#[test]
fn two_ends_of_one_connection() {
    let [server, client] = both_ends("ends");
    let document = json(&[&server, &client]);
    assert_eq!((&document["mode"], document["pairs"].as_array().unwrap().len()), (&"ends".into(), 1));
    let between = &document["pairs"][0]["between"];
    // The client sent the first packet, the first capture is at the server.
    assert_eq!((&between["first_near"], &between["clock_offset_s"]), (&1.into(), &3.0.into()));
    assert_eq!(between["round_trip_s"], 0.0398);
    assert_eq!(between["ways"][1]["sent_bytes"], 200 * 1448);
    assert_eq!(between["ways"][1]["lost_bytes"], 1448);
    assert_eq!(between["ways"][1]["delay"]["max_us"], 0.0);
    assert_eq!(between["ways"][0]["sent_bytes"], 0);
    let schema: Value = serde_json::from_slice(&tcpwhy().args(["schema", "compare"]).output().unwrap().stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert_eq!(validator.iter_errors(&document).count(), 0);

    let (code, english, err) = run(&[&server, &client, "--width", "100"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let text = words(&english);
    for part in [
        "The same connection, captured at two places.",
        "10.9.8.7:3306 → 10.1.2.3:40000 (from A to B): 1.45 kB of 290 kB (0.5%) lost between the two",
        "The round trip between A and B takes at least 39.8 ms. B's clock is 3.00 s ahead of A's",
        "A, at the sender: ",
        "B, at the receiver: ",
    ] {
        assert!(text.contains(part), "no {part:?} in {english}");
    }
    let (_, reversed, _) = run(&[&client, &server, "--lang", "zh-CN"]);
    assert!(words(&reversed).contains("（从 B 到 A）") && reversed.contains("B 的时钟比 A 慢 3.00 秒"), "{reversed}");
    for width in ["60", "100", "200"] {
        let (_, narrow, _) = run(&[&server, &client, "--width", width]);
        let most = narrow.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(most <= width.parse().unwrap(), "{narrow}");
    }
    let (_, hidden, _) = run(&["--anonymize-key", "k", &server, &client]);
    assert!(hidden.contains("lost between the two") && !hidden.contains("10.9.8.7") && !hidden.contains("10.1.2.3"));
}

/// A connection in only one of the captures, without a response.
#[test]
fn syns_that_never_arrive() {
    let client = one().elsewhere("10.9.8.7", DELAY, 3000 * MS);
    let client = client.unanswered(("10.1.2.3", 41_000), ("10.9.8.7", 3307), 0);
    let (server, client) = (path_of("syns-server.pcapng", &one()), path_of("syns-client.pcapng", &client));
    let document = json(&[&server, &client]);
    let attempt = &document["attempts"][0];
    assert_eq!(
        (&document["mode"], &attempt["fate"], &attempt["seen_at"]),
        (&"ends".into(), &"syn_lost".into(), &1.into())
    );
    assert_eq!((&attempt["connections"], &attempt["handshakes"][1]["syn"]["count"]), (&1.into(), &3.into()));
    assert!(attempt["handshakes"][0].is_null(), "{attempt}");
    let handshakes = &document["pairs"][0]["handshakes"];
    assert_eq!((&handshakes[0]["syn"]["count"], &handshakes[1]["is_acknowledged"]), (&1.into(), &true.into()));
    let (_, text, _) = run(&[&server, &client, "--width", "200"]);
    assert!(text.contains("3 SYNs of 10.1.2.3 pass B and never reach A."), "{text}");
    let (_, hidden, _) = run(&["--anonymize-key", "k", &server, &client]);
    let told = words(&hidden).contains("pass B and never reach A");
    assert!(told && !hidden.contains("10.1.2.3"), "{hidden}");
}

#[test]
fn one_place_is_said() {
    let [server, _] = both_ends("place");
    let (code, text, _) = run(&[&server, &server]);
    assert!(code == 0 && words(&text).contains("or both captures come from one place"), "{text}");
}

#[test]
fn two_captures_and_what_differs() {
    let after = Trace::default().window_limited(("10.1.2.3", 50_000), ("10.9.8.7", 3306), 0, 40).window_limited(
        ("10.1.2.4", 50_001),
        ("10.9.8.7", 3306),
        5,
        60,
    );
    let (before, after) = (path_of("before.pcapng", &many()), path_of("after.pcapng", &after));
    let document = json(&[&before, &after]);
    assert_eq!((&document["mode"], &document["only"]), (&"captures".into(), &serde_json::json!([1, 0])));
    let ids: Vec<_> = document["pairs"].as_array().unwrap().iter().map(|p| &p["connections"][1]["id"]).collect();
    assert_eq!(ids, [1, 0]);
    let (_, text, _) = run(&[&before, &after, "--width", "140"]);
    assert!(text.contains("0/0  10.9.8.7:3306 → 10.1.2.3:40000  841 ms → 1.64 s"), "{text}");
    // In a narrow table, no fact is omitted.
    let (_, narrow, _) = run(&[&before, &after, "--width", "80"]);
    let row = text.lines().find(|line| line.trim_start().starts_with("0/0")).unwrap();
    for fact in words(row).split(" → ").flat_map(|part| part.split_whitespace()) {
        assert!(words(&narrow).contains(fact), "{fact} of {row} is not in {narrow}");
    }
    assert!(narrow.lines().all(|line| line.chars().count() <= 80 || line.contains(".pcapng")), "{narrow}");
    assert!(words(&text).contains("1 pair is alike") && !text.contains("1/1"), "{text}");
    assert!(words(&text).contains("Without a counterpart: 1 in A, 0 in B."), "{text}");
}

/// Refused connections have no data, so the captures are compared by service.
#[test]
fn captures_without_data_are_compared_by_service() {
    let refusing = |ports: std::ops::Range<u16>| {
        ports.fold(Trace::default(), |trace, port| trace.refused(("10.1.2.3", port), ("10.9.8.7", 81), i64::from(port)))
    };
    let before = refusing(40_000..40_001).unanswered(("10.1.2.3", 41_000), ("10.9.8.7", 81), 0);
    let after = refusing(40_000..40_004).refused(("10.1.2.3", 42_000), ("10.9.8.8", 82), 0);
    let (before, after) = (path_of("refused-before.pcapng", &before), path_of("refused-after.pcapng", &after));
    let document = json(&[&before, &after]);
    assert_eq!((&document["mode"], document["pairs"].as_array().unwrap().len()), (&"captures".into(), 0));
    let problems = document["problems"].as_array().unwrap();
    let found: Vec<_> = problems
        .iter()
        .map(|p| (p["change"].as_str().unwrap(), &p["before"]["connections"], &p["after"]["connections"]))
        .collect();
    let (none, some) = (Value::Null, |count: u64| Value::from(count));
    let (one, four) = (some(1), some(4));
    assert_eq!(found, [("worse", &one, &four), ("only_after", &none, &one), ("gone", &one, &none)]);
    assert_eq!(problems[0]["sentence"], "10.9.8.7:81, refused: 1 of 2 → 4 of 4 connections");
    assert_eq!(problems[0]["of_connections"], serde_json::json!([2, 4]));
    let services = document["services"].as_array().unwrap();
    assert_eq!((services.len(), &services[0]["before"]["connections"]), (1, &some(2)));
    let (_, text, _) = run(&[&before, &after, "--width", "100"]);
    for line in [
        "No connection with data has a counterpart: services and problems are compared.",
        "worse 10.9.8.7:81, refused: 1 of 2 → 4 of 4 connections",
        "only in B 10.9.8.8:82, refused: 1 of 1 connections",
        "gone 10.9.8.7:81, SYN unanswered: 1 of 2 → 0 of 4 connections, 3.00 s → 0 s lost",
        "10.9.8.7:81 2 → 4 2 → 4",
    ] {
        assert!(words(&text).contains(line), "{line} is not in {text}");
    }
    let (_, chinese, _) = run(&[&before, &after, "--lang", "zh-CN"]);
    assert!(chinese.contains("变差") && chinese.contains("10.9.8.7:81，被拒绝：连接 1/2 → 4/4"), "{chinese}");
    // Both ends of the same connections are not a before and an after.
    let [server, client] = both_ends("no-services");
    assert!(json(&[&server, &client]).get("services").is_none());
}

#[test]
fn two_connections_by_number() {
    let path = path_of("numbers.pcapng", &many());
    let document = json(&[&path, &path, "--connections", "0:2"]);
    let ids = |n: usize| document["pairs"][0]["connections"][n]["id"].clone();
    assert_eq!((&document["mode"], ids(0), ids(1)), (&"connections".into(), 0.into(), 2.into()));
    let (_, text, _) = run(&[&path, &path, "--connections", "0:2"]);
    assert!(text.contains("Two connections.") && text.contains("57.9 kB") && text.contains("14.5 kB"), "{text}");
    let (code, out, err) = run(&[&path, &path, "--connections", "0:99"]);
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (2, "", "tcpwhy: connection 99 does not exist, or carried no data\n")
    );
    assert_eq!(run(&[&path, &path, "--connections", "0-2"]).0, 2);
}

#[test]
fn nothing_in_common_is_an_error() {
    let other = Trace::default().window_limited(("10.7.7.7", 1), ("10.8.8.8", 2), 0, 3).window_limited(
        ("10.7.7.7", 3),
        ("10.8.8.8", 2),
        0,
        3,
    );
    let (code, out, err) = run(&[&path_of("common-a.pcapng", &many()), &path_of("common-b.pcapng", &other)]);
    assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1));
    assert!(err.contains("the captures have no matching connections"), "{err}");
}

/// With more connections than are kept completely, the shown pairs are the same, and memory stays small.
#[cfg(target_os = "linux")]
#[test]
fn many_connections_are_compared_in_little_memory() {
    let mut all = one();
    for n in 0..20_100_u16 {
        let client = format!("10.7.{}.{}", n >> 8, n & 255);
        all = all.request((&client, 20_000 + n), ("10.9.8.7", 80), i64::from(n / 10), b"GET / HTTP/1.1\r\n\r\n");
    }
    let few = both_ends("few-of-many");
    let server = path_of("many-server.pcapng", &all);
    let client = path_of("many-client.pcapng", &all.elsewhere("10.9.8.7", DELAY, 3000 * MS));
    let (code, text, err) = run(&[&server, &client, "--top", "1"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(words(&text).contains("20,101"), "{text}");
    let (_, of_few, _) = run(&[&few[0], &few[1], "--top", "1"]);
    let delay = "The round trip between A and B takes at least 39.8 ms. B's clock is 3.00 s ahead of A's";
    assert!(words(&text).contains(delay) && words(&of_few).contains(delay), "{text}");
    assert!(text.contains("10.9.8.7:3306 (server) → 10.1.2.3:40000 (client): 290 kB"), "{text}");
    // Kept completely, they would use 200 MB.
    let measured = std::process::Command::new("sh")
        .args(["-c", "\"$0\" compare \"$1\" \"$2\" --top 1 >/dev/null & p=$!; m=0; while kill -0 $p 2>/dev/null; do \
               v=$(sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$p/status 2>/dev/null); m=${v:-$m}; sleep 0.02; done; echo $m"])
        .arg(support::program())
        .args([&server, &client])
        .output()
        .unwrap();
    let most: u64 = String::from_utf8(measured.stdout).unwrap().trim().parse().unwrap();
    assert!(most < 120_000, "{most} kB");
}
