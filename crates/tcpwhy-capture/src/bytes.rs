use tcpwhy_model::{Anomalies, AnomalyKind, Flow};

/// The part of a frame that is not decoded yet: what was captured of it and how long it was on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    captured: &'a [u8],
    /// Never less than `captured.len()`.
    wire_len: usize,
}

/// Why a frame yields no segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// It is sound but not TCP.
    NotTcp,
    /// Something is wrong with it; the number goes to [`Anomaly::detail`](tcpwhy_model::Anomaly::detail).
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

    /// What follows the first `len` bytes.
    pub(crate) fn skip(self, len: usize) -> Result<Self, Skip> {
        match self.captured.get(len..) {
            Some(captured) => Ok(Self { captured, wire_len: self.wire_len - len }),
            None => Err(self.too_short(len)),
        }
    }

    /// The same bytes, ending after `len`: an inner length field excludes padding and trailers.
    pub(crate) fn limited_to(self, len: usize) -> Self {
        if len >= self.wire_len {
            return self;
        }
        Self { captured: self.captured.get(..len).unwrap_or(self.captured), wire_len: len }
    }

    /// The same captured bytes, with the rest of the datagram in packets to come.
    pub(crate) fn continued_elsewhere(self) -> Self {
        Self { captured: self.captured, wire_len: self.wire_len.max(usize::from(u16::MAX)) }
    }

    pub(crate) fn u8_at(self, at: usize) -> Result<u8, Skip> {
        self.captured.get(at).copied().ok_or_else(|| self.too_short(at + 1))
    }

    /// Network order, as are all multi-byte fields of packets.
    pub(crate) fn u16_at(self, at: usize) -> Result<u16, Skip> {
        match self.captured.get(at..).and_then(<[u8]>::first_chunk) {
            Some(field) => Ok(u16::from_be_bytes(*field)),
            None => Err(self.too_short(at + 2)),
        }
    }

    /// A missing byte is the snap length's doing where the wire had it, and the packet's own fault where not.
    fn too_short(self, wanted: usize) -> Skip {
        if wanted <= self.wire_len && self.captured.len() < self.wire_len {
            Skip::Anomaly(AnomalyKind::TruncatedHeader, self.captured.len() as u64)
        } else {
            Skip::Anomaly(AnomalyKind::MalformedHeader, self.captured.len() as u64)
        }
    }
}

/// Where decoders of one packet put their observations.
pub(crate) struct Notes<'a> {
    pub(crate) anomalies: &'a mut Anomalies,
    pub(crate) packet: u64,
    /// Bytes captured of it, from its link header on.
    pub(crate) captured: usize,
    /// More headers than usual are around its TCP header: those of a tunnel or of a wireless link.
    pub(crate) is_wrapped: bool,
    /// The innermost datagram that is not TCP, and its bytes with those of its IP header.
    pub(crate) datagram: Option<(Flow, u64)>,
}

impl Notes<'_> {
    pub(crate) fn note(&mut self, kind: AnomalyKind, detail: u64) {
        let detail = if kind == AnomalyKind::TruncatedHeader { self.enough_snap_length() } else { detail };
        self.anomalies.note(kind, self.packet, detail);
    }

    /// The snap length to capture again with, where this one was too small.
    fn enough_snap_length(&self) -> u64 {
        /// TCP with full options over IPv6 with a VLAN tag: 14 + 4 + 40 + 60 bytes.
        const PLAIN: usize = 128;
        /// The same in a tunnel over IPv6, UDP and VXLAN: 70 more. GTP, GRE and radiotap headers are shorter.
        const WRAPPED: usize = 256;
        /// Whole packets, as tcpdump captures them if no length is given (`MAXIMUM_SNAPLEN`).
        const WHOLE: u64 = 262_144;
        match self.captured {
            ..PLAIN if !self.is_wrapped => PLAIN as u64,
            ..WRAPPED => WRAPPED as u64,
            _ => WHOLE,
        }
    }
}
