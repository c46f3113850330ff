//! Gives up all rights that are not granted.

use std::io;

use crate::{Confined, Grant};

impl Grant {
    /// Gives up everything else for good: rights of this thread, and of every thread and process that it
    /// starts from now on. Call it while the process has one thread.
    ///
    /// Mechanisms that the kernel lacks (Landlock before Linux 5.13) are skipped, and [`Confined`] reports
    /// it.
    ///
    /// # Errors
    /// Fails if the kernel refuses a mechanism that it has.
    pub fn confine(&self) -> io::Result<Confined> {
        #[cfg(target_os = "linux")]
        {
            crate::linux::confine(self)
        }
        #[cfg(not(target_os = "linux"))]
        {
            Ok(Confined::default())
        }
    }
}
