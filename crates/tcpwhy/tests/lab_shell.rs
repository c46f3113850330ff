//! `tcpwhy lab shell` in a pseudo-terminal: both ends reach each other, and nothing is left behind, for every
//! way to end.
//!
//! If runs are not permitted, the test prints that and skips them.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that fails says so")]

#[path = "support/forbidden.rs"]
mod forbidden;
#[path = "support/traces.rs"]
mod traces;

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use forbidden::forbidden;
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};
use traces::{Traces, descendants};

/// Serializes the tests, because the checks for leftovers are global.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
/// Generous, because the machine may be busy with builds and other tests.
const PATIENCE: Duration = Duration::from_secs(30);
/// User id of `nobody`.
const NOBODY: u32 = 65_534;

/// Locks [`ONE_AT_A_TIME`]. Orphaned descendants become children of this process from then on.
fn alone() -> MutexGuard<'static, ()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A scenario with a different link for each test.
fn scenario(folder: &Path, seed: u32) -> PathBuf {
    let path = folder.join("link.toml");
    let text = format!("seed = {seed}\nlink = {{ rtt = \"4ms\" }}\n[work.stream]\nphases = [{{ bytes = \"1MB\" }}]\n");
    fs::write(&path, text).unwrap();
    path
}

fn command(scenario: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tcpwhy"));
    command.args(["lab", "shell"]).arg(scenario).args(arguments);
    command.env("LANG", "en_US.UTF-8").env_remove("LC_ALL").env("TERM", "dumb").env("SECRET", "of the caller");
    command.env_remove("SUDO_UID");
    command
}

/// A program in a pseudo-terminal, whose other side types and reads.
struct Session {
    child: Child,
    keyboard: File,
    terminal: File,
    seen: String,
}

