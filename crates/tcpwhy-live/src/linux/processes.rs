//! Which processes have which sockets open: `/proc/PID/fd/N` is a link to `socket:[INODE]`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tcpwhy_model::foreign::decode;
use tcpwhy_model::host::{ProcessRef, SocketSample};
use tcpwhy_model::live::Process;

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
    let entries = fs::read_dir(process.join("fd")).ok()?;
    let socket = |entry: fs::DirEntry| {
        let target = fs::read_link(entry.path()).ok()?;
        let inode = target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()?;
        Some((entry.file_name().to_str()?.parse().ok()?, inode))
    };
    Some(entries.filter_map(Result::ok).filter_map(socket).collect())
}

pub(super) fn comm(process: &Path) -> String {
    let bytes = fs::read(process.join("comm")).unwrap_or_default();
    // The kernel ends it with a newline; those before are the name's.
    decode(bytes.strip_suffix(b"\n").unwrap_or(&bytes)).into_owned()
}

/// Whose sockets are, for whoever asks again and again: a socket keeps its inode as long as it is there.
#[derive(Debug, Default)]
pub struct Processes {
    by_inode: HashMap<u64, Process>,
    could_see_all: bool,
}

impl Processes {
    /// Looks at all processes anew. It takes some 3 µs for each of their descriptors.
    pub fn read(&mut self) {
        self.by_inode.clear();
        let processes = fs::read_dir("/proc");
        self.could_see_all = processes.is_ok();
        for entry in processes.into_iter().flatten().filter_map(Result::ok) {
            let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
            let path = entry.path();
            let Some(open) = sockets_of(&path) else {
                self.could_see_all &= !path.exists();
                continue;
            };
            if open.is_empty() {
                continue;
            }
            let process = Process { pid, name: comm(&path), cgroup: cgroup(&path) };
            for (_, inode) in open {
                // Of several, the oldest: the others have it from there, as workers do from their master.
                let known = self.by_inode.entry(inode).or_insert_with(|| process.clone());
                if pid < known.pid {
                    known.clone_from(&process);
                }
            }
        }
    }

    /// Whose the socket with this inode is, as far as was seen.
    pub fn of(&self, inode: u64) -> Option<&Process> {
        self.by_inode.get(&inode)
    }

    /// Whether every process could be looked into the last time.
    pub fn could_see_all(&self) -> bool {
        self.could_see_all
    }
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
