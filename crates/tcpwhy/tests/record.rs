//! `tcpwhy record` in separate network namespaces: the contents of the file, for tcpwhy and other programs,
//! however the recording ends.
//!
//! If the tests cannot create a namespace, they print that and are skipped, unless `MUST_HAVE_NAMESPACES`
//! promises it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{data, program};
use tcpwhy_testkit::{in_namespace, ip};

/// Payload that must not be recorded.
const SECRET: &[u8] = b"what other people say to each other";

/// A connection that writes a little every few milliseconds, or one whose reader pauses.
struct Transfer {
    port: u16,
    is_over: Arc<AtomicBool>,
    ends: Vec<JoinHandle<()>>,
}

impl Transfer {
    /// In the namespace of this thread.
    fn start(is_read: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut sender = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (mut reader, _) = listener.accept().unwrap();
        sender.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
        reader.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let writer = std::thread::spawn({
            let is_over = Arc::clone(&is_over);
            move || {
                while !is_over.load(Ordering::Relaxed) {
                    let _ = sender.write(&if is_read { SECRET.repeat(20) } else { vec![0; 65_536] });
                    if is_read {
                        sleep(Duration::from_millis(3));
                    }
                }
            }
        });
        let reading = std::thread::spawn({
            let is_over = Arc::clone(&is_over);
            move || {
                let mut buffer = vec![0; 65_536];
                // Some data moves in any case, so that the connection is not omitted as idle.
                let _ = reader.read(&mut [0; 1000]);
                while !is_over.load(Ordering::Relaxed) {
                    if is_read {
                        let _ = reader.read(&mut buffer);
                    } else {
                        sleep(Duration::from_millis(10));
                    }
                }
                drop(listener);
            }
        });
        Self { port, is_over, ends: vec![writer, reading] }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for end in self.ends.drain(..) {
            let _ = end.join();
        }
    }
}

fn tcpwhy() -> Command {
    let mut command = Command::new(program());
    command.env("LC_ALL", "C.UTF-8").env("TZ", "UTC").env_remove("NO_COLOR");
    command
}

fn record(file: &Path, args: &[&str]) -> Command {
    let mut command = tcpwhy();
    command.arg("record").arg("-o").arg(file).args(["--cpu", "50%"]).args(args);
    command
}

fn recorded(file: &Path, args: &[&str]) -> String {
    let output = record(file, args).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    said
}

fn explained(file: &Path) -> Value {
    json(&tcpwhy().arg(file).args(["--json", "--quiet"]).output().unwrap())
}

#[track_caller]
fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn has(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: no {program}");
    }
    is_there
}

/// Starts it and waits until the file has something.
fn started(file: &Path, args: &[&str]) -> Child {
    let child = record(file, args).stderr(Stdio::piped()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(30);
    while std::fs::metadata(file).map_or(0, |file| file.len()) < 20_000 {
        assert!(Instant::now() < end, "nothing was recorded");
        sleep(Duration::from_millis(20));
    }
    child
}

fn file_in(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("recording.pcapng")
}

#[test]
fn packets_without_payload_that_others_read_too() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(&folder);
        let _transfer = Transfer::start(true);
        let said = recorded(&file, &["--for", "1500ms"]);
        assert!(said.contains("recorded") && said.contains("recording.pcapng"), "{said}");
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(SECRET.len()).any(|part| part == SECRET), "no payload");
        let document = explained(&file);
        let packets = document["captures"][0]["packets"].as_u64().unwrap();
        assert!(packets > 100, "{packets}");
        assert_eq!(document["captures"][0]["anomalies"], Value::Array(vec![]));
        if has("tshark") {
            let mut tshark = Command::new("tshark");
            tshark.arg("-r").arg(&file).args(["-T", "fields", "-e", "frame.number"]);
            let numbers = String::from_utf8(tshark.output().unwrap().stdout).unwrap();
            assert_eq!(numbers.lines().last().and_then(|n| n.parse().ok()), Some(packets), "the same numbers");
        }
        if has("capinfos") {
            let output = Command::new("capinfos").arg("-M").arg(&file).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.contains(&format!("Number of packets:   {packets}")) && text.contains("tcpwhy"), "{text}");
        }
        if has("tcpdump") {
            let output = Command::new("tcpdump").arg("-nr").arg(&file).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count() as u64, packets);
        }
    });
}

