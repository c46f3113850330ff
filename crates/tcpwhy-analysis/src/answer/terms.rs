//! Tests of each choice of the answer: its condition in both cases, and the order of the choices.

use tcpwhy_model::{
    Basis, ByteCount, Cause, Detail, Distribution, Endpoint, Evidence, EvidenceKey, Finding, FixKind, Limit, Rate,
    Severity, Value, VerdictReason,
};

use super::*;
use crate::exchanges::{Parts, Party, Pattern};
use crate::outcome::{Connection, Ending, HalfConnection, Role, Side};
use crate::problems::testing::{self, connection, exchanges, finding, half};
use crate::problems::{Failure, Kind, Problem, ProblemKey, Slow, Target};

const SECOND: i64 = 1_000_000_000;
const WARNING: Option<Severity> = Some(Severity::Warning);
const BUFFER: Cause = Cause::plain(Limit::SendBuffer);

/// A direction of this many bytes that `cause` limited for all of its ten seconds.
fn limited(cause: Cause, bytes: ByteCount) -> HalfConnection {
    HalfConnection { bytes, ..half(Role::Client, WARNING, &[(10, cause)], Vec::new()) }
}

/// A connection with one direction, which the send buffer limited.
fn plain() -> Connection {
    connection(vec![limited(BUFFER, 1_000_000)])
}

/// The same connection, with this number of its first packet.
fn numbered(packet: u64, bytes: ByteCount) -> Connection {
    Connection { id: packet, first_packet: packet, ..connection(vec![limited(BUFFER, bytes)]) }
}

fn leads(all: &[Connection]) -> Leads {
    let mut leads = Leads::default();
    for connection in all {
        leads.add(connection);
    }
    leads
}

fn key(kind: Kind) -> ProblemKey {
    let server = Endpoint { address: [10, 0, 0, 2].into(), port: 80 };
    ProblemKey { target: Target::Service(server), kind }
}

fn problem(kind: Kind, connection: &Connection) -> Problem {
    testing::problem(key(kind), None, 1, connection)
}

fn found(rule: &'static str, fixes: usize) -> Finding {
    finding(rule, Severity::Warning, fixes, None)
}

// The connection that the first lines report.

#[test]
fn the_only_connection_then_the_worst_then_the_largest() {
    let (small, large) = (numbered(1, 1_000), numbered(2, 2_000));
    let empty = Connection { halves: Vec::new(), first_packet: 3, ..plain() };
    let slow = |connection: &Connection| problem(Kind::Slow(Slow::Server), connection);
    let both = [small.clone(), large.clone()];
    for (what, all, problems, expected) in [
        ("alone", vec![small.clone()], vec![], Some((1, Ground::OnlyConnection, true, false))),
        ("alone with data", vec![small.clone(), empty.clone()], vec![], Some((1, Ground::OnlyConnection, true, false))),
        ("alone, its problem", vec![small.clone()], vec![slow(&small)], Some((1, Ground::OnlyConnection, true, true))),
        (
            "alone with data, and another's problem",
            vec![small.clone(), empty.clone()],
            vec![slow(&Connection { first_packet: 3, ..small.clone() })],
            Some((3, Ground::WorstProblem, false, true)),
        ),
        ("two", both.to_vec(), vec![], Some((2, Ground::LargestConnection, false, false))),
        ("a problem of the smaller", both.to_vec(), vec![slow(&small)], Some((1, Ground::WorstProblem, false, true))),
        (
            "the first problem is the gravest",
            both.to_vec(),
            vec![slow(&large), slow(&small)],
            Some((2, Ground::WorstProblem, false, true)),
        ),
        ("nothing with data", vec![empty], vec![], None),
        ("nothing", vec![], vec![], None),
    ] {
        let leads = leads(&all);
        let subject = Subject::of(&leads, &problems);
        let told = subject.map(|s| (s.connection.first_packet, s.grounds[0], s.is_only, s.trouble.is_some()));
        assert_eq!(told, expected, "{what}");
    }
}

#[test]
fn of_equal_connections_the_first_is_the_largest() {
    let all = [numbered(2, 1_000), numbered(1, 1_000), numbered(3, 999)];
    assert_eq!(leads(&all).largest().map(|c| c.first_packet), Some(1));
    // Both directions count.
    let both = Connection { first_packet: 4, ..connection(vec![limited(BUFFER, 600), limited(BUFFER, 600)]) };
    assert_eq!(leads(&[all[0].clone(), both]).largest().map(|c| c.first_packet), Some(4));
}

#[test]
fn the_gravest_connection_without_data_is_kept() {
    let empty = |packet, severity: Option<Severity>| {
        let findings = severity.into_iter().map(|severity| finding("syn-unanswered", severity, 0, None)).collect();
        Connection { first_packet: packet, findings, ..connection(Vec::new()) }
    };
    let all = [empty(1, None), empty(3, WARNING), empty(2, WARNING), empty(4, Some(Severity::Info))];
    assert_eq!(leads(&all).dataless().map(|c| c.first_packet), Some(2), "the gravest, and of those the first");
    assert_eq!(leads(&[plain()]).dataless().map(|c| c.first_packet), None, "it carried data");
    let told = leads(&[all.to_vec(), vec![plain()]].concat());
    assert_eq!((told.connections(), told.with_data()), (5, 1));
}

#[test]
fn numbers_are_given_once_and_to_all() {
    let mut leads = leads(&[plain(), connection(Vec::new())]);
    leads.renumber(&|_| 7);
    assert_eq!((leads.largest().unwrap().id, leads.dataless().unwrap().id), (7, 7));
    leads.renumber(&|_| 8);
    assert_eq!(leads.largest().unwrap().id, 7, "it has its number");
}

#[test]
fn of_a_failed_connection_the_direction_that_carried_most() {
    let waiting = HalfConnection { sender: Side::B, ..limited(Cause::plain(Limit::ReceiveWindow), 900_000) };
    let idle = half(Role::Client, None, &[(10, Cause::plain(Limit::TailRtt))], Vec::new());
    let both = connection(vec![HalfConnection { bytes: 1_000_000, ..idle }, waiting]);
    let leads = leads(std::slice::from_ref(&both));
    for (what, problems, expected) in [
        ("no problem", vec![], (Side::B, Ground::PrincipalDirection)),
        ("slow", vec![problem(Kind::Slow(Slow::Server), &both)], (Side::B, Ground::PrincipalDirection)),
        ("failed", vec![problem(Kind::Failed(Failure::TimedOut), &both)], (Side::A, Ground::MostOfFailed)),
    ] {
        let subject = Subject::of(&leads, &problems).unwrap();
        assert_eq!((subject.half.sender, subject.grounds[1]), expected, "{what}");
    }
}

// The order of connections.

