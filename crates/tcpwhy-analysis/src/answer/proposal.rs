//! The change that the third line proposes.

use super::remedy::Remedy;
use super::value::Answer;
use crate::outcome::Connection;
use crate::side::Side;

/// The change that the third line proposes, and where.
#[derive(Clone, Copy, Debug)]
pub struct Proposal<'a> {
    /// The change.
    pub remedy: Remedy<'a>,
    /// The connection that shows the cause.
    pub connection: &'a Connection,
    /// Whose data it is about; `None` where it is about the connection.
    pub sender: Option<Side>,
    /// How long the direction or the requests took, seconds, where they are the only ones to report: what the
    /// fix brings is compared with it.
    pub seconds: Option<f64>,
}

impl<'a> Proposal<'a> {
    /// What `lines` propose; `None` where they propose no change, and where the capture's clock is wrong.
    pub fn of(lines: &Answer<'a>) -> Option<Self> {
        let (remedy, connection) = lines.fix()?.remedy()?;
        let only = lines.subject().filter(|subject| subject.is_only);
        let of_requests = connection.requests_of(remedy.finding).map(|exchanges| exchanges.parts.seconds());
        let seconds = only.map(|subject| of_requests.unwrap_or_else(|| subject.half.span.seconds()));
        Some(Self { remedy, connection, sender: remedy.sender(connection), seconds })
    }
}
