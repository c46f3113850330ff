//! Tests of each term of the answer about a moment: mixing two numbers up, or moving a boundary, fails a
//! test.

use tcpwhy_analysis::testing::half;
use tcpwhy_analysis::{Role, Side};
use tcpwhy_model::{Cause, Detail, Limit, Span};

use super::super::testing::{SECOND, at, connection};
use super::*;
use crate::{Catalogue, Language};

/// A connection whose client sends for 4 s under two limits, from 5 s on.
fn whole() -> Connection {
    let parts = [(5, Cause::plain(Limit::Handshake)), (1, Cause::plain(Limit::SlowStart)), (3, Detail::Queue.into())];
    let mut sender = half(Role::Client, None, &parts, Vec::new());
    sender.sender = Side::B;
    let mut whole = connection(vec![sender]);
    whole.span = Span::new(at(5 * SECOND), at(15 * SECOND));
    whole
}

fn answer(moment: i64) -> MomentAnswer {
    let whole = whole();
    let packets = MomentAnswer::ranges_of(&whole, moment).into_iter().map(|stretch| (stretch, [3, 8])).collect();
    MomentAnswer::new(Wording::new(&Catalogue::new(Language::English)), &whole, moment, &packets)
}

#[test]
fn what_limited_a_moment() {
    let found = answer(2 * SECOND);
    assert_eq!((found.connection, found.packet, found.time_s.round() as i64), (7, 4, 2));
    let [entry] = &found.directions[..] else { panic!("{:?}", found.directions) };
    assert_eq!((entry.sender, &*entry.limit, entry.detail.as_deref()), (1, "path", Some("queue")));
    let during = (entry.during.from_s, entry.during.to_s, entry.during.packets);
    assert_eq!(during, (1.0, 4.0, Some([3, 8])), "after the first packet of the connection");
    assert!((entry.confidence - 0.9).abs() < 1e-6 && entry.ground == Ground::Inferred);
    assert!(found.cannot_tell.is_empty());
    assert_eq!(&*answer(SECOND - 1).directions[0].limit, "slow_start", "just before the next limit");
    assert_eq!(&*answer(SECOND).directions[0].limit, "path", "from its first moment on");
}

/// The moments are before the first byte, after the last, and outside of the connection.
#[test]
fn moments_at_which_nothing_is_limited() {
    let catalogue = Catalogue::new(Language::English);
    let units = Wording::new(&catalogue);
    let expected = |id: &str, moment: i64| {
        let seconds = |nanos: i64| units.units().nanos(nanos);
        let args =
            Args::new().text("time", seconds(moment)).text("begin", seconds(0)).text("end", seconds(10 * SECOND));
        vec![catalogue.text(id, &args)]
    };
    for (what, moment, id) in [
        ("after the last byte", 6 * SECOND, "assistant-no-data"),
        ("the last packet", 10 * SECOND, "assistant-no-data"),
        ("after it", 10 * SECOND + 1, "assistant-outside"),
        ("before the first packet", -6 * SECOND, "assistant-outside"),
    ] {
        let found = answer(moment);
        assert!(found.directions.is_empty(), "{what}");
        assert_eq!(found.cannot_tell, expected(id, moment), "{what}");
        assert!(MomentAnswer::ranges_of(&whole(), moment).is_empty(), "{what}");
    }
}

#[test]
fn numbers_go_before_damage() {
    let mut found = answer(2 * SECOND).damaged(vec![String::new(); 2]);
    found.directions[0].evidence.clear();
    assert!(found.shorten() && !found.shorten());
    assert_eq!(found.damage.len(), 1);
}
