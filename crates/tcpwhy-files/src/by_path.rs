//! Writing by paths, on systems without descriptors to work relative to (Windows).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::policy::is_marked;
use crate::{CountedFile, FileId, Names, Policy, Replace, WriteError, Written};

/// A destination for output, with the rules for what may be replaced there.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    policy: Policy,
}

impl Target {
    /// Finds the place that `path` names, and fails if `policy` forbids to write there.
    ///
    /// - A link is followed: its target is replaced, in the target's own folder.
    /// - Anything but a file (`NUL`, `CON`, `\\.\pipe\NAME`) is opened and written directly.
    ///
    /// # Errors
    /// Also if the folder is missing, or the file there is write-protected.
    pub fn prepare(path: &Path, policy: &Policy) -> Result<Self, WriteError> {
        let failed = |error| WriteError::io(path, error);
        if !is_device(path) {
            if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            if !folder_of(path).is_dir() {
                return Err(failed(io::ErrorKind::NotFound.into()));
            }
            replaceable(&followed(path).map_err(failed)?, path, policy)?;
        }
        Ok(Self { path: path.to_owned(), policy: policy.clone() })
    }

    /// Does nothing: a new file inherits the permissions of its folder.
    #[must_use]
    pub fn no_more_open_than(self, _: &Path) -> Self {
        self
    }

    /// Does nothing, because this process does the writing. Only Linux uses another process for that.
    ///
    /// # Errors
    /// None.
    #[allow(clippy::unnecessary_wraps, reason = "as on Linux")]
    pub fn hand_over(self) -> Result<Self, WriteError> {
        Ok(self)
    }

    /// Writes the output of `write`. An existing file stays until all output is on the disk; then it is
    /// replaced, if the policy still allows that.
    ///
    /// # Errors
    /// Also if the folder is not writable.
    pub fn replace(&self, write: impl FnOnce(&mut CountedFile) -> io::Result<()>) -> Result<Written, WriteError> {
        let failed = |error| WriteError::io(&self.path, error);
        if is_device(&self.path) {
            let mut device = CountedFile::new(OpenOptions::new().write(true).open(&self.path).map_err(failed)?);
            write(&mut device).map_err(failed)?;
            return Ok(device.written());
        }
        put(&followed(&self.path).map_err(failed)?, &self.path, &self.policy, write)
    }
}

/// The target of a link, or `path` itself if it is not a link.
fn followed(path: &Path) -> io::Result<PathBuf> {
    if path.is_symlink() { fs::canonicalize(path) } else { Ok(path.to_owned()) }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Fails if `path`, which the caller called `name`, may not be replaced. A link is never one of our files.
fn replaceable(path: &Path, name: &Path, policy: &Policy) -> Result<(), WriteError> {
    let failed = |error: io::Error| WriteError::io(name, error);
    let before = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        result => result.map_err(failed)?,
    };
    if before.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if policy.is_input(FileId::of(path).as_ref()) {
        return Err(WriteError::IsInput { path: name.to_owned() });
    }
    let is_allowed = match &policy.replace {
        Replace::Anything => true,
        Replace::Marked(marks) if before.is_file() => {
            File::open(path).is_ok_and(|file| is_marked(file, marks).unwrap_or_default())
        }
        Replace::Marked(_) | Replace::Nothing => false,
    };
    match &policy.replace {
        // Renaming would ignore the write protection.
        _ if is_allowed && before.is_file() && before.permissions().readonly() => {
            Err(failed(io::ErrorKind::PermissionDenied.into()))
        }
        _ if is_allowed => Ok(()),
        Replace::Nothing => Err(WriteError::Exists { path: name.to_owned() }),
        _ => Err(WriteError::NotOurs { path: name.to_owned() }),
    }
}

