//! Tests of each condition of attempts that nobody waited for, in both cases, and of each number at its
//! boundary.

use tcpwhy_model::{Basis, Endpoint, Evidence, EvidenceKey, Severity, Span, Timestamp, Value};

use super::super::testing::{connection, finding};
use super::super::{Problem, Problems, Target};
use crate::Folds;
use crate::outcome::{Connection, Ending};

const MS: i64 = 1_000_000;
const SECOND: i64 = 1_000_000_000;
/// Hop limit of a packet that crossed no router.
const OWN: u8 = 64;
/// Hop limit of a packet that crossed routers.
const ROUTED: u8 = 50;

/// An attempt of `10.0.0.client` at port `port` of `10.0.1.host`: its SYNs from `start` on and the time
/// between them.
#[derive(Clone, Copy)]
struct Tried {
    number: u64,
    client: u8,
    host: u8,
    port: u16,
    syns: u64,
    start: i64,
    apart: i64,
    hop_limit: u8,
    is_refused: bool,
}

const TRIED: Tried = Tried {
    number: 1,
    client: 1,
    host: 1,
    port: 80,
    syns: 1,
    start: 0,
    apart: SECOND,
    hop_limit: OWN,
    is_refused: false,
};

impl Tried {
    fn connection(self) -> Connection {
        let end = |net, host, port| Endpoint { address: [10, 0, net, host].into(), port };
        let at = Timestamp::from_nanos;
        let intervals = i64::try_from(self.syns - 1).unwrap();
        let mut found = finding("syn-unanswered", Severity::Critical, 1, None);
        let evidence = Evidence {
            key: EvidenceKey::SynHopLimit,
            value: Value::from(u64::from(self.hop_limit)),
            basis: Basis::WireExact,
        };
        found.evidence.push(evidence);
        Connection {
            endpoints: [end(0, self.client, 40_000), end(1, self.host, self.port)],
            first_packet: self.number,
            packets: [self.syns, u64::from(self.is_refused)],
            span: Span::new(at(self.start), at(self.start + self.apart * intervals)),
            ending: if self.is_refused { Ending::Refused } else { Ending::Unanswered },
            findings: vec![found],
            ..connection(Vec::new())
        }
    }
}

fn ranked(all: impl IntoIterator<Item = Tried>) -> Vec<Problem> {
    let mut problems = Problems::default();
    for (number, tried) in (1..).zip(all) {
        problems.add(&Tried { number, ..tried }.connection());
    }
    problems.ranked()
}

fn targets(all: impl IntoIterator<Item = Tried>) -> Vec<&'static str> {
    ranked(all).iter().map(|problem| problem.key.target.id()).collect()
}

#[test]
fn hop_limits_that_rise_trace_a_path() {
    let hops = |hops: std::ops::RangeInclusive<u8>| hops.map(|hop_limit| Tried { hop_limit, ..TRIED });
    assert_eq!(targets(hops(1..=5)), ["trace"], "PROBED_HOPS");
    assert_eq!(targets(hops(1..=4)), ["service"], "PROBED_HOPS");
    let apart = [1, 2, 3, 4, 6, 7, 8, 9].map(|hop_limit| Tried { hop_limit, ..TRIED });
    assert_eq!(targets(apart), ["service"], "they follow one another");
    assert_eq!(targets(hops(37..=59)), ["service"], "from the first hop on: nmap chooses them at random");
    let ports = (1..=16).map(|hop_limit| Tried { hop_limit, port: u16::from(hop_limit), ..TRIED });
    assert_eq!(targets(ports), ["scan"], "a scan, whatever its hop limits");
    // Another client failed there too, so that is the server's problem.
    let other = Tried { client: 2, syns: 4, ..TRIED };
    let both = targets(hops(1..=5).chain([other]));
    assert_eq!(both, ["service", "trace"], "probes are last");
    let problem = &ranked(hops(1..=9))[0];
    assert_eq!((problem.severity, problem.connections, problem.syns()), (Severity::Info, 9, 9));
    assert!(problem.key.is_probes() && problem.key.kind_id() == "probed");
}

#[test]
fn syns_by_the_hundred_that_no_timer_repeats_are_a_flood() {
    let flood = |syns: u64, apart: i64| targets([1, 2].map(|client| Tried { client, syns, apart, port: 80, ..TRIED }));
    assert_eq!(flood(151, 20 * MS), ["flood"], "FLOOD_RATE, FLOOD_LASTS: 302 in 3 s");
    assert_eq!(flood(150, 20 * MS), ["service"], "FLOOD_LASTS: 2.98 s");
    assert_eq!(flood(150, 21 * MS), ["service"], "FLOOD_RATE: 300 in 3.13 s");
    // Hundreds of clients whose timers repeat a SYN wait for the server.
    let clients = |apart: i64| (0..200).map(move |client| Tried { client, syns: 4, apart, ..TRIED });
    assert_eq!(targets(clients(SECOND)), ["service"], "REPEATED, SYN_TIMER");
    let singles = (0..200).flat_map(|client| [0, 1, 2, 3].map(|at| Tried { client, start: at * SECOND, ..TRIED }));
    assert_eq!(targets(singles), ["flood"], "single SYNs");
}

