//! The line through the losses of several connections that share one bucket. Between any two losses, all of
//! them together got exactly the rate, however they shared it.

use super::arrival::Point;
use super::bucket::Spans;
use crate::thresholds::{
    SHARED_RATE, SHARING_LEAST, SHARING_NARROWER, SHARING_POINTS, SHARING_SPANS, SPAN_ROUND_TRIPS, SPAN_SEGMENTS,
};

/// Times of a direction's losses, and the data that had arrived.
#[derive(Clone, Debug)]
pub struct LossLine {
    losses: Box<[i64]>,
    /// In the order of time.
    arrived: Box<[Point]>,
    /// Smallest round trip, nanoseconds.
    rtt: i64,
    mss: u64,
    /// Bytes of packets per byte of payload.
    packet: f64,
}

impl LossLine {
    pub(super) fn new(losses: &[Point], mut arrived: Vec<Point>, rtt: i64, mss: u64) -> Self {
        // Arrivals before the first loss come from the slots, exact to half a round trip.
        arrived.sort_by_key(|p| p.time);
        Self { losses: losses.iter().map(|l| l.time).collect(), arrived: arrived.into(), rtt, mss, packet: 1.0 }
    }

    /// Sets the bytes of packets per byte of payload.
    pub(crate) fn with_packet(self, packet: f64) -> Self {
        Self { packet, ..self }
    }

    /// Bytes of packets per byte of payload.
    pub(crate) fn packet(&self) -> f64 {
        self.packet
    }

    /// Memory, bytes.
    pub(crate) fn heap(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.losses) + size_of_val(&*self.arrived)
    }

    /// Times of the first and the last arrival, nanoseconds.
    pub(crate) fn span(&self) -> (i64, i64) {
        (self.arrived.first().map_or(0, |p| p.time), self.arrived.last().map_or(0, |p| p.time))
    }

    /// Bytes of packets that had arrived by `time`, interpolated between points.
    fn arrived_by(&self, time: i64) -> f64 {
        let after = self.arrived.partition_point(|p| p.time <= time);
        let from = after.checked_sub(1).and_then(|at| self.arrived.get(at));
        let payload = match (from, self.arrived.get(after)) {
            (Some(from), Some(to)) => {
                let part = (time - from.time) as f64 / (to.time - from.time) as f64;
                from.delivered as f64 + to.delivered.saturating_sub(from.delivered) as f64 * part
            }
            (Some(known), None) | (None, Some(known)) => known.delivered as f64,
            (None, None) => 0.0,
        };
        payload * self.packet
    }

    /// Average bytes of packets between two points.
    fn resolution(&self) -> f64 {
        let bytes = self.arrived.first().zip(self.arrived.last());
        let bytes = bytes.map_or(0, |(first, last)| last.delivered.saturating_sub(first.delivered));
        bytes as f64 * self.packet / self.arrived.len().max(1) as f64
    }
}