impl Session {
    fn start(scenario: &Path, arguments: &[&str]) -> Self {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        unlockpt(&keyboard).unwrap();
        let terminal = File::from(ioctl_tiocgptpeer(&keyboard, OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap());
        tcsetwinsize(&keyboard, Winsize { ws_row: 33, ws_col: 77, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        fcntl_setfl(&keyboard, OFlags::NONBLOCK).unwrap();
        let stream = || Stdio::from(terminal.try_clone().unwrap());
        let child = command(scenario, arguments).stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
        Self { child, keyboard: File::from(keyboard), terminal, seen: String::new() }
    }

    fn type_line(&mut self, line: &str) {
        self.keyboard.write_all(line.as_bytes()).unwrap();
        self.keyboard.write_all(b"\r").unwrap();
    }

    /// Reads until `part` has arrived, and returns the text since the last call.
    fn read_to(&mut self, part: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(place) = self.seen.find(part) {
                let rest = self.seen.split_off(place + part.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            let mut piece = [0; 4096];
            match self.keyboard.read(&mut piece) {
                Ok(count) => self.seen.push_str(&String::from_utf8_lossy(&piece[..count])),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    assert!(Instant::now() < until, "no {part:?} in {:?}", self.seen);
                    sleep(Duration::from_millis(5));
                }
                Err(error) => panic!("{error}: no {part:?} in {:?}", self.seen),
            }
        }
    }

    /// Output of a command, between two marks that the echo of the command does not contain.
    fn output(&mut self, command: &str) -> String {
        self.type_line(&format!("echo be''gin; {command}; echo e''nd"));
        self.read_to("begin\r\n");
        self.read_to("end\r\n").trim_end_matches("end\r\n").replace('\r', "").trim().to_owned()
    }

    fn ended(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            // The program would block if its last output had no room in the terminal.
            let _ = self.keyboard.read(&mut [0; 4096]);
            assert!(Instant::now() < until, "it does not end");
            sleep(Duration::from_millis(5));
        }
    }

    fn is_raw(&self) -> bool {
        !tcgetattr(&self.terminal).unwrap().local_modes.contains(rustix::termios::LocalModes::ICANON)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The reason why links are not permitted here; `None` if they are.
fn cannot_link(scenario: &Path) -> Option<String> {
    let output = command(scenario, &["--", "true"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let forbidden = forbidden(&said);
    assert!(forbidden.is_some() || output.status.success(), "{said}");
    forbidden
}

macro_rules! or_skip {
    ($scenario:expr) => {
        if let Some(why) = cannot_link(&$scenario) {
            return tcpwhy_testkit::skip(why);
        }
    };
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn two_shells_are_at_the_two_ends_of_one_link() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = scenario(folder.path(), 1);
    or_skip!(path);
    let before = Traces::now();
    let mut sender = Session::start(&path, &[]);
    let said = sender.read_to("sender:");
    assert!(said.contains("--end receiver") && sender.is_raw(), "{said}");
    let mut receiver = Session::start(&path, &["--end", "receiver"]);
    receiver.read_to("receiver:");

    // Both shells share a folder. Each has its own address, the terminal's size, and a clean environment.
    let folders = [sender.output("echo $DIR"), receiver.output("echo $DIR")];
    assert_eq!(folders[0], folders[1]);
    assert!(!Path::new(&folders[0]).exists(), "it is in the cell's memory alone");
    sender.output("echo from the sender > $DIR/file");
    assert_eq!(receiver.output("cat $DIR/file"), "from the sender");
    assert_eq!(sender.output("echo $END $SECRET; stty size"), "sender\n33 77");
    tcsetwinsize(&sender.keyboard, Winsize { ws_row: 20, ws_col: 50, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    sleep(Duration::from_millis(600));
    assert_eq!(sender.output("stty size"), "20 50");
    let networks = [&mut sender, &mut receiver].map(|shell| shell.output("readlink /proc/self/ns/net"));
    assert_ne!(networks[0], networks[1]);
    // A refused connection proves that the other end is reachable.
    let refused = receiver.output("bash -c 'exec 3<>/dev/tcp/$SERVER/$PORT' 2>&1");
    assert!(refused.contains("refused"), "{refused}");
    assert!(sender.output("cat /proc/net/dev").contains("sender0"));

    // Programs have no more capabilities than requested, and cannot write elsewhere.
    let rights = sender.output("grep CapEff /proc/self/status; id -u; (echo x > /var/tmp/tcpwhy-shell) 2>&1");
    assert!(rights.contains("0000000000000000") && !Path::new("/var/tmp/tcpwhy-shell").exists(), "{rights}");
    assert!(!is_root() || rights.contains(&format!("\n{NOBODY}\n")), "{rights}");

    // Ctrl-D ends the second shell, and the link stays. The end of the first one removes it.
    receiver.keyboard.write_all(&[4]).unwrap();
    assert!(receiver.ended().success());
    assert!(!receiver.is_raw(), "the terminal is as it was");
    assert_eq!(sender.output("echo still here"), "still here");
    let mut other = Session::start(&path, &["--end", "receiver"]);
    other.read_to("receiver:");
    sender.type_line("exit 7");
    assert_eq!(sender.ended().code(), Some(7));
    assert_eq!(other.ended().code(), Some(2), "the link has ended");
    assert!(!sender.is_raw() && !other.is_raw());
    before.assert_none_left();
}

#[test]
fn commands_have_the_callers_streams_and_status() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = scenario(folder.path(), 2);
    or_skip!(path);
    let before = Traces::now();
    let mut child = command(&path, &["--end", "receiver", "--", "sh", "-c", "tr a-z A-Z; echo wrong >&2; exit 3"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let sent: Vec<u8> = (0..1_000_000_u32).map(|n| if n % 50 == 0 { b'\n' } else { b'x' }).collect();
    let expected = sent.to_ascii_uppercase();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&sent).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.stdout == expected, "{} bytes came", output.stdout.len());
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(3), "wrong\n"));

    let output = command(&path, &["--", "no-such-program"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no-such-program") && said.lines().count() == 1, "{said}");
    assert_eq!(output.status.code(), Some(2));
    let killed = command(&path, &["--", "sh", "-c", "kill -9 $$"]).output().unwrap();
    assert_eq!(killed.status.code(), Some(128 + 9));
    before.assert_none_left();
}

#[test]
fn root_stays_root_only_if_asked_for() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = scenario(folder.path(), 3);
    or_skip!(path);
    let said = |user: &str, script: &str| {
        let output = command(&path, &["--user", user, "--", "sh", "-c", script]).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    // Allows a port below 1024 and another user id, but neither mounts nor settings.
    let script = "id -u; grep CapEff /proc/self/status | cut -f2; mkdir /run/sshd && ls /run; (mount -t tmpfs x /mnt || echo 1 > \
                  /proc/sys/vm/swappiness) 2>/dev/null && echo changed; true";
    let (status, root) = said("root", script);
    let lines: Vec<&str> = root.lines().collect();
    assert_eq!((status, lines.len()), (Some(0), 3), "{root}");
    assert_eq!([lines[0], lines[2]], ["0", "sshd"], "/run is its own");
    let rights = u64::from_str_radix(lines[1], 16).unwrap();
    let [net_admin, sys_admin, setuid] = [1 << 12, 1 << 21, 1 << 7];
    assert!(rights & sys_admin == 0 && rights & net_admin != 0 && rights & setuid != 0, "{rights:x}");
    if is_root() {
        let (status, nobody) = said("nobody", "id -u; grep CapEff /proc/self/status | cut -f2");
        assert_eq!((status, nobody.as_str()), (Some(0), "65534\n0000000000000000\n"));
    }
    let output = command(&path, &["--user", "no-such-user"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-user"));
    assert_eq!(output.status.code(), Some(2));
}

/// Nothing is left behind if any process is killed at any time. The victim is a child of this test, a process
/// of its cell, or a shell.
#[test]
fn killed_at_any_moment_it_leaves_nothing() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = scenario(folder.path(), 4);
    or_skip!(path);
    let before = Traces::now();
    let arbitrary = u64::from(std::process::id()) * 2_654_435_761 % 900;
    // Kills the opener before the link is up.
    for millis in [1, 10, 40, 120, arbitrary] {
        let mut opener = Session::start(&path, &[]);
        sleep(Duration::from_millis(millis));
        opener.child.kill().unwrap();
        opener.child.wait().unwrap();
        before.assert_none_left();
    }
    // While programs at both ends try to survive: first the top process of the tree, then each one below it.
    for depth in 0..5 {
        let mut opener = Session::start(&path, &[]);
        opener.read_to("sender:");
        let mut joined = Session::start(&path, &["--end", "receiver"]);
        joined.read_to("receiver:");
        for shell in [&mut opener, &mut joined] {
            shell.output("(setsid sleep 300 >/dev/null 2>&1 &)");
        }
        // The opener, the three processes of the cell, or a shell.
        let victim = chain(opener.child.id())[depth];
        let victim = rustix::process::Pid::from_raw(victim.cast_signed()).unwrap();
        rustix::process::kill_process(victim, rustix::process::Signal::KILL).unwrap();
        opener.ended();
        joined.ended();
        assert!(!joined.is_raw(), "depth {depth}");
        before.assert_none_left();
    }
    // If the second shell is killed, its programs end and the link stays.
    let mut opener = Session::start(&path, &[]);
    opener.read_to("sender:");
    let mut joined = Session::start(&path, &["--end", "receiver"]);
    joined.read_to("receiver:");
    let with_shell = descendants().len();
    joined.child.kill().unwrap();
    joined.child.wait().unwrap();
    let until = Instant::now() + PATIENCE;
    while descendants().len() > with_shell - 2 {
        assert!(Instant::now() < until, "the shell of a visitor that was killed stays");
        sleep(Duration::from_millis(10));
    }
    assert_eq!(opener.output("echo still here"), "still here");
    drop(opener);
    before.assert_none_left();
}

/// A process, its first child, the first child of that, and so on, whichever thread started them.
fn chain(first: u32) -> Vec<u32> {
    let child = |id: u32| -> Option<u32> {
        let threads = fs::read_dir(format!("/proc/{id}/task")).ok()?.flatten();
        let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        children.collect::<String>().split_whitespace().next()?.parse().ok()
    };
    std::iter::successors(Some(first), |id| child(*id)).collect()
}
