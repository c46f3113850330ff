use std::cmp::Reverse;

use tcpwhy_analysis::{Carried, Connection, Ending, Legs, Pairs, Problem, Problems, Services, Side, control_channels};
use tcpwhy_model::{Cause, Finding, Rate, Span, Timestamp};

use super::groups::{GroupBy, Groups};
use crate::TimeSpent;
use crate::{is_saving_predicted, lost_nanos, principal_half};

/// Which connections come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Most time lost that a change could win.
    #[default]
    Saving,
    /// Most bytes.
    Bytes,
    /// Longest.
    Time,
    /// Most bytes retransmitted.
    Retransmissions,
}

/// The connections of a source, of which only those that lost the most time are kept.
pub struct Overview {
    top: usize,
    pub(super) order: Order,
    /// The connection with most bytes, and of those the first.
    largest: Option<Box<Largest>>,
    pub(super) services: Services,
    problems: Problems,
    pub(super) legs: Legs,
    /// [`Self::problems`] ranked, once all connections have come.
    ranked: Vec<Problem>,
    /// Connections whose clock is contradicted.
    pub(super) contradicted: u64,
    pub(super) groups: Option<Groups>,
    pub(super) time: TimeSpent,
    pub(super) pairs: Pairs,
    /// Connections with data, a line each, at most `top`; unsorted until more than twice as many came.
    kept: Vec<Ranked<Line>>,
    /// The first of them as a whole, at most `most_full`; unsorted in the same way.
    full: Vec<Ranked<Connection>>,
    most_full: usize,
    pub(crate) connections: u64,
    pub(crate) with_data: u64,
    pub(crate) bytes: u64,
    pub(crate) start: Option<Timestamp>,
    pub(crate) end: Option<Timestamp>,
    /// Established connections that carried nothing.
    pub(super) empty: u64,
    /// One connection without data, with what was found about it: the gravest there was.
    pub(super) dataless: Option<Box<Connection>>,
}

struct Largest {
    connection: Connection,
    bytes: u64,
    /// It has the number that holds.
    is_numbered: bool,
}

struct Ranked<T> {
    rank: Rank,
    connection: T,
}

/// What a line of the table shows of a connection: a tenth of its memory, where a million lines are asked
/// for.
pub(crate) struct Line {
    /// The connection without its halves and findings.
    pub(crate) connection: Connection,
    /// Of the half to speak of.
    pub(crate) sender: Side,
    /// Payload of that half.
    pub(crate) bytes: u64,
    /// What its limits account for.
    pub(crate) span: Span,
    pub(crate) goodput: Option<Rate>,
    /// What held it back.
    pub(crate) cause: Option<Cause>,
    /// What it lost, nanoseconds.
    pub(crate) lost: i64,
    pub(crate) is_saving_predicted: bool,
    /// Both directions.
    pub(crate) retransmitted: u64,
    /// Payload of both directions.
    all_bytes: u64,
}

impl Line {
    fn new(connection: &Connection) -> Option<Self> {
        let half = principal_half(connection)?;
        Some(Self {
            sender: half.sender,
            bytes: half.bytes,
            span: half.span,
            goodput: half.goodput,
            cause: half.verdict.cause,
            lost: lost(connection),
            is_saving_predicted: is_saving_predicted(half),
            retransmitted: retransmitted(connection),
            all_bytes: connection.halves.iter().map(|half| half.bytes).fold(0, u64::saturating_add),
            connection: Connection {
                halves: Vec::new(),
                findings: Vec::new(),
                kernel: None,
                exchanges: None,
                server_name: connection.server_name.clone(),
                ..*connection
            },
        })
    }
}

/// The rule that finds a capture's clock contradicted.
const CLOCK_RULE: &str = "clock-contradicted";

/// Connections that are kept as a whole: of more, nothing is shown but a line.
const MOST_FULL: usize = 1000;

/// Most of what the order is by first, then most lost, most bytes, the earliest.
type Rank = (Reverse<u64>, Reverse<i64>, Reverse<u64>, Timestamp, u64);

