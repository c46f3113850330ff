//! All connections as a line each, and the most important ones in full.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;

use tcpwhy_analysis::{Connection, Ending, Failure, Kind, Pattern, Problem, ServerName, Side, Slow, Target};
use tcpwhy_model::foreign::visible_isolated;
use tcpwhy_model::{AnomalyKind, CaptureSummary, Endpoint, Finding, Severity, Span, Timestamp};
use tcpwhy_report::text::Overview as Summary;
use tcpwhy_report::{is_saving_predicted, lost_nanos, principal_half, shown_name};

use super::bins::{BINS, Counts, bin_of};
use super::column::Column;
use super::contract::{EndName, Omitted, Overview, ServiceLine};
use super::encode::cause_index;
use super::services::ServiceSums;
use crate::chart::UNKNOWN;

/// Order of connections: most time lost first, then most bytes, then earliest.
type Rank = (Reverse<i64>, Reverse<u64>, Timestamp, u64);

/// A connection that is kept in full.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Result of the analysis, with addresses replaced if that was asked for.
    pub connection: Connection,
    /// Index of its source: a file, or 0 for merged files.
    pub source: usize,
    /// Index of its capture; `None` if captures were merged.
    pub capture: Option<usize>,
    rank: Rank,
}

/// The place at which a connection can be found again.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Number in the report.
    pub id: u64,
    /// Index of its source.
    pub source: usize,
    /// Index of its capture; `None` if captures were merged.
    pub capture: Option<usize>,
    /// Packet number of its first packet.
    pub first_packet: u64,
    /// Time of the first packet.
    pub start: Timestamp,
    /// Whether it has a kernel's data.
    pub has_kernel: bool,
    /// Ports of its ends.
    pub ports: [u16; 2],
}

/// One line of the overview.
#[derive(Clone, Debug)]
struct Row {
    /// Connection without its halves and findings: enough to number it.
    stub: Connection,
    source: usize,
    capture: Option<usize>,
    rank: Rank,
    /// Index of the end that sent more.
    sender: usize,
    bytes: [u64; 2],
    goodput: f64,
    /// Seconds of the direction that sent more; NaN without data.
    transfer: f64,
    retransmitted: u64,
    verdict: u64,
    verdict_seconds: f64,
    is_saving_predicted: bool,
    severity: u64,
    has_kernel: bool,
    /// Side of the server.
    server: Side,
    failed: Option<Failure>,
    slow: Option<Slow>,
    exchanges: u64,
    /// Bins of the histograms that count it, as bits.
    bins: u64,
    is_interactive: bool,
    /// Whether it was opened and closed without data or failure: a health check.
    is_check: bool,
    /// Time that a change would save, nanoseconds.
    lost: i64,
}

/// A collection of connections, source by source, in bounded memory.
pub struct Survey {
    most_rows: usize,
    most_entries: usize,
    rows: Vec<Row>,
    /// Rows of the source that is being read, which have no final numbers yet.
    current_rows: Vec<Row>,
    entries: Vec<Entry>,
    current_entries: Vec<Entry>,
    captures: Vec<CaptureSummary>,
    sources: usize,
    connections: u64,
    bytes: u64,
    lost: i64,
    /// Services, problems and sums over all connections.
    summary: Summary,
    services: ServiceSums,
}

/// Smallest weight of a failure as lost time, nanoseconds: the client got no answer at all.
const FAILURE: i64 = 1_000_000_000;

impl Survey {
    /// Most lines of the overview; the others are only counted.
    const MOST_ROWS: usize = 20_000;
    /// Most connections in full.
    const MOST_ENTRIES: usize = 60;
    /// Number of problems whose examples are kept in full, regardless of the time that they lost.
    const MOST_EXAMPLES: usize = 12;
    /// Most problems in words.
    const MOST_PROBLEMS: usize = 30;
    /// Most services in the overview; the others are only counted.
    const MOST_SERVICES: usize = 200;

