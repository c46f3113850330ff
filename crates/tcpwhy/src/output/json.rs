use std::cell::RefCell;
use std::io::{self, BufWriter, Write as _};

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use tcpwhy_analysis::Connection;
use tcpwhy_report::dto::{self, Presentation, SCHEMA, Tool};
use tcpwhy_report::{CaptureFacts, Wording};

use super::Sink;
use crate::standard_output::stdout;

/// `--json`: one document at the end.
pub(crate) struct Json<'a> {
    presentation: Presentation<'a>,
    captures: Vec<dto::Capture>,
    /// With the index of their capture.
    connections: Vec<(Connection, Option<usize>)>,
    /// Where those of the current source begin.
    source_start: usize,
}

impl<'a> Json<'a> {
    pub(crate) fn new(wording: Wording<'a>, with_timeline: bool) -> Self {
        Self {
            presentation: Presentation { wording, with_timeline },
            captures: Vec::new(),
            connections: Vec::new(),
            source_start: 0,
        }
    }
}

impl Sink for Json<'_> {
    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.connections.push((connection, None));
        Ok(())
    }

    fn end_of_source(&mut self, captures: Vec<CaptureFacts>, number: &dyn Fn(&Connection) -> u64) -> io::Result<()> {
        let capture = (captures.len() == 1).then_some(self.captures.len());
        self.captures.extend(captures.iter().map(|c| dto::Capture::new(c, self.presentation)));
        for (connection, of) in &mut self.connections[self.source_start..] {
            connection.id = number(connection);
            *of = capture;
        }
        self.connections[self.source_start..].sort_by_key(|(connection, _)| connection.id);
        self.source_start = self.connections.len();
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let mut out = BufWriter::new(stdout());
        let document = Document {
            captures: &self.captures,
            connections: RefCell::new(self.connections.into_iter()),
            presentation: self.presentation,
        };
        if stdout().is_terminal() {
            tcpwhy_report::json::to_writer_pretty(&mut out, &document)?;
        } else {
            tcpwhy_report::json::to_writer(&mut out, &document)?;
        }
        writeln!(out)?;
        out.flush()
    }
}

/// [`dto::Document`], with its connections converted one at a time while they are written.
struct Document<'a, I> {
    captures: &'a [dto::Capture],
    connections: RefCell<I>,
    presentation: Presentation<'a>,
}

impl<I: Iterator<Item = (Connection, Option<usize>)>> Serialize for Document<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("Document", 4)?;
        document.serialize_field("schema", SCHEMA)?;
        document.serialize_field("tool", &Tool::this())?;
        document.serialize_field("captures", self.captures)?;
        document.serialize_field("connections", &Connections(self))?;
        document.end()
    }
}

struct Connections<'a, 'b, I>(&'a Document<'b, I>);

impl<I: Iterator<Item = (Connection, Option<usize>)>> Serialize for Connections<'_, '_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut connections = self.0.connections.borrow_mut();
        serializer.collect_seq(
            connections
                .by_ref()
                .map(|(connection, capture)| dto::Connection::new(&connection, capture, self.0.presentation)),
        )
    }
}
