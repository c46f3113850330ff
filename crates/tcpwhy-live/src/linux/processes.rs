//! Which processes have which sockets open: `/proc/PID/fd/N` is a link to `socket:[INODE]`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{CWD, Dir, Mode, OFlags, openat, readlinkat_raw};
use tcpwhy_model::foreign::decode;
use tcpwhy_model::host::{ProcessRef, SocketSample};
use tcpwhy_model::live::Process;

/// Room for `socket:[INODE]`; what is longer is no socket's.
const LINK: usize = 64;

/// Puts the processes to the sockets. Whether every socket that has one got its own.
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
        // Another PID namespace, or the kernel's own. One without an inode has no process any more.
        could_see_all &= !socket.processes.is_empty() || socket.inode.is_none();
    }
    could_see_all
}

/// Descriptors and inodes of the sockets that a process has open; `None` if it may not be looked into.
fn sockets_of(process: &Path) -> Option<Vec<(u32, u64)>> {
    let mut open = Vec::new();
    each_socket(process, |fd, inode| {
        open.push((fd, inode));
        true
    })?;
    Some(open)
}

/// Gives descriptor and inode of each socket that a process has open, as long as `each` wants more; `None` if it may not be looked
/// into.
fn each_socket(process: &Path, mut each: impl FnMut(u32, u64) -> bool) -> Option<()> {
    each_open(process, |fd, target| socket_inode(target).is_none_or(|inode| each(fd, inode)))
}

/// Gives each descriptor of a process with what it links to, as long as `each` wants more; `None` if it may
/// not be looked into. Only the first bytes of long paths are given.
pub(super) fn each_open(process: &Path, mut each: impl FnMut(u32, &[u8]) -> bool) -> Option<()> {
    // Links are read beside the folder that is open: walking a path for each takes half as long again.
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
    // The kernel ends it with a newline; those before are the name's.
    decode(bytes.strip_suffix(b"\n").unwrap_or(&bytes)).into_owned()
}

/// Whose sockets are, for whoever asks again and again: a socket keeps its inode as long as it is there.
#[derive(Debug, Default)]
pub struct Processes {
    by_inode: HashMap<u64, Arc<Process>>,
    could_see_all: bool,
}

impl Processes {
    /// Looks for the processes that have the sockets with these inodes open; what was known before is forgotten. It takes some
    /// 2 µs for each descriptor of processes up to the one that has the last of them.
    pub fn find(&mut self, wanted: &HashSet<u64>) {
        self.by_inode.clear();
        self.could_see_all = true;
        // Of several that have it, the oldest: the others have it from there, as workers do from their master.
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

    /// Whether this process may look into all others.
    pub fn can_see_all() -> bool {
        let mut nobodys = Self::default();
        nobodys.find(&HashSet::from([0]));
        nobodys.could_see_all
    }

    /// Whose the socket with this inode is, if it was looked for and seen.
    pub fn of(&self, inode: u64) -> Option<&Arc<Process>> {
        self.by_inode.get(&inode)
    }

    /// Whether every process could be looked into that might have had one of those not found.
    pub fn could_see_all(&self) -> bool {
        self.could_see_all
    }
}

/// All processes, the oldest first as far as numbers tell.
pub(super) fn pids(could_see_all: &mut bool) -> Vec<u32> {
    let processes = fs::read_dir("/proc");
    *could_see_all &= processes.is_ok();
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    let mut pids: Vec<u32> = processes.into_iter().flatten().filter_map(Result::ok).filter_map(number).collect();
    pids.sort_unstable();
    pids
}

/// The control group of a process, version 2; `None` where it could not be read.
pub fn cgroup_of(pid: u32) -> Option<String> {
    cgroup(&Path::new("/proc").join(pid.to_string()))
}

/// Its control group of version 2: the line `0::/path` of `/proc/PID/cgroup`.
fn cgroup(process: &Path) -> Option<String> {
    let bytes = fs::read(process.join("cgroup")).ok()?;
    let path = bytes.split(|&b| b == b'\n').find_map(|line| line.strip_prefix(b"0::"))?;
    Some(decode(path).into_owned())
}
