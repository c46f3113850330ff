//! Charts on demand, of a connection or a stretch of it, in more detail than a page has.

use hashbrown::HashMap;
use tcpwhy_analysis::Connection;
use tcpwhy_report::Anonymizer;

use crate::chart::Budget;
use crate::data::{ConnectionChart, Place, View, answer};
use crate::gather::{Gatherer, Recorded, Snapshot, Wanted};

/// Most connections beyond those of the page whose results are kept.
const KEPT: usize = 100;

/// Packets of a connection between two snapshots, and most snapshots: some tens of megabytes.
const SNAPSHOT_EVERY: u64 = 100_000;
const SNAPSHOTS: usize = 128;

/// A request for the charts of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Number of the connection.
    pub connection: u64,
    /// Seconds from its first packet; the whole connection if `None`.
    pub stretch: Option<(f64, f64)>,
}

impl Query {
    /// Parses `connection=N`, with `from=S&to=S` if only a stretch is wanted.
    pub fn parse(query: &str) -> Option<Self> {
        let (mut connection, mut from, mut to) = (None, None, None);
        let seconds = |value: &str| value.parse::<f64>().ok().filter(|s| (-1.0..=1e9).contains(s));
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            match name {
                "connection" => connection = Some(value.parse().ok()?),
                "from" => from = Some(seconds(value)?),
                "to" => to = Some(seconds(value)?),
                _ => {}
            }
        }
        let stretch = match (from, to) {
            (None, None) => None,
            (from, to) => {
                let stretch = (from.unwrap_or(0.0), to.unwrap_or(1e9));
                (stretch.0 <= stretch.1).then_some(Some(stretch))?
            }
        };
        Some(Self { connection: connection?, stretch })
    }
}

/// Answers requests of a page about connections of its captures, which are read again for that purpose.
pub struct Details {
    view: View,
    anonymizer: Option<Anonymizer>,
    /// Number of the connection recorded last, and its snapshots.
    snapshots: (u64, Vec<Snapshot>),
    /// Results of the analysis for connections that the page does not have.
    others: HashMap<u64, Connection>,
}

impl Details {
    /// Details for the page of `view`. `anonymizer` replaces addresses of connections that the page does not
    /// have.
    pub fn new(view: View, anonymizer: Option<Anonymizer>) -> Self {
        Self { view, anonymizer, snapshots: (0, Vec::new()), others: HashMap::new() }
    }

    /// The anonymizer of addresses, if there is one.
    pub fn anonymizer(&self) -> Option<&Anonymizer> {
        self.anonymizer.as_ref()
    }

    /// The response as JSON (`ChartAnswer` in `viewer/src/format.ts`); `None` if there is no such connection.
    /// `look` passes the packets of the source with that index to a gatherer of one connection, and returns
    /// its recording. The recording includes the kernel's samples if [`Gatherer::wants_kernel`] or
    /// [`Gatherer::charted_ports`] request them.
    pub fn answer<E>(
        &mut self,
        query: Query,
        mut look: impl FnMut(usize, Gatherer) -> Result<Recorded, E>,
    ) -> Result<Option<String>, E> {
        let Some(place) = self.view.survey().locate(query.connection) else { return Ok(None) };
        let stretch = query.stretch.map(|(from, to)| ((from * 1e9) as i64, (to * 1e9) as i64));
        let entry = self.view.survey().entries().iter().any(|e| e.connection.id == query.connection);
        if entry || self.others.contains_key(&place.id) {
            let recorded = self.record(place, stretch, false, &mut look)?;
            let entry = self.view.survey().entries().iter().find(|e| e.connection.id == query.connection);
            let connection = entry.map(|e| &e.connection).or_else(|| self.others.get(&place.id));
            return Ok(connection.map(|connection| self.tell(place, connection, &recorded)));
        }
        // The analysis needs the whole connection for its conclusions.
        let whole = self.record(place, None, place.has_kernel, &mut look)?;
        let mut connection = whole.connection.clone();
        connection.id = place.id;
        if let Some(anonymizer) = &self.anonymizer {
            anonymizer.connection(&mut connection);
        }
        let recorded = if stretch.is_some() { self.record(place, stretch, false, &mut look)? } else { whole };
        let told = self.tell(place, &connection, &recorded);
        if self.others.len() >= KEPT {
            self.others.clear();
        }
        self.others.insert(place.id, connection);
        Ok(Some(told))
    }

    fn tell(&self, place: Place, connection: &Connection, recorded: &Recorded) -> String {
        let chart = ConnectionChart::of(connection, recorded);
        answer(self.view.survey(), connection, place.capture, chart)
    }

    /// Records the connection again, from the last snapshot before the stretch if there is one.
    fn record<E>(
        &mut self,
        place: Place,
        stretch: Option<(i64, i64)>,
        wants_kernel: bool,
        look: &mut impl FnMut(usize, Gatherer) -> Result<Recorded, E>,
    ) -> Result<Recorded, E> {
        let wanted = Wanted {
            first_packet: place.first_packet,
            start: place.start,
            stretch,
            budget: Budget::ANSWER,
            stop_at_end: stretch.is_some(),
            // A page that asks for a stretch has the socket's points of the whole connection already.
            ports: (place.has_kernel && stretch.is_none()).then_some(place.ports),
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
        let gatherer = gatherer.with_snapshots(SNAPSHOT_EVERY);
        let gatherer = if wants_kernel { gatherer.reading_to_end() } else { gatherer };
        let mut recorded = look(place.source, gatherer)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries() {
        let all = Query { connection: 3, stretch: None };
        assert_eq!(Query::parse("connection=3"), Some(all));
        let part = Query { connection: 3, stretch: Some((1.5, 2.0)) };
        assert_eq!(Query::parse("connection=3&from=1.5&to=2&x=y"), Some(part));
        for bad in
            ["", "connection=", "connection=-1", "connection=1&from=NaN", "connection=1&from=3&to=2", "from=1&to=2"]
        {
            assert_eq!(Query::parse(bad), None, "{bad}");
        }
    }
}
