//! Checks of what may be replaced, relative to the folder of the entry.

use std::fs::File;

use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, RawMode, Stat, accessat, fstat, openat, statat};
use rustix::io::Errno;

use super::aside::{Over, Spot};
use super::entry::is_same;
use crate::policy::is_marked;
use crate::{FileId, Policy, Replace, WriteError};

/// Status of an entry that may be replaced; `None` if there is none. A link is never followed, but checked
/// itself.
pub(super) fn replaceable(spot: Spot<'_>, policy: &Policy) -> Result<Option<Stat>, WriteError> {
    let failed = |error: Errno| WriteError::io(spot.path, error);
    let stat = match statat(spot.folder, spot.name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Ok(None),
        result => result.map_err(failed)?,
    };
    // Finds out whether a link leads to an input, because replacing the link would remove a name of the
    // input.
    let leads_to = || statat(spot.folder, spot.name, AtFlags::empty()).ok();
    let is_allowed = match kind(&stat) {
        FileType::RegularFile => {
            refuse_input(spot, &stat, policy)?;
            match &policy.replace {
                Replace::Anything => true,
                Replace::Marked(marks) => has_mark(spot, &stat, marks)?,
                Replace::Nothing => false,
            }
        }
        FileType::Symlink => {
            leads_to().map_or(Ok(()), |stat| refuse_input(spot, &stat, policy))?;
            policy.replace == Replace::Anything
        }
        FileType::Directory => return Err(failed(Errno::ISDIR)),
        _ => return Err(failed(Errno::EXIST)),
    };
    match (is_allowed, &policy.replace) {
        (false, Replace::Nothing) => Err(WriteError::Exists { path: spot.path.to_owned() }),
        (false, _) => Err(WriteError::NotOurs { path: spot.path.to_owned() }),
        (true, _) => {
            if kind(&stat) == FileType::RegularFile {
                // Renaming needs only permissions of the folder, but a write-protected file must stay.
                accessat(spot.folder, spot.name, Access::WRITE_OK, AtFlags::EACCESS).map_err(failed)?;
            }
            Ok(Some(stat))
        }
    }
}

/// Checks again, directly before a file is put in place, and returns how that is done.
pub(super) fn at_last(spot: Spot<'_>, policy: &Policy) -> Result<Over, WriteError> {
    replaceable(spot, policy)?;
    Ok(if policy.replace == Replace::Nothing { Over::Nothing } else { Over::Whatever })
}

/// Fails if `stat` belongs to an input.
pub(super) fn refuse_input(spot: Spot<'_>, stat: &Stat, policy: &Policy) -> Result<(), WriteError> {
    #[allow(clippy::unnecessary_cast, reason = "not everywhere have they 64 bits")]
    let id = FileId { device: stat.st_dev as u64, inode: stat.st_ino as u64 };
    if kind(stat) == FileType::RegularFile && policy.is_input(Some(&id)) {
        return Err(WriteError::IsInput { path: spot.path.to_owned() });
    }
    Ok(())
}

pub(super) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode as RawMode)
}

/// Whether the file has a mark. An unreadable file has none.
fn has_mark(spot: Spot<'_>, expected: &Stat, marks: &[Vec<u8>]) -> Result<bool, WriteError> {
    let failed = |error: Errno| WriteError::io(spot.path, error);
    // A FIFO may have replaced it, and opening that must not wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(spot.folder, spot.name, flags, Mode::empty()) {
        Err(Errno::ACCESS | Errno::PERM) => return Ok(false),
        result => result.map_err(failed)?,
    };
    if !is_same(expected, &fstat(&file).map_err(failed)?) {
        return Err(failed(Errno::AGAIN));
    }
    is_marked(File::from(file), marks).map_err(|error| WriteError::io(spot.path, error))
}
