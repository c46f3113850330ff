//! Where a capture of a recording was taken.

use std::fmt;

use serde::Serialize;
use tcpwhy_lab::scenario::End;

/// Where a capture was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vantage {
    /// At the sender of the data.
    Sender,
    /// At their receiver.
    Receiver,
    /// Half way.
    Middle,
}

impl Vantage {
    /// All of them, in the order of the tables.
    pub(super) const ALL: [Self; 3] = [Self::Sender, Self::Receiver, Self::Middle];

    /// The end whose expectations hold there.
    pub(super) const fn nearest(self) -> End {
        match self {
            Self::Sender => End::Sender,
            // What only the receiver's capture leaves open, the middle does too.
            Self::Receiver | Self::Middle => End::Receiver,
        }
    }

    /// As in the names of files and of messages.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
            Self::Middle => "middle",
        }
    }
}

impl fmt::Display for Vantage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
