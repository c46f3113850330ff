//! Everything that tcpwhy writes passes here.
//!
//! - [`Target`] is one file, [`Folder`] several that are replaced one by one, [`PrivateFolder`] a new folder that only its
//!   owner may read.
//! - A [`Policy`] says what may be replaced: never an input, and only what is marked as ours unless the user asked for more.
//!
//! **Invariant:** an input is never replaced or written to, and a policy is asked again right before a file is replaced.
//! **Invariant:** under its name a file that was not begun so is the old one or the whole new one, whatever happens meanwhile: it
//! is written aside and put in place when the disk has it. **Invariant:** nothing is written where somebody else leads: a symbolic link on the way is
//! followed only if root or this user made it, and what was checked is what is written to, because all work goes on relative to
//! descriptors. **Invariant:** after an error nothing is left that was not there before.
//!
//! What is written aside has no name on Linux, so it goes with a process that is killed. Elsewhere it has one (`.tcpwhy-…`) that
//! may then stay. On Windows only the first and the last invariant hold: making links is a privilege there, so they are followed;
//! and a private folder gets the permissions that the folder above hands down, which in a user's own folder are that user's.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(unreachable_pub, reason = "public where it is the only one"))]
mod by_path;
mod counted;
mod error;
mod names;
mod policy;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use by_path::{Folder, PrivateFolder, Target};
pub use counted::{CountedFile, Written};
pub use error::WriteError;
pub use names::Names;
pub use policy::{FileId, MARKED_PART, Policy, Replace};
#[cfg(unix)]
pub use unix::{Folder, PrivateFolder, Target};
