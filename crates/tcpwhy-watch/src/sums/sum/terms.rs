//! What holds of every sum, on ends drawn at random.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;
use tcpwhy_analysis::Role;
use tcpwhy_model::host::SocketAddress;
use tcpwhy_model::live::SocketKey;
use tcpwhy_model::{ByteCount, Detail, Timestamp};

use super::*;
use crate::sums::Tally;

const SECOND: i64 = 1_000_000_000;
const WINDOW: i64 = 60 * SECOND;

const CAUSES: [(Cause, bool); 5] = [
    (Cause::plain(Limit::SendBuffer), true),
    (Cause::plain(Limit::Application), false),
    (Cause::plain(Limit::Handshake), false),
    (Cause::plain(Limit::Unobserved), false),
    (Cause { limit: Limit::LossRecovery, detail: Some(Detail::Rto) }, true),
];

fn address(last: u8) -> IpAddr {
    Ipv4Addr::new(10, 0, 0, last).into()
}

fn end(address: IpAddr, port: u16) -> SocketAddress {
    SocketAddress { address: Some(address), zone: None, port: Some(port) }
}

/// A connection: who listens, who connects, its time, its bytes, and which of its ends are on this host.
#[derive(Clone, Debug)]
struct Drawn {
    server: u8,
    client: u8,
    from: i64,
    lasts: i64,
    life: Life,
    bytes: [ByteCount; 2],
    times: [i64; CAUSES.len()],
    sees: Sees,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sees {
    Client,
    Server,
    Both,
    BothInTwoNamespaces,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let sees = prop_oneof![Just(Sees::Client), Just(Sees::Server), Just(Sees::Both), Just(Sees::BothInTwoNamespaces)];
    let life = prop_oneof![Just(Life::Brief), Just(Life::Lasting)];
    (1..4_u8, 1..4_u8, 0..59_i64, 0..SECOND * 60, life, any::<[u32; 2]>(), any::<[u16; CAUSES.len()]>(), sees).prop_map(
        |(server, client, from, lasts, life, bytes, times, sees)| Drawn {
            server,
            client,
            from: from * SECOND,
            lasts: lasts.min(WINDOW - from * SECOND),
            life,
            bytes: bytes.map(ByteCount::from),
            times: times.map(i64::from),
            sees,
        },
    )
}

/// The ends on this host of connections that are all different.
fn ends(all: &[Drawn]) -> Vec<End> {
    let mut ends = Vec::new();
    for (number, drawn) in all.iter().enumerate() {
        let port = 40_000 + number as u16;
        let [client, server] = [end(address(drawn.client), port), end(address(100 + drawn.server), 443)];
        let mut add = |is_client: bool, namespace: u64| {
            let [local, peer] = if is_client { [&client, &server] } else { [&server, &client] };
            let [sent, received] = drawn.bytes;
            let share = drawn.lasts / drawn.times.iter().sum::<i64>().max(1);
            let mut times: Vec<CauseTime> = CAUSES
                .iter()
                .zip(drawn.times)
                .map(|(&(cause, is_lost), part)| (cause, part * share, is_lost))
                .collect();
            // The two ends see different limits.
            times.rotate_left(usize::from(is_client));
            let bytes = if is_client { [sent, received] } else { [received, sent] };
            ends.push(End {
                key: SocketKey { namespace, cookie: 2 * number as u64 + u64::from(is_client) },
                local: local.clone(),
                peer: peer.clone(),
                role: if is_client { Role::Client } else { Role::Server },
                seen: [drawn.from, drawn.from + drawn.lasts].map(Timestamp::from_nanos),
                life: drawn.life,
                answers: None,
                outcome: None,
                tally: Tally::new(drawn.lasts, times, bytes),
            });
        };
        if drawn.sees != Sees::Server {
            add(true, 1);
        }
        if drawn.sees != Sees::Client {
            add(false, if drawn.sees == Sees::BothInTwoNamespaces { 2 } else { 1 });
        }
    }
    ends
}

/// A sum without the places in its list.
fn numbers(sum: &Sum) -> Sum {
    Sum { speakers: Vec::new(), ..sum.clone() }
}

proptest! {
    /// Both ends count once, and nothing is more than the sum of what it is made of.
    #[test]
    fn a_sum_is_at_most_its_connections(all in prop::collection::vec(drawn(), 0..40)) {
        let ends = ends(&all);
        let sum = Sum::of(&ends, WINDOW);
        prop_assert_eq!(sum.connections(), all.len() as u64);
        prop_assert_eq!(sum.watched(), all.iter().map(|drawn| drawn.lasts).sum::<i64>());
        prop_assert!(sum.lost() <= sum.watched());
        prop_assert!(sum.times().iter().map(|time| time.1).sum::<i64>() <= sum.watched());
        // What all of them moved, at their own rates: a link that took each takes the sum.
        let bytes: u64 = all.iter().flat_map(|drawn| drawn.bytes).sum();
        prop_assert_eq!(sum.bytes, u128::from(bytes));
        let rates: f64 = all.iter().map(|drawn| {
            drawn.bytes.iter().sum::<u64>() as f64 * 1e9 / drawn.lasts.max(1) as f64
        }).sum();
        prop_assert!(sum.rate().bytes_per_sec() <= rates * (1.0 + 1e-9));
        if let Some((cause, nanos)) = sum.cause() {
            let lost = |of: Cause| -> i64 {
                sum.times().iter().filter(|time| time.2 && time.0 == of).map(|time| time.1).sum()
            };
            // The word is that of its lost time, where that is worth naming.
            let most = sum.times().iter().map(|time| lost(time.0)).max().unwrap_or_default();
            prop_assert!(lost(cause) == most || 20 * most < sum.watched());
            prop_assert!(nanos <= sum.watched());
        }
    }

    /// A sum is that of a set.
    #[test]
    fn the_order_changes_nothing(all in prop::collection::vec(drawn(), 0..40), by in any::<u64>()) {
        let ends = ends(&all);
        let mut others = ends.clone();
        others.sort_by_key(|end| (end.key.cookie + 1).wrapping_mul(by | 1).rotate_left(17));
        let [sum, other] = [&ends, &others].map(|ends| Sum::of(ends, WINDOW));
        prop_assert_eq!(numbers(&sum), numbers(&other));
        let keys = |sum: &Sum, ends: &[End]| {
            sum.speakers().iter().map(|&index| ends[index].key).collect::<BTreeSet<SocketKey>>()
        };
        prop_assert_eq!(keys(&sum, &ends), keys(&other, &others));
    }

    /// An end more changes no number of connections, rate or bytes where the other end is there already.
    #[test]
    fn a_second_end_adds_nothing(mut all in prop::collection::vec(drawn(), 1..40)) {
        let see = |all: &mut Vec<Drawn>, sees| {
            for drawn in all {
                drawn.sees = sees;
            }
        };
        see(&mut all, Sees::Client);
        let one = Sum::of(&ends(&all), WINDOW);
        for sees in [Sees::Both, Sees::BothInTwoNamespaces] {
            see(&mut all, sees);
            let two = Sum::of(&ends(&all), WINDOW);
            prop_assert_eq!((one.connections, one.bytes, one.watched), (two.connections, two.bytes, two.watched));
        }
    }
}

fn brief(number: u64, handshake: i64, other: i64) -> End {
    let times = vec![(Cause::plain(Limit::Handshake), handshake, false), (Cause::plain(Limit::Path), other, false)];
    End {
        key: SocketKey { namespace: 1, cookie: number },
        local: end(address(1), 40_000 + number as u16),
        peer: end(address(2), 443),
        role: Role::Client,
        seen: [Timestamp::from_nanos(0), Timestamp::from_nanos(handshake + other)],
        life: Life::Brief,
        answers: Some(1),
        outcome: None,
        tally: Tally::new(handshake + other, times, [100, 1000]),
    }
}

/// `REPEATED`: ten. Their handshakes are lost, but for one.
#[test]
fn what_comes_and_goes_loses_its_handshakes() {
    let of = |count| Sum::of(&(0..count).map(|number| brief(number, 40, 10)).collect::<Vec<_>>(), SECOND);
    let (few, many) = (of(9), of(10));
    assert_eq!((few.repeated(), few.lost(), few.cause()), (None, 0, Some((Cause::plain(Limit::Handshake), 360))));
    let repeated = many.repeated().unwrap();
    assert_eq!((repeated.connections, repeated.handshakes, repeated.asks_once()), (10, 400, true));
    assert_eq!((many.lost(), many.cause()), (360, Some((Cause::plain(Limit::Handshake), 400))));
    // Long connections lose little by their handshakes, and other services are other connections.
    let long = Sum::of(&(0..10).map(|number| brief(number, 40, 10_000)).collect::<Vec<_>>(), SECOND);
    assert_eq!((long.lost(), long.repeated().map(|repeated| repeated.loses_time())), (0, Some(false)));
    let mut scattered: Vec<End> = (0..10).map(|number| brief(number, 40, 10)).collect();
    scattered.iter_mut().enumerate().for_each(|(index, end)| end.peer.port = Some(index as u16));
    assert_eq!(Sum::of(&scattered, SECOND).repeated(), None);
}

/// Loopback addresses are the same in each namespace, and a port may be used again.
#[test]
fn ends_of_different_connections_stay_apart() {
    let pair = |namespaces: [u64; 2], addresses: [&str; 2], seen: [[i64; 2]; 2]| -> u64 {
        let places = addresses.map(|address| end(address.parse().unwrap(), 443));
        let ends: Vec<End> = [0, 1]
            .map(|of| End {
                key: SocketKey { namespace: namespaces[of], cookie: of as u64 },
                local: SocketAddress { port: Some(443 + of as u16), ..places[of].clone() },
                peer: SocketAddress { port: Some(444 - of as u16), ..places[1 - of].clone() },
                seen: seen[of].map(|seconds| Timestamp::from_nanos(seconds * SECOND)),
                ..brief(of as u64, 1, 1)
            })
            .into();
        Sum::of(&ends, SECOND).connections()
    };
    let together = [[0, 5], [1, 6]];
    assert_eq!(pair([1, 1], ["127.0.0.1", "127.0.0.1"], together), 1);
    assert_eq!(pair([1, 2], ["127.0.0.1", "127.0.0.1"], together), 2);
    assert_eq!(pair([1, 2], ["10.0.0.1", "10.0.0.2"], together), 1);
    assert_eq!(pair([1, 1], ["::ffff:10.0.0.1", "10.0.0.2"], together), 1);
    // `SEEN_TOGETHER`: two seconds.
    assert_eq!(pair([1, 1], ["10.0.0.1", "10.0.0.2"], [[0, 5], [7, 9]]), 1);
    assert_eq!(pair([1, 1], ["10.0.0.1", "10.0.0.2"], [[0, 5], [8, 9]]), 2);
    // A socket that is connected to itself has one end.
    let mut own = brief(1, 1, 1);
    own.peer = own.local.clone();
    assert_eq!(Sum::of(&[own], SECOND).connections(), 1);
}
