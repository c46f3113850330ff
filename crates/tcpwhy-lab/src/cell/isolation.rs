//! Namespaces of a run, and the death of a process with its parent.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{getegid, geteuid, getppid};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::LabError;

/// Directories that every Linux has and that a run does not otherwise use. One of them becomes the scratch
/// directory.
const SCRATCH: [&str; 4] = ["/mnt", "/media", "/srv", "/opt"];

/// Asks the kernel to kill this process when the thread that started it ends. Returns false if `parent` is no
/// longer the parent, because it has ended already.
pub(super) fn die_with_parent(parent: i32) -> io::Result<bool> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    Ok(getppid().as_raw() == parent)
}

/// The same for a child in another PID namespace, which cannot know the number of its parent. The parent has
/// the other end of a pipe.
pub(super) fn die_with(parent: &io::PipeReader) -> io::Result<bool> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    let mut polled = [PollFd::new(parent, PollFlags::IN)];
    poll(&mut polled, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))?;
    Ok(!polled[0].revents().contains(PollFlags::HUP))
}

/// Leaves the machine's namespaces: mounts, network, and (for children) processes. Without the capability for
/// it, the process enters a user namespace in which this user is root.
pub(super) fn leave() -> Result<(), LabError> {
    let namespaces =
        CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC;
    match unshare(namespaces) {
        Err(nix::Error::EPERM) => {}
        result => return result.map_err(|error| LabError::Namespace(error.into())),
    }
    let (user, group) = (geteuid(), getegid());
    unshare(namespaces | CloneFlags::CLONE_NEWUSER).map_err(|error| LabError::Namespace(error.into()))?;
    let map = |file: &str, text: String| fs::write(format!("/proc/self/{file}"), text).map_err(LabError::Namespace);
    // Without this an unprivileged process may not map its group (user_namespaces(7)).
    map("setgroups", "deny".to_owned())?;
    map("uid_map", format!("0 {user} 1"))?;
    map("gid_map", format!("0 {group} 1"))
}

/// Options of the scratch tmpfs. A database with a small table needs 10 % of its size. The limit stops
/// programs that write without end.
const SCRATCH_SIZE: &str = "mode=755,size=1g,nr_inodes=100k";

/// Options of a tmpfs for runtime data of programs: PID files, locks, sockets.
const MEMORY_SIZE: &str = "mode=755,size=16m,nr_inodes=10k";

/// Mounts an empty tmpfs over `folder`, in this mount namespace.
pub(super) fn memory(folder: &Path) -> Result<(), LabError> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("tmpfs"), folder, Some("tmpfs"), flags, Some(MEMORY_SIZE))
        .map_err(|error| LabError::io(format!("mounting {}", folder.display()), error))
}

/// Mounts, in the init process, its own `/proc` and a scratch directory in memory, which must not cover any
/// of `visible` or `writable`. The `writable` folders become mounts of their own, so that the rest can be
/// made read-only.
pub(super) fn mounts(writable: &[PathBuf], visible: &[PathBuf]) -> Result<PathBuf, LabError> {
    let none = None::<&str>;
    let failed = |what: &str, error: nix::Error| LabError::io(format!("mounting {what}"), error);
    // Otherwise these mounts would appear on the machine.
    mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none).map_err(|error| failed("privately", error))?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    // A container that hides parts of `/proc` may not mount another one. The old one suffices, although it
    // shows the machine's process numbers.
    let _ = mount(Some("proc"), "/proc", Some("proc"), flags | MsFlags::MS_NOEXEC, none);
    for folder in writable {
        mount(Some(folder), folder, none, MsFlags::MS_BIND | MsFlags::MS_REC, none)
            .map_err(|error| failed(&folder.display().to_string(), error))?;
    }
    let is_kept = |place: &str| writable.iter().chain(visible).any(|path| path.starts_with(place));
    let is_free = |place: &&&str| Path::new(place).is_dir() && !is_kept(place);
    let place = SCRATCH.iter().find(is_free).ok_or(LabError::NoScratch)?;
    mount(Some("tmpfs"), *place, Some("tmpfs"), flags, Some(SCRATCH_SIZE))
        .map_err(|error| failed("scratch memory", error))?;
    Ok(PathBuf::from(place))
}
