use std::io::{self, Write as _};

use tcpwhy_analysis::Connection;
use tcpwhy_table::arrow_ipc::writer::StreamWriter;
use tcpwhy_table::{Content, TableKind};

use super::rows::{Rows, cannot};
use crate::output::{EndOfSource, FailedCapture, Sink};
use crate::standard_output::{StandardOutput, stdout};

/// Rows per batch, which readers keep in memory.
const BATCH: usize = 1 << 14;

/// `--arrow`: one table as a stream of Arrow IPC.
pub(super) struct Stream<'a> {
    kind: TableKind,
    rows: Rows<'a>,
    writer: StreamWriter<StandardOutput>,
}

impl<'a> Stream<'a> {
    pub(super) fn new(kind: TableKind, content: Content<'a>) -> io::Result<Self> {
        let writer = StreamWriter::try_new(stdout(), &kind.schema()).map_err(cannot)?;
        Ok(Self { kind, rows: Rows::new(content, &[kind]), writer })
    }

    /// Writes the rows if there are at least `least`.
    fn write(&mut self, least: usize) -> io::Result<()> {
        if self.rows.tables.rows(self.kind) >= least {
            let batch = self.rows.tables.take(self.kind).map_err(cannot)?;
            self.writer.write(&batch).map_err(io_error)?;
        }
        Ok(())
    }
}

impl Sink for Stream<'_> {
    fn begin_source(&mut self, name: &str) {
        name.clone_into(&mut self.rows.capture);
    }

    fn has_row_of_failed(&self) -> bool {
        true
    }

    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        self.rows.failed(failed);
        self.write(BATCH)
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.rows.tables.connection(&self.rows.capture, &connection);
        self.write(BATCH)
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        self.rows.end_of_source(&end);
        self.write(BATCH)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.rows.tables.end_part();
        self.write(1)?;
        self.writer.finish().map_err(io_error)?;
        self.writer.get_mut().flush()
    }
}

/// The original I/O error of standard output, so that a closed pipe is recognized.
fn io_error(error: tcpwhy_table::arrow_schema::ArrowError) -> io::Error {
    match error {
        tcpwhy_table::arrow_schema::ArrowError::IoError(_, error) => error,
        other => cannot(other),
    }
}
