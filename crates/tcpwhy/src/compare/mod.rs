//! `tcpwhy compare`: two captures, two connections, or the two ends of one connection.

mod args;
mod page;
mod pairs;
mod side;

use std::collections::{HashMap, HashSet};
use std::io::Write as _;

use anyhow::{Result, anyhow, bail};
use tcpwhy_analysis::{Attempts, Connection, FlowMarks, LastPackets, MarkRecorder};
use tcpwhy_engine::{Delivery, Plan, Source};
use tcpwhy_model::{CaptureSummary, Span, Timestamp};
use tcpwhy_report::compare::{Brief, Changes, CompareMode, ComparedPair, Comparison, Totals};
use tcpwhy_report::dto::{CompareDocument, Presentation};
use tcpwhy_report::text::CompareReport;
use tcpwhy_report::{Anonymizer, Args, Wording};

pub(crate) use args::{CompareArgs, numbers};
use side::Side;

use self::pairs::{Found, Match, Together};
use crate::damage;
use crate::exit::{EXIT_ERROR, ExitStatus};
use crate::inputs::Inputs;
use crate::message;
use crate::progress::Progress;
use crate::rights;
use crate::standard_output::stdout;

/// Of more connections, those alone that are shown are kept as a whole, for which the capture is read again.
const MOST_WHOLE: usize = 5_000;

/// Compares what `args` name.
pub(crate) fn run(args: &CompareArgs) -> Result<ExitStatus> {
    let catalogue = args.catalogue();
    let wording = Wording::new(&catalogue);
    let anonymizer = args.anonymize.anonymizer(&catalogue, args.quiet)?;
    let files = [args.first.clone(), args.second.clone()];
    // A path that may not be written is an error before anything is read.
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
        // What came before it is compared.
        message::say(failure);
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

/// What is compared, and how.
pub(crate) struct Request<'a> {
    /// Two connections, by their numbers.
    pub(crate) connections: Option<[u64; 2]>,
    /// Pairs that are shown; all without it.
    pub(crate) top: Option<usize>,
    /// Damage is not reported.
    pub(crate) is_quiet: bool,
    pub(crate) plan: Plan<'a>,
}

/// A comparison, and what was read for it.
pub(crate) struct Compared {
    pub(crate) comparison: Comparison,
    summaries: [Vec<CaptureSummary>; 2],
    /// Why a capture could not be read to its end.
    failures: Vec<String>,
}

impl Compared {
    /// What could not be read of both captures, and what is odd about them.
    pub(crate) fn damage(&self, wording: Wording<'_>) -> Vec<String> {
        let anomalies = |letter: &'static str, side: usize| {
            let all = self.summaries[side].iter().flat_map(|capture| capture.anomalies.iter());
            all.map(move |anomaly| format!("{letter}: {}", wording.anomaly(anomaly)))
        };
        anomalies("A", 0).chain(anomalies("B", 1)).chain(self.failures.iter().cloned()).collect()
    }
}

/// Compares the first two of `inputs`.
pub(crate) fn compared(
    inputs: &Inputs,
    request: &Request<'_>,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
) -> Result<Compared> {
    let plan = &request.plan;
    let mut sides = {
        let read = |index| read(inputs, index, anonymizer, wording, request);
        [read(0)?, read(1)?]
    };
    for (index, side) in sides.iter_mut().enumerate() {
        mark(inputs, index, side, plan, wording)?;
    }
    let failures = sides.iter_mut().flat_map(|side| std::mem::take(&mut side.failures)).collect();
    let summaries = sides.each_mut().map(|side| std::mem::take(&mut side.summaries));
    let totals = sides.each_mut().map(|side| std::mem::take(&mut side.totals));
    let last = summaries.each_ref().map(|captures| last_packet(captures));
    let Found { mut mode, matches, attempts, only } = if let Some(numbers) = request.connections {
        let (mode, chosen) = chosen(&sides, numbers, wording)?;
        Found { mode, matches: vec![chosen], attempts: Attempts::default(), only: [0, 0] }
    } else {
        pairs::find(&sides, last)
    };
    let are_others = mode != CompareMode::Ends && request.connections.is_none();
    let changes = are_others.then(|| Changes::between(totals));
    if matches.is_empty() && attempts.is_empty() && changes.as_ref().is_none_or(Changes::is_empty) {
        bail!(wording.catalogue().word("compare-nothing"));
    }
    let count = matches.len() as u64;
    let (shown, alike) = pairs::shown(&sides, matches, mode, request.top);
    let mut pairs = whole(inputs, sides, &shown, last, plan)?;
    if request.connections.is_some() && pairs.iter().all(|pair| pair.crossing.is_none()) {
        mode = CompareMode::Connections;
    }
    if let Some(anonymizer) = anonymizer {
        pairs.iter_mut().flat_map(|pair| &mut pair.connections).for_each(|c| anonymizer.connection(c));
    }
    let attempts = match anonymizer {
        None => attempts,
        Some(anonymizer) => attempts.renamed(&|address| anonymizer.address(address)),
    };
    let names = [inputs.name(0), inputs.name(1)];
    let comparison = Comparison { mode, names, pairs, count, alike, only, attempts, changes };
    Ok(Compared { comparison, summaries, failures })
}

