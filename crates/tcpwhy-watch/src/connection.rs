//! Samples of one socket become time by limit.

use std::collections::VecDeque;
use std::sync::Arc;

use tcpwhy_model::host::{SocketAddress, SocketSample, TcpInfo};
use tcpwhy_model::live::{HeldBy, KernelAccount, KernelSample, Opened, Process, SocketKey, Turns};
use tcpwhy_model::{ByteCount, Cause, Detail, Limit, LimitTimeline, Rate, Timestamp};

use super::baseline::{Baseline, acked, received};
use super::direction::{Direction, Doubt, Part, Retention};
use super::history::History;
use super::hypotheses::Held;
use super::instant::InstantLimit;
use super::reported::Reported;
use super::socket::{has_peer_closed, is_reader_slow, segments_in_flight, traits};
use super::thresholds::{
    AT_ONCE, CLOCKS_FROM, JIFFY, LARGEST_REQUEST, LEAST_ANSWERS, LONGEST, MICROSECOND, SHORTEST_REST, SIDES, confidence,
};
use super::words::Words;
use tcpwhy_analysis::KernelClocks;
use tcpwhy_analysis::Role;
use tcpwhy_analysis::Sketch;

/// The latest points kept for charts, one a second.
const POINTS: usize = 60;
const POINT_NANOS: i64 = 1_000_000_000;

/// What a connection did in a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The end of that second.
    pub time: Timestamp,
    /// Bytes of this side that were acknowledged, per second.
    pub sent: f64,
    /// Bytes that the peer sent, per second.
    pub received: f64,
    /// Smoothed round trip, µs.
    pub rtt: u64,
    /// Memory of what is queued to be sent or acknowledged, bytes.
    pub queued: u64,
    /// Bytes in flight.
    pub flight: u64,
}

/// A connection as its socket on this host shows it.
#[derive(Clone, Debug)]
pub struct LiveConnection {
    pub(super) id: u64,
    pub(super) first: Baseline,
    pub(super) last: KernelSample,
    pub(super) process: Option<Arc<Process>>,
    pub(super) samples: u64,
    pub(super) sending: Direction,
    pub(super) reader: Reader,
    pub(super) rates: Rates,
    look: InstantLimit,
    /// Both ends have sent data, one after the other.
    has_turns: bool,
    /// What held last of all that is neither rest nor the peer's window: what a clock counted besides those
    /// was probably that.
    usual: Option<Cause>,
    /// When something was acknowledged last.
    progress: Timestamp,
    pub(super) has_ended: bool,
    pub(super) told: Reported,
    has_moved: bool,
    /// Something listens on its port.
    pub(super) is_server: bool,
    /// What the kernel had added up at the latest sample, where it does.
    account: Option<Box<Account>>,
}

impl LiveConnection {
    pub(super) fn new(id: u64, sample: KernelSample, keep: Retention, largest: Option<u64>) -> Self {
        let look = InstantLimit::at(&sample.socket, false, largest);
        Self {
            id,
            process: None,
            samples: 1,
            sending: Direction::new(sample.time, keep),
            reader: Reader::new(&sample.socket, keep),
            rates: Rates::new(&sample),
            look,
            has_turns: false,
            usual: None,
            progress: sample.time,
            has_ended: false,
            told: Reported::default(),
            has_moved: sample.socket.send_queue + sample.socket.receive_queue > 0,
            is_server: false,
            account: None,
            first: Baseline::of(&sample),
            last: sample,
        }
    }

    /// One of which the kernel keeps an account, from its beginning on if that was seen.
    pub(super) fn with_account(id: u64, sample: KernelSample, account: KernelAccount, keep: Retention) -> Self {
        let mut before = sample.clone();
        let begins = account.opened.is_some();
        if begins {
            // Nothing had been sent, and nothing had come.
            before.time = account.since.min(sample.time);
            let info = &mut before.socket.info;
            for counter in [
                &mut info.bytes_acked,
                &mut info.bytes_received,
                &mut info.bytes_sent,
                &mut info.bytes_retrans,
                &mut info.total_retrans,
                &mut info.segs_out,
                &mut info.segs_in,
                &mut info.data_segs_out,
                &mut info.data_segs_in,
                &mut info.busy_time,
                &mut info.rwnd_limited,
                &mut info.sndbuf_limited,
            ] {
                *counter = Some(0);
            }
            (before.socket.send_queue, before.socket.receive_queue) = (0, 0);
        }
        let mut connection = Self::new(id, before, keep, None);
        connection.has_moved = sample.socket.send_queue + sample.socket.receive_queue > 0;
        connection.look = InstantLimit::told(account.held, &sample.socket, false);
        let mut base = account.clone();
        if begins {
            base.nanos = [0; HeldBy::ALL.len()];
            (base.slow_reader, base.blocked, base.turns) = (0, account.blocked.map(|_| 0), Default::default());
        }
        connection.is_server = account.opened == Some(Opened::ByPeer);
        connection.account = Some(Box::new(Account::beginning(base, sample.time)));
        connection.observe(sample, Some(account), None);
        connection
    }

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

    /// Whether the kernel adds up its time: all of it is known, not only samples.
    pub fn is_accounted(&self) -> bool {
        self.account.is_some()
    }

    /// Nanoseconds in which its writers waited for room in the send buffer while it was watched, all of them
    /// together; `None` where nobody counts them.
    pub fn blocked(&self) -> Option<i64> {
        self.account.as_ref()?.blocked()
    }

