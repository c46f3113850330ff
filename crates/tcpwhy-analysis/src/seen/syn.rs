//! What SYNs and their answers showed.

use tcpwhy_model::TcpFlags;

/// What one end's SYN offered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SynFacts {
    pub(crate) mss: Option<u16>,
    pub(crate) window_scale: Option<u8>,
    /// The window that it offered, bytes: that of a SYN is never scaled (RFC 7323 §2.2).
    pub(crate) window: u16,
    pub(crate) has_timestamps: bool,
    pub(crate) has_sack: bool,
    pub(crate) ecn: EcnOffer,
}

/// What a SYN or SYN-ACK says of ECN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EcnOffer {
    /// Nothing, or nothing that means anything.
    #[default]
    None,
    /// As RFC 3168 §6.1.1 has it.
    Classic,
    /// Accurate ECN (RFC 9768 §3.1): the flags count marks after the handshake.
    Accurate,
}

impl EcnOffer {
    /// By the flags of a segment with SYN.
    pub(crate) fn of(flags: TcpFlags) -> Self {
        let [ae, cwr, ece] = [TcpFlags::AE, TcpFlags::CWR, TcpFlags::ECE].map(|flag| flags.contains(flag));
        match (flags.contains(TcpFlags::ACK), ae, cwr, ece) {
            (false, false, true, true) | (true, false, false, true) => Self::Classic,
            (false, true, true, true) | (true, false, true, _) | (true, true, _, false) => Self::Accurate,
            _ => Self::None,
        }
    }

    /// What a SYN and its answer agree on.
    pub(crate) fn agreed(syn: Self, answer: Self) -> Self {
        match (syn, answer) {
            (Self::Accurate, Self::Accurate) => Self::Accurate,
            (Self::Accurate | Self::Classic, Self::Classic) => Self::Classic,
            _ => Self::None,
        }
    }
}

/// SYN-ACKs that were repeated although they had been acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unaccepted {
    pub(crate) repeats: u32,
    /// Packets of the client that should have opened the connection.
    pub(crate) in_vain: u32,
    /// From the first of them to the last repeat.
    pub(crate) nanos: i64,
}

/// TCP checksums of the SYNs of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SynChecksums {
    /// SYNs whose checksum is wrong.
    pub(crate) wrong: u32,
    pub(crate) is_last_wrong: bool,
    /// The other end answered one of them, and one whose checksum is right.
    pub(crate) is_wrong_answered: bool,
    pub(crate) is_right_answered: bool,
    /// Routers had passed them on before they were captured.
    pub(crate) is_routed: bool,
}
