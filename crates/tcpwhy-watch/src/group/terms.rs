//! Each cause and each state of a socket with its group. A test fails if two are swapped.

use tcpwhy_model::{Detail, TimelineBuilder, Timestamp};

use super::*;
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
fn each_state_of_a_socket_has_its_group() {
    let groups = Held::ALL.map(|held| (held, LimitGroup::of_held(held)));
    let expected = [
        (Held::Idle, Application),
        (Held::App, Application),
        (Held::PeerWindow, Application),
        (Held::Nagle, Application),
        (Held::Sndbuf, SendBuffer),
        (Held::Rwnd, ReceiveWindow),
        (Held::Cwnd, Network),
        (Held::Pacing, Network),
        (Held::Nic, Network),
        (Held::Loss, Network),
    ];
    assert_eq!(groups, expected);
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