    /// Turns of this side and of the peer while it was watched; `None` where nobody counts them. A server's
    /// own turns are its response times. Those of a client's peer are response times with the round trip.
    pub fn turns(&self) -> Option<[Turns; 2]> {
        self.account.as_ref().map(|account| account.turns)
    }

    /// When its socket was there last.
    pub(super) fn last_seen(&self) -> Timestamp {
        self.account.as_ref().map_or(self.last.time, |account| account.seen.max(self.last.time))
    }

    /// Whether its socket is gone.
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

    /// Whether the side to speak of is the receiving one: the peer sent more, and this side does not answer
    /// it.
    pub fn is_receiver(&self) -> bool {
        self.reader.receiving.is_some()
            && self.received() > self.sent()
            && self.last.socket.send_queue == 0
            && !self.answers()
    }

    /// Whether this side answers again and again what the peer asks, by messages that one write could take.
    /// Then its answers matter.
    fn answers(&self) -> bool {
        self.turns().is_some_and(|[own, _]| {
            own.count >= LEAST_ANSWERS && self.received() <= own.count.saturating_mul(LARGEST_REQUEST)
        })
    }

    fn main(&self) -> &Direction {
        if self.is_receiver() { self.reader.receiving.as_deref().unwrap_or(&self.sending) } else { &self.sending }
    }

    /// What holds the direction to speak of now.
    pub fn limit_now(&self) -> Cause {
        if self.is_receiver() { self.reader.limit_now() } else { self.look.cause }
    }

    /// All time of the direction to speak of.
    pub fn limits(&self) -> LimitTimeline {
        self.main().limits()
    }