/// Puts the output of `write` in place of `path`, which the caller called `name`; a link with that name is
/// itself replaced.
fn put(
    path: &Path,
    name: &Path,
    policy: &Policy,
    write: impl FnOnce(&mut CountedFile) -> io::Result<()>,
) -> Result<Written, WriteError> {
    let failed = |error: io::Error| WriteError::io(name, error);
    replaceable(path, name, policy)?;
    let aside: NamedTempFile = Builder::new().prefix(".tcpwhy-").tempfile_in(folder_of(path)).map_err(failed)?;
    let mut file = CountedFile::new(aside.as_file().try_clone().map_err(failed)?);
    write(&mut file).map_err(failed)?;
    // Without a sync, the new name could precede the new content after a power failure. Also, a full disk may
    // only be reported here.
    aside.as_file().sync_all().map_err(failed)?;
    let written = file.written();
    // Windows cannot rename an open file.
    drop(file);
    replaceable(path, name, policy)?;
    if policy.replace == Replace::Nothing {
        aside.persist_noclobber(path).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists { path: name.to_owned() },
            _ => failed(error.error),
        })?;
    } else {
        aside.persist(path).map_err(|error| failed(error.error))?;
    }
    Ok(written)
}

/// Whether the name leads to a device in every folder.
fn is_device(path: &Path) -> bool {
    if !cfg!(windows) {
        return false;
    }
    let text = path.as_os_str().to_string_lossy().to_ascii_uppercase().replace('/', "\\");
    let name = text.trim_end_matches(':');
    let numbered = |kind: &str| {
        name.strip_prefix(kind).is_some_and(|number| matches!(number.as_bytes(), [digit] if digit.is_ascii_digit()))
    };
    text.starts_with("\\\\.\\")
        || matches!(name, "NUL" | "CON" | "CONOUT$" | "PRN" | "AUX")
        || numbered("COM")
        || numbered("LPT")
}

/// A folder whose files are replaced one by one.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Opens `path`, or creates it with all folders above it.
    pub fn open(path: &Path) -> Result<Self, WriteError> {
        fs::create_dir_all(path).map_err(|error| WriteError::io(path, error))?;
        Ok(Self(path.to_owned()))
    }

    /// Fails if `path` exists and is not a folder. Nothing is created.
    pub fn look(path: &Path) -> Result<(), WriteError> {
        match path.metadata() {
            Ok(metadata) if !metadata.is_dir() => Err(WriteError::io(path, io::ErrorKind::NotADirectory)),
            _ => Ok(()),
        }
    }

    /// Does nothing, because this process does the writing. Only Linux uses another process for that.
    ///
    /// # Errors
    /// None.
    #[allow(clippy::unnecessary_wraps, reason = "as on Linux")]
    pub fn hand_over(self, _: &Names, _: &Policy) -> Result<Self, WriteError> {
        Ok(self)
    }

    /// Fails if `policy` forbids to replace its file `name`.
    pub fn check(&self, name: &str, policy: &Policy) -> Result<(), WriteError> {
        let path = self.0.join(name);
        replaceable(&path, &path, policy)
    }

    /// Replaces its file `name` with the output of `write`, or creates it, as [`Target::replace`] does. A
    /// link with that name is never followed, but replaced itself if `policy` allows it.
    pub fn replace(
        &self,
        name: &str,
        policy: &Policy,
        write: impl FnOnce(&mut CountedFile) -> io::Result<()>,
    ) -> Result<Written, WriteError> {
        let path = self.0.join(name);
        put(&path, &path, policy, write)
    }

    /// Removes its file `name`, if it exists; a link is itself removed. Anything else stays, because a named
    /// device must not be removed.
    pub fn remove(&self, name: &str) -> Result<(), WriteError> {
        let path = self.0.join(name);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_file() || metadata.is_symlink() => {
                fs::remove_file(&path).map_err(|error| WriteError::io(&path, error))
            }
            Ok(_) => Err(WriteError::io(&path, io::ErrorKind::AlreadyExists)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(WriteError::io(&path, error)),
        }
    }
}

/// A folder that is filled once. Unless it is [kept](Self::keep), everything that was written and created is
/// removed when it is dropped.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    /// Folders created for it, each in the previous one.
    made: Vec<PathBuf>,
    written: Vec<PathBuf>,
}

