//! A capture that is read more than once: if it has changed, the next pass fails.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tcpwhy_capture::{CaptureError, CaptureReader};

use crate::message::failure;

/// The identity of the file at a path when it was first read.
#[derive(Default)]
pub(crate) struct Original {
    first: OnceLock<Identity>,
    /// Whether the last pass ended before the first pass's length.
    is_short: Arc<AtomicBool>,
}

/// A file in a further pass, which may be truncated during it.
struct Whole {
    file: File,
    /// Bytes that are still expected.
    left: u64,
    is_short: Arc<AtomicBool>,
}

impl Read for Whole {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        if count == 0 && self.left > 0 && !buffer.is_empty() {
            self.is_short.store(true, Ordering::Relaxed);
        }
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

/// The error for a capture that has changed since it was first read.
pub(crate) fn changed() -> io::Error {
    io::Error::other(failure("capture-not-the-first"))
}

/// Identity and length of a file.
#[derive(Clone, Copy)]
struct Identity {
    device: u64,
    inode: u64,
    length: u64,
}

impl Original {
    /// Opens the capture at `path`, which messages call `name`. Fails at once if opening or reading could
    /// block for ever (a FIFO). From the second time on, it also fails if the path leads to another file or
    /// to a shorter one.
    pub(crate) fn open(&self, path: &Path, name: &str) -> Result<CaptureReader, CaptureError> {
        let failed = |cause| CaptureError::Open { path: name.to_owned(), cause };
        if self.first.get().is_some() {
            // Checked by name before opening: another file in its place may not be opened at all.
            #[cfg(unix)]
            Identity::at(path).and_then(|(metadata, now)| self.compare(&metadata, now)).map_err(failed)?;
        }
        let (file, metadata) = open_at_once(path).map_err(failed)?;
        if let Some(first) = self.first.get() {
            let now = Identity::of(&file, &metadata).map_err(failed)?;
            self.compare(&metadata, now).map_err(failed)?;
            self.is_short.store(false, Ordering::Relaxed);
            let whole = Whole { file, left: first.length, is_short: Arc::clone(&self.is_short) };
            // Reads the open file, because the path may lead elsewhere by now.
            return CaptureReader::from_read(whole, name);
        }
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(failed(io::Error::other(failure("not-read-twice"))));
        }
        let _ = self.first.set(Identity::of(&file, &metadata).map_err(failed)?);
        // Reads the open file: its path may lead to a FIFO by now.
        CaptureReader::from_file(file, name)
    }

    /// Bytes at the first read.
    pub(crate) fn length(&self) -> Option<u64> {
        self.first.get().map(|first| first.length)
    }

    /// Fails unless `path` still leads to the first file and the last pass read all of it.
    pub(crate) fn check(&self, path: &Path) -> io::Result<()> {
        if self.is_short.load(Ordering::Relaxed) {
            return Err(changed());
        }
        let (metadata, now) = Identity::at(path)?;
        self.compare(&metadata, now)
    }

    /// Fails if the file differs or is shorter. It may have grown, because a capture may still be running.
    fn compare(&self, metadata: &Metadata, now: Identity) -> io::Result<()> {
        let Some(first) = self.first.get() else { return Ok(()) };
        let is_same = metadata.is_file() && (now.device, now.inode) == (first.device, first.inode);
        if is_same && now.length >= first.length {
            return Ok(());
        }
        Err(changed())
    }
}

impl Identity {
    #[cfg(unix)]
    #[allow(clippy::unnecessary_wraps, reason = "elsewhere it may fail")]
    fn of(_: &File, metadata: &Metadata) -> io::Result<Self> {
        Ok(Self { device: metadata.dev(), inode: metadata.ino(), length: metadata.len() })
    }

    #[cfg(windows)]
    fn of(file: &File, metadata: &Metadata) -> io::Result<Self> {
        // Windows reports no identity for folders, which are rejected later.
        let (device, inode) = match winapi_util::file::information(file) {
            Ok(found) => (found.volume_serial_number(), found.file_index()),
            Err(_) if metadata.is_dir() => (0, 0),
            Err(error) => return Err(error),
        };
        Ok(Self { device, inode, length: metadata.len() })
    }

