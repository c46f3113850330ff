//! The change that the third line proposes.

use super::remedy::Remedy;
use super::value::Answer;
use crate::outcome::Connection;
use crate::side::Side;

/// The change that the third line proposes, and its place.
#[derive(Clone, Copy, Debug)]
pub struct Proposal<'a> {
    /// The change.
    pub remedy: Remedy<'a>,
    /// The connection that shows the cause.
    pub connection: &'a Connection,
    /// Sender of the affected data; `None` if the change is about the connection.
    pub sender: Option<Side>,
    /// Duration of the direction or of the requests, seconds, if nothing else is reported. The gain of the
    /// fix is compared with it.
    pub seconds: Option<f64>,
}

impl<'a> Proposal<'a> {
    /// Returns the proposal of `lines`; `None` if they propose no change or the capture's clock is wrong.
    pub fn of(lines: &Answer<'a>) -> Option<Self> {
        let (remedy, connection) = lines.fix()?.remedy()?;
        let only = lines.subject().filter(|subject| subject.is_only);
        let of_requests = connection.requests_of(remedy.finding).map(|exchanges| exchanges.parts.seconds());
        let seconds = only.map(|subject| of_requests.unwrap_or_else(|| subject.half.span.seconds()));
        Some(Self { remedy, connection, sender: remedy.sender(connection), seconds })
    }
}
