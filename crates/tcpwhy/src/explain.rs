//! `tcpwhy explain`: runs the analysis that the arguments request.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tcpwhy_files::{WriteError, Written};
use tcpwhy_inputs::{Files, PassedOver, Place};
use tcpwhy_model::Explained as _;
use tcpwhy_report::dto::{Presentation, WrittenFixes};
use tcpwhy_report::{Anonymizer, Args, Wording};
use tcpwhy_view::data::Survey;

use crate::anonymize::name_of;
use crate::exit::{EXIT_ERROR, ExitStatus};
use crate::explain_args::{ExplainArgs, FormatChoice, WordsChoice};
use crate::explainer::{Explainer, Opened, Seen};
use crate::inputs::Inputs;
use crate::interface::InterfaceStream;
use crate::many;
use crate::message::{self, failure};
use crate::output::annotate::{self, Annotate, Annotations};
use crate::output::file::Output;
use crate::output::{
    Collect, Examined, FailedCapture, Json, JsonLines, Keep, Markdown, Sink, SpoolFile, Text, charts, file, tables,
};
use crate::pool::Present;
use crate::predicate::Expression;
use crate::progress::Progress;
use crate::rights;
use crate::standard_output::stdout;
use crate::wrong::{Result, Wrong, bail};

/// Explains the captures that `typed` names. Call it once, while the process has one thread, because it gives
/// up its privileges.
pub(crate) fn run(typed: &ExplainArgs) -> Result<ExitStatus> {
    let has_charts = typed.html.is_some() || typed.svg.is_some();
    let catalogue = typed.catalogue();
    let wording = Wording::new(&catalogue);
    let places = typed.places();
    if typed.shard.is_some() && places.iter().any(Place::is_standard_input) {
        bail!(failure("shard-standard-input"));
    }
    if typed.resume && typed.anonymize.is_different_each_time() {
        bail!(failure("resume-without-key"));
    }
    let roots: Vec<PathBuf> = places.iter().filter_map(Place::root).map(Path::to_owned).collect();
    // These options need a first pass: for example, the time of `--from` counts from the first packet.
    let is_read_twice = has_charts
        || typed.annotate.is_some()
        || typed.why.is_some()
        || typed.from.is_some()
        || typed.to.is_some()
        || typed.problem.is_some();
    let is_listed = typed.interface.is_none() && (is_read_twice || typed.merge);
    let listed = if is_listed { Files::of(places, typed.depth(), typed.shard) } else { Files::default() };
    let (files, origins): (Vec<_>, Vec<_>) = listed.files.into_iter().unzip();
    let args = &if is_listed { ExplainArgs { files, ..typed.clone() } } else { typed.clone() };
    let tables_to = tables::Destination::prepare(typed)?;
    let have_rows = tables_to.as_ref().map(tables::Destination::have_rows).unwrap_or_default();
    // An unwritable output is reported before anything is read.
    let charts_to = charts::Outputs::prepare(args)?;
    let copy_to = args.annotate.as_deref().map(|path| annotate::prepare(args, path, wording)).transpose()?;
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let has_words = args.words != Some(WordsChoice::None);
    let fixes = WrittenFixes::default();
    let presentation =
        Presentation { wording, with_timeline: args.timeline, has_words, fixes: Some(&fixes), site: None };
    let mut survey = Survey::new();
    let mut annotations = Annotations::default();
    let kept = Arc::<AtomicU64>::default();
    let spool = if matches!(args.format(), FormatChoice::Json) { SpoolFile::open() } else { SpoolFile::unneeded() };
    // Runs before the first byte is read.
    let settle = || {
        let tables_to = tables_to.map(tables::Destination::hand_over).transpose()?;
        let outputs = (charts_to.hand_over(args)?, copy_to.map(Output::hand_over).transpose()?, tables_to);
        // The existing pictures stay readable, because their mark shows whether they belong to another
        // capture.
        rights::confine(&rights::reading(roots.iter().chain(&args.svg)))?;
        Ok(outputs)
    };
    let (inputs, (charts_to, copy_to, tables_to)) = if let Some(interface) = &args.interface {
        let (inputs, outputs) = capture(args, interface, is_read_twice, &kept, wording, settle)?;
        (Some(inputs), outputs)
    } else if is_read_twice {
        let (inputs, outputs) = Inputs::repeatable(&args.files, args.merge, anonymizer.as_ref(), settle)?;
        (Some(inputs.with_origins(origins).with_most_unpacked(args.most_unpacked())), outputs)
    } else {
        let outputs = settle()?;
        let merged = args.merge.then(|| Inputs::once(&args.files, true, anonymizer.as_ref()));
        let merged = merged.map(|inputs| inputs.with_origins(origins).with_most_unpacked(args.most_unpacked()));
        (merged, outputs)
    };
    let mut sink: Box<dyn Sink + '_> = if has_charts {
        Box::new(Collect::new(&mut survey))
    } else if args.annotate.is_some() {
        Box::new(Annotate::new(&mut annotations, wording))
    } else if let Some(tables_to) = tables_to {
        tables_to.sink(args, wording)?
    } else {
        match args.format() {
            FormatChoice::Text => Box::new(Text::new(wording, args.look.look(), args)),
            FormatChoice::Json => Box::new(Json::new(presentation, args.why, spool)),
            FormatChoice::Jsonl => Box::new(JsonLines::new(presentation, args.why, args.merge, args.exchanges)),
            FormatChoice::Markdown => Box::new(Markdown::new(wording, args)),
        }
    };
    let shows_flips = !sink.is_streaming() && (!args.quiet || matches!(args.format(), FormatChoice::Json));
    if let (Some(moment), Some(inputs), true) = (args.why, &inputs, shows_flips) {
        sink = Box::new(Examined::new(sink, inputs, moment, args.quiet));
    }
    let (seen, passed_over) = match &inputs {
        Some(inputs) => {
            read(args, inputs, anonymizer.as_ref(), wording, sink.as_mut()).map(|seen| (seen, listed.passed_over))
        }
        None => many::read(args, have_rows, anonymizer.as_ref(), wording, sink.as_mut()),
    }
    .map_err(of_output)?;
    let named = |name: &str| name_of(name.as_ref(), anonymizer.as_ref());
    let seen = seen.with(listed.failed.into_iter().map(|failed| failed.error.renamed(named)), wording);
    if seen.left_out > 0 && !args.quiet {
        let args = Args::new().number("count", seen.left_out);
        message::say(catalogue.text("tables-left-out", &args));
    }
    if seen.captures + seen.left_out == 0 && args.shard.is_none() {
        say_nothing_found(passed_over, wording);
        return Ok(ExitStatus::from(EXIT_ERROR));
    }
    if seen.sources > 0 || seen.has_rows || seen.captures == 0 {
        sink.finish().map_err(of_output)?;
    } else {
        drop(sink);
    }
    if seen.sources > 0 {
        if has_charts
            && !seen.lacks_connection
            && let Some(inputs) = &inputs
        {
            charts::write(args, &charts_to, inputs, wording, survey)?;
        }
        if let (Some(output), Some(inputs)) = (copy_to.as_ref().filter(|_| !seen.lacks_connection), &inputs) {
            annotate::write(args, inputs, output, annotations, wording)?;
        }
        stdout().flush()?;
        if let Some(path) = args.write.as_deref().filter(|_| !args.quiet) {
            let written = Written { files: 1, bytes: kept.load(Ordering::Relaxed) };
            file::say_written(wording, path, written);
        }
    }
    if seen.captures > 1 && seen.failed > 0 {
        let args = Args::new().number("failed", seen.failed).number("count", seen.captures);
        message::say(catalogue.text("captures-failed", &args));
    }
    Ok(seen.gates.exit_status(seen.has_failed))
}

