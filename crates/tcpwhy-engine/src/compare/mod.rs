//! Makes a [`Comparison`] from captures: of two captures, of two connections, or of the two ends of one
//! connection.
//!
//! Each capture is read once for its connections, and once for the times at which data passed. If there are
//! too many connections to keep all in full, it is read a third time for those that are shown.

mod error;
mod pairs;
mod side;

use std::collections::{HashMap, HashSet};
use std::io;

use tcpwhy_analysis::comparison::{Brief, Changes, CompareMode, ComparedPair, Comparison, Totals};
use tcpwhy_analysis::{Attempts, Connection, FlowMarks, LastPackets, MarkRecorder};
use tcpwhy_capture::CaptureError;
use tcpwhy_model::{CaptureSummary, Span, Timestamp};

use self::pairs::{Found, Match, Together};
use self::side::Side;
use crate::plan::{Delivery, Plan};
use crate::progress::Reached;
use crate::source::Source;

pub use self::error::CompareError;

/// Most connections of a capture that are kept in full. If there are more, the capture is read again for
/// those that are shown.
const MOST_WHOLE: usize = 5_000;

/// Two captures, each of which can be opened repeatedly.
pub trait Captures {
    /// Opens the first (0) or the second (1) capture.
    ///
    /// # Errors
    /// The capture cannot be opened, or it is not a capture.
    fn open(&self, side: usize) -> Result<Source, CaptureError>;

    /// Name of the capture in all output.
    fn name(&self, side: usize) -> String;

    /// Called with the progress of the first reading.
    fn reached(&mut self, side: usize, reached: Reached);

    /// Called with the summaries after the first reading.
    fn read(&mut self, side: usize, summaries: &[CaptureSummary]);

    /// Called if the capture has too many packets to compare all of them.
    fn overflowed(&mut self, side: usize);
}

/// The subject and the options of a comparison.
pub struct CompareRequest<'a> {
    /// Numbers of two connections; `None` compares the captures.
    pub connections: Option<[u64; 2]>,
    /// Most pairs that are shown; all if `None`.
    pub top: Option<usize>,
    /// Replaces the addresses in the captures by those that are shown.
    pub rename: Option<&'a (dyn Fn(&mut Connection) + Sync)>,
    /// Threads, and the flag that stops them.
    pub plan: Plan<'a>,
}

/// A comparison, and the data that was read for it.
pub struct Compared {
    /// The differences.
    pub comparison: Comparison,
    /// Summaries of the captures, by side.
    pub summaries: [Vec<CaptureSummary>; 2],
    /// Errors that ended the reading of a capture early: the packets before them are compared.
    pub failures: Vec<CaptureError>,
}

/// Compares two captures according to `request`.
///
/// # Errors
/// A capture cannot be opened, a requested connection does not exist, or the captures have nothing in common.
pub fn compare(captures: &mut dyn Captures, request: &CompareRequest<'_>) -> Result<Compared, CompareError> {
    let plan = &request.plan;
    let mut sides = [read(captures, 0, request)?, read(captures, 1, request)?];
    for (index, side) in sides.iter_mut().enumerate() {
        mark(captures, index, side, plan)?;
    }
    let failures = sides.iter_mut().flat_map(|side| std::mem::take(&mut side.failures)).collect();
    let summaries = sides.each_mut().map(|side| std::mem::take(&mut side.summaries));
    let totals = sides.each_mut().map(|side| std::mem::take(&mut side.totals));
    let last = summaries.each_ref().map(|captures| last_packet(captures));
    let Found { mut mode, matches, attempts, only } = if let Some(numbers) = request.connections {
        let (mode, chosen) = chosen(&sides, numbers)?;
        Found { mode, matches: vec![chosen], attempts: Attempts::default(), only: [0, 0] }
    } else {
        pairs::find(&sides, last)
    };
    let are_others = mode != CompareMode::Ends && request.connections.is_none();
    let changes = are_others.then(|| Changes::between(totals));
    if matches.is_empty() && attempts.is_empty() && changes.as_ref().is_none_or(Changes::is_empty) {
        return Err(CompareError::Nothing);
    }
    let count = matches.len() as u64;
    let (shown, alike) = pairs::shown(&sides, matches, mode, request.top);
    let mut pairs = whole(captures, sides, &shown, last, plan)?;
    if request.connections.is_some() && pairs.iter().all(|pair| pair.crossing.is_none()) {
        mode = CompareMode::Connections;
    }
    if let Some(rename) = request.rename {
        pairs.iter_mut().flat_map(|pair| &mut pair.connections).for_each(rename);
    }
    let names = [captures.name(0), captures.name(1)];
    let comparison = Comparison { mode, names, pairs, count, alike, only, attempts, changes };
    Ok(Compared { comparison, summaries, failures })
}

