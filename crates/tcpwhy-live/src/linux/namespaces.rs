//! Network namespaces: the own one, and those of other processes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::sock_diag::SockDiag;

/// The network namespaces of all processes that can be looked into.
#[derive(Debug)]
pub struct OtherNamespaces {
    /// Those that were not known, in the order of their inodes.
    pub entered: Vec<Namespace>,
    /// The inodes of all that processes are in.
    pub seen: BTreeSet<u64>,
    /// Whether every process could be looked into, and every namespace entered.
    pub could_enter_all: bool,
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
        let mut others = OtherNamespaces { entered: Vec::new(), seen: BTreeSet::new(), could_enter_all: true };
        let Ok(processes) = fs::read_dir("/proc") else {
            others.could_enter_all = false;
            return others;
        };
        for entry in processes.filter_map(Result::ok) {
            if entry.file_name().to_str().is_none_or(|name| name.parse::<u32>().is_err()) {
                continue;
            }
            let path = entry.path().join("ns/net");
            match fs::metadata(&path) {
                Ok(ns) => {
                    let inode = ns.ino();
                    if !others.seen.insert(inode) || is_known(inode) {
                        continue;
                    }
                    if others.entered.len() == Self::MOST {
                        others.could_enter_all = false;
                        continue;
                    }
                    match open_inside(&path) {
                        // The process may have moved meanwhile, to one that is known.
                        Ok((now, _)) if now != inode && (is_known(now) || !others.seen.insert(now)) => {}
                        Ok((inode, sockets)) => others.entered.push(Self { inode, sockets }),
                        // Another process may be in it still.
                        Err(error) if has_ended(&entry.path(), &error) => _ = others.seen.remove(&inode),
                        Err(_) => others.could_enter_all = false,
                    }
                }
                // A process that has ended meanwhile takes nothing away.
                Err(error) => others.could_enter_all &= has_ended(&entry.path(), &error),
            }
        }
        others.entered.sort_by_key(|namespace| namespace.inode);
        others
    }
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
