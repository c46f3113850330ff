//! How Linux bounds a process.

pub(crate) mod capabilities;
pub(crate) mod landlock;
pub(crate) mod process;
mod system_calls;

use std::io;
use std::path::PathBuf;

use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::io::Errno;

use crate::{Capability, Confined, Files, Grant, User};

/// Landlock first, since a filter of system calls might refuse it; the user before the capabilities, since to change it needs
/// some.
pub(crate) fn confine(grant: &Grant) -> io::Result<Confined> {
    rustix::thread::set_no_new_privs(true)?;
    let mut kept = grant.capabilities.clone();
    let files = match &grant.files {
        Files::Any => false,
        Files::Only { read } => {
            if !capabilities::try_with(&kept, || are_readable(read))? {
                kept.push(Capability::ReadAnyFile);
            }
            landlock::only(read, grant.connects)?
        }
        Files::In { folder, above } => landlock::only_in(folder, above)?,
    };
    match grant.user {
        User::Same => capabilities::keep_only(&kept)?,
        User::Unprivileged => capabilities::leave_root(&kept)?,
    }
    let calls = system_calls::bound(grant.calls)?;
    Ok(Confined { files, calls })
}

/// Whether nothing but what is missing would be refused. Files of other users are: root reads these by a capability alone.
fn are_readable(files: &[PathBuf]) -> bool {
    let is_refused = |file: &PathBuf| accessat(CWD, file, Access::READ_OK, AtFlags::EACCESS) == Err(Errno::ACCESS);
    !files.iter().any(is_refused)
}
