//! Tests of each condition for one end's SYN, window and data: dropping one, or moving a boundary, fails
//! here.

use tcpwhy_testkit::{ms, script};

use super::super::testing::after_handshake;
use super::*;
use crate::thresholds::{BLACKOUT_LEAST, BLACKOUT_TIME, KEEP_ALIVE_REST};

/// An end whose stream was acknowledged up to 1000, without captured data.
fn end() -> End {
    End { offered: Some((1000, None)), unwrapper: Unwrapper::from_isn(SeqNum(0)), ..End::default() }
}

/// A client that sent data up to 1501, acknowledged up to `una`.
fn with_data(una: u32) -> End {
    let text = format!("0.030 > . 1:1501(1500) ack 1\n0.050 < . 1:1(0) ack {una} win 65535");
    let [client, _] = after_handshake(&text).ends;
    client
}

/// The client's initial sequence number in scripts.
fn packets_begin() -> SeqNum {
    script("0.000 > S 0:0(0)").segments[0].seq
}

#[test]
fn where_a_segment_stands() {
    for (what, seq, is_probe, is_next, is_beyond, continues) in [
        ("two bytes before", 998, false, false, false, false),
        ("a byte before", 999, true, false, false, true),
        ("what its peer waits for", 1000, false, true, false, true),
        ("a byte beyond", 1001, false, false, true, false),
    ] {
        let end = end();
        let at = SeqNum(seq);
        let found = (end.is_probe(at), end.is_next(at), end.is_beyond(at), end.continues_at(at));
        assert_eq!(found, (is_probe, is_next, is_beyond, continues), "{what}");
    }
    let sent = with_data(1001);
    let at = |offset: u32| SeqNum(packets_begin().0.wrapping_add(offset));
    assert!(sent.continues_at(at(1501)), "right after what was sent");
    assert!(!sent.continues_at(at(1502)), "beyond it");
    assert!(sent.continues_at(at(1000)) && !sent.continues_at(at(999)), "a probe, and before it");
    let unknown = End { unwrapper: Unwrapper::default(), ..end() };
    assert!(!unknown.is_next(SeqNum(1000)) && !unknown.continues_at(SeqNum(1000)), "nothing anchors the numbers");
    let unheard = End { offered: None, ..end() };
    assert!(!unheard.is_next(SeqNum(1000)), "nothing was acknowledged");
    let followed = End { offered: Some((7, None)), ..with_data(1001) };
    assert!(followed.is_next(at(1001)), "data shows it better than what was offered before");
}

#[test]
fn all_is_acknowledged() {
    assert!(end().is_acknowledged(), "nothing was sent");
    assert!(with_data(1501).is_acknowledged());
    assert!(!with_data(1500).is_acknowledged(), "a byte is missing");
}

fn syn() -> Syn {
    Syn {
        mss: Some(1460),
        window_scale: Some(7),
        window: 65_000,
        has_timestamps: true,
        has_sack: false,
        is_cut: false,
        ecn: EcnOffer::Classic,
        count: 1,
        last: 0,
    }
}

#[test]
fn what_a_syn_offers() {
    let facts = syn().facts().unwrap();
    let options = (facts.mss, facts.window_scale, facts.window, facts.has_timestamps, facts.has_sack, facts.ecn);
    assert_eq!(options, (Some(1460), Some(7), 65_000, true, false, EcnOffer::Classic));
    assert!(Syn { is_cut: true, ..syn() }.facts().is_none(), "the capture has a part of it");
    for (what, window_scale, is_cut, expected) in [
        ("a scale", Some(7), false, false),
        ("none", None, false, true),
        ("none in the part that was captured", None, true, false),
        ("a scale of 0", Some(0), false, false),
    ] {
        assert_eq!(Syn { window_scale, is_cut, ..syn() }.lacks_window_scale(), expected, "{what}");
    }
}

#[test]
fn resets_and_zeros_are_no_hop_limits() {
    let noted = |hop_limit, flags| {
        let mut end = End::default();
        end.note_hop_limit(hop_limit, flags);
        (end.hop_limits.syn, end.hop_limits.usual)
    };
    assert_eq!(noted(64, TcpFlags::ACK), (0, 64));
    assert_eq!(noted(64, TcpFlags::SYN), (64, 0));
    assert_eq!(noted(0, TcpFlags::ACK), (0, 0), "none was captured");
    assert_eq!(noted(64, TcpFlags::RST), (0, 0), "many send resets with one of their own");
}

#[test]
fn checksums_of_syns_are_kept_once_one_is_wrong() {
    let after = |wrong: &[bool]| {
        let mut end = End::default();
        for &is_wrong in wrong {
            end.note_checksum(is_wrong);
        }
        end.has_answered_syn();
        end.rare.and_then(|rare| rare.checksums).map(|c| (c.wrong, c.is_wrong_answered, c.is_right_answered))
    };
    for (what, wrong, expected) in [
        ("a right one", &[false][..], None),
        ("a wrong one was answered", &[true], Some((1, true, false))),
        ("a right one after it", &[true, false], Some((1, false, true))),
        ("two wrong ones", &[true, true], Some((2, true, false))),
        ("a wrong one after a right one", &[false, true], Some((1, true, false))),
    ] {
        assert_eq!(after(wrong), expected, "{what}");
    }
    let mut end = End::default();
    end.note_checksum(true);
    end.has_answered_syn();
    end.note_checksum(false);
    end.has_answered_syn();
    let both = end.rare.and_then(|rare| rare.checksums).map(|c| (c.is_wrong_answered, c.is_right_answered));
    assert_eq!(both, Some((true, true)), "first the one, then the other");
}

