//! The receive window autotuning level of Windows.

use tcpwhy_model::ByteCount;

use crate::window::wire_cap;

/// Growth of the receive window of Windows: `netsh interface tcp set global autotuninglevel=…`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AutotuningLevel {
    /// No growth.
    Disabled,
    /// Very conservative growth.
    HighlyRestricted,
    /// Growth in some scenarios.
    Restricted,
    /// Growth for almost all scenarios.
    #[default]
    Normal,
    /// Growth for extreme scenarios.
    Experimental,
}

impl AutotuningLevel {
    /// All levels, smallest window first.
    pub const ALL: [Self; 5] =
        [Self::Disabled, Self::HighlyRestricted, Self::Restricted, Self::Normal, Self::Experimental];

    /// Spelling of `netsh`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::HighlyRestricted => "highlyrestricted",
            Self::Restricted => "restricted",
            Self::Normal => "normal",
            Self::Experimental => "experimental",
        }
    }

    /// The window scale; 0 means that no scale is offered.
    pub const fn scale(self) -> u8 {
        match self {
            Self::Disabled => 0,
            Self::HighlyRestricted => 2,
            Self::Restricted => 4,
            Self::Normal => 8,
            Self::Experimental => 14,
        }
    }

    /// The largest window at this level.
    pub const fn largest_window(self) -> ByteCount {
        wire_cap(self.scale())
    }
}
