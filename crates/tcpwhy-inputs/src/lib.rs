//! Captures that command-line arguments name: files, folders, patterns, tar and zip archives.
//!
//! [`Place`] is one argument. [`Listing`] opens the captures of all arguments one after the other.
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
//! - Memory is bounded by the names in the current folders, one small member of an archive, and a few bytes
//!   per member. Lengths claimed by an archive do not matter.
//! - No byte of an archive belongs to two members. The size of compressed ones is limited by
//!   [`Growth`](tcpwhy_capture::Growth).
//! - No two members of an archive have the same name, and their names have no hidden characters.
//! - Nothing is written. In folders, only regular files are opened, never symbolic links, FIFOs or devices.
//! - Captures come in the order of the arguments, within folders by name, within archives as stored.
//! - A damaged input is a [`Failed`], and the inputs after it are still listed.

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
