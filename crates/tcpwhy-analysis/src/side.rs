//! The two ends of a connection.

/// One of the two endpoints of a connection: an index into
/// [`Connection::endpoints`](crate::Connection::endpoints).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// `endpoints[0]`.
    A,
    /// `endpoints[1]`.
    B,
}

impl Side {
    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other end.
    #[must_use]
    pub const fn peer(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}
