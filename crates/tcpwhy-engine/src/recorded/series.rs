//! The socket of a charted connection over time.

use std::collections::{HashMap, HashSet};

use tcpwhy_analysis::{Connection, Side};
use tcpwhy_live::recording::{Record, Records};
use tcpwhy_model::Endpoint;
use tcpwhy_model::host::SocketAddress;
use tcpwhy_model::live::{SocketKey, SocketPoint};

/// Most points of a socket: more than a chart has columns.
const MOST_POINTS: usize = 2000;

/// Most sockets: a host may have several sockets with a chart's ports.
const MOST_SOCKETS: usize = 2000;

/// Tolerance before the first packet and after the last in which a sample still belongs to a connection,
/// nanoseconds. The kernel is sampled at least once per second.
const AROUND: i64 = 1_000_000_000;

/// A few sockets of a recording over time.
#[derive(Default)]
pub(super) struct SocketSeries {
    /// Ports of both ends, the smaller first. A report may replace addresses, but not ports.
    ports: HashSet<[u16; 2]>,
    sockets: HashMap<SocketKey, Series>,
}

/// One socket over time.
struct Series {
    local: Endpoint,
    peer: Endpoint,
    points: Vec<SocketPoint>,
    /// Number of samples per point.
    samples_per_point: u32,
    /// Number of samples in the last point.
    in_last: u32,
}

impl SocketSeries {
    pub(super) fn of(ports: impl IntoIterator<Item = [u16; 2]>) -> Self {
        Self { ports: ports.into_iter().map(sorted).collect(), sockets: HashMap::new() }
    }

    /// Adds the next list of a recording.
    pub(super) fn take(&mut self, list: &[u8]) {
        if self.ports.is_empty() {
            return;
        }
        let Ok(records) = Records::of(list) else { return };
        for record in records {
            let Record::Sample(sample) = record else { continue };
            let Some(sample) = sample.decode() else { continue };
            let (Some(local), Some(peer)) = (endpoint(&sample.socket.local), endpoint(&sample.socket.peer)) else {
                continue;
            };
            if !self.ports.contains(&sorted([local.port, peer.port])) {
                continue;
            }
            let point = SocketPoint::of(sample.time, &sample.socket);
            let has_room = self.sockets.len() < MOST_SOCKETS;
            match self.sockets.get_mut(&sample.key) {
                Some(series) => series.push(point),
                None if has_room => {
                    let series = Series { local, peer, points: vec![point], samples_per_point: 1, in_last: 1 };
                    self.sockets.insert(sample.key, series);
                }
                None => {}
            }
        }
    }

    /// The points of the sockets of `connection`, by the index of the socket's end.
    pub(super) fn points(&self, connection: &Connection) -> [Vec<SocketPoint>; 2] {
        let (start, end) = (connection.span.start().as_nanos(), connection.span.end().as_nanos());
        let during = start.saturating_sub(AROUND)..=end.saturating_add(AROUND);
        [Side::A, Side::B].map(|side| {
            let [local, peer] = [side, side.peer()].map(|side| connection.endpoints[side.index()]);
            let is_own = |series: &&Series| series.local == local && series.peer == peer;
            let points = self.sockets.values().filter(is_own).flat_map(|series| &series.points);
            let mut points: Vec<_> = points.filter(|point| during.contains(&point.time.as_nanos())).copied().collect();
            points.sort_by_key(|point| point.time);
            points
        })
    }
}

impl Series {
    fn push(&mut self, point: SocketPoint) {
        if self.in_last < self.samples_per_point
            && let Some(last) = self.points.last_mut()
        {
            last.merge(&point);
            self.in_last += 1;
            return;
        }
        if self.points.len() >= MOST_POINTS {
            self.points = SocketPoint::halved(&self.points);
            self.samples_per_point = self.samples_per_point.saturating_mul(2);
        }
        self.points.push(point);
        self.in_last = 1;
    }
}

fn sorted(mut ports: [u16; 2]) -> [u16; 2] {
    ports.sort_unstable();
    ports
}

/// An end as in packets: a dual-stack socket has `::ffff:…` for an IPv4 peer.
fn endpoint(address: &SocketAddress) -> Option<Endpoint> {
    Some(Endpoint { address: address.address?.to_canonical(), port: address.port? })
}

#[cfg(test)]
mod tests {
    use tcpwhy_model::Timestamp;
    use tcpwhy_model::host::SocketSample;
    use tcpwhy_model::live::SocketMeasure;

    use super::*;

    fn point(millis: i64, queued: u64) -> SocketPoint {
        let mut socket = SocketSample::default();
        socket.memory.send_queued = Some(queued);
        SocketPoint::of(Timestamp::from_nanos(millis * 1_000_000), &socket)
    }

    #[test]
    fn points_are_bounded_and_keep_extremes() {
        let end: Endpoint = Endpoint { address: [192, 0, 2, 1].into(), port: 1 };
        let mut series = Series { local: end, peer: end, points: Vec::new(), samples_per_point: 1, in_last: 1 };
        for i in 0..50_000 {
            series.push(point(i, if i == 31_234 { 157_000 } else { 2304 + i as u64 % 7 }));
        }
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&series.points.len()), "{}", series.points.len());
        let queued: Vec<_> = series.points.iter().filter_map(|point| point.get(SocketMeasure::Queued)).collect();
        assert_eq!(queued.iter().map(|range| range.most).max(), Some(157_000));
        assert_eq!(queued.iter().map(|range| range.least).min(), Some(2304));
        assert!(series.points.is_sorted_by_key(|point| point.time));
        // All points but the last represent the same number of samples.
        let gaps: Vec<_> = series.points.windows(2).map(|two| two[1].time.since(two[0].time)).collect();
        assert!(gaps.iter().max() <= gaps.iter().min().map(|least| least * 2).as_ref(), "{gaps:?}");
    }
}
