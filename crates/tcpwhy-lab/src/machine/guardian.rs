//! The guardian: a process that restores the settings if the run is killed. Its input ends when the run ends,
//! for whatever reason.

use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio, exit};

use nix::sys::signal::{SigSet, Signal};
use nix::unistd::setsid;

use super::place::{Lock, Place};
use super::restore::restore;
use crate::LabError;

/// Message of the guardian: it has left the terminal's session, so signals of the terminal do not reach it.
const READY: u8 = b'r';
/// Message of the run: it has restored everything itself.
const DONE: u8 = b'd';

/// The run's view of the guardian.
#[derive(Debug)]
pub(super) struct Guardian {
    child: Child,
    run: UnixStream,
}

impl Guardian {
    /// Starts this program with these arguments, which must call [`guard`]. The guardian has the lock as its
    /// output, so it keeps the lock until it ends.
    pub(super) fn start(arguments: &[&str], lock: &Lock) -> Result<Self, LabError> {
        let start = || -> io::Result<Self> {
            let (mut run, theirs) = UnixStream::pair()?;
            let mut command = Command::new("/proc/self/exe");
            command.args(arguments).stdin(OwnedFd::from(theirs)).stdout(lock.shared()?).stderr(Stdio::null());
            let child = command.spawn()?;
            // The command owns a copy of the guardian's end. It must be closed, or the guardian's end would
            // never be noticed here.
            drop(command);
            let mut ready = [0];
            run.read_exact(&mut ready)?;
            Ok(Self { child, run })
        };
        start().map_err(|error| LabError::io("starting a guardian of settings", error))
    }

    /// Dismisses the guardian. Returns whether it was still alive.
    pub(super) fn dismiss(mut self) -> bool {
        // Writing to a socket whose other end is closed fails, which means that the guardian is not alive.
        let is_told = self.run.write_all(&[DONE]).is_ok();
        drop(self.run);
        let status = self.child.wait();
        is_told && status.is_ok_and(|status| status.success())
    }
}

/// The program of the guardian: waits for the end of the run, restores everything unless the run has done so,
/// and ends the process.
pub fn guard() -> ! {
    let watch = || -> io::Result<bool> {
        setsid()?;
        let mut ends: SigSet = SigSet::empty();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
            ends.add(signal);
        }
        ends.thread_block()?;
        let mut run = UnixStream::from(rustix::io::dup(rustix::stdio::stdin())?);
        run.write_all(&[READY])?;
        let mut said = [0];
        Ok(run.read(&mut said)? == 1 && said == [DONE])
    };
    // After an error, the run may not have restored the settings. To restore them a second time changes
    // nothing.
    if watch().unwrap_or(false) {
        exit(0)
    }
    // No process is left to report to. Settings that could not be restored stay in the journal.
    let restored = Place::existing().map(|place| restore(&place, false));
    exit(i32::from(!matches!(restored, Some(Ok(_)))))
}
