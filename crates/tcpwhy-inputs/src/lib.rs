//! The captures behind what was typed: files, folders, patterns, tar and zip archives.
//!
//! [`Place`] is one word of the command line. [`Listing`] opens the captures behind all of them in turn.
//!
//! ```
//! use tcpwhy_inputs::{Depth, Found, Listing, Place};
//!
//! let places = vec![Place::of("../../samples".as_ref())];
//! let mut listing = Listing::new(places, Depth::OneLevel);
//! let mut captures = 0;
//! while let Some(found) = listing.next() {
//!     match found {
//!         Found::Capture(capture) => captures += u32::from(capture.reader.count() > 0),
//!         Found::Failed(failed) => panic!("{}: {}", failed.name, failed.error),
//!     }
//! }
//! assert!(captures > 10 && listing.passed_over().others > 0);
//! ```
//!
//! **Promises:**
//! - Memory is bounded by the names in the folders on the way, one small member of an archive, and a few
//!   bytes per member. Claims of an archive do not matter.
//! - No byte of an archive is in two members. Compressed ones grow as far as
//!   [`Growth`](tcpwhy_capture::Growth) allows.
//! - No two members of an archive have one name, and their names have no hidden characters.
//! - Nothing is written. Only regular files of folders are opened, no symbolic links, FIFOs or devices.
//! - Captures come in the order typed, in folders by name, in archives as they are stored.
//! - A damaged input is a [`Failed`]; what comes after it is still listed.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod archive;
mod error;
mod extents;
mod files;
mod found;
mod listing;
mod member_names;
mod members;
mod open;
mod pattern;
mod place;
mod read_at;
mod replay;
mod shard;
mod tar;
mod walk;
mod zip;

pub use error::InputError;
pub use files::Files;
pub use found::{Failed, Found, FoundCapture, Origin, PassedOver};
pub use listing::Listing;
pub use place::{Place, normal_form};
pub use read_at::ReadAt;
pub use shard::Shard;
pub use walk::Depth;
