//! `tcpwhy explain`: what was typed becomes what is done.

use crate::exit::{EXIT_ERROR, EXIT_GATE, ExitStatus};
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::Result;
use tcpwhy_analysis::{Connection, Problems};
use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Delivery, Plan, Source};
use tcpwhy_files::Written;
use tcpwhy_model::live::RecordingGaps;
use tcpwhy_model::{AnomalyKind, CaptureSummary, Span, Timestamp};
use tcpwhy_report::dto::{Presentation, WrittenFixes};
use tcpwhy_report::text::MomentCheck;
use tcpwhy_report::{Anonymizer, Args, Wording, recording_gap_lines};
use tcpwhy_view::data::Survey;

use crate::damage;
use crate::explain_args::{ExplainArgs, WordsChoice};
use crate::inputs::Inputs;
use crate::interface::InterfaceStream;
use crate::message;
use crate::output::annotate::{self, Annotate, Annotations};
use crate::output::file::Output;
use crate::output::{Collect, EndOfSource, Json, JsonLines, Keep, Sink, Text, charts, file};
use crate::predicate::Expression;
use crate::predicate::{FilterOptions, Numbered};
use crate::progress::Progress;
use crate::rights;
use crate::server_names::Called;
use crate::standard_output::stdout;
use crate::when::When;

/// Explains the captures that `args` names.
pub(crate) fn run(args: &ExplainArgs) -> Result<ExitStatus> {
    let has_charts = args.html.is_some() || args.svg.is_some();
    let catalogue = args.catalogue();
    let wording = Wording::new(&catalogue);
    // What may not be written is said before anything is read.
    let charts_to = charts::Outputs::prepare(args)?;
    let copy_to = args.annotate.as_deref().map(|path| annotate::prepare(args, path, wording)).transpose()?;
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let has_words = args.words == WordsChoice::All;
    let fixes = WrittenFixes::default();
    let presentation = Presentation { wording, with_timeline: args.timeline, has_words, fixes: Some(&fixes) };
    let mut survey = Survey::new();
    let mut annotations = Annotations::default();
    let mut sink: Box<dyn Sink + '_> = if has_charts {
        Box::new(Collect::new(&mut survey))
    } else if args.annotate.is_some() {
        Box::new(Annotate::new(&mut annotations, wording))
    } else if args.json {
        Box::new(Json::new(presentation, args.why))
    } else if args.jsonl {
        Box::new(JsonLines::new(presentation, args.why, args.merge, args.exchanges))
    } else {
        Box::new(Text::new(wording, args.look.look(), args))
    };
    let kept = Arc::<AtomicU64>::default();
    // The first packet has to be seen before the others are read.
    let is_read_twice =
        has_charts || args.annotate.is_some() || args.from.is_some() || args.to.is_some() || args.problem.is_some();
    // Before the first byte is read.
    let settle = || {
        let outputs = (charts_to.hand_over(args)?, copy_to.map(Output::hand_over).transpose()?);
        let captures = args.files.iter().filter(|_| args.interface.is_none());
        // Pictures of another capture are told by their mark.
        rights::confine(&rights::reading(captures.chain(&args.svg), args.names.is_some()))?;
        Ok(outputs)
    };
    let (inputs, (charts_to, copy_to)) = if let Some(interface) = &args.interface {
        capture(args, interface, is_read_twice, &kept, wording, settle)?
    } else if is_read_twice {
        Inputs::repeatable(&args.files, args.merge, anonymizer.as_ref(), settle)?
    } else {
        let outputs = settle()?;
        (Inputs::once(&args.files, args.merge, anonymizer.as_ref()), outputs)
    };
    let seen = read(args, &inputs, anonymizer.as_ref(), wording, sink.as_mut())?;
    if seen.sources > 0 {
        sink.finish()?;
        if has_charts && !seen.lacks_connection {
            charts::write(args, &charts_to, &inputs, wording, survey)?;
        }
        if let Some(output) = copy_to.as_ref().filter(|_| !seen.lacks_connection) {
            annotate::write(args, &inputs, output, annotations, wording)?;
        }
        stdout().flush()?;
        if let Some(path) = args.write.as_deref().filter(|_| !args.quiet) {
            let written = Written { files: 1, bytes: kept.load(Ordering::Relaxed) };
            file::say_written(wording, path, written);
        }
    }
    Ok(match (seen.has_failed, seen.is_gate_hit) {
        (true, _) => ExitStatus::from(EXIT_ERROR),
        (false, true) => ExitStatus::from(EXIT_GATE),
        (false, false) => ExitStatus::SUCCESS,
    })
}