    /// An empty survey.
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
            // Keeps no connection for a table, because this survey does.
            summary: Summary::new(1),
            services: ServiceSums::default(),
        }
    }

    /// Sets other limits.
    #[must_use]
    pub fn with_most(mut self, rows: usize, entries: usize) -> Self {
        self.most_rows = rows.max(1);
        self.most_entries = entries.max(1);
        self
    }

    /// Adds a connection of the source that is being read.
    pub fn add(&mut self, mut connection: Connection) {
        self.summary.count(&connection);
        let bins = self.services.add(&connection);
        let row = Row::new(&connection, bins);
        self.connections += 1;
        self.bytes += row.bytes.iter().sum::<u64>();
        self.lost = self.lost.saturating_add(row.lost);
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

    /// Ends the source; `number` gives the final numbers of its connections.
    pub fn end_of_source(&mut self, captures: Vec<CaptureSummary>, number: &dyn Fn(&Connection) -> u64) {
        let capture = (captures.len() == 1).then_some(self.captures.len());
        // The page isolates each name that it shows to people (`viewer/src/base/isolate.ts`).
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
        self.summary.renumber(number);
        self.sources += 1;
    }

    /// Removes the folders from the names of captures, because they do not concern the readers of a page.
    /// They stay if two captures would have the same name.
    pub(crate) fn hide_folders(&mut self) {
        // Escapes of hidden characters begin with a backslash, which is a separator only on Windows.
        let is_separator = |c: char| c == '/' || cfg!(windows) && c == '\\';
        let name = |capture: &CaptureSummary| {
            let path = capture.path.rsplit(is_separator).next().unwrap_or_default();
            if path.is_empty() { capture.path.clone() } else { path.to_owned() }
        };
        let names: HashSet<String> = self.captures.iter().map(name).collect();
        if names.len() == self.captures.len() {
            self.captures.iter_mut().for_each(|capture| capture.path = name(capture));
        }
    }

    /// Puts the examples of the first problems before all other connections that are kept in full.
    pub(crate) fn put_examples_first(&mut self) {
        let mut first: Vec<Entry> = Vec::new();
        for problem in self.summary.problems().iter().take(Self::MOST_EXAMPLES.min(self.most_entries)) {
            let id = problem.example.id;
            if first.iter().any(|entry| entry.connection.id == id) {
                continue;
            }
            let row = self.rows.iter().find(|row| row.stub.id == id);
            let kept = self.entries.iter().find(|entry| entry.connection.id == id).cloned();
            first.extend(kept.or_else(|| {
                let row = row?;
                let connection = (*problem.example).clone();
                Some(Entry { connection, source: row.source, capture: row.capture, rank: row.rank })
            }));
        }
        let is_other = |entry: &Entry| first.iter().all(|one| one.connection.id != entry.connection.id);
        let others: Vec<_> = std::mem::take(&mut self.entries).into_iter().filter(is_other).collect();
        first.extend(others);
        first.truncate(self.most_entries);
        self.entries = first;
    }

    /// Counts a source that could not be read.
    pub fn skip_source(&mut self) {
        self.sources += 1;
    }

    /// The connections kept in full: examples of problems, then those that lost the most time.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Number of all connections.
    pub fn connections(&self) -> u64 {
        self.connections
    }

    /// The place of connection `id`, if the overview has a line for it.
    pub fn locate(&self, id: u64) -> Option<Place> {
        self.rows.iter().find(|r| r.stub.id == id).map(|r| Place {
            id,
            source: r.source,
            capture: r.capture,
            first_packet: r.stub.first_packet,
            start: r.stub.span.start(),
            has_kernel: r.has_kernel,
            ports: r.stub.endpoints.map(|end| end.port),
        })
    }

    /// The summary from which the first lines are made.
    pub(crate) const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The problems that are shown, most severe first.
    pub(crate) fn problems(&self) -> &[Problem] {
        let all = self.summary.problems();
        &all[..all.len().min(Self::MOST_PROBLEMS)]
    }

    /// The services that are shown, and the number of the others.
    pub(crate) fn services(&self) -> (Vec<ServiceLine>, u64) {
        let services = self.summary.services();
        let lines = self.services.lines(services, self.problems(), &self.probed(), Self::MOST_SERVICES);
        let rest = services.ranked().len() - lines.len();
        (lines, rest as u64)
    }

    /// Durations of failed connections that nobody waited for, by server, in the bins of the histograms.
    fn probed(&self) -> BTreeMap<Endpoint, Counts> {
        let problems = Places::new(self.summary.problems());
        let mut probed: BTreeMap<Endpoint, Counts> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.failed.is_some() && problems.is_probe(row)) {
            let server = row.stub.endpoints[row.server.index()];
            let counts = probed.entry(server).or_insert([0; BINS]);
            counts[bin_of(row.stub.span.nanos().unsigned_abs())] += 1;
        }
        probed
    }

    /// The captures that were read.
    pub fn captures(&self) -> &[CaptureSummary] {
        &self.captures
    }

    /// Whether a capture could not be read to its end.
    pub fn has_read_error(&self) -> bool {
        self.captures.iter().flat_map(|c| c.anomalies.iter()).any(|a| a.kind == AnomalyKind::ReadError)
    }

    /// Up to `most` addresses, first of the connections that lost the most time.
    pub(crate) fn addresses(&self, most: usize) -> Vec<IpAddr> {
        let mut seen = HashSet::new();
        let all = self.rows.iter().flat_map(|r| r.stub.endpoints).map(|end| end.address);
        all.filter(|&address| seen.insert(address)).take(most).collect()
    }

    /// Names that clients used for their servers, by the connection's number, if they were asked for and may
    /// be shown.
    pub(crate) fn server_names(&self) -> BTreeMap<u64, EndName> {
        let named = self.rows.iter().filter_map(|row| Some((&row.stub, row.stub.server_name.as_deref()?)));
        let name = |(stub, known): (&Connection, &ServerName)| {
            let end = stub.endpoints[known.server.index()].to_string();
            Some((stub.id, EndName { end, name: shown_name(&known.name)?.into_owned() }))
        };
        named.filter_map(name).collect()
    }

    /// The columns of the overview. `detail` returns the amount of data that the page has for a connection's
    /// number; `services` are those that are shown.
    pub(crate) fn overview(&self, services: &[ServiceLine], detail: impl Fn(u64) -> u64) -> Overview {
        let rows = &self.rows;
        let start = self.captures.iter().filter_map(|c| c.span.map(Span::start)).min();
        let start = start.or_else(|| rows.iter().map(|r| r.stub.span.start()).min()).unwrap_or_default();
        let shown = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
        let lost: i64 = rows.iter().map(|r| r.lost).sum();
        let place: HashMap<&str, u64> = services.iter().map(|s| s.server.as_str()).zip(0..).collect();
        let service = |r: &Row| place.get(name_of(r, r.server.index()).as_str()).copied().unwrap_or(UNKNOWN);
        let problems = Places::new(self.problems());
        let all_problems = Places::new(self.summary.problems());
        let is_probe = |r: &Row| r.is_check || all_problems.is_probe(r);
        let capture = |r: &Row| r.capture.map_or(UNKNOWN, |capture| capture as u64);
        Overview {
            connections: self.connections,
            omitted: Omitted {
                connections: self.connections - rows.len() as u64,
                bytes: self.bytes.saturating_sub(shown(|r| r.bytes.iter().sum())),
                lost_s: self.lost.saturating_sub(lost) as f64 / 1e9,
            },
            rows: rows.len(),
            id: Column::integers(rows.iter().map(|r| r.stub.id)),
            from: rows.iter().map(|r| name_of(r, r.sender)).collect(),
            to: rows.iter().map(|r| name_of(r, 1 - r.sender)).collect(),
            start_s: Column::seconds(rows.iter().map(|r| r.stub.span.start().since(start))),
            duration_s: Column::reals(rows.iter().map(|r| r.stub.span.seconds())),
            transfer_s: Column::reals(rows.iter().map(|r| r.transfer)),
            bytes: Column::integers(rows.iter().map(|r| r.bytes[r.sender])),
            bytes_back: Column::integers(rows.iter().map(|r| r.bytes[1 - r.sender])),
            goodput_bits_per_s: Column::reals(rows.iter().map(|r| r.goodput)),
            retransmitted_bytes: Column::integers(rows.iter().map(|r| r.retransmitted)),
            verdict: Column::integers(rows.iter().map(|r| r.verdict)),
            verdict_s: Column::reals(rows.iter().map(|r| r.verdict_seconds)),
            lost_s: Column::reals(rows.iter().map(|r| r.lost as f64 / 1e9)),
            is_saving_predicted: Column::integers(rows.iter().map(|r| u64::from(r.is_saving_predicted))),
            severity: Column::integers(rows.iter().map(|r| r.severity)),
            service: Column::integers(rows.iter().map(service).collect::<Vec<_>>().into_iter()),
            failure: Column::integers(rows.iter().map(|r| r.failed.map_or(UNKNOWN, |failure| failure as u64))),
            failed_problem: Column::integers(rows.iter().map(|r| problems.of_failure(r))),
            slow_problem: Column::integers(rows.iter().map(|r| problems.of_slowness(r))),
            exchanges: Column::integers(rows.iter().map(|r| r.exchanges)),
            // Probes are in no histogram.
            bins: Column::integers(rows.iter().map(|r| if is_probe(r) { 0 } else { r.bins })),
            interactive: Column::integers(rows.iter().map(|r| u64::from(r.is_interactive))),
            probe: Column::integers(rows.iter().map(|r| u64::from(is_probe(r)))),
            capture: Column::integers(rows.iter().map(capture)),
            detail: Column::integers(rows.iter().map(|r| detail(r.stub.id))),
        }
    }
}

