//! Analyses inputs to the content of a report, without the interpreter's lock.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tcpwhy_analysis::{Connection, Folds};
use tcpwhy_capture::{CaptureError, CaptureReader, CaptureSummary};
use tcpwhy_engine::{Explain, ExplainError, Explanation};
use tcpwhy_model::{CaptureStatus, Explained as _, Message};

use crate::errors::Failure;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::language::Words;
use crate::options::{Options, ServerNames};

/// Data behind a report and its objects.
pub(crate) struct Content {
    /// Paths or names, as given or anonymised.
    pub(crate) names: Vec<String>,
    /// Whether these names belong to these captures alone.
    pub(crate) is_named: bool,
    /// Inputs for a second pass; none for members of archives.
    pub(crate) inputs: Vec<Input>,
    /// Connections in the order of their first packets. Their ids are their indices among all connections of
    /// the capture.
    pub(crate) connections: Vec<Connection>,
    /// Number of connections that the filter excluded.
    pub(crate) excluded: u64,
    /// A summary of each opened input.
    pub(crate) captures: Vec<CaptureSummary>,
    /// Reason why nothing was read.
    pub(crate) failure: Option<Failure>,
    /// Reason why an input could not be read to its end.
    pub(crate) cut_short: Option<Message>,
    /// Language of its messages.
    pub(crate) words: Words,
    /// Seconds that reading and analysis took.
    pub(crate) analysis_s: f64,
    /// Length of the input, if it is one and its length is known.
    pub(crate) input_bytes: Option<u64>,
    /// SHA-256 of the only input, in hexadecimal digits.
    pub(crate) input_sha256: Option<String>,
    /// Entity tag of the input in an object store.
    pub(crate) input_etag: Option<String>,
    folds: OnceLock<Folds>,
}

impl Content {
    fn new(inputs: Vec<Input>, options: &Options) -> Self {
        Self {
            names: inputs.iter().map(|input| options.shown(&input.name)).collect(),
            is_named: inputs.iter().all(|input| input.is_named),
            inputs,
            connections: Vec::new(),
            excluded: 0,
            captures: Vec::new(),
            failure: None,
            cut_short: None,
            words: options.words,
            analysis_s: 0.0,
            input_bytes: None,
            input_sha256: None,
            input_etag: None,
            folds: OnceLock::new(),
        }
    }

    /// Content for a capture that could not be read at all.
    pub(crate) fn failed(name: &str, failure: Failure, options: &Options) -> Self {
        Self { names: vec![options.shown(name)], failure: Some(failure), ..Self::new(Vec::new(), options) }
    }

    /// The services and problems of its connections, computed once.
    pub(crate) fn folds(&self) -> &Folds {
        self.folds.get_or_init(|| Folds::of(&self.connections))
    }

    /// The path of the first capture, for a heading.
    pub(crate) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }
}

/// Analyses `inputs` as one source, on the thread of the Python call, and checks for signals.
pub(crate) fn analyse(inputs: Vec<Input>, options: &Options) -> Result<Content, Failure> {
    let stop = AtomicBool::new(false);
    let mut interrupt = Interrupt::new(&stop);
    let content = work(inputs, options, &stop, &mut || interrupt.check());
    match interrupt.into_error() {
        Some(error) => Err(Failure::Python(error)),
        None => content,
    }
}

/// Analyses `inputs` as one source until `stop` is set. `progress` is called on this thread at intervals.
pub(crate) fn work(
    inputs: Vec<Input>,
    options: &Options,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(),
) -> Result<Content, Failure> {
    let mut readers = Vec::with_capacity(inputs.len());
    for input in &inputs {
        let shown = options.shown(&input.name);
        readers.push(input.open(&shown)?);
    }
    let mut content = Content::new(inputs, options);
    let analysed = read(&mut content, readers, options, stop, progress);
    if let Some(error) = content.inputs.iter().find_map(Input::take_raised) {
        return Err(Failure::Python(error));
    }
    analysed?;
    Ok(content)
}

/// Analyses one capture that a listing has opened, instead of its inputs.
pub(crate) fn work_on(
    reader: CaptureReader,
    name: String,
    options: &Options,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(),
) -> Result<Content, Failure> {
    let mut content = Content::new(Vec::new(), options);
    // The listing has already anonymised the name, if required.
    content.names = vec![name];
    read(&mut content, vec![reader], options, stop, progress)?;
    Ok(content)
}

fn read(
    content: &mut Content,
    mut readers: Vec<CaptureReader>,
    options: &Options,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(),
) -> Result<(), Failure> {
    let begin = Instant::now();
    let mut hash = None;
    if let [reader] = &mut readers[..] {
        content.input_bytes = reader.bytes_total();
        // The hash would identify the anonymised capture to anyone who has the original.
        hash = options.anonymizer.is_none().then(|| reader.hash_content());
    }
    let plan = options.plan(stop);
    let mut explain = Explain::captures(readers).threads(plan.threads).stop(stop).progress(|_| progress());
    if plan.keeps_exchanges {
        explain = explain.all_exchanges();
    }
    if options.server_names == ServerNames::Read {
        explain = explain.server_names();
    }
    let explain = explain.filter(|connection| options.filter.holds(connection));
    let Explanation { mut connections, reading, .. } = explain.run().map_err(failed)?;
    if let Some(anonymizer) = &options.anonymizer {
        for connection in &mut connections {
            anonymizer.connection(connection);
        }
    }
    content.connections = connections;
    content.excluded = reading.excluded;
    content.captures = reading.captures;
    content.cut_short = reading.failures.first().map(CaptureError::message);
    content.analysis_s = begin.elapsed().as_secs_f64();
    content.input_sha256 = hash.and_then(|hash| hash.hex());
    content.failure = failure_of(content, reading.failures);
    Ok(())
}

/// The reason why no capture could be read at all, if so.
fn failure_of(content: &Content, failures: Vec<CaptureError>) -> Option<Failure> {
    let is_failed = |capture: &CaptureSummary| capture.status() == CaptureStatus::Failed;
    let capture = content.captures.first().filter(|_| content.captures.iter().all(is_failed))?;
    if let Some(failure) = failures.into_iter().next() {
        let path = content.inputs.first().and_then(Input::path);
        return Some(Failure::of(failure, path.map(PathBuf::as_path)));
    }
    let anomaly = capture.anomalies.iter().next();
    let text = anomaly.map(|anomaly| content.words.wording().anomaly(anomaly)).unwrap_or_default();
    // "PATH: the file ends within a packet".
    Some(Failure::Unreadable(Message::new("at").with("place", content.name()).with("what", text)))
}

fn failed(error: ExplainError) -> Failure {
    match error {
        ExplainError::Stopped => Failure::Stopped,
        ExplainError::Capture(error) => Failure::of(error, None),
        ExplainError::Io(error) => Failure::Other(error),
        error => Failure::Unreadable(error.message()),
    }
}
