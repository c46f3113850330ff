//! Privileges of the program while it parses data of strangers, and owners of its outputs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

/// A test that waits longer fails.
const PATIENCE: Duration = Duration::from_secs(30);
/// User id of `nobody`, who owns a folder in the tests.
const OTHER: u32 = 65_534;
/// User id of the caller of sudo. The user need not exist.
const CALLER: u32 = 12_345;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/loss.pcap.gz")
}

fn tcpwhy() -> Command {
    let mut command = Command::new("timeout");
    command.arg("60").arg(cargo_bin!("tcpwhy")).env("LC_ALL", "C.UTF-8").env_remove("SUDO_UID");
    command
}

/// Whether this is root with other users available, unlike in a user namespace with a single user.
fn is_root() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap();
    let is = rustix::process::geteuid().is_root() && map.split_whitespace().nth(2) != Some("1");
    if !is {
        eprintln!("skipped: only root has rights to give up");
    }
    is
}

/// The processes that `timeout` started, and their descendants.
fn processes(of: &Child) -> Vec<u32> {
    let children = |id: u32| {
        let text = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        text.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()
    };
    let mut all = children(of.id());
    let below: Vec<u32> = all.iter().flat_map(|&id| children(id)).collect();
    all.extend(below);
    all
}

fn field(id: u32, name: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned()
}

