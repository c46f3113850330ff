//! Tests of the page: which code it allows, what it escapes, and its size.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod common;

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::{connections, record, view};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tcpwhy_analysis::Folds;
use tcpwhy_model::{Reason, Segment};
use tcpwhy_report::dto::{Answer, Presentation, Problem};
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_testkit::{Transfer, script};
use tcpwhy_view::Wanted;
use tcpwhy_view::chart::{
    Budget, Extent, HalfRecording, Largest, MarkKind, MarkRow, Recording, RoundTripRow, SegmentRow, StateRow, Table,
    ThroughputRow,
};
use tcpwhy_view::data::{ConnectionChart, View};
use tcpwhy_view::page::page;

fn sample(path: &str, budget: Option<Budget>) -> (View, Vec<ConnectionChart>) {
    let segments = Transfer { bytes: 1_000_000, lost_every: Some(53), ..Transfer::default() }.run();
    let view = view(connections(&segments), path, Language::English);
    let plan = view.plan();
    let charts = plan
        .iter()
        .map(|(entry, planned)| {
            let recording = record(&segments, Wanted::whole(&entry.connection, budget.unwrap_or(*planned)));
            ConnectionChart::new(&entry.connection, &recording)
        })
        .collect();
    (view, charts)
}

/// The text between two strings, each of which occurs once.
#[track_caller]
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect(start);
    rest.split_once(end).expect(end).0
}

fn data(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"tcpwhy-data\">", "</script>")).unwrap()
}

/// The numbers of a column.
fn column(value: &Value) -> Vec<f64> {
    let (kind, text) = value.as_str().unwrap().split_once(':').unwrap();
    let bytes = STANDARD.decode(text).unwrap();
    let number = |b: &[u8]| match kind {
        "u8" => f64::from(b[0]),
        "u16" => f64::from(u16::from_le_bytes(b.try_into().unwrap())),
        "u32" => f64::from(u32::from_le_bytes(b.try_into().unwrap())),
        "f32" => f64::from(f32::from_le_bytes(b.try_into().unwrap())),
        _ => f64::from_le_bytes(b.try_into().unwrap()),
    };
    let width = match kind {
        "u8" => 1,
        "u16" => 2,
        "u32" | "f32" => 4,
        _ => 8,
    };
    bytes.chunks(width).map(number).collect()
}

#[test]
fn only_what_is_embedded_may_run() {
    let (view, charts) = sample("a.pcap", None);
    let page = page(&view, &charts);
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    let script = page.rsplit_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    let style = between(&page, "<style>", "</style>");
    assert!(policy.contains(&format!("script-src {}", hash(script))), "{policy}");
    assert!(policy.contains(&format!("style-src {}", hash(style))), "{policy}");
    assert_eq!(page.matches("<script").count() - script.matches("<script").count(), 2);
    let own = page.replace(script, "").replace(style, "");
    for reference in [" src=", " href=", "@import", "url(http"] {
        assert!(!own.contains(reference), "{reference}");
    }
}

#[test]
fn hostile_names_stay_text() {
    let hostile = "<script>alert(1)<!--<img src=x onerror=alert(2)>\u{2028}\"'&.pcap";
    // The folder of the capture is left out.
    let (view, charts) = sample(&format!("</script>/{hostile}"), None);
    let page = page(&view, &charts);
    assert!(!page.contains("<script>alert(1)") && !page.contains("<img"));
    assert!(!between(&page, "id=\"tcpwhy-data\">", "</script>").contains(['<', '\u{2028}']));
    assert_eq!(data(&page)["documents"]["en"]["captures"][0]["path"], hostile.replace('\u{2028}', "\\u{2028}"));
    assert!(between(&page, "<title>", "</title>").starts_with("&lt;script&gt;"));
}