impl Default for Survey {
    fn default() -> Self {
        Self::new()
    }
}

fn name_of(row: &Row, end: usize) -> String {
    row.stub.endpoints[end].to_string()
}

/// Indexes of the problems that rows belong to.
struct Places<'a> {
    of: HashMap<(Target, Kind), u64>,
    /// Problems that cover failures of several services, such as a scan of ports.
    several: Vec<(u64, &'a Problem)>,
}

impl<'a> Places<'a> {
    fn new(problems: &'a [Problem]) -> Self {
        let of = problems.iter().map(|problem| (problem.key.target, problem.key.kind)).zip(0..).collect();
        let is_several = |problem: &Problem| !matches!(problem.key.target, Target::Service(_));
        let several = (0..).zip(problems).filter(|(_, problem)| is_several(problem)).collect();
        Self { of, several }
    }

    fn of(&self, row: &Row, kind: Kind) -> u64 {
        let server = row.stub.endpoints[row.server.index()];
        self.of.get(&(Target::Service(server), kind)).copied().unwrap_or(UNKNOWN)
    }

    /// Whether the failed connection of `row` is part of a scan or the like, so that nobody waited for it.
    fn is_probe(&self, row: &Row) -> bool {
        let place = self.of_failure(row);
        self.several.iter().any(|(several, problem)| *several == place && problem.key.is_probes())
    }

