//! Data of one end, as it passes.

use tcpwhy_model::Record;

use crate::side::Side;

/// Data of one end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoken {
    pub(crate) side: Side,
    /// Bytes that were not seen before.
    pub(crate) bytes: u64,
    pub(crate) time: i64,
    pub(crate) packet: u64,
    /// It acknowledges all that the other end has sent.
    pub(crate) is_after_all: bool,
    /// All that this end had sent before was acknowledged.
    pub(crate) had_nothing_out: bool,
    /// Since its last data, the other end's window was zero: it could not speak.
    pub(crate) was_shut: bool,
    /// What it begins with.
    pub(crate) record: Record,
}
