//! The connection that the first lines report.

use super::choice::{Decided, List, Question, choice, first};
use super::ground::Ground;
use super::leads::Leads;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::{Problem, Trouble, principal_half};

/// The subject of the first lines.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The connection.
    pub connection: &'a Connection,
    /// The direction of the connection.
    pub half: &'a HalfConnection,
    /// The problem of the connection, if it has one.
    pub trouble: Option<Trouble>,
    /// Whether it is the only connection to report.
    pub is_only: bool,
    /// Choices that decided about the connection and about its direction.
    pub grounds: [Ground; 2],
}

impl<'a> Subject<'a> {
    /// Returns the most important connection; `None` if none carried data. `problems` are ranked.
    pub fn of(leads: &'a Leads, problems: &'a [Problem]) -> Option<Self> {
        let Decided { answer: connection, ground } = first(SUBJECT, &(leads, problems))?;
        let is_its_own = |problem: &&Problem| problem.example.first_packet == connection.first_packet;
        let trouble = leads.gravest(problems).filter(is_its_own).map(Trouble::of);
        Self::with(connection, trouble, leads.is_one(problems), ground)
    }

    /// Returns the connection that shows `problem` best; `None` if it carried no data.
    pub(super) fn of_problem(problem: &'a Problem) -> Option<Self> {
        // This also applies if connections failed: the fix is searched in the direction that lost time.
        let half = principal_half(&problem.example)?;
        let grounds = [Ground::WorstProblem, Ground::PrincipalDirection];
        let trouble = Some(Trouble::of(problem));
        Some(Self { connection: &problem.example, half, trouble, is_only: false, grounds })
    }

    /// Returns one direction of a connection, whatever else the capture contains.
    pub const fn of_half(connection: &'a Connection, half: &'a HalfConnection) -> Self {
        let grounds = [Ground::OnlyConnection, Ground::PrincipalDirection];
        Self { connection, half, trouble: None, is_only: true, grounds }
    }

    /// Returns a connection as if there were no other; `None` if it carried no data.
    pub fn of_connection(connection: &'a Connection) -> Option<Self> {
        Self::with(connection, Trouble::of_connection(connection), true, Ground::OnlyConnection)
    }

    /// Returns a connection with a concern that is not a problem; `None` if it carried no data.
    pub(super) fn of_concern(connection: &'a Connection, ground: Ground) -> Option<Self> {
        Self::with(connection, None, false, ground)
    }

    fn with(connection: &'a Connection, trouble: Option<Trouble>, is_only: bool, ground: Ground) -> Option<Self> {
        let direction = first(DIRECTION, &(connection, trouble))?;
        Some(Self { connection, half: direction.answer, trouble, is_only, grounds: [ground, direction.ground] })
    }

    /// Whether the connection failed.
    pub(super) fn has_failed(&self) -> bool {
        self.trouble.is_some_and(|trouble| trouble.is_failure())
    }
}

/// Question for the connection that the first lines report.
pub(super) struct OfCapture;

impl Question for OfCapture {
    type Facts<'a> = (&'a Leads, &'a [Problem]);
    type Answer<'a> = &'a Connection;
}

/// Choices in the order in which they are tried.
pub(super) const SUBJECT: &List<OfCapture> = &[&OnlyConnection, &WorstProblem, &LargestConnection];

choice! {
    /// There is no other connection to report.
    OnlyConnection of OfCapture, OnlyConnection:
    |&(leads, problems)| leads.largest().filter(|_| leads.is_one(problems))
}

choice! {
    /// A problem comes before a large transfer.
    WorstProblem of OfCapture, WorstProblem:
    |&(leads, problems)| leads.gravest(problems).map(|problem| &*problem.example)
}

choice! {
    /// Nothing is wrong.
    LargestConnection of OfCapture, LargestConnection:
    |&(leads, _)| leads.largest()
}

/// Question for the direction of a connection.
pub(super) struct OfConnection;

impl Question for OfConnection {
    type Facts<'a> = (&'a Connection, Option<Trouble>);
    type Answer<'a> = &'a HalfConnection;
}

/// Choices in the order in which they are tried.
pub(super) const DIRECTION: &List<OfConnection> = &[&MostOfFailed, &PrincipalDirection];

choice! {
    /// The limit of a direction is not the reason for a failure.
    MostOfFailed of OfConnection, MostOfFailed:
    |&(connection, trouble)| {
        let failed = trouble.filter(Trouble::is_failure);
        failed.and_then(|_| connection.halves.iter().max_by_key(|half| half.bytes))
    }
}

choice! {
    /// The direction that lost much of the time, otherwise the one with most data.
    PrincipalDirection of OfConnection, PrincipalDirection:
    |&(connection, _)| principal_half(connection)
}
