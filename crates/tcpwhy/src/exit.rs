//! How the process ends.
#![cfg_attr(feature = "fast-memory", allow(unsafe_code, reason = "_exit has no safe wrapper"))]

use std::io::{self, Write as _};

/// Exit status where something is at or over `--fail-on`.
pub(crate) const EXIT_GATE: u8 = 1;
/// Exit status of an error.
pub(crate) const EXIT_ERROR: u8 = 2;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExitStatus(u8);

impl ExitStatus {
    /// All is well.
    pub(crate) const SUCCESS: Self = Self(0);

    /// Ends the process. An ordinary end makes the allocator give its memory back piece by piece, up to a thirtieth of
    /// the time on a capture of thousands of connections; the kernel takes all of it anyway, so `_exit` leaves it that.
    pub(crate) fn leave(self) -> ! {
        // Whoever must know that nothing was lost has flushed before.
        let _ = io::stdout().flush();
        #[cfg(not(feature = "fast-memory"))]
        std::process::exit(i32::from(self.0));
        // SAFETY: has no preconditions.
        #[cfg(feature = "fast-memory")]
        unsafe {
            libc::_exit(i32::from(self.0))
        }
    }
}

impl From<u8> for ExitStatus {
    fn from(status: u8) -> Self {
        Self(status)
    }
}
