//! Transfers on the running kernel, a few seconds each. If namespaces or TAP devices are not allowed, the
//! tests report it and pass, unless the machine promised them (`tcpwhy_testkit::skip`).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use tcpwhy_capture::CaptureReader;
use tcpwhy_lab::truth::{Held, Outcome, Truth};
use tcpwhy_lab::{LabError, Recording};
use tcpwhy_scenario::{End, Work};

/// Runs [`common::transfer`]; an aborted recording is an error.
fn transfer(text: &str, folder: &Path) -> Option<Result<Recording, LabError>> {
    common::transfer(text, folder).map(|result| result.and_then(Recording::unbroken))
}

fn percent(truth: &Truth, held: Held) -> f64 {
    truth.sampled_pct.get(&held).copied().unwrap_or_default()
}

/// Payload bytes from the sender in a capture, retransmissions included.
fn payload(recording: &Recording, end: End) -> u64 {
    let from = tcpwhy_lab::address(recording.scenario().ip_version, End::Sender);
    let mut capture = CaptureReader::open(&recording.capture(end)).unwrap();
    let mut segments = Vec::new();
    let mut bytes = 0;
    while capture.read_batch(&mut segments, 4096) {
        let ours = segments.drain(..).filter(|segment| segment.source.address == from);
        bytes += ours.map(|segment| u64::from(segment.payload_len)).sum::<u64>();
    }
    bytes
}

/// Conditions for every transfer that ends well and loses nothing.
#[track_caller]
fn check_whole(recording: &Recording) {
    let truth = recording.truth();
    let bytes = match &recording.scenario().work {
        Work::Stream(stream) => stream.bytes(),
        Work::Turns(turns) => turns.bytes(),
        Work::Talk(_) | Work::Application(_) => unreachable!(),
    };
    assert_eq!(truth.outcome, Outcome::Complete);
    assert_eq!(truth.bytes, bytes);
    for end in End::BOTH {
        let samples = recording.samples(end).unwrap();
        assert_eq!(samples.len(), truth.quality.samples[end.index()]);
        assert!(samples.len() > 50, "{} samples in {} s", samples.len(), truth.duration_s);
        assert!(samples.is_sorted_by_key(|sample| sample.time));
        assert_eq!(payload(recording, end), bytes + truth.bytes_retrans.unwrap(), "captured at the {end}");
    }
    assert_eq!(truth.quality.capture_drops, 0);
    assert!((truth.sampled_pct.values().sum::<f64>() - 100.0).abs() < 1.0, "{:?}", truth.sampled_pct);
}

#[test]
fn a_small_send_buffer_holds_the_sender() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [expect]
        verdict = ["send_buffer"]
        [link]
        rtt = "20ms"
        rate = "1gbit"
        [sender]
        sndbuf = "16KiB"
        [work.stream]
        phases = [{ bytes = "8MB" }]
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let truth = recording.truth();
    assert!(percent(truth, Held::Sndbuf) > 80.0, "{:?}", truth.sampled_pct);
    assert_eq!(truth.bytes_received, 8_000_000);
    assert_eq!(truth.label, "sndbuf");
    assert_eq!(truth.sk_sndbuf, Some([32_768, 32_768]), "doubled, and locked");
    // With one buffer of 16 KiB per round trip, the transfer would take 12 s, but the kernel allows more in
    // flight. At the rate of the link it would take 64 ms.
    assert!((0.3..6.0).contains(&truth.duration_s), "{}", truth.duration_s);
    let read = Recording::open(folder.path()).unwrap();
    assert_eq!(read.scenario(), recording.scenario());
    assert_eq!(read.truth().sampled_pct, truth.sampled_pct);
    assert_eq!(read.truth().sender_tcp_info, truth.sender_tcp_info);
}

#[test]
fn a_small_receive_buffer_holds_the_sender_over_ipv6_without_offload() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        ip_version = 6
        [expect]
        verdict = ["receive_window/small_buffer"]
        [link]
        rtt = "30ms"
        [sender]
        offload = false
        [receiver]
        offload = false
        rcvbuf = "16KiB"
        [work.stream]
        opener = "sender"
        phases = [{ bytes = "500kB", write = { size = "3000B" } }]
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let truth = recording.truth();
    assert!(percent(truth, Held::Rwnd) > 80.0, "{:?}", truth.sampled_pct);
    assert!((0.030..0.040).contains(&truth.handshake_s), "{}", truth.handshake_s);
}

