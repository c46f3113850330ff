//! A new folder that only its owner may read.

use std::ffi::{OsStr, OsString};
use std::fs::File;
#[cfg(target_os = "linux")]
use std::io;
use std::io::Write as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode, openat, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::aside::Spot;
use super::entry::Entry;
use super::new_folders::{is_callers, make_all, remove_all};
use super::resolve::{LastLink, Resolved, Trusted, resolve};
use super::single::begin;
#[cfg(target_os = "linux")]
use super::writer::{Line, Question, Writer, give_to_caller, refused};
#[cfg(target_os = "linux")]
use crate::Names;
use crate::WriteError;

const FOLDER: Mode = Mode::from_raw_mode(0o700);
/// Write permissions of group and others.
const OTHERS_WRITE: u32 = 0o022;

/// A folder that is filled once. Unless it is [kept](Self::keep), everything that was written and created is
/// removed when it is dropped.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    folder: Arc<OwnedFd>,
    /// Folders created for it, each in the previous one.
    made: Vec<(OwnedFd, OsString)>,
    written: Vec<OsString>,
    /// Process that writes there, if this process does not.
    #[cfg(target_os = "linux")]
    writer: Option<Writer>,
}

impl PrivateFolder {
    /// Creates `path`, with all folders above it. If it exists, it must belong to this user, be empty, not be
    /// a link, and not be writable for others.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        Self::create_as(path, Trusted::current(), geteuid().as_raw())
    }

    fn create_as(path: &Path, trusted: Trusted, owner: u32) -> Result<Self, WriteError> {
        let mut made = Vec::new();
        let result = match resolve(path, trusted, LastLink::Refuse)? {
            Resolved::Missing { folder, names } => make_all(path, folder, &names, FOLDER, &mut made),
            Resolved::There { folder, name, entry } => open_own(path, &folder, &name, entry, owner),
            Resolved::Descriptor { .. } => Err(WriteError::IsLink { path: path.to_owned() }),
        };
        match result {
            Ok(folder) => Ok(Self {
                path: path.to_owned(),
                folder: folder.into(),
                made,
                written: Vec::new(),
                #[cfg(target_os = "linux")]
                writer: None,
            }),
            Err(error) => {
                remove_all(&made);
                Err(error)
            }
        }
    }

    /// Writes the file `name`, which only its owner may read.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<(), WriteError> {
        let path = self.path.join(name);
        #[cfg(target_os = "linux")]
        let begun = self.writer.as_ref().map(|writer| writer.ask_for_file(&Question::Begin(name.into()), &path));
        #[cfg(not(target_os = "linux"))]
        let begun = None;
        let mut file = begun.unwrap_or_else(|| self.begin(OsStr::new(name)))?;
        // A full disk may be reported only at the end.
        file.write_all(content).and_then(|()| file.sync_all()).map_err(|error| WriteError::io(&path, error))
    }

    fn begin(&mut self, name: &OsStr) -> Result<File, WriteError> {
        let path = self.path.join(name);
        let file = begin(Spot { folder: self.folder.as_fd(), name, path: &path })?;
        self.written.push(name.to_owned());
        Ok(file)
    }

    /// Keeps the folder, because it is complete.
    ///
    /// # Errors
    /// Another process writes there, and has ended.
    pub fn keep(mut self) -> Result<(), WriteError> {
        #[cfg(target_os = "linux")]
        if let Some(writer) = &self.writer {
            return writer.ask(&Question::Keep, &self.path);
        }
        self.forget();
        Ok(())
    }

    fn forget(&mut self) {
        self.written.clear();
        self.made.clear();
    }

    /// Starts another process that creates files there, and removes everything unless it is kept. This
    /// process may then give up its rights. Call it while this process has only one thread. On other systems
    /// than Linux nothing changes.
    ///
    /// # Errors
    /// No process can be started.
    #[cfg_attr(not(target_os = "linux"), allow(unused_mut, reason = "on Linux alone"))]
    pub fn hand_over(mut self) -> Result<Self, WriteError> {
        #[cfg(target_os = "linux")]
        {
            let failed = |error: io::Error| WriteError::io(&self.path, error);
            let folder = self.folder.try_clone().map_err(failed)?;
            // The closure needs the folder's descriptor, but borrows all of `self`.
            let kept = Arc::clone(&self.folder);
            let above = std::mem::take(&mut self.made);
            let writer = Writer::start(folder.as_fd(), &above, &[kept.as_fd()], &|| false, |line| {
                // An error has no receiver here.
                if !matches!(line.map(|line| self.serve(line)), Some(Ok(Kept::All))) {
                    remove_written(&mut self);
                    remove_all(&above);
                }
            });
            let writer = writer.map_err(|error| {
                remove_all(&above);
                WriteError::io(&self.path, error)
            })?;
            // The other process removes them.
            self.forget();
            self.writer = Some(writer);
        }
        Ok(self)
    }

    #[cfg(target_os = "linux")]
    fn serve(&mut self, line: &Line) -> io::Result<Kept> {
        let mut kept = Kept::Nothing;
        let plain = Names::Between { first: String::new(), last: String::new() };
        while let Some(question) = line.next() {
            match question {
                Question::Begin(name) if plain.include(&name) => {
                    let path = self.path.join(&name);
                    let begun = self.begin(&name).and_then(|file| {
                        give_to_caller(&file).map_err(|error| WriteError::io(&path, error))?;
                        Ok(file)
                    });
                    line.answer(begun.as_ref().map(Some))?;
                }
                Question::Keep => {
                    self.forget();
                    kept = Kept::All;
                    line.answer(Ok(None))?;
                }
                _ => line.answer(Err(&refused(&self.path)))?,
            }
        }
        Ok(kept)
    }
}

