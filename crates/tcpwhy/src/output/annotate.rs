//! `--annotate`: copies the capture as pcapng, with packet comments that name the limits of their connection.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tcpwhy_analysis::{Connection, HalfConnection, KernelHalf, KernelWord};
use tcpwhy_capture::{AnnotatedCopy, COPY_MARK, CaptureReader};
use tcpwhy_engine::{Reached, Source};
use tcpwhy_model::{Cause, Endpoint, Interval, Segment, Span, Timestamp};
use tcpwhy_report::{Args, Wording, principal_half};

use super::file::{self, Output};
use super::{EndOfSource, Sink};
use crate::explain_args::ExplainArgs;
use crate::inputs::Inputs;
use crate::message;
use crate::message::failure;
use crate::progress::Progress;
use crate::standard_output::stdout;
use crate::wrong::{Context as _, Result, Wrong, bail};

/// Connections that get comments, the first ones: each uses 0.5 kB plus its intervals.
const MOST_CONNECTIONS: usize = 100_000;
/// Intervals of all connections together.
const MOST_STRETCHES: usize = 1_000_000;
/// Intervals of one direction, the longest ones: more comments would be unreadable.
const MOST_OF_HALF: usize = 1000;

/// A four-tuple regardless of direction.
type Flow = (Endpoint, Endpoint);

fn flow(a: Endpoint, b: Endpoint) -> Flow {
    if a <= b { (a, b) } else { (b, a) }
}

/// Comments for the collected connections.
#[derive(Default)]
pub(crate) struct Annotations {
    all: Vec<Subject>,
    stretches: usize,
    left_out: u64,
}

/// A connection that gets comments.
struct Subject {
    /// The connection without its directions and findings.
    connection: Connection,
    /// Text after its number, on its first packet.
    verdict: String,
    halves: Vec<Half>,
}

struct Half {
    direction: String,
    /// Ordered by their start.
    stretches: Vec<Stretch>,
    /// Intervals that have started.
    begun: usize,
}

/// An interval under one limit.
#[derive(Clone, Copy)]
struct Stretch {
    span: Span,
    cause: Cause,
    /// The kernel's limit for the same time, if it differs.
    kernel: Option<Cause>,
}

impl Stretch {
    /// The limit to which the kernel's data assigns most of `span`, unless it is the same as `cause`. An
    /// interval shorter than two kernel samples has none.
    fn other(both: Option<&KernelHalf>, span: Span, cause: Cause) -> Option<Cause> {
        let both = both?;
        let kernel = &both.kernel;
        let (start, end) = (span.start().max(kernel.span().start()), span.end().min(kernel.span().end()));
        let between_samples = kernel.span().nanos() / i64::try_from(both.samples.max(1)).unwrap_or(i64::MAX);
        if end.since(start) < 2 * between_samples.max(1) {
            return None;
        }
        let common = Span::new(start, end);
        let most = kernel.within(common).totals().into_iter().max_by_key(|total| total.nanos)?;
        (most.cause.limit != cause.limit).then_some(most.cause)
    }
}

impl Half {
    fn new(connection: &Connection, half: &HalfConnection, wording: Wording<'_>) -> Self {
        let view = connection.kernel.as_ref();
        let both = view.and_then(|view| view.halves.iter().find(|both| both.sender == half.sender));
        // If the kernel's data decided the verdict, the limits are already the kernel's.
        let kernel = both.filter(|both| both.disagrees() && !matches!(both.word, KernelWord::Decides(_)));
        let mut longest: Vec<_> = half.limits.intervals().iter().collect();
        longest.sort_by_key(|interval| Reverse(interval.span.nanos()));
        longest.truncate(MOST_OF_HALF);
        longest.sort_by_key(|interval| interval.span.start());
        let stretch = |interval: &Interval| Stretch {
            span: interval.span,
            cause: interval.cause,
            kernel: Stretch::other(kernel, interval.span, interval.cause),
        };
        Self {
            direction: wording.direction(connection, half),
            stretches: longest.into_iter().map(stretch).collect(),
            begun: 0,
        }
    }

