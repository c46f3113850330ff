//! Charts on demand.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::AtomicBool;

use tcpwhy_analysis::Connection;
use tcpwhy_report::Anonymizer;
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Place, View, answer};
use tcpwhy_view::{Gatherer, Recorded, Snapshot, Wanted};

use super::request::Query;
use crate::inputs::Inputs;
use crate::original::changed;
use crate::second_look;

/// Connections beyond those of the page that are kept once asked for.
const KEPT: usize = 100;

/// Packets of a connection between two snapshots, and snapshots at most: some tens of megabytes.
const SNAPSHOT_EVERY: u64 = 100_000;
const SNAPSHOTS: usize = 128;

/// Answers what a request wants to know of a connection.
pub(super) struct Details {
    view: View,
    captures: Captures,
    anonymizer: Option<Anonymizer>,
    /// What the analysis concluded of connections that the page does not hold.
    others: HashMap<u64, Connection>,
}

/// The captures, to be read again.
struct Captures {
    inputs: Inputs,
    /// Reading them failed before, and was told.
    is_failure_known: bool,
    /// The connection looked at last, with snapshots to go on from.
    snapshots: (u64, Vec<Snapshot>),
}

impl Details {
    pub(super) fn new(view: View, inputs: Inputs, anonymizer: Option<Anonymizer>) -> Self {
        let is_failure_known = view.survey().has_read_error();
        let captures = Captures { inputs, is_failure_known, snapshots: (0, Vec::new()) };
        Self { view, captures, anonymizer, others: HashMap::new() }
    }

    /// The answer as JSON; `None` if there is no such connection. Fails, with a line that says why, if the captures are not what
    /// they were, and when `is_unwanted` is set meanwhile.
    pub(super) fn answer(&mut self, query: Query, is_unwanted: &AtomicBool) -> Result<Option<String>, String> {
        self.find(query, is_unwanted).map_err(|error| {
            let text = error.to_string();
            self.anonymizer.as_ref().map_or_else(|| text.clone(), |anonymizer| anonymizer.text(&text))
        })
    }

    fn find(&mut self, query: Query, is_unwanted: &AtomicBool) -> io::Result<Option<String>> {
        let Some(place) = self.view.survey().locate(query.connection) else { return Ok(None) };
        let stretch = query.stretch.map(|(from, to)| ((from * 1e9) as i64, (to * 1e9) as i64));
        let entry = self.view.survey().entries().iter().find(|e| e.connection.id == query.connection);
        if let Some(connection) = entry.map(|e| &e.connection).or_else(|| self.others.get(&place.id)) {
            let recorded = self.captures.look(place, stretch, is_unwanted)?;
            return Ok(Some(self.tell(place, connection, &recorded)));
        }
        // Its conclusions need all of it.
        let whole = self.captures.look(place, None, is_unwanted)?;
        let mut connection = whole.connection.clone();
        connection.id = place.id;
        if let Some(anonymizer) = &self.anonymizer {
            anonymizer.connection(&mut connection);
        }
        let recorded = if stretch.is_some() { self.captures.look(place, stretch, is_unwanted)? } else { whole };
        let told = self.tell(place, &connection, &recorded);
        if self.others.len() >= KEPT {
            self.others.clear();
        }
        self.others.insert(place.id, connection);
        Ok(Some(told))
    }

    fn tell(&self, place: Place, connection: &Connection, recorded: &Recorded) -> String {
        let chart = ConnectionChart::new(connection, &recorded.recording);
        answer(self.view.survey(), connection, place.capture, chart)
    }
}

impl Captures {
    /// Reads the connection again, from the last snapshot before the stretch if there is one.
    fn look(&mut self, place: Place, stretch: Option<(i64, i64)>, is_unwanted: &AtomicBool) -> io::Result<Recorded> {
        let wanted = Wanted {
            first_packet: place.first_packet,
            start: place.start,
            stretch,
            budget: Budget::ANSWER,
            is_hasty: stretch.is_some(),
        };
        if self.snapshots.0 != place.id {
            self.snapshots = (place.id, Vec::new());
        }
        let snapshots = &mut self.snapshots.1;
        let from = stretch.map(|(from, _)| place.start.as_nanos().saturating_add(from));
        let usable = from.map_or(0, |from| snapshots.partition_point(|s| s.time() <= from));
        let gatherer = match usable.checked_sub(1).and_then(|i| snapshots.get(i)) {
            Some(snapshot) => Gatherer::resume(&wanted, snapshot),
            None => Gatherer::new(&[wanted]),
        };
        // The packet numbers of merged captures do not ascend.
        let gatherer = if self.inputs.is_merged() { gatherer } else { gatherer.with_snapshots(SNAPSHOT_EVERY) };
        let recorded =
            second_look::run(&self.inputs, place.source, gatherer, self.is_failure_known, true, is_unwanted)?;
        // It may have been cut while it was read.
        self.inputs.check(place.source)?;
        let mut recorded = recorded.into_iter().next().flatten().ok_or_else(changed)?;
        let last = snapshots.last().map_or(i64::MIN, Snapshot::time);
        snapshots.extend(std::mem::take(&mut recorded.snapshots).into_iter().filter(|s| s.time() > last));
        while snapshots.len() > SNAPSHOTS {
            let mut is_kept = false;
            snapshots.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
        }
        Ok(recorded)
    }
}
