//! All connections in a line each, and in full those that matter most.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;

use tcpwhy_analysis::{Connection, Pairs, ServerName, Side};
use tcpwhy_model::foreign::visible_isolated;
use tcpwhy_model::{AnomalyKind, CaptureSummary, Finding, Severity, Span, Timestamp};
use tcpwhy_report::{is_saving_predicted, lost_nanos, principal_half, shown_name};

use super::column::Column;
use super::contract::{EndName, Omitted, Overview};
use super::encode::cause_index;
use crate::chart::UNKNOWN;

/// Most lost first, then most bytes, then the earliest.
type Rank = (Reverse<i64>, Reverse<u64>, Timestamp, u64);

/// A connection that is kept in full.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As the analysis concluded it, addresses replaced where that was asked for.
    pub connection: Connection,
    /// Index of its source (file by file, or 0 for merged files).
    pub source: usize,
    /// Index of its capture; `None` when captures were merged.
    pub capture: Option<usize>,
    rank: Rank,
}

/// Where a connection is to be found again.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Number in the report.
    pub id: u64,
    /// Index of its source.
    pub source: usize,
    /// Index of its capture; `None` when captures were merged.
    pub capture: Option<usize>,
    /// Packet number of its first packet.
    pub first_packet: u64,
    /// When that was.
    pub start: Timestamp,
    /// Whether a kernel told of it.
    pub has_kernel: bool,
}

/// One line of the overview.
#[derive(Clone, Debug)]
struct Row {
    /// The connection without its halves and findings: enough to number it.
    stub: Connection,
    source: usize,
    capture: Option<usize>,
    rank: Rank,
    /// The direction that sent more: index of its sender.
    sender: usize,
    bytes: [u64; 2],
    goodput: f64,
    retransmitted: u64,
    verdict: u64,
    verdict_seconds: f64,
    is_saving_predicted: bool,
    severity: u64,
    has_kernel: bool,
}

/// Collects connections source by source. Memory is bounded.
#[derive(Debug)]
pub struct Survey {
    most_rows: usize,
    most_entries: usize,
    rows: Vec<Row>,
    /// Rows of the source being read, without their numbers yet.
    current_rows: Vec<Row>,
    entries: Vec<Entry>,
    current_entries: Vec<Entry>,
    captures: Vec<CaptureSummary>,
    sources: usize,
    connections: u64,
    bytes: u64,
    lost: i64,
    pairs: Pairs,
}

