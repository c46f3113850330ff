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
        let unread = self.anomalies.iter().filter(|anomaly| anomaly.kind.is_of_unread_packet());
        let are_unread = unread.map(|anomaly| anomaly.count).sum::<u64>() >= self.packets;
        // Packets of records that fit no format are none, unless TCP is in them.
        let is_none = self.segments == 0 && (are_unread || self.anomalies.has(AnomalyKind::UnknownRecords));
        if is_none && !self.anomalies.is_empty() {
            CaptureStatus::Failed
        } else if self.anomalies.iter().any(|anomaly| anomaly.kind.is_damage()) {
            CaptureStatus::Damaged
        } else {
            CaptureStatus::Whole
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A capture of `packets`, of which `segments` are TCP, with anomalies.
    fn status(packets: u64, segments: u64, anomalies: &[(AnomalyKind, u64)]) -> CaptureStatus {
        let mut noted = Anomalies::default();
        for &(kind, count) in anomalies {
            (0..count).for_each(|n| noted.note(kind, n + 1, 0));
        }
        let summary = CaptureSummary {
            path: String::new(),
            format: CaptureFormat::Pcap,
            packets,
            segments,
            skipped: packets - segments,
            captured_bytes: 0,
            original_bytes: 0,
            span: None,
            link_types: Vec::new(),
            anomalies: noted,
        };
        summary.status()
    }

    #[test]
    fn a_capture_without_a_packet_that_could_be_read_has_failed() {
        use AnomalyKind::{ClockStep, CorruptRecord, MalformedHeader, TruncatedHeader, UnsupportedLinkType};
        for all in [MalformedHeader, TruncatedHeader, UnsupportedLinkType] {
            assert_eq!(status(9, 0, &[(all, 9)]), CaptureStatus::Failed, "{all:?}");
            assert_eq!(status(9, 0, &[(all, 8)]), CaptureStatus::Whole, "{all:?}: one packet is something else");
            assert_eq!(status(9, 1, &[(all, 9)]), CaptureStatus::Whole, "{all:?}: one was read as far as it goes");
        }
        assert_eq!(status(9, 0, &[(MalformedHeader, 5), (TruncatedHeader, 4)]), CaptureStatus::Failed);
        assert_eq!(status(9, 0, &[(ClockStep, 9)]), CaptureStatus::Whole);
        assert_eq!(status(9, 0, &[]), CaptureStatus::Whole, "no TCP");
        assert_eq!(status(0, 0, &[]), CaptureStatus::Whole, "no packets");
        assert_eq!(status(0, 0, &[(CorruptRecord, 1)]), CaptureStatus::Failed);
    }
}
