//! A sample, and the interval between samples.

use std::time::Duration;

use tcpwhy_model::Timestamp;
use tcpwhy_model::live::SocketPoint;

use super::socket::SocketState;
use crate::work::Glimpse;

/// The interval is short at the beginning and longer later. It stays small compared with the time in which
/// limits change.
pub(super) const CLOSE: Duration = Duration::from_millis(1);

pub(super) const CLOSELY_FOR: Duration = Duration::from_secs(2);

pub(super) const WIDE: Duration = Duration::from_millis(5);

/// A socket and its program at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Time on the captures' clock, just before the socket was read.
    pub time: Timestamp,
    /// Duration of reading the socket, nanoseconds.
    pub took: u64,
    /// The activity of its program; `None` if it is not known.
    pub program: Option<Glimpse>,
    /// Whether a foreign program waits for room in its send buffer, by the kernel's bits; `None` if it is not
    /// known.
    pub awaits_room: Option<bool>,
    /// Whether a foreign program has set `TCP_NODELAY`; `None` if it was not read.
    pub nodelay: Option<bool>,
    /// The socket.
    pub socket: SocketState,
}

impl Sample {
    /// The sending half of the socket, for charts.
    pub fn point(&self) -> SocketPoint {
        let SocketState { outq, memory, info, .. } = &self.socket;
        SocketPoint::new(self.time, outq.unwrap_or(u64::MAX), memory, info)
    }
}

pub(super) fn interval(elapsed: Duration) -> Duration {
    if elapsed < CLOSELY_FOR { CLOSE } else { WIDE }
}
