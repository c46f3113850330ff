//! Values of sysctls, in the format of `/proc`.

use std::fmt;

/// The value of a sysctl, in its own unit ([`Sysctl::unit`](super::Sysctl::unit)).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SysctlValue {
    /// One number.
    Number(i64),
    /// Minimum, default, maximum; for `tcp_mem` low, pressure, high.
    Triple([u64; 3]),
    /// Names separated by spaces.
    Words(String),
}

impl fmt::Display for SysctlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Triple([a, b, c]) => write!(f, "{a}\t{b}\t{c}"),
            Self::Words(words) => f.write_str(words),
        }
    }
}
