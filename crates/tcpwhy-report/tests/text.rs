//! Tests of the terminal report, as a reader sees it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod fixtures;

use std::sync::Arc;

use expect_test::{ExpectFile, expect_file};

use tcpwhy_analysis::{Connection, KernelClocks, KernelHalf, KernelSocket, KernelView, KernelWord, ServerName, Side};
use tcpwhy_model::live::{Process, SocketKey};
use tcpwhy_model::{Cause, Detail, Limit, Severity, TimelineBuilder};
use tcpwhy_report::text::{Collection, CollectionReport, GroupBy, Look, MomentReport, Overview, Report};
use tcpwhy_report::{
    Anonymizer, Catalogue, Language, Names, Wording, dto, is_saving_predicted, lost_nanos, principal_half,
};

const PLAIN: Look = Look { width: 80, has_color: false, has_unicode: true };

fn render(connections: Vec<Connection>, look: Look, language: Language) -> String {
    let mut overview = Overview::new(10);
    for connection in connections {
        overview.add(connection);
    }
    render_overview(overview, look, language)
}

fn render_overview(mut overview: Overview, look: Look, language: Language) -> String {
    let catalogue = Catalogue::new(language);
    overview.renumber(&|c| c.id);
    let captures = [fixtures::capture()];
    let report = Report {
        wording: Wording::new(&catalogue),
        look,
        captures: &captures,
        overview: &overview,
        with_timeline: false,
        range: None,
        is_brief: false,
        has_heading: false,
        excluded: 0,
    };
    report.to_string()
}

#[track_caller]
fn check(connections: Vec<Connection>, look: Look, language: Language, expected: &ExpectFile) {
    let text = render(connections, look, language);
    for line in text.lines() {
        // Lines of code are for copying, so they are never wrapped.
        let is_code = line.starts_with("        ");
        assert!(is_code || unicode_width::UnicodeWidthStr::width(line) <= look.width, "too wide: {line}");
    }
    expected.assert_eq(&text);
}

fn many() -> Vec<Connection> {
    let mut all = vec![fixtures::send_buffer(), fixtures::lossy()];
    all.extend((2..5).map(fixtures::healthy));
    all.extend((5..14).map(fixtures::unanswered));
    all
}

#[test]
fn one_connection() {
    check(vec![fixtures::send_buffer()], PLAIN, Language::English, &expect_file!["golden/one-en.txt"]);
}

#[test]
fn one_connection_in_chinese() {
    check(vec![fixtures::send_buffer()], PLAIN, Language::SimplifiedChinese, &expect_file!["golden/one-zh.txt"]);
}

#[test]
fn one_connection_in_ascii() {
    let look = Look { has_unicode: false, ..PLAIN };
    let text = render(vec![fixtures::send_buffer(), fixtures::lossy()], look, Language::English);
    let others: String = text.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(others, "");
    check(vec![fixtures::lossy()], look, Language::English, &expect_file!["golden/lossy-ascii.txt"]);
}

#[test]
fn many_connections() {
    check(many(), PLAIN, Language::English, &expect_file!["golden/many-en.txt"]);
}

#[test]
fn many_connections_on_a_wide_terminal_in_chinese() {
    check(many(), Look { width: 140, ..PLAIN }, Language::SimplifiedChinese, &expect_file!["golden/many-zh-140.txt"]);
}

#[test]
fn many_connections_on_the_narrowest_terminal() {
    check(many(), Look { width: 40, ..PLAIN }, Language::English, &expect_file!["golden/many-40.txt"]);
}

