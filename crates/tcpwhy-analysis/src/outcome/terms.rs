//! Tests of each condition of a connection's outcome: one of them fails if a condition is removed or a
//! boundary moves.

use tcpwhy_model::Detail;

use super::testing::{at, connection, end};
use super::*;
use crate::problems::testing::{finding, half};

#[test]
fn the_role_of_an_end() {
    for (what, side, initiator, expected) in [
        ("it sent the SYN", Side::B, Some(Side::B), Role::Client),
        ("the other end sent it", Side::A, Some(Side::B), Role::Server),
        ("nobody is known to", Side::A, None, Role::Unknown),
    ] {
        assert_eq!(Role::of(side, initiator), expected, "{what}");
    }
    let roles = [Role::Client, Role::Server, Role::Unknown];
    assert_eq!(roles.map(Role::peer), [Role::Server, Role::Client, Role::Unknown]);
    assert_eq!(roles.map(Role::id), [Some("client"), Some("server"), None]);
    assert_eq!((Role::default(), Vantage::default()), (Role::Unknown, Vantage::Unknown));
}

#[test]
fn ids_of_endings_are_stable() {
    for (ending, id) in [
        (Ending::Closed, "closed"),
        (Ending::HalfClosed, "half_closed"),
        (Ending::Reset(Side::A), "reset_by_0"),
        (Ending::Reset(Side::B), "reset_by_1"),
        (Ending::Open, "open"),
        (Ending::Unanswered, "unanswered"),
        (Ending::Refused, "refused"),
        (Ending::Incomplete, "handshake_incomplete"),
    ] {
        assert_eq!(ending.id(), id);
    }
}

/// A handshake was the answer to a probe of the port.
#[test]
fn empty_probes_are_closed_by_whoever_opened_them() {
    use Ending::{Closed, HalfClosed, Incomplete, Open, Refused, Reset, Unanswered};
    let empty = |ending, fins: [Option<i64>; 2]| Connection {
        ending,
        close: Close { fins: fins.map(|fin| fin.map(at)), unacknowledged: 0 },
        ..connection(end(1, 40_000), end(2, 80), Vec::new())
    };
    let (client, server) = (Reset(Side::A), Reset(Side::B));
    for (what, one, expected) in [
        ("the client closed, then the server", empty(Closed, [Some(1), Some(2)]), true),
        ("both at once", empty(Closed, [Some(1), Some(1)]), true),
        ("the server first", empty(Closed, [Some(2), Some(1)]), false),
        ("the client alone", empty(HalfClosed, [Some(1), None]), true),
        ("the server alone", empty(HalfClosed, [None, Some(1)]), false),
        ("the client resets", empty(client, [None, None]), true),
        ("after its FIN", empty(client, [Some(1), None]), true),
        ("once the server has closed", empty(client, [None, Some(1)]), false),
        ("the server resets it", empty(server, [None, None]), false),
        ("after the client's FIN", empty(server, [Some(1), None]), true),
        ("nobody closed", empty(Open, [None, None]), false),
        ("no answer", empty(Unanswered, [None, None]), false),
        ("refused", empty(Refused, [Some(1), None]), false),
        ("never completed", empty(Incomplete, [Some(1), None]), false),
        ("nobody saw it open", Connection { initiator: None, ..empty(client, [None, None]) }, false),
    ] {
        assert_eq!(one.is_empty_probe(), expected, "{what}");
    }
    let half = half(Role::Client, None, &[(1, Detail::Idle.into())], Vec::new());
    assert!(!Connection { halves: vec![half], ..empty(client, [None, None]) }.is_empty_probe(), "somebody spoke");
    let mut turned = empty(Closed, [Some(2), Some(1)]);
    turned.initiator = Some(Side::B);
    assert!(turned.is_empty_probe(), "the server sent the first packet that was seen");
}

/// The order in which rules name a failure: each comes before all that follow it.
#[test]
fn the_rule_that_says_most_names_the_failure() {
    let expected = [
        "wrong-checksum",
        "reset-not-own",
        "idle-timeout",
        "pmtu-black-hole",
        "hole-left-open",
        "both-ends-unread",
        "zero-window-death",
        "peer-silent",
        "request-unanswered",
        "closed-during-request",
        "reset-mid-transfer",
    ];
    for first in 0..expected.len() {
        let mut open = connection(end(1, 40_000), end(2, 80), Vec::new());
        open.ending = Ending::Open;
        let later = expected[first..].iter().rev();
        open.findings = later.map(|rule| finding(rule, Severity::Warning, 0, None)).collect();
        assert_eq!(open.failure().map(|finding| finding.rule), Some(expected[first]));
    }
}

/// `EACH_END_TOLD`: a zero window until the end is half of a deadlock, if both ends advertised one for most
/// of that time. Ends that continued have not failed.
#[test]
fn a_deadlock_until_the_end_is_one_failure() {
    let (deadlock, death) = ("both-ends-unread", "zero-window-death");
    for (what, of_both, of_one, expected) in [
        ("both, for as long", Some(9.0), Some(9.0), Some(deadlock)),
        ("both, for half of the time", Some(4.5), Some(9.0), Some(deadlock)),
        ("both, for less", Some(4.4), Some(9.0), Some(death)),
        ("one of them", None, Some(9.0), Some(death)),
        ("both went on", Some(9.0), None, None),
    ] {
        let found = |rule, seconds: Option<f64>| {
            seconds.map(|seconds| Finding { seconds: Some(seconds), ..finding(rule, Severity::Critical, 1, None) })
        };
        let path = [(1, Cause::plain(Limit::Path))];
        let half = half(Role::Client, None, &path, found(death, of_one).into_iter().collect());
        let mut open = connection(end(1, 40_000), end(2, 80), vec![half]);
        open.findings = found(deadlock, of_both).into_iter().collect();
        assert_eq!(open.failure().map(|finding| finding.rule), expected, "{what}");
    }
}

