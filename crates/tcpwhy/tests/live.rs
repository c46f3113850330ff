//! `tcpwhy live` on connections of this test.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tcpwhy_testkit::in_namespace;

/// A writer whose peer does not read, so that the peer advertises a zero window.
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
        // Some data is transferred, because idle connections are omitted.
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

/// The program built with the tests, or the one that `TCPWHY_PROGRAM` names, because guests with other
/// kernels lack this folder.
fn program() -> PathBuf {
    std::env::var_os("TCPWHY_PROGRAM").map_or_else(|| cargo_bin!("tcpwhy").into(), PathBuf::from)
}

fn live(args: &[&str]) -> Output {
    Command::new(program()).arg("live").args(args).env("LC_ALL", "C.UTF-8").output().unwrap()
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
    let watch = ["--mode", "samples", "--cpu", "100%", "--idle", &peer];
    let once = live(&[&["--once", "--width", "140"], &watch[..]].concat());
    let text = String::from_utf8(once.stdout).unwrap();
    assert!(once.status.success() && text.contains("zero window"), "{text}");

    let gate = live(&[&["--once", "--fail-on", "receive_window:50%"], &watch[..]].concat());
    assert_eq!(gate.status.code(), Some(1));
    let gate = live(&[&["--once", "--fail-on", "send_buffer:50%"], &watch[..]].concat());
    assert_eq!(gate.status.code(), Some(0));

    let document = live(&[&["--json", "--for", "1s"], &watch[..]].concat());
    let document: Value = serde_json::from_slice(&document.stdout).unwrap();
    let schema = Command::new(program()).args(["schema", "live"]).output().unwrap();
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

/// Whether the kernel measures limits for this process. `MUST_HAVE_BPF` requires it in CI.
fn has_accounts() -> bool {
    let output = live(&["--mode", "bpf", "--once", "--for", "0.1s"]);
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(std::env::var_os("MUST_HAVE_BPF").is_none(), "MUST_HAVE_BPF is set, yet {why}");
        eprintln!("skipped: {why}");
    }
    output.status.success()
}

/// Whether that process has loaded its kernel programs. The iterator is loaded last.
fn is_attached(pid: u32) -> bool {
    let files = std::fs::read_dir(format!("/proc/{pid}/fdinfo")).into_iter().flatten().filter_map(Result::ok);
    let mut texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
    texts.any(|text| text.contains("link_type:\titer"))
}

/// Watches with kernel programs while `work` runs. Returns the document and the result of `work`.
fn accounted<T>(seconds: &str, args: &[&str], work: impl FnOnce() -> T) -> (Value, T) {
    let mut command = Command::new(program());
    command.args(["live", "--mode", "bpf", "--json", "--for", seconds, "--cpu", "100%"]).args(args);
    let watching = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let began = std::time::Instant::now();
    while !is_attached(watching.id()) && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let result = work();
    let output = watching.wait_with_output().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), result)
}

/// The connection from `port` of this process, as seen by the sender's socket.
fn sender(document: &Value, port: u16) -> &Value {
    let is_it = |c: &&Value| c["endpoints"][0]["port"] == port;
    document["connections"].as_array().unwrap().iter().find(is_it).expect("the connection is there")
}

#[track_caller]
fn check_sums(connection: &Value) {
    let limits = connection["halves"][0]["limits"].as_array().unwrap();
    let seconds: f64 = limits.iter().map(|limit| limit["seconds"].as_f64().unwrap()).sum();
    assert!((seconds - connection["duration_s"].as_f64().unwrap()).abs() < 0.001, "{connection}");
}

