use tcpwhy_analysis::answer::{Answer, Leads, Order, Rank, Totals};
use tcpwhy_analysis::{
    Carried, Connection, Ending, GroupBy, Groups, Legs, Pairs, Problem, Problems, Services, Side, control_channels,
};
use tcpwhy_model::{Cause, Finding, Rate, Span};

use crate::TimeSpent;
use crate::{is_saving_predicted, lost_nanos, principal_half};

/// The connections of a source. It keeps only those that lost the most time.
pub struct Overview {
    top: usize,
    pub(super) order: Order,
    /// Candidates for the subject of the first lines.
    leads: Leads,
    pub(super) services: Services,
    problems: Problems,
    pub(super) legs: Legs,
    /// [`Self::problems`] ranked, after all connections have been added.
    ranked: Vec<Problem>,
    /// Findings of [`Self::pairs`], after all connections have been added.
    across: Vec<Finding>,
    pub(super) groups: Option<Groups>,
    pub(super) time: TimeSpent,
    pub(super) pairs: Pairs,
    /// Connections with data, one line each, at most `top`; unsorted until more than twice as many were
    /// added.
    kept: Vec<Ranked<Line>>,
    /// The first of them in full, at most `most_full`; unsorted in the same way.
    full: Vec<Ranked<Connection>>,
    most_full: usize,
    /// The last ranks in both lists after they were last shrunk; `None` while there is room.
    last_kept: Option<Rank>,
    last_full: Option<Rank>,
    /// Established connections that carried nothing.
    pub(super) empty: u64,
}

struct Ranked<T> {
    rank: Rank,
    connection: T,
}

/// The data of a connection that a line of the table needs. It takes a tenth of the connection's memory, in
/// case a million lines are asked for.
pub(crate) struct Line {
    /// The connection without its halves and findings.
    pub(crate) connection: Connection,
    /// Sender of the principal half.
    pub(crate) sender: Side,
    /// Payload of that half.
    pub(crate) bytes: u64,
    /// Time that its limits divide.
    pub(crate) span: Span,
    pub(crate) goodput: Option<Rate>,
    /// Cause of its verdict.
    pub(crate) cause: Option<Cause>,
    /// Share of such causes that are right, from 0 to 1.
    pub(crate) confidence: f64,
    /// Time that it lost, nanoseconds.
    pub(crate) lost: i64,
    pub(crate) is_saving_predicted: bool,
    /// Retransmitted bytes of both directions.
    pub(crate) retransmitted: u64,
    /// Payload of both directions.
    all_bytes: u64,
}

impl Line {
    /// The line for a connection; `None` if it carried nothing.
    pub(crate) fn new(connection: &Connection) -> Option<Self> {
        let half = principal_half(connection)?;
        Some(Self {
            sender: half.sender,
            bytes: half.bytes,
            span: half.span,
            goodput: half.goodput,
            cause: half.verdict.cause,
            confidence: half.verdict.confidence,
            lost: lost(connection),
            is_saving_predicted: is_saving_predicted(half),
            retransmitted: connection.retransmitted_bytes(),
            all_bytes: connection.bytes(),
            connection: Connection {
                halves: Vec::new(),
                findings: Vec::new(),
                kernel: None,
                awaited: None,
                exchanges: None,
                server_name: connection.server_name.clone(),
                ..*connection
            },
        })
    }
}

/// Most connections that are kept in full: all others are shown as a line only.
const MOST_FULL: usize = 1000;

impl Overview {
    /// Keeps up to `top` connections, at least one.
    pub fn new(top: usize) -> Self {
        Self {
            top: top.max(1),
            order: Order::default(),
            leads: Leads::default(),
            services: Services::default(),
            problems: Problems::default(),
            legs: Legs::default(),
            ranked: Vec::new(),
            across: Vec::new(),
            groups: None,
            time: TimeSpent::default(),
            pairs: Pairs::default(),
            kept: Vec::new(),
            full: Vec::new(),
            most_full: top.clamp(1, MOST_FULL),
            last_kept: None,
            last_full: None,
            empty: 0,
        }
    }

