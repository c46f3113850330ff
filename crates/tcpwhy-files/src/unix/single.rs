//! Operations on one file: begin, replace, write directly, remove.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawMode, Stat, fstat, openat, statat, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::aside::{Naming, Spot, put};
use super::check::{at_last, kind, replaceable};
use super::entry::is_same;
use crate::{CountedFile, Policy, WriteError, Written};

/// Creates a new file that only its owner may use.
pub(super) fn begin(spot: Spot<'_>) -> Result<File, WriteError> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(spot.folder, spot.name, flags, Mode::from_raw_mode(0o600)) {
        Ok(file) => Ok(file.into()),
        Err(error) => Err(WriteError::io(spot.path, error)),
    }
}

/// Removes a file or a link, if it exists.
pub(super) fn remove(spot: Spot<'_>) -> Result<(), WriteError> {
    let kind = statat(spot.folder, spot.name, AtFlags::SYMLINK_NOFOLLOW)
        .map(|stat| FileType::from_raw_mode(stat.st_mode as RawMode));
    if !matches!(kind, Ok(FileType::RegularFile | FileType::Symlink) | Err(_)) {
        return Err(WriteError::io(spot.path, Errno::EXIST));
    }
    match unlinkat(spot.folder, spot.name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(WriteError::io(spot.path, error)),
    }
}

/// Replaces an existing file, or creates a new one with at most the permissions in `most`.
pub(super) fn over(
    spot: Spot<'_>,
    policy: &Policy,
    most: Mode,
    write: impl FnOnce(&mut CountedFile) -> io::Result<()>,
) -> Result<Written, WriteError> {
    let before = replaceable(spot, policy)?.filter(|stat| kind(stat) == FileType::RegularFile);
    // The file may belong to another user, who could open it again afterwards; only our own file keeps its
    // permissions.
    let own = before.filter(|before| before.st_uid == geteuid().as_raw());
    let mode = own.map(|before| Mode::from_raw_mode(before.st_mode as RawMode & 0o777));
    put(spot, mode, most, Naming::UnnamedIfPossible, write, || at_last(spot, policy))
}

/// Writes to anything but a regular file.
pub(super) fn straight(file: File, write: impl FnOnce(&mut CountedFile) -> io::Result<()>) -> io::Result<Written> {
    let mut file = CountedFile::new(file);
    write(&mut file)?;
    Ok(file.written())
}

/// Opens anything but a regular file, to be written directly.
pub(super) fn open_straight(
    folder: &OwnedFd,
    name: &OsStr,
    flags: OFlags,
    expected: Option<&Stat>,
) -> io::Result<File> {
    let file = openat(folder, name, flags, Mode::empty())?;
    if let Some(expected) = expected
        && !is_same(expected, &fstat(&file)?)
    {
        return Err(io::Error::other("it changed while it was opened"));
    }
    Ok(file.into())
}
