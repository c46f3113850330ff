//! Boundaries of rules: transfers that just miss a condition of a rule, and others that meet it.

mod common;

use common::{connection, describe, principal, rules};
use tcpwhy_model::Segment;
use tcpwhy_testkit::{CLIENT, Capture, ReceiveBuffer, Transfer, Writer, alter, at, mbit, ms, script};

#[track_caller]
fn holds(segments: &[Segment], rule: &str, expected: bool) {
    let connection = connection(segments);
    assert_eq!(rules(&connection).contains(&rule), expected, "{rule}\n{}", describe(&connection));
}

/// A queue is a problem only if it is long, also compared with the path.
#[test]
fn a_short_queue_is_no_bufferbloat() {
    let queueing = |rtt, queue| Transfer { bytes: 8_000_000, rate: Some(mbit(10)), rtt, queue, ..Transfer::default() };
    holds(&queueing(ms(20), 312_500).run(), "bufferbloat", true);
    holds(&queueing(ms(5), 35_000).run(), "bufferbloat", false);
    holds(&queueing(ms(80), 125_000).run(), "bufferbloat", false);
}

/// A few duplicate frames are an artefact of the capture.
#[test]
fn a_few_copies_are_no_second_place() {
    let with_copies = |bytes, every: usize| {
        let all = Transfer { bytes, ..Transfer::default() }.run();
        let data = all.iter().enumerate().flat_map(|(i, s)| {
            let is_copied = s.payload_len > 0 && i % every == 0;
            std::iter::repeat_n(*s, if is_copied { 2 } else { 1 })
        });
        data.collect::<Vec<_>>()
    };
    holds(&with_copies(400_000, 10), "duplicated-packets", true);
    holds(&with_copies(400_000, 60), "duplicated-packets", false);
    holds(&with_copies(30_000, 12), "duplicated-packets", false);
}

/// One restart, or several that cost little compared with the pauses, are not worth a setting.
#[test]
fn restarts_that_cost_little() {
    let bursts = |bytes, pause| Transfer {
        bytes,
        rtt: ms(50),
        writer: Writer::Bursts { bytes: 800_000, pause },
        restarts_after_idle: true,
        ..Transfer::default()
    };
    holds(&bursts(4_000_000, ms(600)).run(), "idle-restart", true);
    holds(&bursts(1_600_000, ms(600)).run(), "idle-restart", false);
    holds(&bursts(4_000_000, ms(20_000)).run(), "idle-restart", false);
}

/// A delay is the receiver's if the sender visibly waits for it, and if it is large compared with the path.
#[test]
fn a_delay_that_is_little_beside_the_path() {
    let tiny = |rtt, capture| Transfer {
        bytes: 60_000,
        rtt,
        receive_buffer: ReceiveBuffer::Fixed(1548),
        window_scale: Some(0),
        capture,
        ..Transfer::default()
    };
    holds(&tiny(ms(1), Capture::Sender).run(), "delayed-ack", true);
    holds(&tiny(ms(150), Capture::Sender).run(), "delayed-ack", false);
    holds(&tiny(ms(1), Capture::Receiver).run(), "delayed-ack", false);
}

/// Either side can refuse window scaling.
#[test]
fn one_side_without_window_scaling_is_enough() {
    let all =
        Transfer { receive_buffer: ReceiveBuffer::Fixed(60_000), window_scale: Some(0), ..Transfer::default() }.run();
    holds(&all, "missing-window-scale", false);
    for side in [0, 1] {
        let mut all = all.clone();
        all[side].options.window_scale = None;
        holds(&all, "missing-window-scale", true);
    }
}

/// A handshake that was answered too soon counts only with enough data to compare, and only if there was one
/// handshake.
#[test]
fn little_data_shows_no_proxy() {
    let early = |bytes, syn_repeats| {
        let mut all = Transfer { bytes, syn_repeats, rtt: ms(60), ..Transfer::default() }.run();
        let first = syn_repeats as usize;
        let begin = i64::from(syn_repeats) * 1_000_000_000;
        all[first + 1].timestamp = at(begin + ms(1));
        all[first + 2].timestamp = at(begin + ms(1) + 10_000);
        all
    };
    holds(&early(1_000_000, 0), "proxy-suspected", true);
    holds(&early(50_000, 0), "proxy-suspected", false);
    holds(&early(1_000_000, 1), "proxy-suspected", false);
}

/// If the capture started mid-connection and has one direction only, the second fact matters.
#[test]
fn half_of_a_connection_joined_is_one_sided() {
    let joined = alter::joined_at(&Transfer::default().run(), at(ms(100)));
    holds(&joined, "mid-stream-join", true);
    holds(&alter::one_sided(&joined, CLIENT), "mid-stream-join", false);
    holds(&alter::one_sided(&joined, CLIENT), "one-sided-capture", true);
}

/// Keep-alives are reported only if the connection has nothing else.
#[test]
fn keep_alives_beside_data_are_nothing() {
    let with = |more: &str| {
        let open = "
     0.000 > S 0:0(0) win 65535 <mss 1000,sackOK>
     0.020 < S. 0:0(0) ack 1 win 65535 <mss 1000,sackOK>
     0.020 > . 1:1(0) ack 1
";
        script(&format!("{open}{more}")).segments
    };
    let probe = "
     60.000 > . 0:0(0) ack 1
     60.020 < . 1:1(0) ack 1 win 65535
     120.000 > . 0:0(0) ack 1
     120.020 < . 1:1(0) ack 1 win 65535
";
    let data = "
     0.021 > P. 1:101(100) ack 1
     0.041 < . 1:1(0) ack 101 win 65535
     60.000 > . 100:100(0) ack 1
     60.020 < . 1:1(0) ack 101 win 65535
";
    let close = "
     1.000 > F. 1:1(0) ack 1
     1.020 < F. 1:1(0) ack 2 win 65535
     1.020 > . 2:2(0) ack 2
";
    holds(&with(probe), "keep-alive-only", true);
    holds(&with(data), "keep-alive-only", false);
    holds(&with(close), "keep-alive-only", false);
}

/// An event that did not happen is not evidence.
#[test]
fn evidence_is_what_happened() {
    let has = |segments: &[Segment], rule: &str, name: &str| {
        let connection = connection(segments);
        let finding = principal(&connection).findings.iter().find(|f| f.rule == rule);
        let finding = finding.unwrap_or_else(|| panic!("no {rule}\n{}", describe(&connection)));
        finding.evidence.iter().any(|e| e.key.id() == name)
    };
    let fast = Transfer { bytes: 1_000_000, lost_every: Some(40), ..Transfer::default() }.run();
    assert!(has(&fast, "loss-recovery", "retransmitted_count"));
    assert!(!has(&fast, "loss-recovery", "timeout_count"));
    assert!(!has(&fast, "loss-recovery", "reordered_count"));
    let busy = Transfer { bytes: 6_000_000, rate: Some(mbit(20)), ..Transfer::default() };
    assert!(!has(&busy.run(), "path-busy", "retransmitted_percent"));
    assert!(has(&Transfer { lost: vec![900], ..busy }.run(), "path-busy", "retransmitted_percent"));
    let silent = |has_sack| Transfer { bytes: 100_000, lost: vec![69], has_sack, ..Transfer::default() }.run();
    assert!(!has(&silent(true), "retransmission-timeouts", "is_sack_permitted"));
    assert!(has(&silent(false), "retransmission-timeouts", "is_sack_permitted"));
}
