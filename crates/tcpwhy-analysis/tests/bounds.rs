//! Memory for any order of packets: bounded by the number of connections, whatever they carry.

mod common;

use common::describe;
use proptest::prelude::*;
use tcpwhy_analysis::Analyzer;
use tcpwhy_model::Segment;
use tcpwhy_testkit::{Order, script};

/// Largest memory of a connection, bytes. Few connections need most of it: for thousands of acknowledgments
/// in flight, a timeline of thousands of changes, and distributions of a thousand different values.
const MOST: usize = 1_500_000;

/// The largest memory of a connection of these packets.
fn peak(segments: &[Segment]) -> usize {
    let mut analyzer = Analyzer::new();
    let mut most = 0;
    for (n, segment) in segments.iter().enumerate() {
        analyzer.observe(segment);
        if n % 256 == 0 {
            most = most.max(analyzer.open().1);
        }
    }
    most = most.max(analyzer.open().1);
    let connections = analyzer.finish();
    assert_eq!(connections.len(), 1);
    for half in &connections[0].halves {
        let sum: i64 = half.limits.totals().iter().map(|t| t.nanos).sum();
        assert_eq!(sum, half.span.nanos(), "{}", describe(&connections[0]));
    }
    most
}

#[test]
fn no_order_of_packets_takes_more_than_the_bound() {
    for order in Order::ALL {
        let most = peak(&order.segments(20_000, 1));
        assert!(most <= MOST, "{order:?}: {most} bytes");
    }
}

/// Ten times the packets need hardly more memory, because everything that grows has a bound.
#[test]
fn memory_does_not_grow_with_packets() {
    for order in Order::ALL {
        let (some, many) = (peak(&order.segments(12_000, 2)), peak(&order.segments(36_000, 2)));
        // A timeline still doubles, and is the largest part.
        assert!(many <= some * 2 + 200_000, "{order:?}: {some} bytes, then {many}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Several orders one after the other, without the first packets of the later ones: each has to cope with
    /// the state that the earlier ones left.
    #[test]
    fn orders_together_stay_bounded(
        parts in prop::collection::vec((0..Order::ALL.len(), any::<u64>(), 0_u32..3000, 0_usize..3000), 1..4),
    ) {
        let mut all: Vec<Segment> = Vec::new();
        let mut offset = 0;
        for (order, seed, count, skip) in parts {
            let segments = Order::ALL[order].segments(count, seed);
            let begin = if all.is_empty() { 0 } else { skip.max(3) };
            for mut segment in segments.into_iter().skip(begin) {
                segment.timestamp = segment.timestamp.plus(offset);
                all.push(segment);
            }
            offset += 1_000_000_000;
        }
        let most = peak(&all);
        prop_assert!(most <= MOST, "{} bytes", most);
    }
}

/// Handshake, request, answer: a busy server has a million of such connections. Only about the first thousand
/// are followed in full.
#[test]
fn a_short_connection_is_small() {
    const FEW: usize = 1500;
    const COUNT: usize = 1500;
    let each = (short_connections(FEW + COUNT).open().1 - short_connections(FEW).open().1) / COUNT;
    assert!(each <= 700, "{each} bytes");
    let few = short_connections(FEW).open().1;
    assert!(few < 24 << 20, "{few} bytes");
    let connections = short_connections(FEW + COUNT).finish();
    assert_eq!(connections.len(), FEW + COUNT);
    assert!(connections.iter().all(|c| c.halves.len() == 2 && c.halves[1].bytes == 900));
}

fn short_connections(count: usize) -> Analyzer {
    let talk = r"
        0.000 > S 0:0(0) <mss 1460,sackOK,TS val 1 ecr 0,wscale 7>
        0.010 < S. 0:0(0) ack 1 win 65535 <mss 1460,sackOK,TS val 1 ecr 1,wscale 7>
        0.010 > . 1:1(0) ack 1 win 502 <TS val 11 ecr 1>
        0.011 > P. 1:301(300) ack 1 win 502 <TS val 11 ecr 1>
        0.021 < . 1:1(0) ack 301 win 502 <TS val 11 ecr 11>
        0.025 < P. 1:901(900) ack 301 win 502 <TS val 15 ecr 11>
        0.025 > . 301:301(0) ack 901 win 502 <TS val 26 ecr 15>
        0.026 > F. 301:301(0) ack 901 win 502 <TS val 27 ecr 15>
        0.036 < F. 901:901(0) ack 302 win 502 <TS val 26 ecr 27>
        0.036 > . 302:302(0) ack 902 win 502 <TS val 37 ecr 26>
    ";
    let segments = script(talk).segments;
    let mut analyzer = Analyzer::new();
    for segment in &segments {
        for port in 0..count {
            let mut segment = *segment;
            for end in [&mut segment.source, &mut segment.destination] {
                end.port = if end.port == segments[0].source.port { 1000 + port as u16 } else { end.port };
            }
            analyzer.observe(&segment);
        }
    }
    analyzer
}
