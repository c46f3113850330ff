//! Tests of the neighbours that are named for a transfer.

use tcpwhy_model::{Basis, Cause, Detail, Distribution, Endpoint, Limit, Rate, Severity, Timestamp, Value};
use tcpwhy_testkit::has_sentence;

use super::*;
use crate::Together;
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{Role, Side};
use crate::problems::testing::half;

const RULE: &str = "neighbours-on-path";
const MEGABYTE: u64 = 1_000_000;

/// A transfer from host `from` to host `to`: `seconds` under losses, then the same time limited by its
/// application. Its bytes pass evenly in the first part.
fn transfer(from: u8, to: u8, port: u16, (seconds, bytes): (i64, u64)) -> Connection {
    let parts = [(seconds, Detail::Fast.into()), (seconds, Cause::plain(Limit::Application))];
    let mut half = half(Role::Server, Some(Severity::Warning), &parts, Vec::new());
    let mut progress = ByteSlots::default();
    progress.add_over(Span::new(at(0), at(seconds)), bytes);
    (half.sender, half.bytes, half.segments) = (Side::B, bytes, bytes / 1448);
    half.progress = Some(Box::new(progress));
    let mut connection = connection(end(to, port), end(from, 80), vec![half]);
    connection.first_packet = u64::from(port);
    connection
}

/// UDP over `seconds`.
fn udp(traffic: &mut Traffic, (from, to): (u8, u8), seconds: (i64, i64), bytes: u64) {
    const PACKETS: i64 = 1000;
    let flow = Flow { transport: Transport::Udp, from: end(from, 5001), to: end(to, 9999) };
    let (start, nanos) = (at(seconds.0), (seconds.1 - seconds.0) * 1_000_000_000);
    for n in 0..PACKETS {
        traffic.add(flow, start.plus(nanos / PACKETS * n), bytes / PACKETS as u64);
    }
}

/// Returns the findings of each connection, in order.
fn findings(connections: Vec<Connection>, traffic: Traffic) -> Vec<Option<Finding>> {
    let mut together = Together::default();
    let mut done = Vec::new();
    for connection in connections {
        done.extend(together.keep(connection, ()));
    }
    together.note_traffic(traffic);
    done.extend(together.finish());
    done.sort_by_key(|(connection, ())| connection.first_packet);
    let of_rule = |connection: &Connection| {
        let all = connection.halves.iter().flat_map(|half| &half.findings);
        let found: Vec<_> = all.filter(|finding| finding.rule == RULE).collect();
        assert!(found.len() <= 1);
        found.first().map(|finding| (*finding).clone())
    };
    let found: Vec<_> = done.iter().map(|(connection, ())| of_rule(connection)).collect();
    found.iter().flatten().for_each(has_sentence);
    found
}

/// Hosts, first and last second, bytes.
type UdpFlow = ((u8, u8), (i64, i64), u64);

/// Returns the finding about one transfer of 10 MB in 10 s from host 1 to host 2.
fn beside(flows: &[UdpFlow]) -> Option<Finding> {
    let mut traffic = Traffic::default();
    for &(hosts, seconds, bytes) in flows {
        udp(&mut traffic, hosts, seconds, bytes);
    }
    findings(vec![transfer(1, 2, 40_000, (10, 10 * MEGABYTE))], traffic).pop().flatten()
}

fn number(finding: &Finding, name: &str) -> Option<f64> {
    match finding.evidence.iter().find(|evidence| evidence.key.id() == name)?.value {
        Value::Integer(number) => Some(number as f64),
        Value::Real(number) => Some(number),
        Value::Flag(_) | Value::Word(_) => None,
    }
}

fn word<'a>(finding: &'a Finding, name: &str) -> Option<&'a str> {
    match &finding.evidence.iter().find(|evidence| evidence.key.id() == name)?.value {
        Value::Word(word) => Some(word),
        _ => None,
    }
}

#[track_caller]
fn is_near(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|found| (found / expected - 1.0).abs() < 0.03), "{found:?}, not {expected}");
}

