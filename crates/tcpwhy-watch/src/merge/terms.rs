//! Each term of the merge of the kernel's word with packets. A test fails if one is dropped, or if its
//! boundary moves.
//!
//! Time is written as a letter per second: [`cause`].

use tcpwhy_analysis::{HalfConnection, KernelWord, SocketKind, Verdict};
use tcpwhy_model::host::{SocketAddress, SocketSample, TcpState};
use tcpwhy_model::live::{KernelSample, SocketKey};
use tcpwhy_model::{
    Basis, Cause, Claim, Decider, Detail, Estimate, Evidence, EvidenceKey, Finding, Limit, LimitTimeline, Prediction,
    Severity, TimelineBuilder, Timestamp, Value,
};

use super::decision::{Heard, is_most, watched, word};
use super::findings::Merging;
use super::kinds::{Kinds, PacingRate};
use super::*;
use crate::host::LiveHost;

const SECOND: i64 = 1_000_000_000;
const OWN: Kinds = Kinds { rate: PacingRate::OfCongestionControl, delayed_ack: SocketKind::Application };
const SET: Kinds = Kinds { rate: PacingRate::OfProgram, ..OWN };
const SMALL: Kinds = Kinds { delayed_ack: SocketKind::SmallWrite, ..OWN };

fn cause(letter: char) -> Cause {
    match letter {
        'B' => Cause::plain(Limit::SendBuffer),
        'A' => Detail::PacedWrites.into(),
        'I' => Detail::Idle.into(),
        'T' => Cause::plain(Limit::TailRtt),
        'P' => Cause::plain(Limit::Path),
        'Q' => Detail::Queue.into(),
        'p' => Detail::Paced.into(),
        'W' => Cause::plain(Limit::ReceiveWindow),
        'Z' => Detail::ZeroWindow.into(),
        'L' => Detail::Fast.into(),
        'G' => Detail::Nagle.into(),
        'D' => Detail::DelayedAck.into(),
        'H' => Cause::plain(Limit::Handshake),
        '?' => Cause::plain(Limit::Unobserved),
        other => panic!("no cause {other}"),
    }
}

fn at(seconds: usize) -> Timestamp {
    Timestamp::from_nanos(seconds as i64 * SECOND)
}

/// Time from second `from` on.
fn line_from(from: usize, letters: &str) -> LimitTimeline {
    let mut builder = TimelineBuilder::new(at(from));
    for (second, letter) in letters.chars().enumerate() {
        builder.push(at(from + second + 1), cause(letter), 0.9, None);
    }
    builder.finish()
}

fn line(letters: &str) -> LimitTimeline {
    line_from(0, letters)
}

fn letters(of: &LimitTimeline) -> String {
    let all = "BAITPQpWZLGDH?";
    let letter = |i: &tcpwhy_model::Interval| all.chars().find(|&letter| cause(letter) == i.cause).unwrap();
    let interval = |i: &tcpwhy_model::Interval| vec![letter(i); (i.span.nanos() / SECOND) as usize];
    of.intervals().iter().flat_map(interval).collect()
}

/// The kernel decides which kind of cause it was, and packets which form that has.
#[test]
fn the_kernel_decides_the_kind_and_packets_the_form() {
    for (what, packets, kernel, kinds, expected) in [
        ("another kind", "AAAA", "BBBB", OWN, "BBBB"),
        ("for a part of the time", "AAAA", "ABBA", OWN, "ABBA"),
        ("the form of the path", "QQQQ", "PPPP", OWN, "QQQQ"),
        ("the form of the application", "IIII", "AATT", OWN, "IIII"),
        ("the form of the window", "WWWW", "ZZZZ", OWN, "WWWW"),
        ("a small write is no application", "AAAA", "GGGG", OWN, "GGGG"),
        ("nor the other way round", "GGGG", "AAAA", OWN, "AAAA"),
        ("time that the kernel did not see", "AAAA", "B??B", OWN, "BAAB"),
        ("time that the packets do not show", "??AA", "BBAA", OWN, "BBAA"),
        ("each repair is in the packets", "LLAA", "BBBB", OWN, "LLBB"),
        ("a repair that they do not show", "AAAA", "LLAA", OWN, "LLAA"),
        ("the handshake is in the packets", "HHAA", "BBBB", OWN, "HHBB"),
        ("a handshake says nothing of the kind", "AAAA", "HHBB", OWN, "AABB"),
        ("a rate of congestion control is the path's", "PPAA", "pppp", OWN, "PPpp"),
        ("a rate of the program is not", "PPAA", "pppp", SET, "pppp"),
        ("a delayed ACK that a small write waits for", "DDDD", "GGGG", SMALL, "DDDD"),
        ("one that nothing waits for", "DDDD", "AAAA", OWN, "DDDD"),
        ("one that no small write waits for", "DDDD", "AAGG", SMALL, "AADD"),
        ("one that a buffer waits for", "DDDD", "BBBB", OWN, "BBBB"),
    ] {
        assert_eq!(letters(&time::merged(&line(packets), &line(kernel), kinds)), expected, "{what}");
    }
}

