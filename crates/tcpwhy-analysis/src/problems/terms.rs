//! Tests of each condition of a problem in both cases, and of each number at its boundary.

use std::net::IpAddr;

use tcpwhy_model::{Cause, Detail, Distribution, Endpoint, Family, Finding, Limit, Severity, Span, Timestamp};

use super::cost::has_waiting_peer;
use super::failure::Failure;
use super::slow::{Cost, Slow};
use super::testing::{connection, exchanges, finding, half};
use super::weight::Weight;
use super::{Kind, Problem, ProblemKey, Problems, Target, principal_half};
use crate::exchanges::{Exchange, Exchanges, Parts, Pattern};
use crate::outcome::{Close, Connection, Ending, HalfConnection, Role, Side};

const MS: i64 = 1_000_000;
const SECOND: i64 = 1_000_000_000;
const WARNING: Option<Severity> = Some(Severity::Warning);
const CRITICAL: Option<Severity> = Some(Severity::Critical);

fn time(nanos: i64) -> Span {
    Span::new(Timestamp::ZERO, Timestamp::from_nanos(nanos))
}

/// A direction of ten seconds, of which this many nanoseconds are under `cause`.
fn slowed(role: Role, cause: Cause, nanos: i64) -> HalfConnection {
    let mut half = half(role, WARNING, &[(10, cause)], Vec::new());
    let mut timeline = tcpwhy_model::TimelineBuilder::new(Timestamp::ZERO);
    timeline.push(Timestamp::from_nanos(nanos), cause, 0.9, None);
    timeline.push(Timestamp::from_nanos(10 * SECOND), Cause::plain(Limit::TailRtt), 0.9, None);
    half.limits = timeline.finish();
    half
}

fn slow(connection: &Connection) -> Option<Slow> {
    Cost::of(connection).map(|cost| cost.slow)
}

// The reported direction.

#[test]
fn who_lost_a_third_is_spoken_of_before_who_carried_most() {
    let bulk = |bytes| HalfConnection { bytes, ..half(Role::Server, None, &[(10, Cause::plain(Limit::Path))], vec![]) };
    let window = Cause::plain(Limit::ReceiveWindow);
    let lost = |nanos, bytes, cause| HalfConnection { sender: Side::B, bytes, ..slowed(Role::Client, cause, nanos) };
    for (what, bulk, other, expected) in [
        ("a third", bulk(1_000), lost(3_300 * MS, 500, window), Side::B),
        ("WORTH_SPEAKING_OF: less", bulk(1_000), lost(3_299 * MS, 500, window), Side::A),
        ("next to nothing, and its peer waited", bulk(1_000_000), lost(9 * SECOND, 1, window), Side::B),
        ("a hundredth", bulk(990), lost(9 * SECOND, 10, Cause::plain(Limit::SendBuffer)), Side::B),
        ("NEXT_TO_NOTHING: less", bulk(991), lost(9 * SECOND, 9, Cause::plain(Limit::SendBuffer)), Side::A),
    ] {
        let told = connection(vec![bulk, other]);
        assert_eq!(principal_half(&told).map(|half| half.sender), Some(expected), "{what}");
    }
    assert!(principal_half(&connection(Vec::new())).is_none());
}

#[test]
fn whose_peer_waits() {
    let of = |cause: Cause, exchange_role, retransmitted_bytes| HalfConnection {
        exchange_role,
        retransmitted_bytes,
        ..half(Role::Server, WARNING, &[(1, cause)], Vec::new())
    };
    let (think, idle) = (Cause::from(Detail::Think), Cause::from(Detail::Idle));
    for (what, half, expected) in [
        ("a server that thinks", of(think, Role::Server, 0), true),
        ("an unknown end that thinks", of(think, Role::Unknown, 0), true),
        ("a client that thinks", of(think, Role::Client, 0), false),
        ("an idle server", of(idle, Role::Server, 0), false),
        ("a loss with repeats", of(Cause::plain(Limit::LossRecovery), Role::Client, 1), true),
        ("a loss without", of(Cause::plain(Limit::LossRecovery), Role::Client, 0), false),
        ("a full window", of(Cause::plain(Limit::ReceiveWindow), Role::Client, 0), true),
        ("late ACKs", of(Cause::plain(Limit::AckDelay), Role::Client, 0), true),
        ("a full buffer", of(Cause::plain(Limit::SendBuffer), Role::Client, 0), false),
    ] {
        assert_eq!(has_waiting_peer(&half), expected, "{what}");
    }
}

// Slow directions.

