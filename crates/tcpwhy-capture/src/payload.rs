//! Access to payload on request.

use tcpwhy_model::Segment;

/// Receives the payload of the segments that it requests, in the order of the capture.
///
/// Payload that is not requested is not decoded, and a reader without a hearer has no extra cost.
pub trait PayloadHearer: Send {
    /// Called for each segment that passed; returns whether its payload is wanted.
    fn wants(&mut self, segment: &Segment) -> bool;

    /// Receives the captured payload of `segment`, which may be shorter than the segment.
    fn hear(&mut self, segment: &Segment, captured: &[u8]);
}