/// Writes to a reader for this time. Returns the local port, and the seconds spent in `write`. The writer
/// pauses for `pause` between writes, and the reader for `nap` between reads of 20 kB.
fn transfer(lasts: Duration, pause: Duration, nap: Duration) -> (u16, f64) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut writer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut reader, _) = listener.accept().unwrap();
    let port = writer.local_addr().unwrap().port();
    let reading = std::thread::spawn(move || {
        let mut buffer = vec![0; 20_000];
        while reader.read(&mut buffer).is_ok_and(|length| length > 0) {
            std::thread::sleep(nap);
        }
    });
    let block = vec![0; 65_536];
    let (began, mut inside) = (std::time::Instant::now(), 0.0);
    while began.elapsed() < lasts {
        let before = std::time::Instant::now();
        writer.write_all(&block).unwrap();
        inside += before.elapsed().as_secs_f64();
        std::thread::sleep(pause);
    }
    drop(writer);
    reading.join().unwrap();
    (port, inside)
}

#[test]
fn the_kernel_adds_up_what_held() {
    if !has_accounts() {
        return;
    }
    let (document, (port, _)) =
        accounted("4s", &[], || transfer(Duration::from_millis(1500), Duration::from_millis(100), Duration::ZERO));
    let host = &document["host"];
    assert_eq!((&host["mode"], &host["mode_reason"], &host["lost_events"]), (&"bpf".into(), &Value::Null, &0.into()));
    let paced = sender(&document, port);
    // It may have begun and ended between two scans of all sockets, and the data is still complete.
    assert_eq!((&paced["process"]["pid"], &paced["has_ended"]), (&std::process::id().into(), &true.into()), "{paced}");
    assert_eq!(paced["sampling"]["mode"], "bpf");
    check_sums(paced);
    let limits = paced["halves"][0]["limits"].as_array().unwrap();
    let application = limits.iter().filter(|limit| limit["limit"] == "application");
    assert!(application.map(|limit| limit["share"].as_f64().unwrap()).sum::<f64>() > 0.9, "{paced}");
    assert_eq!(limits[0]["low_share"], Value::Null, "nothing is estimated");
    assert!((1.5..2.5).contains(&paced["duration_s"].as_f64().unwrap()), "{paced}");
}

#[test]
fn writers_that_wait_are_timed() {
    if !has_accounts() {
        return;
    }
    let (document, (port, inside)) =
        accounted("6s", &[], || transfer(Duration::from_secs(2), Duration::ZERO, Duration::from_millis(4)));
    let blocked = sender(&document, port);
    check_sums(blocked);
    assert_eq!(blocked["halves"][0]["limits"][0]["limit"], "receive_window", "{blocked}");
    if document["host"]["gaps"].as_array().unwrap().iter().any(|gap| gap["id"] == "writers") {
        eprintln!("skipped: Linux before 6.16 does not tell of writers");
        return;
    }
    let counted = blocked["blocked_s"].as_f64().unwrap();
    assert!((counted - inside).abs() < 0.05 * inside, "{counted} against {inside} by its own clock");
    let events = document["events"].as_array().unwrap();
    let own = |kind: &str| {
        let of = blocked["id"].clone();
        let kind = kind.to_owned();
        events.iter().filter(move |event| event["kind"] == kind && event["connection"] == of)
    };
    let told: f64 = own("blocked_write").map(|event| event["duration_s"].as_f64().unwrap()).sum();
    assert!((told - inside).abs() < 0.05 * inside, "{told} against {inside} by its own clock");
    assert!(own("blocked_write").all(|event| event["process"]["pid"] == std::process::id()));
    let phases: Vec<&Value> = own("zero_window").map(|event| &event["phase"]).collect();
    assert!(phases.contains(&&"begun".into()) && phases.contains(&&"ended".into()), "{phases:?}");
}

