//! The program's processes, and their roles.

use std::ffi::OsString;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;

/// A test that waits longer fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// The role of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Reads captures and communicates only with the user who started it.
    Reads,
    /// Reads captures and answers requests on a socket (`serve`).
    Serves,
    /// Writes output files.
    Writes,
    /// Reads packets from an interface (`-i`).
    Captures,
    /// Looks up names (`--names`).
    Resolves,
    /// Scans this host once (`audit`).
    Looks,
    /// Starts processes that scan this host (`mcp --allow-live`).
    Starts,
    /// Scans this host repeatedly (`live`, `record`, `export`).
    Watches,
    /// Answers requests for metrics (`export`).
    Answers,
}

impl Role {
    pub(super) const ALL: &[Self] = &[
        Self::Reads,
        Self::Captures,
        Self::Serves,
        Self::Writes,
        Self::Resolves,
        Self::Looks,
        Self::Starts,
        Self::Watches,
        Self::Answers,
    ];
}

/// A command, and the roles of its processes: the first process, then its children.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) words: &'static [&'static str],
    roles: &'static [Role],
    /// Whether it opens an interface.
    needs_root: bool,
}

const fn started(words: &'static [&'static str], roles: &'static [Role]) -> Started {
    Started { words, roles, needs_root: false }
}

use Role::{Answers, Captures, Looks, Reads, Resolves, Serves, Starts, Watches, Writes};

/// `OUT` is a new path in a separate folder, `DIR` is that folder, and `FIFO` is a FIFO in it without a
/// writer.
pub(super) const COMMANDS: &[Started] = &[
    started(&["-"], &[Reads]),
    started(&["-", "--json"], &[Reads]),
    started(&["-", "--html", "OUT"], &[Reads, Writes]),
    started(&["-", "--names=dns"], &[Reads, Resolves]),
    started(&["FIFO"], &[Reads]),
    started(&["compare", "-", "FIFO"], &[Reads]),
    started(&["mcp", "DIR"], &[Reads]),
    started(&["mcp", "--allow-live", "DIR"], &[Reads, Starts]),
    Started { needs_root: true, ..started(&["-i", "lo", "port", "9"], &[Reads, Captures]) },
    started(&["serve", "-"], &[Serves]),
    started(&["audit", "--interval", "30s"], &[Looks]),
    started(&["live", "--jsonl"], &[Watches]),
    started(&["record", "--no-packets", "-o", "OUT"], &[Watches, Writes]),
    Started { needs_root: true, ..started(&["record", "-i", "lo", "-o", "OUT"], &[Watches, Writes]) },
    started(&["export", "--listen", "127.0.0.1:0"], &[Answers, Watches]),
    started(&["export", "-o", "OUT"], &[Watches, Writes]),
];

/// A running, confined command, which is killed on drop.
pub(super) struct Running {
    child: Child,
    processes: Vec<(Role, u32)>,
    #[expect(dead_code, reason = "it is removed with this")]
    folder: tempfile::TempDir,
}

impl Running {
    /// Starts the command and waits until all its processes have dropped their privileges. `None` if this
    /// user may not start it.
    pub(super) fn start(command: &Started) -> Option<Self> {
        if command.needs_root && !rustix::process::geteuid().is_root() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o644.into(), 0).unwrap();
        let output = folder.path().join("output");
        let words = command.words.iter().map(|word| match *word {
            "OUT" => output.clone().into(),
            "DIR" => folder.path().into(),
            "FIFO" => fifo.clone().into(),
            word => OsString::from(word),
        });
        let mut program = Command::new(cargo_bin!("tcpwhy"));
        program.args(words).env("LC_ALL", "C.UTF-8").env_remove("SUDO_UID");
        let child = program.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut running = Self { child, processes: Vec::new(), folder };
        running.processes = running.wait(command);
        Some(running)
    }

    pub(super) fn processes(&self) -> Vec<(Role, u32)> {
        self.processes.clone()
    }

    fn wait(&mut self, command: &Started) -> Vec<(Role, u32)> {
        let end = Instant::now() + PATIENCE;
        loop {
            let first = self.child.id();
            let children = fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
            let all: Vec<u32> =
                [first].into_iter().chain(children.split_whitespace().map(|id| id.parse().unwrap())).collect();
            if all.len() == command.roles.len() && all.iter().all(|id| is_confined(*id)) {
                return command.roles.iter().copied().zip(all).collect();
            }
            let status = self.child.try_wait().unwrap();
            assert!(status.is_none() && Instant::now() < end, "{:?} has {all:?}, {status:?}", command.words);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its children end when it ends.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether the process has its filter of system calls, which is installed last.
fn is_confined(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    status.lines().any(|line| line == "Seccomp:\t2")
}