#[test]
fn each_order_has_its_key_and_the_saving_decides_between_equals() {
    let with = |packet, bytes, seconds, retransmitted_bytes, cause| {
        let half = HalfConnection {
            bytes,
            retransmitted_bytes,
            ..half(Role::Client, WARNING, &[(seconds, cause)], Vec::new())
        };
        Connection { first_packet: packet, ..connection(vec![half]) }
    };
    let tail = Cause::plain(Limit::TailRtt);
    let all = [
        with(1, 10, 1, 0, tail),
        with(2, 1, 5, 0, tail),
        with(3, 1, 1, 9, tail),
        with(4, 1, 1, 0, BUFFER),
        with(5, 1, 1, 0, tail),
        with(6, 1, 1, 0, tail),
    ];
    for (order, expected) in [
        (Order::Saving, [4, 1, 2, 3, 5, 6]),
        (Order::Bytes, [1, 4, 2, 3, 5, 6]),
        (Order::Time, [2, 4, 1, 3, 5, 6]),
        (Order::Retransmissions, [3, 4, 1, 2, 5, 6]),
    ] {
        let mut ranked = all.to_vec();
        ranked.sort_by_key(|connection| Rank::of(connection, order));
        let packets: Vec<u64> = ranked.iter().map(|connection| connection.first_packet).collect();
        assert_eq!(packets, expected, "{order:?}");
    }
}

/// The table shows the reported direction.
#[test]
fn an_order_by_bytes_is_by_one_direction() {
    let both = connection(vec![limited(BUFFER, 600), HalfConnection { sender: Side::B, ..limited(BUFFER, 600) }]);
    let one = Connection { first_packet: 2, ..connection(vec![limited(BUFFER, 700)]) };
    assert!(Rank::of(&one, Order::Bytes) < Rank::of(&both, Order::Bytes));
}

// The explanation of the time.

/// The explanation of a connection with these parts of its requests' time and a problem of this kind.
fn explained(parts: Option<Parts>, kind: Option<Kind>) -> (Option<Party>, Ground) {
    let connection = Connection { exchanges: parts.map(exchanges), ..plain() };
    let problems: Vec<_> = kind.iter().map(|&kind| problem(kind, &connection)).collect();
    let leads = leads(std::slice::from_ref(&connection));
    let subject = Subject::of(&leads, &problems).unwrap();
    let decided = Explanation::decide(&subject);
    let party = match decided.answer {
        Explanation::Took(party, _) => Some(party),
        _ => None,
    };
    (party, decided.ground)
}

#[test]
fn who_or_what_explains_the_time() {
    let parts = |client, server, pauses, round_trips, answers| {
        Some(Parts { client, server, pauses, round_trips, answers, ..Parts::default() })
    };
    let slow = |slow| Some(Kind::Slow(slow));
    let buffer = slow(Slow::Answers(tcpwhy_model::Family::SendBuffer));
    for (what, parts, kind, expected) in [
        ("no requests", None, None, (None, Ground::NoRequests)),
        ("no requests, the server is slow", None, slow(Slow::Server), (None, Ground::NoRequests)),
        ("the client", parts(5, 1, 1, 1, 1), None, (Some(Party::Client), Ground::PartyTookMost)),
        ("the server", parts(1, 5, 1, 1, 1), None, (Some(Party::Server), Ground::PartyTookMost)),
        ("turns", parts(1, 1, 1, 5, 1), None, (Some(Party::RoundTrips), Ground::PartyTookMost)),
        ("transfers", parts(1, 1, 1, 1, 5), None, (None, Ground::TransfersTookMost)),
        ("nobody", parts(0, 0, 0, 0, 0), None, (None, Ground::TransfersTookMost)),
        ("as long before as within", parts(1, 3, 3, 1, 1), None, (Some(Party::Server), Ground::PartyTookMost)),
        ("longer within answers", parts(1, 3, 4, 1, 1), None, (None, Ground::PausesWithinAnswers)),
        ("pauses, but the client took most", parts(9, 1, 2, 1, 1), None, (Some(Party::Client), Ground::PartyTookMost)),
        ("late answers", parts(9, 3, 3, 1, 1), slow(Slow::Server), (Some(Party::Server), Ground::LateAnswers)),
        ("late, and longer within", parts(9, 3, 4, 1, 1), slow(Slow::Server), (None, Ground::LimitOfProblem)),
        ("turns", parts(9, 1, 9, 1, 1), slow(Slow::RoundTrips), (Some(Party::RoundTrips), Ground::ManyTurns)),
        ("a limit, though the client took most", parts(9, 1, 1, 1, 1), buffer, (None, Ground::LimitOfProblem)),
    ] {
        assert_eq!(explained(parts, kind), expected, "{what}");
    }
}

/// A direction that waited for messages does not explain a connection with requests.
#[test]
fn waiting_for_the_peer_is_no_explanation_beside_requests() {
    let with = |cause: Cause, pattern, parts, kind: Option<Kind>| {
        let mut exchanges = exchanges(parts);
        exchanges.pattern = pattern;
        let connection = Connection { exchanges: Some(exchanges), ..connection(vec![limited(cause, 1_000_000)]) };
        let problems: Vec<_> = kind.iter().map(|&kind| problem(kind, &connection)).collect();
        let leads = leads(std::slice::from_ref(&connection));
        let decided = Explanation::decide(&Subject::of(&leads, &problems).unwrap());
        let party = match decided.answer {
            Explanation::Took(party, _) => Some(party),
            _ => None,
        };
        (party, decided.ground)
    };
    let (turn, think, idle) = (Detail::PeerTurn.into(), Detail::Think.into(), Detail::Idle.into());
    let parts =
        |client, server, round_trips, answers| Parts { client, server, round_trips, answers, ..Parts::default() };
    let transfers = parts(3, 1, 2, 9);
    let pauses = Parts { pauses: 9, ..Parts::default() };
    let asked = Pattern::RequestResponse;
    let buffer = Some(Kind::Slow(Slow::Answers(tcpwhy_model::Family::SendBuffer)));
    let client = (Some(Party::Client), Ground::PartyTookMost);
    for (what, cause, pattern, parts, kind, expected) in [
        ("a limit of the transfers", BUFFER, asked, transfers, None, (None, Ground::TransfersTookMost)),
        ("the peer's turn", turn, asked, transfers, None, client),
        ("its own turn", think, asked, transfers, None, client),
        ("nothing to send", idle, asked, transfers, None, (None, Ground::TransfersTookMost)),
        ("the server", turn, asked, parts(1, 3, 2, 9), None, (Some(Party::Server), Ground::PartyTookMost)),
        ("turns", turn, asked, parts(1, 2, 3, 9), None, (Some(Party::RoundTrips), Ground::PartyTookMost)),
        ("nobody", turn, asked, Parts::default(), None, (Some(Party::RoundTrips), Ground::PartyTookMost)),
        ("a problem", turn, asked, transfers, buffer, client),
        ("a problem with a limit", BUFFER, asked, transfers, buffer, (None, Ground::LimitOfProblem)),
        ("within answers", turn, asked, pauses, None, (Some(Party::Server), Ground::PartyTookMost)),
        ("within answers, a limit", idle, asked, pauses, None, (None, Ground::PausesWithinAnswers)),
        ("a person", turn, Pattern::Interactive, transfers, None, (None, Ground::OtherPattern)),
        ("long polls", think, Pattern::LongPoll, transfers, None, (None, Ground::OtherPattern)),
        ("overlapping", turn, Pattern::Overlapping, transfers, None, (None, Ground::OtherPattern)),
        ("unasked", turn, Pattern::Unasked, transfers, None, (None, Ground::OtherPattern)),
        ("overlapping, and a limit", BUFFER, Pattern::Overlapping, transfers, None, (None, Ground::NoRequests)),
    ] {
        assert_eq!(with(cause, pattern, parts, kind), expected, "{what}");
    }
    let mut opened = Connection { exchanges: Some(exchanges(transfers)), ..connection(vec![limited(turn, 1)]) };
    opened.exchanges.as_deref_mut().unwrap().count = 0;
    let leads = leads(std::slice::from_ref(&opened));
    let decided = Explanation::decide(&Subject::of(&leads, &[]).unwrap());
    assert!(matches!(decided, Decided { answer: Explanation::Limited, ground: Ground::NoRequests }), "no requests");
}

