//! The analysis of each capture, and the state shared by all of them.

use std::io;

use tcpwhy_analysis::{Connection, Problems};
use tcpwhy_capture::{CaptureReader, ContentHash};
use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Delivery, NameListener, Plan};
use tcpwhy_inputs::{InputError, Origin};
use tcpwhy_model::live::RecordingGaps;
use tcpwhy_model::{AnomalyKind, CaptureStatus, Explained as _, Span, Timestamp};
use tcpwhy_report::text::MomentCheck;
use tcpwhy_report::{Anonymizer, Args, Wording, recording_gap_lines};

use crate::damage;
use crate::explain_args::ExplainArgs;
use crate::gates::{GateResult, LimitGates};
use crate::inputs::Inputs;
use crate::message;
use crate::output::{EndOfSource, FailedCapture, Sink};
use crate::pool::{Form, Present, Timed};
use crate::predicate::{FilterOptions, Numbered};
use crate::when::When;

/// Message id for a file that does not exist or cannot be read.
const CANNOT_OPEN: &str = "capture-open";

/// The result of all sources.
pub(crate) struct Seen {
    /// Sources explained.
    pub(crate) sources: u64,
    /// Sources explained, plus those that could not be opened.
    pub(crate) captures: u64,
    /// Sources that could not be opened, or not read completely or at all.
    pub(crate) failed: u64,
    /// Whether failed sources are in the output.
    pub(crate) has_rows: bool,
    /// Sources that were skipped because their rows exist already.
    pub(crate) left_out: u64,
    /// Whether a source has failed, or no connection matches the requested number or moment.
    pub(crate) has_failed: bool,
    /// Whether no connection has the requested number.
    pub(crate) lacks_connection: bool,
    /// The result of `--fail-on`.
    pub(crate) gates: GateResult,
}

impl Seen {
    /// Adds the folders and files that could not be listed, and prints their errors.
    pub(crate) fn with(self, errors: impl Iterator<Item = InputError>, wording: Wording<'_>) -> Self {
        let mut count = 0;
        for error in errors {
            message::say(wording.catalogue().message(&error.message()));
            count += 1;
        }
        Self {
            captures: self.captures + count,
            failed: self.failed + count,
            has_failed: self.has_failed || count > 0,
            ..self
        }
    }

    /// The result if a requested time is impossible.
    pub(crate) const IMPOSSIBLE: Self = Self {
        sources: 0,
        captures: 1,
        failed: 0,
        has_rows: false,
        left_out: 0,
        has_failed: true,
        lacks_connection: false,
        gates: GateResult::NotAsked,
    };
}

/// State of the hash of an input.
enum Content {
    /// The hash is not needed.
    NotHashed,
    /// The hash is needed, but there is no reader yet.
    Unread,
    /// Its reader hashes it.
    One(ContentHash),
}

impl Content {
    fn hex(&self) -> Option<String> {
        match self {
            Self::One(hash) => hash.hex(),
            Self::NotHashed | Self::Unread => None,
        }
    }
}

/// A capture that was opened.
pub(crate) struct Opened {
    /// Its name as shown.
    name: String,
    /// Length of the input; `None` for a stream.
    input_bytes: Option<u64>,
    content: Content,
    /// Whether the user named it or a folder contained it.
    pub(crate) origin: Origin,
    sockets: RecordedSockets,
    called: Option<NameListener>,
}

impl Opened {
    /// Creates the state for one capture; [`Self::listen`] adds its readers.
    pub(crate) fn new(name: String, origin: Origin, args: &ExplainArgs) -> Self {
        let called = args.names.filter(|names| names.is_of_captures()).map(|_| NameListener::default());
        // Not with anonymization: the hash would identify the capture.
        let content =
            if args.has_tables() && !args.anonymize.is_asked_for() { Content::Unread } else { Content::NotHashed };
        Self { name, input_bytes: None, content, origin, sockets: RecordedSockets::default(), called }
    }

    /// Registers with a reader, before its first read.
    pub(crate) fn listen(&mut self, reader: &mut CaptureReader) {
        self.input_bytes = reader.bytes_total();
        self.content = match self.content {
            Content::Unread => Content::One(reader.hash_content()),
            // Merged captures have no single input to hash.
            Content::One(_) | Content::NotHashed => Content::NotHashed,
        };
        self.sockets.follow(reader);
        if let Some(called) = &self.called {
            called.listen(reader);
        }
    }
}

/// The state shared by all sources.
pub(crate) struct Explainer<'a> {
    args: &'a ExplainArgs,
    wording: Wording<'a>,
    filter: FilterOptions,
    anonymizer: Option<&'a Anonymizer>,
    /// Connections of the sources before this one.
    connections: u64,
    /// Connections that match the filter.
    admitted: u64,
    /// Whether a connection has the requested number, even if the filter excludes it.
    has_number: bool,
    /// Sources explained.
    sources: u64,
    /// Sources explained, plus those that could not be opened.
    captures: u64,
    /// Sources that could not be opened, or not read completely or at all.
    failed: u64,
    /// Whether sources that could not be opened are in the output.
    has_rows: bool,
    left_out: u64,
    lacks_problem: bool,
    gates: LimitGates<'a>,
    /// Counts the connections that include the requested moment.
    moment: Option<MomentCheck>,
}

