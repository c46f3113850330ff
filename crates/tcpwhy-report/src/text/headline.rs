//! What the first three lines speak of, for those that judge them.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::Fix;

/// What the first three lines speak of.
#[derive(Clone, Copy, Debug)]
pub struct Headline<'a> {
    /// The connection.
    pub connection: &'a Connection,
    /// Its direction.
    pub half: &'a HalfConnection,
    /// The fix that they propose.
    pub fix: Option<&'a Fix>,
    /// The fix beside it, where the packets do not show which of the two removes the cause.
    pub rival: Option<&'a Fix>,
}
