use std::io;
use std::sync::Arc;

use serde_json::value::RawValue;
use tcpwhy_analysis::Connection;
use tcpwhy_capture::CaptureReader;
use tcpwhy_engine::recorded::RecordedSockets;
use tcpwhy_engine::{Delivery, Plan, Reached};
use tcpwhy_model::Explained as _;
use tcpwhy_report::compare::Comparison;
use tcpwhy_report::dto::{CompareDocument, Presentation};
use tcpwhy_report::{Catalogue, Language, Wording, recording_gap_lines};
use tcpwhy_view::data::{ConnectionChart, Survey, View};
use tcpwhy_view::{Details, Gatherer, Query, Recorded};

use crate::disk::Disk;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::progress::Progress;
use crate::request::{File, Request};
use crate::{buffers, comparison, document, messages};

/// The answer to [`Request::Explain`].
#[derive(serde::Serialize)]
struct Explained {
    messages: Vec<String>,
    view: Box<RawValue>,
}

/// The captures of a page, and the results about them.
pub struct Session {
    inputs: Inputs,
    details: Option<Details>,
    /// Differences between the captures, if the page compares them.
    comparison: Option<Comparison>,
    /// Whether a read error has been reported already.
    is_failure_known: bool,
}

impl Session {
    /// A session without captures.
    pub fn new(disk: Arc<dyn Disk>) -> Self {
        let inputs = Inputs { disk, files: Vec::new(), is_merged: false };
        Self { inputs, details: None, comparison: None, is_failure_known: false }
    }

    /// Answers a request of JSON ([`Request`]) with JSON.
    pub fn answer(&mut self, request: &str) -> Result<String, Failure> {
        match serde_json::from_str(request).map_err(|error| Failure::Said(error.to_string()))? {
            Request::Explain { files, is_merged, language } => self.explain(files, is_merged, &language),
            Request::Compare { files, language } => self.compare(files, &language),
            Request::Chart { query } => self.chart(&query),
            Request::Document { language, has_timeline } => {
                let catalogue = Catalogue::new(Language::from_locale(&language));
                let wording = Wording::new(&catalogue);
                match &self.comparison {
                    Some(compared) => to_json(&CompareDocument::new(compared, Presentation::new(wording))),
                    None => Ok(document::document(&self.inputs, wording, has_timeline)?),
                }
            }
            Request::Buffers(asked) => to_json(&buffers::answer(&asked).map_err(Failure::Said)?),
        }
    }

    /// Reads the captures for the limits of every connection. Charts are made on request.
    fn explain(&mut self, files: Vec<File>, is_merged: bool, language: &str) -> Result<String, Failure> {
        self.inputs.files = files.into_iter().map(|file| file.name).collect();
        self.inputs.is_merged = is_merged;
        self.comparison = None;
        let language = Language::from_locale(language);
        let catalogue = Catalogue::new(language);
        let wording = Wording::new(&catalogue);
        let mut survey = Survey::new();
        let mut messages = Vec::new();
        let (mut before, mut explained) = (0, 0_usize);
        let progress = Progress::default();
        for index in 0..self.inputs.len() {
            let mut sockets = RecordedSockets::default();
            let follow = |reader: &mut CaptureReader| {
                sockets.follow(reader);
                progress.follow(reader);
            };
            let source = match self.inputs.open_with(index, follow) {
                Ok(source) => source,
                Err(error) => {
                    messages.push(catalogue.message(&error.message()));
                    survey.skip_source();
                    continue;
                }
            };
            let mut tell = |mut connection: Connection, number: Option<u64>| {
                if let Some(number) = number {
                    connection.id = number + before;
                }
                survey.add(connection);
                Ok(())
            };
            let mut present = |connection, number| sockets.present(connection, number, &mut tell);
            let disk = &*self.inputs.disk;
            let mut advance = |reached: Reached| progress.report(disk, before + reached.connections);
            let outcome = tcpwhy_engine::run(source, Delivery::Bulk, &Plan::default(), &mut advance, &mut present)?;
            messages.extend(recording_gap_lines(&sockets.conclude(&mut tell)?, wording));
            messages.extend(outcome.ending.failures.iter().map(|failure| catalogue.message(&failure.message())));
            let captures = outcome.ending.summaries;
            messages.extend(messages::of_captures(&captures, wording));
            survey.end_of_source(captures, &|connection| outcome.numbering.number(connection, before));
            before += outcome.connections;
            progress.report(disk, before);
            explained += 1;
        }
        if explained == 0 {
            return Err(Failure::Said(messages.join("\n")));
        }
        if before == 0 {
            messages.push(catalogue.word("head-no-connections"));
        }
        self.is_failure_known = survey.has_read_error();
        let view = View::new(survey, language, None, true);
        self.show(view, &[], messages)
    }

    /// Compares two captures, with the charts of both.
    fn compare(&mut self, files: Vec<File>, language: &str) -> Result<String, Failure> {
        self.inputs.files = files.into_iter().map(|file| file.name).collect();
        self.inputs.is_merged = false;
        let catalogue = Catalogue::new(Language::from_locale(language));
        let answer = comparison::answer(&self.inputs, Wording::new(&catalogue))?;
        self.is_failure_known = answer.view.survey().has_read_error();
        self.comparison = Some(answer.comparison);
        self.show(answer.view, &answer.charts, answer.messages)
    }

    /// Returns the page's data as JSON; from then on requests about its connections are answered.
    fn show(&mut self, view: View, charts: &[ConnectionChart], messages: Vec<String>) -> Result<String, Failure> {
        // The text is JSON by construction.
        let shown = RawValue::from_string(view.to_json(charts)).map_err(io::Error::from)?;
        self.details = Some(Details::new(view, None));
        to_json(&Explained { messages, view: shown })
    }

    /// Reads the capture again for the charts of one connection.
    fn chart(&mut self, query: &str) -> Result<String, Failure> {
        let query = Query::parse(query).ok_or_else(|| Failure::Said(format!("not a query: {query}")))?;
        let details = self.details.as_mut().ok_or(Failure::NoSuchConnection)?;
        let look = |source, gatherer| look(&self.inputs, source, gatherer, self.is_failure_known);
        details.answer(query, look)?.ok_or(Failure::NoSuchConnection)
    }
}

/// Passes the packets of a source to `gatherer`.
fn look(inputs: &Inputs, source: usize, mut gatherer: Gatherer, is_failure_known: bool) -> io::Result<Recorded> {
    let mut sockets = RecordedSockets::where_wanted(gatherer.charted_ports(), gatherer.wants_kernel());
    let listen = |reader: &mut _| {
        if let Some(sockets) = &mut sockets {
            sockets.follow(reader);
        }
    };
    let captures = inputs.open_with(source, listen).map_err(io::Error::other)?;
    let mut observe = |batch: &[_]| gatherer.observe_all(batch);
    let failures = tcpwhy_engine::read(captures, &Plan::default(), &mut |_, _| {}, &mut observe)?;
    if let Some(failure) = failures.into_iter().next().filter(|_| !is_failure_known) {
        return Err(io::Error::other(failure));
    }
    let mut recorded = gatherer.finish().into_iter().next().flatten();
    if let Some(sockets) = sockets {
        if let Some(recorded) = &mut recorded {
            recorded.add_sockets(sockets.points(&recorded.connection));
        }
        sockets.complete(recorded.iter_mut().map(|recorded| &mut recorded.connection));
    }
    recorded.ok_or_else(|| io::Error::other("the capture has changed since it was first read"))
}

fn to_json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Said(error.to_string()))
}
