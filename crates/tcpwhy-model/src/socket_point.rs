//! Memory and data of a sending socket over time.

use crate::Timestamp;
use crate::host::{SocketMemory, SocketSample, TcpInfo};

/// Minimum and maximum of a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// Minimum.
    pub least: u64,
    /// Maximum.
    pub most: u64,
}

impl ByteRange {
    /// A single value.
    pub const fn of(bytes: u64) -> Self {
        Self { least: bytes, most: bytes }
    }

    fn with(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

/// The sending half of a socket at an instant, or over several merged samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketPoint {
    /// Time of the query; for merged samples, the first time.
    pub time: Timestamp,
    /// Values in the order of [`SocketMeasure::ALL`]; `None` if the kernel did not report one.
    pub bytes: [Option<ByteRange>; SocketMeasure::ALL.len()],
}

/// A number of a [`SocketPoint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SocketMeasure {
    /// The send buffer (`sk_sndbuf`): what `getsockopt(SO_SNDBUF)` returns.
    Buffer,
    /// Memory of the data that waits to be sent or acknowledged (`sk_wmem_queued`).
    Queued,
    /// Data not sent yet (`tcpi_notsent_bytes`).
    Unsent,
    /// Bytes in flight.
    Flight,
    /// The congestion window.
    CongestionWindow,
    /// The window that the receiver advertises (`tcpi_snd_wnd`).
    Window,
}

impl SocketMeasure {
    /// All measures.
    pub const ALL: [Self; 6] =
        [Self::Buffer, Self::Queued, Self::Unsent, Self::Flight, Self::CongestionWindow, Self::Window];
}

impl SocketPoint {
    /// The point of `socket` at `time`.
    pub fn of(time: Timestamp, socket: &SocketSample) -> Self {
        Self::new(time, socket.send_queue, &socket.memory, &socket.info)
    }

    /// The point of a socket with this memory and state. `unacknowledged`: bytes written and not acknowledged
    /// (`SIOCOUTQ`).
    pub fn new(time: Timestamp, unacknowledged: u64, memory: &SocketMemory, info: &TcpInfo) -> Self {
        let segments = |count: Option<u64>| Some(count?.saturating_mul(info.snd_mss?));
        // Segments may be smaller than the MSS, so the queue is an upper bound of the bytes in flight.
        let sent = info.notsent_bytes.map_or(u64::MAX, |unsent| unacknowledged.saturating_sub(unsent));
        let bytes = SocketMeasure::ALL.map(|measure| match measure {
            SocketMeasure::Buffer => memory.send_buffer,
            SocketMeasure::Queued => memory.send_queued,
            SocketMeasure::Unsent => info.notsent_bytes,
            SocketMeasure::Flight => segments(info.segments_in_flight()).map(|bytes| bytes.min(sent)),
            SocketMeasure::CongestionWindow => segments(info.snd_cwnd),
            SocketMeasure::Window => info.snd_wnd,
        });
        Self { time, bytes: bytes.map(|bytes| bytes.map(ByteRange::of)) }
    }

    /// Half as many points, made by merging neighbours in pairs.
    pub fn halved(points: &[Self]) -> Vec<Self> {
        let merged = |two: &[Self]| {
            let mut all = two[0];
            two[1..].iter().for_each(|later| all.merge(later));
            all
        };
        points.chunks(2).map(merged).collect()
    }

    /// Value of `measure`.
    pub const fn get(&self, measure: SocketMeasure) -> Option<ByteRange> {
        self.bytes[measure as usize]
    }

    /// Merges a later point.
    pub fn merge(&mut self, later: &Self) {
        for (own, other) in self.bytes.iter_mut().zip(later.bytes) {
            *own = match (*own, other) {
                (Some(own), Some(other)) => Some(own.with(other)),
                (own, other) => own.or(other),
            };
        }
    }

    /// Whether each point blocks a writing program. It blocks once the queue has the size of the buffer, and
    /// wakes when a third is free again. Source: Linux, `sk_stream_memory_free` and `sk_stream_write_space`.
    pub fn full(points: &[Self]) -> Vec<bool> {
        let mut is_full = false;
        let is_next_full = |point: &Self| {
            let (Some(queued), Some(buffer)) = (point.get(SocketMeasure::Queued), point.get(SocketMeasure::Buffer))
            else {
                is_full = false;
                return false;
            };
            let wakes_at = u128::from(buffer.most) * 2;
            is_full =
                queued.most >= buffer.most && buffer.most > 0 || is_full && u128::from(queued.most) * 3 > wakes_at;
            is_full
        };
        points.iter().map(is_next_full).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(queued: u64, buffer: u64) -> SocketPoint {
        let mut socket = SocketSample::default();
        (socket.memory.send_queued, socket.memory.send_buffer) = (Some(queued), Some(buffer));
        SocketPoint::of(Timestamp::ZERO, &socket)
    }

    #[test]
    fn a_writer_waits_from_a_full_buffer_until_a_third_is_free() {
        let points = [0, 89, 90, 75, 61, 60, 75, 400, 10].map(|queued| point(queued, 90));
        let full = [false, false, true, true, true, false, false, true, false];
        assert_eq!(SocketPoint::full(&points), full);
        assert_eq!(
            SocketPoint::full(&[point(0, 0), SocketPoint::of(Timestamp::ZERO, &SocketSample::default())]),
            [false, false]
        );
    }

    #[test]
    fn merged_points_keep_extremes() {
        let mut all = point(5, 90);
        all.merge(&point(100, 90));
        all.merge(&SocketPoint::of(Timestamp::ZERO, &SocketSample::default()));
        assert_eq!(all.get(SocketMeasure::Queued), Some(ByteRange { least: 5, most: 100 }));
        assert_eq!(all.get(SocketMeasure::Unsent), None);
    }

    #[test]
    fn segments_count_as_bytes() {
        let mut socket = SocketSample::default();
        let info = &mut socket.info;
        (info.snd_mss, info.snd_cwnd, info.unacked) = (Some(1000), Some(10), Some(7));
        (info.retrans, info.sacked, info.lost) = (Some(0), Some(1), Some(2));
        let point = SocketPoint::of(Timestamp::ZERO, &socket);
        assert_eq!(point.get(SocketMeasure::Flight), Some(ByteRange::of(4000)));
        assert_eq!(point.get(SocketMeasure::CongestionWindow), Some(ByteRange::of(10_000)));
        (socket.send_queue, socket.info.notsent_bytes) = (1500, Some(300));
        let point = SocketPoint::of(Timestamp::ZERO, &socket);
        assert_eq!(point.get(SocketMeasure::Flight), Some(ByteRange::of(1200)), "small segments");
    }
}
