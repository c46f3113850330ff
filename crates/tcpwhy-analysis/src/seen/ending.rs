//! How a connection ended, and what was left open.

use crate::side::Side;

/// The reset that ended a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResetFacts {
    pub(crate) side: Side,
    /// Since the connection's first packet, nanoseconds.
    pub(crate) after: i64,
    /// Bytes of both directions that were acknowledged before, and that were not.
    pub(crate) delivered: u64,
    pub(crate) unacknowledged: u64,
    /// Nothing but goodbyes were under way: of its sender, or of the peer.
    pub(crate) is_goodbye: bool,
    /// Its sender had closed the idle connection, and a request was under way.
    pub(crate) met_close: Option<IdleClose>,
    /// Its sender had closed before, and the peer sent on.
    pub(crate) had_closed: bool,
    /// Packets that its sender's address sent after it, and for how many nanoseconds.
    pub(crate) outlived: Option<(u32, i64)>,
    /// It passed so many routers more or fewer than the other packets of its address.
    pub(crate) hops_apart: Option<u8>,
}

/// A request that was lost because the other end closed the idle connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdleClose {
    /// For how many nanoseconds the connection had been idle.
    pub(crate) idle: i64,
    /// Size of the request.
    pub(crate) bytes: u64,
}

/// A request that was acknowledged and never answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnansweredRequest {
    pub(crate) asker: Side,
    /// When its last data passed, and until when it stayed without an answer.
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) bytes: u64,
    /// Earlier requests that were answered, and the longest that one took.
    pub(crate) answered: u32,
    pub(crate) longest: i64,
    pub(crate) end: UnansweredEnd,
    /// A reset answered the asker's own end: the peer did not know the connection any more.
    pub(crate) met_reset: bool,
}

/// What ended the wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnansweredEnd {
    /// The asker closed or reset the connection.
    GivenUp,
    /// The peer closed it.
    Closed,
    /// The peer reset it.
    Reset,
    /// Nobody did: the capture ends.
    Open,
}

/// Data that never arrived although later data did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HoleLeftOpen {
    pub(crate) bytes: u64,
    pub(crate) since: i64,
    pub(crate) until: i64,
    /// Largest payload of a segment that arrived, bytes.
    pub(crate) largest: u64,
    /// The receiver closed or reset the connection then; else the capture ends.
    pub(crate) is_given_up: bool,
}