/// The list and the answer give the same number; without a prediction, the list marks it as an upper bound.
#[test]
fn a_saving_is_what_is_predicted_or_an_upper_bound() {
    let predicted = [fixtures::send_buffer(), fixtures::healthy(2)];
    let half = principal_half(&predicted[0]).unwrap();
    let after = half.findings[0].prediction.as_ref().unwrap().seconds.value;
    assert!(is_saving_predicted(half));
    assert!((lost_nanos(half) as f64 / 1e9 - (half.span.seconds() - after)).abs() < 1e-6);
    let text = render(predicted.to_vec(), PLAIN, Language::English);
    assert!(text.contains("  23.0 s  send buffer") && !text.contains('≤'), "{text}");

    let mut unpredicted = predicted;
    for finding in unpredicted[0].halves.iter_mut().flat_map(|half| &mut half.findings) {
        finding.prediction = None;
    }
    assert!(!is_saving_predicted(principal_half(&unpredicted[0]).unwrap()));
    let in_signs = |has_unicode, language| render(unpredicted.to_vec(), Look { has_unicode, ..PLAIN }, language);
    let signs = in_signs(true, Language::English);
    assert!(signs.contains("  ≤24.9 s  send buffer") && signs.contains("\n≤: upper bound; "), "{signs}");
    let ascii = in_signs(false, Language::English);
    assert!(ascii.contains("  <=24.9 s  send buffer") && ascii.contains("\n<=: upper bound; "), "{ascii}");
    let chinese = in_signs(true, Language::SimplifiedChinese);
    assert!(chinese.contains("  ≤24.9 秒  ") && chinese.contains("\n≤：最多"), "{chinese}");
}

/// A gain of less than 10 % of the time is not promised.
#[test]
fn the_headline_promises_no_gain_where_there_is_none() {
    let told = |share: f64| {
        let mut connection = fixtures::send_buffer();
        let now = principal_half(&connection).unwrap().span.seconds();
        for finding in connection.halves.iter_mut().flat_map(|half| &mut half.findings) {
            if let Some(prediction) = &mut finding.prediction {
                let seconds = &mut prediction.seconds;
                (seconds.low, seconds.value, seconds.high) = (11.0, share * now, 24.0);
            }
        }
        render(vec![connection], PLAIN, Language::English).lines().nth(2).unwrap().to_owned()
    };
    let promises = |share| told(share).contains(" instead of 25.0 s");
    assert!(promises(0.899), "a little more than a tenth less: {}", told(0.899));
    assert!(!promises(0.901), "less than a tenth: {}", told(0.901));
    assert_eq!(told(0.96), "FIX  Delete the SO_SNDBUF call on 10.0.186.140:3306.");
}

#[test]
fn the_headline_takes_the_first_finding_that_says_what_to_change() {
    let answer = |connection| render(vec![connection], PLAIN, Language::English).lines().take(3).collect::<String>();
    let mut without = fixtures::send_buffer();
    for half in without.halves.iter_mut().filter(|half| !half.findings.is_empty()) {
        let mut first = half.findings[0].clone();
        first.fixes.clear();
        half.findings.insert(0, first);
    }
    assert_eq!(answer(without.clone()), answer(fixtures::send_buffer()), "SO_SNDBUF, of the second finding");
    without.halves.iter_mut().flat_map(|half| &mut half.findings).for_each(|finding| finding.fixes.clear());
    assert!(!answer(without.clone()).contains("SO_SNDBUF"), "none says what to change: {}", answer(without));
}

#[test]
fn a_group_says_whether_its_largest_saving_is_an_upper_bound() {
    let mut overview = Overview::new(10).grouped(GroupBy::Cause);
    overview.add(fixtures::send_buffer());
    overview.add(fixtures::lossy());
    let text = render_overview(overview, PLAIN, Language::English);
    let groups = text.split("By limit").nth(1).unwrap();
    assert!(
        groups.contains("largest saving") && groups.contains(" 23.0 s  ") && groups.contains(" ≤4.00 s  "),
        "{text}"
    );
}

#[test]
fn nothing_but_failures() {
    check((0..9).map(fixtures::unanswered).collect(), PLAIN, Language::English, &expect_file!["golden/failures.txt"]);
}

/// More groups than are distinguished, one of which stands out: the result does not depend on which thread
/// finishes a connection first.
#[test]
fn the_order_in_which_failures_come_does_not_matter() {
    let elsewhere = |id: u64| {
        let mut connection = fixtures::unanswered(id);
        connection.endpoints[1].address = std::net::Ipv4Addr::from(0xC0A8_0000 + (id % 3000) as u32).into();
        connection
    };
    let mut all: Vec<Connection> = (0..3000).map(elsewhere).chain((3000..3020).map(fixtures::unanswered)).collect();
    let expected = render(all.clone(), PLAIN, Language::English);
    assert!(expected.contains("got no answer from 3,001 addresses: 3,020 connection attempts"), "{expected}");
    for turn in [1, 700, 1500] {
        all.rotate_left(turn);
        assert_eq!(render(all.clone(), PLAIN, Language::English), expected);
        all.reverse();
        assert_eq!(render(all.clone(), PLAIN, Language::English), expected);
    }
}

