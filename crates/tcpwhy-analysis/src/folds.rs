use crate::answer::Leads;
use crate::{Connection, Legs, Pairs, Problems, Services};

/// What the connections of one source show together: one pass fills all folds.
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
    /// Whom the answer may speak of.
    pub leads: Leads,
    /// What one action can fix.
    pub problems: Problems,
    /// Where clients connect to.
    pub services: Services,
    /// What several connections between the same two hosts show.
    pub pairs: Pairs,
    /// Connections that a proxy or tunnel passes on as others.
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

    /// Takes in one more connection.
    pub fn add(&mut self, connection: &Connection) {
        self.leads.add(connection);
        self.problems.add(connection);
        self.services.add(connection);
        self.pairs.add(connection);
        self.legs.add(connection);
    }

    /// Looks at all connections that were added: services learn which failures were probes.
    pub fn settle(&mut self) {
        self.services.settle(&self.problems);
    }

    /// Gives the connections that were added since the last call their final numbers: those that `number`
    /// returns.
    pub fn renumber(&mut self, number: &dyn Fn(&Connection) -> u64) {
        self.leads.renumber(number);
        self.problems.renumber(number);
        self.services.renumber(number);
        self.legs.renumber(number);
        self.settle();
    }
}
