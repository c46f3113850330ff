use crate::answer::Leads;
use crate::{Connection, Legs, Pairs, Problems, Services};

/// Facts that the connections of one source show together: one pass fills all folds.
///
/// ```
/// use tcpwhy_analysis::{Analyzer, Folds};
///
/// let mut analyzer = Analyzer::new();
/// for segment in tcpwhy_testkit::Turns::default().run() {
///     analyzer.observe(&segment);
/// }
/// let folds = Folds::of(&analyzer.finish());
/// assert_eq!(folds.services.ranked().len(), 1);
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Folds {
    /// Connections that the answer may report.
    pub leads: Leads,
    /// Problems that one action can fix.
    pub problems: Problems,
    /// Servers that clients connect to.
    pub services: Services,
    /// Facts that several connections between the same two hosts show.
    pub pairs: Pairs,
    /// Connections that a proxy or tunnel forwards as others.
    pub legs: Legs,
}

impl Folds {
    /// Folds `connections`, which have their final numbers.
    pub fn of<'a>(connections: impl IntoIterator<Item = &'a Connection>) -> Self {
        let mut folds = Self::default();
        connections.into_iter().for_each(|connection| folds.add(connection));
        folds.settle();
        folds
    }

    /// Adds one more connection.
    pub fn add(&mut self, connection: &Connection) {
        self.leads.add(connection);
        self.problems.add(connection);
        self.services.add(connection);
        self.pairs.add(connection);
        self.legs.add(connection);
    }

    /// Completes the folds after all connections were added: services get the failures that were probes.
    pub fn settle(&mut self) {
        self.services.settle(&self.problems);
    }

    /// Assigns the numbers that `number` returns to the connections that were added since the last call.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        self.leads.renumber(number);
        self.problems.renumber(number);
        self.services.renumber(number);
        self.legs.renumber(number);
        self.settle();
    }
}