#[test]
fn phases_and_paces() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [expect]
        verdict = ["application/paced_writes"]
        [link]
        rtt = "4ms"
        rate = "200mbit"
        [sender]
        nodelay = true
        [[work.stream.phases]]
        bytes = "500kB"
        imposes = "application/paced_writes"
        write = { size = "4000B", rate = "8mbit", every = "10ms" }
        [[work.stream.phases]]
        bytes = "4MB"
        imposes = "receive_window/slow_reader"
        read = { size = "32KiB", rate = "32mbit", every = "8ms" }
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let truth = recording.truth();
    assert_eq!(truth.label, "mixed");
    let [paced, slow] = truth.timeline.as_slice() else { panic!("{:?}", truth.timeline) };
    assert_eq!((paced.source.as_str(), slow.source.as_str()), ("writer", "reader"));
    let share = |held| paced.sampled_pct.get(&held).copied().unwrap_or_default();
    assert!(share(Held::App) + share(Held::Idle) > 90.0, "{:?}", paced.sampled_pct);
    // The phases are 500 kB at 1 MB/s, and 4 MB at 4 MB/s minus a portion and the buffers.
    assert!((0.48..0.60).contains(&(paced.end - paced.start)), "{paced:?}");
    assert!((0.9..1.3).contains(&(slow.end - slow.start)), "{slow:?}");
    assert!(truth.app_ms.writer_asleep > 450.0 && truth.app_ms.reader_asleep > 800.0, "{:?}", truth.app_ms);
}

#[test]
fn counters_of_both_ends_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [expect]
        verdict = ["receive_window/zero_window"]
        counters = { receiver = ["TcpExtTCPToZeroWindowAdv", "TcpExtPruneCalled"] }
        [link]
        rtt = "2ms"
        rate = "200mbit"
        [receiver]
        rcvbuf = "64KiB"
        [work.stream]
        opener = "sender"
        phases = [{ bytes = "500kB" }, { bytes = "500kB", read = { delay = "500ms" } }]
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let read = Recording::open(folder.path()).unwrap();
    let counted = &read.truth().counted;
    let [sender, receiver] = End::BOTH.map(|end| counted.at(end));
    let count = |counters: &BTreeMap<String, u64>, name: &str| counters.get(name).copied();
    assert_eq!(count(sender, "TcpActiveOpens"), Some(1), "{sender:?}");
    assert_eq!(count(receiver, "TcpPassiveOpens"), Some(1), "{receiver:?}");
    // The receiver advertised a zero window and reopened it, and the sender probed it.
    for name in ["TcpExtTCPToZeroWindowAdv", "TcpExtTCPFromZeroWindowAdv"] {
        assert!(count(receiver, name).unwrap_or_default() >= 1, "{name}: {receiver:?}");
        assert_eq!(count(sender, name), None, "{name}: {sender:?}");
    }
    assert!(count(sender, "TcpExtTCPWinProbe").unwrap_or_default() >= 1, "{sender:?}");
    // All segments of the namespace belong to this transfer. The kernel counts a super-packet as its
    // segments.
    let segments = 1_000_000_u64.div_ceil(1460);
    assert!(count(receiver, "TcpInSegs").unwrap_or_default() > segments / 50, "{receiver:?}");
    assert!(count(sender, "TcpOutSegs").unwrap_or_default() >= segments, "{sender:?}");
    // An expected counter is listed even if it did not change, so that a missing counter can be
    // distinguished.
    assert!(count(receiver, "TcpExtPruneCalled").is_some(), "{receiver:?}");
    assert_eq!(count(sender, "TcpExtPruneCalled"), None);
}

#[test]
fn turns_meet_nagle_and_delayed_acks() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [expect]
        verdict = ["ack_delay"]
        [link]
        rtt = "2ms"
        [work.turns]
        sender_asks = true
        count = 15
        request = ["100B", "400B"]
        response = ["200B"]
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let truth = recording.truth();
    assert!(percent(truth, Held::Nagle) > 70.0, "{:?}", truth.sampled_pct);
    // Each takes 40 ms (TCP_DELACK_MIN), except the first, whose acknowledgements are quick.
    assert!((0.4..1.0).contains(&truth.duration_s), "{}", truth.duration_s);
}