#[test]
fn the_data_are_those_of_the_contract() {
    let (view, charts) = sample("a.pcap", None);
    let data = data(&page(&view, &charts));
    assert_eq!(data["format"], "tcpwhy-view/1");
    assert_eq!(data["server"], Value::Null);
    let kinds: Vec<_> = data["mark_kinds"].as_array().unwrap().iter().map(|k| k.as_str().unwrap()).collect();
    assert_eq!(kinds.len(), MarkKind::ALL.len());
    let [english, chinese] = ["en", "zh-CN"].map(|tag| {
        let words = data["messages"][tag].as_object().unwrap();
        words.keys().cloned().collect::<BTreeSet<_>>()
    });
    assert_eq!(english, chinese);
    for id in [
        "limit-send-buffer",
        "detail-slow-reader",
        "viewer-key-ack",
        "viewer-mark-zero-window",
        "unit-seconds",
        "unknown",
    ] {
        assert!(english.contains(id), "{id}");
    }
    assert_eq!(data["messages"]["en"]["viewer-line-plateau"], "plateau of {bytes} in flight");
    // The limits add up to the span, and each cause has one of them.
    let half = &data["charts"][0]["halves"][0];
    let times = column(&half["timeline"]["t"]);
    assert!(times.windows(2).all(|w| w[0] < w[1]));
    let causes = data["causes"].as_array().unwrap();
    for cause in column(&half["timeline"]["cause"]) {
        let limit = causes[cause as usize]["limit"].as_u64().unwrap();
        assert!(data["limits"][limit as usize]["id"].is_string());
    }
    // Each cause has a reason in words of both languages, with as many numbers as it has measures.
    let reasons = data["reasons"].as_object().unwrap();
    let used: BTreeSet<_> = column(&half["timeline"]["reason"]).into_iter().map(|r| r.to_string()).collect();
    assert!(used.iter().all(|key| reasons.contains_key(key)), "{used:?} {reasons:?}");
    assert!(reasons.len() < Reason::ALL.len() / 2, "no more than occur");
    for reason in reasons.values() {
        let id = format!("why-{}", reason["id"].as_str().unwrap().replace('_', "-"));
        assert!(english.contains(&id), "{id}");
        for measure in reason["measures"].as_array().unwrap() {
            let id = format!("evidence-{}", measure.as_str().unwrap().replace('_', "-"));
            assert!(english.contains(&id), "{id}");
        }
    }
    let values = half["timeline"]["values"].as_array().unwrap();
    assert!(!values.is_empty() && values.iter().all(|v| column(v).len() == times.len()));
    // All bytes are covered once.
    let (lo, hi) = (column(&half["segments"]["lo"]), column(&half["segments"]["hi"]));
    let covered: f64 = lo.iter().zip(&hi).map(|(lo, hi)| hi - lo).sum();
    let again = between_marks(half, kinds.iter().position(|k| *k == "out_of_order").unwrap());
    assert!((covered + again - 1_000_000.0).abs() < 1.0, "{covered} {again}");
    let packets = &data["charts"][0]["packets"];
    let numbers = column(&packets["number"]);
    assert_eq!(numbers.len() as u64, data["charts"][0]["packet_count"].as_u64().unwrap());
    assert!((numbers[0] - 1.0).abs() < 0.1);
    let document = &data["documents"]["en"]["connections"][0]["halves"][0];
    for finding in document["findings"].as_array().unwrap() {
        assert!(finding["title"].is_string());
        assert!(
            finding["evidence"].as_array().unwrap().iter().all(|e| e["label"].is_string() && e["text"].is_string())
        );
    }
}

/// Number of bytes covered by marks of a kind.
fn between_marks(half: &Value, kind: usize) -> f64 {
    let marks = &half["marks"];
    let (kinds, lo, hi) = (column(&marks["kind"]), column(&marks["lo"]), column(&marks["hi"]));
    (0..kinds.len()).filter(|&i| kinds[i] as usize == kind).map(|i| hi[i] - lo[i]).sum()
}

#[test]
fn what_is_merged_says_so() {
    let (view, charts) = sample("a.pcap", Some(Budget { packets: 1, rows: 100, marks: 60 }));
    let data = data(&page(&view, &charts));
    let chart = &data["charts"][0];
    assert_eq!(chart["packets"], Value::Null);
    let half = &chart["halves"][0];
    assert!(half["segments"]["bin_s"].as_f64().unwrap() > 0.0 && half["bin_s"].as_f64().unwrap() > 0.0);
    assert!(half["segments"]["count"].is_string() && half["states"]["flight"]["hi"].is_string());
    assert!(half["marks"]["t_end"].is_string() && half["marks"]["count"].is_string());
    assert!(half["marks"]["rows"].as_u64().unwrap() <= 60);
}