/// Packets show the time before the socket was watched, and after.
#[test]
fn time_that_was_not_watched_is_the_packets() {
    for (what, from, kernel, expected) in [
        ("in the middle", 2, "BB", "AABBAA"),
        ("from the beginning", 0, "BB", "BBAAAA"),
        ("to the end", 4, "BB", "AAAABB"),
        ("longer than the packets", 4, "BBBB", "AAAABB"),
        ("after them", 6, "BB", "AAAAAA"),
    ] {
        assert_eq!(letters(&time::merged(&line("AAAAAA"), &line_from(from, kernel), OWN)), expected, "{what}");
    }
    let merged = time::merged(&line("AAAAAA"), &line_from(2, "BB"), OWN);
    assert_eq!(merged.totals().iter().map(|total| total.nanos).sum::<i64>(), merged.span().nanos());
}

/// A kind that the socket confirms excludes the other limit of a doubt, unless that is of the same kind.
#[test]
fn a_socket_settles_doubts() {
    let doubts = |other: Limit, decider: Decider, kernel: &str| {
        let mut builder = TimelineBuilder::new(at(0));
        builder.push(at(4), cause('P'), 0.9, Some((other, decider)));
        time::merged(&builder.finish(), &line(kernel), OWN).ambiguous().iter().map(|doubt| doubt.3 / SECOND).sum()
    };
    for (what, other, decider, kernel, expected) in [
        ("another kind", Limit::ReceiveWindow, Decider::Syn, "PPPP", 0),
        ("the same kind", Limit::CongestionWindow, Decider::SenderCapture, "PPPP", 4),
        ("samples decide", Limit::CongestionWindow, Decider::LiveSampling, "PPPP", 0),
        ("time that was not seen", Limit::ReceiveWindow, Decider::Syn, "PP??", 2),
        ("the kernel's own cause", Limit::CongestionWindow, Decider::SenderCapture, "BBPP", 2),
    ] {
        let found: i64 = doubts(other, decider, kernel);
        assert_eq!(found, expected, "{what}");
    }
}

fn sample(second: usize) -> KernelSample {
    let mut socket = SocketSample { state: Some(TcpState::Established), send_queue: 10_000, ..SocketSample::default() };
    let end = |last, port| SocketAddress { address: Some([192, 0, 2, last].into()), zone: None, port: Some(port) };
    (socket.local, socket.peer) = (end(1, 50_000), end(2, 443));
    (socket.info.ca_state, socket.info.notsent_bytes) = (Some(0), Some(0));
    (socket.memory.send_queued, socket.memory.send_buffer) = (Some(30_000), Some(32_000));
    KernelSample { time: at(second), key: SocketKey { namespace: 1, cookie: 1 }, socket }
}

/// A host that samples a socket with a full send buffer in each second up to `last`.
fn host(last: usize) -> LiveHost {
    let mut host = LiveHost::to_compare();
    (0..=last).for_each(|second| host.observe(sample(second)));
    host
}

/// A direction of a megabyte whose packets show `letters`.
fn half(letters: &str) -> HalfConnection {
    let mut half = host(1).connections().next().unwrap().conclude().halves.remove(0);
    (half.limits, half.bytes) = (line(letters), 1_000_000);
    half.verdict = conclude::judge_merged(&half, &half.limits);
    half.findings.clear();
    half
}

/// What the kernel's word is, where each second was sampled so often.
fn word_of(packets: &str, kernel: &str, samples: Option<u64>) -> KernelWord {
    let (half, kernel) = (half(packets), line(kernel));
    let limits = time::merged(&half.limits, &kernel, OWN);
    let verdict = conclude::judge_merged(&half, &limits);
    let watched = watched(half.limits.span(), &kernel);
    word(&half, &verdict, &kernel, Heard { samples, kinds: OWN }, watched)
}