#[test]
fn a_direction_is_slow_by_whose_data_it_carries() {
    let buffer = Cause::plain(Limit::SendBuffer);
    let (think, idle) = (Cause::from(Detail::Think), Cause::from(Detail::Idle));
    let window = Cause::from(Detail::PeerWindow);
    for (what, role, cause, expected) in [
        ("a server's buffer", Role::Server, buffer, Some(Slow::Answers(Family::SendBuffer))),
        ("an unknown end's", Role::Unknown, buffer, Some(Slow::Answers(Family::SendBuffer))),
        ("a client's", Role::Client, buffer, Some(Slow::Requests(Family::SendBuffer))),
        ("a server that thinks", Role::Server, think, Some(Slow::Server)),
        ("a client that thinks loses nothing", Role::Client, think, None),
        ("a server that rests loses nothing", Role::Server, idle, None),
        ("a window of the peer's program", Role::Server, window, Some(Slow::Answers(Family::Application))),
        ("a loss", Role::Server, Cause::plain(Limit::LossRecovery), Some(Slow::Answers(Family::Loss))),
        ("the last round trip", Role::Server, Cause::plain(Limit::TailRtt), None),
    ] {
        assert_eq!(slow(&connection(vec![slowed(role, cause, SECOND)])), expected, "{what}");
    }
}

#[test]
fn a_loss_of_time_that_nobody_notices_is_none() {
    let buffer = Cause::plain(Limit::SendBuffer);
    let lost = |nanos| Cost::of(&connection(vec![slowed(Role::Server, buffer, nanos)])).map(|cost| cost.nanos);
    assert_eq!([lost(50 * MS), lost(50 * MS - 1)], [Some(50 * MS), None], "SLOW_NOTICED");
    let mut half = slowed(Role::Server, buffer, SECOND);
    for (severity, expected) in [(WARNING, true), (CRITICAL, true), (Some(Severity::Info), false), (None, false)] {
        half.verdict.severity = severity;
        let cost = Cost::of(&connection(vec![half.clone()]));
        assert_eq!(cost.map(|cost| Some(cost.severity)), expected.then_some(severity), "{severity:?}");
    }
}

#[test]
fn somebody_waits_for_what_was_asked() {
    let (think, window) = (Cause::from(Detail::Think), Cause::plain(Limit::ReceiveWindow));
    let awaited = |role, cause, nanos| Cost::of(&connection(vec![slowed(role, cause, nanos)])).unwrap().is_awaited;
    for (what, role, cause, nanos, expected) in [
        ("a full window", Role::Server, window, 100 * MS, true),
        ("LATE: for less", Role::Server, window, 100 * MS - 1, false),
        ("a full buffer", Role::Server, Cause::plain(Limit::SendBuffer), SECOND, false),
        ("a lost SYN", Role::Server, Detail::SynRto.into(), SECOND, true),
        ("a server that thinks", Role::Server, think, SECOND, true),
        ("an end whose role nobody knows", Role::Unknown, think, SECOND, false),
        ("its window all the same", Role::Unknown, window, SECOND, true),
    ] {
        assert_eq!(awaited(role, cause, nanos), expected, "{what}");
    }
}

// Slow exchanges.

fn exchange(response: i64, answer_bytes: u64) -> Exchange {
    Exchange {
        request: time(0),
        answer: time(0),
        request_bytes: 100,
        answer_bytes,
        request_packet: 1,
        answer_packet: 2,
        last_packet: 3,
        response,
        round_trip: 0,
        limits: Vec::new(),
    }
}

/// A connection whose answers took these times, and nothing else.
fn answered(responses: &[i64], change: impl FnOnce(&mut Exchanges)) -> Connection {
    let mut exchanges = exchanges(Parts { server: responses.iter().sum(), ..Parts::default() });
    exchanges.count = responses.len() as u64;
    exchanges.slowest = responses.iter().map(|&response| exchange(response, 10_000)).collect();
    for response in responses {
        exchanges.responses.add(response.unsigned_abs(), 1.0);
    }
    change(&mut exchanges);
    let idle = half(Role::Server, None, &[(10, Cause::plain(Limit::TailRtt))], Vec::new());
    Connection { exchanges: Some(exchanges), ..connection(vec![idle]) }
}

#[test]
fn late_answers_are_the_servers() {
    let cost = |responses: &[i64]| {
        Cost::of(&answered(responses, |_| ())).map(|cost| (cost.nanos, cost.late_nanos, cost.late_answers))
    };
    assert_eq!(cost(&[100 * MS - 1]), None, "LATE");
    assert_eq!(cost(&[100 * MS]), Some((0, 100 * MS, 1)), "LATE");
    assert_eq!(cost(&[SECOND - 1]), Some((0, SECOND - 1, 1)), "LONG_REST");
    assert_eq!(cost(&[SECOND]), Some((SECOND, 0, 1)), "LONG_REST");
    assert_eq!(cost(&[30 * SECOND - 1]).map(|cost| cost.0), Some(30 * SECOND - 1), "AWAITED_MOST");
    assert_eq!(cost(&[30 * SECOND]), None, "AWAITED_MOST: it comes by itself");
    assert_eq!(cost(&[2 * SECOND, 200 * MS, 10 * MS]), Some((2 * SECOND, 200 * MS, 2)), "each by its length");
    let found = Cost::of(&answered(&[SECOND], |_| ())).unwrap();
    assert!(found.is_awaited && found.slow == Slow::Server && found.severity == Severity::Warning);
}