    /// All time of what this side sends.
    pub(super) fn sending_limits(&self) -> LimitTimeline {
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

    /// Seconds of the time of `nanos` before `until` that a change could have saved, to a tenth of a second
    /// up to a minute and to ten seconds up to an hour.
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

    /// How long a client takes between its requests is its own affair. A server that answers within a
    /// millisecond could hardly be faster. Nothing shows that a program could write faster than it does. For
    /// a congestion window without a reason, and for a rate that nobody has set, no change is known.
    pub(super) fn is_lost(&self, cause: Cause) -> bool {
        let has_reason = match cause.detail {
            Some(Detail::Think) => self.is_server && !self.answers_at_once(),
            Some(Detail::Other | Detail::PacedWrites) => false,
            Some(Detail::Paced) => self.last.socket.info.max_pacing_rate.is_some(),
            _ => true,
        };
        cause.is_removable() && has_reason
    }

    fn answers_at_once(&self) -> bool {
        self.turns()
            .is_some_and(|[own, _]| own.count > 0 && own.nanos < own.count.cast_signed().saturating_mul(AT_ONCE))
    }

    /// Bytes per second, as of the last full second: sent and received.
    pub fn rates(&self) -> [Rate; 2] {
        self.rates.latest()
    }

    /// Forgets its course, which strips and charts show: what it came to, with its latest rates, stays.
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

    /// Takes in a newer sample; one that is not newer changes nothing. Without `account` a sample of a
    /// connection that has one tells only what the kernel's account does not: its time is the account's.
    /// `largest`: see [`super::host::LiveHost::set_largest_send_buffer`].
    pub(super) fn observe(&mut self, mut sample: KernelSample, account: Option<KernelAccount>, largest: Option<u64>) {
        if let (Some(known), None) = (&mut self.account, &account) {
            known.seen = known.seen.max(sample.time);
            self.last.socket.info.complete(&sample.socket.info);
            self.last.socket.inode = self.last.socket.inode.or(sample.socket.inode);
            return;
        }
        let nanos = sample.time.since(self.last.time);
        if nanos <= 0 {
            return;
        }
        if account.is_some() {
            sample.socket.info.complete(&self.last.socket.info);
        } else if sample.socket.info == TcpInfo::default() {
            // What is left of a closed socket (`inet_timewait_sock`, in FIN-WAIT-2 too) counts nothing.
            sample.socket.info = counters(&self.last.socket.info);
        }
        // What is asked for less often stays as it was.
        sample.socket.locks = sample.socket.locks.or(self.last.socket.locks);
        sample.socket.inode = sample.socket.inode.or(self.last.socket.inode);
        self.samples += 1;
        let before = std::mem::replace(&mut self.last, sample);
        let (a, b) = (&before.socket, &self.last.socket);
        let has_sent = grew(a.info.bytes_sent.or(a.info.bytes_acked), b.info.bytes_sent.or(b.info.bytes_acked))
            || b.send_queue > a.send_queue;
        let has_received = received(b) > received(a);
        self.has_turns |= received(b) > 0 && acked(b) > 0 && (has_sent || has_received);
        if has_received {
            self.sending.peer_spoke();
        } else if has_sent {
            self.sending.spoke();
        }
        self.has_moved |= has_sent || has_received || b.send_queue + b.receive_queue > 0;
        let look = match &account {
            Some(account) => InstantLimit::told(account.held, b, self.has_turns),
            None => InstantLimit::at(b, self.has_turns, largest),
        };
        if let Some(held) = look.held
            && !matches!(held, Held::Idle | Held::Rwnd)
        {
            self.usual = Some(look.cause);
        }
        let looks = [self.look, look];
        let mut parts: Vec<Part> = match &account {
            Some(account) => {
                let known = self.account.as_mut().map(|known| (&known.told.nanos, std::mem::take(&mut known.ahead)));
                accounted(account, known, looks, nanos)
            }
            None => parts(a, b, looks, nanos, has_sent, self.usual).into_iter().flatten().collect(),
        };
        parts.retain(|part| part.nanos > 0);
        let slow_reader = account.as_ref().map(|account| slow_reader(self.account.as_deref(), account, nanos));
        if let Some(account) = account {
            self.is_server |= account.opened == Some(Opened::ByPeer);
            self.account = Some(Box::new(Account::after(self.account.as_deref(), account, self.last.time)));
        }
        self.look = look;
        let round_trip = b.info.rtt.unwrap_or_default().saturating_mul(MICROSECOND).cast_signed();
        let newly_acked = acked(b).saturating_sub(acked(a));
        self.rates.deliver(b, look.cause.limit);
        self.rates.share_out(&parts, newly_acked);
        let (a, b) = (&before.socket, &self.last.socket);
        let mut at = before.time;
        let (is_account, has_progress) = (self.account.is_some(), acked(a) != acked(b));
        for part in parts {
            at = at.plus(part.nanos);
            // Where something was acknowledged in between, nothing says that the rest of that time was
            // silent.
            let is_stuck = !has_progress && at.since(self.progress) > round_trip;
            let doubt = if is_account { Doubt::of_account } else { Doubt::of_sample };
            self.sending.add(part, doubt(part.cause, is_stuck));
        }
        if acked(a) != acked(b) || b.send_queue == 0 {
            self.progress = self.last.time;
            self.sending.progressed();
        }
        let had_closed = has_peer_closed(&before.socket);
        self.reader.receive(&self.last.socket, before.time, had_closed, has_received, nanos, slow_reader);
        self.rates.measure(&self.last, look.cause.limit, before.socket.send_queue, nanos);
    }

    /// The kernel has told of all that did something up to `time`, and not of this one: it rested.
    pub(super) fn rest(&mut self, time: Timestamp) {
        let nanos = time.since(self.last.time);
        let is_rest = self.look.held == Some(Held::Idle) && self.last.socket.receive_queue == 0;
        let Some(account) = &mut self.account else { return };
        // The kernel itself decides what a shorter rest was, by who speaks next.
        if nanos < SHORTEST_REST || !is_rest {
            return;
        }
        account.ahead += nanos;
        self.last.time = time;
        let cause = self.look.cause;
        let part = Part { cause, nanos, confidence: confidence::ACCOUNTED };
        self.sending.add(part, Doubt::of_sample(cause, false));
        let had_closed = has_peer_closed(&self.last.socket);
        self.reader.receive(&self.last.socket, time, had_closed, false, nanos, Some(0));
        self.rates.measure(&self.last, cause.limit, 0, nanos);
    }

    pub(super) fn end(&mut self) {
        self.has_ended = true;
        self.sending.close();
        if let Some(receiving) = &mut self.reader.receiving {
            receiving.close();
        }
    }
}

/// An account that the kernel keeps.
#[derive(Clone, Debug)]
struct Account {
    told: KernelAccount,
    /// Nanoseconds that were given to rest before the kernel told of them.
    ahead: i64,
    /// When somebody else saw the socket last.
    seen: Timestamp,
    /// How long writers had waited when the watching began.
    blocked_before: i64,
    /// Turns since then, of this side and of the peer.
    turns: [Turns; 2],
}

impl Account {
    /// The account up to which a connection was not watched.
    fn beginning(told: KernelAccount, seen: Timestamp) -> Self {
        let blocked_before = told.blocked.unwrap_or_default();
        Self { told, ahead: 0, seen, blocked_before, turns: Default::default() }
    }

    /// The account that came after `known`.
    fn after(known: Option<&Self>, told: KernelAccount, seen: Timestamp) -> Self {
        let blocked_before = known.map_or(0, |known| known.blocked_before);
        let mut turns = known.map_or_else(Default::default, |known| known.turns);
        let before = known.map_or(told.turns, |known| known.told.turns);
        for (turns, (before, now)) in turns.iter_mut().zip(before.iter().zip(&told.turns)) {
            turns.add(before, now);
        }
        Self { told, ahead: 0, seen, blocked_before, turns }
    }

    /// Nanoseconds that writers waited since the watching began; `None` where nobody counts them.
    fn blocked(&self) -> Option<i64> {
        Some(self.told.blocked?.saturating_sub(self.blocked_before).max(0))
    }
}

/// Nanoseconds, of `nanos`, in which the program was slow to read since `known`.
fn slow_reader(known: Option<&Account>, account: &KernelAccount, nanos: i64) -> i64 {
    let before = known.map_or(0, |known| known.told.slow_reader);
    account.slow_reader.saturating_sub(before).clamp(0, nanos)
}

/// What was seen while one limit held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Under {
    pub(super) limit: Limit,
    pub(super) nanos: f64,
    /// Times nanoseconds.
    pub(super) flight: f64,
    /// Times nanoseconds, µs.
    pub(super) rtt: f64,
    pub(super) window: ByteCount,
    /// Bytes acknowledged.
    pub(super) bytes: f64,
}