impl Overview {
    /// Keeps up to `top` connections, and never fewer than one.
    pub fn new(top: usize) -> Self {
        Self {
            top: top.max(1),
            order: Order::default(),
            largest: None,
            services: Services::default(),
            problems: Problems::default(),
            legs: Legs::default(),
            ranked: Vec::new(),
            contradicted: 0,
            groups: None,
            time: TimeSpent::default(),
            pairs: Pairs::default(),
            kept: Vec::new(),
            full: Vec::new(),
            most_full: top.clamp(1, MOST_FULL),
            connections: 0,
            with_data: 0,
            bytes: 0,
            start: None,
            end: None,
            empty: 0,
            dataless: None,
        }
    }

    /// The overview of `connections` that have their final numbers, such as those of
    /// `tcpwhy_engine::Explanation`. Its table lists 10 of them. Pass one connection for
    /// [`answer_lines`](super::answer_lines) about that one.
    pub fn of<'a>(connections: impl IntoIterator<Item = &'a Connection>) -> Self {
        /// As many as `tcpwhy FILE` lists.
        const LISTED: usize = 10;
        let mut overview = Self::new(LISTED);
        connections.into_iter().for_each(|connection| overview.add(connection.clone()));
        overview.renumber(&|connection| connection.id);
        overview
    }

    /// The same, with those first that have most of this.
    #[must_use]
    pub const fn ordered(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// The same, with the connections in groups.
    #[must_use]
    pub fn grouped(mut self, by: GroupBy) -> Self {
        self.groups = Some(Groups::new(by));
        self
    }

    /// The same, with all of them as a whole, for a report that says more of each than a line.
    #[must_use]
    pub fn in_full(mut self) -> Self {
        self.most_full = self.top;
        self
    }

    /// Connections that are kept as a whole at this moment.
    #[doc(hidden)]
    pub const fn full_len(&self) -> usize {
        self.full.len()
    }

    /// Whether no connection was added.
    pub const fn is_empty(&self) -> bool {
        self.connections == 0
    }

    /// Takes a connection into the sums, and does not keep it for a table.
    pub fn count(&mut self, connection: &Connection) {
        self.connections += 1;
        self.pairs.add(connection);
        self.services.add(connection);
        self.problems.add(connection);
        self.legs.add(connection);
        if connection.halves.is_empty() {
            self.add_dataless(connection);
            return;
        }
        self.with_data += 1;
        let bytes: u64 = connection.halves.iter().map(|h| h.bytes).sum();
        self.bytes += bytes;
        // What came after the last acknowledged byte carried nothing.
        for carried in connection.halves.iter().map(|half| half.span) {
            self.start = Some(self.start.map_or(carried.start(), |s| s.min(carried.start())));
            self.end = Some(self.end.map_or(carried.end(), |e| e.max(carried.end())));
        }
        self.contradicted += u64::from(connection.findings.iter().any(|f| f.rule == CLOCK_RULE));
        let is_largest = |kept: &Largest| {
            (bytes, Reverse(connection.first_packet)) > (kept.bytes, Reverse(kept.connection.first_packet))
        };
        if self.largest.as_deref().is_none_or(is_largest) {
            self.largest = Some(Box::new(Largest { connection: connection.clone(), bytes, is_numbered: false }));
        }
        self.time.add(connection);
    }

    /// Takes a connection into account.
    pub fn add(&mut self, connection: Connection) {
        self.count(&connection);
        if connection.halves.is_empty() {
            return;
        }
        let bytes: u64 = connection.halves.iter().map(|h| h.bytes).sum();
        let span = connection.span;
        let lost = lost(&connection);
        if let Some(groups) = &mut self.groups {
            groups.add(&connection, bytes, lost);
        }
        let key = match self.order {
            Order::Saving => 0,
            // As they stand in the table: of the direction that is spoken of.
            Order::Bytes => principal_half(&connection).map_or(0, |half| half.bytes),
            Order::Time => principal_half(&connection).map_or(0, |half| half.span.nanos().unsigned_abs()),
            Order::Retransmissions => retransmitted(&connection),
        };
        let rank = |key| (Reverse(key), Reverse(lost), Reverse(bytes), span.start(), connection.first_packet);
        let by_order = rank(key);
        self.kept.extend(Line::new(&connection).map(|connection| Ranked { rank: by_order, connection }));
        if self.kept.len() >= self.top.saturating_mul(2).saturating_add(16) {
            shrink(&mut self.kept, self.top);
        }
        self.full.push(Ranked { rank: by_order, connection });
        if self.full.len() >= self.most_full.saturating_mul(2).saturating_add(16) {
            shrink(&mut self.full, self.most_full);
        }
    }

    fn add_dataless(&mut self, connection: &Connection) {
        self.empty += u64::from(!matches!(connection.ending, Ending::Unanswered | Ending::Refused));
        // The gravest, and of those the first, in whatever order they come.
        let rank = |c: &Connection| (c.findings.iter().map(|f| f.severity).max(), Reverse(c.first_packet));
        if self.dataless.as_ref().is_none_or(|kept| rank(kept) < rank(connection)) {
            self.dataless = Some(Box::new(connection.clone()));
        }
    }

    /// Sorts what is kept and gives it the numbers that hold.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        shrink(&mut self.kept, self.top);
        shrink(&mut self.full, self.most_full);
        // Stable: behind those that they steer, and otherwise as they were.
        let carried = |place: usize| {
            let line = &self.kept[place].connection;
            Carried::new(&line.connection, line.all_bytes)
        };
        let controls = control_channels(self.kept.len(), carried);
        // Both lists begin alike: where the longer one ends does not change whom a connection steers.
        let mut places = controls.iter().copied();
        let (last, mut full): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.full).into_iter().partition(|_| places.next().unwrap_or(false));
        full.extend(last);
        self.full = full;
        let mut places = controls.iter().copied();
        let (last, mut kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.kept).into_iter().partition(|_| places.next().unwrap_or(false));
        kept.extend(last);
        self.kept = kept;
        for connection in self.full.iter_mut().map(|r| &mut r.connection) {
            connection.id = number(connection);
        }
        if let Some(largest) = self.largest.as_deref_mut().filter(|largest| !largest.is_numbered) {
            largest.connection.id = number(&largest.connection);
            largest.is_numbered = true;
        }
        for ranked in &mut self.kept {
            ranked.connection.connection.id = number(&ranked.connection.connection);
        }
        self.problems.renumber(number);
        self.services.renumber(number);
        self.legs.renumber(number);
        self.ranked = self.problems.ranked();
        if let Some(connection) = &mut self.dataless {
            connection.id = number(connection);
        }
    }

    /// Rows of the tables.
    pub(crate) const fn top(&self) -> usize {
        self.top
    }

    /// The services of all connections.
    pub const fn services(&self) -> &Services {
        &self.services
    }

    /// Connections that go on as others.
    pub const fn legs(&self) -> &Legs {
        &self.legs
    }

    /// Where the time of all connections went.
    pub const fn time(&self) -> &TimeSpent {
        &self.time
    }

    /// What no single connection shows.
    pub fn across(&self) -> Vec<Finding> {
        self.pairs.findings().0
    }

    /// What is wrong, gravest first; empty until the connections have their numbers.
    pub fn problems(&self) -> &[Problem] {
        &self.ranked
    }

    /// Whether there is one connection to speak of: there is no other, or what else there is carried nothing
    /// and is no problem.
    pub(super) fn is_one(&self) -> bool {
        let Some(largest) = &self.largest else { return false };
        let is_it = |problem: &Problem| problem.example.first_packet == largest.connection.first_packet;
        self.with_data == 1 && self.ranked.first().is_none_or(is_it)
    }

    /// The connection to speak of where nothing is wrong; `None` if none carried data.
    pub fn lead(&self) -> Option<&Connection> {
        self.largest.as_ref().map(|largest| &largest.connection)
    }

    /// The connections kept as a whole, in their order.
    pub(crate) fn ranked(&self) -> impl Iterator<Item = &Connection> {
        self.full.iter().map(|r| &r.connection)
    }

    /// A line for each connection kept, in their order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.kept.iter().map(|r| &r.connection)
    }
}

fn shrink<T>(all: &mut Vec<Ranked<T>>, most: usize) {
    all.sort_unstable_by_key(|ranked| ranked.rank);
    all.truncate(most);
}

/// Bytes that were retransmitted, in both directions.
pub(super) fn retransmitted(connection: &Connection) -> u64 {
    connection.halves.iter().map(|half| half.retransmitted_bytes).sum()
}

/// What its principal half lost; nothing if nothing is worth acting on.
pub(super) fn lost(connection: &Connection) -> i64 {
    principal_half(connection).map_or(0, lost_nanos)
}
