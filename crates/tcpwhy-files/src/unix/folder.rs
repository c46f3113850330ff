//! A folder whose files are replaced one by one.

use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawMode, fstat, statat};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::aside::Spot;
use super::check::{kind, replaceable};
#[cfg(target_os = "linux")]
use super::elsewhere::{over_elsewhere, serve};
use super::new_folders::make_all;
#[cfg(target_os = "linux")]
use super::new_folders::remove_all;
use super::resolve::{LastLink, Resolved, Trusted, resolve};
use super::single::{begin, open_straight, over, remove, straight};
#[cfg(target_os = "linux")]
use super::writer::{Question, Writer};
use crate::{CountedFile, Names, Policy, WriteError, Written};

/// Usual permissions, before the umask is applied.
const USUAL: Mode = Mode::from_raw_mode(0o777);

/// An open folder. Output goes there even if another folder takes its name.
#[derive(Debug)]
#[allow(clippy::struct_field_names, reason = "it is what it is around")]
pub struct Folder {
    path: PathBuf,
    folder: OwnedFd,
    /// Folders created for it, each in the previous one.
    #[cfg(target_os = "linux")]
    made: Vec<(OwnedFd, OsString)>,
    /// Process that writes there, if this process does not.
    #[cfg(target_os = "linux")]
    writer: Option<Writer>,
}

impl Folder {
    /// Opens `path`, or creates it with all folders above it. It may belong to anybody, and be reached
    /// through links as [`Target`](crate::Target) follows them.
    pub fn open(path: &Path) -> Result<Self, WriteError> {
        Self::open_trusting(path, Trusted::current(), LastLink::Follow)
    }

    /// Opens or creates a folder that must belong to this user and must not be a link.
    pub fn own(path: &Path) -> Result<Self, WriteError> {
        let this = Self::open_trusting(path, Trusted::current(), LastLink::Refuse)?;
        let owner = fstat(&this.folder).map_err(|error| WriteError::io(path, error))?.st_uid;
        if owner != geteuid().as_raw() {
            return Err(WriteError::ForeignFolder { path: path.to_owned(), owner });
        }
        Ok(this)
    }

    fn open_trusting(path: &Path, trusted: Trusted, last: LastLink) -> Result<Self, WriteError> {
        let mut made = Vec::new();
        let folder = match resolve(path, trusted, last)? {
            Resolved::There { folder, name, entry } => {
                entry.into_folder(&folder, &name).map_err(|error| WriteError::io(path, error))?
            }
            Resolved::Descriptor { .. } => return Err(WriteError::io(path, Errno::NOTDIR)),
            Resolved::Missing { folder, names } => make_all(path, folder, &names, USUAL, &mut made)?,
        };
        Ok(Self {
            path: path.to_owned(),
            folder,
            #[cfg(target_os = "linux")]
            made,
            #[cfg(target_os = "linux")]
            writer: None,
        })
    }

    /// Fails if `path` exists and is not a folder that can be opened. Nothing is created.
    pub fn look(path: &Path) -> Result<(), WriteError> {
        match resolve(path, Trusted::current(), LastLink::Follow)? {
            Resolved::There { folder, name, entry } => {
                entry.into_folder(&folder, &name).map(drop).map_err(|error| WriteError::io(path, error))
            }
            Resolved::Descriptor { .. } => Err(WriteError::io(path, Errno::NOTDIR)),
            Resolved::Missing { .. } => Ok(()),
        }
    }

    /// Fails if `policy` forbids to replace its file `name`.
    pub fn check(&self, name: &str, policy: &Policy) -> Result<(), WriteError> {
        if self.is_special(name) {
            return Ok(());
        }
        let path = self.path.join(name);
        replaceable(Spot { folder: self.folder.as_fd(), name: OsStr::new(name), path: &path }, policy).map(drop)
    }

    /// Replaces its file `name` with the output of `write`, or creates it, as
    /// [`Target::replace`](crate::Target::replace) does. A link with that name is never followed, but
    /// replaced itself if `policy` allows it.
    pub fn replace(
        &self,
        name: &str,
        policy: &Policy,
        write: impl FnOnce(&mut CountedFile) -> io::Result<()>,
    ) -> Result<Written, WriteError> {
        let path = self.path.join(name);
        if self.is_special(name)
            && let Some(file) = self.open_special(name)?
        {
            return straight(file, write).map_err(|error| WriteError::io(&path, error));
        }
        #[cfg(target_os = "linux")]
        if let Some(writer) = &self.writer {
            return over_elsewhere(writer, OsStr::new(name), &path, write);
        }
        over(Spot { folder: self.folder.as_fd(), name: OsStr::new(name), path: &path }, policy, Mode::all(), write)
    }

