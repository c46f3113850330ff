//! Gives up what is not granted.

use std::io;

use crate::{Confined, Grant};

impl Grant {
    /// Gives up everything else, for good: this thread's rights, and those of every thread and process that it starts from now
    /// on. To be called while the process has one thread.
    ///
    /// What the kernel does not know (Landlock before Linux 5.13) is left out, and [`Confined`] says so.
    ///
    /// # Errors
    /// If the kernel refuses what it knows.
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
