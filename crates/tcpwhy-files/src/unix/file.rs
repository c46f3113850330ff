//! Output to one file.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
use rustix::fs::{Access, accessat};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawMode, Stat, statat};
use rustix::io::Errno;

use super::aside::Spot;
use super::check::{kind, refuse_input, replaceable};
#[cfg(target_os = "linux")]
use super::elsewhere::{over_elsewhere, serve};
use super::resolve::{LastLink, Resolved, Trusted, resolve};
use super::single::{open_straight, over, straight};
#[cfg(target_os = "linux")]
use super::writer::Writer;
#[cfg(target_os = "linux")]
use crate::Names;
use crate::{CountedFile, Policy, WriteError, Written};

/// A destination for output, with the rules for what may be replaced there.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    place: Place,
    policy: Policy,
    /// Most permissions of a new file.
    most: Mode,
}

#[derive(Debug)]
enum Place {
    /// A regular file, or a free name.
    File { folder: OwnedFd, name: OsString },
    /// A regular file or a free name that another process writes.
    #[cfg(target_os = "linux")]
    Elsewhere { writer: Writer, name: OsString },
    /// A device or a FIFO.
    Special { folder: OwnedFd, name: OsString, stat: Box<Stat> },
    /// A device, a FIFO or `/dev/fd/N` that has been opened already.
    Open(File),
    /// `/dev/fd/N`: an open file.
    Descriptor { folder: OwnedFd, name: OsString },
}

impl Target {
    /// Finds the place that `path` names, and fails if `policy` forbids to write there. Nothing is opened for
    /// writing yet.
    ///
    /// - A link of root or this user is followed: its target is replaced, in the target's own folder.
    /// - Anything but a regular file (a device, a FIFO, `/dev/fd/N`) is written directly.
    ///
    /// # Errors
    /// Also if the folder is missing, or the file there is write-protected.
    pub fn prepare(path: &Path, policy: &Policy) -> Result<Self, WriteError> {
        Self::prepare_trusting(path, Trusted::current(), policy)
    }

    fn prepare_trusting(path: &Path, trusted: Trusted, policy: &Policy) -> Result<Self, WriteError> {
        let failed = |error: Errno| WriteError::io(path, error);
        if path.as_os_str().as_bytes().ends_with(b"/") {
            return Err(failed(Errno::ISDIR));
        }
        let place = match resolve(path, trusted, LastLink::Follow)? {
            Resolved::Missing { folder, names } => {
                let [name] = <[OsString; 1]>::try_from(names).map_err(|_| failed(Errno::NOENT))?;
                Place::File { folder, name }
            }
            Resolved::There { folder, name, entry } => match entry.kind() {
                FileType::RegularFile => {
                    replaceable(Spot { folder: folder.as_fd(), name: &name, path }, policy)?;
                    Place::File { folder, name }
                }
                FileType::Directory => return Err(failed(Errno::ISDIR)),
                kind => {
                    let owner = entry.stat().st_uid;
                    if kind == FileType::Fifo && !trusted.includes(owner) {
                        return Err(WriteError::ForeignFifo { path: path.to_owned(), owner });
                    }
                    Place::Special { folder, name, stat: Box::new(*entry.stat()) }
                }
            },
            Resolved::Descriptor { folder, name } => {
                check_descriptor(Spot { folder: folder.as_fd(), name: &name, path }, policy)?;
                Place::Descriptor { folder, name }
            }
        };
        Ok(Self { path: path.to_owned(), place, policy: policy.clone(), most: Mode::all() })
    }

    /// Limits the permissions of the output to those of `file`. A user who may not read `file` must not read
    /// the output either, because recordings are private.
    #[must_use]
    pub fn no_more_open_than(self, file: &Path) -> Self {
        let usual = |of: Metadata| Mode::from_raw_mode(of.permissions().mode()) | Mode::WUSR;
        let most = fs::metadata(file).ok().filter(Metadata::is_file).map_or(Mode::all(), usual);
        Self { most, ..self }
    }