    /// The overview of `connections` that have their final numbers, such as those of
    /// `tcpwhy_engine::Explanation`. Its table lists 10 of them. For [`answer_lines`](super::answer_lines)
    /// about one connection, pass only that one.
    pub fn of<'a>(connections: impl IntoIterator<Item = &'a Connection>) -> Self {
        /// The number of connections that `tcpwhy FILE` lists.
        const LISTED: usize = 10;
        let mut overview = Self::new(LISTED);
        connections.into_iter().for_each(|connection| overview.add(connection.clone()));
        overview.renumber(&|connection| connection.id);
        overview
    }

    /// Sets the order of the connections, largest value first.
    #[must_use]
    pub const fn ordered(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Groups the connections.
    #[must_use]
    pub fn grouped(mut self, by: GroupBy) -> Self {
        self.groups = Some(Groups::new(by));
        self
    }

    /// Keeps all of them in full, for a report with more than a line about each.
    #[must_use]
    pub fn in_full(mut self) -> Self {
        self.most_full = self.top;
        self
    }

    /// Number of connections that are currently kept in full.
    #[doc(hidden)]
    pub const fn full_len(&self) -> usize {
        self.full.len()
    }

    /// Whether no connection was added.
    pub const fn is_empty(&self) -> bool {
        self.connections() == 0
    }

    /// Number of all connections.
    pub(crate) const fn connections(&self) -> u64 {
        self.leads.connections()
    }

    /// Sums over all connections.
    pub const fn totals(&self) -> Totals {
        self.leads.totals()
    }

    /// Number of connections with data.
    pub(crate) const fn with_data(&self) -> u64 {
        self.leads.with_data()
    }

    /// The most severe connection without data.
    pub(super) fn dataless(&self) -> Option<&Connection> {
        self.leads.dataless()
    }

    /// The answer about all connections.
    pub fn answer(&self) -> Answer<'_> {
        Answer::of_capture(&self.leads, &self.ranked, &self.across)
    }

    /// Adds a connection to the sums without keeping it for a table.
    pub fn count(&mut self, connection: &Connection) {
        self.leads.add(connection);
        self.pairs.add(connection);
        self.services.add(connection);
        self.problems.add(connection);
        self.legs.add(connection);
        if connection.halves.is_empty() {
            self.empty +=
                u64::from(!matches!(connection.ending, Ending::Unanswered | Ending::Refused | Ending::Incomplete));
            return;
        }
        self.time.add(connection);
    }

    /// Adds a connection.
    pub fn add(&mut self, connection: Connection) {
        self.count(&connection);
        if connection.halves.is_empty() {
            return;
        }
        if let Some(groups) = &mut self.groups {
            groups.add(&connection);
        }
        let by_order = Rank::of(&connection, self.order);
        if self.last_kept.is_none_or(|last| by_order < last) {
            self.kept.extend(Line::new(&connection).map(|connection| Ranked { rank: by_order, connection }));
            if self.kept.len() >= self.top.saturating_mul(2).saturating_add(16) {
                self.last_kept = shrink(&mut self.kept, self.top);
            }
        }
        if self.last_full.is_none_or(|last| by_order < last) {
            self.full.push(Ranked { rank: by_order, connection });
            if self.full.len() >= self.most_full.saturating_mul(2).saturating_add(16) {
                self.last_full = shrink(&mut self.full, self.most_full);
            }
        }
    }

    /// Sorts the connections and gives them their final numbers.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        shrink(&mut self.kept, self.top);
        shrink(&mut self.full, self.most_full);
        // Control channels move after the connections that they control; the order of the others stays.
        let carried = |place: usize| {
            let line = &self.kept[place].connection;
            Carried::new(&line.connection, line.all_bytes)
        };
        let controls = control_channels(self.kept.len(), carried);
        // Both lists begin alike: the end of the longer one does not change which connection a channel
        // controls.
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
        for ranked in &mut self.kept {
            ranked.connection.connection.id = number(&ranked.connection.connection);
        }
        self.leads.renumber(number);
        self.problems.renumber(number);
        self.services.renumber(number);
        self.legs.renumber(number);
        self.services.settle(&self.problems);
        self.ranked = self.problems.ranked();
        self.across = self.pairs.findings().0;
    }

    /// Number of rows of the tables.
    pub(crate) const fn top(&self) -> usize {
        self.top
    }

    /// The services of all connections.
    pub const fn services(&self) -> &Services {
        &self.services
    }

    /// Connections that are passed on as other connections.
    pub const fn legs(&self) -> &Legs {
        &self.legs
    }

    /// The time of all connections by limit.
    pub const fn time(&self) -> &TimeSpent {
        &self.time
    }

    /// Findings that only several connections together show.
    pub fn across(&self) -> Vec<Finding> {
        self.pairs.findings().0
    }

    /// The problems, most severe first; empty until the connections have been renumbered.
    pub fn problems(&self) -> &[Problem] {
        &self.ranked
    }

    /// Whether the report is about one connection: all others, if any, carried nothing and are no problem.
    pub(super) fn is_one(&self) -> bool {
        self.leads.is_one(&self.ranked)
    }

    /// The connection that the report is about if nothing is wrong; `None` if none carried data.
    pub fn lead(&self) -> Option<&Connection> {
        self.leads.largest()
    }

    /// The connections kept in full, in their order.
    pub(crate) fn ranked(&self) -> impl Iterator<Item = &Connection> {
        self.full.iter().map(|r| &r.connection)
    }

    /// The lines of the connections kept, in their order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &Line> {
        self.kept.iter().map(|r| &r.connection)
    }
}

/// Keeps the first `most` entries, in order. Returns the rank of the last one if the list is full, because an
/// entry of a later rank would be dropped again.
fn shrink<T>(all: &mut Vec<Ranked<T>>, most: usize) -> Option<Rank> {
    all.sort_unstable_by_key(|ranked| ranked.rank);
    all.truncate(most);
    all.last().filter(|_| all.len() == most).map(|last| last.rank)
}

/// Time that its principal half lost, nanoseconds; 0 if no limit is worth a change.
pub(super) fn lost(connection: &Connection) -> i64 {
    principal_half(connection).map_or(0, lost_nanos)
}
