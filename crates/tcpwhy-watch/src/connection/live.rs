//! A connection as its socket shows it, and what it is asked for.

use std::sync::Arc;

use tcpwhy_analysis::{KernelClocks, Role};
use tcpwhy_model::host::{SocketAddress, SocketSample};
use tcpwhy_model::live::{KernelSample, Process, SocketKey, Turns};
use tcpwhy_model::{ByteCount, Cause, LimitTimeline, Rate, Timestamp};

use super::accounted::Account;
use super::rates::{Point, Rates};
use super::reader::Reader;
use crate::baseline::{Baseline, acked, received};
use crate::bound::Bound;
use crate::direction::Direction;
use crate::history::History;
use crate::instant::InstantLimit;
use crate::outcome::Fate;
use crate::reported::Reported;
use crate::socket::{flight, traits};
use crate::thresholds::MICROSECOND;

/// A connection as its socket on this host shows it.
#[derive(Clone, Debug)]
pub struct LiveConnection {
    pub(crate) id: u64,
    pub(crate) first: Baseline,
    pub(crate) last: KernelSample,
    pub(crate) process: Option<Arc<Process>>,
    pub(crate) samples: u64,
    pub(crate) sending: Direction,
    pub(crate) reader: Reader,
    pub(crate) rates: Rates,
    pub(super) instant: InstantLimit,
    /// Both ends have sent data, one after the other.
    pub(super) has_turns: bool,
    /// What held last of all that is neither rest nor the peer's window: what a clock counted besides those
    /// was probably that.
    pub(super) usual: Option<Cause>,
    /// What kept its rates below the path's last, where it is sampled.
    pub(super) bound: Bound,
    /// How it ended, and what waits at its end.
    pub(crate) fate: Fate,
    /// Nanoseconds in which the peer waited for this side.
    pub(super) thought: i64,
    /// When something was acknowledged last.
    pub(super) progress: Timestamp,
    pub(crate) has_ended: bool,
    pub(crate) reported: Reported,
    pub(super) has_moved: bool,
    /// Something listens on its port.
    pub(crate) is_server: bool,
    /// It began while it was watched.
    pub(crate) began_here: bool,
    /// What the kernel had added up at the latest sample, where it does.
    pub(super) account: Option<Box<Account>>,
}

impl LiveConnection {
    /// Number in the order of being seen first, from 0.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Which socket it is.
    pub fn key(&self) -> SocketKey {
        self.last.key
    }

    /// This end.
    pub fn local(&self) -> &SocketAddress {
        &self.last.socket.local
    }

    /// The other end.
    pub fn peer(&self) -> &SocketAddress {
        &self.last.socket.peer
    }

    /// What this end is to it: the server where something listened on its port when it was seen first.
    pub fn role(&self) -> Role {
        match self.local().port {
            Some(_) if self.is_server => Role::Server,
            Some(_) => Role::Client,
            None => Role::Unknown,
        }
    }

    /// Who has it open, where that could be seen.
    pub fn process(&self) -> Option<&Process> {
        self.process.as_deref()
    }

    /// The newest state of its socket.
    pub fn socket(&self) -> &SocketSample {
        &self.last.socket
    }

    /// When it was seen first, and when last.
    pub fn seen(&self) -> [Timestamp; 2] {
        [self.first.time, self.last.time]
    }

    /// How often it was looked at.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Whether the kernel measures all of its time, instead of samples.
    pub fn is_accounted(&self) -> bool {
        self.account.is_some()
    }

    /// Total time in which its writers waited for room in the send buffer while it was watched, nanoseconds.
    /// `None` if the kernel does not measure it.
    pub fn blocked(&self) -> Option<i64> {
        self.account.as_ref()?.blocked()
    }

    /// Turns of this side and of the peer while it was watched; `None` if the kernel does not measure them. A
    /// server's own turns are its response times. The turns of a client's peer are response times including
    /// the round trip.
    pub fn turns(&self) -> Option<[Turns; 2]> {
        self.account.as_ref().map(|account| account.turns)
    }

    /// Time of the last sample of its socket.
    pub(crate) fn last_seen(&self) -> Timestamp {
        self.account.as_ref().map_or(self.last.time, |account| account.seen.max(self.last.time))
    }

    /// Whether its socket is closed.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Bytes of this side that were acknowledged while it was watched.
    pub fn sent(&self) -> ByteCount {
        acked(&self.last.socket).saturating_sub(self.first.acked)
    }

    /// Bytes of the peer that arrived while it was watched.
    pub fn received(&self) -> ByteCount {
        received(&self.last.socket).saturating_sub(self.first.received)
    }

