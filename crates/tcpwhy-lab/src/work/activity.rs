//! The activity of a program, for the sampler.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::wall;

/// The activity of a program at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doing {
    /// Any other activity.
    #[default]
    Else,
    /// Inside `send()`, or in `poll()` until it can send.
    Send,
    /// Inside `recv()`, or in `poll()` until there is something to read.
    Recv,
    /// Asleep by its own choice.
    Asleep,
    /// Waiting until its peer allows more: a grant of the protocol, or an answer to one of the outstanding
    /// requests.
    PeerWindow,
}

impl Doing {
    /// The number of the activity: 0 for any other, 1 in `send()`, 2 in `recv()`, 3 asleep, 4 waiting for its
    /// peer to allow more.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The activity with this number.
    pub const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Else,
            1 => Self::Send,
            2 => Self::Recv,
            3 => Self::Asleep,
            4 => Self::PeerWindow,
            _ => return None,
        })
    }
}

/// Counters shared by a program and its sampler.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    doing: AtomicU8,
    since: AtomicI64,
    spent: [AtomicU64; 5],
    bytes: AtomicU64,
    phase: AtomicU32,
    is_over: AtomicBool,
}

/// An activity and its counters at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glimpse {
    /// The activity.
    pub doing: Doing,
    /// Payload bytes of the measured direction that the program had written or read.
    pub bytes: u64,
    /// The current phase, counted from 0.
    pub phase: u32,
    /// Time spent in `send()` so far, nanoseconds.
    pub in_send: u64,
    /// Time spent in `recv()` so far, nanoseconds.
    pub in_recv: u64,
    /// Time spent asleep so far, nanoseconds.
    pub asleep: u64,
    /// Time spent waiting for the peer to allow more so far, nanoseconds.
    pub in_peer_window: u64,
}

impl Activity {
    /// Runs `act` as the activity `doing`, and counts its time.
    pub(crate) fn during<T>(&self, doing: Doing, act: impl FnOnce() -> T) -> T {
        let start = wall::now();
        self.since.store(start.as_nanos(), Relaxed);
        self.doing.store(doing.number(), Relaxed);
        let result = act();
        self.doing.store(Doing::Else.number(), Relaxed);
        self.spent[usize::from(doing.number())].fetch_add(wall::now().since(start).max(0).cast_unsigned(), Relaxed);
        result
    }

    pub(crate) fn moved(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Relaxed);
    }

    pub(crate) fn set_phase(&self, phase: u32) {
        self.phase.store(phase, Relaxed);
    }

    /// Marks the program as ended.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// The current state. A call that ends at this moment may be counted as still running.
    pub(crate) fn glimpse(&self) -> Glimpse {
        let doing = Doing::from_number(self.doing.load(Relaxed)).unwrap_or_default();
        let going_on = wall::now().as_nanos() - self.since.load(Relaxed);
        let spent = |what: Doing| {
            let running = if what == doing { going_on.max(0).cast_unsigned() } else { 0 };
            self.spent[usize::from(what.number())].load(Relaxed) + running
        };
        Glimpse {
            doing,
            bytes: self.bytes.load(Relaxed),
            phase: self.phase.load(Relaxed),
            in_send: spent(Doing::Send),
            in_recv: spent(Doing::Recv),
            asleep: spent(Doing::Asleep),
            in_peer_window: spent(Doing::PeerWindow),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_call_that_goes_on_counts() {
        let activity = Activity::default();
        activity.during(Doing::Recv, || {
            std::thread::sleep(Duration::from_millis(2));
            let glimpse = activity.glimpse();
            assert_eq!(glimpse.doing, Doing::Recv);
            assert!(glimpse.in_recv >= 2_000_000 && glimpse.in_send == 0);
        });
        let after = activity.glimpse();
        assert_eq!(after.doing, Doing::Else);
        assert!(after.in_recv >= 2_000_000 && after.asleep == 0);
    }
}
