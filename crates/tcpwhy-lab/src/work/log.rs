//! What a program noted.

use tcpwhy_model::Timestamp;

use super::activity::Glimpse;
use crate::sampler::SocketState;

/// How a program left its connection, where its scenario asks for something else than to close it at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// It closed after a silence.
    Closed,
    /// It reset the connection.
    Reset,
    /// It gave up waiting for an answer.
    GaveUp,
}

/// One program's side of a transfer. What did not happen is `None`.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// `connect()` was called, or `accept()` returned.
    pub opened: Option<Timestamp>,
    /// The connection was there.
    pub connected: Option<Timestamp>,
    /// The first `send()` or `recv()` began.
    pub first_io: Option<Timestamp>,
    /// The last one that moved data returned.
    pub last_io: Option<Timestamp>,
    /// `shutdown()` was called.
    pub shutdown: Option<Timestamp>,
    /// Everything, the FIN included, was acknowledged.
    pub all_acked: Option<Timestamp>,
    /// The end of the stream was read.
    pub eof: Option<Timestamp>,
    /// Its phases began at these times.
    pub phases: Vec<Timestamp>,
    /// When it began to send each of its messages of a conversation, by their numbers in the script.
    pub said: Vec<(usize, Timestamp)>,
    /// When it had read each of the peer's.
    pub heard: Vec<(usize, Timestamp)>,
    /// Its counters at the end.
    pub spent: Glimpse,
    /// Payload bytes that it sent.
    pub sent: u64,
    /// Payload bytes that it read.
    pub received: u64,
    /// The socket at the end.
    pub last_state: Option<SocketState>,
    /// The congestion control that it really had.
    pub congestion_control: String,
    /// How it left the connection, and when.
    pub left: Option<(Leave, Timestamp)>,
    /// The peer's reset was noticed, as the scenario asks.
    pub reset_by_peer: Option<Timestamp>,
    /// Why it ended before its work was done.
    pub failure: Option<String>,
}
