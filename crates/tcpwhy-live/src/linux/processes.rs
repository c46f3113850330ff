//! The processes that have sockets open: `/proc/PID/fd/N` is a link to `socket:[INODE]`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{CWD, Dir, Mode, OFlags, openat, readlinkat_raw};
use tcpwhy_model::foreign::decode;
use tcpwhy_model::host::{ProcessRef, SocketSample};
use tcpwhy_model::live::Process;

/// Room for `socket:[INODE]`, bytes. Longer links are not sockets.
const LINK: usize = 64;

/// Adds to each socket its processes. Returns whether every socket with an inode has a process.
pub(super) fn assign(sockets: &mut [SocketSample]) -> bool {
    let by_inode: HashMap<u64, usize> =
        sockets.iter().enumerate().filter_map(|(i, s)| s.inode.map(|inode| (inode, i))).collect();
    let mut could_see_all = true;
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    for entry in processes.filter_map(Result::ok) {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
        match sockets_of(&entry.path()) {
            None => could_see_all &= !entry.path().exists(),
            Some(open) => {
                let mut name = None;
                for (fd, inode) in open {
                    if let Some(&index) = by_inode.get(&inode) {
                        let name = name.get_or_insert_with(|| comm(&entry.path())).clone();
                        sockets[index].processes.push(ProcessRef { name, pid, fd });
                    }
                }
            }
        }
    }
    for socket in sockets {
        socket.processes.sort_by_key(|p| (p.pid, p.fd));
        // A socket without a visible process belongs to another PID namespace or to the kernel. A socket
        // without an inode has no process any more.
        could_see_all &= !socket.processes.is_empty() || socket.inode.is_none();
    }
    could_see_all
}

/// Descriptors and inodes of the sockets that a process has open; `None` if the process is unreadable.
fn sockets_of(process: &Path) -> Option<Vec<(u32, u64)>> {
    let mut open = Vec::new();
    each_socket(process, |fd, inode| {
        open.push((fd, inode));
        true
    })?;
    Some(open)
}

/// Passes the descriptor and inode of each open socket of a process to `each`, until it returns false; `None`
/// if the process is unreadable.
fn each_socket(process: &Path, mut each: impl FnMut(u32, u64) -> bool) -> Option<()> {
    each_open(process, |fd, target| socket_inode(target).is_none_or(|inode| each(fd, inode)))
}

/// Passes each descriptor of a process and its link target to `each`, until it returns false; `None` if the
/// process is unreadable. Long targets are cut to [`LINK`] bytes.
pub(super) fn each_open(process: &Path, mut each: impl FnMut(u32, &[u8]) -> bool) -> Option<()> {
    // Links are read relative to the open folder, because resolving a full path for each one is 1.5 times
    // slower.
    let folder = openat(CWD, process.join("fd"), OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    let mut entries = Dir::new(folder.ok()?).ok()?;
    let mut link = [0; LINK];
    while let Some(Ok(entry)) = entries.read() {
        let name = entry.file_name();
        let Some(fd) = name.to_str().ok().and_then(|name| name.parse().ok()) else { continue };
        let Ok(folder) = entries.fd() else { break };
        let Ok(length) = readlinkat_raw(folder, name, link.as_mut_slice()) else { continue };
        if link.get(..length).is_some_and(|target| !each(fd, target)) {
            break;
        }
    }
    Some(())
}

/// The inode in `socket:[INODE]`.
fn socket_inode(target: &[u8]) -> Option<u64> {
    let digits = target.strip_prefix(b"socket:[")?.strip_suffix(b"]")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

pub(super) fn comm(process: &Path) -> String {
    let bytes = fs::read(process.join("comm")).unwrap_or_default();
    // The kernel appends one newline; any newline before it belongs to the name.
    decode(bytes.strip_suffix(b"\n").unwrap_or(&bytes)).into_owned()
}

/// The processes of sockets, for repeated queries: a socket keeps its inode as long as it exists.
#[derive(Debug, Default)]
pub struct Processes {
    by_inode: HashMap<u64, Arc<Process>>,
    could_see_all: bool,
}

impl Processes {
    /// Finds the processes that have the sockets with these inodes open, and forgets earlier results. It
    /// takes about 2 µs per descriptor, and stops when all sockets are found.
    pub fn find(&mut self, wanted: &HashSet<u64>) {
        self.by_inode.clear();
        self.could_see_all = true;
        // A shared socket is assigned to the process with the lowest PID, because workers inherit it from
        // their master.
        for pid in pids(&mut self.could_see_all) {
            if self.by_inode.len() >= wanted.len() {
                return;
            }
            let path = Path::new("/proc").join(pid.to_string());
            let mut process = None;
            let looked = each_socket(&path, |_, inode| {
                if wanted.contains(&inode) {
                    let known = self.by_inode.entry(inode);
                    known.or_insert_with(|| {
                        let new = || Process { pid, name: comm(&path), cgroup: cgroup(&path) };
                        Arc::clone(process.get_or_insert_with(|| Arc::new(new())))
                    });
                }
                self.by_inode.len() < wanted.len()
            });
            self.could_see_all &= looked.is_some() || !path.exists();
        }
    }

    /// Whether this process may read all others.
    pub fn can_see_all() -> bool {
        let mut nobodys = Self::default();
        nobodys.find(&HashSet::from([0]));
        nobodys.could_see_all
    }

    /// The process of the socket with this inode, if the last search found it.
    pub fn of(&self, inode: u64) -> Option<&Arc<Process>> {
        self.by_inode.get(&inode)
    }

    /// Whether every process was readable that could have one of the sockets that were not found.
    pub fn could_see_all(&self) -> bool {
        self.could_see_all
    }
}

/// All processes by ascending number, which approximates their age.
pub(super) fn pids(could_see_all: &mut bool) -> Vec<u32> {
    let processes = fs::read_dir("/proc");
    *could_see_all &= processes.is_ok();
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    let mut pids: Vec<u32> = processes.into_iter().flatten().filter_map(Result::ok).filter_map(number).collect();
    pids.sort_unstable();
    pids
}

/// The control group (version 2) of a process; `None` if it is unreadable.
pub fn cgroup_of(pid: u32) -> Option<String> {
    cgroup(&Path::new("/proc").join(pid.to_string()))
}

/// The control group (version 2) of a process: the line `0::/path` of `/proc/PID/cgroup`.
fn cgroup(process: &Path) -> Option<String> {
    let bytes = fs::read(process.join("cgroup")).ok()?;
    let path = bytes.split(|&b| b == b'\n').find_map(|line| line.strip_prefix(b"0::"))?;
    Some(decode(path).into_owned())
}