    fn of_slowness(&self, row: &Row) -> u64 {
        row.slow.map_or(UNKNOWN, |slow| self.of(row, Kind::Slow(slow)))
    }

    fn of_failure(&self, row: &Row) -> u64 {
        let Some(failure) = row.failed else { return UNKNOWN };
        let kind = Kind::Failed(failure);
        let [server, client] = [row.server, row.server.peer()].map(|side| row.stub.endpoints[side.index()]);
        let is_part = |(_, problem): &&(u64, &Problem)| {
            problem.key.kind == kind && problem.key.target.is_of(server, client.address)
        };
        let of_service = self.of(row, kind);
        let of_several = || self.several.iter().find(is_part).map_or(UNKNOWN, |problem| problem.0);
        if of_service == UNKNOWN { of_several() } else { of_service }
    }
}

impl Row {
    fn new(connection: &Connection, bins: u64) -> Self {
        let principal = principal_half(connection);
        let mut bytes = [0; 2];
        for half in &connection.halves {
            bytes[half.sender.index()] = half.bytes;
        }
        let lost = principal.filter(|_| !connection.has_wrong_clock).map_or(0, lost_nanos);
        let all: u64 = bytes.iter().sum();
        let failed = Failure::of_connection(connection);
        let waited = |finding: &Finding| (finding.seconds.unwrap_or(0.0) * 1e9) as i64;
        let reported = connection.failure().filter(|_| !connection.has_wrong_clock);
        let failure = failed.map_or(0, |_| reported.map_or(0, waited).max(FAILURE));
        let gravest = connection.halves.iter().flat_map(|h| &h.findings).chain(&connection.findings);
        let severity = gravest.map(|f| match f.severity {
            Severity::Info => 1,
            Severity::Warning => 2,
            Severity::Critical => 3,
        });
        Self {
            rank: (Reverse(lost.max(failure)), Reverse(all), connection.span.start(), connection.first_packet),
            sender: principal.map_or(connection.initiator.map_or(0, Side::index), |h| h.sender.index()),
            bytes,
            transfer: principal.map_or(f64::NAN, |h| h.span.seconds()),
            goodput: principal.and_then(|h| h.goodput).map_or(f64::NAN, tcpwhy_model::Rate::bits_per_sec),
            retransmitted: principal.map_or(0, |h| h.retransmitted_bytes),
            verdict: principal.and_then(|h| h.verdict.cause).map_or(UNKNOWN, cause_index),
            verdict_seconds: principal.map_or(0.0, |h| h.verdict.seconds),
            is_saving_predicted: principal.is_some_and(is_saving_predicted),
            severity: severity.max().unwrap_or(0),
            has_kernel: connection.kernel.is_some(),
            server: connection.server(),
            failed,
            slow: Slow::of(connection),
            exchanges: connection.exchanges.as_ref().map_or(0, |exchanges| exchanges.count),
            bins,
            is_check: failed.is_none()
                && connection.halves.is_empty()
                && matches!(connection.ending, Ending::Closed | Ending::HalfClosed | Ending::Reset(_)),
            is_interactive: connection.exchanges.as_ref().is_some_and(|e| e.pattern == Pattern::Interactive),
            lost,
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
        close: connection.close,
        halves: Vec::new(),
        findings: Vec::new(),
        rtt_min: None,
        kernel: None,
        exchanges: None,
        server_name: connection.server_name.clone(),
        served_by: connection.served_by,
        has_wrong_clock: connection.has_wrong_clock,
        awaited: None,
    }
}

fn shrink<T>(all: &mut Vec<T>, most: usize, rank: fn(&T) -> Rank) {
    all.sort_unstable_by_key(rank);
    all.truncate(most);
}
