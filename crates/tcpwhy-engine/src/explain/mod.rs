//! The main entry point: from a path or a reader to connections with their verdicts.

mod error;
mod explanation;

use std::io::{self, Read};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use tcpwhy_analysis::Connection;
use tcpwhy_capture::{CaptureError, CaptureReader, MergedReader};

use crate::plan::{Delivery, Plan};
use crate::progress::Reached;
use crate::recorded::RecordedSockets;
use crate::run::run;
use crate::server_names::NameListener;
use crate::{Numbering, Source};

pub use error::ExplainError;
pub use explanation::{Explanation, Reading};

/// Explains a capture: what kept each of its TCP connections from going faster.
///
/// Begin with [`Self::path`], [`Self::reader`] or [`Self::captures`]. Add options, and end with [`Self::run`]
/// or [`Self::for_each`], which open the input. pcap and pcapng are read, plain, gzip or zstd.
///
/// ```
/// use tcpwhy_engine::{Explain, Limit};
///
/// let explanation = Explain::path("../../samples/send-buffer.pcap.gz").run()?;
/// let half = explanation.connections[0].principal_half().ok_or("no data")?;
/// assert_eq!(half.verdict.cause.map(|cause| cause.limit), Some(Limit::SendBuffer));
/// println!("{:.2} s of {:.2} s", half.verdict.seconds, half.span.seconds());
/// for finding in &half.findings {
///     println!("{}: {:?}", finding.rule, finding.seconds);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is read before `run` or `for_each`"]
pub struct Explain<'a> {
    input: Input,
    plan: Plan<'a>,
    progress: Option<Box<dyn FnMut(Reached) + 'a>>,
    filter: Option<Box<Filter<'a>>>,
    has_server_names: bool,
}

/// Decides whether a connection is kept.
type Filter<'a> = dyn FnMut(&Connection) -> bool + Send + 'a;

/// Receives connections, with their numbers if these are known.
type Keep<'a> = dyn FnMut(Connection, Option<u64>) -> io::Result<()> + Send + 'a;

/// The source of the packets.
enum Input {
    Path(PathBuf),
    Reader(Box<dyn Read + Send>, String),
    Captures(Vec<CaptureReader>),
}

impl Input {
    fn open(self) -> Result<Vec<CaptureReader>, CaptureError> {
        match self {
            Self::Path(path) => Ok(vec![CaptureReader::open(&path)?]),
            Self::Reader(reader, name) => Ok(vec![CaptureReader::from_read(reader, &name)?]),
            Self::Captures(readers) => Ok(readers),
        }
    }
}