#[test]
fn buffers_that_are_set_are_told() {
    if !has_accounts() {
        return;
    }
    // All programs of the host are watched, so parallel runs of this test use different sizes.
    let asked = 12_345 + std::process::id() as usize % 10_000;
    let of_no_connection = asked + 40_000;
    let set = || {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        socket.set_send_buffer_size(asked).unwrap();
        let other = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::DGRAM, None).unwrap();
        other.set_send_buffer_size(of_no_connection).unwrap();
    };
    let (document, ()) = accounted("3s", &[], set);
    let events = document["events"].as_array().unwrap();
    let own = |asked: usize| events.iter().find(|event| event["asked_bytes"] == asked);
    let event = own(asked).expect("it was told");
    assert_eq!((&event["kind"], &event["option"]), (&"buffer_set".into(), &"SO_SNDBUF".into()));
    assert_eq!(event["process"]["pid"], std::process::id());
    assert_eq!(own(of_no_connection), None);
    let (document, ()) = accounted("3s", &["--no-setsockopt"], set);
    let gaps = document["host"]["gaps"].as_array().unwrap();
    assert!(document["events"].as_array().unwrap().iter().all(|event| event["asked_bytes"] != asked));
    assert!(gaps.iter().any(|gap| gap["id"] == "settings"), "{gaps:?}");
}

/// Writes `block` bytes at a time for this duration, with `pause` between, to a fast reader. Returns the
/// local port.
fn steady(send_buffer: Option<usize>, block: usize, pause: Duration, lasts: Duration) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    if let Some(bytes) = send_buffer {
        socket.set_send_buffer_size(bytes).unwrap();
    }
    socket.connect(&listener.local_addr().unwrap().into()).unwrap();
    let mut writer = TcpStream::from(socket);
    let (mut reader, _) = listener.accept().unwrap();
    let port = writer.local_addr().unwrap().port();
    let reading = std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    let (began, block) = (std::time::Instant::now(), vec![0; block]);
    while began.elapsed() < lasts {
        writer.write_all(&block).unwrap();
        std::thread::sleep(pause);
    }
    drop(writer);
    reading.join().unwrap().unwrap();
    port
}

/// Every kernel gives the same answer about two transfers over a round trip of 20 ms, with kernel programs or
/// with samples. One has a small send buffer, the other a slow writer. With samples, a sentence gives the
/// reason. `scripts/kernels` runs this test on many kernels.
#[test]
fn one_answer_whatever_the_kernel() {
    const LASTS: Duration = Duration::from_secs(5);
    /// Minimum share of its time for which the known limit of a transfer must be reported.
    const SHARE: f64 = 0.8;
    in_namespace(|| {
        let netem = ["qdisc", "add", "dev", "lo", "root", "netem", "delay", "10ms", "limit", "10000"];
        if !Command::new("tc").args(netem).status().is_ok_and(|status| status.success()) {
            assert!(std::env::var_os("MUST_HAVE_NETEM").is_none(), "MUST_HAVE_NETEM is set, and there is none");
            return eprintln!("skipped: no netem, or no `tc` (iproute2)");
        }
        let mut command = Command::new(program());
        command.args(["live", "--json", "--for", "12s", "--cpu", "100%"]);
        let watching = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        // Without kernel programs, the process never attaches, so the wait is limited.
        let began = std::time::Instant::now();
        while !is_attached(watching.id()) && began.elapsed() < Duration::from_secs(4) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let ports = std::thread::scope(|scope| {
            // Threads of this one share its network namespace.
            let buffered = scope.spawn(|| steady(Some(16_384), 65_536, Duration::ZERO, LASTS));
            let paced = scope.spawn(|| steady(None, 2000, Duration::from_millis(100), LASTS));
            [("send_buffer", buffered.join().unwrap()), ("application", paced.join().unwrap())]
        });
        let output = watching.wait_with_output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let host = &document["host"];
        let (mode, reason) = (host["mode"].as_str().unwrap(), host["mode_reason"].as_str());
        match mode {
            "bpf" => assert_eq!(reason, None),
            "samples" => assert!(reason.is_some_and(|reason| !reason.is_empty()), "{host}"),
            _ => panic!("{host}"),
        }
        for (expected, port) in ports {
            let connection = sender(&document, port);
            check_sums(connection);
            let half = &connection["halves"][0];
            let of_it = half["limits"].as_array().unwrap().iter().filter(|limit| limit["limit"] == expected);
            let share: f64 = of_it.map(|limit| limit["share"].as_f64().unwrap()).sum();
            let because = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
            eprintln!("answer: {mode}{because}: {expected} {:.1} %", share * 100.0);
            assert_eq!(half["verdict"]["limit"], expected, "{connection}");
            assert!(share >= SHARE, "{connection}");
        }
    });
}

