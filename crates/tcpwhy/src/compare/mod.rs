//! `tcpwhy compare`: two captures, two connections, or the two ends of one connection.

mod args;
mod page;

use std::io::Write as _;
use std::mem::take;

use tcpwhy_analysis::Connection;
use tcpwhy_capture::CaptureError;
use tcpwhy_engine::compare::{Captures, CompareRequest, Compared, compare};
use tcpwhy_engine::{Plan, Reached, Source};
use tcpwhy_model::CaptureSummary;
use tcpwhy_report::dto::{CompareDocument, Presentation};
use tcpwhy_report::text::CompareReport;
use tcpwhy_report::{Anonymizer, Args, Wording};

use crate::damage;
use crate::exit::{EXIT_ERROR, ExitStatus};
use crate::inputs::Inputs;
use crate::message;
use crate::progress::Progress;
use crate::rights;
use crate::standard_output::stdout;
use crate::wrong::Result;
pub(crate) use args::{CompareArgs, numbers};

/// Compares the captures that `args` name.
pub(crate) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let catalogue = args.catalogue();
    let wording = Wording::new(&catalogue);
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let files = [args.first.clone(), args.second.clone()];
    // An unwritable path is an error before anything is read.
    let page = page::Output::prepare(args, &files)?;
    let settle = || {
        let page = page.map(page::Output::hand_over).transpose()?;
        rights::confine(&rights::reading(&files))?;
        Ok(page)
    };
    let (inputs, page) = Inputs::repeatable(&files, false, anonymizer.as_ref(), settle)?;
    let request = Request {
        connections: args.connections,
        top: if args.json { None } else { Some(args.top) },
        is_quiet: args.quiet,
        plan: Plan::default(),
    };
    let Compared { comparison, summaries, failures } = compared(&inputs, &request, anonymizer.as_ref(), wording)?;
    let has_failed = !failures.is_empty();
    for failure in failures {
        // The data before the failure is compared.
        message::say(message::words(&failure));
    }
    if let Some(page) = page {
        page.write(args, &inputs, &comparison, summaries, wording)?;
        return Ok(if has_failed { ExitStatus::from(EXIT_ERROR) } else { ExitStatus::SUCCESS });
    }
    let mut out = stdout();
    if args.json {
        let document = CompareDocument::new(&comparison, Presentation::new(wording));
        out.write_json(&document)?;
    } else {
        let report = CompareReport { wording, look: args.look.look(), comparison: &comparison, top: args.top };
        write!(out, "{report}")?;
    }
    out.flush()?;
    Ok(if has_failed { ExitStatus::from(EXIT_ERROR) } else { ExitStatus::SUCCESS })
}

/// Options of a comparison.
pub(crate) struct Request<'a> {
    /// Two connections, by their numbers.
    pub(crate) connections: Option<[u64; 2]>,
    /// Most pairs to show; `None` for all.
    pub(crate) top: Option<usize>,
    /// Whether reports of damage are suppressed.
    pub(crate) is_quiet: bool,
    pub(crate) plan: Plan<'a>,
}

/// Messages about unreadable parts and anomalies of both captures.
pub(crate) fn damage(compared: &Compared, wording: Wording<'_>) -> Vec<String> {
    let anomalies = |letter: &'static str, side: usize| {
        let all = compared.summaries[side].iter().flat_map(|capture| capture.anomalies.iter());
        all.map(move |anomaly| format!("{letter}: {}", wording.anomaly(anomaly)))
    };
    let failures = compared.failures.iter().map(message::words);
    anomalies("A", 0).chain(anomalies("B", 1)).chain(failures).collect()
}

/// Compares the first two of `inputs`.
pub(crate) fn compared(
    inputs: &Inputs,
    request: &Request<'_>,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
) -> Result<Compared> {
    let mut captures = Read { inputs, wording, is_quiet: request.is_quiet, progress: None };
    let rename = anonymizer.map(|anonymizer| move |connection: &mut Connection| anonymizer.connection(connection));
    let asked = CompareRequest {
        connections: request.connections,
        top: request.top,
        rename: rename.as_ref().map(|rename| rename as &(dyn Fn(&mut Connection) + Sync)),
        plan: request.plan,
    };
    let compared = compare(&mut captures, &asked);
    captures.clear();
    let mut compared = compared?;
    if let Some(anonymizer) = anonymizer {
        let comparison = &mut compared.comparison;
        comparison.attempts = take(&mut comparison.attempts).renamed(&|address| anonymizer.address(address));
    }
    Ok(compared)
}

/// Reads the captures, with progress and warnings on standard error.
struct Read<'a> {
    inputs: &'a Inputs,
    wording: Wording<'a>,
    is_quiet: bool,
    progress: Option<Progress>,
}

impl Read<'_> {
    /// Removes the progress from the screen.
    fn clear(&mut self) {
        if let Some(mut progress) = self.progress.take() {
            progress.clear();
        }
    }
}

impl Captures for Read<'_> {
    fn open(&self, side: usize) -> Result<Source, CaptureError> {
        self.inputs.open(side)
    }

    fn name(&self, side: usize) -> String {
        self.inputs.name(side)
    }

    fn reached(&mut self, side: usize, reached: Reached) {
        let progress = self.progress.get_or_insert_with(|| Progress::new(&self.inputs.name(side), self.is_quiet));
        progress.advance(reached);
    }

    fn read(&mut self, _: usize, summaries: &[CaptureSummary]) {
        self.clear();
        if !self.is_quiet {
            damage::warn(summaries, self.wording);
        }
    }

    fn overflowed(&mut self, side: usize) {
        let args = Args::new().text("name", self.inputs.name(side));
        message::say(self.wording.catalogue().text("compare-full", &args));
    }
}
