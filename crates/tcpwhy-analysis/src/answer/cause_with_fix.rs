//! The largest part of the waiting for requests that a change could remove.

use tcpwhy_model::{Finding, Limit, Severity};

use super::fixing_rules::{EACH_END_RULES, SERVER_RULES, TURNS_RULE, finding_with_fix};
use crate::diagnosis::{RULES, longer};
use crate::exchanges::{Exchanges, Party};
use crate::outcome::{Connection, HalfConnection};
use crate::thresholds::{WAITED_PART, WORTH_PROFILING};

/// Time that a change could remove.
#[derive(Clone, Copy, Debug)]
pub(super) enum Removable<'a> {
    /// Time that a party took of the requests.
    Party(Party),
    /// A limit of a direction, with the finding about it.
    Limit(&'a Finding, Limit, &'a HalfConnection),
}

/// A connection whose requests may have been slow for several causes.
pub(super) struct Causes<'a> {
    pub(super) connection: &'a Connection,
    /// Requests of the connection.
    pub(super) exchanges: &'a Exchanges,
}

impl<'a> Causes<'a> {
    /// Returns the cause with a fix that took most of the waiting time; `None` if none took enough of it.
    pub(super) fn largest(&self) -> Option<Removable<'a>> {
        let waited = self.exchanges.parts.awaited() as f64 / 1e9;
        let is_enough = |&(seconds, _): &(f64, Removable<'a>)| seconds > WAITED_PART.get() * waited;
        let all = self.parties().chain(self.limits()).filter(is_enough);
        all.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cause)| cause)
    }

    /// Returns the server and the round trips with their seconds, if a finding proposes a change to them.
    fn parties(&self) -> impl Iterator<Item = (f64, Removable<'a>)> {
        let parts = &self.exchanges.parts;
        let is_worth_it = self.has_fix(&SERVER_RULES) && parts.of_server() >= WORTH_PROFILING;
        let server = is_worth_it.then_some(Party::Server);
        let round_trips = self.has_fix(&[TURNS_RULE]).then_some(Party::RoundTrips);
        server.into_iter().chain(round_trips).map(|party| (parts.of(party) as f64 / 1e9, Removable::Party(party)))
    }

    fn has_fix(&self, rules: &[&str]) -> bool {
        rules.iter().any(|rule| finding_with_fix(self.connection, rule).is_some())
    }

    /// Returns limits of one direction or of both for which a finding has a fix, with their seconds.
    fn limits(&self) -> impl Iterator<Item = (f64, Removable<'a>)> {
        let halves = self.connection.halves.iter();
        let of_one = halves.flat_map(|half| {
            half.findings.iter().filter_map(move |finding| Some((finding, limit_with_fix(finding)?, half)))
        });
        let all = of_one.chain(of_each_end(self.connection));
        all.filter_map(|(finding, limit, half)| Some((finding.seconds?, Removable::Limit(finding, limit, half))))
    }
}

/// Returns findings about both directions together, each with its limit and the longer direction.
pub(super) fn of_each_end(connection: &Connection) -> impl Iterator<Item = (&Finding, Limit, &HalfConnection)> {
    EACH_END_RULES.iter().filter_map(|rule| {
        let finding = finding_with_fix(connection, rule)?;
        Some((finding, limit_with_fix(finding)?, longer(&connection.halves)?))
    })
}

/// Returns the limit of `finding`, if it proposes a change. A program that had nothing to send is not a limit
/// here.
pub(super) fn limit_with_fix(finding: &Finding) -> Option<Limit> {
    let rule = RULES.iter().find(|rule| rule.id == finding.rule)?;
    let limit = rule.limits.first().filter(|&&limit| limit != Limit::Application)?;
    (finding.severity > Severity::Info && !finding.fixes.is_empty()).then_some(*limit)
}
