//! `tcpwhy compare`: two captures, two connections, or the two ends of one connection.

mod args;
mod pairs;

use std::io::Write as _;

use anyhow::{Result, anyhow, bail};
use tcpwhy_analysis::{Connection, FlowMarks};
use tcpwhy_engine::{Delivery, Plan};
use tcpwhy_report::compare::{CompareMode, ComparedPair, Comparison};
use tcpwhy_report::dto::{CompareDocument, Presentation};
use tcpwhy_report::text::CompareReport;
use tcpwhy_report::{Args, Wording};

pub(crate) use args::{CompareArgs, EXAMPLES};

use crate::damage;
use crate::exit::{EXIT_ERROR, ExitStatus};
use crate::inputs::Inputs;
use crate::message;
use crate::progress::Progress;
use crate::rights;
use crate::standard_output::stdout;

/// A capture, read twice: for what its connections come to, and for when what passed.
struct Side {
    /// Those with data.
    connections: Vec<Connection>,
    flows: Vec<FlowMarks>,
    /// It could not be read to its end.
    has_failed: bool,
}

/// Compares what `args` name.
pub(crate) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let catalogue = args.catalogue();
    let wording = Wording::new(&catalogue);
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let files = [args.first.clone(), args.second.clone()];
    let settle = || rights::confine(&rights::reading(&files, false));
    let (inputs, ()) = Inputs::repeatable(&files, false, anonymizer.as_ref(), settle)?;
    let sides = [read(&inputs, 0, wording, args.quiet)?, read(&inputs, 1, wording, args.quiet)?];
    let has_failed = sides.iter().any(|side| side.has_failed);
    let (mode, mut pairs, only) = if let Some(numbers) = args.connections {
        let (mode, pair) = chosen(&sides, numbers, wording)?;
        (mode, vec![pair], [0, 0])
    } else {
        let with_data = sides.each_ref().map(|side| side.connections.len());
        let (mode, pairs) = pairs::find(sides);
        let only = with_data.map(|count| count.saturating_sub(pairs.len()) as u64);
        (mode, pairs, only)
    };
    if pairs.is_empty() {
        bail!(catalogue.word("compare-nothing"));
    }
    if let Some(anonymizer) = &anonymizer {
        pairs.iter_mut().flat_map(|pair| &mut pair.connections).for_each(|c| anonymizer.connection(c));
    }
    let comparison = Comparison { mode, names: [inputs.name(0), inputs.name(1)], pairs, only };
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

fn read(inputs: &Inputs, index: usize, wording: Wording<'_>, is_quiet: bool) -> Result<Side> {
    let name = inputs.name(index);
    let mut connections = Vec::new();
    let mut progress = Progress::new(&name, is_quiet);
    let mut present = |mut connection: Connection, number: Option<u64>| {
        connection.id = number.unwrap_or(connection.id);
        if !connection.halves.is_empty() {
            // There may be many, and all are kept.
            connection.halves.shrink_to_fit();
            connection.halves.iter_mut().for_each(|half| half.findings.shrink_to_fit());
            connections.push(connection);
        }
        Ok(())
    };
    let (source, plan) = (inputs.open(index)?, Plan::default());
    let mut advance = |reached| progress.advance(reached);
    let outcome = tcpwhy_look::connections(source, Delivery::Numbered, &plan, &mut advance, &mut present);
    progress.clear();
    let outcome = outcome?;
    let has_failed = !outcome.ending.failures.is_empty();
    for failure in outcome.ending.failures {
        // What came before it is compared.
        message::say(failure.to_string());
    }
    if !is_quiet {
        let facts: Vec<_> = outcome.ending.summaries.into_iter().map(damage::facts).collect();
        damage::warn(&facts, wording);
    }
    connections.sort_by_key(|connection| connection.id);
    // Its failures were told by the first reading.
    let recorder = tcpwhy_look::marks(inputs.open(index)?, &plan)?;
    if recorder.is_full() {
        message::say(wording.catalogue().text("compare-full", &Args::new().text("name", name)));
    }
    Ok(Side { connections, flows: recorder.finish(), has_failed })
}

/// The connections of these numbers, and what they are: what passed between them is told if they are one.
fn chosen(sides: &[Side; 2], numbers: [u64; 2], wording: Wording<'_>) -> Result<(CompareMode, ComparedPair)> {
    let find = |side: &Side, number: u64| {
        let found = side.connections.iter().find(|c| c.id == number).cloned();
        let args = Args::new().text("n", number.to_string());
        found.ok_or_else(|| anyhow!(wording.catalogue().text("compare-no-such-connection", &args)))
    };
    let connections = [find(&sides[0], numbers[0])?, find(&sides[1], numbers[1])?];
    Ok(match pairs::crossing(sides, [&connections[0], &connections[1]]) {
        None => (CompareMode::Connections, ComparedPair { connections, crossing: None }),
        crossing => (CompareMode::Ends, ComparedPair { connections, crossing }),
    })
}