#[test]
fn numbers_stand_in_the_page_without_its_script() {
    let (view, charts) = sample("a.pcap", None);
    let page = page(&view, &charts);
    let text = between(&page, "<div id=\"tcpwhy-root\">", "<script");
    let verdict = view.survey().entries()[0].connection.halves.len();
    assert_eq!(text.matches("<section>").count(), verdict);
    assert!(text.contains("<noscript>") && text.contains("<caption>") && text.contains("scope=\"row\""));
}

#[test]
fn many_connections_fit_and_the_rest_is_counted() {
    let one = connections(&Transfer { bytes: 100_000, lost_every: Some(20), ..Transfer::default() }.run()).remove(0);
    let many = (0..25_000).map(|id| {
        let mut connection = one.clone();
        connection.id = id;
        connection.first_packet = id + 1;
        connection
    });
    let view = view(many.collect(), "many.pcap", Language::SimplifiedChinese);
    assert!(!view.plan().is_empty());
    let page = page(&view, &[]);
    assert!(page.len() < 5_000_000, "{}", page.len());
    let overview = &data(&page)["overview"];
    assert_eq!((&overview["connections"], &overview["rows"]), (&25_000.into(), &20_000.into()));
    assert_eq!(overview["omitted"]["connections"], 5000);
    assert_eq!(overview["omitted"]["bytes"].as_u64().unwrap(), 5000 * one.halves.iter().map(|h| h.bytes).sum::<u64>());
    assert_eq!(column(&overview["id"]).len(), 20_000);
}

/// A recording of a very long transfer in which every table is full and every value has as many digits as
/// possible.
fn full(budget: Budget) -> Recording {
    let large = |i: usize| 4_000_000_000 + i as u64;
    let extent = |i: usize| Extent { lo: large(i), hi: large(i) + 1 };
    let time = |i: usize| i as i64 * 67_108_864;
    let rows = 0..budget.rows;
    let half = |is_empty: bool| {
        let rows = if is_empty { 0..0 } else { rows.clone() };
        let marks = if is_empty { 0 } else { budget.marks };
        let mark =
            |i| MarkRow { time: time(i), end: time(i) + 1, lo: large(i), hi: large(i), packet: large(i), count: 2 };
        let state = |i| StateRow {
            time: time(i),
            una: extent(i),
            edge: extent(i),
            window: extent(i),
            flight: extent(i),
            pipe: extent(i),
            cwnd_floor: extent(i),
        };
        let throughput = |i| ThroughputRow { time: time(i), acked: large(i), sent: large(i), resent: large(i) };
        let segment = |i| SegmentRow { time: time(i), lo: large(i), hi: large(i), packet: large(i), count: large(i) };
        let throughputs = Table { rows: rows.clone().take(4096).map(throughput).collect(), bin: 1_000_000 };
        HalfRecording {
            segments: Table { rows: rows.clone().map(segment).collect(), bin: 67_108_864 },
            states: Table { rows: rows.clone().map(state).collect(), bin: 67_108_864 },
            round_trips: Table {
                rows: rows.map(|i| RoundTripRow { time: time(i), nanos: extent(i) }).collect(),
                bin: 67_108_864,
            },
            rates: throughputs.clone(),
            throughput: throughputs,
            marks: vec![(MarkKind::RetransmissionFast, Table { rows: (0..marks).map(mark).collect(), bin: 1 })],
            socket: Vec::new(),
            base: 0,
            extent: Largest::default(),
        }
    };
    Recording { halves: [half(false), half(true)], packets: None, packet_count: 10_000_000, from: 0, to: i64::MAX / 4 }
}

#[test]
fn ten_million_packets_stay_under_ten_megabytes() {
    let segments = Transfer { bytes: 1_000_000, lost_every: Some(53), ..Transfer::default() }.run();
    let mut connections = connections(&segments);
    connections[0].packets = [10_000_000, 5_000_000];
    let view = view(connections, "long.pcap", Language::English);
    let (entry, budget) = view.plan()[0];
    assert!(budget.rows >= 20_000 && budget.marks >= 50_000, "{budget:?}");
    let chart = ConnectionChart::new(&entry.connection, &full(budget));
    let page = page(&view, &[chart]);
    assert!(page.len() < 10_000_000, "{}", page.len());
}

