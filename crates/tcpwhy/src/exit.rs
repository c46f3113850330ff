//! Exit of the process.
#![cfg_attr(feature = "fast-memory", allow(unsafe_code, reason = "_exit has no safe wrapper"))]

use std::io::{self, Write as _};

/// Exit status if `--fail-on` trips.
pub(crate) const EXIT_GATE: u8 = 1;
/// Exit status of an error.
pub(crate) const EXIT_ERROR: u8 = 2;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExitStatus(u8);

impl ExitStatus {
    /// Success.
    pub(crate) const SUCCESS: Self = Self(0);

    /// Ends the process. A normal exit frees memory piece by piece, which took up to 3 % of the time on a
    /// capture with thousands of connections. The kernel frees all of it anyway, so `_exit` skips that.
    pub(crate) fn leave(self) -> ! {
        // The error is ignored: outputs that must not be lost were flushed before.
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
