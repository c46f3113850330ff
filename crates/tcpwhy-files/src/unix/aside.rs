//! A file that has no name until it is complete, where the operating system supports that (Linux); otherwise
//! a temporary name.

use std::ffi::{OsStr, OsString};
#[cfg(target_os = "linux")]
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, fchmod, openat, renameat, unlinkat};
use rustix::io::Errno;

use crate::{CountedFile, WriteError, Written};

/// Usual permissions, before the umask is applied.
const USUAL: Mode = Mode::from_raw_mode(0o666);

/// Whether files without a name are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Without a name if possible, so that the file disappears with this process, even if it is killed.
    UnnamedIfPossible,
    /// With a temporary name; the file is removed when it is dropped.
    #[cfg(test)]
    Named,
}

/// The place of a file.
#[derive(Clone, Copy)]
pub(crate) struct Spot<'a> {
    pub(crate) folder: BorrowedFd<'a>,
    pub(crate) name: &'a OsStr,
    /// Path for error messages.
    pub(crate) path: &'a Path,
}

/// Puts the output of `write` at its spot, in place of an existing file. `mode` replaces the usual
/// permissions; a file gets at most the permissions in `most`. Writing may take long, so `check` is called
/// when the output is complete, directly before it is put in place.
pub(crate) fn put(
    spot: Spot<'_>,
    mode: Option<Mode>,
    most: Mode,
    naming: Naming,
    write: impl FnOnce(&mut CountedFile) -> io::Result<()>,
    check: impl FnOnce() -> Result<Over, WriteError>,
) -> Result<Written, WriteError> {
    let failed = |error: io::Error| WriteError::io(spot.path, error);
    // While it is written, the file must not be readable for more users than when it is complete.
    let at_first = mode.map_or(USUAL, |mode| mode & USUAL) & most;
    let mut aside = Aside::new(spot.folder, at_first, naming).map_err(failed)?;
    write(&mut aside.file).map_err(failed)?;
    let file = aside.file.file();
    if let Some(mode) = mode {
        fchmod(file, mode).map_err(|error| failed(error.into()))?;
    }
    // Without a sync, the new name could precede the new content after a power failure. Also, a full disk may
    // only be reported here.
    file.sync_all().map_err(failed)?;
    let written = aside.file.written();
    match check()? {
        Over::Whatever => aside.name_it(spot.name).map_err(failed)?,
        Over::Nothing => aside.name_new(spot.name).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists { path: spot.path.to_owned() },
            _ => failed(error),
        })?,
    }
    Ok(written)
}

/// What the new file may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    Whatever,
    /// It must not replace anything: an existing entry is an error.
    Nothing,
}

struct Aside<'a> {
    folder: BorrowedFd<'a>,
    file: CountedFile,
    /// Temporary name, if it has one.
    name: Option<OsString>,
}

impl<'a> Aside<'a> {
    fn new(folder: BorrowedFd<'a>, mode: Mode, naming: Naming) -> io::Result<Self> {
        #[cfg(not(target_os = "linux"))]
        let _ = naming;
        #[cfg(target_os = "linux")]
        if naming == Naming::UnnamedIfPossible {
            let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
            match openat(folder, ".", flags, mode).map(File::from) {
                // Without /proc, the file could not get a name.
                Ok(file) if Path::new(&path_of(&file)).exists() => {
                    return Ok(Self { folder, file: CountedFile::new(file), name: None });
                }
                // Errors of file systems and old kernels that do not support it.
                Ok(_) | Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let (name, file) = under_free_name(|name| openat(folder, name, flags, mode))?;
        Ok(Self { folder, file: CountedFile::new(file.into()), name: Some(name) })
    }

    /// Gives the file a name that must be free. Two programs may want the same name at once: the link
    /// succeeds for only one of them.
    fn name_new(self, name: &OsStr) -> io::Result<()> {
        let result = match &self.name {
            #[cfg(target_os = "linux")]
            None => {
                let path = path_of(self.file.file());
                rustix::fs::linkat(rustix::fs::CWD, &path, self.folder, name, AtFlags::SYMLINK_FOLLOW)
            }
            #[cfg(not(target_os = "linux"))]
            None => return Ok(()),
            Some(before) => rustix::fs::linkat(self.folder, before, self.folder, name, AtFlags::empty()),
        };
        match result {
            // The file system has no hard links; the name was free a moment ago.
            Err(Errno::PERM | Errno::OPNOTSUPP | Errno::MLINK) if self.name.is_some() => self.name_it(name),
            result => Ok(result?),
        }
    }

    fn name_it(mut self, name: &OsStr) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if self.name.is_none() {
            let path = path_of(self.file.file());
            let link =
                |name: &OsStr| rustix::fs::linkat(rustix::fs::CWD, &path, self.folder, name, AtFlags::SYMLINK_FOLLOW);
            match link(name) {
                // A hard link does not replace an existing name.
                Err(Errno::EXIST) => self.name = Some(under_free_name(link)?.0),
                result => return Ok(result?),
            }
        }
        if let Some(before) = &self.name {
            renameat(self.folder, before, self.folder, name)?;
            self.name = None;
        }
        Ok(())
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // The file is lost in any case.
            let _ = unlinkat(self.folder, name, AtFlags::empty());
        }
    }
}

