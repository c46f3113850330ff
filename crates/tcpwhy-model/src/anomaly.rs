use std::collections::BTreeMap;

use crate::listed::listed;

listed! {
    /// A way in which input differs from what its format promises. Damage is data: decoders report it and
    /// go on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum AnomalyKind {
        /// The file ends within a header, block or packet.
        TruncatedFile = "truncated-file",
        /// Reading failed (a disk, a network file system): what follows is missing.
        ReadError = "read-error",
        /// The file became shorter while it was read: what follows is missing.
        ShrunkFile = "shrunk-file",
        /// The file was written over while it was read: what was read may be of two captures.
        RewrittenFile = "rewritten-file",
        /// A record's length is impossible; reading stopped or resynchronised there.
        CorruptRecord = "corrupt-record",
        /// The records of a pcap file fit no known variant of the format from the second one on.
        UnknownRecords = "unknown-records",
        /// A compressed stream is damaged or ends early.
        CorruptCompression = "corrupt-compression",
        /// Compressed bytes grow to more than is believed of a capture: what follows was not read. The detail
        /// is the number of uncompressed bytes before.
        ExcessiveGrowth = "excessive-growth",
        /// A packet was cut by the snap length before the end of its TCP header. The detail is a snap length
        /// that is enough for the headers of all packets that were cut.
        TruncatedHeader = "truncated-header",
        /// IP or TCP header fields contradict each other (header length beyond the packet …).
        MalformedHeader = "malformed-header",
        /// A TCP option has an impossible length: it is ignored, and where it leads beyond the header so are
        /// those after it.
        MalformedOption = "malformed-option",
        /// A link type that is not decoded.
        UnsupportedLinkType = "unsupported-link-type",
        /// A frame within a known link type that cannot be looked into: encrypted, aggregated (802.11
        /// A-MSDU), received damaged or nested too deeply.
        UndecodedFrame = "undecoded-frame",
        /// A packet without a timestamp (pcapng simple packet block): it takes the time of the packet
        /// before it.
        MissingTimestamp = "missing-timestamp",
        /// A packet names an interface that the capture does not describe.
        UnknownInterface = "unknown-interface",
        /// An IP fragment other than the first: it carries no TCP header.
        IpFragment = "ip-fragment",
        /// Time stepped back by more than reordering in the capture path explains.
        ClockStep = "clock-step",
        /// An IP total length of 0 or more than the frame: taken from the frame.
        LengthFromFrame = "length-from-frame",
        /// The fraction of a second in the header of a pcap record is a second or more (10^6 µs, 10^9 ns).
        ImpossibleFraction = "impossible-fraction",
        /// The capture says that it was simulated: none of its packets was ever sent.
        Simulated = "simulated",
    }
}

impl AnomalyKind {
    /// Whether a part of the capture is missing or cannot be read; the others are oddities of a whole one.
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

    /// Whether a packet with it has nothing that could be read.
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
    /// What it is.
    pub kind: AnomalyKind,
    /// How often it occurred.
    pub count: u64,
    /// Number of the first packet concerned (from 1); 0 when it struck before any packet.
    pub first_packet: u64,
    /// A number that tells more: the link type, the block type, the byte offset; by kind.
    pub detail: u64,
}

/// Collects anomalies; memory is bounded by the number of kinds (and of their details).
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

    /// Whether one of this kind was noted.
    pub fn has(&self, kind: AnomalyKind) -> bool {
        self.by_kind.contains_key(&kind)
    }

    /// Forgets all of one kind.
    pub fn forget(&mut self, kind: AnomalyKind) {
        self.by_kind.remove(&kind);
    }

    /// What was noted, in the order of [`AnomalyKind`].
    pub fn iter(&self) -> impl Iterator<Item = &Anomaly> {
        self.by_kind.values()
    }

    /// Nothing was noted.
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
