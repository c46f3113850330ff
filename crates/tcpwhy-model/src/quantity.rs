use crate::listed::listed;

/// A number of bytes.
pub type ByteCount = u64;

listed! {
    /// Where a number comes from, in falling order of authority.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Basis {
        /// The kernel said so (`tcp_info`, `SO_MEMINFO`).
        KernelReported = "kernel_reported",
        /// Follows from what the kernel said, by its own rules or by reasoning that can err.
        KernelInferred = "kernel_inferred",
        /// Read off the packets, exact.
        WireExact = "wire_exact",
        /// Follows from the packets by reasoning that can err.
        WireInferred = "wire_inferred",
        /// Assumed for lack of evidence.
        Assumed = "assumed",
    }
}

/// A value with the range it lies in and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate<T> {
    /// Best single value.
    pub value: T,
    /// Lower end of the likely range.
    pub low: T,
    /// Upper end of the likely range.
    pub high: T,
    /// Where it comes from.
    pub basis: Basis,
}

/// Five points of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Smallest value.
    pub min: u64,
    /// Half of the weight lies at or under it.
    pub median: u64,
    /// 95 % of the weight lies at or under it.
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

    /// `bytes` over `nanos`; `None` when no time passed.
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

/// The 16-bit window field as it stands in the header, before scaling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WindowField(pub u16);

/// A receive window in bytes, after scaling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Window(pub ByteCount);

/// What is known of the scale that one end applies to the windows it sends (RFC 7323 §2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WindowScale {
    /// No SYN was seen: the scale may be anything from 0 to 14.
    #[default]
    Unknown,
    /// Both SYNs were seen and at least one had no window scale option: windows stop at 65,535.
    NotNegotiated,
    /// Negotiated (values over 14 are read as 14, RFC 7323 §2.3).
    Shift(u8),
}

impl WindowScale {
    /// The largest shift: whatever a SYN says, a larger one counts as this (RFC 7323 §2.3).
    pub const LARGEST: u8 = 14;

    /// The window that `field` offers, or `None` while the scale is unknown (a zero window is zero at any scale).
    pub fn apply(self, field: WindowField) -> Option<Window> {
        match self {
            Self::Unknown if field.0 == 0 => Some(Window(0)),
            Self::Unknown => None,
            Self::NotNegotiated => Some(Window(u64::from(field.0))),
            Self::Shift(shift) => Some(Window(u64::from(field.0) << shift.min(Self::LARGEST))),
        }
    }
}