impl Survey {
    /// Lines of the overview; the rest is counted.
    const MOST_ROWS: usize = 20_000;
    /// Connections in full.
    const MOST_ENTRIES: usize = 60;

    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            most_rows: Self::MOST_ROWS,
            most_entries: Self::MOST_ENTRIES,
            rows: Vec::new(),
            current_rows: Vec::new(),
            entries: Vec::new(),
            current_entries: Vec::new(),
            captures: Vec::new(),
            sources: 0,
            connections: 0,
            bytes: 0,
            lost: 0,
            pairs: Pairs::default(),
        }
    }

    /// With other bounds.
    #[must_use]
    pub fn with_most(mut self, rows: usize, entries: usize) -> Self {
        self.most_rows = rows.max(1);
        self.most_entries = entries.max(1);
        self
    }

    /// Takes a connection of the source being read.
    pub fn add(&mut self, mut connection: Connection) {
        self.pairs.add(&connection);
        let row = Row::new(&connection);
        self.connections += 1;
        self.bytes += row.bytes.iter().sum::<u64>();
        self.lost = self.lost.saturating_add(row.rank.0.0);
        let rank = row.rank;
        self.current_rows.push(row);
        if self.current_rows.len() >= 2 * self.most_rows {
            shrink(&mut self.current_rows, self.most_rows, |r| r.rank);
        }
        connection.halves.iter_mut().for_each(|h| h.findings.shrink_to_fit());
        self.current_entries.push(Entry { connection, source: self.sources, capture: None, rank });
        if self.current_entries.len() >= 2 * self.most_entries + 16 {
            shrink(&mut self.current_entries, self.most_entries, |e| e.rank);
        }
    }

    /// The source was read to its end; `number` gives the numbers of its connections.
    pub fn end_of_source(&mut self, captures: Vec<CaptureSummary>, number: &dyn Fn(&Connection) -> u64) {
        let capture = (captures.len() == 1).then_some(self.captures.len());
        // Its page shows names to people, each isolated (`viewer/src/base/isolate.ts`).
        self.captures
            .extend(captures.into_iter().map(|c| CaptureSummary { path: visible_isolated(&c.path).into_owned(), ..c }));
        for mut row in self.current_rows.drain(..) {
            row.stub.id = number(&row.stub);
            (row.source, row.capture) = (self.sources, capture);
            self.rows.push(row);
        }
        for mut entry in self.current_entries.drain(..) {
            entry.connection.id = number(&entry.connection);
            entry.capture = capture;
            self.entries.push(entry);
        }
        shrink(&mut self.rows, self.most_rows, |r| r.rank);
        shrink(&mut self.entries, self.most_entries, |e| e.rank);
        self.sources += 1;
    }

    /// A source that could not be read.
    pub fn skip_source(&mut self) {
        self.sources += 1;
    }

    /// The connections kept in full, the one that lost most first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many connections there are in all.
    pub fn connections(&self) -> u64 {
        self.connections
    }

    /// Where connection `id` is, if the overview has a line for it.
    pub fn locate(&self, id: u64) -> Option<Place> {
        self.rows.iter().find(|r| r.stub.id == id).map(|r| Place {
            id,
            source: r.source,
            capture: r.capture,
            first_packet: r.stub.first_packet,
            start: r.stub.span.start(),
            has_kernel: r.has_kernel,
        })
    }

    /// What no single connection shows.
    pub(crate) fn across(&self) -> Vec<Finding> {
        self.pairs.findings().0
    }

    /// The captures read.
    pub fn captures(&self) -> &[CaptureSummary] {
        &self.captures
    }

    /// Whether a capture could not be read to its end.
    pub fn has_read_error(&self) -> bool {
        self.captures.iter().flat_map(|c| c.anomalies.iter()).any(|a| a.kind == AnomalyKind::ReadError)
    }

    /// Up to `most` addresses, those of the connections that lost most first.
    pub(crate) fn addresses(&self, most: usize) -> Vec<IpAddr> {
        let mut seen = HashSet::new();
        let all = self.rows.iter().flat_map(|r| r.stub.endpoints).map(|end| end.address);
        all.filter(|&address| seen.insert(address)).take(most).collect()
    }

    /// By the connection's number: what clients called their servers, where that was asked for, as it may be
    /// shown.
    pub(crate) fn server_names(&self) -> BTreeMap<u64, EndName> {
        let named = self.rows.iter().filter_map(|row| Some((&row.stub, row.stub.server_name.as_deref()?)));
        let name = |(stub, known): (&Connection, &ServerName)| {
            let end = stub.endpoints[known.server.index()].to_string();
            Some((stub.id, EndName { end, name: shown_name(&known.name)?.into_owned() }))
        };
        named.filter_map(name).collect()
    }

    /// The columns of the overview. `detail` says of a connection's number what the page holds of it.
    pub(crate) fn overview(&self, detail: impl Fn(u64) -> u64) -> Overview {
        let rows = &self.rows;
        let start = self.captures.iter().filter_map(|c| c.span.map(Span::start)).min();
        let start = start.or_else(|| rows.iter().map(|r| r.stub.span.start()).min()).unwrap_or_default();
        let shown = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
        let lost: i64 = rows.iter().map(|r| r.rank.0.0).sum();
        let name = |r: &Row, end: usize| r.stub.endpoints[end].to_string();
        Overview {
            connections: self.connections,
            omitted: Omitted {
                connections: self.connections - rows.len() as u64,
                bytes: self.bytes.saturating_sub(shown(|r| r.bytes.iter().sum())),
                lost_s: self.lost.saturating_sub(lost) as f64 / 1e9,
            },
            rows: rows.len(),
            id: Column::integers(rows.iter().map(|r| r.stub.id)),
            from: rows.iter().map(|r| name(r, r.sender)).collect(),
            to: rows.iter().map(|r| name(r, 1 - r.sender)).collect(),
            start_s: Column::seconds(rows.iter().map(|r| r.stub.span.start().since(start))),
            duration_s: Column::reals(rows.iter().map(|r| r.stub.span.seconds())),
            bytes: Column::integers(rows.iter().map(|r| r.bytes[r.sender])),
            bytes_back: Column::integers(rows.iter().map(|r| r.bytes[1 - r.sender])),
            goodput_bits_per_s: Column::reals(rows.iter().map(|r| r.goodput)),
            retransmitted_bytes: Column::integers(rows.iter().map(|r| r.retransmitted)),
            verdict: Column::integers(rows.iter().map(|r| r.verdict)),
            verdict_s: Column::reals(rows.iter().map(|r| r.verdict_seconds)),
            lost_s: Column::reals(rows.iter().map(|r| r.rank.0.0 as f64 / 1e9)),
            is_saving_predicted: Column::integers(rows.iter().map(|r| u64::from(r.is_saving_predicted))),
            severity: Column::integers(rows.iter().map(|r| r.severity)),
            detail: Column::integers(rows.iter().map(|r| detail(r.stub.id))),
        }
    }
}

