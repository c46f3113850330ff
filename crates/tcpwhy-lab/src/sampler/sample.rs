//! One sample, and how often samples are made.

use std::time::Duration;

use tcpwhy_model::Timestamp;
use tcpwhy_model::live::SocketPoint;

use super::socket::SocketState;
use crate::work::Glimpse;

/// Short transfers are looked at closely, long ones often enough: an interval is small against any that limits change in.
pub(super) const CLOSE: Duration = Duration::from_millis(1);

pub(super) const CLOSELY_FOR: Duration = Duration::from_secs(2);

pub(super) const WIDE: Duration = Duration::from_millis(5);

/// A socket and its program at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// On the captures' clock, just before the socket was asked.
    pub time: Timestamp,
    /// How long asking took, nanoseconds.
    pub took: u64,
    /// What its program was doing; `None` where nobody knows.
    pub program: Option<Glimpse>,
    /// Whether a program of others waits for room in its send buffer, by the kernel's bits; `None`: unknown.
    pub awaits_room: Option<bool>,
    /// Whether a program of others has set `TCP_NODELAY`; `None` where nobody asked.
    pub nodelay: Option<bool>,
    /// The socket.
    pub socket: SocketState,
}

impl Sample {
    /// Its sending half, as charts show it.
    pub fn point(&self) -> SocketPoint {
        let SocketState { outq, memory, info, .. } = &self.socket;
        SocketPoint::new(self.time, outq.unwrap_or(u64::MAX), memory, info)
    }
}

pub(super) fn interval(elapsed: Duration) -> Duration {
    if elapsed < CLOSELY_FOR { CLOSE } else { WIDE }
}