/// Two streams with windows of 20 kB share 32 kB of the connection.
#[test]
fn a_protocols_window_holds_the_sender() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [expect]
        verdict = ["application/peer_window"]
        [link]
        rtt = "20ms"
        rate = "200mbit"
        [sender]
        nodelay = true
        [receiver]
        nodelay = true
        [work.stream]
        phases = [{ bytes = "1MB", write = { size = "4KiB" } }]
        credit = { window = "20kB", connection_window = "32kB", after = "10kB", grant = "35B", header = "31B", streams = 2 }
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    let truth = recording.truth();
    assert_eq!((&truth.outcome, truth.label.as_str()), (&Outcome::Complete, "app"));
    assert!(percent(truth, Held::PeerWindow) > 80.0, "{:?}", truth.sampled_pct);
    // Nothing else waited, so the writer's own clock agrees with the samples.
    let waited = truth.app_ms.peer_window / 1000.0 / truth.duration_s;
    assert!((0.75..1.0).contains(&waited) && truth.app_ms.send_blocked < 100.0, "{:?}", truth.app_ms);
    // Each frame has a header in addition to the data.
    let frames = (truth.bytes - 1_000_000) / 31;
    assert!((truth.bytes - 1_000_000) % 31 == 0 && (245..600).contains(&frames), "{frames} frames");
    assert_eq!(truth.bytes_received, truth.bytes);
    // At most 32 kB per round trip and at least half of that, because a grant comes after half of a window
    // was read.
    assert!((0.6..1.5).contains(&truth.duration_s), "{}", truth.duration_s);
}

/// 4 blocks of 8 kB per round trip. A program with one request at a time only waits for its answer.
#[test]
fn blocks_wait_for_their_answers() {
    let folder = tempfile::tempdir().unwrap();
    let text = |ahead: u32, count: u32| {
        format!(
            r#"
            [expect]
            verdict = ["application/peer_window"]
            [link]
            rtt = "20ms"
            rate = "200mbit"
            [sender]
            nodelay = true
            # Nagle's algorithm would keep answers back, too.
            [receiver]
            nodelay = true
            [work.turns]
            sender_asks = true
            ahead = {ahead}
            count = {count}
            request = ["8000B"]
            response = ["30B"]
        "#
        )
    };
    let Some(result) = transfer(&text(4, 160), folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let truth = recording.truth();
    assert!(percent(truth, Held::PeerWindow) > 80.0, "{:?}", truth.sampled_pct);
    assert!((0.8..1.3).contains(&truth.duration_s), "40 round trips: {}", truth.duration_s);
    let Some(result) = transfer(&text(1, 40), folder.path()) else { return };
    let recording = result.unwrap();
    let truth = recording.truth();
    assert_eq!(percent(truth, Held::PeerWindow).to_string(), "0", "{:?}", truth.sampled_pct);
    assert!(truth.app_ms.sender_recv_blocked > 600.0, "{:?}", truth.app_ms);
}

/// A forwarder waits for its send buffer in `poll()`.
#[test]
fn a_forwarder_waits_in_poll() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [expect]
        verdict = ["send_buffer"]
        [link]
        rtt = "20ms"
        rate = "200mbit"
        [sender]
        sndbuf = "16KiB"
        nodelay = true
        [work.stream]
        phases = [{ bytes = "1MB", write = { size = "8KiB", waits = "poll" }, read = { waits = "poll" } }]
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let truth = recording.truth();
    assert!(percent(truth, Held::Sndbuf) > 80.0, "{:?}", truth.sampled_pct);
    let blocked = truth.app_ms.send_blocked / 1000.0 / truth.duration_s;
    assert!((0.8..1.0).contains(&blocked), "{:?}", truth.app_ms);
    assert!(truth.app_ms.recv_blocked > 0.8 * truth.duration_s * 1000.0, "{:?}", truth.app_ms);
    // About 20 kB per round trip: `poll` waits until one third of the buffer is free.
    assert!((0.7..1.6).contains(&truth.duration_s), "{}", truth.duration_s);
}

#[test]
fn writes_vary_and_their_mean_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        seed = 2
        [expect]
        verdict = ["application"]
        [link]
        rtt = "10ms"
        rate = "200mbit"
        [sender]
        nodelay = true
        [work.stream]
        phases = [{ bytes = "400kB", write = { portion = "4kB", every = "10ms", varies = "uniform" } }]
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    let recording = result.unwrap();
    check_whole(&recording);
    let truth = recording.truth();
    assert!(percent(truth, Held::App) + percent(truth, Held::Idle) > 90.0, "{:?}", truth.sampled_pct);
    // 100 pauses with a mean of 10 ms. The standard deviation of their sum is 0.08 s; this seed gives 0.96 s.
    assert!((0.75..1.35).contains(&truth.duration_s), "{}", truth.duration_s);
    let samples = recording.samples(End::Sender).unwrap();
    let steps: Vec<u64> = samples
        .windows(2)
        .filter_map(|pair| Some(pair[1].program?.bytes - pair[0].program?.bytes))
        .filter(|&step| step > 0)
        .collect();
    let sizes: std::collections::BTreeSet<u64> = steps.iter().map(|step| step / 500).collect();
    assert!(steps.len() > 50 && sizes.len() > 10, "{steps:?}");
}

