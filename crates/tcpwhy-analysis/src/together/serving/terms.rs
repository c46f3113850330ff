//! Tests of each condition of the server if no SYN was captured.

use tcpwhy_model::Severity;

use super::*;
use crate::outcome::{Ending, Role};
use crate::problems::testing::{connection, exchanges, finding, half};

/// An end with this host number and port.
fn end(host: u8, port: u16) -> Endpoint {
    Endpoint { address: std::net::IpAddr::from([10, 0, 0, host]), port }
}

/// A connection without its SYN. Its second end sent requests, as far as its packets show.
fn joined(ends: [Endpoint; 2]) -> Connection {
    let found =
        vec![finding("request-unanswered", Severity::Warning, 0, None), finding("lost-acks", Severity::Info, 0, None)];
    let mut joined = connection(vec![half(Role::Unknown, None, &[], found)]);
    (joined.initiator, joined.endpoints, joined.ending) = (None, ends, Ending::Open);
    joined.exchanges = Some(exchanges(crate::exchanges::Parts::default()));
    if let Some(exchanges) = joined.exchanges.as_deref_mut() {
        exchanges.client = Side::B;
    }
    joined
}

fn opened(ends: [Endpoint; 2], ending: Ending) -> Connection {
    let mut opened = connection(Vec::new());
    (opened.initiator, opened.endpoints, opened.ending) = (Some(Side::A), ends, ending);
    opened
}

/// Returns the first of `joined` with its server, after `opened` were recorded.
fn settled(opened: &[Connection], joined: &[Connection]) -> Connection {
    let mut serving = Serving::default();
    for connection in opened {
        serving.note(connection);
    }
    let mut joined = joined.to_vec();
    serving.settle(joined.iter_mut());
    joined.swap_remove(0)
}

#[test]
fn who_answers_a_syn_anywhere_serves() {
    let ends = [end(1, 5000), end(2, 6000)];
    let other = end(1, 5001);
    for (what, first, second, ending, expected) in [
        ("the second end answers one", other, ends[1], Ending::Closed, Some(Side::B)),
        ("the first end does, as it seemed", end(2, 6001), ends[0], Ending::Closed, None),
        ("it never answered", other, ends[1], Ending::Unanswered, None),
        ("it refused", other, ends[1], Ending::Refused, None),
        ("another port of it answers", other, end(2, 6001), Ending::Closed, None),
    ] {
        let found = settled(&[opened([first, second], ending)], &[joined(ends)]);
        assert_eq!(found.served_by, expected, "{what}");
        assert_eq!(found.server(), expected.unwrap_or(Side::A), "{what}");
        assert_eq!(found.exchanges.is_none(), expected.is_some(), "{what}: what was taken for requests is gone");
        let rules: Vec<_> = found.halves[0].findings.iter().map(|finding| finding.rule).collect();
        assert_eq!(rules.contains(&"request-unanswered"), expected.is_none(), "{what}");
        assert!(rules.contains(&"lost-acks"), "{what}");
    }
    let both = [opened([other, ends[1]], Ending::Closed), opened([end(2, 6001), ends[0]], Ending::Closed)];
    assert_eq!(settled(&both, &[joined(ends)]).served_by, None, "both ends do");
}

/// `SERVES_PEERS`: three peers, each of which has no other.
#[test]
fn the_one_end_that_many_peers_talk_to_serves() {
    let hub = end(2, 6000);
    let spokes = |count: u8| (0..count).map(|host| joined([end(10 + host, 5000), hub])).collect::<Vec<_>>();
    assert_eq!(settled(&[], &spokes(2)).served_by, None);
    assert_eq!(settled(&[], &spokes(3)).served_by, Some(Side::B));
    let mut more = spokes(3);
    more.push(joined([end(10, 5000), end(3, 6000)]));
    assert_eq!(settled(&[], &more).served_by, None, "a peer with two");
}

#[test]
fn only_what_its_own_packets_leave_open_is_asked() {
    let ends = [end(1, 5000), end(2, 6000)];
    assert!(is_open(&joined(ends)));
    assert!(!is_open(&joined([end(1, 5000), end(2, 443)])), "a system port");
    assert!(!is_open(&opened(ends, Ending::Closed)), "its SYN was captured");
    assert!(!is_open(&Connection { halves: Vec::new(), ..joined(ends) }), "no data");
}

#[test]
fn no_more_ends_are_kept() {
    let mut serving = Serving::default();
    for port in 0..=u16::try_from(MOST_ENDS).unwrap() {
        serving.note(&opened([end(1, 5000), end(2, port)], Ending::Closed));
    }
    assert_eq!(serving.answered.len(), MOST_ENDS);
    assert!(serving.answered.contains(&end(2, 0)), "the lowest stay");
}