    /// The identity of the file at `path` now.
    #[cfg(unix)]
    fn at(path: &Path) -> io::Result<(Metadata, Self)> {
        let metadata = std::fs::metadata(path)?;
        let identity = Self { device: metadata.dev(), inode: metadata.ino(), length: metadata.len() };
        Ok((metadata, identity))
    }

    /// The identity of the file at `path` now. Windows reports it only for an open file.
    #[cfg(windows)]
    fn at(path: &Path) -> io::Result<(Metadata, Self)> {
        let (file, metadata) = open_at_once(path)?;
        let identity = Self::of(&file, &metadata)?;
        Ok((metadata, identity))
    }
}

/// Opens a file for reading without waiting for a writer.
fn open_at_once(path: &Path) -> io::Result<(File, Metadata)> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_cut_is_remembered_though_it_was_mended() {
        let mut written = tempfile::NamedTempFile::new().unwrap();
        written.write_all(&[1; 100]).unwrap();
        let original = Original::default();
        let (file, metadata) = open_at_once(written.path()).unwrap();
        original.first.set(Identity::of(&file, &metadata).unwrap()).ok().unwrap();
        let mut whole = Whole { file, left: metadata.len(), is_short: Arc::clone(&original.is_short) };
        let mut buffer = [0; 60];
        assert_eq!(whole.read(&mut buffer).unwrap(), 60);
        written.as_file().set_len(60).unwrap();
        assert!(original.check(written.path()).is_err());
        assert_eq!(whole.read(&mut buffer).unwrap(), 0);
        written.as_file().set_len(100).unwrap();
        assert!(original.check(written.path()).is_err(), "it is as long as before, but was not read whole");
        // A pass that reads all of it.
        original.is_short.store(false, Ordering::Relaxed);
        let file = open_at_once(written.path()).unwrap().0;
        let mut whole = Whole { file, left: metadata.len(), is_short: Arc::clone(&original.is_short) };
        assert_eq!(whole.read_to_end(&mut Vec::new()).unwrap(), 100);
        original.check(written.path()).unwrap();
    }

    /// Another thread replaces the capture with a FIFO and back, as fast as possible.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_takes_the_place_of_a_capture_is_not_waited_for() {
        use rustix::fs::{CWD, FileType, RenameFlags, mknodat, renameat_with};
        let folder = tempfile::tempdir().unwrap();
        let [capture, fifo] = ["capture", "fifo"].map(|name| folder.path().join(name));
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/loss.pcap.gz");
        std::fs::copy(sample, &capture).unwrap();
        mknodat(CWD, &fifo, FileType::Fifo, 0o600.into(), 0).unwrap();
        let (opened, all) = std::sync::mpsc::channel();
        let over = Arc::new(AtomicBool::new(false));
        let swaps = std::thread::spawn({
            let (over, capture) = (Arc::clone(&over), capture.clone());
            move || {
                while !over.load(Ordering::Relaxed) {
                    renameat_with(CWD, &capture, CWD, &fifo, RenameFlags::EXCHANGE).unwrap();
                }
            }
        });
        let reader = std::thread::spawn(move || {
            let open = || opened.send(Original::default().open(&capture, "capture").is_ok());
            while open().is_ok() {}
        });
        let mut counts = [0; 2];
        // On a busy machine, one of the two may stay in place for long.
        let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while counts.iter().sum::<u32>() < 3000 || (counts.contains(&0) && std::time::Instant::now() < end) {
            let is_open = all.recv_timeout(std::time::Duration::from_secs(60)).expect("it waits for a FIFO");
            counts[usize::from(is_open)] += 1;
        }
        drop(all);
        reader.join().unwrap();
        over.store(true, Ordering::Relaxed);
        swaps.join().unwrap();
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}: both were there");
    }
}
