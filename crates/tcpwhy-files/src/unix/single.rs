//! One file at its place: begun, replaced, written to as it is, or removed.

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

/// Makes a new file for its owner alone.
pub(super) fn begin(spot: Spot<'_>) -> Result<File, WriteError> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(spot.folder, spot.name, flags, Mode::from_raw_mode(0o600)) {
        Ok(file) => Ok(file.into()),
        Err(error) => Err(WriteError::io(spot.path, error)),
    }
}

/// Removes a file or a link, if there is one.
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

/// Over what is there, or as a new file, which then has `most` of the usual permissions at most.
pub(super) fn over(
    spot: Spot<'_>,
    policy: &Policy,
    most: Mode,
    write: impl FnOnce(&mut CountedFile) -> io::Result<()>,
) -> Result<Written, WriteError> {
    let before = replaceable(spot, policy)?.filter(|stat| kind(stat) == FileType::RegularFile);
    // Somebody else may have made it to open it again afterwards.
    let own = before.filter(|before| before.st_uid == geteuid().as_raw());
    let mode = own.map(|before| Mode::from_raw_mode(before.st_mode as RawMode & 0o777));
    put(spot, mode, most, Naming::UnnamedIfPossible, write, || at_last(spot, policy))
}

/// Into what is no regular file.
pub(super) fn straight(file: File, write: impl FnOnce(&mut CountedFile) -> io::Result<()>) -> io::Result<Written> {
    let mut file = CountedFile::new(file);
    write(&mut file)?;
    Ok(file.written())
}

/// Opens what is no regular file, to be written to as it is.
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