#[test]
fn only_what_the_filter_picks() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(&folder);
        let transfers = [Transfer::start(true), Transfer::start(true)];
        let port = transfers[1].port;
        recorded(&file, &["--for", "1s", "-i", "lo", "port", &port.to_string()]);
        let document = explained(&file);
        let connections = document["connections"].as_array().unwrap();
        assert_eq!(connections.len(), 1);
        let ports: Vec<_> = (0..2).map(|end| connections[0]["endpoints"][end]["port"].as_u64().unwrap()).collect();
        assert!(ports.contains(&port.into()));
    });
}

#[test]
fn a_recording_that_is_killed_or_cut_reads_to_its_last_block() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(&folder);
        let _transfer = Transfer::start(true);
        let mut child = started(&file, &["-i", "lo"]);
        sleep(Duration::from_millis(1500));
        child.kill().unwrap();
        child.wait().unwrap();
        let document = explained(&file);
        let seconds = document["captures"][0]["duration_s"].as_f64().unwrap();
        assert!(seconds > 1.3, "what was seen until then: {seconds}");
        // Anywhere.
        let whole = std::fs::read(&file).unwrap();
        for part in 1..20 {
            let cut = folder.path().join("cut.pcapng");
            std::fs::write(&cut, &whole[..whole.len() * part / 20 + part]).unwrap();
            let output = tcpwhy().arg(&cut).args(["--json", "--quiet"]).output().unwrap();
            assert!(output.status.success(), "{part}: {}", String::from_utf8_lossy(&output.stderr));
        }
    });
}

#[test]
fn a_ring_keeps_the_last_files_and_ends_on_its_condition() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(&folder);
        let transfer = Transfer::start(false);
        let when = ["--ring", "1MB", "--when", "limit=receive_window for 1s", "--for", "30s", "-i", "lo"];
        let began = Instant::now();
        let said = recorded(&file, &when);
        drop(transfer);
        assert!(said.contains("receive_window for 1s") && began.elapsed() < Duration::from_secs(25), "{said}");
        let first = folder.path().join("recording-00001.pcapng");
        assert!(explained(&first)["connections"][0]["halves"].is_array());
    });
}

/// Also a file after the first ones were removed.
#[test]
fn every_file_of_a_ring_says_whose_sockets_are() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(&folder);
        let transfers: Vec<_> = (0..4).map(|_| Transfer::start(true)).collect();
        recorded(&file, &["--ring", "1MB", "--for", "6s", "-i", "lo"]);
        drop(transfers);
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() > 2, "{files:?}");
        let second = explained(&files[1]);
        let connections = second["connections"].as_array().unwrap();
        let named = connections.iter().filter(|c| c["process"]["pid"] == std::process::id());
        assert!(named.count() >= 4, "{second}");
    });
}

/// The capabilities of `child` as bits, by number. It is not root's any more.
fn rights_of(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let users = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap();
    assert!(!is_root_with_others() || !users.split_whitespace().any(|uid| uid == "0"), "{users}");
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned();
    assert_eq!(field("CapEff:"), field("CapPrm:"));
    u64::from_str_radix(&field("CapEff:"), 16).unwrap()
}

/// Whether this is root where there are other users: in a user namespace of one there are none.
fn is_root_with_others() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap();
    rustix::process::geteuid().is_root() && map.split_whitespace().nth(2) != Some("1")
}

