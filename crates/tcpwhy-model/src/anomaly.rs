use std::collections::BTreeMap;

use crate::listed::listed;

listed! {
    /// A way in which input deviates from its format. Decoders report damage and continue.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum AnomalyKind {
        /// The file ends within a header, block or packet.
        TruncatedFile = "truncated-file",
        /// Reading failed (a disk, a network file system), so the rest is missing.
        ReadError = "read-error",
        /// The file became shorter while it was read, so the rest is missing.
        ShrunkFile = "shrunk-file",
        /// The file was overwritten while it was read, so the data may mix two captures.
        RewrittenFile = "rewritten-file",
        /// A record's length is impossible; reading stopped or resynchronised there.
        CorruptRecord = "corrupt-record",
        /// The records of a pcap file fit no known variant of the format from the second one on.
        UnknownRecords = "unknown-records",
        /// A compressed stream is damaged or ends early.
        CorruptCompression = "corrupt-compression",
        /// Compressed bytes expand to more than a capture plausibly has, so the rest was not read. The detail
        /// is the number of uncompressed bytes read before.
        ExcessiveGrowth = "excessive-growth",
        /// A packet was cut by the snap length before the end of its TCP header. The detail is a snap length
        /// that is enough for the headers of all packets that were cut.
        TruncatedHeader = "truncated-header",
        /// IP or TCP header fields contradict each other (header length beyond the packet …).
        MalformedHeader = "malformed-header",
        /// A TCP option with an impossible length. It is ignored; if it ends beyond the header, so are all
        /// later options.
        MalformedOption = "malformed-option",
        /// A link type that is not decoded.
        UnsupportedLinkType = "unsupported-link-type",
        /// A frame of a known link type that cannot be decoded: encrypted, aggregated (802.11 A-MSDU),
        /// received damaged or nested too deeply.
        UndecodedFrame = "undecoded-frame",
        /// A packet without a timestamp (pcapng simple packet block). It gets the time of the packet before
        /// it.
        MissingTimestamp = "missing-timestamp",
        /// A packet names an interface that the capture does not describe.
        UnknownInterface = "unknown-interface",
        /// An IP fragment other than the first, so without a TCP header.
        IpFragment = "ip-fragment",
        /// A timestamp earlier than the one before it by more than reordering in the capture path explains.
        ClockStep = "clock-step",
        /// An IP total length that is 0 or larger than the frame; the length of the frame is used instead.
        LengthFromFrame = "length-from-frame",
        /// The sub-second part of a timestamp in a pcap record header is one second or more (10^6 µs, 10^9
        /// ns).
        ImpossibleFraction = "impossible-fraction",
        /// The capture's comment marks it as simulated: none of its packets was ever sent.
        Simulated = "simulated",
    }
}

impl AnomalyKind {
    /// Whether a part of the capture is missing or cannot be read. All other kinds are oddities of a complete
    /// capture.
    pub const fn is_damage(self) -> bool {
        matches!(
            self,
            Self::TruncatedFile
                | Self::ReadError
                | Self::ShrunkFile
                | Self::RewrittenFile
                | Self::CorruptRecord
                | Self::UnknownRecords
                | Self::CorruptCompression
                | Self::ExcessiveGrowth
        )
    }

    /// Whether a packet with this anomaly cannot be read at all.
    pub(crate) const fn is_of_unread_packet(self) -> bool {
        matches!(
            self,
            Self::TruncatedHeader
                | Self::MalformedHeader
                | Self::UnsupportedLinkType
                | Self::UndecodedFrame
                | Self::UnknownInterface
        )
    }
}

/// All occurrences of one kind in one capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// Kind of the anomaly.
    pub kind: AnomalyKind,
    /// Number of occurrences.
    pub count: u64,
    /// Number of the first packet with it (from 1); 0 if it occurred before any packet.
    pub first_packet: u64,
    /// Further number, depending on the kind: link type, block type or byte offset.
    pub detail: u64,
}

/// Collection of anomalies; its memory is bounded because there is one entry per kind.
#[derive(Clone, Debug, Default)]
pub struct Anomalies {
    by_kind: BTreeMap<AnomalyKind, Anomaly>,
}

impl Anomalies {
    /// Counts one occurrence.
    pub fn note(&mut self, kind: AnomalyKind, packet: u64, detail: u64) {
        let noted = self.by_kind.entry(kind).or_insert(Anomaly { kind, count: 0, first_packet: packet, detail });
        noted.count += 1;
        if kind == AnomalyKind::TruncatedHeader {
            noted.detail = noted.detail.max(detail);
        }
    }

    /// Whether an anomaly of this kind was counted.
    pub fn has(&self, kind: AnomalyKind) -> bool {
        self.by_kind.contains_key(&kind)
    }

    /// Removes the entry of this kind.
    pub fn forget(&mut self, kind: AnomalyKind) {
        self.by_kind.remove(&kind);
    }

    /// Anomalies in the order of [`AnomalyKind`].
    pub fn iter(&self) -> impl Iterator<Item = &Anomaly> {
        self.by_kind.values()
    }

    /// Whether there are no anomalies.
    pub fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_snap_length_is_enough_for_all_and_other_details_are_of_the_first() {
        let mut anomalies = Anomalies::default();
        for (packet, detail) in [(3, 128), (4, 256), (9, 128)] {
            anomalies.note(AnomalyKind::TruncatedHeader, packet, detail);
            anomalies.note(AnomalyKind::UnsupportedLinkType, packet, detail);
        }
        let noted: Vec<_> = anomalies.iter().map(|a| (a.kind, a.count, a.first_packet, a.detail)).collect();
        let expected = [(AnomalyKind::TruncatedHeader, 3, 3, 256), (AnomalyKind::UnsupportedLinkType, 3, 3, 128)];
        assert_eq!(noted, expected);
    }
}