#[test]
fn a_path_as_long_as_a_third_of_an_answer_explains_it() {
    let cost = |rtt: i64, is_of_half: bool| {
        let mut connection = answered(&[300 * MS], |_| ());
        let nanos = rtt.unsigned_abs();
        let rtt = Distribution { min: 0, median: 0, p95: nanos, max: u64::MAX };
        if is_of_half {
            connection.halves[0].rtt = Some((rtt, tcpwhy_model::Basis::WireExact));
            // The longer one explains it.
            connection.rtt_min = Some(1);
        } else {
            connection.rtt_min = Some(nanos);
        }
        Cost::of(&connection).is_some()
    };
    for is_of_half in [false, true] {
        assert_eq!([cost(100 * MS, is_of_half), cost(100 * MS + 1, is_of_half)], [true, false], "LATE_ROUND_TRIPS");
    }
}

#[test]
fn answers_that_are_not_kept_count_where_the_median_is_late() {
    let of = |median: i64| {
        let many = answered(&[SECOND, 500 * MS], |exchanges| {
            (exchanges.count, exchanges.parts.server) = (10, 4 * SECOND);
            exchanges.responses = crate::sketch::Sketch::default();
            (0..10).for_each(|_| exchanges.responses.add(median.unsigned_abs(), 1.0));
        });
        Cost::of(&many).map(|cost| (cost.nanos, cost.late_nanos, cost.late_answers)).unwrap()
    };
    // 4 s of the server, 1.5 s of which are kept; half of the eight others were late.
    assert_eq!(of(200 * MS), (SECOND, 500 * MS + 2_500 * MS, 2 + 4));
    assert_eq!(of(50 * MS), (SECOND, 500 * MS, 2), "most were quick");
}

#[test]
fn news_are_no_answers() {
    let (small, large) = (150, 151);
    let cost = |responses: &[i64], bytes: u64| {
        let connection = answered(responses, |exchanges| {
            exchanges.answer_bytes = bytes * responses.len() as u64;
            exchanges.slowest.iter_mut().for_each(|exchange| exchange.answer_bytes = bytes);
        });
        slow(&connection)
    };
    let late = 2 * SECOND;
    assert_eq!(cost(&[late; 3], small), None, "NEWS_HABIT");
    assert_eq!(cost(&[late; 2], small), Some(Slow::Server), "NEWS_HABIT: two are chance");
    assert_eq!(cost(&[late; 3], large), Some(Slow::Server), "SMALL_MESSAGE");
    assert_eq!(cost(&[late, 900 * MS, 900 * MS], small), Some(Slow::Server), "most of them sooner");
    let most = crate::thresholds::ANSWER_MOST.get();
    assert_eq!(cost(&[most], small), None, "ANSWER_MOST: a heartbeat");
    assert_eq!(cost(&[most - 1], small), Some(Slow::Server), "ANSWER_MOST");
    assert_eq!(cost(&[most], large), Some(Slow::Server), "a large answer after a long time");
}

#[test]
fn only_requests_with_their_answers_are_late() {
    for (pattern, expected) in [
        (Pattern::RequestResponse, Some(Slow::Server)),
        (Pattern::Overlapping, None),
        (Pattern::Interactive, None),
        (Pattern::LongPoll, None),
        (Pattern::Unasked, None),
    ] {
        let told = answered(&[5 * SECOND], |exchanges| exchanges.pattern = pattern);
        assert_eq!(slow(&told), expected, "{pattern:?}");
    }
}

#[test]
fn who_took_the_time_of_requests_shows_better_in_the_exchanges() {
    let with = |pattern, cause| {
        let mut told = answered(&[1], |exchanges| exchanges.pattern = pattern);
        told.halves = vec![slowed(Role::Server, cause, SECOND)];
        slow(&told)
    };
    let (paced, window) = (Cause::from(Detail::PacedWrites), Cause::from(Detail::PeerWindow));
    let buffer = Cause::plain(Limit::SendBuffer);
    for (what, pattern, cause, expected) in [
        ("its own pace", Pattern::RequestResponse, paced, None),
        ("a window of the peer's program", Pattern::RequestResponse, window, Some(Slow::Answers(Family::Application))),
        ("the same, where a person types", Pattern::Interactive, window, None),
        ("the same, of long polls", Pattern::LongPoll, window, None),
        ("its own pace where a person types", Pattern::Interactive, paced, None),
        ("a full buffer where a person types", Pattern::Interactive, buffer, Some(Slow::Answers(Family::SendBuffer))),
        ("a full buffer", Pattern::RequestResponse, buffer, Some(Slow::Answers(Family::SendBuffer))),
    ] {
        assert_eq!(with(pattern, cause), expected, "{what}");
    }
    let alone = connection(vec![slowed(Role::Server, Detail::Think.into(), SECOND)]);
    assert_eq!(slow(&alone), Some(Slow::Server), "without exchanges");
}