/// Waits until all `count` processes of `child` are confined, and returns their capabilities.
fn confined(child: &Child, count: usize) -> Vec<u64> {
    let end = Instant::now() + PATIENCE;
    loop {
        let all = processes(child);
        let is_confined = |id: &u32| field(*id, "Seccomp:") == "2" && field(*id, "NoNewPrivs:") == "1";
        if all.len() == count && all.iter().all(is_confined) {
            return all.iter().map(|id| u64::from_str_radix(&field(*id, "CapPrm:"), 16).unwrap()).collect();
        }
        assert!(Instant::now() < end, "{} processes, not all confined", all.len());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a run whose capture arrives slowly, so that its processes can be inspected.
fn waiting(args: &[&str], stdin: Stdio) -> Child {
    tcpwhy().args(args).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn the_server_for_assistants_has_no_capabilities() {
    let folder = sample().parent().unwrap().to_owned();
    let mut child = waiting(&["mcp", folder.to_str().unwrap()], Stdio::piped());
    assert_eq!(confined(&child, 1), [0]);
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn readers_have_no_capabilities() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    for (args, count) in
        [(&["-"][..], 1), (&["-", "--json"], 1), (&["-", "--html", page.to_str().unwrap()], 2), (&["serve", "-"], 1)]
    {
        let mut child = waiting(args, Stdio::piped());
        assert_eq!(confined(&child, count), vec![0; count], "{args:?}");
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&fs::read(sample()).unwrap()).unwrap();
        drop(stdin);
        if args[0] == "serve" {
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            assert!(line.starts_with("http://"), "{line}");
            // Includes the threads that answer requests.
            for id in processes(&child) {
                for task in fs::read_dir(format!("/proc/{id}/task")).unwrap() {
                    let status = fs::read_to_string(task.unwrap().path().join("status")).unwrap();
                    assert!(status.contains("CapEff:\t0000000000000000"), "{status}");
                }
            }
            let _ = Command::new("kill").arg(child.id().to_string()).status();
            child.wait().unwrap();
            continue;
        }
        assert!(child.wait_with_output().unwrap().status.success(), "{args:?}");
    }
    assert!(page.exists());
}

/// Root's parser becomes an ordinary user's process if it reads one file or a pipe, but not for a folder with
/// unknown files.
#[test]
fn roots_parser_is_another_users() {
    if !is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let (fifo, folder) = (fifo.to_str().unwrap(), folder.path().to_str().unwrap());
    let own = (0, 0);
    // CAP_DAC_READ_SEARCH, for root's private file.
    let private = (OTHER, 1 << 2);
    for (args, sudo, expected) in [
        (&["-"][..], false, (OTHER, 0)),
        (&["-", "--json"], true, (CALLER, 0)),
        (&["serve", "-"], false, (OTHER, 0)),
        (&["compare", "-", fifo], false, private),
        (&["-i", "lo", "port", "9"], false, (OTHER, 0)),
        (&["mcp", folder], false, own),
    ] {
        let mut command = tcpwhy();
        if sudo {
            command.env("SUDO_UID", CALLER.to_string()).env("SUDO_GID", CALLER.to_string());
        }
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let capabilities = confined(&child, if args[0] == "-i" { 2 } else { 1 })[0];
        let uid = field(processes(&child)[0], "Uid:");
        let uid = uid.split_whitespace().next().unwrap().parse().unwrap();
        assert_eq!((uid, capabilities), expected, "{args:?}");
        let _ = Command::new("kill").arg(child.id().to_string()).status();
        child.wait().unwrap();
    }
}

/// In another user's folder, the writing process keeps a capability for that, and the reading process has
/// none.
#[test]
fn only_who_writes_may_write_to_others() {
    if !is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    chown(folder.path(), Some(OTHER), Some(OTHER)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let page = folder.path().join("page.html");
    let mut child = waiting(&["-", "--html", page.to_str().unwrap()], Stdio::piped());
    let mut capabilities = confined(&child, 2);
    capabilities.sort_unstable();
    // CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH.
    assert_eq!(capabilities, [0, 1 << 1 | 1 << 2]);
    child.stdin.take().unwrap().write_all(&fs::read(sample()).unwrap()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(page.metadata().unwrap().uid(), 0);
}

/// Root's private folder, and another user's private capture.
#[test]
fn root_reads_and_writes_where_it_may() {
    if !is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let capture = folder.path().join("capture");
    fs::copy(sample(), &capture).unwrap();
    chown(&capture, Some(OTHER), None).unwrap();
    fs::set_permissions(&capture, fs::Permissions::from_mode(0o600)).unwrap();
    let at = |name: &str| folder.path().join(name);
    let copy = at("copy.pcapng");
    let output = tcpwhy()
        .arg(&capture)
        .args(["--html".as_ref(), at("page").as_os_str(), "--svg".as_ref(), at("new/pictures").as_os_str()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let output = tcpwhy().arg(&capture).arg("--annotate").arg(&copy).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(copy.metadata().unwrap().mode() & 0o777, 0o600, "as private as the capture");
    assert!(fs::read_dir(at("new/pictures")).unwrap().count() > 0);
}

/// Files written under sudo belong to the caller, in every folder.
#[test]
fn outputs_belong_to_the_caller_of_sudo() {
    if !is_root() {
        return;
    }
    let roots = tempfile::tempdir().unwrap();
    let callers = tempfile::tempdir().unwrap();
    chown(callers.path(), Some(CALLER), Some(CALLER)).unwrap();
    for folder in [roots.path(), callers.path()] {
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let capture = sample().to_str().unwrap().to_owned();
        let (page, pictures, copy) = (at("page"), at("new/pictures"), at("copy"));
        let (saved, metrics, single, ring) = (at("deep/saved"), at("metrics"), at("one.pcapng"), at("r.pcapng"));
        for args in [
            &[&*capture, "--html", &page, "--svg", &pictures][..],
            &[&capture, "--annotate", &copy],
            &["audit", "--save", &saved],
            &["export", "--once", "--for", "100ms", "-o", &metrics],
            &["record", "--no-packets", "--for", "100ms", "-o", &single],
            &["record", "--no-packets", "--for", "100ms", "--ring", "1MB", "-o", &ring],
        ] {
            let mut command = tcpwhy();
            command.args(args).env("SUDO_UID", CALLER.to_string()).env("SUDO_GID", CALLER.to_string());
            let output = command.output().unwrap();
            assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
        }
        let mut left = vec![folder.to_owned()];
        let mut seen = 0;
        while let Some(path) = left.pop() {
            for entry in fs::read_dir(path).unwrap() {
                let entry = entry.unwrap();
                let metadata = entry.metadata().unwrap();
                assert_eq!((metadata.uid(), metadata.gid()), (CALLER, CALLER), "{}", entry.path().display());
                seen += 1;
                if metadata.is_dir() {
                    left.push(entry.path());
                }
            }
        }
        assert!(seen > 20, "{seen}");
    }
}

/// Folders created for pictures are removed if no picture was written.
#[test]
fn folders_for_nothing_go_again() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken");
    fs::write(&broken, "no capture").unwrap();
    let output = tcpwhy().arg(&broken).arg("--svg").arg(folder.path().join("a/b")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let end = Instant::now() + PATIENCE;
    while folder.path().join("a").exists() {
        assert!(Instant::now() < end, "it stays");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// If the writing process is killed, the output is missing, which is an error.
#[test]
fn without_the_process_that_writes_it_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut child = waiting(&["-", "--html", page.to_str().unwrap()], Stdio::piped());
    confined(&child, 2);
    let writer = *processes(&child).last().unwrap();
    // It has neither the input nor its copy open, only standard error, the connection and the folder.
    let open = || fs::read_dir(format!("/proc/{writer}/fd")).unwrap().count();
    // It closes other files only when it runs, which may be later than its confinement.
    let end = Instant::now() + PATIENCE;
    while open() != 5 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(open(), 5, "three streams, the folder, the connection");
    assert!(Command::new("kill").args(["-9", &writer.to_string()]).status().unwrap().success());
    child.stdin.take().unwrap().write_all(&fs::read(sample()).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("the process that writes it has ended") && !page.exists(), "{said}");
}
