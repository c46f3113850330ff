//! An entry of a folder, checked before it is used.
//!
//! On Linux, `O_PATH` opens any entry without access to its content, so the checked entry stays the same even
//! if its name changes. On other systems it is checked again after its use; a different entry is then an
//! error.

use std::ffi::{CString, OsStr};
use std::os::fd::OwnedFd;

#[cfg(not(target_os = "linux"))]
use rustix::fs::{AtFlags, statat};
use rustix::fs::{CWD, FileType, Mode, OFlags, RawMode, Stat, openat};
use rustix::io::{Errno, Result};

/// Flags for checking a folder and working relative to it; listing its names needs a separate descriptor.
#[cfg(target_os = "linux")]
pub(super) const FOR_LOOKING: OFlags = OFlags::PATH;
/// POSIX `O_SEARCH`: the permission to pass through the folder is enough.
#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
pub(super) const FOR_LOOKING: OFlags = OFlags::from_bits_retain(libc::O_SEARCH as _);
#[cfg(not(any(target_os = "linux", target_vendor = "apple", target_os = "freebsd")))]
pub(super) const FOR_LOOKING: OFlags = OFlags::RDONLY;

/// An entry of a folder; a link is not followed.
#[derive(Debug)]
pub(super) struct Entry {
    stat: Stat,
    #[cfg(target_os = "linux")]
    descriptor: OwnedFd,
}

impl Entry {
    /// Opens `name` in `folder` for checks.
    pub(super) fn look(folder: &OwnedFd, name: &OsStr) -> Result<Self> {
        #[cfg(target_os = "linux")]
        {
            let flags = FOR_LOOKING | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let descriptor = openat(folder, name, flags, Mode::empty())?;
            Ok(Self { stat: rustix::fs::fstat(&descriptor)?, descriptor })
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Self { stat: statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)? })
    }

    pub(super) fn stat(&self) -> &Stat {
        &self.stat
    }

    pub(super) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode as RawMode)
    }

    /// The target of a link.
    pub(super) fn target(&self, folder: &OwnedFd, name: &OsStr) -> Result<CString> {
        #[cfg(target_os = "linux")]
        {
            let _ = (folder, name);
            rustix::fs::readlinkat(&self.descriptor, "", Vec::new())
        }
        #[cfg(not(target_os = "linux"))]
        {
            let target = rustix::fs::readlinkat(folder, name, Vec::new())?;
            let now = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
            // Moving the link away and back changes its `ctime`.
            let when = |stat: &Stat| (stat.st_ctime, stat.st_ctime_nsec);
            if is_same(&self.stat, &now) && when(&self.stat) == when(&now) { Ok(target) } else { Err(Errno::AGAIN) }
        }
    }

    /// Opens a folder for checks.
    pub(super) fn into_folder(self, folder: &OwnedFd, name: &OsStr) -> Result<OwnedFd> {
        if self.kind() != FileType::Directory {
            return Err(Errno::NOTDIR);
        }
        #[cfg(target_os = "linux")]
        {
            let _ = (folder, name);
            Ok(self.descriptor)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let opened = open_folder(folder, name)?;
            if is_same(&self.stat, &rustix::fs::fstat(&opened)?) { Ok(opened) } else { Err(Errno::AGAIN) }
        }
    }
}

/// Opens the root or the current folder for checks.
pub(super) fn start(is_absolute: bool) -> Result<OwnedFd> {
    let at = if is_absolute { "/" } else { "." };
    openat(CWD, at, FOR_LOOKING | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// Opens the folder `name` in `folder` for checks, but not a link.
pub(super) fn open_folder(folder: &OwnedFd, name: &OsStr) -> Result<OwnedFd> {
    let flags = FOR_LOOKING | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(folder, name, flags, Mode::empty())
}

/// Whether both belong to the same file.
pub(super) fn is_same(a: &Stat, b: &Stat) -> bool {
    (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
}

/// Whether `name` in `folder` is an open file of a process, which is written directly.
#[cfg(target_os = "linux")]
pub(super) fn is_descriptor(folder: &OwnedFd, name: &OsStr, entry: &Entry) -> Result<bool> {
    /// `PROC_SUPER_MAGIC` of `linux/magic.h`.
    const PROCFS: u64 = 0x9fa0;
    // The text of such a link is not a path that could be followed. No other link in procfs has a number as
    // its name.
    let is_link = entry.kind() == FileType::Symlink;
    Ok(is_link && is_number(name) && rustix::fs::fstatfs(folder)?.f_type as u64 == PROCFS)
}

/// Whether `name` in `folder` is an open file of this process, which is written directly.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_descriptor(folder: &OwnedFd, name: &OsStr, _: &Entry) -> Result<bool> {
    // Such an entry has the type of the open file: a regular file, or a device.
    Ok(is_number(name)
        && match rustix::fs::stat("/dev/fd") {
            Ok(descriptors) => is_same(&descriptors, &rustix::fs::fstat(folder)?),
            Err(_) => false,
        })
}

fn is_number(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().all(u8::is_ascii_digit)
}