/// Captures what passes `interface`.
fn capture<T>(
    args: &ExplainArgs,
    interface: &str,
    is_read_twice: bool,
    kept: &Arc<AtomicU64>,
    wording: Wording<'_>,
    settle: impl FnOnce() -> Result<T>,
) -> Result<(Inputs, T)> {
    let words: Vec<String> = args.files.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let was_cut = Arc::<AtomicBool>::default();
    let filter = Expression::of_words(&words)?;
    let kept = args.write.as_deref().map(|path| Keep { path, replaces: args.overwrite, bytes: Arc::clone(kept) });
    let stream = InterfaceStream::open(interface, filter, kept, Arc::clone(&was_cut), wording)?;
    Inputs::of_stream(stream, interface, is_read_twice, was_cut, settle)
}

/// What became of the sources.
pub(crate) struct Seen {
    /// Sources explained.
    pub(crate) sources: u64,
    /// A source could not be opened, or read to its end, or nothing of it could be read; or no connection has
    /// the number or the moment that was asked for.
    pub(crate) has_failed: bool,
    /// No connection has the number that was asked for.
    pub(crate) lacks_connection: bool,
    /// A limit is at or over `--fail-on`.
    pub(crate) is_gate_hit: bool,
}

/// Explains all sources to `sink`; its end is the caller's.
pub(crate) fn read(
    args: &ExplainArgs,
    inputs: &Inputs,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
    sink: &mut dyn Sink,
) -> io::Result<Seen> {
    let mut explainer = Explainer {
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
        is_gate_hit: false,
        has_failed: false,
        moment: args.why.map(|moment| MomentCheck::new(moment.nanos)),
    };
    let mut has_failed = false;
    for index in 0..inputs.len() {
        let mut sockets = RecordedSockets::default();
        let called = args.names.filter(|names| names.is_of_captures()).map(|_| Called::default());
        let listen = |reader: &mut _| {
            sockets.follow(reader);
            if let Some(called) = &called {
                called.listen(reader);
            }
        };
        match inputs.open_with(index, listen) {
            Ok(source) => {
                if !explainer.set_range(inputs, index)? {
                    return Ok(Seen { sources: 0, has_failed: true, lacks_connection: false, is_gate_hit: false });
                }
                if !explainer.set_problem(inputs, index)? {
                    has_failed = true;
                    sink.skip_source();
                    continue;
                }
                explainer.explain(inputs, index, source, (sockets, called), sink)?;
            }
            Err(error) => {
                has_failed = true;
                message::say(message::words(&error));
                sink.skip_source();
            }
        }
    }
    let complaint = explainer.moment.take().and_then(|moment| moment.complaint(wording));
    if let Some(complaint) = &complaint {
        message::say(complaint);
    }
    let mut lacks_connection = false;
    if explainer.sources > 0 && explainer.admitted == 0 {
        lacks_connection = args.connection.is_some();
        if let Some(complaint) = explainer.nothing_admitted(sink.tells_of_exclusion()) {
            message::say(complaint);
        }
    }
    let has_failed = has_failed || explainer.has_failed || complaint.is_some() || lacks_connection;
    Ok(Seen { sources: explainer.sources, has_failed, lacks_connection, is_gate_hit: explainer.is_gate_hit })
}

/// What goes on from source to source.
struct Explainer<'a> {
    args: &'a ExplainArgs,
    wording: Wording<'a>,
    filter: FilterOptions,
    anonymizer: Option<&'a Anonymizer>,
    /// Connections of the sources before this one.
    connections: u64,
    /// Those that were asked for.
    admitted: u64,
    /// Whether a connection has the number that was asked for, whatever else was.
    has_number: bool,
    /// Sources explained.
    sources: u64,
    /// A capture could not be read to its end, or nothing of a damaged one could be read.
    has_failed: bool,
    is_gate_hit: bool,
    /// Which connections the moment that was asked for lies in.
    moment: Option<MomentCheck>,
}