    /// Comments for the intervals that started since the previous packet, up to `time`.
    fn begin(&mut self, time: Timestamp, wording: Wording<'_>, out: &mut Vec<String>) {
        let waiting = self.stretches.get(self.begun..).unwrap_or_default();
        let count = waiting.iter().take_while(|stretch| stretch.span.start() <= time).count();
        for stretch in waiting.iter().take(count) {
            let mut args = Args::new()
                .text("direction", self.direction.clone())
                .text("limit", wording.cause(stretch.cause))
                .text("time", wording.units().seconds(stretch.span.seconds()));
            let id = match stretch.kernel {
                Some(cause) => {
                    args = args.text("kernel", wording.cause(cause));
                    "annotate-stretch-kernel"
                }
                None => "annotate-stretch",
            };
            out.push(wording.catalogue().text(id, &args));
        }
        self.begun += count;
    }
}

/// Collects connections for [`Annotations`].
pub(crate) struct Annotate<'a> {
    into: &'a mut Annotations,
    wording: Wording<'a>,
}

impl<'a> Annotate<'a> {
    pub(crate) fn new(into: &'a mut Annotations, wording: Wording<'a>) -> Self {
        Self { into, wording }
    }
}

impl Sink for Annotate<'_> {
    fn connection(&mut self, mut connection: Connection) -> io::Result<()> {
        let annotations = &mut *self.into;
        if annotations.all.len() >= MOST_CONNECTIONS || annotations.stretches >= MOST_STRETCHES {
            annotations.left_out += 1;
            return Ok(());
        }
        let halves: Vec<_> = connection.halves.iter().map(|half| Half::new(&connection, half, self.wording)).collect();
        annotations.stretches += halves.iter().map(|half| half.stretches.len()).sum::<usize>();
        let verdict = principal_half(&connection).map_or_else(String::new, |half| self.wording.verdict(half));
        (connection.halves, connection.findings, connection.kernel) = (Vec::new(), Vec::new(), None);
        annotations.all.push(Subject { connection, verdict, halves });
        Ok(())
    }

    fn end_of_source(&mut self, end: EndOfSource<'_>) -> io::Result<()> {
        for subject in &mut self.into.all {
            subject.connection.id = (end.number)(&subject.connection);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

/// Adds comments to packets in the second pass.
struct Commenter<'a> {
    all: Vec<Subject>,
    /// Connections without a packet so far, by number and time of their first packet.
    awaited: HashMap<(u64, i64), usize>,
    /// Connections whose first packet was read.
    flows: HashMap<Flow, usize>,
    wording: Wording<'a>,
}

impl<'a> Commenter<'a> {
    fn new(all: Vec<Subject>, wording: Wording<'a>) -> Self {
        let first = |of: &Connection| (of.first_packet, of.span.start().as_nanos());
        let awaited = all.iter().enumerate().map(|(index, subject)| (first(&subject.connection), index)).collect();
        Self { all, awaited, flows: HashMap::new(), wording }
    }

    fn comments(&mut self, segment: &Segment) -> Vec<String> {
        let mut out = Vec::new();
        let flow = flow(segment.source, segment.destination);
        let begins = self.awaited.remove(&(segment.number, segment.timestamp.as_nanos()));
        if let Some(index) = begins {
            self.flows.insert(flow, index);
        }
        let Some(subject) = self.flows.get(&flow).and_then(|&index| self.all.get_mut(index)) else { return out };
        if begins.is_some() {
            let args =
                Args::new().text("n", subject.connection.id.to_string()).text("verdict", subject.verdict.clone());
            let id = if subject.verdict.is_empty() { "annotate-connection-silent" } else { "annotate-connection" };
            out.push(self.wording.catalogue().text(id, &args));
        }
        for half in &mut subject.halves {
            half.begin(segment.timestamp, self.wording, &mut out);
        }
        out
    }
}

/// Finds the place of the copy. Fails if it may not be written, before anything is read.
pub(crate) fn prepare(args: &ExplainArgs, path: &Path, wording: Wording<'_>) -> Result<Output> {
    if args.interface.is_none() && args.files.len() > 1 {
        return Err(Wrong::said(wording.catalogue().word("annotate-one-capture")));
    }
    let output = Output::prepare(path, &file::policy(args.inputs(), args.overwrite, &[COPY_MARK]))?;
    Ok(match (output, &args.files[..]) {
        (Output::Named(target), [capture]) => Output::Named(target.no_more_open_than(capture)),
        (output, _) => output,
    })
}

/// Writes the copy to `output`.
pub(crate) fn write(
    args: &ExplainArgs,
    inputs: &Inputs,
    output: &Output,
    annotations: Annotations,
    wording: Wording<'_>,
) -> Result<()> {
    let left_out = annotations.left_out;
    let mut commenter = Commenter::new(annotations.all, wording);
    let (mut comments, mut written) = (0, None);
    match output {
        Output::Standard => comments = copy(args, inputs, &mut stdout(), &mut commenter)?,
        Output::Named(target) => {
            written = Some(target.replace(|out| {
                comments = copy(args, inputs, out, &mut commenter)?;
                Ok(())
            })?);
        }
    }
    if !args.quiet {
        let connections = (commenter.all.len() - commenter.awaited.len()) as u64;
        let told = Args::new().number("comments", comments).number("connections", connections);
        if let (Some(written), Some(path)) = (written, &args.annotate) {
            file::say_written_as(wording, "annotate-done", told, path, written.bytes);
        }
        if left_out > 0 {
            message::say(wording.catalogue().text("annotate-left-out", &Args::new().number("count", left_out)));
        }
    }
    Ok(())
}

/// Writes the copy and returns the number of comments.
fn copy(args: &ExplainArgs, inputs: &Inputs, out: &mut dyn Write, commenter: &mut Commenter<'_>) -> io::Result<u64> {
    /// Packets between two updates of the progress.
    const STEP: u64 = 4096;
    let mut progress = Progress::new(&inputs.name(0), args.quiet);
    let reader = reader(inputs)?;
    let total = reader.bytes_total();
    let mut copy = AnnotatedCopy::new(reader, BufWriter::with_capacity(1 << 18, out))?;
    let mut packets = 0_u64;
    while copy.next_packet(&mut |segment| commenter.comments(segment))? {
        packets += 1;
        if packets.is_multiple_of(STEP) {
            progress.advance(Reached { read: copy.bytes_read(), total, connections: 0 });
        }
    }
    progress.clear();
    copy.flush()?;
    // The file may have been truncated during the read.
    inputs.check(0)?;
    Ok(copy.comments())
}

/// The single capture.
fn reader(inputs: &Inputs) -> Result<CaptureReader> {
    match inputs.open(0).context(failure("capture-not-read-again"))? {
        Source::Single(reader) => Ok(*reader),
        Source::Merged(_) => bail!(failure("merged-captures")),
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_analysis::Side;
    use tcpwhy_model::{Limit, TimelineBuilder};

    use super::*;

    const BUFFER: Cause = Cause::plain(Limit::SendBuffer);
    const WINDOW: Cause = Cause::plain(Limit::ReceiveWindow);

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_nanos(millis * 1_000_000)
    }

    /// A kernel that was sampled every 100 ms during ten seconds under the send buffer.
    #[test]
    fn the_kernel_speaks_of_what_it_has_sampled() {
        let mut builder = TimelineBuilder::new(at(0));
        builder.push(at(10_000), BUFFER, 0.9, None);
        let kernel = builder.finish();
        let both = KernelHalf {
            sender: Side::A,
            samples: 100,
            packets: kernel.clone(),
            kernel,
            disagreement: 0.5,
            clocks: None,
            watched: 0,
            word: KernelWord::Agrees,
        };
        let says = |from, to, cause| Stretch::other(Some(&both), Span::new(at(from), at(to)), cause);
        assert_eq!(says(1000, 3000, WINDOW), Some(BUFFER));
        assert_eq!(says(1000, 3000, BUFFER), None, "the same");
        assert_eq!(says(1000, 1150, WINDOW), None, "between two samples");
        assert_eq!(says(9900, 30_000, WINDOW), None, "it has ended");
        assert_eq!(says(-500, 300, WINDOW), Some(BUFFER), "of the part that it saw");
        assert_eq!(Stretch::other(None, Span::new(at(0), at(3000)), WINDOW), None);
    }

    #[test]
    fn each_stretch_is_told_once_on_the_packet_that_comes_with_it_or_next() {
        let catalogue = tcpwhy_report::Catalogue::new(tcpwhy_report::Language::English);
        let wording = Wording::new(&catalogue);
        let stretch = |from, to, cause| Stretch { span: Span::new(at(from), at(to)), cause, kernel: None };
        let stretches = vec![stretch(0, 10, BUFFER), stretch(10, 20, WINDOW), stretch(20, 50, BUFFER)];
        let mut half = Half { direction: "a → b".to_owned(), stretches, begun: 0 };
        let mut begun = |millis| {
            let mut out = Vec::new();
            half.begin(at(millis), wording, &mut out);
            out
        };
        assert_eq!(begun(0), ["a → b: send buffer for 10.0 ms"]);
        assert_eq!(begun(9).len(), 0);
        assert_eq!(begun(25).len(), 2, "two began since");
        assert_eq!(begun(60).len() + begun(5).len(), 0);
    }
}