/// The process that creates files samples no sockets.
#[test]
fn rights_are_given_up() {
    const TWO: u64 = (1 << 2) | (1 << 19);
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let _transfer = Transfer::start(true);
        let ended = |file: &Path, seen: &Path, args: &[&str]| {
            let mut child = record(file, args).args(["-i", "lo"]).stderr(Stdio::piped()).spawn().unwrap();
            let end = Instant::now() + Duration::from_secs(30);
            while std::fs::metadata(seen).map_or(0, |file| file.len()) < 2000 {
                assert!(Instant::now() < end, "nothing was recorded");
                sleep(Duration::from_millis(20));
            }
            let rights = rights_of(&child);
            child.kill().unwrap();
            child.wait().unwrap();
            rights
        };
        let at = |name: &str| folder.path().join(name);
        assert_eq!(ended(&at("one.pcapng"), &at("one.pcapng"), &[]) & !TWO, 0);
        assert_eq!(ended(&at("r.pcapng"), &at("r-00001.pcapng"), &["--ring", "1MB"]) & !TWO, 0);
        let foreign = folder.path().join("foreign");
        std::fs::create_dir(&foreign).unwrap();
        if std::os::unix::fs::chown(&foreign, Some(65_534), None).is_ok() && rustix::process::geteuid().is_root() {
            let [file, first, third] = ["r.pcapng", "r-00001.pcapng", "r-00003.pcapng"].map(|name| foreign.join(name));
            assert_eq!(ended(&file, &third, &["--ring", "1MB", "--force"]) & !TWO, 0);
            assert!(first.exists());
            let single = foreign.join("one.pcapng");
            assert_eq!(ended(&single, &single, &[]) & !TWO, 0, "it is open already");
        }
    });
}

/// A ring that was there before is not mixed with the new one.
#[test]
fn an_earlier_ring_is_replaced_as_a_whole_or_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (file, left) = (file_in(&folder), folder.path().join("recording-00007.pcapng"));
    std::fs::write(&left, "precious").unwrap();
    let args = ["--no-packets", "--for", "300ms", "--ring", "1MB"];
    let output = record(&file, &args).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("recording-00007") && said.lines().count() == 1, "{said}");
    assert_eq!(std::fs::read(&left).unwrap(), b"precious");
    recorded(&file, &[&args[..], &["--force"]].concat());
    assert!(!left.exists() && folder.path().join("recording-00001.pcapng").exists());
}

#[test]
fn to_what_is_no_file() {
    for args in [&["--no-packets", "--for", "200ms"][..], &["--no-packets", "--for", "200ms", "--force"]] {
        recorded(Path::new("/dev/null"), args);
        let output = record(Path::new("/dev/stdout"), args).output().unwrap();
        assert!(output.status.success() && output.stdout.starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]), "{output:?}");
    }
    for there in ["/dev/null", "/dev/stdout"] {
        assert!(Path::new(there).exists(), "{there}");
    }
    let folder = tempfile::tempdir().unwrap();
    let output = record(folder.path(), &["--no-packets", "--force"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && said.contains("is not a regular file") && !said.contains("--overwrite"),
        "{said}"
    );
}

#[test]
fn without_packets_and_to_a_pipe() {
    in_namespace(|| {
        let _transfer = Transfer::start(true);
        let output = record(Path::new("-"), &["--for", "1s", "--no-packets"]).output().unwrap();
        assert!(output.status.success() && output.stdout.starts_with(&[0x0a, 0x0d, 0x0d, 0x0a]));
        assert!(output.stdout.len() > 1000);
    });
}

