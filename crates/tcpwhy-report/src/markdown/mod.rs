//! The answer as Markdown, for tickets and chats: at most [`MOST_LINES`] lines for any input.
//!
//! Sentences and numbers are those of the terminal ([`crate::text`]); this module only arranges them. All
//! text passes through `inline.rs`: addresses, names and paths become code spans, so they cannot become
//! links, mentions or markup.

mod captures;
mod fix;
mod inline;
mod limits;
mod moment;
mod page;
mod problems;
mod report;
mod table;

pub use captures::MarkdownCaptures;
pub use page::MOST_LINES;
pub use report::MarkdownReport;

/// Name of the program, in headings and commands.
pub(crate) const PROGRAM: &str = "tcpwhy";
