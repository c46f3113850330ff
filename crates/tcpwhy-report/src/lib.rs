//! What readers see: JSON of schema `tcpwhy/1`, terminal text, in English and Simplified Chinese.
//!
//! - [`dto`]: the data transfer objects of the JSON contract, apart from the domain types they are made from.
//! - [`text`]: the terminal report.
//! - [`metrics`]: what a monitoring system is told.
//! - [`palette`]: the looks of limits, for terminal, page and pictures.
//! - [`Catalogue`]: every word a reader sees, from the Fluent files under `locales/`.
//! - [`Anonymizer`]: replacement of addresses, which keep their prefixes, and of names, applied before anything is presented.
//!
//! **Invariant:** no words live in code, and nothing here interprets packets: a wrong number on the screen is wrong in the
//! [`tcpwhy_analysis::Connection`] it was made from.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod anonymize;
pub mod buffers;
mod capture;
mod catalogue;
mod clock;
pub mod compare;
mod control_channel;
mod cost;
pub mod dto;
mod evidence;
mod host_words;
pub mod json;
pub mod lab;
pub mod live;
pub mod markup;
pub mod metrics;
mod names;
mod packed;
pub mod palette;
mod schemas;
pub mod text;
mod units;
mod why;
mod wording;

pub use anonymize::{Anonymizer, KEY_LEN, KeyError};
pub use capture::{CaptureFacts, recording_gap_lines};
pub use catalogue::{Args, Catalogue, Language, SizeSteps};
pub use clock::Zone;
pub use cost::{is_saving_predicted, lost_nanos, principal_half};
pub use names::{Names, shown_name};
pub use packed::unpacked;
pub use schemas::SchemaOf;
pub use units::Units;
pub use wording::Wording;