    /// Whether the limit of the receiving side matters. Either the peer sent more and this side does not
    /// answer it, or nothing moves because the program does not read.
    pub fn is_receiver(&self) -> bool {
        self.reader.receiving.is_some()
            && self.last.socket.send_queue == 0
            && (self.is_stuck_unread() || (self.received() > self.sent() && !self.answers()))
    }

    /// Nobody reads what waits, so nothing came while it was watched.
    fn is_stuck_unread(&self) -> bool {
        self.reader.is_slow() && self.received() == 0 && self.sent() == 0
    }

    fn main(&self) -> &Direction {
        if self.is_receiver() { self.reader.receiving.as_deref().unwrap_or(&self.sending) } else { &self.sending }
    }

    /// What holds the direction to speak of now.
    pub fn limit_now(&self) -> Cause {
        if self.is_receiver() { self.reader.limit_now() } else { self.instant.cause }
    }

    /// All time of the direction to speak of.
    pub fn limits(&self) -> LimitTimeline {
        self.main().limits()
    }

    /// All time of what this side sends.
    pub(crate) fn sending_limits(&self) -> LimitTimeline {
        self.sending.limits()
    }

    /// What the kernel's own clocks counted while it was watched; `None` where it has none (before Linux
    /// 4.10).
    pub fn clocks(&self) -> Option<KernelClocks> {
        let (first, last) = (self.first.clocks, Baseline::of(&self.last).clocks);
        let watched = self.last.time.since(self.first.time);
        let passed = |of: usize| {
            let micros = i64::try_from(last[of]?.checked_sub(first[of]?)?).ok()?;
            Some(micros.saturating_mul(MICROSECOND.cast_signed()).min(watched))
        };
        let paces = traits(&self.last.socket).paces;
        let [busy, receive_window, send_buffer] = std::array::from_fn(passed);
        Some(KernelClocks { watched, busy: busy?, receive_window: receive_window?, send_buffer: send_buffer?, paces })
    }

    /// What had most of each of `columns` equal parts of the time of `nanos` before `until`, for an hour at
    /// most.
    pub fn strip(&self, until: Timestamp, nanos: i64, columns: usize) -> Vec<Option<Cause>> {
        self.main().history.strip(until, nanos, columns)
    }

    /// Seconds that a change could have saved, in the `nanos` before `until`. They are exact to 0.1 s up to a
    /// minute, and to 10 s up to an hour.
    pub fn lost(&self, until: Timestamp, nanos: i64) -> f64 {
        self.main().history.nanos_of(until, nanos, |cause| self.is_lost(cause)) as f64 / 1e9
    }

    /// Seconds of the time of `nanos` before `until` under causes that `wanted` covers, as exact as
    /// [`Self::lost`].
    pub fn seconds_under(&self, wanted: Cause, until: Timestamp, nanos: i64) -> f64 {
        self.main().history.nanos_of(until, nanos, |cause| wanted.covers(cause)) as f64 / 1e9
    }

    /// Nanoseconds of the time of `nanos` before `until` under each cause, as exact as [`Self::lost`], and
    /// whether a change could have saved them.
    pub fn times(&self, until: Timestamp, nanos: i64) -> Vec<(Cause, i64, bool)> {
        let times = self.main().history.times(until, nanos);
        times.into_iter().map(|(cause, nanos)| (cause, nanos, self.is_lost(cause))).collect()
    }

    /// Seconds of all the time that it was watched that a change could have saved.
    pub fn lost_in_all(&self) -> f64 {
        self.limits().sum(|cause| self.is_lost(cause)).0 as f64 / 1e9
    }

    /// Bytes per second, as of the last full second: sent and received.
    pub fn rates(&self) -> [Rate; 2] {
        self.rates.latest()
    }

    /// Forgets its course, which strips and charts show. Its totals and its latest rates stay.
    pub fn forget_course(&mut self) {
        self.rates.forget_course();
        self.sending.history = History::default();
        if let Some(receiving) = &mut self.reader.receiving {
            receiving.history = History::default();
        }
    }

    /// The last minute, a point a second while it was active, in order of time.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.rates.points()
    }

    /// Bytes in flight, as far as the kernel says.
    pub fn flight(&self) -> Option<ByteCount> {
        flight(&self.last.socket)
    }

    /// Whether it ever sent or received data, or had some waiting, while it was watched.
    pub fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// Whether anything moved or waits since the sample before `socket`: worth looking at more often.
    pub fn is_active(&self) -> bool {
        self.last.socket.send_queue > 0 || self.last.socket.receive_queue > 0 || self.is_moving()
    }

    fn is_moving(&self) -> bool {
        let [sent, received] = self.rates();
        sent.bytes_per_sec() + received.bytes_per_sec() > 0.0
    }
}
