//! All writing of files and folders.
//!
//! - [`Target`] is one file, [`Folder`] several that are replaced one by one, [`PrivateFolder`] a new folder for its
//!   owner alone.
//! - [`Policy`] says what may be replaced: never an input; other files as [`Replace`] says.
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
//! - An input is never replaced or written to. The policy is checked again right before a file is replaced.
//! - Under its name a file is the old one or the whole new one. It is written aside and put in place once the disk has
//!   it. The exception is a file that is begun to grow ([`Folder::begin`]).
//! - A symbolic link on the way is followed only if root or this user made it. All work is relative to descriptors, so
//!   what was checked is what is written to.
//! - After an error nothing is left that was not there before.
//!
//! A file that is written aside has no name on Linux, so it goes with a process that is killed. Elsewhere it has one
//! (`.tcpwhy-…`) and may stay. On Windows only the first and the last promise hold: making links is a privilege there,
//! so they are followed. A private folder gets the permissions that the folder above hands down; in a user's own folder
//! these are that user's.

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
