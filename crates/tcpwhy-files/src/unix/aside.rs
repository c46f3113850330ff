//! A file that has no name until it is whole, where the operating system can do that (Linux), or one of its own.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, Mode, OFlags, fchmod, openat, renameat, unlinkat};
use rustix::io::Errno;

/// What everybody may get, less the umask.
const USUAL: Mode = Mode::from_raw_mode(0o666);

/// Whether the file system can make files without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Without a name they go with this process, even when it is killed.
    UnnamedIfPossible,
    /// They go when they are dropped.
    #[cfg(test)]
    Named,
}

/// Puts what `write` writes into `folder` as `name`, in the place of what is there; `mode` stands for the usual permissions.
pub(crate) fn put(
    folder: BorrowedFd<'_>,
    name: &OsStr,
    mode: Option<Mode>,
    naming: Naming,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    // Nobody may read more while it is written than when it is whole.
    let at_first = mode.map_or(USUAL, |mode| mode & USUAL);
    let mut aside = Aside::new(folder, at_first, naming)?;
    write(&mut aside.file)?;
    if let Some(mode) = mode {
        fchmod(&aside.file, mode)?;
    }
    // Or after a power failure the new name may stand before the new content; a full disk may show itself only here.
    aside.file.sync_all()?;
    aside.name_it(name)
}

struct Aside<'a> {
    folder: BorrowedFd<'a>,
    file: File,
    /// For the time being, if it has one.
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
                // Without /proc it could get no name.
                Ok(file) if std::path::Path::new(&path_of(&file)).exists() => {
                    return Ok(Self { folder, file, name: None });
                }
                // What file systems and old kernels say that cannot.
                Ok(_) | Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let (name, file) = under_free_name(|name| openat(folder, name, flags, mode))?;
        Ok(Self { folder, file: file.into(), name: Some(name) })
    }

    fn name_it(mut self, name: &OsStr) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if self.name.is_none() {
            let path = path_of(&self.file);
            let link =
                |name: &OsStr| rustix::fs::linkat(rustix::fs::CWD, &path, self.folder, name, AtFlags::SYMLINK_FOLLOW);
            match link(name) {
                // A link does not replace.
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
            // It is lost either way.
            let _ = unlinkat(self.folder, name, AtFlags::empty());
        }
    }
}

#[cfg(target_os = "linux")]
fn path_of(file: &File) -> String {
    use std::os::fd::{AsFd as _, AsRawFd as _};
    format!("/proc/self/fd/{}", file.as_fd().as_raw_fd())
}

/// Tries names until `make` finds one free. Somebody may guess one, but then it is not free.
fn under_free_name<T>(make: impl Fn(&OsStr) -> rustix::io::Result<T>) -> rustix::io::Result<(OsString, T)> {
    const ATTEMPTS: u32 = 100;
    let mut result = Err(Errno::EXIST);
    for _ in 0..ATTEMPTS {
        // Each has a seed of its own.
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
    use std::path::Path;

    use super::*;

    const NAMINGS: [Naming; 2] = [Naming::UnnamedIfPossible, Naming::Named];

    fn names(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn whole_or_not_at_all() {
        for naming in NAMINGS {
            let folder = tempfile::tempdir().unwrap();
            let open = File::open(folder.path()).unwrap();
            let put = |content: &'static str, is_disk_full: bool| {
                put(open.as_fd(), OsStr::new("report"), None, naming, |out| {
                    out.write_all(content.as_bytes())?;
                    // Meanwhile nothing is seen under the name.
                    assert!(!names(folder.path()).is_empty() || naming == Naming::UnnamedIfPossible);
                    assert_ne!(fs::read_to_string(folder.path().join("report")).ok().as_deref(), Some(content));
                    if is_disk_full { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
                })
            };
            assert_eq!(put("first", true).unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert!(names(folder.path()).is_empty());
            put("first", false).unwrap();
            assert_eq!(put("second", true).unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(fs::read_to_string(folder.path().join("report")).unwrap(), "first");
            put("third", false).unwrap();
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
            put(open.as_fd(), OsStr::new("report"), None, naming, |out| out.write_all(b"x")).unwrap_err();
            assert_eq!(names(folder.path()), ["report"]);
        }
    }
}
