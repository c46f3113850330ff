//! Folders created on the path to a file, and removed again if nothing was written.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, fstat, mkdirat, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::entry::open_folder;
use crate::WriteError;
#[cfg(target_os = "linux")]
use rustix::fs::chownat;
#[cfg(target_os = "linux")]
use rustix::process::{Gid, Uid};

/// Creates `names`, each in the previous one, and opens the last. New folders are added to `made`, in that
/// order.
pub(super) fn make_all(
    path: &Path,
    mut folder: OwnedFd,
    names: &[OsString],
    mode: Mode,
    made: &mut Vec<(OwnedFd, OsString)>,
) -> Result<OwnedFd, WriteError> {
    let failed = |error: Errno| WriteError::io(path, error);
    for name in names {
        let is_new = match mkdirat(&folder, name, mode) {
            Ok(()) => true,
            // Another process was faster, perhaps another run of this user.
            Err(Errno::EXIST) => false,
            Err(error) => return Err(failed(error)),
        };
        let next = open_folder(&folder, name).map_err(failed)?;
        #[cfg(target_os = "linux")]
        if is_new && let Some(tcpwhy_rights::Identity::Other { uid, gid }) = tcpwhy_rights::caller() {
            let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(gid));
            chownat(&folder, name, Some(uid), Some(gid), AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
        }
        let above = std::mem::replace(&mut folder, next);
        if is_new {
            made.push((above, name.clone()));
        }
        // If others may rename entries there, another folder may have taken its place.
        let owner = fstat(&folder).map_err(failed)?.st_uid;
        if owner != geteuid().as_raw() && !is_callers(owner) {
            return Err(WriteError::ForeignFolder { path: path.to_owned(), owner });
        }
    }
    Ok(folder)
}

/// Removes folders that were created, the last one first.
pub(super) fn remove_all(made: &[(OwnedFd, OsString)]) {
    for (folder, name) in made.iter().rev() {
        // The folder is empty; otherwise it is not ours to remove.
        let _ = unlinkat(folder, name, AtFlags::REMOVEDIR);
    }
}

/// Whether `uid` is the caller of sudo, on whose behalf this process works.
pub(super) fn is_callers(uid: u32) -> bool {
    #[cfg(target_os = "linux")]
    {
        matches!(tcpwhy_rights::caller(), Some(tcpwhy_rights::Identity::Other { uid: caller, .. }) if caller == uid)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = uid;
        false
    }
}
