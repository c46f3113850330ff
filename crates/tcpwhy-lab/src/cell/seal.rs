//! Removal of the privileges that a run needs only to create its namespaces, devices and sockets.

use std::io;
use std::path::{Path, PathBuf};

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

use crate::LabError;
use crate::os::{Below, set_read_only};
use tcpwhy_rights::Capability;

/// Makes all of the machine's files read-only except `writable`, and drops this thread's privileges. The
/// thread can still wait, end programs, and write the results of the run.
pub(super) fn seal(writable: &[PathBuf]) -> Result<(), LabError> {
    let failed = |what: &str, error: io::Error| LabError::io(what, error);
    read_only(writable).map_err(|error| failed("mounting read-only", error))?;
    tcpwhy_rights::keep_only(&[Capability::AnyFile, Capability::EndProcesses])
        .map_err(|error| failed("giving up rights", error))?;
    // Otherwise, programs of the same user could write into this process or into its pipe.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| failed("giving up rights", error.into()))
}

/// A kernel before 5.12, or a container that forbids it, leaves the files as writable as users and
/// permissions allow.
fn read_only(writable: &[PathBuf]) -> io::Result<()> {
    // A mount that was read-only before the run stays read-only.
    let was_writable = |path: &&PathBuf| {
        use rustix::fs::{StatVfsMountFlags, statvfs};
        statvfs(path.as_path()).is_ok_and(|stat| !stat.f_flag.contains(StatVfsMountFlags::RDONLY))
    };
    let writable: Vec<&PathBuf> = writable.iter().filter(was_writable).collect();
    match set_read_only(Path::new("/"), true, Below::Included) {
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => return Ok(()),
        result => result?,
    }
    writable.into_iter().try_for_each(|path| set_read_only(path, false, Below::Left))
}