#[test]
fn what_cannot_be_is_said_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = file_in(&folder);
    let complaint = |args: &[&str]| {
        let output = record(&file, args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        said
    };
    assert!(complaint(&["--no-packets", "port", "x"]).contains("not a port number"));
    assert!(complaint(&["--no-packets", "--ring", "1kB"]).contains("1 MB"));
    std::fs::write(&file, "precious").unwrap();
    assert!(complaint(&["--no-packets", "--for", "1s"]).contains("--overwrite"));
    assert_eq!(std::fs::read(&file).unwrap(), b"precious");
    in_namespace(|| {
        std::fs::remove_file(&file).unwrap();
        let said = record(&file, &["-i", "nothing0"]).output().unwrap();
        assert!(String::from_utf8_lossy(&said.stderr).contains("the interface nothing0 does not exist"), "{said:?}");
        assert!(!file.exists());
        assert!(ip("link set lo down"));
        let said = [record(&file, &["-i", "lo"]).output().unwrap(), tcpwhy().args(["-i", "lo"]).output().unwrap()];
        for said in said {
            assert_eq!(
                String::from_utf8_lossy(&said.stderr),
                "tcpwhy: the interface lo is down: `ip link set lo up`\n"
            );
        }
        assert!(!file.exists());
        // A recording in which nothing was seen, looked at without a filter.
        recorded(&file, &["--no-packets", "--for", "1s"]);
        let shown = |args: &[&str]| tcpwhy().arg("live").arg(&file).args(args).output().unwrap().stdout;
        assert!(!String::from_utf8_lossy(&shown(&[])).contains("matches the filter"));
        assert!(String::from_utf8_lossy(&shown(&["port:1"])).contains("matches the filter"));
    });
}

/// The socket data and the packets of one connection whose reader pauses.
#[test]
fn packets_and_kernel_beside_each_other() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(&folder);
        let transfer = Transfer::start(false);
        recorded(&file, &["--for", "4s", "--rate", "20", "-i", "lo"]);
        let port = u64::from(transfer.port);
        drop(transfer);
        let document = explained(&file);
        let connection = &document["connections"][0];
        assert_eq!(
            (&connection["source"], &connection["process"]["pid"]),
            (&"both".into(), &std::process::id().into())
        );
        let sender = connection["endpoints"].as_array().unwrap().iter().position(|end| end["port"] != port).unwrap();
        let halves = connection["halves"].as_array().unwrap();
        let half = halves.iter().find(|half| half["sender"] == sender).unwrap();
        let kernel = &half["kernel"];
        assert_eq!((&kernel["disagrees"], &kernel["limits"][0]["limit"]), (&false.into(), &"receive_window".into()));
        assert!(kernel["seconds"].as_f64().unwrap() > 2.0 && kernel["samples"].as_u64().unwrap() > 10, "{kernel}");

        let text = String::from_utf8(tcpwhy().arg(&file).output().unwrap().stdout).unwrap();
        assert!(text.contains("The kernel’s view") && text.contains("agree"), "{text}");
        let text = tcpwhy().arg(&file).args(["--lang", "zh-CN"]).output().unwrap().stdout;
        assert!(String::from_utf8(text).unwrap().contains("内核的说法"));

        // The page has the same numbers, and the words for them.
        let page = tcpwhy().arg(&file).args(["--quiet", "--html", "-"]).output().unwrap().stdout;
        let page = data(std::str::from_utf8(&page).unwrap());
        let halves = page["documents"]["zh-CN"]["connections"][0]["halves"].as_array().unwrap();
        let half = halves.iter().find(|half| half["sender"] == sender).unwrap();
        assert_eq!(&half["kernel"], kernel);
        assert!(page["messages"]["en"]["kernel-agrees"].as_str().unwrap().contains("{time}"));
        // Its chart has a point per sample, at either end.
        let chart = page["charts"].as_array().unwrap().iter().find(|chart| chart["connection"] == connection["id"]);
        let halves = chart.unwrap()["halves"].as_array().unwrap();
        let half = halves.iter().find(|half| half["sender"] == sender).unwrap();
        assert!(half["socket"]["rows"].as_u64() >= kernel["samples"].as_u64(), "{}", half["socket"]["rows"]);
        let pictures = folder.path().join("svg");
        assert!(tcpwhy().arg(&file).args(["--quiet", "--svg"]).arg(&pictures).status().unwrap().success());
        let names: Vec<_> = fs::read_dir(&pictures).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(names.iter().any(|name| name.to_string_lossy().ends_with("-socket.svg")), "{names:?}");

        // The same fold: what watching gave.
        let watched = json(&tcpwhy().arg("live").arg(&file).args(["--json", "--idle"]).output().unwrap());
        let schema = json(&tcpwhy().args(["schema", "live"]).output().unwrap());
        let errors: Vec<_> =
            jsonschema::validator_for(&schema).unwrap().iter_errors(&watched).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(watched["connections"].as_array().unwrap().len(), 2, "both ends");
        let is_sender = |c: &&Value| c["endpoints"][0]["port"] != port;
        let of_sender = watched["connections"].as_array().unwrap().iter().find(is_sender).unwrap();
        assert_eq!(of_sender["sampling"]["samples"], kernel["samples"]);
        assert_eq!(of_sender["halves"][0]["limits"][0]["limit"], "receive_window");
        assert!(watched["host"]["samples"].as_u64().unwrap() > 10 && watched["host"]["kernel_release"].is_string());
        let once = tcpwhy().arg("live").arg(&file).args(["--width", "140", "--idle"]).output().unwrap();
        let once = String::from_utf8(once.stdout).unwrap();
        assert!(once.contains("slow reader") && once.contains("zero window"), "{once}");
        let lines = tcpwhy().arg("live").arg(&file).args(["--jsonl", "--idle"]).output().unwrap();
        assert!(String::from_utf8(lines.stdout).unwrap().contains("\"type\":\"interval\""));
        let gate =
            tcpwhy().arg("live").arg(&file).args(["--idle", "--fail-on", "receive_window:50%"]).output().unwrap();
        assert_eq!(gate.status.code(), Some(1));
    });
}

