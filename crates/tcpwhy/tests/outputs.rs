//! Outputs are complete, private where required, and never follow links of other users; a failure is one
//! line.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so")]

#[path = "support/forbidden.rs"]
mod forbidden;
#[path = "../src/output/options.rs"]
mod options;
#[allow(dead_code, reason = "captures are for other tests")]
mod support;

use std::fs::{self, File, Permissions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use forbidden::forbidden;
use tempfile::TempDir;

/// `nobody`.
const NOBODY: u32 = 65_534;

/// The result of a run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    out: Vec<u8>,
    err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        Self { code: output.status.code(), out: output.stdout, err }
    }
}

impl Run {
    #[track_caller]
    fn is_error(&self, part: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.err.starts_with("tcpwhy: ") && self.err.contains(part), "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
    }

    #[track_caller]
    fn is_good(&self) {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
    }
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(support::program());
    command.args(arguments).env("LANG", "en_US.UTF-8").env_remove("LC_ALL").env_remove("LC_MESSAGES");
    command
}

fn tcpwhy(arguments: &[&str]) -> Run {
    program(arguments).output().unwrap().into()
}

/// `script` in a shell, with the program as `$0` and the capture as `$1`.
fn shell(folder: &Path, script: &str) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(support::program()).arg(capture()).current_dir(folder).env("LANG", "en_US.UTF-8");
    command.env_remove("LC_ALL").env_remove("LC_MESSAGES").output().unwrap().into()
}

fn capture() -> String {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/nagle-delayed-ack.pcap.gz");
    sample.canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().unwrap().mode() & 0o7777
}

