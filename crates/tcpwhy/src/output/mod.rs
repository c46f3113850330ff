//! Forms of output.

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

/// One form of output. Connections arrive in any order. Their numbers are final at the end of their source,
/// or at once if [`Sink::is_streaming`].
pub(crate) trait Sink: Send {
    /// Whether connections are written as they arrive, so that their numbers must be final by then.
    fn is_streaming(&self) -> bool {
        false
    }

    /// Whether the output itself states that no connection matches the filter.
    fn tells_of_exclusion(&self) -> bool {
        false
    }

    /// Begins a source, shown with this name.
    fn begin_source(&mut self, _: &str) {}

    /// Skips a source that could not be opened.
    fn skip_source(&mut self) {}

    /// Whether a capture that could not be opened has a row even if it is the only one.
    fn has_row_of_failed(&self) -> bool {
        false
    }

    /// Takes one of several captures that could not be opened.
    fn failed(&mut self, _: &FailedCapture) -> io::Result<()> {
        Ok(())
    }

    /// Takes the number of skipped files, after all sources.
    fn passed_over(&mut self, _: PassedOver) {}

    /// Takes a connection.
    fn connection(&mut self, connection: Connection) -> io::Result<()>;

    /// Ends a source.
    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()>;

    /// Finishes the output after all sources.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A capture that could not be opened.
pub(crate) struct FailedCapture {
    /// Its name as shown.
    pub(crate) name: String,
    /// The reason.
    pub(crate) error: Message,
    /// Whether the user named it or a folder contained it.
    pub(crate) origin: Origin,
}

/// Data about a source that was read to its end.
#[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "some of it is for tables alone"))]
pub(crate) struct EndOfSource<'a> {
    /// The captures of the source.
    pub(crate) captures: Vec<CaptureSummary>,
    /// Whether the user named it or a folder contained it.
    pub(crate) origin: Origin,
    /// Length of the input; `None` for a stream.
    pub(crate) input_bytes: Option<u64>,
    /// SHA-256 of the input, where tables have it.
    pub(crate) content_sha256: Option<String>,
    /// Reasons why it could not be read completely.
    pub(crate) failures: Vec<String>,
    /// All its connections, whether they match the filter or not.
    pub(crate) connections: u64,
    /// Duration of the analysis.
    pub(crate) took: Duration,
    /// Connections that do not match the filter.
    pub(crate) excluded: u64,
    /// Time range of the packets of matching connections.
    pub(crate) range: Option<Span>,
    /// Returns the number of a connection.
    pub(crate) number: &'a dyn Fn(&Connection) -> u64,
}

/// A connection as in JSON; with a requested moment, it includes the interval at that moment.
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