    /// Starts another process for the remaining work under this name, so that this process may give up its
    /// rights. Anything but a regular file is opened now; for a FIFO this waits for a reader. Call it while
    /// this process has only one thread. On other systems than Linux no process is started.
    ///
    /// # Errors
    /// No process can be started.
    pub fn hand_over(self) -> Result<Self, WriteError> {
        #[cfg(target_os = "linux")]
        if let Place::File { folder, name } = &self.place {
            let failed = |error: io::Error| WriteError::io(&self.path, error);
            let names = Names::One(name.clone());
            let above = self.path.parent().unwrap_or(Path::new(""));
            // Root may write even files that their owner has protected.
            let is_protected = || accessat(folder, name, Access::WRITE_OK, AtFlags::EACCESS) == Err(Errno::ACCESS);
            let writer = Writer::start(folder.as_fd(), &[], &[], &is_protected, |line| {
                // An error has no receiver here.
                let _ = line.map(|line| serve(line, folder, above, &names, &self.policy, self.most));
            });
            let place = Place::Elsewhere { writer: writer.map_err(failed)?, name: name.clone() };
            return Ok(Self { place, ..self });
        }
        self.open()
    }

    /// Opens anything but a regular file now.
    fn open(self) -> Result<Self, WriteError> {
        Ok(match self.open_straight()? {
            Some(file) => Self { place: Place::Open(file), ..self },
            None => self,
        })
    }

    /// Opens anything but a regular file; `None` for a regular file.
    fn open_straight(&self) -> Result<Option<File>, WriteError> {
        let (folder, name, expected, how) = match &self.place {
            Place::Special { folder, name, stat } => (folder, name, Some(&**stat), OFlags::NOFOLLOW),
            Place::Descriptor { folder, name } => {
                check_descriptor(Spot { folder: folder.as_fd(), name, path: &self.path }, &self.policy)?;
                (folder, name, None, OFlags::APPEND)
            }
            _ => return Ok(None),
        };
        let flags = OFlags::WRONLY | OFlags::NOCTTY | OFlags::CLOEXEC | how;
        open_straight(folder, name, flags, expected).map(Some).map_err(|error| WriteError::io(&self.path, error))
    }

    /// Writes the output of `write`. An existing file stays until all output is on the disk; then it is
    /// replaced, if the policy still allows that. The file has the umask's permissions, or those of the old
    /// file if it belonged to this user.
    ///
    /// # Errors
    /// Also if the folder is not writable.
    pub fn replace(&self, write: impl FnOnce(&mut CountedFile) -> io::Result<()>) -> Result<Written, WriteError> {
        let failed = |error: io::Error| WriteError::io(&self.path, error);
        match &self.place {
            Place::File { folder, name } => {
                over(Spot { folder: folder.as_fd(), name, path: &self.path }, &self.policy, self.most, write)
            }
            #[cfg(target_os = "linux")]
            Place::Elsewhere { writer, name } => over_elsewhere(writer, name, &self.path, write),
            Place::Open(file) => straight(file.try_clone().map_err(failed)?, write).map_err(failed),
            Place::Special { .. } | Place::Descriptor { .. } => match self.open_straight()? {
                Some(file) => straight(file, write).map_err(failed),
                None => Err(failed(Errno::BADF.into())),
            },
        }
    }
}

