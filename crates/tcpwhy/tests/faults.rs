//! Captures with read errors, or that change while they are read. Linux only: reading its pseudo-terminals
//! fails with EIO after the other end was closed and the written data was read.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]
#![allow(dead_code, reason = "every test binary uses its own part of the support")]

mod support;

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use serde_json::Value;
use support::{capture, file, large, one, program};

/// Runs `tcpwhy` with a standard input that fails after `bytes`.
fn run_on_failing_input(args: &[&str], bytes: Vec<u8>) -> Output {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let mut terminal = OpenOptions::new().write(true).read(true).open(name.to_str().unwrap()).unwrap();
    let mut settings = tcgetattr(&terminal).unwrap();
    settings.make_raw();
    tcsetattr(&terminal, OptionalActions::Now, &settings).unwrap();
    let child = tcpwhy().args(args).stdin(Stdio::from(File::from(controller))).spawn().unwrap();
    let writer = thread::spawn(move || terminal.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

fn tcpwhy() -> Command {
    let mut command = Command::new(program());
    command.env("LANG", "en_US.UTF-8").env_remove("LC_ALL").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Standard error, with the system's error in the words of glibc, because musl has a shorter text.
fn said(output: &Output) -> String {
    text(&output.stderr).replace(": I/O error (", ": Input/output error (")
}

#[track_caller]
fn check_failed(output: &Output) {
    let err = said(output);
    assert_eq!((output.status.code(), err.lines().count()), (Some(2), 1), "{err}");
    assert!(err.starts_with("tcpwhy: cannot read standard input beyond byte "), "{err}");
    assert!(err.trim_end().ends_with("): Input/output error (os error 5)"), "{err}");
}

#[test]
fn a_failure_to_read_is_an_error_beside_what_was_read() {
    let bytes = one().pcapng();
    for len in [bytes.len() / 2 + 7, bytes.len()] {
        let failed = run_on_failing_input(&["--json", "-"], bytes[..len].to_vec());
        check_failed(&failed);
        let document: Value = serde_json::from_slice(&failed.stdout).unwrap();
        let anomalies = document["captures"][0]["anomalies"].as_array().unwrap();
        assert_eq!((anomalies.len(), &anomalies[0]["kind"]), (1, &"read-error".into()));
        assert_eq!(document["connections"].as_array().unwrap().len(), 1);
    }
    check_failed(&run_on_failing_input(&["--quiet", "-"], bytes));
}

#[test]
fn a_failure_of_one_of_merged_captures_is_an_error() {
    let other = capture("merged-with-a-failing-one.pcapng", &one());
    let bytes = large().pcapng();
    let failed = run_on_failing_input(&["--json", "--merge", other.to_str().unwrap(), "-"], bytes);
    check_failed(&failed);
    let document: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(document["captures"][0]["anomalies"].as_array().unwrap().len(), 0);
    assert_eq!(document["captures"][1]["anomalies"][0]["kind"], "read-error");
}

#[test]
fn what_cannot_be_read_at_all_is_one_line() {
    for (path, message) in [
        (
            "/proc/self/mem",
            "cannot read /proc/self/mem beyond byte 0 (after packet 0): Input/output error (os error 5)",
        ),
        ("/dev/zero", "not a capture file: /dev/zero (neither pcap nor pcapng; begins with 00 00 00 00)"),
        ("/dev/null", "not a capture file: /dev/null is empty"),
    ] {
        for args in [vec![path], vec!["--merge", path, path]] {
            let failed = tcpwhy().args(args).output().unwrap();
            assert_eq!(said(&failed), format!("tcpwhy: {message}\n"));
            assert_eq!((failed.status.code(), text(&failed.stdout)), (Some(2), ""));
        }
    }
}

fn fifo(name: &str) -> std::path::PathBuf {
    let path = file(name);
    let _ = fs::remove_file(&path);
    mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    path
}

#[test]
fn a_named_pipe_is_read_like_a_file() {
    let (pipe, bytes) = (fifo("pipe"), one().pcapng());
    let plain = capture("as-a-pipe.pcapng", &one());
    let child = tcpwhy().arg("--json").arg(&pipe).spawn().unwrap();
    OpenOptions::new().write(true).open(&pipe).unwrap().write_all(&bytes).unwrap();
    let piped = child.wait_with_output().unwrap();
    let read = tcpwhy().arg("--json").arg(&plain).output().unwrap();
    assert_eq!((piped.status.code(), piped.stderr.len()), (Some(0), 0));
    assert_eq!(text(&piped.stdout).replace(pipe.to_str().unwrap(), plain.to_str().unwrap()), text(&read.stdout));
}

/// Merges `path` with a FIFO that receives data only after `change` has modified the file. So the change
/// comes after the file was opened and before it is read.
fn run_beside_change(name: &str, path: &Path, change: impl FnOnce()) -> Output {
    let pipe = fifo(name);
    let child = tcpwhy().args(["--json", "--merge"]).args([path, &pipe]).spawn().unwrap();
    // This open blocks until the program opens the FIFO, which it does after the file.
    let mut writer = OpenOptions::new().write(true).open(&pipe).unwrap();
    change();
    writer.write_all(&one().pcapng()).unwrap();
    drop(writer);
    child.wait_with_output().unwrap()
}

#[test]
fn a_capture_that_is_cut_while_it_is_read_gives_a_warning_and_a_partial_result() {
    let path = file("cut-meanwhile.pcapng");
    // The file is longer than a single read.
    let bytes = large().pcapng();
    assert!(bytes.len() > 4 << 20);
    for len in [bytes.len() / 2, 1000, 0] {
        fs::write(&path, &bytes).unwrap();
        let cut = || OpenOptions::new().write(true).open(&path).unwrap().set_len(len as u64).unwrap();
        let output = run_beside_change("beside-cut", &path, cut);
        let err = text(&output.stderr);
        assert_eq!((output.status.code(), err.lines().count()), (Some(0), 1), "{:?} {err}", output.status);
        assert!(err.contains("The file became shorter while it was read"), "{err}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["captures"][0]["anomalies"][0]["kind"], "shrunk-file");
        assert!(document["captures"][0]["packets"].as_u64().unwrap() > 10);
        assert_eq!(document["captures"][1]["anomalies"].as_array().unwrap().len(), 0);
    }
}