/// The first sentence has only the limit and its duration, within two lines of 80 columns, so that a tired
/// reader understands it. Numbers and further limits have sentences of their own.
#[test]
fn the_first_sentence_of_a_verdict_is_short() {
    const TWO_LINES: usize = 160;
    for (language, end) in [(Language::English, ". "), (Language::SimplifiedChinese, "。")] {
        let catalogue = Catalogue::new(language);
        let causes = Limit::ALL
            .into_iter()
            .map(|limit| Cause { limit, detail: None })
            .chain(Detail::ALL.into_iter().map(Cause::from));
        for (cause, severity) in causes.flat_map(|cause| [(cause, None), (cause, Some(Severity::Warning))]) {
            let mut half = fixtures::lossy().halves.remove(0);
            (half.verdict.cause, half.verdict.severity) = (Some(cause), severity);
            let text = Wording::new(&catalogue).verdict(&half);
            let first = text.split(end).next().unwrap();
            let says_numbers = ["RTT", "in flight", "在途数据 "].iter().any(|number| first.contains(number));
            assert!(unicode_width::UnicodeWidthStr::width(first) <= TWO_LINES && !says_numbers, "{first}");
        }
        let lossy = fixtures::lossy();
        let text = Wording::new(&catalogue).verdict(principal_half(&lossy).unwrap());
        let once = ["loss recovery (fast retransmit, timeout) included: ", "丢包重传（快速重传，"];
        assert!(once.iter().any(|names| text.contains(names)), "{text}");
    }
}

#[test]
fn nothing_at_all() {
    check(vec![], PLAIN, Language::English, &expect_file!["golden/nothing.txt"]);
}

#[test]
fn the_answer_is_in_the_first_three_lines() {
    let text = render(vec![fixtures::send_buffer()], PLAIN, Language::English);
    let head: Vec<&str> = text.split("\n\n").next().unwrap_or_default().lines().collect();
    assert_eq!(head.len(), 3);
    assert!(head[0].contains("22.0 MB") && head[0].contains("7.03 Mbit/s"), "{head:?}");
    assert!(head[1].contains("socket buffer") && head[1].contains("96%"), "{head:?}");
    assert!(head[2].contains("SO_SNDBUF") && head[2].contains("2.0 s"), "{head:?}");
}

#[test]
fn colours_change_nothing_but_colours() {
    for language in Language::ALL {
        let colored = render(many(), Look { has_color: true, ..PLAIN }, language);
        assert!(colored.contains("\u{1b}["));
        let plain = render(many(), PLAIN, language);
        // Only a strip without colours has a letter in each column; the table has no strip.
        let trimmed = |text: &str| text.lines().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(trimmed(&strip_escapes(&colored)), trimmed(&plain));
    }
}

fn strip_escapes(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split('\u{1b}');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        out.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    out
}

fn at_moment(moment: f64, language: Language, is_brief: bool) -> String {
    let catalogue = Catalogue::new(language);
    let mut overview = Overview::new(10);
    overview.add(fixtures::send_buffer());
    let report = MomentReport {
        wording: Wording::new(&catalogue),
        look: PLAIN,
        overview: &overview,
        moment: (moment * 1e9) as i64,
        outside: 1,
        heading: None,
        is_brief,
        excluded: 0,
    };
    report.to_string()
}

#[test]
fn one_moment_says_why() {
    let english = [at_moment(3.2, Language::English, false), at_moment(21.0, Language::English, false)];
    expect_file!["golden/moment-en.txt"].assert_eq(&english.join("\n"));
    let chinese =
        [at_moment(3.2, Language::SimplifiedChinese, false), at_moment(21.0, Language::SimplifiedChinese, false)];
    expect_file!["golden/moment-zh.txt"].assert_eq(&chinese.join("\n"));
}

