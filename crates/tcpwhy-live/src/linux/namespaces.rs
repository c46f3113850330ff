//! Network namespaces: the own one, and those of other processes.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::thread;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::sock_diag::SockDiag;

/// A network namespace that can be asked for its sockets.
#[derive(Debug)]
pub struct Namespace {
    /// Inode of `/proc/PID/ns/net`, which is its name to the outside; 0 where `/proc` does not show it.
    pub inode: u64,
    /// Asks it.
    pub sockets: SockDiag,
}

impl Namespace {
    /// The one of this thread.
    ///
    /// # Errors
    /// Those of [`SockDiag::open`].
    pub fn own() -> io::Result<Self> {
        let inode = fs::metadata("/proc/thread-self/ns/net").map_or(0, |ns| ns.ino());
        Ok(Self { inode, sockets: SockDiag::open()? })
    }

    /// Those of all processes that can be looked into, in the order of their inodes, but for those that `is_known` picks; and
    /// whether each could be entered. Looking takes `CAP_SYS_PTRACE`, entering `CAP_SYS_ADMIN`.
    pub fn others(is_known: impl Fn(u64) -> bool) -> (Vec<Self>, bool) {
        let mut found: BTreeMap<u64, File> = BTreeMap::new();
        let mut could_enter_all = true;
        for entry in fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok) {
            if entry.file_name().to_str().is_none_or(|name| name.parse::<u32>().is_err()) {
                continue;
            }
            let path = entry.path().join("ns/net");
            match fs::metadata(&path) {
                Ok(ns) if is_known(ns.ino()) || found.contains_key(&ns.ino()) => {}
                Ok(ns) => {
                    if let Ok(file) = File::open(&path) {
                        found.insert(ns.ino(), file);
                    }
                }
                // A process that has ended meanwhile takes nothing away.
                Err(error) => could_enter_all &= error.kind() != io::ErrorKind::PermissionDenied,
            }
        }
        let mut entered = Vec::new();
        for (inode, file) in found {
            match open_inside(&file) {
                Ok(sockets) => entered.push(Self { inode, sockets }),
                Err(_) => could_enter_all = false,
            }
        }
        (entered, could_enter_all)
    }
}

/// A netlink socket stays where it was opened, so a thread goes there for a moment.
fn open_inside(namespace: &File) -> io::Result<SockDiag> {
    thread::scope(|scope| {
        let inside = thread::Builder::new().name("namespace".to_owned()).spawn_scoped(scope, || {
            move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?;
            SockDiag::open()
        })?;
        inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