#[test]
fn what_is_a_failure() {
    use Severity::{Critical, Info, Warning};
    let found = |of_connection: &[(&'static str, Severity)], of_half: &[(&'static str, Severity)], ending| {
        let findings = |all: &[(&'static str, Severity)]| {
            all.iter().map(|&(rule, severity)| finding(rule, severity, 0, None)).collect::<Vec<_>>()
        };
        let half = half(Role::Client, None, &[(1, Cause::plain(Limit::Path))], findings(of_half));
        let mut connection = connection(end(1, 40_000), end(2, 80), vec![half]);
        (connection.findings, connection.ending) = (findings(of_connection), ending);
        connection.failure().map(|finding| finding.rule)
    };
    let black_hole = "pmtu-black-hole";
    for (what, of_connection, of_half, ending, expected) in [
        ("none", &[][..], &[][..], Ending::Closed, None),
        ("of the connection", &[("peer-silent", Warning)], &[], Ending::Closed, Some("peer-silent")),
        ("of a direction", &[], &[("peer-silent", Critical)], Ending::Closed, Some("peer-silent")),
        ("a note", &[("peer-silent", Info)], &[], Ending::Closed, None),
        ("a rule about speed", &[("send-buffer-plateau", Critical)], &[], Ending::Closed, None),
        ("a size that passes was found", &[], &[(black_hole, Critical)], Ending::Closed, None),
        ("none that passes was found", &[], &[(black_hole, Critical)], Ending::Open, Some(black_hole)),
        (
            "it never arrived",
            &[],
            &[(black_hole, Critical), ("hole-left-open", Critical)],
            Ending::Closed,
            Some(black_hole),
        ),
        (
            "another rule of a connection that closed",
            &[("idle-timeout", Warning)],
            &[],
            Ending::Closed,
            Some("idle-timeout"),
        ),
    ] {
        assert_eq!(found(of_connection, of_half, ending), expected, "{what}");
    }
}

#[test]
fn only_the_server_has_a_name() {
    let mut connection = connection(end(1, 40_000), end(2, 80), Vec::new());
    assert_eq!(connection.name_of(Side::B), None, "none was seen");
    connection.server_name = Some(Box::new(ServerName { server: Side::B, name: "example.org".to_owned() }));
    assert_eq!((connection.name_of(Side::B), connection.name_of(Side::A)), (Some("example.org"), None));
}

/// Two ticks of the timestamps are 2 ms, and half of the round trips are shorter.
#[test]
fn round_trips_shorter_than_two_ticks_are_not_followed() {
    let rtt = |median| Some(Distribution { min: 0, median, p95: 99_000_000, max: 99_000_000 });
    for (what, vantage, rtt, expected) in [
        ("2 ms", Vantage::Receiver, rtt(2 * TICK), false),
        ("less", Vantage::Receiver, rtt(2 * TICK - 1), true),
        ("less, at the sender", Vantage::Sender, rtt(2 * TICK - 1), true),
        ("none, at the sender", Vantage::Sender, None, false),
        ("none, at the receiver", Vantage::Receiver, None, true),
        ("none, in the middle", Vantage::Middle, None, true),
        ("none, anywhere", Vantage::Unknown, None, true),
    ] {
        assert_eq!(is_untimed(vantage, rtt.as_ref()), expected, "{what}");
        let mut half = half(Role::Client, None, &[(1, Cause::plain(Limit::Path))], Vec::new());
        (half.vantage, half.rtt) = (vantage, rtt.map(|rtt| (rtt, Basis::WireInferred)));
        assert_eq!(half.is_untimed(), expected, "{what}: of a direction");
    }
    assert_eq!(TICK, 1_000_000);
}

#[test]
fn the_verdicts_change_concerns_its_family() {
    let parts = [
        (3, Detail::SmallBuffer.into()),
        (1, Detail::Capped.into()),
        (2, Detail::ZeroWindow.into()),
        (9, Cause::plain(Limit::Path)),
    ];
    let related = |parts: &[(i64, Cause)], cause: Option<Cause>| {
        let mut half = half(Role::Server, None, parts, Vec::new());
        half.verdict.cause = cause;
        half.related_to_verdict().map(|total| total.cause).collect::<Vec<_>>()
    };
    let small = Cause::from(Detail::SmallBuffer);
    let same = |cause: &Cause| cause.family() == small.family() && *cause != small;
    let mut expected: Vec<_> = parts.iter().filter(|part| same(&part.1)).copied().collect();
    expected.sort_by_key(|part| std::cmp::Reverse(part.0));
    assert!(!expected.is_empty());
    assert_eq!(related(&parts, Some(small)), expected.iter().map(|part| part.1).collect::<Vec<_>>());
    assert_eq!(related(&parts, None), [], "no verdict");
    assert_eq!(related(&[(9, Cause::plain(Limit::Path))], Some(small)), [], "another limit");
    let unknown = [(1, Cause::plain(Limit::Unobserved)), (2, Cause::plain(Limit::TailRtt))];
    assert_eq!(related(&unknown, Some(Cause::plain(Limit::TailRtt))), [], "causes without a family are no family");
    let healthy = Verdict::healthy();
    assert_eq!((healthy.cause, healthy.severity, healthy.alternative), (None, None, None));
}