/// Whether this process acts as root, shown by the owner of a new file.
fn is_root() -> bool {
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

/// Whether files of other users can be created here. Tests of `tcpwhy-files` check the same without
/// privileges.
fn can_make_strangers() -> bool {
    if !is_root() {
        eprintln!("not tested: only root can make what belongs to another user");
    }
    is_root()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A page of tcpwhy from an earlier run.
const OLD: &[u8] = b"<!-- written by tcpwhy -->\nold";

/// Whether `page` is a whole page.
fn is_whole(page: &[u8]) -> bool {
    page.starts_with(b"<!doctype html>") && page.trim_ascii_end().ends_with(b"</html>")
}

#[test]
fn permissions_are_the_umasks() {
    let folder = folder();
    let run = shell(
        folder.path(),
        "umask 027; $0 $1 --html page --quiet && $0 $1 --svg pictures --quiet && $0 buffers --svg chart --quiet >/dev/null &&
         chmod 606 page && $0 $1 --html page --quiet && $0 audit --save saved --quiet >/dev/null",
    );
    run.is_good();
    assert_eq!(mode(&folder.path().join("page")), 0o606, "that of the file that was there");
    assert_eq!((mode(&folder.path().join("chart")), mode(&folder.path().join("pictures"))), (0o640, 0o750));
    for name in names(&folder.path().join("pictures")) {
        assert_eq!(mode(&folder.path().join("pictures").join(name)), 0o640);
    }
    assert_eq!(mode(&folder.path().join("saved")), 0o700);
    for name in names(&folder.path().join("saved")) {
        assert_eq!(mode(&folder.path().join("saved").join(name)), 0o600);
    }
    assert_eq!(names(folder.path()), ["chart", "page", "pictures", "saved"]);
}

/// A file size limit simulates a disk that fills up during a write.
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = folder();
    fs::write(folder.path().join("page"), OLD).unwrap();
    fs::create_dir(folder.path().join("pictures")).unwrap();
    for (command, part) in [
        ("$0 $1 --html page", "cannot write page: File too large"),
        ("$0 $1 --html new", "cannot write new: File too large"),
        ("$0 $1 --svg pictures", "File too large"),
        ("$0 buffers --svg page", "cannot write page: File too large"),
        ("$0 audit --save saved", "File too large"),
        ("$0 audit --save a/b", "File too large"),
    ] {
        // In units of 512 or 1,024 bytes.
        shell(folder.path(), &format!("ulimit -c 0; ulimit -f 2; {command}")).is_error(part);
        assert_eq!(names(folder.path()), ["page", "pictures"], "{command}");
        assert_eq!(fs::read(folder.path().join("page")).unwrap(), OLD, "{command}");
        assert!(names(&folder.path().join("pictures")).is_empty(), "{command}");
    }
}

/// The same with the report on standard output, and where the signal of that limit (SIGXFSZ) is ignored
/// already.
#[test]
fn a_full_file_is_an_error_and_no_signal() {
    let folder = folder();
    let report = "$0 $1 $1 $1 $1 $1 $1 $1 $1 $1 $1 --json >report";
    for before in ["", "trap '' XFSZ;"] {
        let run = shell(folder.path(), &format!("{before} ulimit -c 0; ulimit -f 2; ({report}) 2>said; echo $?"));
        assert_eq!(run.out, b"2\n", "{before}");
        let said = fs::read_to_string(folder.path().join("said")).unwrap();
        assert!(
            said.contains("File too large") && said.lines().filter(|l| l.starts_with("tcpwhy: ")).count() == 1,
            "{said}"
        );
    }
}

#[test]
fn killed_at_any_moment_it_leaves_the_old_page_or_the_new_one() {
    let folder = folder();
    let page = folder.path().join("page");
    let capture = capture();
    let write = || {
        let mut command = program(&[&capture, "--html", text(&page), "--quiet"]);
        command.env("TMPDIR", folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let started = Instant::now();
    assert!(write().wait().unwrap().success());
    let all = started.elapsed();
    let new = fs::read(&page).unwrap();
    assert!(is_whole(&new));
    let mut replaced = 0;
    let kills = 30;
    for kill in 0..kills {
        fs::write(&page, OLD).unwrap();
        let mut child = write();
        // Most kills are near the end, when the file is written.
        sleep(all * (kill + 10) / (kills + 5));
        child.kill().unwrap();
        child.wait().unwrap();
        let left = fs::read(&page).unwrap();
        assert!(left == OLD || left == new, "neither the old page nor the new one: {} bytes", left.len());
        replaced += u32::from(left == new);
        for name in names(folder.path()).into_iter().filter(|name| name != "page") {
            // A complete page has a temporary name for some microseconds.
            assert!(name.starts_with(".tcpwhy-"), "{name}");
            assert!(fs::read(folder.path().join(&name)).unwrap() == new, "{name}");
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    assert!(replaced < kills, "none was killed in time");
}

#[test]
fn links() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("deep")).unwrap();
    fs::write(at("deep/page"), OLD).unwrap();
    symlink("deep/page", at("latest")).unwrap();
    let write = |path: &Path| tcpwhy(&[&capture(), "--quiet", "--html", text(path)]);
    write(&at("latest")).is_good();
    assert!(at("latest").is_symlink() && is_whole(&fs::read(at("deep/page")).unwrap()));
    if !can_make_strangers() {
        return;
    }
    // The permissions of a folder such as /tmp.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o1777)).unwrap();
    fs::write(at("precious"), "precious").unwrap();
    for (link, target) in [("page", "precious"), ("here", ".")] {
        symlink(target, at(link)).unwrap();
        lchown(at(link), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let pictures = |path: &Path| tcpwhy(&[&capture(), "--quiet", "--svg", text(path)]);
    write(&at("page")).is_error("the link ");
    write(&at("here/precious")).is_error("belongs to another user (uid 65534)");
    pictures(&at("here")).is_error("belongs to another user");
    pictures(&at("here/new")).is_error("belongs to another user");
    tcpwhy(&["buffers", "--svg", text(&at("page"))]).is_error("belongs to another user");
    tcpwhy(&["audit", "--save", text(&at("here/new"))]).is_error("belongs to another user");
    assert_eq!(fs::read_to_string(at("precious")).unwrap(), "precious");
    // With `--overwrite`, the file of that name in a folder is replaced, whatever its type.
    fs::create_dir(at("pictures")).unwrap();
    pictures(&at("pictures")).is_good();
    let picture = names(&at("pictures")).remove(0);
    fs::remove_file(at("pictures").join(&picture)).unwrap();
    symlink(at("precious"), at("pictures").join(&picture)).unwrap();
    lchown(at("pictures").join(&picture), Some(NOBODY), Some(NOBODY)).unwrap();
    pictures(&at("pictures")).is_error("is not a picture of this capture");
    assert!(at("pictures").join(&picture).is_symlink());
    tcpwhy(&[&capture(), "--quiet", "--force", "--svg", text(&at("pictures"))]).is_good();
    assert!(!at("pictures").join(&picture).is_symlink());
    assert_eq!(fs::read_to_string(at("precious")).unwrap(), "precious");
}

#[test]
fn what_is_no_file_is_written_to() {
    let folder = folder();
    let page = shell(folder.path(), "$0 $1 --quiet --html -").out;
    assert!(is_whole(&page));
    for script in [
        "$0 $1 --quiet --html /dev/stdout",
        "$0 $1 --quiet --html /dev/stdout | cat",
        "$0 $1 --quiet --html /dev/fd/3 3>&1 | cat",
        "mkfifo fifo; cat fifo & $0 $1 --quiet --html fifo; wait",
        "{ $0 $1 --quiet --html /dev/stdout; } > file; cat file",
        "{ $0 $1 --quiet --html /dev/stdout; } >> appended; cat appended",
    ] {
        let run = shell(folder.path(), script);
        run.is_good();
        assert!(run.out == page, "{script}: {} bytes", run.out.len());
    }
    let run = shell(folder.path(), "{ echo first; $0 $1 --quiet --html /dev/stdout; echo last; } > file; cat file");
    assert!(run.out.starts_with(b"first\n<!doctype") && run.out.ends_with(b"last\n"));
    tcpwhy(&[&capture(), "--quiet", "--html", "/dev/null"]).is_good();
    tcpwhy(&[&capture(), "--quiet", "--html", "/dev/full"]).is_error("cannot write /dev/full: No space left");
    tcpwhy(&[&capture(), "--quiet", "--html", text(folder.path())]).is_error("Is a directory");
    if can_make_strangers() {
        chown(folder.path().join("fifo"), Some(NOBODY), Some(NOBODY)).unwrap();
        let fifo = folder.path().join("fifo");
        tcpwhy(&[&capture(), "--quiet", "--html", text(&fifo)]).is_error("a FIFO of another user (uid 65534)");
    }
}

#[test]
fn a_saved_host_goes_into_a_private_folder() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let save = |path: &Path| tcpwhy(&["audit", "--quiet", "--save", text(path)]);
    fs::write(at("precious"), "precious").unwrap();
    fs::create_dir(at("prepared")).unwrap();
    for file in ["ss", "sysctl", "nstat"] {
        symlink(at("precious"), at("prepared").join(file)).unwrap();
    }
    save(&at("prepared")).is_error("it is not empty; name a new directory");
    assert_eq!(fs::read_to_string(at("precious")).unwrap(), "precious");

    fs::create_dir(at("empty")).unwrap();
    symlink("empty", at("link")).unwrap();
    save(&at("link")).is_error("it is a link; name a new directory");
    fs::set_permissions(at("empty"), Permissions::from_mode(0o1777)).unwrap();
    save(&at("empty")).is_error("other users may write there too (mode 777)");
    save(&at("precious")).is_error("File exists");
    if can_make_strangers() {
        fs::set_permissions(at("empty"), Permissions::from_mode(0o755)).unwrap();
        chown(at("empty"), Some(NOBODY), Some(NOBODY)).unwrap();
        save(&at("empty")).is_error("it belongs to another user (uid 65534); name a new directory");
    } else {
        // Exists on every Linux and belongs to root.
        save(Path::new("/usr")).is_error("it belongs to another user (uid 0)");
    }
    assert!(names(&at("empty")).is_empty());

    save(&at("new")).is_good();
    assert_eq!((mode(&at("new")), mode(&at("new/ss"))), (0o700, 0o600));
    save(&at("new")).is_error("it is not empty");
    let again = tcpwhy(&["audit", "--quiet", text(&at("new"))]);
    again.is_good();
}

#[test]
fn a_saved_host_keeps_no_secrets() {
    let folder = folder();
    let saved = folder.path().join("saved");
    tcpwhy(&["audit", "--quiet", "--save", text(&saved)]).is_good();
    let sysctl = fs::read_to_string(saved.join("sysctl")).unwrap();
    assert!(sysctl.contains("net.ipv4.tcp_rmem = "), "{sysctl}");
    for line in sysctl.lines() {
        let (name, _) = line.split_once(" = ").unwrap();
        assert!(tcpwhy_live::is_setting_saved(name), "{name}");
    }
    for secret in ["net/ipv4/tcp_fastopen_key", "net/core/netdev_rss_key", "kernel/random/boot_id"] {
        // A secret that this user cannot read cannot have been saved.
        let Ok(value) = fs::read_to_string(Path::new("/proc/sys").join(secret)) else { continue };
        for name in names(&saved) {
            let text = fs::read_to_string(saved.join(&name)).unwrap();
            assert!(!text.contains(value.trim()), "{secret} in {name}");
        }
        assert!(!sysctl.contains(&secret.replace('/', ".")), "{sysctl}");
    }
}

/// All that the audit judges is saved, so that the saved host shows the same.
#[test]
fn what_the_audit_reads_is_saved() {
    for sysctl in tcpwhy_kernel::Sysctl::ALL {
        assert!(tcpwhy_live::is_setting_saved(sysctl.name()), "{}", sysctl.name());
    }
}

/// A program that reads a capture from a pipe that stays open.
fn fed(arguments: &[&str], folder: &Path) -> Child {
    let mut command = program(arguments);
    command.env("TMPDIR", folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(&fs::read(capture()).unwrap()).unwrap();
    child
}

#[test]
fn nothing_of_what_came_through_a_pipe_is_left() {
    let folder = folder();
    let page = folder.path().join("page");
    let mut interrupted = fed(&["-", "--html", text(&page)], folder.path());
    sleep(Duration::from_millis(200));
    assert!(names(folder.path()).is_empty(), "while it is read");
    interrupted.kill().unwrap();
    interrupted.wait().unwrap();
    assert!(names(folder.path()).is_empty());

    let mut child = fed(&["-", "--html", text(&page), "--quiet"], folder.path());
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["page"]);
    // The second pass found all packets again.
    let named = folder.path().join("named");
    tcpwhy(&[&capture(), "--quiet", "--html", text(&named)]).is_good();
    let [piped, named] = [page, named].map(|page| fs::read(page).unwrap().len());
    assert!(piped.abs_diff(named) < 1000, "{piped} and {named} bytes");
}

#[test]
fn nothing_is_left_when_serve_ends() {
    let folder = folder();
    let mut child = fed(&["serve", "-", "--listen", "127.0.0.1:0"], folder.path());
    drop(child.stdin.take());
    let mut address = [0; 16];
    child.stdout.as_mut().unwrap().read_exact(&mut address).unwrap();
    assert!(address.starts_with(b"http://127.0.0.1"), "{}", String::from_utf8_lossy(&address));
    assert!(names(folder.path()).is_empty(), "while it serves");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(names(folder.path()).is_empty());
}

/// Each output, and what it prints to standard output.
const PRINTING: [&str; 14] = [
    "$1",
    "$1 --json",
    "$1 --jsonl",
    "$1 --html -",
    "$1 --html /dev/stdout",
    "rules",
    "schema",
    "man",
    "completions bash",
    "buffers --kernel 6.18",
    "audit",
    "lab list",
    "--help",
    "--version",
];

#[test]
fn standard_output_that_cannot_be_written_is_one_line() {
    let folder = folder();
    for arguments in PRINTING {
        for (redirection, part) in [(">&-", "Bad file descriptor"), (">/dev/full", "No space left on device")] {
            let run = shell(folder.path(), &format!("$0 {arguments} {redirection}"));
            run.is_error(&format!("cannot write to standard output: {part}"));
            // The status is the same if standard error fails, too.
            let silent = shell(folder.path(), &format!("$0 {arguments} {redirection} 2>/dev/full"));
            assert_eq!(silent.code, Some(2), "{arguments} {redirection}");
        }
        // The reader closed the pipe.
        let script = format!("{{ $0 {arguments}; echo $? >&2; }} | head -c 1 >/dev/null");
        let run = shell(folder.path(), &script);
        assert_eq!((run.code, run.err.trim()), (Some(0), "0"), "{arguments}: {run:?}");
    }
    // Outputs that print nothing do not need standard output.
    shell(folder.path(), "$0 $1 --quiet --html page >&-").is_good();
    shell(folder.path(), "$0 $1 --quiet --svg pictures >/dev/full").is_good();
}

#[test]
fn messages_that_cannot_be_written_change_nothing() {
    let folder = folder();
    for redirection in ["2>&-", "2>/dev/full"] {
        for (arguments, code) in [
            ("$1", 0),
            ("/nonexistent", 2),
            ("/nonexistent $1", 2),
            ("--no-such-flag", 2),
            ("rules no-such-rule", 2),
            ("audit /nonexistent", 2),
            ("buffers --sysctl-file /nonexistent", 2),
            ("lab run no-such-scenario", 2),
            ("$1 --html page --host 192.0.2.77", 0),
        ] {
            let run = shell(folder.path(), &format!("$0 {arguments} {redirection} >/dev/null"));
            assert_eq!((run.code, run.err.as_str()), (Some(code), ""), "{arguments} {redirection}");
        }
    }
}

#[test]
fn without_descriptors_or_memory_it_is_one_line() {
    let folder = folder();
    fs::write(folder.path().join("page"), OLD).unwrap();
    let mut errors = 0;
    // Without optimisation it needs more than 60 MB before its first line: the kernel ends it.
    let memory = (90_000..210_000).step_by(30_000).map(|v| format!("-v {v}"));
    let limits = (4..8).map(|n| format!("-n {n}")).chain(memory);
    for limit in limits {
        for command in ["$0 $1", "$0 $1 --html page", "$0 audit --quiet --save saved"] {
            let run = shell(folder.path(), &format!("exec >/dev/null; ulimit {limit}; exec {command}"));
            if run.code != Some(0) {
                run.is_error("");
                errors += 1;
            }
            let page = fs::read(folder.path().join("page")).unwrap();
            assert!(page == OLD || is_whole(&page), "{command} {limit}");
            assert!(names(folder.path()).iter().all(|name| ["page", "saved"].contains(&name.as_str())), "{limit}");
            if folder.path().join("saved").exists() {
                assert_eq!(run.code, Some(0), "{limit}: half a host was left");
                fs::remove_dir_all(folder.path().join("saved")).unwrap();
            }
        }
    }
    assert!(errors > 0, "nothing was too little");
}

/// A document of JSON, without its values.
#[derive(serde::Deserialize)]
struct Connections {
    connections: Vec<serde::de::IgnoredAny>,
}

/// A report above the 64 MiB kept in memory uses a temporary file. It is opened before privileges are given
/// up.
#[test]
fn a_report_larger_than_memory_may_hold_is_whole() {
    const CONNECTIONS: u32 = 10_000;
    let folder = folder();
    fs::write(folder.path().join("many.pcap"), short_connections(CONNECTIONS)).unwrap();
    shell(folder.path(), "exec $0 --json many.pcap >whole 2>said").is_good();
    let whole = fs::read(folder.path().join("whole")).unwrap();
    assert!(whole.len() > 64 << 20, "{} bytes: more connections are needed", whole.len());
    let document: Connections = serde_json::from_slice(&whole).unwrap();
    assert_eq!(document.connections.len(), CONNECTIONS as usize);
    // Without a folder for temporary files, a large report fails with a message, and a small one works.
    let missing = "TMPDIR=/nonexistent exec $0";
    shell(folder.path(), &format!("{missing} --json many.pcap")).is_error("temporary file in /nonexistent: ");
    shell(folder.path(), &format!("{missing} --json $1 >small")).is_good();
    shell(folder.path(), &format!("{missing} many.pcap >text")).is_good();
}

/// A capture of `count` connections with a request and its response, each with its own endpoints.
fn short_connections(count: u32) -> Vec<u8> {
    let one = tcpwhy_testkit::Turns { count: 2, ..tcpwhy_testkit::Turns::default() }.run();
    let of = |n: u32| {
        let client = std::net::IpAddr::from((0x0a01_0000 + n).to_be_bytes());
        one.iter().map(move |segment| {
            let mut segment = *segment;
            for end in [&mut segment.source, &mut segment.destination] {
                if end.port > 1024 {
                    end.address = client;
                }
            }
            segment
        })
    };
    tcpwhy_testkit::pcap(&(0..count).flat_map(of).collect::<Vec<_>>())
}

/// Before anything is run.
#[test]
fn recordings_do_not_go_where_somebody_else_leads() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("elsewhere")).unwrap();
    fs::create_dir_all(at("out")).unwrap();
    let run = |out: &Path| tcpwhy(&["lab", "run", "sndbuf-16k", "--quiet", "--out", text(out)]);
    symlink("../elsewhere", at("out/sndbuf-16k")).unwrap();
    run(&at("out")).is_error("it is a link; name a new directory");
    if can_make_strangers() {
        fs::create_dir_all(at("theirs/sndbuf-16k")).unwrap();
        chown(at("theirs/sndbuf-16k"), Some(NOBODY), Some(NOBODY)).unwrap();
        run(&at("theirs")).is_error("it belongs to another user (uid 65534)");
        symlink("out", at("link")).unwrap();
        lchown(at("link"), Some(NOBODY), Some(NOBODY)).unwrap();
        run(&at("link")).is_error("the link ");
    }
    assert!(names(&at("elsewhere")).is_empty());
}

/// The recordings of `prove` that nobody keeps, as soon as there are some.
fn wait_for(folder: &Path, mut is_wanted: impl FnMut(&[String]) -> bool) -> Vec<PathBuf> {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let names = names(folder);
        if is_wanted(&names) || Instant::now() > until {
            return names.iter().map(|name| folder.join(name)).collect();
        }
        sleep(Duration::from_millis(2));
    }
}

#[test]
fn prove_leaves_no_recordings_however_it_ends() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
    for (signal, millis) in [("INT", 0), ("KILL", 0), ("INT", 300), ("TERM", 300), ("KILL", 300)] {
        let folder = folder();
        let mut command = program(&["lab", "prove", text(&sample), "--quiet"]);
        command.env("TMPDIR", folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut has_ended = false;
        let seen = wait_for(folder.path(), |names| {
            has_ended = child.try_wait().unwrap().is_some();
            has_ended || !names.is_empty()
        });
        // Where runs are not permitted it may have ended before anybody looked.
        assert!(has_ended || mode(&seen[0]) == 0o700, "there is no folder to be left, or one for everybody: {seen:?}");
        sleep(Duration::from_millis(millis));
        let kill = format!("kill -{signal} {}", child.id());
        Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
        child.wait().unwrap();
        let left = wait_for(folder.path(), <[String]>::is_empty);
        assert!(left.is_empty(), "{signal} after {millis} ms: {left:?}");
    }
}

#[test]
fn a_file_that_may_not_be_written_stays() {
    let folder = folder();
    let page = folder.path().join("page");
    File::create(&page).unwrap();
    fs::set_permissions(&page, Permissions::from_mode(0o444)).unwrap();
    let run = tcpwhy(&[&capture(), "--quiet", "--html", text(&page)]);
    if is_root() {
        // Who may write everything.
        run.is_good();
        assert_eq!(mode(&page), 0o444);
    } else {
        run.is_error("Permission denied");
        assert!(fs::read(&page).unwrap().is_empty());
    }
}

// The capture again, with comments (`--annotate`).

/// A recording with data from the kernel.
fn recording() -> String {
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tcpwhy-engine/tests/fixtures/recording.pcapng.gz");
    recording.canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn document(capture: &str) -> serde_json::Value {
    let run = tcpwhy(&["--json", "--lang", "en", "--quiet", capture]);
    serde_json::from_slice(&run.out).unwrap()
}

#[test]
fn comments_say_what_held_a_connection_back_and_change_nothing_else() {
    for capture in [capture(), recording()] {
        let folder = folder();
        let copy = folder.path().join("copy.pcapng");
        let run = tcpwhy(&[&capture, "--annotate", text(&copy)]);
        assert!(run.code == Some(0) && run.out.is_empty(), "{run:?}");
        assert!(run.err.contains("comments on ") && run.err.contains("frame.comment contains"), "{run:?}");
        // The report about the copy is the same.
        let [of, again] = [document(&capture), document(text(&copy))];
        assert_eq!(again["connections"], of["connections"]);
        assert_eq!(again["captures"][0]["packets"], of["captures"][0]["packets"]);
        // Each sentence and each limit is in some comment.
        let bytes = fs::read(&copy).unwrap();
        let says = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        for connection in of["connections"].as_array().unwrap() {
            let id = &connection["id"];
            let halves = connection["halves"].as_array().unwrap().iter();
            let sentences = halves.map(|half| half["verdict"]["sentence"].as_str().unwrap());
            assert!(sentences.into_iter().any(|verdict| says(&format!("tcpwhy: connection {id}: {verdict}"))), "{id}");
        }
        // A second run replaces the comments of the first.
        let second = folder.path().join("second.pcapng");
        tcpwhy(&[text(&copy), "--annotate", text(&second), "--quiet"]).is_good();
        assert!(fs::read(&second).unwrap() == bytes, "the same again");
        // And in a pipe.
        let piped = shell(folder.path(), "cat copy.pcapng | $0 - --quiet --annotate - >piped");
        piped.is_good();
        assert!(fs::read(folder.path().join("piped")).unwrap() == bytes);
    }
}

/// As another program reads it: tshark, where there is one.
#[test]
fn wireshark_shows_the_comments_and_the_same_packets() {
    let folder = folder();
    let copy = folder.path().join("copy.pcapng");
    tcpwhy(&[&recording(), "--annotate", text(&copy), "--quiet"]).is_good();
    let tshark = |file: &str, arguments: &[&str]| {
        let output = Command::new("tshark").args(["-r", file]).args(arguments).output().ok()?;
        Some(String::from_utf8(output.stdout).unwrap())
    };
    let fields = ["-T", "fields", "-e", "frame.number", "-e", "frame.time_epoch", "-e", "frame.len", "-e", "tcp.seq"];
    let Some(packets) = tshark(text(&copy), &fields) else {
        eprintln!("skipped: no tshark");
        return;
    };
    assert_eq!((packets.lines().count(), Some(&packets)), (777, tshark(&recording(), &fields).as_ref()));
    let filter = ["-Y", "frame.comment contains \"tcpwhy:\"", "-T", "fields", "-e", "frame.comment"];
    let comments = tshark(text(&copy), &filter).unwrap();
    assert!(comments.contains("connection 0: ") && comments.contains("receive window"), "{comments}");
}

#[test]
fn a_copy_replaces_nothing_unasked_and_is_no_more_open_than_its_capture() {
    let folder = folder();
    let own = folder.path().join("own.pcap.gz");
    fs::copy(capture(), &own).unwrap();
    fs::set_permissions(&own, Permissions::from_mode(0o600)).unwrap();
    let copy = folder.path().join("copy.pcapng");
    fs::write(&copy, "precious").unwrap();
    tcpwhy(&[text(&own), "--annotate", text(&copy)]).is_error("--overwrite replaces it");
    assert_eq!(fs::read(&copy).unwrap(), b"precious");
    fs::remove_file(&copy).unwrap();
    tcpwhy(&[text(&own), "--annotate", text(&copy), "--quiet"]).is_good();
    assert_eq!(mode(&copy), 0o600);
    // A copy by tcpwhy is replaced; --force is the older name of --overwrite.
    tcpwhy(&[text(&own), "--annotate", text(&copy), "--quiet"]).is_good();
    tcpwhy(&[text(&own), "--annotate", text(&copy), "--quiet", "--force"]).is_good();
    // The capture itself stays, by whatever name.
    let before = fs::read(&own).unwrap();
    let link = folder.path().join("link");
    symlink(&own, &link).unwrap();
    for name in [&own, &link] {
        tcpwhy(&[text(&own), "--annotate", text(name), "--force"]).is_error("it is an input");
    }
    assert!(fs::read(&own).unwrap() == before);
    tcpwhy(&[text(&own), text(&copy), "--annotate", "new"]).is_error("name only one");
    // A full disk leaves what was there.
    shell(folder.path(), "ulimit -c 0; ulimit -f 2; $0 $1 --annotate new.pcapng --quiet").is_error("File too large");
    assert_eq!(names(folder.path()), ["copy.pcapng", "link", "own.pcap.gz"]);
}

// What is replaced: never an input, and only our own files unless `--overwrite` is given.

/// The treatment of an existing file by the same option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    /// It is replaced: it can be made again.
    Replaced,
    /// It stays: somebody may have edited it, or it cannot be made again.
    Stays,
}

/// An option that writes one file.
struct Exercise {
    option: (&'static str, &'static str),
    /// `OUT` is the file that is written, `IN` one that is read.
    arguments: &'static str,
    own: Own,
}

const FILES: [Exercise; 11] = [
    Exercise { option: ("", "--html"), arguments: "IN --html OUT", own: Own::Replaced },
    Exercise { option: ("", "--annotate"), arguments: "IN --annotate OUT", own: Own::Replaced },
    Exercise { option: ("compare", "--html"), arguments: "compare IN IN --html OUT", own: Own::Replaced },
    Exercise {
        option: ("buffers", "--svg"),
        arguments: "buffers --kernel 6.18 --sysctl-file IN --svg OUT",
        own: Own::Replaced,
    },
    Exercise { option: ("export", "--output"), arguments: "export --once --for 10ms -o OUT", own: Own::Replaced },
    Exercise {
        option: ("export", "--output"),
        arguments: "export --once --for 10ms --format openmetrics -o OUT",
        own: Own::Replaced,
    },
    Exercise { option: ("record", "--output"), arguments: "record --no-packets --for 100ms -o OUT", own: Own::Stays },
    Exercise { option: ("predict", "--pcapng"), arguments: "predict IN --pcapng OUT", own: Own::Replaced },
    Exercise { option: ("sim run", "--pcapng"), arguments: "sim run IN --pcapng OUT", own: Own::Replaced },
    Exercise { option: ("lab new", "FILE.toml"), arguments: "lab new --like IN OUT", own: Own::Stays },
    Exercise {
        option: ("lab prove", "--scenario"),
        arguments: "lab prove --dry-run IN --scenario OUT",
        own: Own::Stays,
    },
];

/// Options with separate tests: folders, and those that need privileges.
const ELSEWHERE: [(&str, &str); 13] = [
    // `folders_follow_the_same_rule`
    ("", "--svg"),
    ("man", "DIR"),
    // `folders_of_the_lab_follow_the_same_rule`
    ("lab run", "--out"),
    ("lab compare", "--out"),
    ("lab compare", "--html"),
    ("lab book", "DIR"),
    ("lab book", "--recordings"),
    ("lab prove", "--out"),
    ("lab score", "--out"),
    ("lab score", "--markdown"),
    // `a_saved_host_goes_into_a_private_folder`
    ("audit", "--save"),
    // `tests/tables.rs`: `other_files_stay`.
    ("", "--parquet"),
    // `tests/record.rs`: it captures.
    ("", "--write"),
];

#[test]
fn every_option_that_writes_is_tried() {
    let mut tried: Vec<_> = FILES.iter().map(|exercise| exercise.option).chain(ELSEWHERE).collect();
    let mut written = options::WRITTEN.to_vec();
    tried.sort_unstable();
    tried.dedup();
    written.sort_unstable();
    assert_eq!(tried, written, "options of src/output/options.rs, and those that are tried here");
}

/// A file that the exercise can read.
fn input_for(exercise: &Exercise, folder: &Path) -> PathBuf {
    let path = folder.join("input.toml");
    match exercise.option.0 {
        "buffers" => fs::write(&path, "net.core.wmem_max = 212992\n").unwrap(),
        "lab new" | "sim run" => fs::write(&path, "[work.stream]\nphases = [{ bytes = \"1MB\" }]\n").unwrap(),
        "lab prove" | "predict" => {
            let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
            fs::copy(sample, &path).map(drop).unwrap();
        }
        _ => fs::copy(capture(), &path).map(drop).unwrap(),
    }
    path
}

/// The exercise with `out`, in `folder`, whose `input.toml` is read.
fn exercised(exercise: &Exercise, folder: &Path, out: &str, more: &str) -> Run {
    let arguments = exercise.arguments.replace("IN", "input.toml").replace("OUT", out);
    shell(folder, &format!("$0 {arguments} {more} 3>>input.toml >/dev/null"))
}

/// One line that says what was written, and how large it is.
#[track_caller]
fn says_what_was_written(run: &Run, name: &str) {
    assert_eq!((run.code, run.err.lines().count()), (Some(0), 1), "{run:?}");
    let has_size = [" B)", " kB)", " MB)"].iter().any(|unit| run.err.contains(unit));
    assert!(run.err.starts_with("tcpwhy: ") && run.err.contains(name) && has_size, "{run:?}");
}

#[test]
fn only_our_own_files_are_replaced() {
    for exercise in &FILES {
        let folder = folder();
        let out = folder.path().join("out.toml");
        input_for(exercise, folder.path());
        let run = |more: &str| exercised(exercise, folder.path(), "out.toml", more);
        fs::write(&out, "precious").unwrap();
        run("").is_error("--overwrite replaces it");
        assert_eq!(fs::read(&out).unwrap(), b"precious", "{:?}", exercise.option);
        assert_eq!(names(folder.path()), ["input.toml", "out.toml"]);
        says_what_was_written(&run("--overwrite"), "out.toml");
        assert_ne!(fs::read(&out).unwrap(), b"precious", "{:?}", exercise.option);
        match exercise.own {
            Own::Replaced => run("--quiet").is_good(),
            Own::Stays => run("").is_error("exists already"),
        }
        run("--overwrite --quiet").is_good();
        fs::remove_file(&out).unwrap();
        says_what_was_written(&run(""), "out.toml");
    }
}

#[test]
fn an_input_is_never_written_to() {
    for exercise in FILES.iter().filter(|exercise| exercise.arguments.contains("IN")) {
        let folder = folder();
        let input = input_for(exercise, folder.path());
        fs::hard_link(&input, folder.path().join("hard.toml")).unwrap();
        symlink("input.toml", folder.path().join("soft.toml")).unwrap();
        let before = fs::read(&input).unwrap();
        // A scenario's file has to end in .toml.
        let descriptor = (exercise.option.0 != "lab new").then_some("/proc/self/fd/3");
        for name in ["input.toml", "./input.toml", "hard.toml", "soft.toml"].into_iter().chain(descriptor) {
            for more in ["", "--overwrite"] {
                exercised(exercise, folder.path(), name, more).is_error("it is an input; name another file");
                assert!(fs::read(&input).unwrap() == before, "{:?} {name}", exercise.option);
            }
        }
        assert_eq!(names(folder.path()), ["hard.toml", "input.toml", "soft.toml"]);
    }
}

/// By other ways to name the same file: several captures, a key, standard input and output.
#[test]
fn an_input_stays_however_it_is_named() {
    let folder = folder();
    let before = fs::read(capture()).unwrap();
    for name in ["a", "b"] {
        fs::copy(capture(), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("key"), "a passphrase").unwrap();
    for arguments in [
        "a b --html b",
        "--merge a b --html b",
        "- --html a <a",
        "- --annotate a <a",
        "a --html - >>a",
        "a --html /dev/stdout >>a",
        "a --anonymize-key-file key --html key",
        "a --annotate ./a",
        "a --svg pictures --html a",
    ] {
        shell(folder.path(), &format!("$0 {arguments} --overwrite")).is_error("it is an input");
        for name in ["a", "b"] {
            assert!(fs::read(folder.path().join(name)).unwrap() == before, "{arguments}");
        }
        assert_eq!(fs::read(folder.path().join("key")).unwrap(), b"a passphrase", "{arguments}");
    }
    assert_eq!(names(folder.path()), ["a", "b", "key"]);
    // Opened for reading, a file is not written to by its descriptor.
    fs::write(folder.path().join("other"), "precious").unwrap();
    shell(folder.path(), "$0 a --html /dev/fd/3 --overwrite 3<other").is_error("Bad file descriptor");
    assert_eq!(fs::read(folder.path().join("other")).unwrap(), b"precious");
}

/// Nothing is read first: standard input would never end.
#[test]
fn what_may_not_be_written_is_said_before_anything_is_read() {
    let folder = folder();
    fs::write(folder.path().join("page"), "precious").unwrap();
    for option in ["--html page", "--annotate page", "--svg page"] {
        let run = shell(
            folder.path(),
            &format!("mkfifo fifo; sleep 20 >fifo & timeout 10 $0 fifo {option}; s=$?; kill $!; exit $s"),
        );
        run.is_error("page");
        fs::remove_file(folder.path().join("fifo")).unwrap();
    }
    assert_eq!(fs::read(folder.path().join("page")).unwrap(), b"precious");
}

#[test]
fn devices_and_fifos_are_written_to() {
    // A scenario's file has to end in .toml.
    for exercise in FILES.iter().filter(|exercise| exercise.option.0 != "lab new") {
        let folder = folder();
        input_for(exercise, folder.path());
        let null = exercised(exercise, folder.path(), "/dev/null", "");
        // For a recording to a device, only the counts are printed.
        assert_eq!((null.code, null.err.lines().count()), (Some(0), 1), "{null:?}");
        exercised(exercise, folder.path(), "/dev/null", "--quiet").is_good();
        let arguments = exercise.arguments.replace("IN", "input.toml").replace("OUT", "fifo");
        let script = format!("mkfifo fifo; cat fifo >copy & $0 {arguments} --quiet >/dev/null; s=$?; wait; exit $s");
        shell(folder.path(), &script).is_good();
        assert!(folder.path().join("copy").metadata().unwrap().len() > 0, "{:?}", exercise.option);
    }
}

#[test]
fn folders_follow_the_same_rule() {
    for (arguments, has_input) in [("input --svg out", true), ("man out", false)] {
        let folder = folder();
        let out = folder.path().join("out");
        let input = folder.path().join("input");
        fs::copy(capture(), &input).unwrap();
        let run = |more: &str| shell(folder.path(), &format!("$0 {arguments} {more}"));
        says_what_was_written(&run(""), "files to out");
        run("--quiet").is_good();
        let names = names(&out);
        let first = out.join(&names[0]);
        let contents = || names.iter().map(|name| fs::read(out.join(name)).unwrap()).collect::<Vec<_>>();
        fs::write(&first, "precious").unwrap();
        let before = contents();
        run("").is_error("--overwrite replaces it");
        assert!(contents() == before, "{arguments}");
        run("--overwrite --quiet").is_good();
        assert!(contents() != before, "{arguments}");
        if has_input {
            let before = fs::read(&input).unwrap();
            for is_hard in [true, false] {
                fs::remove_file(&first).unwrap();
                if is_hard { fs::hard_link(&input, &first) } else { symlink(&input, &first) }.unwrap();
                run("--overwrite").is_error("it is an input");
                assert!(fs::read(&input).unwrap() == before && fs::read(&first).unwrap() == before);
            }
        }
    }
}

/// A transfer of a moment.
const SCENARIO: &str = "[link]\nrtt = \"2ms\"\n[work.stream]\nphases = [{ bytes = \"200kB\" }]\n";

/// Before anything is run: what is there stays, an input whatever is asked for.
#[test]
fn folders_of_the_lab_follow_the_same_rule() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("mine.toml"), SCENARIO).unwrap();
    fs::create_dir_all(at("out/mine")).unwrap();
    fs::create_dir_all(at("out/random-7-0")).unwrap();
    fs::create_dir_all(at("out/rebuilt")).unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/send-buffer.pcap.gz");
    fs::copy(sample, at("capture")).unwrap();
    for name in ["mine", "random-7-0", "rebuilt"] {
        fs::write(at("out").join(name).join("sender.pcapng"), "precious").unwrap();
    }
    fs::create_dir_all(at("documents")).unwrap();
    for name in ["mine.md", "accuracy.md", "after.svg"] {
        fs::write(at("documents").join(name), "precious").unwrap();
    }
    for arguments in [
        "lab run mine.toml --out out",
        "lab compare mine.toml sndbuf-16k --out out",
        "lab compare mine.toml sndbuf-16k --out new --html documents",
        "lab book new mine.toml --recordings out",
        "lab book documents mine.toml --recordings new",
        "lab prove capture --out out",
        "lab score out --markdown documents",
    ] {
        shell(folder.path(), &format!("$0 {arguments}")).is_error("--overwrite replaces it");
        for name in ["out/mine", "out/random-7-0", "out/rebuilt"] {
            assert_eq!(names(&at(name)), ["sender.pcapng"], "{arguments}");
            assert_eq!(fs::read(at(name).join("sender.pcapng")).unwrap(), b"precious", "{arguments}");
        }
        assert_eq!(fs::read(at("documents/mine.md")).unwrap(), b"precious", "{arguments}");
        assert_eq!(fs::read(at("documents/accuracy.md")).unwrap(), b"precious", "{arguments}");
        assert_eq!(fs::read(at("documents/after.svg")).unwrap(), b"precious", "{arguments}");
    }
    // The scenario that runs is an input, too.
    fs::create_dir_all(at("out/scenario")).unwrap();
    fs::write(at("out/scenario/scenario.toml"), SCENARIO).unwrap();
    fs::copy(at("capture"), at("out/rebuilt/sender.pcapng")).unwrap();
    for arguments in [
        "lab run out/scenario/scenario.toml --out out",
        "lab book new out/scenario/scenario.toml --recordings out",
        "lab prove out/rebuilt/sender.pcapng --out out",
    ] {
        shell(folder.path(), &format!("$0 {arguments} --overwrite")).is_error("it is an input");
        assert_eq!(fs::read_to_string(at("out/scenario/scenario.toml")).unwrap(), SCENARIO, "{arguments}");
        assert!(fs::read(at("out/rebuilt/sender.pcapng")).unwrap() == fs::read(at("capture")).unwrap());
    }
}