/// Who decides, on each side of each boundary.
#[test]
fn the_kernel_decides_where_it_watched_most_and_differs() {
    const MANY: Option<u64> = Some(10_000);
    for (what, packets, kernel, samples, expected) in [
        ("the same", "BBBBBBBBBB", "BBBBBBBBBB", MANY, "agrees"),
        ("another form", "QQQQQQQQQQ", "PPPPPPPPPP", MANY, "agrees"),
        ("another kind", "AAAAAAAAAA", "BBBBBBBBBB", MANY, "decides"),
        ("a tenth", "AAAAAAAAAA", "AAAAAAAAAB", MANY, "agrees"),
        ("more than a tenth", "AAAAAAAAA", "AAAAAAAAB", MANY, "decides"),
        ("a tenth of which another cause leads", "AAAAAAABBBBBBPPPPPPP", "AAAAABBBBBBBBPPPPPPP", MANY, "decides"),
        ("chance of as many samples", "AAAAAAAAAA", "AAAAABBBBB", Some(3), "agrees"),
        ("one sample more", "AAAAAAAAAA", "AAAAABBBBB", Some(4), "decides"),
        ("an account misses nothing", "AAAAAAAA", "AAAAAAAB", None, "decides"),
        ("half of the time watched", "AAAAAAAAAA", "?????BBBBB", MANY, "watched_too_little"),
        ("more than half", "AAAAAAAAAA", "????BBBBBB", MANY, "decides"),
        ("a handshake is not watched", "AAAAAAAAAA", "HHHHHBBBBB", MANY, "watched_too_little"),
        ("repairs that samples miss", "LLLLLLLBBB", "BBBBBBBBBB", MANY, "agrees"),
        ("nothing watched", "AAAAAAAAAA", "??????????", MANY, "agrees"),
        ("nothing known", "??????????", "BBBBBBBBBB", MANY, "agrees"),
    ] {
        assert_eq!(word_of(packets, kernel, samples).id(), expected, "{what}");
    }
}

/// Both shares, of the time that both know.
#[test]
fn a_difference_has_both_shares() {
    let difference = word_of("AAAAAABBBL", "?AABBBBBBB", Some(10_000)).difference().unwrap();
    let thousandths = |share: f64| (share * 1000.0).round() as i64;
    assert_eq!(difference.nanos, 8 * SECOND, "neither what nobody saw nor a repair");
    let (more, less) = (difference.more, difference.less);
    assert_eq!((more.kind, thousandths(more.kernel), thousandths(more.packets)), (SocketKind::SendBuffer, 750, 375));
    assert_eq!((less.kind, thousandths(less.kernel), thousandths(less.packets)), (SocketKind::Application, 250, 625));
}

/// Where the kernel gives more to two kinds, the verdict's is named if it has clearly more.
#[test]
fn a_difference_names_the_verdict() {
    let named = |packets: &str, kernel: &str| word_of(packets, kernel, None).difference().unwrap().more.kind;
    assert_eq!(named("BBBBAAAAAA", "BBBBBBPPPA"), SocketKind::SendBuffer, "a fifth more, and not the three tenths");
    assert_eq!(named("BBBBBAAAAA", "BBBBBBPPPA"), SocketKind::Network, "a tenth more is not clear");
}

#[test]
fn most_is_more_than_half() {
    let half = half("AAAAAAAAAA");
    assert!(!is_most(5 * SECOND, &half) && is_most(5 * SECOND + 1, &half));
}

fn finding(rule: &'static str, seconds: f64) -> Finding {
    let evidence = [EvidenceKey::AlternativeLimit, EvidenceKey::WouldDecide, EvidenceKey::RttUs];
    let evidence = evidence.map(|key| Evidence { key, value: Value::from(1_u64), basis: Basis::WireInferred });
    Finding {
        rule,
        severity: Severity::Warning,
        confidence: 0.9,
        seconds: Some(seconds),
        evidence: evidence.into(),
        fixes: Vec::new(),
        prediction: Some(prediction(1.0)),
    }
}

fn prediction(seconds: f64) -> Prediction {
    let seconds = Estimate { value: seconds, low: seconds, high: seconds, basis: Basis::WireInferred };
    Prediction::by_formula(seconds, Claim::Range, Limit::Path, "path")
}