/// Averages, rates and points of a connection while it was watched.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    pub(super) round_trips: Sketch,
    pub(super) under: Vec<Under>,
    /// The highest rate of delivery while there was enough to send, bytes/s.
    pub(super) best_delivery: Option<u64>,
    points: VecDeque<Point>,
    /// Time and bytes of the latest second's beginning: acknowledged, received.
    marked: (Timestamp, ByteCount, ByteCount),
}

impl Rates {
    fn new(sample: &KernelSample) -> Self {
        Self {
            round_trips: Sketch::default(),
            under: Vec::new(),
            best_delivery: None,
            points: VecDeque::new(),
            marked: (sample.time, acked(&sample.socket), received(&sample.socket)),
        }
    }

    /// Sent and received, as of the last full second.
    fn latest(&self) -> [Rate; 2] {
        let last = self.points.back().copied().unwrap_or_default();
        [last.sent, last.received].map(Rate::from_bytes_per_sec)
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter()
    }

    /// Forgets all points but the latest.
    fn forget_course(&mut self) {
        self.points.drain(..self.points.len().saturating_sub(1));
        self.points.shrink_to_fit();
        self.under.shrink_to_fit();
        self.round_trips.shrink();
    }

    /// Notes a rate of delivery under `limit`. A buffer or a window that bound shows no rate of the path.
    fn deliver(&mut self, socket: &SocketSample, limit: Limit) {
        let shows_path = matches!(limit, Limit::Path | Limit::CongestionWindow | Limit::LossRecovery);
        if socket.info.delivery_rate_app_limited == Some(0) && shows_path {
            self.best_delivery = self.best_delivery.max(socket.info.delivery_rate.filter(|&rate| rate > 0));
        }
    }

    /// Gives `bytes` to the limits of the time in which they were acknowledged. While nothing was to be sent,
    /// nothing was.
    fn share_out(&mut self, parts: &[Part], bytes: ByteCount) {
        let is_busy = |part: &&Part| part.cause.limit != Limit::Application;
        let busy: i64 = parts.iter().filter(is_busy).map(|part| part.nanos).sum();
        let all: i64 = parts.iter().map(|part| part.nanos).sum();
        for part in parts {
            let nanos = if busy > 0 && !is_busy(&part) { 0 } else { part.nanos };
            let of = if busy > 0 { busy } else { all };
            if nanos > 0 && bytes > 0 {
                self.under_mut(part.cause.limit).bytes += bytes as f64 * nanos as f64 / of as f64;
            }
        }
    }

    fn under_mut(&mut self, limit: Limit) -> &mut Under {
        let at = self.under.iter().position(|under| under.limit == limit).unwrap_or_else(|| {
            self.under.push(Under { limit, nanos: 0.0, flight: 0.0, rtt: 0.0, window: 0, bytes: 0.0 });
            self.under.len() - 1
        });
        &mut self.under[at]
    }

    /// Takes in the newest sample, before which `limit` held for `nanos`.
    fn measure(&mut self, last: &KernelSample, limit: Limit, queued_before: u64, nanos: i64) {
        let socket = &last.socket;
        let weight = nanos as f64;
        if socket.send_queue > 0 || queued_before > 0 {
            if let Some(rtt) = socket.info.rtt.filter(|&rtt| rtt > 0) {
                self.round_trips.add(rtt.saturating_mul(MICROSECOND), weight);
            }
            let flight = flight(socket).unwrap_or_default() as f64;
            let (rtt, window) = (socket.info.rtt.unwrap_or_default() as f64, socket.info.snd_wnd.unwrap_or_default());
            let under = self.under_mut(limit);
            under.nanos += weight;
            under.flight += weight * flight;
            under.rtt += weight * rtt;
            under.window = under.window.max(window);
        }
        let (since, sent, got) = self.marked;
        let passed = last.time.since(since);
        if passed < POINT_NANOS {
            return;
        }
        let rate = |now: ByteCount, then: ByteCount| now.saturating_sub(then) as f64 * 1e9 / passed as f64;
        let point = Point {
            time: last.time,
            sent: rate(acked(socket), sent),
            received: rate(received(socket), got),
            rtt: socket.info.rtt.unwrap_or_default(),
            queued: socket.memory.send_queued.unwrap_or_default(),
            flight: flight(socket).unwrap_or_default(),
        };
        self.marked = (last.time, acked(socket), received(socket));
        let is_quiet = point.sent + point.received <= 0.0 && socket.send_queue == 0;
        if is_quiet && self.points.back().is_none_or(|last| last.sent + last.received <= 0.0) {
            return;
        }
        if self.points.len() >= POINTS {
            self.points.pop_front();
        }
        self.points.push_back(point);
    }
}

/// The receiving half of a connection: its program's reading is all that it shows.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// Once the peer has sent something. Boxed: most connections of a host rest, or speak in one direction
    /// only.
    pub(super) receiving: Option<Box<Direction>>,
    is_slow: bool,
    keep: Retention,
}

impl Reader {
    fn new(socket: &SocketSample, keep: Retention) -> Self {
        Self { receiving: None, is_slow: is_reader_slow(socket), keep }
    }

    /// The limit that the last sample shows.
    fn limit_now(&self) -> Cause {
        limit(self.is_slow)
    }