fn read(
    inputs: &Inputs,
    index: usize,
    anonymizer: Option<&Anonymizer>,
    wording: Wording<'_>,
    request: &Request<'_>,
) -> Result<Side> {
    let name = inputs.name(index);
    let mut briefs = Vec::new();
    let mut totals = Totals::default();
    let mut connections = Some(Vec::new());
    let mut progress = Progress::new(&name, request.is_quiet);
    let mut present = |mut connection: Connection, number: Option<u64>| {
        connection.id = number.unwrap_or(connection.id);
        add(&mut totals, &connection, anonymizer);
        let Some(brief) = Brief::new(&connection) else { return Ok(()) };
        briefs.push(brief);
        if briefs.len() > MOST_WHOLE {
            connections = None;
        }
        if let Some(connections) = &mut connections {
            shrink(&mut connection);
            connections.push(connection);
        }
        Ok(())
    };
    let source = inputs.open(index)?;
    let mut advance = |reached| progress.advance(reached);
    let outcome = tcpwhy_engine::run(source, Delivery::Numbered, &request.plan, &mut advance, &mut present);
    progress.clear();
    let outcome = outcome?;
    let failures = outcome.ending.failures.iter().map(|failure| message::words(failure)).collect();
    if !request.is_quiet {
        damage::warn(&outcome.ending.summaries, wording);
    }
    briefs.sort_unstable_by_key(|brief| brief.id);
    briefs.shrink_to_fit();
    let summaries = outcome.ending.summaries;
    let flows = Vec::new();
    Ok(Side { briefs, connections, flows, summaries, totals, has_marks: false, is_cut: false, failures })
}

/// Takes a connection into account under the addresses that are shown.
fn add(totals: &mut Totals, connection: &Connection, anonymizer: Option<&Anonymizer>) {
    match anonymizer {
        None => totals.add(connection),
        Some(anonymizer) => {
            let mut shown = connection.clone();
            anonymizer.connection(&mut shown);
            totals.add(&shown);
        }
    }
}

/// Reads the capture again, for when what passed; its failures were told by the first reading.
fn mark(inputs: &Inputs, index: usize, side: &mut Side, plan: &Plan<'_>, wording: Wording<'_>) -> Result<()> {
    let recorder = record_marks(inputs.open(index)?, MarkRecorder::default(), plan)?;
    if recorder.is_full() {
        let args = Args::new().text("name", inputs.name(index));
        message::say(wording.catalogue().text("compare-full", &args));
    }
    side.has_marks = recorder.is_whole();
    side.is_cut = recorder.is_full();
    side.flows = recorder.finish();
    Ok(())
}

/// Records the marks of all connections of `source`, as far as it can be read.
fn record_marks(source: Source, mut recorder: MarkRecorder, plan: &Plan<'_>) -> Result<MarkRecorder> {
    let mut observe = |batch: &[_]| {
        recorder.observe_all(batch);
        true
    };
    tcpwhy_engine::read(source, plan, &mut |_, _| {}, &mut observe)?;
    Ok(recorder)
}