#[test]
fn a_brief_moment_is_transfer_limit_and_reason() {
    let (brief, whole) = (at_moment(3.2, Language::English, true), at_moment(3.2, Language::English, false));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words(&whole).starts_with(&words(&brief)) && whole.contains("\nAfter: ") && !brief.contains("After"),
        "{brief}"
    );
}

/// iperf3's control connection waits for the data connection, which is not a problem. Time without data to
/// send gets no advice about something else, and is not called the worst.
#[test]
fn rests_are_told_as_rests() {
    let resting = |detail: Detail| {
        let mut connection = fixtures::send_buffer();
        for half in &mut connection.halves {
            half.verdict.cause = Some(Cause::from(detail));
            half.verdict.severity = half.verdict.severity.map(|_| Severity::Info);
            half.findings.iter_mut().for_each(|f| f.severity = Severity::Info);
        }
        connection
    };
    let third = |text: &str| text.lines().take(3).collect::<Vec<_>>().join(" ");
    let one = |detail| third(&render(vec![resting(detail)], PLAIN, Language::English));
    assert!(one(Detail::PeerTurn).contains("Look at the program on 10.0.186.70: the sender waited for it."));
    assert!(one(Detail::Idle).contains("If this is intended, nothing is wrong."));
    for language in [Language::English, Language::SimplifiedChinese] {
        let text = third(&render(vec![resting(Detail::Idle)], PLAIN, language));
        assert!(!text.contains("SO_SNDBUF"), "{text}");
    }
    let mut beside = resting(Detail::Idle);
    for finding in beside.halves.iter_mut().flat_map(|half| &mut half.findings) {
        (finding.severity, finding.prediction) = (Severity::Warning, None);
    }
    let text = third(&render(vec![beside], PLAIN, Language::English));
    assert!(text.contains("If this is intended"), "what saves nothing is no answer: {text}");
    let several = render(vec![resting(Detail::Idle), fixtures::healthy(2)], PLAIN, Language::English);
    assert!(third(&several).contains("Nothing is wrong. Largest, number"), "{several}");
    assert!(third(&render(many(), PLAIN, Language::English)).contains("never answered 9 of 9"));
}

#[test]
fn a_control_connection_is_not_what_the_answer_is_about() {
    let pair = |other_host: bool| {
        let (mut control, mut data) = (fixtures::send_buffer(), fixtures::lossy());
        control.endpoints = [fixtures::endpoint("192.0.2.1", 40_000), fixtures::endpoint("192.0.2.2", 5201)];
        let server = if other_host { "192.0.2.3" } else { "192.0.2.2" };
        data.endpoints = [fixtures::endpoint("192.0.2.1", 40_001), fixtures::endpoint(server, 5201)];
        data.span = control.span;
        for half in &mut control.halves {
            (half.bytes, half.verdict.cause) = (300, Some(Detail::Think.into()));
        }
        data.halves.iter_mut().for_each(|half| half.bytes = half.bytes.max(1_000_000));
        let text = render(vec![control, data], PLAIN, Language::English);
        text.lines().nth(1).unwrap().to_owned()
    };
    assert!(pair(false).starts_with("WHY  Losses kept the congestion window of 192.0.2.2:5201"), "{}", pair(false));
    assert!(
        pair(true).starts_with("WHY  192.0.2.1:40000 took"),
        "with another host it has its own reasons: {}",
        pair(true)
    );
}

