//! The whole path from bytes to findings, in bounded memory. With an even first byte, the rest is a capture.
//! With an odd one, the rest drives two endpoints that send segments near each other's sequence numbers,
//! which reaches far deeper than bytes do. With 3 more than a multiple of 4, the most expensive orders of
//! packets are played one after the other, with disturbances.
//!
//! The same capture is analysed twice more, with other threads, parts, batches, hash keys and pieces of
//! input. The results must be the same.
#![no_main]

use std::io::{Cursor, Read};
use std::net::{IpAddr, Ipv4Addr};
use std::num::{NonZero, NonZeroU16};

use libfuzzer_sys::fuzz_target;
use tcpwhy_analysis::{Analyzer, Connection};
use tcpwhy_capture::CaptureReader;
use tcpwhy_engine::{Delivery, Plan, Seams, Source, run};
use tcpwhy_model::{
    Ecn, Endpoint, IpHeader, SackBlocks, Segment, SeqNum, TcpFlags, TcpOptions, TcpTimestamps, Timestamp, WindowField,
};
use tcpwhy_testkit::{Order, pcap};

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    // Half of the runs report connections as soon as they are closed.
    let mut analyzer = if choice & 0x80 == 0 { Analyzer::new() } else { Analyzer::prompt() };
    let mut seen = 0_u32;
    let mut segments = Vec::new();
    let mut observe = |segment: &Segment| {
        analyzer.observe(segment);
        segments.push(*segment);
        seen += 1;
        if seen.is_multiple_of(256) {
            check_memory(&analyzer);
        }
    };
    if choice & 1 == 0 {
        let Ok(reader) = CaptureReader::from_read(Cursor::new(rest.to_vec()), "fuzz") else { return };
        reader.for_each(|segment| observe(&segment));
    } else if choice & 2 == 0 {
        Dialogue::new(choice).segments(rest).for_each(|segment| observe(&segment));
    } else {
        orders(rest).for_each(|segment| observe(&segment));
    }
    check_memory(&analyzer);
    for connection in analyzer.take_finished().iter().chain(&analyzer.finish()) {
        check(connection);
    }
    let capture = if choice & 1 == 0 { rest.to_vec() } else { pcap(&segments) };
    check_answers(&capture, choice);
});

/// Two runs on `capture` that differ in settings that must not matter.
fn check_answers(capture: &[u8], choice: u8) {
    let answers = |delivery, threads, flow_key, batch, at_a_time| {
        let bytes = Dribble { bytes: Cursor::new(capture.to_vec()), at_a_time };
        let reader = CaptureReader::from_read(bytes, "fuzz").ok()?;
        let seams = Seams { flow_key: Some(flow_key), batch: NonZero::new(batch) };
        let plan = Plan { threads: NonZero::new(threads)?, seams, simulates: false, ..Plan::default() };
        let mut found = Vec::new();
        let source = Source::Single(Box::new(reader));
        let mut present = |connection, _| {
            found.push(connection);
            Ok(())
        };
        let outcome = run(source, delivery, &plan, &mut |_| {}, &mut present).expect("nothing stops it");
        for connection in &mut found {
            connection.id = outcome.numbering.number(connection, 0);
        }
        found.sort_by_key(|connection| connection.id);
        Some(format!("{found:?}"))
    };
    let piece = usize::from(choice) + 1;
    if choice & 0x80 == 0 {
        let alone = answers(Delivery::Bulk, 1, 1, 4096, usize::MAX);
        let other = answers(Delivery::Bulk, 2, u64::from(choice) + 2, piece, piece);
        assert!(alone == other, "batches, threads and hash keys change the answer");
    } else {
        let alone = answers(Delivery::Prompt, 1, 1, 4096, usize::MAX);
        let other = answers(Delivery::Prompt, 1, u64::from(choice) + 2, piece, piece);
        assert!(alone == other, "batches and hash keys change the answer");
    }
}

/// A pipe that returns a few bytes at a time.
struct Dribble {
    bytes: Cursor<Vec<u8>>,
    at_a_time: usize,
}

impl Read for Dribble {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let most = out.len().min(self.at_a_time);
        self.bytes.read(&mut out[..most])
    }
}

/// Most memory of an open connection, and of an analyzer itself, bytes.
const MOST: usize = 1_500_000;
const LEAST: usize = 10_000;

fn check_memory(analyzer: &Analyzer) {
    let (connections, bytes) = analyzer.open();
    assert!(bytes <= connections * MOST + LEAST, "{bytes} bytes for {connections} connections");
}

