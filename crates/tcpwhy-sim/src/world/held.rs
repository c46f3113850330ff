//! The sender's limit at each moment of a world.

use tcpwhy_model::{Cause, Detail, Limit};
use tcpwhy_scenario::End;

use super::World;
use crate::host::Host;
use crate::program::Waits;
use crate::socket::Writer;
use crate::time::Time;

/// The limit before the first event.
pub(super) const OPENING: Cause = Cause { limit: Limit::Handshake, detail: None };

/// Total time of each limit of the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held([[Time; DETAILS.len()]; Limit::ALL.len()]);

/// The distinguished details.
const DETAILS: [Option<Detail>; 4] = [None, Some(Detail::Queue), Some(Detail::PostLoss), Some(Detail::PeerTurn)];

impl Default for Held {
    fn default() -> Self {
        Self([[0; DETAILS.len()]; Limit::ALL.len()])
    }
}

impl Held {
    /// Nanoseconds of `limit` in all its forms.
    pub fn by(&self, limit: Limit) -> Time {
        self.0[limit as usize].iter().sum()
    }

    /// All causes with a positive time, longest first.
    pub fn all(&self) -> Vec<(Cause, Time)> {
        let of = |limit: Limit| {
            let times = DETAILS.into_iter().zip(self.0[limit as usize]);
            times.map(move |(detail, time)| (Cause { limit, detail }, time))
        };
        let mut all: Vec<_> = Limit::ALL.into_iter().flat_map(of).collect();
        all.retain(|&(_, time)| time > 0);
        all.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        all
    }

    pub(super) fn add(&mut self, cause: Cause, time: Time) {
        let form = DETAILS.iter().position(|detail| *detail == cause.detail).unwrap_or(0);
        self.0[cause.limit as usize][form] += time;
    }
}

impl World {
    /// Updates the sender's limit; called after each event.
    pub(super) fn note_limit(&mut self) {
        let cause = self.cause();
        let (before, since) = self.holding;
        if cause != before {
            if let Some(before) = before {
                self.held.add(before, self.now - since);
            }
            self.holding = (cause, self.now);
        }
    }

    fn cause(&self) -> Option<Cause> {
        let [host, peer] = [End::Sender, End::Receiver].map(|end| &self.hosts[end.index()]);
        let limit = host.socket.held_by(writer(host))?;
        let of = |limit, detail| Some(Cause { limit, detail });
        match limit {
            // More data would wait in the bottleneck's queue, which has not been empty for a round trip.
            Limit::SlowStart | Limit::CongestionWindow | Limit::ReceiveWindow | Limit::SendBuffer
                if self.links[End::Sender.index()].busy_for(self.now) > host.socket.least_round_trip() =>
            {
                of(Limit::Path, Some(Detail::Queue))
            }
            Limit::CongestionWindow if host.socket.is_cut() => of(limit, Some(Detail::PostLoss)),
            // It waits for its peer's data, so the peer's limit is its limit too.
            Limit::Application if host.program.waits == Waits::Data => match peer.socket.held_by(writer(peer)) {
                Some(limit @ (Limit::AckDelay | Limit::LossRecovery | Limit::ReceiveWindow | Limit::SendBuffer)) => {
                    of(limit, None)
                }
                _ => of(limit, Some(Detail::PeerTurn)),
            },
            limit => of(limit, None),
        }
    }
}

fn writer(host: &Host) -> Writer {
    match (host.program.waits, host.program.step()) {
        (Waits::Room, _) => Writer::WaitsForRoom,
        (Waits::Ended, _) | (_, None) => Writer::HasEnded,
        _ if host.program.has_finished => Writer::HasEnded,
        _ => Writer::Busy,
    }
}
