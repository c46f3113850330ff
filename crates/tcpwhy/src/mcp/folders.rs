//! The files that a client may name: those below the folders of the command line.

use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use tcpwhy_inputs::{Depth, Files, Place};
use tcpwhy_report::assistant::unfenced;

use crate::message::{Failure, failure};
use crate::wrong::{Context as _, Result, bail};

/// Longest path that a client may send, bytes (`PATH_MAX` of Linux).
const MOST_PATH: usize = 4096;

/// A folder of the command line.
#[derive(Debug)]
struct Root {
    /// Its path on the command line.
    typed: PathBuf,
    /// Its path with links resolved.
    path: PathBuf,
    #[cfg(target_os = "linux")]
    open: rustix::fd::OwnedFd,
}

/// The folders, and the largest file that may be read.
#[derive(Debug)]
pub(super) struct Folders {
    roots: Vec<Root>,
    most_bytes: u64,
}

/// A file that may be read.
#[derive(Debug)]
pub(super) struct Allowed {
    /// The open file, so that a later change of its name has no effect.
    pub(super) file: Arc<File>,
    /// Its path relative to the folder.
    pub(super) name: PathBuf,
}

impl Folders {
    /// Opens `typed`.
    pub(super) fn open(typed: &[PathBuf], most_bytes: u64) -> Result<Self> {
        let root = |typed: &PathBuf| {
            let named = || tcpwhy_model::foreign::visible_path(typed);
            let path = typed.canonicalize().with_context(named)?;
            if !path.is_dir() {
                bail!(failure("mcp-not-a-folder").with("path", named()));
            }
            Ok(Root {
                #[cfg(target_os = "linux")]
                open: beneath::folder(&path).map_err(std::io::Error::from).with_context(named)?,
                typed: typed.clone(),
                path,
            })
        };
        Ok(Self { roots: typed.iter().map(root).collect::<Result<_>>()?, most_bytes })
    }

    /// The folders with links resolved, for the kernel's list of readable paths.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.roots.iter().map(|root| &root.path)
    }

    /// Opens the file `name`: below one of the folders, or an absolute path into one of them.
    pub(super) fn file(&self, name: &Path) -> Result<Allowed> {
        let mut found = Vec::new();
        for (root, relative) in self.candidates(name)? {
            found.extend(root.file(&relative).map(|file| (root, relative, file)));
        }
        if found.len() > 1 {
            bail!(failure("mcp-ambiguous"));
        }
        if let Some((root, relative, file)) = found.pop() {
            let metadata = file.metadata().context(failure("mcp-no-file"))?;
            if !metadata.is_file() {
                bail!(failure("mcp-no-file"));
            }
            if metadata.len() > self.most_bytes {
                let (most, bytes) = (self.most_bytes.to_string(), metadata.len().to_string());
                bail!(failure("mcp-too-large").with("bytes", bytes).with("most", most));
            }
            let name = if self.roots.len() == 1 { relative } else { root.typed.join(relative) };
            return Ok(Allowed { file: Arc::new(file), name });
        }
        bail!(failure("mcp-no-file"))
    }

    /// The path of `name`, a folder or file of a saved host; nothing in it leads out.
    pub(super) fn host(&self, name: &Path) -> Result<PathBuf> {
        for (root, relative) in self.candidates(name)? {
            let Ok(path) = root.path.join(&relative).canonicalize() else { continue };
            if !path.starts_with(&root.path) {
                continue;
            }
            if path.is_dir() {
                // The texts of a saved host are files of this one folder.
                let entries = std::fs::read_dir(&path).context(failure("mcp-no-file"))?;
                for entry in entries {
                    let entry = entry.context(failure("mcp-no-file"))?;
                    let kind = entry.file_type().context(failure("mcp-no-file"))?;
                    if !kind.is_file() && !kind.is_dir() {
                        bail!(failure("mcp-no-file"));
                    }
                }
            } else if !path.is_file() {
                continue;
            }
            return Ok(path);
        }
        bail!(failure("mcp-no-host"))
    }

    /// Opens a file under the name that [`Self::names`] has for it.
    pub(super) fn listed(&self, name: &Path) -> Option<File> {
        let is_only = self.roots.len() == 1;
        self.roots.iter().find_map(|root| {
            let relative = if is_only { Some(name) } else { name.strip_prefix(&root.typed).ok() };
            root.file(relative?)
        })
    }

    /// The files in the folders, in order, relative to their folder; with its name if there are several.
    pub(super) fn names(&self) -> Vec<PathBuf> {
        let mut names = Vec::new();
        for root in &self.roots {
            let found = Files::of(vec![Place::of(&root.path)], Depth::AllLevels, None);
            let relative = found.files.iter().filter_map(|(path, _)| path.strip_prefix(&root.path).ok());
            // Folders may have files of the same name.
            let is_only = self.roots.len() == 1;
            names.extend(relative.map(|path| if is_only { path.to_owned() } else { root.typed.join(path) }));
        }
        names
    }

    /// Number of files in `folder`, one of these folders.
    pub(super) fn count_in(folder: &Path) -> u64 {
        Files::of(vec![Place::of(folder)], Depth::AllLevels, None).files.len() as u64
    }

    /// Possible places of a name: below the folder with which it begins, or below each folder.
    fn candidates(&self, name: &Path) -> Result<Vec<(&Root, PathBuf)>> {
        if name.components().any(|part| matches!(part, Component::ParentDir)) {
            bail!(failure("mcp-no-file"));
        }
        let below = |root: &Root| {
            [&root.path, &root.typed].into_iter().find_map(|path| name.strip_prefix(path).ok().map(Path::to_owned))
        };
        let mut found: Vec<_> = self.roots.iter().filter_map(|root| Some((root, below(root)?))).collect();
        if name.is_relative() {
            let others = self.roots.iter().filter(|root| below(root).is_none()).map(|root| (root, name.to_owned()));
            found.extend(others.collect::<Vec<_>>());
        }
        Ok(found)
    }
}

