//! Network namespaces: the own one, and those of other processes.

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

/// The network namespaces of all processes that can be looked into.
#[derive(Debug)]
pub struct OtherNamespaces {
    /// Those that were not known, in the order of their inodes.
    pub entered: Vec<Namespace>,
    /// The inodes of all that processes are in.
    pub seen: BTreeSet<u64>,
    /// Those that are seen and could not be entered, in the order of their inodes.
    pub closed: Vec<ClosedNamespace>,
    /// Processes that could not be looked into: which namespace they are in is not known.
    pub hidden: HiddenProcesses,
}

impl OtherNamespaces {
    /// Whether every process could be looked into, and every namespace entered.
    pub fn could_enter_all(&self) -> bool {
        self.closed.is_empty() && self.hidden.count == 0
    }
}

/// A network namespace that could not be entered.
#[derive(Debug)]
pub struct ClosedNamespace {
    /// Inode of `/proc/PID/ns/net`.
    pub inode: u64,
    /// A process that is in it.
    pub process: Process,
    /// Why not.
    pub why: WhyClosed,
}

/// Why a namespace could not be entered.
#[derive(Debug)]
pub enum WhyClosed {
    /// There are more than are entered at once.
    TooMany,
    /// The kernel said so.
    Refused(io::Error),
}

/// Processes that could not be looked into.
#[derive(Debug, Default)]
pub struct HiddenProcesses {
    /// How many.
    pub count: u64,
    /// One of them, and what the kernel said; `None` for it where `/proc` itself could not be read.
    pub example: Option<(Option<Process>, io::Error)>,
}

impl HiddenProcesses {
    fn add(&mut self, process: Option<Process>, error: io::Error) {
        self.count += 1;
        self.example.get_or_insert((process, error));
    }
}

/// A network namespace that can be asked for its sockets. As long as it is kept, the namespace stays.
#[derive(Debug)]
pub struct Namespace {
    /// Inode of `/proc/PID/ns/net`, which is its name to the outside; 0 where `/proc` does not show it.
    pub inode: u64,
    /// Asks it.
    pub sockets: SockDiag,
}

impl Namespace {
    /// More are not entered at once: each takes a descriptor and a buffer, and any user may make as many as the host allows.
    const MOST: usize = 256;

    /// The one of this thread.
    ///
    /// # Errors
    /// Those of [`SockDiag::open`].
    pub fn own() -> io::Result<Self> {
        let inode = fs::metadata("/proc/thread-self/ns/net").map_or(0, |ns| ns.ino());
        Ok(Self { inode, sockets: SockDiag::open()? })
    }

    /// Enters those of all processes that can be looked into, but for those that `is_known` picks. Looking takes
    /// `CAP_SYS_PTRACE`, entering `CAP_SYS_ADMIN`.
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
                        // The process may have moved meanwhile, to one that is known.
                        Ok((now, _)) if now != inode && (is_known(now) || !others.seen.insert(now)) => {}
                        Ok((inode, sockets)) => others.entered.push(Self { inode, sockets }),
                        // Another process may be in it still.
                        Err(error) if has_ended(&entry.path(), &error) => _ = others.seen.remove(&inode),
                        Err(error) => others.closed.push(closed(WhyClosed::Refused(error))),
                    }
                }
                // A process that has ended meanwhile takes nothing away.
                Err(error) if has_ended(&entry.path(), &error) => {}
                Err(error) => others.hidden.add(Some(named(pid)), error),
            }
        }
        others.entered.sort_by_key(|namespace| namespace.inode);
        others.closed.sort_by_key(|namespace| namespace.inode);
        others
    }
}

/// The process with its name, which everybody may read where `/proc` shows it at all.
fn named(pid: u32) -> Process {
    Process { pid, name: comm(&Path::new("/proc").join(pid.to_string())), cgroup: None }
}

/// Whether the process of that folder has ended, or is in no namespace any more. Links of one that has just ended are "not
/// permitted" (`proc_ns_get_link`, Linux 6.18).
fn has_ended(folder: &Path, error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || !folder.exists()
}

/// Which namespace the link names, and what asks it. A netlink socket stays where it was opened, so a thread goes there for a
/// moment.
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