    /// The time of what the peer sends, of `nanos` from `since` on; `counted` of it was the own program's,
    /// where that is known.
    fn receive(
        &mut self,
        socket: &SocketSample,
        since: Timestamp,
        had_closed: bool,
        has_received: bool,
        nanos: i64,
        counted: Option<i64>,
    ) {
        let is_slow = is_reader_slow(socket);
        let was_slow = std::mem::replace(&mut self.is_slow, is_slow);
        if self.receiving.is_none() && has_received {
            self.receiving = Some(Box::new(Direction::new(since, self.keep)));
        }
        let Some(receiving) = &mut self.receiving else { return };
        if had_closed {
            return;
        }
        let (halves, confidence) = match counted {
            Some(slow) => ([(true, slow), (false, nanos - slow)], confidence::ACCOUNTED),
            None if is_slow == was_slow => ([(is_slow, nanos), (is_slow, 0)], confidence::AGREED),
            None => ([(was_slow, nanos / SIDES), (is_slow, nanos - nanos / SIDES)], confidence::HALVED),
        };
        for (is_slow, nanos) in halves {
            receiving.add(Part { cause: limit(is_slow), nanos, confidence }, None);
        }
    }
}

/// A receiver shows nothing else of its peer.
fn limit(is_slow: bool) -> Cause {
    if is_slow { Detail::SlowReader.into() } else { Cause::plain(Limit::Unobserved) }
}

/// Divides the time between two samples by what the kernel has added up since `known`, of which the second
/// figure was given out before. Whatever the kernel says, it is `nanos` in all.
fn accounted(
    account: &KernelAccount,
    known: Option<(&[i64; HeldBy::ALL.len()], i64)>,
    [was, is]: [InstantLimit; 2],
    nanos: i64,
) -> Vec<Part> {
    let (before, mut ahead) = known.unwrap_or((&[0; HeldBy::ALL.len()], 0));
    let mut passed: Vec<(HeldBy, i64)> = HeldBy::ALL
        .into_iter()
        .zip(account.nanos.iter().zip(before).map(|(now, then)| now.saturating_sub(*then)))
        .filter(|(_, nanos)| *nanos > 0)
        .collect();
    // What was given out ahead was rest, whosever turn it turned out to be.
    let is_rest = |held: &HeldBy| {
        matches!(held, HeldBy::Idle | HeldBy::Think | HeldBy::CloseWait | HeldBy::PeerTurn | HeldBy::Application)
    };
    passed.sort_by_key(|(held, nanos)| (!is_rest(held), std::cmp::Reverse(*nanos)));
    let mut left = nanos;
    for (_, nanos) in &mut passed {
        let early = ahead.min(*nanos);
        ahead -= early;
        *nanos = (*nanos - early).min(left);
        left -= *nanos;
    }
    let mut parts: Vec<Part> = passed
        .into_iter()
        .map(|(held, nanos)| Part { cause: held.cause(), nanos, confidence: confidence::ACCOUNTED })
        .collect();
    // In the order in which they were, as far as that is known.
    parts.sort_by_key(|part| (part.cause != was.cause, part.cause == is.cause));
    // Up to the first account nothing happened, or it would have begun.
    if left > 0 {
        parts.insert(0, Part { cause: was.cause, nanos: left, confidence: confidence::AGREED });
    }
    parts
}

/// Divides the time between two samples.
fn parts(
    a: &SocketSample,
    b: &SocketSample,
    [was, is]: [InstantLimit; 2],
    nanos: i64,
    has_sent: bool,
    usual: Option<Cause>,
) -> [Option<Part>; 4] {
    let part = |cause: Cause, nanos: i64, confidence: f32| Some(Part { cause, nanos, confidence });
    let words = Words::between(a, b, nanos);
    let [was, is] = [was, is].map(|look| look.between(words));
    let rests = [was, is].map(|look| look.held == Some(Held::Idle));
    if rests == [true, true] && !has_sent {
        // However long it was: nothing was written.
        return [part(is.cause, nanos, confidence::AGREED), None, None, None];
    }
    if nanos > LONGEST {
        let unseen = part(Cause::plain(Limit::Unobserved), nanos - LONGEST, confidence::AGREED);
        let [first, last] = [was, is].map(|look| part(look.cause, LONGEST / SIDES, confidence::HALVED));
        return [first, unseen, last, None];
    }
    let counted = if nanos >= CLOCKS_FROM { clocks(a, b, nanos) } else { None };
    let Some((busy, window)) = counted else {
        let confidence = if was.cause == is.cause { confidence::AGREED } else { confidence::HALVED };
        return [
            part(was.cause, nanos / SIDES, confidence),
            part(is.cause, nanos - nanos / SIDES, confidence),
            None,
            None,
        ];
    };
    let rest = rests.iter().zip([was, is]).find(|(rests, _)| **rests).map(|(_, look)| look.cause);
    let idle = part(rest.unwrap_or(words.rest().into()), nanos - busy, confidence::COUNTED);
    let is_window = |look: &InstantLimit| look.held == Some(Held::Rwnd);
    let seen = [was, is].iter().find(|look| is_window(look)).map(|look| look.cause);
    // Where the clock of the peer's window tells nothing, samples that saw it bind do.
    let window = if traits(b).paces || window == 0 { None } else { Some(window) };
    let held = part(seen.unwrap_or(Cause::plain(Limit::ReceiveWindow)), window.unwrap_or(0), confidence::COUNTED);
    let left = busy - window.unwrap_or(0);
    let busy_looks =
        [was, is].map(|look| Some(look).filter(|l| l.held != Some(Held::Idle) && !(window.is_some() && is_window(l))));
    match busy_looks {
        [Some(was), Some(is)] => {
            let confidence = if was.cause == is.cause { confidence::AGREED } else { confidence::HALVED };
            [part(was.cause, left / SIDES, confidence), idle, held, part(is.cause, left - left / SIDES, confidence)]
        }
        [Some(was), None] => [part(was.cause, left, confidence::HALVED), held, idle, None],
        [None, Some(is)] => [idle, held, part(is.cause, left, confidence::HALVED), None],
        [None, None] => {
            let unseen = usual.unwrap_or(Detail::PacedWrites.into());
            let unseen = InstantLimit { held: None, cause: unseen }.between(words).cause;
            [held, part(unseen, left, confidence::UNSEEN), idle, None]
        }
    }
}