#[test]
fn udp_to_the_same_host_is_named() {
    let found = beside(&[((1, 2), (0, 10), 30 * MEGABYTE)]).expect("a neighbour");
    assert_eq!(word(&found, "neighbour"), Some("UDP 10.0.0.1:5001 → 10.0.0.2:9999"));
    assert_eq!(word(&found, "shared_end"), Some("to_same_host"));
    is_near(number(&found, "neighbour_bits_per_s"), 24e6);
    // Headers of TCP count: 10 MB are 10.28 MB.
    is_near(number(&found, "neighbour_percent"), 30.0 / 40.28 * 100.0);
    assert_eq!((found.severity, found.seconds), (Severity::Info, None));
    assert_eq!(found.fixes[0].id, "limit-neighbours");
    // The neighbour may also come from a third host.
    let found = beside(&[((3, 2), (0, 10), 30 * MEGABYTE)]).expect("a neighbour");
    assert_eq!(word(&found, "neighbour"), Some("UDP 10.0.0.3:5001 → 10.0.0.2:9999"));
}

#[test]
fn who_passed_elsewhere_or_at_another_time_is_not_named() {
    for (what, flow) in [
        ("the other direction", ((2, 1), (0, 10), 30 * MEGABYTE)),
        ("to another host", ((3, 4), (0, 10), 30 * MEGABYTE)),
        ("from the same host to another, and no rates that show one link", ((1, 4), (0, 10), 30 * MEGABYTE)),
        ("while the path did not hold the transfer", ((1, 2), (11, 20), 30 * MEGABYTE)),
        ("before", ((1, 2), (-20, -1), 30 * MEGABYTE)),
        ("below the share", ((1, 2), (0, 10), MEGABYTE)),
    ] {
        assert_eq!(beside(&[flow]), None, "{what}");
    }
}

/// `NEIGHBOUR_SHARE`: just below it and just above.
#[test]
fn a_tenth_of_the_bytes_is_worth_a_word() {
    let own = 10_000_000.0 + 6907.0 * 40.0;
    let of_share = |share: f64| (own * share / (1.0 - share) / 1000.0) as u64 * 1000;
    assert_eq!(beside(&[((1, 2), (0, 10), of_share(0.097))]), None);
    assert!(beside(&[((1, 2), (0, 10), of_share(0.103))]).is_some());
}

/// `NEIGHBOUR_TIME`.
#[test]
fn a_moment_on_the_path_has_no_rate() {
    for (nanos, is_named) in [(99_000_000, false), (100_000_000, true)] {
        let mut short = transfer(1, 2, 40_000, (1, MEGABYTE));
        let mut timeline = tcpwhy_model::TimelineBuilder::new(Timestamp::ZERO);
        timeline.push(Timestamp::from_nanos(nanos), Detail::Fast.into(), 0.9, None);
        short.halves[0].limits = timeline.finish();
        let mut traffic = Traffic::default();
        udp(&mut traffic, (1, 2), (0, 1), 30 * MEGABYTE);
        assert_eq!(findings(vec![short], traffic)[0].is_some(), is_named, "{nanos} ns");
    }
}

/// `BULK`.
#[test]
fn a_few_packets_have_no_rate() {
    for (bytes, is_named) in [(99_999, false), (100_000, true)] {
        let mut traffic = Traffic::default();
        udp(&mut traffic, (1, 2), (0, 10), MEGABYTE);
        assert_eq!(findings(vec![transfer(1, 2, 40_000, (10, bytes))], traffic)[0].is_some(), is_named, "{bytes}");
    }
}

/// Only losses and queues on the path of the data lead to a search for neighbours.
#[test]
fn the_verdict_decides_who_is_asked() {
    for (cause, is_named) in [
        (Detail::Fast.into(), true),
        (Detail::Queue.into(), true),
        (Detail::PostLoss.into(), true),
        (Detail::Policer.into(), true),
        (Cause::plain(Limit::Path), true),
        (Detail::AckQueue.into(), false),
        (Detail::LostAcks.into(), false),
        (Detail::Spurious.into(), false),
        (Cause::plain(Limit::SendBuffer), false),
    ] {
        let mut one = transfer(1, 2, 40_000, (10, 10 * MEGABYTE));
        let held = half(Role::Server, Some(Severity::Warning), &[(10, cause)], Vec::new());
        (one.halves[0].limits, one.halves[0].verdict) = (held.limits, held.verdict);
        let mut traffic = Traffic::default();
        udp(&mut traffic, (1, 2), (0, 10), 30 * MEGABYTE);
        assert_eq!(findings(vec![one], traffic)[0].is_some(), is_named, "{cause}");
    }
}