impl<'a> Explainer<'a> {
    pub(crate) fn new(args: &'a ExplainArgs, anonymizer: Option<&'a Anonymizer>, wording: Wording<'a>) -> Self {
        Self {
            args,
            wording,
            filter: FilterOptions {
                hosts: args.host.clone(),
                ports: args.port.clone(),
                min_bytes: args.min_bytes.map(|size| size.0),
                connection: args.connection,
                expression: args.filter.clone(),
                limits: args.limit.clone(),
                severity: args.severity.map(Into::into),
                problem: None,
                range: None,
            },
            anonymizer,
            connections: 0,
            admitted: 0,
            has_number: false,
            sources: 0,
            captures: 0,
            failed: 0,
            has_rows: false,
            left_out: 0,
            lacks_problem: false,
            gates: LimitGates::new(&args.fail_on),
            moment: args.why.map(|moment| MomentCheck::new(moment.nanos)),
        }
    }

    /// Captures so far, including those that could not be opened.
    pub(crate) const fn captures(&self) -> u64 {
        self.captures
    }

    /// Records that a source has no problem with the requested number.
    pub(crate) const fn lack_problem(&mut self) {
        self.lacks_problem = true;
    }

    /// The form of analysis that `sink` needs.
    pub(crate) fn form(&self, sink: &dyn Sink) -> Form {
        let delivery = if sink.is_streaming() {
            Delivery::Prompt
        } else if self.filter.connection.is_some() {
            Delivery::Numbered
        } else {
            Delivery::Bulk
        };
        Form { delivery, keeps_exchanges: self.args.exchanges || self.args.has_tables(), simulates: !self.args.no_sim }
    }

    /// Computes the time range of this source; prints a message and returns false if there is none.
    pub(crate) fn set_range(&mut self, inputs: &Inputs, index: usize) -> io::Result<bool> {
        if self.args.from.is_none() && self.args.to.is_none() {
            return Ok(true);
        }
        let mut source = inputs.open(index).map_err(io::Error::other)?;
        let mut some = Vec::new();
        while some.is_empty() && source.read_batch(&mut some, 1) {}
        let spans = source.end().summaries.into_iter().filter_map(|summary| summary.span);
        let Some(start) = spans.map(Span::start).min() else { return Ok(true) };
        let zone = self.wording.catalogue().zone();
        let time = |when: Option<When>, otherwise: i64| match when {
            Some(when) => when.resolve(start, zone),
            None => Some(Timestamp::from_nanos(otherwise)),
        };
        let (from, to) = (time(self.args.from, i64::MIN), time(self.args.to, i64::MAX));
        let (Some(from), Some(to)) = (from, to) else {
            message::say(self.wording.catalogue().word("range-impossible"));
            return Ok(false);
        };
        if from >= to {
            let args = Args::new().text("from", zone.date_and_time(from)).text("to", zone.date_and_time(to));
            message::say(self.wording.catalogue().text("range-empty", &args));
            return Ok(false);
        }
        self.filter.range = Some(Span::new(from, to));
        Ok(true)
    }

    /// Finds the requested problem of this source; prints a message and returns false if it does not exist.
    pub(crate) fn set_problem(&mut self, inputs: &Inputs, index: usize) -> io::Result<bool> {
        let Some(wanted) = self.args.problem else { return Ok(true) };
        let source = inputs.open(index).map_err(io::Error::other)?;
        self.filter.problem = None;
        let filter = self.filter.predicate();
        let mut problems = Problems::default();
        let mut fold = |connection: Connection, number: Option<u64>| {
            if filter.holds(&Numbered { connection: &connection, number }) {
                problems.add(&connection);
            }
            Ok(())
        };
        let plan = Plan { simulates: !self.args.no_sim, ..Plan::default() };
        tcpwhy_engine::run(source, Delivery::Bulk, &plan, &mut |_| {}, &mut fold)?;
        let ranked = problems.ranked();
        let place = usize::try_from(wanted - 1).unwrap_or(usize::MAX);
        self.filter.problem = ranked.get(place).map(|problem| problem.key);
        if self.filter.problem.is_none() {
            let args = Args::new().number("n", wanted).number("count", ranked.len() as u64);
            message::say(self.wording.catalogue().text("no-such-problem", &args));
        }
        Ok(self.filter.problem.is_some())
    }