/// Of the time between two samples: with data to send or in flight, and of that held by the peer's window
/// (RFC 4898 has the like; `tcp_chrono_start`, Linux 4.10).
fn clocks(a: &SocketSample, b: &SocketSample, nanos: i64) -> Option<(i64, i64)> {
    let passed = |of: fn(&SocketSample) -> Option<u64>| {
        let micros = of(b)?.checked_sub(of(a)?)?;
        Some(i64::try_from(micros).ok()?.saturating_mul(MICROSECOND.cast_signed()).min(nanos))
    };
    let busy = passed(|s| s.info.busy_time)?;
    let busy = if nanos - busy < JIFFY { nanos } else { busy };
    let window = passed(|s| s.info.rwnd_limited)?;
    Some((busy, window.min(busy)))
}

/// What only grows, and the least round trip.
fn counters(info: &TcpInfo) -> TcpInfo {
    TcpInfo {
        bytes_sent: info.bytes_sent,
        bytes_acked: info.bytes_acked,
        bytes_received: info.bytes_received,
        bytes_retrans: info.bytes_retrans,
        total_retrans: info.total_retrans,
        segs_out: info.segs_out,
        segs_in: info.segs_in,
        data_segs_out: info.data_segs_out,
        data_segs_in: info.data_segs_in,
        busy_time: info.busy_time,
        rwnd_limited: info.rwnd_limited,
        sndbuf_limited: info.sndbuf_limited,
        min_rtt: info.min_rtt,
        ..TcpInfo::default()
    }
}

fn grew(before: Option<u64>, after: Option<u64>) -> bool {
    matches!((before, after), (Some(before), Some(after)) if after > before)
}

fn flight(socket: &SocketSample) -> Option<ByteCount> {
    // A recording may say anything.
    Some(segments_in_flight(&socket.info)?.saturating_mul(socket.info.snd_mss?))
}

#[cfg(test)]
mod terms;

#[cfg(test)]
mod tests {
    use tcpwhy_model::host::TcpState;

    use super::*;

    fn sample(millis: i64, change: impl FnOnce(&mut SocketSample)) -> KernelSample {
        let mut s = SocketSample { state: Some(TcpState::Established), ..SocketSample::default() };
        let info = &mut s.info;
        (info.ca_state, info.snd_mss, info.snd_cwnd, info.unacked) = (Some(0), Some(1000), Some(20), Some(10));
        (info.sacked, info.lost, info.retrans, info.snd_wnd) = (Some(0), Some(0), Some(0), Some(1_000_000));
        (info.notsent_bytes, info.snd_ssthresh, info.snd_wscale) = (Some(0), Some(10), Some(7));
        (info.rtt, info.min_rtt, info.total_retrans) = (Some(20_000), Some(20_000), Some(0));
        (info.bytes_acked, info.bytes_received) = (Some(0), Some(0));
        change(&mut s);
        KernelSample { time: Timestamp::from_nanos(millis * 1_000_000), key: SocketKey::default(), socket: s }
    }

    fn full(s: &mut SocketSample) {
        s.send_queue = 10_000;
        (s.memory.send_queued, s.memory.send_buffer) = (Some(30_000), Some(32_000));
    }

    fn of(samples: Vec<KernelSample>) -> LiveConnection {
        let mut samples = samples.into_iter();
        let mut connection = LiveConnection::new(0, samples.next().unwrap(), Retention::default(), None);
        samples.for_each(|sample| connection.observe(sample, None, None));
        connection
    }

    fn millis(connection: &LiveConnection) -> Vec<(String, i64)> {
        connection.limits().totals().iter().map(|t| (t.cause.to_string(), t.nanos / 1_000_000)).collect()
    }

    #[test]
    fn a_sample_stands_for_half_of_the_time_around_it() {
        let connection = of(vec![sample(0, full), sample(100, full), sample(200, |s| s.send_queue = 10_000)]);
        assert_eq!(millis(&connection), [("send_buffer".into(), 150), ("application/paced_writes".into(), 50)]);
        assert_eq!(connection.limits().span().nanos(), 200_000_000);
    }

