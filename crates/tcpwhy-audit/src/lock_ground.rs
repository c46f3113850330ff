//! Why a buffer counts as set by its application.

use tcpwhy_kernel::{Sysctl, initial_autotuned_sndbuf};
use tcpwhy_model::host::SocketSample;

use super::HostFacts;

/// Which of a socket's buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferSide {
    /// The send buffer, `SO_SNDBUF`.
    Send,
    /// The receive buffer, `SO_RCVBUF`.
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

/// Evidence that a buffer is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockGround {
    /// The kernel reported it (`SO_BUF_LOCK`).
    Kernel,
    /// The buffer is smaller than any that autotuning leaves.
    BelowStart,
    /// The buffer is larger than any that autotuning makes.
    AboveCeiling,
    /// The buffer is twice `rmem_max` or `wmem_max`: the kernel capped the request.
    AtCap,
    /// The buffer is a power of two, which people often request and autotuning rarely produces.
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

    /// Confidence that the buffer is set, between 0 and 1.
    pub const fn confidence(self) -> f64 {
        match self {
            Self::Kernel => 1.0,
            Self::BelowStart | Self::AboveCeiling => 0.9,
            Self::AtCap => 0.85,
            Self::RoundSize => 0.6,
        }
    }
}

/// The evidence that the buffer is set; `None` without any.
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
        // Under memory pressure the kernel shrinks send buffers that are not set
        // (`sk_stream_moderate_sndbuf`).
        BufferSide::Send if facts.ext("TCPMemoryPressures") > 0 => 0,
        // From ESTABLISHED on a send buffer has at least this size (`tcp_init_buffer_space`). The header is
        // the smallest that kernels use. The MSS is the one in use, because the peer's may be smaller than
        // the one announced here.
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