#[test]
fn many_small_requests_pay_a_round_trip_each() {
    let with = |round_trips, rules: &[&'static str], pattern| {
        let mut told = answered(&[1], |exchanges| {
            (exchanges.parts.round_trips, exchanges.pattern) = (round_trips, pattern);
        });
        told.findings = rules.iter().map(|rule| finding(rule, Severity::Critical, 0, None)).collect();
        Cost::of(&told).map(|cost| (cost.slow, cost.nanos, cost.severity, cost.is_awaited))
    };
    let turns = ["request-response-turns"];
    let found = Some((Slow::RoundTrips, 100 * MS, Severity::Critical, true));
    assert_eq!(with(100 * MS, &turns, Pattern::RequestResponse), found, "LATE");
    assert_eq!(with(100 * MS - 1, &turns, Pattern::RequestResponse), None, "LATE");
    assert_eq!(with(100 * MS, &["connection-setup"], Pattern::RequestResponse), None, "another rule");
    assert_eq!(with(100 * MS, &turns, Pattern::Overlapping), None, "no turns");
}

#[test]
fn the_largest_cost_counts_and_of_equals_the_last() {
    let with = |buffer: i64, response: i64, round_trips: i64| {
        let mut told = answered(&[response], |exchanges| exchanges.parts.round_trips = round_trips);
        told.halves = vec![slowed(Role::Server, Cause::plain(Limit::SendBuffer), buffer)];
        told.findings = vec![finding("request-response-turns", Severity::Warning, 0, None)];
        slow(&told)
    };
    let buffer = Some(Slow::Answers(Family::SendBuffer));
    assert_eq!(with(3 * SECOND, 2 * SECOND, SECOND), buffer);
    assert_eq!(with(SECOND, 3 * SECOND, 2 * SECOND), Some(Slow::Server));
    assert_eq!(with(SECOND, 2 * SECOND, 3 * SECOND), Some(Slow::RoundTrips));
    assert_eq!(with(SECOND, SECOND, SECOND), Some(Slow::Server), "the server before the direction");
    assert_eq!(with(SECOND, 1, SECOND), buffer, "the direction before the turns");
    assert_eq!(with(600 * MS, 900 * MS, 1), Some(Slow::Server), "late answers count");
}

#[test]
fn the_wait_of_a_failure_is_counted_once() {
    let with = |cause: Cause, lost: i64, failed: Option<f64>| {
        let mut told = connection(vec![slowed(Role::Server, cause, lost)]);
        let failure = Finding { seconds: failed, ..finding("peer-silent", Severity::Warning, 0, None) };
        told.findings = vec![failure];
        Cost::of(&told).is_some()
    };
    let (buffer, loss) = (Cause::plain(Limit::SendBuffer), Cause::plain(Limit::LossRecovery));
    assert!(with(loss, SECOND, None), "a failure without a wait");
    assert!(!with(loss, 9 * SECOND, Some(1.0)), "a loss is the failure's wait");
    assert!(!with(Detail::PacedWrites.into(), 9 * SECOND, Some(1.0)), "so is its own pace");
    assert!(!with(Detail::Think.into(), 9 * SECOND, Some(1.0)), "and a server's time");
    assert!(with(buffer, 2 * SECOND + 1, Some(1.0)), "ANOTHER_WAIT");
    assert!(!with(buffer, 2 * SECOND, Some(1.0)), "ANOTHER_WAIT");
}

// Failed connections.

