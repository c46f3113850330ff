//! Tests that services, problems, pairs and relays do not depend on the order of the connections.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::net::IpAddr;
use std::sync::LazyLock;

use proptest::prelude::*;
use tcpwhy_analysis::{Analyzer, Connection, Folds};
use tcpwhy_model::Segment;
use tcpwhy_report::dto::{self, Presentation};
use tcpwhy_report::{Catalogue, Language, Wording};
use tcpwhy_testkit::{ReceiveBuffer, Transfer, Turns};

/// Connections of several clients and servers: requests of equal and of different sizes, transfers with a
/// small window, resets, and unanswered handshakes.
static CONNECTIONS: LazyLock<Vec<Connection>> = LazyLock::new(|| {
    let small = Transfer { bytes: 300_000, receive_buffer: ReceiveBuffer::Fixed(8_000), ..Transfer::default() };
    let lossy = Transfer { bytes: 300_000, ..tcpwhy_testkit::random(7) };
    let ms = 1_000_000;
    let talk = |count, think| Turns { count, think, ..Turns::default() }.run();
    let syn = talk(1, 0)[..1].to_vec();
    let kinds: Vec<Vec<Segment>> = vec![
        talk(5, 0),
        talk(5, 700 * ms),
        talk(2, 700 * ms),
        talk(9, 40 * ms),
        small.run(),
        lossy.run(),
        talk(3, 20 * ms)[..7].to_vec(),
        syn,
    ];
    let of = |n: usize| {
        // The server's response time differs for each connection.
        let mut later = n as i64 % 5 * 300 * ms;
        let moved = kinds[n % kinds.len()].iter().enumerate().map(move |(at, segment)| {
            let mut segment = *segment;
            segment.number += 1_000 * n as u64;
            if segment.source.port == 80 && segment.payload_len == 500 {
                later += (n * 7 + at * 13) as i64 % 50 * 20 * ms;
            }
            segment.timestamp = segment.timestamp.plus(later);
            for end in [&mut segment.source, &mut segment.destination] {
                let host = if end.port == 80 { 200 + n as u8 % 3 } else { 1 + n as u8 % 7 };
                end.address = IpAddr::from([10, 0, 0, host]);
                end.port = if end.port == 80 { 80 } else { 40_000 + n as u16 };
            }
            segment
        });
        moved.collect::<Vec<_>>()
    };
    let mut analyzer = Analyzer::new();
    (0..64).flat_map(of).for_each(|segment| analyzer.observe(&segment));
    let connections = analyzer.finish();
    assert_eq!(connections.len(), 64);
    connections
});

/// The JSON about all of these connections together.
fn shown<'a>(connections: impl IntoIterator<Item = &'a Connection>) -> [String; 4] {
    let mut folds = Folds::default();
    connections.into_iter().for_each(|connection| folds.add(connection));
    folds.renumber(&|connection| connection.first_packet);
    let catalogue = Catalogue::new(Language::English);
    let presentation = Presentation::new(Wording::new(&catalogue));
    [
        serde_json::to_string_pretty(&dto::Service::all(&folds.services)).unwrap(),
        serde_json::to_string_pretty(&dto::Problem::all(&folds, presentation)).unwrap(),
        serde_json::to_string_pretty(&dto::across_connections(&folds.pairs, presentation)).unwrap(),
        serde_json::to_string_pretty(&dto::Relay::all(&folds.legs, presentation)).unwrap(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// Few connections, which do not fill lists, and many.
    #[test]
    fn the_order_of_the_connections_does_not_matter(
        order in prop_oneof![2..9_usize, Just(64)].prop_flat_map(|count| {
            prop::sample::subsequence((0..64).collect::<Vec<usize>>(), count).prop_shuffle()
        }),
    ) {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let [expected, other] = [sorted, order].map(|places| shown(places.iter().map(|&place| &CONNECTIONS[place])));
        for (expected, other) in expected.iter().zip(&other) {
            let first = expected.lines().zip(other.lines()).find(|(a, b)| a != b);
            prop_assert!(expected == other, "{first:?}");
        }
    }
}