/// `WINDOW_TOLD`: messages that overlap data and allow more of it are reported as a window above TCP. It must
/// cost half of the verdict's time.
#[test]
fn a_window_above_tcp_comes_before_overlapping_requests() {
    let ground = |pattern: Pattern, cause: Cause, found: Finding| {
        let mut exchanges = exchanges(Parts { answers: SECOND, ..Parts::default() });
        exchanges.pattern = pattern;
        // The verdict is about one second.
        let half = HalfConnection { findings: vec![found], ..limited(cause, 1_000_000) };
        let connection = Connection { exchanges: Some(exchanges), ..connection(vec![half]) };
        let leads = leads(std::slice::from_ref(&connection));
        Explanation::decide(&Subject::of(&leads, &[]).unwrap()).ground
    };
    let of =
        |rule, severity, fixes, seconds| Finding { seconds: Some(seconds), ..finding(rule, severity, fixes, None) };
    let (window, turn) = ("application-peer-window", Detail::PeerTurn.into());
    let (overlapping, told) = (Pattern::Overlapping, Ground::WindowAboveTcp);
    let half = of(window, Severity::Warning, 1, 0.5);
    for (what, pattern, cause, found, expected) in [
        ("half as long", overlapping, turn, half.clone(), told),
        ("shorter", overlapping, turn, of(window, Severity::Warning, 1, 0.49), Ground::OtherPattern),
        ("a note", overlapping, turn, of(window, Severity::Info, 1, 0.5), Ground::OtherPattern),
        ("without a fix", overlapping, turn, of(window, Severity::Warning, 0, 0.5), Ground::OtherPattern),
        ("another rule", overlapping, turn, of("idle-restart", Severity::Warning, 1, 0.5), Ground::OtherPattern),
        ("unasked", Pattern::Unasked, turn, half.clone(), Ground::OtherPattern),
        ("a limit", overlapping, BUFFER, half, Ground::NoRequests),
    ] {
        assert_eq!(ground(pattern, cause, found), expected, "{what}");
    }
}

/// `WAITED_PART`: a cause with a fix that took more than a tenth of the waiting time comes before pauses, and
/// before causes without a fix.
#[test]
fn a_cause_with_a_fix_comes_before_pauses() {
    let of = |rule, severity, fixes, millis: i64| Finding {
        seconds: Some(millis as f64 / 1e3),
        ..finding(rule, severity, fixes, None)
    };
    let warning = |rule, fixes, millis| of(rule, Severity::Warning, fixes, millis);
    let ms = SECOND / 1000;
    // Ten seconds were awaited.
    let parts = |server: i64, round_trips: i64| Parts {
        client: 60 * SECOND,
        server: server * ms,
        round_trips: round_trips * ms,
        answers: (10_000 - server - round_trips) * ms,
        ..Parts::default()
    };
    let explained = |parts, of_half: Vec<Finding>, findings: Vec<Finding>| {
        let half = HalfConnection { findings: of_half, ..limited(Detail::PeerTurn.into(), 1_000_000) };
        let connection = Connection { exchanges: Some(exchanges(parts)), findings, ..connection(vec![half]) };
        let leads = leads(std::slice::from_ref(&connection));
        let decided = Explanation::decide(&Subject::of(&leads, &[]).unwrap());
        let what = match decided.answer {
            Explanation::Took(Party::Client, _) => "client",
            Explanation::Took(Party::Server, _) => "server",
            Explanation::Took(Party::RoundTrips, _) => "round trips",
            Explanation::Found(finding, Limit::SlowStart, _) => finding.rule,
            _ => "another",
        };
        (what, decided.ground == Ground::CauseWithFix)
    };
    let client = ("client", false);
    let idle = "idle-restart";
    let (think, turns) = ("application-think", "request-response-turns");
    for (what, parts, of_half, findings, expected) in [
        ("nothing found", parts(5_000, 100), vec![], vec![], client),
        ("more than a tenth", parts(0, 100), vec![warning(idle, 1, 1_001)], vec![], (idle, true)),
        ("a tenth", parts(0, 100), vec![warning(idle, 1, 1_000)], vec![], client),
        ("without a fix", parts(0, 100), vec![warning(idle, 0, 5_000)], vec![], client),
        ("a note", parts(0, 100), vec![of(idle, Severity::Info, 1, 5_000)], vec![], client),
        ("a program's own", parts(0, 100), vec![warning("application-idle", 1, 5_000)], vec![], client),
        ("besides the limits", parts(0, 100), vec![warning("bufferbloat", 1, 5_000)], vec![], client),
        ("the server", parts(1_001, 100), vec![], vec![warning(think, 1, 0)], ("server", true)),
        ("a tenth of it", parts(1_000, 100), vec![], vec![warning(think, 1, 0)], client),
        ("the server, without a fix", parts(1_001, 100), vec![], vec![warning(think, 0, 0)], client),
        ("turns", parts(0, 1_001), vec![], vec![warning(turns, 1, 0)], ("round trips", true)),
        ("turns, and another rule", parts(0, 1_001), vec![], vec![warning("connection-setup", 1, 0)], client),
        (
            "the largest of them",
            parts(2_000, 3_000),
            vec![warning(idle, 1, 2_500)],
            vec![warning(think, 1, 0), warning(turns, 1, 0)],
            ("round trips", true),
        ),
        (
            "the limit is larger",
            parts(2_000, 0),
            vec![warning(idle, 1, 2_500)],
            vec![warning(think, 1, 0)],
            (idle, true),
        ),
    ] {
        assert_eq!(explained(parts, of_half, findings), expected, "{what}");
    }
    // `WORTH_PROFILING`: next to a client's pauses, a server time below one second is not worth profiling.
    let short = |server| Parts { client: 60 * SECOND, server, ..Parts::default() };
    assert_eq!(explained(short(SECOND - 1), vec![], vec![warning(think, 1, 0)]), client);
    assert_eq!(explained(short(SECOND), vec![], vec![warning(think, 1, 0)]), ("server", true));
}

