//! Tests that any exchange of packets gives a page and pictures with all data.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod common;

use std::num::NonZeroU16;

use common::{connections, record, view};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use tcpwhy_model::{Segment, SeqNum, TcpFlags, TcpTimestamps, WindowField};
use tcpwhy_report::Language;
use tcpwhy_testkit::{CLIENT, SERVER, at, script};
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::ConnectionChart;
use tcpwhy_view::svg::{Style, Theme, Tops, pictures};
use tcpwhy_view::{Wanted, page};

/// A segment near the earlier ones, derived from eight bytes.
fn segment(number: usize, time: &mut i64, next: &mut [u32; 2], c: [u8; 8]) -> Segment {
    let side = usize::from(c[0] & 1);
    *time += match c[0] >> 1 & 7 {
        0..4 => i64::from(c[1]) * 1000,
        4 | 5 => i64::from(c[1]) * 1_000_000,
        6 => i64::from(c[1]) * 1_000_000_000,
        _ => -i64::from(c[1]) * 20_000_000,
    };
    // A template, whose fields are replaced.
    let mut s = script("0.0 > . 1:1(0) ack 1").segments[0];
    (s.source, s.destination) = if side == 0 { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
    (s.number, s.timestamp) = (number as u64 + 1, at(*time));
    s.flags = TcpFlags(u16::from(c[2]) & 0x1f | if c[2] & 0x20 == 0 { 0x10 } else { 0 });
    s.payload_len = match c[3] {
        0..100 => 0,
        100..200 => 1448,
        200..230 => u32::from(c[4]),
        _ => u32::from(c[4]) * 300,
    };
    let back = u32::from(c[5] >> 4) * 1448;
    s.seq = SeqNum(next[side].wrapping_sub(if c[5] & 1 == 1 { back } else { 0 }));
    s.ack = SeqNum(next[1 - side].wrapping_sub(if c[5] & 2 == 2 { u32::from(c[6]) * 700 } else { 0 }));
    if c[5] & 1 == 0 {
        next[side] = s.seq.0.wrapping_add(s.payload_len);
    }
    if c[5] & 4 == 4 {
        s.options.sack.push(s.ack.plus(1448), s.ack.plus(1448 * u32::from(c[6] & 15)));
        s.options.sack.push(s.ack.plus(u32::from(c[6])), s.ack.plus(9000));
    }
    s.options.window_scale = (c[7] & 1 == 0).then_some(c[7] >> 4);
    s.options.timestamps = (c[7] & 2 == 0)
        .then_some(TcpTimestamps { value: number as u32, echo_reply: (number as u32).saturating_sub(3) });
    s.window = WindowField(u16::from(c[6]) << (c[7] & 7));
    s.ip.identification = NonZeroU16::new(number as u16 / 2);
    s
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_dialogue(
        bytes in prop::collection::vec(any::<[u8; 8]>(), 1..300),
        rows in 2_usize..200,
        packets in 1_usize..300,
        stretch in prop::option::of((0_i64..3_000_000_000, 0_i64..3_000_000_000)),
    ) {
        let (mut time, mut next) = (0, [u32::MAX - 5000, 7]);
        let segments: Vec<_> = bytes.iter().enumerate().map(|(i, &c)| segment(i, &mut time, &mut next, c)).collect();
        let connections = connections(&segments);
        let budget = Budget { packets, rows, marks: rows };
        let mut passed = 0;
        let mut charts = Vec::new();
        for connection in &connections {
            let whole = Wanted::whole(connection, budget);
            let recording = record(&segments, whole);
            passed += recording.packet_count;
            prop_assert_eq!(recording.packet_count, connection.packets.iter().sum::<u64>());
            for half in &connection.halves {
                // Retransmissions of the analysis are marks in the chart.
                let again: u64 = recording.halves[half.sender.index()]
                    .marks
                    .iter()
                    .filter(|(kind, _)| kind.is_retransmission())
                    .flat_map(|(_, table)| table.rows.iter().map(|m| m.count))
                    .sum();
                prop_assert_eq!(again, half.retransmitted_segments);
            }
            charts.push(ConnectionChart::new(connection, &recording));
            let stretch = stretch.map(|(a, b)| (a.min(b), a.max(b) + 1));
            let part = record(&segments, Wanted { stretch, stop_at_end: true, ..whole });
            prop_assert!(part.packet_count <= recording.packet_count);
            let seconds = stretch.map(|(a, b)| (a as f64 / 1e9, b as f64 / 1e9));
            let style = Style { theme: Theme::Auto, language: Language::SimplifiedChinese, stretch: seconds, tops: Tops::OWN };
            for picture in pictures(connection, &part, style) {
                prop_assert!(!picture.content.contains("NaN") && !picture.content.contains("inf"), "{}", picture.name);
                prop_assert!(picture.content.ends_with("</svg>\n"));
            }
        }
        prop_assert_eq!(passed, segments.len() as u64, "each packet belongs to one connection");
        let view = view(connections, "any.pcap", Language::English);
        let page = page::page(&view, &charts);
        let json = page.split_once("id=\"tcpwhy-data\">").unwrap().1.split_once("</script>").unwrap().0;
        prop_assert!(serde_json::from_str::<Value>(json).is_ok());
    }
}