/// Rate of the policer that these directions share, bytes of packets per second. `None` unless one of them
/// got what the others lacked, so that their sum is steady.
pub(crate) fn shared_rate(lines: &[&LossLine]) -> Option<f64> {
    /// Largest number of losses evaluated: more only cost time.
    const LOSSES: usize = 1024;
    if lines.len() < SHARING_LEAST {
        return None;
    }
    let mut times: Vec<i64> = lines.iter().flat_map(|l| l.losses.iter().copied()).collect();
    times.sort_unstable();
    let step = times.len().div_ceil(LOSSES).max(1);
    let rtt = lines.iter().map(|l| l.rtt).max()?;
    let mss = lines.iter().map(|l| l.mss).max()?;
    let resolution: f64 = lines.iter().map(|l| l.resolution()).sum();
    let least = (resolution * SHARING_POINTS.get()).max((SPAN_SEGMENTS.get() * mss) as f64);
    let at = |time: i64| -> Vec<f64> { lines.iter().map(|l| l.arrived_by(time)).collect() };
    let mut from = (*times.first()?, at(*times.first()?));
    let mut total = Vec::new();
    let mut each = vec![Vec::new(); lines.len()];
    for &time in times.iter().step_by(step) {
        let nanos = time - from.0;
        if nanos < SPAN_ROUND_TRIPS.get() * rtt {
            continue;
        }
        let now = at(time);
        let got: Vec<f64> = now.iter().zip(&from.1).map(|(now, from)| now - from).collect();
        let bytes: f64 = got.iter().sum();
        if bytes >= least {
            let slope = |bytes: f64| (bytes * 1e9 / nanos as f64, nanos as f64);
            total.push(slope(bytes));
            for (each, bytes) in each.iter_mut().zip(got) {
                each.push(slope(bytes));
            }
            from = (time, now);
        }
    }
    if total.len() < SHARING_SPANS {
        return None;
    }
    let total = Spans::new(total);
    let apart = each.into_iter().map(|one| Spans::new(one).width().powi(2)).sum::<f64>().sqrt();
    (total.is_steady() && total.width() * SHARING_NARROWER.get() <= apart).then(|| total.quantile(SHARED_RATE.get()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const RATE: u64 = 1_000_000;
    const RTT: i64 = 20_000_000;
    const SECOND: i64 = 1_000_000_000;

    /// A direction that gets `share` per mille of the rate in each second, with ten losses per second.
    pub(crate) fn line(share: impl Fn(u64) -> u64) -> LossLine {
        let (mut delivered, mut losses, mut arrived) = (0, Vec::new(), Vec::new());
        for tenth in 0..400_u64 {
            let now = Point { time: tenth as i64 * SECOND / 10, delivered };
            losses.push(now);
            arrived.push(now);
            delivered += RATE / 10_000 * share(tenth / 10);
        }
        LossLine::new(&losses, arrived, RTT, 1000)
    }

    /// Data that arrived between two times, nanoseconds, with `packet` bytes of packets per byte of payload.
    pub(crate) fn passing(from: i64, until: i64, packet: f64) -> LossLine {
        let points = [from, until].map(|time| Point { time, delivered: 0 });
        LossLine::new(&points, points.to_vec(), RTT, 1000).with_packet(packet)
    }

    /// Per mille that one direction gets in each second, at irregular intervals.
    pub(crate) fn uneven(second: u64) -> u64 {
        200 + second * 7 % 11 * 50
    }

    #[test]
    fn what_one_gets_the_other_lacks() {
        let lines = [line(uneven), line(|second| 1000 - uneven(second))];
        let rate = shared_rate(&[&lines[0], &lines[1]]).unwrap();
        assert!((rate / RATE as f64 - 1.0).abs() < 0.02, "{rate}");
        let packets = lines.map(|l| l.with_packet(1.05));
        let rate = shared_rate(&[&packets[0], &packets[1]]).unwrap();
        assert!((rate / RATE as f64 - 1.05).abs() < 0.02, "{rate}");
        assert_eq!(shared_rate(&[&packets[0]]), None);
    }

    #[test]
    fn three_share_as_well() {
        let lines = [line(|s| uneven(s) / 2), line(|s| 500 - uneven(s) / 2), line(|s| 300 + s % 2)];
        let rate = shared_rate(&lines.each_ref()).unwrap();
        assert!((rate / (RATE as f64 * 0.8) - 1.0).abs() < 0.03, "{rate}");
    }

    /// Independent connections share nothing: neither a few, nor many, whose sum varies little.
    #[test]
    fn connections_apart_share_nothing() {
        for count in [2, 40_u64] {
            let lines: Vec<_> = (0..count).map(|n| line(move |s| 200 + (s + 3 * n) * (7 + n) % 11 * 50)).collect();
            assert_eq!(shared_rate(&lines.iter().collect::<Vec<_>>()), None, "{count}");
        }
    }
}
