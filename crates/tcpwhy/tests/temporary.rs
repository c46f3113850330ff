//! Folders for temporary files that are full or read-only: one line, status 2, and no partial output.
//!
//! The folders are file systems in a mount namespace per run, which only root can create here.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[allow(dead_code, reason = "not all captures are used here")]
mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use support::{Trace, many, program};

/// Shell commands that make the folder `$TMPDIR` unusable.
const FAULTS: [&str; 2] = ["mount -t tmpfs -o size=64k none $TMPDIR", "mount -t tmpfs -o ro none $TMPDIR"];

/// Runs `script` in a mount namespace after `fault`; `$0` is the program. `None` unless root runs the test.
fn run(folder: &Path, fault: &str, script: &str) -> Option<Output> {
    if !rustix::process::geteuid().is_root() {
        tcpwhy_testkit::skip("only root may mount file systems here");
        return None;
    }
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", &format!("set -e\n{fault}\n{script}")]).arg(program()).current_dir(folder);
    command.env("TMPDIR", folder.join("temporary")).env("LANG", "en_US.UTF-8").env_remove("LC_ALL");
    Some(command.output().unwrap())
}

/// A folder with a capture, and with a folder for temporary files.
fn folder(capture: &Trace) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("temporary")).unwrap();
    fs::write(folder.path().join("in.pcapng"), capture.pcapng()).unwrap();
    folder
}

#[track_caller]
fn is_one_line(what: &str, output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{what}: {said}, {} bytes", output.stdout.len());
    assert!(said.starts_with("tcpwhy: ") && said.lines().count() == 1, "{what}: {said}");
    let named = ["No space left", "Read-only", "temporary", "standard input"];
    assert!(named.iter().any(|part| said.contains(part)), "{what}: {said}");
    assert!(output.stdout.is_empty(), "{what}: {} bytes were written", output.stdout.len());
}

/// A capture from a pipe is stored if it is read twice: for charts and annotations.
#[test]
fn a_pipe_that_cannot_be_kept() {
    for fault in FAULTS {
        for option in ["--html page.html", "--svg pictures", "--annotate annotated.pcapng", "--html -"] {
            let folder = folder(&support::large());
            let before = names(folder.path());
            let script = format!("cat in.pcapng | \"$0\" - --quiet {option}");
            let Some(output) = run(folder.path(), fault, &script) else { return };
            is_one_line(&format!("{fault}: {option}"), &output);
            assert_eq!(names(folder.path()), before, "{fault}: {option}");
        }
    }
}

/// Outputs that are small or go elsewhere need no temporary file.
#[test]
fn outputs_that_need_no_temporary_file() {
    for fault in FAULTS {
        for option in ["--json", "--jsonl", "--html page.html", "--svg pictures", "--annotate annotated.pcapng", ""] {
            let folder = folder(&many());
            let Some(output) = run(folder.path(), fault, &format!("\"$0\" in.pcapng --quiet {option}")) else { return };
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.is_empty(), "{fault}: {option}: {said}");
        }
    }
}

/// Exceeds the connections whose text fits into the 64 MiB kept in memory.
const MANY: u16 = 24_000;

/// A document that does not fit in memory.
#[test]
fn a_document_that_cannot_be_kept() {
    let capture = (0..MANY).fold(Trace::default(), |trace, i| {
        let client = format!("10.1.{}.{}", i / 250, i % 250 + 1);
        trace.window_limited((&client, 10_000 + i), ("10.9.8.7", 3306), i64::from(i) * 3, 3)
    });
    let folder = folder(&capture);
    for fault in FAULTS {
        let Some(output) = run(folder.path(), fault, "\"$0\" in.pcapng --quiet --json") else { return };
        is_one_line(fault, &output);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}
