//! Standard input that ends at the first Ctrl-C.
//!
//! A terminal sends SIGINT to both programs of `tcpdump -w - | tcpwhy -`. The first one ends the reading, so
//! that the packets read so far are explained. The next one ends the program as usual.

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

/// Time for the writer of the stream, which normally gets the signal too, to write its remaining packets.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Signal actions that end the program once nothing is being read.
static ENDING: Mutex<Vec<SigId>> = Mutex::new(Vec::new());

/// Leaves SIGINT to other handlers from now on.
pub(crate) fn leave_signals_to_others() {
    for action in ENDING.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        low_level::unregister(action);
    }
}

/// Wakes the reading thread at a signal.
struct Bell {
    wire: UnixStream,
    /// Signal actions during the read.
    actions: [SigId; 2],
    /// Whether the next signal ends the program.
    ends_program: Arc<AtomicBool>,
}

impl Bell {
    fn new() -> io::Result<Self> {
        let ends_program = Arc::new(AtomicBool::new(false));
        let (wire, other_end) = UnixStream::pair()?;
        wire.set_nonblocking(true)?;
        // The order matters: the first signal finds the flag unset and sets it.
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
        // Without this, a signal would be lost from here on. A signal that ended the writer may arrive after
        // its last bytes; it was meant for the stream, so the flag is set later.
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
    /// Lets SIGINT end the reading. `was_cut` is set if that happens before the end of the input.
    pub(crate) fn new(was_cut: Arc<AtomicBool>) -> io::Result<Self> {
        let input: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
        Ok(Self { input: input.into(), bell: Bell::new()?, interrupted: None, is_over: false, was_cut })
    }

    /// Waits for input or a signal; returns whether there is input.
    fn wait(&mut self) -> io::Result<bool> {
        loop {
            let left = self.interrupted.map(|at| LAST_WORDS.saturating_sub(at.elapsed()));
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            // After a signal, the wire stays readable, so it is not polled again.
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
