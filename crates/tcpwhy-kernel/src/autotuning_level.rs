//! The receive window autotuning level of Windows.

use tcpwhy_model::ByteCount;

use crate::window::wire_cap;

/// How far the receive window of Windows grows: `netsh interface tcp set global autotuninglevel=…`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AutotuningLevel {
    /// Not at all.
    Disabled,
    /// Very conservatively.
    HighlyRestricted,
    /// In some scenarios.
    Restricted,
    /// As almost all scenarios need.
    #[default]
    Normal,
    /// As extreme scenarios need.
    Experimental,
}

impl AutotuningLevel {
    /// All of them, the smallest window first.
    pub const ALL: [Self; 5] =
        [Self::Disabled, Self::HighlyRestricted, Self::Restricted, Self::Normal, Self::Experimental];

    /// As `netsh` spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::HighlyRestricted => "highlyrestricted",
            Self::Restricted => "restricted",
            Self::Normal => "normal",
            Self::Experimental => "experimental",
        }
    }

    /// The window scale; none is offered where it is 0.
    pub const fn scale(self) -> u8 {
        match self {
            Self::Disabled => 0,
            Self::HighlyRestricted => 2,
            Self::Restricted => 4,
            Self::Normal => 8,
            Self::Experimental => 14,
        }
    }

    /// The largest window that it lets grow.
    pub const fn largest_window(self) -> ByteCount {
        wire_cap(self.scale())
    }
}
