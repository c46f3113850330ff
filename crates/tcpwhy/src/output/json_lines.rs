use std::io::{self, Write as _};

use tcpwhy_analysis::Connection;
use tcpwhy_report::dto::{self, Presentation, Record};

use super::{EndOfSource, Sink, present};
use crate::moment::Moment;
use crate::standard_output::{StandardOutput, stdout};

/// `--jsonl`: one object a line, as connections finish.
pub(crate) struct JsonLines<'a> {
    presentation: Presentation<'a>,
    moment: Option<Moment>,
    out: StandardOutput,
    /// The one that is written, kept for its memory.
    line: Vec<u8>,
    /// Captures written so far.
    captures: usize,
    is_merged: bool,
}

impl<'a> JsonLines<'a> {
    pub(crate) fn new(presentation: Presentation<'a>, moment: Option<Moment>, is_merged: bool) -> Self {
        Self { presentation, moment, out: stdout(), line: Vec::new(), captures: 0, is_merged }
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        self.line.clear();
        record.append_line(&mut self.line)?;
        // Whoever follows the stream sees each line when it is complete.
        self.out.write_all(&self.line)
    }
}

impl Sink for JsonLines<'_> {
    fn is_streaming(&self) -> bool {
        true
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        let capture = (!self.is_merged).then_some(self.captures);
        let connection = present(&connection, capture, self.presentation, self.moment);
        self.write(&Record::Connection(Box::new(connection)))
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        for capture in &end.captures {
            let capture = dto::Capture::new(capture, self.presentation);
            self.write(&Record::Capture(capture))?;
        }
        self.captures += end.captures.len();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.out.flush()
    }
}