impl Explainer<'_> {
    /// Finds out which times of this source are meant; says so and returns false if there can be none.
    fn set_range(&mut self, inputs: &Inputs, index: usize) -> io::Result<bool> {
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

    /// Finds out which problem of this source was asked for; says so and returns false if it has no such.
    fn set_problem(&mut self, inputs: &Inputs, index: usize) -> io::Result<bool> {
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
        tcpwhy_engine::run(source, Delivery::Bulk, &Plan::default(), &mut |_| {}, &mut fold)?;
        let ranked = problems.ranked();
        let place = usize::try_from(wanted - 1).unwrap_or(usize::MAX);
        self.filter.problem = ranked.get(place).map(|problem| problem.key);
        if self.filter.problem.is_none() {
            let args = Args::new().number("n", wanted).number("count", ranked.len() as u64);
            message::say(self.wording.catalogue().text("no-such-problem", &args));
        }
        Ok(self.filter.problem.is_some())
    }

    fn explain(
        &mut self,
        inputs: &Inputs,
        index: usize,
        source: Source,
        (mut sockets, called): (RecordedSockets, Option<Called>),
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let (name, catalogue) = (inputs.name(index), self.wording.catalogue());
        let mut progress = if inputs.has_stdin(index) {
            Progress::of_stream(&self.wording.capture_name(&name), self.args.quiet, catalogue)
        } else {
            Progress::new(&name, self.args.quiet)
        };
        let delivery = if sink.is_streaming() {
            Delivery::Prompt
        } else if self.filter.connection.is_some() {
            Delivery::Numbered
        } else {
            Delivery::Bulk
        };
        let plan = Plan { keeps_exchanges: self.args.exchanges, ..Plan::default() };
        let mut excluded = 0;
        let mut advance = |reached| progress.advance(reached);
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
            sockets.present(connection, number, &mut |connection, number| self.tell(connection, number, sink))
        };
        let outcome = tcpwhy_engine::run(source, delivery, &plan, &mut advance, &mut present);
        progress.clear();
        let outcome = outcome?;
        let gaps = sockets.conclude(&mut |connection, number| self.tell(connection, number, sink))?;
        self.warn_of(&gaps);
        for failure in &outcome.ending.failures {
            self.has_failed = true;
            message::say(message::words(failure));
        }
        let mut captures = outcome.ending.summaries;
        if inputs.has_stdin(index) && inputs.was_cut() {
            // Nothing is wrong with a stream that was ended within a packet: that is where somebody wanted it
            // to end.
            for capture in &mut captures {
                capture.anomalies.forget(AnomalyKind::TruncatedFile);
            }
        }
        let is_unreadable = |c: &CaptureSummary| c.packets == 0 && !c.anomalies.is_empty();
        self.has_failed |= captures.iter().any(is_unreadable);
        if !self.args.quiet {
            damage::warn(&captures, self.wording);
        }
        let before = self.connections;
        let number = |connection: &Connection| outcome.numbering.number(connection, before);
        sink.end_of_source(EndOfSource { captures, excluded, range: self.filter.range, number: &number })?;
        self.connections += outcome.connections;
        self.sources += 1;
        Ok(())
    }

    /// Passes on a connection that is to be shown.
    fn tell(&mut self, mut connection: Connection, number: Option<u64>, sink: &mut dyn Sink) -> io::Result<()> {
        self.admitted += 1;
        self.is_gate_hit |= self.args.fail_on.iter().any(|gate| gate.is_hit_by(&connection));
        if let Some(number) = number {
            connection.id = number;
        }
        if let Some(anonymizer) = &self.anonymizer {
            anonymizer.connection(&mut connection);
        }
        if let Some(moment) = &mut self.moment {
            moment.observe(&connection, self.wording);
        }
        sink.connection(connection)
    }

    /// Says what is missing of a recording.
    fn warn_of(&self, gaps: &RecordingGaps) {
        if !self.args.quiet {
            recording_gap_lines(gaps, self.wording).iter().for_each(message::say);
        }
    }

    /// What is said when nothing is left of all sources: of a number that no connection has always, since
    /// that is an error; else where the answer itself does not.
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