impl Default for Survey {
    fn default() -> Self {
        Self::new()
    }
}

impl Row {
    fn new(connection: &Connection) -> Self {
        let principal = principal_half(connection);
        let mut bytes = [0; 2];
        for half in &connection.halves {
            bytes[half.sender.index()] = half.bytes;
        }
        let lost = principal.map_or(0, lost_nanos);
        let all: u64 = bytes.iter().sum();
        let gravest = connection.halves.iter().flat_map(|h| &h.findings).chain(&connection.findings);
        let severity = gravest.map(|f| match f.severity {
            Severity::Info => 1,
            Severity::Warning => 2,
            Severity::Critical => 3,
        });
        Self {
            rank: (Reverse(lost), Reverse(all), connection.span.start(), connection.first_packet),
            sender: principal.map_or(connection.initiator.map_or(0, Side::index), |h| h.sender.index()),
            bytes,
            goodput: principal.and_then(|h| h.goodput).map_or(f64::NAN, tcpwhy_model::Rate::bits_per_sec),
            retransmitted: principal.map_or(0, |h| h.retransmitted_bytes),
            verdict: principal.and_then(|h| h.verdict.cause).map_or(UNKNOWN, cause_index),
            verdict_seconds: principal.map_or(0.0, |h| h.verdict.seconds),
            is_saving_predicted: principal.is_some_and(is_saving_predicted),
            severity: severity.max().unwrap_or(0),
            has_kernel: connection.kernel.is_some(),
            stub: head(connection),
            source: 0,
            capture: None,
        }
    }
}

/// The connection without its directions.
fn head(connection: &Connection) -> Connection {
    Connection {
        id: connection.id,
        endpoints: connection.endpoints,
        initiator: connection.initiator,
        span: connection.span,
        first_packet: connection.first_packet,
        packets: connection.packets,
        vantage: connection.vantage,
        ending: connection.ending,
        halves: Vec::new(),
        findings: Vec::new(),
        rtt_min: None,
        kernel: None,
        exchanges: None,
        server_name: connection.server_name.clone(),
    }
}

fn shrink<T>(all: &mut Vec<T>, most: usize, rank: fn(&T) -> Rank) {
    all.sort_unstable_by_key(rank);
    all.truncate(most);
}