    /// Starts another process that replaces, begins and removes files there, only under `names` and by
    /// `policy`. This process may then give up its rights. Folders that were created for it are removed if
    /// nothing was written. Call it while this process has only one thread. On other systems than Linux
    /// nothing changes.
    ///
    /// # Errors
    /// No process can be started.
    #[cfg_attr(not(target_os = "linux"), allow(unused_variables, unused_mut, reason = "on Linux alone"))]
    pub fn hand_over(mut self, names: &Names, policy: &Policy) -> Result<Self, WriteError> {
        #[cfg(target_os = "linux")]
        {
            let (folder, path, made) = (&self.folder, &self.path, &self.made);
            let writer = Writer::start(folder.as_fd(), made, &[], &|| false, |line| {
                // An error has no receiver here.
                let _ = line.map(|line| serve(line, folder, path, names, policy, Mode::all()));
                // Folders with files stay.
                remove_all(made);
            });
            self.writer = Some(writer.map_err(|error| WriteError::io(path, error))?);
        }
        Ok(self)
    }

    /// Whether `name` is a device or a FIFO.
    fn is_special(&self, name: &str) -> bool {
        let special = [FileType::CharacterDevice, FileType::BlockDevice, FileType::Fifo];
        statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| special.contains(&kind(&stat)))
    }

    /// Begins a new file `name` that grows under its name, for output that continues until somebody stops it.
    /// It is not lost if the writing process dies. Only its owner may read it, because recordings show the
    /// activity of all users.
    ///
    /// # Errors
    /// Also if the name is taken.
    pub fn begin(&self, name: &str) -> Result<File, WriteError> {
        let path = self.path.join(name);
        #[cfg(target_os = "linux")]
        if let Some(writer) = &self.writer {
            return writer.ask_for_file(&Question::Begin(name.into()), &path);
        }
        begin(Spot { folder: self.folder.as_fd(), name: OsStr::new(name), path: &path })
    }

    /// Opens the entry `name` to be written directly, if it is a device or a FIFO; for a FIFO this waits for
    /// a reader. `None` for any other entry, and for a free name.
    ///
    /// # Errors
    /// Also for a FIFO of another user, who would read the output.
    pub fn open_special(&self, name: &str) -> Result<Option<File>, WriteError> {
        let path = self.path.join(name);
        let failed = |error: io::Error| WriteError::io(&path, error);
        let stat = match statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(None),
            result => result.map_err(|error| failed(error.into()))?,
        };
        match FileType::from_raw_mode(stat.st_mode as RawMode) {
            FileType::CharacterDevice | FileType::BlockDevice => {}
            FileType::Fifo if Trusted::current().includes(stat.st_uid) => {}
            FileType::Fifo => return Err(WriteError::ForeignFifo { path, owner: stat.st_uid }),
            _ => return Ok(None),
        }
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        open_straight(&self.folder, OsStr::new(name), flags, Some(&stat)).map(Some).map_err(failed)
    }

    /// Removes its file `name`, if it exists; a link is itself removed. Anything else stays, because a named
    /// device must not be removed.
    pub fn remove(&self, name: &str) -> Result<(), WriteError> {
        let path = self.path.join(name);
        #[cfg(target_os = "linux")]
        if let Some(writer) = &self.writer {
            return writer.ask(&Question::Remove(name.into()), &path);
        }
        remove(Spot { folder: self.folder.as_fd(), name: OsStr::new(name), path: &path })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::Replace;

    const ANYTHING: Policy = Policy { inputs: Vec::new(), replace: Replace::Anything };

    #[test]
    fn is_made_with_what_is_above_it() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("a/b");
        for _ in 0..2 {
            Folder::open(&path).unwrap().replace("file", &ANYTHING, |out| out.write_all(b"x")).unwrap();
            Folder::own(&path).unwrap().replace("file", &ANYTHING, |out| out.write_all(b"x")).unwrap();
        }
        assert_eq!(fs::read_to_string(path.join("file")).unwrap(), "x");
        assert!(Folder::open(&path.join("file")).is_err());
    }

    #[test]
    fn a_link_in_it_is_replaced_not_followed() {
        let above = tempfile::tempdir().unwrap();
        let precious = above.path().join("precious");
        fs::write(&precious, "precious").unwrap();
        symlink(&precious, above.path().join("file")).unwrap();
        let folder = Folder::own(above.path()).unwrap();
        folder.replace("file", &ANYTHING, |out| out.write_all(b"x")).unwrap();
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
        assert_eq!(fs::read_to_string(above.path().join("file")).unwrap(), "x");
        assert!(!above.path().join("file").is_symlink());
        symlink(&precious, above.path().join("other")).unwrap();
        folder.remove("other").unwrap();
        folder.remove("other").unwrap();
        assert!(precious.exists() && !above.path().join("other").is_symlink());
    }

    #[test]
    fn a_link_in_it_is_not_ours() {
        let above = tempfile::tempdir().unwrap();
        let at = |name: &str| above.path().join(name);
        fs::write(at("input"), "precious").unwrap();
        symlink("input", at("link")).unwrap();
        symlink("missing", at("dangling")).unwrap();
        let folder = Folder::open(above.path()).unwrap();
        let marked = Policy { inputs: Vec::new(), replace: Replace::Marked(vec![b"precious".to_vec()]) };
        for name in ["link", "dangling"] {
            assert!(matches!(folder.check(name, &marked), Err(WriteError::NotOurs { .. })));
            folder.replace(name, &marked, |out| out.write_all(b"x")).unwrap_err();
        }
        // An input does not lose a name either.
        let reading = Policy { inputs: crate::FileId::of(&at("input")).into_iter().collect(), ..ANYTHING };
        assert!(matches!(folder.check("link", &reading), Err(WriteError::IsInput { .. })));
        folder.replace("dangling", &reading, |out| out.write_all(b"x")).unwrap();
        assert!(at("link").is_symlink() && !at("dangling").is_symlink());
    }

    #[test]
    fn looking_makes_nothing() {
        let above = tempfile::tempdir().unwrap();
        fs::write(above.path().join("file"), "x").unwrap();
        Folder::look(&above.path().join("a/b")).unwrap();
        Folder::look(above.path()).unwrap();
        Folder::look(&above.path().join("file")).unwrap_err();
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_file_is_not_removed() {
        let above = tempfile::tempdir().unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(above.path().join("socket")).unwrap();
        assert!(Folder::own(above.path()).unwrap().remove("socket").is_err());
        assert!(above.path().join("socket").exists());
    }

    #[test]
    fn what_is_begun_is_there_at_once_and_replaces_nothing() {
        let above = tempfile::tempdir().unwrap();
        let folder = Folder::open(above.path()).unwrap();
        let mut file = folder.begin("growing").unwrap();
        file.write_all(b"x").unwrap();
        assert_eq!(fs::read_to_string(above.path().join("growing")).unwrap(), "x");
        symlink(above.path().join("elsewhere"), above.path().join("link")).unwrap();
        for name in ["growing", "link"] {
            let error = folder.begin(name).unwrap_err();
            assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::AlreadyExists);
        }
        assert!(!above.path().join("elsewhere").exists());
    }

    #[test]
    fn devices_are_opened_as_they_are_and_files_are_not() {
        let above = tempfile::tempdir().unwrap();
        fs::write(above.path().join("file"), "precious").unwrap();
        symlink("/dev/null", above.path().join("link")).unwrap();
        let folder = Folder::open(above.path()).unwrap();
        for name in ["file", "link", ".", "nothing"] {
            assert!(folder.open_special(name).unwrap().is_none(), "{name}");
        }
        let mut null = Folder::open(Path::new("/dev")).unwrap().open_special("null").unwrap().unwrap();
        null.write_all(b"x").unwrap();
        assert_eq!(fs::read_to_string(above.path().join("file")).unwrap(), "precious");
    }

    #[test]
    fn links_to_it() {
        let above = tempfile::tempdir().unwrap();
        let at = above.path().canonicalize().unwrap();
        fs::create_dir(at.join("real")).unwrap();
        symlink("real", at.join("link")).unwrap();
        assert!(matches!(Folder::own(&at.join("link")), Err(WriteError::IsLink { .. })));
        Folder::open(&at.join("link")).unwrap();
        for path in ["link", "link/deep"] {
            let refused = Folder::open_trusting(&at.join(path), Trusted::strangers(), LastLink::Follow);
            assert!(matches!(refused, Err(WriteError::ForeignLink { .. })));
        }
        assert_eq!(fs::read_dir(at.join("real")).unwrap().count(), 0);
    }

    /// A user who swaps the folder for a link does not redirect the output.
    #[test]
    fn it_is_still_the_same_under_another_name() {
        let above = tempfile::tempdir().unwrap();
        let at = |name: &str| above.path().join(name);
        let folder = Folder::own(&at("folder")).unwrap();
        fs::rename(at("folder"), at("moved")).unwrap();
        fs::create_dir(at("elsewhere")).unwrap();
        symlink("elsewhere", at("folder")).unwrap();
        folder.replace("file", &ANYTHING, |out| out.write_all(b"x")).unwrap();
        assert!(at("moved/file").exists() && !at("elsewhere/file").exists());
    }
}
