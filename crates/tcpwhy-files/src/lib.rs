//! Everything that tcpwhy writes passes here (Linux).
//!
//! - [`replace`] writes one file, [`Folder`] several that are replaced one by one, [`PrivateFolder`] a new folder that only its
//!   owner may read.
//!
//! **Invariant:** under its name a file is the old one or the whole new one, whatever happens meanwhile: it is written aside and
//! put in place when the disk has it. **Invariant:** nothing is written where somebody else leads: a symbolic link on the way is
//! followed only if root or this user made it, and what was checked is what is written to, because all work goes on relative to
//! descriptors. **Invariant:** after an error nothing is left that was not there before.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod aside;
mod error;
mod file;
mod folder;
mod private;
mod resolve;

pub use error::WriteError;
pub use file::replace;
pub use folder::Folder;
pub use private::PrivateFolder;
