//! How connections end, and captures that are cut, on the running kernel. Where namespaces or TAP devices are
//! not allowed the tests report it and pass, unless the machine promised them (`tcpwhy_testkit::skip`).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

mod common;

use std::path::Path;

use common::transfer;
use tcpwhy_capture::CaptureReader;
use tcpwhy_lab::truth::{Ended, Held, How, Outcome};
use tcpwhy_lab::{Recording, address};
use tcpwhy_model::{Segment, TcpFlags};
use tcpwhy_scenario::End;

fn segments(path: &Path) -> Vec<Segment> {
    let mut capture = CaptureReader::open(path).unwrap();
    let mut segments = Vec::new();
    while capture.read_batch(&mut segments, 1 << 20) {}
    segments
}

/// The truth about the end of the connection. It must be the same when it is read back.
fn ended(recording: &Recording) -> Ended {
    let truth = recording.truth();
    assert_eq!(truth.outcome, Outcome::Complete);
    assert_eq!(Recording::open(recording.folder()).unwrap().truth().ended, truth.ended);
    truth.ended
}

#[test]
fn either_end_resets_a_transfer() {
    for by in End::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            r#"
            [link]
            rtt = "10ms"
            rate = "100mbit"
            [work.stream]
            phases = [{{ bytes = "20MB" }}]
            ending = {{ reset = {{ by = "{by}", after = "3MB" }} }}
            "#
        );
        let Some(recording) = transfer(&text, folder.path()).map(Result::unwrap) else { return };
        let Ended { how, by: who, at } = ended(&recording);
        assert_eq!((how, who), (How::Reset, Some(by)));
        let truth = recording.truth();
        let moved = if by == End::Sender { truth.bytes } else { truth.bytes_received };
        assert_eq!(moved, 3_000_000);
        let first = segments(&recording.capture(by)).into_iter().find(|s| s.flags.contains(TcpFlags::RST)).unwrap();
        assert_eq!(first.source.address, address(4, by));
        let apart = first.timestamp.as_nanos() as f64 / 1e9 - at.unwrap();
        assert!(apart.abs() < 0.005, "the RST left {apart} s after it was asked for");
    }
}

#[test]
fn a_goodbye_follows_a_silence() {
    for by in End::BOTH {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            r#"
            link.rtt = "10ms"
            [work.stream]
            phases = [{{ bytes = "20kB" }}]
            ending = {{ goodbye = {{ by = "{by}", after = "700ms", bytes = "31B" }} }}
            "#
        );
        let Some(recording) = transfer(&text, folder.path()).map(Result::unwrap) else { return };
        let Ended { how, by: who, .. } = ended(&recording);
        assert_eq!((how, who), (How::Closed, Some(by)));
        let all = segments(&recording.capture(by));
        let index = all.iter().rposition(|segment| segment.payload_len == 31).unwrap();
        assert_eq!(all[index].source.address, address(4, by));
        let silence = all[index].timestamp.since(all[index - 1].timestamp);
        assert!((650_000_000..900_000_000).contains(&silence), "{silence} ns");
        let first_fin = all.iter().find(|segment| segment.flags.contains(TcpFlags::FIN)).unwrap();
        assert_eq!(first_fin.source.address, address(4, by));
        assert!(recording.truth().sampled_pct[&Held::Idle] > 60.0, "{:?}", recording.truth().sampled_pct);
    }
}

#[test]
fn the_last_request_has_an_ack_and_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        link.rtt = "10ms"
        [work.turns]
        sender_asks = true
        count = 3
        request = ["200B"]
        response = ["900B"]
        ending = { unanswered = { patience = "600ms" } }
    "#;
    let Some(recording) = transfer(text, folder.path()).map(Result::unwrap) else { return };
    let Ended { how, by, .. } = ended(&recording);
    assert_eq!((how, by), (How::GaveUp, Some(End::Sender)));
    let all = segments(&recording.capture(End::Sender));
    let of = |bytes| all.iter().filter(|segment| segment.payload_len == bytes).count();
    assert_eq!((of(200), of(900)), (3, 2));
    let request = all.iter().rposition(|segment| segment.payload_len == 200).unwrap();
    let ack = &all[request + 1];
    assert_eq!((ack.source.address, ack.ack), (address(4, End::Receiver), all[request].seq.plus(200)));
    let fin = all[request..].iter().find(|segment| segment.flags.contains(TcpFlags::FIN)).unwrap();
    let patience = fin.timestamp.since(all[request].timestamp);
    assert!((550_000_000..800_000_000).contains(&patience), "{patience} ns");
}

/// The receiver stalls in the first half, so the truth of the captured half differs from that of the whole.
#[test]
fn the_truth_of_a_cut_capture_is_that_of_its_stretch() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
        [link]
        rtt = "10ms"
        rate = "100mbit"
        [receiver]
        rcvbuf = "32KiB"
        [capture]
        begin = "1500ms"
        [work.stream]
        opener = "sender"
        phases = [{ bytes = "1MB", read = { delay = "1s" } }, { bytes = "4MB", write = { rate = "16mbit", every = "5ms" } }]
    "#;
    let Some(recording) = transfer(text, folder.path()).map(Result::unwrap) else { return };
    let truth = recording.truth();
    let share = |held| truth.sampled_pct.get(&held).copied().unwrap_or_default();
    assert!(share(Held::Rwnd) < 10.0, "{:?}", truth.sampled_pct);
    let samples = recording.samples(End::Sender).unwrap();
    let whole = truth.sampled_in(recording.scenario(), &samples, truth.stretch());
    assert!(whole[&Held::Rwnd] > share(Held::Rwnd) + 20.0, "{whole:?} and {:?}", truth.sampled_pct);
    let mut begins = Vec::new();
    for end in End::BOTH {
        let all = segments(&recording.capture(end));
        assert!(all.iter().all(|segment| !segment.flags.contains(TcpFlags::SYN)), "captured at the {end}");
        begins.push(all[0].timestamp.as_nanos() as f64 / 1e9 - truth.times["t_open"].snd.unwrap());
    }
    assert!(begins.iter().all(|begin| (1.499..1.6).contains(begin)), "{begins:?}");
}