/// The part of a private folder that stays.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Nothing,
    All,
}

/// Removes the files that do not stay.
fn remove_written(folder: &mut PrivateFolder) {
    for name in folder.written.drain(..) {
        // An earlier error is being reported already.
        let _ = unlinkat(&folder.folder, name, AtFlags::empty());
    }
    remove_all(&folder.made);
    folder.made.clear();
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        remove_written(self);
    }
}

/// Opens a folder that may be filled: it belongs to this user, is empty, and is not writable for others.
fn open_own(path: &Path, folder: &OwnedFd, name: &OsStr, entry: Entry, owner: u32) -> Result<OwnedFd, WriteError> {
    let failed = |error: Errno| WriteError::io(path, error);
    if entry.kind() != FileType::Directory {
        return Err(failed(Errno::EXIST));
    }
    let stat = entry.stat();
    if stat.st_uid != owner && !is_callers(stat.st_uid) {
        return Err(WriteError::ForeignFolder { path: path.to_owned(), owner: stat.st_uid });
    }
    #[allow(clippy::useless_conversion, reason = "not everywhere has it 32 bits")]
    let mode = u32::from(stat.st_mode as RawMode);
    if mode & OTHERS_WRITE != 0 {
        return Err(WriteError::OpenToOthers { path: path.to_owned(), mode: mode & 0o777 });
    }
    let entry = entry.into_folder(folder, name).map_err(failed)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let readable = openat(&entry, ".", flags, Mode::empty()).map_err(failed)?;
    for found in Dir::new(readable).map_err(failed)? {
        let found = found.map_err(failed)?;
        if !matches!(found.file_name().to_bytes(), b"." | b"..") {
            return Err(WriteError::NotEmpty { path: path.to_owned() });
        }
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().mode() & 0o7777
    }

    #[test]
    fn a_new_folder_is_for_its_owner_alone() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("a/b");
        let mut folder = PrivateFolder::create(&path).unwrap();
        folder.add("ss", b"text").unwrap();
        folder.keep().unwrap();
        assert_eq!(fs::read_to_string(path.join("ss")).unwrap(), "text");
        assert_eq!((mode(&path), mode(&path.join("ss"))), (0o700, 0o600));
    }

    #[test]
    fn an_empty_one_of_this_user_is_taken() {
        let above = tempfile::tempdir().unwrap();
        fs::set_permissions(above.path(), Permissions::from_mode(0o755)).unwrap();
        let mut folder = PrivateFolder::create(above.path()).unwrap();
        folder.add("ss", b"text").unwrap();
        folder.keep().unwrap();
        assert_eq!(mode(&above.path().join("ss")), 0o600);
        assert!(matches!(PrivateFolder::create(above.path()), Err(WriteError::NotEmpty { .. })));
    }

    #[test]
    fn others_are_refused() {
        let above = tempfile::tempdir().unwrap();
        let at = above.path().canonicalize().unwrap();
        let own = geteuid().as_raw();
        let create = |name: &str, owner: u32| PrivateFolder::create_as(&at.join(name), Trusted::current(), owner);
        fs::create_dir(at.join("empty")).unwrap();
        assert!(matches!(create("empty", own + 1), Err(WriteError::ForeignFolder { owner, .. }) if owner == own));
        symlink("empty", at.join("link")).unwrap();
        assert!(matches!(create("link", own), Err(WriteError::IsLink { .. })));
        symlink("missing", at.join("dangling")).unwrap();
        assert!(matches!(create("dangling", own), Err(WriteError::IsLink { .. })));
        let strangers = PrivateFolder::create_as(&at.join("link/new"), Trusted::strangers(), own);
        assert!(matches!(strangers, Err(WriteError::ForeignLink { .. })));
        fs::write(at.join("file"), "").unwrap();
        assert!(create("file", own).unwrap_err().to_string().contains("File exists"));
        for mode in [0o770, 0o707, 0o1777] {
            fs::set_permissions(at.join("empty"), Permissions::from_mode(mode)).unwrap();
            assert!(matches!(create("empty", own), Err(WriteError::OpenToOthers { .. })), "{mode:o}");
        }
        assert_eq!(fs::read_dir(at.join("empty")).unwrap().count(), 0);
    }

    #[test]
    fn all_or_nothing() {
        let above = tempfile::tempdir().unwrap();
        let precious = above.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        let path = above.path().join("a/b");
        let mut folder = PrivateFolder::create(&path).unwrap();
        folder.add("first", b"text").unwrap();
        // Any existing entry is an error, whoever created it.
        symlink(&precious, path.join("second")).unwrap();
        let error = folder.add("second", b"text").unwrap_err();
        assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::AlreadyExists);
        fs::remove_file(path.join("second")).unwrap();
        drop(folder);
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 1, "only what was there before");
    }

    #[test]
    fn what_is_not_ours_is_not_removed() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("folder");
        let mut folder = PrivateFolder::create(&path).unwrap();
        folder.add("first", b"text").unwrap();
        fs::write(path.join("other"), "").unwrap();
        drop(folder);
        assert!(path.join("other").exists() && !path.join("first").exists());
    }
}
