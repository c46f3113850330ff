use tcpwhy_model::{Anomalies, AnomalyKind, Flow};

/// The part of a frame that is not decoded yet: its captured bytes and its length on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    captured: &'a [u8],
    /// Never less than `captured.len()`.
    wire_len: usize,
}

/// Reason why a frame yields no segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// The frame is valid but not TCP.
    NotTcp,
    /// The frame has a defect; the number goes to [`Anomaly::detail`](tcpwhy_model::Anomaly::detail).
    Anomaly(AnomalyKind, u64),
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(captured: &'a [u8], wire_len: usize) -> Self {
        Self { captured, wire_len: wire_len.max(captured.len()) }
    }

    pub(crate) fn captured(self) -> &'a [u8] {
        self.captured
    }

    pub(crate) fn wire_len(self) -> usize {
        self.wire_len
    }

    /// The first `N` bytes.
    pub(crate) fn header<const N: usize>(self) -> Result<&'a [u8; N], Skip> {
        self.captured.first_chunk().ok_or_else(|| self.too_short(N))
    }

    /// The bytes after the first `len`.
    pub(crate) fn skip(self, len: usize) -> Result<Self, Skip> {
        match self.captured.get(len..) {
            Some(captured) => Ok(Self { captured, wire_len: self.wire_len - len }),
            None => Err(self.too_short(len)),
        }
    }

    /// The same bytes, limited to `len`. Inner length fields thus exclude padding and trailers.
    pub(crate) fn limited_to(self, len: usize) -> Self {
        if len >= self.wire_len {
            return self;
        }
        Self { captured: self.captured.get(..len).unwrap_or(self.captured), wire_len: len }
    }

    /// The same captured bytes, marked as having further parts of the datagram in later packets.
    pub(crate) fn continued_elsewhere(self) -> Self {
        Self { captured: self.captured, wire_len: self.wire_len.max(usize::from(u16::MAX)) }
    }

    pub(crate) fn u8_at(self, at: usize) -> Result<u8, Skip> {
        self.captured.get(at).copied().ok_or_else(|| self.too_short(at + 1))
    }

    /// The 16-bit field at `at`, in network order as all multi-byte fields of packets.
    pub(crate) fn u16_at(self, at: usize) -> Result<u16, Skip> {
        match self.captured.get(at..).and_then(<[u8]>::first_chunk) {
            Some(field) => Ok(u16::from_be_bytes(*field)),
            None => Err(self.too_short(at + 2)),
        }
    }

    /// A missing byte is due to the snap length if it was on the wire; otherwise the packet is malformed.
    fn too_short(self, wanted: usize) -> Skip {
        if wanted <= self.wire_len && self.captured.len() < self.wire_len {
            Skip::Anomaly(AnomalyKind::TruncatedHeader, self.captured.len() as u64)
        } else {
            Skip::Anomaly(AnomalyKind::MalformedHeader, self.captured.len() as u64)
        }
    }
}

/// Destination for the observations of the decoders of one packet.
pub(crate) struct Notes<'a> {
    pub(crate) anomalies: &'a mut Anomalies,
    pub(crate) packet: u64,
    /// Captured bytes of the packet, from its link header on.
    pub(crate) captured: usize,
    /// Whether the TCP header is inside additional headers, those of a tunnel or of a wireless link.
    pub(crate) is_wrapped: bool,
    /// The innermost datagram that is not TCP, and its bytes including its IP header.
    pub(crate) datagram: Option<(Flow, u64)>,
}

impl Notes<'_> {
    pub(crate) fn note(&mut self, kind: AnomalyKind, detail: u64) {
        let detail = if kind == AnomalyKind::TruncatedHeader { self.enough_snap_length() } else { detail };
        self.anomalies.note(kind, self.packet, detail);
    }

    /// A sufficient snap length for the next capture, if this one was too small.
    fn enough_snap_length(&self) -> u64 {
        /// TCP with full options over IPv6 with a VLAN tag: 14 + 4 + 40 + 60 bytes, rounded up.
        const PLAIN: usize = 128;
        /// The same in a tunnel over IPv6, UDP and VXLAN: 70 bytes more. GTP, GRE and radiotap headers are
        /// shorter.
        const WRAPPED: usize = 256;
        /// Whole packets, tcpdump's default (`MAXIMUM_SNAPLEN`).
        const WHOLE: u64 = 262_144;
        match self.captured {
            ..PLAIN if !self.is_wrapped => PLAIN as u64,
            ..WRAPPED => WRAPPED as u64,
            _ => WHOLE,
        }
    }
}
