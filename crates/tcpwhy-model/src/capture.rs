//! Counters of one capture file.

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
    /// Classic pcap with four more bytes per record header, written by Nokia firewalls. It has no magic
    /// number of its own.
    PcapNokia,
    /// pcapng (draft-ietf-opsawg-pcapng); each interface has its own timestamp resolution.
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

/// How completely a capture could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureStatus {
    /// Read from beginning to end.
    Whole,
    /// Read in part.
    Damaged,
    /// Not read at all, or without a single readable packet.
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

/// Counters of one capture, as far as it has been read.
#[derive(Clone, Debug)]
pub struct CaptureSummary {
    /// Path as it was opened.
    pub path: String,
    /// File format inside any compression.
    pub format: CaptureFormat,
    /// Packets read, TCP or not.
    pub packets: u64,
    /// Packets that yielded a TCP segment.
    pub segments: u64,
    /// Packets without a TCP segment: other protocols and undecodable packets. `packets` = `segments` +
    /// `skipped`.
    pub skipped: u64,
    /// Bytes of packets as captured.
    pub captured_bytes: u64,
    /// Bytes of packets on the wire.
    pub original_bytes: u64,
    /// Earliest to latest timestamp; `None` without timestamps.
    pub span: Option<Span>,
    /// Link types of the packets (<https://www.tcpdump.org/linktypes.html>), in order of first appearance.
    pub link_types: Vec<u32>,
    /// Deviations from the file format and the protocols.
    pub anomalies: Anomalies,
}

impl CaptureSummary {
    /// How completely the capture could be read.
    pub fn status(&self) -> CaptureStatus {
        let unread = self.anomalies.iter().filter(|anomaly| anomaly.kind.is_of_unread_packet());
        let are_unread = unread.map(|anomaly| anomaly.count).sum::<u64>() >= self.packets;
        // Records that fit no known format do not count as packets, unless TCP was found in them.
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

    /// Status of a capture of `packets`, `segments` of them TCP, with these anomalies.
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
