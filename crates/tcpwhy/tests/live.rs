//! `tcpwhy live` on connections of this test's own.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// A writer that is never read: its peer's window closes.
struct Stalled {
    port: u16,
    is_over: Arc<AtomicBool>,
    writer: Option<JoinHandle<()>>,
    _reader: TcpStream,
}

impl Stalled {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut sender = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (mut reader, _) = listener.accept().unwrap();
        sender.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let writer = std::thread::spawn({
            let is_over = Arc::clone(&is_over);
            move || {
                while !is_over.load(Ordering::Relaxed) {
                    let _ = sender.write(&vec![0; 65_536]);
                }
            }
        });
        // The connection moves, so that it is not left out.
        reader.read_exact(&mut [0; 1000]).unwrap();
        Self { port, is_over, writer: Some(writer), _reader: reader }
    }
}

impl Drop for Stalled {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = self.writer.take().map(JoinHandle::join);
    }
}

fn live(args: &[&str]) -> Output {
    Command::new(cargo_bin!("tcpwhy")).arg("live").args(args).env("LC_ALL", "C.UTF-8").output().unwrap()
}

#[test]
fn groups_are_rows_too() {
    let _stalled = [Stalled::start(), Stalled::start()];
    let output = live(&["--once", "--for", "1s", "--by", "port", "--top", "1", "peer:127.0.0.1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("more group"), "{text}");
    for other in ["--json", "--jsonl"] {
        let refused = live(&["--by", "port", other]);
        assert_eq!(refused.status.code(), Some(2), "{other}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("--by"), "{other}");
    }
}

#[test]
fn a_closed_window_is_named_everywhere() {
    let stalled = Stalled::start();
    let peer = format!("peer:127.0.0.1:{}", stalled.port);
    let watch = ["--cpu", "100%", "--idle", &peer];
    let once = live(&[&["--once", "--width", "140"], &watch[..]].concat());
    let text = String::from_utf8(once.stdout).unwrap();
    assert!(once.status.success() && text.contains("receive window"), "{text}");

    let gate = live(&[&["--once", "--fail-on", "receive_window:50%"], &watch[..]].concat());
    assert_eq!(gate.status.code(), Some(1));
    let gate = live(&[&["--once", "--fail-on", "send_buffer:50%"], &watch[..]].concat());
    assert_eq!(gate.status.code(), Some(0));

    let document = live(&[&["--json", "--for", "1s"], &watch[..]].concat());
    let document: Value = serde_json::from_slice(&document.stdout).unwrap();
    let schema = Command::new(cargo_bin!("tcpwhy")).args(["schema", "live"]).output().unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(document["schema"], "tcpwhy/1");
    let connection = &document["connections"][0];
    assert_eq!(connection["process"]["pid"], std::process::id());
    assert_eq!((&connection["source"], &connection["has_ended"]), (&"kernel".into(), &false.into()));
    let half = &connection["halves"][0];
    assert_eq!((&half["seen_from"], &half["verdict"]["limit"]), (&"sender".into(), &"receive_window".into()));
    let seconds: f64 = half["limits"].as_array().unwrap().iter().map(|limit| limit["seconds"].as_f64().unwrap()).sum();
    assert!((seconds - connection["duration_s"].as_f64().unwrap()).abs() < 0.001, "{connection}");
    let limit = &half["limits"][0];
    let [low, share, high] = ["low_share", "share", "high_share"].map(|key| limit[key].as_f64().unwrap());
    assert!(low <= share && share <= high && low < 1.0, "{limit}");

    let lines = live(&[&["--jsonl", "--for", "1s"], &watch[..]].concat());
    let lines = String::from_utf8(lines.stdout).unwrap();
    let kinds: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert!(kinds.contains(&"interval".to_owned()) && kinds.contains(&"connection".to_owned()), "{lines}");
    assert_eq!(kinds.last().unwrap(), "host");
}

#[test]
fn what_works_here_is_tried() {
    let output = live(&["--check"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("sock_diag") && text.contains("runs here"), "{text}");
    let output = live(&["--check", "--lang", "zh-CN"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("可在此运行"));
}

#[test]
fn wrong_use_is_one_line() {
    for args in [&["--cpu", "0"][..], &["port:x"], &["--once", "--json"], &["--rate", "100"], &["--for", "x"]] {
        let output = live(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
    // Not a terminal.
    let output = live(&["--for", "1s"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && text.contains("needs a terminal") && text.lines().count() == 1,
        "{text}"
    );
}
