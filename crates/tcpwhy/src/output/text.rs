use std::io::{self, Write as _};
use std::mem;

use tcpwhy_analysis::Connection;
use tcpwhy_inputs::{Origin, PassedOver};
use tcpwhy_model::{CaptureStatus, CaptureSummary, Span};
use tcpwhy_report::Wording;
use tcpwhy_report::text::{Collection, CollectionReport, Look, MomentReport, Overview, Report};

use super::{EndOfSource, FailedCapture, Sink};
use crate::explain_args::ExplainArgs;
use crate::moment::Moment;
use crate::standard_output::stdout;

/// The terminal report, source by source.
pub(crate) struct Text<'a> {
    wording: Wording<'a>,
    look: Look,
    args: &'a ExplainArgs,
    overview: Overview,
    /// Connections that do not include the moment of `--why`.
    outside: u64,
    sources: usize,
    /// The captures that were found so far.
    collection: Collection,
    /// The first of them, which gets a full report unless a second one follows.
    first: Option<Read>,
    passed_over: PassedOver,
}

/// A source that was read completely.
struct Read {
    captures: Vec<CaptureSummary>,
    overview: Overview,
    range: Option<Span>,
    excluded: u64,
}

/// The extent of a source's report.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The full report, with its name as a heading if `has_heading`.
    Whole { has_heading: bool },
    /// The first lines, with its name as a heading.
    Brief,
}

impl<'a> Text<'a> {
    pub(crate) fn new(wording: Wording<'a>, look: Look, args: &'a ExplainArgs) -> Self {
        Self {
            wording,
            look,
            args,
            overview: overview_of(args),
            outside: 0,
            sources: 0,
            collection: Collection::default(),
            first: None,
            passed_over: PassedOver::default(),
        }
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
    fn write_moment(&mut self, moment: Moment, has_heading: bool, read: &Read) -> io::Result<()> {
        let heading = read.captures.first().filter(|_| has_heading).map(|capture| capture.path.as_str());
        let report = MomentReport {
            wording: self.wording,
            look: self.look,
            overview: &read.overview,
            moment: moment.nanos,
            outside: mem::take(&mut self.outside),
            heading,
            is_brief: self.args.quiet,
            excluded: read.excluded,
        };
        self.write(&report.to_string())
    }

    fn write_report(&mut self, read: &Read, form: Form) -> io::Result<()> {
        let report = Report {
            wording: self.wording,
            look: self.look,
            captures: &read.captures,
            overview: &read.overview,
            with_timeline: self.args.timeline,
            range: read.range,
            is_brief: self.args.quiet || form == Form::Brief,
            has_heading: matches!(form, Form::Brief | Form::Whole { has_heading: true }),
            excluded: read.excluded,
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

    /// Writes the first capture briefly, because it proves to be one of several.
    fn write_first_briefly(&mut self) -> io::Result<()> {
        match self.first.take() {
            Some(first) => self.write_report(&first, Form::Brief),
            None => Ok(()),
        }
    }

    /// Whether found captures are listed briefly: not if one connection, or details, were requested.
    fn lists_found(&self) -> bool {
        self.args.connection.is_none() && self.args.why.is_none() && !self.args.timeline && !self.args.merge
    }
}

impl Sink for Text<'_> {
    fn tells_of_exclusion(&self) -> bool {
        true
    }

    fn failed(&mut self, failed: &FailedCapture) -> io::Result<()> {
        if failed.origin == Origin::Found {
            self.write_first_briefly()?;
            self.collection.fail();
        }
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
        let EndOfSource { captures, origin, excluded, range, number, .. } = end;
        if self.args.connection.is_some() && self.overview.is_empty() && self.outside == 0 {
            // The requested connection is in another source, or in none, which is an error elsewhere.
            return Ok(());
        }
        let mut overview = mem::replace(&mut self.overview, overview_of(self.args));
        overview.renumber(number);
        let read = Read { captures, overview, range, excluded };
        let is_found = origin == Origin::Found;
        let has_heading = !self.args.merge && self.args.interface.is_none() && (is_found || self.args.files.len() > 1);
        if let Some(moment) = self.args.why {
            return self.write_moment(moment, has_heading, &read);
        }
        if !is_found || !self.lists_found() {
            self.write_first_briefly()?;
            return self.write_report(&read, Form::Whole { has_heading });
        }
        let is_first = self.collection.captures() == 0;
        if read.captures.iter().any(|capture| capture.status() == CaptureStatus::Failed) {
            self.collection.fail();
        } else {
            self.collection.add(&read.overview, self.wording);
        }
        if is_first {
            self.first = Some(read);
            return Ok(());
        }
        self.write_first_briefly()?;
        self.write_report(&read, Form::Brief)
    }

    fn passed_over(&mut self, passed_over: PassedOver) {
        self.passed_over = passed_over;
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if let Some(only) = self.first.take() {
            return self.write_report(&only, Form::Whole { has_heading: true });
        }
        if self.collection.captures() > 1 {
            let report = CollectionReport {
                wording: self.wording,
                look: self.look,
                collection: &self.collection,
                passed_over: self.passed_over.total() - self.passed_over.folders,
                folders: self.passed_over.folders,
            };
            let report = report.to_string();
            self.write(&report)?;
        }
        Ok(())
    }
}