/// Restores an error of an output, which names that output.
fn of_output(error: io::Error) -> Wrong {
    match error.downcast::<WriteError>() {
        Ok(error) => error.into(),
        Err(error) => error.into(),
    }
}

/// Prints that there was no capture, and the number of files that were skipped.
fn say_nothing_found(passed_over: PassedOver, wording: Wording<'_>) {
    let count = passed_over.total() - passed_over.folders;
    let args = Args::new().number("count", count).number("folders", passed_over.folders);
    let id = if passed_over.folders > 0 { "no-captures-but-folders" } else { "no-captures" };
    message::say(wording.catalogue().text(id, &args));
}

/// Captures the packets of `interface`.
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

/// Explains all sources to `sink`; the caller finishes it.
pub(crate) fn read(
    args: &ExplainArgs,
    inputs: &Inputs,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
    sink: &mut dyn Sink,
) -> io::Result<Seen> {
    let mut explainer = Explainer::new(args, anonymizer, wording);
    let form = explainer.form(sink);
    for index in 0..inputs.len() {
        let mut opened = Opened::new(inputs.name(index), inputs.origin(index), args);
        let source = match inputs.open_with(index, |reader| opened.listen(reader)) {
            Ok(source) => source,
            Err(error) => {
                if !inputs.passes_over(index, &error) {
                    let name = inputs.name(index);
                    let failed = FailedCapture { name, error: error.message(), origin: inputs.origin(index) };
                    explainer.fail(&failed, inputs.len() == 1, sink)?;
                }
                sink.skip_source();
                continue;
            }
        };
        if !explainer.set_range(inputs, index)? {
            return Ok(Seen::IMPOSSIBLE);
        }
        if !explainer.set_problem(inputs, index)? {
            explainer.lack_problem();
            sink.skip_source();
            continue;
        }
        let name = inputs.name(index);
        let mut progress = if inputs.has_stdin(index) {
            Progress::of_stream(&wording.capture_name(&name), args.quiet, wording.catalogue())
        } else {
            Progress::new(&name, args.quiet)
        };
        let was_cut = || inputs.has_stdin(index) && inputs.was_cut();
        let run = |present: &mut Present<'_>| {
            let mut advance = |reached| progress.advance(reached);
            let begin = Instant::now();
            let outcome = tcpwhy_engine::run(source, form.delivery, &form.together(), &mut advance, present);
            progress.clear();
            Ok((outcome?, begin.elapsed()))
        };
        explainer.explain(opened, was_cut, run, sink)?;
    }
    Ok(explainer.conclude(sink))
}