/// The pairs with all that is known of them.
fn whole(
    inputs: &Inputs,
    sides: [Side; 2],
    matches: &[Match],
    last: LastPackets,
    plan: &Plan<'_>,
) -> Result<Vec<ComparedPair>> {
    let first_packet = |m: &Match, side: usize| sides[side].briefs[m.places[side] as usize].first_packet;
    let wanted: Vec<[u64; 2]> = matches.iter().map(|m| [first_packet(m, 0), first_packet(m, 1)]).collect();
    let has_flows = matches.iter().any(|m| m.is_same);
    // Before a capture is read again nothing is kept but what it is read for.
    let mut is_cut = sides.iter().any(|side| side.is_cut);
    let kept = sides.map(|side| (side.connections, side.has_marks.then_some(side.flows)));
    let mut all = Vec::new();
    for (index, (connections, flows)) in kept.into_iter().enumerate() {
        let of_side: HashSet<u64> = wanted.iter().map(|pair| pair[index]).collect();
        let connections = match connections {
            Some(connections) => connections,
            None => again(inputs, index, &of_side, plan)?,
        };
        let connections = connections.into_iter().filter(|c| of_side.contains(&c.first_packet));
        let connections: HashMap<u64, Connection> = connections.map(|c| (c.first_packet, c)).collect();
        let flows = match flows {
            _ if !has_flows => Vec::new(),
            Some(flows) => flows,
            None => {
                let recorder = record_marks(inputs.open(index)?, MarkRecorder::of(of_side.clone()), plan)?;
                is_cut |= recorder.is_full();
                recorder.finish()
            }
        };
        let flows = flows.into_iter().filter(|flow| of_side.contains(&flow.first_packet));
        let flows: HashMap<u64, FlowMarks> = flows.map(|flow| (flow.first_packet, flow)).collect();
        all.push((connections, flows));
    }
    let Ok([(mut of_a, flows_a), (mut of_b, flows_b)]) = <[_; 2]>::try_from(all) else { return Ok(Vec::new()) };
    let pair = |[first, second]: &[u64; 2]| {
        let connections = [of_a.remove(first)?, of_b.remove(second)?];
        let flows = flows_a.get(first).zip(flows_b.get(second));
        let of_both = |(flow, other)| Together::of(&connections[0], [flow, other], last, is_cut);
        let Together { crossing, opening, unseen } = flows.map_or(Together::NOTHING, of_both);
        Some(ComparedPair { connections, crossing, opening, unseen })
    };
    Ok(wanted.iter().filter_map(pair).collect())
}

/// When the last packet of a capture passed.
fn last_packet(captures: &[CaptureSummary]) -> Option<Timestamp> {
    captures.iter().filter_map(|capture| capture.span).map(Span::end).max()
}

/// There may be many: of a JSON document all are kept.
fn shrink(connection: &mut Connection) {
    connection.halves.shrink_to_fit();
    connection.halves.iter_mut().for_each(|half| half.findings.shrink_to_fit());
}

/// The connections whose first packets have these numbers.
fn again(inputs: &Inputs, index: usize, wanted: &HashSet<u64>, plan: &Plan<'_>) -> Result<Vec<Connection>> {
    let mut connections = Vec::new();
    let mut present = |mut connection: Connection, number: Option<u64>| {
        if wanted.contains(&connection.first_packet) {
            connection.id = number.unwrap_or(connection.id);
            shrink(&mut connection);
            connections.push(connection);
        }
        Ok(())
    };
    let source = inputs.open(index)?;
    tcpwhy_engine::run(source, Delivery::Numbered, plan, &mut |_| (), &mut present)?;
    Ok(connections)
}

/// The connections of these numbers, and what they are: what passed between them is told if they are one.
fn chosen(sides: &[Side; 2], numbers: [u64; 2], wording: Wording<'_>) -> Result<(CompareMode, Match)> {
    let find = |side: &Side, number: u64| {
        let found = side.briefs.iter().position(|brief| brief.id == number);
        let args = Args::new().text("n", number.to_string());
        found.ok_or_else(|| anyhow!(wording.catalogue().text("compare-no-such-connection", &args)))
    };
    let places = [find(&sides[0], numbers[0])?, find(&sides[1], numbers[1])?];
    Ok(match pairs::same(sides, places) {
        None => (CompareMode::Connections, Match { places: places.map(|place| place as u32), is_same: false }),
        Some(same) => (CompareMode::Ends, same),
    })
}
