//! `tcpwhy explain`: what was typed becomes what is done.

use crate::exit::ExitStatus;
use std::io::{self, Write as _, stdout};

use anyhow::{Context as _, Result};
use tcpwhy_capture::CaptureSummary;
use tcpwhy_report::{Anonymizer, CaptureFacts, Catalogue, KEY_LEN, Wording};
use tcpwhy_view::data::Survey;

use crate::EXIT_ERROR;
use crate::args::ExplainArgs;
use crate::filter::Filter;
use crate::inputs::Inputs;
use crate::output::{Collect, Json, JsonLines, Sink, Text, charts};
use crate::pipeline::{self, Delivery, Source};
use crate::progress::Progress;

/// Exit status when a limit is at or over `--fail-on`.
const EXIT_GATE: u8 = 1;

/// Explains the captures that `args` names.
pub(crate) fn run(args: &ExplainArgs) -> Result<ExitStatus> {
    let language = args.look.language();
    let has_charts = args.html.is_some() || args.svg.is_some();
    let inputs = if has_charts {
        Inputs::repeatable(&args.files, args.merge).context("standard input could not be kept")?
    } else {
        Inputs::once(&args.files, args.merge)
    };
    let catalogue = Catalogue::new(language);
    let wording = Wording::new(&catalogue);
    let mut survey = Survey::new();
    let mut sink: Box<dyn Sink + '_> = if has_charts {
        Box::new(Collect::new(&mut survey))
    } else if args.json {
        Box::new(Json::new(wording, args.timeline))
    } else if args.jsonl {
        Box::new(JsonLines::new(wording, args.timeline, args.merge))
    } else {
        Box::new(Text::new(wording, args.look.look(), args))
    };
    let seen = read(
        args,
        &inputs,
        anonymizer(args.anonymize, args.anonymize_key.as_deref())?.as_ref(),
        wording,
        sink.as_mut(),
    )?;
    if seen.sources > 0 {
        sink.finish()?;
        if has_charts {
            charts::write(args, &inputs, language, survey)?;
        }
        stdout().flush()?;
    }
    Ok(match (seen.has_failed, seen.is_gate_hit) {
        (true, _) => ExitStatus::from(EXIT_ERROR),
        (false, true) => ExitStatus::from(EXIT_GATE),
        (false, false) => ExitStatus::SUCCESS,
    })
}

/// What became of the sources.
pub(crate) struct Seen {
    /// Sources explained.
    pub(crate) sources: u64,
    /// A source could not be opened, or nothing of it could be read.
    pub(crate) has_failed: bool,
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
        filter: Filter {
            hosts: args.host.clone(),
            ports: args.port.clone(),
            min_bytes: args.min_bytes.map(|size| size.0),
            connection: args.connection,
        },
        anonymizer,
        connections: 0,
        sources: 0,
        is_gate_hit: false,
        has_unreadable: false,
    };
    let mut has_failed = false;
    for index in 0..inputs.len() {
        match inputs.open(index) {
            Ok(source) => explainer.explain(&inputs.name(index), source, sink)?,
            Err(error) => {
                has_failed = true;
                eprintln!("tcpwhy: {error}");
                sink.skip_source();
            }
        }
    }
    let has_failed = has_failed || explainer.has_unreadable;
    Ok(Seen { sources: explainer.sources, has_failed, is_gate_hit: explainer.is_gate_hit })
}

/// Replaces addresses as `--anonymize` and `--anonymize-key` ask for.
pub(crate) fn anonymizer(is_wanted: bool, passphrase: Option<&str>) -> Result<Option<Anonymizer>> {
    if let Some(passphrase) = passphrase {
        return Ok(Some(Anonymizer::from_passphrase(passphrase)));
    }
    if !is_wanted {
        return Ok(None);
    }
    let mut key = [0; KEY_LEN];
    getrandom::fill(&mut key).context("no random key for --anonymize")?;
    Ok(Some(Anonymizer::new(key)))
}

/// What goes on from source to source.
struct Explainer<'a> {
    args: &'a ExplainArgs,
    wording: Wording<'a>,
    filter: Filter,
    anonymizer: Option<&'a Anonymizer>,
    /// Connections of the sources before this one.
    connections: u64,
    /// Sources explained.
    sources: u64,
    /// Of a damaged capture nothing could be read.
    has_unreadable: bool,
    is_gate_hit: bool,
}

impl Explainer<'_> {
    fn explain(&mut self, name: &str, source: Source, sink: &mut dyn Sink) -> io::Result<()> {
        let mut progress = Progress::new(name, self.args.quiet);
        let delivery = if sink.is_streaming() {
            Delivery::Prompt
        } else if self.filter.connection.is_some() {
            Delivery::Numbered
        } else {
            Delivery::Bulk
        };
        let outcome = pipeline::run(source, delivery, &mut progress, |mut connection, number| {
            let number = number.map(|n| n + self.connections);
            if !self.filter.admits(&connection, number) {
                return Ok(());
            }
            self.is_gate_hit |= self.args.fail_on.iter().any(|gate| gate.is_hit_by(&connection));
            if let Some(number) = number {
                connection.id = number;
            }
            if let Some(anonymizer) = &self.anonymizer {
                anonymizer.connection(&mut connection);
            }
            sink.connection(connection)
        })?;
        let facts: Vec<_> = outcome.summaries.into_iter().map(|summary| self.facts(summary)).collect();
        let is_unreadable = |c: &CaptureFacts| c.packets == 0 && !c.anomalies.is_empty();
        self.has_unreadable |= facts.iter().any(is_unreadable);
        if !self.args.quiet {
            self.warn(&facts);
        }
        let before = self.connections;
        sink.end_of_source(facts, &|connection| outcome.numbering.number(connection, before))?;
        self.connections += outcome.connections;
        self.sources += 1;
        Ok(())
    }

    fn facts(&self, summary: CaptureSummary) -> CaptureFacts {
        CaptureFacts {
            path: self.anonymizer.as_ref().map_or_else(|| summary.path.clone(), |a| a.text(&summary.path)),
            format: summary.format.id().into(),
            packets: summary.packets,
            segments: summary.segments,
            skipped: summary.skipped,
            captured_bytes: summary.captured_bytes,
            original_bytes: summary.original_bytes,
            span: summary.span,
            link_types: summary.link_types,
            anomalies: summary.anomalies,
        }
    }

    /// Damage is said on standard error whatever the output is.
    fn warn(&self, captures: &[CaptureFacts]) {
        for capture in captures {
            for anomaly in capture.anomalies.iter() {
                let text = self.wording.capture_warning(&capture.path, anomaly);
                // A warning that cannot be written is not worth failing for.
                let _ = writeln!(io::stderr(), "{text}");
            }
        }
    }
}