/// A capture of another program has no socket data to replay.
#[test]
fn a_capture_is_no_recording() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/send-buffer.pcap.gz");
    let output = tcpwhy().args(["live", sample, "--json"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("is not a recording of tcpwhy"), "{said}");
    // Whatever its name ends with, and whatever is in it.
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("rec.cap", &fs::read(sample).unwrap()[..]), ("empty.rec", b""), ("notes.txt", b"a text")] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let output = tcpwhy().args(["live", name, "--once"]).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("is not a recording of tcpwhy"), "{name}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn captures_by_itself_until_it_is_interrupted() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(&folder);
        let transfer = Transfer::start(true);
        let mut command = tcpwhy();
        command.args(["-i", "lo", "port", &transfer.port.to_string(), "--json", "-w"]).arg(&file);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let end = Instant::now() + Duration::from_secs(30);
        while std::fs::metadata(&file).map_or(0, |file| file.len()) < 20_000 {
            assert!(Instant::now() < end, "nothing was captured");
            sleep(Duration::from_millis(20));
        }
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("tcpwhy: wrote ") && said.contains("B)"), "{said}");
        let document = json(&output);
        assert_eq!(document["captures"][0]["anomalies"], Value::Array(vec![]));
        let connections = document["connections"].as_array().unwrap();
        assert_eq!(connections.len(), 1);
        assert!(connections[0]["source"].is_null(), "packets alone");
        let kept = explained(&file);
        assert_eq!(kept["captures"][0]["packets"], document["captures"][0]["packets"]);
        // The file stays.
        let output = tcpwhy().args(["-i", "lo", "-w"]).arg(&file).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains("exists already; --overwrite replaces it"));
    });
}

/// Without permission, the error names the missing capability.
#[test]
fn without_the_right() {
    in_namespace(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("setpriv");
        command.args(["--bounding-set=-net_raw", "--inh-caps=-net_raw"]).arg(program());
        let output = command.args(["record", "-o"]).arg(file_in(&folder)).env("LC_ALL", "C.UTF-8").output();
        let Ok(output) = output else { return eprintln!("skipped: no setpriv (util-linux)") };
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("CAP_NET_RAW"), "{said}");
        assert!(!file_in(&folder).exists(), "nothing is begun");
        let mut command = Command::new("setpriv");
        command.args(["--bounding-set=-net_raw", "--inh-caps=-net_raw"]).arg(program());
        let output = command.args(["-i", "lo"]).env("LC_ALL", "C.UTF-8").output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("CAP_NET_RAW") && said.lines().count() == 1, "{said}");
    });
}