/// The congestion control and minimum timeout of the host's route apply to programs that set nothing.
#[test]
fn a_route_sets_congestion_control_and_minimum_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let text = |minimum: &str| {
        format!(
            r#"
            [expect]
            verdict = ["loss_recovery/rto"]
            [link]
            rtt = "2ms"
            forward = {{ lose_data = [10] }}
            [sender]
            congestion_control = "reno"
            congestion_control_by = "host"
            nodelay = true
            {minimum}
            [work.turns]
            sender_asks = true
            count = 20
            request = ["100B"]
            response = ["100B"]
        "#
        )
    };
    for (minimum, took) in [("", 0.2..0.6), ("rto_min = \"700ms\"", 0.7..1.1)] {
        let Some(result) = transfer(&text(minimum), folder.path()) else { return };
        let recording = result.unwrap();
        let truth = recording.truth();
        assert_eq!((&truth.outcome, truth.total_retrans), (&Outcome::Complete, Some(1)));
        assert_eq!(truth.congestion_control, "reno");
        assert!(took.contains(&truth.duration_s), "{minimum}: {}", truth.duration_s);
    }
}

#[test]
fn a_path_that_dies_is_an_outcome() {
    let text = r#"
        deadline = "4s"
        [expect]
        verdict = ["loss_recovery/rto"]
        [link]
        rtt = "10ms"
        rate = "50mbit"
        [[link.change]]
        at = "300ms"
        to = { loss = "100%" }
        [sender]
        sysctl = { "net.ipv4.tcp_retries2" = "1" }
        [work.stream]
        opener = "sender"
        phases = [{ bytes = "20MB" }]
    "#;
    let folder = tempfile::tempdir().unwrap();
    let Some(result) = transfer(text, folder.path()) else { return };
    let how = match result.unwrap_err() {
        LabError::Broken(how) => how,
        other => panic!("{other}"),
    };
    assert!(how.contains("sender: ") && how.contains("receiver: "), "{how}");
    let expected = text.replace("[expect]\n", "[expect]\nbreaks = true\n");
    let recording = transfer(&expected, folder.path()).unwrap().unwrap();
    let truth = recording.truth();
    assert!(matches!(truth.outcome, Outcome::Broken(_)));
    assert!(truth.bytes_received < truth.bytes && truth.bytes < 20_000_000, "{} {}", truth.bytes_received, truth.bytes);
    assert!(percent(truth, Held::Loss) > 30.0, "{:?}", truth.sampled_pct);
}

#[test]
fn the_whole_stream_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        deadline = "1s"
        [expect]
        verdict = []
        [link]
        rtt = "10ms"
        [work.stream]
        phases = [{ bytes = "1MB", write = { delay = "20s" } }]
    "#;
    let Some(result) = transfer(text, folder.path()) else { return };
    assert!(matches!(result, Err(LabError::Broken(_))), "{result:?}");
}

#[test]
fn a_recording_replaces_what_is_there_and_follows_no_link() {
    let above = tempfile::tempdir().unwrap();
    let (precious, folder) = (above.path().join("precious"), above.path().join("recording"));
    std::fs::write(&precious, "precious").unwrap();
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("notes"), "mine").unwrap();
    for name in ["scenario.toml", "sender.pcapng", "sender_series.csv", "truth.json"] {
        std::os::unix::fs::symlink(&precious, folder.join(name)).unwrap();
    }
    let text = r#"
        [expect]
        verdict = []
        [link]
        rtt = "10ms"
        [work.stream]
        phases = [{ bytes = "100kB" }]
    "#;
    let Some(result) = transfer(text, &folder) else { return };
    result.unwrap();
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
    assert_eq!(std::fs::read_to_string(folder.join("notes")).unwrap(), "mine");
    let entries: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()).collect();
    assert_eq!(entries.len(), 8, "seven files of a recording and the notes: {entries:?}");
    assert!(entries.iter().all(|entry| entry.file_type().unwrap().is_file()), "{entries:?}");
    // The folder itself must not be a link or belong to another user.
    std::os::unix::fs::symlink("recording", above.path().join("link")).unwrap();
    let refused = transfer(text, &above.path().join("link")).unwrap().unwrap_err();
    assert!(matches!(refused, LabError::Write(_)), "{refused}");
}

#[test]
fn what_is_left_of_a_run_is_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sender.pcapng"), "").unwrap();
    let error = Recording::open(folder.path()).unwrap_err();
    assert!(matches!(error, LabError::NotARecording { .. }), "{error}");
    std::fs::write(folder.path().join("truth.json"), "{\"name\": \"half").unwrap();
    assert!(Recording::open(folder.path()).is_err());
}
