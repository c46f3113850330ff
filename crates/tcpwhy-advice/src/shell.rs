//! Values that no capture shows but a shell on the host finds: its interface, its process, its route.

use tcpwhy_model::CodePart::{Text, Value};
use tcpwhy_model::FixLine;
use tcpwhy_model::Hole::{Peer, Receiver, SocketsHere};

/// Sets `DEV` for the following lines: the interface towards the receiver, at the sender and at each router
/// on the path.
pub(crate) fn interface_towards_receiver(remark: &'static str) -> FixLine {
    FixLine::remarked(
        &[Text("DEV=$(ip route get "), Value(Receiver), Text(" | sed 's/.* dev //;s/ .*//;q')  # ")],
        remark,
    )
}

/// Sets `PID` for the following lines: the process that has the connection, at the place of the fix.
pub(crate) fn process_here() -> FixLine {
    FixLine::remarked(
        &[
            Text("PID=$(ss -Htnp "),
            Value(SocketsHere),
            Text(" | sed -n 's/.*pid=\\([0-9]*\\).*/\\1/p' | head -n1)  # "),
        ],
        "process-of-the-connection",
    )
}

/// Sets `metric` of the route to the other end. `fibmatch` shows a route as in the table, since Linux 4.13
/// and the iproute2 of that year.
pub(crate) fn route_towards_peer(metric: &'static str, remark: &'static str) -> FixLine {
    FixLine::remarked(
        vec![Text("ip route change $(ip route get fibmatch "), Value(Peer), Text(") "), Text(metric)],
        remark,
    )
}
