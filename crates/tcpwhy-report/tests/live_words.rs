//! Tests of the words of `live` for every limit and detail, in the list, in detail, in sentences, in JSON and
//! for assistants. A missing message or a sentence without its numbers fails a test.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::collections::BTreeMap;

use serde_json::Value;
use tcpwhy_analysis::Side;
use tcpwhy_model::host::{SocketAddress, SocketSample, TcpState};
use tcpwhy_model::{Cause, Detail, Limit};
use tcpwhy_report::assistant::{LiveAnswer, Page};
use tcpwhy_report::dto::{Connection, LiveDocument, LiveEvent, LiveHostFacts, Presentation};
use tcpwhy_report::live::{LiveDetail, LiveRow, LiveTable, Reach, losers_sentence, to_text};
use tcpwhy_report::text::Look;
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_watch::{End, LiveConnection, Losers};

const NANOS: i64 = 9_000_000_000;

/// Each limit without a detail, and each detail.
fn causes() -> impl Iterator<Item = Cause> {
    Limit::ALL.map(Cause::plain).into_iter().chain(Detail::ALL.map(Cause::from))
}

/// A socket with almost no data from the kernel, and one with all data.
fn sockets() -> [SocketSample; 2] {
    let place = |port| SocketAddress { address: "10.0.0.5".parse().ok(), zone: None, port: Some(port) };
    let bare = SocketSample {
        state: Some(TcpState::Established),
        local: place(44_321),
        peer: place(443),
        ..SocketSample::default()
    };
    let mut known = SocketSample { receive_queue: 60_000, ..bare.clone() };
    known.memory.send_buffer = Some(87_040);
    for name in known.info.fields().map(|(name, _)| name).collect::<Vec<_>>() {
        *known.info.field_mut(name).unwrap() = Some(20_000);
    }
    [bare, known]
}

/// Every connection that `live` can show, with a description.
fn examples() -> impl Iterator<Item = (String, LiveConnection)> {
    causes().flat_map(|cause| {
        [Side::A, Side::B].into_iter().flat_map(move |sender| {
            sockets().into_iter().enumerate().map(move |(index, mut socket)| {
                // The receiving end has received more than it sent.
                if sender == Side::B {
                    (socket.info.bytes_received, socket.info.bytes_acked) = (Some(800_000), Some(0));
                    (socket.info.bytes_sent, socket.send_queue) = (Some(0), 0);
                }
                let of = format!("{cause}, sent by {sender:?}, socket {index}");
                (of, LiveConnection::example(cause, sender, socket, NANOS))
            })
        })
    })
}

/// Faults of texts; each is kept once, with the first connection that has it.
#[derive(Default)]
struct Faults(BTreeMap<String, String>);

impl Faults {
    /// Checks that no message is missing, which shows as `⟨id⟩`, and no argument, which shows as `{$name}`.
    fn whole(&mut self, text: &str, of: &str) {
        let is_whole = !text.contains(['⟨', '⟩']) && !text.contains("{$") && !text.contains("{ $");
        if text.is_empty() || !is_whole {
            self.0.entry(format!("not whole: {text:?}")).or_insert_with(|| of.to_owned());
        }
    }

    /// Checks that the text has a measured number, not only the numbers of an address.
    fn number(&mut self, text: &str, of: &str) {
        self.whole(text, of);
        let bare = ["10.0.0.5:443", "10.0.0.5:44321", "10.0.0.5"]
            .iter()
            .fold(text.to_owned(), |text, end| text.replace(end, ""));
        if !bare.contains(|c: char| c.is_ascii_digit()) {
            self.0.entry(format!("no number: {text:?}")).or_insert_with(|| of.to_owned());
        }
    }
}

