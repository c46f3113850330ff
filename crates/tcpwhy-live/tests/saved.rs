//! Tests with directories as users save them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::fs;
use std::path::{Path, PathBuf};

use tcpwhy_live::{LiveError, SavedHost};
use tcpwhy_model::host::Gap;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// File names do not matter, as in a `sos report`.
#[test]
fn files_are_known_by_what_is_in_them() {
    let folder = folder("sos");
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("sos_commands/kernel/sysctl_-a", "kernel.osrelease = 5.14.0-427.el9.x86_64\nnet.ipv4.tcp_mem = 1 2 3\n");
    write("sos_commands/networking/ss_-peaonmi", include_str!("fixtures/ss-4.9.txt"));
    write("proc/net/netstat", "TcpExt: PruneCalled\nTcpExt: 7\n");
    write("proc/net/snmp", "Tcp: RetransSegs\nTcp: 9\n");
    write("proc/net/sockstat", "sockets: used 3\nTCP: inuse 1 orphan 0 tw 0 alloc 2 mem 4\n");
    write("proc/uptime", "86400.00 1.00\n");
    write("var/log/messages", &"Jan 1 00:00:00 host app: hello\n".repeat(100));
    write("binary", "TCP\0\0");
    let host = SavedHost::read(&folder).unwrap();
    let o = &host.observation;
    assert_eq!(host.files.len(), 6, "{:?}", host.files);
    assert_eq!(o.kernel_release.as_deref(), Some("5.14.0-427.el9.x86_64"));
    assert_eq!((o.uptime, o.is_initial_namespace), (Some(86_400.0), Some(true)));
    let counters = o.counters.as_ref().unwrap();
    assert_eq!((counters.ext("PruneCalled"), counters.tcp("RetransSegs")), (Some(7), Some(9)));
    assert_eq!(o.sockstat.unwrap().memory, Some(4));
    assert_eq!(o.sockets.as_ref().unwrap().len(), 2);
    assert_eq!(o.gaps, [Gap::Processes, Gap::Locks]);
}

#[test]
fn a_single_file_is_a_host_too() {
    let path = folder("single").join("out.txt");
    fs::write(&path, include_str!("fixtures/ss-6.12-filtered.txt")).unwrap();
    let host = SavedHost::read(&path).unwrap();
    assert_eq!(host.observation.sockets.unwrap().len(), 1);
    assert!(host.observation.gaps.contains(&Gap::Sysctls));
    let uname = folder("uname").join("uname");
    fs::write(&uname, "Linux web1 6.1.0-18-amd64 #1 SMP Debian x86_64 GNU/Linux\n").unwrap();
    assert_eq!(SavedHost::read(&uname).unwrap().observation.kernel_release.as_deref(), Some("6.1.0-18-amd64"));
}

#[test]
fn nothing_of_a_host_is_an_error_that_says_so() {
    let empty = folder("empty");
    fs::write(empty.join("notes"), "nothing to see").unwrap();
    assert!(matches!(SavedHost::read(&empty), Err(LiveError::NothingFound { .. })));
    let missing = SavedHost::read(Path::new("/nonexistent/host")).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read /nonexistent/host: "), "{missing}");
}

/// A hostile directory: its files must not block the reader, trap it in a loop, or make it read without end.
#[cfg(target_os = "linux")]
#[test]
fn a_hostile_tree_is_read_as_far_as_it_is_a_host() {
    use std::os::unix::fs::symlink;

    let folder = folder("tree");
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink(&folder, folder.join("round")).unwrap();
    symlink("/dev/zero", folder.join("zero")).unwrap();
    symlink("/proc/kmsg", folder.join("log")).unwrap();
    fs::create_dir_all(folder.join("1/2/3/4/5")).unwrap();
    fs::write(folder.join("1/2/3/4/5/sysctl"), "net.ipv4.tcp_mem = 1 2 3\n").unwrap();
    // A sparse file as long as a disk.
    fs::File::create(folder.join("long")).unwrap().set_len(1 << 40).unwrap();
    fs::write(folder.join("a\nb\u{1b}[2J"), "net.core.rmem_max = 1\n").unwrap();
    let host = SavedHost::read(&folder).unwrap();
    assert_eq!(host.files, [folder.join("a\nb\u{1b}[2J")]);
    assert!(!host.is_cut);
    assert!(matches!(SavedHost::read(&pipe), Err(LiveError::Silent { .. })), "named, but nobody writes");
    assert!(matches!(SavedHost::read(&folder.join("zero")), Err(LiveError::NotAFile { .. })));
    assert!(matches!(SavedHost::read(&folder.join("long")), Err(LiveError::TooLarge { .. })));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn more_files_than_a_host_has_are_cut_and_said_so() {
    let folder = folder("many");
    fs::write(folder.join("0"), "net.core.rmem_max = 1\n").unwrap();
    for number in 0..20_001 {
        fs::File::create(folder.join(format!("x{number}"))).unwrap();
    }
    let host = SavedHost::read(&folder);
    // The file system decides the order of the files.
    assert!(host.is_err() || host.unwrap().is_cut);
    fs::remove_dir_all(&folder).unwrap();
}

/// The result does not depend on where the texts come from, and writing it gives the same host.
#[test]
fn files_in_memory_are_a_host_too() {
    let read = |text: &str| SavedHost::from_files([(Path::new("a"), text.as_bytes())]);
    let host = read("net.ipv4.tcp_mem = 1 2 3\nkernel.osrelease = 6.1\n").unwrap();
    assert_eq!(host.observation.kernel_release.as_deref(), Some("6.1"));
    assert_eq!(read("nothing"), None);
    assert_eq!(read("net.ipv4.tcp_mem = 1 2 3\0"), None, "no text");
}
