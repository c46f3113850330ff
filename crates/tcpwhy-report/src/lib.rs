//! Presentation: JSON of schema `tcpwhy/1` and terminal text, in English and Simplified Chinese.
//!
//! - [`dto`]: the data transfer objects of the JSON contract, separate from the domain types.
//! - [`text`]: the terminal report. [`markdown`]: the same for tickets. [`assistant`]: answers of at most 4
//!   kB.
//! - [`live`]: the tables of `live`. [`metrics`]: metrics for a monitoring system.
//! - [`Catalogue`]: every word that a reader sees, by id, from the Fluent files in `locales/`.
//! - [`palette`]: colours and patterns of limits for terminal, page and pictures.
//! - [`Anonymizer`]: replaces addresses (which keep their prefixes) and names before anything is presented.
//!
//! ```
//! use tcpwhy_report::{Catalogue, Language};
//!
//! assert_eq!(Catalogue::new(Language::English).word("limit-send-buffer"), "send buffer");
//! assert_eq!(Catalogue::new(Language::SimplifiedChinese).word("limit-send-buffer"), "发送缓冲区");
//! ```
//!
//! **Promises:** the code contains no messages. Nothing here interprets packets: a wrong number on the screen
//! is also wrong in the [`tcpwhy_analysis::Connection`]. Hidden characters of foreign text are shown as
//! escapes.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod anonymize;
pub mod assistant;
pub mod buffers;
mod catalogue;
mod clock;
mod code;
mod community_id;
pub mod compare;
pub mod dto;
mod evidence;
mod host_words;
pub mod json;
mod kebab;
pub mod lab;
mod language;
pub mod live;
pub mod markdown;
pub mod markup;
pub mod metrics;
mod names;
mod packed;
pub mod palette;
pub mod predicted;
mod prediction_args;
mod ratio;
mod recording_gaps;
mod request_bar;
mod schemas;
pub mod sim;
pub mod sim_comparison;
mod site;
mod spent;
pub mod text;
#[cfg(test)]
mod tidy;
mod units;
mod why;
mod wording;

pub use anonymize::{Anonymizer, KEY_LEN, KeyError};
pub use catalogue::{Args, Catalogue, SizeSteps};
pub use clock::Zone;
pub use code::{Code, suggested_program};
pub use community_id::community_id;
pub use language::Language;
pub use names::{Names, shown_name};
pub use packed::unpacked;
pub use recording_gaps::recording_gap_lines;
pub use request_bar::{NetworkPart, RequestBar};
pub use schemas::SchemaOf;
pub use site::Site;
pub use spent::TimeSpent;
pub use tcpwhy_analysis::answer::mostly_waited;
pub(crate) use tcpwhy_analysis::is_gain;
pub use tcpwhy_analysis::{is_saving_predicted, lost_nanos, principal_half};
pub use units::Units;
pub use wording::Wording;
