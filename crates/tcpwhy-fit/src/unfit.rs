use std::fmt;

/// Why a direction cannot be rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// All of it fits a first window: there is nothing to rebuild.
    Small,
    /// The packets time no round trip.
    NoRoundTrip,
    /// The simulator cannot run it.
    NotSimulated,
    /// No drawn world behaves as the connection did.
    Unlike,
    /// It takes more events than may be spent on it.
    Costly,
}

impl Unfit {
    /// Stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::NoRoundTrip => "no-round-trip",
            Self::NotSimulated => "not-simulated",
            Self::Unlike => "unlike",
            Self::Costly => "costly",
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl std::error::Error for Unfit {}
