//! Acknowledgments that were captured before the data that they acknowledge.
//!
//! The order of a capture is not true to the microsecond: sends and receives pass it on different processors, and a super-packet
//! may be noted a few microseconds after the ACK of its first segments. Such an ACK waits for the next packet.

use tcpwhy_model::{Segment, Unwrapper, WindowScale};

use super::Half;
use super::segment::{AckSegment, DataSegment};
use crate::thresholds::DISORDER;

/// An acknowledgment of what has not been captured yet.
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
    /// Keeps an acknowledgment back that is ahead of the data.
    #[cold]
    pub(super) fn keep_early(&mut self, s: &AckSegment<'_>) {
        self.early = Some(Box::new(EarlyAck { time: s.time, scale: s.scale, segment: *s.segment }));
    }

    /// Takes what was kept back, if anything was: nothing can come before it any more.
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

    /// Takes data before the acknowledgment that was kept back if it is what that acknowledges, after it otherwise.
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
