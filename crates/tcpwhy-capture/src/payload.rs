//! Payload, for whoever asks for some of it.

use tcpwhy_model::Segment;

/// Takes in the payload of the segments that it asks for, in the order of the capture.
///
/// What is not asked for costs no decoding, and a reader without a hearer nothing.
pub trait PayloadHearer: Send {
    /// Sees each segment that passed; whether its payload is wanted.
    fn wants(&mut self, segment: &Segment) -> bool;

    /// What was captured of the payload of `segment`, which may be less than passed.
    fn hear(&mut self, segment: &Segment, captured: &[u8]);
}
