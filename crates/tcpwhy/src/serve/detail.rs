//! Charts on demand.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tcpwhy_analysis::Connection;
use tcpwhy_report::Anonymizer;
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Place, View, answer};
use tcpwhy_view::{Gatherer, Recorded, Snapshot, Wanted};

use super::request::Query;
use crate::inputs::Inputs;
use crate::second_look;

/// Connections beyond those of the page that are kept once asked for.
const KEPT: usize = 100;

/// Packets of a connection between two snapshots, and snapshots at most: some tens of megabytes.
const SNAPSHOT_EVERY: u64 = 100_000;
const SNAPSHOTS: usize = 128;

/// Reads the captures again for what a request wants.
pub(super) struct Details {
    view: View,
    inputs: Inputs,
    anonymizer: Option<Anonymizer>,
    /// What the analysis concluded of connections that the page does not hold.
    others: Mutex<HashMap<u64, Arc<Connection>>>,
    /// The connection looked at last, with snapshots to go on from.
    snapshots: Mutex<(u64, Vec<Snapshot>)>,
    /// One reading at a time: more would only share the disk.
    turn: Mutex<()>,
}

impl Details {
    pub(super) fn new(view: View, inputs: Inputs, anonymizer: Option<Anonymizer>) -> Self {
        Self { view, inputs, anonymizer, others: Mutex::default(), snapshots: Mutex::default(), turn: Mutex::default() }
    }

    /// The answer as JSON; `None` if there is no such connection.
    pub(super) fn answer(&self, query: Query) -> io::Result<Option<String>> {
        let survey = self.view.survey();
        let Some(place) = survey.locate(query.connection) else { return Ok(None) };
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let stretch = query.stretch.map(|(from, to)| ((from * 1e9) as i64, (to * 1e9) as i64));
        let entry = survey.entries().iter().find(|e| e.connection.id == query.connection);
        if let Some(entry) = entry {
            return Ok(self.look(place, stretch)?.map(|r| self.tell(place, &entry.connection, &r)));
        }
        let known = self.others.lock().unwrap_or_else(PoisonError::into_inner).get(&place.id).cloned();
        if let Some(connection) = known {
            return Ok(self.look(place, stretch)?.map(|r| self.tell(place, &connection, &r)));
        }
        // Its conclusions need all of it.
        let Some(whole) = self.look(place, None)? else { return Ok(None) };
        let mut connection = whole.connection.clone();
        connection.id = place.id;
        if let Some(anonymizer) = &self.anonymizer {
            anonymizer.connection(&mut connection);
        }
        let connection = Arc::new(connection);
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if others.len() >= KEPT {
            others.clear();
        }
        others.insert(place.id, Arc::clone(&connection));
        drop(others);
        let recorded = if stretch.is_some() { self.look(place, stretch)? } else { Some(whole) };
        Ok(recorded.map(|r| self.tell(place, &connection, &r)))
    }

    /// Reads the connection again, from the last snapshot before the stretch if there is one.
    fn look(&self, place: Place, stretch: Option<(i64, i64)>) -> io::Result<Option<Recorded>> {
        let wanted = Wanted {
            first_packet: place.first_packet,
            start: place.start,
            stretch,
            budget: Budget::ANSWER,
            is_hasty: stretch.is_some(),
        };
        let mut all = self.snapshots.lock().unwrap_or_else(PoisonError::into_inner);
        if all.0 != place.id {
            *all = (place.id, Vec::new());
        }
        let snapshots = &mut all.1;
        let from = stretch.map(|(from, _)| place.start.as_nanos().saturating_add(from));
        let usable = from.map_or(0, |from| snapshots.partition_point(|s| s.time() <= from));
        let gatherer = match usable.checked_sub(1).and_then(|i| snapshots.get(i)) {
            Some(snapshot) => Gatherer::resume(&wanted, snapshot),
            None => Gatherer::new(&[wanted]),
        };
        // The packet numbers of merged captures do not ascend.
        let gatherer = if self.inputs.is_merged() { gatherer } else { gatherer.with_snapshots(SNAPSHOT_EVERY) };
        let recorded =
            second_look::run(&self.inputs, place.source, gatherer, self.view.survey().has_read_error(), true)?;
        let mut recorded = recorded.into_iter().next().flatten();
        if let Some(recorded) = &mut recorded {
            let last = snapshots.last().map_or(i64::MIN, Snapshot::time);
            snapshots.extend(std::mem::take(&mut recorded.snapshots).into_iter().filter(|s| s.time() > last));
            while snapshots.len() > SNAPSHOTS {
                let mut is_kept = false;
                snapshots.retain(|_| {
                    is_kept = !is_kept;
                    is_kept
                });
            }
        }
        Ok(recorded)
    }

    fn tell(&self, place: Place, connection: &Connection, recorded: &Recorded) -> String {
        let chart = ConnectionChart::new(connection, &recorded.recording);
        answer(self.view.survey(), connection, place.capture, chart)
    }
}
