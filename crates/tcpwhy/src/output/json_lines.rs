use std::io::{self, Write as _};

use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_report::dto::{self, ConnectionExchange, Presentation, Record};

use super::{EndOfSource, FailedCapture, Sink, present};
use crate::moment::Moment;
use crate::standard_output::{StandardOutput, stdout};

/// `--jsonl`: writes one object per line, as connections finish.
pub(crate) struct JsonLines<'a> {
    presentation: Presentation<'a>,
    moment: Option<Moment>,
    out: StandardOutput,
    /// The last line, kept to reuse its memory.
    line: Vec<u8>,
    /// Captures written so far.
    captures: usize,
    is_merged: bool,
    /// Whether each exchange is a line.
    has_exchanges: bool,
    /// Folds of the current source.
    folds: Folds,
}

impl<'a> JsonLines<'a> {
    pub(crate) fn new(
        presentation: Presentation<'a>,
        moment: Option<Moment>,
        is_merged: bool,
        has_exchanges: bool,
    ) -> Self {
        Self {
            presentation,
            moment,
            out: stdout(),
            line: Vec::new(),
            captures: 0,
            is_merged,
            has_exchanges,
            folds: Folds::default(),
        }
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        self.line.clear();
        record.append_line(&mut self.line)?;
        // Written line by line, so that a reader of the stream gets each line at once.
        self.out.write_all(&self.line)
    }
}

impl Sink for JsonLines<'_> {
    fn is_streaming(&self) -> bool {
        true
    }

    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        self.captures += 1;
        self.write(&Record::Capture(dto::Capture::failed(&failed.name, &failed.error, self.presentation)))
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.folds.add(&connection);
        let capture = (!self.is_merged).then_some(self.captures);
        let presented = present(&connection, capture, self.presentation, self.moment);
        self.write(&Record::Connection(Box::new(presented)))?;
        let exchanges = connection.exchanges.as_deref().filter(|exchanges| self.has_exchanges && exchanges.has_times());
        let mut all: Vec<_> = exchanges.map_or(&[][..], |exchanges| &exchanges.slowest).iter().collect();
        all.sort_by_key(|exchange| exchange.request_packet);
        for exchange in all {
            let exchange = dto::Exchange::new(exchange);
            self.write(&Record::Exchange(ConnectionExchange { connection: connection.id, exchange }))?;
        }
        Ok(())
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        let mut folds = std::mem::take(&mut self.folds);
        folds.settle();
        for service in dto::Service::all(&folds.services) {
            self.write(&Record::Service(Box::new(service)))?;
        }
        for problem in dto::Problem::all(&folds, self.presentation) {
            self.write(&Record::Problem(Box::new(problem)))?;
        }
        self.write(&Record::Answer(Box::new(dto::Answer::of_capture(&folds, self.presentation))))?;
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
