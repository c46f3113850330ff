//! Streams that continue until the user stops them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]
#![allow(dead_code, reason = "every test binary uses its own part of the support")]

mod support;

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;
use support::{many, one};
use tcpwhy_testkit::{Transfer, pcap};

/// Starts `tcpwhy` on an endless stream that begins with `bytes`. Returns after it has read them and shown
/// its progress line.
fn start(args: &[&str], bytes: &[u8]) -> (Child, ChildStdin, thread::JoinHandle<String>) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let terminal = OpenOptions::new().write(true).read(true).open(name.to_str().unwrap()).unwrap();
    let mut child = Command::new(support::program())
        .args(args)
        .env("LANG", "en_US.UTF-8")
        .env("TERM", "xterm")
        .env_remove("LC_ALL")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::from(terminal))
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let (begun, begins) = std::sync::mpsc::channel();
    let shown = thread::spawn(move || {
        let (mut controller, mut shown, mut some) = (File::from(controller), Vec::new(), [0; 1024]);
        while let Ok(len @ 1..) = controller.read(&mut some) {
            shown.extend_from_slice(&some[..len]);
            if String::from_utf8_lossy(&shown).contains("so far") {
                let _ = begun.send(());
            }
        }
        String::from_utf8_lossy(&shown).into_owned()
    });
    input.write_all(bytes).unwrap();
    begins.recv_timeout(Duration::from_secs(60)).expect("a line of progress");
    (child, input, shown)
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

/// Includes packets that the capture wrote late, and one from another day.
#[test]
fn a_file_standard_input_and_a_pipe_give_one_answer() {
    let mut segments = Transfer { bytes: 6_000_000, ..Transfer::default() }.run();
    for segment in segments.iter_mut().filter(|segment| segment.source.port == 80) {
        segment.timestamp = segment.timestamp.plus(-400_000);
    }
    let middle = segments.len() / 2;
    segments[middle].timestamp = segments[middle].timestamp.plus(86_400_000_000_000);
    let capture = support::file("late.pcap");
    std::fs::write(&capture, pcap(&segments)).unwrap();
    let shell = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(support::program()).arg(&capture).env("LANG", "en_US.UTF-8");
        let out = command.output().unwrap();
        assert!(out.status.success(), "{script}: {out:?}");
        serde_json::from_slice::<Value>(&out.stdout).unwrap()["connections"].clone()
    };
    let file = shell("exec $0 --json $1");
    assert_eq!(file.as_array().unwrap().len(), 1);
    for script in ["exec $0 --json - <$1", "cat $1 | $0 --json -", "dd if=$1 bs=1000 2>/dev/null | $0 --json -"] {
        let mut other = shell(script);
        // Only the name of the capture differs.
        other[0]["capture"] = file[0]["capture"].clone();
        assert!(other == file, "{script}");
    }
}

#[test]
fn the_first_interrupt_ends_the_reading() {
    let bytes = many().pcapng();
    // A pipe may end in the middle of a packet.
    let (child, input, shown) = start(&["-"], &bytes[..bytes.len() - 7]);
    interrupt(&child);
    // The stream stays open, so the interrupt alone has ended the reading.
    let output = child.wait_with_output().unwrap();
    drop(input);
    let (report, shown) = (String::from_utf8(output.stdout).unwrap(), shown.join().unwrap());
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(report.starts_with("13 connections, "), "{report}");
    assert!(report.contains("  standard input: pcapng") && !report.contains("ends in the middle"), "{report}");
    assert!(shown.contains("connections so far: 13"), "{shown}");
}

#[test]
fn what_the_writer_says_last_is_read() {
    let bytes = one().pcapng();
    let (child, mut input, _) = start(&["--json", "-"], &bytes[..bytes.len() / 2]);
    interrupt(&child);
    input.write_all(&bytes[bytes.len() / 2..]).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["captures"][0]["packets"], 306);
    assert_eq!(document["captures"][0]["anomalies"].as_array().unwrap().len(), 0);
}

/// Ctrl-C also ends the writer of the stream, which may close it first.
#[test]
fn an_interrupt_right_after_the_end_is_not_for_the_report() {
    let (child, input, _) = start(&["--json", "-"], &one().pcapng());
    drop(input);
    sleep(Duration::from_millis(20));
    // The process may have ended already.
    let _ = kill_process(Pid::from_child(&child), Signal::INT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok());
}

#[test]
fn the_second_interrupt_ends_the_program() {
    let (child, _input, _) = start(&["-"], &one().pcapng());
    let begin = Instant::now();
    interrupt(&child);
    sleep(Duration::from_millis(100));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.signal(), output.stdout.len()), (Some(2), 0));
    assert!(begin.elapsed() < Duration::from_secs(5));
}