/// Reads the connections of a capture.
fn read(captures: &mut dyn Captures, index: usize, request: &CompareRequest<'_>) -> Result<Side, CompareError> {
    let mut briefs = Vec::new();
    let mut totals = Totals::default();
    let mut connections = Some(Vec::new());
    let mut present = |mut connection: Connection, number: Option<u64>| {
        connection.id = number.unwrap_or(connection.id);
        add(&mut totals, &connection, request.rename);
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
    let source = captures.open(index)?;
    let mut advance = |reached| captures.reached(index, reached);
    let outcome = crate::run(source, Delivery::Numbered, &request.plan, &mut advance, &mut present)?;
    captures.read(index, &outcome.ending.summaries);
    briefs.sort_unstable_by_key(|brief| brief.id);
    briefs.shrink_to_fit();
    let (summaries, failures) = (outcome.ending.summaries, outcome.ending.failures);
    let flows = Vec::new();
    Ok(Side { briefs, connections, flows, summaries, totals, has_marks: false, is_cut: false, failures })
}

/// Adds a connection with the addresses that are shown.
fn add(totals: &mut Totals, connection: &Connection, rename: Option<&(dyn Fn(&mut Connection) + Sync)>) {
    match rename {
        None => totals.add(connection),
        Some(rename) => {
            let mut shown = connection.clone();
            rename(&mut shown);
            totals.add(&shown);
        }
    }
}

/// Reads the capture again for the times at which data passed. Read errors were reported by the first
/// reading.
fn mark(captures: &mut dyn Captures, index: usize, side: &mut Side, plan: &Plan<'_>) -> Result<(), CompareError> {
    let recorder = record_marks(captures.open(index)?, MarkRecorder::default(), plan)?;
    if recorder.is_full() {
        captures.overflowed(index);
    }
    side.has_marks = recorder.is_whole();
    side.is_cut = recorder.is_full();
    side.flows = recorder.finish();
    Ok(())
}

/// Records the marks of all connections of `source`, as far as it can be read.
fn record_marks(source: Source, mut recorder: MarkRecorder, plan: &Plan<'_>) -> io::Result<MarkRecorder> {
    let mut observe = |batch: &[_]| {
        recorder.observe_all(batch);
        true
    };
    crate::read(source, plan, &mut |_, _| {}, &mut observe)?;
    Ok(recorder)
}

/// The pairs with all data about them.
fn whole(
    captures: &dyn Captures,
    sides: [Side; 2],
    matches: &[Match],
    last: LastPackets,
    plan: &Plan<'_>,
) -> Result<Vec<ComparedPair>, CompareError> {
    let first_packet = |m: &Match, side: usize| sides[side].briefs[m.places[side] as usize].first_packet;
    let wanted: Vec<[u64; 2]> = matches.iter().map(|m| [first_packet(m, 0), first_packet(m, 1)]).collect();
    let has_flows = matches.iter().any(|m| m.is_same);
    // Memory is released before a capture is read again; only the data for this reading is kept.
    let mut is_cut = sides.iter().any(|side| side.is_cut);
    let kept = sides.map(|side| (side.connections, side.has_marks.then_some(side.flows)));
    let mut all = Vec::new();
    for (index, (connections, flows)) in kept.into_iter().enumerate() {
        let of_side: HashSet<u64> = wanted.iter().map(|pair| pair[index]).collect();
        let connections = match connections {
            Some(connections) => connections,
            None => again(captures, index, &of_side, plan)?,
        };
        let connections = connections.into_iter().filter(|c| of_side.contains(&c.first_packet));
        let connections: HashMap<u64, Connection> = connections.map(|c| (c.first_packet, c)).collect();
        let flows = match flows {
            _ if !has_flows => Vec::new(),
            Some(flows) => flows,
            None => {
                let recorder = record_marks(captures.open(index)?, MarkRecorder::of(of_side.clone()), plan)?;
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

/// Time of the last packet of a capture.
fn last_packet(captures: &[CaptureSummary]) -> Option<Timestamp> {
    captures.iter().filter_map(|capture| capture.span).map(Span::end).max()
}

/// Releases unused memory, because all connections of a JSON document are kept.
fn shrink(connection: &mut Connection) {
    connection.halves.shrink_to_fit();
    connection.halves.iter_mut().for_each(|half| half.findings.shrink_to_fit());
}

/// The connections with these numbers of their first packets, read again.
fn again(
    captures: &dyn Captures,
    index: usize,
    wanted: &HashSet<u64>,
    plan: &Plan<'_>,
) -> Result<Vec<Connection>, CompareError> {
    let mut connections = Vec::new();
    let mut present = |mut connection: Connection, number: Option<u64>| {
        if wanted.contains(&connection.first_packet) {
            connection.id = number.unwrap_or(connection.id);
            shrink(&mut connection);
            connections.push(connection);
        }
        Ok(())
    };
    let source = captures.open(index)?;
    crate::run(source, Delivery::Numbered, plan, &mut |_| (), &mut present)?;
    Ok(connections)
}

/// The connections with these numbers, and whether they are one connection captured at two places.
fn chosen(sides: &[Side; 2], numbers: [u64; 2]) -> Result<(CompareMode, Match), CompareError> {
    let find = |side: &Side, number: u64| {
        let found = side.briefs.iter().position(|brief| brief.id == number);
        found.ok_or(CompareError::NoSuchConnection(number))
    };
    let places = [find(&sides[0], numbers[0])?, find(&sides[1], numbers[1])?];
    Ok(match pairs::same(sides, places) {
        None => (CompareMode::Connections, Match { places: places.map(|place| place as u32), is_same: false }),
        Some(same) => (CompareMode::Ends, same),
    })
}
