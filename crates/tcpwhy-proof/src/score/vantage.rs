//! The place and the defects of a capture.

use std::fmt;

use serde::Serialize;
use tcpwhy_scenario::End;

/// The place and the defects of a capture. Recordings have the first three; the lab derives the others from
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
    /// At the sender, begun mid-connection.
    BegunLate,
    /// At the sender, ended before the connection's end.
    EndedEarly,
    /// At the sender, with a clock that was stepped twice.
    ClockSteps,
    /// At the sender, with each packet captured twice.
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
    /// The places that are judged by default.
    pub(super) const USUAL: [Self; 3] = [Self::Sender, Self::Receiver, Self::Middle];

    /// Whether recordings contain this capture.
    pub(super) const fn is_recorded(self) -> bool {
        matches!(self, Self::Sender | Self::Receiver | Self::Middle)
    }

    /// Whether the capture shows the connection's end.
    pub(super) const fn has_end(self) -> bool {
        !matches!(self, Self::EndedEarly)
    }

    /// The end whose expectations apply to this capture.
    pub(super) const fn nearest(self) -> End {
        match self {
            Self::Sender | Self::NearSender | Self::BegunLate | Self::EndedEarly | Self::ClockSteps | Self::Copies => {
                End::Sender
            }
            // A question that only the receiver's capture leaves open is also open in the middle.
            Self::Receiver | Self::Middle | Self::NearReceiver => End::Receiver,
        }
    }

    /// The id in names of files and messages.
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