    /// Explains one capture, whose connections `run` presents. `was_cut` is called at its end and returns
    /// whether the user stopped the stream.
    pub(crate) fn explain(
        &mut self,
        opened: Opened,
        was_cut: impl Fn() -> bool,
        run: impl FnOnce(&mut Present<'_>) -> io::Result<Timed>,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let Opened { name, input_bytes, content, origin, mut sockets, called } = opened;
        sink.begin_source(&name);
        let mut excluded = 0;
        let wanted = self.filter.predicate();
        let mut present = |mut connection: Connection, number: Option<u64>| {
            if let Some(called) = &called {
                called.name(&mut connection);
            }
            let number = number.map(|n| n + self.connections);
            self.has_number |= number.is_some() && number == self.filter.connection;
            if !wanted.holds(&Numbered { connection: &connection, number }) {
                excluded += 1;
                return Ok(());
            }
            sockets.present(connection, number, &mut |connection, number| self.tell(&name, connection, number, sink))
        };
        let (outcome, took) = run(&mut present)?;
        let gaps = sockets.conclude(&mut |connection, number| self.tell(&name, connection, number, sink))?;
        self.warn_of(&gaps);
        if excluded == 0 {
            self.gates.end_capture(&name, origin);
        } else {
            self.gates.end_filtered_capture();
        }
        let failures: Vec<_> = outcome.ending.failures.iter().map(message::words).collect();
        failures.iter().for_each(message::say);
        let mut captures = outcome.ending.summaries;
        if was_cut() {
            // The user stopped the stream, so a partial packet at its end is no damage.
            for capture in &mut captures {
                capture.anomalies.forget(AnomalyKind::TruncatedFile);
            }
        }
        let is_unreadable = captures.iter().any(|capture| capture.status() == CaptureStatus::Failed);
        self.captures += 1;
        self.failed += u64::from(is_unreadable || !failures.is_empty());
        if !self.args.quiet {
            damage::warn(&captures, self.wording);
        }
        let before = self.connections;
        let number = |connection: &Connection| outcome.numbering.number(connection, before);
        sink.end_of_source(EndOfSource {
            captures,
            origin,
            input_bytes,
            content_sha256: content.hex(),
            failures,
            connections: outcome.connections,
            took,
            excluded,
            range: self.filter.range,
            number: &number,
        })?;
        self.connections += outcome.connections;
        self.sources += 1;
        Ok(())
    }

    /// Skips a capture because its rows exist already.
    pub(crate) const fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Records a capture that could not be opened. It gets a row if it is one of several.
    pub(crate) fn fail(&mut self, failed: &FailedCapture, is_only: bool, sink: &mut dyn Sink) -> io::Result<()> {
        message::say(self.wording.catalogue().message(&failed.error));
        self.captures += 1;
        self.failed += 1;
        let is_there = failed.error.id != CANNOT_OPEN;
        if is_only && !(is_there && sink.has_row_of_failed()) {
            return Ok(());
        }
        self.has_rows = true;
        sink.failed(failed)
    }

    /// Returns the result after all captures, and prints the messages that no output contains.
    pub(crate) fn conclude(mut self, sink: &dyn Sink) -> Seen {
        let complaint = self.moment.take().and_then(|moment| moment.complaint(self.wording));
        if let Some(complaint) = &complaint {
            message::say(complaint);
        }
        let mut lacks_connection = false;
        if self.sources > 0 && self.admitted == 0 {
            lacks_connection = self.args.connection.is_some();
            if let Some(complaint) = self.nothing_admitted(sink.tells_of_exclusion()) {
                message::say(complaint);
            }
        }
        Seen {
            sources: self.sources,
            captures: self.captures,
            failed: self.failed,
            has_rows: self.has_rows,
            left_out: self.left_out,
            has_failed: self.failed > 0 || self.lacks_problem || complaint.is_some() || lacks_connection,
            lacks_connection,
            gates: self.gates.conclude(self.wording),
        }
    }

    /// Passes a connection to the sink if it matches the filter.
    fn tell(
        &mut self,
        capture: &str,
        mut connection: Connection,
        number: Option<u64>,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        self.admitted += 1;
        if let Some(number) = number {
            connection.id = number;
        }
        if let Some(anonymizer) = &self.anonymizer {
            anonymizer.connection(&mut connection);
        }
        self.gates.observe(&connection, Some((self.captures, capture)));
        if let Some(moment) = &mut self.moment {
            moment.observe(&connection, self.wording);
        }
        sink.connection(connection)
    }

    /// Prints the gaps of a recording.
    fn warn_of(&self, gaps: &RecordingGaps) {
        if !self.args.quiet {
            recording_gap_lines(gaps, self.wording).iter().for_each(message::say);
        }
    }

    /// The message if no connection of any source matches. An unknown connection number is an error, so it is
    /// always reported. Otherwise the message is needed only if the output lacks it.
    fn nothing_admitted(&self, is_told_elsewhere: bool) -> Option<String> {
        let catalogue = self.wording.catalogue();
        let count = Args::new().number("count", self.connections);
        match self.filter.connection {
            Some(n) if !self.has_number => {
                let last = self.connections.saturating_sub(1);
                let args = count.text("n", n.to_string()).text("last", last.to_string());
                Some(catalogue.text("no-such-connection", &args))
            }
            None if is_told_elsewhere || self.args.quiet => None,
            None if self.connections == 0 => Some(catalogue.word("head-no-connections")),
            Some(_) | None if self.filter.range.is_some() => Some(catalogue.text("head-none-in-range", &count)),
            Some(_) | None => Some(catalogue.text("head-all-excluded", &count)),
        }
    }
}
