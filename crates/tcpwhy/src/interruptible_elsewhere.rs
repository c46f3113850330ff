//! Standard input where Ctrl-C ends the program at once (Windows).

use std::io::{self, Read, Stdin};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Does nothing: Ctrl-C has no handler here.
pub(crate) const fn leave_signals_to_others() {}

/// Standard input until its end.
pub(crate) struct Interruptible(Stdin);

impl Interruptible {
    /// Opens standard input. No signal ends the reading, so `was_cut` stays unset.
    #[allow(clippy::unnecessary_wraps, clippy::needless_pass_by_value, reason = "as elsewhere")]
    pub(crate) fn new(was_cut: Arc<AtomicBool>) -> io::Result<Self> {
        drop(was_cut);
        Ok(Self(io::stdin()))
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}
