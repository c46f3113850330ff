//! Tests that pictures have the requested charts.
#![allow(clippy::unwrap_used, reason = "a test that fails says so")]

mod common;

use common::recorded;
use tcpwhy_analysis::Connection;
use tcpwhy_model::Timestamp;
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::SocketPoint;
use tcpwhy_report::Language;
use tcpwhy_view::chart::Budget;
use tcpwhy_view::svg::{Chart, Style, Theme, Tops, picture, pictures, tops};

const STYLE: Style = Style { theme: Theme::Light, language: Language::English, stretch: None, tops: Tops::OWN };
const TITLES: [(Chart, &str); 4] = [
    (Chart::Sequence, ">Sequence<"),
    (Chart::Window, ">Window and bytes in flight<"),
    (Chart::RoundTrips, ">Round-trip time<"),
    (Chart::Throughput, ">Throughput<"),
];

/// A request and an answer of four segments, 20 ms apart.
const TRANSFER: &str = "
    0.000 < S 0:0(0) win 65535 <mss 1460,sackOK,nop,nop,nop,wscale 7>
    0.000 > S. 0:0(0) ack 1 win 65535 <mss 1460,nop,nop,sackOK,nop,wscale 7>
    0.020 < . 1:1(0) ack 1 win 512
    0.021 < P. 1:101(100) ack 1 win 512
    0.022 > . 1:1461(1460) ack 101 win 512
    0.042 < . 101:101(0) ack 1461 win 512
    0.043 > . 1461:2921(1460) ack 101 win 512
    0.043 > . 2921:4381(1460) ack 101 win 512
    0.063 < . 101:101(0) ack 4381 win 512
    0.064 > P. 4381:5841(1460) ack 101 win 512
    0.084 < . 101:101(0) ack 5841 win 512
";

#[test]
fn a_picture_has_the_charts_that_are_asked_for() {
    let (connection, recording) = recorded(TRANSFER, Budget::LARGE);
    let half = connection.halves.iter().max_by_key(|half| half.bytes).unwrap();
    for wanted in [&[Chart::Sequence][..], &[Chart::Sequence, Chart::Window], &[Chart::RoundTrips], &Chart::ALL] {
        let svg = picture(&connection, half, &recording, wanted, STYLE);
        for (chart, title) in TITLES {
            assert_eq!(svg.contains(title), wanted.contains(&chart), "{wanted:?}, {title}\n{svg}");
        }
    }
}

#[test]
fn the_chart_that_shows_the_cause_comes_first_with_its_sentence() {
    let (connection, recording) = recorded(STALLED, Budget::LARGE);
    let all = pictures(&connection, &recording, STYLE).into_iter().find(|one| one.name.ends_with("-all.svg")).unwrap();
    let at = |text: &str| all.content.find(text).unwrap_or_else(|| panic!("no {text:?}\n{}", all.content));
    let sentence = at("The receiving program reads too slowly");
    assert!(sentence < at(">Window and bytes in flight<"), "{}", all.content);
    assert!(at(">Window and bytes in flight<") < at(">Sequence<"), "{}", all.content);
    // Requested charts keep their order, so that two pictures can be compared.
    let half = connection.halves.iter().max_by_key(|half| half.bytes).unwrap();
    let svg = picture(&connection, half, &recording, &Chart::ALL, STYLE);
    let place = |text: &str| svg.find(text).unwrap();
    assert!(place(">Sequence<") < place("The receiving program"), "{svg}");
    assert!(place("The receiving program") < place(">Window and bytes in flight<"), "{svg}");
    // A chart of something else has no sentence.
    assert!(!picture(&connection, half, &recording, &[Chart::Throughput], STYLE).contains("reads too slowly"));
}

/// Ten seconds of zero window with a probe of one byte, after a transfer of 43 ms.
const STALLED: &str = "
    0.000 < S 0:0(0) win 65535 <mss 1460,sackOK,nop,nop,nop,wscale 7>
    0.000 > S. 0:0(0) ack 1 win 65535 <mss 1460,nop,nop,sackOK,nop,wscale 7>
    0.020 < . 1:1(0) ack 1 win 32
    0.022 > . 1:1461(1460) ack 1 win 512
    0.022 > . 1461:2921(1460) ack 1 win 512
    0.042 < . 1:1(0) ack 2921 win 0
    0.242 > . 2920:2920(0) ack 1 win 512
    0.262 < . 1:1(0) ack 2921 win 0
    10.000 < . 1:1(0) ack 2921 win 32
    10.001 > . 2921:4381(1460) ack 1 win 512
    10.021 < . 1:1(0) ack 4381 win 32
";

#[test]
fn a_stall_does_not_hide_the_bytes_in_flight() {
    let (connection, recording) = recorded(STALLED, Budget::LARGE);
    let half = connection.halves.iter().max_by_key(|half| half.bytes).unwrap();
    let svg = picture(&connection, half, &recording, &[Chart::Window], STYLE);
    assert!(!svg.contains("↑ in flight") && svg.contains(">2.00 kB<"), "{svg}");
}

