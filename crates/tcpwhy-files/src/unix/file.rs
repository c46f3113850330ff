//! One file.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, RawMode, Stat, accessat, fstat, openat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::aside::{Naming, put};
use super::entry::is_same;
use super::resolve::{LastLink, Resolved, Trusted, resolve};
use crate::WriteError;

/// Replaces the file `path` by what `write` writes, or makes it. Until all of that is on the disk, the old one stays.
///
/// - Permissions: the umask's; those of the old file if it was this user's own. One that this user may not write stays as it is.
/// - A link that root or this user made is followed: what it points to is replaced, in its own folder.
/// - What is no regular file (a device, a FIFO, `/dev/fd/N`) is written to straight away.
///
/// # Errors
/// Also if the folder may not be written.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), WriteError> {
    replace_trusting(path, Trusted::current(), write)
}

fn replace_trusting(
    path: &Path,
    trusted: Trusted,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), WriteError> {
    let failed = |error: io::Error| WriteError::io(path, error);
    if path.as_os_str().as_bytes().ends_with(b"/") {
        return Err(failed(Errno::ISDIR.into()));
    }
    match resolve(path, trusted, LastLink::Follow)? {
        Resolved::Missing { folder, names } => match &names[..] {
            [name] => put(folder.as_fd(), name, None, Naming::UnnamedIfPossible, write).map_err(failed),
            _ => Err(failed(Errno::NOENT.into())),
        },
        Resolved::There { folder, name, entry } => match entry.kind() {
            FileType::RegularFile => over(folder.as_fd(), &name, entry.stat(), write).map_err(failed),
            FileType::Directory => Err(failed(Errno::ISDIR.into())),
            kind => {
                let owner = entry.stat().st_uid;
                if kind == FileType::Fifo && !trusted.includes(owner) {
                    return Err(WriteError::ForeignFifo { path: path.to_owned(), owner });
                }
                let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
                straight(&folder, &name, flags, Some(entry.stat()), write).map_err(failed)
            }
        },
        Resolved::Descriptor { folder, name } => {
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOCTTY | OFlags::CLOEXEC;
            straight(&folder, &name, flags, None, write).map_err(failed)
        }
    }
}

/// Over the regular file `name`.
pub(crate) fn over(
    folder: BorrowedFd<'_>,
    name: &OsStr,
    before: &Stat,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    // Renaming asks the folder alone, but a file that is protected against writing is to stay.
    accessat(folder, name, Access::WRITE_OK, AtFlags::EACCESS)?;
    // Somebody else may have made it to open it again afterwards.
    let is_ours = before.st_uid == geteuid().as_raw();
    let mode = is_ours.then(|| Mode::from_raw_mode(before.st_mode as RawMode & 0o777));
    put(folder, name, mode, Naming::UnnamedIfPossible, write)
}

/// Into what is no regular file. `expected` is what was looked at.
fn straight(
    folder: &OwnedFd,
    name: &OsStr,
    flags: OFlags,
    expected: Option<&Stat>,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    write(&mut open_straight(folder, name, flags, expected)?)
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

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::io::{Read as _, Seek as _, Write as _};
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::thread;

    use super::*;

    fn write(path: &Path, text: &str) -> Result<(), WriteError> {
        replace(path, |out| out.write_all(text.as_bytes()))
    }

    fn write_among_strangers(path: &Path, text: &str) -> WriteError {
        replace_trusting(path, Trusted::strangers(), |out| out.write_all(text.as_bytes())).unwrap_err()
    }

    #[test]
    fn own_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        write(&path, "1").unwrap();
        for mode in [0o600, 0o640, 0o666] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            write(&path, "2").unwrap();
            assert_eq!(path.metadata().unwrap().mode() & 0o7777, mode);
        }
    }

    #[test]
    fn what_may_not_be_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        write(&path, "1").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        // Root may write everything.
        assert_eq!(write(&path, "2").is_ok(), geteuid().is_root());
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("latest"), folder.path().join("deep/report"));
        fs::create_dir(folder.path().join("deep")).unwrap();
        symlink("deep/report", &link).unwrap();
        for text in ["made", "replaced"] {
            write(&link, text).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            assert!(link.is_symlink());
        }
    }

    #[test]
    fn nothing_is_written_where_a_link_of_a_stranger_leads() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().canonicalize().unwrap();
        fs::write(at.join("precious"), "precious").unwrap();
        symlink(at.join("precious"), at.join("report")).unwrap();
        symlink(&at, at.join("deep")).unwrap();
        for name in ["report", "deep/precious"] {
            let error = write_among_strangers(&at.join(name), "x");
            assert!(matches!(error, WriteError::ForeignLink { .. }), "{error}");
        }
        assert_eq!(fs::read_to_string(at.join("precious")).unwrap(), "precious");
        // What leads to no link is written; the folder's owner is nobody's concern.
        replace_trusting(&at.join("new"), Trusted::strangers(), |out| out.write_all(b"x")).unwrap();
    }

    #[cfg(not(target_vendor = "apple"))]
    #[test]
    fn a_fifo_is_written_to_unless_a_stranger_made_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, mode, 0).unwrap();
        assert!(matches!(write_among_strangers(&path, "x"), WriteError::ForeignFifo { .. }));
        let reader = thread::spawn({
            let path = path.clone();
            move || fs::read_to_string(path).unwrap()
        });
        write(&path, "report").unwrap();
        assert_eq!(reader.join().unwrap(), "report");
        assert_eq!(FileType::from_raw_mode(path.symlink_metadata().unwrap().mode()), FileType::Fifo);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_and_descriptors_are_written_to() {
        write(Path::new("/dev/null"), "x").unwrap();
        let full = write(Path::new("/dev/full"), "x").unwrap_err();
        assert_eq!(full.io_error().unwrap().kind(), io::ErrorKind::StorageFull);
        let (mut end, pipe) = io::pipe().unwrap();
        write(Path::new(&format!("/dev/fd/{}", pipe.as_raw_fd())), "report").unwrap();
        drop(pipe);
        let mut read = String::new();
        end.read_to_string(&mut read).unwrap();
        assert_eq!(read, "report");
        // Without a name, so that nothing could take its place.
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"heading\n").unwrap();
        write(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())), "report").unwrap();
        file.rewind().unwrap();
        read.clear();
        file.read_to_string(&mut read).unwrap();
        assert_eq!(read, "heading\nreport");
    }

    #[test]
    fn what_is_no_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("");
        for (path, kind) in [
            (at.clone(), io::ErrorKind::IsADirectory),
            (folder.path().to_owned(), io::ErrorKind::IsADirectory),
            (at.join("missing/"), io::ErrorKind::IsADirectory),
            (at.join("missing/report"), io::ErrorKind::NotFound),
        ] {
            let error = write(&path, "x").unwrap_err();
            assert_eq!(error.io_error().unwrap().kind(), kind, "{error}");
        }
    }
}
