//! Reads files that a user named, with limits, because they may be anything. `/dev/zero` never ends, a pipe
//! without a writer never begins, and a log of gigabytes is not a list of settings.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::LiveError;

/// Longest wait for the next byte of a pipe: its writer may be `ssh`, with a user who types a password.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two reads of a pipe that is empty.
const PAUSE: Duration = Duration::from_millis(10);

/// Reads a file or pipe (`<(sysctl -a)`) of at most `most` bytes.
///
/// # Errors
/// [`LiveError::Read`] if the system refuses, [`LiveError::NotAFile`] for devices and directories,
/// [`LiveError::TooLarge`] if the file has more bytes, [`LiveError::Silent`] for a pipe without data.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, LiveError> {
    read_patiently(path, most, PATIENCE)
}

/// Reads a file as [`read`] does, as text: bytes that are not UTF-8 are replaced.
///
/// # Errors
/// The same as those of [`read`].
pub fn read_text(path: &Path, most: u64) -> Result<String, LiveError> {
    Ok(String::from_utf8_lossy(&read(path, most)?).into_owned())
}

fn read_patiently(path: &Path, most: u64, patience: Duration) -> Result<Vec<u8>, LiveError> {
    let failed = |error| LiveError::Read { path: path.to_owned(), error };
    let too_large = || LiveError::TooLarge { path: path.to_owned(), most };
    let file = open(path, Links::Followed).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let is_pipe = is_pipe(&metadata);
    if !metadata.is_file() && !is_pipe {
        return Err(LiveError::NotAFile { path: path.to_owned() });
    }
    if metadata.is_file() && metadata.len() > most {
        return Err(too_large());
    }
    // The length in the metadata is no limit: a file may grow, and files of `/proc` have the length 0.
    let mut bytes = Vec::new();
    let mut file = file.take(most.saturating_add(1));
    let mut last_byte = Instant::now();
    loop {
        let before = bytes.len();
        let read = file.read_to_end(&mut bytes);
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        if bytes.len() > before {
            last_byte = Instant::now();
        }
        match read {
            Ok(_) if is_pipe && bytes.is_empty() => return Err(LiveError::Silent { path: path.to_owned() }),
            Ok(_) => return Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && last_byte.elapsed() < patience => {
                thread::sleep(PAUSE);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(LiveError::Silent { path: path.to_owned() });
            }
            Err(error) => return Err(failed(error)),
        }
    }
}

/// Whether a path that is itself a link is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Links are followed, because a user named the path.
    Followed,
    /// Links are refused, because the path was found in a directory.
    Refused,
}

/// Opens a file for reading, without waiting for the other end of a pipe.
pub(crate) fn open(path: &Path, links: Links) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let no_follow = if links == Links::Refused { libc::O_NOFOLLOW } else { 0 };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | no_follow);
    }
    #[cfg(windows)]
    if links == Links::Refused {
        use std::os::windows::fs::OpenOptionsExt as _;
        /// Opens the link itself, which has no content to read.
        const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    }
    // Other systems have no such option, so the argument is unused.
    #[cfg(not(any(unix, windows)))]
    let _ = links;
    let file = options.open(path)?;
    #[cfg(windows)]
    if links == Links::Refused && file.metadata()?.is_symlink() {
        return Err(io::Error::other("it is a link"));
    }
    Ok(file)
}

#[cfg(unix)]
fn is_pipe(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

/// On Windows, named pipes are not in the file system.
#[cfg(not(unix))]
const fn is_pipe(_: &std::fs::Metadata) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;

    use super::*;

    #[test]
    fn a_file_is_read_to_its_end_and_not_beyond_the_bound() {
        let path = std::env::temp_dir().join(format!("tcpwhy-text-file-{}", std::process::id()));
        std::fs::write(&path, b"0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap(), b"0123456789");
        assert!(matches!(read(&path, 9), Err(LiveError::TooLarge { most: 9, .. })));
        std::fs::remove_file(&path).unwrap();
        assert!(!read(Path::new("/proc/self/status"), 1 << 20).unwrap().is_empty(), "a file without a length");
        assert!(matches!(read(Path::new("/proc/self/status"), 10), Err(LiveError::TooLarge { .. })));
    }

    #[test]
    fn what_has_no_end_is_not_begun() {
        for path in ["/dev/zero", "/dev/null", "/tmp"] {
            assert!(matches!(read(Path::new(path), 1 << 20), Err(LiveError::NotAFile { .. })), "{path}");
        }
    }

    #[test]
    fn a_pipe_is_read_until_it_is_closed_or_silent() {
        let (reader, mut writer) = io::pipe().unwrap();
        let path = format!("/dev/fd/{}", reader.as_raw_fd());
        let path = Path::new(&path);
        writer.write_all(b"net.").unwrap();
        let short = Duration::from_millis(100);
        assert!(matches!(read_patiently(path, 1 << 20, short), Err(LiveError::Silent { .. })), "a writer that waits");
        let late = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            writer.write_all(b"core").unwrap();
        });
        assert_eq!(read(path, 1 << 20).unwrap(), b"core");
        late.join().unwrap();
        assert!(matches!(read(path, 1 << 20), Err(LiveError::Silent { .. })), "no writer any more");
    }
}
