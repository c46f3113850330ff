//! Averages, rates and points of a connection while it was watched.

use std::collections::VecDeque;

use tcpwhy_analysis::Sketch;
use tcpwhy_model::host::SocketSample;
use tcpwhy_model::live::KernelSample;
use tcpwhy_model::{ByteCount, Limit, Rate, Timestamp};

use crate::baseline::{acked, received};
use crate::direction::Part;
use crate::socket::flight;
use crate::sums::Window;
use crate::thresholds::MICROSECOND;

/// The latest points kept for charts, one a second.
const POINTS: usize = 60;
const POINT_NANOS: i64 = 1_000_000_000;
/// Bytes are known for each second of a minute, and for each minute of an hour.
const MINUTES: usize = 61;
const MINUTE_NANOS: i64 = 60 * POINT_NANOS;

/// What a connection did in a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The end of that second.
    pub time: Timestamp,
    /// Its beginning: a connection that rests is looked at less often.
    pub from: Timestamp,
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

/// What was seen while one limit held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Under {
    pub(crate) limit: Limit,
    pub(crate) nanos: f64,
    /// Times nanoseconds.
    pub(crate) flight: f64,
    /// Times nanoseconds, µs.
    pub(crate) rtt: f64,
    pub(crate) window: ByteCount,
    /// Bytes acknowledged.
    pub(crate) bytes: f64,
}

/// Averages, rates and points of a connection while it was watched.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    pub(crate) round_trips: Sketch,
    pub(crate) under: Vec<Under>,
    /// The highest rate of delivery while there was enough to send, bytes/s.
    pub(crate) best_delivery: Option<u64>,
    /// The highest of those while the path bound.
    pub(crate) path_delivery: Option<u64>,
    points: VecDeque<Point>,
    /// Where each minute began, for an hour.
    minutes: VecDeque<Mark>,
    /// Time and bytes of the latest second's beginning: acknowledged, received.
    marked: Mark,
}

/// A time, and the bytes up to then: acknowledged, received.
type Mark = (Timestamp, ByteCount, ByteCount);

impl Rates {
    pub(super) fn new(sample: &KernelSample) -> Self {
        Self {
            round_trips: Sketch::default(),
            under: Vec::new(),
            best_delivery: None,
            path_delivery: None,
            points: VecDeque::new(),
            minutes: VecDeque::new(),
            marked: (sample.time, acked(&sample.socket), received(&sample.socket)),
        }
    }

    /// Sent and received, as of the last full second.
    pub(super) fn latest(&self) -> [Rate; 2] {
        let last = self.points.back().copied().unwrap_or_default();
        [last.sent, last.received].map(Rate::from_bytes_per_sec)
    }

    /// Bytes that moved within `window`, up to the newest sample, `last`: acknowledged, received. Bytes of a
    /// second or minute that began before count in part.
    pub(super) fn moved(&self, window: Window, last: &KernelSample) -> [ByteCount; 2] {
        let now = (last.time, acked(&last.socket), received(&last.socket));
        let mut moved = [0.0, 0.0];
        let mut add = |from: Timestamp, to: Timestamp, bytes: [f64; 2]| {
            let inside = to.min(window.until).since(from.max(window.start())).max(0);
            let part = inside as f64 / to.since(from).max(1) as f64;
            for (all, bytes) in moved.iter_mut().zip(bytes) {
                *all += part * bytes;
            }
        };
        let between = |from: Mark, to: Mark| {
            (from.0, to.0, [to.1.saturating_sub(from.1) as f64, to.2.saturating_sub(from.2) as f64])
        };
        if window.nanos > MINUTE_NANOS {
            let marks = || self.minutes.iter().copied().chain([self.marked, now]);
            for (from, to) in marks().zip(marks().skip(1)) {
                let (from, to, bytes) = between(from, to);
                add(from, to, bytes);
            }
        } else {
            for point in &self.points {
                let seconds = point.time.since(point.from) as f64 / POINT_NANOS as f64;
                add(point.from, point.time, [point.sent * seconds, point.received * seconds]);
            }
            let (from, to, bytes) = between(self.marked, now);
            add(from, to, bytes);
        }
        moved.map(|bytes| bytes as ByteCount)
    }

    /// Notes where a minute began.
    fn mark_minute(&mut self, since: Timestamp, sent: ByteCount, got: ByteCount) {
        if self.minutes.back().is_none_or(|mark| since.since(mark.0) >= MINUTE_NANOS) {
            if self.minutes.len() >= MINUTES {
                self.minutes.pop_front();
            }
            self.minutes.push_back((since, sent, got));
        }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = &Point> {
        self.points.iter()
    }

    /// Forgets all points but the latest.
    pub(super) fn forget_course(&mut self) {
        self.points.drain(..self.points.len().saturating_sub(1));
        self.points.shrink_to_fit();
        self.minutes = VecDeque::new();
        self.under.shrink_to_fit();
        self.round_trips.shrink();
    }

    /// Notes a rate of delivery under `limit`. A buffer or a window that bound shows no rate of the path.
    pub(super) fn deliver(&mut self, socket: &SocketSample, limit: Limit) {
        let shows_path = matches!(limit, Limit::Path | Limit::CongestionWindow | Limit::LossRecovery);
        if socket.info.delivery_rate_app_limited == Some(0) && shows_path {
            let rate = socket.info.delivery_rate.filter(|&rate| rate > 0);
            self.best_delivery = self.best_delivery.max(rate);
            if limit == Limit::Path {
                self.path_delivery = self.path_delivery.max(rate);
            }
        }
    }

    /// Gives `bytes` to the limits of the time in which they were acknowledged. While nothing was to be sent,
    /// nothing was.
    pub(super) fn share_out(&mut self, parts: &[Part], bytes: ByteCount) {
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
    pub(super) fn measure(&mut self, last: &KernelSample, limit: Limit, queued_before: u64, nanos: i64) {
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
            from: since,
            sent: rate(acked(socket), sent),
            received: rate(received(socket), got),
            rtt: socket.info.rtt.unwrap_or_default(),
            queued: socket.memory.send_queued.unwrap_or_default(),
            flight: flight(socket).unwrap_or_default(),
        };
        self.mark_minute(since, sent, got);
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
