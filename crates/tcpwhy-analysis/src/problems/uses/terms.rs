//! Tests of the stored connections, and of the check that none of a service is missing.

use super::super::testing::connection;
use super::*;

fn fold(servers: impl Iterator<Item = u16>) -> Sorted {
    let mut fold = UseFold::default();
    for port in servers {
        let mut one = connection(Vec::new());
        one.endpoints[1].port = port;
        let ends = [one.endpoints[1], one.endpoints[0]];
        fold.add(&one, ends, &[]);
    }
    fold.sorted()
}

fn server(port: u16) -> Endpoint {
    Endpoint { address: [10, 0, 0, 2].into(), port }
}

#[test]
fn the_lowest_are_kept_and_whole_services_are_known() {
    let few = fold([80, 81, 80].into_iter());
    assert_eq!([80, 81, 82].map(|port| few.of(server(port)).len()), [2, 1, 0]);
    assert_eq!(few.all_of(server(80)).map(<[Use]>::len), Some(2));
    assert_eq!(few.network_of(server(80)).len(), 2, "of this port alone");
    let most = MOST_USES as u16;
    let many = fold((1..=most).chain([most]));
    assert_eq!(many.of(server(most)).len(), 1, "the highest goes");
    assert!(many.all_of(server(most - 1)).is_some() && many.all_of(server(most)).is_none());
    assert!(many.all_of(server(most + 1)).is_none() && many.network_of(server(1)).is_empty());
    assert!(fold(1..most).all_of(server(most)).is_some(), "room for one more");
}
