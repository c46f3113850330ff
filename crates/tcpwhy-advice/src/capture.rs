//! How to see more.

use tcpwhy_model::{Fix, FixPlace};

use super::{fix, line};

/// Both directions.
pub fn capture_both_directions() -> Fix {
    fix(
        "capture-both-directions",
        FixPlace::Capture,
        vec!["tcpdump -ni any -s 128 -w out.pcap host HOST and port PORT".into()],
    )
}

/// Where the data is sent.
pub fn capture_at_sender() -> Fix {
    fix(
        "capture-at-sender",
        FixPlace::Capture,
        vec![line("tcpdump -ni any -s 128 -B 65536 -w out.pcap host HOST and port PORT  # ", "on-the-sending-host")],
    )
}

/// Where the data ends.
pub fn capture_at_receiver() -> Fix {
    fix(
        "capture-at-receiver",
        FixPlace::Capture,
        vec![
            line(
                "tcpdump -ni any -s 128 -B 65536 -w out.pcap host HOST and port PORT  # ",
                "on-other-host-whose-connection-arrives",
            ),
            line(
                "ss -tnp dst HOST; nft list ruleset | grep -E 'redirect|tproxy|dnat'  # ",
                "on-sending-host-local-proxy",
            ),
        ],
    )
}

/// From the beginning.
pub fn capture_from_syn() -> Fix {
    fix(
        "capture-from-syn",
        FixPlace::Capture,
        vec![line("tcpdump -ni any -s 128 -w out.pcap host HOST and port PORT  # ", "before-the-connection-opens")],
    )
}

/// Without drops.
pub fn capture_without_drops() -> Fix {
    fix(
        "larger-snaplen-buffer",
        FixPlace::Capture,
        vec!["tcpdump -ni eth0 -s 128 -B 65536 -w /dev/shm/out.pcap host HOST and port PORT".into()],
    )
}

/// Nothing to change: offload.
pub fn offload_is_normal() -> Fix {
    fix(
        "disable-offload-note",
        FixPlace::Capture,
        vec![line("ethtool -K eth0 tso off gso off gro off lro off             # ", "for-a-test-only")],
    )
}

/// The sender's own socket state.
pub fn sample_socket() -> Fix {
    fix(
        "sample-socket",
        FixPlace::Capture,
        vec![line("ss -tmin dst HOST                                          # ", "on-sending-host-while-it-runs")],
    )
}

/// Each packet once.
pub fn capture_at_one_place() -> Fix {
    fix(
        "capture-at-one-place",
        FixPlace::Capture,
        vec![line("tcpdump -ni eth0 -s 128 -w out.pcap host HOST and port PORT  # ", "one-interface-not-any")],
    )
}