/// Unread small segments need more memory than the window accounts for.
fn fill_with_small_segments(is_over: &AtomicBool) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut sender = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let mut reader = listener.accept().unwrap().0;
    socket2::SockRef::from(&reader).set_recv_buffer_size(30_000).unwrap();
    reader.set_nonblocking(true).unwrap();
    sender.set_nodelay(true).unwrap();
    sender.set_nonblocking(true).unwrap();
    let mut read = vec![0; 100_000];
    while !is_over.load(Ordering::Relaxed) {
        if (0..500).try_for_each(|_| sender.write(&[1; 16]).map(drop)).is_err() {
            // The queue is full, so it is read and filled again.
            let _ = reader.read(&mut read);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Without BPF, counters show that a receive queue was full, but the connection is unknown.
#[test]
fn receive_queues_without_room_are_counted() {
    let is_over = AtomicBool::new(false);
    let output = std::thread::scope(|scope| {
        scope.spawn(|| fill_with_small_segments(&is_over));
        let output = live(&["--mode", "samples", "--json", "--for", "3s", "--cpu", "100%"]);
        is_over.store(true, Ordering::Relaxed);
        output
    });
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let events = document["events"].as_array().unwrap();
    let event = events.iter().find(|event| event["pruning"] == "collapsed").expect("it was told");
    assert_eq!((&event["kind"], &event["connection"]), (&"receive_pruned".into(), &Value::Null));
    assert!(event["count"].as_u64().unwrap() > 0 && event["text"].as_str().unwrap().contains("not known"), "{event}");
}

#[test]
fn the_mode_is_told_with_its_reason() {
    let once = live(&["--once", "--for", "0.1s", "--mode", "samples"]);
    assert!(String::from_utf8_lossy(&once.stdout).lines().next().unwrap().contains("sampled (as asked)"));
    let document = live(&["--json", "--for", "0.1s", "--mode", "samples"]);
    let document: Value = serde_json::from_slice(&document.stdout).unwrap();
    assert_eq!(document["host"]["mode"], "samples");
    // Counters include receive queues of other connections; no other events exist.
    assert!(document["events"].as_array().unwrap().iter().all(|event| event["kind"] == "receive_pruned"));
    assert!(document["host"]["mode_reason"].is_string());
}

/// Without capabilities it takes samples and gives the reason in one sentence. With `--mode bpf` it fails
/// with one line.
#[test]
fn without_rights_it_samples() {
    let as_nobody = |args: &[&str]| {
        let program = program();
        let mut command = Command::new("setpriv");
        command.args(["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--reuid=65534", "--clear-groups"]);
        command.arg("--").arg(program).arg("live").args(args).env("LC_ALL", "C.UTF-8").output()
    };
    let Ok(once) = as_nobody(&["--once", "--for", "0.1s"]) else { return eprintln!("skipped: no setpriv") };
    if !once.status.success() {
        // The test does not run as root, or `nobody` cannot enter the folder.
        return eprintln!("skipped: {}", String::from_utf8_lossy(&once.stderr));
    }
    let text = String::from_utf8_lossy(&once.stdout).into_owned();
    assert!(text.lines().next().unwrap().contains("sampled (no CAP_BPF and CAP_PERFMON)"), "{text}");
    let refused = as_nobody(&["--once", "--mode", "bpf"]).unwrap();
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && text.lines().count() == 1, "{text}");
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
    // Standard output is not a terminal.
    let output = live(&["--for", "1s"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && text.contains("needs a terminal") && text.lines().count() == 1,
        "{text}"
    );
}
