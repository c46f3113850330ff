//! Fixes of the capture, which show more.

use tcpwhy_model::CodePart::{Blank, Text, Value};
use tcpwhy_model::Hole::{Receiver, Sender, Server, ServerPort, SocketsToReceiver};
use tcpwhy_model::{Fix, FixPlace};

use super::{fix, line};

/// Proposes to capture both directions.
pub fn capture_both_directions() -> Fix {
    fix(
        "capture-both-directions",
        FixPlace::Capture,
        vec![
            (&[Text("tcpdump -ni any -s 128 -w out.pcap host "), Value(Server), Text(" and port "), Value(ServerPort)])
                .into(),
        ],
    )
    .measure()
}

/// Proposes to capture at the sender of the data.
pub fn capture_at_sender() -> Fix {
    fix(
        "capture-at-sender",
        FixPlace::Capture,
        vec![line(
            &[
                Text("tcpdump -ni any -s 128 -B 65536 -w out.pcap host "),
                Value(Receiver),
                Text(" and port "),
                Value(ServerPort),
                Text("  # "),
            ],
            "on-the-sending-host",
        )],
    )
    .measure()
}

/// Proposes to capture at the receiver of the data.
pub fn capture_at_receiver() -> Fix {
    fix(
        "capture-at-receiver",
        FixPlace::Capture,
        vec![
            line(
                &[
                    Text("tcpdump -ni any -s 128 -B 65536 -w out.pcap host "),
                    Value(Sender),
                    Text(" and port "),
                    Value(ServerPort),
                    Text("  # "),
                ],
                "on-other-host-whose-connection-arrives",
            ),
            line(
                &[
                    Text("ss -tnp "),
                    Value(SocketsToReceiver),
                    Text("; nft list ruleset | grep -E 'redirect|tproxy|dnat'  # "),
                ],
                "on-sending-host-local-proxy",
            ),
        ],
    )
    .measure()
}

/// Proposes to capture from the SYN on.
pub fn capture_from_syn() -> Fix {
    fix(
        "capture-from-syn",
        FixPlace::Capture,
        vec![line(
            &[
                Text("tcpdump -ni any -s 128 -w out.pcap host "),
                Value(Server),
                Text(" and port "),
                Value(ServerPort),
                Text("  # "),
            ],
            "before-the-connection-opens",
        )],
    )
    .measure()
}

/// Proposes to capture without drops.
pub fn capture_without_drops() -> Fix {
    fix(
        "larger-snaplen-buffer",
        FixPlace::Capture,
        vec![
            (&[
                Text("tcpdump -ni any -s 128 -B 65536 -w /dev/shm/out.pcap host "),
                Value(Server),
                Text(" and port "),
                Value(ServerPort),
            ])
                .into(),
        ],
    )
    .measure()
}

/// Explains that offload is normal, so nothing has to change.
pub fn offload_is_normal() -> Fix {
    fix(
        "disable-offload-note",
        FixPlace::Capture,
        vec![line(
            &[Text("ethtool -K "), Blank("DEV"), Text(" tso off gso off gro off lro off  # ")],
            "for-a-test-only",
        )],
    )
    .measure()
}

/// Proposes to sample the sender's socket state.
pub fn sample_socket() -> Fix {
    fix(
        "sample-socket",
        FixPlace::Capture,
        vec![line(&[Text("ss -tmin "), Value(SocketsToReceiver), Text("  # ")], "on-sending-host-while-it-runs")],
    )
    .measure()
}

/// Proposes to capture at one place, so that each packet is captured once.
pub fn capture_at_one_place() -> Fix {
    fix(
        "capture-at-one-place",
        FixPlace::Capture,
        vec![line(
            &[
                Text("tcpdump -ni "),
                Blank("DEV"),
                Text(" -s 128 -w out.pcap host "),
                Value(Server),
                Text(" and port "),
                Value(ServerPort),
                Text("  # "),
            ],
            "one-interface-not-any",
        )],
    )
    .measure()
}
