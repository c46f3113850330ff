use std::io::{self, Write as _};
use std::mem;

use tcpwhy_analysis::Connection;
use tcpwhy_inputs::PassedOver;
use tcpwhy_report::Wording;
use tcpwhy_report::markdown::{MarkdownCaptures, MarkdownReport};
use tcpwhy_report::text::{Look, MomentReport, Overview};

use super::{EndOfSource, FailedCapture, Sink};
use crate::explain_args::ExplainArgs;
use crate::standard_output::stdout;

/// `--format markdown`: writes one text at the end, because all captures share its lines.
pub(crate) struct Markdown<'a> {
    wording: Wording<'a>,
    args: &'a ExplainArgs,
    overview: Overview,
    /// Connections that the moment of `--why` is outside.
    outside: u64,
    captures: MarkdownCaptures<'a>,
    passed_over: PassedOver,
}

impl<'a> Markdown<'a> {
    pub(crate) fn new(wording: Wording<'a>, args: &'a ExplainArgs) -> Self {
        Self {
            wording,
            args,
            overview: overview_of(args),
            outside: 0,
            captures: MarkdownCaptures::new(wording),
            passed_over: PassedOver::default(),
        }
    }
}

fn overview_of(args: &ExplainArgs) -> Overview {
    let overview = Overview::new(args.top);
    if args.why.is_some() { overview.in_full() } else { overview }
}

impl Sink for Markdown<'_> {
    fn tells_of_exclusion(&self) -> bool {
        true
    }

    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        self.captures.fail(&failed.name, &failed.error);
        Ok(())
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
        let EndOfSource { captures, excluded, range, number, .. } = end;
        if self.args.connection.is_some() && self.overview.is_empty() && self.outside == 0 {
            // The requested connection is in another source, or in none, which is an error elsewhere.
            return Ok(());
        }
        let mut overview = mem::replace(&mut self.overview, overview_of(self.args));
        overview.renumber(number);
        let (wording, is_brief) = (self.wording, self.args.quiet);
        let outside = mem::take(&mut self.outside);
        let captures = &captures;
        if let Some(moment) = self.args.why {
            let report = MomentReport {
                wording,
                // Markdown is not wrapped.
                look: Look { width: usize::MAX, has_color: false, has_unicode: true },
                overview: &overview,
                moment: moment.nanos,
                outside,
                heading: None,
                is_brief,
                excluded,
            };
            self.captures.add_moment(&report, captures);
        } else {
            let report = MarkdownReport { wording, captures, overview: &overview, range, is_brief, excluded };
            self.captures.add(&report);
        }
        Ok(())
    }

    fn passed_over(&mut self, passed_over: PassedOver) {
        self.passed_over = passed_over;
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let folders = self.passed_over.folders;
        let text = self.captures.into_text(self.passed_over.total() - folders, folders);
        let mut out = stdout();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}
