//! Curves of the calculator: rate and transfer time by round-trip time, and by size.
//!
//! Each point is a complete answer, so a curve always agrees with the text next to it.

use serde::Serialize;
use tcpwhy_kernel::{BufferKind, BufferRequest, OperatingSystem, Question, rate_of_window};
use tcpwhy_model::{ByteCount, Rate};
use tcpwhy_report::buffers::{Buffers, SettingsOrigin};

/// Smallest range of the axis of round-trip times: 0.1 ms to 500 ms, in seconds.
const ROUND_TRIPS: [f64; 2] = [0.1e-3, 0.5];
/// Smallest range of the axis of sizes: 4 KiB to 16 MiB, in bytes.
const SIZES: [f64; 2] = [4096.0, 16_777_216.0];
/// Points per factor of two, enough to show a bend in the curve.
const PER_DOUBLING: f64 = 3.0;

/// Both charts.
#[derive(Serialize)]
pub(crate) struct Curves {
    by_round_trip: Chart,
    by_size: Chart,
}

/// The curves of one chart.
#[derive(Default, Serialize)]
struct Chart {
    /// Value that was typed for the axis; null without one.
    here: Option<f64>,
    curves: Vec<Curve>,
}

/// The curve of one limit.
#[derive(Serialize)]
struct Curve {
    limit: Limit,
    points: Vec<Point>,
    /// Point for the typed values.
    here: Option<Point>,
}

/// Value on the axis, bits per second there, and seconds of the transfer if its bytes were given.
#[derive(Clone, Copy, Serialize)]
struct Point(f64, Range, Option<Range>);

/// Best single value, lowest value and highest value.
#[derive(Clone, Copy, Serialize)]
struct Range(f64, f64, f64);

/// The limit that a curve shows.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Limit {
    /// The send buffer.
    Send,
    /// The receive buffer.
    Receive,
    /// The window that was given instead of a buffer.
    Window,
    /// The same buffers with autotuning.
    Autotuned,
    /// The bandwidth of the path.
    Line,
}

/// A question that can be repeated with other values.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) system: OperatingSystem,
    pub(crate) question: Question<'a>,
    pub(crate) kinds: &'a [BufferKind],
}

impl Curves {
    pub(crate) fn of(asked: Asked<'_>) -> Self {
        let question = asked.question;
        let by_round_trip = |seconds| asked.with(Question { round_trip_seconds: Some(seconds), ..question });
        let by_size = |kind: Option<BufferKind>, bytes: f64| {
            let request = Some(BufferRequest::new(bytes as i32));
            asked.with(match kind {
                None => Question { window: Some(bytes as ByteCount), ..question },
                Some(BufferKind::Send) => Question { sndbuf: request, ..question },
                Some(BufferKind::Receive) => Question { rcvbuf: request, ..question },
            })
        };
        let typed = |kind: Option<BufferKind>| match kind {
            None => question.window.map(|bytes| bytes as f64),
            Some(BufferKind::Send) => question.sndbuf.map(|request| f64::from(request.bytes)),
            Some(BufferKind::Receive) => question.rcvbuf.map(|request| f64::from(request.bytes)),
        };
        let limits = asked.limits();
        let mut curves = Self { by_round_trip: Chart::default(), by_size: Chart::default() };
        let here = question.round_trip_seconds;
        curves.by_round_trip.here = here;
        for limit in limits.iter().copied().chain([Limit::Autotuned, Limit::Line]) {
            curves.by_round_trip.add(limit, ROUND_TRIPS, here, |at| by_round_trip(at).point(limit, at));
        }
        if here.is_none() {
            return curves;
        }
        for &limit in &limits {
            let kind = limit.kind();
            let here = typed(kind);
            curves.by_size.here = curves.by_size.here.or(here);
            curves.by_size.add(limit, SIZES, here, |at| by_size(kind, at).point(limit, at));
        }
        // Limits that do not depend on the size are horizontal lines.
        let span = curves.by_size.span();
        for limit in [Limit::Autotuned, Limit::Line] {
            curves.by_size.add(limit, span.unwrap_or(SIZES), None, |at| asked.point(limit, at));
        }
        curves
    }
}