#[cfg(target_os = "linux")]
fn path_of(file: &File) -> String {
    use std::os::fd::{AsFd as _, AsRawFd as _};
    format!("/proc/self/fd/{}", file.as_fd().as_raw_fd())
}

/// Tries random names until `make` succeeds. If somebody guessed a name and took it, the next one is tried.
fn under_free_name<T>(make: impl Fn(&OsStr) -> rustix::io::Result<T>) -> rustix::io::Result<(OsString, T)> {
    const ATTEMPTS: u32 = 100;
    let mut result = Err(Errno::EXIST);
    for _ in 0..ATTEMPTS {
        // Each `RandomState` has its own seed.
        let name = OsString::from(format!(".tcpwhy-{:016x}", RandomState::new().hash_one(0)));
        result = make(&name).map(|made| (name, made));
        if !matches!(result, Err(Errno::EXIST)) {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;
    use std::os::fd::AsFd as _;

    use super::*;

    const NAMINGS: [Naming; 2] = [Naming::UnnamedIfPossible, Naming::Named];

    fn spot(folder: &File) -> Spot<'_> {
        Spot { folder: folder.as_fd(), name: OsStr::new("report"), path: Path::new("report") }
    }

    fn names(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn whole_or_not_at_all() {
        for naming in NAMINGS {
            let folder = tempfile::tempdir().unwrap();
            let open = File::open(folder.path()).unwrap();
            let put = |content: &'static str, is_disk_full: bool| {
                let write = |out: &mut CountedFile| {
                    out.write_all(content.as_bytes())?;
                    // While the file is written, its name does not show the new content.
                    assert!(!names(folder.path()).is_empty() || naming == Naming::UnnamedIfPossible);
                    assert_ne!(fs::read_to_string(folder.path().join("report")).ok().as_deref(), Some(content));
                    if is_disk_full { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
                };
                put(spot(&open), None, USUAL, naming, write, || Ok(Over::Whatever))
            };
            let kind = |error: WriteError| error.io_error().unwrap().kind();
            assert_eq!(kind(put("first", true).unwrap_err()), io::ErrorKind::StorageFull);
            assert!(names(folder.path()).is_empty());
            put("first", false).unwrap();
            assert_eq!(kind(put("second", true).unwrap_err()), io::ErrorKind::StorageFull);
            assert_eq!(fs::read_to_string(folder.path().join("report")).unwrap(), "first");
            assert_eq!(put("third", false).unwrap(), Written { files: 1, bytes: 5 });
            assert_eq!(fs::read_to_string(folder.path().join("report")).unwrap(), "third");
            assert_eq!(names(folder.path()), ["report"]);
        }
    }

    #[test]
    fn nothing_is_left_when_it_cannot_be_put_in_place() {
        for naming in NAMINGS {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("report")).unwrap();
            let open = File::open(folder.path()).unwrap();
            put(spot(&open), None, USUAL, naming, |out| out.write_all(b"x"), || Ok(Over::Whatever)).unwrap_err();
            assert_eq!(names(folder.path()), ["report"]);
        }
    }

    #[test]
    fn a_new_file_replaces_none_that_came_meanwhile() {
        for naming in NAMINGS {
            let folder = tempfile::tempdir().unwrap();
            let open = File::open(folder.path()).unwrap();
            let put = || put(spot(&open), None, USUAL, naming, |out| out.write_all(b"x"), || Ok(Over::Nothing));
            put().unwrap();
            assert!(matches!(put().unwrap_err(), WriteError::Exists { .. }));
            assert_eq!(names(folder.path()), ["report"]);
        }
    }
}