/// The kernel's data in addition to the packets of `send_buffer`, which attribute nearly all time to the send
/// buffer.
fn recorded(kernel: Cause, disagreement: f64) -> Connection {
    let mut connection = fixtures::send_buffer();
    let packets = connection.halves[0].limits.clone();
    let mut builder = TimelineBuilder::new(packets.span().start());
    builder.push(packets.span().end(), kernel, 0.9, None);
    let clocks = KernelClocks {
        watched: 24_000_000_000,
        busy: 24_000_000_000,
        receive_window: 0,
        send_buffer: 240_000_000,
        paces: false,
    };
    let process = Process { pid: 812, name: "mysqld".into(), cgroup: Some("/customers/anna".into()) };
    connection.kernel = Some(Box::new(KernelView {
        sockets: vec![KernelSocket {
            side: Side::A,
            key: SocketKey { namespace: 1, cookie: 2 },
            process: Some(process),
            samples: 240,
            seconds: 24.0,
            locks: None,
            has_ended: true,
        }],
        halves: vec![KernelHalf {
            sender: Side::A,
            samples: 240,
            kernel: builder.finish(),
            packets,
            disagreement,
            clocks: Some(clocks),
            watched: 25_000_000_000,
            word: KernelWord::Agrees,
        }],
    }));
    connection
}

#[test]
fn packets_and_kernel() {
    let agreeing = render(vec![recorded(Cause::plain(Limit::SendBuffer), 0.02)], PLAIN, Language::English);
    assert!(agreeing.contains("The kernel’s view") && agreeing.contains("of the same 25.0 s agree"), "{agreeing}");
    assert!(agreeing.contains("10.0.186.140:3306: mysqld[812], 240 samples"), "{agreeing}");
    assert!(agreeing.contains("kernel    send buffer 100%"), "{agreeing}");
    assert!(agreeing.contains("tcp_info  busy 100%, rwnd_limited 0%, sndbuf_limited 1.0%"), "{agreeing}");
    assert!(agreeing.contains("sndbuf_limited misses most"), "{agreeing}");
    let other = recorded(Cause::plain(Limit::ReceiveWindow), 0.97);
    let differing = render(vec![other.clone()], PLAIN, Language::English);
    assert!(!differing.contains("sndbuf_limited misses"), "{differing}");
    assert!(differing.contains("disagree for 97%") && differing.contains("receive window 100%"), "{differing}");
    let chinese = render(vec![other.clone()], PLAIN, Language::SimplifiedChinese);
    assert!(chinese.contains("不一致") && chinese.contains("接收窗口"), "{chinese}");
    // The socket of the other direction's sender was not seen.
    let mut receiver = other;
    receiver.kernel.as_mut().unwrap().halves.clear();
    let text = render(vec![receiver], PLAIN, Language::English);
    assert!(text.contains("Only the receiver’s socket"), "{text}");
    assert!(!render(vec![fixtures::send_buffer()], PLAIN, Language::English).contains("kernel says"));
}

#[test]
fn a_recording_names_no_customers_when_it_is_anonymised() {
    let mut connection = recorded(Cause::plain(Limit::SendBuffer), 0.02);
    Anonymizer::new([7; 32]).connection(&mut connection);
    let catalogue = Catalogue::new(Language::English);
    let document = dto::Connection::new(&connection, None, dto::Presentation::new(Wording::new(&catalogue)));
    let json = serde_json::to_value(&document).unwrap();
    assert_eq!((&json["source"], &json["process"]["cgroup"]), (&"both".into(), &serde_json::Value::Null));
    assert_eq!(json["halves"][0]["kernel"]["disagrees"], false);
    assert!(!json.to_string().contains("10.0.186.") && !json.to_string().contains("anna"));
}

/// A report at 80 columns with the names that clients used for their servers and those of the resolver.
fn with_names(connections: Vec<Connection>, resolved: &'static str, by: Option<GroupBy>) -> String {
    let names = Names::new(move |_| Some(resolved.to_owned()));
    let catalogue = Catalogue::new(Language::English).with_names(Some(Arc::new(names)));
    let mut overview = Overview::new(10);
    if let Some(by) = by {
        overview = overview.grouped(by);
    }
    for connection in connections {
        overview.add(connection);
    }
    overview.renumber(&|c| c.id);
    let captures = [fixtures::capture()];
    let wording = Wording::new(&catalogue);
    let (look, overview) = (PLAIN, &overview);
    let report = Report {
        wording,
        look,
        captures: &captures,
        overview,
        with_timeline: false,
        range: None,
        is_brief: false,
        has_heading: false,
        excluded: 0,
    };
    report.to_string()
}

fn named(id: u64, name: &str) -> Connection {
    let mut connection = fixtures::healthy(id);
    connection.server_name = Some(Box::new(ServerName { server: Side::B, name: name.to_owned() }));
    connection
}