impl Chart {
    /// Adds the curve of `limit` from `low` to `high` on the axis, or further if `here` is outside. A
    /// question without this limit has no curve.
    fn add(&mut self, limit: Limit, [low, high]: [f64; 2], here: Option<f64>, point: impl Fn(f64) -> Option<Point>) {
        let here = here.filter(|at| *at > 0.0);
        let [low, high] = [here.map_or(low, |at| at.min(low)), here.map_or(high, |at| at.max(high))];
        let steps = ((high / low).log2() * PER_DOUBLING).ceil().max(1.0);
        let mut places: Vec<f64> = (0..=steps as u32).map(|i| low * (high / low).powf(f64::from(i) / steps)).collect();
        places.extend(here);
        places.sort_by(f64::total_cmp);
        let points: Vec<Point> = places.into_iter().filter_map(&point).collect();
        if !points.is_empty() {
            self.curves.push(Curve { limit, points, here: here.and_then(point) });
        }
    }

    /// The range of the axis that the curves cover.
    fn span(&self) -> Option<[f64; 2]> {
        let ends = self.curves.iter().filter_map(|curve| Some([curve.points.first()?.0, curve.points.last()?.0]));
        ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }
}

impl Limit {
    /// The buffer that causes the limit.
    const fn kind(self) -> Option<BufferKind> {
        match self {
            Self::Send => Some(BufferKind::Send),
            Self::Receive => Some(BufferKind::Receive),
            Self::Window | Self::Autotuned | Self::Line => None,
        }
    }
}

impl<'a> Asked<'a> {
    /// The same with another question.
    const fn with(self, question: Question<'a>) -> Self {
        Self { question, ..self }
    }

    /// The limits that the question is about.
    fn limits(&self) -> Vec<Limit> {
        if self.question.window.is_some() {
            return vec![Limit::Window];
        }
        let limit = |kind: &BufferKind| match kind {
            BufferKind::Send => Limit::Send,
            BufferKind::Receive => Limit::Receive,
        };
        self.kinds.iter().map(limit).collect()
    }

    /// The point of `limit` at `at` on the axis.
    fn point(self, limit: Limit, at: f64) -> Option<Point> {
        let question = self.question;
        let route = question.route()?;
        let (flight, kind) = match limit {
            Limit::Line => {
                let seconds = question.transfer_bytes.map(|bytes| route.seconds(bytes, ByteCount::MAX));
                let exact = |value: f64| Range(value, value, value);
                return Some(Point(at, exact(question.bandwidth?.bits_per_sec()), seconds.map(exact)));
            }
            Limit::Window => (self.buffers().window?.flight, BufferKind::Receive),
            Limit::Send | Limit::Receive => {
                let kind = limit.kind()?;
                (self.buffers().sides.iter().find(|side| side.kind == kind)?.flight, kind)
            }
            Limit::Autotuned => {
                // No buffer was set, so the other curves show autotuning already.
                if question.window.is_some() || (question.sndbuf.is_none() && question.rcvbuf.is_none()) {
                    return None;
                }
                let autotuned = Question { sndbuf: None, rcvbuf: None, ..question };
                let sides = self.with(autotuned).buffers().sides;
                let side = sides.into_iter().min_by_key(|side| side.flight.value)?;
                (side.flight, side.kind)
            }
        };
        let most = question.bandwidth.map_or(f64::INFINITY, Rate::bits_per_sec);
        let rate = |flight| rate_of_window(flight, route.round_trip_seconds).bits_per_sec().min(most);
        // Without an upper bound from this limit, the value replaces the upper end.
        let rates = Range(rate(flight.value), rate(flight.low), rate(flight.high.unwrap_or(flight.value)));
        let seconds = question.transfer(&flight, kind).map(|all| Range(all.value, all.low, all.high));
        Some(Point(at, rates, seconds))
    }

    fn buffers(self) -> Buffers<'a> {
        Buffers::new(self.system, SettingsOrigin::Defaults, self.question, self.kinds)
    }
}