#[track_caller]
fn each(check: impl Fn(&mut Faults, Wording<'_>, &str, &LiveConnection)) {
    let mut faults = Faults::default();
    for language in Language::ALL {
        let catalogue = Catalogue::new(language);
        for (of, connection) in examples() {
            check(&mut faults, Wording::new(&catalogue), &format!("{language:?}: {of}"), &connection);
        }
    }
    assert!(faults.0.is_empty(), "{:#?}", faults.0);
}

#[test]
fn rows_of_the_list() {
    each(|faults, wording, of, connection| {
        let row = LiveRow::whole(connection, wording);
        let rows = [row, LiveRow::group("x".to_owned(), vec![LiveRow::whole(connection, wording)], NANOS).unwrap()];
        for (row, width) in rows.iter().flat_map(|row| [(row, 40), (row, 160)]) {
            let look = Look { width, has_color: false, has_unicode: true };
            let table = LiveTable::new(std::slice::from_ref(row), look, wording, "9.00 s");
            faults.whole(&to_text(&table.rows, look), of);
            // The saving and, if there is room, the limit have their seconds.
            faults.number(&table.rows[0][0].text, of);
            if width > 40 {
                faults.number(&table.rows[0][1].text, of);
            }
        }
    });
}

#[test]
fn the_sentence_above_the_list() {
    each(|faults, wording, of, connection| {
        let sockets = [End::whole(connection)];
        let losers = Losers::of(&sockets);
        for reach in [Reach::Enter, Reach::None] {
            let sentence = losers_sentence(&losers, &sockets, &[connection], |_| reach, wording).unwrap();
            faults.whole(&sentence, of);
            if losers.losing > 0 {
                faults.number(&sentence.replacen('1', "", 2), of);
            }
        }
    });
}

/// The verdict is the first sentence of a connection in detail, followed by fixes.
#[test]
fn a_connection_in_detail() {
    each(|faults, wording, of, connection| {
        for width in [40, 120] {
            let look = Look { width, has_color: false, has_unicode: true };
            let detail =
                LiveDetail { connection, foreseen: None, until: connection.seen()[1], nanos: NANOS, wording, look }
                    .lines();
            let text = to_text(&detail, look);
            faults.whole(&text, of);
            let lines: Vec<&str> = text.lines().collect();
            let end = lines.iter().position(|line| line.is_empty()).unwrap();
            faults.number(&lines[1..end].join(" "), of);
        }
    });
}

/// Collects the texts of a document with their keys.
fn texts<'a>(value: &'a Value, found: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(text) => found.push((key, text)),
                    value => texts(value, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| match value {
            Value::String(text) => found.push(("", text)),
            value => texts(value, found),
        }),
        _ => {}
    }
}

fn facts() -> LiveHostFacts {
    LiveHostFacts {
        name: Some("db-7".to_owned()),
        kernel_release: None,
        start_ns: 0,
        duration_s: 9.0,
        mode: "samples".to_owned(),
        mode_reason: None,
        lost_events: 0,
        lost_ends: 0,
        samples: 2,
        dumps: 2,
        cpu_s: 0.1,
        setup_cpu_s: 0.1,
        cpu_budget: 0.01,
        network_namespaces: 1,
        connections_seen: 1,
        connections_active: 1,
        gaps: Vec::new(),
    }
}

#[test]
fn the_document() {
    each(|faults, wording, of, connection| {
        let connection = Connection::live(connection, Presentation::new(wording));
        let document = LiveDocument::new(facts(), vec![connection], Vec::<LiveEvent>::new());
        let document = serde_json::to_value(&document).unwrap();
        let mut found = Vec::new();
        texts(&document, &mut found);
        for (key, text) in &found {
            if !text.is_empty() {
                faults.whole(text, &format!("{of}: {key}"));
            }
        }
        for half in document["connections"][0]["halves"].as_array().unwrap() {
            faults.number(half["verdict"]["sentence"].as_str().unwrap_or_default(), of);
            for finding in half["findings"].as_array().unwrap() {
                let (title, text) = (&finding["title"], finding["sentence"].as_str().unwrap_or_default());
                faults.number(text, of);
                assert_ne!(Some(text.trim_end_matches(['.', '。'])), title.as_str(), "{of}");
            }
        }
    });
}

#[test]
fn the_answer_for_assistants() {
    each(|faults, wording, of, connection| {
        let answer = LiveAnswer::new(wording, facts(), &[connection], None, Page::FIRST, &mut |_| {});
        let answer = serde_json::to_value(&answer).unwrap();
        let mut found = Vec::new();
        texts(&answer, &mut found);
        for (key, text) in found {
            faults.whole(text, &format!("{of}: {key}"));
        }
        faults.number(answer["answer"][1].as_str().unwrap(), of);
    });
}
