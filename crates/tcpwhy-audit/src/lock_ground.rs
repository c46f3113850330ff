//! Why a buffer counts as set by its application.

use tcpwhy_kernel::{Sysctl, initial_autotuned_sndbuf};
use tcpwhy_model::host::SocketSample;

use super::HostFacts;

/// Which of a socket's buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferSide {
    /// `SO_SNDBUF`.
    Send,
    /// `SO_RCVBUF`.
    Receive,
}

impl BufferSide {
    /// Stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
        }
    }
}

/// How it is known that a buffer is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockGround {
    /// The kernel said so (`SO_BUF_LOCK`).
    Kernel,
    /// It is smaller than autotuning leaves any.
    BelowStart,
    /// It is larger than autotuning makes any.
    AboveCeiling,
    /// It is twice `rmem_max` or `wmem_max`: a request that was cut.
    AtCap,
    /// It is a power of two, as people ask for and autotuning rarely meets.
    RoundSize,
}

impl LockGround {
    /// All grounds.
    pub const ALL: [Self; 5] = [Self::Kernel, Self::BelowStart, Self::AboveCeiling, Self::AtCap, Self::RoundSize];

    /// Stable kebab-case id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::BelowStart => "below-start",
            Self::AboveCeiling => "above-ceiling",
            Self::AtCap => "at-cap",
            Self::RoundSize => "round-size",
        }
    }

    /// Between 0 and 1.
    pub const fn confidence(self) -> f64 {
        match self {
            Self::Kernel => 1.0,
            Self::BelowStart | Self::AboveCeiling => 0.9,
            Self::AtCap => 0.85,
            Self::RoundSize => 0.6,
        }
    }
}

/// Whether, and how, the buffer is known to be set.
pub(super) fn lock_ground(
    facts: &HostFacts<'_>,
    socket: &SocketSample,
    side: BufferSide,
    buffer: u64,
) -> Option<LockGround> {
    if let Some(locks) = socket.locks {
        let is_set = if side == BufferSide::Send { locks.send } else { locks.receive };
        return is_set.then_some(LockGround::Kernel);
    }
    let (autotuning, cap) = match side {
        BufferSide::Send => (Sysctl::TcpWmem, Sysctl::WmemMax),
        BufferSide::Receive => (Sysctl::TcpRmem, Sysctl::RmemMax),
    };
    let [_, first, most] = facts.triple(autotuning)?;
    let start = match side {
        BufferSide::Receive => first,
        // Under memory pressure the kernel takes from send buffers that are not set (`sk_stream_moderate_sndbuf`).
        BufferSide::Send if facts.ext("TCPMemoryPressures") > 0 => 0,
        // From ESTABLISHED on at least so much (`tcp_init_buffer_space`), with the least header that kernels use and the
        // MSS in use: the peer's, which decides, may be smaller than the one announced here.
        BufferSide::Send => {
            initial_autotuned_sndbuf(socket.info.snd_mss.or(socket.info.advmss)?, LEAST_HEADER, false).min(most)
        }
    };
    let cap = facts.sysctls.number(cap).and_then(|n| u64::try_from(n).ok());
    if buffer < start {
        Some(LockGround::BelowStart)
    } else if cap.is_some_and(|cap| buffer == cap.saturating_mul(2)) && buffer != most {
        Some(LockGround::AtCap)
    } else if buffer > most.max(start) {
        Some(LockGround::AboveCeiling)
    } else if buffer.is_power_of_two() && buffer != first && buffer != most {
        Some(LockGround::RoundSize)
    } else {
        None
    }
}

/// Smallest `MAX_TCP_HEADER` that a kernel can be built with.
const LEAST_HEADER: u64 = 160;
