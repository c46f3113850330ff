//! Whom the first lines speak of.

use super::choice::{Decided, List, Question, choice, first};
use super::ground::Ground;
use super::leads::Leads;
use crate::outcome::{Connection, HalfConnection};
use crate::problems::{Problem, Trouble, principal_half};

/// What the first lines speak of.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The connection.
    pub connection: &'a Connection,
    /// Its direction.
    pub half: &'a HalfConnection,
    /// What is wrong with it, where something is.
    pub trouble: Option<Trouble>,
    /// Whether it is the only connection that there is to speak of.
    pub is_only: bool,
    /// Which choices decided: on the connection, and on its direction.
    pub grounds: [Ground; 2],
}

impl<'a> Subject<'a> {
    /// The connection that matters most; `None` where none carried data. `problems` are ranked.
    pub fn of(leads: &'a Leads, problems: &'a [Problem]) -> Option<Self> {
        let Decided { answer: connection, ground } = first(SUBJECT, &(leads, problems))?;
        let is_its_own = |problem: &&Problem| problem.example.first_packet == connection.first_packet;
        let trouble = leads.gravest(problems).filter(is_its_own).map(Trouble::of);
        Self::with(connection, trouble, leads.is_one(problems), ground)
    }

    /// The connection that shows `problem` best; `None` where it carried no data.
    pub(super) fn of_problem(problem: &'a Problem) -> Option<Self> {
        // Also where connections failed: a fix is sought where time was lost.
        let half = principal_half(&problem.example)?;
        let grounds = [Ground::WorstProblem, Ground::PrincipalDirection];
        let trouble = Some(Trouble::of(problem));
        Some(Self { connection: &problem.example, half, trouble, is_only: false, grounds })
    }

    /// One direction of a connection, whatever else there is.
    pub const fn of_half(connection: &'a Connection, half: &'a HalfConnection) -> Self {
        let grounds = [Ground::OnlyConnection, Ground::PrincipalDirection];
        Self { connection, half, trouble: None, is_only: true, grounds }
    }

    /// A connection, as if there were no other; `None` where it carried no data.
    pub fn of_connection(connection: &'a Connection) -> Option<Self> {
        Self::with(connection, Trouble::of_connection(connection), true, Ground::OnlyConnection)
    }

    /// A connection with which something is wrong that is no problem; `None` where it carried no data.
    pub(super) fn of_concern(connection: &'a Connection, ground: Ground) -> Option<Self> {
        Self::with(connection, None, false, ground)
    }

    fn with(connection: &'a Connection, trouble: Option<Trouble>, is_only: bool, ground: Ground) -> Option<Self> {
        let direction = first(DIRECTION, &(connection, trouble))?;
        Some(Self { connection, half: direction.answer, trouble, is_only, grounds: [ground, direction.ground] })
    }

    /// Whether it failed.
    pub(super) fn has_failed(&self) -> bool {
        self.trouble.is_some_and(|trouble| trouble.is_failure())
    }
}

/// Which connection the first lines speak of.
pub(super) struct OfCapture;

impl Question for OfCapture {
    type Facts<'a> = (&'a Leads, &'a [Problem]);
    type Answer<'a> = &'a Connection;
}

/// Asked in this order.
pub(super) const SUBJECT: &List<OfCapture> = &[&OnlyConnection, &WorstProblem, &LargestConnection];

choice! {
    /// There is no other to speak of.
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

/// Which direction of a connection.
pub(super) struct OfConnection;

impl Question for OfConnection {
    type Facts<'a> = (&'a Connection, Option<Trouble>);
    type Answer<'a> = &'a HalfConnection;
}

/// Asked in this order.
pub(super) const DIRECTION: &List<OfConnection> = &[&MostOfFailed, &PrincipalDirection];

choice! {
    /// Whatever held a direction back, it is not why the connection failed.
    MostOfFailed of OfConnection, MostOfFailed:
    |&(connection, trouble)| {
        let failed = trouble.filter(Trouble::is_failure);
        failed.and_then(|_| connection.halves.iter().max_by_key(|half| half.bytes))
    }
}

choice! {
    /// The one that lost much of the time, else the one that carried most.
    PrincipalDirection of OfConnection, PrincipalDirection:
    |&(connection, _)| principal_half(connection)
}