impl<'a> Explain<'a> {
    /// Explains the capture in the file `path`. `-` is a file name like any other.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self::of(Input::Path(path.into()))
    }

    /// Explains the capture that `reader` returns, for example [`std::io::stdin`]. `name` is its path in the
    /// [`CaptureSummary`](tcpwhy_capture::CaptureSummary) and in errors.
    ///
    /// Reads are large, so `reader` needs no buffer.
    pub fn reader(reader: impl Read + Send + 'static, name: impl Into<String>) -> Self {
        Self::of(Input::Reader(Box::new(reader), name.into()))
    }

    /// Explains captures that are open and not yet read. The packets of several are merged by time, for
    /// example those of a ring of files. Without any the explanation is empty.
    pub fn captures(readers: impl IntoIterator<Item = CaptureReader>) -> Self {
        Self::of(Input::Captures(readers.into_iter().collect()))
    }

    fn of(input: Input) -> Self {
        Self { input, plan: Plan::default(), progress: None, filter: None, has_server_names: false }
    }

    /// Sets the number of threads, by default one per processor and at most 8. With one thread, the caller's
    /// thread does everything. The result does not depend on the number.
    pub const fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.plan.threads = threads;
        self
    }

    /// Stops with [`ExplainError::Stopped`] soon after `flag` is set: within a batch of packets, unless the
    /// reader blocks.
    pub const fn stop(mut self, flag: &'a AtomicBool) -> Self {
        self.plan.stop = flag;
        self
    }

    /// Calls `progress` on the caller's thread with the progress so far, about 10 times per second.
    pub fn progress(mut self, progress: impl FnMut(Reached) + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Keeps the connections for which `filter` returns true; [`Reading::excluded`] counts the others. All
    /// packets are analysed. `filter` gets a connection before its number is final and before kernel samples
    /// are added.
    pub fn filter(mut self, filter: impl FnMut(&Connection) -> bool + Send + 'a) -> Self {
        self.filter = Some(Box::new(filter));
        self
    }

    /// Reads the names that clients use for their servers (TLS server name, HTTP host) into
    /// [`Connection::server_name`]. By default no payload is read.
    pub const fn server_names(mut self) -> Self {
        self.has_server_names = true;
        self
    }

    /// Keeps all requests of a connection, not only the slowest ones. Memory grows with the requests.
    pub const fn all_exchanges(mut self) -> Self {
        self.plan.keeps_exchanges = true;
        self
    }

    /// Reads to the end and returns all connections.
    ///
    /// # Errors
    /// The input cannot be opened or is not a capture, the work was stopped, or no thread can be started.
    /// Damage is not an error: [`Reading`] contains it, with the connections that could be read.
    pub fn run(self) -> Result<Explanation, ExplainError> {
        let mut connections = Vec::new();
        let mut keep = |connection, _| {
            connections.push(connection);
            Ok(())
        };
        let (reading, numbering) = self.read(Delivery::Bulk, &mut keep)?;
        for connection in &mut connections {
            connection.id = numbering.number(connection, 0);
        }
        connections.sort_by_key(|connection: &Connection| connection.id);
        Ok(Explanation::new(connections, reading))
    }

    /// Reads to the end and passes each connection to `each` when it has ended, with its final number. The
    /// calls come one at a time, but on any thread. The order is that in which connections end; the
    /// connections are the same as from [`Self::run`]. [`Folds`](tcpwhy_analysis::Folds) can add them one by
    /// one.
    ///
    /// A connection has ended 60 s after it closed, or after 2 h without a packet, by the capture's clock.
    /// Memory grows with the connections that have not ended. Connections whose losses look like a shared
    /// policer come at the end, and up to 10,000 wait for the kernel's samples of a recording.
    ///
    /// ```
    /// use tcpwhy_engine::{Explain, Folds};
    ///
    /// let mut folds = Folds::default();
    /// let reading = Explain::path("../../samples/send-buffer.pcap.gz").for_each(|connection| {
    ///     folds.add(&connection);
    ///     Ok(())
    /// })?;
    /// assert_eq!((reading.connections, folds.problems.ranked().len()), (1, 1));
    /// # Ok::<(), tcpwhy_engine::ExplainError>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Self::run`], and the first error of `each`, which ends the work, as [`ExplainError::Io`].
    pub fn for_each(self, mut each: impl FnMut(Connection) -> io::Result<()> + Send) -> Result<Reading, ExplainError> {
        let mut keep = |mut connection: Connection, number: Option<u64>| {
            // Invariant: `Numbered` delivers every connection with its number.
            connection.id = number.unwrap_or(connection.id);
            each(connection)
        };
        Ok(self.read(Delivery::Numbered, &mut keep)?.0)
    }

    fn read(self, delivery: Delivery, keep: &mut Keep<'_>) -> Result<(Reading, Numbering), ExplainError> {
        let Self { input, plan, mut progress, mut filter, has_server_names } = self;
        let mut readers = input.open()?;
        let mut sockets = RecordedSockets::default();
        let names = has_server_names.then(NameListener::default);
        for reader in &mut readers {
            sockets.follow(reader);
            if let Some(names) = &names {
                names.listen(reader);
            }
        }
        let source = match readers.pop() {
            Some(only) if readers.is_empty() => Source::Single(Box::new(only)),
            last => Source::Merged(MergedReader::new(readers.into_iter().chain(last).collect())),
        };
        let mut excluded = 0;
        let mut present = |mut connection: Connection, number: Option<u64>| {
            if let Some(names) = &names {
                names.name(&mut connection);
            }
            if filter.as_mut().is_some_and(|filter| !filter(&connection)) {
                excluded += 1;
                return Ok(());
            }
            sockets.present(connection, number, keep)
        };
        let mut reached = |reached| {
            if let Some(progress) = &mut progress {
                progress(reached);
            }
        };
        let is_stopped =
            |error: &io::Error| error.kind() == io::ErrorKind::Interrupted && plan.stop.load(Ordering::Relaxed);
        let failed = |error| if is_stopped(&error) { ExplainError::Stopped } else { ExplainError::Io(error) };
        let outcome = run(source, delivery, &plan, &mut reached, &mut present).map_err(failed)?;
        let gaps = sockets.conclude(keep).map_err(failed)?;
        let reading = Reading {
            captures: outcome.ending.summaries,
            failures: outcome.ending.failures,
            gaps,
            connections: outcome.connections,
            excluded,
        };
        Ok((reading, outcome.numbering))
    }
}
