//! What a confined thread can still do. Linux counts rights by thread, so each test confines one of its own.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::Command;
use std::thread;

use tcpwhy_rights::{Calls, Capability, Files, Grant, Network, User, has_landlock};

/// `CAP_DAC_READ_SEARCH` alone.
const READ_ANY_FILE: &str = "0000000000000004";
const NOTHING: &str = "0000000000000000";

fn confined<T: Send>(grant: &Grant, work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let confined = grant.confine().unwrap();
            assert_eq!(confined.files, has_landlock() && !matches!(grant.files, Files::Any));
            work()
        });
        thread.join().unwrap()
    })
}

fn status() -> impl Fn(&str) -> String {
    let text = fs::read_to_string("/proc/thread-self/status").unwrap();
    move |name| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().trim().to_owned()
}

/// Whether the first thread of this process is root's: a confined one may not be any more.
fn is_root() -> bool {
    fs::read_to_string("/proc/self/status").unwrap().lines().any(|line| line.starts_with("Uid:\t0\t"))
}

/// User 0 owns these files and may still not open them.
#[test]
fn only_the_files_that_were_named() {
    if !has_landlock() {
        return eprintln!("skipped: this kernel has no Landlock");
    }
    let folder = tempfile::tempdir().unwrap();
    let [named, other] = ["named", "other"].map(|name| folder.path().join(name));
    fs::write(&named, "x").unwrap();
    fs::write(&other, "x").unwrap();
    let mut open = File::open(&other).unwrap();
    let read = vec![named.clone(), "/missing".into(), "/proc/self".into()];
    confined(&Grant { files: Files::Only { read }, ..Grant::default() }, || {
        assert_eq!(fs::read_to_string(&named).unwrap(), "x");
        for refused in [fs::read(&other).map(drop), File::create(&named).map(drop), fs::read("/etc/passwd").map(drop)] {
            assert_eq!(refused.unwrap_err().kind(), ErrorKind::PermissionDenied);
        }
        assert!(fs::remove_file(&named).is_err() && fs::write(folder.path().join("new"), "x").is_err());
        let mut text = String::new();
        open.read_to_string(&mut text).unwrap();
        assert_eq!(text, "x", "what is open stays open");
    });
}

#[test]
fn only_one_folder_is_written_to() {
    if !has_landlock() {
        return eprintln!("skipped: this kernel has no Landlock");
    }
    let [mine, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let folder = std::os::fd::OwnedFd::from(File::open(mine.path()).unwrap());
    let grant = Grant { files: Files::In { folder: folder.into(), above: Vec::new() }, ..Grant::default() };
    confined(&grant, || {
        fs::write(mine.path().join("a"), "x").unwrap();
        fs::rename(mine.path().join("a"), mine.path().join("b")).unwrap();
        fs::remove_file(mine.path().join("b")).unwrap();
        assert!(fs::write(other.path().join("a"), "x").is_err());
        assert!(fs::create_dir(mine.path().join("folder")).is_err(), "files alone");
    });
}

#[test]
fn no_programs_and_no_looks_at_others() {
    let confined_to = |calls| Grant { calls, files: Files::Any, ..Grant::default() };
    let look = || {
        let own = rustix::process::getpid();
        rustix::process::pidfd_open(own, rustix::process::PidfdFlags::empty()).map(drop)
    };
    confined(&confined_to(Calls::default()), || {
        let error = Command::new("true").status().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
        assert_eq!(look().unwrap_err(), rustix::io::Errno::PERM);
        assert_eq!(status()("Seccomp:"), "2");
    });
    confined(&confined_to(Calls { looks_into_processes: true, ..Calls::default() }), || look().unwrap());
}

/// A folder that user 0 owns stays as it is: permissions by name are nobody's to change.
#[test]
fn permissions_by_name_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    confined(&Grant { files: Files::Any, ..Grant::default() }, || {
        let error = fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    });
}