    /// The end that closes first shows no `tcp_info` from then on.
    #[test]
    fn what_was_counted_outlives_the_socket() {
        let counted = |millis: i64| {
            sample(millis, |s| {
                (s.info.bytes_acked, s.info.busy_time) = (Some(9000), Some(400_000));
                (s.info.rwnd_limited, s.info.sndbuf_limited) = (Some(300_000), Some(0));
            })
        };
        let begun = sample(0, |s| {
            (s.info.busy_time, s.info.rwnd_limited, s.info.sndbuf_limited) = (Some(0), Some(0), Some(0));
        });
        let rest = |millis: i64, state| {
            let mut rest = sample(millis, |s| s.state = Some(state));
            rest.socket.info = TcpInfo::default();
            rest
        };
        for state in [TcpState::FinWait2, TcpState::TimeWait] {
            let connection = of(vec![begun.clone(), counted(1000), rest(1100, state), rest(1200, state)]);
            assert_eq!(connection.sent(), 9000);
            let clocks = connection.clocks().unwrap();
            assert_eq!((clocks.busy, clocks.receive_window), (400_000_000, 300_000_000));
            assert_eq!(flight(connection.socket()), None, "what was in flight has arrived");
        }
    }

    #[test]
    fn clocks_count_what_no_sample_saw() {
        let clocks = |millis: i64, busy: u64, window: u64, acked: u64| {
            sample(millis, |s| {
                (s.info.busy_time, s.info.rwnd_limited) = (Some(busy * 1000), Some(window * 1000));
                s.info.bytes_acked = Some(acked);
            })
        };
        // Idle at both ends, yet busy for 300 ms of the second, 200 of them under the peer's window.
        let connection = of(vec![clocks(0, 0, 0, 0), clocks(1000, 300, 200, 9000)]);
        assert_eq!(
            millis(&connection),
            [
                ("application/idle".into(), 700),
                ("receive_window".into(), 200),
                ("application/paced_writes".into(), 100)
            ]
        );
        // BBR's clock of the window tells nothing.
        let bbr = |sample: KernelSample| {
            let mut sample = sample;
            sample.socket.congestion_control = Some("bbr".to_owned());
            sample
        };
        let connection = of(vec![bbr(clocks(0, 0, 0, 0)), bbr(clocks(1000, 300, 200, 9000))]);
        assert_eq!(connection.limits().nanos_of(Limit::ReceiveWindow), 0);
        // At short intervals they are no better than their ticks.
        let connection = of(vec![clocks(0, 0, 0, 0), clocks(100, 30, 0, 9000)]);
        assert_eq!(connection.limits().nanos_of_cause(Detail::PacedWrites.into()), 0);
    }

    #[test]
    fn what_nobody_looked_at_is_unobserved_unless_nothing_was_written() {
        let connection = of(vec![sample(0, full), sample(20_000, full)]);
        assert_eq!(millis(&connection), [("unobserved".into(), 15_000), ("send_buffer".into(), 5_000)]);
        let connection = of(vec![sample(0, |_| ()), sample(20_000, |_| ())]);
        assert_eq!(millis(&connection), [("application/idle".into(), 20_000)]);
    }

    #[test]
    fn a_slow_reader_is_seen_at_the_receiver() {
        let reads = |millis: i64, got: u64, unread: u64| {
            sample(millis, |s| {
                s.info.bytes_received = Some(got);
                s.receive_queue = unread;
                (s.info.rcv_wnd, s.info.rcv_mss) = (Some(0), Some(1000));
            })
        };
        let connection = of(vec![reads(0, 0, 0), reads(100, 50_000, 50_000), reads(200, 60_000, 50_000)]);
        assert!(connection.is_receiver());
        assert_eq!(connection.limit_now(), Detail::SlowReader.into());
        assert_eq!(millis(&connection), [("receive_window/slow_reader".into(), 150), ("unobserved".into(), 50)]);
        assert!((connection.lost(Timestamp::from_nanos(199_000_000), 200_000_000) - 0.2).abs() < 0.11);
    }

    /// Samples further apart than a round trip, and acknowledgements at each: whatever comes later, that was
    /// no silence.
    #[test]
    fn a_loss_takes_no_time_in_which_acknowledgements_came() {
        let moves = |millis: i64, ca_state: u64| {
            sample(millis, |s| {
                full(s);
                (s.info.bytes_acked, s.info.ca_state) = (Some(millis as u64 * 100), Some(ca_state));
            })
        };
        let connection = of((0..100).map(|step| moves(step * 100, u64::from(step >= 90) * 4)).collect());
        let lost = connection.limits().nanos_of(Limit::LossRecovery) / 1_000_000;
        assert!((900..=1100).contains(&lost), "{lost} of 9900 ms");
    }

    #[test]
    fn an_older_sample_changes_nothing() {
        let mut connection = of(vec![sample(0, full), sample(100, full)]);
        connection.observe(sample(50, |_| ()), None, None);
        connection.observe(sample(100, |_| ()), None, None);
        assert_eq!((connection.samples(), connection.limits().span().nanos()), (2, 100_000_000));
    }