impl PrivateFolder {
    /// Creates `path`, with all folders above it. If it exists, it must be empty and not a link.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let mut this = Self { path: path.to_owned(), made: Vec::new(), written: Vec::new() };
        if path.is_symlink() {
            return Err(WriteError::IsLink { path: path.to_owned() });
        }
        let failed = |error| WriteError::io(path, error);
        let missing: Vec<_> =
            path.ancestors().take_while(|p| !p.as_os_str().is_empty() && fs::symlink_metadata(p).is_err()).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder).map_err(failed)?;
            this.made.push(folder.to_owned());
        }
        if fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(WriteError::NotEmpty { path: path.to_owned() });
        }
        Ok(this)
    }

    /// Does nothing, because this process does the writing. Only Linux uses another process for that.
    ///
    /// # Errors
    /// None.
    #[allow(clippy::unnecessary_wraps, reason = "as on Linux")]
    pub fn hand_over(self) -> Result<Self, WriteError> {
        Ok(self)
    }

    /// Writes the file `name`.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<(), WriteError> {
        let path = self.path.join(name);
        let failed = |error| WriteError::io(&path, error);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(failed)?;
        self.written.push(path.clone());
        // A full disk may be reported only at the end.
        file.write_all(content).and_then(|()| file.sync_all()).map_err(failed)
    }

    /// Keeps the folder, because it is complete.
    ///
    /// # Errors
    /// None on this system; on Linux another process may fail.
    #[allow(clippy::unnecessary_wraps, reason = "as on Linux")]
    pub fn keep(mut self) -> Result<(), WriteError> {
        self.written.clear();
        self.made.clear();
        Ok(())
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        for path in &self.written {
            // An earlier error is being reported already.
            let _ = fs::remove_file(path);
        }
        for path in self.made.iter().rev() {
            // The folder is empty; otherwise it is not ours to remove.
            let _ = fs::remove_dir(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    const ANYTHING: Policy = Policy { inputs: Vec::new(), replace: Replace::Anything };

    fn replace(path: &Path, write: impl FnOnce(&mut CountedFile) -> io::Result<()>) -> Result<Written, WriteError> {
        Target::prepare(path, &ANYTHING)?.replace(write)
    }

    #[test]
    fn a_file_is_removed_and_a_folder_is_not() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = Folder::open(temporary.path()).unwrap();
        fs::write(temporary.path().join("part"), "rows").unwrap();
        fs::create_dir(temporary.path().join("kept")).unwrap();
        folder.remove("part").unwrap();
        folder.remove("part").unwrap();
        assert!(folder.remove("kept").is_err());
        assert_eq!(names(temporary.path()), ["kept"]);
    }

    #[test]
    fn only_our_own_files_and_no_inputs_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, "precious").unwrap();
        let as_policy = |policy: &Policy| Target::prepare(&path, policy)?.replace(text("new"));
        let marked = Policy { inputs: Vec::new(), replace: Replace::Marked(vec![b"mark".to_vec()]) };
        assert!(matches!(as_policy(&marked), Err(WriteError::NotOurs { .. })));
        let new = Policy { replace: Replace::Nothing, ..marked.clone() };
        assert!(matches!(as_policy(&new), Err(WriteError::Exists { .. })));
        let reading = Policy { inputs: FileId::of(&path).into_iter().collect(), ..ANYTHING };
        assert!(matches!(as_policy(&reading), Err(WriteError::IsInput { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        fs::write(&path, "a mark").unwrap();
        assert_eq!(as_policy(&marked).unwrap().bytes, 3);
        fs::remove_file(&path).unwrap();
        as_policy(&new).unwrap();
        assert_eq!(names(folder.path()), ["report"]);
    }

    /// After `hand_over`, this process still writes, under the same rules.
    #[test]
    fn this_process_keeps_on_writing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        Target::prepare(&at("report"), &ANYTHING)
            .unwrap()
            .no_more_open_than(folder.path())
            .hand_over()
            .unwrap()
            .replace(text("x"))
            .unwrap();
        let names = Names::One("picture".into());
        let pictures = Folder::open(&at("pictures")).unwrap().hand_over(&names, &ANYTHING).unwrap();
        pictures.replace("picture", &ANYTHING, text("x")).unwrap();
        let mut private = PrivateFolder::create(&at("private")).unwrap().hand_over().unwrap();
        private.add("ss", b"x").unwrap();
        private.keep().unwrap();
        for name in ["report", "pictures/picture", "private/ss"] {
            assert_eq!(fs::read_to_string(at(name)).unwrap(), "x", "{name}");
        }
    }

    fn text(content: &'static str) -> impl FnOnce(&mut CountedFile) -> io::Result<()> {
        |out| out.write_all(content.as_bytes())
    }

    #[test]
    fn whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let full = |out: &mut CountedFile| {
            out.write_all(b"x")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        assert_eq!(replace(&path, full).unwrap_err().io_error().unwrap().kind(), io::ErrorKind::StorageFull);
        assert!(names(folder.path()).is_empty());
        replace(&path, text("first")).unwrap();
        replace(&path, full).unwrap_err();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        replace(&path, text("second")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(names(folder.path()), ["report"]);
    }

    #[test]
    fn what_may_not_be_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).unwrap();
        let error = replace(&path, text("new")).unwrap_err();
        assert_eq!(error.io_error().unwrap().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        for path in [folder.path().to_owned(), folder.path().join("missing/"), folder.path().join("missing/report")] {
            replace(&path, text("new")).unwrap_err();
        }
        assert_eq!(names(folder.path()), ["report"]);
        #[allow(clippy::permissions_set_readonly_false, reason = "so that the folder can go")]
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions).unwrap();
    }

    #[test]
    fn a_folder_is_made_with_what_is_above_it() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("a/b");
        for content in ["1", "2"] {
            Folder::open(&path).unwrap().replace("file", &ANYTHING, text(content)).unwrap();
            assert_eq!(fs::read_to_string(path.join("file")).unwrap(), content);
        }
        Folder::open(&path.join("file")).unwrap_err();
        Folder::look(&path.join("file")).unwrap_err();
        Folder::look(&path.join("missing")).unwrap();
        let new = Policy { replace: Replace::Nothing, ..ANYTHING };
        assert!(matches!(Folder::open(&path).unwrap().check("file", &new), Err(WriteError::Exists { .. })));
    }

    #[test]
    fn a_private_folder_is_all_or_nothing() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("a/b");
        let mut folder = PrivateFolder::create(&path).unwrap();
        folder.add("first", b"1").unwrap();
        folder.add("first", b"2").unwrap_err();
        drop(folder);
        assert!(names(above.path()).is_empty(), "only what was there before");
        let mut folder = PrivateFolder::create(&path).unwrap();
        folder.add("first", b"1").unwrap();
        folder.keep().unwrap();
        assert_eq!(names(&path), ["first"]);
        assert!(matches!(PrivateFolder::create(&path), Err(WriteError::NotEmpty { .. })));
        assert!(PrivateFolder::create(&path.join("first")).is_err());
        assert_eq!(names(&path), ["first"]);
    }

    #[cfg(windows)]
    #[test]
    fn devices_are_written_to() {
        for name in ["NUL", "nul", r"\\.\NUL"] {
            replace(Path::new(name), text("x")).unwrap();
        }
        assert!(!is_device(Path::new("comet")) && !is_device(Path::new("nul.txt")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("deep/report"), "old").unwrap();
        std::os::unix::fs::symlink("deep/report", at("latest")).unwrap();
        replace(&at("latest"), text("new")).unwrap();
        assert!(at("latest").is_symlink());
        assert_eq!(fs::read_to_string(at("deep/report")).unwrap(), "new");
        Folder::open(folder.path()).unwrap().replace("latest", &ANYTHING, text("own")).unwrap();
        assert!(!at("latest").is_symlink());
        std::os::unix::fs::symlink("deep", at("link")).unwrap();
        assert!(matches!(PrivateFolder::create(&at("link")), Err(WriteError::IsLink { .. })));
    }
}