/// Four bytes each: order, number of packets, first packet, and disturbance.
fn orders(bytes: &[u8]) -> impl Iterator<Item = Segment> {
    let mut later = 0;
    // More of them would only be slower.
    bytes.chunks_exact(4).take(16).enumerate().flat_map(move |(n, c)| {
        let order = Order::ALL[usize::from(c[0]) % Order::ALL.len()];
        let segments = order.segments(u32::from(c[1]) * 16, u64::from(c[3]));
        later += i64::from(c[3]) * 1_000_000;
        let skipped = if n == 0 { usize::from(c[2]) } else { usize::from(c[2]) + 3 };
        let disturbed = segments.into_iter().skip(skipped).enumerate().filter_map(move |(i, mut segment)| {
            segment.timestamp = segment.timestamp.plus(later);
            match c[3] >> 5 {
                0 if i % 7 == 0 => return None,
                1 => std::mem::swap(&mut segment.source, &mut segment.destination),
                2 => segment.options = TcpOptions::default(),
                3 if i % 64 == 0 => segment.flags = segment.flags.union(TcpFlags(1 << (c[3] & 3))),
                _ => {}
            }
            Some(segment)
        });
        disturbed.collect::<Vec<_>>()
    })
}

/// Properties that every result must have.
fn check(connection: &Connection) {
    for half in &connection.halves {
        let total: i64 = half.limits.totals().iter().map(|t| t.nanos).sum();
        assert_eq!(total, half.span.nanos());
        let mut at = half.span.start();
        for interval in half.limits.intervals() {
            assert_eq!(interval.span.start(), at);
            at = interval.span.end();
        }
        assert_eq!(at, half.span.end());
        assert!((0.0..=1.0).contains(&half.verdict.confidence), "{:?}", half.verdict);
        for finding in &half.findings {
            if let Some(p) = &finding.prediction {
                assert!(p.seconds.low <= p.seconds.value && p.seconds.value <= p.seconds.high, "{p:?}");
            }
        }
    }
}

struct Dialogue {
    time: i64,
    next: [u32; 2],
    acked: [u32; 2],
    tick: u32,
    port: u16,
}

impl Dialogue {
    fn new(choice: u8) -> Self {
        // Sequence numbers that wrap early.
        Self {
            time: 1_700_000_000_000_000_000,
            next: [u32::MAX - 5000, 7],
            acked: [0; 2],
            tick: 0,
            port: u16::from(choice),
        }
    }

    fn segments(mut self, bytes: &[u8]) -> impl Iterator<Item = Segment> {
        bytes.chunks_exact(8).enumerate().map(move |(i, c)| self.segment(i, c))
    }

    fn segment(&mut self, i: usize, c: &[u8]) -> Segment {
        let side = usize::from(c[0] & 1);
        let jump = i64::from(c[1]);
        // From microseconds to minutes, and rarely back in time.
        self.time += match c[0] >> 1 & 7 {
            0..=3 => jump * 1_000,
            4 | 5 => jump * 1_000_000,
            6 => jump * 1_000_000_000,
            _ => -jump * 20_000_000,
        };
        self.tick = self.tick.wrapping_add(u32::from(c[1] >> 4));
        let flags = TcpFlags(u16::from(c[2]) & 0x1f | if c[2] & 0x20 == 0 { 0x10 } else { 0 });
        let payload_len = match c[3] {
            0..=99 => 0,
            100..=199 => 1448,
            200..=229 => u32::from(c[4]),
            _ => u32::from(c[4]) * 300,
        };
        let back = u32::from(c[5] >> 4) * 1448;
        let seq = self.next[side].wrapping_sub(if c[5] & 1 == 1 { back } else { 0 });
        let ack = self.next[1 - side].wrapping_sub(if c[5] & 2 == 2 { u32::from(c[6]) * 700 } else { 0 });
        if c[5] & 1 == 0 {
            self.next[side] = seq.wrapping_add(payload_len);
        }
        self.acked[1 - side] = ack;
        let mut sack = SackBlocks::default();
        if c[5] & 4 == 4 {
            sack.push(SeqNum(ack.wrapping_add(1448)), SeqNum(ack.wrapping_add(1448 * u32::from(c[6] & 15))));
        }
        let options = TcpOptions {
            mss: NonZeroU16::new(1460),
            window_scale: (c[7] & 1 == 0).then_some(c[7] >> 4),
            sack_permitted: true,
            sack,
            timestamps: (c[7] & 2 == 0)
                .then_some(TcpTimestamps { value: self.tick, echo_reply: self.tick.wrapping_sub(u32::from(c[6] & 3)) }),
            ..TcpOptions::default()
        };
        let end =
            |which: usize| Endpoint { address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, which as u8 + 1)), port: self.port };
        Segment {
            number: i as u64 + 1,
            timestamp: Timestamp::from_nanos(self.time),
            source: end(side),
            destination: end(1 - side),
            seq: SeqNum(seq),
            ack: SeqNum(ack),
            flags,
            window: WindowField(u16::from(c[6]) << (c[7] & 7)),
            payload_len,
            options,
            ip: IpHeader::new(NonZeroU16::new(i as u16), 64, Ecn::from_bits(i as u8)),
        }
    }
}
