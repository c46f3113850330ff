//! Connections from packets in the text of tests.

use tcpwhy_testkit::script;

use super::ConnectionState;

/// SYN, SYN-ACK and ACK over 20 ms, as seen at the client.
pub(super) const HANDSHAKE: &str = "0.000 > S 0:0(0) win 65535 <mss 1460>
    0.020 < S. 0:0(0) ack 1 win 65535 <mss 1460>
    0.020 > . 1:1(0) ack 1 win 65535
";

/// The state of a connection after these packets.
pub(super) fn state(text: &str) -> ConnectionState {
    let segments = script(text).segments;
    let mut state = ConnectionState::new(0, &segments[0]);
    for segment in &segments {
        state.observe(segment);
    }
    state
}

/// The state after a handshake and these packets.
pub(super) fn after_handshake(text: &str) -> ConnectionState {
    state(&format!("{HANDSHAKE}{text}"))
}

/// The state after a handshake and these packets, without a summary of the directions before the end.
pub(super) fn traced_after_handshake(text: &str) -> ConnectionState {
    let segments = script(&format!("{HANDSHAKE}{text}")).segments;
    let mut state = ConnectionState::new(0, &segments[0]).traced();
    for segment in &segments {
        state.observe(segment);
    }
    state
}
