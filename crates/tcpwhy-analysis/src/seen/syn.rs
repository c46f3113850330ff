//! Facts from SYNs and their answers.

use tcpwhy_model::TcpFlags;

/// Options and flags of one end's SYN.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SynFacts {
    pub(crate) mss: Option<u16>,
    pub(crate) window_scale: Option<u8>,
    /// The window in the SYN, bytes: it is never scaled (RFC 7323 §2.2).
    pub(crate) window: u16,
    pub(crate) has_timestamps: bool,
    pub(crate) has_sack: bool,
    pub(crate) ecn: EcnOffer,
}

/// Offer of ECN in a SYN or SYN-ACK.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EcnOffer {
    /// No offer, or flags without a defined meaning.
    #[default]
    None,
    /// Classic ECN (RFC 3168 §6.1.1).
    Classic,
    /// Accurate ECN (RFC 9768 §3.1): the flags count marks after the handshake.
    Accurate,
}

impl EcnOffer {
    /// Evaluates the flags of a segment with SYN.
    pub(crate) fn of(flags: TcpFlags) -> Self {
        let [ae, cwr, ece] = [TcpFlags::AE, TcpFlags::CWR, TcpFlags::ECE].map(|flag| flags.contains(flag));
        match (flags.contains(TcpFlags::ACK), ae, cwr, ece) {
            (false, false, true, true) | (true, false, false, true) => Self::Classic,
            (false, true, true, true) | (true, false, true, _) | (true, true, _, false) => Self::Accurate,
            _ => Self::None,
        }
    }

    /// The kind of ECN on which a SYN and its answer agree.
    pub(crate) fn agreed(syn: Self, answer: Self) -> Self {
        match (syn, answer) {
            (Self::Accurate, Self::Accurate) => Self::Accurate,
            (Self::Accurate | Self::Classic, Self::Classic) => Self::Classic,
            _ => Self::None,
        }
    }
}

/// SYN-ACKs that were retransmitted although they had been acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unaccepted {
    pub(crate) repeats: u32,
    /// Packets of the client that should have completed the handshake.
    pub(crate) in_vain: u32,
    /// Time from the first of them to the last retransmission, nanoseconds.
    pub(crate) nanos: i64,
}

/// TCP checksums of the SYNs of one end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SynChecksums {
    /// SYNs whose checksum is wrong.
    pub(crate) wrong: u32,
    pub(crate) is_last_wrong: bool,
    /// The other end answered a SYN with a wrong checksum, and one with a right checksum.
    pub(crate) is_wrong_answered: bool,
    pub(crate) is_right_answered: bool,
    /// Routers had forwarded them before they were captured.
    pub(crate) is_routed: bool,
}