#[test]
fn parallel_downloads_are_connections_of_the_same_hosts() {
    let all = (0..6).map(|n| transfer(1, 2, 40_000 + n, (10, 10 * MEGABYTE))).collect();
    let found = findings(all, Traffic::default());
    assert_eq!(found.len(), 6);
    for finding in found {
        let finding = finding.expect("neighbours");
        assert_eq!(number(&finding, "sibling_count"), Some(5.0));
        is_near(number(&finding, "sibling_percent"), 500.0 / 6.0);
        is_near(number(&finding, "own_bits_per_s"), 8e6 * 1.028);
        assert_eq!(word(&finding, "neighbour"), None);
        assert!(finding.fixes.is_empty(), "nobody else is to be limited");
    }
}

/// A connection that starts when the other has ended is not a neighbour. Neither is the other direction of
/// the same connection.
#[test]
fn one_after_the_other_and_both_directions() {
    let first = transfer(1, 2, 40_000, (10, 10 * MEGABYTE));
    let mut second = transfer(1, 2, 40_001, (10, 10 * MEGABYTE));
    let mut later = ByteSlots::default();
    later.add_over(Span::new(at(30), at(40)), 10 * MEGABYTE);
    second.halves[0].progress = Some(Box::new(later));
    assert_eq!(findings(vec![first.clone(), second], Traffic::default())[0], None);
    let mut both = first;
    let mut back = both.halves[0].clone();
    back.sender = Side::A;
    both.halves.push(back);
    assert_eq!(findings(vec![both], Traffic::default()), [None]);
}

#[test]
fn the_largest_three_are_named_and_the_rest_is_added_up() {
    let flows: Vec<_> = (3..9).map(|host| ((host, 2), (0, 10), u64::from(host) * MEGABYTE)).collect();
    let found = beside(&flows).expect("neighbours");
    assert_eq!(word(&found, "neighbour"), Some("UDP 10.0.0.8:5001 → 10.0.0.2:9999"));
    assert_eq!(word(&found, "third_neighbour"), Some("UDP 10.0.0.6:5001 → 10.0.0.2:9999"));
    assert_eq!(number(&found, "unnamed_count"), Some(3.0));
    let all = 10.28 + 33.0;
    is_near(number(&found, "unnamed_percent"), 12.0 / all * 100.0);
    is_near(number(&found, "others_percent"), 33.0 / all * 100.0);
}

/// A flood of small flows is one neighbour, and shares never exceed the whole.
#[test]
fn a_flood_is_added_up() {
    let mut traffic = Traffic::default();
    for n in 0..100_000_u32 {
        let from = Endpoint { address: std::net::IpAddr::from((0xc000_0000 + n).to_be_bytes()), port: 7 };
        let flow = Flow { transport: Transport::Udp, from, to: end(2, 53) };
        traffic.add(flow, Timestamp::from_nanos(i64::from(n) * 100_000), 500);
    }
    let found = findings(vec![transfer(1, 2, 40_000, (10, 10 * MEGABYTE))], traffic).remove(0).expect("a flood");
    let name = word(&found, "neighbour").expect("a name");
    assert!(name.ends_with(" × UDP → 10.0.0.2"), "{name}");
    is_near(number(&found, "others_percent"), 50.0 / 60.28 * 100.0);
    let named: f64 = ["neighbour", "second_neighbour", "third_neighbour", "unnamed"]
        .iter()
        .filter_map(|who| number(&found, &format!("{who}_percent")))
        .sum();
    assert!(named <= 100.0 && (named - number(&found, "others_percent").unwrap_or_default()).abs() < 0.01, "{named}");
}