#[test]
fn how_a_connection_fails() {
    let with = |rule: &'static str, ending| Connection {
        findings: vec![finding(rule, Severity::Warning, 0, None)],
        ending,
        ..connection(vec![HalfConnection { sender: Side::B, ..slowed(Role::Server, Cause::plain(Limit::Path), 1) }])
    };
    let server = Side::B;
    for (rule, ending, expected) in [
        ("syn-unanswered", Ending::Unanswered, Some(Failure::Unanswered)),
        ("connection-refused", Ending::Refused, Some(Failure::Refused)),
        ("handshake-incomplete", Ending::Incomplete, Some(Failure::Incomplete)),
        ("reset-not-own", Ending::Reset(server), Some(Failure::ResetBetween)),
        ("request-unanswered", Ending::Open, Some(Failure::RequestUnanswered)),
        ("idle-close-race", Ending::Reset(server), Some(Failure::IdleClose)),
        ("zero-window-death", Ending::Open, Some(Failure::Unfinished)),
        ("reset-mid-transfer", Ending::Reset(server), Some(Failure::ResetByServer)),
        ("reset-mid-transfer", Ending::Reset(Side::A), Some(Failure::ResetByClient)),
        ("reset-mid-transfer", Ending::Open, Some(Failure::TimedOut)),
        ("peer-silent", Ending::Open, Some(Failure::TimedOut)),
        ("pmtu-black-hole", Ending::Open, Some(Failure::LargeVanished)),
        ("pmtu-black-hole", Ending::Closed, None),
        ("offload-super-packets", Ending::Reset(server), None),
        ("offload-super-packets", Ending::Closed, None),
    ] {
        assert_eq!(Failure::of_connection(&with(rule, ending)), expected, "{rule}, {ending:?}");
    }
    assert_eq!(Failure::of_connection(&connection(Vec::new())), None);
    let ids: std::collections::BTreeSet<_> = Failure::ALL.map(Failure::id).into();
    assert_eq!(ids.len(), Failure::ALL.len());
    assert_eq!(
        Failure::ALL.map(Failure::is_of_handshake),
        [true, true, false, false, false, false, false, false, false, true, false]
    );
}

#[test]
fn a_server_that_resets_before_its_first_word_refuses() {
    let of_client = slowed(Role::Client, Cause::plain(Limit::Path), 1);
    let dropped = Connection { ending: Ending::Reset(Side::B), ..connection(vec![of_client]) };
    let spoken =
        Connection { halves: vec![HalfConnection { sender: Side::B, ..dropped.halves[0].clone() }], ..dropped.clone() };
    for (what, connection, expected) in [
        ("nothing but a request", dropped.clone(), Some(Failure::ResetByServer)),
        ("it has spoken", spoken, None),
        ("the client resets", Connection { ending: Ending::Reset(Side::A), ..dropped.clone() }, None),
        ("nobody saw it open", Connection { initiator: None, ..dropped }, None),
    ] {
        assert_eq!(Failure::of_connection(&connection), expected, "{what}");
    }
}

/// Once the client has closed, a reset ends nothing.
#[test]
fn a_reset_after_the_close_of_the_client_is_no_failure() {
    let closed = Some(Timestamp::from_nanos(SECOND));
    let with = |fins, unacknowledged| Connection {
        ending: Ending::Reset(Side::B),
        close: Close { fins, unacknowledged },
        ..connection(Vec::new())
    };
    let dropped = Some(Failure::ResetByServer);
    for (what, connection, expected) in [
        ("the client had closed", with([closed, None], 0), None),
        ("and so had the server", with([closed, closed], 0), None),
        ("nobody had", with([None, None], 0), dropped),
        ("only the server had", with([None, closed], 0), dropped),
        ("a byte was lost", with([closed, None], 1), dropped),
    ] {
        assert_eq!(Failure::of_connection(&connection), expected, "{what}");
    }
}

// The weight of a problem.

#[test]
fn a_failure_costs_a_second_at_least_and_ten_at_most() {
    let weight = |lost, failure| Weight::failed(lost, failure).nanos(0);
    assert_eq!(weight(0, Failure::TimedOut), SECOND, "FAILURE_COST");
    assert_eq!(weight(2 * SECOND, Failure::TimedOut), 2 * SECOND);
    assert_eq!(weight(11 * SECOND, Failure::TimedOut), 10 * SECOND, "FAILURE_COST_MOST");
    assert_eq!(weight(0, Failure::ResetByClient), 50 * MS, "CLIENT_RESET_COST");
    assert_eq!(weight(0, Failure::ResetByServer), SECOND);
}

fn cost(nanos: i64, late: (i64, u64), is_awaited: bool) -> Cost {
    let (late_nanos, late_answers) = late;
    let (longest, severity) = (nanos, Severity::Warning);
    Cost { slow: Slow::Server, cause: None, nanos, late_nanos, late_answers, longest, is_awaited, severity }
}

#[test]
fn slow_connections_count_by_their_size_unless_somebody_waited() {
    let unawaited = |bytes, largest| Weight::slow(&cost(SECOND, (0, 0), false), bytes).nanos(largest);
    assert_eq!(unawaited(1 << 17, 1 << 30), SECOND, "WORK");
    assert_eq!(unawaited((1 << 17) - 1, 1 << 30), 0, "WORK");
    assert_eq!(unawaited(1 << 6, 1 << 10), SECOND, "FAR_LESS: a sixteenth");
    assert_eq!(unawaited((1 << 6) - 1, 1 << 10), 0, "FAR_LESS");
    assert_eq!(unawaited(0, 0), SECOND);
    let awaited = Weight::slow(&cost(SECOND, (0, 0), true), 1);
    assert_eq!(awaited.nanos(1 << 30), SECOND, "whatever others carried");
}

