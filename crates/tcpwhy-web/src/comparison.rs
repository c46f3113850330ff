//! Comparison of two captures, with the charts of both.

use std::io;

use tcpwhy_analysis::Connection;
use tcpwhy_capture::{CaptureError, CaptureReader};
use tcpwhy_engine::compare::{Captures, CompareError, CompareRequest, Compared, compare};
use tcpwhy_engine::{Plan, Reached, Source};
use tcpwhy_model::{CaptureSummary, Explained as _};
use tcpwhy_report::compare::{CompareMode, Comparison};
use tcpwhy_report::{Args, Wording};
use tcpwhy_view::data::{ConnectionChart, View};
use tcpwhy_view::{Gatherer, Wanted};

use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::messages;
use crate::progress::Progress;

/// Most pairs that are shown, the same number as in `tcpwhy compare`.
const PAIRS: usize = 10;

/// The data of a comparison for the page.
pub(crate) struct Answer {
    pub(crate) comparison: Comparison,
    pub(crate) view: View,
    pub(crate) charts: Vec<ConnectionChart>,
    /// Lines that a terminal would print.
    pub(crate) messages: Vec<String>,
}

/// Compares the first two captures of `inputs`.
pub(crate) fn answer(inputs: &Inputs, wording: Wording<'_>) -> Result<Answer, Failure> {
    let mut captures = Read { inputs, wording, progress: Progress::default(), before: 0, messages: Vec::new() };
    let request = CompareRequest { connections: None, top: Some(PAIRS), rename: None, plan: Plan::default() };
    let compared = compare(&mut captures, &request);
    let mut messages = captures.messages;
    let said = |error: CompareError| Failure::Said(wording.catalogue().message(&error.message()));
    let Compared { comparison, summaries, failures } = compared.map_err(said)?;
    if is_continued(&comparison) {
        return Err(Failure::PartsOfOne);
    }
    messages.extend(failures.iter().map(|failure| wording.catalogue().message(&failure.message())));
    let view = View::of_comparison(comparison.clone(), summaries, wording.catalogue().language(), true);
    let charts = charts(inputs, &view)?;
    Ok(Answer { comparison, view, charts, messages })
}

/// Whether a connection of one capture continues in the other, as in files of a ring. Both parts have the
/// same ends and ports, and the later part begins after the earlier one.
fn is_continued(comparison: &Comparison) -> bool {
    let goes_on = |early: &Connection, late: &Connection| {
        let are_same = [late.endpoints, [late.endpoints[1], late.endpoints[0]]].contains(&early.endpoints);
        are_same && late.initiator.is_none() && late.span.start() >= early.span.end()
    };
    comparison.mode != CompareMode::Ends
        && comparison.pairs.iter().any(|pair| {
            let [a, b] = &pair.connections;
            goes_on(a, b) || goes_on(b, a)
        })
}

/// The charts that fit the page. Each capture is read once for all of its charts.
fn charts(inputs: &Inputs, view: &View) -> Result<Vec<ConnectionChart>, Failure> {
    let plan = view.plan();
    let mut charts = Vec::new();
    for source in 0..inputs.len() {
        let here: Vec<_> = plan.iter().filter(|(entry, _)| entry.source == source).collect();
        let wanted: Vec<_> = here.iter().map(|(entry, budget)| Wanted::whole(&entry.connection, *budget)).collect();
        let mut gatherer = Gatherer::new(&wanted);
        let captures = inputs.open_with(source, |_| {}).map_err(io::Error::other)?;
        let mut observe = |batch: &[_]| gatherer.observe_all(batch);
        tcpwhy_engine::read(captures, &Plan::default(), &mut |_, _| {}, &mut observe)?;
        let drawn = here.iter().zip(gatherer.finish());
        charts.extend(drawn.filter_map(|((entry, _), seen)| Some(ConnectionChart::of(&entry.connection, &seen?))));
    }
    Ok(charts)
}

/// The captures while they are read, and the lines about them.
struct Read<'a> {
    inputs: &'a Inputs,
    wording: Wording<'a>,
    progress: Progress,
    /// Number of connections in the captures before.
    before: u64,
    messages: Vec<String>,
}

impl Captures for Read<'_> {
    fn open(&self, side: usize) -> Result<Source, CaptureError> {
        self.inputs.open_with(side, |reader: &mut CaptureReader| self.progress.follow(reader))
    }

    fn name(&self, side: usize) -> String {
        self.inputs.files.get(side).cloned().unwrap_or_default()
    }

    fn reached(&mut self, _: usize, reached: Reached) {
        self.progress.report(&*self.inputs.disk, self.before + reached.connections);
    }

    fn read(&mut self, _: usize, summaries: &[CaptureSummary]) {
        self.messages.extend(messages::of_captures(summaries, self.wording));
    }

    fn overflowed(&mut self, side: usize) {
        let args = Args::new().text("name", self.name(side));
        self.messages.push(self.wording.catalogue().text("compare-full", &args));
    }
}
