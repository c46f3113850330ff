//! Data of one end, as it passes the capture point.

use tcpwhy_model::Record;

use crate::side::Side;

/// Data of one end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spoken {
    pub(crate) side: Side,
    /// Bytes that are new.
    pub(crate) bytes: u64,
    pub(crate) time: i64,
    pub(crate) packet: u64,
    /// Whether it acknowledges all data that the other end has sent.
    pub(crate) is_after_all: bool,
    /// Whether all earlier data of this end was acknowledged.
    pub(crate) had_nothing_out: bool,
    /// Whether the other end's window has been zero since its last data, so that it could not send.
    pub(crate) was_shut: bool,
    /// Kind of record at its start.
    pub(crate) record: Record,
}