#[test]
fn ten_late_answers_are_a_habit() {
    let mut all = Weight::slow(&cost(SECOND, (200 * MS, 4), true), 1);
    all.add(&Weight::slow(&cost(0, (100 * MS, 5), true), 1));
    assert_eq!(all.nanos(1), SECOND, "LATE_HABIT: nine");
    all.add(&Weight::slow(&cost(0, (1, 1), true), 1));
    assert_eq!(all.nanos(1), SECOND + 300 * MS + 1, "LATE_HABIT: ten");
}

#[test]
fn weights_add_up_whatever_their_sizes() {
    let of = |bytes| Weight::slow(&cost(SECOND, (0, 0), false), bytes);
    for (first, second) in [(1 << 20, 1), (1, 1 << 20)] {
        let mut all = of(first);
        all.add(&of(second));
        assert_eq!([all.nanos(1 << 20), all.nanos(1)], [SECOND, 2 * SECOND]);
    }
    let mut all = Weight::failed(SECOND, Failure::Refused);
    all.add(&Weight::failed(3 * SECOND, Failure::Refused));
    assert_eq!(all.nanos(0), 4 * SECOND);
}

// The list of problems and its order.

/// The connection with this number from a client to this port, whose server lost `lost` nanoseconds to its
/// send buffer.
fn transfer(number: u64, port: u16, lost: i64) -> Connection {
    let mut told = connection(vec![slowed(Role::Server, Cause::plain(Limit::SendBuffer), lost)]);
    (told.id, told.first_packet) = (number, number);
    told.endpoints[1].port = port;
    told
}

/// The same connection, which its server reset.
fn reset(number: u64, port: u16) -> Connection {
    let mut told = transfer(number, port, 1);
    told.halves[0].verdict.severity = None;
    told.ending = Ending::Reset(Side::B);
    told.findings = vec![Finding { seconds: Some(0.0), ..finding("reset-mid-transfer", Severity::Warning, 0, None) }];
    told
}

fn ranked(all: &[Connection]) -> Vec<Problem> {
    let mut problems = Problems::default();
    for connection in all {
        problems.add(connection);
    }
    problems.ranked()
}

fn ports(all: &[Connection]) -> Vec<u16> {
    ranked(all).iter().filter_map(|problem| problem.key.service()).map(|service| service.port).collect()
}

#[test]
fn two_seconds_of_a_service_are_a_problem() {
    assert_eq!(ports(&[transfer(1, 80, SECOND), transfer(2, 80, SECOND)]), [80], "SLOW_LEAST");
    assert_eq!(ports(&[transfer(1, 80, SECOND), transfer(2, 80, SECOND - 1)]), [] as [u16; 0], "SLOW_LEAST");
    assert_eq!(ports(&[transfer(1, 80, SECOND), transfer(2, 81, SECOND)]), [] as [u16; 0], "two services");
}

#[test]
fn a_third_of_a_short_capture_is_a_problem() {
    let short = |lost: i64, lasts: i64, severity: Option<Severity>| {
        let mut told = transfer(1, 80, lost);
        told.span = time(lasts);
        told.halves[0].verdict.severity = severity;
        ports(&[told]) == [80]
    };
    assert!(short(SECOND, 3 * SECOND, CRITICAL), "SLOW_PART");
    assert!(!short(SECOND - 1, 3 * SECOND, CRITICAL), "SLOW_PART");
    assert!(!short(SECOND, 3 * SECOND, WARNING), "only what is critical");
    assert!(short(300 * MS, 300 * MS, CRITICAL), "SLOW_LEAST_OF_SHORT");
    assert!(!short(299 * MS, 299 * MS, CRITICAL), "SLOW_LEAST_OF_SHORT");
    assert!(short(2 * SECOND, 100 * SECOND, CRITICAL), "SLOW_LEAST is the most that it takes");
}

#[test]
fn half_a_second_of_failures_is_a_problem() {
    let by_client = |number| Connection { ending: Ending::Reset(Side::A), ..reset(number, 80) };
    let all: Vec<_> = (1..=10).map(by_client).collect();
    assert_eq!(ports(&all), [80], "FAILED_LEAST: ten at 50 ms");
    assert_eq!(ports(&all[..9]), [] as [u16; 0], "FAILED_LEAST");
    assert_eq!(ports(&[reset(1, 80)]), [80], "one of the server");
}

