//! The rules for replacing files, as plain data that can be passed to another process.

use std::io::{self, Read};
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

/// Size of the part, from the beginning of a file, in which a mark is searched, bytes.
const MARKED_PART: u64 = 4096;

/// A regular file, regardless of its names.
#[cfg(unix)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    /// Number of the device of its file system.
    pub device: u64,
    /// Number of its inode there.
    pub inode: u64,
}

/// A regular file by its canonical path: two hard links to it count as two files.
#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    /// Path with all links resolved.
    pub path: PathBuf,
}

impl FileId {
    /// The regular file that `path` names, through links; `None` for anything else.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Self> {
        Self::of_metadata(&path.metadata().ok()?)
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &std::fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        metadata.is_file().then(|| Self { device: metadata.dev(), inode: metadata.ino() })
    }

    /// The regular file that `path` names, through links; `None` for anything else.
    #[cfg(not(unix))]
    pub fn of(path: &Path) -> Option<Self> {
        path.metadata().ok()?.is_file().then(|| path.canonicalize().ok().map(|path| Self { path })).flatten()
    }

    /// The regular file that is open as this descriptor, such as standard input; `None` for anything else.
    #[cfg(unix)]
    pub fn of_open(open: impl std::os::fd::AsFd) -> Option<Self> {
        let file = std::fs::File::from(open.as_fd().try_clone_to_owned().ok()?);
        Self::of_metadata(&file.metadata().ok()?)
    }

    /// The regular files in the folder `path`; none if it cannot be read.
    pub fn all_in(path: &Path) -> Vec<Self> {
        let entries = path.read_dir().into_iter().flatten();
        entries.filter_map(|entry| Self::of(&entry.ok()?.path())).collect()
    }
}

/// The rules for what may be replaced by output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Input files, which are never replaced or written to.
    pub inputs: Vec<FileId>,
    /// Other regular files that may be replaced.
    pub replace: Replace,
}

/// The regular files that may be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replace {
    /// All of them.
    Anything,
    /// Those with one of these byte strings in their first 4,096 bytes. An empty file may be replaced too,
    /// because it has no data to lose.
    Marked(Vec<Vec<u8>>),
    /// None of them: the file must be new.
    Nothing,
}

impl Policy {
    pub(crate) fn is_input(&self, file: Option<&FileId>) -> bool {
        file.is_some_and(|file| self.inputs.contains(file))
    }
}

/// Whether the beginning of `file` contains one of `marks`, or the file is empty.
pub(crate) fn is_marked(file: impl Read, marks: &[Vec<u8>]) -> io::Result<bool> {
    let mut begin = Vec::new();
    file.take(MARKED_PART).read_to_end(&mut begin)?;
    let has = |mark: &Vec<u8>| !mark.is_empty() && begin.windows(mark.len()).any(|part| part == &mark[..]);
    Ok(begin.is_empty() || marks.iter().any(has))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_counts_at_the_beginning_only() {
        let marks = [b"one".to_vec(), b"two".to_vec()];
        let at = |offset: usize| [&vec![b'x'; offset][..], b"two"].concat();
        for (content, expected) in
            [(at(0), true), (at(4093), true), (at(4094), false), (b"on".to_vec(), false), (Vec::new(), true)]
        {
            assert_eq!(is_marked(&content[..], &marks).unwrap(), expected, "{}", content.len());
        }
        assert!(!is_marked(&b"x"[..], &[Vec::new()]).unwrap());
    }

    #[test]
    fn a_file_is_the_same_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "x").unwrap();
        std::fs::write(at("b"), "x").unwrap();
        let of = |name: &str| FileId::of(&at(name)).unwrap();
        assert_eq!(of("a"), of("./a"));
        assert_ne!(of("a"), of("b"));
        assert_eq!((FileId::of(&at("missing")), FileId::of(folder.path())), (None, None));
        assert_eq!(FileId::all_in(folder.path()).len(), 2);
        #[cfg(unix)]
        {
            std::fs::hard_link(at("a"), at("hard")).unwrap();
            std::os::unix::fs::symlink("a", at("soft")).unwrap();
            assert_eq!((of("hard"), of("soft")), (of("a"), of("a")));
            assert_eq!(FileId::of_open(std::fs::File::open(at("a")).unwrap()), Some(of("a")));
        }
    }
}