/// A client that tries `count` ports of a host without an answer.
fn scan(count: u16) -> Vec<Segment> {
    let tried = script(
        "0.000 > S 0:0(0) win 65535 <mss 1460>
        1.000 > S 0:0(0) win 65535 <mss 1460>
        3.000 > S 0:0(0) win 65535 <mss 1460>",
    );
    let to_port = |port: u16| {
        tried.segments.iter().map(move |&segment| {
            let mut segment = segment;
            segment.number += u64::from(port) * 10_000;
            segment.destination.port = port;
            segment
        })
    };
    (1..=count).flat_map(to_port).collect()
}

/// The page's data about all connections in `segments`.
fn data_of(segments: &[Segment]) -> Value {
    data(&page(&view(connections(segments), "a.pcap", Language::English), &[]))
}

/// Checks that `value` has all fields of an answer in JSON.
#[track_caller]
fn has_all(value: &Value, answer: impl serde::Serialize) {
    for (key, told) in serde_json::to_value(answer).unwrap().as_object().unwrap() {
        assert_eq!(&value[key], told, "{key}");
    }
}

#[test]
fn answers_are_those_of_json() {
    let transfer = Transfer { bytes: 1_000_000, lost_every: Some(53), ..Transfer::default() }.run();
    for segments in [transfer.clone(), scan(40), [scan(40), transfer].concat()] {
        let connections = connections(&segments);
        let folds = Folds::of(&connections);
        let data = data_of(&segments);
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            let presentation = Presentation::new(Wording::new(&catalogue));
            let document = &data["documents"][language.tag()];
            has_all(&data["headlines"][language.tag()]["answer"], Answer::of_capture(&folds, presentation));
            let problems = serde_json::to_value(Problem::all(&folds, presentation)).unwrap();
            for (shown, problem) in document["problems"].as_array().unwrap().iter().zip(problems.as_array().unwrap()) {
                has_all(&shown["answer"], &problem["answer"]);
            }
            let shown = document["connections"].as_array().unwrap();
            assert!(!shown.is_empty());
            for value in shown {
                let connection = connections.iter().find(|connection| value["id"] == connection.id).unwrap();
                let answer = Answer::of_connection(connection, presentation);
                has_all(&value["answer"], &answer);
                for (half, value) in connection.halves.iter().zip(value["halves"].as_array().unwrap()) {
                    let is_it = answer.sender == Some(half.sender.index());
                    let own = (!is_it).then(|| Answer::of_half(connection, half, presentation));
                    has_all(&value["answer"], own.as_ref().unwrap_or(&answer));
                }
            }
        }
    }
}

/// Probes are the first problem only if there is no other one. The heading contains their connections only if
/// it is about them.
#[test]
fn the_heading_has_the_problem_that_it_speaks_of() {
    let transfer = Transfer { bytes: 1_000_000, lost_every: Some(53), ..Transfer::default() }.run();
    let of = |segments: &[Segment]| {
        let data = data_of(segments);
        let problems = data["documents"]["en"]["problems"].as_array().unwrap().len();
        (data["headlines"]["en"]["problem"].clone(), problems)
    };
    assert_eq!(of(&scan(40)), (0.into(), 1));
    let (heading, problems) = of(&[scan(40), transfer.clone()].concat());
    let (alone, own) = of(&transfer);
    assert_eq!(problems, own + 1, "the scan is a problem");
    assert_eq!(heading, alone, "and the heading is about the transfer");
}

/// Times of a wrong clock are in no sum of the page, which reports the number of these connections.
#[test]
fn a_wrong_clock_is_in_no_sum() {
    let segments = Transfer { bytes: 1_000_000, lost_every: Some(53), ..Transfer::default() }.run();
    let of = |is_wrong: bool| {
        let mut all = connections(&segments);
        for connection in &mut all {
            connection.has_wrong_clock = is_wrong;
        }
        data(&page(&view(all, "a.pcap", Language::English), &[]))
    };
    let sum = |data: &Value| -> f64 {
        data["spent"].as_array().unwrap().iter().map(|part| part["seconds"].as_f64().unwrap()).sum()
    };
    let (right, wrong) = (of(false), of(true));
    assert!(sum(&right) > 0.0 && right["wrong_clock"] == 0, "{}", right["spent"]);
    assert!(sum(&wrong) == 0.0 && wrong["wrong_clock"] == 1, "{}", wrong["spent"]);
    for key in ["limit", "time_s"] {
        assert!(!right["services"][0][key].is_null() && wrong["services"][0][key].is_null(), "{key}: {wrong}");
    }
}
