//! Results of captures as tables, with the contract `tcpwhy-tables/1`.
//!
//! - [`Tables`] collects connections and returns batches of rows of each [`TableKind`].
//! - [`TableKind::columns`] describes each column.
//!
//! `capture` and `first_packet` join all tables. New columns may be added at the end. Columns are never
//! renamed and keep their meaning.
//!
//! ```
//! use tcpwhy_report::{Catalogue, Language, Wording};
//! use tcpwhy_table::{Content, TableKind, Tables};
//!
//! let catalogue = Catalogue::new(Language::English);
//! let content = Content { wording: Wording::new(&catalogue), has_words: false, has_intervals: false };
//! let mut tables = Tables::new(content);
//! let limits = tables.take(TableKind::Limits)?;
//! assert_eq!((limits.num_rows(), limits.schema().field(3).name().as_str()), (0, "limit"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Promises:** a column has the meaning of the JSON key of the same name. The rows do not depend on the
//! order of the connections of a capture.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails says so"))]

mod capture;
mod columns;
mod kind;
#[cfg(feature = "parquet")]
pub mod parquet;
mod published;
mod rows;
mod table;
mod tables;

pub use arrow_array;
pub use arrow_ipc;
pub use arrow_schema;
pub use capture::CaptureRecord;
pub use columns::Column;
pub use rows::connections::vantage;
pub use tables::{Content, TableKind, Tables};

/// Name and version of the contract.
pub const SCHEMA: &str = "tcpwhy-tables/1";
