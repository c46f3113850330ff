//! Destination of a capture that grows until a signal ends it: a new file, numbered files, or a device or
//! FIFO.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tcpwhy_files::{Folder, Names, Policy, Replace};

use crate::message::failure;
use crate::output::file::folder_of;
use crate::wrong::{Result, bail};

/// A file name in an existing folder.
pub(crate) struct Place {
    folder: Folder,
    above: PathBuf,
    name: String,
}

/// An existing entry with the name of the new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InTheWay {
    /// A file or a link, which may be replaced.
    File,
    /// A folder, a device or a socket, which is never replaced.
    Other,
}

impl Place {
    /// The place that `path` names.
    pub(crate) fn at(path: &Path) -> Result<Self> {
        let Some(name) = path.file_name() else {
            bail!(failure("no-file-name").with("path", path.display().to_string()))
        };
        let Some(name) = name.to_str() else { bail!(failure("not-utf-8").with("path", path.display().to_string())) };
        let above = folder_of(path);
        if !above.is_dir() {
            bail!(failure("no-folder").with("folder", above.display().to_string()));
        }
        Ok(Self { folder: Folder::open(above)?, above: above.to_owned(), name: name.to_owned() })
    }

    /// Starts the separate process that creates and removes this file and its numbered ones. They belong to
    /// the caller of sudo.
    pub(crate) fn hand_over(self) -> Result<Self> {
        let (first, last) = self.split();
        // The same pattern covers a ring and a single file, whose number is empty.
        let names = Names::Between { first: first.to_owned(), last: last.to_owned() };
        let policy = Policy { inputs: Vec::new(), replace: Replace::Nothing };
        Ok(Self { folder: self.folder.hand_over(&names, &policy)?, ..self })
    }

    /// The file name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Opens an existing device or FIFO, which is written to in place.
    pub(crate) fn open_special(&self) -> Result<Option<File>> {
        Ok(self.folder.open_special(&self.name)?)
    }

    /// Creates a new file `name` in the same folder.
    pub(crate) fn begin(&self, name: &str) -> Result<File> {
        match self.folder.begin(name) {
            Ok(file) => Ok(file),
            Err(error) if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::AlreadyExists) => {
                match self.in_the_way(name) {
                    Some(InTheWay::Other) => bail!(failure("is-no-file").with("file", name)),
                    _ => bail!(failure("is-there").with("file", name)),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the file `name` in the same folder; anything but a file stays.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        match self.folder.remove(name) {
            Err(error) if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::AlreadyExists) => Ok(()),
            result => Ok(result?),
        }
    }

    /// The name with a number, such as `slow-00001.pcapng`.
    pub(super) fn numbered(&self, number: u64) -> String {
        let (stem, extension) = self.split();
        format!("{stem}-{number:0DIGITS$}{extension}")
    }

    /// The files in the same folder with this name and a number, in ascending order.
    pub(super) fn numbered_files(&self) -> io::Result<Vec<String>> {
        let (stem, extension) = self.split();
        let is_numbered = |name: &str| {
            let number = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix('-')?.strip_suffix(extension));
            number.is_some_and(|n| n.len() >= DIGITS && n.bytes().all(|digit| digit.is_ascii_digit()))
        };
        let mut names = Vec::new();
        for entry in self.above.read_dir()? {
            names.extend(entry?.file_name().into_string().ok().filter(|name| is_numbered(name)));
        }
        names.sort_by_key(|name| (name.len(), name.clone()));
        Ok(names)
    }

    /// The parts of the name before and after the number.
    fn split(&self) -> (&str, &str) {
        match self.name.rfind('.') {
            Some(at) if at > 0 => self.name.split_at(at),
            _ => (&self.name, ""),
        }
    }

    fn in_the_way(&self, name: &str) -> Option<InTheWay> {
        let kind = self.above.join(name).symlink_metadata().ok()?.file_type();
        Some(if kind.is_file() || kind.is_symlink() { InTheWay::File } else { InTheWay::Other })
    }
}

/// Least digits of a number.
const DIGITS: usize = 5;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_with_numbers() {
        let above = tempfile::tempdir().unwrap();
        let numbered = |name: &str, number| Place::at(&above.path().join(name)).unwrap().numbered(number);
        assert_eq!(numbered("slow.pcapng", 7), "slow-00007.pcapng");
        assert_eq!(numbered("slow", 123_456), "slow-123456");
        assert_eq!(numbered(".hidden", 1), ".hidden-00001");
    }

    #[test]
    fn only_files_of_the_same_ring() {
        let above = tempfile::tempdir().unwrap();
        let place = Place::at(&above.path().join("slow.pcapng")).unwrap();
        let own = ["slow-00002.pcapng", "slow-00010.pcapng", "slow-100000.pcapng"];
        let others = [
            "slow.pcapng",
            "slow-1.pcapng",
            "slow-00001.pcap",
            "slow-0000x.pcapng",
            "slower-00001.pcapng",
            "slow-.pcapng",
        ];
        for name in own.iter().rev().chain(&others) {
            fs::write(above.path().join(name), "x").unwrap();
        }
        assert_eq!(place.numbered_files().unwrap(), own);
    }

    #[test]
    fn what_is_no_file_stays() {
        let above = tempfile::tempdir().unwrap();
        let place = Place::at(&above.path().join("slow")).unwrap();
        fs::create_dir(above.path().join("slow")).unwrap();
        place.remove("slow").unwrap();
        assert_eq!(place.begin("slow").unwrap_err().to_string(), "slow exists and is not a regular file");
        fs::write(above.path().join("file"), "precious").unwrap();
        assert_eq!(place.begin("file").unwrap_err().to_string(), "file exists already; --overwrite replaces it");
        place.remove("file").unwrap();
        place.remove("file").unwrap();
        place.begin("file").unwrap();
        assert!(place.open_special().unwrap().is_none());
        assert!(Place::at(Path::new("/dev/null")).unwrap().open_special().unwrap().is_some());
        for bad in ["missing/r.pcapng", ".."] {
            assert!(Place::at(&above.path().join(bad)).is_err(), "{bad}");
        }
    }
}
