//! Packets and connections that a request has seen so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tcpwhy_capture::{CaptureReader, PayloadHearer};
use tcpwhy_model::Segment;

use crate::disk::Disk;

/// Counts packets over all captures of a request.
#[derive(Clone, Default)]
pub(crate) struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Counts the packets of one more capture.
    pub(crate) fn follow(&self, reader: &mut CaptureReader) {
        reader.hear_payload(Counter { packets: Arc::clone(&self.0), last: 0 });
    }

    /// Reports the packets so far, with `connections`.
    pub(crate) fn report(&self, disk: &dyn Disk, connections: u64) {
        disk.reached(self.0.load(Ordering::Relaxed), connections);
    }
}

/// Gets every segment of a capture, but requests no payload.
struct Counter {
    packets: Arc<AtomicU64>,
    /// Number of the last packet that was counted.
    last: u64,
}

impl PayloadHearer for Counter {
    fn wants(&mut self, segment: &Segment) -> bool {
        // Segment numbers also count packets that are not TCP.
        let more = segment.number.saturating_sub(self.last);
        self.last += more;
        self.packets.fetch_add(more, Ordering::Relaxed);
        false
    }

    fn hear(&mut self, _: &Segment, _: &[u8]) {}
}
