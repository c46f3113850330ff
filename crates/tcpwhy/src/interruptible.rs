//! Standard input that the first Ctrl-C ends.
//!
//! `tcpdump -w - | tcpwhy -` goes on until somebody stops it, and a terminal sends SIGINT to both. The first one ends the
//! reading, so that what was read is explained; the next one ends the program as usual.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::SigId;
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level};

/// Who writes the stream got the signal too, as a rule, and has something left to write: it has so much time.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What ends the program at a signal, where nothing is read any more.
static ENDING: Mutex<Vec<SigId>> = Mutex::new(Vec::new());

/// From now on somebody else does what SIGINT asks for.
pub(crate) fn leave_signals_to_others() {
    for action in ENDING.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        low_level::unregister(action);
    }
}

/// What a signal says to the thread that reads.
struct Bell {
    wire: UnixStream,
    /// What is done at a signal while something is read.
    actions: [SigId; 2],
    /// Whether the next signal ends the program.
    ends_program: Arc<AtomicBool>,
}

impl Bell {
    fn new() -> io::Result<Self> {
        let ends_program = Arc::new(AtomicBool::new(false));
        let (wire, other_end) = UnixStream::pair()?;
        wire.set_nonblocking(true)?;
        // In this order: the first signal finds the flag unset, and sets it.
        let ending = flag::register_conditional_default(SIGINT, Arc::clone(&ends_program))?;
        ENDING.lock().unwrap_or_else(PoisonError::into_inner).push(ending);
        let actions =
            [flag::register(SIGINT, Arc::clone(&ends_program))?, low_level::pipe::register(SIGINT, other_end)?];
        Ok(Self { wire, actions, ends_program })
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        for action in self.actions {
            low_level::unregister(action);
        }
        // With nothing registered a signal would be lost from here on. But one that ended who writes may come after its last words:
        // it was for the stream.
        let ends_program = Arc::clone(&self.ends_program);
        let later = move || {
            thread::sleep(LAST_WORDS);
            ends_program.store(true, Ordering::Relaxed);
        };
        if thread::Builder::new().spawn(later).is_err() {
            self.ends_program.store(true, Ordering::Relaxed);
        }
    }
}

/// Reads standard input until its end, or until soon after the first SIGINT.
pub(crate) struct Interruptible {
    input: File,
    bell: Bell,
    interrupted: Option<Instant>,
    is_over: bool,
    was_cut: Arc<AtomicBool>,
}

impl Interruptible {
    /// From now on SIGINT ends the reading. `was_cut` is set if the input would have gone on.
    pub(crate) fn new(was_cut: Arc<AtomicBool>) -> io::Result<Self> {
        let input: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
        Ok(Self { input: input.into(), bell: Bell::new()?, interrupted: None, is_over: false, was_cut })
    }

    /// Waits until there is something to read, or something rang: whether there is.
    fn wait(&mut self) -> io::Result<bool> {
        loop {
            let left = self.interrupted.map(|at| LAST_WORDS.saturating_sub(at.elapsed()));
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            // Once it rang, it would ring on.
            let rung = if left.is_none() { PollFlags::IN } else { PollFlags::empty() };
            let mut watched = [PollFd::new(&self.input, PollFlags::IN), PollFd::new(&self.bell.wire, rung)];
            match poll(&mut watched, timeout.as_ref()) {
                Err(Errno::INTR) => continue,
                result => result?,
            };
            let [has_input, has_rung] = [&watched[0], &watched[1]].map(|fd| !fd.revents().is_empty());
            if has_rung && self.interrupted.is_none() {
                self.interrupted = Some(Instant::now());
                continue;
            }
            let is_late = self.interrupted.is_some_and(|at| at.elapsed() >= LAST_WORDS);
            if is_late || has_input {
                return Ok(!is_late);
            }
        }
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over || buffer.is_empty() {
            return Ok(0);
        }
        if !self.wait()? {
            self.is_over = true;
            self.was_cut.store(true, Ordering::Relaxed);
            return Ok(0);
        }
        let len = self.input.read(buffer)?;
        self.is_over = len == 0;
        Ok(len)
    }
}
