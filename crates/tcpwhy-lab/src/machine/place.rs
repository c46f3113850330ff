//! The place of the lock and the journal: a directory that only its user may enter, within a directory of
//! root.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags, flock, fstat, mkdirat, openat, renameat, unlinkat};
use rustix::io::Errno;

use super::journal::Journal;
use crate::LabError;

/// `/run` belongs to root and is empty after a boot (FHS 3.0), when the settings have their own values too.
const PLACE: &str = "/run/tcpwhy";
const LOCK: &str = "lock";
const JOURNAL: &str = "settings";
/// The journal while it is being written.
const UNFINISHED: &str = "settings.new";

/// Longest wait for the lock: a run that has just ended or was killed needs a moment to restore everything.
const PATIENCE: Duration = Duration::from_secs(3);
/// Interval between two attempts.
const LOOK: Duration = Duration::from_millis(20);
/// Limit for the journal, bytes. Three settings need less.
const LARGEST_JOURNAL: u64 = 65_536;

/// The directory.
#[derive(Debug)]
pub(super) struct Place(OwnedFd);

/// The lock for changes of the machine's settings. It is released when the last process that has it open
/// ends.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// A copy of the lock for another process.
    pub(super) fn shared(&self) -> io::Result<File> {
        self.0.try_clone()
    }
}

impl Place {
    /// Opens the directory, and creates it if it is missing.
    pub(super) fn make() -> Result<Self, LabError> {
        match mkdirat(CWD, PLACE, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(LabError::io(format!("making {PLACE}"), error)),
        }
        Self::open().map_err(|error| LabError::io(PLACE, error))
    }

    /// Opens the directory if it exists and belongs to this user.
    pub(super) fn existing() -> Option<Self> {
        Self::open().ok()
    }

    fn open() -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let place = openat(CWD, PLACE, flags, Mode::empty())?;
        let stat = fstat(&place)?;
        if stat.st_uid != rustix::process::geteuid().as_raw() {
            return Err(io::Error::other(format!("it belongs to the user {}", stat.st_uid)));
        }
        if Mode::from_raw_mode(stat.st_mode).intersects(Mode::WGRP | Mode::WOTH) {
            return Err(io::Error::other("others may write to it"));
        }
        Ok(Self(place))
    }

    /// Opens a file in the directory; a link is refused.
    fn file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        Ok(File::from(openat(&self.0, name, flags | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::RUSR | Mode::WUSR)?))
    }

    /// Waits for the lock up to the limit; `name` is the setting for an error message.
    pub(super) fn lock(&self, name: &str) -> Result<Lock, LabError> {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.try_lock() {
                Ok(Some(lock)) => return Ok(lock),
                Ok(None) if Instant::now() < until => sleep(LOOK),
                Ok(None) => return Err(LabError::MachineBusy { name: name.to_owned(), holder: self.holder() }),
                Err(error) => return Err(LabError::io(format!("locking {PLACE}/{LOCK}"), error)),
            }
        }
    }

    /// Takes the lock, unless another run has it.
    pub(super) fn try_lock(&self) -> io::Result<Option<Lock>> {
        let mut lock = self.file(LOCK, OFlags::CREATE | OFlags::RDWR)?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => return Ok(None),
            result => result?,
        }
        lock.set_len(0)?;
        lock.rewind()?;
        write!(lock, "{}", std::process::id())?;
        Ok(Some(Lock(lock)))
    }

    /// The process that has the lock, if it has written its number.
    fn holder(&self) -> Option<u32> {
        let mut text = String::new();
        self.file(LOCK, OFlags::RDONLY).ok()?.take(32).read_to_string(&mut text).ok()?;
        text.trim().parse().ok()
    }

    /// Writes the journal atomically, so that it is complete at any moment.
    pub(super) fn keep(&self, journal: &Journal) -> Result<(), LabError> {
        let write = || -> io::Result<()> {
            let mut file = self.file(UNFINISHED, OFlags::CREATE | OFlags::WRONLY | OFlags::TRUNC)?;
            file.write_all(&serde_json::to_vec(journal)?)?;
            file.sync_all()?;
            Ok(renameat(&self.0, UNFINISHED, &self.0, JOURNAL)?)
        };
        write().map_err(|error| LabError::io(format!("writing {PLACE}/{JOURNAL}"), error))
    }

    /// Reads the journal, if there is one.
    pub(super) fn kept(&self) -> Result<Option<Journal>, LabError> {
        let read = || -> io::Result<Option<Journal>> {
            let file = match self.file(JOURNAL, OFlags::RDONLY) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                file => file?,
            };
            let mut text = Vec::new();
            file.take(LARGEST_JOURNAL).read_to_end(&mut text)?;
            Ok(Some(serde_json::from_slice(&text)?))
        };
        read().map_err(|error| LabError::io(format!("reading {PLACE}/{JOURNAL}"), error))
    }

    /// Removes the journal.
    pub(super) fn forget(&self) -> Result<(), LabError> {
        match unlinkat(&self.0, JOURNAL, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(LabError::io(format!("removing {PLACE}/{JOURNAL}"), error)),
        }
    }
}