#[test]
fn many_failures_come_before_anything_slow() {
    let slow = transfer(100, 81, 9 * SECOND + 999 * MS);
    let failed = |count, others| {
        let mut all: Vec<_> = (1..=count).map(|number| reset(number, 80)).collect();
        all.extend((0..others).map(|number| Connection {
            findings: Vec::new(),
            ending: Ending::Closed,
            ..reset(200 + number, 80)
        }));
        all.push(transfer(99, 81, 9 * SECOND));
        all.push(slow.clone());
        ports(&all)
    };
    assert_eq!(failed(10, 0), [80, 81], "MANY_FAILED");
    assert_eq!(failed(9, 0), [81, 80], "MANY_FAILED");
    assert_eq!(failed(10, 90), [80, 81], "FAILED_PART");
    assert_eq!(failed(10, 91), [81, 80], "FAILED_PART");
    let mut by_client: Vec<_> =
        (1..=11).map(|n| Connection { ending: Ending::Reset(Side::A), ..reset(n, 80) }).collect();
    by_client.push(slow);
    assert_eq!(ports(&by_client), [81, 80], "a client's own resets are no epidemic");
}

#[test]
fn the_heaviest_is_the_first_and_of_equals_the_failure() {
    assert_eq!(ports(&[transfer(1, 80, 3 * SECOND), transfer(2, 81, 4 * SECOND)]), [81, 80]);
    let equal = [transfer(1, 80, 2 * SECOND), reset(2, 81), reset(3, 81)];
    assert_eq!(ports(&equal), [81, 80], "a failure before what was slow");
    let more = [transfer(1, 80, 2 * SECOND), transfer(2, 81, SECOND), transfer(3, 81, SECOND)];
    assert_eq!(ports(&more), [81, 80], "more connections");
    assert_eq!(ports(&[transfer(1, 81, 2 * SECOND), transfer(2, 80, 2 * SECOND)]), [80, 81], "the lower port");
}

#[test]
fn a_control_channel_comes_last() {
    let of = |number, port, bytes, lost| {
        let mut told = transfer(number, port, lost);
        told.halves[0].bytes = bytes;
        told.halves[0].verdict.cause = Some(Cause::plain(Limit::ReceiveWindow));
        told
    };
    assert_eq!(ports(&[of(1, 21, 999, 5 * SECOND), of(2, 20, 1_000_000, 4 * SECOND)]), [20, 21], "STEERING_SHARE");
    assert_eq!(ports(&[of(1, 21, 1_000, 5 * SECOND), of(2, 20, 1_000_000, 4 * SECOND)]), [21, 20], "STEERING_SHARE");
    let two = [of(1, 21, 9, 5 * SECOND), of(3, 21, 9, 5 * SECOND), of(2, 20, 1_000_000, 4 * SECOND)];
    assert_eq!(ports(&two), [21, 20], "two connections of a service are no control channel");
}

#[test]
fn a_client_at_sixteen_ports_scans() {
    let refused = |number: u64| Connection {
        halves: Vec::new(),
        ending: Ending::Refused,
        findings: vec![finding("connection-refused", Severity::Info, 0, None)],
        ..transfer(number, number as u16, 1)
    };
    let kinds = |count: u64| -> Vec<(bool, u64)> {
        let all: Vec<_> = (1..=count).map(refused).collect();
        ranked(&all).iter().map(|p| (matches!(p.key.target, Target::Scan { .. }), p.connections)).collect()
    };
    assert_eq!(kinds(16), [(true, 16)], "SCANNED_PORTS: the services are a part of it");
    assert_eq!(kinds(15).len(), 15, "SCANNED_PORTS");
    // A service that fails for many clients is a separate problem.
    let mut all: Vec<_> = (1..=16).map(refused).collect();
    let more = |number| Connection { first_packet: number, ..refused(7) };
    let of_another = |number| {
        let mut connection = more(number);
        let client = connection.server().peer();
        connection.endpoints[client.index()].address = [10, 0, 0, 99].into();
        connection
    };
    let own: Vec<_> = all.iter().cloned().chain((100..109).map(more)).collect();
    all.extend((100..109).map(of_another));
    let of_service = |problem: &Problem| problem.key.service().is_some();
    assert_eq!(ranked(&own).iter().filter(|problem| of_service(problem)).count(), 0, "all are the scan's");
    assert_eq!(ranked(&all).iter().filter(|problem| of_service(problem)).count(), 1, "MANY_FAILED: ten");
    all.pop();
    assert_eq!(ranked(&all).iter().filter(|problem| of_service(problem)).count(), 0, "MANY_FAILED: nine");
}

// The stored numbers of a problem.

