use std::io::{self, Write as _};

use tcpwhy_analysis::Connection;
use tcpwhy_model::CaptureSummary;
use tcpwhy_report::Wording;
use tcpwhy_report::text::{Look, MomentReport, Overview, Report};

use super::{EndOfSource, Sink};
use crate::explain_args::ExplainArgs;
use crate::moment::Moment;
use crate::standard_output::stdout;

/// The terminal report, source by source.
pub(crate) struct Text<'a> {
    wording: Wording<'a>,
    look: Look,
    args: &'a ExplainArgs,
    overview: Overview,
    /// Connections that the moment of `--why` lies outside of.
    outside: u64,
    sources: usize,
}

impl<'a> Text<'a> {
    pub(crate) fn new(wording: Wording<'a>, look: Look, args: &'a ExplainArgs) -> Self {
        Self { wording, look, args, overview: overview_of(args), outside: 0, sources: 0 }
    }
}

fn overview_of(args: &ExplainArgs) -> Overview {
    let overview = Overview::new(args.top).ordered(args.sort.into());
    let overview = if args.why.is_some() { overview.in_full() } else { overview };
    match args.group {
        Some(by) => overview.grouped(by.into()),
        None => overview,
    }
}

impl Text<'_> {
    fn write_moment(
        &mut self,
        moment: Moment,
        has_heading: bool,
        captures: &[CaptureSummary],
        overview: &Overview,
        excluded: u64,
    ) -> io::Result<()> {
        let heading = captures.first().filter(|_| has_heading).map(|capture| capture.path.as_str());
        let report = MomentReport {
            wording: self.wording,
            look: self.look,
            overview,
            moment: moment.nanos,
            outside: std::mem::take(&mut self.outside),
            heading,
            is_brief: self.args.quiet,
            excluded,
        };
        self.write(&report.to_string())
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        let separator = if self.sources > 0 { "\n" } else { "" };
        self.sources += 1;
        let mut out = stdout();
        write!(out, "{separator}{text}")?;
        out.flush()
    }
}

impl Sink for Text<'_> {
    fn tells_of_exclusion(&self) -> bool {
        true
    }

    fn connection(&mut self, connection: Connection) -> io::Result<()> {
        if self.args.why.is_some_and(|moment| MomentReport::is_outside(&connection, moment.nanos)) {
            self.outside += 1;
        } else {
            self.overview.add(connection);
        }
        Ok(())
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        let EndOfSource { captures, excluded, range, number } = end;
        if self.args.connection.is_some() && self.overview.is_empty() && self.outside == 0 {
            // Another source has it, or that no source does is an error.
            return Ok(());
        }
        let mut overview = std::mem::replace(&mut self.overview, overview_of(self.args));
        overview.renumber(number);
        let has_heading = !self.args.merge && self.args.interface.is_none() && self.args.files.len() > 1;
        if let Some(moment) = self.args.why {
            return self.write_moment(moment, has_heading, &captures, &overview, excluded);
        }
        let report = Report {
            wording: self.wording,
            look: self.look,
            captures: &captures,
            overview: &overview,
            with_timeline: self.args.timeline,
            range,
            is_brief: self.args.quiet,
            has_heading,
            excluded,
        };
        self.write(&report.to_string())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}
