//! Resolution of a path to the folder in which a file is written.
//!
//! The kernel's own protection (`fs.protected_symlinks`) only checks links in sticky folders, and is off on
//! some machines.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::entry::{Entry, FOR_LOOKING, is_descriptor, start};
use crate::WriteError;

/// Most links that are followed, as in the kernel (`MAXSYMLINKS`).
const MOST_LINKS: usize = 40;
const ROOT: u32 = 0;

/// The users whose links are followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trusted([u32; 2]);

impl Trusted {
    /// Root, which may do everything anyway, and the user of this process.
    pub(crate) fn current() -> Self {
        Self([ROOT, geteuid().as_raw()])
    }

    /// Two other users, so that files made by a test belong to a stranger.
    #[cfg(test)]
    pub(crate) const fn strangers() -> Self {
        Self([u32::MAX - 2; 2])
    }

    pub(crate) fn includes(self, uid: u32) -> bool {
        self.0.contains(&uid)
    }
}

/// Treatment of a link as the last part of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastLink {
    Follow,
    Refuse,
}

/// The result of resolving a path. All descriptors are only for checks.
#[derive(Debug)]
pub(crate) enum Resolved {
    /// The entry is missing. `names`, at least one, are the missing parts.
    Missing { folder: OwnedFd, names: Vec<OsString> },
    /// An entry that is not a link.
    There { folder: OwnedFd, name: OsString, entry: Entry },
    /// `/proc/PID/fd/N` or `/dev/fd/N`: an open file, regardless of its path.
    Descriptor { folder: OwnedFd, name: OsString },
}

/// Follows `path`, one part after the other.
pub(crate) fn resolve(path: &Path, trusted: Trusted, last: LastLink) -> Result<Resolved, WriteError> {
    let failed = |error: Errno| WriteError::io(path, error);
    let mut folder = start(path.is_absolute()).map_err(failed)?;
    let mut rest = names(path);
    let mut links = 0;
    // The path followed so far, for messages.
    let mut way = PathBuf::from(if path.is_absolute() { "/" } else { "" });
    loop {
        let Some(name) = rest.pop() else { return Err(failed(Errno::ISDIR)) };
        let is_last = rest.is_empty();
        let entry = match Entry::look(&folder, &name) {
            Ok(entry) => entry,
            Err(Errno::NOENT) => {
                rest.push(name);
                rest.reverse();
                return Ok(Resolved::Missing { folder, names: rest });
            }
            Err(error) => return Err(failed(error)),
        };
        if entry.kind() == FileType::Symlink {
            if is_last && last == LastLink::Refuse {
                return Err(WriteError::IsLink { path: path.to_owned() });
            }
            if !trusted.includes(entry.stat().st_uid) {
                let (path, link) = (path.to_owned(), way.join(name));
                return Err(WriteError::ForeignLink { path, link, owner: entry.stat().st_uid });
            }
            links += 1;
            if links > MOST_LINKS {
                return Err(failed(Errno::LOOP));
            }
        }
        if is_descriptor(&folder, &name, &entry).map_err(failed)? {
            if is_last {
                return Ok(Resolved::Descriptor { folder, name });
            }
            let flags = FOR_LOOKING | OFlags::DIRECTORY | OFlags::CLOEXEC;
            folder = openat(&folder, &name, flags, Mode::empty()).map_err(failed)?;
            continue;
        }
        match entry.kind() {
            FileType::Symlink => {
                let target = entry.target(&folder, &name).map_err(failed)?;
                let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                if target.is_absolute() {
                    folder = start(true).map_err(failed)?;
                    way = PathBuf::from("/");
                }
                rest.append(&mut names(&target));
            }
            _ if is_last => return Ok(Resolved::There { folder, name, entry }),
            _ => {
                folder = entry.into_folder(&folder, &name).map_err(failed)?;
                way.push(name);
            }
        }
    }
}

/// The parts of a path, in reverse order.
fn names(path: &Path) -> Vec<OsString> {
    let parts = path.components().rev().filter(|part| *part != Component::RootDir);
    let mut names: Vec<OsString> = parts.map(|part| part.as_os_str().to_owned()).collect();
    if names.is_empty() && path.is_absolute() {
        names.push(".".into());
    }
    names
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_of_strangers_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().canonicalize().unwrap();
        fs::create_dir(at.join("real")).unwrap();
        symlink("real", at.join("link")).unwrap();
        symlink(at.join("real/file"), at.join("last")).unwrap();
        for path in ["link/file", "real/../link/file", "last"] {
            let path = at.join(path);
            assert!(matches!(
                resolve(&path, Trusted::current(), LastLink::Follow),
                Ok(Resolved::Missing { names, .. }) if names == ["file"]
            ));
            let refused = resolve(&path, Trusted::strangers(), LastLink::Follow).unwrap_err();
            let WriteError::ForeignLink { link, .. } = &refused else { panic!("{refused}") };
            assert!(link.is_symlink(), "{}", link.display());
        }
        assert!(resolve(&at.join("real/file"), Trusted::strangers(), LastLink::Follow).is_ok());
        assert!(matches!(
            resolve(&at.join("link"), Trusted::current(), LastLink::Refuse),
            Err(WriteError::IsLink { .. })
        ));
    }

    #[test]
    fn links_that_go_round_end() {
        let folder = tempfile::tempdir().unwrap();
        symlink("b", folder.path().join("a")).unwrap();
        symlink("a", folder.path().join("b")).unwrap();
        let error = resolve(&folder.path().join("a"), Trusted::current(), LastLink::Follow).unwrap_err();
        assert_eq!(error.io_error().unwrap().raw_os_error(), Some(Errno::LOOP.raw_os_error()));
    }

    #[test]
    fn odd_paths() {
        let resolve = |path: &str| resolve(Path::new(path), Trusted::current(), LastLink::Follow);
        for folder in ["/", ".", "..", "/..", "./."] {
            let resolved = resolve(folder).unwrap();
            let Resolved::There { entry, .. } = resolved else { panic!("{folder}: {resolved:?}") };
            assert_eq!(entry.kind(), FileType::Directory);
        }
        assert!(resolve("").is_err());
        assert!(resolve("Cargo.toml/x").is_err());
        assert!(matches!(resolve("missing/x").unwrap(), Resolved::Missing { names, .. } if names == ["missing", "x"]));
        assert!(matches!(resolve("/dev/stdin").unwrap(), Resolved::Descriptor { name, .. } if name == "0"));
        #[cfg(target_os = "linux")]
        assert!(matches!(resolve("/proc/self/fd/1").unwrap(), Resolved::Descriptor { name, .. } if name == "1"));
    }
}