/// Fails if the open file is an input, or a regular file opened only for reading, which reopening would make
/// writable.
fn check_descriptor(spot: Spot<'_>, policy: &Policy) -> Result<(), WriteError> {
    let failed = |error: Errno| WriteError::io(spot.path, error);
    let open = statat(spot.folder, spot.name, AtFlags::empty()).map_err(failed)?;
    refuse_input(spot, &open, policy)?;
    if cfg!(target_os = "linux") && kind(&open) == FileType::RegularFile {
        // The permissions of the link show how the file was opened (proc_pid_fd(5)).
        let link = statat(spot.folder, spot.name, AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
        if !Mode::from_raw_mode(link.st_mode as RawMode).contains(Mode::WUSR) {
            return Err(failed(Errno::BADF));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::io::{Read as _, Seek as _, Write as _};
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::thread;

    use rustix::process::geteuid;

    use super::*;
    use crate::{FileId, Replace};

    const ANYTHING: Policy = Policy { inputs: Vec::new(), replace: Replace::Anything };

    fn marked() -> Policy {
        Policy { inputs: Vec::new(), replace: Replace::Marked(vec![b"our mark".to_vec()]) }
    }

    fn write_as(path: &Path, policy: &Policy, text: &str) -> Result<Written, WriteError> {
        Target::prepare(path, policy)?.replace(|out| out.write_all(text.as_bytes()))
    }

    fn write(path: &Path, text: &str) -> Result<Written, WriteError> {
        write_as(path, &ANYTHING, text)
    }

    fn write_among_strangers(path: &Path) -> WriteError {
        Target::prepare_trusting(path, Trusted::strangers(), &ANYTHING).unwrap_err()
    }

    #[test]
    fn only_our_own_files_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, "precious").unwrap();
        assert!(matches!(write_as(&path, &marked(), "1").unwrap_err(), WriteError::NotOurs { .. }));
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        write(&path, "1: our mark").unwrap();
        assert_eq!(write_as(&path, &marked(), "two").unwrap(), Written { files: 1, bytes: 3 });
        let new = Policy { inputs: Vec::new(), replace: Replace::Nothing };
        assert!(matches!(write_as(&path, &new, "3").unwrap_err(), WriteError::Exists { .. }));
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        // An empty file has no data to lose.
        fs::write(&path, "").unwrap();
        write_as(&path, &marked(), "3").unwrap();
    }

    #[test]
    fn an_input_stays_by_whatever_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("input"), "our mark").unwrap();
        fs::hard_link(at("input"), at("hard")).unwrap();
        symlink("input", at("soft")).unwrap();
        let open = File::options().append(true).open(at("input")).unwrap();
        let descriptor = PathBuf::from(format!("/dev/fd/{}", open.as_raw_fd()));
        let inputs = vec![FileId::of(&at("input")).unwrap()];
        for replace in [Replace::Anything, marked().replace, Replace::Nothing] {
            let policy = Policy { inputs: inputs.clone(), replace };
            for path in [&at("input"), &at("hard"), &at("soft"), &at("./input"), &descriptor] {
                let error = write_as(path, &policy, "x").unwrap_err();
                assert!(matches!(error, WriteError::IsInput { .. }), "{}: {error}", path.display());
            }
        }
        assert_eq!(fs::read_to_string(at("input")).unwrap(), "our mark");
    }

    /// A file that appears during writing is not replaced either.
    #[test]
    fn the_policy_holds_when_the_file_is_put_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let new = Policy { inputs: Vec::new(), replace: Replace::Nothing };
        for policy in [marked(), new] {
            let target = Target::prepare(&path, &policy).unwrap();
            let error = target.replace(|out| {
                fs::write(&path, "precious")?;
                out.write_all(b"x")
            });
            assert!(matches!(error.unwrap_err(), WriteError::NotOurs { .. } | WriteError::Exists { .. }));
            assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
            fs::remove_file(&path).unwrap();
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_open_for_reading_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "precious").unwrap();
        let open = File::open(folder.path().join("file")).unwrap();
        write(Path::new(&format!("/proc/self/fd/{}", open.as_raw_fd())), "x").unwrap_err();
        assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "precious");
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
            let error = write_among_strangers(&at.join(name));
            assert!(matches!(error, WriteError::ForeignLink { .. }), "{error}");
        }
        assert_eq!(fs::read_to_string(at.join("precious")).unwrap(), "precious");
        // A path without links is allowed, whoever owns the folder.
        let new = Target::prepare_trusting(&at.join("new"), Trusted::strangers(), &ANYTHING).unwrap();
        new.replace(|out| out.write_all(b"x")).unwrap();
    }

    #[cfg(not(target_vendor = "apple"))]
    #[test]
    fn a_fifo_is_written_to_unless_a_stranger_made_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        let mode = Mode::RUSR | Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, mode, 0).unwrap();
        assert!(matches!(write_among_strangers(&path), WriteError::ForeignFifo { .. }));
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
        // The file has no name, so that no other file could take its place.
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
