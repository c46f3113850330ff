//! Test of the group of each cause, which fails if two are swapped.

use super::*;
use crate::{Detail, TimelineBuilder, Timestamp};
use LimitGroup::{Application, Network, ReceiveWindow, SendBuffer};

#[test]
fn each_cause_has_its_group() {
    for (cause, expected) in [
        (Cause::plain(Limit::Unobserved), None),
        (Cause::plain(Limit::Handshake), None),
        (Detail::SynRto.into(), None),
        (Detail::Rto.into(), Some(Network)),
        (Cause::plain(Limit::Path), Some(Network)),
        (Cause::plain(Limit::SlowStart), Some(Network)),
        (Detail::Other.into(), Some(Network)),
        (Detail::PostLoss.into(), Some(Network)),
        (Cause::plain(Limit::SendBuffer), Some(SendBuffer)),
        (Detail::ZeroWindow.into(), Some(ReceiveWindow)),
        (Detail::Idle.into(), Some(Application)),
        (Detail::CloseWait.into(), Some(Application)),
        (Detail::Nagle.into(), Some(Application)),
        (Cause::plain(Limit::TailRtt), Some(Application)),
    ] {
        assert_eq!(LimitGroup::of_cause(cause), expected, "{cause}");
    }
}

#[test]
fn time_and_names_are_in_the_order_of_groups() {
    let mut builder = TimelineBuilder::new(Timestamp::ZERO);
    for (end, cause) in [
        (1, Cause::plain(Limit::Path)),
        (3, Cause::plain(Limit::SendBuffer)),
        (6, Cause::plain(Limit::ReceiveWindow)),
        (10, Detail::Idle.into()),
        (15, Cause::plain(Limit::Unobserved)),
        (21, Detail::Rto.into()),
    ] {
        builder.push(Timestamp::from_nanos(end), cause, 0.9, None);
    }
    assert_eq!(LimitGroup::nanos(&builder.finish()), [7, 2, 3, 4]);
    assert_eq!(LimitGroup::ALL.map(LimitGroup::id), ["network", "send_buffer", "receive_window", "application"]);
}
