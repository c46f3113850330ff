//! The subject of the first three lines, for comparison with the expected one.

use tcpwhy_analysis::{Connection, HalfConnection};
use tcpwhy_model::Fix;

/// The subject of the first three lines.
#[derive(Clone, Copy, Debug)]
pub struct Headline<'a> {
    /// The connection.
    pub connection: &'a Connection,
    /// Direction of the connection.
    pub half: &'a HalfConnection,
    /// Fix that they propose.
    pub fix: Option<&'a Fix>,
    /// Rival of the fix, if the packets do not show which of the two removes the cause.
    pub rival: Option<&'a Fix>,
}