    /// The peer spoke last, and nothing was said since: a server owes an answer, a client owes nothing.
    #[test]
    fn a_client_that_rests_loses_nothing() {
        let answered = |millis: i64| {
            sample(millis, |s| {
                s.info.bytes_received = Some(1);
                (s.info.last_data_sent, s.info.last_data_recv) = (Some(50), Some(40));
            })
        };
        let mut connection = of(vec![answered(0), answered(1000)]);
        assert_eq!(connection.limit_now(), Detail::Think.into());
        assert!(connection.lost_in_all().abs() < 1e-9);
        connection.is_server = true;
        assert!((connection.lost_in_all() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn rates_are_of_the_last_second() {
        let moves = |millis: i64, acked: u64| sample(millis, |s| s.info.bytes_acked = Some(acked));
        let connection = of(vec![moves(0, 0), moves(500, 70_000), moves(1000, 100_000), moves(1500, 500_000)]);
        assert!((connection.rates()[0].bytes_per_sec() - 100_000.0).abs() < 1.0);
        assert_eq!(connection.points().count(), 1);
    }

    #[test]
    fn what_it_came_to_stays_without_its_course() {
        let moves = |millis: i64, acked: u64| sample(millis, |s| s.info.bytes_acked = Some(acked));
        let mut connection = of((0..10).map(|second| moves(second * 1000, second as u64 * 100_000)).collect());
        let [whole, rates] = [format!("{:?}", connection.conclude()), format!("{:?}", connection.rates())];
        connection.forget_course();
        assert_eq!([format!("{:?}", connection.conclude()), format!("{:?}", connection.rates())], [whole, rates]);
        assert_eq!(connection.points().count(), 1);
    }

    /// `LONGEST`, `CLOCKS_FROM` and who is idle: the parts of the time between two samples, in milliseconds.
    #[test]
    fn the_time_between_two_samples_is_divided() {
        type Change = fn(&mut SocketSample);
        let cwnd: Change = |s| {
            (s.send_queue, s.info.notsent_bytes, s.info.unacked) = (30_000, Some(10_000), Some(20));
        };
        let idle: Change = |_| ();
        for (what, from, to, nanos, expected) in [
            ("the same", full as Change, full as Change, 100, vec![("send_buffer", 100)]),
            ("two limits", full, cwnd, 100, vec![("congestion_window/other", 50), ("send_buffer", 50)]),
            ("5 s", full, full, 5_000, vec![("send_buffer", 5_000)]),
            ("more", full, full, 5_001, vec![("send_buffer", 5_000), ("unobserved", 1)]),
            ("idle", idle, idle, 60_000, vec![("application/idle", 60_000)]),
            ("idle at one end", idle, full, 100, vec![("send_buffer", 50), ("application/idle", 50)]),
        ] {
            let mut found = millis(&of(vec![sample(0, from), sample(nanos, to)]));
            let mut expected: Vec<_> = expected.into_iter().map(|(cause, nanos)| (cause.to_owned(), nanos)).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{what}");
        }
    }

    /// The kernel's clocks count from 200 ms on: a tick less than all is all, and the window's is no more
    /// than the busy one.
    #[test]
    fn clocks_are_trusted_to_a_tick() {
        let of_clocks = |busy: u64, window: u64, nanos: i64| {
            let clocks = |busy, window| {
                sample(0, |s| (s.info.busy_time, s.info.rwnd_limited) = (Some(busy), Some(window))).socket
            };
            super::clocks(&clocks(7, 7), &clocks(7 + busy, 7 + window), nanos)
        };
        for (what, busy, window, expected) in [
            ("as counted", 500_000, 200_000, (500, 200)),
            ("a tick less than all", 990_000, 0, (990, 0)),
            ("less than a tick less", 990_001, 0, (1_000, 0)),
            ("more than all", 2_000_000, 0, (1_000, 0)),
            ("more window than busy", 500_000, 600_000, (500, 500)),
        ] {
            let found =
                of_clocks(busy, window, 1_000_000_000).map(|(busy, window)| (busy / 1_000_000, window / 1_000_000));
            assert_eq!(found, Some(expected), "{what}");
        }
        let counted = |nanos: i64| {
            let clocks = |millis, busy| {
                sample(millis, |s| {
                    full(s);
                    (s.info.busy_time, s.info.rwnd_limited) = (Some(busy), Some(0));
                })
            };
            of(vec![clocks(0, 0), clocks(nanos, 100_000)]).limits().nanos_of(Limit::Application) / 1_000_000
        };
        assert_eq!([199, 200].map(counted), [0, 100]);
    }

    /// A reader that stops again and again: most of the time the window is small, part of it closed.
    #[test]
    fn a_window_that_closes_again_and_again_names_the_reader() {
        let verdict = |closed_every: i64| {
            let window = |step: i64| {
                move |s: &mut SocketSample| {
                    (s.send_queue, s.info.notsent_bytes, s.info.unacked) = (90_000, Some(80_000), Some(10));
                    (s.info.snd_cwnd, s.info.bytes_acked) = (Some(400), Some(step as u64 * 10_000));
                    s.info.snd_wnd = Some(if step % closed_every == 0 { 0 } else { 10_500 });
                }
            };
            let connection = of((0..100).map(|step| sample(step * 100, window(step))).collect());
            connection.conclude().halves[0].verdict.cause.unwrap().to_string()
        };
        assert_eq!(verdict(4), "receive_window/zero_window");
        assert_eq!(verdict(10), "receive_window");
    }

    /// The side to speak of receives where the peer sent more and nothing waits to be sent.
    #[test]
    fn the_side_to_speak_of_is_the_one_that_got_more() {
        for (what, sent, received, queue, expected) in [
            ("more received", 1000, 1001, 0, true),
            ("as much", 1000, 1000, 0, false),
            ("something waits to be sent", 1000, 1001, 1, false),
            ("nothing received", 0, 0, 0, false),
        ] {
            let connection = of(vec![
                sample(0, |_| ()),
                sample(100, |s| {
                    (s.info.bytes_acked, s.info.bytes_received, s.send_queue) = (Some(sent), Some(received), queue);
                }),
            ]);
            assert_eq!(connection.is_receiver(), expected, "{what}");
        }
    }
}