#[test]
fn only_who_asks_for_names_opens_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let connect = || TcpStream::connect(listener.local_addr().unwrap()).map(drop);
    let ask = || UdpSocket::bind("127.0.0.1:0").map(drop);
    let names = Grant { network: Network::NameServers, ..Grant::default() };
    confined(&names, || {
        connect().unwrap();
        ask().unwrap();
        // Services of this machine, whose socket root may always use.
        assert_eq!(UnixStream::connect("/nowhere").unwrap_err().kind(), ErrorKind::PermissionDenied);
    });
    for network in [Network::Nobody, Network::Callers, Network::Kernel] {
        confined(&Grant { network, ..Grant::default() }, || {
            for refused in [connect(), ask(), UnixDatagram::unbound().map(drop)] {
                assert_eq!(refused.unwrap_err().kind(), ErrorKind::PermissionDenied, "{network:?}");
            }
        });
    }
}

#[test]
fn who_answers_accepts_and_does_nothing_else() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let caller = thread::spawn(move || TcpStream::connect(address).unwrap());
    confined(&Grant { network: Network::Callers, ..Grant::default() }, || {
        let (mut answered, _) = listener.accept().unwrap();
        answered.write_all(b"x").unwrap();
        // A pair of streams reaches nobody else; datagrams of a pair would.
        UnixStream::pair().unwrap();
        assert_eq!(UnixDatagram::pair().unwrap_err().kind(), ErrorKind::PermissionDenied);
    });
    caller.join().unwrap();
    confined(&Grant::default(), || {
        assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::PermissionDenied);
    });
}

/// Threads are part of this process; a process would go on without it.
#[test]
fn threads_are_started_and_no_processes() {
    confined(&Grant::default(), || {
        thread::spawn(|| ()).join().unwrap();
        // SAFETY: it is refused; a child would leave at once.
        #[allow(unsafe_code, reason = "fork(2) has no safe wrapper")]
        let child = unsafe { libc::fork() };
        if child == 0 {
            std::process::abort();
        }
        assert_eq!(child, -1);
    });
}

#[test]
fn permissions_of_open_files_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let file = tempfile::tempfile().unwrap();
    confined(&Grant::default(), || {
        let error = file.set_permissions(fs::Permissions::from_mode(0o777)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    });
}

#[test]
fn root_becomes_somebody_else_with_the_capabilities_that_it_needs() {
    let grant = Grant {
        user: User::Unprivileged,
        capabilities: vec![Capability::ReadAnyFile],
        files: Files::Any,
        ..Grant::default()
    };
    confined(&grant, || {
        let field = status();
        assert_eq!(field("NoNewPrivs:"), "1");
        if is_root() {
            assert!(field("Uid:").split_whitespace().all(|uid| uid != "0"), "{}", field("Uid:"));
            for set in ["CapEff:", "CapPrm:", "CapBnd:"] {
                assert_eq!(field(set), READ_ANY_FILE, "{set}");
            }
            fs::read("/etc/shadow").unwrap();
        }
    });
}

/// Root reads files of others by a capability, which stays for that alone.
#[test]
fn files_of_others_can_be_named() {
    if !is_root() {
        return eprintln!("skipped: only root may give a file away");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capture");
    fs::write(&file, "x").unwrap();
    let read = vec![file.clone(), folder.path().to_owned(), "/proc".into()];
    confined(&Grant { files: Files::Only { read: read.clone() }, ..Grant::default() }, || {
        assert_eq!(status()("CapEff:"), NOTHING, "its own need none");
    });
    std::os::unix::fs::chown(&file, Some(65_534), None).unwrap();
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    confined(&Grant { files: Files::Only { read }, ..Grant::default() }, || {
        assert_eq!(status()("CapEff:"), READ_ANY_FILE);
        assert_eq!(fs::read_to_string(&file).unwrap(), "x");
    });
}

/// Root becomes another user where that one reads the same, with a capability where it must.
#[test]
fn root_leaves_where_another_user_reads_the_same() {
    if !is_root() {
        return eprintln!("skipped: only root may become another user");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let file = folder.path().join("capture");
    fs::write(&file, "x").unwrap();
    for (mode, capabilities) in [(0o644, NOTHING), (0o600, READ_ANY_FILE)] {
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        let files = Files::Only { read: vec![file.clone(), "/proc".into()] };
        confined(&Grant { user: User::UnprivilegedIfItReads, files, ..Grant::default() }, || {
            let field = status();
            assert!(field("Uid:").split_whitespace().all(|uid| uid != "0"), "{}", field("Uid:"));
            assert_eq!(field("CapEff:"), capabilities, "{mode:o}");
            assert_eq!(fs::read_to_string(&file).unwrap(), "x");
        });
    }
}