/// Merges findings about `packets`, each with all of its limit's time, with the socket's finding `own`.
/// Returns the remaining rules with their seconds.
fn left(packets: &str, merged: &str, found: &[(&'static str, f64)], own: &'static str) -> Vec<(&'static str, f64)> {
    let mut before = half(packets);
    before.findings = found.iter().map(|&(rule, seconds)| finding(rule, seconds)).collect();
    let limits = line(merged);
    let verdict = conclude::judge_merged(&before, &limits);
    let merging = Merging { before: &before, limits: &limits, verdict: &verdict };
    let left = merging.findings(Some(finding(own, 0.0)), &|_| None);
    left.iter().map(|finding| (finding.rule, finding.seconds.unwrap())).collect()
}

/// Findings are about the time that kernel and packets give to their limits.
#[test]
fn findings_belong_to_the_verdict() {
    const PACED: (&str, f64) = ("application-paced", 8.0);
    const PLATEAU: &str = "send-buffer-plateau";
    for (what, packets, merged, found, expected) in [
        ("refuted", "AAAAAAAABB", "BBBBBBBBBB", &[PACED][..], &[(PLATEAU, 0.0)][..]),
        ("less than half is left", "AAAAAAAABB", "AAABBBBBBB", &[PACED], &[(PLATEAU, 0.0)]),
        ("half is left", "AAAAAAAABB", "AAAABBBBBB", &[PACED], &[("application-paced", 4.0), (PLATEAU, 0.0)]),
        (
            "about no limit",
            "AAAAAAAABB",
            "BBBBBBBBBB",
            &[("keep-alives", 1.0)],
            &[("keep-alives", 1.0), (PLATEAU, 0.0)],
        ),
        (
            "a failure",
            "ZZZZZZZZBB",
            "BBBBBBBBBB",
            &[("zero-window-death", 8.0)],
            &[("zero-window-death", 8.0), (PLATEAU, 0.0)],
        ),
        ("of the same cause", "BBBBBAAAAA", "BBBBBBBBAA", &[(PLATEAU, 5.0)], &[(PLATEAU, 8.0)]),
        ("a part of its time", "BBBBBAAAAA", "BBBBBBBBAA", &[(PLATEAU, 2.0)], &[(PLATEAU, 2.0)]),
    ] {
        assert_eq!(left(packets, merged, found, PLATEAU), expected, "{what}");
    }
}

/// A prediction stays as long as the time does that it was computed from.
#[test]
fn a_prediction_is_made_anew_for_other_time() {
    let predicted = |merged: &str| {
        let mut before = half("BBBBBBBBBBBBBBBBBBBBA");
        before.findings = vec![finding("send-buffer-plateau", 20.0)];
        let limits = line(merged);
        let verdict = conclude::judge_merged(&before, &limits);
        let merging = Merging { before: &before, limits: &limits, verdict: &verdict };
        let left = merging.findings(None, &|_| Some(prediction(2.0)));
        left[0].prediction.as_ref().unwrap().seconds.value
    };
    assert!((predicted("BBBBBBBBBBBBBBBBBBBAA") - 1.0).abs() < 1e-9, "a twentieth less");
    assert!((predicted("BBBBBBBBBBBBBBBBBBAAA") - 2.0).abs() < 1e-9, "a tenth less");
}

/// What a verdict of the packets had in doubt is no evidence any more.
#[test]
fn settled_doubts_are_no_evidence() {
    let mut all = vec![finding("send-buffer-plateau", 1.0)];
    findings::drop_alternatives(&mut all);
    assert_eq!(all[0].evidence.iter().map(|evidence| evidence.key).collect::<Vec<_>>(), [EvidenceKey::RttUs]);
}

/// The merge of the direction `packets` with a socket whose send buffer was full for `last` seconds.
fn merged(packets: &str, last: usize) -> (KernelHalf, Option<MergedHalf>) {
    let (host, half) = (host(last), half(packets));
    let socket = host.connections().next().unwrap();
    let kernel = socket.sending_limits();
    let mut both = KernelHalf {
        sender: half.sender,
        samples: socket.samples(),
        packets: half.limits.within(kernel.span()),
        kernel,
        disagreement: 0.0,
        clocks: None,
        watched: 0,
        word: KernelWord::Agrees,
    };
    let merged = merge(&half, socket, &mut both);
    (both, merged)
}

/// The kernel's word becomes verdict, time and findings of the direction.
#[test]
fn a_full_buffer_is_the_verdict_on_a_program_that_seems_idle() {
    let (both, merged) = merged("IIIIIIIIIIIIIIIIIIBB", 20);
    assert_eq!((both.word.id(), both.watched), ("decides", 20 * SECOND));
    let merged = merged.unwrap();
    let verdict: &Verdict = &merged.verdict;
    assert_eq!((verdict.cause, verdict.severity), (Some(cause('B')), Some(Severity::Critical)));
    assert!((verdict.seconds - 20.0).abs() < 1e-9, "{}", verdict.seconds);
    assert_eq!(letters(&merged.limits), "B".repeat(20));
    let found: Vec<_> = merged.findings.iter().map(|finding| (finding.rule, finding.seconds)).collect();
    assert_eq!(found, [("send-buffer-plateau", Some(20.0))]);
    assert_eq!(merged.findings[0].fixes[0].id, "remove-so-sndbuf");
}

/// Half of the time is not most of it: the packets' verdict stays.
#[test]
fn a_socket_that_was_watched_for_half_of_the_time_decides_nothing() {
    let (both, none) = merged("IIIIIIIIIIIIIIIIIIII", 10);
    assert_eq!((both.word.id(), none.is_none()), ("watched_too_little", true));
    let difference = both.word.difference().unwrap();
    assert_eq!((difference.more.kind, difference.less.kind), (SocketKind::SendBuffer, SocketKind::Application));
    assert_eq!(merged("IIIIIIIIIIIIIIIIIIII", 11).0.word.id(), "decides");
}
