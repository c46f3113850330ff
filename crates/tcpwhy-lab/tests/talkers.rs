//! Conversations on the running kernel: both programs play the script, and its exchanges are noted. Where
//! namespaces or TAP devices are not allowed the tests report it and pass, unless the machine promised them
//! (`tcpwhy_testkit::skip`).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod common;

use std::path::Path;

use common::transfer;
use tcpwhy_capture::CaptureReader;
use tcpwhy_lab::truth::{Conversation, Outcome};
use tcpwhy_lab::{Recording, address};
use tcpwhy_model::Segment;
use tcpwhy_scenario::{End, Role, TalkKind};

/// The shortest conversation with a message of each role.
const TEXT: &str = r#"
    link.rtt = "10ms"
    sender.nodelay = true
    receiver.nodelay = true
    [work.talk]
    kind = "web-socket"
    tls = true
    [[work.talk.parts]]
    messages = [
        { by = "receiver", role = "handshake", bytes = "517B" },
        { by = "sender", role = "handshake", bytes = "3kB" },
    ]
    [[work.talk.parts]]
    times = 2
    messages = [
        { by = "receiver", role = "request", bytes = "200B" },
        { by = "receiver", role = "request", bytes = "50B", after = "5ms" },
        { by = "sender", role = "answer", bytes = "20kB", after = "30ms" },
        { by = "sender", role = "push", bytes = "500B", after = "40ms" },
        { by = "receiver", role = "acknowledgement", bytes = "32B", after = "1ms" },
        { by = "receiver", role = "push", bytes = "80B", after = "20ms", unheard = true },
        { by = "sender", role = "heartbeat", bytes = "24B", after = "15ms", unheard = true },
    ]
    [[work.talk.parts]]
    messages = [
        { by = "receiver", role = "goodbye", bytes = "31B", after = "20ms" },
    ]
"#;

fn payload(capture: &Path, end: End) -> u64 {
    let mut capture = CaptureReader::open(capture).unwrap();
    let mut segments: Vec<Segment> = Vec::new();
    while capture.read_batch(&mut segments, 1 << 20) {}
    let of_end = segments.iter().filter(|segment| segment.source.address == address(4, end));
    of_end.map(|segment| u64::from(segment.payload_len)).sum()
}

#[test]
fn a_script_is_played_and_its_exchanges_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let Some(recording) = transfer(TEXT, folder.path()).map(Result::unwrap) else { return };
    let truth = recording.truth();
    assert_eq!(truth.outcome, Outcome::Complete);
    assert_eq!((truth.bytes, truth.bytes_received), (3000 + 2 * 20_524, 3000 + 2 * 20_524));
    let said: Conversation = truth.conversation.clone().unwrap();
    assert_eq!(Recording::open(folder.path()).unwrap().truth().conversation.as_ref(), Some(&said));

    assert_eq!((said.kind, said.asks, said.is_held), (TalkKind::WebSocket, Some(End::Receiver), false));
    assert_eq!((said.exchanges, said.requests, said.messages.len()), (2, 4, 17));
    // The program sleeps for 30 ms, and starts a little later on a busy machine.
    for seconds in &said.each_s {
        assert!((0.030..0.060).contains(seconds), "{seconds} s");
    }
    let sum: f64 = said.each_s.iter().sum();
    assert!((said.server_s.unwrap() - sum).abs() < 1e-5);

    let roles = |role: Role| said.messages.iter().filter(move |message| message.role == role);
    assert_eq!((roles(Role::Push).count(), roles(Role::Goodbye).count()), (4, 1));
    for message in &said.messages {
        let (from, to) = (message.said.unwrap(), message.heard.unwrap());
        // At least half a round trip passes; the clock has a precision of 1 µs.
        assert!(to - from > 0.004_99, "{message:?}");
    }
    for end in End::BOTH {
        let bytes: u64 = said.messages.iter().filter(|message| message.by == end).map(|message| message.bytes).sum();
        assert_eq!(payload(&recording.capture(end), end), bytes, "{end}");
    }
}
