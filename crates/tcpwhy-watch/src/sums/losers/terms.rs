//! Which connection is named, and how many lose time.

use tcpwhy_analysis::Role;
use tcpwhy_model::host::SocketAddress;
use tcpwhy_model::live::SocketKey;
use tcpwhy_model::{Limit, Timestamp};

use super::*;
use crate::sums::Tally;

const BUFFER: Cause = Cause::plain(Limit::SendBuffer);

fn end(number: u64, life: Life, times: Vec<(Cause, i64, bool)>) -> End {
    let place = |last: u8, port| SocketAddress { address: Some([10, 0, 0, last].into()), zone: None, port: Some(port) };
    End {
        key: SocketKey { namespace: 1, cookie: number },
        local: place(1, 40_000 + number as u16),
        peer: place(2, 443),
        role: Role::Client,
        seen: [Timestamp::from_nanos(0), Timestamp::from_nanos(1000)],
        life,
        answers: None,
        outcome: None,
        tally: Tally::new(1000, times, [0, 0]),
    }
}

#[test]
fn the_one_that_loses_most_is_named() {
    let losing = |number, lost| end(number, Life::Lasting, vec![(BUFFER, lost, true)]);
    let losers = Losers::of(&[losing(1, 400), losing(2, 900), losing(3, 49), losing(4, 0)]);
    let most = Some(Loser::One { index: 1, cause: BUFFER, nanos: 900, of_limit: 900 });
    assert_eq!(losers, Losers { connections: 4, losing: 2, most, ..Losers::default() });
    assert_eq!(Losers::of(&[losing(3, 49)]), Losers { connections: 1, ..Losers::default() });
    assert_eq!(Losers::of(&[]), Losers::default());
}

#[test]
fn many_short_ones_add_up() {
    let brief = |number| end(number, Life::Brief, vec![(Cause::plain(Limit::Handshake), 500, false)]);
    let mut all: Vec<End> = (0..10).map(brief).collect();
    all.push(end(20, Life::Lasting, vec![(BUFFER, 1000, true)]));
    let losers = Losers::of(&all);
    assert_eq!((losers.connections, losers.losing), (11, 11));
    let Some(Loser::Many { repeated, .. }) = losers.most else { panic!("{losers:?}") };
    assert_eq!((repeated.connections, repeated.handshakes), (10, 5000));
    // Nine are single ones, which lose nothing.
    assert_eq!(Losers::of(&all[1..10]).losing, 0);
}

/// Both ends of a connection fail once, and the graver word is that of the connection.
#[test]
fn failures_count_once_and_the_gravest_is_named() {
    use OutcomeKind::{Refused, ResetByPeer, ResetHere};
    let failing = |number, outcome| End { outcome, ..end(number, Life::Brief, Vec::new()) };
    let losers = Losers::of(&[failing(1, None), failing(2, Some(ResetHere)), failing(3, Some(Refused))]);
    assert_eq!((losers.failed, losers.gravest), (2, Some((2, Refused, 1))));
    let losers = Losers::of(&[failing(1, Some(ResetByPeer)), failing(2, Some(Refused)), failing(3, Some(ResetByPeer))]);
    assert_eq!((losers.failed, losers.gravest), (3, Some((0, ResetByPeer, 2))));
    let client = failing(1, Some(ResetByPeer));
    let server = End {
        key: SocketKey { namespace: 1, cookie: 9 },
        local: client.peer.clone(),
        peer: client.local.clone(),
        role: Role::Server,
        outcome: Some(ResetHere),
        ..client.clone()
    };
    let losers = Losers::of(&[server, client]);
    assert_eq!((losers.connections, losers.failed, losers.gravest), (1, 1, Some((1, ResetByPeer, 1))));
    assert_eq!(Losers::of(&[failing(1, None)]).gravest, None);
}

/// A client that waits, and one whose sender is elsewhere. A server waits for its clients, and a connection
/// with both ends here shows both.
#[test]
fn what_only_the_peer_can_show() {
    let waits = |number, cause: Cause, moved| End {
        tally: Tally::new(1000, vec![(cause, 900, false)], [moved, 0]),
        ..end(number, Life::Lasting, Vec::new())
    };
    let turn: Cause = tcpwhy_model::Detail::PeerTurn.into();
    let unseen = Cause::plain(Limit::Unobserved);
    assert_eq!(Losers::of(&[waits(1, turn, 1)]).at_peer, Some((0, 900)));
    assert_eq!(Losers::of(&[waits(1, unseen, 1)]).at_peer, Some((0, 900)));
    assert_eq!(Losers::of(&[waits(1, unseen, 0)]).at_peer, None, "nothing moved");
    assert_eq!(Losers::of(&[waits(1, BUFFER, 1)]).at_peer, None);
    let server = |cause| End { role: Role::Server, ..waits(1, cause, 1) };
    assert_eq!(Losers::of(&[server(turn)]).at_peer, None);
    assert_eq!(Losers::of(&[server(unseen)]).at_peer, Some((0, 900)));
    let here = waits(1, turn, 1);
    let there = End {
        key: SocketKey { namespace: 1, cookie: 9 },
        local: here.peer.clone(),
        peer: here.local.clone(),
        ..server(turn)
    };
    assert_eq!(Losers::of(&[here, there]).at_peer, None);
}