/// A socket whose send buffer of 4096 bytes is full from 30 ms to 60 ms.
fn socket(start: Timestamp) -> Vec<SocketPoint> {
    let point = |(millis, queued): (i64, u64)| {
        let mut socket = SocketSample::default();
        (socket.memory.send_buffer, socket.memory.send_queued) = (Some(4096), Some(queued));
        socket.info.notsent_bytes = Some(queued / 2);
        (socket.info.snd_mss, socket.info.snd_cwnd) = (Some(1000), Some(10));
        SocketPoint::of(start.plus(millis * 1_000_000), &socket)
    };
    [(22, 2304), (30, 157_000), (45, 3000), (60, 1000), (80, 0)].map(point).to_vec()
}

#[test]
fn the_socket_is_drawn_where_a_kernel_told_of_it() {
    let (connection, mut recording) = recorded(TRANSFER, Budget::LARGE);
    let half = connection.halves.iter().max_by_key(|half| half.bytes).unwrap();
    let without = picture(&connection, half, &recording, &[Chart::Socket], STYLE);
    assert!(!without.contains(">The sending socket<"), "{without}");
    recording.halves[half.sender.index()].socket = socket(connection.span.start());
    let svg = picture(&connection, half, &recording, &[Chart::Socket], STYLE);
    for word in ["The sending socket", "send buffer", "queued", "not sent yet", "congestion window"] {
        assert!(svg.contains(&format!(">{word}<")), "{word}\n{svg}");
    }
    // The receiver's window and the bytes in flight are unknown.
    assert!(!svg.contains(">receive window<") && !svg.contains(">in flight<"), "{svg}");
    assert!(svg.contains(">150 kB<"), "the axis reaches what was queued\n{svg}");
    let band = svg.split("<path").find(|path| path.contains("l-send_buffer") && path.contains("\"4\""));
    let band = band.unwrap();
    assert_eq!(band.matches('M').count(), 1, "{band}");
    let names: Vec<_> = pictures(&connection, &recording, STYLE).into_iter().map(|picture| picture.name).collect();
    assert!(names.iter().any(|name| name.ends_with("-server-socket.svg")), "{names:?}");
    assert!(!names.iter().any(|name| name.ends_with("-client-socket.svg")), "{names:?}");
}

#[test]
fn each_chart_has_a_picture_of_its_own() {
    let (connection, recording) = recorded(TRANSFER, Budget::LARGE);
    let names: Vec<_> = pictures(&connection, &recording, STYLE).into_iter().map(|picture| picture.name).collect();
    for chart in ["all", "sequence", "window", "rtt", "throughput"] {
        assert!(names.iter().any(|name| name.ends_with(&format!("-server-{chart}.svg"))), "{chart}: {names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("socket")), "no kernel told of it: {names:?}");
}

/// Pictures next to each other have equal axes, and the lines of the shorter transfer end with its last
/// packet.
#[test]
fn pictures_side_by_side_have_equal_axes() {
    let both = [TRANSFER, STALLED].map(|text| recorded(text, Budget::LARGE));
    let style = Style { stretch: Some((0.0, 12.0)), ..STYLE };
    let half = |connection: &Connection| connection.halves.iter().max_by_key(|half| half.bytes).unwrap().clone();
    let own = both.each_ref().map(|(connection, recording)| tops(connection, &half(connection), recording, style));
    assert!(own[0].sequence == Some(5840) && own[1].sequence == Some(8476), "{own:?}");
    let common = Style { tops: own[0].higher(own[1]), ..style };
    let drawn = both
        .each_ref()
        .map(|(connection, recording)| picture(connection, &half(connection), recording, &[Chart::Sequence], common));
    // The value labels, from bottom to top.
    let named = |svg: &str| -> Vec<String> {
        let values = svg.split('>').filter_map(|part| part.strip_suffix("</text").map(str::to_owned));
        values.filter(|text| text.ends_with(" B") || text.ends_with(" kB")).collect()
    };
    let axes =
        drawn.each_ref().map(|svg| named(svg).into_iter().filter(|text| text.ends_with("0 kB")).collect::<Vec<_>>());
    assert_eq!(axes[0], axes[1], "{drawn:?}");
    // The first transfer lasts 0.084 of 12 seconds, so none of its lines reaches the right edge at 944; grid
    // lines do.
    let lines =
        |svg: &str| svg.split("<path").filter(|path| path.contains("class=\"ack\"") && path.contains("H944")).count();
    assert_eq!(drawn.each_ref().map(|svg| lines(svg)), [0, 0], "{}", drawn[0]);
    let alone = picture(&both[0].0, &half(&both[0].0), &both[0].1, &[Chart::Sequence], STYLE);
    assert!(alone.contains("class=\"ack\""), "{alone}");
}
