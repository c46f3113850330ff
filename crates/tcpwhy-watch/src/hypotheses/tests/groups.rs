//! Each state of a socket with its group of limits. A test fails if two are swapped.

use tcpwhy_model::LimitGroup::{Application, Network, ReceiveWindow, SendBuffer};

use crate::Held;

#[test]
fn each_state_of_a_socket_has_its_group() {
    let groups = Held::ALL.map(|held| (held, held.group()));
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
