use std::io;

use tcpwhy_analysis::Connection;
use tcpwhy_view::data::Survey;

use super::{EndOfSource, Sink};

/// Collects connections for a page or pictures, which are created after the last one.
pub(crate) struct Collect<'a> {
    survey: &'a mut Survey,
}

impl<'a> Collect<'a> {
    pub(crate) fn new(survey: &'a mut Survey) -> Self {
        Self { survey }
    }
}

impl Sink for Collect<'_> {
    fn skip_source(&mut self) {
        self.survey.skip_source();
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.survey.add(connection);
        Ok(())
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        self.survey.end_of_source(end.captures, end.number);
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