/// `EACH_END_TOLD`: a cause of both ends is named if it took longer than the verdict of one direction. For
/// the same limit, half of that is enough.
#[test]
fn a_cause_of_both_ends_comes_before_that_of_one() {
    let both =
        |rule, fixes, seconds| Finding { seconds: Some(seconds), ..finding(rule, Severity::Warning, fixes, Some(1.0)) };
    let explained = |cause: Cause, parts: Option<Parts>, found: Finding| {
        // The verdict is about one second of ten.
        let connection = Connection {
            exchanges: parts.map(exchanges),
            findings: vec![found],
            ..connection(vec![limited(cause, 1_000_000)])
        };
        let leads = leads(std::slice::from_ref(&connection));
        let subject = Subject::of(&leads, &[]).unwrap();
        let decided = Explanation::decide(&subject);
        let fix = Advice::decide(&subject, &decided.answer).answer.remedy().map(|remedy| remedy.gain.is_some());
        let told = matches!(decided.answer, Explanation::Found(..));
        (told, told.then_some(fix).flatten())
    };
    let told = (true, Some(true));
    let not = (false, None);
    let (held, closed) = (Detail::DelayedAck.into(), Detail::ZeroWindow.into());
    let transfers = Some(Parts { answers: SECOND, ..Parts::default() });
    let client = Some(Parts { client: 60 * SECOND, answers: 10 * SECOND, ..Parts::default() });
    let (nagle, unread) = ("nagle-both-ends", "both-ends-unread");
    for (what, cause, parts, found, expected) in [
        ("longer", held, None, both(nagle, 1, 1.9), told),
        ("in transfers", held, transfers, both(nagle, 1, 1.9), told),
        ("half of the same", held, None, both(nagle, 1, 0.51), told),
        ("less", held, None, both(nagle, 1, 0.5), not),
        ("longer than another", BUFFER, None, both(nagle, 1, 1.01), told),
        ("not longer than another", BUFFER, None, both(nagle, 1, 1.0), not),
        ("without a fix", held, None, both(nagle, 0, 1.9), not),
        ("neither reads", closed, None, both(unread, 1, 0.9), told),
        ("another rule", held, None, both("nagle-delayed-ack", 1, 1.9), not),
        ("beside a client's pauses", Detail::PeerTurn.into(), client, both(nagle, 1, 1.9), told),
        ("less than a tenth beside them", Detail::PeerTurn.into(), client, both(nagle, 1, 0.9), not),
    ] {
        assert_eq!(explained(cause, parts, found), expected, "{what}");
    }
}

/// `LENGTH_TOLD`: the reason for long waits is named if it is more than half of the verdict's time.
#[test]
fn what_makes_waits_long_comes_before_the_waits() {
    let explained = |cause: Cause, rule, fixes, seconds| {
        let found = Finding { seconds: Some(seconds), ..finding(rule, Severity::Warning, fixes, Some(1.0)) };
        // The verdict is about one second of ten.
        let half = HalfConnection {
            findings: vec![finding("retransmission-timeouts", Severity::Critical, 1, None), found],
            ..limited(cause, 1_000_000)
        };
        let connection = connection(vec![half]);
        let leads = leads(std::slice::from_ref(&connection));
        match Explanation::of(&Subject::of(&leads, &[]).unwrap()) {
            Explanation::Found(finding, Limit::LossRecovery, _) => finding.rule == rule,
            _ => false,
        }
    };
    let (minimum, timeout) = ("minimum-rto", Cause::from(Detail::Rto));
    for (what, cause, rule, fixes, seconds, expected) in [
        ("more than half", timeout, minimum, 1, 0.51, true),
        ("half", timeout, minimum, 1, 0.5, false),
        ("without a fix", timeout, minimum, 0, 0.9, false),
        ("another rule", timeout, "sack-not-offered", 1, 0.9, false),
        ("a verdict on another limit", BUFFER, minimum, 1, 0.9, false),
    ] {
        assert_eq!(explained(cause, rule, fixes, seconds), expected, "{what}");
    }
}

#[test]
fn what_failed_is_explained_by_its_failure() {
    let mut failed = Connection { exchanges: Some(exchanges(Parts { client: 9, ..Parts::default() })), ..plain() };
    let leads = leads(std::slice::from_ref(&failed));
    let subject = Subject::of(&leads, &[]).unwrap();
    assert!(matches!(Explanation::of(&subject), Explanation::Took(Party::Client, _)));
    for (what, rules, expected) in [
        ("its failure", vec!["offload-super-packets", "peer-silent"], Some("peer-silent")),
        ("the first finding", vec!["offload-super-packets"], Some("offload-super-packets")),
        ("nothing was found", vec![], None),
    ] {
        failed.findings = rules.into_iter().map(|rule| found(rule, 0)).collect();
        let problems = [problem(Kind::Failed(Failure::TimedOut), &failed)];
        let leads = self::leads(std::slice::from_ref(&failed));
        let subject = Subject::of(&leads, &problems).unwrap();
        let decided = Explanation::decide(&subject);
        let Explanation::Failed(Failure::TimedOut, finding) = decided.answer else { panic!("{what}: {decided:?}") };
        assert_eq!((finding.map(|f| f.rule), decided.ground), (expected, Ground::Failed), "{what}");
    }
}

// The advice.

