//! Acknowledgments that were captured before the data that they acknowledge.
//!
//! Packets are not always captured in their true order: sends and receives pass the capture on different
//! processors. A super-packet may be captured a few microseconds after the ACK of its first segments. Such an
//! ACK waits for the next packet.

use tcpwhy_model::{Segment, Unwrapper, WindowScale};

use super::Half;
use super::segment::{AckSegment, DataSegment};
use crate::thresholds::DISORDER;

/// An acknowledgment of data that was not captured yet.
#[derive(Clone, Debug)]
pub(super) struct EarlyAck {
    time: i64,
    scale: WindowScale,
    segment: Segment,
}

impl EarlyAck {
    fn as_segment(&self) -> AckSegment<'_> {
        AckSegment { time: self.time, scale: self.scale, segment: &self.segment }
    }
}

impl Half {
    /// Holds back an acknowledgment that is ahead of the data.
    #[cold]
    pub(super) fn keep_early(&mut self, s: &AckSegment<'_>) {
        self.early = Some(Box::new(EarlyAck { time: s.time, scale: s.scale, segment: *s.segment }));
    }

    /// Processes the acknowledgment that was held back, if any: no packet can precede it any more.
    #[cold]
    pub(crate) fn settle_early(&mut self, unwrapper: &mut Unwrapper) {
        if let Some(early) = self.early.take() {
            self.take_early(&early.as_segment(), unwrapper);
        }
    }

    fn take_early(&mut self, s: &AckSegment<'_>, unwrapper: &mut Unwrapper) {
        let ack = unwrapper.unwrap(s.segment.ack).as_u64();
        self.take_ack(s, ack, unwrapper);
    }

    /// Processes data before the held acknowledgment if it acknowledges this data, and after it otherwise.
    #[cold]
    pub(super) fn on_data_after_early(&mut self, s: &DataSegment, unwrapper: &mut Unwrapper) -> bool {
        let Some(early) = self.early.take() else { return false };
        let start = unwrapper.unwrap(s.seq).as_u64();
        let is_late = (0..=DISORDER.get()).contains(&(s.time - early.time)) && start == self.max_end;
        if !is_late {
            self.take_early(&early.as_segment(), unwrapper);
        }
        let is_repeat = self.take_data(s, unwrapper);
        if is_late {
            self.take_early(&AckSegment { time: s.time, ..early.as_segment() }, unwrapper);
        }
        is_repeat
    }
}