#[test]
fn a_single_syn_from_outside_is_a_stray() {
    let stray = Tried { hop_limit: ROUTED, ..TRIED };
    assert_eq!(targets([stray]), ["strays"]);
    assert_eq!(targets([Tried { is_refused: true, ..stray }]), ["strays"]);
    for (what, other) in [
        ("it came from a host of this network", Tried { hop_limit: OWN, ..TRIED }),
        ("it was repeated", Tried { syns: 2, ..stray }),
    ] {
        assert_eq!(targets([other]), ["service"], "{what}");
    }
    let again = [stray, Tried { port: 81, ..stray }];
    assert_eq!(targets(again), ["service", "service"], "the same two hosts");
    let others = [stray, Tried { client: 2, ..stray }];
    assert_eq!(targets(others), ["service"], "somebody else tried that port");
    let several = [stray, Tried { client: 2, port: 23, ..stray }, Tried { client: 3, port: 443, ..stray }];
    assert_eq!(targets(several), ["strays"], "all of a host are one");
    assert_eq!(ranked(several)[0].connections, 3);
}

#[test]
fn what_one_client_tries_in_vain_is_its_problem() {
    let hosts = |count: u8| (1..=count).map(|host| Tried { host, syns: 4, ..TRIED });
    assert_eq!(targets(hosts(3)), ["client"], "SILENT_ADDRESSES");
    assert_eq!(targets(hosts(2)), ["service", "service"], "SILENT_ADDRESSES");
    assert_eq!(targets(hosts(3).map(|tried| Tried { is_refused: true, ..tried })), ["service"; 3], "refused");
    let problem = &ranked(hosts(40))[0];
    assert_eq!((problem.hosts(), problem.connections, problem.severity), (40, 40, Severity::Critical));
    assert!(matches!(problem.key.target, Target::Client(client) if client == std::net::IpAddr::from([10, 0, 0, 1])));
    // One of the servers did not answer others either.
    let other = Tried { client: 9, syns: 4, ..TRIED };
    assert_eq!(targets(hosts(3).chain([other])), ["client", "service"]);
}

#[test]
fn many_silent_addresses_may_be_peers() {
    let hosts = |count: u8, ports: u16, syns: u64| {
        targets((1..=count).map(|host| Tried { host, syns, port: 6_000 + u16::from(host) % ports, ..TRIED }))
    };
    assert_eq!(hosts(16, 8, 4), ["peers"], "PEER_ADDRESSES, PEER_PORTS");
    assert_eq!(hosts(15, 15, 4), ["client"], "PEER_ADDRESSES");
    assert_eq!(hosts(16, 7, 4), ["client"], "PEER_PORTS");
    assert_eq!(hosts(16, 1, 1), ["peers"], "REPEATED: it waits for none");
    let problem = ranked((1..=16).map(|host| Tried { host, port: u16::from(host), ..TRIED }));
    assert_eq!(problem[0].severity, Severity::Info);
}

/// A probe does not count as a failure of the service.
#[test]
fn services_do_not_count_probes_as_failed() {
    let failed = |all: &[Tried]| {
        let mut folds = Folds::default();
        for (number, tried) in (1..).zip(all) {
            folds.add(&Tried { number, ..*tried }.connection());
        }
        let of = |folds: &Folds| {
            folds.services.ranked().iter().map(|service| (service.connections, service.failed())).collect::<Vec<_>>()
        };
        let before = of(&folds);
        folds.settle();
        assert!(before.iter().all(|(connections, failed)| connections == failed));
        of(&folds)
    };
    let hops = |most| (1..=most).map(|hop_limit| Tried { hop_limit, ..TRIED }).collect::<Vec<_>>();
    assert_eq!(failed(&hops(5)), [(5, 0)], "a traced path");
    assert_eq!(failed(&hops(4)), [(4, 4)], "four SYNs of a client");
    // Another client waited, and its attempts belong to the same problem.
    assert_eq!(failed(&[hops(5), vec![Tried { client: 2, syns: 4, ..TRIED }]].concat()), [(6, 6)]);
    let ports: Vec<_> = (1..=16).map(|port| Tried { port, ..TRIED }).collect();
    assert_eq!(failed(&ports), [(1, 0); 16], "a scan");
    assert_eq!(failed(&ports[1..]), [(1, 1); 15]);
    assert_eq!(failed(&[151, 152].map(|syns| Tried { syns, apart: 20 * MS, ..TRIED })), [(2, 0)], "a flood");
    assert_eq!(failed(&[Tried { hop_limit: ROUTED, ..TRIED }]), [(1, 0)], "a stray");
    let hosts: Vec<_> = (1..=3).map(|host| Tried { host, syns: 4, ..TRIED }).collect();
    assert_eq!(failed(&hosts), [(1, 1); 3], "a client that somebody waits at");
    let refused: Vec<_> = ports.iter().map(|tried| Tried { is_refused: true, ..*tried }).collect();
    assert_eq!(failed(&refused), [(1, 0); 16], "refused");
}

#[test]
fn probes_come_last_whatever_they_weigh() {
    let trace = (1..=30).map(|hop_limit| Tried { hop_limit, ..TRIED });
    let real = Tried { client: 7, host: 7, port: 443, syns: 3, ..TRIED };
    let all = ranked(trace.chain([real]));
    assert_eq!(all.iter().map(|problem| problem.key.target.id()).collect::<Vec<_>>(), ["service", "trace"]);
    let order: Vec<_> = all.iter().map(|problem| problem.key.is_probes()).collect();
    assert!(order.is_sorted());
}
