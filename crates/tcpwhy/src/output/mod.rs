//! Where connections go.

pub(crate) mod address;
pub(crate) mod annotate;
pub(crate) mod charts;
mod collect;
mod examined;
pub(crate) mod file;
mod json;
mod json_lines;
mod keep;
mod mark;
mod markdown;
pub(crate) mod options;
mod spool;
#[cfg(feature = "tables")]
pub(crate) mod tables;
#[cfg(not(feature = "tables"))]
#[path = "tables_elsewhere.rs"]
pub(crate) mod tables;
mod text;

use std::io;
use std::time::Duration;

use tcpwhy_analysis::Connection;
use tcpwhy_inputs::{Origin, PassedOver};
use tcpwhy_model::{CaptureSummary, Message, Span};
use tcpwhy_report::dto::{self, Presentation};

use crate::moment::Moment;

pub(crate) use collect::Collect;
pub(crate) use examined::Examined;
pub(crate) use json::Json;
pub(crate) use json_lines::JsonLines;
pub(crate) use keep::Keep;
pub(crate) use markdown::Markdown;
pub(crate) use spool::SpoolFile;
pub(crate) use text::Text;

/// One form of output. Connections come in any order; their numbers hold at the end of their source, or at
/// once if [`Sink::is_streaming`].
pub(crate) trait Sink: Send {
    /// Whether connections are written as they come, so that their numbers must be right by then.
    fn is_streaming(&self) -> bool {
        false
    }

    /// Whether what is written says that the filter left nothing.
    fn tells_of_exclusion(&self) -> bool {
        false
    }

    /// A source was opened that is shown by this name.
    fn begin_source(&mut self, _: &str) {}

    /// A source could not be opened.
    fn skip_source(&mut self) {}

    /// Whether a capture that could not be opened has a row even if it is the only one.
    fn has_row_of_failed(&self) -> bool {
        false
    }

    /// Takes one of several captures that could not be opened.
    fn failed(&mut self, _: &FailedCapture) -> io::Result<()> {
        Ok(())
    }

    /// Takes how many files were passed over, when all is read.
    fn passed_over(&mut self, _: PassedOver) {}

    /// Takes a connection.
    fn connection(&mut self, connection: Connection) -> io::Result<()>;

    /// A source was read to its end.
    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()>;

    /// All sources were read.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A capture that could not be opened.
pub(crate) struct FailedCapture {
    /// As it is shown.
    pub(crate) name: String,
    /// Why.
    pub(crate) error: Message,
    /// Who chose it.
    pub(crate) origin: Origin,
}

/// What is known when a source was read to its end.
#[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "some of it is for tables alone"))]
pub(crate) struct EndOfSource<'a> {
    /// What was read.
    pub(crate) captures: Vec<CaptureSummary>,
    /// Who chose it.
    pub(crate) origin: Origin,
    /// Length of the input; `None` for a stream.
    pub(crate) input_bytes: Option<u64>,
    /// SHA-256 of the input, where tables have it.
    pub(crate) content_sha256: Option<String>,
    /// Why it could not be read to its end.
    pub(crate) failures: Vec<String>,
    /// Connections in it, asked for or not.
    pub(crate) connections: u64,
    /// How long it took.
    pub(crate) took: Duration,
    /// Connections that were not asked for.
    pub(crate) excluded: u64,
    /// When those that were had packets.
    pub(crate) range: Option<Span>,
    /// Gives the numbers of its connections.
    pub(crate) number: &'a dyn Fn(&Connection) -> u64,
}

/// A connection as JSON shows it; if a moment was asked for, with the interval that holds then.
fn present(
    connection: &Connection,
    capture: Option<usize>,
    presentation: Presentation<'_>,
    moment: Option<Moment>,
) -> dto::Connection {
    match moment {
        Some(moment) => dto::Connection::at_moment(connection, capture, presentation, moment.nanos),
        None => dto::Connection::new(connection, capture, presentation),
    }
}