impl Root {
    /// The file `relative` below this folder; `None` if there is none, or a link leads out of the folder.
    #[cfg(target_os = "linux")]
    fn file(&self, relative: &Path) -> Option<File> {
        match beneath::file(&self.open, relative) {
            Ok(file) => Some(file),
            Err(rustix::io::Errno::NOSYS) => self.file_by_name(relative),
            Err(_) => None,
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn file(&self, relative: &Path) -> Option<File> {
        self.file_by_name(relative)
    }

    /// The same on kernels that cannot restrict a lookup to a folder.
    fn file_by_name(&self, relative: &Path) -> Option<File> {
        let path = self.path.join(relative).canonicalize().ok()?;
        let is_inside = path.starts_with(&self.path) && path.is_file();
        is_inside.then(|| File::open(path).ok())?
    }
}

/// `name` as a path, without its fence; an error if it cannot be a path.
pub(super) fn checked(name: &str) -> Result<&Path, Failure> {
    let name = unfenced(name.trim());
    if name.is_empty() || name.len() > MOST_PATH || name.contains('\0') {
        return Err(failure("mcp-no-file"));
    }
    Ok(Path::new(name))
}

/// Opens files below a folder. The kernel ensures that no link leads out (openat2(2), Linux 5.6).
#[cfg(target_os = "linux")]
mod beneath {
    use std::fs::File;
    use std::path::Path;

    use rustix::fd::OwnedFd;
    use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, openat, openat2};
    use rustix::io::{Errno, Result};

    pub(super) fn folder(path: &Path) -> Result<OwnedFd> {
        openat(CWD, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
    }

    /// Opens a file. Devices and FIFOs are not opened, because opening alone may have an effect.
    pub(super) fn file(folder: &OwnedFd, relative: &Path) -> Result<File> {
        let stay = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let open = |flags| openat2(folder, relative, flags | OFlags::CLOEXEC, Mode::empty(), stay);
        let kind = FileType::from_raw_mode(fstat(open(OFlags::PATH)?)?.st_mode);
        if kind != FileType::RegularFile {
            return Err(Errno::ACCESS);
        }
        // `NONBLOCK`: a FIFO that replaces the file at this moment must not block.
        Ok(open(OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?.into())
    }
}
