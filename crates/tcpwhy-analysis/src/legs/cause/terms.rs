//! Tests of each condition of the slower leg: one of them fails if a condition is removed or a boundary
//! moves.

use tcpwhy_model::{Detail, Limit, Span};

use super::super::way::Way;
use super::*;
use crate::outcome::testing::{at, connection, end};
use crate::outcome::{Role, Side};
use crate::problems::testing::half;

const SECOND: i64 = 1_000_000_000;

#[test]
fn a_way_is_the_time_that_was_its_own() {
    let parts: [(i64, Cause); 8] = [
        (1, Cause::plain(Limit::Path)),
        (2, Detail::Think.into()),
        (4, Detail::PeerTurn.into()),
        (8, Detail::ZeroWindow.into()),
        (16, Detail::SlowReader.into()),
        (32, Detail::SmallBuffer.into()),
        (64, Detail::PeerWindow.into()),
        (128, Detail::CloseWait.into()),
    ];
    let way = Way::of(&half(Role::Server, None, &parts, Vec::new()));
    assert_eq!(way.bytes, 1_000_000);
    assert_eq!(way.end, Some(at(255 - 128)), "when the last data was acknowledged, not the end of what was held open");
    assert_eq!(way.nanos / SECOND, 1 + 2 + 8 + 16 + 32 + 64, "neither the peer's turns nor what followed all data");
    assert_eq!(way.empty / SECOND, 2 + 64, "nothing to send: rests are no leg's time");
    assert_eq!(way.unread / SECOND, 8 + 16, "the receiver did not read");
}

#[test]
fn what_holds_a_leg_back_is_a_limit_of_it() {
    let cause = |cause: Cause| Way::of(&half(Role::Server, None, &[(1, cause)], Vec::new())).cause;
    for (cause_of, expected) in [
        (Cause::plain(Limit::Path), true),
        (Detail::SmallBuffer.into(), true),
        (Cause::plain(Limit::SendBuffer), true),
        (Detail::Think.into(), false),
        (Cause::plain(Limit::Unobserved), false),
        (Cause::plain(Limit::TailRtt), false),
    ] {
        assert_eq!(cause(cause_of), expected.then_some(cause_of), "{cause_of}");
    }
    assert_eq!(Way::of(&half(Role::Server, None, &[], Vec::new())).cause, None, "no verdict");
}

/// Two legs whose server sends more; `first` and `second` are the legs in the direction of the data.
fn legs(is_upload: bool, first: Way, second: Way) -> [Leg; 2] {
    let path = [(1, Cause::plain(Limit::Path))];
    let mut download = half(Role::Server, None, &path, Vec::new());
    download.sender = Side::B;
    let base = Leg::of(&connection(end(1, 9), end(2, 80), vec![download])).unwrap();
    let with = |way: Way| {
        let little = Way { bytes: 1, ..Way::default() };
        let mut leg = base.clone();
        leg.ways = if is_upload { [way, little] } else { [little, way] };
        leg
    };
    // Uploaded data passes the outer leg first, downloaded data the inner one.
    if is_upload { [with(first), with(second)] } else { [with(second), with(first)] }
}

#[test]
fn the_leg_that_the_other_waits_for_is_slower() {
    let causes = [Cause::plain(Limit::Path), Cause::from(Detail::SmallBuffer)];
    let way = |at_second: i64, empty: i64, unread: i64, cause: Cause| Way {
        bytes: 1_000_000,
        end: Some(at(at_second)),
        nanos: 10,
        empty,
        unread,
        cause: Some(cause),
    };
    let first = |empty, unread| way(100, empty, unread, causes[0]);
    let second = |empty| way(100, empty, 0, causes[1]);
    // Nanoseconds after the first leg had finished.
    let late = |nanos: i64, way: Way| Way { end: way.end.map(|end| end.plus(nanos)), ..way };
    for (what, ways, expected) in [
        ("the relay had nothing to send for half of the time", (first(0, 0), second(5)), Some(0)),
        ("for less", (first(0, 0), second(4)), None),
        ("and the first leg waited as long for its own sender", (first(5, 0), second(5)), None),
        ("the first leg was idle for half of the time", (first(5, 0), second(4)), Some(1)),
        ("for less", (first(4, 0), second(4)), None),
        ("the relay did not read for half of the time", (first(0, 5), second(0)), Some(1)),
        ("for less", (first(0, 4), second(0)), None),
        ("the second leg took as long after the first", (first(0, 0), late(5, second(0))), Some(1)),
        ("not so long", (first(0, 0), late(4, second(0))), None),
        ("all three together", (first(2, 2), late(1, second(0))), Some(1)),
        ("the first leg ended later", (first(0, 4), late(-9, second(0))), None),
        ("the relay did not read, and the first leg ended later", (first(0, 5), late(-9, second(0))), Some(1)),
        ("nothing limited the first leg", (Way { cause: None, ..first(0, 0) }, second(5)), None),
        ("nothing limited the second leg", (first(5, 0), Way { cause: None, ..second(0) }), None),
        ("the first leg's data never arrived", (Way { end: None, ..first(5, 0) }, second(0)), None),
        ("the second leg's data never arrived", (first(5, 0), Way { end: None, ..second(0) }), None),
        ("no time passed", (first(0, 0), Way { nanos: 0, ..second(5) }), None),
    ] {
        for (is_upload, places) in
            [(true, [LegPlace::Outer, LegPlace::Inner]), (false, [LegPlace::Inner, LegPlace::Outer])]
        {
            let [outer, inner] = legs(is_upload, ways.0, ways.1);
            let expected = expected.map(|leg: usize| (places[leg], causes[leg]));
            assert_eq!(slower(&outer, &inner), expected, "{what}, upload: {is_upload}");
        }
    }
    assert_eq!(LEG_WAITS.get().to_bits(), 0.5_f64.to_bits());
}

/// If the data ends before the span, only the time of the data counts.
#[test]
fn a_way_of_nothing() {
    let mut empty = half(Role::Server, None, &[(3, Cause::plain(Limit::Path))], Vec::new());
    empty.span = Span::new(at(5), at(8));
    assert_eq!(Way::of(&empty).end, Some(at(8)));
    assert_eq!((Way::default().end, Way::default().bytes), (None, 0));
}
