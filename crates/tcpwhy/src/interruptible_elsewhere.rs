//! Standard input where signals are not those of Unix: whatever ends the program ends the reading as well.

use std::io::{self, Read, Stdin};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Nothing was done with signals.
pub(crate) fn leave_signals_to_others() {}

/// Reads standard input until its end.
pub(crate) struct Interruptible(Stdin);

impl Interruptible {
    /// Nobody cuts the input.
    pub(crate) fn new(_: Arc<AtomicBool>) -> io::Result<Self> {
        Ok(Self(io::stdin()))
    }
}

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}
