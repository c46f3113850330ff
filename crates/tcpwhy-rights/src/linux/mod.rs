//! Confinement of a process on Linux.

pub(crate) mod capabilities;
mod filter;
pub(crate) mod landlock;
pub(crate) mod process;
mod system_calls;

use std::io;
use std::path::PathBuf;
use std::thread;

use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::io::Errno;

use crate::{Capability, Confined, Files, Grant, Network, User};

/// Landlock comes first, because a filter of system calls might refuse it. The user comes before the
/// capabilities, because changing the user needs some.
pub(crate) fn confine(grant: &Grant) -> io::Result<Confined> {
    rustix::thread::set_no_new_privs(true)?;
    let mut kept = grant.capabilities.clone();
    let mut leaves_root = grant.user == User::Unprivileged;
    let files = match &grant.files {
        Files::Any => false,
        Files::Only { read } => {
            let another = (grant.user == User::UnprivilegedIfItReads).then(|| read_by_another(read, &kept)).flatten();
            leaves_root |= another.is_some();
            let own = || capabilities::try_with(&kept, || are_readable(read));
            let has_leave = another.map_or_else(own, Ok)?;
            if !has_leave {
                kept.push(Capability::ReadAnyFile);
            }
            landlock::only(read, grant.network == Network::NameServers, grant.has_screen)?
        }
        Files::In { folder, above } => landlock::only_in(folder, above)?,
    };
    if leaves_root {
        capabilities::leave_root(&kept)?;
    } else {
        capabilities::keep_only(&kept)?;
    }
    let calls = system_calls::bound(grant)?;
    Ok(Confined { files, calls })
}

/// Whether every file that exists may be read. Root reads files of other users only by a capability.
fn are_readable(files: &[PathBuf]) -> bool {
    let is_refused = |file: &PathBuf| accessat(CWD, file, Access::READ_OK, AtFlags::EACCESS) == Err(Errno::ACCESS);
    !files.iter().any(is_refused)
}

/// Whether the user that root would become reads `files` without a further capability. `None` if even
/// [`Capability::ReadAnyFile`] would not suffice. A short-lived thread becomes that user to test it.
fn read_by_another(files: &[PathBuf], kept: &[Capability]) -> Option<bool> {
    let reads_with = |kept: Vec<Capability>| {
        thread::scope(|scope| {
            let becomes = || capabilities::leave_root(&kept).is_ok_and(|()| are_readable(files));
            // If there is no memory for a thread, the rights of the other user are unknown, and root stays.
            let other = thread::Builder::new().spawn_scoped(scope, becomes);
            other.is_ok_and(|other| other.join().unwrap_or(false))
        })
    };
    if reads_with(kept.to_vec()) {
        return Some(true);
    }
    reads_with([kept, &[Capability::ReadAnyFile]].concat()).then_some(false)
}
