//! The log of a program.

use tcpwhy_model::Timestamp;

use super::activity::Glimpse;
use crate::sampler::SocketState;

/// The way in which a program left its connection, if its scenario asks for another than closing at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// It closed after a silent time.
    Closed,
    /// It reset the connection.
    Reset,
    /// It gave up waiting for an answer.
    GaveUp,
}

/// One program's side of a transfer. Events that did not happen are `None`.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Time when `connect()` was called, or `accept()` returned.
    pub opened: Option<Timestamp>,
    /// Time when the connection was established.
    pub connected: Option<Timestamp>,
    /// Time when the first `send()` or `recv()` began.
    pub first_io: Option<Timestamp>,
    /// Time when the last call that moved data returned.
    pub last_io: Option<Timestamp>,
    /// Time when `shutdown()` was called.
    pub shutdown: Option<Timestamp>,
    /// Time when everything, including the FIN, was acknowledged.
    pub all_acked: Option<Timestamp>,
    /// Time when the end of the stream was read.
    pub eof: Option<Timestamp>,
    /// Start times of its phases.
    pub phases: Vec<Timestamp>,
    /// Times when it began to send its messages of a conversation, with their numbers in the script.
    pub said: Vec<(usize, Timestamp)>,
    /// Times when it had read the peer's messages, with their numbers in the script.
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
    /// The way in which it left the connection, and the time.
    pub left: Option<(Leave, Timestamp)>,
    /// Time when it noticed a reset by the peer that the scenario asks for.
    pub reset_by_peer: Option<Timestamp>,
    /// The reason why it ended before its work was done.
    pub failure: Option<String>,
}
