//! Finds objects that the lab creates on a machine, to check that none is left.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time for the kernel to clean up after a process.
pub(crate) const SETTLING: Duration = Duration::from_secs(5);

/// All objects that a run creates and must remove. Those of other processes are not included.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Traces {
    /// Descendants of this process, with command lines.
    processes: BTreeSet<(u32, String)>,
    /// Network namespaces of these processes.
    namespaces: BTreeSet<PathBuf>,
    interfaces: BTreeSet<String>,
    mounts: BTreeSet<String>,
    /// Abstract Unix sockets of the lab, which have no file.
    sockets: BTreeSet<String>,
}

impl Traces {
    pub(crate) fn now() -> Self {
        let interfaces = fs::read_dir("/sys/class/net").into_iter().flatten().flatten();
        let ours = descendants();
        let command_line = |&pid: &u32| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            (pid, String::from_utf8_lossy(&words).replace('\0', " "))
        };
        Self {
            namespaces: ours.iter().filter_map(|pid| fs::read_link(format!("/proc/{pid}/ns/net")).ok()).collect(),
            processes: ours.iter().map(command_line).collect(),
            interfaces: interfaces.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect(),
            mounts: fs::read_to_string("/proc/self/mounts").unwrap().lines().map(str::to_owned).collect(),
            sockets: fs::read_to_string("/proc/net/unix")
                .unwrap()
                .lines()
                .filter_map(|line| line.split_whitespace().last().filter(|name| name.starts_with("@tcpwhy-lab")))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Asserts, after the kernel's cleanup, that no new objects exist.
    #[track_caller]
    pub(crate) fn assert_none_left(&self) {
        let until = Instant::now() + SETTLING;
        loop {
            let now = Self::now();
            let is_clean = now.namespaces.is_subset(&self.namespaces)
                && now.interfaces.is_subset(&self.interfaces)
                && now.mounts.is_subset(&self.mounts)
                && now.sockets.is_subset(&self.sockets)
                && now.processes.is_subset(&self.processes);
            if is_clean {
                return;
            }
            assert!(Instant::now() < until, "left behind:\n{now:#?}\nbefore:\n{self:#?}");
            sleep(Duration::from_millis(50));
        }
    }
}

/// Running descendants of this process.
pub(crate) fn descendants() -> Vec<u32> {
    let numbers = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // State and parent follow the name, which may contain any characters (proc(5)).
    let parents: Vec<(u32, u32)> = numbers
        .filter_map(|pid: u32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let has_ended = fields.next()? == "Z";
            (!has_ended).then_some((pid, fields.next()?.parse().ok()?))
        })
        .collect();
    let mut found = vec![std::process::id()];
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        found.extend(parents.iter().filter(|p| p.1 == parent).map(|p| p.0));
        at += 1;
    }
    found.split_off(1)
}
