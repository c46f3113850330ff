//! All writing of files and folders.
//!
//! - [`Target`] is one file. [`Folder`] is a folder whose files are replaced one by one. [`PrivateFolder`] is
//!   a new folder that only its owner may use.
//! - [`Policy`] defines what may be replaced: never an input; other files according to [`Replace`].
//!
//! ```
//! use std::io::Write as _;
//! use tcpwhy_files::{Policy, Replace, Target};
//!
//! let folder = tempfile::tempdir()?;
//! let policy = Policy { inputs: Vec::new(), replace: Replace::Nothing };
//! let target = Target::prepare(&folder.path().join("report.json"), &policy)?;
//! target.replace(|file| file.write_all(b"{}"))?;
//! assert!(Target::prepare(&folder.path().join("report.json"), &policy).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Promises:**
//! - An input is never replaced or written to. The policy is checked again directly before a file is
//!   replaced.
//! - A name always refers to the old file or to the complete new one. The new file is written elsewhere, and
//!   gets its name when it is on the disk. The exception is a file that grows under its name
//!   ([`Folder::begin`]).
//! - A symbolic link on the path is followed only if it belongs to root or to this user. All work is relative
//!   to descriptors, so the file that was checked is the file that is written.
//! - After an error, no new files or folders are left.
//!
//! On Linux, an unfinished file has no name, so it disappears with a process that is killed. On other systems
//! it has one (`.tcpwhy-…`) and may stay. On Windows, only the first and the last promise hold: links are
//! followed, because creating them needs a privilege. A private folder inherits the permissions of the folder
//! above; in a user's own folder these are that user's.

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
pub use policy::{FileId, Policy, Replace};
#[cfg(unix)]
pub use unix::{Folder, PrivateFolder, Target};
