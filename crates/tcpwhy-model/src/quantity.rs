use crate::listed::listed;

/// A number of bytes.
pub type ByteCount = u64;

listed! {
    /// Source of a number, in falling order of authority.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Basis {
        /// Reported by the kernel (`tcp_info`, `SO_MEMINFO`).
        KernelReported = "kernel_reported",
        /// Inferred from the kernel's reports, by the kernel's rules or by reasoning that can err.
        KernelInferred = "kernel_inferred",
        /// Read from the packets, exact.
        WireExact = "wire_exact",
        /// Inferred from the packets by reasoning that can err.
        WireInferred = "wire_inferred",
        /// Assumed because there is no evidence.
        Assumed = "assumed",
    }
}

/// A value with its likely range and its source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate<T> {
    /// Best single value.
    pub value: T,
    /// Lower end of the likely range.
    pub low: T,
    /// Upper end of the likely range.
    pub high: T,
    /// Source of the value.
    pub basis: Basis,
}

/// Four points of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Smallest value.
    pub min: u64,
    /// Half of the weight is at or below this value.
    pub median: u64,
    /// 95 % of the weight is at or below this value.
    pub p95: u64,
    /// Largest value.
    pub max: u64,
}

/// A rate of payload or wire bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Rate {
    bytes_per_sec: f64,
}

impl Rate {
    /// From bits per second.
    pub fn from_bits_per_sec(bits: f64) -> Self {
        Self { bytes_per_sec: bits / 8.0 }
    }

    /// From bytes per second.
    pub fn from_bytes_per_sec(bytes: f64) -> Self {
        Self { bytes_per_sec: bytes }
    }

    /// `bytes` over `nanos`; `None` if no time passed.
    pub fn over(bytes: ByteCount, nanos: i64) -> Option<Self> {
        (nanos > 0).then(|| Self { bytes_per_sec: bytes as f64 * 1e9 / nanos as f64 })
    }

    /// Bits per second.
    pub fn bits_per_sec(self) -> f64 {
        self.bytes_per_sec * 8.0
    }

    /// Bytes per second.
    pub fn bytes_per_sec(self) -> f64 {
        self.bytes_per_sec
    }
}

/// The 16-bit window field of the header, before scaling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WindowField(pub u16);

/// A receive window in bytes, after scaling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Window(pub ByteCount);

/// Shift that one end applies to the windows it advertises, as far as known (RFC 7323 §2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowScale {
    /// No SYN was captured: the shift may be anything from 0 to 14.
    #[default]
    Unknown,
    /// Both SYNs were captured and at least one had no window scale option: windows are at most 65,535 bytes.
    NotNegotiated,
    /// Negotiated shift; values over 14 are read as 14 (RFC 7323 §2.3).
    Shift(u8),
}

impl WindowScale {
    /// The largest shift. Larger values in a SYN count as this one (RFC 7323 §2.3).
    pub const LARGEST: u8 = 14;

    /// Window advertised by `field`; `None` while the shift is unknown. A zero window is zero at any shift.
    pub fn apply(self, field: WindowField) -> Option<Window> {
        match self {
            Self::Unknown if field.0 == 0 => Some(Window(0)),
            Self::Unknown => None,
            Self::NotNegotiated => Some(Window(u64::from(field.0))),
            Self::Shift(shift) => Some(Window(u64::from(field.0) << shift.min(Self::LARGEST))),
        }
    }
}