#[test]
fn probes_of_an_idle_connection_are_keep_alives() {
    let second = KEEP_ALIVE_REST.get();
    assert_eq!(second, 1_000_000_000);
    let after = |probes: &[(i64, i64)]| {
        let mut end = end();
        for &(time, silence) in probes {
            end.note_probe(time, silence);
        }
        end.rare.and_then(|rare| rare.keep_alives).map(|k| (k.count, k.last, k.period))
    };
    for (what, probes, expected) in [
        ("after 1 s", &[(50, second)][..], Some((1, 50, None))),
        ("after less", &[(50, second - 1)], None),
        ("two", &[(50, second), (90, second)], Some((2, 90, Some(40)))),
        ("the shortest of two periods", &[(50, second), (90, second), (100, second)], Some((3, 100, Some(10)))),
        ("the same in the other order", &[(50, second), (60, second), (100, second)], Some((3, 100, Some(10)))),
    ] {
        assert_eq!(after(probes), expected, "{what}");
    }
    let mut closed = end();
    closed.rare_mut().closed = Some((0, None));
    closed.note_probe(50, second);
    assert!(closed.rare.is_some_and(|rare| rare.keep_alives.is_none()), "it probes a closed window");
}

#[test]
fn a_window_is_closed_until_it_opens() {
    let closed = |closed| {
        let mut end = end();
        end.rare_mut().closed = closed;
        end.is_window_closed()
    };
    assert_eq!([closed(None), closed(Some((0, None))), closed(Some((0, Some(9))))], [false, true, false]);
    assert!(!end().is_window_closed(), "nothing rare");
    let mut followed = with_data(1001);
    followed.rare_mut().closed = Some((0, None));
    assert!(!followed.is_window_closed(), "data shows it better");
}

/// `BLACKOUT_LEAST` and `BLACKOUT_TIME`: at least three packets, for at least 1 s.
#[test]
fn packets_without_an_answer_are_a_blackout() {
    let second = BLACKOUT_TIME.get();
    assert_eq!((BLACKOUT_LEAST.get(), second), (3, 1_000_000_000));
    let before = |nanos| Some(Blackout { packets: 9, nanos, is_window_closed: true });
    for (what, unanswered, until, before, expected) in [
        ("three for 1 s", 3, second, None, Some((3, second))),
        ("two", 2, second, None, None),
        ("for less", 3, second - 1, None, None),
        ("a longer one before", 3, second, before(second + 1), Some((9, second + 1))),
        ("one as long before", 3, second, before(second), Some((9, second))),
        ("a shorter one before", 3, second, before(second - 1), Some((3, second))),
        ("only the one before", 2, second, before(5), Some((9, 5))),
    ] {
        let mut end = End { unanswered, unanswered_since: ms(5), ..End::default() };
        end.rare_mut().blackout = before;
        let found = end.blackout_until(ms(5) + until, false);
        assert_eq!(found.map(|b| (b.packets, b.nanos)), expected, "{what}");
        end.note_blackout(ms(5) + until);
        let noted = end.rare.and_then(|rare| rare.blackout);
        assert_eq!(noted.map(|b| (b.packets, b.nanos)), expected, "{what}: as it is noted");
    }
    let end = End { unanswered: 3, ..End::default() };
    let is_closed = |is_closed| end.blackout_until(second, is_closed).map(|b| b.is_window_closed);
    assert_eq!([is_closed(true), is_closed(false)], [Some(true), Some(false)]);
}

/// Retransmissions at doubling intervals, while no packet of the peer comes.
#[test]
fn repeats_without_an_answer_are_a_silence() {
    let mut end = End { unanswered: 4, unanswered_since: 0, ..End::default() };
    for (time, previous) in [(80, 0), (240, 80), (560, 240)] {
        end.note_unanswered_repeat(time, previous);
    }
    assert_eq!(end.silence(), Some(Silence { repeats: 3, nanos: 560, interval: 320 }));
    end.unanswered = 0;
    assert_eq!(end.silence(), None, "the peer was heard");
    (end.unanswered, end.unanswered_since) = (1, 600);
    assert_eq!(end.silence(), None, "another stretch without an answer");
    assert_eq!(End::default().silence(), None, "nothing rare");
}

#[test]
fn icmp_errors_are_none_where_nothing_is_rare() {
    let counts = |end: &End| (end.undelivered().too_big, end.undelivered().unreachable);
    let mut end = End::default();
    assert_eq!(counts(&end), (0, 0));
    end.rare_mut().undelivered = UndeliveredCounts { too_big: 2, mtu: 1400, unreachable: 3 };
    assert_eq!(counts(&end), (2, 3));
}
