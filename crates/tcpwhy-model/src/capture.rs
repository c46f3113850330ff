//! What has been counted of a capture file.

use std::fmt;

use crate::{Anomalies, AnomalyKind, Span};

/// File format of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureFormat {
    /// Classic pcap, timestamps in µs (draft-ietf-opsawg-pcap).
    Pcap,
    /// Classic pcap, timestamps in ns.
    PcapNanos,
    /// Classic pcap with the longer record headers of Alexey Kuznetsov's patch for old Linux.
    PcapModified,
    /// Classic pcap with four more bytes in each record header, by firewalls of Nokia. It has no magic number
    /// of its own.
    PcapNokia,
    /// pcapng (draft-ietf-opsawg-pcapng); resolution by interface.
    Pcapng,
}

impl CaptureFormat {
    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pcap => "pcap",
            Self::PcapNanos => "pcap-ns",
            Self::PcapModified => "pcap-modified",
            Self::PcapNokia => "pcap-nokia",
            Self::Pcapng => "pcapng",
        }
    }
}

impl fmt::Display for CaptureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// How well a capture could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureStatus {
    /// From its beginning to its end.
    Whole,
    /// A part of it.
    Damaged,
    /// Not at all, or no packet of it.
    Failed,
}

impl CaptureStatus {
    /// Stable id, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Whole => "ok",
            Self::Damaged => "damaged",
            Self::Failed => "failed",
        }
    }
}

/// What has been read of one capture so far.
#[derive(Clone, Debug)]
pub struct CaptureSummary {
    /// Where it came from, as opened.
    pub path: String,
    /// File format inside any compression.
    pub format: CaptureFormat,
    /// Packets read, TCP or not.
    pub packets: u64,
    /// Packets that gave a TCP segment.
    pub segments: u64,
    /// Packets that gave none: other protocols, and what could not be decoded. `packets` = `segments` + `skipped`.
    pub skipped: u64,
    /// Bytes of packets as captured.
    pub captured_bytes: u64,
    /// Bytes of packets as they were on the wire.
    pub original_bytes: u64,
    /// From the earliest to the latest timestamp; `None` without any.
    pub span: Option<Span>,
    /// Link types of the packets, in the order of their first appearance (<https://www.tcpdump.org/linktypes.html>).
    pub link_types: Vec<u32>,
    /// What differs from what the formats promise.
    pub anomalies: Anomalies,
}

impl CaptureSummary {
    /// How well it could be read.
    pub fn status(&self) -> CaptureStatus {
        // Packets of records that fit no format are none, unless TCP is in them.
        let is_none = self.packets == 0 || (self.segments == 0 && self.anomalies.has(AnomalyKind::UnknownRecords));
        if is_none && !self.anomalies.is_empty() {
            CaptureStatus::Failed
        } else if self.anomalies.iter().any(|anomaly| anomaly.kind.is_damage()) {
            CaptureStatus::Damaged
        } else {
            CaptureStatus::Whole
        }
    }
}
