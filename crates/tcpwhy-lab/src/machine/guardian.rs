//! A process that sets everything back when the run is killed: the end of its input comes with the end of the run, however that
//! ends.

use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio, exit};

use nix::sys::signal::{SigSet, Signal};
use nix::unistd::setsid;

use super::place::{Lock, Place};
use super::restore::restore;
use crate::LabError;

/// The guardian is where no signal of the terminal reaches it.
const READY: u8 = b'r';
/// The run has set everything back itself.
const DONE: u8 = b'd';

/// The guardian, as the run has it.
#[derive(Debug)]
pub(super) struct Guardian {
    child: Child,
    run: UnixStream,
}

impl Guardian {
    /// Starts this program with these arguments, which lead to [`guard`]. It has the lock as its output, and so keeps it until it
    /// has ended.
    pub(super) fn start(arguments: &[&str], lock: &Lock) -> Result<Self, LabError> {
        let start = || -> io::Result<Self> {
            let (mut run, theirs) = UnixStream::pair()?;
            let mut command = Command::new("/proc/self/exe");
            command.args(arguments).stdin(OwnedFd::from(theirs)).stdout(lock.shared()?).stderr(Stdio::null());
            let child = command.spawn()?;
            // The command holds the guardian's end too: without that, its end would not be seen here.
            drop(command);
            let mut ready = [0];
            run.read_exact(&mut ready)?;
            Ok(Self { child, run })
        };
        start().map_err(|error| LabError::io("starting a guardian of settings", error))
    }

    /// Tells it that it is not needed any more; whether it was still there.
    pub(super) fn dismiss(mut self) -> bool {
        // Of a socket whose other end is gone nothing can be expected: then it is not alive.
        let is_told = self.run.write_all(&[DONE]).is_ok();
        drop(self.run);
        let status = self.child.wait();
        is_told && status.is_ok_and(|status| status.success())
    }
}

/// What the guardian does: waits for the end of the run, and sets everything back unless the run has done so. It ends the process.
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
    // Whatever went wrong, the run is not known to have done it; to set back what is set back already changes nothing.
    if watch().unwrap_or(false) {
        exit(0)
    }
    // Nobody is left who could be told; what could not be restored stays in the journal.
    let restored = Place::existing().map(|place| restore(&place, false));
    exit(i32::from(!matches!(restored, Some(Ok(_)))))
}
