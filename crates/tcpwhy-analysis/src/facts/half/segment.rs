//! A segment as a half-connection sees it: data of its own, or an acknowledgment of its data.

use std::num::NonZeroU16;

use tcpwhy_model::{Segment, SeqNum, TcpFlags, WindowField, WindowScale};

/// A data segment as captured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DataSegment {
    pub(crate) time: i64,
    pub(crate) seq: SeqNum,
    pub(crate) len: u32,
    /// PSH: the end of a write, or of all data to send (RFC 9293 §3.9.1.2).
    pub(crate) is_pushed: bool,
    pub(crate) tsval: Option<u32>,
    pub(crate) tsecr: Option<u32>,
    pub(crate) ip_id: Option<NonZeroU16>,
}

/// An acknowledgment as captured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckSegment<'a> {
    /// Capture time, corrected for steps of the capture's clock, nanoseconds.
    pub(crate) time: i64,
    /// Scale of its window.
    pub(crate) scale: WindowScale,
    pub(crate) segment: &'a Segment,
}

impl AckSegment<'_> {
    pub(super) fn is_syn(&self) -> bool {
        self.segment.flags.contains(TcpFlags::SYN)
    }

    /// The window field as captured, not scaled.
    pub(super) fn window(&self) -> WindowField {
        self.segment.window
    }

    pub(super) fn sack(&self) -> &[(SeqNum, SeqNum)] {
        self.segment.options.sack.as_slice()
    }

    pub(super) fn has_payload(&self) -> bool {
        self.segment.payload_len > 0
    }

    /// The timestamp that it echoes, if it has the ACK flag.
    pub(super) fn tsecr(&self) -> Option<u32> {
        let echo = self.segment.options.timestamps.map(|t| t.echo_reply);
        echo.filter(|_| self.segment.flags.contains(TcpFlags::ACK))
    }

    pub(super) fn tsval(&self) -> Option<u32> {
        self.segment.options.timestamps.map(|t| t.value)
    }
}