/// The finding is the same in any order of more connections than are kept separately.
#[test]
fn the_order_of_connections_does_not_matter() {
    const COUNT: u16 = 1200;
    let of = |order: &dyn Fn(u16) -> u16| {
        let one = |n: u16| transfer(1 + (n % 3) as u8 * 4, 2, 1000 + n, (10, 200_000 + u64::from(n)));
        findings((0..COUNT).map(|n| one(order(n))).collect(), Traffic::default())
    };
    let forward = of(&|n| n);
    assert_eq!(forward, of(&|n| COUNT - 1 - n));
    assert!(forward.iter().flatten().count() > 100);
}

#[test]
fn loopback_has_no_link() {
    let mut local = transfer(2, 2, 40_000, (10, 10 * MEGABYTE));
    local.endpoints[1].port = 80;
    let mut traffic = Traffic::default();
    udp(&mut traffic, (2, 2), (0, 10), 30 * MEGABYTE);
    assert_eq!(findings(vec![local], traffic), [None]);
}

/// A flow whose slots are wider than the time that the path held the transfer shows nothing about it.
#[test]
fn slots_that_are_too_wide_show_nothing() {
    let day = 86_400;
    assert_eq!(beside(&[((1, 2), (0, day), 3000 * MEGABYTE)]), None);
}

/// All of them together got the path's rate, which shows one link, even if only the sender is the same.
#[test]
fn rates_that_fill_the_link_show_that_it_is_shared() {
    for (hosts, path, end) in [
        ((1, 2), 40e6, Some("to_same_host")),
        ((1, 2), 100e6, None),
        ((1, 4), 40e6, Some("from_same_host")),
        ((1, 4), 25e6, None),
    ] {
        let mut one = transfer(1, 2, 40_000, (10, 20 * MEGABYTE));
        one.halves[0].path_rate = Some(Rate::from_bits_per_sec(path));
        let mut traffic = Traffic::default();
        udp(&mut traffic, hosts, (0, 10), 30 * MEGABYTE);
        let found = findings(vec![one], traffic).remove(0);
        let shared = found.filter(|found| number(found, "together_bits_per_s").is_some());
        assert_eq!(shared.as_ref().and_then(|found| word(found, "shared_end")), end, "{hosts:?} {path}");
    }
}

/// `LINK_USED`: about 40 Mbit/s leave a link of 410 Mbit/s nearly empty.
#[test]
fn an_empty_link_has_no_neighbours_to_speak_of() {
    for (path, is_named) in [(390e6, true), (410e6, false)] {
        let mut one = transfer(1, 2, 40_000, (10, 20 * MEGABYTE));
        one.halves[0].path_rate = Some(Rate::from_bits_per_sec(path));
        let mut traffic = Traffic::default();
        udp(&mut traffic, (1, 2), (0, 10), 30 * MEGABYTE);
        assert_eq!(findings(vec![one], traffic)[0].is_some(), is_named, "{path}");
    }
}

/// The transfer got less whenever the other sent more.
#[test]
fn rates_that_oppose_each_other_show_that_the_link_is_shared() {
    for (is_opposed, expected) in [(true, true), (false, false)] {
        let mut one = transfer(1, 2, 40_000, (40, 40 * MEGABYTE));
        let (mut own, mut traffic) = (ByteSlots::default(), Traffic::default());
        for second in 0..40 {
            let is_loud = second % 3 == 0;
            own.add_over(
                Span::new(at(second), at(second + 1)),
                if is_loud == is_opposed { MEGABYTE / 2 } else { MEGABYTE },
            );
            udp(&mut traffic, (1, 2), (second, second + 1), if is_loud { MEGABYTE } else { MEGABYTE / 2 });
        }
        one.halves[0].progress = Some(Box::new(own));
        let rtt = Distribution { min: 1, median: 900_000_000, p95: 1_000_000_000, max: 1_000_000_000 };
        one.halves[0].rtt = Some((rtt, Basis::WireExact));
        let found = findings(vec![one], traffic).remove(0).expect("a neighbour");
        assert_eq!(number(&found, "together_bits_per_s").is_some(), expected);
    }
}