#[test]
fn a_problem_keeps_extremes_sums_and_the_gravest() {
    let of = |number, from: i64, until: i64, bytes, lost, severity| {
        let mut told = transfer(number, 80, lost);
        told.span = Span::new(Timestamp::from_nanos(from), Timestamp::from_nanos(until));
        told.halves[0].bytes = bytes;
        told.halves[0].verdict.severity = Some(severity);
        told
    };
    let all = [
        of(1, 5 * SECOND, 20 * SECOND, 3_000_000, SECOND, Severity::Warning),
        of(2, 2 * SECOND, 12 * SECOND, 1_000_000, 3 * SECOND, Severity::Critical),
        of(3, 4 * SECOND, 30 * SECOND, 2_000_000, 2 * SECOND, Severity::Warning),
    ];
    let one = &ranked(&all)[0];
    assert_eq!((one.connections, one.lost), (3, 6 * SECOND));
    assert_eq!(one.bytes, (1_000_000, 3_000_000));
    assert_eq!(one.lasted, (10 * SECOND, 26 * SECOND));
    assert_eq!(one.extent, (Timestamp::from_nanos(2 * SECOND), Timestamp::from_nanos(30 * SECOND)));
    assert_eq!(one.severity, Severity::Critical, "the gravest, not the last");
    assert_eq!(one.example.id, 2, "the connection that lost most");
    let mut equal = [transfer(2, 80, SECOND), transfer(1, 80, SECOND)];
    assert_eq!(ranked(&equal)[0].example.id, 1, "of equals the first");
    equal.reverse();
    assert_eq!(ranked(&equal)[0].example.id, 1, "of equals the first, in whatever order they come");
}

#[test]
fn a_problem_keeps_its_own_severity() {
    let of = |number, port, lost, severity| {
        let mut told = transfer(number, port, lost);
        told.halves[0].verdict.severity = Some(severity);
        told
    };
    let all = [
        of(1, 80, 9 * SECOND, Severity::Warning),
        of(2, 81, 5 * SECOND, Severity::Critical),
        of(3, 82, 2 * SECOND, Severity::Warning),
    ];
    let found: Vec<_> = ranked(&all).iter().map(|problem| (problem.example.id, problem.severity)).collect();
    let expected = [(1, Severity::Warning), (2, Severity::Critical), (3, Severity::Warning)];
    assert_eq!(found, expected, "whatever comes before or behind it");
}

#[test]
fn numbers_reach_the_examples() {
    let mut problems = Problems::default();
    problems.add(&transfer(5, 80, 3 * SECOND));
    problems.renumber(&|connection| connection.first_packet * 10);
    assert_eq!(problems.ranked()[0].example.id, 50);
    problems.renumber(&|_| 0);
    assert_eq!(problems.ranked()[0].example.id, 50, "it has its number");
    problems.add(&transfer(6, 80, 4 * SECOND));
    problems.renumber(&|connection| connection.first_packet * 10);
    assert_eq!(problems.ranked()[0].example.id, 60, "another example");
}

#[test]
fn a_connection_is_part_of_its_problem() {
    let server = Endpoint { address: [10, 0, 0, 2].into(), port: 80 };
    let [host, client]: [IpAddr; 2] = [[10, 0, 0, 2].into(), [10, 0, 0, 1].into()];
    let slow = Kind::Slow(Slow::Answers(Family::SendBuffer));
    let failed = Kind::Failed(Failure::ResetByServer);
    let service = Target::Service(server);
    let scan = |host, client| Target::Scan { host, client };
    let other = Target::Service(Endpoint { port: 81, ..server });
    for (what, target, kind, connection, expected) in [
        ("slow", service, slow, transfer(1, 80, SECOND), true),
        ("slow otherwise", service, Kind::Slow(Slow::Requests(Family::SendBuffer)), transfer(1, 80, SECOND), false),
        ("another server", other, slow, transfer(1, 80, SECOND), false),
        ("failed", service, failed, reset(1, 80), true),
        ("failed otherwise", service, Kind::Failed(Failure::TimedOut), reset(1, 80), false),
        ("not failed", service, failed, transfer(1, 80, SECOND), false),
        ("any port of a scan", scan(host, client), failed, reset(1, 99), true),
        ("another client", scan(host, host), failed, reset(1, 99), false),
        ("another host", scan(client, client), failed, reset(1, 99), false),
    ] {
        assert_eq!(ProblemKey { target, kind }.concerns(&connection), expected, "{what}");
    }
}

/// Nothing shows that a connection with a wrong clock was slow. Its failure has the usual weight.
#[test]
fn a_wrong_clock_has_no_weight() {
    let buffer = Cause::plain(Limit::SendBuffer);
    let slow = connection(vec![slowed(Role::Server, buffer, 1000 * SECOND)]);
    assert!(Cost::of(&slow).is_some());
    let wrong = Connection { has_wrong_clock: true, ..slow };
    assert!(Cost::of(&wrong).is_none());
    let mut problems = Problems::default();
    problems.add(&wrong);
    assert_eq!(problems.ranked().len(), 0);
    assert!(problems.extent.is_none(), "years of a wrong clock are no length of a capture");
}
