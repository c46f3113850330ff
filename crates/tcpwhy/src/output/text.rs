use std::io::{self, Write as _};

use tcpwhy_analysis::Connection;
use tcpwhy_report::text::{Look, Overview, Report};
use tcpwhy_report::{CaptureFacts, Wording};

use super::Sink;
use crate::args::ExplainArgs;
use crate::standard_output::stdout;

/// The terminal report, source by source.
pub(crate) struct Text<'a> {
    wording: Wording<'a>,
    look: Look,
    args: &'a ExplainArgs,
    overview: Overview,
    sources: usize,
}

impl<'a> Text<'a> {
    pub(crate) fn new(wording: Wording<'a>, look: Look, args: &'a ExplainArgs) -> Self {
        Self { wording, look, args, overview: Overview::new(args.top), sources: 0 }
    }
}

impl Sink for Text<'_> {
    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        self.overview.add(connection);
        Ok(())
    }

    fn end_of_source(&mut self, captures: Vec<CaptureFacts>, number: &dyn Fn(&Connection) -> u64) -> io::Result<()> {
        let mut overview = std::mem::replace(&mut self.overview, Overview::new(self.args.top));
        overview.renumber(number);
        let report = Report {
            wording: self.wording,
            look: self.look,
            captures: &captures,
            overview: &overview,
            with_timeline: self.args.timeline,
            is_brief: self.args.quiet,
            has_heading: !self.args.merge && self.args.files.len() > 1,
            is_selected: self.args.connection.is_some(),
        };
        let separator = if self.sources > 0 { "\n" } else { "" };
        self.sources += 1;
        let mut out = stdout();
        write!(out, "{separator}{report}")?;
        out.flush()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