/// Where runs are permitted: what the lab wrote is replaced by the lab.
#[test]
fn what_the_lab_wrote_it_replaces() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("mine.toml"), SCENARIO).unwrap();
    let run = |arguments: &str| shell(folder.path(), &format!("$0 lab {arguments} >/dev/null"));
    let first = run("run mine.toml --html --out out");
    if let Some(why) = forbidden(&first.err) {
        return tcpwhy_testkit::skip(why);
    }
    let wrote = |run: &Run, folder: &str| {
        let lines =
            run.err.lines().filter(|line| line.contains("wrote ") && line.contains(&format!("to {folder} ("))).count();
        assert_eq!(lines, 1, "{run:?}");
    };
    wrote(&first, "out/mine");
    wrote(&run("run mine.toml --html --out out"), "out/mine");
    let quiet = run("run mine.toml --html --out out --quiet");
    assert!(quiet.code != Some(2) && !quiet.err.contains("wrote "), "{quiet:?}");
    fs::write(at("out/mine/sender.html"), "precious").unwrap();
    run("run mine.toml --html --out out").is_error("--overwrite replaces it");
    assert_eq!(fs::read(at("out/mine/sender.html")).unwrap(), b"precious");
    // A run that was ended has left no truth.json.
    fs::remove_file(at("out/mine/truth.json")).unwrap();
    wrote(&run("run mine.toml --out out"), "out/mine");
    for _ in 0..2 {
        wrote(&run("score out --markdown documents"), "documents");
        wrote(&run("book pages mine.toml --recordings out"), "pages");
    }
}
