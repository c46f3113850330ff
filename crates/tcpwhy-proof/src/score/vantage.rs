//! Where, and how, a capture of a recording was taken.

use std::fmt;

use serde::Serialize;
use tcpwhy_scenario::End;

/// Where, and how, a capture was taken. Recordings have the first three; the lab makes the others out of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vantage {
    /// At the sender of the data.
    Sender,
    /// At their receiver.
    Receiver,
    /// Half way.
    Middle,
    /// A few milliseconds from the sender.
    NearSender,
    /// A few milliseconds from the receiver.
    NearReceiver,
    /// At the sender, begun in mid-connection.
    BegunLate,
    /// At the sender, ended before the connection.
    EndedEarly,
    /// At the sender, whose clock was set twice.
    ClockSteps,
    /// At the sender, where each packet passes twice.
    Copies,
}

impl Vantage {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 9] = [
        Self::Sender,
        Self::Receiver,
        Self::Middle,
        Self::NearSender,
        Self::NearReceiver,
        Self::BegunLate,
        Self::EndedEarly,
        Self::ClockSteps,
        Self::Copies,
    ];
    /// Those that are judged if nobody asks for others.
    pub(super) const USUAL: [Self; 3] = [Self::Sender, Self::Receiver, Self::Middle];

    /// Whether recordings have its capture.
    pub(super) const fn is_recorded(self) -> bool {
        matches!(self, Self::Sender | Self::Receiver | Self::Middle)
    }

    /// Whether the capture shows the connection's end.
    pub(super) const fn has_end(self) -> bool {
        !matches!(self, Self::EndedEarly)
    }

    /// The end whose expectations hold there.
    pub(super) const fn nearest(self) -> End {
        match self {
            Self::Sender | Self::NearSender | Self::BegunLate | Self::EndedEarly | Self::ClockSteps | Self::Copies => {
                End::Sender
            }
            // What only the receiver's capture leaves open, the middle does too.
            Self::Receiver | Self::Middle | Self::NearReceiver => End::Receiver,
        }
    }

    /// As in the names of files and of messages.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
            Self::Middle => "middle",
            Self::NearSender => "near-sender",
            Self::NearReceiver => "near-receiver",
            Self::BegunLate => "begun-late",
            Self::EndedEarly => "ended-early",
            Self::ClockSteps => "clock-steps",
            Self::Copies => "copies",
        }
    }
}

impl fmt::Display for Vantage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use tcpwhy_report::{Catalogue, Language};

    use super::*;

    #[test]
    fn each_has_words_and_its_id_in_json() {
        let catalogue = Catalogue::new(Language::English);
        for vantage in Vantage::ALL {
            assert!(!catalogue.word(&format!("score-at-{vantage}")).contains("score-at-"), "{vantage}");
            assert_eq!(serde_json::to_string(&vantage).unwrap(), format!("\"{vantage}\""));
        }
    }
}
