//! Charts on demand.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tcpwhy_analysis::Connection;
use tcpwhy_report::Anonymizer;
use tcpwhy_view::chart::Budget;
use tcpwhy_view::data::{ConnectionChart, Place, View, answer};
use tcpwhy_view::{Recorded, Wanted};

use super::request::Query;
use crate::inputs::Inputs;
use crate::second_look;

/// Connections beyond those of the page that are kept once asked for.
const KEPT: usize = 100;

/// Reads the captures again for what a request wants.
pub(super) struct Details {
    view: View,
    inputs: Inputs,
    anonymizer: Option<Anonymizer>,
    /// What the analysis concluded of connections that the page does not hold.
    others: Mutex<HashMap<u64, Arc<Connection>>>,
    /// One reading at a time: more would only share the disk.
    turn: Mutex<()>,
}

impl Details {
    pub(super) fn new(view: View, inputs: Inputs, anonymizer: Option<Anonymizer>) -> Self {
        Self { view, inputs, anonymizer, others: Mutex::default(), turn: Mutex::default() }
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

    fn look(&self, place: Place, stretch: Option<(i64, i64)>) -> io::Result<Option<Recorded>> {
        let wanted = Wanted {
            first_packet: place.first_packet,
            start: place.start,
            stretch,
            budget: Budget::ANSWER,
            is_hasty: stretch.is_some(),
        };
        let recorded = second_look::gather(&self.inputs, &[(place.source, wanted)], true)?;
        Ok(recorded.into_iter().next().flatten())
    }

    fn tell(&self, place: Place, connection: &Connection, recorded: &Recorded) -> String {
        let chart = ConnectionChart::new(connection, &recorded.recording);
        answer(self.view.survey(), connection, place.capture, chart)
    }
}
