//! Network namespaces: that of this thread, and those of other processes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use tcpwhy_model::live::Process;

use super::processes::comm;
use super::sock_diag::SockDiag;

/// The network namespaces of all readable processes.
#[derive(Debug)]
pub struct OtherNamespaces {
    /// Namespaces that were not known before, in the order of their inodes.
    pub entered: Vec<Namespace>,
    /// The inodes of all namespaces that have a process.
    pub seen: BTreeSet<u64>,
    /// Namespaces that could not be entered, in the order of their inodes.
    pub closed: Vec<ClosedNamespace>,
    /// Unreadable processes, whose namespaces are not known.
    pub hidden: HiddenProcesses,
}

impl OtherNamespaces {
    /// Whether every process was readable and every namespace could be entered.
    pub fn could_enter_all(&self) -> bool {
        self.closed.is_empty() && self.hidden.count == 0
    }
}

/// A network namespace that could not be entered.
#[derive(Debug)]
pub struct ClosedNamespace {
    /// Inode of `/proc/PID/ns/net`.
    pub inode: u64,
    /// A process in the namespace.
    pub process: Process,
    /// The reason.
    pub why: WhyClosed,
}

/// Why a namespace could not be entered.
#[derive(Debug)]
pub enum WhyClosed {
    /// Too many namespaces are open already.
    TooMany,
    /// The kernel refused with this error.
    Refused(io::Error),
}

/// Processes that are unreadable.
#[derive(Debug, Default)]
pub struct HiddenProcesses {
    /// Number of processes.
    pub count: u64,
    /// One of them with the kernel's error; without a process if `/proc` itself was unreadable.
    pub example: Option<(Option<Process>, io::Error)>,
}

impl HiddenProcesses {
    fn add(&mut self, process: Option<Process>, error: io::Error) {
        self.count += 1;
        self.example.get_or_insert((process, error));
    }
}

/// A network namespace whose sockets can be read. The namespace exists as long as this value.
#[derive(Debug)]
pub struct Namespace {
    /// Inode of `/proc/PID/ns/net`, which identifies the namespace; 0 if `/proc` does not show it.
    pub inode: u64,
    /// The socket that reads the namespace's sockets.
    pub sockets: SockDiag,
}

impl Namespace {
    /// Limit for the namespaces open at once. Each needs a descriptor and a buffer, and any user may create
    /// up to the host's limit.
    const MOST: usize = 256;

    /// Opens the namespace of this thread.
    ///
    /// # Errors
    /// The same as those of [`SockDiag::open`].
    pub fn own() -> io::Result<Self> {
        let inode = fs::metadata("/proc/thread-self/ns/net").map_or(0, |ns| ns.ino());
        Ok(Self { inode, sockets: SockDiag::open()? })
    }

    /// Enters the namespaces of all readable processes, except those for which `is_known` is true. Finding
    /// them needs the `CAP_SYS_PTRACE` capability, entering them `CAP_SYS_ADMIN`.
    pub fn others(is_known: impl Fn(u64) -> bool) -> OtherNamespaces {
        let mut others = OtherNamespaces {
            entered: Vec::new(),
            seen: BTreeSet::new(),
            closed: Vec::new(),
            hidden: HiddenProcesses::default(),
        };
        let processes = match fs::read_dir("/proc") {
            Ok(processes) => processes,
            Err(error) => {
                others.hidden.add(None, error);
                return others;
            }
        };
        for entry in processes.filter_map(Result::ok) {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
            let path = entry.path().join("ns/net");
            match fs::metadata(&path) {
                Ok(ns) => {
                    let inode = ns.ino();
                    if !others.seen.insert(inode) || is_known(inode) {
                        continue;
                    }
                    let closed = |why| ClosedNamespace { inode, process: named(pid), why };
                    if others.entered.len() == Self::MOST {
                        others.closed.push(closed(WhyClosed::TooMany));
                        continue;
                    }
                    match open_inside(&path) {
                        // The process may have moved since then, to a namespace that is known already.
                        Ok((now, _)) if now != inode && (is_known(now) || !others.seen.insert(now)) => {}
                        Ok((inode, sockets)) => others.entered.push(Self { inode, sockets }),
                        // The process ended, but another process may still be in the namespace.
                        Err(error) if has_ended(&entry.path(), &error) => _ = others.seen.remove(&inode),
                        Err(error) => others.closed.push(closed(WhyClosed::Refused(error))),
                    }
                }
                // A process that has ended since then hides no namespace.
                Err(error) if has_ended(&entry.path(), &error) => {}
                Err(error) => others.hidden.add(Some(named(pid)), error),
            }
        }
        others.entered.sort_by_key(|namespace| namespace.inode);
        others.closed.sort_by_key(|namespace| namespace.inode);
        others
    }
}

/// The process with its name, which every user may read if `/proc` shows the process.
fn named(pid: u32) -> Process {
    Process { pid, name: comm(&Path::new("/proc").join(pid.to_string())), cgroup: None }
}

/// Whether the process of this folder has ended or left all its namespaces. The links of a process that has
/// just ended return "not permitted" (`proc_ns_get_link`, Linux 6.18).
fn has_ended(folder: &Path, error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || !folder.exists()
}

/// Opens a `SockDiag` in the namespace of a link, and returns it with the namespace's inode. A netlink socket
/// keeps the namespace it was opened in, so only a short-lived thread enters it.
fn open_inside(link: &Path) -> io::Result<(u64, SockDiag)> {
    let namespace = File::open(link)?;
    let inode = namespace.metadata()?.ino();
    let sockets = thread::scope(|scope| {
        let inside = thread::Builder::new().name("namespace".to_owned()).spawn_scoped(scope, || {
            move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?;
            SockDiag::open()
        })?;
        inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    Ok((inode, sockets))
}