/// Passes the lines about the only connection to `look`.
fn lines_of(connection: &Connection, problems: &[Problem], look: impl FnOnce(&Answer<'_>)) {
    look(&Answer::of_capture(&leads(std::slice::from_ref(connection)), problems, &[]));
}

/// Returns the advice about the only connection, with a problem of this kind.
fn advised(connection: &Connection, kind: Option<Kind>) -> (Option<NoChange>, Ground) {
    let problems: Vec<_> = kind.iter().map(|&kind| problem(kind, connection)).collect();
    let leads = leads(std::slice::from_ref(connection));
    let subject = Subject::of(&leads, &problems).unwrap();
    let decided = Advice::decide(&subject, &Explanation::of(&subject));
    let why_not = match decided.answer {
        Advice::None(why) => Some(why),
        Advice::Profile(_) | Advice::Change(_) => None,
    };
    (why_not, decided.ground)
}

#[test]
fn a_second_of_the_server_is_worth_profiling() {
    let server = |nanos, pauses| {
        let parts = Parts { server: nanos, pauses, ..Parts::default() };
        Connection { exchanges: Some(exchanges(parts)), ..plain() }
    };
    let quick = (Some(NoChange::Nothing), Ground::QuickServer);
    assert_eq!(advised(&server(SECOND - 1, 0), None), quick, "WORTH_PROFILING");
    assert_eq!(advised(&server(SECOND, 0), None), (None, Ground::WorthProfiling), "WORTH_PROFILING");
    assert_eq!(advised(&server(SECOND / 2, SECOND / 2), None), (None, Ground::WorthProfiling), "within its answers");
    let is_problem = Some(Kind::Slow(Slow::Server));
    assert_eq!(advised(&server(1, 0), is_problem), (None, Ground::WorthProfiling), "a problem of many connections");
}

/// There is no advice for requests if the gain is small, whatever a finding proposes.
#[test]
fn a_little_gain_is_no_change() {
    let turns = |seconds| {
        let parts = Parts { round_trips: 9 * SECOND, client: SECOND, ..Parts::default() };
        let found = finding("request-response-turns", Severity::Warning, 1, Some(seconds));
        Connection { exchanges: Some(exchanges(parts)), findings: vec![found], ..connection(Vec::new()) }
    };
    let advised = |seconds| {
        let half = limited(Cause::plain(Limit::Path), 1_000);
        advised(&Connection { halves: vec![half], ..turns(seconds) }, None)
    };
    assert_eq!(advised(9.1), (Some(NoChange::Nothing), Ground::LittleGain), "LITTLE_GAIN");
    assert_eq!(advised(8.9), (None, Ground::FixFound), "LITTLE_GAIN");
}

/// Round trips that took most of the time are a change, however wide its range is. The best case of fewer
/// round trips is printed; that of another conditional change is not.
#[test]
fn round_trips_are_a_change_also_at_best() {
    use tcpwhy_model::{Claim, FixKind};
    let turns = "request-response-turns";
    for (rule, claim, low, change, predicted) in [
        (turns, Claim::AtBest, 1.0, (None, Ground::FixFound), true),
        (turns, Claim::AtBest, 9.1, (Some(NoChange::Nothing), Ground::LittleGain), false),
        (turns, Claim::AtBestUntried, 1.0, (None, Ground::FixFound), false),
        (turns, Claim::Range, 1.0, (None, Ground::FixFound), true),
        ("connection-setup", Claim::AtBest, 1.0, (None, Ground::FixFound), false),
    ] {
        let parts = Parts { round_trips: 9 * SECOND, client: SECOND, ..Parts::default() };
        let mut found = finding(rule, Severity::Warning, 1, Some(low));
        found.fixes[0].kind = FixKind::Conditional;
        if let Some(prediction) = &mut found.prediction {
            prediction.claim = claim;
        }
        let half = limited(Cause::plain(Limit::Path), 1_000);
        let connection =
            Connection { exchanges: Some(exchanges(parts)), findings: vec![found], ..connection(vec![half]) };
        assert_eq!(advised(&connection, None), change, "{rule}, {claim:?}, {low} s");
        lines_of(&connection, &[], |lines| {
            assert_eq!(lines.prediction().is_some(), predicted, "{rule}, {claim:?}, {low} s");
        });
    }
}

#[test]
fn a_fix_belongs_to_what_explains_the_time() {
    let of_half = |rule, fixes| {
        let finding = Finding { seconds: Some(0.5), ..found(rule, fixes) };
        HalfConnection { findings: vec![finding], ..limited(BUFFER, 1_000_000) }
    };
    let parts = |party: Party| match party {
        Party::Client => Parts { client: 9 * SECOND, answers: 6 * SECOND, ..Parts::default() },
        Party::Server => Parts { server: 9 * SECOND, ..Parts::default() },
        Party::RoundTrips => Parts { round_trips: 9 * SECOND, ..Parts::default() },
        Party::Transfers => Parts { answers: 9 * SECOND, ..Parts::default() },
    };
    let plateau = "send-buffer-plateau";
    for (what, party, rule, fixes, expected) in [
        ("a limit", None, plateau, 1, Some(plateau)),
        ("a limit without a fix", None, plateau, 0, None),
        ("a limit, by sending", Some(Party::Transfers), plateau, 1, Some(plateau)),
        ("the server, a fix of the buffer for little of the time", Some(Party::Server), plateau, 1, None),
        ("the server", Some(Party::Server), "application-think", 1, Some("application-think")),
        ("the server, without a fix", Some(Party::Server), "application-think", 0, None),
        ("turns, a fix of the server", Some(Party::RoundTrips), "application-think", 1, None),
        ("turns", Some(Party::RoundTrips), "request-response-turns", 1, Some("request-response-turns")),
        ("turns", Some(Party::RoundTrips), "connection-setup", 1, Some("connection-setup")),
        ("the client, a fix of the buffer for little of the time", Some(Party::Client), plateau, 1, None),
    ] {
        let exchanges = party.map(|party| exchanges(parts(party)));
        let is_of_half = rule == plateau;
        let half = if is_of_half { of_half(rule, fixes) } else { limited(BUFFER, 1_000_000) };
        let findings = if is_of_half { Vec::new() } else { vec![found(rule, fixes)] };
        let connection = Connection { exchanges, findings, ..connection(vec![half]) };
        let leads = leads(std::slice::from_ref(&connection));
        let subject = Subject::of(&leads, &[]).unwrap();
        assert_eq!(Remedy::of_subject(&subject).map(|remedy| remedy.finding.rule), expected, "{what}, {party:?}");
    }
}

#[test]
fn of_several_rules_the_first_with_a_fix_proposes() {
    let (setup, turns) = ("connection-setup", "request-response-turns");
    for (what, rules, expected) in
        [("both", [(setup, 1), (turns, 1)], turns), ("the first has no fix", [(setup, 1), (turns, 0)], setup)]
    {
        let findings = rules.map(|(rule, fixes)| found(rule, fixes)).to_vec();
        let exchanges = Some(exchanges(Parts { round_trips: 9, ..Parts::default() }));
        let connection = Connection { exchanges, findings, ..plain() };
        let leads = leads(std::slice::from_ref(&connection));
        let remedy = Remedy::of_subject(&Subject::of(&leads, &[]).unwrap()).unwrap();
        assert_eq!(remedy.finding.rule, expected, "{what}");
    }
}

/// The third line is about the cause in the second. If that cause was not captured, the measurement that
/// would show it counts.
#[test]
fn a_fix_of_another_cause_is_none() {
    let unobserved = Cause::plain(Limit::Unobserved);
    for (what, cause, rule, severity, kind, expected) in [
        ("of the cause", BUFFER, "send-buffer-plateau", Severity::Info, FixKind::Change, true),
        ("of another one", BUFFER, "lost-acks", Severity::Info, FixKind::Change, false),
        ("a measure about another one", BUFFER, "lost-acks", Severity::Info, FixKind::Measure, false),
        ("a change, where nothing was captured", unobserved, "of-no-rule", Severity::Warning, FixKind::Change, false),
        ("a measure, where nothing was captured", unobserved, "of-no-rule", Severity::Warning, FixKind::Measure, true),
    ] {
        let mut found = finding(rule, severity, 1, Some(1.0));
        found.fixes[0].kind = kind;
        let connection = connection(vec![HalfConnection { findings: vec![found], ..limited(cause, 1_000_000) }]);
        let leads = leads(std::slice::from_ref(&connection));
        let remedy = Remedy::of_subject(&Subject::of(&leads, &[]).unwrap());
        assert_eq!(remedy.is_some(), expected, "{what}");
    }
}

#[test]
fn a_gain_and_a_rival_are_shown_where_they_are_known() {
    let with = |seconds, is_rival, fixes| {
        let mut found = finding("send-buffer-plateau", Severity::Warning, fixes, seconds);
        found.fixes.iter_mut().skip(1).for_each(|fix| fix.is_rival = is_rival);
        connection(vec![HalfConnection { findings: vec![found], ..limited(BUFFER, 1_000_000) }])
    };
    for (what, connection, gain, rival) in [
        ("a tenth less", with(Some(9.0), false, 1), true, false),
        ("hardly less", with(Some(9.1), false, 1), false, false),
        ("not predicted", with(None, false, 1), false, false),
        ("a second fix that does more", with(None, false, 2), false, false),
        ("a second fix that may be the right one", with(None, true, 2), false, true),
    ] {
        lines_of(&connection, &[], |lines| {
            let (remedy, _) = lines.fix().unwrap().remedy().unwrap();
            assert_eq!((remedy.gain.is_some(), remedy.rival.is_some()), (gain, rival), "{what}");
            let proposal = Proposal::of(lines).unwrap();
            assert_eq!((proposal.sender, proposal.seconds), (Some(Side::A), Some(10.0)), "{what}");
        });
    }
}

/// A conditional best case is not a promise.
#[test]
fn a_condition_promises_no_best_case() {
    use tcpwhy_model::{Claim, FixKind};
    for (kind, claim, expected) in [
        (FixKind::Change, Claim::AtBest, true),
        (FixKind::Conditional, Claim::AtBest, false),
        (FixKind::Conditional, Claim::AtBestUntried, false),
        (FixKind::Conditional, Claim::Range, true),
    ] {
        let mut found = finding("send-buffer-plateau", Severity::Warning, 1, Some(5.0));
        found.fixes[0].kind = kind;
        if let Some(prediction) = &mut found.prediction {
            prediction.claim = claim;
        }
        let connection = connection(vec![HalfConnection { findings: vec![found], ..limited(BUFFER, 1_000_000) }]);
        lines_of(&connection, &[], |lines| {
            assert_eq!(lines.prediction().is_some(), expected, "{kind:?}, {claim:?}");
        });
    }
}

#[test]
fn why_there_is_nothing_to_change() {
    let of = |cause, severity| connection(vec![half(Role::Client, severity, &[(10, cause)], Vec::new())]);
    let took = |parts| Connection { exchanges: Some(exchanges(parts)), ..of(BUFFER, WARNING) };
    let unobserved = |reason| {
        let mut connection = of(Cause::plain(Limit::Unobserved), WARNING);
        connection.halves[0].verdict.reason = reason;
        connection
    };
    let nothing_held = Connection {
        halves: vec![{
            let mut half = half(Role::Client, WARNING, &[(10, BUFFER)], Vec::new());
            half.verdict.cause = None;
            half
        }],
        ..plain()
    };
    let spoke = |pattern| {
        let mut exchanges = exchanges(Parts { client: 9, ..Parts::default() });
        exchanges.pattern = pattern;
        Connection { exchanges: Some(exchanges), ..connection(vec![limited(Detail::PeerTurn.into(), 1_000)]) }
    };
    let info = Some(Severity::Info);
    for (what, connection, expected, ground) in [
        (
            "the client took its time",
            took(Parts { client: 9, ..Parts::default() }),
            NoChange::IfIntended,
            Ground::ClientsOwnTime,
        ),
        (
            "round trips took most",
            took(Parts { round_trips: 9, ..Parts::default() }),
            NoChange::Nothing,
            Ground::NothingProposed,
        ),
        ("a person types", spoke(Pattern::Interactive), NoChange::Nothing, Ground::NobodysTime),
        ("requests overlap", spoke(Pattern::Overlapping), NoChange::NotShown, Ground::NobodysTime),
        ("nothing held it back", of(BUFFER, None), NoChange::Nothing, Ground::NotHeldBack),
        ("no cause", nothing_held, NoChange::Nothing, Ground::NotHeldBack),
        ("unobserved", unobserved(None), NoChange::NotShown, Ground::Unobserved),
        (
            "unobserved behind a queue",
            unobserved(Some(VerdictReason::WindowHeldByQueue)),
            NoChange::NotShown,
            Ground::Unobserved,
        ),
        (
            "unobserved at the receiver",
            unobserved(Some(VerdictReason::SeenFromReceiver)),
            NoChange::NotShownAtReceiver,
            Ground::Unobserved,
        ),
        (
            "not reported by the kernel",
            unobserved(Some(VerdictReason::NotReported)),
            NoChange::NotShownByKernel,
            Ground::Unobserved,
        ),
        ("the peer's turn", of(Detail::PeerTurn.into(), WARNING), NoChange::PeerSide, Ground::PeersTurn),
        ("the peer's turn, a note", of(Detail::PeerTurn.into(), info), NoChange::PeerSide, Ground::PeersTurn),
        ("a rest", of(Detail::Idle.into(), info), NoChange::IfIntended, Ground::Rests),
        ("pauses that matter", of(Detail::Idle.into(), WARNING), NoChange::NoSetting, Ground::NoSetting),
        ("a limit", of(BUFFER, WARNING), NoChange::NoSetting, Ground::NoSetting),
    ] {
        assert_eq!(advised(&connection, None), (Some(expected), ground), "{what}");
    }
    let failed = (Some(NoChange::NotShown), Ground::FailedUnexplained);
    assert_eq!(advised(&plain(), Some(Kind::Failed(Failure::TimedOut))), failed);
    let mut explained = plain();
    explained.findings = vec![found("peer-silent", 1)];
    assert_eq!(advised(&explained, Some(Kind::Failed(Failure::TimedOut))), (None, Ground::FixFound));
}

#[test]
fn what_to_change_about_a_problem() {
    let fixed = Connection {
        halves: vec![HalfConnection {
            findings: vec![finding("send-buffer-plateau", Severity::Warning, 1, Some(1.0))],
            ..limited(BUFFER, 1_000_000)
        }],
        ..plain()
    };
    let without_data = Connection { findings: vec![found("syn-unanswered", 1)], ..connection(Vec::new()) };
    let slow = Kind::Slow(Slow::Answers(tcpwhy_model::Family::SendBuffer));
    let client = [10, 0, 0, 9].into();
    let scan = ProblemKey {
        target: Target::Scan { host: [10, 0, 0, 2].into(), client },
        kind: Kind::Failed(Failure::Unanswered),
    };
    for (what, problem, expected, rule) in [
        ("a fix", problem(slow, &fixed), Ground::FixOfExample, Some("send-buffer-plateau")),
        ("no fix", problem(slow, &plain()), Ground::ProblemUnexplained, None),
        (
            "a fix without data",
            problem(Kind::Failed(Failure::Unanswered), &without_data),
            Ground::FixOfExample,
            Some("syn-unanswered"),
        ),
        (
            "late answers",
            problem(Kind::Slow(Slow::Server), &fixed),
            Ground::ServiceAnswersLate,
            Some("send-buffer-plateau"),
        ),
        ("a scan", testing::problem(scan, None, 1, &without_data), Ground::ScanningClient, None),
    ] {
        let decided = ProblemAdvice::decide(&problem);
        let remedy = decided.answer.remedy();
        assert_eq!((decided.ground, remedy.map(|remedy| remedy.finding.rule)), (expected, rule), "{what}");
        assert!(remedy.is_none_or(|remedy| remedy.gain.is_none()), "{what}: what one gains is no promise for all");
        assert_eq!(decided.answer.is_known(), expected != Ground::ProblemUnexplained, "{what}");
        if let ProblemAdvice::AskClient(asked) = decided.answer {
            assert_eq!(asked, client);
        }
    }
}

// Excluded limits.

fn distribution(least: u64, most: u64) -> Distribution {
    Distribution { min: least, median: least, p95: most, max: most }
}

fn excluded(cause: Cause, change: impl FnOnce(&mut HalfConnection)) -> Vec<Exclusion> {
    let mut half = limited(cause, 1_000_000);
    // Nothing is excluded by itself.
    half.retransmitted_segments = half.segments;
    change(&mut half);
    let connection = connection(vec![half]);
    let leads = leads(std::slice::from_ref(&connection));
    let subject = Subject::of(&leads, &[]).unwrap();
    exclusions(&subject, &Explanation::of(&subject))
}

#[test]
fn a_window_is_excluded_that_left_as_much_room_again() {
    let window = |least| {
        move |half: &mut HalfConnection| {
            (half.flight, half.receive_window) = (Some(distribution(1, 100)), Some(distribution(least, 1_000)));
        }
    };
    assert_eq!(excluded(BUFFER, window(200)), [Exclusion::Window { free: 100 }], "EXCLUDED_ROOM");
    assert_eq!(excluded(BUFFER, window(199)), [], "EXCLUDED_ROOM");
    assert_eq!(excluded(Cause::plain(Limit::ReceiveWindow), window(200)), [], "it is the window");
    assert_eq!(excluded(BUFFER, |half| half.receive_window = Some(distribution(200, 200))), [], "no flight");
    assert_eq!(excluded(BUFFER, |half| half.flight = Some(distribution(1, 1))), [], "no window");
}

#[test]
fn losses_are_excluded_that_hardly_happened() {
    let lost =
        |count, all| move |half: &mut HalfConnection| (half.retransmitted_segments, half.segments) = (count, all);
    let few = Exclusion::Loss { count: 1, all: 2_000 };
    assert_eq!(excluded(BUFFER, lost(1, 2_000)), [few], "EXCLUDED_LOST");
    assert_eq!(excluded(BUFFER, lost(1, 1_999)), [], "EXCLUDED_LOST");
    assert_eq!(excluded(BUFFER, lost(0, 0)), [], "nothing was sent");
    assert_eq!(excluded(Cause::plain(Limit::LossRecovery), lost(1, 2_000)), [], "it is loss");
    assert_eq!(excluded(Detail::SynRto.into(), lost(1, 2_000)), [], "a lost SYN is a loss as well");
}

#[test]
fn a_path_is_excluded_that_was_not_used() {
    let rate = |used, path| {
        move |half: &mut HalfConnection| {
            (half.goodput, half.path_rate) = (Some(Rate::from_bits_per_sec(used)), Some(Rate::from_bits_per_sec(path)));
        }
    };
    let unused = Exclusion::Path { rate: 79.0, path: 100.0 };
    assert_eq!(excluded(BUFFER, rate(79.0, 100.0)), [unused], "EXCLUDED_UNUSED");
    assert_eq!(excluded(BUFFER, rate(80.0, 100.0)), [], "EXCLUDED_UNUSED");
    assert_eq!(excluded(Cause::plain(Limit::Path), rate(1.0, 100.0)), [], "it is the path");
}

#[test]
fn only_limits_exclude_others() {
    let mut half = limited(BUFFER, 1_000_000);
    half.retransmitted_segments = 0;
    let limited = connection(vec![half]);
    let took = Connection { exchanges: Some(exchanges(Parts { client: 9, ..Parts::default() })), ..limited.clone() };
    for (what, connection, kind, expected) in [
        ("a limit", &limited, None, 1),
        ("a slow connection", &limited, Some(Kind::Slow(Slow::Server)), 1),
        ("a failed connection", &limited, Some(Kind::Failed(Failure::TimedOut)), 0),
        ("the client took the time", &took, None, 0),
    ] {
        let problems: Vec<_> = kind.iter().map(|&kind| problem(kind, connection)).collect();
        let leads = leads(std::slice::from_ref(connection));
        let subject = Subject::of(&leads, &problems).unwrap();
        assert_eq!(exclusions(&subject, &Explanation::of(&subject)).len(), expected, "{what}");
        // This also applies if the caller asks whether a limit explains a failure.
        let of_limit = exclusions(&subject, &Explanation::Limited);
        assert_eq!(of_limit.is_empty(), matches!(kind, Some(Kind::Failed(_))), "{what}");
    }
}

// The named cause.

#[test]
fn related_causes_are_named_from_a_tenth_and_told_from_a_fiftieth() {
    let named = |own: f64, related: i64, cause: Cause, other: Cause| {
        let mut half = half(Role::Client, WARNING, &[(1, cause)], Vec::new());
        half.limits = {
            let mut timeline = tcpwhy_model::TimelineBuilder::new(tcpwhy_model::Timestamp::ZERO);
            timeline.push(timeline.end().plus((own * 1e9) as i64), cause, 0.9, None);
            timeline.push(timeline.end().plus(related * 1_000_000), other, 0.9, None);
            timeline.finish()
        };
        half.verdict.seconds = own;
        NamedCause::of(&half).unwrap()
    };
    let (window, slow) = (Cause::plain(Limit::ReceiveWindow), Cause::from(Detail::SlowReader));
    let is_named = |millis| named(10.0, millis, window, slow).family.is_some();
    assert!(is_named(1_000) && !is_named(999), "RELATED_NAMED");
    assert!(named(10.0, 9_000, window, BUFFER).family.is_none(), "another family");
    let told = |millis| named(10.0, millis, window, slow).is_related_worth_telling(10.0);
    assert!(told(200) && !told(199), "RELATED_TOLD");
    assert!(!named(10.0, 200, window, slow).is_related_worth_telling(0.0), "no time at all");
    let both = named(10.0, 1_000, window, slow);
    assert!((both.own - 10.0).abs() < 1e-9 && (both.related - 1.0).abs() < 1e-9 && both.cause == window);
}

// The lines.

#[test]
fn a_clock_that_one_in_four_contradict_is_wrong_for_all() {
    let doubted = |count, all| ClockDoubt::new(count, all).map(|doubt| doubt.is_total);
    assert_eq!(doubted(0, 9), None);
    assert_eq!(doubted(1, 4), Some(true), "CLOCK_DOUBTED");
    assert_eq!(doubted(1, 5), Some(false), "CLOCK_DOUBTED");
    let with = |packet, rule| Connection { findings: vec![found(rule, 1)], ..numbered(packet, 1_000) };
    let wrong = with(1, "clock-contradicted");
    assert_eq!(leads(&[wrong.clone(), with(2, "peer-silent")]).clock().map(|c| (c.count, c.all)), Some((1, 2)));

    let mut all = vec![wrong];
    let told = |all: &[Connection]| {
        let leads = leads(all);
        let lines = Answer::of_capture(&leads, &[], &[]);
        let is_wrong = matches!(lines.why(), Some(Why::ClockWrong(_)));
        (is_wrong, lines.fix().is_some(), lines.clock().is_some(), Proposal::of(&lines).is_some())
    };
    assert_eq!(told(&all), (true, false, false, false), "nothing else is said");
    all.extend((2..6).map(|packet| numbered(packet, 1_000)));
    assert_eq!(told(&all), (false, true, true, false), "it is said besides");
    assert_eq!(told(&all[1..]), (false, true, false, false), "the clock is right");
}

/// Returns the content of each line, and the choices that decided about the second and third line.
fn told(lines: &Answer<'_>) -> (&'static str, &'static str, &'static str) {
    let head = match lines.head() {
        Head::NoConnections => "none",
        Head::One(_) => "one",
        Head::OneWithoutData(_) => "one without data",
        Head::Many(_) => "many",
        Head::Problem => "problem",
    };
    let why = match lines.why() {
        None => "",
        Some(Why::ClockWrong(_)) => "clock",
        Some(Why::Explained(..)) => "explained",
        Some(Why::FailedUnsent(..)) => "failed unsent",
        Some(Why::Noticed(..)) => "noticed",
        Some(Why::Problem(_)) => "problem",
        Some(Why::Across(..)) => "connections",
        Some(Why::AllClear(_)) => "all clear",
    };
    let fix = match lines.fix() {
        None => "",
        Some(Fix::Connection(..)) => "connection",
        Some(Fix::Problem(..)) => "problem",
        Some(Fix::Look(_)) => "look",
        Some(Fix::Nothing) => "nothing",
        Some(Fix::Ended(..)) => "ended",
    };
    (head, why, fix)
}

#[test]
fn each_line_says_what_there_is() {
    let (one, other) = (numbered(1, 1_000), numbered(2, 2_000));
    let empty = Connection { first_packet: 3, ..connection(Vec::new()) };
    let slow = [problem(Kind::Slow(Slow::Server), &one)];
    let silent = Connection { ending: Ending::Unanswered, findings: vec![found("syn-unanswered", 1)], ..empty.clone() };
    let unanswered = [problem(Kind::Failed(Failure::Unanswered), &silent)];
    for (what, all, problems, expected) in [
        ("nothing", vec![], &[][..], ("none", "", "")),
        ("one", vec![one.clone()], &[], ("one", "explained", "connection")),
        ("one, and its problem", vec![one.clone()], &slow, ("one", "explained", "connection")),
        ("one, and an empty one", vec![one.clone(), empty.clone()], &[], ("one", "explained", "connection")),
        ("an empty one", vec![empty.clone()], &[], ("one without data", "all clear", "nothing")),
        ("two empty ones", vec![empty.clone(), empty.clone()], &[], ("many", "all clear", "nothing")),
        ("two", vec![one.clone(), other.clone()], &[], ("many", "explained", "connection")),
        ("two and a problem", vec![one.clone(), other.clone()], &slow, ("many", "problem", "problem")),
        ("a failure", vec![silent.clone()], &unanswered, ("one without data", "failed unsent", "connection")),
        ("two failures", vec![silent.clone(), silent.clone()], &unanswered, ("many", "problem", "problem")),
    ] {
        let leads = leads(&all);
        let lines = Answer::of_capture(&leads, problems, &[]);
        assert_eq!(told(&lines), expected, "{what}");
        assert_eq!(lines.only().is_some(), expected.0 == "one", "{what}");
        let is_change = expected.2 == "problem" || expected.1 == "failed unsent";
        assert_eq!(lines.fix().is_some_and(|fix| fix.is_change()), is_change, "{what}");
    }
}

#[test]
fn how_it_ended_is_told_where_there_is_nothing_to_change() {
    let ended = |rule, severity, fixes| {
        let mut connection = plain();
        connection.ending = Ending::Reset(Side::B);
        connection.findings = vec![finding(rule, severity, 0, None)];
        connection.halves[0].findings = vec![found("send-buffer-plateau", fixes)];
        connection
    };
    let reset = "reset-mid-transfer";
    for (what, connection, kind, expected) in [
        ("a failure", ended(reset, Severity::Warning, 0), None, "ended"),
        ("a failure that is a note", ended(reset, Severity::Info, 0), None, "connection"),
        ("no failure", ended("offload-super-packets", Severity::Warning, 0), None, "connection"),
        ("a failure, and a fix", ended(reset, Severity::Warning, 1), None, "connection"),
        (
            "it explains all",
            ended(reset, Severity::Warning, 0),
            Some(Kind::Failed(Failure::ResetByServer)),
            "connection",
        ),
    ] {
        let problems: Vec<_> = kind.iter().map(|&kind| problem(kind, &connection)).collect();
        lines_of(&connection, &problems, |lines| assert_eq!(told(lines).2, expected, "{what}"));
    }
}

#[test]
fn of_the_largest_is_told_what_no_change_takes_away() {
    let clear = |cause, bytes| {
        let mut half = limited(cause, bytes);
        half.verdict.severity = Some(Severity::Info);
        let mut other = numbered(2, 1);
        other.halves[0].verdict.severity = Some(Severity::Info);
        let leads = leads(&[connection(vec![half]), other]);
        let lines = Answer::of_capture(&leads, &[], &[]);
        let Some(Why::AllClear(clear)) = lines.why() else { panic!("nothing is wrong") };
        (clear.is_short, clear.is_limit_named)
    };
    let slow_start = Cause::plain(Limit::SlowStart);
    assert!(!Cause::plain(Limit::Path).is_removable(), "as the cases need");
    assert_eq!(clear(Cause::plain(Limit::Path), 1 << 20), (false, true), "SHORT_TRANSFER");
    assert_eq!(clear(Cause::plain(Limit::Path), (1 << 20) - 1), (true, true), "SHORT_TRANSFER");
    assert_eq!(clear(BUFFER, 1 << 20), (false, false), "a change would take it away");
    assert_eq!(clear(Detail::Idle.into(), 1 << 20), (false, false), "its own affair");
    assert_eq!(clear(slow_start, 1 << 20).1, !slow_start.is_removable());
}

#[test]
fn what_decided_is_kept_part_by_part() {
    lines_of(&plain(), &[], |lines| {
        use Ground::{
            ConnectionAdvised, ConnectionExplained, NoRequests, NoSetting, OnlyConnection, PrincipalDirection,
        };
        let expected =
            [OnlyConnection, PrincipalDirection, NoRequests, NoSetting, ConnectionExplained, ConnectionAdvised];
        assert_eq!(lines.grounds(), expected);
    });
    let all = [numbered(1, 1_000), numbered(2, 2_000)];
    let problems = [problem(Kind::Slow(Slow::Server), &all[0])];
    let leads = leads(&all);
    let expected = [
        Ground::WorstProblem,
        Ground::PrincipalDirection,
        Ground::ServiceAnswersLate,
        Ground::ProblemNamed,
        Ground::ProblemAdvised,
    ];
    assert_eq!(Answer::of_capture(&leads, &problems, &[]).grounds(), expected);
}

#[test]
fn each_choice_has_a_ground_of_its_own() {
    let mut grounds = Vec::new();
    grounds.extend(subject::SUBJECT.iter().map(|choice| choice.ground()));
    grounds.extend(subject::DIRECTION.iter().map(|choice| choice.ground()));
    grounds.extend(explanation::EXPLANATION.iter().map(|choice| choice.ground()));
    grounds.extend(advice::ADVICE.iter().map(|choice| choice.ground()));
    grounds.extend(problem_advice::PROBLEM_ADVICE.iter().map(|choice| choice.ground()));
    grounds.extend(concern::CONCERN.iter().map(|choice| choice.ground()));
    grounds.extend(lines::WHY.iter().map(|choice| choice.ground()));
    grounds.extend(lines::FIX.iter().map(|choice| choice.ground()));
    assert_eq!(grounds, Ground::ALL);
    let mut ids = Ground::ALL.map(Ground::id).to_vec();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Ground::ALL.len());
}

