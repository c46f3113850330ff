//! `--why`: finds the chosen thresholds that decide a verdict.

use std::io;
use std::mem;

use tcpwhy_analysis::Connection;
use tcpwhy_inputs::PassedOver;
use tcpwhy_report::text::MomentReport;

use super::{EndOfSource, FailedCapture, Sink};
use crate::certainty;
use crate::inputs::Inputs;
use crate::moment::Moment;

/// Passes connections on after examining their verdicts, which needs a second pass over their packets.
pub(crate) struct Examined<'a> {
    inner: Box<dyn Sink + 'a>,
    inputs: &'a Inputs,
    moment: Moment,
    is_quiet: bool,
    /// Index of the present source.
    source: usize,
    held: Vec<Connection>,
}

impl<'a> Examined<'a> {
    /// Connections that are kept per source; later ones are passed on unexamined.
    const HELD_MOST: usize = 1024;

    /// Creates the stage in front of `inner`.
    pub(crate) fn new(inner: Box<dyn Sink + 'a>, inputs: &'a Inputs, moment: Moment, is_quiet: bool) -> Self {
        Self { inner, inputs, moment, is_quiet, source: 0, held: Vec::new() }
    }
}

impl Sink for Examined<'_> {
    fn tells_of_exclusion(&self) -> bool {
        self.inner.tells_of_exclusion()
    }

    fn begin_source(&mut self, name: &str) {
        self.inner.begin_source(name);
    }

    fn skip_source(&mut self) {
        self.source += 1;
        self.inner.skip_source();
    }

    fn has_row_of_failed(&self) -> bool {
        self.inner.has_row_of_failed()
    }

    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        self.inner.failed(failed)
    }

    fn passed_over(&mut self, passed_over: PassedOver) {
        self.inner.passed_over(passed_over);
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        if self.held.len() >= Self::HELD_MOST {
            return self.inner.connection(connection);
        }
        self.held.push(connection);
        Ok(())
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        let mut held = mem::take(&mut self.held);
        let at_moment = |connection: &Connection| !MomentReport::is_outside(connection, self.moment.nanos);
        certainty::examine(self.inputs, self.source, &mut held, at_moment, self.is_quiet)?;
        self.source += 1;
        for connection in held {
            self.inner.connection(connection)?;
        }
        self.inner.end_of_source(end)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.inner.finish()
    }
}