/// The server's own address is always shown, and a name that a client used cannot look like another address.
#[test]
fn a_name_never_replaces_an_address() {
    let long = format!("{}.example", "www-of-a-host-with-a-long-name".repeat(2));
    let hostile = ["192.0.2.77", "192.0.2.77:443 → 10.9.9.9", "a b", "\u{5d0}] \u{5d1}", "3221225985", "x\ny"];
    for called in hostile.into_iter().chain(["www.example", &long]) {
        for resolved in ["", "192.0.2.99", &*Box::leak(format!("edge-7.{long}").into_boxed_str())] {
            for by in [None, Some(GroupBy::Host)] {
                let text = with_names((0..4).map(|id| named(id, called)).collect(), resolved, by);
                let rows: Vec<_> = text.lines().filter(|line| line.contains("198.51.100.7")).collect();
                assert!(rows.len() >= if by.is_some() { 1 } else { 4 }, "{text}");
                let of_table: Vec<_> = rows.iter().filter(|row| row.contains("→")).collect();
                assert!(of_table.iter().all(|row| row.contains("10.0.186.70:4000")), "{text}");
                assert!(of_table.iter().all(|row| row.contains("198.51.100.7:80")), "{text}");
                assert!(
                    !text.contains("192.0.2.") && !text.contains("10.9.9.9") && !text.contains("3221225985"),
                    "{text}"
                );
                for line in text.lines() {
                    assert!(unicode_width::UnicodeWidthStr::width(line) <= PLAIN.width, "too wide: {line}");
                }
            }
        }
    }
    let text = with_names((0..4).map(|id| named(id, "www.a.example")).collect(), "", None);
    assert!(text.contains("198.51.100.7:80 [www.a"), "{text}");
}

/// A table of any length keeps one line per connection, not all of its results.
#[test]
fn a_table_of_any_length_is_whole_and_small() {
    const COUNT: u64 = 3000;
    let mut overview = Overview::new(usize::MAX);
    (0..COUNT).for_each(|id| overview.add(fixtures::healthy(id)));
    assert!(overview.full_len() <= 2016, "{}", overview.full_len());
    let text = render_overview(overview, PLAIN, Language::English);
    let rows = text.lines().filter(|line| line.contains(" → 198.51.100.7:80 ")).count();
    assert_eq!(rows, COUNT as usize);
    let mut overview = Overview::new(usize::MAX).in_full();
    (0..COUNT).for_each(|id| overview.add(fixtures::healthy(id)));
    assert_eq!(overview.full_len(), COUNT as usize);
}

/// Sums exclude the years of connections with a wrong clock; the number of these connections is reported.
#[test]
fn sums_leave_out_connections_of_a_wrong_clock() {
    let catalogue = Catalogue::new(Language::English);
    let wording = Wording::new(&catalogue);
    let of = |connections: Vec<Connection>| {
        let mut overview = Overview::new(10);
        for connection in connections {
            overview.add(connection);
        }
        overview
    };
    let collected = |wrong: Vec<Connection>| {
        let mut collection = Collection::default();
        collection.add(&of(vec![fixtures::send_buffer()]), wording);
        collection.add(&of(wrong), wording);
        let report = CollectionReport { wording, look: PLAIN, collection: &collection, passed_over: 0, folders: 0 };
        report.to_string()
    };
    let wrong = Connection { has_wrong_clock: true, ..fixtures::lossy() };
    let (alone, both) = (collected(vec![]), collected(vec![wrong]));
    let said = "1 connection (";
    assert!(!alone.contains("clock is wrong"), "{alone}");
    assert!(both.contains(said) && both.contains("is not counted here: the capture's clock is wrong"), "{both}");
    let time = |text: &str| {
        let (_, table) = text.split_once("Time connections spent").unwrap();
        let table = table.split("\n\n").next().unwrap();
        table.lines().filter(|line| line.contains('%')).map(str::to_owned).collect::<Vec<_>>()
    };
    let (alone, both) = (time(&alone), time(&both));
    assert_eq!(alone, both);
    assert!(!alone.is_empty());
}