/// `WORTH_PROFILING`: a habit of the client is named if it cost one second or more and nothing else is wrong.
#[test]
fn a_habit_of_all_connections_is_named_in_place_of_the_all_clear() {
    let of = |seconds, server: &str| {
        let mut all = [numbered(1, 5000), numbered(2, 4000)];
        for one in &mut all {
            one.halves[0].verdict.severity = Some(Severity::Info);
        }
        let word = |key, text: &str| Evidence { key, value: Value::Word(text.to_owned()), basis: Basis::WireExact };
        let [client, own] = [all[0].server().peer(), all[0].server()].map(|side| all[0].endpoints[side.index()]);
        let server = if server.is_empty() { own.to_string() } else { server.to_owned() };
        let mut habit = finding("connection-per-request", Severity::Info, 1, None);
        habit.seconds = Some(seconds);
        habit.evidence =
            vec![word(EvidenceKey::Client, &client.address.to_string()), word(EvidenceKey::Server, &server)];
        let leads = leads(&all);
        let across = [habit];
        let lines = Answer::of_capture(&leads, &[], &across);
        (matches!(lines.why(), Some(Why::Across(..))), lines.fix().is_some_and(|fix| fix.is_change()))
    };
    assert_eq!(of(1.0, ""), (true, true));
    assert_eq!(of(0.999, ""), (false, false));
    assert_eq!(of(1.0, "192.0.2.77:1"), (false, false), "of other hosts");
}
